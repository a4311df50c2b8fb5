//! A small number for each of 32 processes, all in one word.

/// Four bits for each process, the lowest pid in the lowest ones, in two halves. Nothing is
/// done process by process here: every state has such counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) lower: u64,
    pub(super) upper: u64,
}

/// The lowest bit of each count, and the lower one of each two counts.
const ONES: u64 = 0x1111_1111_1111_1111;
const EVEN: u64 = 0x0f0f_0f0f_0f0f_0f0f;

impl Counts {
    /// Count one more for a process. Whether there was room for it.
    #[inline(always)]
    pub(super) fn add(&mut self, pid: u8) -> bool {
        let half = match pid {
            0..16 => &mut self.lower,
            _ => &mut self.upper,
        };
        let shift = 4 * (pid % 16);
        if *half >> shift & 15 == 15 {
            return false;
        }
        *half += 1 << shift;
        true
    }

    /// Count one more for each of these processes, if they are so few that there is room
    /// whoever they are, and of the lower half. Whether it was done.
    #[inline(always)]
    pub(super) fn add_few(&mut self, pids: impl ExactSizeIterator<Item = u8>) -> bool {
        if *self != Counts::default() || pids.len() > 15 {
            return false;
        }
        let (mut all, mut lower) = (0, 0);
        for pid in pids {
            all |= pid;
            lower += 1 << (4 * (pid % 16));
        }
        if all < 16 {
            self.lower = lower;
        }
        all < 16
    }

    /// The counts of two sets of processes, which have none in common.
    #[inline(always)]
    pub(super) fn with(self, other: Counts) -> Counts {
        Counts {
            lower: self.lower | other.lower,
            upper: self.upper | other.upper,
        }
    }

    /// All counts together.
    #[inline(always)]
    pub(super) fn sum(self) -> u32 {
        let sum = |half: u64| {
            let bytes = (half & EVEN) + (half >> 4 & EVEN);
            (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
        };
        match self.upper {
            0 => sum(self.lower),
            upper => sum(self.lower) + sum(upper),
        }
    }

    /// Those of processes with pids above this one.
    #[inline(always)]
    pub(super) fn above(self, pid: u8) -> Counts {
        let behind = |half: u64, pid: u8| half.checked_shr(4 * u32::from(pid)).unwrap_or(0) >> 4;
        match pid {
            0..16 => Counts {
                lower: behind(self.lower, pid),
                upper: self.upper,
            },
            _ => Counts {
                lower: 0,
                upper: behind(self.upper, pid - 16),
            },
        }
    }

    /// Those of a set of processes.
    #[inline(always)]
    pub(super) fn of(self, pids: u32) -> Counts {
        Counts {
            lower: self.lower & spread(pids as u16),
            upper: match self.upper {
                0 => 0,
                upper => upper & spread((pids >> 16) as u16),
            },
        }
    }

    /// The processes with other counts than 0.
    #[inline(always)]
    pub(super) fn present(self) -> u32 {
        let upper = match self.upper {
            0 => 0,
            upper => u32::from(gather(upper)) << 16,
        };
        u32::from(gather(self.lower)) | upper
    }
}

/// Four bits for each bit.
#[inline(always)]
fn spread(bits: u16) -> u64 {
    let mut bits = u64::from(bits);
    bits = (bits | bits << 24) & 0x0000_00ff_0000_00ff;
    bits = (bits | bits << 12) & 0x000f_000f_000f_000f;
    bits = (bits | bits << 6) & 0x0303_0303_0303_0303;
    bits = (bits | bits << 3) & ONES;
    bits * 15
}

/// A bit for each four bits that are not all 0.
#[inline(always)]
fn gather(counts: u64) -> u16 {
    let mut bits = counts | counts >> 1;
    bits = (bits | bits >> 2) & ONES;
    bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn few_at_once() {
        for pids in [&[][..], &[3, 0, 3, 15], &[2; 15], &[2; 16], &[1, 16], &[31]] {
            let (mut counts, mut one_by_one) = (Counts::default(), Counts::default());
            let done = counts.add_few(pids.iter().copied());
            assert_eq!(done, pids.len() <= 15 && pids.iter().all(|&pid| pid < 16));
            pids.iter().for_each(|&pid| {
                one_by_one.add(pid);
            });
            let expected = if done { one_by_one } else { Counts::default() };
            assert_eq!(counts, expected);
        }
    }

    #[test]
    fn agrees_with_a_number_for_each() {
        let mut numbers = Numbers::new(11);
        for most in [1, 3, 16, 32] {
            let (mut counts, mut plain) = (Counts::default(), [0u32; 32]);
            for _ in 0..500 {
                let pid = numbers.below(most);
                assert_eq!(counts.add(pid as u8), plain[pid] < 15);
                plain[pid] = (plain[pid] + 1).min(15);
                let pids = (0..32).filter(|&pid| plain[pid] > 0);
                assert_eq!(counts.present(), pids.fold(0, |set, pid| set | 1 << pid));
                assert_eq!(counts.sum(), plain.iter().sum::<u32>());
                let above = numbers.below(40);
                let expected: u32 = plain.iter().skip(above + 1).sum();
                assert_eq!(counts.above(above as u8).sum(), expected);
                let set = numbers.below(1 << 32) as u32;
                let some = (0..32).filter(|pid| set >> pid & 1 != 0);
                let expected: u32 = some.map(|pid| plain[pid]).sum();
                assert_eq!(counts.of(set).sum(), expected);
            }
        }
    }
}
