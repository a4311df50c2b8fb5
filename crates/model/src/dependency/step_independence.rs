//! Which processes of a node are independent of a single step.
//!
//! Other than in [`Table::dependents`], only the transitions that a process has at its control state
//! count, and not those that it may still reach. Which of them are enabled must be the same behind
//! the step, and both must commute.

use space::{PidSet, Row};

use super::table::Table;
use super::uses::Uses;

/// A transition of a process: pid, and its place among those of its proctype.
pub(super) type Participant = (u8, u32);

/// The participants of a step: one, or two in a handshake.
pub(super) fn participants(row: &Row, slots: &[u32]) -> impl Iterator<Item = Participant> {
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
            let mut movers = participants(step, slots);
            if movers.all(|participant| self.is_independent(pid, participant, rows, slots)) {
                found.insert(space::Pid(pid));
            }
        }
        found
    }

    /// Whether a participant of a step leaves all that another process can do as it is.
    fn is_independent(
        &self,
        pid: u8,
        participant: Participant,
        rows: &[Row],
        slots: &[u32],
    ) -> bool {
        if pid == participant.0 {
            return false;
        }
        let Some(used) = self.uses_of(participant) else {
            return false;
        };
        let preserves = self.options_of(pid).all(|(option, possible)| {
            self.uses_of((pid, option))
                .is_some_and(|own| preserves(own, possible, used))
        });
        // What a handshake does to its receiver.
        preserves
            && self.preserves_receivers(pid, participant, used)
            && rows
                .iter()
                .filter(|row| row.pid == pid && row.has(Row::HANDSHAKE))
                .flat_map(|row| participants(row, slots))
                .all(|other| {
                    other.0 != participant.0
                        && self
                            .uses_of(other)
                            .is_some_and(|own| !own.is_dependent_on(used))
                })
    }
}

impl Table {
    /// Whether the receivers of what a process offers stay as they are: whether it can be sent
    /// depends on them.
    fn preserves_receivers(&self, pid: u8, participant: Participant, used: &Uses) -> bool {
        let mut offers = (self.options_of(pid))
            .filter_map(|(option, _)| Some(&self.uses_of((pid, option))?.offers));
        offers.all(|offers| {
            let mut others = (0..self.processes() as u8).filter(|&other| {
                // A process that moves is seen to begin or cease to receive.
                other != pid && other != participant.0 && !offers.is_empty()
            });
            others.all(|other| {
                self.options_of(other).all(|(option, possible)| {
                    self.uses_of((other, option)).is_some_and(|own| {
                        !own.handshake_receives.meets(offers) || preserves(own, possible, used)
                    })
                })
            })
        })
    }
}

/// Whether a transition, enabled or not, stays as it is when another process uses something.
fn preserves(own: &Uses, possible: bool, used: &Uses) -> bool {
    let conflicts = match possible {
        true => own.is_dependent_on(used),
        false => own.may_be_enabled_by(used),
    };
    !conflicts && !own.observes_receivers_of(used) && !own.offers_to_receivers_of(used)
}
