//! What a product asks of an automaton beside a model.

use model::{Sight, Touched};
use space::{Violation, ViolationKind};

/// A move of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorMove {
    /// The state of the monitor that it leads to.
    pub target: u32,
    /// Its number, to find it again.
    pub edge: u32,
    /// The acceptance sets it belongs to, as bits.
    pub sets: u32,
    /// What it finds wrong. The monitor goes on all the same.
    pub violation: Option<Violation>,
    /// What is wrong with the state that it leads to.
    pub ended: Option<Violation>,
}

/// Labels of the control states of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Those that begin with `accept`.
    Accept,
    /// Those that begin with `progress`.
    Progress,
}

/// How a monitor goes on where no process can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// Every state in which it does is stored.
    Stored,
    /// Its first two moves are one, and a hidden byte of the vector, here, says from then on that
    /// it goes on alone.
    TwoAtFirst(usize),
    /// It has no state, and what the processes offered counts on.
    Stateless,
}

/// What does not change about a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorInfo {
    /// The number of acceptance sets.
    pub sets: u32,
    /// Whether all moves out of a state belong to the same sets.
    pub on_states: bool,
    /// Whether each cycle of its own belongs to all sets with all its moves, or to none with any.
    pub is_weak: bool,
    /// The levels that a move of its own adds to the depth, before the model moves.
    pub levels: u32,
    /// What an accepting cycle is reported as.
    pub cycle_kind: ViolationKind,
    /// Whether [`Sight::timeout`] matters.
    pub sees_timeout: bool,
    /// Whether it matters that some process stands at such a label.
    pub label: Option<Label>,
    /// What it does where the model cannot move.
    pub alone: Alone,
    /// Where its state lies in a vector, if it has one: the first byte.
    pub slot: Option<usize>,
}

/// An automaton beside a model, whose state lies in the vectors of the model. It reads what it
/// likes and writes only there.
pub trait Monitor {
    /// What does not change.
    fn info(&self) -> MonitorInfo;

    /// Write its first state into a vector.
    fn begin(&self, vector: &mut [u8]);

    /// Write the target of a move into a vector.
    fn write(&self, vector: &mut [u8], target: u32);

    /// Its moves, in order, where it and the model are in the states of this vector.
    fn moves(&mut self, vector: &[u8], sight: Sight, moves: &mut Vec<MonitorMove>);

    /// What is wrong with the state that it is in.
    fn ended(&self, vector: &[u8]) -> Option<Violation>;

    /// Where it is noted what it reads to find its moves. None if what [`MonitorInfo`] says decides
    /// about them, and its own state.
    fn touched(&mut self) -> Option<&mut Touched>;
}
