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

use relation::{Ample, Counted, Digest, Next, Words};
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
            let idle = (self.reduction.as_ref()).map_or(Some(u64::MAX), |reduction| {
                reduction.backoff.idle_until()
            });
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
        self.ahead.clear();
        let deadline = self.deadline;
        let mut poll = || deadline.has_come();
        let (all, members) = (&mut self.ahead.next, &mut self.members);
        let expanded = (self.system).expand_noting(&entry.state, all, members, &mut poll);
        let counted = match expanded {
            Ok(counted) => counted,
            Err(stop) => {
                self.ahead.clear();
                self.unexplored = Some(entry);
                return Err(stop.into());
            }
        };
        trail.enter(words, stack.len(), entry.number());
        let taken = match self.choose(&entry, stack, trail) {
            Ok(taken) => taken,
            Err(stop) => {
                self.unexplored = Some(entry);
                return Err(stop);
            }
        };
        self.now.counted = match taken {
            ALL => counted,
            some => Counted::of_some(&self.members, some),
        };
        stack.push(entry.entered(taken != ALL));
        let counted = self.now.counted;
        self.account(&entry, &counted, stack);
        match counted.has_violations || !counted.moved {
            false => self.push_unknown(entry.level(), stack),
            true => self.push_violated(&entry, taken, stack),
        }
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll(memory_of(stack) + trail.memory_bytes())?;
        }
        Ok(())
    }

    /// Choose the first ample set of the last state of the path that satisfies the proviso, or all
    /// processes if there is none. Gathers their moves, and asks for the memory that these need.
    #[inline(always)]
    fn choose(
        &mut self,
        entry: &Entry<W, A::Digest>,
        stack: &[Entry<W, A::Digest>],
        trail: &mut Trail<W, A::Digest>,
    ) -> Result<PidSet, Stop> {
        if self.orbits.is_none() {
            return self.choose_at_once(entry, stack, trail);
        }
        // A representative may not fit, and then all of this comes again.
        let before = (self.reduction.as_ref()).map(|reduction| reduction.backoff.clone());
        let chosen = self.choose_at_once(entry, stack, trail);
        if let (Err(_), Some(backoff), Some(reduction)) = (chosen, before, &mut self.reduction) {
            reduction.backoff = backoff;
        }
        chosen
    }

    #[inline(always)]
    fn choose_at_once(
        &mut self,
        entry: &Entry<W, A::Digest>,
        stack: &[Entry<W, A::Digest>],
        trail: &mut Trail<W, A::Digest>,
    ) -> Result<PidSet, Stop> {
        let ample = self.find_ample(entry);
        let moving = self.members.moving();
        for number in 0..ample.count() {
            let Some(set) = self.system.ample_set(ample, number) else {
                break;
            };
            self.now.clear();
            let all = self.ahead.next.iter();
            (self.now.next).extend(all.filter(|next| set.pids.has(next.pid())).copied());
            self.prepare_now()?;
            if self.satisfies_proviso(PidSet(moving.0 & !set.pids.0), stack, trail) {
                if let Some(reduction) = &mut self.reduction {
                    reduction.backoff.take(&set);
                    reduction.taken.push(set.pids);
                }
                return Ok(set.pids);
            }
        }
        std::mem::swap(&mut self.now, &mut self.ahead);
        self.prepare_now()?;
        Ok(ALL)
    }

    /// Ask for the memory that looking up the moves that were gathered will need.
    #[inline(always)]
    fn prepare_now(&mut self) -> Result<(), Stop> {
        Self::represent(&mut self.system, &mut self.orbits, &mut self.now, 0)?;
        Self::prepare(&self.system, &mut self.store, &mut self.now);
        Ok(())
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

    /// Whether taking the moves that were gathered satisfies the proviso: no process of those that
    /// can move and are left out is postponed for ever.
    #[inline(always)]
    fn satisfies_proviso(
        &mut self,
        left_out: PidSet,
        stack: &[Entry<W, A::Digest>],
        trail: &mut Trail<W, A::Digest>,
    ) -> bool {
        for number in 0..self.now.next.len() {
            let info = self.now.next[number].info;
            if !self.system.relation().info(info).is_straight {
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
