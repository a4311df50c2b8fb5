//! Straight stretches of atomic sequences, without a row for each step.
//!
//! Nobody sees the nodes inside, so the steps change one vector in place. A step is taken here only
//! if it is the only one of its node, is a test or an assignment, and violates nothing. What is
//! left of all but the last of them is their number, and that their transitions were executed.

use space::{Control, Expansion, Pid, Row, Step, TransitionId};

use super::{Interp, View, after};
use crate::ids::ControlId;
use crate::model::{Action, OptionEntry};

/// A chain is not longer than this: whoever follows an endless sequence has to notice.
const MOST_CHAINED: u64 = 1 << 10;

/// What there is behind a node inside an atomic sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Straight {
    /// A choice, or something rare.
    Choice,
    /// A straight stretch, with so many steps before the last one.
    Passed(u32),
    /// A straight stretch without an end in sight.
    Endless,
}

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
        let mut last = None;
        let count = self.model.transitions.len();
        let most = most.min(MOST_CHAINED);
        let steps = self.walk(row, pid, most, found, |found, row, _| {
            let transitions = &mut found.passed.transitions;
            transitions.resize(count, false);
            transitions[row.transition as usize] = true;
            last = Some(row);
        });
        if let Some(row) = last {
            found.push(row, &self.next.state);
            found.passed.steps += steps - 1;
            found.moved = true;
        }
        steps > 0
    }

    /// Execute steps from the successor of a row on, where a process has control, until there is a
    /// choice or something rare. Append a row for the last one, and note which transitions were
    /// executed.
    pub fn pass_straight(
        &mut self,
        row: usize,
        pid: Pid,
        found: &mut Expansion,
        executed: &mut [bool],
    ) -> Straight {
        let mut last = None;
        let steps = self.walk(row, pid.0, MOST_CHAINED, found, |_, row, _| {
            executed[row.transition as usize] = true;
            last = Some(row);
        });
        match last {
            None => Straight::Choice,
            Some(_) if steps == MOST_CHAINED => Straight::Endless,
            Some(row) => {
                found.push(row, &self.next.state);
                found.moved = true;
                Straight::Passed(steps as u32 - 1)
            }
        }
    }

    /// The same with a row for each step, so that both find what follows in the same order.
    pub(super) fn chain_from(&mut self, row: usize, pid: u8, found: &mut Expansion) -> bool {
        let mut flags = 0;
        let steps = self.walk(row, pid, MOST_CHAINED, found, |found, mut row, vector| {
            row.flags |= flags;
            flags = Row::CHAINED;
            found.push(row, vector);
            found.moved = true;
        });
        steps > 0
    }

    /// Execute steps and show each with its row and the vector behind it. How many there were; the
    /// last vector stays in `next`.
    fn walk(
        &mut self,
        row: usize,
        pid: u8,
        most: u64,
        found: &mut Expansion,
        mut show: impl FnMut(&mut Expansion, Row, &[u8]),
    ) -> u64 {
        if self.guarded {
            return 0;
        }
        let mut vector = std::mem::take(&mut self.next.state);
        vector.clear();
        vector.extend_from_slice(found.vector(&found.rows[row]));
        self.load(&vector);
        let mut steps = 0;
        while steps < most
            && let Some(transition) = self.take_only_step(&mut vector, pid)
        {
            steps += 1;
            let control = after(self.model.transition(transition), pid);
            let step = Step {
                pid: Pid(pid),
                transition,
                partner: None,
            };
            show(found, Row::new(Some(step), control, 0), &vector);
            if control == Control::Free {
                break;
            }
        }
        self.next.state = vector;
        steps
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
