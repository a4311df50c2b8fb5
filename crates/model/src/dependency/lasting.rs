//! Proctypes whose processes never leave.
//!
//! A process at its end leaves only when all younger ones have left. So one that does not come to its
//! end without starting another that stays for ever stays for ever itself, whatever the others do.

use crate::ids::ControlId;
use crate::model::{Action, Model};

/// So often it is looked again whether processes of a proctype may leave, beyond once for each.
/// After that none counts as staying.
const MOST_ROUNDS: usize = 1 << 10;

/// For each proctype whether none of its processes ever leaves.
pub(super) fn lasting(model: &Model) -> Vec<bool> {
    let mut found = vec![false; model.proctypes.len()];
    let mut starters: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    for transition in &model.transitions {
        if let Action::Run(spec, ..) = &transition.action {
            starters[spec.proctype.index()].push(transition.proctype.index());
        }
    }
    let mut open: Vec<usize> = (0..found.len()).collect();
    let mut rounds = found.len() + MOST_ROUNDS;
    while let Some(kind) = open.pop() {
        space::cancel::poll();
        if rounds == 0 {
            return vec![false; found.len()];
        }
        rounds -= 1;
        if !found[kind] && !may_leave(model, kind, &found) {
            found[kind] = true;
            open.append(&mut starters[kind]);
        }
    }
    found
}

/// Whether a process may come to its end without starting one that is known to stay.
fn may_leave(model: &Model, kind: usize, lasting: &[bool]) -> bool {
    let proctype = &model.proctypes[kind];
    let mut seen = vec![false; proctype.states.len()];
    let mut open = vec![proctype.initial];
    while let Some(control) = open.pop() {
        if std::mem::replace(&mut seen[control.index()], true) {
            continue;
        }
        for option in &proctype.states[control.index()].options {
            let transition = model.transition(option.transition);
            match &transition.action {
                Action::End => return true,
                Action::Run(spec, ..) if lasting[spec.proctype.index()] => continue,
                _ if transition.target == ControlId(0) => return true,
                _ => open.push(transition.target),
            }
        }
    }
    false
}
