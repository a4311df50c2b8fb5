//! Merging: a step is joined with the local step behind it, so that the state between them
//! is not stored.
//!
//! A transition into a control state whose only option is a local statement is made atomic.
//! A statement is local if it is always executable, cannot fail, and neither sees nor is
//! seen by anybody else: it does nothing, or computes with variables of its own process
//! that nobody else reads, or asserts something about them.
//!
//! Follows: [002], with the one local statement as ample set; [003]'s statement merging.
//! Why it is sound: while a process stands before a local statement it can do nothing else,
//! and whatever the others do neither disables the statement, nor changes its effect or the
//! verdict of its assertion, nor is changed by it. So the statement can be moved in front of
//! everything the others do in the meantime, which leads to the same states, deadlocks and
//! violations. A process before a local statement can always move, so no state that is left
//! out is a deadlock or one where `timeout` holds. The statement is executed with exclusive
//! control, and since it can always move, control is not lost before it.
//!
//! Nothing is put off for ever: there is no cycle of steps that keep exclusive control in
//! which a merged one takes part. A handshake hands control over to the receiver if its
//! step is atomic, so such cycles are looked for through all proctypes together.
//!
//! Departs: a statement that can fail is not merged, since the others go on beside a process
//! that has failed. Getting ready to receive can be seen by a sender: a send that nobody
//! takes leaves the way to an `else` beside it and to the statement it is an escape of, and
//! in an atomic sequence it costs control. Where the model has such sends, a local statement
//! in front of a receive is not merged. The state behind a local statement must not be named by a remote
//! reference either, nor the one before it: both are seen to change. A send that may be a
//! handshake is not marked, since the receiver decides who has control after it. A marked
//! receive is sound even if the sender is in an atomic sequence: the sender loses control by
//! the handshake anyway.

use space::TransitionId;

use super::cells::{CellSet, Cells};
use super::footprint::constant;
use super::{Footprint, executed};
use crate::expr::Expr;
use crate::ids::{ControlId, ProctypeId};
use crate::layout::Base;
use crate::model::{Action, Model, OptionEntry};

/// Make transitions into local statements atomic. Returns their number.
pub fn merge_local_steps(model: &mut Model) -> usize {
    if !is_mergeable(model) {
        return 0;
    }
    let mut graph = Graph::new(model);
    let seen_ready = graph.handshakes && sends_depend_on_receivers(model);
    let mut merged = 0;
    for id in executed(model) {
        let proctype = model.proctype(id);
        if proctype.provided.is_some() {
            continue;
        }
        let cells = Cells::new(&proctype.variables);
        let observed = cells.observed(model, id);
        let local: Vec<bool> = (0..proctype.states.len() as u32)
            .map(ControlId)
            .map(|control| {
                leaves_locally(model, id, control, &cells, &observed)
                    && !(seen_ready && graph.gets_ready(model, id, control))
            })
            .collect();
        for row in 0..model.transitions.len() {
            let transition = &model.transitions[row];
            let may_offer = graph.handshakes && matches!(transition.action, Action::Send { .. });
            if transition.proctype != id
                || transition.atomic
                || may_offer
                || !local[transition.target.index()]
                || graph.closes_cycle(model, TransitionId(row as u32))
            {
                continue;
            }
            model.transitions[row].atomic = true;
            graph.note_receive(model, TransitionId(row as u32));
            merged += 1;
        }
    }
    merged
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

/// Whether a control state has a single way out, and nobody sees it taken.
fn leaves_locally(
    model: &Model,
    id: ProctypeId,
    control: ControlId,
    cells: &Cells,
    observed: &CellSet,
) -> bool {
    let state = &model.proctype(id).states[control.index()];
    let [option] = state.options[..] else {
        return false;
    };
    let transition = model.transition(option.transition);
    control != ControlId(0)
        && option.escape == ControlId(0)
        && !(state.end || state.progress || state.accept)
        && transition.target != ControlId(0)
        && !is_named(model, id, control)
        && !is_named(model, id, transition.target)
        && is_local(model, cells, observed, &transition.action)
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

/// Whether a statement can always be executed and concerns its own process only.
fn is_local(model: &Model, cells: &Cells, observed: &CellSet, action: &Action) -> bool {
    match action {
        // An `else` alone, and a `printf` in a search, do nothing.
        Action::Skip | Action::Else | Action::Printf(..) => return true,
        Action::Guard(expr) => return constant(model, *expr).is_some_and(|value| value != 0),
        Action::Assign(..) | Action::Assert(..) | Action::Printm(..) => {}
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

/// The ways on which exclusive control is kept.
struct Graph {
    /// By transition, the control states it starts from.
    sources: Vec<Vec<ControlId>>,
    /// The model has channels for handshakes.
    handshakes: bool,
    /// Where atomic receives lead that may be half of a handshake.
    received: Vec<(ProctypeId, ControlId)>,
}

impl Graph {
    fn new(model: &Model) -> Graph {
        let mut sources = vec![Vec::new(); model.transitions.len()];
        for proctype in &model.proctypes {
            for (row, state) in proctype.states.iter().enumerate() {
                for option in &state.options {
                    sources[option.transition.0 as usize].push(ControlId(row as u32));
                }
            }
        }
        let mut graph = Graph {
            sources,
            handshakes: model.channel_types.iter().any(|ty| ty.capacity == 0),
            received: Vec::new(),
        };
        for row in 0..model.transitions.len() as u32 {
            graph.note_receive(model, TransitionId(row));
        }
        graph
    }

    /// Take note of a transition that is atomic now, if it may be half of a handshake.
    fn note_receive(&mut self, model: &Model, id: TransitionId) {
        let transition = model.transition(id);
        if transition.atomic && self.may_receive(model, id) {
            self.received.push((transition.proctype, transition.target));
        }
    }

    fn may_receive(&self, model: &Model, id: TransitionId) -> bool {
        let receives = |action: &Action| matches!(action, Action::Receive { .. });
        self.handshakes
            && match &model.transition(id).action {
                Action::DStep(row) => model.dsteps[*row as usize].guards.iter().any(receives),
                action => receives(action),
            }
    }

    /// Whether the only way out of a control state leads to where a handshake is accepted.
    fn gets_ready(&self, model: &Model, id: ProctypeId, control: ControlId) -> bool {
        let states = &model.proctype(id).states;
        let ways = states[control.index()].options.iter();
        let targets = ways.map(|way| model.transition(way.transition).target);
        let mut options = targets.flat_map(|target| &states[target.index()].options);
        options.any(|option| self.may_receive(model, option.transition))
    }

    /// Whether exclusive control could go round through a transition, if it were atomic.
    fn closes_cycle(&self, model: &Model, id: TransitionId) -> bool {
        let transition = model.transition(id);
        let receives = self.may_receive(model, id);
        let mut seen: Vec<CellSet> = (model.proctypes.iter())
            .map(|proctype| vec![false; proctype.states.len()])
            .collect();
        let mut open = vec![(transition.proctype, transition.target)];
        while let Some((proctype, control)) = open.pop() {
            let known = &mut seen[proctype.index()][control.index()];
            if std::mem::replace(known, true) {
                continue;
            }
            if proctype == transition.proctype && self.sources[id.0 as usize].contains(&control) {
                return true;
            }
            for option in &model.proctype(proctype).states[control.index()].options {
                let way = model.transition(option.transition);
                if way.atomic && way.target != ControlId(0) {
                    open.push((proctype, way.target));
                }
                if self.handshakes && matches!(way.action, Action::Send { .. }) {
                    if receives {
                        return true;
                    }
                    open.extend(&self.received);
                }
            }
        }
        false
    }
}
