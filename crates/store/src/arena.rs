//! Byte strings one after the other, in chunks that never move.
//!
//! A record is the length of the string as a little-endian base-128 number (one byte below
//! 128, two below 16,384), then the string. Records are not aligned: padding would cost more
//! than it saves.

/// Chunks are this long, except one that holds a single longer record.
const CHUNK_BITS: u32 = 22;
const CHUNK: usize = 1 << CHUNK_BITS;

/// Offsets fit into this many bits: 1 TiB of records.
pub(crate) const OFFSET_BITS: u32 = 40;

/// The records.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    /// A record lies in one chunk and begins within its first `CHUNK` bytes. Chunks are
    /// filled one after the other; only the last one grows, and never beyond the capacity
    /// it was made with, so no record is ever copied. The first byte of the first chunk is
    /// unused: no record has offset 0.
    chunks: Vec<Vec<u8>>,
    /// The sum of the lengths of the chunks.
    used: usize,
}

impl Arena {
    /// Append a record and return its offset, which is never 0 and below 2^[`OFFSET_BITS`].
    pub(crate) fn push(&mut self, bytes: &[u8]) -> u64 {
        let mut header = [0; 10];
        let header_len = encode_length(bytes.len(), &mut header);
        let record = header_len + bytes.len();
        if self.chunks.last().is_none_or(|c| c.len() + record > CHUNK) {
            self.add_chunk(record);
        }
        let index = self.chunks.len() - 1;
        let chunk = &mut self.chunks[index];
        let offset = (index as u64) << CHUNK_BITS | chunk.len() as u64;
        chunk.extend_from_slice(&header[..header_len]);
        chunk.extend_from_slice(bytes);
        self.used += record;
        offset
    }

    #[cold]
    fn add_chunk(&mut self, record: usize) {
        assert!(
            self.chunks.len() < 1 << (OFFSET_BITS - CHUNK_BITS),
            "a store holds at most 1 TiB of states"
        );
        // The pages behind the end of a chunk are untouched and cost nothing yet.
        let mut chunk = Vec::with_capacity(CHUNK.max(record + 1));
        if self.chunks.is_empty() {
            chunk.push(0);
            self.used += 1;
        }
        self.chunks.push(chunk);
    }

    /// The record at an offset that [`Arena::push`] returned.
    #[inline]
    pub(crate) fn get(&self, offset: u64) -> &[u8] {
        let chunk = &self.chunks[(offset >> CHUNK_BITS) as usize];
        let record = &chunk[offset as usize & (CHUNK - 1)..];
        let first = record[0];
        if first < 0x80 {
            return &record[1..][..usize::from(first)];
        }
        let (len, header_len) = decode_length(record);
        &record[header_len..][..len]
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.used + self.chunks.capacity() * size_of::<Vec<u8>>()
    }
}

/// Write a length and return how many bytes it took.
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

    #[test]
    fn records_come_back() {
        let mut arena = Arena::default();
        let lengths = [
            0,
            1,
            127,
            128,
            300,
            16_383,
            16_384,
            CHUNK - 3,
            CHUNK,
            3 * CHUNK,
            5,
        ];
        let offsets: Vec<u64> = (lengths.iter().zip(0u8..))
            .map(|(&len, fill)| arena.push(&vec![fill; len]))
            .collect();
        for ((&len, fill), &offset) in lengths.iter().zip(0u8..).zip(&offsets) {
            assert!(offset > 0);
            assert_eq!(arena.get(offset), vec![fill; len]);
        }
    }

    #[test]
    fn chunks_do_not_move() {
        let mut arena = Arena::default();
        let first = arena.push(&[7; 100]);
        let address = arena.get(first).as_ptr();
        for _ in 0..100_000 {
            arena.push(&[1; 100]);
        }
        assert_eq!(arena.get(first).as_ptr(), address);
        assert!(arena.chunks.iter().all(|c| c.capacity() == CHUNK));
    }
}
