//! Hash compaction: a state is its hash of 64 bits.
//!
//! Follows: Wolper and Leroy's hash compaction, in a table that keeps the whole hash and
//! grows, so that only equal hashes are taken for equal states.

use std::io::{self, Read, Write};

use crate::hash::{hash, mix};
use crate::keys::{KeySet, Long};
use crate::{HashStore, Insert, Key, StateId, StateStore};

/// The store that keeps a hash of 64 bits for each state.
///
/// Id and key of a state are its hash, 1 standing for 0 too.
#[derive(Debug)]
pub struct CompactStore {
    hashes: KeySet<Long>,
}

impl Default for CompactStore {
    fn default() -> CompactStore {
        CompactStore::new()
    }
}

impl CompactStore {
    /// An empty store.
    pub fn new() -> CompactStore {
        CompactStore::with_note(0)
    }

    /// An empty store with notes of so many bytes. Up to 4 bytes cost the same.
    pub fn with_note(bytes: usize) -> CompactStore {
        let hashes = KeySet::new(bytes);
        CompactStore { hashes }
    }

    /// About how probable it is that any state was taken for another and left out.
    ///
    /// Of `n` states, each pair has equal hashes with probability 2^-64, and there are about
    /// `n^2 / 2` pairs: `n^2 / 2^65` pairs are expected, and the probability of at least one
    /// is `1 - exp(-n^2 / 2^65)`. States that are reached only through an omitted one are
    /// not in `n`: the estimate is about the states that were met.
    pub fn omission_probability(&self) -> f64 {
        let n = self.hashes.len() as f64;
        -(-n * n * 0.5f64.powi(65)).exp_m1()
    }
}

impl StateStore for CompactStore {
    const EXACT: bool = false;
    const READABLE: bool = false;
    const ORDERED: bool = false;

    #[inline]
    fn key(&mut self, state: &[u8]) -> Key {
        Key::new(hash(state).max(1))
    }

    #[inline(always)]
    fn prepare(&mut self, state: &[u8]) -> Key {
        let key = self.key(state);
        self.fetch(key);
        key
    }

    #[inline(always)]
    fn fetch(&self, key: Key) {
        self.hashes.prefetch(key.bits);
    }

    #[inline]
    fn touch(&self, key: &mut Key) {
        key.hint = self.hashes.touch(key.bits).into();
    }

    #[inline]
    fn insert(&mut self, _state: &[u8], key: Key) -> Insert {
        if key.hint == 0 && self.hashes.insert(key.bits) {
            Insert::New(StateId(key.bits))
        } else {
            Insert::Known(StateId(key.bits))
        }
    }

    #[inline]
    fn find(&self, _state: &[u8], key: Key) -> Option<StateId> {
        let is_there = key.hint != 0 || self.hashes.contains(key.bits);
        is_there.then_some(StateId(key.bits))
    }

    /// Not possible: the bytes are gone.
    fn read(&self, _id: StateId) -> &[u8] {
        unreachable!("a compact store gives no state back")
    }

    /// Not possible: hashes have no order.
    fn next_id(&self, _id: Option<StateId>) -> Option<StateId> {
        unreachable!("a compact store has no order")
    }

    #[inline]
    fn note(&mut self, id: StateId) -> &mut [u8] {
        self.hashes.note(id.0)
    }

    fn len(&self) -> u64 {
        self.hashes.len()
    }

    fn memory_bytes(&self) -> usize {
        self.hashes.memory_bytes()
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.hashes.save(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.hashes.restore(input)
    }
}

impl HashStore for CompactStore {
    #[inline(always)]
    fn key_of(&self, hash: u64) -> Key {
        Key::new(mix(hash).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twin;

    #[test]
    fn agrees_with_a_hash_map() {
        twin::check_all(CompactStore::new);
    }

    #[test]
    fn notes() {
        twin::check_notes(CompactStore::with_note);
    }

    #[test]
    fn saves_and_restores() {
        twin::check_save(CompactStore::new);
        twin::check_save(|| CompactStore::with_note(2));
        twin::check_save(|| CompactStore::with_note(7));
    }

    #[test]
    fn omissions() {
        let mut store = CompactStore::new();
        assert_eq!(store.omission_probability(), 0.0);
        for n in 0..100_000u32 {
            let key = store.prepare(&n.to_le_bytes());
            store.insert(&n.to_le_bytes(), key);
        }
        assert_eq!(store.len(), 100_000);
        let expected = 1e10 / 2f64.powi(65);
        assert!((store.omission_probability() / expected - 1.0).abs() < 1e-6);
    }
}
