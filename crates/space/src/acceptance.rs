//! Transition systems with acceptance sets: what a search for cycles sees.

use crate::{NextState, TransitionId};

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
/// A process is enabled in a state if some step out of it is one of the process: it moves, or
/// it is the partner of a handshake. It moves in a macro step, an atomic sequence as a whole,
/// if it moves in a step of it. A step of nobody moves nobody.
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
