//! Byte strings one after the other, in memory that never moves.
//!
//! A record is the length of the string as a little-endian base-128 number (one byte below
//! 128, two below 16,384), the note, then the string. Records are not aligned: padding would
//! cost more than it saves.

use crate::machine::prefetch;
use crate::memory::Growing;
use crate::words::{copy, same};

/// Offsets fit into this many bits: 1 TiB of records.
pub(crate) const OFFSET_BITS: u32 = 40;

/// The records.
#[derive(Debug)]
pub(crate) struct Arena {
    /// The first byte is unused: no record has offset 0.
    memory: Growing,
    /// The bytes of all records and the one before them.
    used: usize,
    /// The bytes of a note.
    note: usize,
    /// From the beginning of the record written last to its last byte.
    reach: usize,
}

impl Default for Arena {
    fn default() -> Arena {
        Arena::with_note(0)
    }
}

impl Arena {
    /// An arena whose records have notes of so many bytes.
    pub(crate) fn with_note(note: usize) -> Arena {
        Arena {
            memory: Growing::new(),
            used: 1,
            note,
            reach: 0,
        }
    }

    /// Append a record and return its offset, which is never 0 and below 2^[`OFFSET_BITS`].
    #[inline(always)]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> u64 {
        let offset = self.used;
        let mut at = offset;
        self.memory.reserve(offset + bytes.len() + self.note + 10);
        let memory = self.memory.bytes_mut();
        let mut len = bytes.len();
        while len >= 0x80 {
            memory[at] = len as u8 | 0x80;
            len >>= 7;
            at += 1;
        }
        memory[at] = len as u8;
        at += 1 + self.note;
        copy(&mut memory[at..at + bytes.len()], bytes);
        self.used = at + bytes.len();
        self.reach = self.used - offset - 1;
        offset as u64
    }

    /// The bytes of a record at an offset that [`Arena::push`] returned.
    #[inline(always)]
    pub(crate) fn get(&self, offset: u64) -> &[u8] {
        let record = self.from(offset);
        let first = record[0];
        if first < 0x80 {
            return &record[1 + self.note..][..usize::from(first)];
        }
        let (len, header_len) = decode_length(record);
        &record[header_len + self.note..][..len]
    }

    /// Whether the record at an offset has these bytes.
    #[inline(always)]
    pub(crate) fn is(&self, offset: u64, bytes: &[u8]) -> bool {
        if bytes.len() >= 0x80 {
            return self.get(offset) == bytes;
        }
        let record = self.from(offset);
        let same_len = usize::from(record[0]) == bytes.len();
        same_len && same(&record[1 + self.note..][..bytes.len()], bytes)
    }

    /// The note of a record at an offset that [`Arena::push`] returned.
    #[inline]
    pub(crate) fn note(&mut self, offset: u64) -> &mut [u8] {
        let (_, header_len) = decode_length(self.from(offset));
        let note = self.note;
        &mut self.memory.bytes_mut()[offset as usize + header_len..][..note]
    }

    /// The note of a record, to be read.
    pub(crate) fn read_note(&self, offset: u64) -> &[u8] {
        let record = self.from(offset);
        let (_, header_len) = decode_length(record);
        &record[header_len..][..self.note]
    }

    /// The offset of the record behind this one, or of the first.
    #[inline]
    pub(crate) fn next(&self, offset: Option<u64>) -> Option<u64> {
        let next = match offset {
            None => 1,
            Some(offset) => {
                let (len, header_len) = decode_length(self.from(offset));
                offset + (header_len + self.note + len) as u64
            }
        };
        ((next as usize) < self.used).then_some(next)
    }

    /// Ask for the memory of a record: its ends, if it is as long as most.
    #[inline(always)]
    pub(crate) fn prefetch(&self, offset: u64) {
        let record = self.from(offset);
        prefetch(record);
        prefetch(&record[record.len().min(self.reach)..]);
    }

    #[inline(always)]
    fn from(&self, offset: u64) -> &[u8] {
        &self.memory.bytes()[offset as usize..]
    }

    /// The bytes of a note.
    pub(crate) fn note_len(&self) -> usize {
        self.note
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.used
    }
}

/// The length at the front of a record, and how many bytes it takes.
#[inline]
fn decode_length(record: &[u8]) -> (usize, usize) {
    let mut len = 0;
    for (n, &byte) in record.iter().enumerate() {
        len |= usize::from(byte & 0x7f) << (7 * n);
        if byte < 0x80 {
            return (len, n + 1);
        }
    }
    unreachable!("a length ends within its record")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(note: usize) {
        let mut arena = Arena::with_note(note);
        assert_eq!(arena.next(None), None);
        let lengths = [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 25, 5, 7];
        let offsets: Vec<u64> = (lengths.iter().zip(0u8..))
            .map(|(&len, fill)| arena.push(&vec![fill; len]))
            .collect();
        for (fill, &offset) in (0u8..).zip(&offsets) {
            assert_eq!(arena.note(offset), vec![0; note]);
            arena.note(offset).fill(fill);
        }
        let mut next = None;
        for ((&len, fill), &offset) in lengths.iter().zip(0u8..).zip(&offsets) {
            assert!(offset > 0);
            assert_eq!(arena.get(offset), vec![fill; len]);
            assert_eq!(arena.note(offset), vec![fill; note]);
            next = arena.next(next);
            assert_eq!(next, Some(offset));
        }
        assert_eq!(arena.next(next), None);
    }

    #[test]
    fn records_come_back() {
        check(0);
        check(1);
        check(9);
    }
}
