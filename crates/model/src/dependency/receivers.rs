//! What changes whether a process is ready to receive on a rendezvous channel.
//!
//! A receive is ready if it could be executed given an offer. Besides the control state this depends
//! on all that the receive reads: variables that the message must match or that select the channel,
//! the `provided` clause of its process, the escapes that have priority. So the receivers of a channel
//! are changed not only by the processes that begin or cease to receive, but also by those that change
//! what a receive depends on.
//!
//! # Why the receivers of the vector are enough
//!
//! A process that is not started yet receives where the transition that starts it changes
//! receivers, and its uses are part of what follows that transition: so that transition is dependent with
//! all that write what its receives read. Where a process is started and receives in the same move,
//! its uses are those of the move (`uninstantiated::add_partners`).
//!
//! What a process does itself needs no condition: to begin or cease to receive it enters or leaves a
//! control state, and changes the receivers of the channels of both.
//!
//! Whether an offer can be made depends on receivers, too, but needs no such marks: the receives on the
//! channel are dependent with the offer, and what decides about a receive is dependent with that.
//!
//! Follows: the correction of [001 ch. 3 §4], which asks whether a transition may change which processes
//! are ready for a rendezvous.

use std::collections::HashSet;

use super::bits::Bits;
use super::uses::Uses;

/// Receives of a process, equal ones once, in order of insertion.
#[derive(Clone, Debug, Default)]
pub(super) struct ReceiverSet {
    known: HashSet<Receiver>,
    list: Vec<Receiver>,
}

impl ReceiverSet {
    pub(super) fn insert(&mut self, receive: Receiver) {
        if self.known.insert(receive.clone()) {
            self.list.push(receive);
        }
    }

    pub(super) fn into_vec(self) -> Vec<Receiver> {
        self.list
    }
}

/// A receive of a process on rendezvous channels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Receiver {
    /// The channels it may receive from.
    pub(super) channels: Bits,
    /// What decides whether it can be executed.
    pub(super) enabledness: Uses,
}

/// Mark which transitions of processes change receivers of others, by writing what these depend on;
/// `receivers` and `uses` are by process.
pub(super) fn add_receiver_changes(receivers: &[Vec<Receiver>], uses: &mut [Vec<Uses>]) {
    let mut changed = true;
    // An escape that is a send depends on receivers itself, so one change may bring about another.
    while changed {
        changed = false;
        for (pid, used) in uses.iter_mut().enumerate() {
            // What a process does at its own control state is known by that.
            let others = receivers.iter().enumerate().filter(|(own, _)| *own != pid);
            for receive in others.flat_map(|(_, receives)| receives) {
                space::cancel::poll();
                for used in used.iter_mut() {
                    if !used.changes_receivers.contains(&receive.channels)
                        && used.may_change_enabledness_of(&receive.enabledness)
                    {
                        used.changes_receivers.add(&receive.channels);
                        changed = true;
                    }
                }
            }
        }
    }
}
