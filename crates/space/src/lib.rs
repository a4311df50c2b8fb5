//! The narrow interface between a model and a search.
//!
//! A model is a [`NextState`]: it gives its initial state and, one call at a
//! time, the steps out of a state. A search knows nothing else about it. The
//! types here are what both sides, the stores, the traces and the report share.
//!
//! # Nodes that are states and nodes that are not
//!
//! A search walks over *nodes*: a state vector together with a [`Control`].
//! Only a node under [`Control::Free`] is a state of the system. Under
//! [`Control::Exclusive`] a process is inside an atomic sequence: nobody else may
//! move, and nothing is stored or matched. When an exclusive node turns out to
//! have no step ([`Advance::Exhausted`] with `moved == false`), control is lost:
//! the search takes the same vector again as a free node (storing or matching it).

mod violation;

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

/// What [`NextState::advance`] writes about the step it found. Reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Successor {
    /// The state vector after the step.
    pub state: Vec<u8>,
    /// Who may move there.
    pub control: Control,
    /// The step that leads there.
    pub step: Option<Step>,
    /// An error raised by executing the step, or by trying to.
    pub violation: Option<Violation>,
    /// More errors of the same step: each is counted, and each belongs to its own property.
    pub further: Vec<Violation>,
}

impl Successor {
    /// Add an error to those of the step.
    pub fn note(&mut self, violation: Violation) {
        match self.violation {
            None => self.violation = Some(violation),
            Some(_) => self.further.push(violation),
        }
    }

    /// Whether the step raised this error.
    pub fn raises(&self, violation: Violation) -> bool {
        self.violation == Some(violation) || self.further.contains(&violation)
    }

    /// How many levels the step adds to the depth: Spin counts both halves of a handshake.
    pub fn levels(&self) -> u64 {
        match self.step {
            Some(Step {
                partner: Some(_), ..
            }) => 2,
            _ => 1,
        }
    }
}

/// What a call of [`NextState::advance`] came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// A step: `next.step`, `next.state` and `next.control` are set. If `next.violation`
    /// is set too, the step was executed but broke a property (a failed assertion);
    /// the run goes on behind it.
    Step,
    /// A step that cannot be completed: `next.step` and `next.violation` are set, there is
    /// no successor (an index out of range, a division by zero, ...).
    Fault,
    /// A rendezvous send is ready: comes once for each, before its handshakes, which are
    /// steps of their own, and also if there is no partner. Not a step; Spin counts the
    /// half-done handshake in its depth, so the search is told.
    Offer,
    /// There are no more steps. `moved` tells whether there was any.
    Exhausted {
        /// Whether any step was found since the cursor was new.
        moved: bool,
    },
}

/// A transition system, given by its initial state and its steps.
///
/// The steps of a node come in Spin's order: processes from the highest pid down,
/// the options of a process in the order of the text.
pub trait NextState {
    /// Where an enumeration of steps stands. `Default` is its beginning.
    type Cursor: Copy + Default;

    /// The initial state.
    fn initial(&mut self) -> Result<Vec<u8>, Violation>;

    /// The number of bytes at the front of a vector that are carried along a path but do
    /// not tell states apart (`hidden` variables). Stores see only what follows.
    fn hidden_len(&self) -> usize;

    /// The number of transitions; ids are below it.
    fn transition_count(&self) -> usize;

    /// Find the next step out of a node.
    ///
    /// Calls with the same node and the cursor left by the previous call enumerate all its
    /// steps. Calls for other nodes may come in between.
    fn advance(
        &mut self,
        state: &[u8],
        control: Control,
        cursor: &mut Self::Cursor,
        next: &mut Successor,
    ) -> Advance;

    /// Whether every process may stop here. Asked for free nodes without steps.
    fn is_valid_end(&mut self, state: &[u8]) -> bool;
}

/// A finite execution from the initial state.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trace {
    /// The steps in order.
    pub steps: Vec<Step>,
}
