//! The nodes of all trees: numbers for words of 64 bits.

use std::io::{self, Read, Write};

use crate::buckets::Buckets;
use crate::hash::mix;
use crate::keys::{Numbered, place};
use crate::stream;

/// Numbers of nodes have this many bits, so that a pair of them and something about the
/// length fit into a root of 64 bits.
pub(super) const NODE_BITS: u32 = 29;

/// Words of 64 bits, numbered in the order in which they came.
///
/// A node costs 14.1 to 15.8 bytes. Invariant: the table holds the mixed word and the number
/// of every node but one: the word 0 has number 0 and needs no look. Since mixing is a
/// permutation, words with equal numbers are equal.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    table: Buckets<Numbered>,
    count: u32,
}

impl Nodes {
    /// The number of a word.
    #[inline]
    pub(super) fn intern(&mut self, word: u64) -> u32 {
        if word == 0 {
            return 0;
        }
        let key = mix(word);
        self.table.make_room(key);
        let found = self
            .table
            .find(key, place(key), |(entry, _)| entry == key, |_| true);
        match found {
            Ok(((_, number), _)) => number,
            Err(vacancy) => {
                assert!(
                    self.count < (1 << NODE_BITS) - 1,
                    "a tree has at most 2^{NODE_BITS} nodes"
                );
                self.count += 1;
                self.table.fill(vacancy, (key, self.count));
                self.count
            }
        }
    }

    /// Ask for the memory that the number of a word will need.
    #[inline]
    pub(super) fn prefetch(&self, word: u64) {
        let key = mix(word);
        self.table.prefetch(key, place(key));
    }

    /// The memory in use.
    pub(super) fn memory_bytes(&self) -> usize {
        self.table.memory_bytes()
    }

    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        stream::put(out, self.count.into())?;
        self.table.entries().try_for_each(|(key, number)| {
            stream::put(out, key)?;
            out.write_all(&number.to_le_bytes())
        })
    }

    pub(super) fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let count = stream::take(input)?;
        if count >= 1 << NODE_BITS {
            return Err(stream::damaged("too many nodes"));
        }
        self.count = count as u32;
        for _ in 0..count {
            let key = stream::take(input)?;
            let mut number = [0; 4];
            input.read_exact(&mut number)?;
            let number = u32::from_le_bytes(number);
            if key == 0 || number == 0 || number > self.count {
                return Err(stream::damaged("a node that cannot be"));
            }
            self.table.make_room(key);
            let found = self
                .table
                .find(key, place(key), |(entry, _)| entry == key, |_| true);
            match found {
                Ok(_) => return Err(stream::damaged("a node comes twice")),
                Err(vacancy) => self.table.fill(vacancy, (key, number)),
            }
        }
        Ok(())
    }
}
