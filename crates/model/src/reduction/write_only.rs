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

use super::cells::{CellSet, Cells, RemoteReads};
use super::{Discarded, Footprint, executed, starts_by_proctype};
use crate::formula::{LivenessKind, LivenessProperty};
use crate::ids::{ExprId, PlaceId, ProctypeId};
use crate::layout::{Base, Place, Scalar};
use crate::model::{Action, DStepOp, Initialiser, Model, RecvArg};

/// Where a value goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    /// What came in and was not looked at yet.
    open: Vec<Target>,
}

/// Variables that are needed if another one is.
#[derive(Default)]
struct Flows {
    /// The target, and where in `sources` begins what it is computed from.
    targets: Vec<(Target, usize)>,
    sources: Vec<Target>,
}

impl Flows {
    fn add(&mut self, target: Target, sources: impl Iterator<Item = Target>) {
        self.targets.push((target, self.sources.len()));
        self.sources.extend(sources);
    }

    /// What the target of a row is computed from.
    fn sources(&self, row: usize) -> &[Target] {
        let end = self
            .targets
            .get(row + 1)
            .map_or(self.sources.len(), |t| t.1);
        &self.sources[self.targets[row].1..end]
    }

    /// The rows in the order of their targets.
    fn by_target(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.targets.len()).collect();
        rows.sort_unstable_by_key(|&row| self.targets[row].0);
        rows
    }
}

/// Remove variables that are written but never read. Returns their number.
pub fn remove_write_only(model: &mut Model) -> usize {
    let mut needed = VariableSet::needed_anyhow(model);
    let flows = needed.flows(model);
    needed.grow(&flows);
    Removal {
        written: VariableSet::empty(model),
        needed,
        discarded: Discarded::default(),
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
            open: Vec::new(),
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
        let remote = RemoteReads::new(model);
        for id in (0..model.proctypes.len() as u32).map(ProctypeId) {
            needed.keep_channels(&model.proctype(id).inits, Some(id));
            let observed = needed.frame_cells[id.index()].observed(model, &remote, id);
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
        if !std::mem::replace(cell, true) {
            self.open.push(target);
        }
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
    fn flow(
        &mut self,
        model: &Model,
        id: ProctypeId,
        expr: ExprId,
        target: Target,
        flows: &mut Flows,
    ) {
        space::cancel::poll();
        let footprint = Footprint::of_expr(model, expr);
        if footprint.may_fail || self.contains(target) {
            self.read(model, id, &footprint);
        } else {
            let own = footprint.reads.iter().map(|&place| (id, place));
            let read = own.chain(footprint.remote_reads.iter().copied());
            flows.add(
                target,
                read.map(|(id, place)| self.target(model, id, place)),
            );
        }
    }

    /// Add what is needed because it is computed from.
    fn grow(&mut self, flows: &Flows) {
        let rows = flows.by_target();
        for start in 0..flows.targets.len() {
            // It may have come in after the flow was noted.
            if self.contains(flows.targets[start].0) {
                self.open.push(flows.targets[start].0);
            }
        }
        let mut is_done = vec![false; flows.targets.len()];
        while let Some(target) = self.open.pop() {
            space::cancel::poll();
            let first = rows.partition_point(|&row| flows.targets[row].0 < target);
            let own = rows[first..].iter();
            for &row in own.take_while(|&&row| flows.targets[row].0 == target) {
                if std::mem::replace(&mut is_done[row], true) {
                    break;
                }
                for &source in flows.sources(row) {
                    self.insert(source);
                }
            }
        }
    }

    /// Add what the statements and first values need anyhow. What they need if something else is
    /// needed.
    fn flows(&mut self, model: &Model) -> Flows {
        let mut flows = Flows::default();
        for transition in &model.transitions {
            let id = transition.proctype;
            self.grow_by(model, id, &transition.action, &mut flows);
            if let Action::DStep(row) = transition.action {
                let dstep = &model.dsteps[row as usize];
                let actions = dstep.ops.iter().filter_map(|op| match op {
                    DStepOp::Do { action, .. } => Some(action),
                    _ => None,
                });
                for action in actions.chain(&dstep.guards) {
                    self.grow_by(model, id, action, &mut flows);
                }
            }
        }
        self.grow_by_inits(model, ProctypeId(0), &model.global_inits, None, &mut flows);
        for id in executed(model) {
            let inits = &model.proctype(id).inits;
            self.grow_by_inits(model, id, inits, Some(id), &mut flows);
        }
        flows
    }

    fn grow_by_inits(
        &mut self,
        model: &Model,
        id: ProctypeId,
        inits: &[Initialiser],
        frame: Option<ProctypeId>,
        flows: &mut Flows,
    ) {
        for init in inits {
            if let Initialiser::Value { offset, value, .. } = init {
                self.flow(model, id, *value, self.target_at(*offset, frame), flows);
            }
        }
    }

    fn grow_by(&mut self, model: &Model, id: ProctypeId, action: &Action, flows: &mut Flows) {
        let mut rest = Footprint::default();
        match action {
            Action::Assign(place, expr) => {
                self.flow(model, id, *expr, self.target(model, id, *place), flows);
                rest.add_store(model, *place);
            }
            Action::Run(spec, place, expr) => {
                let params = &model.proctype(spec.proctype).params;
                for (arg, (offset, _)) in spec.args.iter().zip(params) {
                    let target = self.target_at(*offset, Some(spec.proctype));
                    self.flow(model, id, *arg, target, flows);
                }
                match place {
                    Some(place) => {
                        self.flow(model, id, *expr, self.target(model, id, *place), flows);
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
    discarded: Discarded,
}

impl Removal {
    fn run(mut self, model: &mut Model) -> usize {
        let ids = executed(model);
        let mut is_executed = vec![false; model.proctypes.len()];
        for id in &ids {
            is_executed[id.index()] = true;
        }
        for row in 0..model.transitions.len() {
            let id = model.transitions[row].proctype;
            if !is_executed[id.index()] {
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
        let starts = starts_by_proctype(model);
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
            let starts = &starts[id.index()];
            self.discarded.replace_arguments(model, starts, &removed);
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
                *expr = self.discarded.replace(model, *expr);
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
                *value = self.discarded.replace(model, *value);
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
