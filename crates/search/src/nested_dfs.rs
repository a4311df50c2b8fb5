//! Nested depth-first search for accepting cycles, on the fly.
//!
//! Follows: [003, Fig. 8.7], with the two bits of *Complexity Revisited*: a state is stored
//! once, and its note says what the two searches know about it. A step of the second search
//! to a state on the path of the first one closes a cycle, as in the figure.
//!
//! Departs:
//! - The departures of [`crate::dfs()`] hold here too: explicit stacks, unstored nodes inside
//!   atomic sequences, levels, the depth bound. As there, the rows behind the one that was entered
//!   are looked at when those of the child have been asked for, and those without anything to
//!   notice are only counted. The others wait for their turn, up to a limit of memory; where
//!   they had to be dropped, the node is expanded again.
//! - The two bits are a colour (white, cyan, blue, red), as in [Schwoon, Esparza 2005]. It
//!   also tells what is on the path of the first search: a state there is never one of the
//!   second search.
//! - A move of the first search that leads to its own path closes a cycle at once if it is
//!   accepting, or if the state it leads to is (the same paper, and Spin).
//! - Moves may be accepting instead of states. Then the second search begins behind an
//!   accepting move, when the first search is done with the state there. This is Fig. 8.7 for
//!   the graph with an accepting state in the middle of each accepting move. Where the marks are
//!   on states ([`Acceptance::on_states`]) it begins in the state that the first search leaves,
//!   and seeds, stored and visited states are Spin's.
//! - An atomic sequence is one move: it is accepting if a step of it is, also where the
//!   state it begins in is not.
//! - The second search reports no violations but cycles: all others were met by the first.
//! - An atomic sequence that comes back to where it was is cut there, and leaves the answer open
//!   ([`Completion::EndlessAtomic`]).
//! - With a store that has no notes, each search has a store of its own, and only the return
//!   to the state where the accepting move began closes a cycle.

use space::{Acceptance, Control, Mark, Row, ViolationKind};
use store::StateStore;

use crate::colours::{Colours, Noted, TwoStores, note_bytes};
use crate::unfold::{Folded, Unfold};
use crate::waiting::{Entry, Waiting};
use crate::weak_fairness::FewSets;
use crate::{Completion, Outcome, SearchConfig};
use position::{Frame, Position, Taken};
use rows::Rows;

/// The bytes that the search keeps in the note of each state, for so many acceptance sets.
pub const fn nested_dfs_note_bytes(sets: u32) -> usize {
    note_bytes(if sets > 1 { sets as usize } else { 1 })
}

/// Search all executions of a system depth first for accepting cycles, and for violations
/// of safety on the way.
///
/// The store must be empty and have notes of [`nested_dfs_note_bytes`].
pub fn nested_dfs<M: Acceptance, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    let colours = Noted { store };
    match folded(model) {
        Some(folded) => Nested::new(model, colours, folded, config).run(),
        None => {
            let sets = FewSets::unfair(model.sets());
            Nested::new(model, colours, sets, config).run()
        }
    }
}

/// The same search with a store for each of its parts, which need no notes.
///
/// Both stores must be empty. They should not miss the same states.
pub fn nested_dfs_two_stores<M: Acceptance, S: StateStore>(
    model: &mut M,
    (first, second): (&mut S, &mut S),
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(first.is_empty() && second.is_empty());
    let colours = TwoStores {
        first,
        second,
        copies: model.sets() > 1,
        scratch: Vec::new(),
    };
    match folded(model) {
        Some(folded) => Nested::new(model, colours, folded, config).run(),
        None => {
            let sets = FewSets::unfair(model.sets());
            Nested::new(model, colours, sets, config).run()
        }
    }
}

/// Without copies, if that is enough.
fn folded<M: Acceptance>(model: &M) -> Option<Folded<true>> {
    let sets = model.sets();
    (sets <= 1).then_some(Folded {
        sets: u32::from(sets > 0),
    })
}

/// The search under way.
pub(crate) struct Nested<'a, M, C, U: Unfold> {
    model: &'a mut M,
    position: Position<'a, C, U>,
    waiting: Waiting<Mark>,
    /// The rows of the node entered last.
    rows: Box<Rows>,
    /// Those of its parent, if some were not looked at.
    parent: Box<Rows>,
    is_parent_due: bool,
}

impl<'a, M: Acceptance, C: Colours, U: Unfold> Nested<'a, M, C, U> {
    pub(crate) fn new(model: &'a mut M, colours: C, unfold: U, config: &SearchConfig<'a>) -> Self {
        Nested {
            position: Position::new(model, colours, unfold, config),
            waiting: Waiting::new(config.successors_in_memory),
            rows: Box::default(),
            parent: Box::default(),
            is_parent_due: false,
            model,
        }
    }

    /// Search from the initial state on.
    pub(crate) fn run(self) -> Outcome {
        self.run_or_give_up().0
    }

    /// Search from the initial state on. Whether it was given up because of a copy that
    /// does not exist.
    pub(crate) fn run_or_give_up(mut self) -> (Outcome, bool) {
        let ended = self.begin().and_then(|entered| match entered {
            true => self.search(),
            false => Ok(()),
        });
        self.position.accounting.judge_atomics();
        let store_bytes = self.position.colours.memory_bytes();
        let stack_bytes = self.position.path.peak_bytes() + self.beside();
        let outcome = (self.position.accounting).outcome(ended, C::EXACT, store_bytes, stack_bytes);
        (outcome, self.position.too_many)
    }

    /// The memory of the stacks besides the path.
    fn beside(&self) -> usize {
        let frames = self.position.frames.capacity();
        self.waiting.memory_bytes() + frames * size_of::<Frame<U::Gathered>>()
    }

    /// Enter the initial state. Whether there is anything to search.
    fn begin(&mut self) -> Result<bool, Completion> {
        match self.model.initial() {
            Ok(vector) => Ok(self.position.begin(&vector)),
            Err(violation) => {
                self.position.accounting.note(violation, None, -1);
                self.position.accounting.enough_errors().and(Ok(false))
            }
        }
    }

    /// Search until there is nothing left, or a reason to end. The initial state has just
    /// been entered.
    fn search(&mut self) -> Result<(), Completion> {
        loop {
            if self.position.accounting.is_poll_due() {
                let stack = self.position.path.memory_bytes() + self.beside();
                (self.position.accounting).poll(self.position.colours.memory_bytes() + stack)?;
            }
            if !self.visit()? && !self.retreat()? {
                return Ok(());
            }
        }
    }

    /// Try the steps of the node just entered. Whether a child was entered.
    fn visit(&mut self) -> Result<bool, Completion> {
        loop {
            self.rows.expand(self.model, &mut self.position, 0);
            if self.is_parent_due {
                self.parent.keep(&mut self.position, &mut self.waiting);
                self.is_parent_due = false;
            }
            if self.try_rows()? {
                return Ok(true);
            }
            if self.rows.found.moved || !self.is_entered_as_free()? {
                return Ok(false);
            }
        }
    }

    /// Try the rows. Whether a child was entered.
    fn try_rows(&mut self) -> Result<bool, Completion> {
        self.rows.touch(&self.position);
        for number in self.rows.from..self.rows.found.rows.len() {
            let entry = self.rows.entry(number);
            if entry.row.has(Row::OFFER | Row::VIOLATION | Row::FAULT) && !self.notice(&entry)? {
                continue;
            }
            let child = self.rows.found.vector(&entry.row);
            match self.position.take(&entry, child)? {
                Taken::Done => {}
                Taken::Entered => {
                    self.is_parent_due = number + 1 < self.rows.found.rows.len();
                    self.position.frames[self.rows.node].next = number as u32 + 1;
                    self.rows.from = number + 1;
                    std::mem::swap(&mut self.rows, &mut self.parent);
                    return Ok(true);
                }
                Taken::Closes(start) => self.close(start, Some(&entry))?,
            }
        }
        Ok(false)
    }

    /// Leave the current node, and those before it that are done. Whether a child of one was
    /// entered, or the second search begins in one; otherwise the search is over.
    fn retreat(&mut self) -> Result<bool, Completion> {
        loop {
            if self.position.begins_second()? {
                return Ok(true);
            }
            if !self.position.pop()? {
                return Ok(false);
            }
            if self.go_on()? {
                return Ok(true);
            }
        }
    }

    /// Try the rows of the current node that were not tried. Whether a child was entered.
    fn go_on(&mut self) -> Result<bool, Completion> {
        let node = self.position.frames.len() - 1;
        let frame = &self.position.frames[node];
        if frame.more && !self.waiting.belongs_to(node) {
            let next = frame.next as usize;
            self.rows.expand(self.model, &mut self.position, next);
            return self.try_rows();
        }
        if self.try_waiting(node)? {
            return Ok(true);
        }
        let after = std::mem::take(&mut self.position.frames[node].after);
        self.position.accounting.statistics.matched += u64::from(after);
        Ok(false)
    }

    /// Try the rows of the current node that wait. Whether a child was entered.
    fn try_waiting(&mut self, node: usize) -> Result<bool, Completion> {
        while let Some(entry) = self.waiting.top(node) {
            self.position.fetch_waiting(&self.waiting);
            self.position.accounting.statistics.matched += u64::from(entry.skipped);
            let odd = Row::OFFER | Row::VIOLATION | Row::FAULT;
            let taken = match entry.row.has(odd) && !self.notice(&entry)? {
                true => Taken::Done,
                false => self.position.take(&entry, self.waiting.vector())?,
            };
            if let Taken::Closes(start) = taken {
                self.close(start, Some(&entry))?;
            }
            self.waiting.pop();
            let frame = &mut self.position.frames[node];
            frame.next = entry.number + 1;
            frame.more = self.waiting.belongs_to(node);
            if taken == Taken::Entered {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// See to a row that is no step, or breaks a property. Whether there is a step to take.
    #[cold]
    fn notice(&mut self, entry: &Entry<Mark>) -> Result<bool, Completion> {
        if entry.row.has(Row::OFFER) {
            if !entry.row.is_left_out() {
                self.position.offer();
            }
            return Ok(false);
        }
        if self.position.root.is_none() {
            self.note_violation(entry)?;
        }
        Ok(!entry.row.has(Row::FAULT))
    }

    /// The current node has no steps. Whether it was exclusive, and is now entered as a
    /// free one.
    fn is_entered_as_free(&mut self) -> Result<bool, Completion> {
        let position = &mut self.position;
        let is_end = position.top().control == Control::Free;
        if position.level + 1 >= position.bound {
            // Spin does not ask why; we must not call the search complete.
            if !is_end || !self.model.is_valid_end(position.path.vector()) {
                position.accounting.truncated = true;
            }
            return Ok(false);
        }
        if is_end {
            if position.root.is_none() && !self.model.is_valid_end(position.path.vector()) {
                let violation = ViolationKind::InvalidEndState.into();
                self.report(violation, None, self.position.level as i64 - 1)?;
            }
            return Ok(false);
        }
        let taken = position.enter_as_free()?;
        if let Taken::Closes(start) = taken {
            self.close(start, None)?;
        }
        Ok(taken == Taken::Entered)
    }
}

mod position;
mod report;
mod rows;
mod second;
#[cfg(test)]
mod tests;
