//! Collapsed states, and what stores are told about them that do not keep them.
//!
//! Follows: hashes by tabulation [Zobrist 1970; Pătraşcu, Thorup 2012]: a random number for each
//! number of each part, all combined by an exclusive or. Two states have the same hash with
//! probability 2^-64, since a part in which they differ makes all differences equally likely. Where
//! the numbers lie in the words makes no difference, so the hash stays when states are written
//! down again; and that of a successor is found as its words are, with what a move changes.
//!
//! Departs: the random numbers are hashes of the part and the number, and 0 for number 0.

/// The words of a state.
pub(super) type Words<const W: usize> = [u64; W];

/// What a store is told about a state besides its words.
pub trait Digest: Copy + Default + std::fmt::Debug {
    /// That of a part of a vector of some kind. For number 0 it is the default, that of no parts.
    fn of(kind: usize, part: usize, number: u32) -> Self;

    /// That of two sets of parts which have none in common; or what is different between two.
    fn xor(self, other: Self) -> Self;
}

/// Nothing, for stores that keep the words.
impl Digest for () {
    #[inline(always)]
    fn of(_kind: usize, _part: usize, _number: u32) {}

    #[inline(always)]
    fn xor(self, (): ()) {}
}

/// A hash, for stores that keep nothing else.
impl Digest for u64 {
    fn of(kind: usize, part: usize, number: u32) -> u64 {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&((kind as u64) << 32 | part as u64).to_le_bytes());
        bytes[8..].copy_from_slice(&u64::from(number).to_le_bytes());
        match number {
            0 => 0,
            _ => store::hash(&bytes),
        }
    }

    #[inline(always)]
    fn xor(self, other: u64) -> u64 {
        self ^ other
    }
}

/// A state, or the difference between two of the same kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<const W: usize, D> {
    pub(super) words: Words<W>,
    pub(super) digest: D,
}

/// No difference.
impl<const W: usize, D: Digest> Default for State<W, D> {
    fn default() -> State<W, D> {
        State {
            words: [0; W],
            digest: D::default(),
        }
    }
}

impl<const W: usize, D: Digest> State<W, D> {
    /// The state behind a difference, or the difference of two states.
    #[inline(always)]
    pub(super) fn xor(&self, other: &State<W, D>) -> State<W, D> {
        State {
            words: std::array::from_fn(|at| self.words[at] ^ other.words[at]),
            digest: self.digest.xor(other.digest),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use store::{CompactStore, HashStore};

    use super::*;

    /// The hashes of states with few numbers in each part differ, and what stores make of them has
    /// nothing in common, not even in half of the bits: as many are equal there as among random
    /// numbers.
    #[test]
    fn hashes_spread() {
        const NUMBERS: u32 = 8;
        const PARTS: u32 = 7;
        let store = CompactStore::new();
        let hash = |state: u32| {
            (0..PARTS).fold(u64::of(1, PARTS as usize, 1), |hash, part| {
                let number = state / NUMBERS.pow(part) % NUMBERS;
                hash.xor(u64::of(1, part as usize, number))
            })
        };
        let count = NUMBERS.pow(PARTS);
        let keys: HashSet<u64> = (0..count).map(|n| store.key_of(hash(n)).bits).collect();
        assert_eq!(keys.len(), count as usize);
        // Pairs of so many among 2^32.
        let expected = f64::from(count).powi(2) / 2f64.powi(33);
        for shift in [0, 16, 32] {
            let halves: HashSet<u32> = keys.iter().map(|key| (key >> shift) as u32).collect();
            let equal = (keys.len() - halves.len()) as f64;
            let error = (equal - expected).abs();
            assert!(error < 0.2 * expected, "{equal}, not {expected}");
        }
    }
}
