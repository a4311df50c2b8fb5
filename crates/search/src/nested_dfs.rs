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
//! - The two bits are a colour (white, cyan, blue, red: Schwoon and Esparza, "A note on
//!   on-the-fly verification algorithms", TACAS 2005), which also tells what is on the path
//!   of the first search. A state there is never one of the second search.
//! - A move of the first search that leads to its own path closes a cycle at once if it is
//!   accepting, or if the state it leads to is (the same paper; Spin does so too).
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

use std::ops::ControlFlow;

use space::{
    Acceptance, Control, Expansion, Mark, Row, Step, Trace, TransitionId, Violation, ViolationKind,
};
use store::{Key, StateId, StateStore};

use crate::colours::{Again, Colour, Colours, Noted, TwoStores, note_bytes};
use crate::findings::Keep;
use crate::path::{Credit, Link, Path, Rest};
use crate::replay::{self, Replay};
use crate::tally::Tally;
use crate::unfold::{Folded, Unfold};
use crate::waiting::{Entry, Waiting};
use crate::weak_fairness::Sets;
use crate::worth::{all_sets, mark};
use crate::{Completion, Outcome, SearchConfig};

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

/// The state that the second search has to come back to.
#[derive(Debug, Default)]
struct Goal {
    /// The number of its frame.
    number: usize,
    state: Vec<u8>,
    copy: u16,
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

    /// Expand the current node. Its rows from a number on wait then.
    fn expand(&mut self, from: usize) {
        let second = self.root.is_some();
        let node = self.frames.len() - 1;
        let control = self.frames[node].control;
        let vector = self.path.vector();
        let order = self.tally.config.order;
        order.expand(self.model, vector, control, &mut self.found);
        self.tally.work(self.found.rows.len(), vector.len());
        self.colours.focus(&vector[self.hidden_len..]);
        self.keys.clear();
        for row in &self.found.rows {
            let is_state = !row.has(Row::EXCLUSIVE | Row::OFFER | Row::FAULT);
            self.keys.push(match is_state {
                true => {
                    let state = &self.found.vector(row)[self.hidden_len..];
                    self.colours.prepare(state, second)
                }
                false => Key::default(),
            });
        }
        for (row, &key) in self.found.rows.iter().zip(&self.keys) {
            if !row.has(Row::EXCLUSIVE | Row::OFFER | Row::FAULT) {
                self.colours.touch(key, second);
            }
        }
        if control == Control::Free {
            self.weigh();
            let levels = self.level + self.model.claim_levels();
            if levels < self.bound && self.found.rows.iter().any(Row::has_successor) {
                self.tally.reach(levels);
            }
        }
        self.wait(from, second);
    }

    /// Begin the moves of the current node, a state that was just expanded.
    fn weigh(&mut self) {
        let gathered = self.unfold.begin(&self.found.rows);
        let by_states = self.by_states;
        let accepts = by_states && (0..self.found.rows.len()).any(|row| self.is_accepting(row));
        let top = self.top();
        top.gathered = gathered;
        top.accepts = accepts;
        if accepts {
            let id = top.id;
            self.colours.accept(id);
        }
    }

    /// Whether the step of a row is accepting as the first one of a move.
    fn is_accepting(&self, number: usize) -> bool {
        let row = &self.found.rows[number];
        let nothing = U::Gathered::default();
        let gathered = (self.unfold).add(nothing, row, mark(&self.found, number));
        let behind = self.unfold.behind(0, &gathered);
        row.has_successor() && behind.is_some_and(|(_, accepting)| accepting)
    }

    /// Let the rows of the current node wait, from a number on.
    fn wait(&mut self, from: usize, second: bool) {
        let node = self.frames.len() as u32 - 1;
        let mut last: Option<Entry<Mark>> = None;
        let mut skipped = 0;
        let mut after = 0;
        for number in (from..self.found.rows.len()).rev() {
            if !second && self.is_only_counted(number) {
                skipped += 1;
                continue;
            }
            // Rows are kept from the last one on: now the one before it is known.
            match last.take() {
                Some(entry) => self.keep(Entry { skipped, ..entry }),
                None => after = skipped,
            }
            skipped = 0;
            last = Some(Entry {
                row: self.found.rows[number],
                worth: mark(&self.found, number),
                key: self.keys[number],
                number: number as u32,
                skipped: 0,
                node,
            });
        }
        match last {
            Some(entry) => self.keep(Entry { skipped, ..entry }),
            None => after = skipped,
        }
        self.waiting.trim();
        let top = self.top();
        top.after = after;
        top.more = last.is_some();
    }

    fn keep(&mut self, entry: Entry<Mark>) {
        let row = &self.found.rows[entry.number as usize];
        let vector = match row.has_successor() {
            true => self.found.vector(row),
            false => &[],
        };
        self.waiting.push(entry, vector);
    }

    /// Whether the only thing that the first search has to do about a row is to count a known
    /// state.
    fn is_only_counted(&mut self, number: usize) -> bool {
        let row = &self.found.rows[number];
        let odd = Row::EXCLUSIVE | Row::OFFER | Row::FAULT | Row::VIOLATION;
        U::ONE_COPY
            && !row.has(odd)
            && self.level + 2 < self.bound
            && self.tally.has_executed(row)
            && !self.is_part_of_accepting(number)
            && {
                let state = &self.found.vector(row)[self.hidden_len..];
                self.colours.is_settled(state, self.keys[number])
            }
    }

    /// Whether the move that ends with the step of a row is accepting.
    fn is_part_of_accepting(&self, number: usize) -> bool {
        let top = &self.frames[self.frames.len() - 1];
        let row = &self.found.rows[number];
        let gathered = (self.unfold).add(top.gathered, row, mark(&self.found, number));
        let behind = self.unfold.behind(top.copy, &gathered);
        behind.is_none_or(|(_, accepting)| accepting)
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
            self.offer();
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

    /// The child is a known state behind an accepting move. Let the second search begin
    /// there, unless it has been there. Whether it was entered.
    fn begin_behind(
        &mut self,
        via: Option<&Entry<Mark>>,
        id: StateId,
        copy: u16,
    ) -> Result<bool, Completion> {
        if !C::KNOWS_PATH {
            self.set_goal(self.frames.len() - 1)?;
            if self.is_goal(copy) {
                return self.close(self.goal.number, via).and(Ok(false));
            }
        }
        if !(self.colours).begin(&self.child[self.hidden_len..], id, copy) {
            return Ok(false);
        }
        self.tally.figures.revisited += 1;
        self.push(via, Frame::new(id, copy));
        self.root = Some(self.frames.len() - 1);
        Ok(true)
    }

    /// The second search comes to a state, the child. Whether it was entered.
    fn meet_again(
        &mut self,
        via: Option<&Entry<Mark>>,
        key: Key,
        copy: u16,
    ) -> Result<bool, Completion> {
        if !C::KNOWS_PATH && self.is_goal(copy) {
            return self.close(self.goal.number, via).and(Ok(false));
        }
        let state = &self.child[self.hidden_len..];
        match self.colours.meet_again(state, key, copy) {
            Again::OnPath(id) => {
                let start = self.find(id, copy);
                self.close(start, via)?;
            }
            Again::Visit(id) => {
                self.tally.figures.revisited += 1;
                self.push(via, Frame::new(id, copy));
                return Ok(true);
            }
            Again::Known => self.tally.figures.matched += 1,
            Again::Unknown => self.tally.truncate(),
        }
        Ok(false)
    }

    /// The frame of a state on the path of the first search.
    fn find(&self, id: StateId, copy: u16) -> usize {
        let is_it = |frame: &Frame<U::Gathered>| {
            frame.control == Control::Free && (frame.id, frame.copy) == (id, copy)
        };
        let last = self.root.unwrap_or(self.frames.len() - 1);
        (self.frames[..=last].iter()).rposition(is_it).unwrap_or(0)
    }

    /// The second search has to come to the last state up to the frame of this number.
    fn set_goal(&mut self, from: usize) -> Result<(), Completion> {
        let frames = &self.frames;
        let is_state = |frame: &Frame<U::Gathered>| frame.control == Control::Free;
        let number = frames[..=from].iter().rposition(is_state).unwrap_or(0);
        self.goal.number = number;
        self.goal.copy = frames[number].copy;
        self.goal.state.clear();
        let mut at = frames.len() - 1;
        if at == number {
            (self.goal.state).extend_from_slice(&self.path.vector()[self.hidden_len..]);
            return Ok(());
        }
        let looked = self.path.look_back(|_, vector| {
            at -= 1;
            if at > number {
                return ControlFlow::Continue(());
            }
            (self.goal.state).extend_from_slice(&vector[self.hidden_len..]);
            ControlFlow::Break(())
        });
        looked.map_err(|error| self.tally.give_up(&error))
    }

    /// Whether the child is the goal of the second search.
    #[inline]
    fn is_goal(&self, copy: u16) -> bool {
        self.goal.copy == copy && self.goal.state == self.child[self.hidden_len..]
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

    /// Leave the current node, a state. Whether the second search begins there instead.
    fn begins_second(&mut self) -> Result<bool, Completion> {
        let number = self.frames.len() - 1;
        let frame = self.frames[number];
        let Frame { id, copy, .. } = frame;
        if let Some(root) = self.root {
            if root == number {
                self.root = None;
                if frame.accepts {
                    self.colours.end_on_path(id, copy);
                }
            }
            return Ok(false);
        }
        if frame.accepts {
            if !C::KNOWS_PATH {
                self.set_goal(number)?;
            }
            let state = &self.path.vector()[self.hidden_len..];
            return Ok(self.colours.begin_on_path(state, copy));
        }
        self.colours.leave(id, copy);
        if !frame.seeds {
            return Ok(false);
        }
        if !C::KNOWS_PATH {
            self.set_goal(number - 1)?;
        }
        let state = &self.path.vector()[self.hidden_len..];
        Ok(self.colours.begin(state, id, copy))
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

    /// Report what the step of a row breaks.
    #[cold]
    fn blame(&mut self, entry: &Entry<Mark>) -> Result<(), Completion> {
        if entry.row.has(Row::FAULT) {
            // A step may take long to fail, as an endless d_step does.
            self.tally.work_hard();
        }
        let control = self.top().control;
        let order = self.tally.config.order;
        order.expand(self.model, self.path.vector(), control, &mut self.found);
        let violations = self.found.violations_of(entry.number as usize);
        for violation in violations.collect::<Vec<Violation>>() {
            // The steps before it, except that an event trace is heard after the step.
            let heard = i64::from(violation.kind == ViolationKind::EventTrace);
            self.report(violation, Some(entry), self.level as i64 + heard)?;
        }
        Ok(())
    }

    /// Count a violation of safety, keep its trace if it is wanted, and end if it was the
    /// last one asked for.
    #[cold]
    fn report(
        &mut self,
        violation: Violation,
        via: Option<&Entry<Mark>>,
        depth: i64,
    ) -> Result<(), Completion> {
        let trace = self.trace(via)?;
        if (self.tally).meet(violation, trace.steps.last().copied(), depth) {
            self.tally.keep(depth, trace);
        }
        self.tally.enough_errors()
    }

    /// A cycle is closed: it begins in the frame of this number and ends with the row, or in
    /// the current node.
    #[cold]
    fn close(&mut self, start: usize, via: Option<&Entry<Mark>>) -> Result<(), Completion> {
        let mut trace = self.trace(via)?;
        trace.cycle = Some(start);
        let levels = |step: &Step| 1 + i64::from(step.partner.is_some());
        let depth = trace.steps[..start].iter().map(levels).sum();
        let violation = self.model.cycle_kind().into();
        if (self.tally).meet(violation, trace.steps.last().copied(), depth) {
            self.tally.keep(depth, trace);
        }
        self.tally.enough_errors()
    }

    /// The steps of the path, and that of a row.
    fn trace(&mut self, via: Option<&Entry<Mark>>) -> Result<Trace, Completion> {
        let rows = self.path.rows();
        let rows = rows.map_err(|error| self.tally.give_up(&error))?;
        let order = self.tally.config.order;
        let mut trace = replay::trace(self.model, order, &rows);
        if let Some(entry) = via {
            trace.steps.extend(entry.row.step());
            trace.claim.push(entry.worth.edge);
        }
        Ok(trace)
    }

    /// The step of a row leads back to a node of the same atomic sequence, the child.
    #[cold]
    fn close_endless(&mut self, entry: &Entry<Mark>) -> Result<(), Completion> {
        self.tally.figures.endless_atomics += 1;
        let control = entry.row.control();
        let mut start = self.frames.len() - 1;
        let here = self.top().control;
        if (self.path.vector(), here) != (&self.child[..], control) {
            let frames = &self.frames;
            let looked = self.path.look_back(|_, vector| {
                start -= 1;
                match frames[start].control == control && vector == self.child {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            looked.map_err(|error| self.tally.give_up(&error))?;
        }
        let rows = self.path.rows();
        let rows = rows.map_err(|error| self.tally.give_up(&error))?;
        let mut replay = Replay::new(self.model, self.tally.config.order);
        let mut sets = entry.worth.sets;
        for (number, &row) in rows.iter().enumerate() {
            if replay.take(row, |_, _, _, _| {}).is_none() {
                break;
            }
            if number >= start {
                sets |= mark(&replay.found, row as usize).sets;
            }
        }
        let all = all_sets(self.model.sets());
        if self.root.is_none() && sets & all == all {
            // Nobody else is enabled inside, so it is fair.
            return self.close(start, Some(entry));
        }
        self.tally.truncated = true;
        Ok(())
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

#[cfg(test)]
mod tests;
