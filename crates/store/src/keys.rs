//! A set of 64-bit keys, each with or without a note.
//!
//! What the stores share that turn a state into one number: it is the entry itself. Without
//! notes a key costs 12.3 to 21.5 bytes ([`Long`]) or 8.1 to 10.2 ([`Short`]); with notes 14.6
//! to 18.3, and the note once more if it is longer than 4 bytes.

use std::io::{self, Read, Write};

use crate::buckets::{Buckets, Position, SEGMENT_BITS, Slots, half, split, word};
use crate::machine::equal;
use crate::memory::Line;
use crate::stream;

/// Slots for keys alone.
pub(crate) trait KeySlots: Slots<Entry = u64> + Default {
    /// What stands for a key within its segment.
    fn entry(key: u64) -> u64;

    /// The key of an entry; `upper` are its bits that choose the segment, the others 0.
    fn key(upper: u64, entry: u64) -> u64;
}

/// Keys of 64 bits, never 0, in 8 bytes.
#[derive(Debug, Default)]
pub(crate) struct Long;

impl Slots for Long {
    type Entry = u64;
    const FILL: usize = 26;
    const GROWTH: usize = 6;

    #[inline(always)]
    fn count(&self) -> usize {
        8
    }

    #[inline(always)]
    fn get(&self, line: &Line, slot: usize) -> u64 {
        split::get(line, slot)
    }

    #[inline(always)]
    fn put(&self, line: &mut Line, slot: usize, entry: u64) {
        split::put(line, slot, entry);
    }

    #[inline(always)]
    fn hits(&self, line: &Line, probe: u64) -> u32 {
        equal(split::upper(line), (probe >> 32) as u32, u32::MAX)
            & equal(split::lower(line), probe as u32, u32::MAX)
    }

    #[inline(always)]
    fn used(&self, line: &Line) -> usize {
        let empty = self.hits(line, 0);
        (empty | 1 << self.count()).trailing_zeros() as usize
    }

    #[inline(always)]
    fn is_empty(&self, line: &Line, slot: usize) -> bool {
        self.get(line, slot) == 0
    }

    #[inline(always)]
    fn place(&self, entry: u64) -> u32 {
        place(entry)
    }
}

impl KeySlots for Long {
    #[inline(always)]
    fn entry(key: u64) -> u64 {
        key
    }

    fn key(_upper: u64, entry: u64) -> u64 {
        entry
    }
}

/// Keys of 62 bits in 7 bytes: see [`short_key`]. The segment knows the upper bits of a key,
/// so they are left out.
#[derive(Debug, Default)]
pub(crate) struct Short;

/// A key for [`Short`] from a number of 62 bits. The lower bits are 1, so that no entry is 0,
/// and 0.
#[inline(always)]
pub(crate) fn short_key(number: u64) -> u64 {
    number << 2 | 2
}

impl Slots for Short {
    /// 56 bits, upper ones.
    type Entry = u64;

    #[inline(always)]
    fn count(&self) -> usize {
        9
    }

    #[inline(always)]
    fn get(&self, line: &Line, slot: usize) -> u64 {
        // What follows the slot is shifted out.
        word(line, 7 * slot) << 8
    }

    #[inline(always)]
    fn put(&self, line: &mut Line, slot: usize, entry: u64) {
        line[7 * slot..][..7].copy_from_slice(&entry.to_le_bytes()[1..]);
    }

    #[inline(always)]
    fn is_empty(&self, line: &Line, slot: usize) -> bool {
        self.get(line, slot) == 0
    }

    #[inline(always)]
    fn place(&self, entry: u64) -> u32 {
        (entry >> 32) as u32
    }

    #[inline(always)]
    fn hits(&self, line: &Line, probe: u64) -> u32 {
        let mut hits = 0;
        for slot in 0..self.count() {
            hits |= u32::from(self.get(line, slot) == probe) << slot;
        }
        hits
    }
}

impl KeySlots for Short {
    #[inline(always)]
    fn entry(key: u64) -> u64 {
        // Drops the upper bits, and has no more than the last bit, a 0, to drop below.
        debug_assert!(key & 3 == 2);
        key << SEGMENT_BITS
    }

    fn key(upper: u64, entry: u64) -> u64 {
        upper | entry >> SEGMENT_BITS
    }
}

/// Keys, never 0, with numbers of 32 bits.
#[derive(Debug, Default)]
pub(crate) struct Numbered;

impl Slots for Numbered {
    type Entry = (u64, u32);

    #[inline(always)]
    fn count(&self) -> usize {
        5
    }

    #[inline(always)]
    fn get(&self, line: &Line, slot: usize) -> (u64, u32) {
        (word(line, 8 * slot), half(line, 40 + 4 * slot))
    }

    #[inline(always)]
    fn put(&self, line: &mut Line, slot: usize, (key, number): (u64, u32)) {
        line[8 * slot..][..8].copy_from_slice(&key.to_le_bytes());
        line[40 + 4 * slot..][..4].copy_from_slice(&number.to_le_bytes());
    }

    #[inline(always)]
    fn is_empty(&self, line: &Line, slot: usize) -> bool {
        self.get(line, slot).0 == 0
    }

    #[inline(always)]
    fn place(&self, (key, _): (u64, u32)) -> u32 {
        place(key)
    }

    #[inline(always)]
    fn hits(&self, line: &Line, (key, _): (u64, u32)) -> u32 {
        let mut hits = 0;
        for slot in 0..self.count() {
            hits |= u32::from(word(line, 8 * slot) == key) << slot;
        }
        hits
    }
}

/// The bits of a key below those that choose the segment.
#[inline(always)]
pub(crate) fn place(key: u64) -> u32 {
    (key >> (32 - SEGMENT_BITS)) as u32
}

/// Keys, their notes and where they are.
#[derive(Debug)]
enum Table<S> {
    Bare(Buckets<S>),
    /// The number of a key is its note if that has at most 4 bytes, otherwise the place of
    /// its note in `long`.
    Noted {
        keys: Buckets<Numbered>,
        bytes: usize,
        long: Vec<u8>,
    },
}

/// A set of keys that are spread evenly and not 0.
#[derive(Debug)]
pub(crate) struct KeySet<S> {
    table: Table<S>,
    len: u64,
}

impl<S: KeySlots> KeySet<S> {
    /// An empty set of keys with notes of so many bytes.
    pub(crate) fn new(note: usize) -> KeySet<S> {
        let table = match note {
            0 => Table::Bare(Buckets::default()),
            bytes => Table::Noted {
                keys: Buckets::default(),
                bytes,
                long: Vec::new(),
            },
        };
        KeySet { table, len: 0 }
    }

    /// Ask for the memory that looking for a key will need.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        match &self.table {
            Table::Bare(keys) => keys.prefetch(key, place(key)),
            Table::Noted { keys, .. } => keys.prefetch(key, place(key)),
        }
    }

    /// Look at the memory that [`KeySet::prefetch`] asked for, and ask for what else there is.
    /// Whether the key was seen; otherwise it may be there all the same.
    #[inline]
    pub(crate) fn touch(&self, key: u64) -> bool {
        match &self.table {
            Table::Bare(keys) => keys.touch(key, S::entry(key)).is_some(),
            Table::Noted { keys, .. } => keys.touch(key, (key, 0)).is_some(),
        }
    }

    /// Add a key, and tell whether it was new.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64) -> bool {
        let is_new = match &mut self.table {
            Table::Bare(keys) => keys.add(key, S::entry(key)),
            Table::Noted { keys, bytes, long } => {
                keys.make_room(key);
                let found = find(keys, key);
                if let Err(vacancy) = found {
                    let mut number = 0;
                    if *bytes > 4 {
                        number = u32::try_from(self.len).expect("at most 2^32 long notes");
                        long.resize(long.len() + *bytes, 0);
                    }
                    keys.fill(vacancy, (key, number));
                }
                found.is_err()
            }
        };
        self.len += u64::from(is_new);
        is_new
    }

    /// Whether a key is there.
    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        match &self.table {
            Table::Bare(keys) => keys.has(key, S::entry(key)),
            Table::Noted { keys, .. } => !keys.is_vacant(key) && find(keys, key).is_ok(),
        }
    }

    /// The note of a key that is there.
    #[inline]
    pub(crate) fn note(&mut self, key: u64) -> &mut [u8] {
        let Table::Noted { keys, bytes, long } = &mut self.table else {
            return &mut [];
        };
        let ((_, number), position) = find(keys, key).expect("the id of a state");
        if *bytes > 4 {
            return &mut long[number as usize * *bytes..][..*bytes];
        }
        let (line, slot) = keys.line_mut(position);
        &mut line[40 + 4 * slot..][..*bytes]
    }

    /// The number of keys.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The memory in use.
    #[inline]
    pub(crate) fn memory_bytes(&self) -> usize {
        match &self.table {
            Table::Bare(keys) => keys.memory_bytes(),
            Table::Noted { keys, long, .. } => keys.memory_bytes() + long.capacity(),
        }
    }

    /// Write the keys and their notes.
    pub(crate) fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.table {
            Table::Bare(keys) => {
                stream::put(out, 0)?;
                stream::put(out, self.len)?;
                keys.entries()
                    .try_for_each(|(upper, entry)| stream::put(out, S::key(upper, entry)))
            }
            Table::Noted { keys, bytes, long } => {
                stream::put(out, *bytes as u64)?;
                stream::put(out, self.len)?;
                keys.entries().try_for_each(|(_, (key, number))| {
                    stream::put(out, key)?;
                    match *bytes {
                        0..=4 => out.write_all(&number.to_le_bytes()[..*bytes]),
                        _ => out.write_all(&long[number as usize * bytes..][..*bytes]),
                    }
                })
            }
        }
    }

    /// Read the keys and their notes into an empty set.
    pub(crate) fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let bytes = match &self.table {
            Table::Bare(_) => 0,
            Table::Noted { bytes, .. } => *bytes,
        };
        stream::expect(input, bytes as u64, "the length of notes")?;
        for _ in 0..stream::take(input)? {
            let key = stream::take(input)?;
            if S::entry(key) == 0 || !self.insert(key) {
                return Err(stream::damaged("a key is 0 or comes twice"));
            }
            if bytes > 0 {
                input.read_exact(self.note(key))?;
            }
        }
        Ok(())
    }
}

/// A key and its number, or where it belongs.
#[inline]
fn find(keys: &Buckets<Numbered>, key: u64) -> Result<((u64, u32), Position), Position> {
    keys.find(key, (key, 0), |_| true)
}
