//! The values of a part of a vector, numbered as they are met.

use std::collections::HashMap;
use std::ops::Range;

/// The values of a part.
#[derive(Debug, Default)]
pub(super) struct Values {
    numbers: HashMap<Box<[u8]>, u32>,
    /// By number, one behind the other; all have the same length.
    bytes: Vec<u8>,
    scratch: Vec<u8>,
}

impl Values {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of the value that a part has in a vector. A new one gets the next number.
    pub(super) fn number(&mut self, vector: &[u8], part: &[Range<usize>]) -> u32 {
        self.scratch.clear();
        for range in part {
            self.scratch.extend_from_slice(&vector[range.clone()]);
        }
        if let Some(&number) = self.numbers.get(&self.scratch[..]) {
            return number;
        }
        let number = self.len() as u32;
        self.numbers.insert(self.scratch[..].into(), number);
        self.bytes.extend_from_slice(&self.scratch);
        number
    }

    /// Give a part of a vector the value of a number.
    #[inline]
    pub(super) fn write(&self, number: u32, vector: &mut [u8], part: &[Range<usize>]) {
        let len = self.scratch.len();
        let mut value = &self.bytes[number as usize * len..][..len];
        for range in part {
            let (front, rest) = value.split_at(range.len());
            vector[range.clone()].copy_from_slice(front);
            value = rest;
        }
    }

    /// The memory in use, about.
    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.len() * (self.scratch.len() + 48)
    }
}
