//! What a product asks of a claim.

use model::{Sight, Touched};
use relation::Label;
use space::{Mark, Violation, ViolationKind};

/// A step of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimMove {
    /// Where it leads.
    pub target: u32,
    /// Its number, to find it again.
    pub edge: u32,
    /// The acceptance sets it belongs to, as bits.
    pub sets: u32,
    /// What it finds wrong. The claim goes on all the same.
    pub violation: Option<Violation>,
}

impl ClaimMove {
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            sets: self.sets,
            edge: self.edge,
        }
    }
}

/// The steps of a claim in one state of the model.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The steps in order.
    pub list: Vec<ClaimMove>,
}

impl Moves {
    /// Empty it.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}

/// An automaton that watches a model. It reads the state of the model and changes only its
/// own.
pub trait Claim {
    /// The number of its states, with 0 among them.
    fn state_count(&self) -> u32;

    /// Its first state.
    fn initial(&self) -> u32;

    /// The number of acceptance sets.
    fn sets(&self) -> u32;

    /// What it says once it is in a state: that it has come to its end.
    fn ended(&self, state: u32) -> Option<Violation>;

    /// Whether all steps out of a state belong to the same sets.
    fn on_states(&self) -> bool;

    /// Whether each cycle of its own belongs to all sets with all its steps, or to none with
    /// any.
    fn is_weak(&self) -> bool;

    /// What a cycle that it accepts is reported as.
    fn cycle_kind(&self) -> ViolationKind;

    /// Whether [`Sight::timeout`] matters.
    fn sees_timeout(&self) -> bool;

    /// Whether nobody can move in a state of the model unless by `timeout`. Asked only if
    /// that matters.
    fn waits_for_timeout(&mut self, vector: &[u8]) -> bool;

    /// The steps from one of its states, where the model is in the state `vector`.
    fn moves(&mut self, state: u32, vector: &[u8], sight: Sight, moves: &mut Moves);

    /// The labels of processes that its moves depend on, if these and its own state decide about
    /// them.
    fn label(&self) -> Option<Label>;

    /// Note from now on what its moves depend on.
    fn record_touched(&mut self);

    /// What was read since this was cleared, if it is recorded. None if labels decide.
    fn touched(&mut self) -> Option<&mut Touched>;
}
