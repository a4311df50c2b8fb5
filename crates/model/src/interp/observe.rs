//! What a claim sees of a model: expressions that no process evaluates.

use space::{Pid, Violation};

use super::{Advance, Control, Cursor, Interp, Successor, View};
use crate::ids::ExprId;
use crate::model::{ControlState, ProcessKind};

/// What is known about the state that a claim looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// Nobody can move unless by `timeout`.
    pub timeout: bool,
    /// Nobody can move at all: the state is repeated for ever.
    pub ended: bool,
}

impl Interp<'_> {
    /// The value of an expression of a claim, where [`Interp::load`] was called for a vector
    /// with the same processes.
    pub fn observe_value(
        &self,
        state: &[u8],
        sight: Sight,
        expr: ExprId,
    ) -> Result<i32, Violation> {
        let view = View {
            timeout: sight.timeout,
            ended: sight.ended,
            ..View::quiet(state, Pid::NOBODY.0, 0)
        };
        self.eval(&view, expr)
    }

    /// Whether nobody can move unless by `timeout`.
    pub fn waits_for_timeout(&mut self, state: &[u8]) -> bool {
        let mut cursor = Cursor::default();
        let mut next = Successor::default();
        loop {
            match self.advance(state, Control::Free, &mut cursor, &mut next) {
                Advance::Offer => {}
                Advance::Step | Advance::Fault => return cursor.is_timeout(),
                Advance::Exhausted { .. } => return true,
            }
        }
    }

    /// The number of processes, where [`Interp::load`] was called for the vector.
    pub fn process_count(&self) -> usize {
        self.touch_population();
        self.frames.len()
    }

    /// Whether some process stands at a label that begins with `accept`, where
    /// [`Interp::load`] was called for the vector.
    pub fn is_accepting(&self, state: &[u8]) -> bool {
        self.any_process(state, |control| control.accept)
    }

    /// Whether no process stands at a progress label. A state that is repeated for ever
    /// because nobody can move is an end, and not a lack of progress.
    pub(super) fn is_without_progress(&self, view: &View<'_>) -> bool {
        !view.ended && !self.any_process(view.state, |control| control.progress)
    }

    fn any_process(&self, state: &[u8], test: impl Fn(&ControlState) -> bool) -> bool {
        self.touch_population();
        (0..self.frames.len() as u8).any(|pid| {
            let control = self.control_of(state, pid);
            test(&self.proctype_of(state, pid).states[control.index()])
        })
    }
}

impl crate::Model {
    /// Whether processes, not only claims, have labels that begin with `accept`.
    pub fn has_accept_labels(&self) -> bool {
        self.proctypes.iter().any(|proctype| {
            matches!(proctype.kind, ProcessKind::Proctype | ProcessKind::Init)
                && proctype.states.iter().any(|state| state.accept)
        })
    }
}
