//! Visited-state stores: bytes in, new-or-known out.
//!
//! A store knows nothing about what the bytes mean. A search asks it one question per
//! step, [`StateStore::insert`], and some stores can also give a state back, so that a
//! search need not keep a copy on its stack.
//!
//! | store | exact | gives states back | bytes for a state |
//! | --- | --- | --- | --- |
//! | [`PlainStore`] | yes | yes, in order | its length and 12 to 18 |
//! | [`PackedStore`] | yes | no | its length, of a few words, 1.6 to 3.4 times |
//! | [`DenseStore`] | yes | no | a byte less than the bits that its words use, 1.2 to 2 times |
//! | [`TreeStore`] | yes | no | 8 to 10, and what they do not share |
//! | [`CompactStore`] | 64 bits | no | 12 to 22 |
//! | [`BitstateStore`] | no | no | as few as one gives it |
//!
//! | file | purpose |
//! | --- | --- |
//! | `plain`, `arena`, `buckets` | whole states, and the hash table that grows in parts |
//! | `packed`, `dense` | states of a few words, each its own entry: fast, and small |
//! | `tree`, `compact`, `keys` | states as trees and as hashes; both are sets of 64-bit keys |
//! | `bitstate` | states as bits |
//! | `hash`, `words`, `memory`, `stream` | hashes, short strings, huge pages, saving |
//! | `machine` | the few instructions without a safe form |
//! | `twin` | tests: every store against a hash map |

mod arena;
mod bitstate;
mod buckets;
mod compact;
mod dense;
mod hash;
mod keys;
mod machine;
mod memory;
mod packed;
mod plain;
mod stream;
mod tree;
#[cfg(test)]
mod twin;
mod words;

use std::io::{self, Read, Write};

pub use bitstate::BitstateStore;
pub use compact::CompactStore;
pub use dense::{DenseStore, dense_sizes};
pub use hash::hash;
pub use packed::PackedStore;
pub use plain::PlainStore;
pub use tree::TreeStore;

/// Names a state inside the store that returned it. Ids of different stores do not mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u64);

impl StateId {
    /// The id of a number, as [`StateId::to_bits`] gave it.
    pub fn from_bits(bits: u64) -> StateId {
        StateId(bits)
    }

    /// The id as a number, for those who pack it.
    pub fn to_bits(self) -> u64 {
        self.0
    }
}

/// A state of a batch that differs in few bytes from another one.
#[derive(Clone, Copy, Debug)]
pub struct Near<'s> {
    /// The state.
    pub state: &'s [u8],
    /// The number of the other one, which comes before it. Its own number if there is none.
    pub near: u32,
}

/// What [`StateStore::insert`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// The state was not there; now it is, under this id.
    New(StateId),
    /// The state was there already, under this id.
    Known(StateId),
}

impl Insert {
    /// Whether the state was not there before.
    pub fn is_new(self) -> bool {
        matches!(self, Insert::New(_))
    }

    /// The id of the state, new or known.
    pub fn id(self) -> StateId {
        match self {
            Insert::New(id) | Insert::Known(id) => id,
        }
    }
}

/// What [`StateStore::prepare`] and [`StateStore::touch`] worked out about a state, for the
/// calls that follow. Good as long as the store exists: later it may cost more, but never
/// gives a wrong answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// What the state was turned into, mostly a hash.
    pub bits: u64,
    /// Something about where the state may be; 0 if there is nothing to say.
    hint: u64,
}

impl Key {
    /// A key without a hint.
    pub fn new(bits: u64) -> Key {
        Key { bits, hint: 0 }
    }
}

/// A set of byte strings that only grows.
///
/// Inserting the same bytes twice answers `New` at most once. States may differ in length.
///
/// A state is looked up in two moves, so that a search can do something else while the
/// memory comes: [`StateStore::prepare`] computes where it belongs and asks for the cache
/// lines, [`StateStore::insert`] or [`StateStore::contains`] looks. Between the two,
/// [`StateStore::touch`] may ask for memory that only the first lines tell of. It pays to do
/// each of these for 64 to 96 states before the next one.
pub trait StateStore {
    /// Whether `Known` is always true. A store that can take two states for one is not
    /// exact, and a search over it does not visit everything.
    const EXACT: bool;

    /// Whether [`StateStore::read`] gives the bytes back. Otherwise a search has to keep
    /// the states of its path itself, and ids are good for [`StateStore::note`] only.
    const READABLE: bool;

    /// Whether ids grow in the order of insertion, and [`StateStore::next_id`] gives the
    /// states in that order: a breadth-first search needs no queue then.
    const ORDERED: bool;

    /// Whether keys are better worked out for many states at once, see [`StateStore::keys`].
    const IN_BATCHES: bool = false;
    /// Whether states that differ only in the names of processes are one: then what is known about
    /// a process in one of them says nothing about the process of that name in another.
    const RENAMES: bool = false;

    /// Say that the states prepared next are mostly successors of this one, which differ
    /// from it in few bytes.
    fn focus(&mut self, _state: &[u8]) {}

    /// Work out the key of a state, and ask for the memory that looking it up will need.
    fn prepare(&mut self, state: &[u8]) -> Key;

    /// Work out the key of a state, and leave it to [`StateStore::fetch`] to ask for memory,
    /// where that is another matter.
    #[inline]
    fn key(&mut self, state: &[u8]) -> Key {
        self.prepare(state)
    }

    /// Work out the keys of many states, in their order, and append them to `keys`. They are not
    /// asked for yet.
    fn keys<'s>(&mut self, states: impl Iterator<Item = Near<'s>>, keys: &mut Vec<Key>) {
        keys.extend(states.map(|near| self.key(near.state)));
    }

    /// Ask for the memory that looking up a state will need. To do this for many states one
    /// after the other, with nothing between, is faster than to do it for each as it comes: the
    /// processor waits for the translation of several addresses at once.
    #[inline]
    fn fetch(&self, _key: Key) {}

    /// Look at the memory that [`StateStore::prepare`] asked for, ask for what else the
    /// look-up of the state will need, and note in the key what was seen.
    #[inline]
    fn touch(&self, _key: &mut Key) {}

    /// Add a state, and tell whether it was new.
    fn insert(&mut self, state: &[u8], key: Key) -> Insert;

    /// The id of a state, if it is there.
    fn find(&self, state: &[u8], key: Key) -> Option<StateId>;

    /// Whether a state is there.
    #[inline]
    fn contains(&self, state: &[u8], key: Key) -> bool {
        self.find(state, key).is_some()
    }

    /// The bytes of a state. Only where [`StateStore::READABLE`] says so.
    fn read(&self, id: StateId) -> &[u8];

    /// The state inserted after this one, or the first. Only where [`StateStore::ORDERED`]
    /// says so.
    fn next_id(&self, id: Option<StateId>) -> Option<StateId>;

    /// The bytes that a search keeps beside a state, as many as the store was made for, 0 at
    /// first. The marks of nested searches and the depths of bounded ones live here.
    fn note(&mut self, id: StateId) -> &mut [u8];

    /// The number of states.
    fn len(&self) -> u64;

    /// Whether there are no states.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory in use, states and tables together. Cheap: asked all the time.
    fn memory_bytes(&self) -> usize;

    /// Write everything that [`StateStore::restore`] needs, ids and notes included. The
    /// pieces are small: give it a writer with a buffer.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Fill an empty store, made with the same constructor and arguments, with what
    /// [`StateStore::save`] wrote. The pieces are small: give it a reader with a buffer.
    /// Reads exactly what was written. After an error the store is good for nothing.
    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()>;
}

/// A store that keeps nothing of a state but its hash, or less.
pub trait HashStore: StateStore {
    /// The key of a state with this hash, which somebody else worked out. All states have to come
    /// with hashes from there. Parts of these may have something in common, as those of hashes
    /// that are combined by an exclusive or.
    fn key_of(&self, hash: u64) -> Key;
}

/// A store that keeps the words of states, of `W` words each.
pub trait WordStore<const W: usize>: StateStore {
    /// Make room for so many states in an empty store.
    fn reserve(&mut self, states: u64);

    /// The states, in no order that means anything, but always the same.
    fn states(&self) -> impl Iterator<Item = [u64; W]>;
}

/// A store of words with a few bits beside each state.
pub trait NoteStore<const W: usize>: WordStore<W> {
    /// The note of a state. If it is not there it is added with this one.
    fn add(&mut self, state: &[u8], key: Key, note: u8) -> Option<u8>;

    /// The note of a state, if it is there.
    fn note_of(&self, state: &[u8], key: Key) -> Option<u8>;

    /// Change the note of a state that is there.
    fn set_note(&mut self, state: &[u8], key: Key, note: u8);

    /// The states with their notes, in no order that means anything.
    fn notes(&self) -> impl Iterator<Item = ([u64; W], u8)>;
}
