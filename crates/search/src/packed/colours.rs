//! Stores of packed states with a colour beside each of them.

use relation::Words;
use store::{DenseStore, Key, NoteStore, PackedStore, StateStore};

use super::SAMPLE;

/// When states get another layout, so many are added to the new store at once.
const FILLED: usize = 64;

/// The bits of a colour.
pub const COLOUR_BITS: u32 = 2;

/// What the two searches know about a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Colour {
    /// The first search is done with it.
    Blue,
    /// The first search is behind it: it is on its path.
    Cyan,
    /// The same, and it is an accepting state.
    CyanAccepting,
    /// The second search has been there.
    Red,
}

impl Colour {
    const ALL: [Colour; 4] = [
        Colour::Blue,
        Colour::Cyan,
        Colour::CyanAccepting,
        Colour::Red,
    ];

    #[inline(always)]
    pub(super) fn of(note: u8) -> Colour {
        Colour::ALL[usize::from(note & 3)]
    }
}

/// Makes stores of states and colours.
pub trait ColourStores {
    /// A store for states of `W` words of 8 bytes.
    type Store<const W: usize>: NoteStore<W>;

    /// How many bits the words of states may have, the fewest first. There are 1, 2 or 4 words.
    fn sizes(&self) -> Vec<Vec<u32>>;

    /// So many states are looked at before the widths of fields are chosen.
    fn sample(&self) -> u64;

    /// An empty one, for states whose words have no more than so many bits.
    fn make<const W: usize>(&mut self, bits: [u32; W]) -> Self::Store<W>;
}

/// States as they are.
#[derive(Debug)]
pub struct Coloured;

impl ColourStores for Coloured {
    type Store<const W: usize> = PackedStore<W, COLOUR_BITS>;

    fn sizes(&self) -> Vec<Vec<u32>> {
        [1, 2, 4].map(words_beside_colours).into()
    }

    fn sample(&self) -> u64 {
        SAMPLE
    }

    fn make<const W: usize>(&mut self, _bits: [u32; W]) -> PackedStore<W, COLOUR_BITS> {
        PackedStore::default()
    }
}

/// States as they are, in as few bytes as they need.
#[derive(Debug)]
pub struct DenseColoured;

impl ColourStores for DenseColoured {
    type Store<const W: usize> = DenseStore<W, COLOUR_BITS>;

    fn sizes(&self) -> Vec<Vec<u32>> {
        let narrower = |mut bits: Vec<u32>| {
            bits[0] -= COLOUR_BITS;
            bits
        };
        store::dense_sizes().map(narrower).collect()
    }

    fn sample(&self) -> u64 {
        SAMPLE
    }

    fn make<const W: usize>(&mut self, bits: [u32; W]) -> DenseStore<W, COLOUR_BITS> {
        DenseStore::with_notes(bits)
    }
}

/// Whole words, but for a colour.
fn words_beside_colours(words: usize) -> Vec<u32> {
    let mut bits = vec![u64::BITS; words];
    bits[0] -= COLOUR_BITS;
    bits
}

/// The key of a state.
#[inline(always)]
pub(super) fn key<const W: usize>(store: &mut impl StateStore, words: &Words<W>) -> Key {
    store.key(words.map(u64::to_le_bytes).as_flattened())
}

/// An empty store, filled with the states and colours of another one with another layout.
pub(super) fn rewritten<const W: usize, const V: usize, T: NoteStore<V>>(
    store: &impl NoteStore<W>,
    mut empty: T,
    rewrite: impl Fn(&Words<W>) -> Words<V>,
) -> T {
    empty.reserve(store.len());
    let mut states = store.notes();
    let mut batch: Vec<(Words<V>, Key, u8)> = Vec::new();
    loop {
        batch.extend(states.by_ref().take(FILLED).map(|(words, note)| {
            let words = rewrite(&words);
            let key = key(&mut empty, &words);
            empty.fetch(key);
            (words, key, note)
        }));
        if batch.is_empty() {
            return empty;
        }
        for (words, key, note) in batch.drain(..) {
            empty.add(words.map(u64::to_le_bytes).as_flattened(), key, note);
        }
    }
}
