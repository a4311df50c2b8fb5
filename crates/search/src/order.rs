//! The order in which the steps of a node are tried.

use space::{Control, Expansion, NextState};

/// The order in which a depth-first search tries the steps of a node. Another order finds
/// other errors first, which helps when there is no time for all: members of a swarm search
/// differ in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Spin's order.
    #[default]
    Spin,
    /// The other way round.
    Reversed,
    /// In an order that depends on the state and this `rng_seed`, and on nothing else.
    Shuffled(u64),
}

impl Order {
    /// Expand a node, and put the rows into order.
    #[inline]
    pub(crate) fn expand<M: NextState>(
        self,
        model: &mut M,
        vector: &[u8],
        control: Control,
        found: &mut Expansion,
    ) {
        model.expand(vector, control, found);
        if self != Order::Spin {
            self.arrange(vector, found);
        }
    }

    fn arrange(self, vector: &[u8], found: &mut Expansion) {
        let count = found.rows.len();
        // Where the row of each number goes.
        let mut place: Vec<u32> = (0..count as u32).collect();
        match self {
            Order::Spin => return,
            Order::Reversed => place.reverse(),
            Order::Shuffled(rng_seed) => {
                let mut random = vector
                    .iter()
                    .fold(rng_seed, |random, &byte| scramble(random ^ u64::from(byte)));
                for last in (1..count).rev() {
                    random = scramble(random);
                    place.swap(last, (random % (last as u64 + 1)) as usize);
                }
            }
        }
        let rows = found.rows.clone();
        for (row, &to) in rows.iter().zip(&place) {
            found.rows[to as usize] = *row;
        }
        if !found.marks.is_empty() {
            let marks = found.marks.clone();
            for (mark, &to) in marks.iter().zip(&place) {
                found.marks[to as usize] = *mark;
            }
        }
        for (number, _) in &mut found.violations {
            *number = place[*number as usize];
        }
    }
}

/// The next of a row of numbers that look random.
fn scramble(number: u64) -> u64 {
    let mixed = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use space::{Row, ViolationKind};

    use super::*;

    #[test]
    fn rows_keep_their_violations() {
        for order in [
            Order::Spin,
            Order::Reversed,
            Order::Shuffled(1),
            Order::Shuffled(2),
        ] {
            let mut found = Expansion::default();
            for n in 0..10 {
                let row = Row {
                    transition: n,
                    ..Row::default()
                };
                found.push(row, &[n as u8]);
            }
            found.rows[3].flags |= Row::VIOLATION;
            found.violations.push((3, ViolationKind::Assertion.into()));
            order.arrange(b"state", &mut found);
            let numbers: Vec<u32> = found.rows.iter().map(|row| row.transition).collect();
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, Vec::from_iter(0..10));
            assert_eq!(numbers == sorted, order == Order::Spin);
            assert_eq!(numbers[found.violations[0].0 as usize], 3);
        }
    }
}
