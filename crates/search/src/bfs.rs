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
//!   explored depth first, see [`crate::moves`]. So shortest means fewest moves, and the
//!   depth is the number of moves to the states furthest away. Stored and matched states and
//!   atomic steps are those of the depth-first search, if both are complete and no atomic
//!   sequence is endless.
//! - Successors of several states are gathered before they are looked up, so that the memory
//!   accesses overlap. They are inserted in order.
//! - Errors of a step are found on the way, and the search goes on behind them. Of the
//!   violations with the same number of moves before them the first one is reported first.
//! - The depth bound counts moves: states at that depth are stored but not expanded.

use std::io;

use space::{NextState, Row, Step, Trace, Violation, ViolationKind};
use store::{Insert, Key, StateId, StateStore};

use crate::findings::Keep;
use crate::links::Links;
use crate::moves::{Moves, Sink};
use crate::path::Path;
use crate::queue::Queue;
use crate::replay::Replay;
use crate::tally::Tally;
use crate::{Checkpoint, Completion, Order, Outcome, ResumeError, SearchConfig};

/// Look successors up when there are so many of them.
const BATCH: usize = 96;
/// Inside an atomic sequence of more steps than this the limits are looked at too.
const LONG_MOVE: u64 = 1 << 12;
/// About the memory of a step inside.
const PATH_BYTES: usize = 12;

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
    moves: Moves,
    gathered: Gathered<'a, S>,
    queue: Queue,
    links: Links,
    /// The state expanded last, if the store is the queue.
    last: Option<StateId>,
    vector: Vec<u8>,
    /// How many states were expanded, and how many there are up to the end of the layer.
    expanded: u64,
    layer_end: u64,
    layer: u64,
    bound: u64,
}

/// The successors and the violations that were found since the last look-up, in order, and
/// what is written down at once.
struct Gathered<'a, S> {
    store: &'a mut S,
    tally: Tally<'a>,
    hidden_len: usize,
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    blames: Vec<Blame>,
    /// The state under way.
    parent: u64,
    /// How many moves of it there were.
    moves: u32,
}

/// A successor: where its vector ends, its key, the state and the move that lead there.
struct Entry {
    end: u32,
    number: u32,
    key: Key,
    parent: u64,
}

/// A violation, found when there were so many entries.
struct Blame {
    before: usize,
    violation: Violation,
    step: Option<Step>,
    parent: u64,
    inside: Vec<u32>,
}

impl<S: StateStore> Sink for Gathered<'_, S> {
    type End = Completion;

    #[inline]
    fn expanded(&mut self, rows: usize, len: usize, atomic: u64) -> Result<(), Completion> {
        self.tally.work(rows, len);
        if atomic > LONG_MOVE && self.tally.is_poll_due() {
            let inside = atomic as usize * PATH_BYTES;
            return self.tally.poll(self.store.memory_bytes() + inside);
        }
        Ok(())
    }

    #[inline]
    fn execute(&mut self, row: &Row) {
        self.tally.execute(row);
        self.tally.figures.atomic_steps += u64::from(row.has(Row::EXCLUSIVE));
    }

    #[inline]
    fn state(&mut self, vector: &[u8], _: &Path, _: Option<u32>) -> Result<(), Completion> {
        let key = self.store.prepare(&vector[self.hidden_len..]);
        self.bytes.extend_from_slice(vector);
        self.entries.push(Entry {
            end: self.bytes.len() as u32,
            number: self.moves,
            key,
            parent: self.parent,
        });
        self.moves += 1;
        Ok(())
    }

    fn blame(&mut self, violation: Violation, row: Option<&Row>, inside: &Path) {
        self.tally.work_hard();
        self.blames.push(Blame {
            before: self.entries.len(),
            violation,
            step: row.and_then(Row::step),
            parent: self.parent,
            inside: inside.rows().unwrap_or_default(),
        });
    }

    fn repeat(&mut self) {
        self.tally.figures.endless_atomics += 1;
    }

    fn give_up(&mut self, error: &io::Error) -> Completion {
        self.tally.give_up(error)
    }
}

impl<'a, M: NextState, S: StateStore> Bfs<'a, M, S> {
    fn new(model: &'a mut M, store: &'a mut S, config: &SearchConfig<'a>) -> Bfs<'a, M, S> {
        Bfs {
            moves: Moves::new(config.stack_in_memory),
            gathered: Gathered {
                store,
                tally: Tally::new(config, model.transition_count(), Keep::First),
                hidden_len: model.hidden_len(),
                entries: Vec::new(),
                bytes: Vec::new(),
                blames: Vec::new(),
                parent: 0,
                moves: 0,
            },
            queue: Queue::default(),
            links: Links::default(),
            last: None,
            vector: Vec::new(),
            expanded: 0,
            layer_end: 1,
            layer: 0,
            bound: config.depth.unwrap_or(u64::MAX),
            model,
        }
    }

    /// Whether the states to expand come from the store.
    fn reads_store(&self) -> bool {
        S::READABLE && S::ORDERED && self.gathered.hidden_len == 0
    }

    /// Store the initial state.
    fn begin(&mut self) -> Result<(), Completion> {
        let vector = match self.model.initial() {
            Ok(vector) => vector,
            Err(violation) => {
                self.layer_end = 0;
                self.gathered.tally.meet(violation, None, -1);
                return self.gathered.tally.enough_errors();
            }
        };
        let gathered = &mut self.gathered;
        let state = &vector[gathered.hidden_len..];
        let key = gathered.store.prepare(state);
        gathered.store.insert(state, key);
        gathered.tally.stored(vector.len());
        if !self.reads_store() {
            self.queue.push(&vector);
        }
        Ok(())
    }

    /// Search until there is nothing left, or a reason to end.
    fn search(&mut self) -> Result<(), Completion> {
        while self.next_state()? {
            let Bfs {
                model,
                moves,
                gathered,
                vector,
                ..
            } = self;
            gathered.parent = self.expanded;
            gathered.moves = 0;
            gathered.store.focus(&vector[gathered.hidden_len..]);
            moves.explore(*model, vector, gathered)?;
            self.expanded += 1;
            if gathered.entries.len() >= BATCH || !gathered.blames.is_empty() {
                self.look_up()?;
            }
        }
        Ok(())
    }

    /// Take the next state to expand. Whether there is one.
    fn next_state(&mut self) -> Result<bool, Completion> {
        if self.expanded == self.layer_end {
            self.look_up()?;
            self.layer += 1;
            self.layer_end = self.gathered.tally.figures.stored;
            if self.expanded == self.layer_end {
                return Ok(false);
            }
        }
        if self.layer >= self.bound {
            self.gathered.tally.truncated = true;
            return Ok(false);
        }
        if self.gathered.tally.is_poll_due() {
            self.look_up()?;
            self.poll()?;
        }
        if !self.reads_store() {
            return Ok(self.queue.pop(&mut self.vector));
        }
        self.last = self.gathered.store.next_id(self.last);
        self.vector.clear();
        if let Some(id) = self.last {
            self.gathered.store.read(id, &mut self.vector);
        }
        Ok(self.last.is_some())
    }

    /// Insert what was gathered, and report the violations among it.
    fn look_up(&mut self) -> Result<(), Completion> {
        if self.gathered.blames.is_empty() {
            self.insert(0..self.gathered.entries.len());
        } else {
            let mut done = 0;
            for blame in std::mem::take(&mut self.gathered.blames) {
                self.insert(done..blame.before);
                done = blame.before;
                self.report(&blame)?;
            }
            self.insert(done..self.gathered.entries.len());
        }
        self.gathered.entries.clear();
        self.gathered.bytes.clear();
        Ok(())
    }

    #[inline]
    fn insert(&mut self, range: std::ops::Range<usize>) {
        let reads_store = self.reads_store();
        let Gathered {
            store,
            tally,
            hidden_len,
            entries,
            bytes,
            ..
        } = &mut self.gathered;
        let before = range.start.checked_sub(1);
        let mut start = before.map_or(0, |before| entries[before].end as usize);
        for entry in &entries[range] {
            let vector = &bytes[start..entry.end as usize];
            start = entry.end as usize;
            match store.insert(&vector[*hidden_len..], entry.key) {
                Insert::Known(_) => tally.figures.matched += 1,
                Insert::New(_) => {
                    tally.stored(vector.len());
                    tally.reach(self.layer + 1);
                    self.links.push(entry.parent, entry.number);
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
    fn report(&mut self, blame: &Blame) -> Result<(), Completion> {
        // Without a failing step it takes the trace to know the last one.
        let trace = (blame.step.is_none()).then(|| self.trace(blame));
        let before = trace.as_ref().and_then(|trace| trace.steps.last().copied());
        let last = blame.step.or(before);
        if self.gathered.tally.meet(blame.violation, last, 0) {
            let mut trace = trace.unwrap_or_else(|| self.trace(blame));
            let depth = depth_of(blame, &trace);
            trace.steps.extend(blame.step);
            self.gathered.tally.keep(depth, trace);
        }
        self.gathered.tally.enough_errors()
    }

    /// The steps to the node where a violation was found.
    fn trace(&mut self, blame: &Blame) -> Trace {
        let mut walk = Walk {
            vector: self.model.initial().unwrap_or_default(),
            trace: Trace::default(),
        };
        for number in self.links.moves_to(blame.parent) {
            walk.take_move(self.model, number);
        }
        walk.take_rows(self.model, &blame.inside);
        walk.trace
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Completion> {
        let memory = self.gathered.store.memory_bytes()
            + self.queue.memory_bytes()
            + self.links.memory_bytes();
        let ended = self.gathered.tally.poll(memory);
        if self.gathered.tally.is_checkpoint_due(ended.is_err()) {
            let written = self.save();
            self.gathered.tally.checkpoint_written(written);
        }
        ended
    }

    fn end(self, ended: Result<(), Completion>) -> Outcome {
        let beside = self.queue.peak_bytes() + self.links.memory_bytes() + self.moves.peak_bytes();
        let store_bytes = self.gathered.store.memory_bytes();
        (self.gathered.tally).outcome(ended, S::EXACT, store_bytes, beside)
    }
}

/// Where Spin would say that a violation is: `trace` leads to the node where it was found.
fn depth_of(blame: &Blame, trace: &Trace) -> i64 {
    let levels: i64 = (trace.steps.iter())
        .map(|step| 1 + i64::from(step.partner.is_some()))
        .sum();
    match (blame.step, blame.violation.kind) {
        (None, ViolationKind::InvalidEndState) => levels - 1,
        (_, ViolationKind::EventTrace) => levels + 1,
        _ => levels,
    }
}

/// A walk from state to state along moves.
struct Walk {
    vector: Vec<u8>,
    trace: Trace,
}

impl Walk {
    /// Take the move of this number.
    fn take_move<M: NextState>(&mut self, model: &mut M, number: u32) {
        let mut wanted = Wanted {
            left: number,
            rows: Vec::new(),
        };
        let mut moves = Moves::new(usize::MAX);
        // It ends early when the move is found.
        let _ = moves.explore(model, &self.vector, &mut wanted);
        self.take_rows(model, &wanted.rows);
    }

    /// Take the rows of these numbers.
    fn take_rows<M: NextState>(&mut self, model: &mut M, rows: &[u32]) {
        let vector = std::mem::take(&mut self.vector);
        let mut replay = Replay::from(model, Order::Spin, vector);
        for &number in rows {
            let steps = &mut self.trace.steps;
            replay.take(number, |_, _, row, _| steps.extend(row.step()));
        }
        self.vector = replay.vector;
    }
}

/// Looks for the rows of a move.
struct Wanted {
    left: u32,
    rows: Vec<u32>,
}

impl Sink for Wanted {
    type End = ();

    fn expanded(&mut self, _: usize, _: usize, _: u64) -> Result<(), ()> {
        Ok(())
    }

    fn execute(&mut self, _: &Row) {}

    fn state(&mut self, _: &[u8], inside: &Path, last: Option<u32>) -> Result<(), ()> {
        if self.left > 0 {
            self.left -= 1;
            return Ok(());
        }
        self.rows = inside.rows().unwrap_or_default();
        self.rows.extend(last);
        Err(())
    }

    fn blame(&mut self, _: Violation, _: Option<&Row>, _: &Path) {}

    fn repeat(&mut self) {}

    fn give_up(&mut self, _: &io::Error) {}
}

mod resume;
#[cfg(test)]
mod tests;
