//! Sets of processes.

use crate::Pid;

/// A set of processes. Those with pids from 64 on are never in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PidSet(pub u64);

impl PidSet {
    /// No process.
    pub const EMPTY: PidSet = PidSet(0);

    /// Whether a process is in it.
    #[inline]
    pub fn has(self, pid: Pid) -> bool {
        pid.0 < 64 && self.0 >> pid.0 & 1 != 0
    }

    /// Add a process, if its pid is below 64.
    #[inline]
    pub fn insert(&mut self, pid: Pid) {
        self.0 |= PidSet::only(pid).0;
    }

    /// One process, if its pid is below 64.
    #[inline]
    pub fn only(pid: Pid) -> PidSet {
        PidSet(if pid.0 < 64 { 1 << pid.0 } else { 0 })
    }

    /// Those with pids above one.
    #[inline]
    pub fn above(self, pid: Pid) -> PidSet {
        PidSet(self.0 & u64::MAX.checked_shl(u32::from(pid.0) + 1).unwrap_or(0))
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The processes, in rising order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Pid> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let pid = (rest != 0).then(|| Pid(rest.trailing_zeros() as u8))?;
            rest &= rest - 1;
            Some(pid)
        })
    }
}

/// Processes whose steps out of a node are not asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asleep {
    /// The processes.
    pub pids: PidSet,
    /// Whether one of them could move.
    pub can_move: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members() {
        let mut set = PidSet::EMPTY;
        for pid in [3, 63, 0, 64, 255] {
            set.insert(Pid(pid));
        }
        assert!(set.iter().eq([0, 3, 63].map(Pid)));
        assert!(set.has(Pid(63)) && !set.has(Pid(64)) && !set.has(Pid(1)));
        assert!(set.above(Pid(0)).iter().eq([3, 63].map(Pid)));
        assert!(set.above(Pid(63)).is_empty() && set.above(Pid(200)).is_empty());
    }
}
