//! The smallest exact store for states of a few words.
//!
//! Follows: [Cleary 1984]: the hash is a permutation of the states, so what the segment of the
//! table says of it need not be kept in the entry, and the rest is the state.
//!
//! Departs: the bucket within a segment leaves nothing out, since any number of buckets will do
//! and an entry may lie in another one.
//!
//! An entry has as many bytes as states need. It lies in columns: 32 bits of each slot of a
//! bucket, which are compared all at once, then the other bytes, which are looked at only where
//! these agree. The rest of the line, a byte or more, is a Bloom filter with one hash function of
//! the entries that belong there and lie elsewhere: so a table can be nearly full, and yet one line
//! tells of most new states that they are new.

use std::io::{self, Read, Write};

use crate::buckets::{Buckets, SEGMENT_BITS, Slots, half, word};
use crate::keys::place;
use crate::machine::equal;
use crate::memory::{LINE, Line};
use crate::packed::{FACTOR, INVERSE, Words, fold, note_mask, words};
use crate::{Insert, Key, NoteStore, StateId, StateStore, WordStore, stream};

/// The bits of the first word that fit into the first column, and into the segment.
const COLUMN_BITS: u32 = u32::BITS + SEGMENT_BITS;

/// The most bytes of a filter.
const MOST_FILTER: usize = 4;

/// Entries of as many bytes as it takes. The first word, mixed, lies in the upper bits and lacks
/// those that choose the segment. Its lowest bits, so many, are a note: they say nothing about which
/// entry it is.
#[derive(Debug)]
struct Columns<const W: usize, const NOTE: u32> {
    /// The slots of a bucket, and a 1 for each of them.
    count: usize,
    all: u32,
    /// The bits of the filter at the end of the line.
    filter: u32,
    /// How far the first word is shifted up.
    shift: u32,
    /// The bytes of each word beside the first column, and where their columns begin.
    bytes: [usize; W],
    begins: [usize; W],
}

impl<const W: usize, const NOTE: u32> Columns<W, NOTE> {
    /// For words of so many bits, the note included.
    fn new(bits: [u32; W]) -> Columns<W, NOTE> {
        let mut bytes = bits.map(|bits| bits.div_ceil(8) as usize);
        bytes[0] = bits[0].saturating_sub(COLUMN_BITS).div_ceil(8) as usize;
        let slot = 4 + bytes.iter().sum::<usize>();
        let count = (LINE - 1) / slot;
        let mut begin = 4 * count;
        let begins = bytes.map(|bytes| {
            let this = begin;
            begin += bytes * count;
            this
        });
        let first = COLUMN_BITS + 8 * bytes[0] as u32;
        Columns {
            count,
            all: (1 << count) - 1,
            filter: 8 * (LINE - count * slot).min(MOST_FILTER) as u32,
            shift: u64::BITS.saturating_sub(first),
            bytes,
            begins,
        }
    }

    /// The byte and the bit of an entry in the filter.
    #[inline(always)]
    fn filter(&self, entry: Words<W>) -> (usize, u8) {
        // The upper bits of the column say more about the state than the lower ones.
        let column = (entry[0] >> self.shift) as u32 & !(note_mask(NOTE) as u32);
        let column = column.wrapping_mul(FACTOR as u32);
        let bit = (u64::from(column) * u64::from(self.filter)) >> 32;
        (LINE - 1 - bit as usize / 8, 1 << (bit % 8))
    }

    /// The slots whose part of the first column is this.
    #[inline(always)]
    fn column(&self, line: &Line, wanted: u32) -> u32 {
        let [front, back] = [line.first_chunk(), line.last_chunk()];
        let mask = !(note_mask(NOTE) as u32);
        let equal = |half: Option<&[u8; 32]>| equal(half.expect("half a line"), wanted, mask);
        (equal(front) | equal(back) << 8) & self.all
    }

    /// Where the bytes of a word beside the first column are: in eight bytes from here on, so far
    /// from the lowest bit, under this mask. None if there are no such bytes.
    #[inline(always)]
    fn beside(&self, slot: usize, word: usize) -> Option<(usize, usize, u64)> {
        let bytes = self.bytes[word];
        let at = self.begins[word] + slot * bytes;
        // Not beyond the line.
        let from = at.min(LINE - 8);
        (bytes > 0).then(|| (from, 8 * (at - from), u64::MAX >> (64 - 8 * bytes)))
    }
}

impl<const W: usize, const NOTE: u32> Slots for Columns<W, NOTE> {
    type Entry = Words<W>;
    const FILL: usize = 36;

    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn get(&self, line: &Line, slot: usize) -> Words<W> {
        let mut entry: Words<W> = std::array::from_fn(|at| match self.beside(slot, at) {
            Some((from, shift, mask)) => word(line, from) >> shift & mask,
            None => 0,
        });
        entry[0] = (entry[0] << 32 | u64::from(half(line, 4 * slot))) << self.shift;
        entry
    }

    #[inline(always)]
    fn put(&self, line: &mut Line, slot: usize, mut entry: Words<W>) {
        let first = entry[0] >> self.shift;
        line[4 * slot..][..4].copy_from_slice(&(first as u32).to_le_bytes());
        entry[0] = first >> 32;
        for (at, rest) in entry.into_iter().enumerate() {
            if let Some((from, shift, mask)) = self.beside(slot, at) {
                let all = word(line, from) & !(mask << shift) | rest << shift;
                line[from..][..8].copy_from_slice(&all.to_le_bytes());
            }
        }
    }

    #[inline(always)]
    fn is_empty(&self, line: &Line, slot: usize) -> bool {
        half(line, 4 * slot) == 0
    }

    #[inline(always)]
    fn place(&self, entry: Words<W>) -> u32 {
        place(entry[0])
    }

    #[inline(always)]
    fn hits(&self, line: &Line, probe: Words<W>) -> u32 {
        let mut hits = self.column(line, (probe[0] >> self.shift) as u32);
        let mut rest = hits;
        // Hardly ever are there two, or one in vain.
        while rest != 0 {
            let slot = rest.trailing_zeros();
            let mut entry = self.get(line, slot as usize);
            entry[0] ^= (entry[0] ^ probe[0]) & note_mask(NOTE) << self.shift;
            if entry != probe {
                hits &= !(1 << slot);
            }
            rest &= rest - 1;
        }
        hits
    }

    fn miss(&self, line: &mut Line, entry: Words<W>) {
        let (byte, bit) = self.filter(entry);
        line[byte] |= bit;
    }

    #[inline(always)]
    fn misses(&self, line: &Line, probe: Words<W>) -> bool {
        let (byte, bit) = self.filter(probe);
        line[byte] & bit != 0
    }

    #[inline(always)]
    fn used(&self, line: &Line) -> usize {
        let empty = self.column(line, 0);
        (empty | 1 << self.count).trailing_zeros() as usize
    }
}

/// The most bytes that an entry can have.
const MOST_BYTES: usize = 31;

/// How many bits the words of a state may have, the fewest first. Words with fewer bits than one of
/// these take as much memory.
pub fn dense_sizes() -> impl Iterator<Item = Vec<u32>> {
    let slots = |bytes: usize| (LINE - 1) / bytes;
    (4..=MOST_BYTES)
        .filter(move |&bytes| bytes == MOST_BYTES || slots(bytes) > slots(bytes + 1))
        .map(widths)
}

/// How many bits the words of a state can have in an entry of so many bytes.
fn widths(bytes: usize) -> Vec<u32> {
    // 7 bytes hold a word without the bits that choose the segment, and more of them the others.
    let first = COLUMN_BITS + 8 * bytes.min(7) as u32 - u32::BITS;
    let others = bytes.saturating_sub(7);
    let words = match others {
        0 => 1,
        1..=8 => 2,
        _ => 4,
    };
    let other = |at: usize| 8 * others.saturating_sub(8 * at).min(8) as u32;
    std::iter::once(first)
        .chain((0..words - 1).map(other))
        .collect()
}

/// The smallest exact store for states of `W` words, the first of which is odd. With a note of some
/// bits beside each state, the first word has so many bits less.
#[derive(Debug)]
pub struct DenseStore<const W: usize, const NOTE: u32 = 0> {
    table: Buckets<Columns<W, NOTE>>,
    shift: u32,
    len: u64,
}

impl<const W: usize> DenseStore<W> {
    /// An empty store for states whose words have no more than so many bits.
    pub fn new(bits: [u32; W]) -> DenseStore<W> {
        DenseStore::with_notes(bits)
    }
}

impl<const W: usize, const NOTE: u32> DenseStore<W, NOTE> {
    /// The same with notes. The bits are those of the words alone.
    pub fn with_notes(mut bits: [u32; W]) -> DenseStore<W, NOTE> {
        bits[0] += NOTE;
        let columns = Columns::new(bits);
        DenseStore {
            shift: columns.shift,
            table: Buckets::new(columns),
            len: 0,
        }
    }

    /// How far the first word of a state is shifted up.
    #[inline(always)]
    fn first_shift(&self) -> u32 {
        self.shift + NOTE
    }

    /// The entry of a state under a key with a note.
    #[inline(always)]
    fn noted(&self, state: &[u8], key: Key, note: u8) -> Words<W> {
        let mut entry = self.entry(state, key);
        entry[0] |= (u64::from(note) & note_mask(NOTE)) << self.shift;
        entry
    }

    /// The note of an entry.
    #[inline(always)]
    fn note_in(&self, entry: &Words<W>) -> u8 {
        (entry[0] >> self.shift & note_mask(NOTE)) as u8
    }

    /// The state of an entry, whose first word has all its bits.
    fn state(&self, mut words: Words<W>) -> Words<W> {
        let mixed = words[0] & !(note_mask(NOTE) << self.shift);
        let mixed = mixed.wrapping_mul(INVERSE) >> self.first_shift();
        let others = fold(&words[1..]) << 1;
        words[0] = mixed ^ others << self.first_shift() >> self.first_shift();
        words
    }

    /// The entry of a state under a key.
    #[inline(always)]
    fn entry(&self, state: &[u8], key: Key) -> Words<W> {
        let mut entry = words::<W>(state);
        entry[0] = key.bits & u64::MAX >> SEGMENT_BITS;
        entry
    }
}

impl<const W: usize, const NOTE: u32> StateStore for DenseStore<W, NOTE> {
    const EXACT: bool = true;
    const READABLE: bool = false;
    const ORDERED: bool = false;

    /// The first word, mixed with the others, in the upper bits. It stays odd there.
    #[inline(always)]
    fn key(&mut self, state: &[u8]) -> Key {
        let words = words::<W>(state);
        let shift = self.first_shift();
        debug_assert!(words[0] & 1 == 1 && words[0] << shift >> shift == words[0]);
        let mixed = words[0] ^ fold(&words[1..]) << 1;
        Key::new((mixed << shift).wrapping_mul(FACTOR))
    }

    #[inline(always)]
    fn prepare(&mut self, state: &[u8]) -> Key {
        let key = self.key(state);
        self.fetch(key);
        key
    }

    #[inline(always)]
    fn fetch(&self, key: Key) {
        self.table.prefetch_pair(key.bits, place(key.bits));
    }

    #[inline(always)]
    fn insert(&mut self, state: &[u8], key: Key) -> Insert {
        match self.table.add(key.bits, self.entry(state, key)) {
            true => {
                self.len += 1;
                Insert::New(StateId(key.bits))
            }
            false => Insert::Known(StateId(key.bits)),
        }
    }

    #[inline(always)]
    fn find(&self, state: &[u8], key: Key) -> Option<StateId> {
        let is_there = self.table.has(key.bits, self.entry(state, key));
        is_there.then_some(StateId(key.bits))
    }

    /// Not possible: states are not kept as they are.
    fn read(&self, _id: StateId) -> &[u8] {
        unreachable!("a dense store gives no state back")
    }

    /// Not possible: entries have no order.
    fn next_id(&self, _id: Option<StateId>) -> Option<StateId> {
        unreachable!("a dense store has no order")
    }

    /// Nothing: there are no notes.
    fn note(&mut self, _id: StateId) -> &mut [u8] {
        &mut []
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn memory_bytes(&self) -> usize {
        self.table.memory_bytes()
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        stream::put(out, self.len)?;
        for (upper, mut entry) in self.table.entries() {
            entry[0] |= upper;
            for word in entry {
                stream::put(out, word)?;
            }
        }
        Ok(())
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        for _ in 0..stream::take(input)? {
            let mut entry: Words<W> = [0; W];
            for word in &mut entry {
                *word = stream::take(input)?;
            }
            let key = entry[0];
            entry[0] &= u64::MAX >> SEGMENT_BITS;
            if !self.table.add_beyond(key, entry) {
                return Err(stream::damaged("a state comes twice"));
            }
            self.len += 1;
        }
        Ok(())
    }
}

impl<const W: usize, const NOTE: u32> WordStore<W> for DenseStore<W, NOTE> {
    fn reserve(&mut self, states: u64) {
        self.table.reserve(states);
    }

    fn states(&self) -> impl Iterator<Item = [u64; W]> {
        self.notes().map(|(state, _)| state)
    }
}

impl<const W: usize, const NOTE: u32> NoteStore<W> for DenseStore<W, NOTE> {
    #[inline(always)]
    fn add(&mut self, state: &[u8], key: Key, note: u8) -> Option<u8> {
        let known = (self.table).add_or_get(key.bits, self.noted(state, key, note));
        self.len += u64::from(known.is_none());
        known.map(|known| self.note_in(&known))
    }

    #[inline(always)]
    fn note_of(&self, state: &[u8], key: Key) -> Option<u8> {
        let known = self.table.get(key.bits, self.entry(state, key));
        known.map(|known| self.note_in(&known))
    }

    #[inline(always)]
    fn set_note(&mut self, state: &[u8], key: Key, note: u8) {
        self.table.replace(key.bits, self.noted(state, key, note));
    }

    fn notes(&self) -> impl Iterator<Item = ([u64; W], u8)> {
        self.table.entries().map(|(upper, mut words)| {
            let note = self.note_in(&words);
            words[0] |= upper;
            (self.state(words), note)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::hash::mix;

    fn check<const W: usize>(bytes: usize) {
        let bits = widths(bytes).try_into().expect("so many words");
        let mut store = DenseStore::<W>::new(bits);
        let mut twin = BTreeSet::new();
        let mut number = 1_u64;
        for _ in 0..100_000 {
            number = mix(number.wrapping_add(1));
            // Few bits that differ, so that some states come again, but anywhere.
            let state: [u64; W] = std::array::from_fn(|at| match bits[at] {
                0 => 0,
                bits => {
                    let few = number >> (11 * at) & 0x7ff;
                    let word = few << (bits - bits.min(6)) ^ few;
                    (word | u64::from(at == 0)) & u64::MAX >> (64 - bits)
                }
            });
            let bytes = state.map(u64::to_le_bytes);
            let key = store.prepare(bytes.as_flattened());
            assert_eq!(
                store.contains(bytes.as_flattened(), key),
                twin.contains(&state)
            );
            let inserted = store.insert(bytes.as_flattened(), key);
            assert_eq!(inserted.is_new(), twin.insert(state));
        }
        assert_eq!(store.len(), twin.len() as u64);
        assert!(BTreeSet::from_iter(store.states()) == twin);
        let mut saved = Vec::new();
        assert!(store.save(&mut saved).is_ok());
        let mut again = DenseStore::<W>::new(bits);
        assert!(again.restore(&mut &saved[..]).is_ok());
        for state in &twin {
            let bytes = state.map(u64::to_le_bytes);
            let key = again.prepare(bytes.as_flattened());
            assert!(again.contains(bytes.as_flattened(), key));
        }
    }

    /// Notes come back, through growth too, and tell no states apart.
    fn check_notes<const W: usize>(bytes: usize) {
        let mut bits: [u32; W] = widths(bytes).try_into().expect("so many words");
        bits[0] -= 2;
        let mut store = DenseStore::<W, 2>::with_notes(bits);
        let mut twin = BTreeMap::new();
        let mut number = 1_u64;
        for _ in 0..100_000 {
            number = mix(number.wrapping_add(1));
            let state: [u64; W] = std::array::from_fn(|at| match bits[at] {
                0 => 0,
                bits => {
                    let few = number >> (11 * at) & 0x7ff;
                    let word = few << (bits - bits.min(6)) ^ few;
                    (word | u64::from(at == 0)) & u64::MAX >> (64 - bits)
                }
            });
            let bytes = state.map(u64::to_le_bytes);
            let (bytes, note) = (bytes.as_flattened(), (number >> 60) as u8 & 3);
            let key = store.prepare(bytes);
            assert_eq!(store.note_of(bytes, key), twin.get(&state).copied());
            match number >> 59 & 1 {
                0 => {
                    assert_eq!(store.add(bytes, key, note), twin.get(&state).copied());
                    twin.entry(state).or_insert(note);
                }
                _ if twin.contains_key(&state) => {
                    store.set_note(bytes, key, note);
                    twin.insert(state, note);
                }
                _ => {}
            }
        }
        assert_eq!(store.len(), twin.len() as u64);
        assert!(BTreeMap::from_iter(store.notes()) == twin);
    }

    #[test]
    fn notes_come_back() {
        for bytes in 4..=7 {
            check_notes::<1>(bytes);
        }
        for bytes in 8..=15 {
            check_notes::<2>(bytes);
        }
        for bytes in [16, 24, 27, 31] {
            check_notes::<4>(bytes);
        }
    }

    #[test]
    fn agrees_with_a_hash_set() {
        for bytes in 4..=7 {
            check::<1>(bytes);
        }
        for bytes in 8..=15 {
            check::<2>(bytes);
        }
        for bytes in [16, 24, 27, 31] {
            check::<4>(bytes);
        }
    }

    #[test]
    fn words_have_room() {
        assert_eq!(widths(4), [39]);
        assert_eq!(widths(7), [63]);
        assert_eq!(widths(8), [63, 8]);
        assert_eq!(widths(15), [63, 64]);
        assert_eq!(widths(16), [63, 64, 8, 0]);
        assert_eq!(widths(31), [63, 64, 64, 64]);
        let one = dense_sizes().filter(|bits| bits.len() == 1);
        assert!(one.eq([vec![39], vec![47], vec![55], vec![63]]));
        assert!(dense_sizes().any(|bits| bits == [63, 64]));
        assert_eq!(dense_sizes().last(), Some(vec![63, 64, 64, 64]));
    }

    #[test]
    fn takes_little_memory() {
        for bytes in 4..=7 {
            let bits = widths(bytes).try_into().expect("one word");
            let mut store = DenseStore::<1>::new(bits);
            for n in 0..1_000_000_u64 {
                let state = (n << 1 | 1).to_le_bytes();
                let key = store.prepare(&state);
                assert!(store.insert(&state, key).is_new());
                if n >= 100_000 && n % 1000 == 0 {
                    let each = store.memory_bytes() as f64 / n as f64;
                    assert!(each < 1.5 * bytes as f64, "{each} bytes a state at {n}");
                }
            }
        }
    }
}
