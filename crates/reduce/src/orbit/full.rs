//! The least of all permutations of a state.
//!
//! Follows: [001 ch. 6, section 3], the strategy *full*.

use model::symmetry::Action;

use super::segments::{Arrangement, Best, least, segments};
use super::sets;

/// Replace a state by its representative.
pub(super) fn represent(
    action: &Action,
    arrangement: &mut Arrangement,
    best: &mut Best,
    state: &mut [u8],
) {
    best.segments.clear();
    for set in sets(action) {
        segments(
            set,
            arrangement.there(set).len(),
            |_, _| true,
            &mut best.segments,
        );
    }
    least(action, arrangement, best, state);
}
