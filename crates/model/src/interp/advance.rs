//! What the search for the next step came to.

use space::{Control, Step, Violation};

/// What [`super::Interp::advance`] writes about the step it found. Reused from call to call.
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
}

/// What a call of [`super::Interp::advance`] came to.
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
    /// steps of their own, and also if there is no partner. Not a step.
    Offer,
    /// There are no more steps. `moved` tells whether there was any.
    Exhausted {
        /// Whether any step was found since the cursor was new.
        moved: bool,
    },
}
