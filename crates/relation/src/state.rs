//! Packed states, and what stores are told about them that do not keep them.
//!
//! Follows: hashes by tabulation [Zobrist 1970; Pătraşcu, Thorup 2012]: a random number for each
//! number of each part, all combined by an exclusive or. Two states have the same hash with
//! probability 2^-64, since a part in which they differ makes all differences equally likely. Where
//! the numbers lie in the words makes no difference, so the hash stays when states get another
//! layout; and that of a successor is found as its words are, with what a move changes.
//!
//! Departs: the random numbers are hashes of the part and the number, and 0 for number 0.

use crate::layout::Words;
use crate::numbering::PartId;

/// What a store is told about a state besides its words.
pub trait Digest: Copy + Default + std::fmt::Debug + Send + Sync {
    /// That of a part with the value of a number. For number 0 it is the default, that of no parts.
    fn of(part: PartId, number: u32) -> Self;

    /// That of two sets of parts which have none in common; or what is different between two.
    fn xor(self, other: Self) -> Self;
}

/// Nothing, for stores that keep the words.
impl Digest for () {
    #[inline(always)]
    fn of(_part: PartId, _number: u32) {}

    #[inline(always)]
    fn xor(self, (): ()) {}
}

/// A hash, for stores that keep nothing else.
impl Digest for u64 {
    fn of(part: PartId, number: u32) -> u64 {
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&part.0.to_le_bytes());
        bytes[4..].copy_from_slice(&number.to_le_bytes());
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

/// A state, or the difference between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<const W: usize, D> {
    /// The numbers of its parts.
    pub words: Words<W>,
    /// What a store is told besides.
    pub digest: D,
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
    pub fn xor(&self, other: &State<W, D>) -> State<W, D> {
        State {
            words: std::array::from_fn(|at| self.words[at] ^ other.words[at]),
            digest: self.digest.xor(other.digest),
        }
    }
}
