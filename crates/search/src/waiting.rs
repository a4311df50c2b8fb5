//! The rows of the nodes of a path that a search for cycles has not tried yet.
//!
//! They are kept with their vectors, the next one on top. When they become too many, those
//! furthest down are dropped: their nodes are expanded again when the search comes back.

use space::Row;
use store::Key;

/// A row to be tried, with its marks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry<W> {
    /// The row. Its `start` says where the vector lies here.
    pub(crate) row: Row,
    pub(crate) marks: W,
    /// What was worked out about its state; nothing if it does not lead to one.
    pub(crate) key: Key,
    /// The number of the row.
    pub(crate) number: u32,
    /// So many rows before it are only to be counted.
    pub(crate) skipped: u32,
    /// The node: its number on the path.
    pub(crate) node: u32,
}

/// The stack of them.
///
/// Invariant: of each node that has any here, all are here that are still to be tried.
#[derive(Debug)]
pub(crate) struct Waiting<W> {
    entries: Vec<Entry<W>>,
    bytes: Vec<u8>,
    limit: usize,
}

impl<W> Waiting<W> {
    /// An empty stack of no more than about so many bytes.
    pub(crate) fn new(limit: usize) -> Waiting<W> {
        Waiting {
            entries: Vec::new(),
            bytes: Vec::new(),
            // Positions have 32 bits.
            limit: limit.min(1 << 31),
        }
    }

    /// Put a row with its vector on top.
    #[inline]
    pub(crate) fn push(&mut self, mut entry: Entry<W>, vector: &[u8]) {
        entry.row.start = self.bytes.len() as u32;
        entry.row.len = vector.len() as u32;
        self.bytes.extend_from_slice(vector);
        self.entries.push(entry);
    }

    /// Whether the next row belongs to this node.
    #[inline]
    pub(crate) fn belongs_to(&self, node: usize) -> bool {
        (self.entries.last()).is_some_and(|top| top.node as usize == node)
    }

    /// The next row, if it belongs to this node.
    #[inline]
    pub(crate) fn top(&self, node: usize) -> Option<Entry<W>>
    where
        W: Copy,
    {
        let top = self.entries.last();
        top.filter(|top| top.node as usize == node).copied()
    }

    /// The rows behind the next one, of this node or of one before it, nearest first.
    #[inline]
    pub(crate) fn below(&self) -> impl Iterator<Item = &Entry<W>> {
        self.entries.iter().rev().skip(1)
    }

    /// The vector of the next row.
    #[inline]
    pub(crate) fn vector(&self) -> &[u8] {
        let start = self.entries.last().map_or(0, |top| top.row.start);
        &self.bytes[start as usize..]
    }

    /// Take the next row off.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(top) = self.entries.pop() {
            self.bytes.truncate(top.row.start as usize);
        }
    }

    /// Drop what lies furthest down, if there is too much. The last node stays whole.
    #[inline]
    pub(crate) fn trim(&mut self) {
        if self.bytes.len() + self.entries.len() * size_of::<Entry<W>>() > self.limit {
            self.drop_lower_half();
        }
    }

    #[cold]
    fn drop_lower_half(&mut self) {
        let half = self.entries.len() / 2;
        let node = self.entries[half].node;
        let end = (self.entries[..half].iter())
            .rposition(|entry| entry.node != node)
            .map_or(0, |below| below + 1);
        let start = self.entries[end].row.start;
        self.entries.drain(..end);
        self.bytes.drain(..start as usize);
        for entry in &mut self.entries {
            entry.row.start -= start;
        }
    }

    /// The memory in use, which never shrinks.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.entries.capacity() * size_of::<Entry<W>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_nodes_are_dropped() {
        let mut waiting = Waiting::<u32>::new(size_of::<Entry<u32>>() * 8);
        for node in 0..5 {
            for number in [1, 0] {
                let entry = Entry {
                    number,
                    node,
                    ..Entry::default()
                };
                waiting.push(entry, &[node as u8, number as u8]);
            }
            waiting.trim();
        }
        for node in [4, 3, 2] {
            for number in 0..2 {
                let entry = waiting.top(node);
                assert_eq!(entry.map(|entry| entry.number), Some(number));
                assert_eq!(waiting.vector(), [node as u8, number as u8]);
                waiting.pop();
            }
        }
        assert!((0..5).all(|node| waiting.top(node).is_none()));
        assert!(waiting.bytes.is_empty());
    }
}
