//! What a move is besides where it leads.

/// The bits of the levels of a move.
const LEVEL_BITS: u32 = 16;
/// Marks a move that takes a single way.
const IS_STRAIGHT: u32 = 1 << LEVEL_BITS;
/// Behind that, the number of those who move.
const MOVERS_SHIFT: u32 = LEVEL_BITS + 1;

/// The levels that a move adds to the depth, whether it is *straight*, and who moves, by number.
///
/// A move is straight if it leads to a state by a single step, or through an atomic sequence in which
/// there is only one way to go. The depth-first search with ample sets knows where these lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Way(u32);

impl Way {
    /// None if the numbers are too large.
    pub(super) fn new(levels: u32, is_straight: bool, movers: usize) -> Option<Way> {
        let fits = levels < 1 << LEVEL_BITS && movers < 1 << (u32::BITS - MOVERS_SHIFT);
        let straight = if is_straight { IS_STRAIGHT } else { 0 };
        fits.then_some(Way(levels | straight | (movers as u32) << MOVERS_SHIFT))
    }

    pub(super) fn from_bits(bits: u32) -> Way {
        Way(bits)
    }

    pub(super) fn to_bits(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(super) fn levels(self) -> u64 {
        u64::from(self.0 & (IS_STRAIGHT - 1))
    }

    #[inline(always)]
    pub(super) fn is_straight(self) -> bool {
        self.0 & IS_STRAIGHT != 0
    }

    #[inline(always)]
    pub(super) fn movers(self) -> u32 {
        self.0 >> MOVERS_SHIFT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for (levels, is_straight, movers) in [(0, false, 0), (65_535, true, 0), (1, false, 32_767)]
        {
            let way = Way::new(levels, is_straight, movers).expect("it fits");
            assert_eq!(way.levels(), u64::from(levels));
            assert_eq!(way.is_straight(), is_straight);
            assert_eq!(way.movers() as usize, movers);
            assert_eq!(Way::from_bits(way.to_bits()), way);
        }
        assert_eq!(Way::new(65_536, false, 0), None);
        assert_eq!(Way::new(0, false, 32_768), None);
    }
}
