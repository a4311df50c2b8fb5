//! Proctypes whose processes never terminate.
//!
//! A process at its end dies only when all younger ones have died. So one that does not reach its end
//! without starting a process that never dies never dies itself, whatever the others do.

use crate::ids::ControlId;
use crate::model::{Action, Model};

/// So many proctypes are examined again, beyond once for each. After that none counts as
/// non-terminating.
const MOST_ROUNDS: usize = 1 << 10;

/// For each proctype whether none of its processes ever terminates.
pub(super) fn non_terminating(model: &Model) -> Vec<bool> {
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

/// Whether a process can reach its end without starting one that is known not to terminate.
fn may_leave(model: &Model, kind: usize, non_terminating: &[bool]) -> bool {
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
                Action::Run(spec, ..) if non_terminating[spec.proctype.index()] => continue,
                _ if transition.target == ControlId(0) => return true,
                _ => open.push(transition.target),
            }
        }
    }
    false
}
