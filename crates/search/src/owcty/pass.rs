//! What a pass over the set asks of states and moves.

use super::{EXEMPT, REACHED};
use crate::move_marks::{MoveMarks, Pids};

/// What a cycle has to meet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Condition {
    /// A move of this set.
    Set(u32),
    /// A move of this process, or a state where it is disabled.
    Weak(u8),
    /// A move of this process, if it is enabled anywhere.
    Strong(u8),
}

impl Condition {
    /// Whether it asks nothing of a state.
    pub(super) fn exempts(self, enabled: &Pids) -> bool {
        match self {
            Condition::Set(_) | Condition::Weak(_) => false,
            Condition::Strong(pid) => !enabled.contains(pid),
        }
    }

    /// Whether a move meets it.
    pub(super) fn is_met(self, enabled: &Pids, marks: &MoveMarks) -> bool {
        match self {
            Condition::Set(set) => marks.sets >> set & 1 != 0,
            Condition::Weak(pid) => !enabled.contains(pid) || marks.movers.contains(pid),
            Condition::Strong(pid) => marks.movers.contains(pid),
        }
    }
}

/// What is done about a state whose turn has come, besides finding its successors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pass {
    /// It is counted as a predecessor, if it has been reached.
    Meet(Condition),
    /// It is not counted: a Streett condition may keep it although it has not been reached.
    Exempt(Condition),
    /// It is counted as a predecessor.
    Count,
}

impl Pass {
    /// What one condition asks for.
    pub(super) fn of(condition: Condition) -> Pass {
        match condition {
            Condition::Set(_) | Condition::Weak(_) => Pass::Meet(condition),
            Condition::Strong(_) => Pass::Exempt(condition),
        }
    }

    /// Whether predecessors are counted.
    pub(super) fn counts(self) -> bool {
        !matches!(self, Pass::Exempt(_))
    }

    /// Whether a state is kept.
    pub(super) fn keeps(self, marks: u32) -> bool {
        match self {
            Pass::Meet(_) => marks & REACHED != 0,
            Pass::Exempt(_) => marks & (REACHED | EXEMPT) != 0,
            Pass::Count => true,
        }
    }
}
