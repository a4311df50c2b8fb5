//! Simple stores for tests.

use std::collections::HashMap;
use std::io::{self, Read, Write};

use store::{Insert, Key, StateId, StateStore};

use crate::checkpoint::wire::{get, get_bytes, put, put_bytes};

/// A store that is exact, or claims to be, can give states back and knows their order: as
/// the parameters say. With `LOSSY` it keeps only the first byte of every state.
#[derive(Debug, Default)]
pub(crate) struct TestStore<const READABLE: bool, const ORDERED: bool, const LOSSY: bool> {
    numbers: HashMap<Vec<u8>, u64>,
    states: Vec<Vec<u8>>,
    notes: Vec<[u8; 4]>,
}

/// Exact, readable, ordered.
pub(crate) type Plain = TestStore<true, true, false>;
/// Exact and readable.
pub(crate) type Unordered = TestStore<true, false, false>;
/// Exact.
pub(crate) type Unreadable = TestStore<false, false, false>;
/// Takes many states for one.
pub(crate) type Lossy = TestStore<false, false, true>;

impl<const READABLE: bool, const ORDERED: bool, const LOSSY: bool>
    TestStore<READABLE, ORDERED, LOSSY>
{
    fn seen(state: &[u8]) -> &[u8] {
        if LOSSY {
            &state[..state.len().min(1)]
        } else {
            state
        }
    }
}

impl<const READABLE: bool, const ORDERED: bool, const LOSSY: bool> StateStore
    for TestStore<READABLE, ORDERED, LOSSY>
{
    const EXACT: bool = !LOSSY;
    const READABLE: bool = READABLE;
    const ORDERED: bool = ORDERED;

    fn prepare(&mut self, state: &[u8]) -> Key {
        Key::new(state.len() as u64)
    }

    fn insert(&mut self, state: &[u8], key: Key) -> Insert {
        assert_eq!(key.bits, state.len() as u64);
        let state = Self::seen(state);
        if let Some(&number) = self.numbers.get(state) {
            return Insert::Known(StateId::from_bits(number * 3));
        }
        let number = self.states.len() as u64;
        self.numbers.insert(state.to_vec(), number);
        self.states.push(state.to_vec());
        self.notes.push([0; 4]);
        Insert::New(StateId::from_bits(number * 3))
    }

    fn find(&self, state: &[u8], key: Key) -> Option<StateId> {
        assert_eq!(key.bits, state.len() as u64);
        let number = self.numbers.get(Self::seen(state))?;
        Some(StateId::from_bits(number * 3))
    }

    fn read(&self, id: StateId) -> &[u8] {
        assert!(READABLE);
        &self.states[id.to_bits() as usize / 3]
    }

    fn next_id(&self, id: Option<StateId>) -> Option<StateId> {
        assert!(ORDERED);
        let next = id.map_or(0, |id| id.to_bits() / 3 + 1);
        (next < self.len()).then(|| StateId::from_bits(next * 3))
    }

    fn note(&mut self, id: StateId) -> &mut [u8] {
        &mut self.notes[id.to_bits() as usize / 3]
    }

    fn len(&self) -> u64 {
        self.states.len() as u64
    }

    fn save(&self, mut out: &mut dyn Write) -> io::Result<()> {
        put(&mut out, self.len())?;
        (self.states.iter()).try_for_each(|state| put_bytes(&mut out, state))
    }

    fn restore(&mut self, mut input: &mut dyn Read) -> io::Result<()> {
        for _ in 0..get(&mut input)? {
            let state = get_bytes(&mut input)?;
            let key = self.prepare(&state);
            self.insert(&state, key);
        }
        Ok(())
    }

    fn memory_bytes(&self) -> usize {
        self.states.len() * 16
    }
}
