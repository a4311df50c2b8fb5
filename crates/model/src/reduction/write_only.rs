//! Removal of write-only variables: a variable whose values have no effect is never written.
//!
//! A cell is needed if something that matters reads it: a condition, an assertion, a
//! message, an index, a claim, a remote reference, an expression that can fail, or an
//! assignment to a cell that is needed itself. All others are removed: assignments and
//! receives to them go nowhere, and their first values and the arguments for them are 0.
//! So they are 0 in every state.
//!
//! Why it is sound: the values of needed cells are computed from needed cells alone, and
//! everything that decides what is executable, what is violated and what is sent reads only
//! these. An assignment that goes nowhere is still a step, and still fails if its right side
//! or an index does. So both models have the same steps, and their states agree but for the
//! removed cells.
//!
//! What stays: hidden variables; variables that hold a channel of their own; and global
//! variables of a model with properties in formulas or claims, which are not all written
//! down in the model.

use super::cells::{CellSet, Cells};
use super::{Footprint, discard, discard_arguments, executed};
use crate::formula::{LivenessKind, LivenessProperty};
use crate::ids::{ExprId, PlaceId, ProctypeId};
use crate::layout::{Base, Place, Scalar};
use crate::model::{Action, DStepOp, Initialiser, Model, RecvArg};

/// Where a value goes.
#[derive(Clone, Copy)]
enum Target {
    /// To `_`.
    Nowhere,
    /// To a global cell.
    Global(usize),
    /// To a cell of a frame.
    Frame(ProctypeId, usize),
    /// To something that is no variable.
    Other,
}

/// A set of cells, of the globals and of all frames.
struct VariableSet {
    global_cells: Cells,
    globals: CellSet,
    frame_cells: Vec<Cells>,
    frames: Vec<CellSet>,
    /// Something came in.
    grew: bool,
}

/// Remove variables that are written but never read. Returns their number.
pub fn remove_write_only(model: &mut Model) -> usize {
    let mut needed = VariableSet::needed_anyhow(model);
    needed.grew = true;
    while needed.grew {
        needed.grew = false;
        needed.grow(model);
    }
    Removal {
        written: VariableSet::empty(model),
        needed,
    }
    .run(model)
}

impl VariableSet {
    fn empty(model: &Model) -> VariableSet {
        let global_cells = Cells::new(&model.globals);
        let frame_cells: Vec<Cells> = (model.proctypes.iter())
            .map(|proctype| Cells::new(&proctype.variables))
            .collect();
        VariableSet {
            globals: vec![false; global_cells.len()],
            frames: frame_cells.iter().map(|c| vec![false; c.len()]).collect(),
            global_cells,
            frame_cells,
            grew: false,
        }
    }

    /// What is needed whatever the statements are.
    fn needed_anyhow(model: &Model) -> VariableSet {
        let mut needed = VariableSet::empty(model);
        let observes = |p: &LivenessProperty| p.kind != LivenessKind::Acceptance;
        let stated = model.liveness.iter().any(observes);
        for row in 0..needed.global_cells.len() {
            let hidden = needed.global_cells.get(row).offset < model.layout.hidden;
            needed.globals[row] = hidden || stated;
        }
        needed.keep_channels(&model.global_inits, None);
        for id in (0..model.proctypes.len() as u32).map(ProctypeId) {
            needed.keep_channels(&model.proctype(id).inits, Some(id));
            let observed = needed.frame_cells[id.index()].observed(model, id);
            needed.frames[id.index()] = (needed.frames[id.index()].iter().zip(observed))
                .map(|(a, b)| *a || b)
                .collect();
            let proctype = model.proctype(id);
            if let Some(provided) = proctype.provided {
                needed.read(model, id, &Footprint::of_expr(model, provided));
            }
            for claim in &proctype.claims {
                needed.read(model, id, &Footprint::of_load(model, claim.channel));
            }
        }
        if let Some(trace) = &model.event_trace {
            for event in &trace.events {
                needed.read(model, trace.proctype, &Footprint::of_event(model, event));
            }
        }
        needed
    }

    fn keep_channels(&mut self, inits: &[Initialiser], frame: Option<ProctypeId>) {
        for init in inits {
            if let Initialiser::Channel { offset, .. } = init {
                self.insert(self.target_at(*offset, frame));
            }
        }
    }

    /// Where a byte of the globals or of a frame belongs.
    fn target_at(&self, offset: u32, frame: Option<ProctypeId>) -> Target {
        match frame {
            None => (self.global_cells.at(offset)).map_or(Target::Other, Target::Global),
            Some(id) => (self.frame_cells[id.index()].at(offset))
                .map_or(Target::Other, |row| Target::Frame(id, row)),
        }
    }

    fn target(&self, model: &Model, id: ProctypeId, place: PlaceId) -> Target {
        let place = model.place(place);
        match place.base {
            Base::Nowhere => Target::Nowhere,
            Base::Global => self.target_at(place.offset, None),
            Base::Frame => self.target_at(place.offset, Some(id)),
        }
    }

    fn contains(&self, target: Target) -> bool {
        match target {
            Target::Nowhere => false,
            Target::Global(row) => self.globals[row],
            Target::Frame(id, row) => self.frames[id.index()][row],
            Target::Other => true,
        }
    }

    fn insert(&mut self, target: Target) {
        let cell = match target {
            Target::Global(row) => &mut self.globals[row],
            Target::Frame(id, row) => &mut self.frames[id.index()][row],
            Target::Nowhere | Target::Other => return,
        };
        self.grew |= !*cell;
        *cell = true;
    }

    fn len(&self) -> usize {
        let sets = self.frames.iter().chain([&self.globals]);
        sets.flatten().filter(|&&is_in| is_in).count()
    }

    /// Everything that a footprint reads is needed.
    fn read(&mut self, model: &Model, id: ProctypeId, footprint: &Footprint) {
        for &place in &footprint.reads {
            self.insert(self.target(model, id, place));
        }
        for &(proctype, place) in &footprint.remote_reads {
            self.insert(self.target(model, proctype, place));
        }
    }

    /// An expression whose value goes to a target.
    fn flow(&mut self, model: &Model, id: ProctypeId, expr: ExprId, target: Target) {
        let footprint = Footprint::of_expr(model, expr);
        if footprint.may_fail || self.contains(target) {
            self.read(model, id, &footprint);
        }
    }

    /// Add what the statements and first values need, given what is needed so far.
    fn grow(&mut self, model: &Model) {
        for transition in &model.transitions {
            let id = transition.proctype;
            self.grow_by(model, id, &transition.action);
            if let Action::DStep(row) = transition.action {
                let dstep = &model.dsteps[row as usize];
                let actions = dstep.ops.iter().filter_map(|op| match op {
                    DStepOp::Do { action, .. } => Some(action),
                    _ => None,
                });
                for action in actions.chain(&dstep.guards) {
                    self.grow_by(model, id, action);
                }
            }
        }
        self.grow_by_inits(model, ProctypeId(0), &model.global_inits, None);
        for id in executed(model) {
            self.grow_by_inits(model, id, &model.proctype(id).inits, Some(id));
        }
    }

    fn grow_by_inits(
        &mut self,
        model: &Model,
        id: ProctypeId,
        inits: &[Initialiser],
        frame: Option<ProctypeId>,
    ) {
        for init in inits {
            if let Initialiser::Value { offset, value, .. } = init {
                self.flow(model, id, *value, self.target_at(*offset, frame));
            }
        }
    }

    fn grow_by(&mut self, model: &Model, id: ProctypeId, action: &Action) {
        let mut rest = Footprint::default();
        match action {
            Action::Assign(place, expr) => {
                self.flow(model, id, *expr, self.target(model, id, *place));
                rest.add_store(model, *place);
            }
            Action::Run(spec, place, expr) => {
                let params = &model.proctype(spec.proctype).params;
                for (arg, (offset, _)) in spec.args.iter().zip(params) {
                    let target = self.target_at(*offset, Some(spec.proctype));
                    self.flow(model, id, *arg, target);
                }
                match place {
                    Some(place) => {
                        self.flow(model, id, *expr, self.target(model, id, *place));
                        rest.add_store(model, *place);
                    }
                    // It is waited for.
                    None => rest.add_expr(model, *expr),
                }
            }
            // Looked at statement by statement.
            Action::DStep(_) => {}
            _ => rest.add_action(model, action),
        }
        self.read(model, id, &rest);
    }
}

/// The removal of all cells that are not needed.
struct Removal {
    needed: VariableSet,
    /// Cells that would have been written.
    written: VariableSet,
}

impl Removal {
    fn run(mut self, model: &mut Model) -> usize {
        let ids = executed(model);
        for row in 0..model.transitions.len() {
            let id = model.transitions[row].proctype;
            if !ids.contains(&id) {
                continue;
            }
            let mut action = model.transitions[row].action.clone();
            if let Action::DStep(row) = action {
                self.rewrite_dstep(model, id, row);
            }
            self.rewrite(model, id, &mut action);
            model.transitions[row].action = action;
        }
        let mut inits = std::mem::take(&mut model.global_inits);
        self.rewrite_inits(model, &mut inits, None);
        model.global_inits = inits;
        for id in ids {
            let mut inits = std::mem::take(&mut model.proctypes[id.index()].inits);
            self.rewrite_inits(model, &mut inits, Some(id));
            model.proctypes[id.index()].inits = inits;
            let params = model.proctype(id).params.iter();
            let targets: Vec<Target> = params
                .map(|(offset, _)| self.needed.target_at(*offset, Some(id)))
                .collect();
            let removed: Vec<usize> = (0..targets.len())
                .filter(|&position| self.is_removed(targets[position]))
                .collect();
            discard_arguments(model, id, &removed);
        }
        self.written.len()
    }

    /// Whether something is not written any more; it is counted then.
    fn is_removed(&mut self, target: Target) -> bool {
        let removed = !self.needed.contains(target);
        if removed {
            self.written.insert(target);
        }
        removed
    }

    fn rewrite_dstep(&mut self, model: &mut Model, id: ProctypeId, row: u32) {
        let mut dstep = std::mem::take(&mut model.dsteps[row as usize]);
        let actions = dstep.ops.iter_mut().filter_map(|op| match op {
            DStepOp::Do { action, .. } => Some(action),
            _ => None,
        });
        for action in actions.chain(&mut dstep.guards) {
            self.rewrite(model, id, action);
        }
        model.dsteps[row as usize] = dstep;
    }

    fn rewrite(&mut self, model: &mut Model, id: ProctypeId, action: &mut Action) {
        match action {
            Action::Assign(place, expr) | Action::Run(_, Some(place), expr)
                if self.is_removed(self.needed.target(model, id, *place)) =>
            {
                *place = nowhere(model, *place);
                *expr = discard(model, *expr);
            }
            Action::Receive { args, .. } => {
                for arg in args {
                    if let RecvArg::Store(place) = arg
                        && self.is_removed(self.needed.target(model, id, *place))
                    {
                        *place = nowhere(model, *place);
                    }
                }
            }
            _ => {}
        }
    }

    fn rewrite_inits(
        &mut self,
        model: &mut Model,
        inits: &mut [Initialiser],
        frame: Option<ProctypeId>,
    ) {
        for init in inits {
            if let Initialiser::Value { offset, value, .. } = init
                && self.is_removed(self.needed.target_at(*offset, frame))
            {
                *value = discard(model, *value);
            }
        }
    }
}

/// A place that takes no value. Where an index can fail it must still be looked at, which
/// is not done for `_`: then the place stays where it is, with a scalar of no bits, and what
/// is written there is always 0.
fn nowhere(model: &mut Model, place: PlaceId) -> PlaceId {
    let mut store = Footprint::default();
    store.add_store(model, place);
    let old = model.place(place);
    let new = if store.may_fail {
        Place {
            scalar: Scalar::Unsigned(0),
            ..old.clone()
        }
    } else {
        Place {
            base: Base::Nowhere,
            offset: 0,
            indices: Vec::new(),
            scalar: old.scalar,
        }
    };
    model.places.push(new);
    PlaceId(model.places.len() as u32 - 1)
}
