//! Transitions that break the cycles of control flow.
//!
//! Follows: [Kurshan, Levin, Minea, Peled, Yenigün 1998], static partial-order reduction: if every
//! cycle in the control flow of a process contains a *sticky* transition, every cycle of the state
//! space has a step that is one. So it is enough that a state in which a sticky transition would be
//! in the ample set takes all steps, and no search need be asked where its path is.
//!
//! Transitions that the property sees are never in an ample set that leaves something out, so
//! they break cycles for nothing.

use crate::ids::ControlId;
use crate::model::{Model, Proctype};

/// For each transition whether it is sticky, where others break cycles already.
pub(super) fn sticky(model: &Model, broken: &[bool]) -> Vec<bool> {
    let mut found = vec![false; model.transitions.len()];
    for proctype in &model.proctypes {
        let mut walk = Walk {
            model,
            proctype,
            broken,
            progress: vec![Progress::New; proctype.states.len()],
            found: &mut found,
        };
        walk.visit(proctype.initial);
        // Control states that only a jump from elsewhere leads to.
        for control in 1..proctype.states.len() as u32 {
            walk.visit(ControlId(control));
        }
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    New,
    OnPath,
    Done,
}

/// A walk through a control-flow graph, depth first.
struct Walk<'a> {
    model: &'a Model,
    proctype: &'a Proctype,
    broken: &'a [bool],
    progress: Vec<Progress>,
    found: &'a mut [bool],
}

impl Walk<'_> {
    fn visit(&mut self, start: ControlId) {
        if self.progress[start.index()] != Progress::New {
            return;
        }
        let mut path = vec![(start.index(), 0)];
        self.progress[start.index()] = Progress::OnPath;
        while let Some((control, option)) = path.last_mut() {
            space::cancel::poll();
            let Some(entry) = self.proctype.states[*control].options.get(*option) else {
                self.progress[*control] = Progress::Done;
                path.pop();
                continue;
            };
            *option += 1;
            let row = entry.transition.0 as usize;
            let target = self.model.transitions[row].target.index();
            if self.broken[row] || target == 0 {
                continue;
            }
            match self.progress[target] {
                Progress::OnPath => self.found[row] = true,
                Progress::New => {
                    self.progress[target] = Progress::OnPath;
                    path.push((target, 0));
                }
                Progress::Done => {}
            }
        }
    }
}
