//! Depth-first search over packed states.
//!
//! Follows: [003, Fig. 8.1 and 8.2]. An explicit stack replaces the recursion: it holds the states of
//! the path, and between them those that wait to be explored. Order and counts are those of
//! [`crate::dfs`].
//!
//! Departs: all successors of a state are looked up together when it is explored, so that the memory
//! accesses overlap, and those that are known then do not wait. If the search ends early, what was
//! counted too soon is taken back.

use relation::{Counted, Digest, Next, Phase, State, What};
use space::{Pid, PidSet, Step};
use store::StateStore;

use super::WordStores;
use super::search::{Search, Stop, memory_of};
use crate::Completion;
use crate::depth_first::ALL;

/// The bits of [`Entry::mark`]: the number of the move that leads there, whether an ample set was
/// taken there, and above that the process that makes the move.
const NUMBER_BITS: u32 = 21;
const MOST_NUMBER: u32 = (1 << NUMBER_BITS) - 1;
const REDUCED: u32 = 1 << NUMBER_BITS;
const PID_SHIFT: u32 = NUMBER_BITS + 1;
/// The state is on the path.
const ENTERED: u32 = 1 << 31;
/// A violation out of a state, by its number. It waits its turn among the successors.
const VIOLATED: u32 = 1 << 30;
/// A level that a node inside an atomic sequence has, or the middle of a handshake, out of a state of
/// the path: it counts when all of that was taken.
const REACHED: u32 = ENTERED | VIOLATED;

/// A state on the stack.
#[derive(Clone, Copy)]
pub(super) struct Entry<const W: usize, D> {
    pub(super) state: State<W, D>,
    level: u32,
    mark: u32,
}

impl<const W: usize, D: Digest> Entry<W, D> {
    pub(super) fn initial(state: &State<W, D>) -> Entry<W, D> {
        Entry {
            state: *state,
            level: 0,
            mark: 0,
        }
    }

    /// The successor of a state at some level.
    #[inline(always)]
    fn new(next: &Next<W, D>, level: u32) -> Entry<W, D> {
        Entry {
            state: next.state,
            level,
            mark: next.number().min(MOST_NUMBER) | u32::from(next.pid().0) << PID_SHIFT,
        }
    }

    /// The same on the path, and whether an ample set was taken there.
    #[inline(always)]
    pub(super) fn entered(self, is_reduced: bool) -> Entry<W, D> {
        Entry {
            mark: self.mark | ENTERED | if is_reduced { REDUCED } else { 0 },
            ..self
        }
    }

    /// Whether it waits to be explored.
    #[inline(always)]
    pub(super) fn is_waiting(&self) -> bool {
        self.mark & REACHED == 0
    }

    /// Whether it is on the path.
    #[inline(always)]
    pub(super) fn is_entered(&self) -> bool {
        self.mark & REACHED == ENTERED
    }

    /// Whether an ample set was taken there, if it is on the path.
    #[inline(always)]
    pub(super) fn is_reduced(&self) -> bool {
        self.mark & REDUCED != 0
    }

    #[inline(always)]
    pub(super) fn level(&self) -> u32 {
        self.level
    }

    /// The number of the move that leads there.
    pub(super) fn number(&self) -> u32 {
        self.mark & MOST_NUMBER
    }

    /// The process that makes it.
    #[inline(always)]
    pub(super) fn pid(&self) -> u8 {
        (self.mark >> PID_SHIFT) as u8
    }

    /// The same with another layout.
    pub(super) fn rewritten<const V: usize>(
        self,
        rewrite: impl Fn(State<W, D>) -> State<V, D>,
    ) -> Entry<V, D> {
        Entry {
            state: rewrite(self.state),
            level: self.level,
            mark: self.mark,
        }
    }
}

impl<A: WordStores, const W: usize> Search<'_, A, W> {
    /// After [`Stop::TooNarrow`] and [`Stop::SeenEnough`] it can go on.
    pub(super) fn depth_first(&mut self) -> Result<(), Stop> {
        let mut stack = std::mem::take(&mut self.stack);
        let ended = self.explore_depth_first(&mut stack);
        // It never shrinks.
        self.peak = self.peak.max(memory_of(&stack));
        self.stack = stack;
        if let Err(Stop::Limit(Completion::ErrorLimit)) = ended {
            self.take_back();
        }
        ended
    }

    /// Kept apart from other searches, which leaves more registers to each.
    #[inline(never)]
    pub(super) fn explore_depth_first(
        &mut self,
        stack: &mut Vec<Entry<W, A::Digest>>,
    ) -> Result<(), Stop> {
        self.begin()?;
        if let Some(entry) = self.unexplored.take() {
            self.explore(entry, stack)?;
        }
        while let Some(entry) = stack.pop() {
            match entry.mark & REACHED {
                0 => {}
                ENTERED => continue,
                _ => {
                    self.note(&entry, stack)?;
                    continue;
                }
            }
            let form = match self.stored_form(&entry.state) {
                Ok(form) => form,
                Err(stop) => {
                    stack.push(entry);
                    return Err(stop);
                }
            };
            let key = A::key(&mut self.store, &form.words, form.digest);
            if self.insert(&form.words, key) {
                self.explore(entry, stack)?;
            }
        }
        Ok(())
    }

    /// Something on the stack that is no state has its turn.
    pub(super) fn note(
        &mut self,
        entry: &Entry<W, A::Digest>,
        stack: &mut Vec<Entry<W, A::Digest>>,
    ) -> Result<(), Stop> {
        if entry.mark & REACHED == VIOLATED {
            return self.violate(entry, stack);
        }
        self.accounting.reach(entry.level.into());
        Ok(())
    }

    /// Find the successors of a state that was just stored.
    #[inline(always)]
    fn explore(
        &mut self,
        entry: Entry<W, A::Digest>,
        stack: &mut Vec<Entry<W, A::Digest>>,
    ) -> Result<(), Stop> {
        if self.ahead.state == entry.state.words {
            self.foreseen += 1;
        } else if let Err(stop) = self.expand_ahead(&entry.state) {
            self.unexplored = Some(entry);
            return Err(stop);
        }
        std::mem::swap(&mut self.now, &mut self.ahead);
        self.ahead.clear();
        if self.blind_intervals == 0 {
            self.look_ahead(entry.pid());
        }
        stack.push(entry.entered(false));
        let counted = self.now.counted;
        self.account(&entry, &counted, stack);
        match counted.has_violations || !counted.moved {
            false => self.push_unknown(entry.level, stack),
            true => self.push_violated(&entry, ALL, stack)?,
        }
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll(memory_of(stack))?;
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn account(
        &mut self,
        entry: &Entry<W, A::Digest>,
        counted: &Counted,
        stack: &mut Vec<Entry<W, A::Digest>>,
    ) {
        let statistics = &mut self.accounting.statistics;
        statistics.depth = statistics.depth.max(entry.level.into());
        statistics.atomic_steps += counted.atomic_steps;
        statistics.endless_atomics += counted.endless;
        let level = entry.level + counted.reach;
        if u64::from(level) > statistics.depth {
            let mark = REACHED;
            stack.push(Entry {
                level,
                mark,
                ..*entry
            });
        }
    }

    /// While the memory comes that tells which successors are new, find the successors of the
    /// one that will be explored next, by all appearances, and ask for the memory that these
    /// need.
    ///
    /// The moves of processes before that which moved last mostly lead to known states: where
    /// they do not depend on what it did, they led to the same states from before.
    #[inline(always)]
    fn look_ahead(&mut self, pid: u8) {
        if let Some(next) = self.now.next.iter().find(|next| next.pid().0 <= pid) {
            let state = next.state;
            // If something is wrong with it, that will come up when its time has come.
            let _ = self.expand_ahead(&state);
        }
    }

    /// Find the successors of a state, and ask for the memory that looking them up will need.
    #[inline(always)]
    fn expand_ahead(&mut self, state: &State<W, A::Digest>) -> Result<(), Stop> {
        self.ahead.clear();
        let deadline = self.deadline;
        let mut poll = || deadline.has_come();
        let expanded = self.system.expand(state, &mut self.ahead.next, &mut poll);
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

    /// Count the successors that are known, and put the others on the stack, the first one on
    /// top.
    #[inline(always)]
    pub(super) fn push_unknown(&mut self, level: u32, stack: &mut Vec<Entry<W, A::Digest>>) {
        let before = stack.len();
        for (at, (next, &key)) in self.now.next.iter().zip(&self.now.keys).enumerate().rev() {
            let words = Self::words_of(&self.system, &self.now, at);
            let bytes = words.map(u64::to_le_bytes);
            let is_known = self.store.contains(bytes.as_flattened(), key);
            let level = level + self.system.relation().info(next.info).levels;
            stack.push(Entry::new(next, level));
            // Pushed first and taken away then, since nobody can foresee which way to jump.
            stack.truncate(stack.len() - usize::from(is_known));
        }
        let unknown = stack.len() - before;
        self.accounting.statistics.matched += (self.now.next.len() - unknown) as u64;
    }

    /// The same where there are violations of the processes that are taken, which wait between the
    /// successors.
    #[cold]
    pub(super) fn push_violated(
        &mut self,
        entry: &Entry<W, A::Digest>,
        taken: PidSet,
        stack: &mut Vec<Entry<W, A::Digest>>,
    ) -> Result<(), Stop> {
        let counted = self.now.counted;
        let violations = self.violations(&entry.state, &counted)?;
        let mut left = violations.len();
        let mut push = |stack: &mut Vec<Entry<W, A::Digest>>, moves: u32| {
            while left > 0 && violations[left - 1].after >= moves {
                left -= 1;
                let source = violations[left].source;
                if taken != ALL && source.is_some_and(|(pid, ..)| !taken.has(pid)) {
                    continue;
                }
                stack.push(Entry {
                    mark: VIOLATED | left as u32,
                    ..*entry
                });
            }
        };
        for (at, (next, &key)) in self.now.next.iter().zip(&self.now.keys).enumerate().rev() {
            push(stack, next.number() + 1);
            let words = Self::words_of(&self.system, &self.now, at);
            let bytes = words.map(u64::to_le_bytes);
            if self.store.contains(bytes.as_flattened(), key) {
                self.accounting.statistics.matched += 1;
            } else {
                let level = entry.level + self.system.relation().info(next.info).levels;
                stack.push(Entry::new(next, level));
            }
        }
        push(stack, 0);
        Ok(())
    }

    /// A violation out of the last state of the path has its turn.
    #[cold]
    fn violate(
        &mut self,
        entry: &Entry<W, A::Digest>,
        stack: &mut Vec<Entry<W, A::Digest>>,
    ) -> Result<(), Stop> {
        let mut found = Vec::new();
        let counted = self
            .system
            .expand(&entry.state, &mut found, &mut || false)?;
        let number = (entry.mark & !VIOLATED) as usize;
        let violated = self.violations(&entry.state, &counted)?[number];
        let last = match violated.step {
            None => self.last_step(stack),
            step => step,
        };
        let path = |_: &mut Self| {
            let entered = stack.iter().skip(1).filter(|entry| entry.is_entered());
            entered.map(Entry::number).collect()
        };
        let ended = self.report(&entry.state, &violated, last, path);
        if ended.is_err() {
            // Where it ended, for [`Search::take_back`].
            stack.push(*entry);
        }
        ended
    }

    /// The last step on the way to the last state of the path.
    #[cold]
    fn last_step(&mut self, stack: &[Entry<W, A::Digest>]) -> Option<Step> {
        let mut path = stack.iter().rev().filter(|entry| entry.is_entered());
        let (entry, parent) = (path.next()?, path.next()?);
        let mut found = Vec::new();
        // It was expanded before.
        let _ = self.system.expand(&parent.state, &mut found, &mut || false);
        let next = found.get(entry.number() as usize)?;
        self.system.relation().info(next.info).last
    }

    /// The search ends at a violation: take back what was counted of moves that were not taken.
    #[cold]
    pub(super) fn take_back(&mut self) {
        let mut waiting = 0;
        let is_reduced = |entry: &&Entry<W, A::Digest>| entry.is_entered() && entry.is_reduced();
        let mut reduced = self.stack.iter().filter(is_reduced).count();
        // Where the search left the last state of the path.
        let mut at = None;
        for number in (0..self.stack.len()).rev() {
            let entry = self.stack[number];
            let kind = entry.mark & REACHED;
            if kind == VIOLATED {
                at = at.or_else(|| self.source_of(&entry));
            } else if kind == 0 {
                waiting += 1;
            } else if kind == REACHED && at.is_none() {
                // All of it was taken: it is the state itself that violates something.
                self.accounting.reach(entry.level.into());
            } else if kind == ENTERED {
                let mut taken = ALL;
                if entry.is_reduced() {
                    reduced -= 1;
                    let sets = self.reduction.as_ref().map(|reduction| &reduction.taken);
                    taken = sets
                        .and_then(|sets| sets.get(reduced).copied())
                        .unwrap_or(ALL);
                }
                if let Some(at) = at {
                    let behind = self.system.behind(&entry.state, at, taken);
                    self.accounting
                        .reach(u64::from(entry.level + behind.reach_before));
                    let statistics = &mut self.accounting.statistics;
                    statistics.matched -= behind.moves - waiting;
                    statistics.atomic_steps -= behind.atomic_steps;
                    statistics.endless_atomics -= behind.endless;
                }
                waiting = 0;
                at = self.move_before(number);
            }
        }
    }

    /// Where a violation comes from.
    fn source_of(&mut self, entry: &Entry<W, A::Digest>) -> Option<(Pid, Phase, What)> {
        let mut found = Vec::new();
        let counted = self.system.expand(&entry.state, &mut found, &mut || false);
        let number = (entry.mark & !VIOLATED) as usize;
        let (pid, phase, number) =
            self.violations(&entry.state, &counted.ok()?).ok()?[number].source?;
        Some((pid, phase, What::Blame(number)))
    }

    /// The move that leads to a state of the path from the one before.
    fn move_before(&mut self, number: usize) -> Option<(Pid, Phase, What)> {
        let entry = self.stack[number];
        let is_entered = |entry: &&Entry<W, A::Digest>| entry.mark & REACHED == ENTERED;
        let parent = *self.stack[..number].iter().rev().find(is_entered)?;
        let mut found = Vec::new();
        let counted = self.system.expand(&parent.state, &mut found, &mut || false);
        let pid = Pid(entry.pid());
        let first = found.iter().position(|next| next.pid() == pid)?;
        let what = What::Move(entry.number() as usize - first);
        Some((pid, counted.ok()?.phase(), what))
    }
}
