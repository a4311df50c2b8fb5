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
}

impl<'m> Flow<'m> {
    /// The statements of a proctype at the control states that are reached.
    pub(super) fn of_proctype(model: &'m Model, id: ProctypeId, reached: &[bool]) -> Flow<'m> {
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
        }
    }

    /// The statements of a `d_step` of a proctype.
    pub(super) fn of_dstep(model: &'m Model, proctype: ProctypeId, row: u32) -> Flow<'m> {
        Flow {
            proctype,
            edges: dstep_edges(&model.dsteps[row as usize]),
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

/// The operations of a `d_step` as edges: alternatives leave the same node.
pub(super) fn dstep_edges(dstep: &DStep) -> Vec<Edge<'_>> {
    let behind = |mut at: usize| {
        // A jump is no step; a chain of jumps is no longer than the code.
        for _ in 0..dstep.ops.len() {
            match dstep.ops.get(at) {
                Some(DStepOp::Jump(to)) => at = *to as usize,
                _ => break,
            }
        }
        at
    };
    let mut edges = Vec::new();
    for start in 0..dstep.ops.len() {
        let mut at = start;
        for _ in 0..dstep.ops.len() {
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
    // Alternatives that are only ever tried after others are no nodes of their own.
    let first = behind(0);
    let entered: Vec<bool> = (0..dstep.ops.len())
        .map(|node| node == first || edges.iter().any(|edge| edge.to == node))
        .collect();
    edges.retain(|edge| entered[edge.from]);
    edges
}
