//! The members sorted by the elements of an array.
//!
//! Follows: [001 ch. 6, section 3], the strategy *sorted*.

use std::cmp::Ordering;

use model::symmetry::{Action, SetId};

use super::pc_sorted;
use super::segments::Arrangement;
use super::sets;

/// Replace a state by its representative.
pub(super) fn represent(action: &Action, arrangement: &mut Arrangement, state: &mut [u8]) {
    for set in sets(action) {
        sort(action, set, arrangement, state);
    }
}

/// Sort the members of a set.
pub(super) fn sort(action: &Action, set: SetId, arrangement: &mut Arrangement, state: &mut [u8]) {
    arrangement.sort_by(action, set, state, |state, a, b| {
        order(action, set, state, a, b)
    });
}

/// How the elements of two positions compare; without an array, the control states.
pub(super) fn order(action: &Action, set: SetId, state: &[u8], a: u8, b: u8) -> Ordering {
    match action.main_array(set) {
        None => pc_sorted::order(action, set, state, a, b),
        Some((offsets, size)) => {
            let element = |position: u8| &state[offsets[usize::from(position)] as usize..][..size];
            element(a).cmp(element(b))
        }
    }
}
