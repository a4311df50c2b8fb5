//! The least of the permutations of a state in which an array is sorted.
//!
//! Follows: [001 ch. 6, section 3], the strategy *segmented*.

use model::symmetry::Action;

use super::segments::{Arrangement, Best, least, segments};
use super::{sets, sorted};

/// Replace a state by its representative.
pub(super) fn represent(
    action: &Action,
    arrangement: &mut Arrangement,
    best: &mut Best,
    state: &mut [u8],
) {
    best.segments.clear();
    for set in sets(action) {
        sorted::sort(action, set, arrangement, state);
        let there = arrangement.there(set);
        let same =
            |a: usize, b: usize| sorted::order(action, set, state, there[a], there[b]).is_eq();
        segments(set, there.len(), same, &mut best.segments);
    }
    least(action, arrangement, best, state);
}
