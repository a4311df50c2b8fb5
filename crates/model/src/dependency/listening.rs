//! Who changes whether a process listens on a rendezvous channel.
//!
//! A process listens with a receive that it could execute if something was offered. Besides its place
//! this depends on all that the receive reads: variables that the message must match or that choose
//! the channel, the `provided` clause of its process, the escapes that come before it. So those
//! who begin or cease to listen are not the only ones that others see: whoever changes what decides
//! about a receive turns a channel too, though he never listens there himself.
//!
//! # Why the listeners of the vector are enough
//!
//! A process that is yet to be started listens where the transition that starts it turns
//! channels, and its uses are among the prospects of that transition: with whoever writes what its receives
//! read, that transition clashes. Where it is started and listens in one and the same move, its uses are
//! those of the move (`uses::add_partners`).
//!
//! What a process does itself needs no condition: to begin or cease to listen it comes to a place or
//! leaves it, and turns the channels of both.
//!
//! Whether an offer can be made depends on listeners, too, but needs no turns: whoever hears the
//! channel has to do with the offer, and whoever decides about his receive has to do with that.
//!
//! Follows: the correction of [001 ch. 3 §4], which asks whether a transition may change who is ready
//! for a rendezvous.

use std::collections::HashSet;

use super::bits::Bits;
use super::uses::Uses;

/// Receives of a process, each kind once, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Listeners {
    known: HashSet<Listening>,
    list: Vec<Listening>,
}

impl Listeners {
    pub(super) fn insert(&mut self, receive: Listening) {
        if self.known.insert(receive.clone()) {
            self.list.push(receive);
        }
    }

    pub(super) fn into_vec(self) -> Vec<Listening> {
        self.list
    }
}

/// A receive of a process on rendezvous channels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Listening {
    /// The channels where it may listen.
    pub(super) hears: Bits,
    /// What decides whether it can be executed.
    pub(super) decides: Uses,
}

/// Let the transitions of processes turn the channels on which others listen depending on what they
/// change; `listening` and `uses` are by process.
pub(super) fn add_turns(listening: &[Vec<Listening>], uses: &mut [Vec<Uses>]) {
    let mut changed = true;
    // An escape that is a send depends on listeners itself, so one turn may bring about another.
    while changed {
        changed = false;
        for (pid, used) in uses.iter_mut().enumerate() {
            // What a process does at its own place is known by its place.
            let others = listening.iter().enumerate().filter(|(own, _)| *own != pid);
            for receive in others.flat_map(|(_, receives)| receives) {
                space::cancel::poll();
                for used in used.iter_mut() {
                    if !used.turns.contains(&receive.hears) && used.moves_mind(&receive.decides) {
                        used.turns.add(&receive.hears);
                        changed = true;
                    }
                }
            }
        }
    }
}
