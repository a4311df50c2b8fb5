//! Copies of the state space, so that one kind of cycle is enough to look for.
//!
//! A search for accepting cycles looks for cycles through an accepting step. Where a cycle has
//! to meet several conditions, the states come in copies: in copy `i` the search waits for
//! condition `i`, and the step that meets the last one is the accepting one.

use space::{Mark, Row};

/// The marks that a move, a step or an atomic sequence as a whole, gathers.
pub(crate) trait Unfold {
    /// What is gathered along a move.
    type Gathered: Copy + Default;
    /// Whether there is but one copy.
    const ONE_COPY: bool;
    /// Whether a cycle may be accepting without being so in each move. If not, the first search
    /// of a nested one closes all accepting cycles.
    const SECOND: bool;

    /// A move begins in a state with these steps.
    fn begin(&self, rows: &[Row]) -> Self::Gathered;
    /// A move goes on by a step.
    fn add(&self, gathered: Self::Gathered, row: &Row, mark: Mark) -> Self::Gathered;
    /// The copy that a move out of a copy leads to, and whether it is an accepting one. None
    /// if there is no such copy.
    fn behind(&self, copy: u16, gathered: &Self::Gathered) -> Option<(u16, bool)>;
}

/// No copies: a move is accepting if it belongs to all sets.
///
/// Only right for at most one set, or where every cycle is accepting with all its moves or with
/// none ([`space::Acceptance::is_weak`]); then there is no need for a second search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folded<const SECOND: bool> {
    /// The sets as bits, or 0 if there are none: then all moves are accepting.
    pub(crate) sets: u32,
}

impl<const SECOND: bool> Unfold for Folded<SECOND> {
    type Gathered = u32;
    const ONE_COPY: bool = true;
    const SECOND: bool = SECOND;

    #[inline]
    fn begin(&self, _rows: &[Row]) -> u32 {
        0
    }

    #[inline]
    fn add(&self, gathered: u32, _row: &Row, mark: Mark) -> u32 {
        gathered | mark.sets
    }

    #[inline]
    fn behind(&self, _copy: u16, gathered: &u32) -> Option<(u16, bool)> {
        Some((0, gathered & self.sets == self.sets))
    }
}
