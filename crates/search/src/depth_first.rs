//! The core that all depth-first searches share.
//!
//! It walks over nodes in Spin's order and keeps Spin's counts, as if it looked at one step
//! after the other. What it does when it comes to a state, and after an error, is up to a
//! [`Policy`]: the files of the searches hold one each.
//!
//! A node is expanded when it is entered, and its free successors are asked for together, so
//! that the memory accesses overlap. The first one that is new is entered at once. The others
//! are looked at when the successors of that one have been asked for, and have to come from
//! memory. Those that are known then are only counted; the rest waits in [`PendingStack`]. Where
//! that had to drop them, the node is expanded again when the search comes back to it,
//! together with others of the path.
//!
//! A successor without anything to notice (a known state stays known, its transition was
//! executed before) leaves no trace but a number, which is added to the counts in its turn.
//! So the counts are right also when the search ends early.

use std::io::{self, Write};

use space::{
    AmpleAnswer, Control, Expansion, NextState, PidSet, Row, Step, Trace, Violation, ViolationKind,
};
use store::Key;

use crate::accounting::Accounting;
use crate::backoff::Backoff;
use crate::path::{DeferredCounts, Path, Rest};
use crate::pending::PendingStack;
use crate::{Completion, Order, Outcome, checkpoint, replay};

mod position;
mod reexpansion;
mod rows;

pub(crate) use position::Position;
use reexpansion::Reexpansion;
pub(crate) use rows::ALL;
use rows::Rows;

/// How many pending rows behind the next one are prepared.
const LOOK_AHEAD: usize = 2;

/// The answer of a policy to the visit of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// It is new.
    New,
    /// It is known, but it has to be explored again.
    Reexplore,
    /// There is nothing to do.
    Known,
}

/// What a depth-first search does with states and errors.
pub(crate) trait Policy {
    /// Whether [`Visit::Known`] is always right.
    const EXACT: bool;
    /// Whether a state that [`Policy::is_known`] stays known, at any level.
    const STAYS_KNOWN: bool;
    /// Whether everything within the depth bound counts. Otherwise Spin's habit is followed
    /// to pass over end states next to the bound.
    const UP_TO_BOUND: bool;
    /// Whether ample sets are taken.
    const REDUCES: bool = false;

    /// The states prepared next are mostly successors of this one.
    fn focus(&mut self, state: &[u8]);
    /// A state will be looked up.
    fn prepare(&mut self, state: &[u8]) -> Key;
    /// The state with this key, prepared some time ago, will be looked up soon.
    fn touch(&self, _key: &mut Key) {}
    /// Whether there is nothing to do for a state.
    fn is_known(&self, state: &[u8], key: Key) -> bool;
    /// The search comes to a state.
    fn visit(&mut self, state: &[u8], key: Key, level: u64) -> Visit;
    /// The search leaves a state that it had entered.
    fn leave(&mut self) {}
    /// A state that was new is entered.
    fn enter(&mut self) {}
    /// The search takes the step of a row.
    fn descend(&mut self, _row: &Row) {}
    /// The search goes back to before the step that it took last.
    fn retreat(&mut self) {}
    /// Whether a step to a state satisfies the proviso: no process is postponed indefinitely though
    /// some that are enabled are left out. Only where ample sets are taken.
    fn satisfies_proviso(&mut self, _state: &[u8], _key: Key, _left_out: PidSet) -> bool {
        true
    }
    /// Whether an error at this depth counts.
    fn counts(&self, _depth: i64) -> bool {
        true
    }
    /// An error was found at this depth: perhaps another bound.
    fn bound_after(&mut self, _depth: i64) -> Option<u64> {
        None
    }
    /// Write down the states.
    fn save(&self, _out: &mut dyn Write) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    /// The memory in use.
    fn memory_bytes(&self) -> usize;
}

/// A search under way.
pub(crate) struct DepthFirst<'a, M, P> {
    pub(crate) model: &'a mut M,
    pub(crate) position: Position<'a, P>,
    pub(crate) order: Order,
    pending: PendingStack,
    /// The rows of the node entered last.
    rows: Box<Rows>,
    /// Those of its parent, if some were not looked at.
    parent: Box<Rows>,
    is_parent_due: bool,
    reexpansions: Vec<Reexpansion>,
    /// Where ample sets are taken: when to look for them, and what was found in the node entered last.
    backoff: Option<Backoff>,
    answer: AmpleAnswer,
    /// The nodes of the path where an ample set was taken, by their numbers, and the sets.
    taken: Vec<(u64, PidSet)>,
}

impl<'a, M: NextState, P: Policy> DepthFirst<'a, M, P> {
    pub(crate) fn new(
        model: &'a mut M,
        policy: P,
        accounting: Accounting<'a>,
    ) -> DepthFirst<'a, M, P> {
        let config = accounting.config;
        DepthFirst {
            position: Position {
                policy,
                path: Path::new(config.stack_in_memory),
                control: Control::Free,
                level: 0,
                bound: config.depth.unwrap_or(u64::MAX),
                hidden_len: model.hidden_len(),
                accounting,
            },
            order: config.order,
            pending: PendingStack::new(config.successors_in_memory),
            rows: Box::default(),
            parent: Box::default(),
            is_parent_due: false,
            reexpansions: Vec::new(),
            backoff: match P::REDUCES {
                true => model.ample_sets().map(|sets| Backoff::new(sets)),
                false => None,
            },
            answer: AmpleAnswer::default(),
            taken: Vec::new(),
            model,
        }
    }

    /// Search from the initial state on.
    pub(crate) fn run(mut self) -> Outcome {
        let ended = self.begin().and_then(|entered| match entered {
            true => self.search(),
            false => Ok(()),
        });
        self.end(ended)
    }

    /// Go on from the current node.
    pub(crate) fn resume(mut self) -> Outcome {
        let ended = self.search();
        self.end(ended)
    }

    fn end(mut self, ended: Result<(), Completion>) -> Outcome {
        self.position.accounting.given_up = self.backoff.as_ref().and_then(Backoff::given_up);
        let store_bytes = self.position.policy.memory_bytes();
        let stack_bytes = self.position.path.peak_bytes() + self.pending.memory_bytes();
        (self.position.accounting).outcome(ended, P::EXACT, store_bytes, stack_bytes)
    }

    /// Enter the initial state. Whether there is anything to search.
    fn begin(&mut self) -> Result<bool, Completion> {
        match self.model.initial() {
            Err(violation) => return self.report(violation, None, None, -1).and(Ok(false)),
            Ok(vector) => self.position.path.begin(&vector),
        }
        if self.position.bound == 0 {
            self.position.accounting.truncate();
            return Ok(false);
        }
        self.position.enter();
        Ok(true)
    }

    /// Search until there is nothing left, or a reason to end. The current node has just
    /// been entered.
    fn search(&mut self) -> Result<(), Completion> {
        loop {
            if self.position.accounting.is_poll_due() {
                self.poll()?;
            }
            if !self.visit()? && !self.retreat()? {
                return Ok(());
            }
        }
    }

    /// Try the steps of the node just entered. Whether a child was entered.
    fn visit(&mut self) -> Result<bool, Completion> {
        loop {
            self.expand(0);
            if self.is_parent_due {
                self.keep_rest();
            }
            self.rows.touch(&self.position);
            if P::REDUCES {
                self.take_rest();
            }
            if self.try_rows()? {
                return Ok(true);
            }
            if self.rows.found.moved || !self.is_entered_as_free()? {
                return Ok(false);
            }
        }
    }

    /// Expand the current node, and ask the store for its successors from a row on.
    #[inline]
    fn expand(&mut self, from: usize) {
        let DepthFirst { position, rows, .. } = self;
        let vector = position.path.vector();
        (self.order).expand(self.model, vector, position.control, &mut rows.found);
        (position.accounting).work(rows.found.rows.len(), vector.len());
        (rows.from, rows.node, rows.level) = (from, position.path.len(), position.level);
        position.focus();
        rows.begin(position, position.control);
        if P::REDUCES && from == 0 && position.control == Control::Free {
            self.answer.sets.clear();
            if let Some(backoff) = &mut self.backoff
                && let Some(sets) = self.model.ample_sets()
            {
                let state = (position.path.vector(), &rows.found.rows[..]);
                backoff.find(sets, state, &mut self.answer);
            }
            if let Some(first) = self.answer.sets.first() {
                rows.taken = first.pids;
            }
        }
        if P::REDUCES && from > 0 {
            rows.taken = taken_in(&self.taken, rows.node);
        }
        rows.prepare(self.model, position);
    }

    /// Choose an ample set: take the first of the current node that satisfies the proviso, or all steps
    /// if there is none. The steps of the first one are prepared.
    fn take_rest(&mut self) {
        let DepthFirst { position, rows, .. } = self;
        if rows.taken == ALL {
            return;
        }
        for (number, set) in self.answer.sets.iter().enumerate() {
            if number > 0 {
                rows.take(set.pids, self.model, position);
            }
            if rows.satisfies_proviso(position) {
                self.model.take(position.path.vector(), rows.taken);
                if let Some(backoff) = &mut self.backoff {
                    backoff.take(set);
                }
                self.taken.push((rows.node, rows.taken));
                return;
            }
        }
        rows.take(ALL, self.model, position);
    }

    /// Try the rows. Whether a child was entered.
    #[inline]
    fn try_rows(&mut self) -> Result<bool, Completion> {
        for number in self.rows.from..self.rows.found.rows.len() {
            let row = self.rows.found.rows[number];
            if P::REDUCES && !self.rows.takes(&row) {
                continue;
            }
            if row.has(Row::OFFER | Row::VIOLATION | Row::FAULT) {
                if row.has(Row::OFFER) {
                    self.position.offer();
                    continue;
                }
                self.note_violation(number)?;
                if row.has(Row::FAULT) {
                    continue;
                }
            }
            let child = self.rows.found.vector(&row);
            let lookahead = self.rows.lookahead[number];
            if self.position.admit(&row, child, lookahead)? {
                self.is_parent_due = number + 1 < self.rows.found.rows.len();
                let rest = match self.is_parent_due {
                    true => Rest::More,
                    false => Rest::Known(DeferredCounts::default()),
                };
                (self.position).descend(number as u32, &row, child, lookahead.chain, rest);
                self.rows.from = number + 1;
                std::mem::swap(&mut self.rows, &mut self.parent);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Look at the rows of the parent that were not tried, and keep those with something to
    /// notice.
    #[inline]
    fn keep_rest(&mut self) {
        let rest = self.parent.keep(&self.position, &mut self.pending);
        self.position.path.set_rest(rest);
        self.pending.trim();
        self.is_parent_due = false;
    }

    /// Leave the current node, and those before it that are done. Whether a child of one
    /// was entered; otherwise the search is over.
    fn retreat(&mut self) -> Result<bool, Completion> {
        loop {
            let position = &mut self.position;
            if position.control == Control::Free {
                position.policy.leave();
            }
            let link = position.path.pop();
            let Some(link) = link.map_err(|error| position.accounting.give_up(&error))? else {
                return Ok(false);
            };
            let node = position.path.len();
            while self.taken.last().is_some_and(|&(taken, _)| taken > node) {
                self.taken.pop();
            }
            position.policy.retreat();
            position.level -= link.levels;
            position.control = link.control;
            let entered = match link.rest {
                Rest::Known(deferred) => {
                    position.add_deferred(deferred);
                    false
                }
                Rest::More => self.go_on(link.row as usize + 1)?,
            };
            if entered {
                return Ok(true);
            }
        }
    }

    /// Try the rows of the current node that were not tried, from a number on. Whether a
    /// child was entered.
    fn go_on(&mut self, from: usize) -> Result<bool, Completion> {
        if P::STAYS_KNOWN && !self.pending.belongs_to(self.position.path.len()) {
            self.expand_again(from)?;
        }
        if self.pending.belongs_to(self.position.path.len()) {
            return self.try_pending();
        }
        self.expand(from);
        self.rows.touch(&self.position);
        self.try_rows()
    }

    /// Try the pending rows of the current node. Whether a child was entered.
    fn try_pending(&mut self) -> Result<bool, Completion> {
        let DepthFirst {
            position, pending, ..
        } = self;
        while let Some(&mut top) = pending.top() {
            prepare_pending(position, pending);
            position.add_deferred(top.before);
            if top.row.has(Row::OFFER) {
                position.offer();
            } else if top.row.has_successor()
                && let Some(child) = pending.vector(0)
                && position.admit(&top.row, child, top.lookahead())?
            {
                let rest = match top.is_last {
                    true => Rest::Known(top.after),
                    false => Rest::More,
                };
                position.descend(top.number, &top.row, child, top.chain, rest);
                pending.pop();
                return Ok(true);
            }
            pending.pop();
            if top.is_last {
                position.add_deferred(top.after);
                break;
            }
        }
        Ok(false)
    }

    /// The current node has no steps. Whether it was exclusive, and is now entered as a
    /// free one.
    fn is_entered_as_free(&mut self) -> Result<bool, Completion> {
        if !P::UP_TO_BOUND && self.position.level + 1 >= self.position.bound {
            self.pass_over_end();
            return Ok(false);
        }
        if self.position.control == Control::Free {
            self.end_state()?;
            return Ok(false);
        }
        let entered = self.position.enter();
        if entered {
            self.position.control = Control::Free;
        }
        Ok(entered)
    }

    /// The current node is a state without steps: is it a proper end?
    fn end_state(&mut self) -> Result<(), Completion> {
        if self.model.is_valid_end(self.position.path.vector()) {
            return Ok(());
        }
        let violation = ViolationKind::InvalidEndState.into();
        self.report(violation, None, None, self.position.level as i64 - 1)
    }

    /// The current node has no steps and is next to the depth bound. Spin does not ask why;
    /// we must not call the search complete if there was something to find.
    fn pass_over_end(&mut self) {
        if self.position.control != Control::Free
            || !self.model.is_valid_end(self.position.path.vector())
        {
            self.position.accounting.truncated = true;
        }
    }

    /// Report what the step of a row breaks.
    #[cold]
    fn note_violation(&mut self, number: usize) -> Result<(), Completion> {
        let row = self.rows.found.rows[number];
        if row.has(Row::FAULT) {
            // A step may take long to fail, as an endless d_step does.
            self.position.accounting.work_hard();
        }
        let violations: Vec<Violation> = self.rows.found.violations_of(number).collect();
        for violation in violations {
            // The steps before it, except that an event trace is heard after the step.
            let heard = i64::from(violation.kind == ViolationKind::EventTrace);
            let depth = self.position.level as i64 + heard;
            self.report(violation, row.step(), self.rows.found.edge(number), depth)?;
        }
        Ok(())
    }

    /// Count a violation, keep its trace if it is wanted, and end if it was the last one
    /// asked for. `step` is the failing step, if it was one, and `edge` that of the claim.
    #[cold]
    fn report(
        &mut self,
        violation: Violation,
        step: Option<Step>,
        edge: Option<u32>,
        depth: i64,
    ) -> Result<(), Completion> {
        if !self.position.policy.counts(depth) {
            return Ok(());
        }
        let last = match step {
            Some(step) => Some(step),
            None => self.last_step()?,
        };
        if self.position.accounting.note(violation, last, depth) {
            let mut trace = self.trace()?;
            trace.steps.extend(step);
            trace.claim.extend(edge);
            self.position.accounting.keep(depth, trace);
        }
        if let Some(bound) = self.position.policy.bound_after(depth) {
            self.position.bound = self.position.bound.min(bound);
        }
        self.position.accounting.enough_errors()
    }

    /// The step that led to the current node; none if that is the initial state.
    fn last_step(&mut self) -> Result<Option<Step>, Completion> {
        let position = &mut self.position;
        let mut last = None;
        let seen = position.path.look_back(|link, vector| {
            last = Some((link, vector.to_vec()));
            std::ops::ControlFlow::Break(())
        });
        seen.map_err(|error| position.accounting.give_up(&error))?;
        let Some((link, mut vector)) = last else {
            return Ok(None);
        };
        let (mut control, mut number, mut step) = (link.control, link.row, None);
        let mut found = Expansion::default();
        for _ in 0..link.steps() {
            (self.order).expand(self.model, &vector, control, &mut found);
            let Some(row) = found.rows.get(number as usize) else {
                break;
            };
            vector.clear();
            vector.extend_from_slice(found.vector(row));
            (control, number, step) = (row.control(), 0, row.step());
        }
        Ok(step)
    }

    /// The steps of the path.
    fn trace(&mut self) -> Result<Trace, Completion> {
        let rows = self.position.path.rows();
        let rows = rows.map_err(|error| self.position.accounting.give_up(&error))?;
        Ok(replay::trace(self.model, self.order, &rows))
    }

    /// Look at the limits, and write down where the search stands if it is time, or if it
    /// ends.
    #[cold]
    fn poll(&mut self) -> Result<(), Completion> {
        let position = &mut self.position;
        let stack = position.path.memory_bytes() + self.pending.memory_bytes();
        let ended = position
            .accounting
            .poll(position.policy.memory_bytes() + stack);
        if position.accounting.is_checkpoint_due(ended.is_err()) {
            let written = checkpoint::write_depth_first(position);
            position.accounting.checkpoint_written(written);
        }
        ended
    }
}

/// Whose steps are taken in a node of the path.
fn taken_in(taken: &[(u64, PidSet)], node: u64) -> PidSet {
    let known = taken.binary_search_by_key(&node, |&(node, _)| node);
    known.map_or(ALL, |row| taken[row].1)
}

/// Ask the store for the rows behind the next one, of this node or of one before it.
#[inline]
fn prepare_pending<P: Policy>(position: &mut Position<'_, P>, pending: &PendingStack) {
    for below in 1..=LOOK_AHEAD {
        if let Some(vector) = pending.vector(below)
            && !vector.is_empty()
        {
            position.policy.prepare(&vector[position.hidden_len..]);
        }
    }
}
