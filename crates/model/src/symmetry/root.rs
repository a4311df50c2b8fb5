//! Where the symmetry of a model begins: all processes are there, and none was started apart.
//!
//! `init` mostly starts the processes one after the other, in one atomic sequence, and counts them.
//! This code is not symmetric and need not be: it is executed once, before anybody else moves. What
//! a model does is looked at from the state behind it on.

use space::{Control, Expansion, NextState, Row};

use super::flow::Flow;
use super::leaves::Owner;
use crate::ids::{ChannelTypeId, ProctypeId};
use crate::interp::Interp;
use crate::model::{Action, DStepOp, Model};

/// Longer ways to the root are not followed.
const MOST_STEPS: usize = 10_000;
/// Nor those on which more transitions would have to be looked at.
const MOST_WORK: usize = 1 << 22;

/// A process of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Process {
    pub(super) proctype: ProctypeId,
    /// Where its frame begins.
    pub(super) frame: u32,
}

/// The first state behind which no process is started.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) state: Vec<u8>,
    /// By pid.
    pub(super) processes: Vec<Process>,
    /// By number, from 1 on: where the contents of a channel lie, and its type.
    pub(super) channels: Vec<(u32, ChannelTypeId)>,
    /// By proctype and control state: whether a process can come there.
    pub(super) reached: Vec<Vec<bool>>,
    /// Processes with a smaller pid were there before the move that led here.
    pub(super) started: usize,
}

impl Root {
    /// Execute a model up to its root; nothing if there is none.
    pub(super) fn find(model: &Model) -> Option<Root> {
        let mut interp = Interp::new(model);
        let mut state = interp.initial().ok()?;
        let mut control = Control::Free;
        let mut found = Expansion::default();
        let mut started = 0;
        let size = model.transitions.len();
        let operations = model.dsteps.iter().map(|dstep| dstep.ops.len());
        let steps = MOST_WORK / (size + operations.sum::<usize>() + 1) + 16;
        for _ in 0..MOST_STEPS.min(steps) {
            space::cancel::poll();
            if control == Control::Free {
                let processes = processes(model, &state);
                let reached = reached(model, &state, &processes);
                if !runs(model, &reached) {
                    return Some(Root {
                        state,
                        channels: channels(model, &processes),
                        processes,
                        reached,
                        started,
                    });
                }
                started = processes.len();
            }
            interp.expand(&state, control, &mut found);
            let mut rows = found.rows.iter().filter(|row| !row.has(Row::OFFER));
            let (row, None) = (rows.next()?, rows.next()) else {
                return None;
            };
            if row.has(Row::FAULT | Row::VIOLATION) {
                return None;
            }
            state = found.vector(row).to_vec();
            control = row.control();
        }
        None
    }
}

fn processes(model: &Model, state: &[u8]) -> Vec<Process> {
    let mut processes = Vec::new();
    let mut frame = model.layout.frames;
    while (frame as usize) < state.len() {
        let kind = model.layout.head(state, frame).kind;
        let proctype = ProctypeId(u32::from(kind));
        processes.push(Process { proctype, frame });
        frame += model.proctype(proctype).frame_size;
    }
    processes
}

/// The global channels, then those of each process.
fn channels(model: &Model, processes: &[Process]) -> Vec<(u32, ChannelTypeId)> {
    let global = model
        .layout
        .channels
        .iter()
        .map(|slot| (slot.offset, slot.ty));
    let own = processes.iter().flat_map(|process| {
        let slots = model.proctype(process.proctype).channels.iter();
        slots.map(|slot| (process.frame + slot.offset, slot.ty))
    });
    global.chain(own).collect()
}

/// The control states that processes can come to.
fn reached(model: &Model, state: &[u8], processes: &[Process]) -> Vec<Vec<bool>> {
    let states = model.proctypes.iter();
    let mut reached: Vec<Vec<bool>> = states.map(|p| vec![false; p.states.len()]).collect();
    for process in processes {
        let head = model.layout.head(state, process.frame);
        let reached = &mut reached[process.proctype.index()];
        let mut open = vec![head.control];
        while let Some(control) = open.pop() {
            if std::mem::replace(&mut reached[control.index()], true) {
                continue;
            }
            let options = &model.proctype(process.proctype).states[control.index()].options;
            open.extend(
                options
                    .iter()
                    .map(|o| model.transition(o.transition).target),
            );
        }
    }
    reached
}

/// Whether one of them starts a process.
fn runs(model: &Model, reached: &[Vec<bool>]) -> bool {
    let is_run = |action: &Action| match action {
        Action::Run(..) => true,
        Action::DStep(row) => {
            let mut ops = model.dsteps[*row as usize].ops.iter();
            let is_run = |action: &Action| matches!(action, Action::Run(..));
            ops.any(|op| matches!(op, DStepOp::Do { action, .. } if is_run(action)))
        }
        _ => false,
    };
    (0..model.proctypes.len()).any(|kind| {
        let flow = Flow::of_proctype(model, ProctypeId(kind as u32), &reached[kind], Vec::new());
        flow.edges.iter().any(|edge| is_run(edge.action))
    })
}

impl Root {
    /// Where the variables of an owner begin, one place for each process.
    pub(super) fn bases(&self, owner: Owner) -> Vec<u32> {
        match owner {
            Owner::Global => vec![0],
            Owner::Frame(id) => (self.pids(id).into_iter())
                .map(|pid| self.processes[usize::from(pid)].frame)
                .collect(),
        }
    }

    /// The control states in which processes of a type are.
    pub(super) fn places(&self, model: &Model, id: ProctypeId) -> Vec<usize> {
        let own = self.processes.iter().filter(|p| p.proctype == id);
        own.map(|p| model.layout.head(&self.state, p.frame).control.index())
            .collect()
    }

    /// The processes of a type.
    pub(super) fn pids(&self, id: ProctypeId) -> Vec<u8> {
        let processes = self.processes.iter().zip(0..);
        let own = processes.filter(|(process, _)| process.proctype == id);
        own.map(|(_, pid)| pid).collect()
    }
}

impl Root {
    /// Whether a process of a type can come to its end.
    pub(super) fn can_end(&self, model: &Model, id: ProctypeId) -> bool {
        let flow = Flow::of_proctype(model, id, &self.reached[id.index()], Vec::new());
        flow.edges
            .iter()
            .any(|edge| matches!(edge.action, Action::End))
    }
}
