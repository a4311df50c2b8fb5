//! The path of a depth-first search over collapsed states.

use space::PidSet;

use super::state::Words;
use crate::path_set::PathSet;
use crate::reduced_dfs::REACH;

/// A state of the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// How many states waited before its successors did.
    below: usize,
    /// Who moves to the next state of the path.
    movers: PidSet,
}

/// The states of the path, and what is known about them.
#[derive(Debug, Default)]
pub(super) struct Trail<const W: usize> {
    states: PathSet<Words<W>>,
    frames: Vec<Frame>,
}

impl<const W: usize> Trail<W> {
    /// Come to a state while so many others wait.
    #[inline(always)]
    pub(super) fn enter(&mut self, state: &Words<W>, waiting: usize) {
        self.states.push(*state);
        self.frames.push(Frame {
            below: waiting,
            movers: PidSet::EMPTY,
        });
    }

    /// Leave the states all of whose successors were looked at, since no more than so many states
    /// wait.
    #[inline(always)]
    pub(super) fn leave(&mut self, waiting: usize) {
        while self
            .frames
            .last()
            .is_some_and(|frame| frame.below >= waiting)
        {
            self.frames.pop();
            self.states.pop();
        }
    }

    /// Somebody moves on from the last state.
    #[inline(always)]
    pub(super) fn descend(&mut self, movers: PidSet) {
        if let Some(frame) = self.frames.last_mut() {
            frame.movers = movers;
        }
    }

    /// Whether a state is not on the path, or all of these processes have moved since it was come to,
    /// not too long ago.
    #[inline(always)]
    pub(super) fn is_left_or_all_moved(&mut self, state: &Words<W>, pids: PidSet) -> bool {
        match self.states.find(*state) {
            None => true,
            Some(number) => self.have_moved_since(number, pids),
        }
    }

    fn have_moved_since(&self, number: usize, pids: PidSet) -> bool {
        // The last state was not moved on from yet.
        let moves = &self.frames[number..self.frames.len() - 1];
        let is_near = self.frames.len() - number <= REACH;
        is_near
            && moves
                .iter()
                .fold(pids.0, |left, frame| left & !frame.movers.0)
                == 0
    }

    /// The same for states that are written down in another way.
    pub(super) fn rewritten<const V: usize>(
        self,
        rewrite: impl Fn(&Words<W>) -> Words<V>,
    ) -> Trail<V> {
        Trail {
            states: self.states.rewritten(rewrite),
            frames: self.frames,
        }
    }

    /// The memory in use.
    pub(super) fn memory_bytes(&self) -> usize {
        self.states.memory_bytes() + self.frames.capacity() * size_of::<Frame>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_moved_since() {
        let mut trail = Trail::<1>::default();
        let pids = |pids: &[u8]| PidSet(pids.iter().fold(0, |all, pid| all | 1 << pid));
        trail.enter(&[10], 0);
        trail.descend(pids(&[1]));
        trail.enter(&[11], 2);
        trail.descend(pids(&[2, 3]));
        trail.enter(&[12], 5);
        let mut is_enough = |state, of: &[u8]| trail.is_left_or_all_moved(&[state], pids(of));
        assert!(is_enough(9, &[0, 7]));
        assert!(is_enough(10, &[1, 3]) && !is_enough(10, &[1, 4]));
        assert!(is_enough(11, &[2]) && !is_enough(11, &[1]));
        assert!(!is_enough(12, &[1]));
        // One of the successors of the last state but one still waits.
        trail.leave(3);
        assert!(trail.is_left_or_all_moved(&[12], pids(&[1])));
        trail.descend(pids(&[4]));
        trail.enter(&[13], 2);
        assert!(!trail.is_left_or_all_moved(&[11], pids(&[2])));
        assert!(trail.is_left_or_all_moved(&[11], pids(&[4])));
        trail.leave(2);
        assert!(trail.is_left_or_all_moved(&[11], pids(&[2])));
        assert!(!trail.is_left_or_all_moved(&[10], pids(&[2])));
    }

    #[test]
    fn long_cycles_are_not_looked_at() {
        let mut trail = Trail::<1>::default();
        for state in 0..REACH as u64 {
            trail.enter(&[state + 1], state as usize);
            trail.descend(PidSet(1));
        }
        trail.enter(&[u64::MAX], REACH);
        assert!(!trail.is_left_or_all_moved(&[1], PidSet(1)));
        assert!(trail.is_left_or_all_moved(&[2], PidSet(1)));
    }
}
