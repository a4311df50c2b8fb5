//! A queue of state vectors, in few bytes each.
//!
//! A vector is written as the difference to the one before. The queue lies in chunks; those that have
//! been read are used again, because memory that nobody has touched yet is slow.

use std::collections::VecDeque;
use std::io::{self, Read, Write};

use crate::checkpoint::wire::{get, get_bytes, put, put_bytes};
use crate::{changes, varint};

/// A new chunk begins when the last one is this long.
const CHUNK: usize = 1 << 20;

/// So many chunks are kept to be used again.
const SPARES: usize = 16;

/// An entry begins with this: a whole vector, its length first, or the [`changes`] from the one
/// before it.
const WHOLE: u8 = 0;
const CHANGES: u8 = 1;

/// The queue.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    chunks: VecDeque<Vec<u8>>,
    /// Chunks that have been read.
    spares: Vec<Vec<u8>>,
    /// Where to read in the first chunk.
    at: usize,
    len: u64,
    last_in: Vec<u8>,
    last_out: Vec<u8>,
    memory: usize,
    peak: usize,
}

impl Queue {
    /// Put a vector at the end.
    #[inline]
    pub(crate) fn push(&mut self, vector: &[u8]) {
        if self.chunks.back().is_none_or(|chunk| chunk.len() >= CHUNK) {
            self.chunks.push_back(self.spares.pop().unwrap_or_default());
        }
        let Some(chunk) = self.chunks.back_mut() else {
            return;
        };
        if self.len == 0 {
            // Everything was read: begin anew.
            chunk.clear();
            self.at = 0;
        }
        let capacity = chunk.capacity();
        if changes::fit(&self.last_in, vector) {
            chunk.push(CHANGES);
            changes::push(&mut self.last_in, vector, chunk);
        } else {
            chunk.push(WHOLE);
            varint::push(chunk, vector.len() as u64);
            chunk.extend_from_slice(vector);
            self.last_in.clear();
            self.last_in.extend_from_slice(vector);
        }
        self.memory += chunk.capacity() - capacity;
        self.peak = self.peak.max(self.memory);
        self.len += 1;
    }

    /// Take the vector at the front. Whether there was one.
    #[inline]
    pub(crate) fn pop(&mut self, vector: &mut Vec<u8>) -> bool {
        let taken = self.advance();
        if taken {
            vector.clear();
            vector.extend_from_slice(&self.last_out);
        }
        taken
    }

    /// Take the vector at the front, to be looked at. Whether there was one.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        while let Some(chunk) = self.chunks.front() {
            if self.at < chunk.len() {
                break;
            }
            self.drop_front();
        }
        let Some((&kind, entry)) =
            (self.chunks.front()).and_then(|chunk| chunk[self.at..].split_first())
        else {
            return false;
        };
        let left = if kind == CHANGES {
            changes::apply(entry, &mut self.last_out)
        } else {
            let mut rest = entry;
            let len = varint::take(&mut rest) as usize;
            self.last_out.clear();
            self.last_out.extend_from_slice(&rest[..len]);
            &rest[len..]
        };
        self.at += 1 + entry.len() - left.len();
        self.len -= 1;
        true
    }

    /// The vector taken last.
    #[inline]
    pub(crate) fn current(&self) -> &[u8] {
        &self.last_out
    }

    #[cold]
    fn drop_front(&mut self) {
        self.at = 0;
        if let Some(mut chunk) = self.chunks.pop_front() {
            if self.spares.len() < SPARES {
                chunk.clear();
                self.spares.push(chunk);
            } else {
                self.memory -= chunk.capacity();
            }
        }
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory
    }

    /// The most memory that was ever in use.
    pub(crate) fn peak_bytes(&self) -> usize {
        self.peak
    }

    pub(crate) fn save(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        put(out, self.len)?;
        put(out, self.at as u64)?;
        put_bytes(out, &self.last_in)?;
        put_bytes(out, &self.last_out)?;
        put(out, self.chunks.len() as u64)?;
        self.chunks
            .iter()
            .try_for_each(|chunk| put_bytes(out, chunk))
    }

    pub(crate) fn restore(input: &mut (impl Read + ?Sized)) -> io::Result<Queue> {
        let mut queue = Queue {
            len: get(input)?,
            at: get(input)? as usize,
            last_in: get_bytes(input)?,
            last_out: get_bytes(input)?,
            ..Queue::default()
        };
        for _ in 0..get(input)? {
            let chunk = get_bytes(input)?;
            queue.memory += chunk.capacity();
            queue.chunks.push_back(chunk);
        }
        queue.peak = queue.memory;
        Ok(queue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn vectors_come_back_in_order() {
        let mut numbers = Numbers::new(3);
        let mut queue = Queue::default();
        let mut twin = VecDeque::new();
        let mut vector = vec![0; 50];
        let mut out = Vec::new();
        for round in 0..100_000 {
            if numbers.below(20) == 0 {
                vector.resize(1 + numbers.below(100), 3);
            }
            let at = numbers.below(vector.len());
            vector[at] = numbers.below(256) as u8;
            queue.push(&vector);
            twin.push_back(vector.clone());
            while numbers.below(5) < 2 {
                assert_eq!(queue.pop(&mut out), !twin.is_empty());
                if let Some(expected) = twin.pop_front() {
                    assert_eq!(out, expected);
                }
            }
            if round % 10_000 == 0 {
                let mut file = Vec::new();
                assert!(queue.save(&mut file).is_ok());
                let Ok(again) = Queue::restore(&mut &file[..]) else {
                    panic!("not restored");
                };
                queue = again;
            }
        }
        assert!(twin.len() > 10_000);
        while let Some(expected) = twin.pop_front() {
            assert!(queue.pop(&mut out) && out == expected);
        }
        assert!(!queue.pop(&mut out) && queue.len == 0);
        assert!(queue.chunks.is_empty() && queue.spares.len() <= SPARES);
        assert!(queue.peak_bytes() < 4 * CHUNK);
    }
}
