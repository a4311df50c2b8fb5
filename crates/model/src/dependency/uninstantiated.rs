//! What processes use that take part in the moves of others, or are not instantiated yet.

use super::Dependency;
use super::uses::{Observer, Sizes, Uses};
use crate::instance::Instance;
use crate::model::Model;

/// Add to transitions of processes what the receivers do to which their atomic sequences offer messages,
/// since that is part of the same move. A process that the sequence starts may be one of them, before
/// it is in any vector: all that it uses is added, and with it all that its receives depend on.
pub(super) fn add_partners(uses: &mut [Vec<Uses>], uninstantiated: &[Uses]) {
    // Each round adds the receivers of one more handshake.
    loop {
        let offers_later = |used: &Uses| !used.later_offers.is_empty();
        if !uses.iter().flatten().any(offers_later) {
            break;
        }
        let before = uses.to_vec();
        for (pid, used) in uses.iter_mut().enumerate() {
            for used in used.iter_mut().filter(|used| offers_later(used)) {
                space::cancel::poll();
                let others = before.iter().enumerate().filter(|(other, _)| *other != pid);
                let offered = used.later_offers.clone();
                others
                    .flat_map(|(_, transitions)| transitions)
                    .filter(|other| other.handshake_receives.meets(&offered))
                    .for_each(|other| used.add(other));
                used.add_started(uninstantiated);
            }
        }
        if before == uses {
            break;
        }
    }
}

/// So many generations of started processes are followed. After that a process that starts some uses
/// anything.
const MOST_ROUNDS: usize = 256;

/// What processes of each proctype use, whichever they are, those that they start included.
/// Proctypes of which none is started use nothing.
pub(super) fn uninstantiated(dependency: &Dependency, model: &Model, state: &[u8]) -> Vec<Uses> {
    let sizes = Sizes::new(model);
    let mut found = Vec::new();
    for (kind, rows) in dependency.transitions.iter().enumerate() {
        space::cancel::poll();
        if !dependency.started[kind] {
            found.push(Uses::nothing(sizes));
            continue;
        }
        let mut observer = Observer {
            instance: Instance {
                model,
                writes: &dependency.writes,
                state,
                frame: None,
                proctype: kind,
                channels: &model.layout.channels,
                init_only: &[],
                premises: &mut Vec::new(),
            },
            sizes,
            exposed: &dependency.exposed,
            privacy: &dependency.privacy,
            pid_sensitivity: dependency.pid_sensitivity,
            seen: &dependency.seen,
            claimants: &dependency.claimants,
            sorts: dependency.sorts,
        };
        let mut all = Uses::nothing(sizes);
        let (uses, _) = observer.transitions(rows);
        uses.iter().for_each(|uses| all.add(uses));
        found.push(all);
    }
    // Each round adds those that are started one generation later.
    for _ in 0..MOST_ROUNDS {
        let before = found.clone();
        for uses in found.iter_mut().filter(|uses| !uses.starts.is_empty()) {
            space::cancel::poll();
            uses.add_started(&before);
        }
        if found == before {
            return found;
        }
    }
    for uses in found.iter_mut().filter(|uses| !uses.starts.is_empty()) {
        *uses = Uses::anything(sizes);
    }
    found
}
