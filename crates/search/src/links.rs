//! Which state each state was found from, in about two bytes per state.
//!
//! A breadth-first search numbers the states as it finds them, and expands them in that
//! order. So the numbers of the parents never fall, and it is enough to write down how far
//! each is from the one before, and by which move the state was found.

use std::io::{self, Read, Write};

use crate::checkpoint::wire::{get, get_bytes, put, put_bytes};
use crate::varint;

/// A mark is set every so many states.
const INTERVAL: u64 = 1 << 10;

/// The log of parents, for the states from number 1 on; 0 is the initial state.
#[derive(Debug, Default)]
pub(crate) struct Links {
    log: Vec<u8>,
    /// Where the entry of every `INTERVAL`th state begins, and the parent before it.
    marks: Vec<(u64, u64)>,
    count: u64,
    last_parent: u64,
}

impl Links {
    /// Write down the parent of the next state, and the number of the move.
    #[inline]
    pub(crate) fn push(&mut self, parent: u64, number: u32) {
        if self.count.is_multiple_of(INTERVAL) {
            self.marks.push((self.log.len() as u64, self.last_parent));
        }
        let gap = parent - self.last_parent;
        if (gap | u64::from(number)) < 0x80 {
            // Nearly always: what the general case writes too, in one go.
            self.log.extend_from_slice(&[gap as u8, number as u8]);
        } else {
            varint::push(&mut self.log, gap);
            varint::push(&mut self.log, u64::from(number));
        }
        self.last_parent = parent;
        self.count += 1;
    }

    /// The parent of a state and the number of the move; none for the initial state.
    pub(crate) fn parent(&self, state: u64) -> Option<(u64, u32)> {
        let entry = state.checked_sub(1)?;
        let &(start, mut parent) = self.marks.get((entry / INTERVAL) as usize)?;
        let mut log = &self.log[start as usize..];
        for _ in 0..entry % INTERVAL {
            parent += varint::take(&mut log);
            varint::take(&mut log);
        }
        parent += varint::take(&mut log);
        Some((parent, varint::take(&mut log) as u32))
    }

    /// The moves from the initial state to a state, by their numbers.
    pub(crate) fn moves_to(&self, mut state: u64) -> Vec<u32> {
        let mut moves = Vec::new();
        while let Some((parent, number)) = self.parent(state) {
            moves.push(number);
            state = parent;
        }
        moves.reverse();
        moves
    }

    /// The memory in use, which never shrinks.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.log.capacity() + self.marks.capacity() * size_of::<(u64, u64)>()
    }

    pub(crate) fn save(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        put(out, self.count)?;
        put_bytes(out, &self.log)
    }

    pub(crate) fn restore(input: &mut (impl Read + ?Sized)) -> io::Result<Links> {
        let count = get(input)?;
        let log = get_bytes(input)?;
        let mut rest = &log[..];
        let mut links = Links::default();
        for _ in 0..count {
            let parent = links.last_parent.checked_add(varint::take(&mut rest));
            let parent = parent.ok_or(io::ErrorKind::InvalidData)?;
            links.push(parent, varint::take(&mut rest) as u32);
        }
        Ok(links)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn parents_are_found() {
        let mut numbers = Numbers::new(7);
        let mut links = Links::default();
        let mut expected = Vec::new();
        let mut parent = 0;
        for state in 1..10_000 {
            let gap = numbers.below(3) * numbers.below(200);
            parent = (parent + gap as u64).min(state - 1);
            let number = numbers.below(300) as u32;
            links.push(parent, number);
            expected.push((parent, number));
        }
        let mut file = Vec::new();
        assert!(links.save(&mut file).is_ok());
        let Ok(again) = Links::restore(&mut &file[..]) else {
            panic!("not restored");
        };
        for links in [links, again] {
            assert_eq!(links.parent(0), None);
            for (state, &parent) in (1..).zip(&expected) {
                assert_eq!(links.parent(state), Some(parent));
            }
            assert!(links.moves_to(9999).len() > 1);
        }
    }
}
