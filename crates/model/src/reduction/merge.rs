//! Merging: a step is joined with the local step behind it, so that the state between them
//! is not stored.
//!
//! A transition into a control state whose options are all local, one of them always
//! executable, is made atomic. A statement is local if it cannot fail, and neither sees nor
//! is seen by anybody else: it does nothing, or computes with variables of its own process
//! that nobody else reads, or waits for them, or asserts something about them.
//!
//! Follows: [002], with the local options as ample set; [003]'s statement merging. Why it is
//! sound: while a process stands before local statements it can do nothing else, and
//! whatever the others do neither enables or disables one of them, nor changes its effect or
//! the verdict of its assertion, nor is changed by it. So the statement that is taken can be
//! moved in front of everything the others do in the meantime, which leads to the same
//! states, deadlocks and violations. A process before local statements can always move, so
//! no state that is left out is a deadlock or one where `timeout` holds. The statement is
//! executed with exclusive control, and since one can always move, control is not lost
//! before it.
//!
//! An atomic sequence as a whole is not local because its first statement is: who enters
//! it keeps the others from moving. So an option that is atomic itself must lead to a state
//! that has local options again.
//!
//! Nothing is put off for ever: there is no cycle of steps that keep exclusive control in
//! which a merged one takes part.
//!
//! Departs:
//! - A statement that can fail is not merged, since the others go on beside a process that
//!   has failed.
//! - Neither the state before a local statement nor the one behind it must be named by a
//!   remote reference: both are seen to change.
//! - Getting ready to receive can be seen by a sender: a send that nobody takes leaves the
//!   way to an `else` beside it and to the statement it is an escape of, and in an atomic
//!   sequence it costs control. Where the model has such sends, a local statement in front
//!   of a receive is not merged.
//! - A send that may be a handshake is not marked, since the receiver decides who has
//!   control after it. A receive may be marked even if the sender is in an atomic sequence:
//!   the sender loses control by the handshake anyway.

use std::collections::HashSet;

use super::cells::{CellSet, Cells, RemoteReads};
use super::footprint::constant;
use super::{Footprint, executed, transitions_by_proctype};
use crate::expr::Expr;
use crate::flow::{Backwards, sources};
use crate::ids::{ControlId, ProctypeId};
use crate::layout::Base;
use crate::model::{Action, Model, OptionEntry, Transition};

/// So many control states are looked at in search of cycles, beyond a few for each transition.
/// When that is used up, nothing more is merged.
const MOST_WORK: usize = 1 << 24;

/// Make transitions into local statements atomic. Returns their number.
pub fn merge_local_steps(model: &mut Model) -> usize {
    if !is_mergeable(model) {
        return 0;
    }
    let handshakes = model.channel_types.iter().any(|ty| ty.capacity == 0);
    let by_proctype = transitions_by_proctype(model);
    let look = Look {
        readiness_seen: handshakes && sends_depend_on_receivers(model, &by_proctype),
        named: named(model),
        remote: RemoteReads::new(model),
    };
    let sources = sources(model);
    let mut work = MOST_WORK + 64 * model.transitions.len();
    let mut merged = 0;
    for id in executed(model) {
        if model.proctype(id).provided.is_some() {
            continue;
        }
        let backwards = Backwards::new(model, &model.proctype(id).states);
        let local = look.local_states(model, id, &backwards);
        let mut cycles = Cycles::new(backwards, local.len());
        for &row in &by_proctype[id.index()] {
            let transition = &model.transitions[row];
            let may_offer = handshakes && matches!(transition.action, Action::Send { .. });
            if !transition.atomic
                && !may_offer
                && local[transition.target.index()]
                && !cycles.are_closed_by(model, transition, &sources[row], &mut work)
            {
                model.transitions[row].atomic = true;
                merged += 1;
            }
        }
    }
    merged
}

/// What is known about the whole model.
struct Look {
    readiness_seen: bool,
    named: HashSet<(ProctypeId, ControlId)>,
    remote: RemoteReads,
}

impl Look {
    /// The control states that a process can always leave without anybody seeing it, on ways
    /// that give up exclusive control before anything else happens.
    fn local_states(&self, model: &Model, id: ProctypeId, backwards: &Backwards) -> Vec<bool> {
        let proctype = model.proctype(id);
        let cells = Cells::new(&proctype.variables);
        let observed = cells.observed(model, &self.remote, id);
        let gets_ready = match self.readiness_seen {
            true => gets_ready(model, id),
            false => vec![false; proctype.states.len()],
        };
        let is_atomic = |option: &&OptionEntry| model.transition(option.transition).atomic;
        // How many options go on with exclusive control to where it is not known that it is given
        // up; nothing where the state is not local anyhow.
        let mut open_ends: Vec<Option<usize>> = vec![None; proctype.states.len()];
        let mut found: Vec<ControlId> = Vec::new();
        for control in (1..proctype.states.len() as u32).map(ControlId) {
            space::cancel::poll();
            let row = control.index();
            if gets_ready[row] || !self.leaves_locally(model, id, control, &cells, &observed) {
                continue;
            }
            let count = proctype.states[row]
                .options
                .iter()
                .filter(is_atomic)
                .count();
            open_ends[row] = Some(count);
            if count == 0 {
                found.push(control);
            }
        }
        let mut local = vec![false; proctype.states.len()];
        while let Some(control) = found.pop() {
            local[control.index()] = true;
            for edge in backwards.edges_to(control) {
                if !model.transition(edge.transition).atomic {
                    continue;
                }
                if let Some(count) = &mut open_ends[edge.source.index()] {
                    *count -= 1;
                    if *count == 0 {
                        found.push(edge.source);
                    }
                }
            }
        }
        local
    }

    /// Whether a process can always leave a control state, and nobody sees it do so.
    fn leaves_locally(
        &self,
        model: &Model,
        id: ProctypeId,
        control: ControlId,
        cells: &Cells,
        observed: &CellSet,
    ) -> bool {
        let state = &model.proctype(id).states[control.index()];
        let actions = || {
            let options = state.options.iter();
            options.map(|option| &model.transition(option.transition).action)
        };
        let is_named = |control: ControlId| self.named.contains(&(id, control));
        !(state.end || state.progress || state.accept)
            && actions().any(|action| is_always_executable(model, action))
            && actions().all(|action| is_local(model, cells, observed, action))
            && !is_named(control)
            && state.options.iter().all(|option| {
                let target = model.transition(option.transition).target;
                option.escape == ControlId(0) && target != ControlId(0) && !is_named(target)
            })
    }
}

/// Whether there is nothing in the model that sees every single step.
fn is_mergeable(model: &Model) -> bool {
    let sees_steps = |expr: &Expr| {
        matches!(
            expr,
            Expr::Enabled(_) | Expr::PcValue(_) | Expr::NonProgress
        )
    };
    !model.layout.priorities && model.layout.last.is_none() && !model.exprs.iter().any(sees_steps)
}

/// Whether a choice with this statement among its options never blocks.
fn is_always_executable(model: &Model, action: &Action) -> bool {
    match action {
        Action::Guard(expr) => constant(model, *expr).is_some_and(|value| value != 0),
        Action::Skip | Action::Else | Action::Assign(..) | Action::Assert(..) => true,
        Action::Printf(..) | Action::Printm(..) => true,
        _ => false,
    }
}

/// Whether somewhere more than a send itself depends on whether somebody receives.
fn sends_depend_on_receivers(model: &Model, by_proctype: &[Vec<usize>]) -> bool {
    executed(model).into_iter().any(|id| {
        let states = &model.proctype(id).states;
        let mut in_atomic = vec![false; states.len()];
        for &row in &by_proctype[id.index()] {
            let transition = &model.transitions[row];
            in_atomic[transition.target.index()] |= transition.atomic;
        }
        states.iter().zip(in_atomic).any(|(state, in_atomic)| {
            let action = |option: &OptionEntry| &model.transition(option.transition).action;
            let mut options = state.options.iter();
            let sends = (options.clone()).any(|o| matches!(action(o), Action::Send { .. }));
            let others = |o: &OptionEntry| o.escape != ControlId(0) || *action(o) == Action::Else;
            sends && (in_atomic || options.any(others))
        })
    })
}

/// The control states that remote references name.
fn named(model: &Model) -> HashSet<(ProctypeId, ControlId)> {
    let exprs = model.exprs.iter();
    exprs
        .filter_map(|expr| match expr {
            Expr::RemoteLabel {
                proctype, control, ..
            } => Some((*proctype, *control)),
            _ => None,
        })
        .collect()
}

/// Whether a statement concerns its own process only, and cannot fail.
fn is_local(model: &Model, cells: &Cells, observed: &CellSet, action: &Action) -> bool {
    match action {
        // A `printf` does nothing in a search.
        Action::Skip | Action::Else | Action::Printf(..) => return true,
        Action::Guard(_) | Action::Assign(..) | Action::Assert(..) | Action::Printm(..) => {}
        _ => return false,
    }
    let footprint = Footprint::of_action(model, action);
    let own = |base: Base| base != Base::Global;
    !footprint.may_fail
        && !footprint.world_reads
        && footprint.channels.is_empty()
        && footprint.reads.iter().all(|&p| own(model.place(p).base))
        && footprint.writes.iter().all(|&p| {
            let cell = cells.of(model, Base::Frame, p);
            own(model.place(p).base) && !cell.is_some_and(|row| observed[row])
        })
}

/// For each control state whether a way out of it leads to where a handshake may be accepted.
fn gets_ready(model: &Model, id: ProctypeId) -> Vec<bool> {
    let states = &model.proctype(id).states;
    let receives = |action: &Action| matches!(action, Action::Receive { .. });
    let accepts = |option: &OptionEntry| match &model.transition(option.transition).action {
        Action::DStep(row) => model.dsteps[*row as usize].guards.iter().any(receives),
        action => receives(action),
    };
    let accepting: Vec<bool> = (states.iter())
        .map(|state| state.options.iter().any(accepts))
        .collect();
    let leads =
        |option: &OptionEntry| accepting[model.transition(option.transition).target.index()];
    (states.iter())
        .map(|state| state.options.iter().any(leads))
        .collect()
}

/// Looks for cycles of exclusive control in a proctype. It is not handed over on the way, since
/// there is no handshake among local statements.
struct Cycles {
    backwards: Backwards,
    /// By control state, in which search it was seen from the front and from the back.
    ahead: Vec<u32>,
    behind: Vec<u32>,
    search: u32,
}

impl Cycles {
    fn new(backwards: Backwards, states: usize) -> Cycles {
        Cycles {
            backwards,
            ahead: vec![0; states],
            behind: vec![0; states],
            search: 0,
        }
    }

    /// Whether exclusive control could go round through a transition, if it were atomic, or that
    /// takes too long to tell. It is looked for from both ends in turn, and whichever comes to
    /// an end first decides.
    fn are_closed_by(
        &mut self,
        model: &Model,
        transition: &Transition,
        sources: &[ControlId],
        work: &mut usize,
    ) -> bool {
        let states = &model.proctype(transition.proctype).states;
        self.search += 1;
        let (mut front, mut back) = (vec![transition.target], sources.to_vec());
        loop {
            space::cancel::poll();
            let Some(control) = front.pop() else {
                return false;
            };
            if std::mem::replace(&mut self.ahead[control.index()], self.search) != self.search {
                if self.behind[control.index()] == self.search || sources.contains(&control) {
                    return true;
                }
                for option in &states[control.index()].options {
                    let way = model.transition(option.transition);
                    if way.atomic && way.target != ControlId(0) {
                        front.push(way.target);
                    }
                    *work = work.saturating_sub(1);
                }
            }
            let Some(control) = back.pop() else {
                return false;
            };
            if std::mem::replace(&mut self.behind[control.index()], self.search) != self.search {
                if self.ahead[control.index()] == self.search {
                    return true;
                }
                for edge in self.backwards.edges_to(control) {
                    if model.transition(edge.transition).atomic {
                        back.push(edge.source);
                    }
                    *work = work.saturating_sub(1);
                }
            }
            if *work == 0 {
                return true;
            }
        }
    }
}
