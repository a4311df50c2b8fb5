//! Proctypes whose processes never leave.
//!
//! A process at its end leaves only when all younger ones have left. So one that does not come to its
//! end without starting another that stays for ever stays for ever itself, whatever the others do.

use crate::ids::ControlId;
use crate::model::{Action, Model};

/// For each proctype whether none of its processes ever leaves.
pub(super) fn lasting(model: &Model) -> Vec<bool> {
    let mut found = vec![false; model.proctypes.len()];
    loop {
        let more: Vec<bool> = (0..found.len())
            .map(|kind| !may_leave(model, kind, &found))
            .collect();
        if more == found {
            return found;
        }
        found = more;
    }
}

/// Whether a process may come to its end without starting one that is known to stay.
fn may_leave(model: &Model, kind: usize, lasting: &[bool]) -> bool {
    let proctype = &model.proctypes[kind];
    let mut seen = vec![proctype.initial];
    let mut next = 0;
    while let Some(control) = seen.get(next) {
        next += 1;
        for option in &proctype.states[control.index()].options {
            let transition = model.transition(option.transition);
            match &transition.action {
                Action::End => return true,
                Action::Run(spec, ..) if lasting[spec.proctype.index()] => continue,
                _ if transition.target == ControlId(0) => return true,
                _ if !seen.contains(&transition.target) => seen.push(transition.target),
                _ => {}
            }
        }
    }
    false
}
