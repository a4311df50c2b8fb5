//! Where the numbers of the parts lie in the words of a state.

use super::state::Words;

/// There are no more kinds of vectors than this.
pub(super) const MOST_KINDS: usize = 31;
/// No number is larger than fields of this width have room for.
const WIDEST: u32 = 28;

/// Some bits of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    word: u32,
    shift: u32,
    /// The largest number that fits: all its bits are 1.
    largest: u32,
}

impl Field {
    /// The number in it.
    #[inline(always)]
    pub(super) fn get<const W: usize>(self, state: &Words<W>) -> u32 {
        (state[self.word as usize % W] >> (self.shift % u64::BITS)) as u32 & self.largest
    }

    /// Put a number into it, which fits.
    pub(super) fn set<const W: usize>(self, state: &mut Words<W>, number: u32) {
        let word = &mut state[self.word as usize];
        *word = *word & !self.bits() | u64::from(number) << self.shift;
    }

    /// Whether a number fits.
    pub(super) fn fits(self, number: u32) -> bool {
        number <= self.largest
    }

    /// Its bits within its word.
    fn bits(self) -> u64 {
        u64::from(self.largest) << self.shift
    }

    /// Add its bits to a mask.
    pub(super) fn add_to<const W: usize>(self, mask: &mut Words<W>) {
        mask[self.word as usize] |= self.bits();
    }
}

/// The bits that it takes to tell so many values apart.
fn needed(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// The words of states.
#[derive(Clone, Debug)]
pub(super) struct Room {
    /// How many bits of each word there are.
    pub(super) bits: Vec<u32>,
    /// The lowest bits of the first word: a 1, so that the word is not 0, and the kind of the
    /// vector. No kind has the number whose bits are all 1, so that this word is never made of ones.
    kind_bits: u32,
}

impl Room {
    /// Words of so many bits for vectors of so many kinds. If there is only one, it is not
    /// expected that there will be more.
    pub(super) fn new(bits: Vec<u32>, kinds: usize) -> Room {
        let kind_bits = if kinds <= 1 { 2 } else { 6 };
        Room { bits, kind_bits }
    }

    /// How many bits of each of so many words there are.
    pub(super) fn bits_of<const W: usize>(&self) -> [u32; W] {
        std::array::from_fn(|word| self.bits[word])
    }

    /// The bits of the first word that are 1 and tell the kind.
    pub(super) fn kind_mask(&self) -> u64 {
        (1 << self.kind_bits) - 1
    }

    /// Whether there can be so many kinds.
    pub(super) fn has_kinds(&self, kinds: usize) -> bool {
        kinds < 1 << (self.kind_bits - 1)
    }

    /// Whether there is enough for parts with so many values each.
    pub(super) fn is_enough(&self, counts: &[usize]) -> bool {
        let widths: Vec<u32> = counts.iter().map(|&count| needed(count)).collect();
        place(&widths, self).is_some()
    }
}

/// Fields for parts with so many values each, as wide as there is room; none if there is not
/// enough. A bit that is left goes to the part that seems to need it first: `expected` says how many
/// values each should have room for, if there is any, and those that `grow` have it first.
pub(super) fn fields(
    counts: &[usize],
    expected: &[usize],
    grow: &[bool],
    room: &Room,
) -> Option<Vec<Field>> {
    let mut widths: Vec<u32> = counts.iter().map(|&count| needed(count)).collect();
    let mut best = place(&widths, room)?;
    let mut open: Vec<usize> = (0..counts.len()).collect();
    let spare = |part: usize, width| spare(expected[part], grow[part], width);
    while let Some(at) = (0..open.len()).min_by(|&a, &b| {
        spare(open[a], widths[open[a]]).total_cmp(&spare(open[b], widths[open[b]]))
    }) {
        let part = open[at];
        widths[part] += 1;
        match place(&widths, room).filter(|_| widths[part] <= WIDEST) {
            Some(fields) => best = fields,
            None => {
                widths[part] -= 1;
                open.remove(at);
            }
        }
    }
    Some(best)
}

/// How many bits of a field of this width are spare, less than that if more will be needed. All
/// parts have more and more values at first; how fast, the few states seen so far do not tell.
fn spare(expected: usize, grows: bool, width: u32) -> f64 {
    /// What grew lately grows on.
    const GROWTH: f64 = 2.0;
    let spare = f64::from(width) - (expected.max(1) as f64).log2();
    match expected {
        // Many parts never change, but where there is a second value, there may be more.
        0 | 1 => 2.0 * spare,
        _ if grows => spare - GROWTH,
        _ => spare,
    }
}

/// Put fields of some widths into words, the widest first.
fn place(widths: &[u32], room: &Room) -> Option<Vec<Field>> {
    let mut used = vec![0; room.bits.len()];
    used[0] = room.kind_bits;
    let mut order: Vec<usize> = (0..widths.len()).collect();
    order.sort_by_key(|&part| std::cmp::Reverse(widths[part]));
    let mut fields = vec![Field::default(); widths.len()];
    for part in order {
        let width = widths[part];
        let word = (0..used.len()).find(|&word| used[word] + width <= room.bits[word])?;
        // A field without bits has no place.
        let shift = if width == 0 { 0 } else { used[word] };
        fields[part] = Field {
            word: word as u32,
            shift,
            largest: (1 << width) - 1,
        };
        used[word] += width;
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let counts = [1, 2, 3, 200, 5000, 1, 17, 2, 2];
        for bits in [vec![50], vec![64], vec![40, 16], vec![64; 4]] {
            let room = Room::new(bits.clone(), 20);
            let fields = fields(&counts, &counts, &[false; 9], &room).expect("enough room");
            let mut state = [0x3f; 1].repeat(4);
            state[1..].fill(0);
            let mut state: Words<4> = state.try_into().expect("four words");
            for (field, &count) in fields.iter().zip(&counts) {
                assert!(field.fits(count as u32 - 1));
                field.set(&mut state, count as u32 - 1);
            }
            assert_eq!(state[0] & 0x3f, 0x3f);
            for (word, bits) in state.iter().zip(bits.into_iter().chain([0; 3])) {
                assert!(word.leading_zeros() >= u64::BITS - bits);
            }
            for (field, &count) in fields.iter().zip(&counts) {
                assert_eq!(field.get(&state), count as u32 - 1);
            }
        }
        let room = Room::new(vec![64], 1);
        assert!(room.is_enough(&counts) && !room.is_enough(&[1 << 20, 1 << 20, (1 << 22) + 1]));
        assert_eq!(
            fields(&[1 << 21; 3], &[1 << 21; 3], &[true; 3], &room),
            None
        );
        assert!(room.has_kinds(1) && !room.has_kinds(2));
    }

    #[test]
    fn spare_bits_go_where_they_are_needed() {
        let room = Room::new(vec![30], 1);
        let widths = |expected: [usize; 3], grow: [bool; 3]| -> Vec<u32> {
            let fields = fields(&[100, 100, 2], &expected, &grow, &room).expect("enough room");
            fields.iter().map(|f| f.largest.count_ones()).collect()
        };
        assert_eq!(widths([100, 100, 2], [false, true, false]), [11, 12, 5]);
        assert_eq!(widths([100, 100, 64], [false; 3]), [10, 9, 9]);
    }
}
