//! What searches over packed states share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use relation::{Counted, Digest, Members, Next, Phase, State, System, What, Words};
use space::{Pid, Step, Violation, ViolationKind};
use store::{Key, StateStore};

use super::WordStores;
use super::breadth_first::Layers;
use super::depth_first::Entry;
use super::orbits::Orbits;
use super::reduced_dfs::Reduction;
use crate::accounting::Accounting;
use crate::backoff::Backoff;
use crate::{Completion, Outcome};

/// Look at the limits after so many states.
const INTERVAL: u32 = 1 << 12;
/// Where fewer states are foreseen than this in an interval, it is not tried for some intervals;
/// nor at first, while what is looked up is near.
const LEAST_FORESEEN: u32 = INTERVAL / 3;
const BLIND: u32 = 8;
/// Rows may take so much memory, or as much as the store.
const ROW_BYTES: usize = 64 << 20;

/// More questions to the model than this in an interval are too many: another search is faster.
/// At first, while little is known, they may be more.
const MOST_ASKED: u64 = INTERVAL as u64 / 2;
const MOST_ASKED_AT_FIRST: u64 = INTERVAL as u64 * 9 / 10;
const FIRST: u64 = 1 << 18;
/// The search is given up when that has gone on for so many states, or a part of it if that is
/// more.
const BAD_STATES: u64 = 1 << 14;
const BAD_PART: u64 = 16;

/// Why a search over packed states ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A limit was reached.
    Limit(Completion),
    /// A number does not fit into its field.
    TooNarrow,
    /// Enough was seen to choose the widths of fields.
    SeenEnough,
    /// So many states were explored as was asked for.
    Paused,
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

/// What ends a long question to the model.
#[derive(Clone, Copy)]
pub(super) struct Deadline<'a> {
    stop: Option<&'a AtomicBool>,
    time: Option<(Instant, Duration)>,
}

impl Deadline<'_> {
    pub(super) fn has_come(&self) -> bool {
        // Relaxed: nothing else is read because the flag is set.
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self
                .time
                .is_some_and(|(start, limit)| start.elapsed() > limit)
    }
}

/// The successors of a state, or of several.
pub(super) struct Successors<const W: usize, D> {
    /// Whose they are. Zeros, which no state is, if nobody's.
    pub(super) state: Words<W>,
    pub(super) next: Vec<Next<W, D>>,
    /// What the store sees of them, if that is not the states themselves.
    pub(super) representatives: Vec<State<W, D>>,
    /// The key of each of them.
    pub(super) keys: Vec<Key>,
    pub(super) counted: Counted,
}

impl<const W: usize, D: Digest> Successors<W, D> {
    pub(super) fn new() -> Successors<W, D> {
        Successors {
            state: [0; W],
            next: Vec::new(),
            representatives: Vec::new(),
            keys: Vec::new(),
            counted: Counted::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.state = [0; W];
        self.next.clear();
        self.representatives.clear();
        self.keys.clear();
    }

    /// Leave out those from a number on, which were not looked up yet.
    pub(super) fn truncate(&mut self, len: usize) {
        self.next.truncate(len);
        self.representatives.truncate(len);
    }
}

/// A violation out of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Violated {
    pub(super) violation: Violation,
    /// So many moves out of the state come before it.
    pub(super) after: u32,
    /// The levels from the state to the node whose step it is, and the step; none if it is the state
    /// itself.
    pub(super) levels: u32,
    pub(super) step: Option<Step>,
    /// Where it is explained.
    pub(super) source: Option<(Pid, Phase, usize)>,
}

/// A search under way.
pub(super) struct Search<'a, A: WordStores, const W: usize> {
    pub(super) system: System<'a, W, A::Digest>,
    pub(super) store: A::Store<W>,
    /// Finds what the store sees of states, under symmetry.
    pub(super) orbits: Option<Orbits<'a, W, A::Digest>>,
    pub(super) accounting: Accounting<'a>,
    pub(super) deadline: Deadline<'a>,
    pub(super) initial: State<W, A::Digest>,
    /// Stop soon when so many states are stored.
    most: u64,
    /// Depth first, the successors that are looked up next; breadth first, those that come now.
    pub(super) now: Successors<W, A::Digest>,
    /// Depth first, those of a state that will be explored soon, by all appearances; breadth first,
    /// those that are looked up next.
    pub(super) ahead: Successors<W, A::Digest>,
    /// Depth first, the path with the states that wait, and one that was stored but not explored.
    pub(super) stack: Vec<Entry<W, A::Digest>>,
    pub(super) unexplored: Option<Entry<W, A::Digest>>,
    /// What a search with ample sets keeps, and the processes of the state expanded last.
    pub(super) reduction: Option<Reduction>,
    pub(super) members: Members,
    /// The same of the state in [`Search::ahead`].
    pub(super) members_ahead: Members,
    /// Pause when so many states are explored.
    pause_at: u64,
    /// What is kept breadth first.
    pub(super) layers: Layers<W, A::Digest>,
    /// How many states of the interval were foreseen, and for how many intervals it is not tried.
    pub(super) foreseen: u32,
    pub(super) blind_intervals: u32,
    pub(super) until_poll: u32,
    asked_before: u64,
    /// How many intervals in a row there were too many questions.
    bad_intervals: u64,
    /// So many states were stored when they got another layout last.
    rewritten_at: u64,
    /// The most memory for states that wait.
    pub(super) peak: usize,
}

impl<'a, A: WordStores, const W: usize> Search<'a, A, W> {
    /// Begin with the initial state, which waits.
    pub(super) fn new(
        (system, orbits): (System<'a, W, A::Digest>, Option<Orbits<'a, W, A::Digest>>),
        initial: &State<W, A::Digest>,
        store: A::Store<W>,
        accounting: Accounting<'a>,
        most: u64,
    ) -> Search<'a, A, W> {
        let config = &accounting.config;
        let deadline = Deadline {
            stop: config.stop,
            time: config.time_limit.map(|limit| (Instant::now(), limit)),
        };
        let reduction = system.finder().map(|finder| Reduction {
            backoff: Backoff::new(finder),
            taken: Vec::new(),
        });
        Search {
            system,
            store,
            orbits,
            accounting,
            deadline,
            initial: *initial,
            most,
            now: Successors::new(),
            ahead: Successors::new(),
            stack: Vec::new(),
            unexplored: Some(Entry::initial(initial)),
            reduction,
            members: Members::default(),
            members_ahead: Members::default(),
            pause_at: u64::MAX,
            layers: Layers::new(initial),
            foreseen: 0,
            blind_intervals: BLIND,
            until_poll: (most / 2).min(INTERVAL.into()) as u32,
            asked_before: 0,
            bad_intervals: 0,
            rewritten_at: 0,
            peak: 0,
        }
    }

    /// Store the initial state, if that was not done yet.
    pub(super) fn begin(&mut self) -> Result<(), Stop> {
        if self.accounting.statistics.stored == 0 {
            let form = self.stored_form(&self.initial.clone())?;
            let key = A::key(&mut self.store, &form.words, form.digest);
            self.insert(&form.words, key);
        }
        Ok(())
    }

    /// What the store sees of a state.
    #[inline(always)]
    pub(super) fn stored_form(
        &mut self,
        state: &State<W, A::Digest>,
    ) -> Result<State<W, A::Digest>, Stop> {
        match &mut self.orbits {
            None => Ok(State {
                words: self.system.relation().visible(&state.words),
                digest: state.digest,
            }),
            Some(orbits) => Ok(orbits.represent(&mut self.system, state)?),
        }
    }

    /// Store what it sees of a state, and count it; whether it is new.
    #[inline(always)]
    pub(super) fn insert(&mut self, words: &Words<W>, key: Key) -> bool {
        let bytes = words.map(u64::to_le_bytes);
        let is_new = self.store.insert(bytes.as_flattened(), key).is_new();
        match is_new {
            true => self.accounting.statistics.stored += 1,
            false => self.accounting.statistics.matched += 1,
        }
        is_new
    }

    /// Find the representatives of successors from a number on, if the store sees these.
    #[inline(always)]
    pub(super) fn represent(
        system: &mut System<'a, W, A::Digest>,
        orbits: &mut Option<Orbits<'a, W, A::Digest>>,
        successors: &mut Successors<W, A::Digest>,
        from: usize,
    ) -> Result<(), Stop> {
        if let Some(orbits) = orbits {
            for next in &successors.next[from..] {
                let representative = orbits.represent(system, &next.state)?;
                successors.representatives.push(representative);
            }
        }
        Ok(())
    }

    /// Ask for the memory that looking up successors will need.
    #[inline(always)]
    pub(super) fn prepare(
        system: &System<'a, W, A::Digest>,
        store: &mut A::Store<W>,
        successors: &mut Successors<W, A::Digest>,
    ) {
        let Successors {
            next,
            representatives,
            keys,
            ..
        } = successors;
        let mut fetch = |words: &Words<W>, digest| {
            let key = A::key(store, words, digest);
            store.fetch(key);
            key
        };
        if representatives.is_empty() {
            keys.extend(next.iter().map(|next| {
                let words = system.relation().visible(&next.state.words);
                fetch(&words, next.state.digest)
            }));
        } else {
            keys.extend(
                representatives
                    .iter()
                    .map(|state| fetch(&state.words, state.digest)),
            );
        }
    }

    /// What the store sees of a successor, by its number.
    #[inline(always)]
    pub(super) fn words_of(
        system: &System<'a, W, A::Digest>,
        successors: &Successors<W, A::Digest>,
        number: usize,
    ) -> Words<W> {
        match successors.representatives.get(number) {
            None => system
                .relation()
                .visible(&successors.next[number].state.words),
            Some(representative) => representative.words,
        }
    }

    /// What the steps out of a state violate, and the state itself, in the order of the search.
    #[cold]
    pub(super) fn violations(
        &mut self,
        state: &State<W, A::Digest>,
        counted: &Counted,
    ) -> Result<Vec<Violated>, Stop> {
        let mut all = Vec::new();
        let phases = match counted.is_timeout {
            true => &Phase::ALL[..],
            false => &Phase::ALL[..1],
        };
        for &phase in phases {
            let found = self.system.violations(state, phase)?.into_iter();
            all.extend(found.map(|(pid, number, after, blame)| Violated {
                violation: blame.violation,
                after,
                levels: blame.levels,
                step: blame.step,
                source: Some((pid, phase, number)),
            }));
        }
        if !counted.moved && !self.system.relation().may_end(state) {
            all.push(Violated {
                violation: ViolationKind::InvalidEndState.into(),
                after: 0,
                levels: 0,
                step: None,
                source: None,
            });
        }
        Ok(all)
    }

    /// Report a violation out of a state. `last` is the last step on the way to the state, and `path`
    /// gives the moves there from the initial state, if the execution is wanted.
    #[cold]
    pub(super) fn report(
        &mut self,
        state: &State<W, A::Digest>,
        violated: &Violated,
        last: Option<Step>,
        path: impl FnOnce(&mut Self) -> Vec<u32>,
    ) -> Result<(), Stop> {
        let violation = violated.violation;
        // How deep it is matters only where its execution is kept.
        if (self.accounting).note(violation, violated.step.or(last), 0) {
            let path = path(self);
            let depth = self.levels_of(&path) as i64 + i64::from(violated.levels);
            let depth = match violation.kind {
                ViolationKind::InvalidEndState => depth - 1,
                // An event trace is heard after the step.
                ViolationKind::EventTrace => depth + 1,
                _ => depth,
            };
            let mut trace = self.trace(&path);
            if let Some((pid, phase, number)) = violated.source {
                let steps = self.system.explain(state, pid, phase, What::Blame(number));
                trace.steps.extend(steps);
            }
            self.accounting.keep(depth, trace);
        }
        Ok(self.accounting.enough_errors()?)
    }

    /// How many states were explored.
    pub(super) fn explored(&self) -> u64 {
        self.accounting.statistics.stored - u64::from(self.unexplored.is_some())
    }

    /// Pause when so many states are explored, more than there are now.
    pub(super) fn pause_at(&mut self, states: u64) {
        self.pause_at = states;
        let left = states.saturating_sub(self.explored());
        self.until_poll = u64::from(self.until_poll).min(left) as u32;
    }

    /// Look at the limits. `waiting` is the memory for states that wait.
    #[cold]
    pub(super) fn poll(&mut self, waiting: usize) -> Result<(), Stop> {
        self.until_poll = INTERVAL;
        self.peak = self.peak.max(waiting);
        let store = self.store.memory_bytes();
        self.system.forget_beyond(ROW_BYTES.max(store));
        match self.blind_intervals {
            0 if self.foreseen < LEAST_FORESEEN => self.blind_intervals = BLIND,
            blind => self.blind_intervals = blind.saturating_sub(1),
        }
        self.foreseen = 0;
        let asked = self.system.asked() - self.asked_before;
        self.asked_before = self.system.asked();
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
        if bad > BAD_STATES.max(stored / BAD_PART) {
            return Err(Stop::GiveUp);
        }
        if stored >= self.most {
            return Err(Stop::SeenEnough);
        }
        if self.most < u64::MAX {
            self.until_poll = (self.most / 2) as u32;
            self.system.mark();
        }
        if stored >= self.pause_at {
            return Err(Stop::Paused);
        }
        self.pause_at(self.pause_at);
        let beside = self.system.memory_bytes();
        let polled = self.accounting.poll(store + waiting + beside);
        polled.map_err(|limit| match limit {
            // Whole vectors may need less than what is known about their parts.
            Completion::MemoryLimit if beside > store => Stop::GiveUp,
            limit => Stop::Limit(limit),
        })
    }

    /// See more values than the first states have.
    pub(super) fn scout(&mut self) {
        let deadline = self.deadline;
        (self.system).scout(&self.initial, &mut || deadline.has_come());
    }

    /// After [`Stop::SeenEnough`]: how wide words should be. It goes on to the end then.
    pub(super) fn settle(&mut self, sizes: &[Vec<u32>]) -> Option<Vec<u32>> {
        self.most = u64::MAX;
        self.until_poll = INTERVAL;
        self.scout();
        super::size(&self.system, sizes)
    }

    /// After [`Stop::TooNarrow`]: how wide words should be, if that is possible. Soon after the last
    /// time rather too wide than too narrow again, since all states are rewritten.
    pub(super) fn wider(&mut self, sizes: &[Vec<u32>]) -> Option<Vec<u32>> {
        let stored = self.accounting.statistics.stored;
        let is_soon = stored < 2 * self.rewritten_at;
        self.rewritten_at = stored;
        let mut enough = sizes.iter().filter(|bits| bits.len() >= W);
        let roomy = enough.clone().find(|bits| self.system.fits_more(bits));
        let tight = enough.find(|bits| self.system.fits(bits));
        match is_soon {
            true => roomy.or(tight),
            false => tight,
        }
        .cloned()
    }

    /// The same search with another layout. None if there is no memory for two stores where that
    /// takes two.
    pub(super) fn widen<const V: usize>(
        self,
        stores: &mut A,
        bits: &[u32],
    ) -> Option<Search<'a, A, V>> {
        let store = self.store.memory_bytes();
        let for_both = store + store * V / W + self.system.memory_bytes();
        let limit = self.accounting.config.memory_limit;
        if A::Store::<W>::EXACT && limit.is_some_and(|limit| for_both > limit) {
            return None;
        }
        let (system, plan) = self.system.widen::<V>(bits)?;
        let rewrite = |words: &Words<W>| plan.apply(words);
        let state = |state: State<W, A::Digest>| State {
            words: rewrite(&state.words),
            digest: state.digest,
        };
        let bits = std::array::from_fn(|word| bits[word]);
        Some(Search {
            store: stores.rewrite(self.store, bits, rewrite),
            system,
            orbits: self.orbits.map(Orbits::widened),
            accounting: self.accounting,
            deadline: self.deadline,
            initial: state(self.initial),
            most: self.most,
            now: Successors::new(),
            ahead: Successors::new(),
            stack: self
                .stack
                .into_iter()
                .map(|entry| entry.rewritten(state))
                .collect(),
            unexplored: self.unexplored.map(|entry| entry.rewritten(state)),
            reduction: self.reduction,
            members: self.members,
            members_ahead: self.members_ahead,
            pause_at: self.pause_at,
            layers: self.layers.rewritten(state),
            foreseen: 0,
            blind_intervals: self.blind_intervals,
            until_poll: self.until_poll,
            asked_before: self.asked_before,
            bad_intervals: self.bad_intervals,
            rewritten_at: self.rewritten_at,
            peak: self.peak,
        })
    }

    /// The system, with all that it has learned, and its initial state.
    pub(super) fn into_parts(self) -> (System<'a, W, A::Digest>, State<W, A::Digest>) {
        (self.system, self.initial)
    }

    /// The outcome.
    pub(super) fn end(mut self, stores: &mut A, ended: Result<(), Completion>) -> Outcome {
        let states = self.store.memory_bytes() + self.system.memory_bytes();
        let beside = self.peak + self.layers.link_bytes();
        self.accounting.statistics.longest_state = self.system.longest_vector();
        self.accounting.reached = self.system.executed().to_vec();
        let backoff = self.reduction.as_ref().map(|reduction| &reduction.backoff);
        self.accounting.given_up = backoff.and_then(Backoff::given_up);
        let exact = A::Store::<W>::EXACT;
        let outcome = self.accounting.outcome(ended, exact, states, beside);
        stores.take_back(self.store);
        Outcome {
            collapsed: true,
            ..outcome
        }
    }
}

/// The memory of a list.
pub(super) fn memory_of<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
