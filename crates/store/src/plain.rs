//! The exact store that keeps every state as it is.
//!
//! States lie one after the other in an arena that never moves; a table of 8-byte entries
//! finds them. Together a state costs its length, 1 or 2 bytes to say it, and 11.0 to
//! 16.6 bytes of table.

use std::io::{self, Read, Write};

use crate::arena::{Arena, OFFSET_BITS};
use crate::buckets::{Buckets, Position, SEGMENT_BITS, Slots, split};
use crate::hash::hash;
use crate::machine::equal;
use crate::memory::Line;
use crate::{Insert, Key, StateId, StateStore, stream};

/// Entries of the remainder of the hash (upper bits, never 0) and the offset (lower
/// [`OFFSET_BITS`]). The remainder is tag and place in one.
#[derive(Debug, Default)]
struct Tagged;

impl Slots for Tagged {
    type Entry = u64;
    const FILL: usize = 29;
    const GROWTH: usize = 4;

    #[inline(always)]
    fn count(&self) -> usize {
        8
    }

    // The upper halves of all entries, then the lower ones: so the tags lie side by side.

    #[inline(always)]
    fn get(&self, line: &Line, slot: usize) -> u64 {
        split::get(line, slot)
    }

    #[inline(always)]
    fn put(&self, line: &mut Line, slot: usize, entry: u64) {
        split::put(line, slot, entry);
    }

    #[inline(always)]
    fn hits(&self, line: &Line, probe: u64) -> u32 {
        let tag = (!OFFSET >> 32) as u32;
        equal(split::upper(line), (probe >> 32) as u32, tag)
    }

    #[inline(always)]
    fn used(&self, line: &Line) -> usize {
        // The tag of an entry is not 0.
        let empty = equal(split::upper(line), 0, u32::MAX);
        (empty | 1 << self.count()).trailing_zeros() as usize
    }

    #[inline(always)]
    fn is_empty(&self, line: &Line, slot: usize) -> bool {
        self.get(line, slot) == 0
    }

    #[inline(always)]
    fn place(&self, entry: u64) -> u32 {
        ((entry & !OFFSET) >> 32) as u32
    }
}

/// The bits of the offset in an entry.
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;

/// The exact store that keeps every state as it is.
///
/// Invariant: the table holds exactly the offsets of the records of the arena, each under
/// the hash of its bytes, and no two records are equal. An id is an offset; a key is a hash.
#[derive(Debug, Default)]
pub struct PlainStore {
    arena: Arena,
    table: Buckets<Tagged>,
    len: u64,
}

impl PlainStore {
    /// An empty store.
    pub fn new() -> PlainStore {
        PlainStore::default()
    }

    /// An empty store with notes of so many bytes.
    pub fn with_note(bytes: usize) -> PlainStore {
        PlainStore {
            arena: Arena::with_note(bytes),
            ..PlainStore::default()
        }
    }

    /// Whether the hint of a key leads to the state.
    #[inline(always)]
    fn is_hinted(&self, state: &[u8], key: Key) -> bool {
        key.hint != 0 && self.arena.is(key.hint, state)
    }

    /// Insert a state that its hint does not lead to: mostly a new one that fits where it
    /// belongs.
    #[inline(always)]
    fn insert_unhinted(&mut self, state: &[u8], key: Key) -> Insert {
        let probe = probe(key.bits);
        let home = self.table.home(key.bits, probe);
        match self.table.vacancy(home) {
            Some(vacancy) if !self.table.has_hits(home, probe) && !self.table.is_full(home) => {
                self.add(state, vacancy, probe)
            }
            _ => self.insert_hard(state, key),
        }
    }

    /// Add a state that is not there.
    #[inline(always)]
    fn add(&mut self, state: &[u8], vacancy: Position, probe: u64) -> Insert {
        let offset = self.arena.push(state);
        self.table.fill(vacancy, probe | offset);
        self.len += 1;
        Insert::New(StateId(offset))
    }

    /// Insert a state that looks like others in its bucket, or does not fit there.
    #[inline(never)]
    fn insert_hard(&mut self, state: &[u8], key: Key) -> Insert {
        let probe = probe(key.bits);
        let mut bucket = self.table.home(key.bits, probe);
        for _ in 0..2 {
            for entry in self.table.hits(bucket, probe) {
                if self.arena.is(entry & OFFSET, state) {
                    return Insert::Known(StateId(entry & OFFSET));
                }
            }
            if let Some(vacancy) = self.table.vacancy(bucket) {
                if self.table.is_full(bucket) {
                    break;
                }
                return self.add(state, vacancy, probe);
            }
            bucket = bucket.other();
        }
        self.insert_beyond(state, key)
    }

    /// Insert a state whose buckets are full, or whose segment has to grow.
    #[cold]
    fn insert_beyond(&mut self, state: &[u8], key: Key) -> Insert {
        self.table.make_room(key.bits);
        match self.look_up(state, key) {
            Ok((entry, _)) => Insert::Known(StateId(entry & OFFSET)),
            Err(vacancy) => self.add(state, vacancy, probe(key.bits)),
        }
    }

    /// The entry of a state, or the slot where it belongs.
    #[inline(always)]
    fn look_up(&self, state: &[u8], key: Key) -> Result<(u64, Position), Position> {
        let is_same = |entry| self.arena.is(entry & OFFSET, state);
        self.table.find(key.bits, probe(key.bits), is_same)
    }
}

impl StateStore for PlainStore {
    const EXACT: bool = true;
    const READABLE: bool = true;
    const ORDERED: bool = true;

    #[inline(always)]
    fn key(&mut self, state: &[u8]) -> Key {
        Key::new(hash(state))
    }

    #[inline(always)]
    fn prepare(&mut self, state: &[u8]) -> Key {
        let key = self.key(state);
        self.fetch(key);
        key
    }

    #[inline(always)]
    fn fetch(&self, key: Key) {
        match key.hint {
            0 => (self.table).prefetch(key.bits, Tagged.place(probe(key.bits))),
            record => self.arena.prefetch(record),
        }
    }

    /// The hint is the offset of a record that may be the state.
    #[inline(always)]
    fn touch(&self, key: &mut Key) {
        if let Some(entry) = self.table.touch(key.bits, probe(key.bits)) {
            key.hint = entry & OFFSET;
            self.arena.prefetch(key.hint);
        }
    }

    #[inline(always)]
    fn insert(&mut self, state: &[u8], key: Key) -> Insert {
        if self.is_hinted(state, key) {
            return Insert::Known(StateId(key.hint));
        }
        self.insert_unhinted(state, key)
    }

    #[inline]
    fn find(&self, state: &[u8], key: Key) -> Option<StateId> {
        if self.is_hinted(state, key) {
            return Some(StateId(key.hint));
        }
        if self.table.is_vacant(key.bits) {
            return None;
        }
        let (entry, _) = self.look_up(state, key).ok()?;
        Some(StateId(entry & OFFSET))
    }

    #[inline(always)]
    fn read(&self, id: StateId) -> &[u8] {
        self.arena.get(id.0)
    }

    #[inline]
    fn next_id(&self, id: Option<StateId>) -> Option<StateId> {
        self.arena.next(id.map(|id| id.0)).map(StateId)
    }

    #[inline]
    fn note(&mut self, id: StateId) -> &mut [u8] {
        self.arena.note(id.0)
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn memory_bytes(&self) -> usize {
        self.arena.memory_bytes() + self.table.memory_bytes()
    }

    /// The states in order, each with its length and its note.
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        stream::put(out, self.arena.note_len() as u64)?;
        stream::put(out, self.len)?;
        let mut id = None;
        while let Some(next) = self.next_id(id) {
            let state = self.read(next);
            stream::put(out, state.len() as u64)?;
            out.write_all(state)?;
            out.write_all(self.arena.read_note(next.0))?;
            id = Some(next);
        }
        Ok(())
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        stream::expect(input, self.arena.note_len() as u64, "the length of notes")?;
        let len = stream::take(input)?;
        let mut state = Vec::new();
        for _ in 0..len {
            let bytes = stream::take(input)?;
            state.clear();
            // Not a vector of the length: it may be damaged, and the memory would be gone.
            io::copy(&mut input.take(bytes), &mut state)?;
            if state.len() as u64 != bytes {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let key = self.prepare(&state);
            let Insert::New(id) = self.insert(&state, key) else {
                return Err(stream::damaged("a state comes twice"));
            };
            input.read_exact(self.note(id))?;
        }
        Ok(())
    }
}

/// The entry of a hash without its offset.
#[inline(always)]
fn probe(hash: u64) -> u64 {
    (hash << SEGMENT_BITS & !OFFSET).max(1 << OFFSET_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twin;

    #[test]
    fn agrees_with_a_hash_map() {
        twin::check_all(PlainStore::new);
    }

    #[test]
    fn notes() {
        twin::check_notes(PlainStore::with_note);
    }

    #[test]
    fn saves_and_restores() {
        twin::check_save(PlainStore::new);
        twin::check_save(|| PlainStore::with_note(3));
    }

    #[test]
    fn order() {
        let mut store = PlainStore::new();
        assert_eq!(store.next_id(None), None);
        let mut ids = Vec::new();
        for n in 0..10_000u32 {
            let state = vec![n as u8; n as usize % 700];
            let key = store.prepare(&state);
            if let Insert::New(id) = store.insert(&state, key) {
                ids.push(id);
            }
        }
        assert!(ids.is_sorted());
        let next = |id: &StateId| store.next_id(Some(*id));
        assert!(std::iter::successors(store.next_id(None), next).eq(ids));
    }

    #[test]
    fn memory_grows_in_small_steps() {
        let mut store = PlainStore::new();
        let mut state = [0; 48];
        for n in 0..300_000u32 {
            state[20..24].copy_from_slice(&n.to_le_bytes());
            let before = store.memory_bytes();
            let key = store.prepare(&state);
            assert!(store.insert(&state, key).is_new());
            // No growth takes more than a small part of what is there.
            let more = store.memory_bytes() - before;
            assert!(more <= 5000 + before / 64, "at {n}");
            if n >= 100_000 && n % 1000 == 0 {
                let beside = store.memory_bytes() as f64 / f64::from(n + 1) - 48.0;
                assert!(beside < 17.7, "{beside} bytes beside a state at {n}");
            }
        }
    }
}
