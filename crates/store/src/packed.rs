//! The fast exact store for states of a few words.
//!
//! A state is its own entry in the table, so one cache line tells whether it is there. The
//! words are kept in a form from which they can be got back: the first one is mixed with all
//! others, spreads evenly and chooses the place, so that nothing is hashed again when the
//! table grows.

use std::io::{self, Read, Write};

use crate::buckets::{Buckets, Slots, split, word};
use crate::keys::{Long, place};
use crate::machine::equal;
use crate::memory::Line;
use crate::{Insert, Key, NoteStore, StateId, StateStore, WordStore, stream};

/// The words of a state.
pub(crate) type Words<const W: usize> = [u64; W];

/// Entries of several words each, the first one mixed; it is never 0. The lowest bits of the first
/// one, so many, are a note: they say nothing about which entry it is.
#[derive(Debug, Default)]
struct Several<const W: usize, const NOTE: u32>;

impl<const W: usize, const NOTE: u32> Slots for Several<W, NOTE> {
    type Entry = Words<W>;
    const FILL: usize = 24;
    const GROWTH: usize = 8;

    #[inline(always)]
    fn count(&self) -> usize {
        8 / W
    }

    #[inline(always)]
    fn get(&self, line: &Line, slot: usize) -> Words<W> {
        if W == 1 {
            return [Long.get(line, slot); W];
        }
        std::array::from_fn(|at| word(line, 8 * (slot * W + at)))
    }

    #[inline(always)]
    fn put(&self, line: &mut Line, slot: usize, entry: Words<W>) {
        if W == 1 {
            return Long.put(line, slot, entry[0]);
        }
        for (at, word) in entry.iter().enumerate() {
            line[8 * (slot * W + at)..][..8].copy_from_slice(&word.to_le_bytes());
        }
    }

    #[inline(always)]
    fn is_empty(&self, line: &Line, slot: usize) -> bool {
        self.get(line, slot)[0] == 0
    }

    #[inline(always)]
    fn place(&self, entry: Words<W>) -> u32 {
        place(entry[0])
    }

    #[inline(always)]
    fn hits(&self, line: &Line, probe: Words<W>) -> u32 {
        if W == 1 {
            return equal(split::upper(line), (probe[0] >> 32) as u32, u32::MAX)
                & equal(split::lower(line), probe[0] as u32, !note_mask(NOTE) as u32);
        }
        (0..self.count()).fold(0, |hits, slot| {
            let entry = self.get(line, slot);
            let first = (entry[0] ^ probe[0]) & !note_mask(NOTE);
            let differ =
                (entry[1..].iter().zip(&probe[1..])).fold(first, |differ, (a, b)| differ | (a ^ b));
            hits | u32::from(differ == 0) << slot
        })
    }

    #[inline(always)]
    fn used(&self, line: &Line) -> usize {
        if W == 1 {
            return Long.used(line);
        }
        let is_used = |&slot: &usize| word(line, 8 * slot * W) != 0;
        (0..self.count()).filter(is_used).count()
    }
}

/// The bits of a note.
pub(crate) const fn note_mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// The fast exact store for states of `W` words, 1, 2 or 4, of which the first is never 0. It takes
/// 13 to 27 bytes for a word. With a note of some bits beside each state, the first word has so many
/// bits less.
#[derive(Debug)]
pub struct PackedStore<const W: usize, const NOTE: u32 = 0> {
    table: Buckets<Several<W, NOTE>>,
    len: u64,
}

impl<const W: usize, const NOTE: u32> Default for PackedStore<W, NOTE> {
    fn default() -> PackedStore<W, NOTE> {
        PackedStore {
            table: Buckets::default(),
            len: 0,
        }
    }
}

impl<const W: usize> PackedStore<W> {
    /// An empty store.
    pub fn new() -> PackedStore<W> {
        PackedStore::default()
    }
}

/// An odd number without a pattern: the fraction of the golden ratio.
pub(crate) const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// The product of both is 1.
pub(crate) const INVERSE: u64 = 0xf1de_83e1_9937_733d;

/// A permutation of the numbers that spreads them to the upper bits. It maps 0 to 0.
#[inline(always)]
fn spread(number: u64) -> u64 {
    spread_above::<0>(number)
}

/// The same of the numbers whose lowest bits are 0.
#[inline(always)]
fn spread_above<const NOTE: u32>(number: u64) -> u64 {
    let product = number.wrapping_mul(FACTOR);
    product ^ product >> 32 & !note_mask(NOTE)
}

/// The number that was spread.
fn gather_above<const NOTE: u32>(spread: u64) -> u64 {
    (spread ^ spread >> 32 & !note_mask(NOTE)).wrapping_mul(INVERSE)
}

/// The words of a state.
#[inline(always)]
pub(crate) fn words<const W: usize>(state: &[u8]) -> Words<W> {
    let words = state.as_chunks::<8>().0;
    std::array::from_fn(|at| u64::from_le_bytes(words[at]))
}

/// One number for all words but the first.
#[inline(always)]
pub(crate) fn fold(others: &[u64]) -> u64 {
    (others.iter()).fold(0, |all: u64, word| spread(all.rotate_left(1) ^ word))
}

/// The entry of a state.
#[inline(always)]
fn entry<const W: usize, const NOTE: u32>(state: &[u8]) -> Words<W> {
    let mut entry = words::<W>(state);
    debug_assert!(entry[0] >> (u64::BITS - 1 - NOTE) <= 1);
    let others = fold(&entry[1..]) << NOTE;
    // One first word would be mapped to 0, which stands for an empty slot. It takes the image
    // of 0, which no state begins with.
    entry[0] = match spread_above::<NOTE>(entry[0] << NOTE ^ others) {
        0 => spread_above::<NOTE>(others),
        mixed => mixed,
    };
    entry
}

/// The state of an entry.
fn state<const W: usize, const NOTE: u32>(mut entry: Words<W>) -> Words<W> {
    let others = fold(&entry[1..]) << NOTE;
    let mixed = entry[0] & !note_mask(NOTE);
    entry[0] = match gather_above::<NOTE>(mixed) ^ others {
        0 => others,
        first => first,
    } >> NOTE;
    entry
}

/// The entry of a state with a key.
#[inline(always)]
fn entry_with<const W: usize>(state: &[u8], key: Key) -> Words<W> {
    let mut entry: Words<W> = [key.bits; W];
    for (word, bytes) in entry.iter_mut().zip(state.as_chunks::<8>().0).skip(1) {
        *word = u64::from_le_bytes(*bytes);
    }
    entry
}

impl<const W: usize, const NOTE: u32> StateStore for PackedStore<W, NOTE> {
    const EXACT: bool = true;
    const READABLE: bool = false;
    const ORDERED: bool = false;

    #[inline(always)]
    fn key(&mut self, state: &[u8]) -> Key {
        Key::new(entry::<W, NOTE>(state)[0])
    }

    #[inline(always)]
    fn prepare(&mut self, state: &[u8]) -> Key {
        let key = self.key(state);
        self.fetch(key);
        key
    }

    #[inline(always)]
    fn fetch(&self, key: Key) {
        self.table.prefetch(key.bits, place(key.bits));
    }

    #[inline(always)]
    fn insert(&mut self, state: &[u8], key: Key) -> Insert {
        match self.table.add(key.bits, entry_with::<W>(state, key)) {
            true => {
                self.len += 1;
                Insert::New(StateId(key.bits))
            }
            false => Insert::Known(StateId(key.bits)),
        }
    }

    #[inline(always)]
    fn find(&self, state: &[u8], key: Key) -> Option<StateId> {
        let is_there = self.table.has(key.bits, entry_with::<W>(state, key));
        is_there.then_some(StateId(key.bits))
    }

    /// Not possible: states are not kept as they are.
    fn read(&self, _id: StateId) -> &[u8] {
        unreachable!("a packed store gives no state back")
    }

    /// Not possible: entries have no order.
    fn next_id(&self, _id: Option<StateId>) -> Option<StateId> {
        unreachable!("a packed store has no order")
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
        for (_, entry) in self.table.entries() {
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
            if !self.table.add_beyond(entry[0], entry) {
                return Err(stream::damaged("a state comes twice"));
            }
            self.len += 1;
        }
        Ok(())
    }
}

impl<const W: usize, const NOTE: u32> WordStore<W> for PackedStore<W, NOTE> {
    fn reserve(&mut self, states: u64) {
        self.table.reserve(states);
    }

    fn states(&self) -> impl Iterator<Item = [u64; W]> {
        self.table
            .entries()
            .map(|(_, entry)| state::<W, NOTE>(entry))
    }
}

impl<const W: usize, const NOTE: u32> NoteStore<W> for PackedStore<W, NOTE> {
    #[inline(always)]
    fn add(&mut self, state: &[u8], key: Key, note: u8) -> Option<u8> {
        let mut entry = entry_with::<W>(state, key);
        entry[0] |= u64::from(note) & note_mask(NOTE);
        let known = self.table.add_or_get(key.bits, entry);
        self.len += u64::from(known.is_none());
        known.map(|known| (known[0] & note_mask(NOTE)) as u8)
    }

    #[inline(always)]
    fn note_of(&self, state: &[u8], key: Key) -> Option<u8> {
        let known = self.table.get(key.bits, entry_with::<W>(state, key));
        known.map(|known| (known[0] & note_mask(NOTE)) as u8)
    }

    #[inline(always)]
    fn set_note(&mut self, state: &[u8], key: Key, note: u8) {
        let mut entry = entry_with::<W>(state, key);
        entry[0] |= u64::from(note) & note_mask(NOTE);
        self.table.replace(key.bits, entry);
    }

    fn notes(&self) -> impl Iterator<Item = ([u64; W], u8)> {
        let note = |entry: &Words<W>| (entry[0] & note_mask(NOTE)) as u8;
        (self.table.entries()).map(move |(_, entry)| (state::<W, NOTE>(entry), note(&entry)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::hash::mix;

    fn check<const W: usize>() {
        let mut store = PackedStore::<W>::new();
        let mut twin = BTreeSet::new();
        let mut number = 1_u64;
        for _ in 0..200_000 {
            number = mix(number.wrapping_add(1));
            // Small numbers, so that some come again, and differences in each of the words.
            let state: [u64; W] = std::array::from_fn(|at| (number >> (9 * at) & 0x1ff) << 1 | 1);
            let bytes = state.map(u64::to_le_bytes);
            let key = store.prepare(bytes.as_flattened());
            assert_eq!(
                store.find(bytes.as_flattened(), key).is_some(),
                twin.contains(&state)
            );
            let inserted = store.insert(bytes.as_flattened(), key);
            assert_eq!(inserted.is_new(), twin.insert(state));
        }
        assert_eq!(store.len(), twin.len() as u64);
        assert!(BTreeSet::from_iter(store.states()) == twin);
        let mut saved = Vec::new();
        assert!(store.save(&mut saved).is_ok());
        let mut again = PackedStore::<W>::new();
        assert!(again.restore(&mut &saved[..]).is_ok());
        for state in &twin {
            let bytes = state.map(u64::to_le_bytes);
            let key = again.prepare(bytes.as_flattened());
            assert!(again.find(bytes.as_flattened(), key).is_some());
        }
    }

    #[test]
    fn every_first_word_comes_back() {
        assert_eq!(FACTOR.wrapping_mul(INVERSE), 1);
        let mut store = PackedStore::<2>::new();
        // One of these would be mapped to 0.
        let states = [[fold(&[7]), 7], [1, 7], [u64::MAX, 7], [fold(&[7]), 8]];
        for state in states {
            let bytes = state.map(u64::to_le_bytes);
            let key = store.prepare(bytes.as_flattened());
            assert!(store.insert(bytes.as_flattened(), key).is_new());
        }
        assert_eq!(
            BTreeSet::from_iter(store.states()),
            BTreeSet::from_iter(states)
        );
    }

    /// Notes come back, through growth too, and tell no states apart.
    fn check_notes<const W: usize>() {
        let mut store = PackedStore::<W, 3>::default();
        let mut twin = BTreeMap::new();
        let mut number = 1_u64;
        for _ in 0..200_000 {
            number = mix(number.wrapping_add(1));
            let state: [u64; W] = std::array::from_fn(|at| {
                let few = number >> (9 * at) & 0x1ff;
                few << 52 | few << 1 | 1
            });
            let bytes = state.map(u64::to_le_bytes);
            let (bytes, note) = (bytes.as_flattened(), (number >> 60) as u8 & 7);
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
        assert!(store.states().eq(store.notes().map(|(state, _)| state)));
    }

    #[test]
    fn notes_come_back() {
        check_notes::<1>();
        check_notes::<2>();
        check_notes::<4>();
    }

    #[test]
    fn agrees_with_a_hash_set() {
        check::<1>();
        check::<2>();
        check::<4>();
    }
}
