//! Processes whose moves need not be taken, because others lead to the same states.
//!
//! Follows: [Godefroid 1996], sleep sets, in the form of the breadth-first search of this crate
//! (`bfs/sleep.rs`), where it is argued why no state is lost: a process sleeps in a state that
//! was found by a move of an independent process with a lower pid.
//!
//! Departs: whether processes are independent is seen from what is known about their moves. If
//! the moves of each change nothing that decides about those of the other, then both have the
//! same moves before and after one of these, and the order makes no difference.

use super::state::Words;

/// The processes that can move in a state, from the highest pid down.
#[derive(Debug)]
pub(super) struct Movers<const W: usize> {
    known: Vec<Mover<W>>,
}

#[derive(Clone, Copy, Debug)]
struct Mover<const W: usize> {
    /// Its place among all processes, from the highest pid down.
    row: usize,
    /// The bits that decide about its moves.
    mask: Words<W>,
    /// The bits that these change.
    changes: Words<W>,
}

impl<const W: usize> Movers<W> {
    pub(super) fn new() -> Movers<W> {
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
    pub(super) fn add(&mut self, row: usize, mask: &Words<W>, changes: &Words<W>) -> u64 {
        let asleep = (self.known.iter()).fold(0, |asleep, other| {
            let meet = (0..W).fold(0, |meet, at| {
                meet | changes[at] & other.mask[at] | mask[at] & other.changes[at]
            });
            asleep | u64::from(meet == 0) << other.row
        });
        self.known.push(Mover {
            row,
            mask: *mask,
            changes: *changes,
        });
        asleep
    }
}
