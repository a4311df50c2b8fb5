//! The exact store that keeps every state as it is.
//!
//! States lie one after the other in an arena that never moves; a table of 8-byte entries
//! finds them. Together a state costs its length, 1 or 2 bytes to say it, and 9 to 11.5
//! bytes of table.

use rapidhash::v3::{DEFAULT_RAPID_SECRETS, rapidhash_v3_inline};

use crate::arena::Arena;
use crate::table::Table;
use crate::{Insert, StateId, StateStore};

/// The exact store that keeps every state as it is.
///
/// Invariant: the table holds exactly the offsets of the records of the arena, each under
/// the hash of its bytes, and no two records are equal. An id is an offset.
#[derive(Debug, Default)]
pub struct PlainStore {
    arena: Arena,
    table: Table,
    len: u64,
}

impl PlainStore {
    /// An empty store.
    pub fn new() -> PlainStore {
        PlainStore::default()
    }

    /// Add a state, and tell whether it was new.
    #[inline]
    pub fn insert(&mut self, state: &[u8]) -> Insert {
        let found = (self.table).find(hash(state), |offset| self.arena.get(offset) == state);
        match found {
            Ok(offset) => Insert::Known(StateId(offset)),
            Err(vacancy) => {
                let offset = self.arena.push(state);
                self.table.fill(vacancy, offset);
                self.len += 1;
                Insert::New(StateId(offset))
            }
        }
    }

    /// The bytes of a state.
    pub fn get(&self, id: StateId) -> &[u8] {
        self.arena.get(id.0)
    }

    /// The number of states.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.arena.memory_bytes() + self.table.memory_bytes()
    }
}

impl StateStore for PlainStore {
    const EXACT: bool = true;
    const READABLE: bool = true;

    #[inline]
    fn insert(&mut self, state: &[u8]) -> Insert {
        PlainStore::insert(self, state)
    }

    #[inline]
    fn read(&self, id: StateId, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(self.get(id));
    }

    fn len(&self) -> u64 {
        PlainStore::len(self)
    }

    fn memory_bytes(&self) -> usize {
        PlainStore::memory_bytes(self)
    }
}

/// The same on every run and every machine, so that a run repeats byte for byte.
fn hash(state: &[u8]) -> u64 {
    rapidhash_v3_inline::<true, false, false>(state, &DEFAULT_RAPID_SECRETS)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Numbers that look random, the same on every run.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self, below: u64) -> u64 {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (self.0 >> 33) % below
        }
    }

    /// Insert random states of up to `max_len` bytes below `values`, and compare with a map.
    fn check(rng_seed: u64, count: usize, max_len: u64, values: u64) {
        let mut numbers = Numbers(rng_seed);
        let mut store = PlainStore::new();
        let mut twin: HashMap<Vec<u8>, StateId> = HashMap::new();
        for _ in 0..count {
            let len = numbers.next(max_len + 1);
            let state: Vec<u8> = (0..len).map(|_| numbers.next(values) as u8).collect();
            match store.insert(&state) {
                Insert::New(id) => assert_eq!(twin.insert(state, id), None),
                Insert::Known(id) => assert_eq!(twin.get(&state), Some(&id)),
            }
            assert_eq!(store.len(), twin.len() as u64);
        }
        let mut ids: Vec<_> = twin.into_iter().collect();
        ids.sort();
        for (state, id) in ids {
            assert_eq!(store.get(id), state);
            assert_eq!(store.insert(&state), Insert::Known(id));
        }
    }

    #[test]
    fn agrees_with_a_hash_map() {
        check(1, 50_000, 9, 3);
        check(2, 100_000, 48, 256);
        check(3, 20_000, 300, 2);
        check(4, 300, 20_000, 256);
        check(5, 100, 0, 1);
    }

    #[test]
    fn lengths_tell_states_apart() {
        let mut store = PlainStore::new();
        let zeros = [0; 1000];
        for len in 0..=zeros.len() {
            assert!(store.insert(&zeros[..len]).is_new());
        }
        for len in 0..=zeros.len() {
            let id = store_id(&mut store, &zeros[..len]);
            assert_eq!(store.get(id).len(), len);
        }
        assert_eq!(store.len(), 1001);
    }

    fn store_id(store: &mut PlainStore, state: &[u8]) -> StateId {
        match store.insert(state) {
            Insert::Known(id) => id,
            Insert::New(_) => panic!("not there: {state:?}"),
        }
    }

    #[test]
    fn few_bytes_beside_the_states() {
        let mut store = PlainStore::new();
        let mut state = [0; 48];
        for n in 0..1_000_000u32 {
            state[20..24].copy_from_slice(&n.to_le_bytes());
            let before = store.memory_bytes();
            assert!(store.insert(&state).is_new());
            // No growth takes more than a small part of what is there.
            assert!(
                store.memory_bytes() - before <= 4096 + before / 64,
                "at {n}"
            );
            if n >= 100_000 && n % 1000 == 0 {
                let beside = store.memory_bytes() as f64 / f64::from(n + 1) - 48.0;
                assert!(beside < 12.7, "{beside} bytes beside a state at {n}");
            }
        }
    }
}
