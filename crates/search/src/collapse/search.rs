//! Depth-first and breadth-first search over collapsed states.

use space::NextState;
use store::{Key, StateStore};

use super::fields::Room;
use super::state::{Digest, State, Words};
use super::system::{Counted, Next, System};
use super::trail::Trail;
use super::{Stop, Stores};
use crate::Completion;
use crate::accounting::Accounting;

/// Look successors up when there are so many of them.
const BATCH: usize = 64;
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

/// The bits of the mover of a state that waits.
const MOVER_BITS: u32 = 16;

/// A state that waits to be looked up and explored, depth first.
#[derive(Clone, Copy)]
pub(super) struct Waiting<const W: usize, D> {
    pub(super) state: State<W, D>,
    /// Its level, and who leads to it in the lowest bits.
    level_and_mover: u64,
}

impl<const W: usize, D: Digest> Waiting<W, D> {
    #[inline(always)]
    fn new(state: State<W, D>, level: u64, mover: u32) -> Waiting<W, D> {
        Waiting {
            state,
            level_and_mover: level << MOVER_BITS | u64::from(mover),
        }
    }

    #[inline(always)]
    pub(super) fn level(&self) -> u64 {
        self.level_and_mover >> MOVER_BITS
    }

    /// The row of the process that leads to it; where ample sets are taken, the number of those
    /// who move.
    #[inline(always)]
    pub(super) fn mover(&self) -> u32 {
        self.level_and_mover as u32 & ((1 << MOVER_BITS) - 1)
    }
}

/// The successors of a state.
pub(super) struct Successors<const W: usize, D> {
    /// Whose they are. Zeros, which no state is, if nobody's.
    state: Words<W>,
    pub(super) next: Vec<Next<W, D>>,
    /// The key of each of them.
    pub(super) keys: Vec<Key>,
    counted: Counted,
}

impl<const W: usize, D: Digest> Successors<W, D> {
    fn new() -> Successors<W, D> {
        Successors {
            state: [0; W],
            next: Vec::new(),
            keys: Vec::new(),
            counted: Counted::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.state = [0; W];
        self.next.clear();
        self.keys.clear();
    }

    /// Ask for the memory that looking them up will need.
    #[inline(always)]
    pub(super) fn prepare<A: Stores<Digest = D>>(&mut self, store: &mut A::Store<W>) {
        self.keys.extend(self.next.iter().map(|next| {
            let key = A::key(store, &next.state.words, next.state.digest);
            store.fetch(key);
            key
        }));
    }
}

/// A state that waits to be explored, breadth first, and who sleeps there.
type Found<const W: usize, D> = (State<W, D>, u64);

/// A search under way.
pub(super) struct Search<'a, M, A: Stores, const W: usize> {
    pub(super) system: System<'a, M, A::Digest, W>,
    pub(super) store: A::Store<W>,
    /// Stop soon when so many states are stored.
    most: u64,
    /// Depth first, the successors that are looked up next; breadth first, those that come now.
    pub(super) now: Successors<W, A::Digest>,
    /// Depth first, those of a state that will be explored soon, by all appearances; breadth first,
    /// those that are looked up next.
    ahead: Successors<W, A::Digest>,
    /// The states that wait, depth first, and one that was stored but not explored.
    pub(super) stack: Vec<Waiting<W, A::Digest>>,
    pub(super) unexplored: Option<Waiting<W, A::Digest>>,
    /// The path, where ample sets are taken.
    pub(super) trail: Trail<W>,
    /// The states of a layer that wait, breadth first, those of the layer that follows.
    layer: Vec<Found<W, A::Digest>>,
    following: Vec<Found<W, A::Digest>>,
    /// How many states of the interval were foreseen, and for how many intervals it is not tried.
    foreseen: u32,
    blind_intervals: u32,
    pub(super) until_poll: u32,
    asked_before: u64,
    /// How many intervals in a row there were too many questions.
    bad_intervals: u64,
    /// The most memory for states that wait.
    pub(super) peak: usize,
}

impl<'a, M: NextState, A: Stores, const W: usize> Search<'a, M, A, W> {
    pub(super) fn new(
        system: System<'a, M, A::Digest, W>,
        store: A::Store<W>,
        most: u64,
    ) -> Search<'a, M, A, W> {
        Search {
            system,
            store,
            most,
            now: Successors::new(),
            ahead: Successors::new(),
            stack: Vec::new(),
            unexplored: None,
            trail: Trail::default(),
            layer: Vec::new(),
            following: Vec::new(),
            foreseen: 0,
            blind_intervals: BLIND,
            until_poll: (most / 2).min(INTERVAL.into()) as u32,
            asked_before: 0,
            bad_intervals: 0,
            peak: 0,
        }
    }

    /// Store the initial state, which waits then.
    pub(super) fn begin(&mut self, initial: &[u8]) -> Result<(), Stop> {
        let state = self.system.pack(initial)?;
        let key = A::key(&mut self.store, &state.words, state.digest);
        self.insert(&state, key);
        self.unexplored = Some(Waiting::new(state, 0, 0));
        self.layer = vec![(state, 0)];
        Ok(())
    }

    /// Store a state, and count it; whether it is new.
    #[inline(always)]
    pub(super) fn insert(&mut self, state: &State<W, A::Digest>, key: Key) -> bool {
        let bytes = state.words.map(u64::to_le_bytes);
        let is_new = self.store.insert(bytes.as_flattened(), key).is_new();
        let statistics = &mut self.system.accounting.statistics;
        match is_new {
            true => statistics.stored += 1,
            false => statistics.matched += 1,
        }
        is_new
    }

    /// Follows: [003, Fig. 8.1]. Instead of a stack of states that are being explored there is
    /// one of those that wait for it, which comes to the same order.
    ///
    /// After [`Stop::TooNarrow`] and [`Stop::SeenEnough`] it can go on.
    pub(super) fn depth_first(&mut self) -> Result<(), Stop> {
        let mut stack = std::mem::take(&mut self.stack);
        let ended = self.explore_depth_first(&mut stack);
        // It never shrinks.
        self.peak = self.peak.max(memory_of(&stack));
        self.stack = stack;
        ended
    }

    /// Kept apart from other searches, which leaves more registers to each.
    #[inline(never)]
    fn explore_depth_first(&mut self, stack: &mut Vec<Waiting<W, A::Digest>>) -> Result<(), Stop> {
        if let Some(waiting) = self.unexplored.take() {
            self.explore(waiting, stack)?;
        }
        while let Some(waiting) = stack.pop() {
            let state = &waiting.state;
            let key = A::key(&mut self.store, &state.words, state.digest);
            if self.insert(state, key) {
                self.explore(waiting, stack)?;
            }
        }
        Ok(())
    }

    /// Find the successors of a state that was just stored.
    #[inline(always)]
    fn explore(
        &mut self,
        waiting: Waiting<W, A::Digest>,
        stack: &mut Vec<Waiting<W, A::Digest>>,
    ) -> Result<(), Stop> {
        if self.ahead.state == waiting.state.words {
            self.foreseen += 1;
        } else if let Err(stop) = self.expand_ahead(&waiting.state) {
            self.unexplored = Some(waiting);
            return Err(stop);
        }
        std::mem::swap(&mut self.now, &mut self.ahead);
        self.ahead.clear();
        if self.blind_intervals == 0 {
            self.look_ahead(waiting.mover());
        }
        let (accounting, counted) = (&mut self.system.accounting, &self.now.counted);
        accounting.reach(waiting.level() + u64::from(counted.reach));
        accounting.statistics.atomic_steps += u64::from(counted.atomic_steps);
        self.push_unknown(waiting.level(), stack, |next| next.row);
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll(memory_of(stack))?;
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
    fn expand_ahead(&mut self, state: &State<W, A::Digest>) -> Result<(), Stop> {
        self.ahead.clear();
        self.ahead.counted = match self.system.expand(state, &mut self.ahead.next) {
            Ok(counted) => counted,
            Err(stop) => {
                self.ahead.clear();
                return Err(stop);
            }
        };
        self.ahead.state = state.words;
        self.ahead.prepare::<A>(&mut self.store);
        Ok(())
    }

    /// Count the successors that are known, and put the others on the stack, the first one on
    /// top, each with who leads to it.
    #[inline(always)]
    pub(super) fn push_unknown(
        &mut self,
        level: u64,
        stack: &mut Vec<Waiting<W, A::Digest>>,
        mover: impl Fn(&Next<W, A::Digest>) -> u32,
    ) {
        let before = stack.len();
        for (next, &key) in self.now.next.iter().zip(&self.now.keys).rev() {
            let bytes = next.state.words.map(u64::to_le_bytes);
            let is_known = self.store.contains(bytes.as_flattened(), key);
            let level = level + next.way.levels();
            stack.push(Waiting::new(next.state, level, mover(next)));
            // Pushed first and taken away then, since nobody can foresee which way to jump.
            stack.truncate(stack.len() - usize::from(is_known));
        }
        let unknown = stack.len() - before;
        self.system.accounting.statistics.matched += (self.now.next.len() - unknown) as u64;
    }

    /// Follows: [003, Fig. 8.6], layer by layer.
    ///
    /// After [`Stop::TooNarrow`] it can go on.
    pub(super) fn breadth_first(&mut self) -> Result<(), Stop> {
        let mut layer = std::mem::take(&mut self.layer);
        let mut following = std::mem::take(&mut self.following);
        let ended = self.explore_breadth_first(&mut layer, &mut following);
        self.peak = (self.peak).max(memory_of(&layer) + memory_of(&following));
        (self.layer, self.following) = (layer, following);
        ended
    }

    fn explore_breadth_first(
        &mut self,
        layer: &mut Vec<Found<W, A::Digest>>,
        following: &mut Vec<Found<W, A::Digest>>,
    ) -> Result<(), Stop> {
        while !layer.is_empty() {
            let mut explored = 0;
            let ended = self.explore_layer(layer, &mut explored, following);
            self.turn_over(following);
            self.turn_over(following);
            layer.drain(..explored);
            ended?;
            if !following.is_empty() {
                self.system.accounting.statistics.depth += 1;
            }
            std::mem::swap(layer, following);
        }
        Ok(())
    }

    /// Find the successors of the states of a layer, and count those that were explored.
    #[inline(never)]
    fn explore_layer(
        &mut self,
        layer: &[Found<W, A::Digest>],
        explored: &mut usize,
        following: &mut Vec<Found<W, A::Digest>>,
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
            let statistics = &mut self.system.accounting.statistics;
            statistics.atomic_steps += u64::from(counted.atomic_steps);
            statistics.matched += u64::from(counted.slept_through);
            if self.now.next.len() >= BATCH {
                self.turn_over(following);
            }
            self.until_poll -= 1;
            if self.until_poll == 0 {
                self.poll(2 * memory_of(following))?;
            }
        }
        Ok(())
    }

    /// After [`Stop::SeenEnough`]: how wide words should be. It goes on to the end then.
    pub(super) fn settle_down(&mut self, sizes: &[Vec<u32>]) -> Option<Room> {
        self.most = u64::MAX;
        self.until_poll = INTERVAL;
        self.system.room(sizes)
    }

    /// After [`Stop::TooNarrow`]: how wide words should be, if that is possible.
    pub(super) fn wider(&self, sizes: &[Vec<u32>]) -> Option<Room> {
        self.system.wider(sizes)
    }

    /// After [`Stop::TooNarrow`] or [`Stop::SeenEnough`], the same search with states that are written
    /// down with other fields. [`Stop::TooNarrow`] if there is no memory for two stores where that takes two.
    pub(super) fn widen<const V: usize>(
        self,
        stores: &mut A,
        room: Room,
    ) -> Result<Search<'a, M, A, V>, Stop> {
        let store = self.store.memory_bytes();
        let for_both = store + store * V / W + self.system.memory_bytes();
        let limit = self.system.accounting.config.memory_limit;
        if A::Store::<W>::EXACT && limit.is_some_and(|limit| for_both > limit) {
            return Err(Stop::TooNarrow);
        }
        let bits = room.bits_of();
        let (system, narrow) = self.system.widen::<V>(room)?;
        let rewrite = |words: &Words<W>| system.rewrite(&narrow, words);
        let store = stores.rewrite(self.store, bits, rewrite);
        let state = |state: State<W, A::Digest>| State {
            words: rewrite(&state.words),
            digest: state.digest,
        };
        let waiting = |waiting: Waiting<W, A::Digest>| Waiting {
            state: state(waiting.state),
            level_and_mover: waiting.level_and_mover,
        };
        let found = |found: Found<W, A::Digest>| (state(found.0), found.1);
        let stack = self.stack.into_iter().map(waiting).collect();
        let unexplored = self.unexplored.map(waiting);
        let layer = self.layer.into_iter().map(found).collect();
        let following = self.following.into_iter().map(found).collect();
        let trail = self.trail.rewritten(rewrite);
        let mut search = Search::new(system, store, self.most);
        search.trail = trail;
        (search.stack, search.unexplored) = (stack, unexplored);
        (search.layer, search.following) = (layer, following);
        (search.until_poll, search.asked_before) = (self.until_poll, self.asked_before);
        (search.bad_intervals, search.blind_intervals) = (self.bad_intervals, self.blind_intervals);
        search.peak = self.peak;
        Ok(search)
    }

    /// Ask for the memory that the successors need which came last, all at once, since then the
    /// processor translates several addresses at a time; and look up those before them, whose
    /// memory has come meanwhile: count those that are known, and let the others wait, with who
    /// sleeps there.
    #[inline(always)]
    fn turn_over(&mut self, following: &mut Vec<Found<W, A::Digest>>) {
        self.now.prepare::<A>(&mut self.store);
        let mut before = std::mem::replace(&mut self.ahead, Successors::new());
        for (next, &key) in before.next.iter().zip(&before.keys) {
            if self.insert(&next.state, key) {
                following.push((next.state, next.asleep));
            }
        }
        before.clear();
        self.ahead = std::mem::replace(&mut self.now, before);
    }

    /// Look at the limits. `waiting` is the memory for states that wait.
    #[cold]
    pub(super) fn poll(&mut self, waiting: usize) -> Result<(), Stop> {
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
        let accounting = &mut self.system.accounting;
        let stored = accounting.statistics.stored;
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
        if accounting.statistics.stored >= self.most {
            return Err(Stop::SeenEnough);
        }
        if self.most < u64::MAX {
            self.until_poll = (self.most / 2) as u32;
            self.system.mark();
        }
        let beside = self.system.memory_bytes();
        let accounting = &mut self.system.accounting;
        accounting
            .poll(store + waiting + beside)
            .map_err(|limit| match limit {
                // Whole vectors may need less than what is known about their parts.
                Completion::MemoryLimit if beside > store => Stop::GiveUp,
                limit => Stop::Limit(limit),
            })
    }

    /// All states that were found were stored.
    pub(super) fn note_longest(&mut self) {
        self.system.accounting.statistics.longest_state = self.system.longest_vector();
    }

    /// The accounts, the store, and the memory: for states with what is known about them, and for
    /// those that wait.
    pub(super) fn end(self) -> (Accounting<'a>, A::Store<W>, [usize; 2]) {
        let states = self.store.memory_bytes() + self.system.memory_bytes();
        (self.system.accounting, self.store, [states, self.peak])
    }
}

/// The memory of a list.
pub(super) fn memory_of<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
