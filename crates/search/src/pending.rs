//! Successors that a depth-first search has seen and not yet taken.
//!
//! For the upper part of the path they are kept with their vectors, so that a node is
//! expanded once. When they become too many, those furthest down are dropped: their nodes
//! are expanded again when the search comes back to them.

use space::Row;
use store::Key;

use crate::path::DeferredCounts;

/// A row of some node of the path, to be taken later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    /// The row. Its `start` says where the vector lies here.
    pub(crate) row: Row,
    /// The number of the row.
    pub(crate) number: u32,
    /// The length of the chain behind the row.
    pub(crate) chain: u8,
    /// Whether this is the last one of its node.
    pub(crate) is_last: bool,
    /// For the rows to known states between the one kept before and this one.
    pub(crate) before: DeferredCounts,
    /// For those that come behind, if this is the last one of its node.
    pub(crate) after: DeferredCounts,
    /// What the store worked out about it.
    pub(crate) key: Key,
    /// The node: its number on the path.
    node: u64,
}

impl Pending {
    /// What was worked out about it.
    #[inline]
    pub(crate) fn lookahead(&self) -> Lookahead {
        Lookahead {
            key: self.key,
            chain: self.chain,
        }
    }
}

/// What was worked out about a row before its turn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lookahead {
    /// What the store said about its state; nothing if it does not lead to one.
    pub(crate) key: Key,
    /// The length of the chain behind it.
    pub(crate) chain: u8,
}

/// The stack of them; the next one to take is on top.
///
/// Invariant: of each node that has any here, all are here that are still to be taken.
#[derive(Debug)]
pub(crate) struct PendingStack {
    rows: Vec<Pending>,
    bytes: Vec<u8>,
    limit: usize,
}

impl PendingStack {
    /// An empty stack of no more than about so many bytes.
    pub(crate) fn new(limit: usize) -> PendingStack {
        PendingStack {
            rows: Vec::new(),
            bytes: Vec::new(),
            // Positions have 32 bits.
            limit: limit.min(1 << 31),
        }
    }

    /// The number of rows, for [`PendingStack::truncate`].
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the next row belongs to this node.
    #[inline]
    pub(crate) fn belongs_to(&self, node: u64) -> bool {
        self.rows.last().is_some_and(|top| top.node == node)
    }

    /// Put a row on top.
    #[inline]
    pub(crate) fn push(
        &mut self,
        node: u64,
        number: u32,
        row: Row,
        vector: &[u8],
        lookahead: Lookahead,
    ) {
        self.rows.push(Pending {
            row: Row {
                start: self.bytes.len() as u32,
                len: vector.len() as u32,
                ..row
            },
            number,
            chain: lookahead.chain,
            is_last: false,
            before: DeferredCounts::default(),
            after: DeferredCounts::default(),
            key: lookahead.key,
            node,
        });
        self.bytes.extend_from_slice(vector);
    }

    /// Say that of a node only rows to known states are left.
    pub(crate) fn push_done(&mut self, node: u64, known: DeferredCounts) {
        let nothing = Row {
            flags: Row::FAULT,
            ..Row::default()
        };
        self.push(node, 0, nothing, &[], Lookahead::default());
        if let Some(top) = self.rows.last_mut() {
            top.after = known;
            top.is_last = true;
        }
    }

    /// The row on top.
    #[inline]
    pub(crate) fn top(&mut self) -> Option<&mut Pending> {
        self.rows.last_mut()
    }

    /// The vector of the row `below` the top.
    #[inline]
    pub(crate) fn vector(&self, below: usize) -> Option<&[u8]> {
        let row = &self.rows[self.rows.len().checked_sub(1 + below)?].row;
        Some(&self.bytes[row.start as usize..][..row.len as usize])
    }

    /// Take the top off.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(top) = self.rows.pop() {
            self.bytes.truncate(top.row.start as usize);
        }
    }

    /// Take everything off that came after there were `len` rows.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.rows.len() > len {
            self.pop();
        }
    }

    /// Drop what lies furthest down, if there is too much.
    #[inline]
    pub(crate) fn trim(&mut self) {
        if self.bytes.len() + self.rows.len() * size_of::<Pending>() > self.limit {
            self.drop_lower_half();
        }
    }

    #[cold]
    fn drop_lower_half(&mut self) {
        let half = self.rows.len() / 2;
        let node = self.rows[half].node;
        let end = half
            + (self.rows[half..].iter())
                .take_while(|r| r.node == node)
                .count();
        let start = self
            .rows
            .get(end)
            .map_or(self.bytes.len(), |r| r.row.start as usize);
        self.rows.drain(..end);
        self.bytes.drain(..start);
        for pending in &mut self.rows {
            pending.row.start -= start as u32;
        }
    }

    /// The memory in use, which never shrinks.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.rows.capacity() * size_of::<Pending>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_nodes_are_dropped() {
        let mut stack = PendingStack::new(size_of::<Pending>() * 8);
        for node in 0..5 {
            for number in 0..2 {
                let vector = vec![node as u8; 3];
                stack.push(node, number, Row::default(), &vector, Lookahead::default());
            }
            stack.trim();
        }
        assert_eq!(stack.len(), 4);
        for node in [4, 3] {
            for _ in 0..2 {
                assert!(stack.belongs_to(node));
                assert_eq!(stack.vector(0), Some(&[node as u8; 3][..]));
                stack.pop();
            }
        }
        assert!(!stack.belongs_to(2) && stack.bytes.is_empty());
    }
}
