//! Depth-first search over collapsed states that takes ample sets of moves.
//!
//! Follows: [`crate::reduced_dfs`], which says why the proviso is enough; order and counts are
//! those of that search.
//!
//! Departs:
//! - No state ever takes all steps because successors had to be dropped.
//! - Transitions that could be executed count as reached, also if their moves were left out,
//!   since what is known about a process speaks of all its moves.

use space::{NextState, PidSet};
use store::StateStore;

use super::search::{Search, Waiting, memory_of};
use super::state::State;
use super::system::Next;
use super::{Stop, Stores};
use crate::depth_first::ALL;

impl<M: NextState, A: Stores, const W: usize> Search<'_, M, A, W> {
    /// After [`Stop::TooNarrow`] and [`Stop::SeenEnough`] it can go on.
    pub(super) fn reduced_depth_first(&mut self) -> Result<(), Stop> {
        self.system.outlooks.want_movers();
        let mut stack = std::mem::take(&mut self.stack);
        let ended = self.explore_reduced(&mut stack);
        // Neither ever shrinks.
        self.peak = (self.peak).max(memory_of(&stack) + self.trail.memory_bytes());
        self.stack = stack;
        ended
    }

    #[inline(never)]
    fn explore_reduced(&mut self, stack: &mut Vec<Waiting<W, A::Digest>>) -> Result<(), Stop> {
        if let Some(waiting) = self.unexplored.take() {
            self.explore_some(waiting, stack)?;
        }
        loop {
            self.trail.leave(stack.len());
            let Some(waiting) = stack.pop() else {
                return Ok(());
            };
            let state = &waiting.state;
            let key = A::key(&mut self.store, &state.words, state.digest);
            if self.insert(state, key) {
                let movers = self.system.outlooks.movers(waiting.mover());
                self.trail.descend(movers);
                self.explore_some(waiting, stack)?;
            }
        }
    }

    /// Find the successors of a state that was just stored, as many as are needed.
    #[inline(always)]
    fn explore_some(
        &mut self,
        waiting: Waiting<W, A::Digest>,
        stack: &mut Vec<Waiting<W, A::Digest>>,
    ) -> Result<(), Stop> {
        self.now.clear();
        let all = match (self.system).expand_noting(&waiting.state, &mut self.now.next) {
            Ok(counted) => counted,
            Err(stop) => {
                self.unexplored = Some(waiting);
                return Err(stop);
            }
        };
        self.now.prepare::<A>(&mut self.store);
        self.trail.enter(&waiting.state.words, stack.len());
        let taken = self.settle(&waiting.state);
        let counted = match taken {
            ALL => all,
            some => {
                self.leave_out(some);
                self.system.outlooks.count(some)
            }
        };
        let len = self.system.vector_len(&waiting.state);
        let accounting = &mut self.system.accounting;
        accounting.statistics.longest_state = accounting.statistics.longest_state.max(len);
        accounting.reach(waiting.level() + u64::from(counted.reach));
        accounting.statistics.atomic_steps += u64::from(counted.atomic_steps);
        self.push_unknown(waiting.level(), stack, |next| next.way.movers());
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.poll(memory_of(stack) + self.trail.memory_bytes())?;
        }
        Ok(())
    }

    /// The first ample set of the last state of the path with a move after which nobody is put off for
    /// ever, or all processes if there is none.
    #[inline(always)]
    fn settle(&mut self, state: &State<W, A::Digest>) -> PidSet {
        let ample = self.system.find_ample(state);
        if ample.sets == 0 {
            return ALL;
        }
        let moving = self.system.outlooks.moving();
        for number in 0..ample.sets {
            let set = self.system.ample(number);
            if self.is_enough(set, PidSet(moving.0 & !set.0)) {
                self.system.take(ample, set);
                return set;
            }
        }
        ALL
    }

    /// Whether taking the moves of some processes only does not put off for ever the others that can
    /// move.
    fn is_enough(&mut self, set: PidSet, left_out: PidSet) -> bool {
        let (store, trail) = (&self.store, &mut self.trail);
        let outlooks = &self.system.outlooks;
        let mut moves = self.now.next.iter().zip(&self.now.keys);
        moves.any(|(next, &key)| {
            let words = &next.state.words;
            let bytes = words.map(u64::to_le_bytes);
            outlooks.is_taken(next.row, set)
                && next.way.is_straight()
                && (!store.contains(bytes.as_flattened(), key)
                    || trail.is_left_or_all_moved(words, left_out))
        })
    }

    /// Leave out the moves of all but some processes.
    fn leave_out(&mut self, taken: PidSet) {
        let outlooks = &self.system.outlooks;
        let is_taken = |next: &Next<W, A::Digest>| outlooks.is_taken(next.row, taken);
        let mut kept = 0;
        for at in 0..self.now.next.len() {
            if is_taken(&self.now.next[at]) {
                self.now.next[kept] = self.now.next[at];
                self.now.keys[kept] = self.now.keys[at];
                kept += 1;
            }
        }
        self.now.next.truncate(kept);
        self.now.keys.truncate(kept);
    }
}
