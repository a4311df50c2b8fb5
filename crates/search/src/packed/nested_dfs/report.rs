//! What a nested search found, and the counts of a search that ends early.

use relation::{Monitor, Rest};
use space::{Step, Trace};

use super::{COMPLAINT, ENTERED, Entry, NUMBER, Nested, REACHED, Stop};
use crate::lasso::levels;
use crate::packed::colours::ColourStores;

impl<M: Monitor, A: ColourStores, const W: usize> Nested<'_, M, A, W> {
    /// A move out of the last state of the path, to this state, closes a cycle.
    #[cold]
    #[inline(never)]
    pub(super) fn close(
        &mut self,
        entry: &Entry<W>,
        stack: &mut Vec<Entry<W>>,
    ) -> Result<(), Stop> {
        let path = entered(stack);
        let start = self.find(entry, &path, stack);
        let Some(&last) = path.last() else {
            return Ok(());
        };
        let closing = self
            .product
            .describe(&stack[last].state(), entry.number())
            .steps;
        let violation = self.product.monitor().cycle_kind.into();
        let step = closing.last().map(|(step, _)| *step);
        if self.accounting.note(violation, step, 0) {
            let (mut trace, first) = self.trace(&path, start, stack);
            push(&mut trace, &closing);
            trace.cycle = Some(first);
            let depth = levels(&trace.steps[..first]);
            self.accounting.keep(depth, trace);
        }
        let enough = self.accounting.enough_errors();
        if enough.is_err() {
            // Where it ended, for [`Nested::take_back`].
            stack.push(*entry);
        }
        Ok(enough?)
    }

    /// Something that the monitor finds wrong in the last state of the path has its turn.
    #[cold]
    #[inline(never)]
    pub(super) fn complain(
        &mut self,
        entry: &Entry<W>,
        stack: &mut Vec<Entry<W>>,
    ) -> Result<(), Stop> {
        stack.pop();
        let path = entered(stack);
        let mut complaints = self.product.complaints(&entry.state());
        let complaint = complaints.swap_remove(entry.number() as usize);
        let step = complaint.steps.last().map(|(step, _)| *step);
        // Each step before it is one of the monitor alone.
        let depth = i64::from(entry.level) + complaint.steps.len() as i64 - 1;
        if self.accounting.note(complaint.violation, step, depth) {
            let (mut trace, _) = self.trace(&path, 0, stack);
            push(&mut trace, &complaint.steps);
            self.accounting.keep(depth, trace);
        }
        let enough = self.accounting.enough_errors();
        if enough.is_err() {
            stack.push(*entry);
        }
        Ok(enough?)
    }

    /// Which state of the path a state is that is on the path of the first search.
    fn find(&self, entry: &Entry<W>, path: &[usize], stack: &[Entry<W>]) -> usize {
        let relation = self.product.system().relation();
        let wanted = relation.visible(&entry.words);
        let last = self.root.unwrap_or(usize::MAX);
        let is_it = |&at: &usize| at <= last && relation.visible(&stack[at].words) == wanted;
        path.iter().rposition(is_it).unwrap_or(0)
    }

    /// The steps of the path, and how many of them lead to a state of it.
    fn trace(&mut self, path: &[usize], to: usize, stack: &[Entry<W>]) -> (Trace, usize) {
        let (mut trace, mut first) = (Trace::default(), 0);
        for (number, pair) in path.windows(2).enumerate() {
            if number == to {
                first = trace.steps.len();
            }
            let (from, taken) = (stack[pair[0]].state(), stack[pair[1]].number());
            let steps = self.product.describe(&from, taken).steps;
            push(&mut trace, &steps);
        }
        if to + 1 == path.len() {
            first = trace.steps.len();
        }
        (trace, first)
    }

    /// Put the successors of a state on the stack where the monitor finds something wrong, which waits
    /// between them.
    #[cold]
    #[inline(never)]
    pub(super) fn push_with_complaints(&mut self, entry: &Entry<W>, stack: &mut Vec<Entry<W>>) {
        let complaints = self.product.complaints(&entry.state());
        let mut left = complaints.len();
        let mut push = |stack: &mut Vec<Entry<W>>, moves: u32| {
            while left > 0 && complaints[left - 1].after >= moves {
                left -= 1;
                stack.push(Entry {
                    mark: COMPLAINT | (left as u32).min(NUMBER),
                    ..*entry
                });
            }
        };
        for number in (0..self.now.next.len()).rev() {
            push(stack, number as u32 + 1);
            let (waiting, is_counted) = self.look_up(entry, number);
            match is_counted {
                true => self.accounting.statistics.matched += 1,
                false => stack.push(waiting),
            }
        }
        push(stack, 0);
    }

    /// The search ends at a violation: take back what was counted of moves that were not taken.
    #[cold]
    #[inline(never)]
    pub(super) fn take_back(&mut self) {
        let stack = std::mem::take(&mut self.stack);
        let mut waiting = 0;
        // What was not counted of the last state of the path.
        let mut last = None;
        for number in (0..stack.len()).rev() {
            let entry = stack[number];
            let is_end = number + 1 == stack.len();
            match entry.mark & REACHED {
                ENTERED => {
                    let rest = last.take().unwrap_or_default();
                    self.take_back_rest(&entry, &rest, waiting);
                    waiting = 0;
                    last = parent(&stack, number)
                        .map(|parent| self.product.rest(&parent.state(), entry.number()));
                }
                COMPLAINT if is_end => {
                    let complaints = self.product.complaints(&entry.state());
                    let after = complaints[entry.number() as usize].after;
                    last = Some(self.product.rest_after(&entry.state(), after));
                }
                0 if is_end => {
                    last = parent(&stack, number)
                        .map(|parent| self.product.rest(&parent.state(), entry.number()));
                }
                0 => waiting += 1,
                _ => {}
            }
        }
        self.stack = stack;
    }

    fn take_back_rest(&mut self, entry: &Entry<W>, rest: &Rest, waiting: u64) {
        let level = u64::from(entry.level + rest.reach_before);
        self.accounting.reach(level);
        let statistics = &mut self.accounting.statistics;
        statistics.matched -= rest.moves - waiting;
        statistics.atomic_steps -= rest.atomic_steps;
        statistics.endless_atomics -= rest.endless;
    }
}

/// Where in the stack the states of the path are.
fn entered<const W: usize>(stack: &[Entry<W>]) -> Vec<usize> {
    let is_entered = |at: &usize| stack[*at].kind() == ENTERED;
    (0..stack.len()).filter(is_entered).collect()
}

/// The state of the path before an entry.
fn parent<const W: usize>(stack: &[Entry<W>], at: usize) -> Option<Entry<W>> {
    let is_entered = |entry: &&Entry<W>| entry.kind() == ENTERED;
    stack[..at].iter().rev().find(is_entered).copied()
}

/// Append steps with their edges.
fn push(trace: &mut Trace, steps: &[(Step, u32)]) {
    trace.steps.extend(steps.iter().map(|(step, _)| *step));
    trace.claim.extend(steps.iter().map(|(_, edge)| *edge));
}
