//! The members sorted by the control states of their processes.
//!
//! Follows: [001 ch. 6, section 3], the strategy *pc-sorted*.
//!
//! Departs: where a member has several processes the control states of all of them are compared,
//! one after the other.

use std::cmp::Ordering;

use model::symmetry::{Action, Member, SetId};

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

/// How the control states of two positions compare.
pub(super) fn order(action: &Action, set: SetId, state: &[u8], a: u8, b: u8) -> Ordering {
    let heads = |position: u8| action.heads(Member { set, position });
    let size = action.head_size();
    let head = |at: &u32| &state[*at as usize..][..size];
    let mut both = heads(a).iter().zip(heads(b));
    let differ = both.find_map(|(a, b)| Some(head(a).cmp(head(b))).filter(|o| o.is_ne()));
    differ.unwrap_or(Ordering::Equal)
}
