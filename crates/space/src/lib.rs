//! The narrow interface between a model and a search.
//!
//! A model is a [`NextState`]: it gives its initial state and the steps out of
//! a node, all at once. A search knows nothing else about it. The
//! types here are what both sides, the stores, the traces and the report share.
//!
//! # Nodes that are states and nodes that are not
//!
//! A search walks over *nodes*: a state vector together with a [`Control`].
//! Only a node under [`Control::Free`] is a state of the system. Under
//! [`Control::Exclusive`] a process is inside an atomic sequence: nobody else may
//! move, and nothing is stored or matched. When an exclusive node turns out to
//! have no step ([`Expansion::moved`] is false), control is lost:
//! the search takes the same vector again as a free node (storing or matching it).

mod acceptance;
mod ample;
pub mod cancel;
mod expansion;
mod pids;
mod representative;
mod violation;

pub use acceptance::{Acceptance, Fairness, Mark};
pub use ample::{AmpleAnswer, AmpleSet, AmpleSets, KeyReads, Look};
pub use expansion::{Expansion, Passed, Row};
pub use pids::{Asleep, PidSet};
pub use representative::Representative;
pub use violation::{ErrorKind, SiteId, Violation, ViolationKind};

/// The number of a process: its position in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pid(pub u8);

/// A transition of the model (the static thing; executing it is a [`Step`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransitionId(pub u32);

/// One execution of a transition, or of two that shake hands on a rendezvous channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Who moves (the sender of a handshake).
    pub pid: Pid,
    /// What is executed.
    pub transition: TransitionId,
    /// The receiver's half of a handshake.
    pub partner: Option<(Pid, TransitionId)>,
}

/// Who may move in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Control {
    /// Everybody: the node is a state.
    #[default]
    Free,
    /// Only this process, which is inside an atomic sequence.
    Exclusive(Pid),
}

/// A transition system, given by its initial state and its steps.
///
/// The steps of a node come in Spin's order: processes from the highest pid down,
/// the options of a process in the order of the text.
pub trait NextState {
    /// The initial state.
    fn initial(&mut self) -> Result<Vec<u8>, Violation>;

    /// The number of bytes at the front of a vector that are carried along a path but do
    /// not tell states apart (`hidden` variables). Stores see only what follows.
    fn hidden_len(&self) -> usize;

    /// The number of transitions; ids are below it.
    fn transition_count(&self) -> usize;

    /// Append all steps out of a node to `found`, and set [`Expansion::moved`] for the node.
    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion);

    /// Find all steps out of a node. What `found` held before is gone.
    #[inline]
    fn expand(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        found.clear();
        self.extend(state, control, found);
    }

    /// Append all steps out of the successor of a row of `found`.
    #[inline]
    fn extend_row(&mut self, row: usize, found: &mut Expansion) {
        let mut vector = std::mem::take(&mut found.scratch);
        vector.clear();
        vector.extend_from_slice(found.vector(&found.rows[row]));
        self.extend(&vector, found.rows[row].control(), found);
        found.scratch = vector;
    }

    /// Append the steps out of the successor of a row, which is inside an atomic sequence,
    /// and perhaps what follows: a row with [`Row::CHAINED`] is the only step out of the
    /// successor of the row before it.
    #[inline]
    fn extend_chain(&mut self, row: usize, found: &mut Expansion) {
        self.extend_row(row, found);
    }

    /// The same, but of steps that follow each other only the last one may get a row; the others
    /// are noted in [`Expansion::passed`]. They are not more than `most`, and none of them
    /// violates anything.
    #[inline]
    fn leap(&mut self, row: usize, _most: u64, found: &mut Expansion) {
        self.extend_chain(row, found);
    }

    /// The processes that are *independent* of the step of a row, which led to the state
    /// `after`: each has the same transitions to take there as in the state before, and taking
    /// one of these and the step leads to the same state in either order. Some of them may be
    /// left out. Only for steps that lead to a free node.
    #[inline]
    fn independent(&mut self, _row: &Row, _after: &[u8]) -> PidSet {
        PidSet::EMPTY
    }

    /// Append the steps out of a free node, as [`NextState::extend`] does, but not those of the
    /// processes that sleep, which [`NextState::independent`] named.
    #[inline]
    fn extend_awake(&mut self, state: &[u8], asleep: Asleep, found: &mut Expansion) {
        debug_assert!(asleep.pids.is_empty());
        self.extend(state, Control::Free, found);
    }

    /// What finds ample sets, if anything does.
    #[inline]
    fn ample_sets(&mut self) -> Option<&mut dyn AmpleSets> {
        None
    }

    /// The processes that are independent of the step of a row, of those that
    /// [`AmpleSets::ample_sets`] was asked about last, counted from the first: each has the same
    /// transitions to take behind it, and taking one of these and the step leads to the same state
    /// in either order. Some of them may be left out.
    #[inline]
    fn may_sleep(&self, _row: usize) -> PidSet {
        PidSet::EMPTY
    }

    /// The search takes only the steps of these processes out of a free node.
    #[inline]
    fn take(&mut self, _state: &[u8], _set: PidSet) {}

    /// Whether every process may stop here. Asked for free nodes without steps.
    fn is_valid_end(&mut self, state: &[u8]) -> bool;
}

/// An execution from the initial state: finite, or a lasso.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trace {
    /// The steps in order, those of the stem before those of the cycle.
    pub steps: Vec<Step>,
    /// For each step the edge of the claim that is taken with it, see [`Mark::edge`]; empty
    /// where there is no claim.
    pub claim: Vec<u32>,
    /// The number of the first step of the cycle, if there is one. The last step leads back
    /// to the state before this one.
    pub cycle: Option<usize>,
}

impl Trace {
    /// A finite execution without a claim.
    pub fn of_steps(steps: Vec<Step>) -> Trace {
        Trace {
            steps,
            ..Trace::default()
        }
    }
}
