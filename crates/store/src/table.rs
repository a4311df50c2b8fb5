//! A growing hash table from fingerprints to offsets, in cache lines.
//!
//! Follows: bucketised linear probing; the remainder of the hash kept beside the offset
//! (quotienting) serves as tag and as the key for growing.
//!
//! The table is cut into segments by the upper bits of the hash. A segment is an array of
//! buckets of one cache line; the *remainder*, the next bits of the hash, says in which
//! bucket to begin, by `remainder * buckets >> REMAINDER_BITS`. So any number of buckets
//! will do, a segment grows by a quarter instead of doubling, and growing needs no look at
//! the states: entries keep their remainder, and they come nearly in the order in which
//! they go. Only one segment at a time exists twice.

use crate::arena::OFFSET_BITS;

const SEGMENT_BITS: u32 = 10;
const REMAINDER_BITS: u32 = 64 - OFFSET_BITS;

/// Entries of a bucket.
const SLOTS: usize = 8;

/// Entries in one cache line, the used ones first. An entry is the remainder of the hash
/// (upper bits, never 0) and the offset (lower [`OFFSET_BITS`]); 0 is an empty slot.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Bucket([u64; SLOTS]);

/// A part of the table.
///
/// Invariants: `len <= limit`, and `limit` is below the number of slots unless both are 0,
/// so that probing ends. An entry lies in the bucket of its remainder, or in a later one
/// (after the last comes the first) if all buckets between are full. Nothing is removed.
#[derive(Clone, Debug, Default)]
struct Segment {
    buckets: Vec<Bucket>,
    len: u32,
    /// Grow before holding more than this.
    limit: u32,
}

/// An empty slot found by [`Table::find`], to be filled before anything else is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy {
    segment: usize,
    bucket: usize,
    slot: usize,
    remainder: u64,
}

/// A set of offsets, found by hash and a test for equality.
#[derive(Debug)]
pub(crate) struct Table {
    segments: Box<[Segment]>,
    /// Memory of all buckets.
    bucket_bytes: usize,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            segments: vec![Segment::default(); 1 << SEGMENT_BITS].into(),
            bucket_bytes: 0,
        }
    }
}

impl Table {
    /// Find the offset under a hash for which `is_same` holds, or where to put it.
    #[inline]
    pub(crate) fn find(
        &mut self,
        hash: u64,
        is_same: impl Fn(u64) -> bool,
    ) -> Result<u64, Vacancy> {
        let index = (hash >> (64 - SEGMENT_BITS)) as usize;
        let remainder = remainder(hash);
        let segment = &mut self.segments[index];
        if segment.len == segment.limit {
            self.bucket_bytes += segment.grow();
        }
        let buckets = segment.buckets.as_slice();
        let mut at = home(remainder, buckets.len());
        loop {
            let (mut hits, used) = scan(&buckets[at], remainder);
            while hits != 0 {
                let offset = offset(buckets[at].0[hits.trailing_zeros() as usize]);
                if is_same(offset) {
                    return Ok(offset);
                }
                hits &= hits - 1;
            }
            if used < SLOTS {
                return Err(Vacancy {
                    segment: index,
                    bucket: at,
                    slot: used,
                    remainder,
                });
            }
            at = if at + 1 == buckets.len() { 0 } else { at + 1 };
        }
    }

    /// Put an offset into the slot that [`Table::find`] found.
    #[inline]
    pub(crate) fn fill(&mut self, vacancy: Vacancy, offset: u64) {
        debug_assert!(offset >> OFFSET_BITS == 0);
        let segment = &mut self.segments[vacancy.segment];
        segment.buckets[vacancy.bucket].0[vacancy.slot] = vacancy.remainder << OFFSET_BITS | offset;
        segment.len += 1;
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.bucket_bytes + size_of_val(&*self.segments)
    }
}

impl Segment {
    /// Take a quarter more buckets, and return how many bytes were added.
    #[cold]
    fn grow(&mut self) -> usize {
        let old = std::mem::take(&mut self.buckets);
        let count = old.len() + (old.len() / 4).max(1);
        self.buckets = vec![Bucket::default(); count];
        self.limit = u32::try_from(count * SLOTS * 7 / 8).expect("a segment below 2^32 entries");
        for entry in old.iter().flat_map(|b| b.0).filter(|&e| e != 0) {
            self.reinsert(entry);
        }
        (count - old.len()) * size_of::<Bucket>()
    }

    fn reinsert(&mut self, entry: u64) {
        let count = self.buckets.len();
        let mut at = home(entry >> OFFSET_BITS, count);
        loop {
            if let Some(slot) = self.buckets[at].0.iter_mut().find(|slot| **slot == 0) {
                *slot = entry;
                return;
            }
            at = if at + 1 == count { 0 } else { at + 1 };
        }
    }
}

/// The slots with a remainder, as a set of bits, and the number of slots in use.
///
/// Looks at all slots without a branch: the line comes late from memory, and a wrong guess
/// about its content would keep the processor from going on with the next state meanwhile.
#[inline]
fn scan(bucket: &Bucket, remainder: u64) -> (u32, usize) {
    let mut hits = 0;
    let mut used = 0;
    for (slot, &entry) in bucket.0.iter().enumerate() {
        hits |= u32::from(entry >> OFFSET_BITS == remainder) << slot;
        used += usize::from(entry != 0);
    }
    (hits, used)
}

/// The bits of a hash below those of the segment; 1 stands for 0 too.
fn remainder(hash: u64) -> u64 {
    ((hash << SEGMENT_BITS) >> (64 - REMAINDER_BITS)).max(1)
}

fn offset(entry: u64) -> u64 {
    entry & ((1 << OFFSET_BITS) - 1)
}

/// The bucket where the entries of a remainder begin.
fn home(remainder: u64, buckets: usize) -> usize {
    ((remainder * buckets as u64) >> REMAINDER_BITS) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offsets 1..=n, under hashes that `hash` gives them, are all found again.
    fn check(n: u64, hash: impl Fn(u64) -> u64) {
        let mut table = Table::default();
        for offset in 1..=n {
            let vacancy = table.find(hash(offset), |o| o == offset).unwrap_err();
            table.fill(vacancy, offset);
        }
        for offset in 1..=n {
            assert_eq!(table.find(hash(offset), |o| o == offset).ok(), Some(offset));
        }
        let buckets: usize = table.segments.iter().map(|s| s.buckets.len()).sum();
        assert_eq!(table.bucket_bytes, buckets * size_of::<Bucket>());
    }

    #[test]
    fn spread_hashes() {
        check(200_000, |n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }

    #[test]
    fn equal_hashes() {
        check(500, |_| 0);
        check(500, |_| u64::MAX);
    }

    #[test]
    fn one_segment() {
        check(20_000, |n| {
            n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> SEGMENT_BITS
        });
    }
}
