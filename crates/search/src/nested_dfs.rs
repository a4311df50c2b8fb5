//! Nested depth-first search for accepting cycles, on the fly.
//!
//! Follows: [003, Fig. 8.7], with the two bits of *Complexity Revisited*: a state is stored
//! once, and its note says what the two searches know about it. A step of the second search
//! to a state on the path of the first one closes a cycle, as in the figure.
//!
//! Departs:
//! - The departures of [`crate::dfs()`] hold here too: explicit stacks, unstored nodes inside
//!   atomic sequences, levels, the depth bound. The rows of a node that wait for their turn
//!   are kept up to a limit of memory; where they had to be dropped, the node is expanded again.
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
//! - An atomic sequence that comes back to where it was is a cycle like others. If it is
//!   not accepting, the search goes no further there and is not complete: there might be
//!   accepting cycles among its alternatives.
//! - With a store that has no notes, each search has a store of its own, and only the return
//!   to the state where the accepting move began closes a cycle.

use space::{Acceptance, Control, Expansion, Mark, Row, TransitionId, ViolationKind};
use store::{Key, StateId, StateStore};

use crate::colours::{Colour, Colours, Noted, TwoStores, note_bytes};
use crate::findings::Keep;
use crate::path::{Credit, Link, Path, Rest};
use crate::tally::Tally;
use crate::unfold::{Folded, Unfold};
use crate::waiting::{Entry, Waiting};
use crate::weak_fairness::Sets;
use crate::{Completion, Outcome, SearchConfig};
use second::Goal;

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
            let sets = Sets::new(model.sets(), 0);
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
            let sets = Sets::new(model.sets(), 0);
            Nested::new(model, colours, sets, config).run()
        }
    }
}

/// Without copies, if that is enough.
fn folded<M: Acceptance>(model: &M) -> Option<Folded> {
    let sets = model.sets();
    (sets <= 1).then_some(Folded {
        set: u32::from(sets > 0),
    })
}

/// A node of the path.
#[derive(Clone, Copy, Debug)]
struct Frame<G> {
    /// What was gathered since the last state, or in this state.
    gathered: G,
    /// The state, unless the node is inside an atomic sequence.
    id: StateId,
    /// The row to try next.
    next: u32,
    /// So many rows behind the last one that waits are only to be counted.
    after: u32,
    /// The copy of the last state.
    copy: u16,
    control: Control,
    /// Whether rows are left to try.
    more: bool,
    /// The last state is an accepting one.
    accepts: bool,
    /// An accepting move led here: the second search has to begin here.
    seeds: bool,
}

/// The search under way.
///
/// Invariant: the nodes of `path` and the `frames` are the same, the initial state first, and
/// `level` is that of the last one.
pub(crate) struct Nested<'a, M, C, U: Unfold> {
    model: &'a mut M,
    colours: C,
    unfold: U,
    tally: Tally<'a>,
    path: Path,
    frames: Vec<Frame<U::Gathered>>,
    waiting: Waiting<Mark>,
    found: Expansion,
    keys: Vec<Key>,
    /// The vector of the row that is tried.
    child: Vec<u8>,
    level: u64,
    bound: u64,
    hidden_len: usize,
    /// Whether states are accepting.
    by_states: bool,
    /// The frame where the second search began, while it lasts.
    root: Option<usize>,
    /// Where the accepting move began. Only if the colours do not know the path.
    goal: Goal,
    /// A move led to a copy that does not exist.
    too_many: bool,
}

impl<'a, M: Acceptance, C: Colours, U: Unfold> Nested<'a, M, C, U> {
    pub(crate) fn new(model: &'a mut M, colours: C, unfold: U, config: &SearchConfig<'a>) -> Self {
        Nested {
            colours,
            unfold,
            tally: Tally::new(config, model.transition_count(), Keep::First),
            path: Path::new(config.stack_in_memory),
            frames: Vec::new(),
            waiting: Waiting::new(config.successors_in_memory),
            found: Expansion::default(),
            keys: Vec::new(),
            child: Vec::new(),
            level: 0,
            bound: config.depth.unwrap_or(u64::MAX),
            hidden_len: model.hidden_len(),
            by_states: U::ONE_COPY && model.on_states(),
            root: None,
            goal: Goal::default(),
            too_many: false,
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
        let store_bytes = self.colours.memory_bytes();
        let stack_bytes = self.path.peak_bytes() + self.beside();
        let outcome = (self.tally).outcome(ended, C::EXACT, store_bytes, stack_bytes);
        (outcome, self.too_many)
    }

    /// The memory of the stacks besides the path.
    fn beside(&self) -> usize {
        self.waiting.memory_bytes() + self.frames.capacity() * size_of::<Frame<U::Gathered>>()
    }

    /// Enter the initial state. Whether there is anything to search.
    fn begin(&mut self) -> Result<bool, Completion> {
        match self.model.initial() {
            Err(violation) => {
                self.tally.meet(violation, None, -1);
                return self.tally.enough_errors().and(Ok(false));
            }
            Ok(vector) => {
                self.path.begin(&vector);
                self.child = vector;
            }
        }
        if self.bound == 0 {
            self.tally.truncate();
            return Ok(false);
        }
        let state = &self.child[self.hidden_len..];
        let key = self.colours.prepare(state, false);
        let met = self.colours.meet(state, key, 0);
        self.tally.stored(self.child.len());
        self.frames.push(Frame::new(met.id, 0));
        Ok(true)
    }

    /// Search until there is nothing left, or a reason to end. The initial state has just
    /// been entered.
    fn search(&mut self) -> Result<(), Completion> {
        self.visit()?;
        loop {
            if self.tally.is_poll_due() {
                let stack = self.path.memory_bytes() + self.beside();
                (self.tally).poll(self.colours.memory_bytes() + stack)?;
            }
            if self.advance()? {
                self.visit()?;
            } else if !self.leave()? {
                return Ok(());
            }
        }
    }

    #[inline]
    fn top(&mut self) -> &mut Frame<U::Gathered> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Expand the node just entered; see what becomes of one without steps.
    fn visit(&mut self) -> Result<(), Completion> {
        self.expand(0);
        while !self.found.moved && self.is_entered_as_free()? {
            self.expand(0);
        }
        Ok(())
    }

    /// Try the rows of the current node that wait. Whether a child was entered.
    fn advance(&mut self) -> Result<bool, Completion> {
        let node = self.frames.len() - 1;
        if self.frames[node].more && !self.waiting.belongs_to(node) {
            self.expand(self.frames[node].next as usize);
        }
        while let Some(entry) = self.waiting.pop(node, &mut self.child) {
            self.tally.figures.matched += u64::from(entry.skipped);
            self.frames[node].next = entry.number + 1;
            self.frames[node].more = self.waiting.belongs_to(node);
            if self.take(&entry)? {
                return Ok(true);
            }
        }
        let top = self.top();
        let after = std::mem::take(&mut top.after);
        self.tally.figures.matched += u64::from(after);
        Ok(false)
    }

    /// Take the step of a row. Whether the node it leads to was entered.
    fn take(&mut self, entry: &Entry<Mark>) -> Result<bool, Completion> {
        let row = &entry.row;
        if row.has(Row::OFFER) {
            if !row.is_left_out() {
                self.offer();
            }
            return Ok(false);
        }
        if row.has(Row::VIOLATION | Row::FAULT) {
            if self.root.is_none() {
                self.blame(entry)?;
            }
            if row.has(Row::FAULT) {
                return Ok(false);
            }
        }
        self.tally.execute(row);
        if row.has(Row::HANDSHAKE) && self.level + 1 >= self.bound {
            // Its middle is too deep: counted with the offer.
            return Ok(false);
        }
        let is_model = row.transition != TransitionId::STUTTER.0;
        self.tally.figures.atomic_steps += u64::from(row.has(Row::EXCLUSIVE) && is_model);
        if self.level + self.levels(row) >= self.bound {
            self.tally.truncate();
            return Ok(false);
        }
        let top = &self.frames[self.frames.len() - 1];
        let gathered = self.unfold.add(top.gathered, row, entry.worth);
        if row.has(Row::EXCLUSIVE) {
            return self.take_exclusive(entry, gathered);
        }
        let Some((copy, accepting)) = self.unfold.behind(top.copy, &gathered) else {
            return self.give_up();
        };
        match self.root {
            None => self.meet(Some(entry), entry.key, copy, accepting),
            Some(_) => self.meet_again(Some(entry), entry.key, copy),
        }
    }

    /// There are not enough copies.
    #[cold]
    fn give_up(&mut self) -> Result<bool, Completion> {
        self.too_many = true;
        Err(Completion::Interrupted)
    }

    /// The levels between the current node and the one that a row leads to.
    fn levels(&self, row: &Row) -> u64 {
        let claim = match row.transition != TransitionId::STUTTER.0 {
            true => self.claim_levels(),
            false => 0,
        };
        row.levels() + claim
    }

    /// The levels that a claim takes in the current node, before the model moves.
    fn claim_levels(&self) -> u64 {
        match self.frames[self.frames.len() - 1].control {
            Control::Free => self.model.claim_levels(),
            Control::Exclusive(_) => 0,
        }
    }

    /// A send is ready. The middle of the handshake counts once for all partners.
    fn offer(&mut self) {
        let level = self.level + self.claim_levels() + 1;
        if level >= self.bound {
            self.tally.truncate();
        } else {
            self.tally.reach(level);
        }
    }

    /// Go on inside an atomic sequence.
    fn take_exclusive(
        &mut self,
        entry: &Entry<Mark>,
        gathered: U::Gathered,
    ) -> Result<bool, Completion> {
        let top = &self.frames[self.frames.len() - 1];
        let control = entry.row.control();
        if self.tally.config.depth.is_none() {
            let repeats = (self.path).repeats(&self.child, control, 0, top.control);
            if repeats.map_err(|error| self.tally.give_up(&error))? {
                self.close_endless(entry)?;
                return Ok(false);
            }
        }
        let frame = Frame {
            gathered,
            control,
            seeds: false,
            ..*top
        };
        self.push(Some(entry), frame);
        Ok(true)
    }

    /// Enter the child that the step of a row leads to; without a row the current node is
    /// taken as another.
    fn push(&mut self, via: Option<&Entry<Mark>>, frame: Frame<U::Gathered>) {
        let levels = via.map_or(0, |entry| self.levels(&entry.row));
        let top = self.top();
        let Some(entry) = via else {
            *top = frame;
            return;
        };
        let link = Link {
            row: entry.number,
            control: top.control,
            chain: 0,
            levels,
            rest: Rest::Known(Credit::default()),
        };
        self.path.push(link, &self.child);
        self.level += link.levels;
        self.tally.reach(self.level);
        self.frames.push(frame);
    }

    /// The first search comes to a state, the child. Whether it was entered.
    fn meet(
        &mut self,
        via: Option<&Entry<Mark>>,
        key: Key,
        copy: u16,
        accepting: bool,
    ) -> Result<bool, Completion> {
        // A move out of an accepting state needs no seed behind it: the state is one.
        let seeds = accepting && !self.top().accepts;
        let met = (self.colours).meet(&self.child[self.hidden_len..], key, copy);
        match met.colour {
            Colour::White => {
                match met.is_stored {
                    true => self.tally.stored(self.child.len()),
                    false => self.tally.figures.revisited += 1,
                }
                let frame = Frame {
                    seeds,
                    ..Frame::new(met.id, copy)
                };
                self.push(via, frame);
                return Ok(true);
            }
            Colour::Cyan if accepting || self.by_states && met.accepts => {
                let start = self.find(met.id, copy);
                return self.close(start, via).and(Ok(false));
            }
            _ => self.tally.figures.matched += 1,
        }
        match met.colour {
            Colour::Blue if seeds => self.begin_behind(via, met.id, copy),
            _ => Ok(false),
        }
    }

    /// The frame of a state on the path of the first search.
    fn find(&self, id: StateId, copy: u16) -> usize {
        let is_it = |frame: &Frame<U::Gathered>| {
            frame.control == Control::Free && (frame.id, frame.copy) == (id, copy)
        };
        let last = self.root.unwrap_or(self.frames.len() - 1);
        (self.frames[..=last].iter()).rposition(is_it).unwrap_or(0)
    }

    /// Leave the current node, where nothing is left to do, unless the second search begins
    /// there. Whether there is a node to go on with.
    fn leave(&mut self) -> Result<bool, Completion> {
        if self.top().control == Control::Free && self.begins_second()? {
            self.tally.figures.revisited += 1;
            self.root = Some(self.frames.len() - 1);
            self.visit()?;
            return Ok(true);
        }
        let link = self.path.pop();
        let link = link.map_err(|error| self.tally.give_up(&error))?;
        self.frames.pop();
        let Some(link) = link else {
            return Ok(false);
        };
        self.level -= link.levels;
        Ok(true)
    }

    /// The current node has no steps. Whether it was exclusive, and is now entered as a
    /// free one.
    fn is_entered_as_free(&mut self) -> Result<bool, Completion> {
        let top = *self.top();
        let is_end = top.control == Control::Free;
        if self.level + 1 >= self.bound {
            // Spin does not ask why; we must not call the search complete.
            if !is_end || !self.model.is_valid_end(self.path.vector()) {
                self.tally.truncated = true;
            }
            return Ok(false);
        }
        if is_end {
            if self.root.is_none() && !self.model.is_valid_end(self.path.vector()) {
                let violation = ViolationKind::InvalidEndState.into();
                self.report(violation, None, self.level as i64 - 1)?;
            }
            return Ok(false);
        }
        let Some((copy, accepting)) = self.unfold.behind(top.copy, &top.gathered) else {
            return self.give_up();
        };
        self.child.clear();
        self.child.extend_from_slice(self.path.vector());
        let second = self.root.is_some();
        let key = (self.colours).prepare(&self.child[self.hidden_len..], second);
        match second {
            false => self.meet(None, key, copy, accepting),
            true => self.meet_again(None, key, copy),
        }
    }
}

impl<G: Default> Frame<G> {
    /// For a state that was just met.
    fn new(id: StateId, copy: u16) -> Frame<G> {
        Frame {
            gathered: G::default(),
            id,
            next: 0,
            after: 0,
            copy,
            control: Control::Free,
            more: false,
            accepts: false,
            seeds: false,
        }
    }
}

mod report;
mod rows;
mod second;
#[cfg(test)]
mod tests;
