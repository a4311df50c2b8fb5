//! Processes whose moves need not be taken, because others lead to the same states.
//!
//! Follows: [Godefroid 1996], sleep sets, in the form of the breadth-first search of this crate
//! (`bfs/sleep.rs`), where it is argued why no state is lost: a process sleeps in a state that
//! was found by a move of an independent process with a lower pid.
//!
//! Departs: whether processes are independent is seen from what is known about their moves. If
//! the moves of each change nothing that decides about those of the other, then both have the
//! same moves before and after one of these, and the order makes no difference.

use space::PartSet;

/// A set of parts of a vector, as bits; some parts share a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartBits(u64);

impl PartBits {
    pub(super) const ALL: PartBits = PartBits(u64::MAX);

    pub(super) fn of(parts: PartSet) -> PartBits {
        PartBits(parts as u64 | (parts >> u64::BITS) as u64)
    }
}

/// The processes that can move in a state, from the highest pid down.
#[derive(Debug)]
pub(super) struct Movers {
    known: Vec<Mover>,
}

#[derive(Clone, Copy, Debug)]
struct Mover {
    /// Its place among all processes, from the highest pid down.
    row: usize,
    /// The parts that decide about its moves.
    needs: PartBits,
    /// The parts that these change.
    changes: PartBits,
}

impl Mover {
    /// Whether the moves of neither change what decides about those of the other.
    #[inline(always)]
    fn is_independent(&self, other: &Mover) -> bool {
        self.needs.0 & other.changes.0 | self.changes.0 & other.needs.0 == 0
    }
}

impl Movers {
    pub(super) fn new() -> Movers {
        Movers { known: Vec::new() }
    }

    /// Begin with another state.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    /// The process in a row, the next one that can move: which of those before it sleep behind its
    /// moves, as a set of rows.
    #[inline(always)]
    pub(super) fn add(&mut self, row: usize, needs: PartBits, changes: PartBits) -> u64 {
        let mover = Mover {
            row,
            needs,
            changes,
        };
        let asleep = (self.known.iter()).fold(0, |asleep, other| {
            asleep | u64::from(mover.is_independent(other)) << other.row
        });
        self.known.push(mover);
        asleep
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_independent_sleeps() {
        let parts = |parts: &[u32]| PartBits::of(parts.iter().fold(0, |set, part| set | 1 << part));
        let mut movers = Movers::new();
        assert_eq!(movers.add(0, parts(&[0, 1]), parts(&[0])), 0);
        assert_eq!(movers.add(1, parts(&[1, 2]), parts(&[2])), 0b1);
        // It changes what both of them need.
        assert_eq!(movers.add(3, parts(&[1, 3]), parts(&[1, 3])), 0);
        // It needs what the second one changes.
        assert_eq!(movers.add(4, parts(&[2, 4]), parts(&[4])), 0b1001);
        // Part 66 shares a bit with part 2.
        assert_eq!(movers.add(5, parts(&[66]), parts(&[66])), 0b1001);
        movers.clear();
        assert_eq!(movers.add(1, parts(&[0]), parts(&[0])), 0);
        assert_eq!(movers.add(2, parts(&[9]), parts(&[9])), 0b10);
    }
}
