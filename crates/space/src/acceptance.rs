//! Transition systems with acceptance sets: what a search for cycles sees.

use crate::{NextState, TransitionId, ViolationKind};

/// What a step of a product is besides a step of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The acceptance sets that the step belongs to, as bits.
    pub sets: u32,
    /// The edge of the claim that is taken before the model moves.
    pub edge: u32,
}

/// A transition system with acceptance sets, mostly the product of a model and a claim.
///
/// Its expansions have a [`Mark`] for each row, in [`crate::Expansion::marks`]. A cycle is
/// accepting if its steps together belong to every set; without sets, every cycle is.
/// The steps inside atomic sequences count like all others.
///
/// Where the model cannot move but the claim can, there is a step with
/// [`TransitionId::STUTTER`] and [`crate::Pid::NOBODY`] that leaves the model where it is.
pub trait Acceptance: NextState {
    /// The number of acceptance sets, at most 32.
    fn sets(&self) -> u32;

    /// Whether all steps out of a node belong to the same sets, so that one may speak of
    /// accepting states.
    fn on_states(&self) -> bool;

    /// The levels that the claim's own move adds to the depth, before a step out of a state:
    /// Spin counts the moves of both.
    fn claim_levels(&self) -> u64 {
        0
    }

    /// Whether every cycle belongs with all its moves to all sets, or with none of them to any:
    /// so it is in the product with a weak automaton. Some searches take less time then, and
    /// miss cycles if it is not true.
    fn is_weak(&self) -> bool {
        false
    }

    /// What an accepting cycle is reported as.
    fn cycle_kind(&self) -> ViolationKind {
        ViolationKind::AcceptanceCycle
    }
}

impl TransitionId {
    /// The model stays where it is.
    pub const STUTTER: TransitionId = TransitionId(u32::MAX);
}

impl crate::Pid {
    /// Who moves when the model does not.
    pub const NOBODY: crate::Pid = crate::Pid(u8::MAX);
}

/// Which infinite executions count.
///
/// A process is enabled in a state if it can make a step there, or send in a handshake; a step
/// that fails, and leads nowhere, is none. The receiver of a handshake moves too, but is not
/// enabled by it: it waits for the sender, and may be passed over for ever in favour of another
/// receiver. Spin's verifier sees it this way (`pan -f` of Spin 6.5.2: with a sender and two
/// receivers, one of them may starve; a receiver that could always do something else may for
/// ever receive).
///
/// An atomic sequence is one move of the state where it begins; all its steps count as moves
/// of those who make them. A step of nobody moves nobody. Inside an atomic sequence nobody else is
/// enabled. An execution that never leaves one has no more states: no search decides whether it is
/// accepting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fairness {
    /// All of them.
    #[default]
    None,
    /// Those in which every process moves infinitely often or is disabled infinitely often.
    Weak,
    /// Those in which every process that is enabled infinitely often moves infinitely often.
    Strong,
}
