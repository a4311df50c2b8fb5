//! Dead-variable reset: a local variable that is written before it is read again, or never
//! read again, is set to 0.
//!
//! Liveness is the usual backward analysis over the control-flow graph of each proctype: a
//! cell is live at a control state if an option of the state, escapes included, reads it,
//! or may lead to a state where it is live without writing it. A step resets the cells that
//! are dead at its target and were live at its source or are written by it.
//!
//! Why it is sound: in every reachable state of the reduced model the dead cells of each
//! process are 0, and the rest of the state is as the original model has it after the same
//! steps. A dead cell is not read before it is written, so the same steps are possible in
//! both, with the same violations. This includes what is asked about a process while it
//! stands still (`else`, `enabled`, a handshake that is refused): only its options are
//! tried, and what they read is live. Whatever is read otherwise is always live: variables
//! named by a remote reference anywhere in the model, by `provided`, by a channel claim.
//!
//! Departs from the usual: a variable that is dead from the start gets the first value 0,
//! and so does a parameter, so that a dead cell is 0 without exception. The states of the
//! reduced model are then an image of the original ones, and not more of them. Variables
//! that hold a channel of their process, or that first values are computed from, are left
//! alone.

use super::cells::{CellSet, Cells};
use super::{Footprint, discard, discard_arguments, executed};
use crate::ids::{ControlId, ProctypeId};
use crate::model::{Action, DStepOp, Initialiser, Model};

/// What a statement does to the cells of its process.
#[derive(Clone, Debug)]
struct Effect {
    /// Read before they are written.
    uses: CellSet,
    /// Written on every way through the statement.
    kills: CellSet,
    /// Perhaps written.
    writes: CellSet,
}

/// The cells of a frame, and which of them are live where.
struct Frame {
    cells: Cells,
    /// By control state.
    live: Vec<CellSet>,
    /// By transition; `None` for those of other proctypes.
    effects: Vec<Option<Effect>>,
    /// Live everywhere.
    pinned: CellSet,
}

/// Reset variables where nobody reads them any more. Returns the number of transitions that
/// do so.
pub fn reset_dead_variables(model: &mut Model) -> usize {
    for id in executed(model) {
        let frame = Frame::new(model, id);
        if frame.cells.is_empty() {
            continue;
        }
        frame.forget_first_values(model, id);
        frame.write_resets(model, id);
    }
    let resets = model.transitions.iter().filter(|t| !t.resets.is_empty());
    resets.count()
}

/// Which variables of the processes of a type are read again, by control state.
pub(crate) struct Live(Frame);

impl Live {
    /// Those of a proctype.
    pub(crate) fn new(model: &Model, id: ProctypeId) -> Live {
        Live(Frame::new(model, id))
    }

    /// Whether the variable at an offset may be read before it is written.
    pub(crate) fn is_live(&self, control: ControlId, offset: u32) -> bool {
        let row = self.0.cells.at(offset);
        row.is_none_or(|row| self.0.live[control.index()][row])
    }
}

impl Frame {
    fn new(model: &Model, id: ProctypeId) -> Frame {
        let proctype = model.proctype(id);
        let cells = Cells::new(&proctype.variables);
        let mut pinned = cells.observed(model, id);
        for init in &proctype.inits {
            match init {
                Initialiser::Value { value, .. } => {
                    let footprint = Footprint::of_expr(model, *value);
                    cells.insert(model, &footprint.reads, &mut pinned);
                }
                Initialiser::Channel { offset, .. } => {
                    if let Some(row) = cells.at(*offset) {
                        pinned[row] = true;
                    }
                }
            }
        }
        let effects = model
            .transitions
            .iter()
            .map(|t| (t.proctype == id).then(|| Effect::of(model, &cells, &t.action)))
            .collect();
        let mut frame = Frame {
            live: vec![pinned.clone(); proctype.states.len()],
            cells,
            effects,
            pinned,
        };
        frame.solve(model, id);
        frame
    }

    /// Let liveness flow backwards until nothing changes.
    fn solve(&mut self, model: &Model, id: ProctypeId) {
        let states = &model.proctype(id).states;
        let mut changed = true;
        while changed {
            changed = false;
            for row in (0..states.len()).rev() {
                for option in &states[row].options {
                    let number = option.transition.0 as usize;
                    let Some(effect) = &self.effects[number] else {
                        continue;
                    };
                    let behind = self.live_behind(model, number);
                    let before = effect.before(&behind);
                    changed |= join(&mut self.live[row], &before);
                }
            }
        }
    }

    /// What is live behind a transition.
    fn live_behind(&self, model: &Model, number: usize) -> CellSet {
        let transition = &model.transitions[number];
        match transition.target {
            ControlId(0) if transition.action == Action::End => self.pinned.clone(),
            // It stays where it is, and that may be anywhere.
            ControlId(0) => vec![true; self.cells.len()],
            target => self.live[target.index()].clone(),
        }
    }

    /// Variables that are dead from the start are 0 from the start.
    fn forget_first_values(&self, model: &mut Model, id: ProctypeId) {
        let initial = model.proctype(id).initial;
        let live = &self.live[initial.index()];
        let is_dead = |offset: u32| self.cells.at(offset).is_some_and(|row| !live[row]);
        for row in 0..model.proctype(id).inits.len() {
            if let Initialiser::Value { offset, value, .. } = model.proctype(id).inits[row]
                && is_dead(offset)
            {
                let zero = discard(model, value);
                let init = &mut model.proctypes[id.index()].inits[row];
                if let Initialiser::Value { value, .. } = init {
                    *value = zero;
                }
            }
        }
        let params = &model.proctype(id).params;
        let dead: Vec<usize> = (0..params.len())
            .filter(|&position| is_dead(params[position].0))
            .collect();
        discard_arguments(model, id, &dead);
    }

    fn write_resets(&self, model: &mut Model, id: ProctypeId) {
        let mut sources: Vec<CellSet> = vec![Vec::new(); model.transitions.len()];
        for (state, live) in model.proctype(id).states.iter().zip(&self.live) {
            for option in &state.options {
                let source = &mut sources[option.transition.0 as usize];
                source.resize(self.cells.len(), false);
                join(source, live);
            }
        }
        for (number, mut filled) in sources.into_iter().enumerate() {
            let Some(effect) = &self.effects[number] else {
                continue;
            };
            join(&mut filled, &effect.writes);
            if model.transitions[number].action == Action::End {
                continue;
            }
            let behind = self.live_behind(model, number);
            let dead: CellSet = filled.iter().zip(&behind).map(|(f, b)| *f && !b).collect();
            model.transitions[number].resets = self.cells.ranges(&dead);
        }
    }
}

impl Effect {
    fn none(cells: &Cells) -> Effect {
        let empty = vec![false; cells.len()];
        Effect {
            uses: empty.clone(),
            kills: empty.clone(),
            writes: empty,
        }
    }

    fn of(model: &Model, cells: &Cells, action: &Action) -> Effect {
        let mut effect = Effect::none(cells);
        if let Action::DStep(row) = action {
            effect.of_dstep(model, cells, *row);
            return effect;
        }
        let footprint = Footprint::of_action(model, action);
        cells.insert(model, &footprint.reads, &mut effect.uses);
        cells.insert(model, &footprint.writes, &mut effect.writes);
        for (row, &written) in effect.writes.iter().enumerate() {
            effect.kills[row] = written && !cells.get(row).array;
        }
        effect
    }

    /// A `d_step` has a control flow of its own. What is live before it is what it uses, and
    /// what is live behind it as far as that gets through.
    fn of_dstep(&mut self, model: &Model, cells: &Cells, row: u32) {
        let dstep = &model.dsteps[row as usize];
        let ops: Vec<Option<Effect>> = dstep
            .ops
            .iter()
            .map(|op| match op {
                DStepOp::Do { action, .. } => Some(Effect::of(model, cells, action)),
                _ => None,
            })
            .collect();
        for effect in ops.iter().flatten() {
            join(&mut self.writes, &effect.writes);
        }
        self.uses = live_before_dstep(&dstep.ops, &ops, &vec![false; cells.len()]);
        let through = live_before_dstep(&dstep.ops, &ops, &vec![true; cells.len()]);
        self.kills = through.iter().map(|live| !live).collect();
        for guard in &dstep.guards {
            let footprint = Footprint::of_action(model, guard);
            cells.insert(model, &footprint.reads, &mut self.uses);
        }
    }

    /// What is live before the statement if this is live behind it.
    fn before(&self, behind: &CellSet) -> CellSet {
        let rows = self.uses.iter().zip(&self.kills).zip(behind);
        rows.map(|((used, killed), live)| *used || (*live && !killed))
            .collect()
    }
}

/// What is live at the start of a `d_step` if this is live behind it.
fn live_before_dstep(ops: &[DStepOp], effects: &[Option<Effect>], behind: &CellSet) -> CellSet {
    let nothing = vec![false; behind.len()];
    let mut live = vec![nothing.clone(); ops.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for row in (0..ops.len()).rev() {
            let mut here = match (&ops[row], &effects[row]) {
                (DStepOp::Done, _) => behind.clone(),
                (DStepOp::Jump(to), _) => live[*to as usize].clone(),
                (DStepOp::Do { .. }, Some(effect)) => effect.before(&live[row + 1]),
                // A fault: nothing comes behind it.
                _ => nothing.clone(),
            };
            if let DStepOp::Do {
                otherwise: Some(to),
                ..
            } = &ops[row]
            {
                join(&mut here, &live[*to as usize]);
            }
            changed |= join(&mut live[row], &here);
        }
    }
    live.into_iter().next().unwrap_or_else(|| behind.clone())
}

/// Add one set to another; whether it grew.
fn join(set: &mut CellSet, more: &[bool]) -> bool {
    let mut grew = false;
    for (here, &there) in set.iter_mut().zip(more) {
        grew |= there && !*here;
        *here |= there;
    }
    grew
}
