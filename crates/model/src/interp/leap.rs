//! Straight stretches of atomic sequences, without a row for each step.
//!
//! Nobody sees the nodes inside, so the steps change one vector in place. A step is taken here only
//! if it is the only one of its node, is a test or an assignment, and violates nothing. What is
//! left of all but the last of them is their number, and that their transitions were executed.

use space::{Control, Expansion, Pid, Row, Step, TransitionId};

use super::{Interp, View, after};
use crate::ids::ControlId;
use crate::model::{Action, OptionEntry};

impl Interp<'_> {
    /// Execute steps from the successor of a row on, where `pid` has control, until there is a
    /// choice or something rare, but no more than `most`. Append a row for the last one. Whether
    /// there was any.
    pub(super) fn leap_from(
        &mut self,
        row: usize,
        pid: u8,
        most: u64,
        found: &mut Expansion,
    ) -> bool {
        if self.guarded {
            return false;
        }
        let mut vector = std::mem::take(&mut self.next.state);
        vector.clear();
        vector.extend_from_slice(found.vector(&found.rows[row]));
        self.load(&vector);
        let mut last = None;
        let mut steps = 0;
        while steps < most
            && let Some(id) = self.take_only_step(&mut vector, pid)
        {
            steps += 1;
            let transitions = &mut found.passed.transitions;
            transitions.resize(self.model.transitions.len(), false);
            transitions[id.0 as usize] = true;
            let control = after(self.model.transition(id), pid);
            last = Some((id, control));
            if control == Control::Free {
                break;
            }
        }
        if let Some((transition, control)) = last {
            let step = Step {
                pid: Pid(pid),
                transition,
                partner: None,
            };
            found.push(Row::new(Some(step), control, 0), &vector);
            found.passed.steps += steps - 1;
            found.moved = true;
        }
        self.next.state = vector;
        last.is_some()
    }

    /// Execute the only step of a process, if it is simple.
    fn take_only_step(&self, vector: &mut [u8], pid: u8) -> Option<TransitionId> {
        let proctype = self.proctype_of(vector, pid);
        let control = self.control_of(vector, pid);
        let options = &proctype.states[control.index()].options;
        let id = self.only_step(vector, pid, options)?;
        let transition = self.model.transition(id);
        if let Action::Assign(place, expr) = transition.action {
            let frame = self.frames[pid as usize];
            let value = self.eval(&View::quiet(vector, pid, frame), expr).ok()?;
            self.assign(vector, pid, frame, place, value).ok()?;
        }
        self.arrive(vector, pid, transition);
        Some(id)
    }

    /// The only option that can be executed, if all of them are simple.
    fn only_step(&self, vector: &[u8], pid: u8, options: &[OptionEntry]) -> Option<TransitionId> {
        let mut view = View::quiet(vector, pid, self.frames[pid as usize]);
        let mut only = None;
        for option in options {
            let action = &self.model.transition(option.transition).action;
            let is_ready = match action {
                Action::Skip | Action::Assign(..) => true,
                Action::Else => !view.moved,
                Action::Guard(expr) => self.eval(&view, *expr).ok()? != 0,
                _ => return None,
            };
            if option.escape != ControlId(0) || is_ready && view.moved {
                return None;
            }
            if is_ready {
                view.moved = true;
                only = Some(option.transition);
            }
        }
        only
    }
}
