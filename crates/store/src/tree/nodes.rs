//! The nodes of all trees: numbers for words of 64 bits.

use std::io::{self, Read, Write};

use crate::buckets::Buckets;
use crate::hash::mix;
use crate::keys::{Numbered, place};
use crate::stream;

/// Numbers of nodes have this many bits, so that a pair of them and something about the
/// length fit into a root of 62 bits.
pub(super) const NODE_BITS: u32 = 28;

/// Words of 64 bits, numbered in the order in which they came.
///
/// A node costs 14.6 to 18.3 bytes. Invariant: the table holds the mixed word and the number
/// of every node but one: the word 0 has number 0 and needs no look. Since mixing is a
/// permutation, words with equal numbers are equal.
#[derive(Debug)]
pub(super) struct Nodes {
    table: Buckets<Numbered>,
    count: u32,
    /// Words that were asked for recently, with their numbers, each at a place that follows
    /// from the word: neighbours in the search ask for the same few again and again.
    recent: Box<[(u64, u32); RECENT]>,
}

const RECENT_BITS: u32 = 12;
const RECENT: usize = 1 << RECENT_BITS;

/// Where a word is kept among the recent ones. The word 0, with number 0, is what the places are
/// filled with at first.
#[inline(always)]
fn place_of(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT_BITS)) as usize
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes {
            table: Buckets::default(),
            count: 0,
            recent: Box::new([(0, 0); RECENT]),
        }
    }
}

impl Nodes {
    /// The number of a word, if it was asked for recently.
    #[inline(always)]
    pub(super) fn find_recent(&self, word: u64) -> Option<u32> {
        let (recent, number) = self.recent[place_of(word)];
        (recent == word).then_some(number)
    }

    /// Ask for the memory that looking up a word will need.
    #[inline(always)]
    pub(super) fn prefetch(&self, word: u64) {
        let key = mix(word);
        self.table.prefetch(key, place(key));
    }

    /// The number of a word.
    #[inline]
    pub(super) fn intern(&mut self, word: u64) -> u32 {
        if let Some(number) = self.find_recent(word) {
            return number;
        }
        let number = if word == 0 { 0 } else { self.look_up(word) };
        self.recent[place_of(word)] = (word, number);
        number
    }

    /// The number of a word other than 0.
    #[inline]
    fn look_up(&mut self, word: u64) -> u32 {
        let key = mix(word);
        self.table.make_room(key);
        let found = self.table.find(key, (key, 0), |_| true);
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

    /// The memory in use.
    pub(super) fn memory_bytes(&self) -> usize {
        self.table.memory_bytes()
    }

    pub(super) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        stream::put(out, self.count.into())?;
        self.table.entries().try_for_each(|(_, (key, number))| {
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
            let found = self.table.find(key, (key, 0), |_| true);
            match found {
                Ok(_) => return Err(stream::damaged("a node comes twice")),
                Err(vacancy) => self.table.fill(vacancy, (key, number)),
            }
        }
        Ok(())
    }
}
