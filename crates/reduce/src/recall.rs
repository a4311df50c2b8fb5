//! What was found at first sight in nodes that are in the same situation.
//!
//! Somebody else tells situations apart, and gives them numbers; see [`space::Situation`].

use std::ops::Range;

use space::PidSet;

/// Answers by number.
#[derive(Debug)]
pub(crate) struct Recall {
    /// None where nothing is known.
    known: Vec<Option<FirstSight>>,
    /// The sets of all answers, one behind the other.
    sets: Vec<PidSet>,
    /// Those of the answer recalled last.
    recalled: Range<usize>,
}

/// An answer.
#[derive(Clone, Copy, Debug)]
struct FirstSight {
    first: u32,
    count: u32,
    is_enough: bool,
}

impl Default for Recall {
    fn default() -> Recall {
        let mut recall = Recall {
            known: Vec::new(),
            sets: Vec::new(),
            recalled: 0..0,
        };
        // Where only one process moves, there is nothing to be left out.
        recall.learn(0, std::iter::empty());
        recall
    }
}

impl Recall {
    /// Whether a first look at nodes of this number is enough; nothing if none was taken.
    #[inline]
    pub(crate) fn is_enough(&self, number: u32) -> Option<bool> {
        let known = self.known.get(number as usize)?;
        known.map(|known| known.is_enough)
    }

    /// What a first look at a node of this number came to. It is enough until somebody says
    /// otherwise.
    pub(crate) fn learn(&mut self, number: u32, sets: impl Iterator<Item = PidSet>) {
        let number = number as usize;
        if self.known.len() <= number {
            self.known.resize(number + 1, None);
        }
        let first = self.sets.len();
        self.sets.extend(sets);
        self.known[number] = Some(FirstSight {
            first: first as u32,
            count: (self.sets.len() - first) as u32,
            is_enough: true,
        });
    }

    /// Whether a first look at nodes of this number is enough.
    pub(crate) fn settle(&mut self, number: u32, is_enough: bool) {
        if let Some(known) = &mut self.known[number as usize] {
            known.is_enough = is_enough;
        }
    }

    /// Recall the sets of a number, of which something is known. How many there are.
    #[inline]
    pub(crate) fn recall(&mut self, number: u32) -> usize {
        self.recalled = match self.known[number as usize] {
            None => 0..0,
            Some(known) => known.first as usize..(known.first + known.count) as usize,
        };
        self.recalled.len()
    }

    /// The sets recalled last.
    #[inline]
    pub(crate) fn sets(&self) -> &[PidSet] {
        &self.sets[self.recalled.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back() {
        let mut recall = Recall::default();
        let sets =
            |number: u32| -> Vec<PidSet> { (0..number % 4).map(|n| PidSet(n.into())).collect() };
        for number in (1..40).rev() {
            assert_eq!(recall.is_enough(number), None);
            recall.learn(number, sets(number).into_iter());
            assert_eq!(recall.is_enough(number), Some(true));
            recall.settle(number, number % 3 == 0);
        }
        assert_eq!(recall.is_enough(40), None);
        assert_eq!((recall.is_enough(0), recall.recall(0)), (Some(true), 0));
        for number in 1..40 {
            assert_eq!(recall.is_enough(number), Some(number % 3 == 0));
            assert_eq!(recall.recall(number), sets(number).len());
            assert_eq!(recall.sets(), sets(number));
        }
    }
}
