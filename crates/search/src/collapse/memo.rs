//! The moves of a process that are known, by the parts of a state that decide about them.

use super::Words;

/// A move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move<const W: usize> {
    /// What is different behind it.
    pub(super) delta: Words<W>,
    /// The levels that it adds to the depth.
    pub(super) levels: u32,
}

/// Some moves, and what there is to count besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct List {
    start: u32,
    /// How many they are.
    pub(super) count: u32,
    /// The steps inside atomic sequences.
    pub(super) atomic_steps: u32,
    /// How many levels further down there is a node that is no state: inside an atomic
    /// sequence, or halfway through a handshake.
    pub(super) reach: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot<const W: usize> {
    key: Words<W>,
    /// What the moves of the list change.
    changes: Words<W>,
    list: List,
}

/// What is known about a process.
///
/// A hash table with linear probing, of which at least a half is empty.
#[derive(Debug)]
pub(super) struct Memo<const W: usize> {
    slots: Vec<Slot<W>>,
    moves: Vec<Move<W>>,
    /// How far a hash is shifted to choose a slot.
    shift: u32,
    len: usize,
}

/// The key of an empty slot. No state has it, see [`super::fields::MOST_KINDS`].
const fn nothing<const W: usize>() -> Words<W> {
    [u64::MAX; W]
}

impl<const W: usize> Default for Memo<W> {
    fn default() -> Memo<W> {
        Memo::with_bits(6)
    }
}

impl<const W: usize> Memo<W> {
    fn with_bits(bits: u32) -> Memo<W> {
        let empty = Slot {
            key: nothing(),
            changes: nothing(),
            list: List::default(),
        };
        Memo {
            slots: vec![empty; 1 << bits],
            moves: Vec::new(),
            shift: u64::BITS - bits,
            len: 0,
        }
    }

    #[inline(always)]
    fn home(&self, key: &Words<W>) -> usize {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let hash = (key.iter()).fold(0, |hash: u64, word| {
            (hash.rotate_left(29) ^ word).wrapping_mul(FACTOR)
        });
        (hash >> self.shift) as usize
    }

    /// The moves under a key, if they are known, and what they change.
    #[inline(always)]
    pub(super) fn find(&self, key: &Words<W>) -> Option<(List, &Words<W>)> {
        let mut at = self.home(key);
        loop {
            let slot = &self.slots[at & (self.slots.len() - 1)];
            if slot.key == *key {
                return Some((slot.list, &slot.changes));
            }
            if slot.key == nothing() {
                return None;
            }
            at += 1;
        }
    }

    /// The moves of a list.
    #[inline(always)]
    pub(super) fn moves(&self, list: List) -> &[Move<W>] {
        &self.moves[list.start as usize..][..list.count as usize]
    }

    /// Learn the moves under a key that is not known. `list` says what there is to count.
    pub(super) fn learn(&mut self, key: Words<W>, moves: &[Move<W>], list: List) {
        if 2 * self.len >= self.slots.len() {
            self.grow();
        }
        let list = List {
            start: self.moves.len() as u32,
            count: moves.len() as u32,
            ..list
        };
        self.moves.extend_from_slice(moves);
        let changes = std::array::from_fn(|at| moves.iter().fold(0, |all, m| all | m.delta[at]));
        self.put(Slot { key, changes, list });
        self.len += 1;
    }

    fn put(&mut self, slot: Slot<W>) {
        let mut at = self.home(&slot.key);
        while self.slots[at & (self.slots.len() - 1)].key != nothing() {
            at += 1;
        }
        let last = self.slots.len() - 1;
        self.slots[at & last] = slot;
    }

    fn grow(&mut self) {
        let bits = u64::BITS - self.shift + 1;
        let mut larger = Memo::with_bits(bits);
        for slot in &self.slots {
            if slot.key != nothing() {
                larger.put(*slot);
            }
        }
        (self.slots, self.shift) = (larger.slots, larger.shift);
    }

    /// Forget everything.
    pub(super) fn clear(&mut self) {
        *self = Memo::default();
    }

    /// The memory in use.
    pub(super) fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<W>>() + self.moves.capacity() * size_of::<Move<W>>()
    }
}
