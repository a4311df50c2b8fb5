//! Breadth-first search for safety violations, with shortest counterexamples.
//!
//! Follows: [003, Fig. 8.6], with the check of each state and the search for the path to an
//! error that the text adds (`Find_Path`).
//!
//! Departs:
//! - A loop replaces the recursion. A store that gives its states back in the order of their
//!   insertion is its own queue.
//! - Instead of a link in each state there is a log, see [`crate::links`]: the number of the
//!   parent and of the move. A path is found by going up in the log and executing the moves
//!   downwards.
//! - A move is a step, or an atomic sequence as a whole: nodes inside are not states and are
//!   expanded with their state, see [`crate::moves`], and steps between them that nobody has to
//!   look at have no rows, unless something is violated. So shortest means fewest moves, and the
//!   depth is the number of moves to the states furthest away. Stored and matched states and
//!   atomic steps are those of the depth-first search, if both are complete and no atomic
//!   sequence is endless.
//! - Successors of several states are gathered before they are looked up, so that the memory
//!   accesses overlap. They are inserted in order.
//! - Errors of a step are found on the way, and the search goes on behind them. Of the
//!   violations with the same number of moves before them the first one is reported first.
//! - Steps that lead to states that other steps lead to are counted and not taken, where that
//!   can be told beforehand, see `sleep`.
//! - Where the model names ample sets, the first one with a move to a state that was not expanded
//!   yet is taken instead of all moves. Then every state has one behind it whose moves were all
//!   taken: of the states that can be reached from a state, the one that is expanded last has
//!   no move to one expanded after it. (The queue proviso of [Bošnački, Holzmann 2005].) Shortest
//!   then means shortest among the executions that are left.
//! - The depth bound counts moves: states at that depth are stored but not expanded.

use space::{
    AmpleAnswer, Asleep, Expansion, NextState, PidSet, Row, Step, Trace, Violation, ViolationKind,
};
use store::{Insert, Key, Near, StateId, StateStore};

use crate::accounting::Accounting;
use crate::backoff::Backoff;
use crate::findings::Keep;
use crate::links::Links;
use crate::moves::{Moves, Snapshot};
use crate::queue::Queue;
use crate::{Checkpoint, Completion, Outcome, ResumeError, SearchConfig};
use sleep::{Sleepers, Steps};

/// Look successors up when there are so many of them.
const BATCH: usize = 96;

/// Search all executions of a model breadth first for safety violations.
///
/// The store must be empty.
pub fn bfs<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    let mut search = Bfs::new(model, store, config);
    let ended = search.begin().and_then(|()| search.search());
    search.end(ended)
}

/// Go on with a search that was written down. The store must be empty, and the model and
/// the options those of before.
pub fn bfs_resume<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
    from: &Checkpoint<'_>,
) -> Result<Outcome, ResumeError> {
    debug_assert!(store.is_empty());
    let mut search = Bfs::new(model, store, config);
    search.restore(from)?;
    let ended = search.search();
    Ok(search.end(ended))
}

/// The search under way.
struct Bfs<'a, M, S> {
    model: &'a mut M,
    store: &'a mut S,
    accounting: Accounting<'a>,
    hidden_len: usize,
    /// The moves that were not looked up yet, and what is to be known about them.
    moves: Moves,
    entries: Vec<Entry>,
    /// The steps of the states whose successors are not looked up yet.
    steps: Vec<Steps>,
    sleepers: Sleepers,
    unreported: Vec<UnreportedViolation>,
    queue: Queue,
    links: Links,
    /// The states whose successors are not looked up yet, one after the other, with their ends.
    /// Only where keys are worked out in batches.
    parents: Vec<u8>,
    parent_ends: Vec<usize>,
    keys: Vec<Key>,
    /// The state expanded last, if the store is the queue.
    last: Option<StateId>,
    /// How many states were expanded, and how many there are up to the end of the layer.
    expanded: u64,
    /// Of how many of them the successors were looked up.
    looked_up: u64,
    layer_end: u64,
    layer: u64,
    bound: u64,
    /// When to look for ample sets, where there may be some, and those of the state under way.
    backoff: Option<Backoff>,
    answer: AmpleAnswer,
}

/// A successor.
struct Entry {
    key: Key,
    /// Its row, where its vector lies, and how long it is.
    row: u32,
    start: u32,
    len: u32,
    /// The state that it was found from, counted from the first one whose successors are not
    /// looked up yet, and the number of the move.
    parent: u32,
    number: u32,
}

/// A violation that is not reported yet, found when there were so many entries.
struct UnreportedViolation {
    before: usize,
    violation: Violation,
    step: Option<Step>,
    edge: Option<u32>,
    parent: u64,
    inside: Trace,
}

impl<'a, M: NextState, S: StateStore> Bfs<'a, M, S> {
    fn new(model: &'a mut M, store: &'a mut S, config: &SearchConfig<'a>) -> Bfs<'a, M, S> {
        Bfs {
            store,
            accounting: Accounting::new(config, model.transition_count(), Keep::First),
            hidden_len: model.hidden_len(),
            moves: Moves::with_leaps(),
            entries: Vec::new(),
            steps: Vec::new(),
            sleepers: Sleepers::default(),
            unreported: Vec::new(),
            queue: Queue::default(),
            links: Links::default(),
            parents: Vec::new(),
            parent_ends: Vec::new(),
            keys: Vec::new(),
            last: None,
            expanded: 0,
            looked_up: 0,
            layer_end: 1,
            layer: 0,
            bound: config.depth.unwrap_or(u64::MAX),
            backoff: model.ample_sets().map(|sets| Backoff::new(sets)),
            answer: AmpleAnswer::default(),
            model,
        }
    }

    /// Whether the states to expand come from the store.
    fn reads_store(&self) -> bool {
        S::READABLE && S::ORDERED && self.hidden_len == 0
    }

    /// Store the initial state.
    fn begin(&mut self) -> Result<(), Completion> {
        let vector = match self.model.initial() {
            Ok(vector) => vector,
            Err(violation) => {
                self.layer_end = 0;
                self.accounting.note(violation, None, -1);
                return self.accounting.enough_errors();
            }
        };
        let state = &vector[self.hidden_len..];
        let key = self.store.prepare(state);
        self.store.insert(state, key);
        self.accounting.stored(vector.len());
        if !self.reads_store() {
            self.queue.push(&vector);
        }
        self.sleepers.push_awake();
        self.sleepers.next_layer();
        Ok(())
    }

    /// Search until there is nothing left, or a reason to end.
    fn search(&mut self) -> Result<(), Completion> {
        while self.next_state()? {
            self.expand()?;
            self.expanded += 1;
            let full = self.entries.len() >= BATCH || self.steps.len() >= BATCH;
            if full || !self.unreported.is_empty() {
                self.look_up()?;
            }
        }
        Ok(())
    }

    /// Expand the next state, and go through its moves.
    #[inline]
    fn expand(&mut self) -> Result<(), Completion> {
        let from = self.moves.found.rows.len();
        let steps = self.sleepers.pop();
        self.accounting.statistics.matched += u64::from(steps.slept_through());
        self.steps.push(steps);
        let flags = self.explore(from, steps.asleep())?;
        let is_stuck = !self.moves.moved && self.is_stuck();
        self.find_ample(from);
        self.focus();
        match (flags, self.find_taken(from)) {
            (0 | Row::HANDSHAKE, None) => self.gather_steps(from),
            (_, taken) => self.gather(from, taken),
        }
        if is_stuck {
            self.note_violation(ViolationKind::InvalidEndState.into(), None);
        }
        Ok(())
    }

    /// The states gathered next are successors of the one under way.
    #[inline]
    fn focus(&mut self) {
        if self.last.is_some() {
            return;
        }
        let state = &self.queue.current()[self.hidden_len..];
        if S::IN_BATCHES {
            self.parents.extend_from_slice(state);
            self.parent_ends.push(self.parents.len());
        } else {
            self.store.focus(state);
        }
    }

    /// Find the moves of the state under way. Returns all flags of the steps out of it.
    #[inline]
    fn explore(&mut self, from: usize, asleep: Asleep) -> Result<u8, Completion> {
        let memory = self.store.memory_bytes();
        let state = match self.last {
            Some(id) => self.store.read(id),
            None => self.queue.current(),
        };
        let (model, accounting) = (&mut *self.model, &mut self.accounting);
        let before = Snapshot::of(&self.moves.found);
        let mut flags = (self.moves).explore(model, state, asleep, accounting, memory)?;
        if before.is_bad_leap(&self.moves.found) {
            // Once more, step by step: it will be asked what came before.
            self.moves.forget(from, &before);
            self.moves.leaps = false;
            flags = (self.moves).explore(model, state, asleep, accounting, memory)?;
            self.moves.leaps = true;
        }
        let passed = self.moves.found.passed.steps - before.passed;
        accounting.statistics.atomic_steps += passed;
        let rows = self.moves.found.rows.len() - from;
        accounting.work(rows + passed as usize, state.len());
        Ok(flags)
    }

    /// Whether the state under way, which has no moves, is not a proper end.
    #[cold]
    fn is_stuck(&mut self) -> bool {
        let state = match self.last {
            Some(id) => self.store.read(id),
            None => self.queue.current(),
        };
        !self.model.is_valid_end(state)
    }

    /// Go through the rows of a state, from this number on, all of which are steps to states
    /// without anything to notice.
    #[inline]
    fn gather_steps(&mut self, from: usize) {
        let Expansion { rows, bytes, .. } = &self.moves.found;
        let parent = self.steps.len() - 1;
        self.steps[parent].count_all(&rows[from..]);
        let rows = rows[from..].iter().zip(0..);
        self.entries.extend(rows.map(|(row, number)| {
            self.accounting.execute(row);
            let (start, len) = (row.start, row.len);
            let vector = &bytes[start as usize..][..len as usize];
            Entry {
                key: key(self.store, &vector[self.hidden_len..]),
                row: from as u32 + number,
                start,
                len,
                parent: parent as u32,
                number,
            }
        }));
    }

    /// Look for ample sets of the state under way, whose rows begin with this number.
    #[inline]
    fn find_ample(&mut self, from: usize) {
        let Some(backoff) = &mut self.backoff else {
            return;
        };
        let state = match self.last {
            Some(id) => self.store.read(id),
            None => self.queue.current(),
        };
        let steps = &self.moves.found.rows[from..self.moves.steps_end];
        if let Some(sets) = self.model.ample_sets() {
            backoff.find(sets, (state, steps), &mut self.answer);
        }
    }

    /// The first of the ample sets with a move to a state that was not expanded yet, where the rows
    /// of the state begin with this number.
    #[inline]
    fn find_taken(&mut self, from: usize) -> Option<PidSet> {
        let end = self.moves.found.rows.len();
        for number in 0..self.answer.sets.len() {
            let ample = self.answer.sets[number];
            let set = ample.pids;
            if (from..end).any(|row| self.leads_on(row, set)) {
                if let Some(backoff) = &mut self.backoff {
                    backoff.take(&ample);
                }
                let state = match self.last {
                    Some(id) => self.store.read(id),
                    None => self.queue.current(),
                };
                self.model.take(state, set);
                return Some(set);
            }
        }
        None
    }

    /// Whether a row ends a move of one of these processes, to a state that was not expanded yet.
    fn leads_on(&mut self, number: usize, set: PidSet) -> bool {
        let row = &self.moves.found.rows[number];
        if !Moves::is_state(row) || !set.has(self.moves.initiator(number)) {
            return false;
        }
        let state = &self.moves.found.vector(row)[self.hidden_len..];
        let key = self.store.prepare(state);
        let id = self.store.find(state, key);
        id.is_none_or(|id| S::ORDERED && self.last.is_some_and(|last| id > last))
    }

    /// Go through the rows of a state, from this number on: those of all processes, or of some.
    fn gather(&mut self, from: usize, taken: Option<PidSet>) {
        let count = self.moves.found.rows.len();
        let parent = self.steps.len() - 1;
        let mut number = 0;
        for at in from..count {
            let row = self.moves.found.rows[at];
            if taken.is_some_and(|taken| !taken.has(self.moves.initiator(at))) {
                // The links count all moves.
                number += u32::from(Moves::is_state(&row));
                continue;
            }
            if self.moves.is_first(at) {
                self.steps[parent].count(&row);
            }
            if row.has(Row::OFFER | Row::VIOLATION | Row::FAULT) {
                self.note_violations(at);
                if !row.has_successor() {
                    continue;
                }
            }
            self.accounting.execute(&row);
            self.accounting.statistics.atomic_steps += u64::from(row.has(Row::EXCLUSIVE));
            if Moves::is_state(&row) {
                let state = &self.moves.found.vector(&row)[self.hidden_len..];
                self.entries.push(Entry {
                    key: key(self.store, state),
                    row: at as u32,
                    start: row.start,
                    len: row.len,
                    parent: parent as u32,
                    number,
                });
                number += 1;
            }
        }
    }

    #[cold]
    fn note_violations(&mut self, row: usize) {
        let violations: Vec<Violation> = self.moves.found.violations_of(row).collect();
        for violation in violations {
            self.note_violation(violation, Some(row));
        }
    }

    /// Note that a row violates something, or the state itself.
    #[cold]
    fn note_violation(&mut self, violation: Violation, row: Option<usize>) {
        self.accounting.work_hard();
        self.unreported.push(UnreportedViolation {
            before: self.entries.len(),
            violation,
            step: row.and_then(|row| self.moves.found.rows[row].step()),
            edge: row.and_then(|row| self.moves.found.edge(row)),
            parent: self.expanded,
            inside: row.map_or_else(Trace::default, |row| self.moves.before(row)),
        });
    }

    /// Take the next state to expand. Whether there is one.
    fn next_state(&mut self) -> Result<bool, Completion> {
        if self.expanded == self.layer_end {
            self.look_up()?;
            self.layer += 1;
            self.sleepers.next_layer();
            self.layer_end = self.accounting.statistics.stored;
            if self.expanded == self.layer_end {
                return Ok(false);
            }
        }
        if self.layer >= self.bound {
            self.accounting.truncated = true;
            return Ok(false);
        }
        if self.accounting.is_poll_due() {
            self.look_up()?;
            self.poll()?;
        }
        if !self.reads_store() {
            return Ok(self.queue.advance());
        }
        self.last = self.store.next_id(self.last);
        Ok(self.last.is_some())
    }

    /// Insert what was gathered, and report the violations among it.
    fn look_up(&mut self) -> Result<(), Completion> {
        if S::IN_BATCHES {
            self.find_keys();
        }
        for entry in &self.entries {
            self.store.fetch(entry.key);
        }
        for entry in &mut self.entries {
            self.store.touch(&mut entry.key);
        }
        let mut done = 0;
        for unreported in std::mem::take(&mut self.unreported) {
            self.insert(done..unreported.before);
            done = unreported.before;
            self.report(&unreported)?;
        }
        self.insert(done..self.entries.len());
        self.entries.clear();
        self.steps.clear();
        self.moves.clear();
        self.accounting.pass(&mut self.moves.found.passed);
        self.looked_up = self.expanded;
        Ok(())
    }

    /// Work out the keys of what was gathered.
    fn find_keys(&mut self) {
        let count = self.parent_ends.len() as u32;
        let mut from = 0;
        let parents = self.parent_ends.iter().zip(0..).map(|(&end, number)| {
            let state = &self.parents[from..end];
            from = end;
            // They come as they were found, and siblings differ little.
            let near = u32::saturating_sub(number, 1);
            Near { state, near }
        });
        let bytes = &self.moves.found.bytes;
        let successors = self.entries.iter().map(|entry| Near {
            state: &bytes[entry.start as usize..][..entry.len as usize][self.hidden_len..],
            near: entry.parent,
        });
        self.store.keys(parents.chain(successors), &mut self.keys);
        let keys = self.keys.drain(count as usize..);
        for (entry, key) in self.entries.iter_mut().zip(keys) {
            entry.key = key;
        }
        self.keys.clear();
        self.parents.clear();
        self.parent_ends.clear();
    }

    #[inline]
    fn insert(&mut self, range: std::ops::Range<usize>) {
        let reads_store = self.reads_store();
        for entry in &self.entries[range] {
            let vector = &self.moves.found.bytes[entry.start as usize..][..entry.len as usize];
            match self.store.insert(&vector[self.hidden_len..], entry.key) {
                Insert::Known(_) => self.accounting.statistics.matched += 1,
                Insert::New(_) => {
                    self.accounting.stored(vector.len());
                    self.accounting.reach(self.layer + 1);
                    let steps = &self.steps[entry.parent as usize];
                    let row = &self.moves.found.rows[entry.row as usize];
                    // The links count all moves.
                    let slept_through = if !S::RENAMES && self.moves.is_first(entry.row as usize) {
                        let independent = self.model.independent(row, vector);
                        self.sleepers.push(steps, row.pid, independent);
                        steps.slept_through_before(row.pid)
                    } else {
                        self.sleepers.push_awake();
                        steps.slept_through()
                    };
                    let parent = self.looked_up + u64::from(entry.parent);
                    self.links.push(parent, entry.number + slept_through);
                    if !reads_store {
                        self.queue.push(vector);
                    }
                }
            }
        }
    }

    /// Count a violation, keep its trace if it is wanted, and end if it was the last one
    /// asked for.
    #[cold]
    fn report(&mut self, unreported: &UnreportedViolation) -> Result<(), Completion> {
        // Without a failing step it takes the trace to know the last one.
        let trace = (unreported.step.is_none()).then(|| self.trace(unreported));
        let before = trace.as_ref().and_then(|trace| trace.steps.last().copied());
        let last = unreported.step.or(before);
        if self.accounting.note(unreported.violation, last, 0) {
            let mut trace = trace.unwrap_or_else(|| self.trace(unreported));
            let depth = depth_of(unreported, &trace);
            trace.steps.extend(unreported.step);
            trace.claim.extend(unreported.edge);
            self.accounting.keep(depth, trace);
        }
        self.accounting.enough_errors()
    }

    /// The steps to the node where a violation was found.
    fn trace(&mut self, unreported: &UnreportedViolation) -> Trace {
        let mut walk = Walk::new(self.model, false);
        for number in self.links.moves_to(unreported.parent) {
            walk.take_move(self.model, number, &mut self.accounting);
        }
        walk.append(&unreported.inside);
        walk.trace
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Completion> {
        let memory = self.store.memory_bytes()
            + self.queue.memory_bytes()
            + self.links.memory_bytes()
            + self.sleepers.memory_bytes();
        let ended = self.accounting.poll(memory);
        if self.accounting.is_checkpoint_due(ended.is_err()) {
            let written = self.save();
            self.accounting.checkpoint_written(written);
        }
        ended
    }

    fn end(mut self, ended: Result<(), Completion>) -> Outcome {
        self.accounting.pass(&mut self.moves.found.passed);
        let beside = self.queue.peak_bytes()
            + self.links.memory_bytes()
            + self.moves.memory_bytes()
            + self.sleepers.memory_bytes();
        let store_bytes = self.store.memory_bytes();
        self.accounting
            .outcome(ended, S::EXACT, store_bytes, beside)
    }
}

/// The key of a state, unless keys are worked out later.
#[inline(always)]
fn key<S: StateStore>(store: &mut S, state: &[u8]) -> Key {
    match S::IN_BATCHES {
        true => Key::default(),
        false => store.key(state),
    }
}

/// Where Spin would say that a violation is: `trace` leads to the node where it was found.
fn depth_of(unreported: &UnreportedViolation, trace: &Trace) -> i64 {
    let levels: i64 = (trace.steps.iter())
        .map(|step| 1 + i64::from(step.partner.is_some()))
        .sum();
    match (unreported.step, unreported.violation.kind) {
        (None, ViolationKind::InvalidEndState) => levels - 1,
        (_, ViolationKind::EventTrace) => levels + 1,
        _ => levels,
    }
}

/// A walk from state to state along moves.
pub(crate) struct Walk {
    pub(crate) vector: Vec<u8>,
    pub(crate) trace: Trace,
    /// As in the search that numbered the moves: [`Moves::distinguishes_marks`].
    pub(crate) distinguishes_marks: bool,
}

impl Walk {
    /// Begin in the initial state.
    pub(crate) fn new<M: NextState>(model: &mut M, distinguishes_marks: bool) -> Walk {
        Walk {
            vector: model.initial().unwrap_or_default(),
            trace: Trace::default(),
            distinguishes_marks,
        }
    }

    /// Take the move of this number.
    pub(crate) fn take_move<M: NextState>(
        &mut self,
        model: &mut M,
        number: u32,
        accounting: &mut Accounting<'_>,
    ) {
        let mut moves = Moves::distinguishing_marks(self.distinguishes_marks);
        // It was explored before, within all limits, and what was cut is counted.
        let endless = accounting.statistics.endless_atomics;
        let _ = moves.explore(model, &self.vector, Asleep::default(), accounting, 0);
        accounting.statistics.endless_atomics = endless;
        let rows = moves.found.rows.iter().enumerate();
        let wanted = rows
            .filter(|(_, row)| Moves::is_state(row))
            .nth(number as usize);
        if let Some((at, row)) = wanted {
            self.append(&moves.before(at));
            self.trace.steps.extend(row.step());
            self.trace.claim.extend(moves.found.edge(at));
            self.vector.clear();
            self.vector.extend_from_slice(moves.found.vector(row));
        }
    }

    pub(crate) fn append(&mut self, steps: &Trace) {
        self.trace.steps.extend(&steps.steps);
        self.trace.claim.extend(&steps.claim);
    }
}

mod resume;
mod sleep;
#[cfg(test)]
mod tests;
