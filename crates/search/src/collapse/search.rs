//! Depth-first and breadth-first search over collapsed states.

use space::NextState;
use store::{Key, StateStore};

use super::system::{Counted, Next, ROW_BITS, System};
use super::{MOST_ATTEMPTS, Stop, Stores, Words};
use crate::Completion;
use crate::tally::Tally;

/// Look successors up when there are so many of them.
const BATCH: usize = 128;
/// Look at the limits after so many states.
const INTERVAL: u32 = 1 << 12;
/// Where fewer states are foreseen than this in an interval, it is not tried for some intervals;
/// nor at first, while what is looked up is near.
const LEAST_FORESEEN: u32 = INTERVAL / 3;
const BLIND: u32 = 8;
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

/// When states are written down again, so many are added at once.
const FILLED: usize = 64;

/// A state that waits to be looked up and explored, depth first.
#[derive(Clone, Copy)]
struct Waiting<const W: usize> {
    state: Words<W>,
    /// Its level, and the row of the process that leads to it in the lowest bits.
    level_and_row: u64,
}

impl<const W: usize> Waiting<W> {
    #[inline(always)]
    fn new(state: Words<W>, level: u64, row: u32) -> Waiting<W> {
        Waiting {
            state,
            level_and_row: level << ROW_BITS | u64::from(row),
        }
    }

    #[inline(always)]
    fn level(&self) -> u64 {
        self.level_and_row >> ROW_BITS
    }

    #[inline(always)]
    fn row(&self) -> u32 {
        self.level_and_row as u32 & ((1 << ROW_BITS) - 1)
    }
}

/// The successors of a state.
struct Successors<const W: usize> {
    /// Whose they are. Zeros, which no state is, if nobody's.
    state: Words<W>,
    next: Vec<Next<W>>,
    /// What the store said about each of them.
    keys: Vec<Key>,
    counted: Counted,
}

impl<const W: usize> Successors<W> {
    fn new() -> Successors<W> {
        Successors {
            state: [0; W],
            next: Vec::new(),
            keys: Vec::new(),
            counted: Counted::default(),
        }
    }

    fn clear(&mut self) {
        self.state = [0; W];
        self.next.clear();
        self.keys.clear();
    }

    /// Ask for the memory that looking up those will need that came last.
    #[inline(always)]
    fn prepare<S: StateStore>(&mut self, store: &mut S) {
        let from = self.keys.len();
        self.keys.extend(self.next[from..].iter().map(|next| {
            let bytes = next.state.map(u64::to_le_bytes);
            store.prepare(bytes.as_flattened())
        }));
    }
}

/// A state that waits to be explored, breadth first, and who sleeps there.
type Found<const W: usize> = (Words<W>, u64);

/// A search under way.
pub(super) struct Search<'a, M, S, const W: usize> {
    system: System<'a, M, W>,
    store: S,
    /// Stop when more states than this are stored.
    most: u64,
    /// The successors that are looked up next.
    now: Successors<W>,
    /// Those of a state that will be explored soon, by all appearances, depth first.
    ahead: Successors<W>,
    /// The states that wait, depth first, and one that was stored but not explored.
    stack: Vec<Waiting<W>>,
    unexplored: Option<Waiting<W>>,
    /// The states of a layer that wait, breadth first, those of the layer that follows.
    layer: Vec<Found<W>>,
    following: Vec<Found<W>>,
    /// How many states of the interval were foreseen, and for how many intervals it is not tried.
    foreseen: u32,
    blind_intervals: u32,
    /// How often the search began.
    begun: usize,
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
            now: Successors::new(),
            ahead: Successors::new(),
            stack: Vec::new(),
            unexplored: None,
            layer: Vec::new(),
            following: Vec::new(),
            foreseen: 0,
            blind_intervals: BLIND,
            begun: 0,
            until_poll: (most / 2).min(INTERVAL.into()) as u32,
            asked_before: 0,
            bad_intervals: 0,
            peak: 0,
        }
    }

    /// Store the initial state, which waits then, in an empty store.
    pub(super) fn begin(&mut self, initial: &[u8]) -> Result<(), Stop> {
        if self.begun == MOST_ATTEMPTS {
            return Err(Stop::GiveUp);
        }
        self.begun += 1;
        let state = self.system.pack(initial)?;
        fill(&mut self.store, std::iter::once(state));
        let figures = &mut self.system.tally.figures;
        (figures.stored, figures.matched) = (1, 0);
        (figures.atomic_steps, figures.depth) = (0, 0);
        self.ahead.clear();
        self.stack.clear();
        self.following.clear();
        self.unexplored = Some(Waiting::new(state, 0, 0));
        self.layer = vec![(state, 0)];
        Ok(())
    }

    /// Follows: [003, Fig. 8.1]. Instead of a stack of states that are being explored there is
    /// one of those that wait for it, which comes to the same order.
    ///
    /// After [`Stop::TooNarrow`] it can go on.
    pub(super) fn depth_first(&mut self) -> Result<(), Stop> {
        let mut stack = std::mem::take(&mut self.stack);
        let ended = self.explore_depth_first(&mut stack);
        // It never shrinks.
        self.peak = self.peak.max(stack.capacity() * size_of::<Waiting<W>>());
        self.stack = stack;
        ended
    }

    fn explore_depth_first(&mut self, stack: &mut Vec<Waiting<W>>) -> Result<(), Stop> {
        if let Some(waiting) = self.unexplored.take() {
            self.explore(waiting, stack)?;
        }
        while let Some(waiting) = stack.pop() {
            let bytes = waiting.state.map(u64::to_le_bytes);
            let key = self.store.key(bytes.as_flattened());
            if self.store.insert(bytes.as_flattened(), key).is_new() {
                self.system.tally.figures.stored += 1;
                self.explore(waiting, stack)?;
            } else {
                self.system.tally.figures.matched += 1;
            }
        }
        Ok(())
    }

    /// Find the successors of a state that was just stored.
    #[inline(always)]
    fn explore(&mut self, waiting: Waiting<W>, stack: &mut Vec<Waiting<W>>) -> Result<(), Stop> {
        if self.ahead.state == waiting.state {
            self.foreseen += 1;
        } else if let Err(stop) = self.expand_ahead(&waiting.state) {
            self.unexplored = Some(waiting);
            return Err(stop);
        }
        std::mem::swap(&mut self.now, &mut self.ahead);
        self.ahead.clear();
        if self.blind_intervals == 0 {
            self.look_ahead(waiting.row());
        }
        let (tally, counted) = (&mut self.system.tally, &self.now.counted);
        tally.reach(waiting.level() + u64::from(counted.reach));
        tally.figures.atomic_steps += u64::from(counted.atomic_steps);
        self.push_unknown(waiting.level(), stack);
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll(stack.capacity() * size_of::<Waiting<W>>())?;
        }
        Ok(())
    }

    /// While the memory comes that tells which successors are new, find the successors of the
    /// one that will be explored next, by all appearances, and ask for the memory that these
    /// need.
    ///
    /// The moves of processes before that which moved last mostly lead to known states: where
    /// they do not depend on what it did, they led to the same states from before.
    #[inline(always)]
    fn look_ahead(&mut self, row: u32) {
        if let Some(next) = self.now.next.iter().find(|next| next.row >= row) {
            let state = next.state;
            // If something is wrong with it, that will come up when its time has come.
            let _ = self.expand_ahead(&state);
        }
    }

    /// Find the successors of a state, and ask for the memory that looking them up will need.
    #[inline(always)]
    fn expand_ahead(&mut self, state: &Words<W>) -> Result<(), Stop> {
        self.ahead.clear();
        self.ahead.counted = match self.system.expand(state, &mut self.ahead.next) {
            Ok(counted) => counted,
            Err(stop) => {
                self.ahead.clear();
                return Err(stop);
            }
        };
        self.ahead.state = *state;
        self.ahead.prepare(&mut self.store);
        Ok(())
    }

    /// Count the successors that are known, and put the others on the stack, the first one on
    /// top.
    #[inline(always)]
    fn push_unknown(&mut self, level: u64, stack: &mut Vec<Waiting<W>>) {
        let from = stack.len();
        for (next, &key) in self.now.next.iter().zip(&self.now.keys) {
            let bytes = next.state.map(u64::to_le_bytes);
            if self.store.contains(bytes.as_flattened(), key) {
                self.system.tally.figures.matched += 1;
            } else {
                let level = level + u64::from(next.levels);
                stack.push(Waiting::new(next.state, level, next.row));
            }
        }
        stack[from..].reverse();
    }

    /// Follows: [003, Fig. 8.6], layer by layer.
    ///
    /// After [`Stop::TooNarrow`] it can go on.
    pub(super) fn breadth_first(&mut self) -> Result<(), Stop> {
        let mut layer = std::mem::take(&mut self.layer);
        let mut following = std::mem::take(&mut self.following);
        let ended = self.explore_breadth_first(&mut layer, &mut following);
        let waiting = layer.capacity() + following.capacity();
        self.peak = self.peak.max(waiting * size_of::<Found<W>>());
        (self.layer, self.following) = (layer, following);
        ended
    }

    fn explore_breadth_first(
        &mut self,
        layer: &mut Vec<Found<W>>,
        following: &mut Vec<Found<W>>,
    ) -> Result<(), Stop> {
        while !layer.is_empty() {
            let mut explored = 0;
            let ended = self.explore_layer(layer, &mut explored, following);
            self.look_up(following);
            layer.drain(..explored);
            ended?;
            if !following.is_empty() {
                self.system.tally.figures.depth += 1;
            }
            std::mem::swap(layer, following);
        }
        Ok(())
    }

    /// Find the successors of the states of a layer, and count those that were explored.
    fn explore_layer(
        &mut self,
        layer: &[Found<W>],
        explored: &mut usize,
        following: &mut Vec<Found<W>>,
    ) -> Result<(), Stop> {
        for (state, asleep) in layer {
            let from = self.now.next.len();
            let counted = match (self.system).expand_awake(state, *asleep, &mut self.now.next) {
                Ok(counted) => counted,
                Err(stop) => {
                    self.now.next.truncate(from);
                    return Err(stop);
                }
            };
            *explored += 1;
            let figures = &mut self.system.tally.figures;
            figures.atomic_steps += u64::from(counted.atomic_steps);
            figures.matched += u64::from(counted.slept_through);
            self.now.prepare(&mut self.store);
            if self.now.next.len() >= BATCH {
                self.look_up(following);
            }
            self.until_poll -= 1;
            if self.until_poll == 0 {
                self.poll(2 * following.capacity() * size_of::<Found<W>>())?;
            }
        }
        Ok(())
    }

    /// After [`Stop::TooNarrow`], write down all states with wider fields, or begin anew if the
    /// store cannot tell them or there is no memory for a second one. Not possible if they need
    /// more words.
    pub(super) fn widen<A>(
        &mut self,
        stores: &mut A,
        sizes: &[Vec<u32>],
        initial: &[u8],
    ) -> Result<(), Stop>
    where
        A: Stores<Store<W> = S>,
    {
        let room = self.system.wider(sizes).ok_or(Stop::TooNarrow)?;
        let mut store = stores.make::<W>(room.bits_of());
        let narrow = self.system.widen(room)?;
        let for_both = 2 * self.store.memory_bytes() + self.system.memory_bytes();
        let limit = self.system.tally.config.memory_limit;
        let has_memory = limit.is_none_or(|limit| for_both <= limit);
        let Some(states) = A::states(&self.store).filter(|_| has_memory) else {
            self.store = store;
            return self.begin(initial);
        };
        A::reserve::<W>(&mut store, self.store.len());
        let states = states.map(|state| self.system.rewrite(&narrow, &state));
        fill(&mut store, states);
        self.store = store;
        self.ahead.clear();
        let deep = self.stack.iter_mut().chain(&mut self.unexplored);
        let broad = self.layer.iter_mut().chain(&mut self.following);
        for state in (deep.map(|waiting| &mut waiting.state)).chain(broad.map(|found| &mut found.0))
        {
            *state = self.system.rewrite(&narrow, state);
        }
        Ok(())
    }

    /// Count the successors that are known, and let the others wait, with who sleeps there.
    #[inline(always)]
    fn look_up(&mut self, following: &mut Vec<(Words<W>, u64)>) {
        for (next, &key) in self.now.next.iter().zip(&self.now.keys) {
            let bytes = next.state.map(u64::to_le_bytes);
            if self.store.insert(bytes.as_flattened(), key).is_new() {
                self.system.tally.figures.stored += 1;
                following.push((next.state, next.asleep));
            } else {
                self.system.tally.figures.matched += 1;
            }
        }
        self.now.clear();
    }

    /// Look at the limits. `waiting` is the memory for states that wait.
    #[cold]
    fn poll(&mut self, waiting: usize) -> Result<(), Stop> {
        self.until_poll = INTERVAL;
        self.peak = self.peak.max(waiting);
        let store = self.store.memory_bytes();
        self.system.forget_beyond(MEMO_BYTES.max(store));
        match self.blind_intervals {
            0 if self.foreseen < LEAST_FORESEEN => self.blind_intervals = BLIND,
            blind => self.blind_intervals = blind.saturating_sub(1),
        }
        self.foreseen = 0;
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
        let beside = self.system.memory_bytes();
        let tally = &mut self.system.tally;
        tally
            .poll(store + waiting + beside)
            .map_err(|limit| match limit {
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

/// Add states to a store, some at a time, while the memory comes for others.
fn fill<S: StateStore, const W: usize>(store: &mut S, mut states: impl Iterator<Item = Words<W>>) {
    let mut batch: Vec<(Words<W>, Key)> = Vec::new();
    loop {
        batch.extend(states.by_ref().take(FILLED).map(|state| {
            let bytes = state.map(u64::to_le_bytes);
            (state, store.prepare(bytes.as_flattened()))
        }));
        if batch.is_empty() {
            return;
        }
        for (state, key) in batch.drain(..) {
            let bytes = state.map(u64::to_le_bytes);
            store.insert(bytes.as_flattened(), key);
        }
    }
}
