//! Depth-first search over packed states that takes ample sets of moves.
//!
//! Follows: [`crate::reduced_dfs`], which says why the proviso is enough; order and counts are
//! those of that search.
//!
//! Departs:
//! - Transitions that could be executed count as reached, also if their moves were left out,
//!   since what is known about a process speaks of all its moves.
//! - As long as no ample sets are looked for, see [`crate::backoff`], this is
//!   [`super::depth_first`].

use relation::{Ample, Counted, Digest, Next, State, Words};
use space::PidSet;
use store::StateStore;

use super::WordStores;
use super::depth_first::Entry;
use super::search::{Search, Stop, memory_of};
use crate::Completion;
use crate::backoff::Backoff;
use crate::depth_first::ALL;
use crate::path_set::PathSet;
use crate::reduced_dfs::REACH;

/// What a search with ample sets keeps.
#[derive(Debug)]
pub(super) struct Reduction {
    pub(super) backoff: Backoff,
    /// The sets that were taken in the states of the path that are marked.
    pub(super) taken: Vec<PidSet>,
}

/// A state of the path.
struct Place {
    /// Where it is on the stack.
    at: usize,
    /// The number of the move that leads to it.
    number: u32,
    /// Who moved on from it, if that was asked for.
    movers: Option<PidSet>,
}

/// The states of the path, and what is known about them.
struct Trail<const W: usize, D> {
    states: PathSet<Words<W>>,
    places: Vec<Place>,
    found: Vec<Next<W, D>>,
}

impl<const W: usize, D: Digest> Trail<W, D> {
    fn new() -> Trail<W, D> {
        Trail {
            states: PathSet::default(),
            places: Vec::new(),
            found: Vec::new(),
        }
    }

    fn enter(&mut self, state: Words<W>, at: usize, number: u32) {
        self.states.push(state);
        let movers = None;
        self.places.push(Place { at, number, movers });
    }

    fn leave(&mut self) {
        self.states.pop();
        self.places.pop();
        // The search moves on from there another way.
        if let Some(place) = self.places.last_mut() {
            place.movers = None;
        }
    }

    fn memory_bytes(&self) -> usize {
        self.states.memory_bytes() + memory_of(&self.places)
    }
}

impl<A: WordStores, const W: usize> Search<'_, A, W> {
    /// After [`Stop::TooNarrow`] and [`Stop::SeenEnough`] it can go on.
    pub(super) fn reduced_depth_first(&mut self) -> Result<(), Stop> {
        let mut stack = std::mem::take(&mut self.stack);
        let begun = self.begin();
        let ended = begun.and_then(|()| self.explore_by_turns(&mut stack));
        // It never shrinks.
        self.peak = self.peak.max(memory_of(&stack));
        self.stack = stack;
        if let Err(Stop::Limit(Completion::ErrorLimit)) = ended {
            self.take_back();
        }
        ended
    }

    /// Search with ample sets, or without where they leave out next to nothing.
    fn explore_by_turns(&mut self, stack: &mut Vec<Entry<W, A::Digest>>) -> Result<(), Stop> {
        loop {
            let idle = (self.reduction.as_ref())
                .map_or(Some(u64::MAX), |reduction| reduction.backoff.idle_until());
            let Some(states) = idle else {
                match self.explore_reduced(stack)? {
                    true => return Ok(()),
                    false => continue,
                }
            };
            if states == u64::MAX && self.system.finder().is_some() {
                self.system.stop_reducing();
            }
            if self.explored() < states {
                self.pause_at(states);
                match self.explore_depth_first(stack) {
                    Err(Stop::Paused) => {}
                    ended => return ended,
                }
            }
            let seen = self.explored();
            if let Some(reduction) = &mut self.reduction {
                reduction.backoff.skip_to(seen);
            }
        }
    }

    /// Search with ample sets as long as they are looked for. Whether it has come to the end.
    #[inline(never)]
    fn explore_reduced(&mut self, stack: &mut Vec<Entry<W, A::Digest>>) -> Result<bool, Stop> {
        let mut trail = self.trail(stack)?;
        self.pause_at(u64::MAX);
        self.ahead.clear();
        if let Some(entry) = self.unexplored {
            let form = self.stored_form(&entry.state)?;
            self.unexplored = None;
            self.explore_some((entry, form.words), stack, &mut trail)?;
        }
        while self.is_seeking() {
            let Some(entry) = stack.pop() else {
                return Ok(true);
            };
            if entry.is_waiting() {
                let form = match self.stored_form(&entry.state) {
                    Ok(form) => form,
                    Err(stop) => {
                        stack.push(entry);
                        return Err(stop);
                    }
                };
                let key = A::key(&mut self.store, &form.words, form.digest);
                if self.insert(&form.words, key) {
                    self.explore_some((entry, form.words), stack, &mut trail)?;
                }
            } else if entry.is_entered() {
                trail.leave();
                if let (true, Some(reduction)) = (entry.is_reduced(), &mut self.reduction) {
                    reduction.taken.pop();
                }
            } else {
                self.note(&entry, stack)?;
            }
        }
        Ok(false)
    }

    fn is_seeking(&self) -> bool {
        let backoff = self.reduction.as_ref().map(|reduction| &reduction.backoff);
        backoff.is_some_and(|backoff| backoff.idle_until().is_none())
    }

    /// The path that lies on the stack.
    fn trail(&mut self, stack: &[Entry<W, A::Digest>]) -> Result<Trail<W, A::Digest>, Stop> {
        let mut trail = Trail::new();
        let mut reduced = 0;
        let entered = stack.iter().enumerate();
        for (at, entry) in entered.filter(|(_, entry)| entry.is_entered()) {
            let form = self.stored_form(&entry.state)?;
            trail.enter(form.words, at, entry.number());
            reduced += usize::from(entry.is_reduced());
        }
        // States that were left while nobody looked are on top.
        if let Some(reduction) = &mut self.reduction {
            reduction.taken.truncate(reduced);
        }
        Ok(trail)
    }

    /// Find the successors of a state that was just stored, as these words, as many as are needed.
    #[inline(always)]
    fn explore_some(
        &mut self,
        (entry, words): (Entry<W, A::Digest>, Words<W>),
        stack: &mut Vec<Entry<W, A::Digest>>,
        trail: &mut Trail<W, A::Digest>,
    ) -> Result<(), Stop> {
        if self.ahead.state == entry.state.words {
            self.foreseen += 1;
        } else if let Err(stop) = self.expand_noting_ahead(&entry.state) {
            self.unexplored = Some(entry);
            return Err(stop);
        }
        std::mem::swap(&mut self.now, &mut self.ahead);
        std::mem::swap(&mut self.members, &mut self.members_ahead);
        self.ahead.clear();
        trail.enter(words, stack.len(), entry.number());
        let taken = self.choose(&entry, stack, trail);
        if taken != ALL {
            self.leave_out(taken);
        }
        if self.blind_intervals == 0 {
            self.look_ahead_noting(entry.pid());
        }
        stack.push(entry.entered(taken != ALL));
        let counted = self.now.counted;
        self.account(&entry, &counted, stack);
        match counted.has_violations || !counted.moved {
            false => self.push_unknown(entry.level(), stack),
            true => self.push_violated(&entry, taken, stack)?,
        }
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll(memory_of(stack) + trail.memory_bytes())?;
        }
        Ok(())
    }

    /// While the memory comes that is asked for, find the successors of the state that will be explored
    /// next, by all appearances; see [`super::depth_first`].
    #[inline(always)]
    fn look_ahead_noting(&mut self, pid: u8) {
        if let Some(next) = self.now.next.iter().find(|next| next.pid().0 <= pid) {
            let state = next.state;
            // If something is wrong with it, that will come up when its time has come.
            let _ = self.expand_noting_ahead(&state);
        }
    }

    /// Find all successors of a state, and what is known about its processes, and ask for the memory
    /// that looking them up will need.
    #[inline(always)]
    fn expand_noting_ahead(&mut self, state: &State<W, A::Digest>) -> Result<(), Stop> {
        self.ahead.clear();
        let deadline = self.deadline;
        let mut poll = || deadline.has_come();
        let (all, members) = (&mut self.ahead.next, &mut self.members_ahead);
        let expanded = self.system.expand_noting(state, all, members, &mut poll);
        let represented = expanded.map_err(Stop::from).and_then(|counted| {
            self.ahead.counted = counted;
            Self::represent(&mut self.system, &mut self.orbits, &mut self.ahead, 0)
        });
        if let Err(stop) = represented {
            self.ahead.clear();
            return Err(stop);
        }
        self.ahead.state = state.words;
        Self::prepare(&self.system, &mut self.store, &mut self.ahead);
        Ok(())
    }

    /// Choose the first ample set of the last state of the path that satisfies the proviso, or all
    /// processes if there is none.
    #[inline(always)]
    fn choose(
        &mut self,
        entry: &Entry<W, A::Digest>,
        stack: &[Entry<W, A::Digest>],
        trail: &mut Trail<W, A::Digest>,
    ) -> PidSet {
        let ample = self.find_ample(entry);
        for number in 0..ample.count() {
            let Some(set) = self.system.ample_set(ample, number) else {
                break;
            };
            if self.satisfies_proviso(set.pids, stack, trail) {
                if let Some(reduction) = &mut self.reduction {
                    reduction.backoff.take(&set);
                    reduction.taken.push(set.pids);
                }
                return set.pids;
            }
        }
        ALL
    }

    /// Leave out the moves of all but some processes.
    #[inline(always)]
    fn leave_out(&mut self, taken: PidSet) {
        let now = &mut self.now;
        let has_representatives = !now.representatives.is_empty();
        let mut kept = 0;
        for at in 0..now.next.len() {
            now.next[kept] = now.next[at];
            now.keys[kept] = now.keys[at];
            if has_representatives {
                now.representatives[kept] = now.representatives[at];
            }
            kept += usize::from(taken.has(now.next[at].pid()));
        }
        now.next.truncate(kept);
        now.keys.truncate(kept);
        now.representatives.truncate(kept);
        now.counted = Counted::of_some(&self.members, taken);
    }

    /// Look for ample sets of the state expanded last.
    #[inline(always)]
    fn find_ample(&mut self, entry: &Entry<W, A::Digest>) -> Ample {
        let (system, members) = (&mut self.system, &self.members);
        let Some(reduction) = &mut self.reduction else {
            return Ample::NONE;
        };
        let analysed = || system.finder().map_or(0, |finder| finder.analysed());
        let Some(look) = reduction.backoff.next_state(analysed) else {
            return Ample::NONE;
        };
        let ample = system.find_ample(&entry.state, members, look);
        if ample.looked_closely {
            reduction.backoff.looked_closely();
        }
        ample
    }

    /// Whether taking the moves of some processes only satisfies the proviso: no other one that can move
    /// is postponed for ever.
    #[inline(always)]
    fn satisfies_proviso(
        &mut self,
        taken: PidSet,
        stack: &[Entry<W, A::Digest>],
        trail: &mut Trail<W, A::Digest>,
    ) -> bool {
        let left_out = PidSet(self.members.moving().0 & !taken.0);
        for number in 0..self.now.next.len() {
            let next = &self.now.next[number];
            let is_straight = self.system.relation().info(next.info).is_straight;
            if !taken.has(next.pid()) || !is_straight {
                continue;
            }
            let words = Self::words_of(&self.system, &self.now, number);
            let bytes = words.map(u64::to_le_bytes);
            let key = self.now.keys[number];
            if !self.store.contains(bytes.as_flattened(), key) {
                return true;
            }
            let is_enough = match trail.states.find(words) {
                None => true,
                Some(from) => {
                    self.orbits.is_none() && self.have_moved_since(from, left_out, stack, trail)
                }
            };
            if is_enough {
                return true;
            }
        }
        false
    }

    /// Whether all of these processes have moved since a state of the path, not too long ago.
    fn have_moved_since(
        &mut self,
        from: usize,
        pids: PidSet,
        stack: &[Entry<W, A::Digest>],
        trail: &mut Trail<W, A::Digest>,
    ) -> bool {
        let len = trail.places.len();
        if len - from > REACH {
            return false;
        }
        let mut left = pids.0;
        // The last state was not moved on from yet.
        for number in (from..len - 1).rev() {
            if left == 0 {
                break;
            }
            let movers = match trail.places[number].movers {
                Some(movers) => movers,
                None => self.find_movers(number, stack, trail),
            };
            left &= !movers.0;
        }
        left == 0
    }

    /// Find out who made a step of the move from one state of the path to the next.
    #[inline(never)]
    fn find_movers(
        &mut self,
        number: usize,
        stack: &[Entry<W, A::Digest>],
        trail: &mut Trail<W, A::Digest>,
    ) -> PidSet {
        let state = stack[trail.places[number].at].state;
        let found = &mut trail.found;
        found.clear();
        // It was expanded before, within all limits.
        let _ = self.system.expand(&state, found, &mut || false);
        let next = found.get(trail.places[number + 1].number as usize);
        let movers = next.map_or(PidSet::EMPTY, |next| {
            self.system.relation().info(next.info).movers
        });
        trail.places[number].movers = Some(movers);
        movers
    }
}
