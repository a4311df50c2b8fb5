//! No claim: the accept labels of the processes decide.
//!
//! A node is accepting if some process stands at a label that begins with `accept`, inside
//! atomic sequences too. An execution that cannot go on at such a label repeats its last
//! state for ever, as with Spin.

use model::{Interp, Model};
use space::{Acceptance, Control, Expansion, Mark, NextState, Row, Violation};

use crate::product::{STUTTER, forget_violations};

/// A model whose accepting states are those with a process at an accept label.
pub struct Labels<'m, M> {
    model: M,
    interp: Interp<'m>,
    fault: Option<Violation>,
}

impl<'m, M: NextState> Labels<'m, M> {
    /// Something that executes this model, with the labels of its processes.
    pub fn new(steps: M, model: &'m Model) -> Labels<'m, M> {
        Labels {
            model: steps,
            interp: Interp::new(model),
            fault: None,
        }
    }

    /// The first error of the model that ended an execution.
    pub fn fault(&self) -> Option<Violation> {
        self.fault
    }

    fn finish(&mut self, state: &[u8], control: Control, from: usize, found: &mut Expansion) {
        forget_violations(from, found, &mut self.fault);
        // A node inside an atomic sequence is no state, so its labels do not count.
        let is_state = control == Control::Free;
        let accepts = is_state && {
            self.interp.load(state);
            self.interp.is_accepting(state)
        };
        let mark = Mark {
            sets: u32::from(accepts),
            edge: 0,
        };
        if is_state && !found.moved && accepts {
            found.push(Row::new(Some(STUTTER), Control::Free, 0), state);
            found.moved = true;
        }
        found.marks.resize(found.rows.len(), mark);
    }
}

impl<M: NextState> NextState for Labels<'_, M> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.model.initial()
    }

    fn hidden_len(&self) -> usize {
        self.model.hidden_len()
    }

    fn transition_count(&self) -> usize {
        self.model.transition_count()
    }

    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        let from = found.rows.len();
        self.model.extend(state, control, found);
        self.finish(state, control, from, found);
    }

    /// Invalid end states are for a safety search.
    fn is_valid_end(&mut self, _: &[u8]) -> bool {
        true
    }
}

impl<M: NextState> Acceptance for Labels<'_, M> {
    fn sets(&self) -> u32 {
        1
    }

    fn on_states(&self) -> bool {
        true
    }
}
