//! What the processes of a node have to do with a single step.
//!
//! Other than in [`Table::meet`], only what a process has to take now counts, and not what it
//! may still come to. Which of its transitions it can take must be the same behind the step, and
//! the two must commute.

use space::{PidSet, Row};

use super::table::Table;
use super::uses::Uses;

/// A transition of a process: pid, and its place among those of its proctype.
pub(super) type Half = (u8, u32);

/// The halves of a step: those who move.
pub(super) fn halves(row: &Row, slots: &[u32]) -> impl Iterator<Item = Half> {
    let partner = (row.partner, slots[row.partner_transition as usize]);
    let first = (row.pid, slots[row.transition as usize]);
    [Some(first), row.has(Row::HANDSHAKE).then_some(partner)]
        .into_iter()
        .flatten()
}

impl Table {
    /// The processes that are independent of a step, where `rows` are all steps of the node that
    /// was looked at last.
    pub(super) fn independent(&self, step: &Row, rows: &[Row], slots: &[u32]) -> PidSet {
        let mut found = PidSet::EMPTY;
        for pid in 0..self.processes() as u8 {
            let mut movers = halves(step, slots);
            if movers.all(|half| self.is_independent(pid, half, rows, slots)) {
                found.insert(space::Pid(pid));
            }
        }
        found
    }

    /// Whether half of a step leaves all that a process can do as it is.
    fn is_independent(&self, pid: u8, half: Half, rows: &[Row], slots: &[u32]) -> bool {
        if pid == half.0 {
            return false;
        }
        let Some(used) = self.uses_of(half) else {
            return false;
        };
        let leaves = self.options_of(pid).all(|(option, possible)| {
            self.uses_of((pid, option))
                .is_some_and(|own| leaves(own, possible, used))
        });
        // What a handshake does to the one who receives.
        leaves
            && self.leaves_listeners(pid, half, used)
            && rows
                .iter()
                .filter(|row| row.pid == pid && row.has(Row::HANDSHAKE))
                .flat_map(|row| halves(row, slots))
                .all(|other| {
                    other.0 != half.0 && self.uses_of(other).is_some_and(|own| !own.clashes(used))
                })
    }
}

impl Table {
    /// Whether those stay as they are who may take what a process offers: that it can be sent
    /// depends on what they wait for.
    fn leaves_listeners(&self, pid: u8, half: Half, used: &Uses) -> bool {
        let mut offers = (self.options_of(pid))
            .filter_map(|(option, _)| Some(&self.uses_of((pid, option))?.offers));
        offers.all(|offers| {
            let mut others = (0..self.processes() as u8).filter(|&other| {
                // Who moves is seen to begin or cease to listen.
                other != pid && other != half.0 && !offers.is_empty()
            });
            others.all(|other| {
                self.options_of(other).all(|(option, possible)| {
                    self.uses_of((other, option))
                        .is_some_and(|own| !own.hears.meets(offers) || leaves(own, possible, used))
                })
            })
        })
    }
}

/// Whether a transition, possible or not, stays as it is when another process uses something.
fn leaves(own: &Uses, possible: bool, used: &Uses) -> bool {
    let meets = match possible {
        true => own.clashes(used),
        false => own.may_wait_for(used),
    };
    !meets && !own.overhears(used) && !own.offers_to(used)
}
