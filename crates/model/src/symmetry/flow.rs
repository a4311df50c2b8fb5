//! Control flow as a graph, the same for proctypes and for `d_step` sequences.

use crate::ids::{ControlId, ProctypeId};
use crate::model::{Action, DStep, DStepOp, Location, Model};

/// A statement between two nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'m> {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) action: &'m Action,
    /// Nobody else moves before the process goes on behind it.
    pub(super) atomic: bool,
    /// Which of the statements that can be executed is taken is left open.
    pub(super) choice: bool,
    /// Inside a `d_step`, where no location is known, that of the sequence.
    pub(super) location: Location,
}

/// The statements of a proctype or of a `d_step`.
#[derive(Clone, Debug)]
pub(super) struct Flow<'m> {
    pub(super) proctype: ProctypeId,
    pub(super) edges: Vec<Edge<'m>>,
    /// Where it may begin.
    pub(super) entries: Vec<usize>,
    /// The control state behind a `d_step`; none for a proctype.
    pub(super) behind: Option<ControlId>,
}

impl<'m> Flow<'m> {
    /// The statements of a proctype at the control states that are reached, where processes begin
    /// in some of them.
    pub(super) fn of_proctype(
        model: &'m Model,
        id: ProctypeId,
        reached: &[bool],
        entries: Vec<usize>,
    ) -> Flow<'m> {
        let mut edges = Vec::new();
        for (from, state) in model.proctype(id).states.iter().enumerate() {
            if !reached[from] {
                continue;
            }
            let choice = (state.options.iter()).all(|option| option.escape == ControlId(0));
            for option in &state.options {
                let transition = model.transition(option.transition);
                edges.push(Edge {
                    from,
                    to: transition.target.index(),
                    action: &transition.action,
                    atomic: transition.atomic,
                    choice,
                    location: transition.location,
                });
            }
        }
        Flow {
            proctype: id,
            edges,
            entries,
            behind: None,
        }
    }

    /// The statements of a `d_step` of a proctype, which leads to a control state.
    pub(super) fn of_dstep(
        model: &'m Model,
        proctype: ProctypeId,
        row: u32,
        target: ControlId,
    ) -> Flow<'m> {
        let dstep = &model.dsteps[row as usize];
        Flow {
            proctype,
            edges: dstep_edges(dstep),
            entries: vec![behind_jumps(dstep, 0)],
            behind: Some(target),
        }
    }

    /// The statements out of a node.
    pub(super) fn out(&self, node: usize) -> impl Iterator<Item = (usize, &Edge<'m>)> {
        let edges = self.edges.iter().enumerate();
        edges.filter(move |(_, edge)| edge.from == node)
    }

    /// The statements into a node.
    pub(super) fn into(&self, node: usize) -> impl Iterator<Item = (usize, &Edge<'m>)> {
        let edges = self.edges.iter().enumerate();
        edges.filter(move |(_, edge)| edge.to == node)
    }
}

/// Where execution goes on from an operation of a `d_step`: a jump is no step.
fn behind_jumps(dstep: &DStep, mut at: usize) -> usize {
    // A chain of jumps is no longer than the code.
    for _ in 0..dstep.ops.len() {
        match dstep.ops.get(at) {
            Some(DStepOp::Jump(to)) => at = *to as usize,
            _ => break,
        }
    }
    at
}

/// The operations of a `d_step` as edges: alternatives leave the same node.
pub(super) fn dstep_edges(dstep: &DStep) -> Vec<Edge<'_>> {
    let behind = |at: usize| behind_jumps(dstep, at);
    // Alternatives that are only ever tried after others are no nodes of their own.
    let mut entered = vec![false; dstep.ops.len() + 1];
    entered[behind(0)] = true;
    for (at, op) in dstep.ops.iter().enumerate() {
        if matches!(op, DStepOp::Do { .. }) {
            entered[behind(at + 1)] = true;
        }
    }
    let mut edges = Vec::new();
    for start in (0..dstep.ops.len()).filter(|&start| entered[start]) {
        let mut at = start;
        for _ in 0..dstep.ops.len() {
            space::cancel::poll();
            let Some(DStepOp::Do {
                action,
                otherwise,
                location,
            }) = dstep.ops.get(at)
            else {
                break;
            };
            edges.push(Edge {
                from: start,
                to: behind(at + 1),
                action,
                atomic: true,
                choice: false,
                location: *location,
            });
            match otherwise {
                Some(next) => at = behind(*next as usize),
                None => break,
            }
        }
    }
    edges
}
