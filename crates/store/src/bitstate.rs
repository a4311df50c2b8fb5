//! Bitstate hashing: a state is a few bits in an array of fixed size.
//!
//! Follows: Holzmann's bitstate hashing, a Bloom filter that is asked and filled at once.
//!
//! Departs: all bits of a state lie in one cache line, so that a look-up is one access to
//! memory ("blocked" Bloom filters: Putze, Sanders, Singler). Some lines fill up more than
//! others, which costs a little coverage; [`BitstateStore::coverage`] takes it into account.

use std::io::{self, Read, Write};

use memmap2::MmapMut;
use rapidhash::v3::RapidSecrets;

use crate::hash::{mix, seeded};
use crate::machine::prefetch;
use crate::memory::{self, LINE, Line};
use crate::{HashStore, Insert, Key, StateId, StateStore, stream};

/// The bits of a line.
const LINE_BITS: u64 = 8 * LINE as u64;

/// A bit's number within its line takes this many bits of a hash.
const BIT_BITS: u32 = LINE_BITS.trailing_zeros();

/// So many bits of a state are chosen by the lower half of its key, which has nothing to do with
/// its line in an array of less than 2^32 lines.
const FEW: u32 = u32::BITS / BIT_BITS;
const _: () = assert!(BitstateStore::FUNCTIONS <= FEW);

/// Arrays below this size stay in small pages.
const SMALL: usize = 8 << 20;

/// How many states are stored between two looks at the fill.
const PERIOD: u64 = 256;

/// The store that keeps a few bits for each state.
///
/// Ids mean nothing, and there are no notes: two states can share all their bits, so nothing
/// could be kept beside one of them. A nested search runs over two stores instead, one for
/// each of its parts.
#[derive(Debug)]
pub struct BitstateStore {
    bits: MmapMut,
    lines: u64,
    /// The number of hash functions, at least 1.
    functions: u32,
    secrets: RapidSecrets,
    rng_seed: u64,
    /// The bits that are set.
    ones: u64,
    len: u64,
    /// How many states were probably taken for known ones so far, up to the last multiple
    /// of [`PERIOD`] of `len`.
    missed: f64,
}

impl BitstateStore {
    /// The number of hash functions that does well in most cases.
    pub const FUNCTIONS: u32 = 3;

    /// An empty store of about so many bytes (the next whole number of cache lines, at least
    /// one). Runs with different seeds miss different states.
    pub fn new(bytes: usize, functions: u32, rng_seed: u64) -> BitstateStore {
        let lines = bytes.div_ceil(LINE).max(1);
        let bytes = lines * LINE;
        BitstateStore {
            bits: memory::zeroed(bytes, if bytes < SMALL { bytes } else { 0 }),
            lines: lines as u64,
            functions: functions.max(1),
            secrets: RapidSecrets::seed(rng_seed),
            rng_seed,
            ones: 0,
            len: 0,
            missed: 0.0,
        }
    }

    /// The bits there are for each stored state, Spin's hash factor: above 100 nearly
    /// everything was visited, below 10 much was missed.
    pub fn hash_factor(&self) -> f64 {
        (self.lines * LINE_BITS) as f64 / self.len.max(1) as f64
    }

    /// About which part of the states that were met was stored, the others having been taken
    /// for known ones. States that only those others lead to are not counted.
    ///
    /// When a part `f` of the bits is set, a state that was never met finds all its `k` bits
    /// set with probability `p`, the mean over the lines of `f_i^k`, where `f_i` is the fill
    /// of line `i`. With `s` states to a line the number of states in a line is about a
    /// Poisson variable of variance `s`, and one more state fills `(1 - f) k / 512` of a
    /// line; so the variance of the `f_i` is `v = s ((1 - f) k / 512)^2`, and to the second
    /// order `p = f^k + v k (k - 1) f^(k - 2) / 2`. Before a state is stored, `p / (1 - p)`
    /// others are expected to be missed. The sum over the stored states is the number of
    /// missed ones.
    pub fn coverage(&self) -> f64 {
        let missed = self.missed + (self.len % PERIOD) as f64 * self.missed_per_state();
        let len = self.len.max(1) as f64;
        len / (len + missed)
    }

    /// How many states are missed for one that is stored, at the present fill.
    fn missed_per_state(&self) -> f64 {
        let k = f64::from(self.functions);
        let f = self.ones as f64 / (self.lines * LINE_BITS) as f64;
        if f == 0.0 {
            return 0.0;
        }
        let s = self.len as f64 / self.lines as f64;
        let v = s * ((1.0 - f) * k / LINE_BITS as f64).powi(2);
        let p = f.powf(k) + v * k * (k - 1.0) * f.powf(k - 2.0) / 2.0;
        // A full array takes everything for known.
        let p = p.min(1.0 - 1e-9);
        p / (1.0 - p)
    }

    #[inline]
    fn line(&self, key: Key) -> &Line {
        &self.bits.as_chunks().0[line(key, self.lines)]
    }
}

/// The line of a key.
#[inline]
fn line(key: Key, lines: u64) -> usize {
    ((u128::from(key.bits) * u128::from(lines)) >> 64) as usize
}

/// Call `each` with the word and the mask of each bit of a key.
///
/// The upper bits of the key chose the line; its lower bits choose the first [`FEW`] bits, and all
/// of them, mixed, the others.
#[inline(always)]
fn for_each_bit(key: Key, functions: u32, mut each: impl FnMut(usize, u64)) {
    let mut each = |source: u64| each((source >> 6) as usize & (LINE / 8 - 1), 1 << (source & 63));
    // A number that the compiler knows, where it is the usual one.
    if functions == BitstateStore::FUNCTIONS {
        return (0..BitstateStore::FUNCTIONS).for_each(|bit| each(key.bits >> (bit * BIT_BITS)));
    }
    (0..functions.min(FEW)).for_each(|bit| each(key.bits >> (bit * BIT_BITS)));
    let mut source = key.bits;
    let mut fresh = 0;
    for _ in FEW..functions {
        if fresh < BIT_BITS {
            source = mix(source.wrapping_add(key.bits | 1));
            fresh = u64::BITS;
        }
        each(source);
        source = source.rotate_right(BIT_BITS);
        fresh -= BIT_BITS;
    }
}

/// A word of a line.
#[inline]
fn word(line: &mut Line, at: usize) -> &mut [u8; 8] {
    &mut line.as_chunks_mut().0[at]
}

impl StateStore for BitstateStore {
    const EXACT: bool = false;
    const READABLE: bool = false;
    const ORDERED: bool = false;

    #[inline]
    fn key(&mut self, state: &[u8]) -> Key {
        Key::new(seeded(state, &self.secrets, self.rng_seed))
    }

    #[inline(always)]
    fn prepare(&mut self, state: &[u8]) -> Key {
        let key = self.key(state);
        self.fetch(key);
        key
    }

    #[inline(always)]
    fn fetch(&self, key: Key) {
        prefetch(self.line(key));
    }

    #[inline(always)]
    fn insert(&mut self, _state: &[u8], key: Key) -> Insert {
        let line = &mut self.bits.as_chunks_mut().0[line(key, self.lines)];
        let mut set = 0;
        for_each_bit(key, self.functions, |at, mask| {
            let word = word(line, at);
            let old = u64::from_le_bytes(*word);
            set += u64::from(old & mask == 0);
            *word = (old | mask).to_le_bytes();
        });
        if set == 0 {
            return Insert::Known(StateId(key.bits));
        }
        self.ones += set;
        self.len += 1;
        if self.len.is_multiple_of(PERIOD) {
            self.missed += PERIOD as f64 * self.missed_per_state();
        }
        Insert::New(StateId(key.bits))
    }

    #[inline(always)]
    fn find(&self, _state: &[u8], key: Key) -> Option<StateId> {
        let words = self.line(key).as_chunks::<8>().0;
        let mut is_known = true;
        for_each_bit(key, self.functions, |at, mask| {
            is_known &= u64::from_le_bytes(words[at]) & mask != 0;
        });
        is_known.then_some(StateId(key.bits))
    }

    /// Not possible: the bytes are gone.
    fn read(&self, _id: StateId) -> &[u8] {
        unreachable!("a bitstate store gives no state back")
    }

    /// Not possible: bits have no order.
    fn next_id(&self, _id: Option<StateId>) -> Option<StateId> {
        unreachable!("a bitstate store has no order")
    }

    /// Nothing: there are no notes.
    fn note(&mut self, _id: StateId) -> &mut [u8] {
        &mut []
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn memory_bytes(&self) -> usize {
        self.bits.len()
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        stream::put(out, self.lines)?;
        stream::put(out, self.functions.into())?;
        stream::put(out, self.secrets.seed)?;
        stream::put(out, self.ones)?;
        stream::put(out, self.len)?;
        stream::put(out, self.missed.to_bits())?;
        out.write_all(&self.bits)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        stream::expect(input, self.lines, "the number of lines")?;
        stream::expect(input, self.functions.into(), "the number of hash functions")?;
        stream::expect(input, self.secrets.seed, "the seed")?;
        self.ones = stream::take(input)?;
        self.len = stream::take(input)?;
        self.missed = f64::from_bits(stream::take(input)?);
        input.read_exact(&mut self.bits)
    }
}

impl HashStore for BitstateStore {
    #[inline(always)]
    fn key_of(&self, hash: u64) -> Key {
        Key::new(mix(hash ^ self.rng_seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twin;

    /// Store different states, and return the part of them that was new.
    fn fill(store: &mut BitstateStore, states: u64) -> f64 {
        for n in 0..states {
            let state = n.to_le_bytes();
            let key = store.prepare(&state);
            let known = store.contains(&state, key);
            assert_eq!(store.insert(&state, key).is_new(), !known);
            assert!(store.contains(&state, key));
        }
        store.len() as f64 / states as f64
    }

    #[test]
    fn large_arrays_miss_nothing() {
        twin::check_all(|| BitstateStore::new(16 << 20, 8, 1));
    }

    #[test]
    fn saves_and_restores() {
        twin::check_save(|| BitstateStore::new(16 << 20, 7, 5));
    }

    #[test]
    fn coverage_is_what_it_says() {
        for (bytes, functions, states) in [
            (1 << 20, 3, 100_000),
            (1 << 18, 3, 250_000),
            (1 << 17, 3, 400_000),
            (1_000_001, 1, 400_000),
            (500_001, 2, 500_000),
            (333_333, 9, 100_000),
            (1 << 16, 20, 100_000),
        ] {
            let mut store = BitstateStore::new(bytes, functions, 42);
            let stored = fill(&mut store, states);
            let (said, missed) = (store.coverage(), 1.0 - stored);
            let error = (1.0 - said) - missed;
            assert!(
                error.abs() < 0.0005 + 0.1 * missed,
                "{bytes} bytes, {functions} functions: {said} instead of {stored}"
            );
            let ones: u32 = store.bits.iter().map(|byte| byte.count_ones()).sum();
            assert_eq!(store.ones, u64::from(ones));
            let factor = (8 * bytes.div_ceil(64) * 64) as f64 / store.len() as f64;
            assert_eq!(store.hash_factor(), factor);
        }
    }

    #[test]
    fn seeds_miss_different_states() {
        let missed = |rng_seed| -> Vec<u64> {
            let mut store = BitstateStore::new(1 << 17, 3, rng_seed);
            (0..200_000u64)
                .filter(|n| {
                    let key = store.prepare(&n.to_le_bytes());
                    !store.insert(&n.to_le_bytes(), key).is_new()
                })
                .collect()
        };
        let (a, b) = (missed(1), missed(2));
        assert!(a.len() > 1000 && b.len() > 1000);
        let both = a.iter().filter(|n| b.binary_search(n).is_ok()).count();
        assert!(both < a.len() / 2);
    }

    /// Nothing is taken from the system before it is used.
    #[test]
    fn a_large_array() {
        let mut store = BitstateStore::new((8 << 30) + 100, 3, 0);
        assert_eq!(store.memory_bytes(), (8 << 30) + 128);
        assert_eq!(fill(&mut store, 10), 1.0);
        assert!(!store.contains(&[], Key::new(u64::MAX)));
    }

    #[test]
    fn the_smallest_array() {
        let mut store = BitstateStore::new(0, 0, 0);
        assert_eq!(store.memory_bytes(), 64);
        assert_eq!(store.coverage(), 1.0);
        fill(&mut store, 10_000);
        assert_eq!(store.ones, 512);
        assert!(store.coverage() < 0.1);
    }
}
