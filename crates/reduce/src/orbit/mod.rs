//! Symmetry reduction: one state for all that differ only in which process is which.
//!
//! | file | representative | unique in its orbit |
//! | --- | --- | --- |
//! | `full` | the least of all permutations | yes |
//! | `sorted` | the members sorted by an array | no |
//! | `segmented` | the least of those with the array sorted | yes |
//! | `pc_sorted` | the members sorted by control states | no |
//! | `pc_segmented` | the least of those with the control states sorted | yes |
//! | `refined` | what the states say about the members decides, as far as it goes | yes |
//!
//! Follows: [001 ch. 6, section 3] for the first five. All permutations are made of transpositions,
//! applied to the vector in place ([`model::symmetry::Action::swap`]).
//!
//! Departs: `sorted` and `segmented` take the global array with the widest elements that has one for
//! each member and holds no names; where a set has none they sort by control states. With several
//! sets the permutations of each are combined. Members whose processes have ended stay where they
//! are.

mod full;
mod pc_segmented;
mod pc_sorted;
mod refined;
mod segmented;
mod segments;
mod sorted;

use model::symmetry::{Action, SetId};
use space::{Pid, Representative};

use refined::Refiner;
use segments::{Arrangement, Best};

/// How a representative is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The least of all permutations.
    Full,
    /// Sorted by an array.
    Sorted,
    /// The least of those that are sorted by an array.
    Segmented,
    /// Sorted by control states.
    PcSorted,
    /// The least of those that are sorted by control states.
    PcSegmented,
    /// Refined as far as it goes.
    Refined,
}

impl Strategy {
    /// Whether all states of an orbit have the same representative.
    pub fn is_canonical(self) -> bool {
        !matches!(self, Strategy::Sorted | Strategy::PcSorted)
    }
}

/// Finds representatives of the states of a model.
#[derive(Clone, Debug)]
pub struct Orbits<'m> {
    action: &'m Action,
    strategy: Strategy,
    /// Where the members of the last state went.
    arrangement: Arrangement,
    best: Best,
    refiner: Refiner,
}

impl<'m> Orbits<'m> {
    /// For states that an action permutes.
    pub fn new(action: &'m Action, strategy: Strategy) -> Orbits<'m> {
        Orbits {
            action,
            strategy,
            arrangement: Arrangement::new(action),
            best: Best::default(),
            refiner: Refiner::new(action),
        }
    }

    /// Whether all states of an orbit have the same representative.
    pub fn is_canonical(&self) -> bool {
        self.strategy.is_canonical()
    }

    /// What permutes the states.
    pub fn action(&self) -> &'m Action {
        self.action
    }
}

impl Representative for Orbits<'_> {
    #[inline]
    fn represent(&mut self, state: &mut [u8]) {
        let Orbits {
            action,
            arrangement,
            best,
            refiner,
            ..
        } = self;
        action.scrub(state);
        arrangement.begin(action, state);
        match self.strategy {
            Strategy::Full => full::represent(action, arrangement, best, state),
            Strategy::Sorted => sorted::represent(action, arrangement, state),
            Strategy::Segmented => segmented::represent(action, arrangement, best, state),
            Strategy::PcSorted => pc_sorted::represent(action, arrangement, state),
            Strategy::PcSegmented => pc_segmented::represent(action, arrangement, best, state),
            Strategy::Refined => refiner.represent(action, arrangement, best, state),
        }
    }

    #[inline]
    fn renamed(&self, pid: Pid) -> Pid {
        match self.action.member_of(pid.0) {
            None => pid,
            Some((member, family)) => {
                let position = self.arrangement.position_of(member);
                Pid(self.action.process_of(family, position))
            }
        }
    }

    #[inline]
    fn original(&self, pid: Pid) -> Pid {
        match self.action.member_of(pid.0) {
            None => pid,
            Some((member, family)) => {
                let from = self.arrangement.member_at(member.set, member.position);
                Pid(self.action.process_of(family, from))
            }
        }
    }
}

/// The sets of an action.
fn sets(action: &Action) -> impl Iterator<Item = SetId> {
    0..action.sets()
}
