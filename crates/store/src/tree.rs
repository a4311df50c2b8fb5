//! Exact tree compression: states share the parts in which they agree.
//!
//! Follows: Laarman, van de Pol and Weber, "Parallel recursive state compression for free"
//! (SPIN 2011): a state is cut into words; words, then pairs of their numbers, then pairs of
//! the numbers of these are looked up in a table that numbers what it has not met. The pair at
//! the root stands for the state. A successor differs from its predecessor in few words, so
//! only the paths from these to the root are looked up again.
//!
//! Departs: all tables but that of the roots are one, so that equal parts at different places
//! are shared too; this is sound because the length, which is part of the root, says what
//! each number in the tree stands for. Words have 64 bits instead of 32, which makes the tree
//! lower by one level. Nodes carry their number beside them instead of being numbered by
//! their slot, so that tables can grow; roots need no number and are kept as they are.

mod base;
mod batch;
mod cut;
mod nodes;

use std::io::{self, Read, Write};

use crate::hash::mix_62;
use crate::keys::{KeySet, Short, short_key};
use crate::{Insert, Key, Near, StateId, StateStore, stream};
use base::Base;
use batch::{Batch, LONGEST};
use nodes::{NODE_BITS, Nodes};

/// Lengths that a root can name. States of all further ones take another node.
const LENGTHS: usize = (1 << (62 - 2 * NODE_BITS)) - 2;

/// The store that keeps each state as a pair of numbers of shared parts.
///
/// A root is the number of a length, counted from 1 (upper bits), and the numbers of the two
/// children. For a length without a number it is `LENGTHS + 1`, the number of the node of
/// the two children, and the number of the length as a node. So a root tells the length, the
/// length tells the shape of the tree, and two states with equal roots are equal. Id and key
/// of a state are its root, mixed.
#[derive(Debug)]
pub struct TreeStore {
    nodes: Nodes,
    roots: KeySet<Short>,
    /// The lengths that have a number, at most [`LENGTHS`].
    lengths: Vec<usize>,
    /// The index in `lengths` found last.
    recent: usize,
    /// For each number of words, the tree with which states of that many are compared.
    bases: Vec<Option<Base>>,
    /// The number of words of the state in focus.
    focus: usize,
    batch: Batch,
}

impl Default for TreeStore {
    fn default() -> TreeStore {
        TreeStore::new()
    }
}

impl TreeStore {
    /// An empty store.
    pub fn new() -> TreeStore {
        TreeStore::with_note(0)
    }

    /// An empty store with notes of so many bytes. Up to 4 bytes cost the same.
    pub fn with_note(bytes: usize) -> TreeStore {
        TreeStore {
            nodes: Nodes::default(),
            roots: KeySet::new(bytes),
            lengths: Vec::new(),
            recent: 0,
            bases: Vec::new(),
            focus: 0,
            batch: Batch::default(),
        }
    }

    /// The base for states of so many words.
    #[inline]
    fn base(&mut self, width: usize) -> &mut Base {
        if self.bases.len() <= width {
            self.bases.resize_with(width + 1, || None);
        }
        self.bases[width].get_or_insert_with(|| Base::new(width))
    }

    /// The key of a state of this length with these children of its root.
    #[inline]
    fn key_of(&mut self, len: usize, children: (u32, u32)) -> Key {
        Key::new(short_key(mix_62(self.root(len, children))))
    }

    /// The root of a state of this length with these children.
    #[inline]
    fn root(&mut self, len: usize, (left, right): (u32, u32)) -> u64 {
        if self.lengths.get(self.recent) != Some(&len) {
            self.recent =
                (self.lengths.iter().position(|&known| known == len)).unwrap_or(self.lengths.len());
            if self.recent == self.lengths.len() {
                if self.recent == LENGTHS {
                    let node = self.nodes.intern(pair(left, right, 32));
                    let length = self.nodes.intern(len as u64);
                    return (LENGTHS as u64 + 1) << (2 * NODE_BITS) | pair(node, length, NODE_BITS);
                }
                self.lengths.push(len);
            }
        }
        (self.recent as u64 + 1) << (2 * NODE_BITS) | pair(left, right, NODE_BITS)
    }
}

/// Two numbers in one.
#[inline(always)]
fn pair(left: u32, right: u32, bits: u32) -> u64 {
    u64::from(left) << bits | u64::from(right)
}

/// The number of words of a state of so many bytes: a power of two, because a part that is
/// much longer than the other one has many more values. Words have up to 8 bytes.
#[inline(always)]
fn width(len: usize) -> usize {
    len.div_ceil(8).next_power_of_two().max(2)
}

impl StateStore for TreeStore {
    const EXACT: bool = true;
    const READABLE: bool = false;
    const ORDERED: bool = false;
    const IN_BATCHES: bool = true;

    fn keys<'s>(&mut self, states: impl Iterator<Item = Near<'s>>, keys: &mut Vec<Key>) {
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        let mut long = Vec::new();
        for (number, Near { state, near }) in states.enumerate() {
            match state.len() <= LONGEST {
                true => batch.add(state, near as usize),
                false => {
                    long.push((number, self.key(state)));
                    batch.add(&[], number);
                }
            }
        }
        batch.number(&mut self.nodes);
        let mut long = long.into_iter().peekable();
        for (number, (len, children)) in batch.children().enumerate() {
            keys.push(match long.next_if(|&(long, _)| long == number) {
                Some((_, key)) => key,
                None => self.key_of(len, children),
            });
        }
        self.batch = batch;
    }

    /// Compare the states of the same number of words with this one.
    #[inline]
    fn focus(&mut self, state: &[u8]) {
        let width = width(state.len());
        self.focus = width;
        self.base(width);
        let base = self.bases[width].as_mut().expect("just made");
        base.root(state, &mut self.nodes, false);
    }

    #[inline]
    fn key(&mut self, state: &[u8]) -> Key {
        let width = width(state.len());
        self.base(width);
        let base = self.bases[width].as_mut().expect("just made");
        // A state of another width than that in focus is compared with the last of its own.
        let children = base.root(state, &mut self.nodes, width == self.focus);
        self.key_of(state.len(), children)
    }

    #[inline(always)]
    fn prepare(&mut self, state: &[u8]) -> Key {
        let key = self.key(state);
        self.fetch(key);
        key
    }

    #[inline(always)]
    fn fetch(&self, key: Key) {
        self.roots.prefetch(key.bits);
    }

    #[inline]
    fn touch(&self, key: &mut Key) {
        key.hint = self.roots.touch(key.bits).into();
    }

    #[inline]
    fn insert(&mut self, _state: &[u8], key: Key) -> Insert {
        if key.hint == 0 && self.roots.insert(key.bits) {
            Insert::New(StateId(key.bits))
        } else {
            Insert::Known(StateId(key.bits))
        }
    }

    #[inline]
    fn find(&self, _state: &[u8], key: Key) -> Option<StateId> {
        let is_there = key.hint != 0 || self.roots.contains(key.bits);
        is_there.then_some(StateId(key.bits))
    }

    /// Not possible: nodes do not lead to their children.
    fn read(&self, _id: StateId) -> &[u8] {
        unreachable!("a tree store gives no state back")
    }

    /// Not possible: roots have no order.
    fn next_id(&self, _id: Option<StateId>) -> Option<StateId> {
        unreachable!("a tree store has no order")
    }

    #[inline]
    fn note(&mut self, id: StateId) -> &mut [u8] {
        self.roots.note(id.0)
    }

    fn len(&self) -> u64 {
        self.roots.len()
    }

    fn memory_bytes(&self) -> usize {
        self.nodes.memory_bytes() + self.roots.memory_bytes()
    }

    /// The lengths, the nodes, the roots.
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        stream::put(out, self.lengths.len() as u64)?;
        for &len in &self.lengths {
            stream::put(out, len as u64)?;
        }
        self.nodes.save(out)?;
        self.roots.save(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let lengths = stream::take(input)?;
        if lengths > LENGTHS as u64 {
            return Err(stream::damaged("too many lengths"));
        }
        self.bases.clear();
        self.focus = 0;
        self.lengths.clear();
        for _ in 0..lengths {
            self.lengths.push(stream::take(input)? as usize);
        }
        self.nodes.restore(input)?;
        self.roots.restore(input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twin;

    #[test]
    fn agrees_with_a_hash_map() {
        twin::check_all(TreeStore::new);
    }

    #[test]
    fn notes() {
        twin::check_notes(TreeStore::with_note);
    }

    #[test]
    fn saves_and_restores() {
        twin::check_save(TreeStore::new);
        twin::check_save(|| TreeStore::with_note(4));
    }

    /// States that differ in few bytes cost little more than their roots.
    #[test]
    fn neighbours_share() {
        let mut store = TreeStore::new();
        let mut state = [0; 200];
        for n in 0..200_000u32 {
            for digit in 0..10 {
                state[digit * 20] = (n >> (2 * digit)) as u8 & 3;
            }
            store.focus(&state);
            let key = store.prepare(&state);
            assert!(store.insert(&state, key).is_new());
        }
        let bytes = store.memory_bytes() as f64 / store.len() as f64;
        assert!(bytes < 12.0, "{bytes} bytes for a state");
    }
}
