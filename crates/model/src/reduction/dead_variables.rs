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
//!
//! The analysis takes a bit for each control state and variable. Where these are too many, or loops
//! make it go round too often, every variable of the proctype counts as live.

use super::cells::{CellSet, Cells, RemoteReads};
use super::{Discarded, Footprint, executed, starts_by_proctype, transitions_by_proctype};
use crate::flow::{Backwards, sources};
use crate::ids::{ControlId, ProctypeId};
use crate::model::{Action, DStepOp, FrameRange, Initialiser, Model};

/// More words of live cells are not kept for a proctype.
const MOST_WORDS: usize = 1 << 22;
/// So many words are looked at before nothing more is said about a proctype or a `d_step`.
const MOST_WORK: usize = 1 << 27;

/// A set of cells as bits.
type Bits = [u64];

/// What a statement does to the cells of its process, by their rows.
#[derive(Clone, Debug, Default)]
struct Effect {
    /// Read before they are written.
    uses: Vec<u32>,
    /// Written on every way through the statement.
    kills: Vec<u32>,
    /// Perhaps written.
    writes: Vec<u32>,
}

/// Sets of cells, as many words each.
#[derive(Clone, Debug)]
struct BitRows {
    words: usize,
    bits: Vec<u64>,
}

impl BitRows {
    /// As many copies of a set.
    fn new(count: usize, row: &Bits) -> BitRows {
        let bits = row.iter().copied().cycle().take(count * row.len());
        BitRows {
            words: row.len(),
            bits: bits.collect(),
        }
    }

    fn row(&self, row: usize) -> &Bits {
        &self.bits[row * self.words..][..self.words]
    }

    /// Add a set to a row; whether it grew.
    fn join(&mut self, row: usize, more: &Bits) -> bool {
        join(&mut self.bits[row * self.words..][..self.words], more)
    }
}

/// The cells of a frame, and which of them are live where.
struct Frame {
    cells: Cells,
    /// The transitions of the proctype, and their effects.
    rows: Vec<usize>,
    effects: Vec<Effect>,
    /// By control state; nothing if all are live everywhere.
    live: Option<BitRows>,
    /// Live everywhere.
    pinned: Vec<u64>,
    /// All of them.
    all: Vec<u64>,
}

/// Reset variables where nobody reads them any more. Returns the number of transitions that
/// do so.
pub fn reset_dead_variables(model: &mut Model) -> usize {
    let remote = RemoteReads::new(model);
    let sources = sources(model);
    let mut discarded = Discarded::default();
    let starts = starts_by_proctype(model);
    let mut rows = transitions_by_proctype(model);
    for id in executed(model) {
        let rows = std::mem::take(&mut rows[id.index()]);
        let frame = Frame::new(model, &remote, id, rows);
        if frame.cells.is_empty() || frame.live.is_none() {
            continue;
        }
        let dead = frame.forget_first_values(model, id, &mut discarded);
        discarded.replace_arguments(model, &starts[id.index()], &dead);
        frame.write_resets(model, &sources);
    }
    let resets = model.transitions.iter().filter(|t| !t.resets.is_empty());
    resets.count()
}

/// Which variables of the processes of a type are read again, by control state.
pub(crate) struct Live(Frame);

impl Live {
    /// Those of a proctype.
    pub(crate) fn new(model: &Model, id: ProctypeId) -> Live {
        let transitions = model.transitions.iter().enumerate();
        let rows = transitions.filter(|(_, transition)| transition.proctype == id);
        let rows = rows.map(|(row, _)| row).collect();
        Live(Frame::new(model, &RemoteReads::new(model), id, rows))
    }

    /// Whether the variable at an offset may be read before it is written.
    pub(crate) fn is_live(&self, control: ControlId, offset: u32) -> bool {
        let row = self.0.cells.at(offset);
        row.is_none_or(|row| self.0.is_live(control, row))
    }
}

impl Frame {
    fn new(model: &Model, remote: &RemoteReads, id: ProctypeId, rows: Vec<usize>) -> Frame {
        let proctype = model.proctype(id);
        let cells = Cells::new(&proctype.variables);
        let mut pinned = cells.observed(model, remote, id);
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
        let mut frame = Frame {
            effects: Vec::new(),
            live: None,
            pinned: packed(&pinned),
            all: packed(&vec![true; cells.len()]),
            cells,
            rows,
        };
        if proctype.states.len() * frame.pinned.len() <= MOST_WORDS {
            let action = |&row: &usize| &model.transitions[row].action;
            let effects = frame.rows.iter().map(action);
            frame.effects = effects
                .map(|action| Effect::of(model, &frame.cells, action))
                .collect();
            frame.live = frame.solve(model, id);
        }
        frame
    }

    /// Let liveness flow backwards until nothing changes.
    fn solve(&self, model: &Model, id: ProctypeId) -> Option<BitRows> {
        let states = &model.proctype(id).states;
        let backwards = Backwards::new(model, states);
        let mut live = BitRows::new(states.len(), &self.pinned);
        let mut open: Vec<ControlId> = (0..states.len() as u32).map(ControlId).collect();
        let mut is_open = vec![true; states.len()];
        let mut behind = self.pinned.clone();
        let mut work = 0;
        // Sequences lead from lower numbers to higher ones, so most is known when it is needed.
        while let Some(control) = open.pop() {
            space::cancel::poll();
            is_open[control.index()] = false;
            for edge in backwards.edges_to(control) {
                let number = edge.transition.0 as usize;
                let Some(effect) = self.effect(number) else {
                    continue;
                };
                work += 1 + behind.len();
                if work > MOST_WORK {
                    return None;
                }
                behind.copy_from_slice(self.live_behind(model, &live, number));
                effect.step_back(&mut behind);
                let source = edge.source;
                let grew = live.join(source.index(), &behind);
                if grew && !std::mem::replace(&mut is_open[source.index()], true) {
                    open.push(source);
                }
            }
        }
        Some(live)
    }

    /// What a transition does, if it is one of the proctype.
    fn effect(&self, number: usize) -> Option<&Effect> {
        let slot = self.rows.binary_search(&number).ok()?;
        self.effects.get(slot)
    }

    /// What is live behind a transition.
    fn live_behind<'a>(&'a self, model: &Model, live: &'a BitRows, number: usize) -> &'a Bits {
        let transition = &model.transitions[number];
        match transition.target {
            ControlId(0) if transition.action == Action::End => &self.pinned,
            // It stays where it is, and that may be anywhere.
            ControlId(0) => &self.all,
            target => live.row(target.index()),
        }
    }

    fn is_live(&self, control: ControlId, row: usize) -> bool {
        let live = self.live.as_ref();
        live.is_none_or(|live| has(live.row(control.index()), row))
    }

    /// Variables that are dead from the start are 0 from the start. The positions of parameters
    /// that are.
    fn forget_first_values(
        &self,
        model: &mut Model,
        id: ProctypeId,
        discarded: &mut Discarded,
    ) -> Vec<usize> {
        let initial = model.proctype(id).initial;
        let is_dead = |offset: u32| {
            let row = self.cells.at(offset);
            row.is_some_and(|row| !self.is_live(initial, row))
        };
        for row in 0..model.proctype(id).inits.len() {
            if let Initialiser::Value { offset, value, .. } = model.proctype(id).inits[row]
                && is_dead(offset)
            {
                let zero = discarded.replace(model, value);
                let init = &mut model.proctypes[id.index()].inits[row];
                if let Initialiser::Value { value, .. } = init {
                    *value = zero;
                }
            }
        }
        let params = &model.proctype(id).params;
        (0..params.len())
            .filter(|&position| is_dead(params[position].0))
            .collect()
    }

    fn write_resets(&self, model: &mut Model, sources: &[Vec<ControlId>]) {
        let Some(live) = &self.live else {
            return;
        };
        let mut filled = self.pinned.clone();
        for (&number, effect) in self.rows.iter().zip(&self.effects) {
            space::cancel::poll();
            if model.transitions[number].action == Action::End {
                continue;
            }
            filled.fill(0);
            for source in &sources[number] {
                join(&mut filled, live.row(source.index()));
            }
            for &row in &effect.writes {
                insert(&mut filled, row);
            }
            let behind = self.live_behind(model, live, number);
            let words = filled.iter().zip(behind).enumerate();
            let dead = words.flat_map(|(word, (filled, behind))| ones(word, filled & !behind));
            let resets: Vec<FrameRange> = self.cells.ranges(dead);
            model.transitions[number].resets = resets;
        }
    }
}

impl Effect {
    fn of(model: &Model, cells: &Cells, action: &Action) -> Effect {
        space::cancel::poll();
        if let Action::DStep(row) = action {
            return Effect::of_dstep(model, cells, *row);
        }
        let footprint = Footprint::of_action(model, action);
        let writes = cells.rows(model, &footprint.writes);
        Effect {
            uses: cells.rows(model, &footprint.reads),
            kills: (writes.iter().copied())
                .filter(|&row| !cells.get(row as usize).array)
                .collect(),
            writes,
        }
    }

    /// A `d_step` has a control flow of its own. What is live before it is what it uses, and
    /// what is live behind it as far as that gets through.
    fn of_dstep(model: &Model, cells: &Cells, row: u32) -> Effect {
        let dstep = &model.dsteps[row as usize];
        let ops: Vec<Effect> = dstep
            .ops
            .iter()
            .map(|op| match op {
                DStepOp::Do { action, .. } => Effect::of(model, cells, action),
                _ => Effect::default(),
            })
            .collect();
        let mut writes: Vec<u32> = (ops.iter()).flat_map(|e| &e.writes).copied().collect();
        writes.sort_unstable();
        writes.dedup();
        let (nothing, all) = (vec![false; cells.len()], vec![true; cells.len()]);
        let known = live_before_dstep(&dstep.ops, &ops, &packed(&nothing)).zip(live_before_dstep(
            &dstep.ops,
            &ops,
            &packed(&all),
        ));
        let (mut uses, kills) = match known {
            Some((used, through)) => {
                let rows = 0..cells.len() as u32;
                let killed = rows.filter(|&row| !has(&through, row as usize));
                (rows_of(&used).collect::<Vec<u32>>(), killed.collect())
            }
            None => (
                (ops.iter()).flat_map(|e| &e.uses).copied().collect(),
                Vec::new(),
            ),
        };
        for guard in &dstep.guards {
            let footprint = Footprint::of_action(model, guard);
            uses.extend(cells.rows(model, &footprint.reads));
        }
        uses.sort_unstable();
        uses.dedup();
        Effect {
            uses,
            kills,
            writes,
        }
    }

    /// From what is live behind the statement to what is live before it.
    fn step_back(&self, live: &mut Bits) {
        for &row in &self.kills {
            live[row as usize / 64] &= !(1 << (row % 64));
        }
        for &row in &self.uses {
            insert(live, row);
        }
    }
}

/// What is live at the start of a `d_step` if this is live behind it, unless that takes too long.
fn live_before_dstep(ops: &[DStepOp], effects: &[Effect], behind: &Bits) -> Option<Vec<u64>> {
    if ops.is_empty() {
        return Some(behind.to_vec());
    }
    let pass = ops.len() * (1 + behind.len());
    if pass > MOST_WORDS {
        return None;
    }
    let mut live = BitRows::new(ops.len(), &vec![0; behind.len()]);
    let mut here = behind.to_vec();
    for _ in 0..MOST_WORK / pass {
        let mut changed = false;
        for row in (0..ops.len()).rev() {
            space::cancel::poll();
            match &ops[row] {
                DStepOp::Done => here.copy_from_slice(behind),
                DStepOp::Jump(to) => here.copy_from_slice(live.row(*to as usize)),
                DStepOp::Do { .. } => {
                    here.copy_from_slice(live.row(row + 1));
                    effects[row].step_back(&mut here);
                }
                // A fault: nothing comes behind it.
                DStepOp::Blocked => here.fill(0),
            }
            if let DStepOp::Do {
                otherwise: Some(to),
                ..
            } = &ops[row]
            {
                join(&mut here, live.row(*to as usize));
            }
            changed |= live.join(row, &here);
        }
        if !changed {
            return Some(live.row(0).to_vec());
        }
    }
    None
}

/// A set of cells as bits.
fn packed(set: &CellSet) -> Vec<u64> {
    let mut bits = vec![0; set.len().div_ceil(64)];
    for row in (0..set.len()).filter(|&row| set[row]) {
        insert(&mut bits, row as u32);
    }
    bits
}

fn insert(set: &mut Bits, row: u32) {
    set[row as usize / 64] |= 1 << (row % 64);
}

fn has(set: &Bits, row: usize) -> bool {
    set[row / 64] >> (row % 64) & 1 != 0
}

/// The rows of the cells of a set.
fn rows_of(set: &Bits) -> impl Iterator<Item = u32> {
    let words = set.iter().enumerate();
    words.flat_map(|(word, &bits)| ones(word, bits).map(|row| row as u32))
}

/// The bits of a word of a set, as rows of cells.
fn ones(word: usize, mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(word * 64 + bit)
    })
}

/// Add one set to another; whether it grew.
fn join(set: &mut Bits, more: &Bits) -> bool {
    let mut grew = false;
    for (here, &there) in set.iter_mut().zip(more) {
        grew |= there & !*here != 0;
        *here |= there;
    }
    grew
}
