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

use super::cells::{CellSet, Cells};
use super::footprint::constant;
use super::{Footprint, executed};
use crate::expr::Expr;
use crate::ids::{ControlId, ProctypeId};
use crate::layout::Base;
use crate::model::{Action, Model, OptionEntry, Transition};

/// Make transitions into local statements atomic. Returns their number.
pub fn merge_local_steps(model: &mut Model) -> usize {
    if !is_mergeable(model) {
        return 0;
    }
    let handshakes = model.channel_types.iter().any(|ty| ty.capacity == 0);
    let readiness_seen = handshakes && sends_depend_on_receivers(model);
    let sources = sources(model);
    let mut merged = 0;
    for id in executed(model) {
        if model.proctype(id).provided.is_some() {
            continue;
        }
        let local = local_states(model, id, readiness_seen);
        for (row, sources) in sources.iter().enumerate() {
            let transition = &model.transitions[row];
            let may_offer = handshakes && matches!(transition.action, Action::Send { .. });
            if transition.proctype == id
                && !transition.atomic
                && !may_offer
                && local[transition.target.index()]
                && !closes_cycle(model, transition, sources)
            {
                model.transitions[row].atomic = true;
                merged += 1;
            }
        }
    }
    merged
}

/// The control states that a process can always leave without anybody seeing it, on ways
/// that give up exclusive control before anything else happens.
fn local_states(model: &Model, id: ProctypeId, readiness_seen: bool) -> Vec<bool> {
    let proctype = model.proctype(id);
    let cells = Cells::new(&proctype.variables);
    let observed = cells.observed(model, id);
    let candidates: Vec<ControlId> = (1..proctype.states.len() as u32)
        .map(ControlId)
        .filter(|&control| leaves_locally(model, id, control, &cells, &observed))
        .filter(|&control| !(readiness_seen && gets_ready(model, id, control)))
        .collect();
    let mut local = vec![false; proctype.states.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for control in candidates.iter().map(|control| control.index()) {
            let ends = proctype.states[control].options.iter().all(|option| {
                let transition = model.transition(option.transition);
                !transition.atomic || local[transition.target.index()]
            });
            changed |= ends && !local[control];
            local[control] |= ends;
        }
    }
    local
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

/// Whether a process can always leave a control state, and nobody sees it do so.
fn leaves_locally(
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
    !(state.end || state.progress || state.accept)
        && actions().any(|action| is_always_executable(model, action))
        && actions().all(|action| is_local(model, cells, observed, action))
        && !is_named(model, id, control)
        && state.options.iter().all(|option| {
            let target = model.transition(option.transition).target;
            option.escape == ControlId(0) && target != ControlId(0) && !is_named(model, id, target)
        })
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
fn sends_depend_on_receivers(model: &Model) -> bool {
    executed(model).into_iter().any(|id| {
        let states = &model.proctype(id).states;
        let mut in_atomic = vec![false; states.len()];
        for transition in model.transitions.iter().filter(|t| t.proctype == id) {
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

/// Whether a remote reference names a control state.
fn is_named(model: &Model, id: ProctypeId, wanted: ControlId) -> bool {
    model.exprs.iter().any(|expr| match expr {
        Expr::RemoteLabel {
            proctype, control, ..
        } => *proctype == id && *control == wanted,
        _ => false,
    })
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

/// Whether a way out of a control state leads to where a handshake may be accepted.
fn gets_ready(model: &Model, id: ProctypeId, control: ControlId) -> bool {
    let states = &model.proctype(id).states;
    let receives = |action: &Action| matches!(action, Action::Receive { .. });
    let ways = states[control.index()].options.iter();
    let targets = ways.map(|way| model.transition(way.transition).target);
    let mut options = targets.flat_map(|target| &states[target.index()].options);
    options.any(|option| match &model.transition(option.transition).action {
        Action::DStep(row) => model.dsteps[*row as usize].guards.iter().any(receives),
        action => receives(action),
    })
}

/// For each transition, the control states it starts from.
fn sources(model: &Model) -> Vec<Vec<ControlId>> {
    let mut sources = vec![Vec::new(); model.transitions.len()];
    for proctype in &model.proctypes {
        for (row, state) in proctype.states.iter().enumerate() {
            for option in &state.options {
                sources[option.transition.0 as usize].push(ControlId(row as u32));
            }
        }
    }
    sources
}

/// Whether exclusive control could go round through a transition, if it were atomic. It is
/// not handed over on the way, since there is no handshake among local statements.
fn closes_cycle(model: &Model, transition: &Transition, sources: &[ControlId]) -> bool {
    let states = &model.proctype(transition.proctype).states;
    let mut seen = vec![false; states.len()];
    let mut open = vec![transition.target];
    while let Some(control) = open.pop() {
        if std::mem::replace(&mut seen[control.index()], true) {
            continue;
        }
        if sources.contains(&control) {
            return true;
        }
        for option in &states[control.index()].options {
            let way = model.transition(option.transition);
            if way.atomic && way.target != ControlId(0) {
                open.push(way.target);
            }
        }
    }
    false
}
