//! What goes with which store.

use relation::{Digest, Words};
use store::{
    BitstateStore, CompactStore, DenseStore, HashStore, Key, PackedStore, StateStore, WordStore,
};

/// When states get another layout, so many are added to the new store at once.
const FILLED: usize = 64;

/// Makes stores for states of some words, and takes back the one that the outcome speaks of.
pub trait WordStores {
    /// A store for states of `W` words of 8 bytes.
    type Store<const W: usize>: StateStore;
    /// What they are told about a state: a hash if they keep nothing else, or nothing but its
    /// words.
    type Digest: Digest;

    /// How many bits the words of states may have, the fewest first; fewer make a smaller
    /// store. There are 1, 2 or 4 words.
    fn sizes(&self) -> Vec<Vec<u32>> {
        whole_words()
    }

    /// An empty one, for states whose words have no more than so many bits.
    fn make<const W: usize>(&mut self, bits: [u32; W]) -> Self::Store<W>;

    /// The key of a state.
    fn key<const W: usize>(
        store: &mut Self::Store<W>,
        words: &Words<W>,
        digest: Self::Digest,
    ) -> Key;

    /// A store for the same states with another layout.
    fn rewrite<const W: usize, const V: usize>(
        &mut self,
        store: Self::Store<W>,
        bits: [u32; V],
        rewrite: impl Fn(&Words<W>) -> Words<V>,
    ) -> Self::Store<V>;

    /// The search has ended.
    fn take_back<const W: usize>(&mut self, _store: Self::Store<W>) {}
}
/// States as they are.
#[derive(Debug)]
pub struct Packed;

impl WordStores for Packed {
    type Store<const W: usize> = PackedStore<W>;
    type Digest = ();

    fn make<const W: usize>(&mut self, _bits: [u32; W]) -> PackedStore<W> {
        PackedStore::new()
    }

    #[inline(always)]
    fn key<const W: usize>(store: &mut PackedStore<W>, words: &Words<W>, (): ()) -> Key {
        key_of_words(store, words)
    }

    fn rewrite<const W: usize, const V: usize>(
        &mut self,
        store: PackedStore<W>,
        bits: [u32; V],
        rewrite: impl Fn(&Words<W>) -> Words<V>,
    ) -> PackedStore<V> {
        rewritten(&store, self.make(bits), rewrite)
    }
}

/// States as they are, in as few bytes as they need. The values of the parts are the leaves of a
/// tree, and a state is its root: this is what a tree store comes to.
#[derive(Debug)]
pub struct Dense {
    /// See [`WordStores::sizes`].
    pub sizes: Vec<Vec<u32>>,
    /// How many stores were made.
    pub made: usize,
}

impl Default for Dense {
    fn default() -> Dense {
        Dense {
            sizes: store::dense_sizes().collect(),
            made: 0,
        }
    }
}

impl WordStores for Dense {
    type Store<const W: usize> = DenseStore<W>;
    type Digest = ();

    fn sizes(&self) -> Vec<Vec<u32>> {
        self.sizes.clone()
    }

    fn make<const W: usize>(&mut self, bits: [u32; W]) -> DenseStore<W> {
        self.made += 1;
        DenseStore::new(bits)
    }

    #[inline(always)]
    fn key<const W: usize>(store: &mut DenseStore<W>, words: &Words<W>, (): ()) -> Key {
        key_of_words(store, words)
    }

    fn rewrite<const W: usize, const V: usize>(
        &mut self,
        store: DenseStore<W>,
        bits: [u32; V],
        rewrite: impl Fn(&Words<W>) -> Words<V>,
    ) -> DenseStore<V> {
        rewritten(&store, self.make(bits), rewrite)
    }
}

/// States as hashes, and the store at the end.
#[derive(Debug)]
pub struct Hashes {
    /// See [`WordStores::sizes`].
    pub sizes: Vec<Vec<u32>>,
    /// What was stored.
    pub store: Option<CompactStore>,
}

impl Default for Hashes {
    fn default() -> Hashes {
        Hashes {
            sizes: whole_words(),
            store: None,
        }
    }
}

impl WordStores for Hashes {
    type Store<const W: usize> = CompactStore;
    type Digest = u64;

    fn sizes(&self) -> Vec<Vec<u32>> {
        self.sizes.clone()
    }

    fn make<const W: usize>(&mut self, _bits: [u32; W]) -> CompactStore {
        CompactStore::new()
    }

    #[inline(always)]
    fn key<const W: usize>(store: &mut CompactStore, _words: &Words<W>, hash: u64) -> Key {
        store.key_of(hash)
    }

    fn rewrite<const W: usize, const V: usize>(
        &mut self,
        store: CompactStore,
        _bits: [u32; V],
        _rewrite: impl Fn(&Words<W>) -> Words<V>,
    ) -> CompactStore {
        store
    }

    fn take_back<const W: usize>(&mut self, store: CompactStore) {
        self.store = Some(store);
    }
}

/// States as bits, and the store at the end.
#[derive(Debug)]
pub struct Bits {
    /// The size of the store.
    pub bytes: usize,
    /// The number of its hash functions.
    pub functions: u32,
    /// What was stored.
    pub store: Option<BitstateStore>,
}

impl WordStores for Bits {
    type Store<const W: usize> = BitstateStore;
    type Digest = u64;

    fn make<const W: usize>(&mut self, _bits: [u32; W]) -> BitstateStore {
        BitstateStore::new(self.bytes, self.functions, 0)
    }

    #[inline(always)]
    fn key<const W: usize>(store: &mut BitstateStore, _words: &Words<W>, hash: u64) -> Key {
        store.key_of(hash)
    }

    fn rewrite<const W: usize, const V: usize>(
        &mut self,
        store: BitstateStore,
        _bits: [u32; V],
        _rewrite: impl Fn(&Words<W>) -> Words<V>,
    ) -> BitstateStore {
        store
    }

    fn take_back<const W: usize>(&mut self, store: BitstateStore) {
        self.store = Some(store);
    }
}

/// Words of which all bits are used.
fn whole_words() -> Vec<Vec<u32>> {
    [1, 2, 4].map(|words| vec![u64::BITS; words]).into()
}

/// The key of a state in a store that keeps it.
#[inline(always)]
fn key_of_words<S: StateStore, const W: usize>(store: &mut S, words: &Words<W>) -> Key {
    store.key(words.map(u64::to_le_bytes).as_flattened())
}

/// An empty store, filled with the states of another one with another layout: some
/// at a time, while the memory comes for others.
fn rewritten<const W: usize, const V: usize, T: WordStore<V>>(
    store: &impl WordStore<W>,
    mut empty: T,
    rewrite: impl Fn(&Words<W>) -> Words<V>,
) -> T {
    empty.reserve(store.len());
    let mut states = store.states();
    let mut batch: Vec<(Words<V>, Key)> = Vec::new();
    loop {
        batch.extend(states.by_ref().take(FILLED).map(|words| {
            let words = rewrite(&words);
            let key = key_of_words(&mut empty, &words);
            empty.fetch(key);
            (words, key)
        }));
        if batch.is_empty() {
            return empty;
        }
        for (words, key) in batch.drain(..) {
            empty.insert(words.map(u64::to_le_bytes).as_flattened(), key);
        }
    }
}
