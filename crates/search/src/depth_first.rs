//! The core that all depth-first searches share.
//!
//! It walks over nodes in Spin's order and keeps Spin's counts, as if it looked at one step
//! after the other. What it does when it comes to a state, and after an error, is up to a
//! [`Policy`]: the files of the searches hold one each.
//!
//! A node is expanded when it is entered, and its free successors are asked for together, so
//! that the memory accesses overlap. The first one that is new is entered at once. The others
//! wait in [`PendingStack`], or the node is expanded again when the search comes back to it,
//! together with others of the path: see [`Successors`]. Those that are known then are only
//! counted.
//!
//! A successor without anything to notice (a known state stays known, its transition was
//! executed before) leaves no trace but a number, which is added to the figures in its turn.
//! So the figures are right also when the search ends early.

use std::io::{self, Write};

use space::{Control, Expansion, NextState, Row, Step, Trace, Violation, ViolationKind};
use store::Key;

use crate::path::{Link, Path, Rest};
use crate::pending::PendingStack;
use crate::tally::Tally;
use crate::{Completion, Order, Outcome, Successors, checkpoint, replay};

mod ahead;

use ahead::{Again, Rows};

/// How many pending rows are prepared together.
const LOOK_AHEAD: usize = 2;

/// What a policy says about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// It is new.
    New,
    /// It is known, but it has to be explored again.
    Again,
    /// There is nothing to do.
    Known,
}

/// What a depth-first search does with states and errors.
pub(crate) trait Policy {
    /// Whether [`Met::Known`] is always right.
    const EXACT: bool;
    /// Whether a state that [`Policy::is_known`] stays known, at any level.
    const STAYS_KNOWN: bool;
    /// Whether everything within the depth bound counts. Otherwise Spin's habit is followed
    /// to pass over end states next to the bound.
    const UP_TO_BOUND: bool;

    /// The states prepared next are mostly successors of this one.
    fn focus(&mut self, state: &[u8]);
    /// A state will be looked up.
    fn prepare(&mut self, state: &[u8]) -> Key;
    /// Whether there is nothing to do for a state.
    fn is_known(&self, state: &[u8], key: Key) -> bool;
    /// The search comes to a state.
    fn meet(&mut self, state: &[u8], key: Key, level: u64) -> Met;
    /// The search leaves a state that it had entered.
    fn leave(&mut self) {}
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

/// The node where the search is, how it came there, and the accounts.
///
/// Invariant: `vector`, `control` and `level` are those of the last node of the path.
pub(crate) struct Here<'a, P> {
    pub(crate) policy: P,
    pub(crate) tally: Tally<'a>,
    pub(crate) path: Path,
    pub(crate) vector: Vec<u8>,
    pub(crate) control: Control,
    pub(crate) level: u64,
    pub(crate) bound: u64,
    hidden_len: usize,
}

impl<P: Policy> Here<'_, P> {
    /// Take the step of a row. Whether the node it leads to is to be entered.
    #[inline]
    fn admit(&mut self, row: &Row, child: &[u8], key: Key) -> Result<bool, Completion> {
        if row.has(Row::HANDSHAKE) && self.level + 1 >= self.bound {
            // Its middle is too deep: counted with the offer.
            self.tally.reached[row.transition as usize] = true;
            return Ok(false);
        }
        self.tally.execute(row);
        self.tally.figures.atomic_steps += u64::from(row.has(Row::EXCLUSIVE));
        let level = self.level + row.levels();
        if level >= self.bound {
            self.cut(row, child, key);
            return Ok(false);
        }
        if row.has(Row::EXCLUSIVE) {
            return self.admit_exclusive(row, child);
        }
        Ok(self.meet(child, key, level))
    }

    /// Come to a state. Whether it is to be explored.
    #[inline]
    fn meet(&mut self, vector: &[u8], key: Key, level: u64) -> bool {
        let met = self.policy.meet(&vector[self.hidden_len..], key, level);
        match met {
            Met::New => self.tally.stored(vector.len()),
            Met::Again | Met::Known => self.tally.figures.matched += 1,
        }
        met != Met::Known
    }

    fn admit_exclusive(&mut self, row: &Row, child: &[u8]) -> Result<bool, Completion> {
        if self.tally.config.depth.is_some() {
            return Ok(true);
        }
        let here = (&self.vector[..], self.control);
        let repeats = (self.path).repeats(child, row.control(), here);
        let repeats = repeats.map_err(|error| self.tally.give_up(&error))?;
        self.tally.figures.endless_atomics += u64::from(repeats);
        Ok(!repeats)
    }

    /// The step of a row leads to a node that is too deep.
    #[cold]
    fn cut(&mut self, row: &Row, child: &[u8], key: Key) {
        let known = P::UP_TO_BOUND
            && !row.has(Row::EXCLUSIVE)
            && self.policy.is_known(&child[self.hidden_len..], key);
        if known {
            self.tally.figures.matched += 1;
        } else {
            self.tally.truncate();
        }
    }

    /// Go to the child that a row leads to.
    #[inline]
    fn descend(&mut self, number: u32, row: &Row, child: &[u8], rest: Rest) {
        let link = Link {
            row: number,
            control: self.control,
            levels: row.levels(),
            rest,
        };
        self.path.push(link, &self.vector, child);
        self.vector.clear();
        self.vector.extend_from_slice(child);
        self.control = row.control();
        self.level += link.levels;
        self.tally.reach(self.level);
    }

    /// A send is ready. The middle of the handshake counts once for all partners, and
    /// without a partner too.
    fn offer(&mut self) {
        if self.level + 1 >= self.bound {
            self.tally.truncate();
        } else {
            self.tally.reach(self.level + 1);
        }
    }

    /// Whether rows of a node at this level can meet the bound.
    #[inline]
    fn is_next_to_bound(&self, level: u64) -> bool {
        level + 2 >= self.bound
    }
}

/// A search under way.
pub(crate) struct DepthFirst<'a, M, P> {
    pub(crate) model: &'a mut M,
    pub(crate) here: Here<'a, P>,
    pub(crate) order: Order,
    pending: PendingStack,
    found: Expansion,
    keys: Vec<Key>,
    again: Vec<Again>,
}

impl<'a, M: NextState, P: Policy> DepthFirst<'a, M, P> {
    pub(crate) fn new(model: &'a mut M, policy: P, tally: Tally<'a>) -> DepthFirst<'a, M, P> {
        let config = tally.config;
        DepthFirst {
            here: Here {
                policy,
                path: Path::new(config.stack_in_memory),
                vector: Vec::new(),
                control: Control::Free,
                level: 0,
                bound: config.depth.unwrap_or(u64::MAX),
                hidden_len: model.hidden_len(),
                tally,
            },
            order: config.order,
            pending: PendingStack::new(config.successors.bytes()),
            found: Expansion::default(),
            keys: Vec::new(),
            again: Vec::new(),
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

    fn end(self, ended: Result<(), Completion>) -> Outcome {
        let store_bytes = self.here.policy.memory_bytes();
        let stack_bytes = self.here.path.peak_bytes() + self.pending.memory_bytes();
        (self.here.tally).outcome(ended, P::EXACT, store_bytes, stack_bytes)
    }

    /// Enter the initial state. Whether there is anything to search.
    fn begin(&mut self) -> Result<bool, Completion> {
        match self.model.initial() {
            Err(violation) => return self.report(violation, None, -1).and(Ok(false)),
            Ok(vector) => self.here.vector = vector,
        }
        if self.here.bound == 0 {
            self.here.tally.truncate();
            return Ok(false);
        }
        self.enter_here();
        Ok(true)
    }

    /// Take the current node as a state. Whether it is to be explored.
    fn enter_here(&mut self) -> bool {
        let here = &mut self.here;
        let key = here.policy.prepare(&here.vector[here.hidden_len..]);
        let vector = std::mem::take(&mut here.vector);
        let entered = here.meet(&vector, key, here.level);
        here.vector = vector;
        entered
    }

    /// Search until there is nothing left, or a reason to end. The current node has just
    /// been entered.
    fn search(&mut self) -> Result<(), Completion> {
        loop {
            if self.here.tally.is_poll_due() {
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
            self.expand();
            if self.try_rows(0)? {
                return Ok(true);
            }
            if self.found.moved || !self.is_entered_as_free()? {
                return Ok(false);
            }
        }
    }

    fn expand(&mut self) {
        let here = &mut self.here;
        (self.order).expand(self.model, &here.vector, here.control, &mut self.found);
        here.tally.work(self.found.rows.len(), here.vector.len());
    }

    /// Try the rows from a number on. Whether a child was entered.
    #[inline]
    fn try_rows(&mut self, from: usize) -> Result<bool, Completion> {
        self.prepare_rows(from);
        for number in from..self.found.rows.len() {
            let row = self.found.rows[number];
            if row.has(Row::OFFER | Row::VIOLATION | Row::FAULT) {
                if row.has(Row::OFFER) {
                    self.here.offer();
                    continue;
                }
                self.blame(number)?;
                if row.has(Row::FAULT) {
                    continue;
                }
            }
            let child = self.found.vector(&row);
            if self.here.admit(&row, child, self.keys[number])? {
                let rest = self.keep_rest(number + 1);
                let child = self.found.vector(&row);
                self.here.descend(number as u32, &row, child, rest);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Ask the store for all free successors from a row on.
    #[inline]
    fn prepare_rows(&mut self, from: usize) {
        let vector = std::mem::take(&mut self.here.vector);
        ahead::prepare_rows(&mut self.here, &vector, &self.found, from, &mut self.keys);
        self.here.vector = vector;
    }

    /// Look at the rows of the current node from a number on, and keep those with something
    /// to notice.
    #[inline]
    fn keep_rest(&mut self, from: usize) -> Rest {
        if P::STAYS_KNOWN && self.here.tally.config.successors == Successors::ExpandAgain {
            return match from < self.found.rows.len() {
                true => Rest::More,
                false => Rest::Known(0),
            };
        }
        let rows = Rows {
            found: &self.found,
            keys: &self.keys,
            from,
            node: self.here.path.len(),
            level: self.here.level,
        };
        let rest = rows.keep(&self.here, &mut self.pending);
        self.pending.trim();
        rest
    }

    /// Leave the current node, and those before it that are done. Whether a child of one
    /// was entered; otherwise the search is over.
    fn retreat(&mut self) -> Result<bool, Completion> {
        loop {
            let here = &mut self.here;
            if here.control == Control::Free {
                here.policy.leave();
            }
            let link = here.path.pop(&mut here.vector);
            let Some(link) = link.map_err(|error| here.tally.give_up(&error))? else {
                return Ok(false);
            };
            here.level -= link.levels;
            here.control = link.control;
            let entered = match link.rest {
                Rest::Known(credit) => {
                    here.tally.figures.matched += credit;
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
        if P::STAYS_KNOWN && !self.pending.belongs_to(self.here.path.len()) {
            self.expand_again(from)?;
        }
        if self.pending.belongs_to(self.here.path.len()) {
            return self.try_pending();
        }
        self.expand();
        self.try_rows(from)
    }

    /// Try the pending rows of the current node. Whether a child was entered.
    fn try_pending(&mut self) -> Result<bool, Completion> {
        self.prepare_pending();
        let DepthFirst { here, pending, .. } = self;
        while let Some(&mut top) = pending.top() {
            here.tally.figures.matched += u64::from(top.known_before);
            if top.row.has(Row::OFFER) {
                here.offer();
            } else if top.row.has_successor()
                && let Some(child) = pending.vector(0)
                && here.admit(&top.row, child, top.key)?
            {
                let rest = match top.is_last {
                    true => Rest::Known(u64::from(top.known_after)),
                    false => Rest::More,
                };
                here.descend(top.number, &top.row, child, rest);
                pending.pop();
                return Ok(true);
            }
            pending.pop();
            if top.is_last {
                here.tally.figures.matched += u64::from(top.known_after);
                break;
            }
        }
        Ok(false)
    }

    /// Ask the store for the rows that are next, of this node or of one before it.
    fn prepare_pending(&mut self) {
        for below in 0..LOOK_AHEAD {
            if let Some(vector) = self.pending.vector(below)
                && !vector.is_empty()
            {
                self.here.policy.prepare(&vector[self.here.hidden_len..]);
            }
        }
    }

    /// The current node has no steps. Whether it was exclusive, and is now entered as a
    /// free one.
    fn is_entered_as_free(&mut self) -> Result<bool, Completion> {
        if !P::UP_TO_BOUND && self.here.level + 1 >= self.here.bound {
            self.pass_over_end();
            return Ok(false);
        }
        if self.here.control == Control::Free {
            self.end_state()?;
            return Ok(false);
        }
        let entered = self.enter_here();
        if entered {
            self.here.control = Control::Free;
        }
        Ok(entered)
    }

    /// The current node is a state without steps: is it a proper end?
    fn end_state(&mut self) -> Result<(), Completion> {
        if self.model.is_valid_end(&self.here.vector) {
            return Ok(());
        }
        let violation = ViolationKind::InvalidEndState.into();
        self.report(violation, None, self.here.level as i64 - 1)
    }

    /// The current node has no steps and is next to the depth bound. Spin does not ask why;
    /// we must not call the search complete if there was something to find.
    fn pass_over_end(&mut self) {
        if self.here.control != Control::Free || !self.model.is_valid_end(&self.here.vector) {
            self.here.tally.truncated = true;
        }
    }

    /// Report what the step of a row breaks.
    #[cold]
    fn blame(&mut self, number: usize) -> Result<(), Completion> {
        let row = self.found.rows[number];
        if row.has(Row::FAULT) {
            // A step may take long to fail, as an endless d_step does.
            self.here.tally.work_hard();
        }
        let violations: Vec<Violation> = self.found.violations_of(number).collect();
        for violation in violations {
            // The steps before it, except that an event trace is heard after the step.
            let heard = i64::from(violation.kind == ViolationKind::EventTrace);
            self.report(violation, row.step(), self.here.level as i64 + heard)?;
        }
        Ok(())
    }

    /// Count a violation, keep its trace if it is wanted, and end if it was the last one
    /// asked for. `step` is the failing step, if it was one.
    #[cold]
    fn report(
        &mut self,
        violation: Violation,
        step: Option<Step>,
        depth: i64,
    ) -> Result<(), Completion> {
        if !self.here.policy.counts(depth) {
            return Ok(());
        }
        let last = match step {
            Some(step) => Some(step),
            None => self.last_step()?,
        };
        if self.here.tally.meet(violation, last, depth) {
            let mut trace = self.trace()?;
            trace.steps.extend(step);
            self.here.tally.keep(depth, trace);
        }
        if let Some(bound) = self.here.policy.bound_after(depth) {
            self.here.bound = self.here.bound.min(bound);
        }
        self.here.tally.enough_errors()
    }

    /// The step that led to the current node; none if that is the initial state.
    fn last_step(&mut self) -> Result<Option<Step>, Completion> {
        let here = &mut self.here;
        let mut vector = here.vector.clone();
        let mut last = None;
        let seen = here.path.look_back(&mut vector, |link, _| {
            last = Some(link);
            std::ops::ControlFlow::Break(())
        });
        seen.map_err(|error| here.tally.give_up(&error))?;
        Ok(last.and_then(|link| {
            let mut found = Expansion::default();
            (self.order).expand(self.model, &vector, link.control, &mut found);
            found.rows.get(link.row as usize).and_then(Row::step)
        }))
    }

    /// The steps of the path.
    fn trace(&mut self) -> Result<Trace, Completion> {
        let rows = self.here.path.rows();
        let rows = rows.map_err(|error| self.here.tally.give_up(&error))?;
        Ok(replay::trace(self.model, self.order, &rows))
    }

    /// Look at the limits, and write down where the search stands if it is time, or if it
    /// ends.
    #[cold]
    fn poll(&mut self) -> Result<(), Completion> {
        let here = &mut self.here;
        let stack = here.path.memory_bytes() + self.pending.memory_bytes();
        let ended = here.tally.poll(here.policy.memory_bytes() + stack);
        if here.tally.is_checkpoint_due(ended.is_err()) {
            let written = checkpoint::write_depth_first(here);
            here.tally.checkpoint_written(written);
        }
        ended
    }
}
