//! Sets of small numbers.

use std::ops::Range;

/// A set of numbers below a bound that all sets of a kind share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub(super) fn none(bound: usize) -> Bits {
        Bits {
            words: vec![0; bound.div_ceil(64)],
        }
    }

    pub(super) fn all(bound: usize) -> Bits {
        let mut bits = Bits::none(bound);
        bits.insert_all(0..bound);
        bits
    }

    /// Add numbers that follow each other.
    pub(super) fn insert_all(&mut self, mut numbers: Range<usize>) {
        while numbers.start < numbers.end {
            let (word, bit) = (numbers.start / 64, numbers.start % 64);
            let count = (64 - bit).min(numbers.len());
            self.words[word] |= u64::MAX >> (64 - count) << bit;
            numbers.start += count;
        }
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub(super) fn add(&mut self, other: &Bits) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    pub(super) fn contains(&self, other: &Bits) -> bool {
        self.words
            .iter()
            .zip(&other.words)
            .all(|(a, b)| b & !a == 0)
    }

    pub(super) fn meets(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }
}
