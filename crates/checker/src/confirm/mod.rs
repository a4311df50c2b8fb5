//! Every counterexample is executed again in the interpreter before anybody sees it.

pub mod components;
mod lasso;
mod stated;
mod word;

use std::fmt;

use model::{Advance, Cursor, Interp, Model, Successor};
use search::Finding;
use space::{Control, NextState, Pid, Step, Violation, ViolationKind};

pub use lasso::{Lasso, confirm_lasso};
pub use stated::confirm_stated;

/// Why a counterexample is none: a bug of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// There is no initial state, but the trace has steps.
    NoInitialState,
    /// This step, counted from 1, cannot be executed.
    Step(usize),
    /// The steps can be executed, but violate nothing.
    NoViolation,
    /// The last step does not lead back to where the cycle begins.
    Open,
    /// The claim does not match the execution, or the cycle is not an accepting one.
    NotAccepted,
    /// The cycle is not fair to this process.
    Unfair(Pid),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::NoInitialState => f.write_str("there is no initial state"),
            Mismatch::Step(number) => write!(f, "step {number} cannot be executed"),
            Mismatch::NoViolation => f.write_str("its execution violates no property"),
            Mismatch::Open => f.write_str("its cycle does not close"),
            Mismatch::NotAccepted => f.write_str("its cycle is not accepting"),
            Mismatch::Unfair(pid) => write!(f, "its cycle is not fair to process {}", pid.0),
        }
    }
}

/// Execute the trace of a finding. Returns the last state that exists: before a step that
/// cannot be completed, behind any other; empty without an initial state.
pub fn confirm(model: &Model, finding: &Finding) -> Result<Vec<u8>, Mismatch> {
    let mut replay = Replay::new(model);
    let steps = &finding.trace.steps;
    match replay.interp.initial() {
        Ok(state) => replay.state = state,
        Err(violation) if steps.is_empty() && violation == finding.violation => {
            return Ok(Vec::new());
        }
        Err(_) => return Err(Mismatch::NoInitialState),
    }
    for (row, step) in steps.iter().enumerate() {
        let advance = replay.find(*step).ok_or(Mismatch::Step(row + 1))?;
        let last = row + 1 == steps.len();
        let violated = last && replay.next.raises(finding.violation);
        if advance == Advance::Fault {
            return match violated {
                true => Ok(replay.state),
                false => Err(Mismatch::Step(row + 1)),
            };
        }
        std::mem::swap(&mut replay.state, &mut replay.next.state);
        replay.control = replay.next.control;
        if violated {
            return Ok(replay.state);
        }
    }
    match replay.is_violated(&finding.violation) {
        true => Ok(replay.state),
        false => Err(Mismatch::NoViolation),
    }
}

struct Replay<'m> {
    interp: Interp<'m>,
    state: Vec<u8>,
    control: Control,
    next: Successor,
}

impl<'m> Replay<'m> {
    fn new(model: &'m Model) -> Replay<'m> {
        Replay {
            interp: Interp::new(model),
            state: Vec::new(),
            control: Control::Free,
            next: Successor::default(),
        }
    }

    /// Look for a step among those of the current node.
    fn find(&mut self, step: Step) -> Option<Advance> {
        self.scan(|advance, next| advance != Advance::Offer && next.step == Some(step))
    }

    /// The first advance that is wanted. An exclusive node without a step loses control.
    fn scan(&mut self, wanted: impl Fn(Advance, &Successor) -> bool) -> Option<Advance> {
        loop {
            let mut cursor = Cursor::default();
            let moved = loop {
                let advance =
                    self.interp
                        .advance(&self.state, self.control, &mut cursor, &mut self.next);
                match advance {
                    Advance::Exhausted { moved } => break moved,
                    _ if wanted(advance, &self.next) => return Some(advance),
                    _ => {}
                }
            };
            if moved || self.control == Control::Free {
                return None;
            }
            self.control = Control::Free;
        }
    }

    /// Whether the current node, not a step, is what is wrong.
    fn is_violated(&mut self, violation: &Violation) -> bool {
        if violation.kind == ViolationKind::InvalidEndState {
            let moves = self.scan(|advance, _| advance == Advance::Step).is_some();
            return !moves && !self.interp.is_valid_end(&self.state);
        }
        // A condition for moving at all failed, so there is no step to blame.
        let failed = |advance, next: &Successor| {
            advance == Advance::Fault && next.step.is_none() && next.violation == Some(*violation)
        };
        self.scan(failed).is_some()
    }
}
