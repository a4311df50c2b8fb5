//! Byte strings one after the other, in chunks that never move.
//!
//! A record is the length of the string as a little-endian base-128 number (one byte below
//! 128, two below 16,384), the note, then the string. Records are not aligned: padding would
//! cost more than it saves.

use memmap2::MmapMut;

use crate::memory::{self, HUGE};
use crate::prefetch::prefetch;

/// Chunks are this long, except one that holds a single longer record.
const CHUNK_BITS: u32 = 25;
const CHUNK: usize = 1 << CHUNK_BITS;

/// Offsets fit into this many bits: 1 TiB of records.
pub(crate) const OFFSET_BITS: u32 = 40;

/// A part of the arena: `bytes[..used]` are records.
#[derive(Debug)]
struct Chunk {
    bytes: MmapMut,
    used: usize,
}

/// The records.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    /// A record lies in one chunk and begins within its first `CHUNK` bytes. Chunks are
    /// filled one after the other. The first byte of the first chunk is unused: no record
    /// has offset 0.
    chunks: Vec<Chunk>,
    /// The sum of the lengths of the chunks.
    used: usize,
    /// The bytes of a note.
    note: usize,
}

impl Arena {
    /// An arena whose records have notes of so many bytes.
    pub(crate) fn with_note(note: usize) -> Arena {
        Arena {
            note,
            ..Arena::default()
        }
    }

    /// Append a record and return its offset, which is never 0 and below 2^[`OFFSET_BITS`].
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> u64 {
        let mut header = [0; 10];
        let header_len = encode_length(bytes.len(), &mut header);
        let record = header_len + self.note + bytes.len();
        if (self.chunks.last()).is_none_or(|c| c.used + record > CHUNK) {
            self.add_chunk(record);
        }
        let index = self.chunks.len() - 1;
        let chunk = &mut self.chunks[index];
        let offset = (index as u64) << CHUNK_BITS | chunk.used as u64;
        let room = &mut chunk.bytes[chunk.used..][..record];
        if header_len == 1 {
            room[0] = header[0];
        } else {
            room[..header_len].copy_from_slice(&header[..header_len]);
        }
        room[header_len + self.note..].copy_from_slice(bytes);
        chunk.used += record;
        self.used += record;
        offset
    }

    #[cold]
    fn add_chunk(&mut self, record: usize) {
        assert!(
            self.chunks.len() < 1 << (OFFSET_BITS - CHUNK_BITS),
            "a store holds at most 1 TiB of states"
        );
        let is_first = self.chunks.is_empty();
        let small = if is_first { HUGE } else { 0 };
        self.chunks.push(Chunk {
            bytes: memory::zeroed(CHUNK.max(record + 1), small),
            used: usize::from(is_first),
        });
        self.used += usize::from(is_first);
    }

    /// The bytes of a record at an offset that [`Arena::push`] returned.
    #[inline]
    pub(crate) fn get(&self, offset: u64) -> &[u8] {
        let record = self.from(offset);
        let first = record[0];
        if first < 0x80 {
            return &record[1 + self.note..][..usize::from(first)];
        }
        let (len, header_len) = decode_length(record);
        &record[header_len + self.note..][..len]
    }

    /// The note of a record at an offset that [`Arena::push`] returned.
    #[inline]
    pub(crate) fn note(&mut self, offset: u64) -> &mut [u8] {
        let (_, header_len) = decode_length(self.from(offset));
        let chunk = &mut self.chunks[(offset >> CHUNK_BITS) as usize];
        &mut chunk.bytes[(offset as usize & (CHUNK - 1)) + header_len..][..self.note]
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
        // The record before decides the chunk: `next` may be where the chunk after it begins.
        let index = offset.map_or(0, |offset| (offset >> CHUNK_BITS) as usize);
        let chunk = self.chunks.get(index)?;
        if next - ((index as u64) << CHUNK_BITS) < chunk.used as u64 {
            Some(next)
        } else {
            let follows = index + 1 < self.chunks.len();
            follows.then_some((index as u64 + 1) << CHUNK_BITS)
        }
    }

    /// Ask for the memory of a record.
    #[inline]
    pub(crate) fn prefetch(&self, offset: u64) {
        let record = self.from(offset);
        prefetch(record);
        prefetch(&record[record.len().min(64)..]);
    }

    #[inline]
    fn from(&self, offset: u64) -> &[u8] {
        &self.chunks[(offset >> CHUNK_BITS) as usize].bytes[offset as usize & (CHUNK - 1)..]
    }

    /// The bytes of a note.
    pub(crate) fn note_len(&self) -> usize {
        self.note
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.used + self.chunks.capacity() * size_of::<Chunk>()
    }
}

/// Write a length and return how many bytes it took.
#[inline]
fn encode_length(mut len: usize, out: &mut [u8; 10]) -> usize {
    let mut n = 0;
    while len >= 0x80 {
        out[n] = len as u8 | 0x80;
        len >>= 7;
        n += 1;
    }
    out[n] = len as u8;
    n + 1
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
        let lengths = [
            0,
            1,
            127,
            128,
            300,
            16_383,
            16_384,
            CHUNK - 4,
            CHUNK,
            3 * CHUNK,
            5,
            CHUNK - 4 - note,
            7,
        ];
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
