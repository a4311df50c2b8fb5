//! A store that takes states for one that differ only in which process is which.
//!
//! Follows: [001 ch. 6, Fig. 3]: a search goes on from the states that it comes to, and only the
//! store sees representatives. So the path of a search is a real execution, in the names of the
//! model. With it nested depth-first search is [001 ch. 7, Fig. 8] (MRNDFS), and with weak fairness
//! [000, Fig. 4].
//!
//! That figure is for debugging: what it reports is a fair cycle (Theorem 2 there), but it misses
//! some, since a copy of the state space waits for a process by name, and two states with the same
//! representative wait for different ones. Executed literally it finds nothing in 2 to 5 of 100 small
//! random graphs with a fair cycle, and the smallest of these is no odd one: two processes and a
//! lock, where all states are accepting (`a_lock` among the tests of [`crate::rwf()`]).
//!
//! Departs:
//! - A state is asked for several times, and its representative is kept in between.
//! - The copies are those of [`crate::nested_dfs_fair()`]. Cycles are missed for the same reason, but
//!   not the same ones: that of the lock is found.
//! - In a state where all processes are disabled the figure goes through all copies and reports a
//!   cycle if the state is accepting. Here an execution that ends is what the system makes of it
//!   ([`space::Acceptance`]).

use std::cell::RefCell;
use std::io::{self, Read, Write};

use space::Representative;
use store::{Insert, Key, StateId, StateStore};

/// Representatives that are kept, a power of two.
const KEPT: usize = 1 << 10;

/// A store of representatives. A search of which it is known that it may miss something with them
/// is `LIGHT`: that it finds nothing proves nothing.
pub struct OrbitStore<S, R, const LIGHT: bool = false> {
    store: S,
    orbits: RefCell<Orbits<R>>,
}

struct Orbits<R> {
    orbits: R,
    kept: Vec<Kept>,
    /// Of a state that is not kept any more.
    scratch: Vec<u8>,
}

/// A state and its representative.
#[derive(Clone, Default)]
struct Kept {
    state: Vec<u8>,
    representative: Vec<u8>,
}

impl<S: StateStore, R: Representative, const LIGHT: bool> OrbitStore<S, R, LIGHT> {
    /// A store over another one, which is empty.
    pub fn new(store: S, orbits: R) -> OrbitStore<S, R, LIGHT> {
        OrbitStore {
            store,
            orbits: RefCell::new(Orbits {
                orbits,
                kept: vec![Kept::default(); KEPT],
                scratch: Vec::new(),
            }),
        }
    }

    /// The store with the representatives.
    pub fn into_inner(self) -> S {
        self.store
    }
}

impl<R: Representative> Orbits<R> {
    /// Find the representative of a state.
    #[inline]
    fn find(&mut self, state: &[u8]) -> &[u8] {
        self.scratch.clear();
        self.scratch.extend_from_slice(state);
        self.orbits.represent(&mut self.scratch);
        &self.scratch
    }

    /// Keep the representative that was found last.
    #[inline]
    fn keep(&mut self, state: &[u8], key: Key) {
        let kept = &mut self.kept[key.bits as usize % KEPT];
        kept.state.clear();
        kept.state.extend_from_slice(state);
        std::mem::swap(&mut kept.representative, &mut self.scratch);
    }

    /// The representative of a state with this key.
    #[inline]
    fn recall(&mut self, state: &[u8], key: Key) -> &[u8] {
        let number = key.bits as usize % KEPT;
        if self.kept[number].state != state {
            self.find(state);
            self.keep(state, key);
        }
        &self.kept[number].representative
    }
}

impl<S: StateStore, R: Representative, const LIGHT: bool> StateStore for OrbitStore<S, R, LIGHT> {
    const EXACT: bool = S::EXACT && !LIGHT;
    // What it could give back is not what was put in.
    const READABLE: bool = false;
    const ORDERED: bool = false;
    const RENAMES: bool = true;

    #[inline]
    fn prepare(&mut self, state: &[u8]) -> Key {
        let orbits = self.orbits.get_mut();
        let key = self.store.prepare(orbits.find(state));
        orbits.keep(state, key);
        key
    }

    #[inline]
    fn key(&mut self, state: &[u8]) -> Key {
        let orbits = self.orbits.get_mut();
        let key = self.store.key(orbits.find(state));
        orbits.keep(state, key);
        key
    }

    #[inline]
    fn fetch(&self, key: Key) {
        self.store.fetch(key);
    }

    #[inline]
    fn touch(&self, key: &mut Key) {
        self.store.touch(key);
    }

    #[inline]
    fn insert(&mut self, state: &[u8], key: Key) -> Insert {
        let representative = self.orbits.get_mut().recall(state, key);
        self.store.insert(representative, key)
    }

    #[inline]
    fn find(&self, state: &[u8], key: Key) -> Option<StateId> {
        let mut orbits = self.orbits.borrow_mut();
        self.store.find(orbits.recall(state, key), key)
    }

    #[inline]
    fn contains(&self, state: &[u8], key: Key) -> bool {
        let mut orbits = self.orbits.borrow_mut();
        self.store.contains(orbits.recall(state, key), key)
    }

    fn read(&self, id: StateId) -> &[u8] {
        self.store.read(id)
    }

    fn next_id(&self, id: Option<StateId>) -> Option<StateId> {
        self.store.next_id(id)
    }

    #[inline]
    fn note(&mut self, id: StateId) -> &mut [u8] {
        self.store.note(id)
    }

    fn len(&self) -> u64 {
        self.store.len()
    }

    #[inline]
    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes()
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.store.save(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.store.restore(input)
    }
}
