//! A growing hash table in cache lines.
//!
//! Follows: bucketised linear probing, with the order of the entries that of their hashes.
//!
//! The upper bits of a hash choose one of the *segments*; the bits below, the *place*, say in
//! which of its buckets to begin, by `place * buckets >> 32`. So any number of buckets will do,
//! and a segment grows by a part instead of doubling. Growing needs no look at what the
//! entries stand for, and since they come nearly in the order in which they go, it is fast.
//! Only one segment at a time exists twice.
//!
//! The buckets of all segments interleave in stretches of 1 KiB: stretch 0 of every segment,
//! then stretch 1, and so on. Since the segments grow at nearly the same time, the memory
//! behind them is one piece without holes, which suits huge pages.
//!
//! Departs: linear probing in the order of hashes is usually kept sorted; here only the
//! buckets are in order. What does not fit goes to the other bucket of a pair, which is near
//! in memory, then on in *strides* of 1 to 8 pairs, after some of them pair by pair. Full
//! buckets one after the other, which make linear probing slow above three quarters of the
//! load, are passed quickly so.

use crate::machine::prefetch;
use crate::memory::{LINE, Line, Lines};

/// The bits of a hash that choose the segment, the upper ones.
pub(crate) const SEGMENT_BITS: u32 = 7;
const SEGMENTS: usize = 1 << SEGMENT_BITS;

const STRETCH_BITS: u32 = 4;
const STRETCH: usize = 1 << STRETCH_BITS;

/// A segment begins with one stretch; those of all segments fill 32 small pages.
const FIRST_BUCKETS: usize = STRETCH;

/// Strides are 1 to this many pairs of buckets, no more than a segment has.
const STRIDES: usize = 8;

/// The bits of a place above this say how long its stride is.
const STRIDE_SHIFT: u32 = 8;

/// What a bucket holds.
pub(crate) trait Slots {
    /// What a slot holds.
    type Entry: Copy;

    /// Of 40 slots no more than this are used: more of them take less memory, but then an
    /// entry is more often not where one looks first.
    const FILL: usize = 35;

    /// By how many eighths a segment grows, an even number: more of them take more memory, but
    /// then an entry moves less often.
    const GROWTH: usize = 2;

    /// The slots of a bucket.
    fn count(&self) -> usize;

    /// The entry in a slot.
    fn get(&self, line: &Line, slot: usize) -> Self::Entry;

    /// Put an entry into a slot.
    fn put(&self, line: &mut Line, slot: usize, entry: Self::Entry);

    /// Whether a slot is empty; one of zeros is.
    fn is_empty(&self, line: &Line, slot: usize) -> bool;

    /// The place of an entry, which it has to know itself.
    fn place(&self, entry: Self::Entry) -> u32;

    /// The slots that may hold what `probe` stands for, as a set of bits; never an empty one.
    ///
    /// Looks at all slots without a branch: the line comes late from memory, and a wrong
    /// guess about its content would keep the processor from going on with the next state
    /// meanwhile.
    fn hits(&self, line: &Line, probe: Self::Entry) -> u32;

    /// Note in a bucket that an entry which belongs there lies in another one. Where this does
    /// something, entries have to be added with [`Buckets::add`].
    fn miss(&self, _line: &mut Line, _entry: Self::Entry) {}

    /// Whether the entry of the probe may lie in another bucket although it belongs into this
    /// one, which is full.
    #[inline(always)]
    fn misses(&self, _line: &Line, _probe: Self::Entry) -> bool {
        true
    }

    /// The number of slots in use.
    #[inline(always)]
    fn used(&self, line: &Line) -> usize {
        let is_used = |&slot: &usize| !self.is_empty(line, slot);
        (0..self.count()).filter(is_used).count()
    }
}

/// Part of a table.
///
/// Invariants: `len <= limit`, and `limit` is below the number of slots unless both are 0,
/// so that probing ends. An entry lies in the bucket of its place, or in one that
/// [`Probe`] comes to later if all buckets it comes to before are full. In a bucket the used slots
/// come first. Nothing is removed.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    buckets: u32,
    len: u32,
    /// Grow before holding more than this.
    limit: u32,
}

/// A slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    segment: usize,
    line: usize,
    slot: usize,
}

/// A bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    segment: usize,
    line: usize,
}

impl Home {
    /// The other bucket of the pair, where the entries go that do not fit.
    #[inline(always)]
    pub(crate) fn other(self) -> Home {
        Home {
            line: self.line ^ 1,
            ..self
        }
    }
}

/// A multiset of entries that grows.
#[derive(Debug)]
pub(crate) struct Buckets<S> {
    lines: Lines,
    segments: [Segment; SEGMENTS],
    /// The buckets of all segments.
    count: usize,
    slots: S,
}

impl<S: Default> Default for Buckets<S> {
    fn default() -> Buckets<S> {
        Buckets::new(S::default())
    }
}

impl<S> Buckets<S> {
    /// No entries, and none of the memory for them.
    pub(crate) fn new(slots: S) -> Buckets<S> {
        Buckets {
            lines: Lines::new(),
            segments: [Segment::default(); SEGMENTS],
            count: 0,
            slots,
        }
    }
}

impl<S: Slots> Buckets<S> {
    /// Ask for the bucket of a hash, and of a place, which must be that of its entry.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64, place: u32) {
        let segment = segment(hash);
        let bucket = home(place, self.segments[segment].buckets as usize);
        prefetch(self.lines.get(line(segment, bucket)));
    }

    /// The same, and for the other bucket of the pair.
    #[inline(always)]
    pub(crate) fn prefetch_pair(&self, hash: u64, place: u32) {
        let segment = segment(hash);
        let bucket = home(place, self.segments[segment].buckets as usize);
        let number = line(segment, bucket);
        prefetch(self.lines.get(number));
        prefetch(self.lines.get(number ^ 1));
    }

    /// The first entry in the bucket of a probe that may be it. If there is none and the
    /// bucket is full, ask for the next one.
    #[inline(always)]
    pub(crate) fn touch(&self, hash: u64, probe: S::Entry) -> Option<S::Entry> {
        let segment = segment(hash);
        let buckets = self.segments[segment].buckets as usize;
        let place = self.slots.place(probe);
        let number = line(segment, home(place, buckets));
        let bytes = self.lines.get(number);
        let hits = self.slots.hits(bytes, probe);
        if hits != 0 {
            return Some(self.slots.get(bytes, hits.trailing_zeros() as usize));
        }
        if is_full(&self.slots, bytes) {
            // The other bucket of the pair.
            prefetch(self.lines.get(number ^ 1));
        }
        None
    }

    /// Find an entry that may be the one of the probe and for which `is_same` holds, or the
    /// empty slot where it belongs.
    ///
    /// Call [`Buckets::make_room`] before, unless there is an entry in the segment.
    #[inline]
    pub(crate) fn find(
        &self,
        hash: u64,
        wanted: S::Entry,
        is_same: impl Fn(S::Entry) -> bool,
    ) -> Result<(S::Entry, Position), Position> {
        let segment = segment(hash);
        let buckets = self.segments[segment].buckets as usize;
        let mut probe = Probe::new(self.slots.place(wanted), buckets);
        loop {
            let number = line(segment, probe.bucket);
            let line = self.lines.get(number);
            let mut hits = self.slots.hits(line, wanted);
            let position = |slot| Position {
                segment,
                line: number,
                slot,
            };
            while hits != 0 {
                let slot = hits.trailing_zeros() as usize;
                let entry = self.slots.get(line, slot);
                if is_same(entry) {
                    return Ok((entry, position(slot)));
                }
                hits &= hits - 1;
            }
            if !is_full(&self.slots, line) {
                return Err(position(self.slots.used(line)));
            }
            probe.advance();
        }
    }

    /// Add an entry where a hit is the same entry, and tell whether it was new.
    #[inline(always)]
    pub(crate) fn add(&mut self, hash: u64, entry: S::Entry) -> bool {
        let home = self.home(hash, entry);
        // Mostly it is there, or it fits where it belongs.
        match self.vacancy(home) {
            _ if self.has_hits(home, entry) => false,
            Some(vacancy) if !self.is_full(home) => {
                self.fill(vacancy, entry);
                true
            }
            _ => self.add_beyond(hash, entry),
        }
    }

    /// The same if its bucket is full, or its segment has to grow.
    #[cold]
    #[inline(never)]
    pub(crate) fn add_beyond(&mut self, hash: u64, entry: S::Entry) -> bool {
        self.make_room(hash);
        let found = self.find(hash, entry, |_| true);
        if let Err(vacancy) = found {
            self.fill_beyond(hash, vacancy, entry);
        }
        found.is_err()
    }

    /// The entry that is there, where a hit is the same entry but for what it does not compare; if
    /// there is none, add this one.
    #[inline(always)]
    pub(crate) fn add_or_get(&mut self, hash: u64, entry: S::Entry) -> Option<S::Entry> {
        let home = self.home(hash, entry);
        if let Some(known) = self.hits(home, entry).next() {
            return Some(known);
        }
        match self.vacancy(home) {
            Some(vacancy) if !self.is_full(home) => {
                self.fill(vacancy, entry);
                None
            }
            _ => self.add_or_get_beyond(hash, entry),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_or_get_beyond(&mut self, hash: u64, entry: S::Entry) -> Option<S::Entry> {
        self.make_room(hash);
        match self.find(hash, entry, |_| true) {
            Ok((known, _)) => Some(known),
            Err(vacancy) => {
                self.fill_beyond(hash, vacancy, entry);
                None
            }
        }
    }

    /// The entry that is there, where a hit is the same entry but for what it does not compare.
    #[inline(always)]
    pub(crate) fn get(&self, hash: u64, entry: S::Entry) -> Option<S::Entry> {
        let home = self.home(hash, entry);
        match self.hits(home, entry).next() {
            None if self.misses(home, entry) => self.get_beyond(hash, entry),
            known => known,
        }
    }

    /// The same if it is not where it belongs.
    #[cold]
    #[inline(never)]
    fn get_beyond(&self, hash: u64, entry: S::Entry) -> Option<S::Entry> {
        let found = self.find(hash, entry, |_| true);
        found.ok().map(|(known, _)| known)
    }

    /// Put an entry in the place of one that differs from it only in what is not compared.
    #[inline(always)]
    pub(crate) fn replace(&mut self, hash: u64, entry: S::Entry) {
        let home = self.home(hash, entry);
        let hits = self.slots.hits(self.lines.get(home.line), entry);
        if hits != 0 {
            let slot = hits.trailing_zeros() as usize;
            return self.slots.put(self.lines.get_mut(home.line), slot, entry);
        }
        self.replace_beyond(hash, entry);
    }

    #[cold]
    #[inline(never)]
    fn replace_beyond(&mut self, hash: u64, entry: S::Entry) {
        if let Ok((_, position)) = self.find(hash, entry, |_| true) {
            let line = self.lines.get_mut(position.line);
            self.slots.put(line, position.slot, entry);
        }
    }

    /// Whether an entry is there, where a hit is the same entry.
    #[inline(always)]
    pub(crate) fn has(&self, hash: u64, entry: S::Entry) -> bool {
        let home = self.home(hash, entry);
        self.has_hits(home, entry) || self.misses(home, entry) && self.has_beyond(hash, entry)
    }

    /// The same if it is not where it belongs.
    #[cold]
    #[inline(never)]
    fn has_beyond(&self, hash: u64, entry: S::Entry) -> bool {
        self.find(hash, entry, |_| true).is_ok()
    }

    /// The bucket where the entries of a hash begin.
    #[inline(always)]
    pub(crate) fn home(&self, hash: u64, probe: S::Entry) -> Home {
        let segment = segment(hash);
        let bucket = home(
            self.slots.place(probe),
            self.segments[segment].buckets as usize,
        );
        Home {
            segment,
            line: line(segment, bucket),
        }
    }

    /// The entries of a bucket that may be the one of the probe.
    #[inline(always)]
    pub(crate) fn hits(&self, home: Home, probe: S::Entry) -> impl Iterator<Item = S::Entry> {
        let line = self.lines.get(home.line);
        let mut hits = self.slots.hits(line, probe);
        std::iter::from_fn(move || {
            let slot = (hits != 0).then(|| hits.trailing_zeros() as usize)?;
            hits &= hits - 1;
            Some(self.slots.get(line, slot))
        })
    }

    /// Whether there are any.
    #[inline(always)]
    pub(crate) fn has_hits(&self, home: Home, probe: S::Entry) -> bool {
        self.slots.hits(self.lines.get(home.line), probe) != 0
    }

    /// Whether the entry of the probe may lie in another bucket although it belongs into this
    /// one.
    #[inline(always)]
    fn misses(&self, home: Home, probe: S::Entry) -> bool {
        let line = self.lines.get(home.line);
        is_full(&self.slots, line) && self.slots.misses(line, probe)
    }

    /// An empty slot of a bucket.
    #[inline(always)]
    pub(crate) fn vacancy(&self, home: Home) -> Option<Position> {
        let slot = self.slots.used(self.lines.get(home.line));
        (slot < self.slots.count()).then_some(Position {
            segment: home.segment,
            line: home.line,
            slot,
        })
    }

    /// Whether the segment of a bucket has to grow before it can take another entry.
    #[inline(always)]
    pub(crate) fn is_full(&self, home: Home) -> bool {
        let Segment { len, limit, .. } = self.segments[home.segment];
        len >= limit
    }

    /// Whether the segment of a hash has no entries, and perhaps no buckets.
    #[inline]
    pub(crate) fn is_vacant(&self, hash: u64) -> bool {
        self.segments[segment(hash)].len == 0
    }

    /// Make room for one more entry in the segment of a hash.
    #[inline]
    pub(crate) fn make_room(&mut self, hash: u64) {
        let segment = segment(hash);
        if self.segments[segment].len == self.segments[segment].limit {
            self.grow(segment);
        }
    }

    /// Put an entry into the empty slot that [`Buckets::find`] or [`Buckets::vacancy`] found last.
    #[inline(always)]
    pub(crate) fn fill(&mut self, vacancy: Position, entry: S::Entry) {
        self.slots
            .put(self.lines.get_mut(vacancy.line), vacancy.slot, entry);
        self.segments[vacancy.segment].len += 1;
    }

    /// The same for a slot that may be in a bucket where the entry does not belong.
    fn fill_beyond(&mut self, hash: u64, vacancy: Position, entry: S::Entry) {
        let home = self.home(hash, entry);
        if home.line != vacancy.line {
            self.slots.miss(self.lines.get_mut(home.line), entry);
        }
        self.fill(vacancy, entry);
    }

    /// The line of a slot that [`Buckets::find`] found last.
    #[inline]
    pub(crate) fn line_mut(&mut self, position: Position) -> (&mut Line, usize) {
        (self.lines.get_mut(position.line), position.slot)
    }

    /// Make room for so many entries in an empty table.
    pub(crate) fn reserve(&mut self, entries: u64) {
        // A few more than the mean, because some segments have more.
        let mean = usize::try_from(entries).unwrap_or(usize::MAX) / SEGMENTS;
        let buckets = (mean + mean / 64) * 40 / (S::FILL * self.slots.count());
        for segment in 0..SEGMENTS {
            self.grow_to(
                segment,
                buckets.next_multiple_of(STRETCH).max(FIRST_BUCKETS),
            );
        }
    }

    #[cold]
    fn grow(&mut self, segment: usize) {
        let old = self.segments[segment].buckets as usize;
        self.grow_to(segment, (old + old / 8 * S::GROWTH).max(FIRST_BUCKETS));
    }

    fn grow_to(&mut self, segment: usize, new: usize) {
        let old = self.segments[segment].buckets as usize;
        self.lines.reserve(line(SEGMENTS - 1, new - 1) + 1);
        self.count += new - old;
        self.segments[segment].buckets = u32::try_from(new).expect("a segment below 2^32 buckets");
        self.segments[segment].limit = u32::try_from(new * self.slots.count() * S::FILL / 40)
            .expect("a segment below 2^32 entries");
        let mut moving = Moving {
            lines: &mut self.lines,
            segment,
            used: vec![0; new],
            slots: &self.slots,
        };
        let mut strays = Vec::new();
        // From the last to the first: an entry moves on, into a bucket that was emptied before.
        // The few that would move back, because they are not where they belong, have to wait.
        for bucket in (0..old).rev() {
            let line = moving.lines.get_mut(line(segment, bucket));
            let taken = std::mem::replace(line, [0; LINE]);
            for slot in 0..moving.slots.used(&taken) {
                let entry = moving.slots.get(&taken, slot);
                let target = home(moving.slots.place(entry), new);
                if target < bucket || !moving.put(target, entry) {
                    strays.push(entry);
                }
            }
        }
        for entry in strays {
            let mut probe = Probe::new(moving.slots.place(entry), new);
            let home = probe.bucket;
            while !moving.put(probe.bucket, entry) {
                probe.advance();
            }
            if probe.bucket != home {
                let line = moving.lines.get_mut(line(segment, home));
                moving.slots.miss(line, entry);
            }
        }
    }

    /// All entries with the upper bits of their hashes, in no order that means anything, but
    /// always the same.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, S::Entry)> {
        let segments = self.segments.iter().enumerate();
        segments.flat_map(move |(segment, s)| {
            let buckets = 0..s.buckets as usize;
            let lines = buckets.map(move |bucket| self.lines.get(line(segment, bucket)));
            let entries = lines
                .flat_map(|line| (0..self.slots.used(line)).map(|slot| self.slots.get(line, slot)));
            entries.map(move |entry| ((segment as u64) << (64 - SEGMENT_BITS), entry))
        })
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.count * LINE
    }
}

/// A segment whose entries move.
struct Moving<'a, S> {
    lines: &'a mut Lines,
    segment: usize,
    /// The slots in use, by bucket. Counted beside the buckets: looking at what was just
    /// written takes long.
    used: Vec<u8>,
    slots: &'a S,
}

impl<S: Slots> Moving<'_, S> {
    /// Put an entry into a bucket, if there is room.
    #[inline(always)]
    fn put(&mut self, bucket: usize, entry: S::Entry) -> bool {
        let used = &mut self.used[bucket];
        let slot = usize::from(*used);
        if slot >= self.slots.count() {
            return false;
        }
        *used += 1;
        self.slots
            .put(self.lines.get_mut(line(self.segment, bucket)), slot, entry);
        true
    }
}

#[inline(always)]
fn is_full<S: Slots>(slots: &S, line: &Line) -> bool {
    !slots.is_empty(line, slots.count() - 1)
}

#[inline(always)]
fn segment(hash: u64) -> usize {
    (hash >> (64 - SEGMENT_BITS)) as usize
}

/// The bucket where the entries of a place begin.
#[inline(always)]
fn home(place: u32, buckets: usize) -> usize {
    ((u64::from(place) * buckets as u64) >> 32) as usize
}

/// The buckets to look at for a place, one after the other, and in the end all of them.
#[derive(Clone, Copy, Debug)]
struct Probe {
    bucket: usize,
    stride: usize,
    steps: u32,
    /// An even number.
    buckets: usize,
}

impl Probe {
    #[inline(always)]
    fn new(place: u32, buckets: usize) -> Probe {
        Probe {
            bucket: home(place, buckets),
            stride: 2 + (place >> STRIDE_SHIFT) as usize % STRIDES * 2,
            steps: 0,
            buckets,
        }
    }

    /// Go to the next bucket; behind the last comes the first.
    #[inline(always)]
    fn advance(&mut self) {
        self.steps += 1;
        self.bucket ^= 1;
        if self.steps.is_multiple_of(2) {
            self.bucket += if self.steps <= 8 { self.stride } else { 2 };
            if self.bucket >= self.buckets {
                self.bucket -= self.buckets;
            }
        }
    }
}

/// Where a bucket of a segment lies.
#[inline(always)]
fn line(segment: usize, bucket: usize) -> usize {
    ((bucket >> STRETCH_BITS) << SEGMENT_BITS | segment) << STRETCH_BITS | bucket & (STRETCH - 1)
}

/// Eight entries of 64 bits in a line, the upper halves of all of them first.
pub(crate) mod split {
    use super::Line;

    #[inline(always)]
    pub(crate) fn get(line: &Line, slot: usize) -> u64 {
        let halves = line.as_chunks().0;
        let half = |at: usize| u64::from(u32::from_le_bytes(halves[at % 16]));
        half(slot) << 32 | half(8 + slot)
    }

    #[inline(always)]
    pub(crate) fn put(line: &mut Line, slot: usize, entry: u64) {
        let halves = line.as_chunks_mut().0;
        halves[slot % 16] = ((entry >> 32) as u32).to_le_bytes();
        halves[(8 + slot) % 16] = (entry as u32).to_le_bytes();
    }

    #[inline(always)]
    pub(crate) fn upper(line: &Line) -> &[u8; 32] {
        line.first_chunk().expect("half a line")
    }

    #[inline(always)]
    pub(crate) fn lower(line: &Line) -> &[u8; 32] {
        line.last_chunk().expect("half a line")
    }
}

/// Part of a cache line as a number.
#[inline(always)]
pub(crate) fn word(line: &Line, at: usize) -> u64 {
    u64::from_le_bytes(line[at..at + 8].try_into().expect("eight bytes"))
}

/// Part of a cache line as a number.
#[inline(always)]
pub(crate) fn half(line: &Line, at: usize) -> u32 {
    u32::from_le_bytes(line[at..at + 4].try_into().expect("four bytes"))
}

#[cfg(test)]
mod tests;
