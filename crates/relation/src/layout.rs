//! Where the numbers of the parts lie in the words of a state.

use crate::numbering::PartId;

/// The words of a state, or of the difference between two.
pub type Words<const W: usize> = [u64; W];

/// No field is wider: a number has 32 bits, and some are not used.
const WIDEST: u32 = 31;
/// The lowest bits of the first word are 1 and 0, so that it is never 0 and never made of ones.
const TAG_BITS: u32 = 2;
/// What these bits are in every state.
pub(crate) const TAG: u64 = 0b01;

/// A few bits of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    word: u32,
    shift: u32,
    /// The largest number that fits.
    largest: u32,
}

impl Field {
    /// The number in it.
    #[inline(always)]
    pub fn get<const W: usize>(self, words: &Words<W>) -> u32 {
        (words[self.word as usize] >> self.shift) as u32 & self.largest
    }

    /// Put a number into it.
    #[inline]
    pub fn set<const W: usize>(self, words: &mut Words<W>, number: u32) {
        let word = &mut words[self.word as usize];
        *word &= !(u64::from(self.largest) << self.shift);
        *word |= u64::from(number) << self.shift;
    }

    /// Whether a number fits.
    pub fn fits(self, number: u32) -> bool {
        number <= self.largest
    }

    /// Add its bits to a mask.
    pub fn add_to<const W: usize>(self, mask: &mut Words<W>) {
        mask[self.word as usize] |= u64::from(self.largest) << self.shift;
    }

    /// The word, the lowest bit, and the number of bits.
    pub fn place(self) -> [u32; 3] {
        [self.word, self.shift, self.largest.count_ones()]
    }
}

/// A field for each part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    fields: Vec<Field>,
}

impl Layout {
    /// Fields for parts with so many values each in words of so many bits, as wide as there is
    /// room; none if there is not enough. A bit that is left goes to the part that seems to need
    /// it first: `expected` says how many values each should have room for, if there is any, and
    /// those that `grow` have it first.
    pub fn new(
        counts: &[usize],
        expected: &[usize],
        grow: &[bool],
        bits: &[u32],
    ) -> Option<Layout> {
        let mut widths: Vec<u32> = counts.iter().map(|&count| needed(count)).collect();
        let mut best = place(&widths, bits)?;
        let mut open: Vec<usize> = (0..counts.len()).collect();
        let spare = |part: usize, width| spare(expected[part], grow[part], width);
        while let Some(at) = (0..open.len()).min_by(|&a, &b| {
            spare(open[a], widths[open[a]]).total_cmp(&spare(open[b], widths[open[b]]))
        }) {
            let part = open[at];
            widths[part] += 1;
            match place(&widths, bits).filter(|_| widths[part] <= WIDEST) {
                Some(fields) => best = fields,
                None => {
                    widths[part] -= 1;
                    open.remove(at);
                }
            }
        }
        Some(Layout { fields: best })
    }

    /// Whether words of so many bits are enough for parts with so many values each.
    pub fn is_enough(counts: &[usize], bits: &[u32]) -> bool {
        let widths: Vec<u32> = counts.iter().map(|&count| needed(count)).collect();
        place(&widths, bits).is_some()
    }

    /// The field of a part. None if the part came later.
    pub fn field(&self, part: PartId) -> Option<Field> {
        self.fields.get(part.index()).copied()
    }

    /// The fields of all parts.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The words of a state whose parts have these numbers. None if one does not fit.
    pub fn pack<const W: usize>(&self, numbers: &[u32]) -> Option<Words<W>> {
        let mut words = [0; W];
        words[0] = TAG;
        for (part, &number) in numbers.iter().enumerate() {
            match self.fields.get(part) {
                Some(field) if field.fits(number) => field.set(&mut words, number),
                None if number == 0 => {}
                _ => return None,
            }
        }
        Some(words)
    }

    /// The bits of some parts, and the lowest ones. Parts without a field have none.
    pub fn mask<const W: usize>(&self, parts: &[PartId]) -> Words<W> {
        let mut mask = [0; W];
        mask[0] = (1 << TAG_BITS) - 1;
        let fields = parts.iter().filter_map(|&part| self.field(part));
        fields.for_each(|field| field.add_to(&mut mask));
        mask
    }
}

/// Translates words from one layout to another.
///
/// Fields that keep their distance from each other move together, so a layout that grew out of
/// another one by a few wider fields costs a few operations for each state.
#[derive(Clone, Debug)]
pub struct Rewrite {
    shifts: Vec<Shift>,
}

/// Some bits of a word that go to another word, or to other places of the same one.
#[derive(Clone, Copy, Debug)]
struct Shift {
    from: u32,
    to: u32,
    /// To the left, around the end.
    rotation: u32,
    mask: u64,
}

impl Rewrite {
    /// Of states and differences of one layout to those of another one, which has fields for all
    /// numbers that occur.
    pub fn new(before: &Layout, after: &Layout) -> Rewrite {
        let tag = Shift {
            from: 0,
            to: 0,
            rotation: 0,
            mask: (1 << TAG_BITS) - 1,
        };
        let mut shifts = vec![tag];
        let fields = before.fields.iter().zip(&after.fields);
        for (before, after) in fields.filter(|(before, _)| before.largest > 0) {
            let rotation = after.shift.wrapping_sub(before.shift) % u64::BITS;
            let way = (before.word, after.word, rotation);
            let mask = u64::from(before.largest) << before.shift;
            match (shifts.iter_mut()).find(|s| (s.from, s.to, s.rotation) == way) {
                Some(shift) => shift.mask |= mask,
                None => shifts.push(Shift {
                    from: before.word,
                    to: after.word,
                    rotation,
                    mask,
                }),
            }
        }
        Rewrite { shifts }
    }

    /// The words as the other layout has them.
    #[inline]
    pub fn apply<const W: usize, const V: usize>(&self, words: &Words<W>) -> Words<V> {
        let mut rewritten = [0; V];
        for shift in &self.shifts {
            let bits = words[shift.from as usize % W] & shift.mask;
            rewritten[shift.to as usize % V] |= bits.rotate_left(shift.rotation);
        }
        rewritten
    }
}

/// The bits that it takes to tell so many values apart.
fn needed(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// How many bits of a field of this width are spare, less than that if more will be needed. All
/// parts have more and more values at first; how fast, the few states seen so far do not tell.
fn spare(expected: usize, grows: bool, width: u32) -> f64 {
    /// What grew lately grows on.
    const GROWTH: f64 = 2.0;
    /// Most parts with a single value never change. Others come first until they have this.
    const CHANGE: f64 = 2.5;
    let spare = f64::from(width) - (expected.max(1) as f64).log2();
    match expected {
        // But where there is a second value, there may be more.
        0 | 1 => CHANGE + 2.0 * spare,
        _ if grows => spare - GROWTH,
        _ => spare,
    }
}

/// Put fields of some widths into words, the widest first.
fn place(widths: &[u32], bits: &[u32]) -> Option<Vec<Field>> {
    let mut used = vec![0; bits.len()];
    used[0] = TAG_BITS;
    let mut order: Vec<usize> = (0..widths.len()).collect();
    order.sort_by_key(|&part| std::cmp::Reverse(widths[part]));
    let mut fields = vec![Field::default(); widths.len()];
    for part in order {
        let width = widths[part];
        let word = (0..used.len()).find(|&word| used[word] + width <= bits[word])?;
        // A field without bits has no place.
        let shift = if width == 0 { 0 } else { used[word] };
        fields[part] = Field {
            word: word as u32,
            shift,
            largest: ((1_u64 << width) - 1) as u32,
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
        let numbers: Vec<u32> = counts.iter().map(|&count| count as u32 - 1).collect();
        for bits in [vec![50], vec![64], vec![40, 16], vec![64; 4]] {
            let layout = Layout::new(&counts, &counts, &[false; 9], &bits).expect("enough room");
            let words: Words<4> = layout.pack(&numbers).expect("they fit");
            for (field, &number) in layout.fields().iter().zip(&numbers) {
                assert_eq!(field.get(&words), number);
            }
            assert_eq!(words[0] & 3, TAG);
            for (word, bits) in words.iter().zip(bits.into_iter().chain([0; 3])) {
                assert!(word.leading_zeros() >= u64::BITS - bits);
            }
        }
        let large = [1 << 20, 1 << 20, (1 << 22) + 1];
        assert!(Layout::is_enough(&counts, &[64]) && !Layout::is_enough(&large, &[64]));
    }

    #[test]
    fn spare_bits_go_where_they_are_needed() {
        let widths = |expected: [usize; 3], grow: [bool; 3]| -> Vec<u32> {
            let layout = Layout::new(&[100, 100, 2], &expected, &grow, &[30]).expect("room");
            layout
                .fields()
                .iter()
                .map(|field| field.place()[2])
                .collect()
        };
        assert_eq!(widths([100, 100, 2], [false, true, false]), [11, 12, 5]);
        assert_eq!(widths([100, 100, 64], [false; 3]), [10, 9, 9]);
    }

    #[test]
    fn states_are_rewritten() {
        let counts = [3, 4, 5];
        let layout = |bits: &[u32]| Layout::new(&counts, &counts, &[false; 3], bits).expect("room");
        let (narrow, wide) = (layout(&[12]), layout(&[40, 20]));
        let words: Words<1> = narrow.pack(&[2, 3, 4]).expect("they fit");
        let rewrite = Rewrite::new(&narrow, &wide);
        let rewritten: Words<2> = rewrite.apply(&words);
        assert_eq!(rewritten, wide.pack(&[2, 3, 4]).expect("they fit"));
        let back = Rewrite::new(&wide, &narrow);
        assert_eq!(back.apply::<2, 1>(&rewritten), words);
    }
}
