//! Nested depth-first search for accepting cycles over packed states.
//!
//! Follows: [003, Fig. 8.7], with the colours of [Schwoon, Esparza 2005], as [`crate::nested_dfs()`]
//! does, with all its departures; and [`crate::weak_dfs()`], whose second search never begins.
//! Order and counts are theirs.
//!
//! Departs:
//! - An atomic sequence is one move, so all nodes are states.
//! - All successors of a state are looked up together when it is expanded, so that the memory
//!   accesses overlap, and those that are only to be counted do not wait. If the search ends
//!   early, what was counted too soon is taken back.
//! - The second search expands a state once more: the moves of states are known.
//! - A stored state is cyan, blue or red. Whether a cyan one is accepting is a colour of its own,
//!   so that two bits are enough.

mod report;

use std::sync::atomic::Ordering;
use std::time::Instant;

use relation::{Edge, Expanded, Monitor, Product, State, Words};
use space::Violation;
use store::{Key, NoteStore, StateStore};

use super::colours::{Colour, ColourStores, key, rewritten};
use super::search::memory_of;
use crate::accounting::Accounting;
use crate::findings::Keep;
use crate::{Completion, Outcome, SearchConfig};

/// The bits of [`Entry::mark`]: the number of the move that leads there, and above it the process
/// that makes it.
const NUMBER_BITS: u32 = 20;
const NUMBER: u32 = (1 << NUMBER_BITS) - 1;
/// The state is an accepting one.
const ACCEPTS: u32 = 1 << 28;
/// Of a state that waits: the move that leads there is accepting. Of one on the path: so it was,
/// and the second search has to begin there.
const ACCEPTING: u32 = 1 << 29;
/// The state is on the path.
const ENTERED: u32 = 1 << 31;
/// Something that the monitor finds wrong in the state below, by its number. It waits its turn among
/// the successors.
const COMPLAINT: u32 = 1 << 30;
/// A level that a node has that is no state: it counts when all moves of the state below were taken.
const REACHED: u32 = ENTERED | COMPLAINT;

/// Look at the limits after so many expansions.
const INTERVAL: u32 = 1 << 12;
/// Where fewer states are foreseen than this in an interval, it is not tried for some intervals; nor at
/// first, while what is looked up is near.
const LEAST_FORESEEN: u32 = INTERVAL / 3;
const BLIND: u32 = 8;
/// Rows may take so much memory, or as much as the store.
const ROW_BYTES: usize = 64 << 20;
/// More questions than this in an interval are too many, at first and later: another search is faster.
const MOST_ASKED_AT_FIRST: u64 = INTERVAL as u64 * 9 / 10;
const MOST_ASKED: u64 = INTERVAL as u64 / 2;
const FIRST: u64 = 1 << 18;
/// The search is given up when that has gone on for so many states, or a part of all if that is more.
const BAD_STATES: u64 = 1 << 14;
const BAD_PART: u64 = 16;

/// Search all executions of a product depth first for accepting cycles, and for what the monitor
/// finds wrong on the way. If the product is weak, one search is enough. The monitor has no more than
/// one acceptance set otherwise.
///
/// The outcome, and the first error of the model that ended an execution. None if states do not fit
/// into the widest words, or too much has to be asked.
#[allow(clippy::type_complexity, reason = "taken apart at once")]
pub fn packed_nested_dfs<'m, M: Monitor, A: ColourStores>(
    (product, initial): (Product<'m, 4, (), M>, State<4, ()>),
    stores: &mut A,
    config: &SearchConfig<'m>,
    is_weak: bool,
) -> Option<(Outcome, Option<Violation>)> {
    let sizes = stores.sizes();
    let bits = sizes.iter().rfind(|bits| bits.len() == 4)?;
    let (product, rewrite) = product.widen::<4>(bits)?;
    let words = rewrite.apply(&initial.words);
    let accounting = Accounting::new(config, product.system().executed().len(), Keep::First);
    let store = stores.make::<4>(std::array::from_fn(|word| bits[word]));
    let sample = stores.sample();
    run(
        Nested::new(product, words, store, accounting, (is_weak, sample)),
        stores,
    )
}

/// Search to the end.
fn run<M: Monitor, A: ColourStores, const W: usize>(
    mut search: Nested<'_, M, A, W>,
    stores: &mut A,
) -> Option<(Outcome, Option<Violation>)> {
    loop {
        let sizes = stores.sizes();
        let bits = match search.search() {
            Ok(()) => return Some(search.end(Ok(()))),
            Err(Stop::Limit(limit)) => return Some(search.end(Err(limit))),
            Err(Stop::GiveUp) => return None,
            Err(Stop::SeenEnough) => {
                search.most = u64::MAX;
                search.until_poll = INTERVAL;
                sizes
                    .into_iter()
                    .find(|bits| search.product.fits(bits, false))?
            }
            Err(Stop::TooNarrow) => search.wider(&sizes)?,
        };
        match bits.len() {
            same if same == W => search = search.widen(stores, &bits)?,
            1 => return run(search.widen::<1>(stores, &bits)?, stores),
            2 => return run(search.widen::<2>(stores, &bits)?, stores),
            _ => return run(search.widen::<4>(stores, &bits)?, stores),
        }
    }
}

/// Why the search ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// A limit was reached.
    Limit(Completion),
    /// A number does not fit into its field.
    TooNarrow,
    /// Enough was seen to choose the widths of fields.
    SeenEnough,
    /// It is not for this search.
    GiveUp,
}

impl From<relation::Stop> for Stop {
    fn from(stop: relation::Stop) -> Stop {
        match stop {
            relation::Stop::TooNarrow => Stop::TooNarrow,
            relation::Stop::Interrupted => Stop::Limit(Completion::Interrupted),
            relation::Stop::TooLarge => Stop::GiveUp,
        }
    }
}

impl From<Completion> for Stop {
    fn from(completion: Completion) -> Stop {
        Stop::Limit(completion)
    }
}

/// The successors of a state.
#[derive(Debug)]
struct Successors<const W: usize> {
    /// Whose they are. Zeros, which no state is, if nobody's.
    words: Words<W>,
    next: Vec<Edge<W, ()>>,
    /// The key of each of them.
    keys: Vec<Key>,
    expanded: Expanded,
}

impl<const W: usize> Default for Successors<W> {
    fn default() -> Successors<W> {
        Successors {
            words: [0; W],
            next: Vec::new(),
            keys: Vec::new(),
            expanded: Expanded::default(),
        }
    }
}

/// A state on the stack.
#[derive(Clone, Copy, Debug)]
struct Entry<const W: usize> {
    words: Words<W>,
    level: u32,
    mark: u32,
}

impl<const W: usize> Entry<W> {
    fn state(&self) -> State<W, ()> {
        State {
            words: self.words,
            digest: (),
        }
    }

    fn kind(&self) -> u32 {
        self.mark & REACHED
    }

    fn number(&self) -> u32 {
        self.mark & NUMBER
    }

    fn pid(&self) -> u8 {
        (self.mark >> NUMBER_BITS) as u8
    }
}

/// The search under way.
struct Nested<'a, M, A: ColourStores, const W: usize> {
    product: Product<'a, W, (), M>,
    store: A::Store<W>,
    accounting: Accounting<'a>,
    /// The path with the states that wait.
    stack: Vec<Entry<W>>,
    /// Where in the stack the second search began, while it lasts.
    root: Option<usize>,
    /// The last state of the path was entered, but not expanded.
    is_unexpanded: bool,
    /// The acceptance sets as bits; without any, all moves are accepting.
    sets: u32,
    is_weak: bool,
    /// Whether states are accepting, and not moves.
    by_states: bool,
    /// The successors that are looked up next, and those of a state that will be expanded soon, by
    /// all appearances.
    now: Successors<W>,
    ahead: Successors<W>,
    /// How many states of the interval were foreseen, and for how many intervals it is not tried.
    foreseen: u32,
    blind_intervals: u32,
    /// Stop soon when so many states are stored.
    most: u64,
    until_poll: u32,
    asked_before: u64,
    bad_intervals: u64,
    started: Instant,
}

impl<'a, M: Monitor, A: ColourStores, const W: usize> Nested<'a, M, A, W> {
    /// Begin with the initial state, which is stored and entered.
    fn new(
        product: Product<'a, W, (), M>,
        initial: Words<W>,
        store: A::Store<W>,
        accounting: Accounting<'a>,
        (is_weak, most): (bool, u64),
    ) -> Nested<'a, M, A, W> {
        let info = *product.monitor();
        let mut search: Nested<'a, M, A, W> = Nested {
            store,
            accounting,
            stack: vec![Entry {
                words: initial,
                level: 0,
                mark: ENTERED,
            }],
            root: None,
            is_unexpanded: true,
            sets: u32::MAX.checked_shr(u32::BITS - info.sets).unwrap_or(0),
            is_weak,
            by_states: !is_weak && info.on_states,
            now: Successors::default(),
            ahead: Successors::default(),
            foreseen: 0,
            blind_intervals: BLIND,
            most,
            until_poll: (most / 2) as u32,
            asked_before: 0,
            bad_intervals: 0,
            started: Instant::now(),
            product,
        };
        let (words, key) = search.key(&initial);
        let bytes = words.map(u64::to_le_bytes);
        search
            .store
            .add(bytes.as_flattened(), key, Colour::Cyan as u8);
        search.accounting.statistics.stored = 1;
        search
    }

    /// After [`Stop::TooNarrow`] and [`Stop::SeenEnough`] it can go on.
    fn search(&mut self) -> Result<(), Stop> {
        let mut stack = std::mem::take(&mut self.stack);
        let ended = self.explore(&mut stack);
        self.stack = stack;
        if let Err(Stop::Limit(Completion::ErrorLimit)) = ended {
            self.take_back();
        }
        ended
    }

    fn explore(&mut self, stack: &mut Vec<Entry<W>>) -> Result<(), Stop> {
        if self.is_unexpanded {
            self.expand(stack)?;
        }
        while let Some(&entry) = stack.last() {
            match entry.kind() {
                0 if self.root.is_none() => {
                    stack.pop();
                    self.visit(entry, stack)?;
                }
                0 => {
                    stack.pop();
                    self.revisit(entry, stack)?;
                }
                ENTERED => self.leave(&entry, stack)?,
                COMPLAINT => self.complain(&entry, stack)?,
                _ => {
                    stack.pop();
                    self.accounting.reach(entry.level.into());
                }
            }
        }
        Ok(())
    }

    /// The first search comes to a state.
    #[inline(always)]
    fn visit(&mut self, mut entry: Entry<W>, stack: &mut Vec<Entry<W>>) -> Result<(), Stop> {
        let (words, key) = self.key(&entry.words);
        let bytes = words.map(u64::to_le_bytes);
        let known = (self.store).add(bytes.as_flattened(), key, Colour::Cyan as u8);
        let is_accepting = entry.mark & ACCEPTING != 0;
        let Some(known) = known.map(Colour::of) else {
            self.accounting.statistics.stored += 1;
            // Where states are accepting, the second search begins in these.
            if self.is_weak || self.by_states {
                entry.mark &= !ACCEPTING;
            }
            return self.enter(entry, stack);
        };
        match known {
            Colour::Cyan if is_accepting => return self.close(&entry, stack),
            Colour::CyanAccepting => return self.close(&entry, stack),
            _ => self.accounting.statistics.matched += 1,
        }
        if known == Colour::Blue && is_accepting && !self.is_weak && !self.by_states {
            self.paint(&entry.words, Colour::Red);
            self.accounting.statistics.revisited += 1;
            self.root = Some(stack.len());
            entry.mark &= !ACCEPTING;
            return self.enter(entry, stack);
        }
        Ok(())
    }

    /// The second search comes to a state.
    #[inline(always)]
    fn revisit(&mut self, mut entry: Entry<W>, stack: &mut Vec<Entry<W>>) -> Result<(), Stop> {
        let (words, key) = self.key(&entry.words);
        let bytes = words.map(u64::to_le_bytes);
        match (self.store)
            .note_of(bytes.as_flattened(), key)
            .map(Colour::of)
        {
            Some(Colour::Cyan | Colour::CyanAccepting) => self.close(&entry, stack),
            Some(Colour::Blue) => {
                (self.store).set_note(bytes.as_flattened(), key, Colour::Red as u8);
                self.accounting.statistics.revisited += 1;
                entry.mark &= !ACCEPTING;
                self.enter(entry, stack)
            }
            Some(Colour::Red) => {
                self.accounting.statistics.matched += 1;
                Ok(())
            }
            None => {
                debug_assert!(false, "the first search has been everywhere");
                self.accounting.truncate();
                Ok(())
            }
        }
    }

    /// Enter a state that was just painted.
    #[inline(always)]
    fn enter(&mut self, mut entry: Entry<W>, stack: &mut Vec<Entry<W>>) -> Result<(), Stop> {
        entry.mark |= ENTERED;
        self.accounting.reach(entry.level.into());
        stack.push(entry);
        self.is_unexpanded = true;
        self.expand(stack)
    }

    /// All moves of the last state of the path were taken: leave it, or begin the second search
    /// there.
    #[inline(always)]
    fn leave(&mut self, entry: &Entry<W>, stack: &mut Vec<Entry<W>>) -> Result<(), Stop> {
        let at = stack.len() - 1;
        let accepts = entry.mark & ACCEPTS != 0;
        if let Some(root) = self.root {
            if root == at {
                self.root = None;
                if accepts {
                    self.paint(&entry.words, Colour::Red);
                }
            }
            stack.pop();
            return Ok(());
        }
        let seeds = entry.mark & ACCEPTING != 0;
        if !accepts {
            let colour = if seeds { Colour::Red } else { Colour::Blue };
            self.paint(&entry.words, colour);
        }
        if !accepts && !seeds {
            stack.pop();
            return Ok(());
        }
        self.accounting.statistics.revisited += 1;
        self.root = Some(at);
        self.is_unexpanded = true;
        self.expand(stack)
    }

    /// Give a stored state another colour.
    #[inline(always)]
    fn paint(&mut self, words: &Words<W>, colour: Colour) {
        let (words, key) = self.key(words);
        let bytes = words.map(u64::to_le_bytes);
        self.store.set_note(bytes.as_flattened(), key, colour as u8);
    }

    /// The words of a state that distinguish it from others, and its key.
    #[inline(always)]
    fn key(&mut self, words: &Words<W>) -> (Words<W>, Key) {
        let words = self.product.system().relation().visible(words);
        let key = key(&mut self.store, &words);
        (words, key)
    }

    /// Find the successors of the last state of the path.
    #[inline(always)]
    fn expand(&mut self, stack: &mut Vec<Entry<W>>) -> Result<(), Stop> {
        let at = stack.len() - 1;
        let entry = stack[at];
        if self.ahead.words == entry.words {
            self.foreseen += 1;
        } else {
            self.expand_ahead(&entry.words)?;
        }
        self.is_unexpanded = false;
        std::mem::swap(&mut self.now, &mut self.ahead);
        self.ahead.words = [0; W];
        if self.blind_intervals == 0 {
            self.look_ahead(&entry);
        }
        let expanded = self.now.expanded;
        self.account(&entry, &expanded, stack);
        if self.by_states && self.is_accepting(expanded.sets) && expanded.goes_on {
            stack[at].mark |= ACCEPTS;
            if self.root.is_none() {
                self.paint(&entry.words, Colour::CyanAccepting);
            }
        }
        match expanded.has_complaints && self.root.is_none() {
            false => self.push(&entry, stack),
            true => self.push_with_complaints(&entry, stack),
        }
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll(memory_of(stack))?;
        }
        Ok(())
    }

    /// While the memory comes that tells which successors are new, find the successors of the
    /// one that will be expanded next, by all appearances, and ask for the memory that these
    /// need.
    ///
    /// The moves of processes before that which moved last mostly lead to known states: where
    /// they do not depend on what it did, they led to the same states from before.
    #[inline(always)]
    fn look_ahead(&mut self, entry: &Entry<W>) {
        let pid = entry.pid();
        if let Some(next) = self.now.next.iter().find(|next| next.pid <= pid) {
            let words = next.state.words;
            // If something is wrong with it, that will come up when its time has come.
            let _ = self.expand_ahead(&words);
        }
    }

    /// Find the successors of a state, and ask for the memory that looking them up will need.
    #[inline(always)]
    fn expand_ahead(&mut self, words: &Words<W>) -> Result<(), Stop> {
        self.ahead.words = [0; W];
        self.ahead.next.clear();
        self.ahead.keys.clear();
        let config = &self.accounting.config;
        let (stop, limit, started) = (config.stop, config.time_limit, self.started);
        // Relaxed: nothing else is read because the flag is set.
        let mut poll = || {
            stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
                || limit.is_some_and(|limit| started.elapsed() > limit)
        };
        let state = State {
            words: *words,
            digest: (),
        };
        let found = &mut self.ahead.next;
        self.ahead.expanded = self.product.expand(&state, found, &mut poll)?;
        self.ahead.words = *words;
        let (relation, store) = (self.product.system().relation(), &mut self.store);
        for next in &self.ahead.next {
            let words = relation.visible(&next.state.words);
            let key = key(store, &words);
            store.fetch(key);
            self.ahead.keys.push(key);
        }
        Ok(())
    }

    /// Whether moves that belong to these sets are accepting.
    #[inline(always)]
    fn is_accepting(&self, sets: u32) -> bool {
        sets & self.sets == self.sets
    }

    #[inline(always)]
    fn account(&mut self, entry: &Entry<W>, expanded: &Expanded, stack: &mut Vec<Entry<W>>) {
        let statistics = &mut self.accounting.statistics;
        let level = u64::from(entry.level + expanded.reach);
        statistics.depth = statistics.depth.max(level);
        statistics.atomic_steps += expanded.atomic_steps;
        statistics.endless_atomics += expanded.endless;
        let level = entry.level + expanded.reach_inside;
        if u64::from(level) > statistics.depth {
            stack.push(Entry {
                words: entry.words,
                level,
                mark: REACHED,
            });
        }
    }

    /// Count the successors that are only to be counted, and put the others on the stack, the first
    /// one on top.
    #[inline(always)]
    fn push(&mut self, entry: &Entry<W>, stack: &mut Vec<Entry<W>>) {
        let before = stack.len();
        for number in (0..self.now.next.len()).rev() {
            let (waiting, is_counted) = self.look_up(entry, number);
            stack.push(waiting);
            // Pushed first and taken away then, since nobody can foresee which way to jump.
            stack.truncate(stack.len() - usize::from(is_counted));
        }
        let waiting = stack.len() - before;
        self.accounting.statistics.matched += (self.now.next.len() - waiting) as u64;
    }

    /// A successor, and whether all there is to do about it is to count it, now and in its turn.
    #[inline(always)]
    fn look_up(&self, entry: &Entry<W>, number: usize) -> (Entry<W>, bool) {
        let next = &self.now.next[number];
        let words = self.product.system().relation().visible(&next.state.words);
        let bytes = words.map(u64::to_le_bytes);
        let known = (self.store).note_of(bytes.as_flattened(), self.now.keys[number]);
        let is_accepting = self.is_accepting(next.sets);
        let is_counted = match (known.map(Colour::of), self.root) {
            (None, _) => false,
            (Some(colour), Some(_)) => colour == Colour::Red,
            (Some(Colour::Cyan), None) => !is_accepting,
            (Some(Colour::CyanAccepting), None) => false,
            (Some(Colour::Blue), None) => !is_accepting || self.is_weak || self.by_states,
            (Some(Colour::Red), None) => true,
        };
        let waiting = Entry {
            words: next.state.words,
            level: entry.level + self.product.levels(next.info),
            mark: (number as u32).min(NUMBER)
                | u32::from(next.pid) << NUMBER_BITS
                | if is_accepting { ACCEPTING } else { 0 },
        };
        (waiting, is_counted)
    }

    /// Look at the limits. `waiting` is the memory of the stack.
    #[cold]
    #[inline(never)]
    fn poll(&mut self, waiting: usize) -> Result<(), Stop> {
        self.until_poll = INTERVAL;
        let store = self.store.memory_bytes();
        match self.blind_intervals {
            0 if self.foreseen < LEAST_FORESEEN => self.blind_intervals = BLIND,
            blind => self.blind_intervals = blind.saturating_sub(1),
        }
        self.foreseen = 0;
        self.product.forget_beyond(ROW_BYTES.max(store));
        let asked = self.product.asked() - self.asked_before;
        self.asked_before = self.product.asked();
        let stored = self.accounting.statistics.stored;
        let most_asked = match stored < FIRST {
            true => MOST_ASKED_AT_FIRST,
            false => MOST_ASKED,
        };
        self.bad_intervals = match asked > most_asked {
            true => self.bad_intervals + 1,
            false => 0,
        };
        let bad = self.bad_intervals * u64::from(INTERVAL);
        // What was reported cannot be reported again.
        let is_silent = self.accounting.statistics.errors == 0;
        if is_silent && bad > BAD_STATES.max(stored / BAD_PART) {
            return Err(Stop::GiveUp);
        }
        if stored >= self.most {
            return Err(Stop::SeenEnough);
        }
        if self.most < u64::MAX {
            self.until_poll = (self.most / 2) as u32;
            self.product.mark();
        }
        let beside = self.product.memory_bytes();
        let polled = self.accounting.poll(store + waiting + beside);
        polled.map_err(|limit| match limit {
            // Whole vectors may need less than what is known about their parts.
            Completion::MemoryLimit if beside > store && is_silent => Stop::GiveUp,
            limit => Stop::Limit(limit),
        })
    }

    /// After [`Stop::TooNarrow`]: how wide words should be, if that is possible. Rather too wide than
    /// too narrow again.
    fn wider(&self, sizes: &[Vec<u32>]) -> Option<Vec<u32>> {
        let enough = || sizes.iter().filter(|bits| bits.len() >= W);
        let roomy = enough().find(|bits| self.product.fits(bits, true));
        roomy
            .or_else(|| enough().find(|bits| self.product.fits(bits, false)))
            .cloned()
    }

    /// The same search with another layout. None if there is no memory for two stores.
    fn widen<const V: usize>(self, stores: &mut A, bits: &[u32]) -> Option<Nested<'a, M, A, V>> {
        let store = self.store.memory_bytes();
        let for_both = store + store * V / W + self.product.memory_bytes();
        let limit = self.accounting.config.memory_limit;
        if limit.is_some_and(|limit| for_both > limit) {
            return None;
        }
        let (product, plan) = self.product.widen::<V>(bits)?;
        let rewrite = |words: &Words<W>| plan.apply(words);
        let empty = stores.make(std::array::from_fn(|word| bits[word]));
        let store = rewritten(&self.store, empty, rewrite);
        let stack = self.stack.into_iter().map(|entry| Entry {
            words: rewrite(&entry.words),
            level: entry.level,
            mark: entry.mark,
        });
        Some(Nested {
            store,
            stack: stack.collect(),
            product,
            accounting: self.accounting,
            root: self.root,
            is_unexpanded: self.is_unexpanded,
            sets: self.sets,
            is_weak: self.is_weak,
            by_states: self.by_states,
            now: Successors::default(),
            ahead: Successors::default(),
            foreseen: 0,
            blind_intervals: self.blind_intervals,
            most: self.most,
            until_poll: self.until_poll,
            asked_before: self.asked_before,
            bad_intervals: self.bad_intervals,
            started: self.started,
        })
    }

    /// The outcome, and the first error of the model that ended an execution.
    fn end(mut self, ended: Result<(), Completion>) -> (Outcome, Option<Violation>) {
        let states = self.store.memory_bytes() + self.product.memory_bytes();
        let beside = memory_of(&self.stack);
        self.accounting.judge_atomics();
        self.accounting.statistics.longest_state = self.product.longest_vector();
        self.accounting.reached = self.product.system().executed().to_vec();
        let exact = A::Store::<W>::EXACT;
        let outcome = self.accounting.outcome(ended, exact, states, beside);
        let outcome = Outcome {
            collapsed: true,
            ..outcome
        };
        (outcome, self.product.fault())
    }
}
