//! Depth-first and breadth-first search over collapsed states.

use space::NextState;
use store::{Key, StateStore};

use super::system::{Next, System};
use super::{Stop, Words};
use crate::Completion;
use crate::tally::Tally;

/// Look successors up when there are so many of them.
const BATCH: usize = 128;
/// Look at the limits after so many states.
const INTERVAL: u32 = 1 << 12;
/// Known moves may take so much memory, or as much as the store.
const MEMO_BYTES: usize = 64 << 20;

/// More questions to the model than this in an interval are too many: another search is faster.
/// At first, while little is known, they may be more.
const MOST_ASKED: u64 = INTERVAL as u64 / 2;
const MOST_ASKED_AT_FIRST: u64 = INTERVAL as u64 * 9 / 10;
const FIRST: u64 = 1 << 18;
/// The search is given up when that has gone on for so many states, or a part of it if that is
/// more.
const BAD_STATES: u64 = 1 << 14;
const BAD_PART: u64 = 16;

/// A state that waits.
struct Waiting<const W: usize> {
    state: Words<W>,
    level: u64,
}

/// A search under way.
pub(super) struct Search<'a, M, S, const W: usize> {
    system: System<'a, M, W>,
    store: S,
    /// Stop when more states than this are stored.
    most: u64,
    /// Successors, and what the store said about them.
    next: Vec<Next<W>>,
    keys: Vec<Key>,
    until_poll: u32,
    asked_before: u64,
    /// How many intervals in a row there were too many questions.
    bad_intervals: u64,
    /// The most memory for states that wait.
    peak: usize,
}

impl<'a, M: NextState, S: StateStore, const W: usize> Search<'a, M, S, W> {
    pub(super) fn new(system: System<'a, M, W>, store: S, most: u64) -> Search<'a, M, S, W> {
        Search {
            system,
            store,
            most,
            next: Vec::new(),
            keys: Vec::new(),
            until_poll: (most / 2).min(INTERVAL.into()) as u32,
            asked_before: 0,
            bad_intervals: 0,
            peak: 0,
        }
    }

    /// Follows: [003, Fig. 8.1]. Instead of a stack of states that are being explored there is
    /// one of those that wait for it, which comes to the same order.
    pub(super) fn depth_first(&mut self, initial: &[u8]) -> Result<(), Stop> {
        let state = self.system.pack(initial)?;
        let mut stack = vec![Waiting { state, level: 0 }];
        while let Some(Waiting { state, level }) = stack.pop() {
            let bytes = state.map(u64::to_le_bytes);
            let key = self.store.key(bytes.as_flattened());
            if !self.store.insert(bytes.as_flattened(), key).is_new() {
                self.system.tally.figures.matched += 1;
                continue;
            }
            self.system.tally.figures.stored += 1;
            let counted = self.system.expand(&state, &mut self.next)?;
            let tally = &mut self.system.tally;
            tally.reach(level + u64::from(counted.reach));
            tally.figures.atomic_steps += u64::from(counted.atomic_steps);
            self.push_unknown(level, &mut stack);
            self.until_poll -= 1;
            if self.until_poll == 0 {
                self.poll(stack.capacity() * size_of::<Waiting<W>>())?;
            }
        }
        // It never shrinks.
        self.peak = stack.capacity() * size_of::<Waiting<W>>();
        Ok(())
    }

    /// Count the successors that are known, and put the others on the stack, the first one on
    /// top.
    #[inline(always)]
    fn push_unknown(&mut self, level: u64, stack: &mut Vec<Waiting<W>>) {
        self.prepare(0);
        let from = stack.len();
        for (next, &key) in self.next.iter().zip(&self.keys) {
            let bytes = next.state.map(u64::to_le_bytes);
            if self.store.contains(bytes.as_flattened(), key) {
                self.system.tally.figures.matched += 1;
            } else {
                stack.push(Waiting {
                    state: next.state,
                    level: level + u64::from(next.levels),
                });
            }
        }
        self.next.clear();
        self.keys.clear();
        stack[from..].reverse();
    }

    /// Follows: [003, Fig. 8.6], layer by layer.
    pub(super) fn breadth_first(&mut self, initial: &[u8]) -> Result<(), Stop> {
        let state = self.system.pack(initial)?;
        let bytes = state.map(u64::to_le_bytes);
        let key = self.store.prepare(bytes.as_flattened());
        self.store.insert(bytes.as_flattened(), key);
        self.system.tally.figures.stored = 1;
        let (mut layer, mut following) = (vec![(state, 0)], Vec::new());
        while !layer.is_empty() {
            for (state, asleep) in layer.drain(..) {
                let from = self.next.len();
                let counted = (self.system).expand_awake(&state, asleep, &mut self.next)?;
                let figures = &mut self.system.tally.figures;
                figures.atomic_steps += u64::from(counted.atomic_steps);
                figures.matched += u64::from(counted.slept_through);
                self.prepare(from);
                if self.next.len() >= BATCH {
                    self.look_up(&mut following);
                }
                self.until_poll -= 1;
                if self.until_poll == 0 {
                    self.poll(2 * following.capacity() * size_of::<(Words<W>, u64)>())?;
                }
            }
            self.look_up(&mut following);
            if !following.is_empty() {
                self.system.tally.figures.depth += 1;
            }
            std::mem::swap(&mut layer, &mut following);
        }
        let waiting = layer.capacity() + following.capacity();
        self.peak = waiting * size_of::<(Words<W>, u64)>();
        Ok(())
    }

    /// Ask for the memory that looking up the successors from a number on will need.
    #[inline(always)]
    fn prepare(&mut self, from: usize) {
        self.keys.extend(self.next[from..].iter().map(|next| {
            let bytes = next.state.map(u64::to_le_bytes);
            self.store.prepare(bytes.as_flattened())
        }));
    }

    /// Count the successors that are known, and let the others wait, with who sleeps there.
    #[inline(always)]
    fn look_up(&mut self, following: &mut Vec<(Words<W>, u64)>) {
        for (next, &key) in self.next.iter().zip(&self.keys) {
            let bytes = next.state.map(u64::to_le_bytes);
            if self.store.insert(bytes.as_flattened(), key).is_new() {
                self.system.tally.figures.stored += 1;
                following.push((next.state, next.asleep));
            } else {
                self.system.tally.figures.matched += 1;
            }
        }
        self.next.clear();
        self.keys.clear();
    }

    /// Look at the limits. `waiting` is the memory for states that wait.
    #[cold]
    fn poll(&mut self, waiting: usize) -> Result<(), Stop> {
        self.until_poll = INTERVAL;
        self.peak = self.peak.max(waiting);
        let store = self.store.memory_bytes();
        self.system.forget_beyond(MEMO_BYTES.max(store));
        let beside = self.system.memory_bytes();
        let asked = self.system.asked - self.asked_before;
        self.asked_before = self.system.asked;
        let tally = &mut self.system.tally;
        let stored = tally.figures.stored;
        let most_asked = match stored < FIRST {
            true => MOST_ASKED_AT_FIRST,
            false => MOST_ASKED,
        };
        self.bad_intervals = match asked > most_asked {
            true => self.bad_intervals + 1,
            false => 0,
        };
        let bad = self.bad_intervals * u64::from(INTERVAL);
        if bad > BAD_STATES.max(stored / BAD_PART) {
            return Err(Stop::GiveUp);
        }
        if tally.figures.stored >= self.most {
            return Err(Stop::SeenEnough);
        }
        if self.most < u64::MAX {
            self.until_poll = (self.most / 2) as u32;
            self.system.mark();
        }
        let tally = &mut self.system.tally;
        let memory = store + waiting + beside;
        tally.poll(memory).map_err(|limit| match limit {
            // Whole vectors may need less than what is known about their parts.
            Completion::MemoryLimit if beside > store => Stop::GiveUp,
            limit => Stop::Limit(limit),
        })
    }

    /// The states that were stored.
    pub(super) fn stored(&self) -> u64 {
        self.system.tally.figures.stored
    }

    /// The accounts, the store, and the memory: for states with what is known about them, and for
    /// those that wait.
    pub(super) fn end(self) -> (Tally<'a>, S, [usize; 2]) {
        let states = self.store.memory_bytes() + self.system.memory_bytes();
        (self.system.tally, self.store, [states, self.peak])
    }
}
