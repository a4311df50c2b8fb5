//! The values of a part of a vector, numbered as they are met.

use std::hash::Hasher;
use std::ops::Range;

use super::memo::grow_by_a_part;

/// In place of a number.
const NOTHING: u32 = u32::MAX;

/// The values of a part.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// A hash table of numbers with linear probing. At least a third is empty.
    numbers: Vec<u32>,
    len: usize,
    /// By number, one behind the other; all have the same length.
    bytes: Vec<u8>,
    scratch: Vec<u8>,
}

impl Values {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number of the value that a part has in a vector. A new one gets the next number.
    pub(super) fn number(&mut self, vector: &[u8], part: &[Range<usize>]) -> u32 {
        self.scratch.clear();
        for range in part {
            self.scratch.extend_from_slice(&vector[range.clone()]);
        }
        if 3 * self.len >= 2 * self.numbers.len() {
            self.grow();
        }
        let at = self.slot(&self.scratch);
        if self.numbers[at] == NOTHING {
            self.numbers[at] = self.len as u32;
            self.len += 1;
            grow_by_a_part(&mut self.bytes, self.scratch.len());
            self.bytes.extend_from_slice(&self.scratch);
        }
        self.numbers[at]
    }

    /// The slot of the number of a value, or where it belongs.
    fn slot(&self, value: &[u8]) -> usize {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(value);
        let mut at = hasher.finish() as usize % self.numbers.len();
        while self.numbers[at] != NOTHING && self.value(self.numbers[at]) != value {
            at = (at + 1) % self.numbers.len();
        }
        at
    }

    fn grow(&mut self) {
        let larger = (self.numbers.len() * 3 / 2).max(8);
        self.numbers = vec![NOTHING; larger];
        for number in 0..self.len as u32 {
            let at = self.slot(self.value(number));
            self.numbers[at] = number;
        }
    }

    /// The value of a number.
    #[inline]
    fn value(&self, number: u32) -> &[u8] {
        let len = self.scratch.len();
        &self.bytes[number as usize * len..][..len]
    }

    /// Give a part of a vector the value of a number.
    #[inline]
    pub(super) fn write(&self, number: u32, vector: &mut [u8], part: &[Range<usize>]) {
        let mut value = self.value(number);
        for range in part {
            let (front, rest) = value.split_at(range.len());
            vector[range.clone()].copy_from_slice(front);
            value = rest;
        }
    }

    /// The memory in use.
    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.numbers.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let part = [1..3, 5..6];
        let vector = |n: u32| [9, n as u8, (n >> 8) as u8, 9, 9, (n >> 16) as u8, 9];
        let mut values = Values::default();
        for _ in 0..2 {
            for n in 0..70_000 {
                assert_eq!(values.number(&vector(n), &part), n);
            }
        }
        assert_eq!(values.len(), 70_000);
        for n in 0..70_000 {
            let mut written = vector(0);
            values.write(n, &mut written, &part);
            assert_eq!(written, vector(n));
        }
    }

    #[test]
    fn a_part_may_be_empty() {
        let mut values = Values::default();
        assert_eq!(values.number(&[1], &[]), 0);
        assert_eq!(values.number(&[2], &[]), 0);
        assert_eq!(values.len(), 1);
    }
}
