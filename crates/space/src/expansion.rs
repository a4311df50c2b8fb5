//! The steps out of a node, all at once.

use crate::{Control, Mark, Pid, Step, TransitionId, Violation};

/// One row of an [`Expansion`].
///
/// The fields of [`Step`] and [`Control`] are spread out: a row has 20 bytes and a layout
/// that compiled code can write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Row {
    /// Where the successor's vector begins in [`Expansion::bytes`].
    pub start: u32,
    /// The length of the vector.
    pub len: u32,
    /// What is executed.
    pub transition: u32,
    /// The receiver's half of a handshake.
    pub partner_transition: u32,
    /// Who moves.
    pub pid: u8,
    /// The receiver of a handshake.
    pub partner: u8,
    /// Who has exclusive control afterwards.
    pub owner: u8,
    /// What kind of row it is: the constants of [`Row`].
    pub flags: u8,
}

impl Row {
    /// The successor is under [`Control::Exclusive`].
    pub const EXCLUSIVE: u8 = 1;
    /// The step is a handshake.
    pub const HANDSHAKE: u8 = 2;
    /// There are violations for this row in [`Expansion::violations`].
    pub const VIOLATION: u8 = 4;
    /// The step cannot be completed: there is no successor.
    pub const FAULT: u8 = 8;
    /// Not a step: a rendezvous send is ready. Comes once for each, before its handshakes,
    /// and also if there is no partner. Spin counts the half-done handshake in its depth.
    pub const OFFER: u8 = 16;
    /// A fault before any step was tried: there is no step either.
    pub const STEPLESS: u8 = 32;
    /// Behind the step, exclusive control is lost: nobody could move. Set by searches.
    pub const LOST: u8 = 64;
    /// The row follows the one before it, inside an atomic sequence.
    pub const CHAINED: u8 = 128;

    /// Not a step either: a process can move, but its steps are left out.
    pub const LEFT_OUT: u8 = Row::OFFER | Row::FAULT;

    /// A row without a vector.
    pub fn new(step: Option<Step>, control: Control, flags: u8) -> Row {
        let mut row = Row {
            flags,
            ..Row::default()
        };
        match step {
            None => row.flags |= Row::STEPLESS,
            Some(step) => {
                row.pid = step.pid.0;
                row.transition = step.transition.0;
                if let Some((partner, transition)) = step.partner {
                    row.partner = partner.0;
                    row.partner_transition = transition.0;
                    row.flags |= Row::HANDSHAKE;
                }
            }
        }
        if let Control::Exclusive(owner) = control {
            row.owner = owner.0;
            row.flags |= Row::EXCLUSIVE;
        }
        row
    }

    /// Whether a flag is set.
    #[inline]
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether it stands for a process whose steps are left out.
    #[inline]
    pub fn is_left_out(&self) -> bool {
        self.flags & Row::LEFT_OUT == Row::LEFT_OUT
    }

    /// Whether it leads to a successor.
    #[inline]
    pub fn has_successor(&self) -> bool {
        !self.has(Row::FAULT | Row::OFFER)
    }

    /// Who may move in the successor.
    #[inline]
    pub fn control(&self) -> Control {
        if self.has(Row::EXCLUSIVE) {
            Control::Exclusive(Pid(self.owner))
        } else {
            Control::Free
        }
    }

    /// The step, where there is one.
    pub fn step(&self) -> Option<Step> {
        (!self.has(Row::STEPLESS | Row::OFFER)).then(|| Step {
            pid: Pid(self.pid),
            transition: TransitionId(self.transition),
            partner: self
                .has(Row::HANDSHAKE)
                .then_some((Pid(self.partner), TransitionId(self.partner_transition))),
        })
    }

    /// How many levels the step adds to the depth: Spin counts both halves of a handshake.
    #[inline]
    pub fn levels(&self) -> u64 {
        1 + u64::from(self.has(Row::HANDSHAKE))
    }
}

/// Steps inside atomic sequences that were executed and left no row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// How many.
    pub steps: u64,
    /// For each transition whether one of them executed it; empty if there were none.
    pub transitions: Vec<bool>,
}

impl Passed {
    /// Forget them.
    #[inline]
    pub fn clear(&mut self) {
        self.steps = 0;
        self.transitions.fill(false);
    }
}

/// The steps out of a node, or of several, in order. Reused from node to node.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Steps, failed steps and offers, in order.
    pub rows: Vec<Row>,
    /// The vectors of the successors; rows say where each lies. There may be gaps.
    pub bytes: Vec<u8>,
    /// What steps violate: the number of the row and the violation, in order.
    pub violations: Vec<(u32, Violation)>,
    /// What the rows are besides steps of the model, one for each; empty where nothing says
    /// that the system has [acceptance sets](crate::Acceptance).
    pub marks: Vec<Mark>,
    /// The steps that have no row, see [`NextState::leap`](crate::NextState::leap).
    pub passed: Passed,
    /// A vector on its way.
    pub(crate) scratch: Vec<u8>,
    /// Whether anybody could move in the node expanded last, if only to its ruin. A free node where nobody can is an
    /// end; an exclusive one is to be taken as free.
    pub moved: bool,
}

impl Expansion {
    /// Empty it; what was passed over stays until somebody takes it into account.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.bytes.clear();
        self.violations.clear();
        self.marks.clear();
        self.moved = false;
    }

    /// The vector of a row that has a successor.
    #[inline]
    pub fn vector(&self, row: &Row) -> &[u8] {
        &self.bytes[row.start as usize..][..row.len as usize]
    }

    /// The violations of the row with this number.
    pub fn violations_of(&self, row: usize) -> impl Iterator<Item = Violation> + '_ {
        let of_row = move |(number, _): &&(u32, Violation)| *number as usize == row;
        self.violations
            .iter()
            .filter(of_row)
            .map(|&(_, violation)| violation)
    }

    /// The edge of the claim that is taken with the row of this number, where there is one.
    pub fn edge(&self, row: usize) -> Option<u32> {
        self.marks.get(row).map(|mark| mark.edge)
    }

    /// Append a row with its successor's vector.
    pub fn push(&mut self, mut row: Row, vector: &[u8]) {
        row.start = self.bytes.len() as u32;
        row.len = vector.len() as u32;
        self.bytes.extend_from_slice(vector);
        self.rows.push(row);
    }

    /// Append a row without a successor.
    pub fn push_bare(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Say that the last row violates something.
    pub fn blame(&mut self, violation: Violation) {
        let number = self.rows.len() - 1;
        self.rows[number].flags |= Row::VIOLATION;
        self.violations.push((number as u32, violation));
    }
}
