//! Which processes may interfere with what others are about to do.
//!
//! For each transition of each process it is worked out what it uses of what others use too:
//! global bytes, the two ends of channels, rendezvous channels, other processes. Two transitions
//! of different processes *clash* if, where both can be taken, one disables the other or the order
//! makes a difference. A transition that cannot be taken *waits* for those that may make it
//! possible. Transitions in an atomic sequence count for the one that begins it.
//!
//! Follows: [002 §4.2], the relations D (`clashes`) and E: two ends of processes are never both
//! possible, nor is a `timeout` beside anything else.
//!
//! Departs:
//! - Two transitions clash only if they do where both are possible. Sending to a channel and
//!   receiving from it do not: so exclusive channels need not be declared.
//! - What another process may do counts only as long as it may still come to it: a process
//!   beyond its initialisation no longer clashes with those who read what was initialised.
//! - Where an index or a channel is the same in all states of a process, only the element and
//!   the channel that it stands for are used, see [`crate::instance`]. So what is known depends
//!   on the processes of a vector, and is worked out when a vector with others comes up.
//!
//! # Listening
//!
//! Whether somebody listens on a rendezvous channel decides whether a send is possible, and
//! sometimes more: a send that nobody takes opens the way to an `else` beside it and to the
//! statement that it is an escape of, and in an atomic sequence it costs control. Such transitions
//! *watch* the channel, and those that *turn* it clash with them: the transitions of the listener
//! itself, and whatever else decides whether it can receive (`listening`). This is
//! the correction of [001 ch. 3 §4], made for the channel that is watched instead of all.
//! [`Correction`] says when it applies.

mod asks;
mod bits;
mod concern;
mod cycles;
mod guards;
mod guessed;
mod heard;
mod lasting;
mod listening;
mod nameless;
mod present;
mod private;
mod relations;
mod separate;
mod sequence;
mod settled;
mod strangers;
mod table;
mod uses;
mod visibility;

use space::{PidSet, Row, TransitionId};

use crate::expr::Expr;
use crate::flow::Backwards;
use crate::formula::LtlProperty;
use crate::ids::ExprId;
use crate::instance::Writes;
use crate::model::{
    Action, ControlState, DStepOp, Initialiser, Model, ProcessKind, RecvArg, Transition,
};
use crate::reduction::Footprint;
use concern::Meeting;
use nameless::Names;
use private::Privacy;
use settled::Settling;
use uses::{Sizes, Uses};
use visibility::Visibility;

pub use nameless::Likeness;
pub use separate::separate;
pub use table::Table;

/// Nothing is said about vectors with more processes.
const MOST_PROCESSES: usize = 64;
/// So many tables are kept.
const MOST_KEPT: usize = 64;
/// When so many were made, nothing more is said.
const MOST_MADE: usize = 2_000;
/// Nothing is said about vectors that take more words to say what the transitions use.
const MOST_WORDS: usize = 1 << 22;
/// Nor about those with more pairs to compare: of transitions that differ in what they use, and with
/// control states from which processes may come to them.
const MOST_PAIRS: usize = 1 << 26;
/// A vector with too many pairs counts for so many tables, since that takes time to find out.
const LOST: usize = MOST_MADE / 10;

/// When a process that begins or ceases to listen clashes with one that watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// As long as there is a process with such a statement, wherever it is: what [001] calls
    /// the static solution, decided before the model moves.
    Static,
    /// As long as a process may still come to such a statement.
    ///
    /// Departs: [001]'s dynamic solution asks whether a process is at such a statement, and
    /// misses those that come to it before the other one listens.
    #[default]
    Dynamic,
}

/// How much must be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// What processes can do, in which order.
    Plain,
    /// Also which processes can move in the states of an execution: transitions that change that
    /// for the same process clash.
    ///
    /// Follows: [002 §4.1], Lemmas 4.1 and 4.2, with whether each process can move as a component
    /// of its own. This contains what [001 ch. 3 §5] corrects. Since nobody waits for ever in
    /// an execution that is fair, steps that the same part of a formula sees clash instead of being kept out of
    /// ample sets, but for those on cycles of control flow, which have to break these anyway.
    Fair,
}

/// What a property looks at.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The expressions that it is made of.
    pub atoms: Vec<ExprId>,
    /// The same by the parts of a formula, see [`separate`].
    pub parts: Vec<Vec<ExprId>>,
    /// Whether it looks at accept labels.
    pub accept: bool,
    /// Whether it looks at progress labels.
    pub progress: bool,
}

impl Observed {
    /// What a formula looks at.
    pub fn of_formula(property: &LtlProperty) -> Observed {
        let expr = |row: &u32| property.atoms[*row as usize].expr;
        let parts = separate(&property.formula);
        Observed {
            atoms: property.atoms.iter().map(|atom| atom.expr).collect(),
            parts: (parts.iter().map(|part| part.iter().map(expr).collect())).collect(),
            ..Observed::default()
        }
    }
}

/// Finds out about processes.
#[derive(Clone, Debug)]
pub struct Dependency {
    correction: Correction,
    strictness: Strictness,
    writes: Writes,
    /// The transitions of each proctype, and the place of each transition among them.
    transitions: Vec<Vec<u32>>,
    slots: Vec<u32>,
    /// Proctypes whose processes others look at.
    exposed: Vec<bool>,
    privacy: Vec<Privacy>,
    settling: Settling,
    /// What depends on the numbers of processes.
    names: Names,
    /// The proctypes that claim channels, and whether processes of a proctype are ever started.
    claimants: Vec<usize>,
    started: Vec<bool>,
    /// Whether messages may come into a channel before others.
    sorts: bool,
    /// What processes of each proctype use; worked out with the first table.
    strangers: Vec<Uses>,
    /// Whether the property may see a transition, which may not be in an ample set then.
    visible: Vec<bool>,
    /// For each part of a formula the transitions that it sees, where these clash instead.
    seen: Vec<Vec<bool>>,
    /// Whether a transition breaks cycles of control flow.
    sticky: Vec<bool>,
    /// Whether a transition waits for a timeout.
    timeouts: Vec<bool>,
    tables: Vec<Table>,
    made: usize,
    keeps_uses: bool,
    keeps_relations: bool,
}

impl Dependency {
    /// Look at a model, or name what makes all of its steps dependent.
    pub fn new(
        model: &Model,
        observed: &Observed,
        strictness: Strictness,
        correction: Correction,
    ) -> Result<Dependency, Obstacle> {
        let matters =
            |obstacle: &Obstacle| *obstacle != Obstacle::Timeout || strictness == Strictness::Fair;
        if let Some(obstacle) = obstacles(model, observed).into_iter().find(matters) {
            return Err(obstacle);
        }
        let (visible, seen) = match strictness {
            Strictness::Plain => (
                Visibility::new(model, observed).of_transitions(),
                Vec::new(),
            ),
            Strictness::Fair => visibility::by_parts(model, observed),
        };
        let writes = Writes::of_statements(model);
        let privacy = Privacy::of_proctypes(model, &writes);
        let mut found = Dependency {
            correction,
            strictness,
            names: match strictness {
                Strictness::Plain => Names::new(model, observed, &privacy),
                Strictness::Fair => Names::All,
            },
            privacy,
            settling: Settling::new(model),
            writes,
            transitions: vec![Vec::new(); model.proctypes.len()],
            slots: Vec::new(),
            exposed: vec![false; model.proctypes.len()],
            claimants: (model.proctypes.iter().enumerate())
                .filter(|(_, proctype)| !proctype.claims.is_empty())
                .map(|(kind, _)| kind)
                .collect(),
            started: vec![false; model.proctypes.len()],
            sorts: model.transitions.iter().any(sorts),
            strangers: Vec::new(),
            sticky: with_sequels(model, &cycles::sticky(model, &visible)),
            visible,
            seen,
            timeouts: Vec::new(),
            tables: Vec::new(),
            made: 0,
            keeps_uses: false,
            keeps_relations: false,
        };
        for (row, transition) in model.transitions.iter().enumerate() {
            found.add(model, row as u32, transition);
        }
        for footprint in footprints(model) {
            let labels = footprint.remote_labels.iter().map(|(kind, _)| kind);
            let variables = footprint.remote_reads.iter().map(|(kind, _)| kind);
            for kind in labels.chain(variables) {
                found.exposed[kind.index()] = true;
            }
        }
        Ok(found)
    }

    fn add(&mut self, model: &Model, row: u32, transition: &Transition) {
        space::cancel::poll();
        let kind = transition.proctype.index();
        self.slots.push(self.transitions[kind].len() as u32);
        self.transitions[kind].push(row);
        self.timeouts.push(has_timeout(model, &transition.action));
        for kind in started(model, &transition.action) {
            self.started[kind] = true;
        }
    }

    /// Whether a vector has few enough processes and transitions to be looked at.
    fn is_affordable(&self, model: &Model, state: &[u8]) -> bool {
        let (mut processes, mut transitions, mut states) = (0, 0, 0);
        let mut frame = model.layout.frames;
        while (frame as usize) < state.len() && processes <= MOST_PROCESSES {
            let kind = usize::from(model.layout.head(state, frame).kind);
            processes += 1;
            transitions += self.transitions[kind].len();
            states += model.proctypes[kind].states.len();
            frame += model.proctypes[kind].frame_size;
        }
        let started = self.transitions.iter().zip(&self.started);
        let strangers: usize = (started.filter(|(_, started)| **started))
            .map(|(transitions, _)| transitions.len())
            .sum();
        let kinds = model.proctypes.len();
        processes <= MOST_PROCESSES
            && (transitions + states + strangers + kinds) * Sizes::new(model).words() <= MOST_WORDS
    }

    /// How somebody who watches meets somebody who listens.
    fn overhearing(&self) -> Meeting {
        match self.correction {
            Correction::Static => Meeting::Ever,
            Correction::Dynamic => Meeting::Some,
        }
    }

    /// Look where the processes of a free node are. Whether something is known about them.
    #[inline]
    pub fn locate(&mut self, model: &Model, state: &[u8]) -> bool {
        let first = self.tables.first_mut();
        first.is_some_and(|table| table.locate(model, state)) || self.look_elsewhere(model, state)
    }

    /// What tells the processes that were located, and their places, from others.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = u32> {
        self.tables[0].places()
    }

    /// Evaluate the parts of guards that matter at the places of the processes that were located.
    /// What comes of it, as numbers.
    #[inline]
    pub fn test_guards(&mut self, model: &Model, state: &[u8]) -> &[u32] {
        self.tables[0].test_guards(model, state)
    }

    /// Whether all that matters about a vector is in what its processes need, process by process.
    pub fn is_told_by_processes(&self) -> bool {
        !self.settling.matters()
    }

    /// Append what matters about a process of a free node, apart from its steps: the number of the table
    /// that is used, where the process is, which parts of its guards are false, and the bytes of its frame
    /// on which the table rests. Whether something is known about the processes of the node.
    pub fn describe(
        &mut self,
        model: &Model,
        state: &[u8],
        pid: usize,
        out: &mut Vec<u32>,
    ) -> bool {
        let is_known = self.locate(model, state);
        if is_known {
            self.tables[0].describe(model, state, pid, out);
        }
        is_known
    }

    /// Look where the processes of a free node are, by the table of this number, though another one may
    /// speak of them, too. Whether that is possible: the table may have been dropped.
    pub fn locate_by(&mut self, serial: usize, model: &Model, state: &[u8]) -> bool {
        let Some(row) = (self.tables.iter()).position(|table| table.serial() == serial) else {
            return false;
        };
        self.tables[..=row].rotate_right(1);
        self.tables[0].locate(model, state)
    }

    /// Look at all steps of the node whose processes were located. Whether something can be said
    /// about them.
    pub fn look(&mut self, rows: &[Row]) -> bool {
        let table = &mut self.tables[0];
        table.next_state();
        for row in rows.iter().filter(|row| !row.has(Row::OFFER)) {
            if self.timeouts[row.transition as usize] {
                return false;
            }
            table.enable(row.pid, self.slots[row.transition as usize]);
            if row.has(Row::HANDSHAKE) {
                table.enable(row.partner, self.slots[row.partner_transition as usize]);
            }
        }
        true
    }

    /// Whether [`Dependency::independent`] will be asked. Whoever does wants the same states in either
    /// order, and not states that are alike.
    pub fn keep_uses(&mut self, keeps: bool) {
        self.keeps_uses = keeps;
        if keeps {
            self.names = Names::All;
        }
    }

    /// Whether states count as the same that are alike, because the numbers of processes do not matter.
    pub fn likeness(&self, model: &Model) -> Option<Likeness> {
        (self.names != Names::All).then(|| Likeness::new(model, &self.privacy))
    }

    /// Add to the transitions that were taken what an order may have left out that makes no difference to
    /// anybody else: that a process at its end leaves.
    pub fn add_ends(&self, model: &Model, taken: &mut [bool]) {
        if self.names != Names::All {
            nameless::add_ends(model, taken);
        }
    }

    /// Whether there may be too many processes, as far as can be told.
    pub fn starts_endlessly(&self) -> bool {
        self.names == Names::Count
    }

    /// Whether [`Table::close`] will be asked. With the static solution it cannot be.
    pub fn keep_relations(&mut self, keeps: bool) {
        self.keeps_relations = keeps && self.correction == Correction::Dynamic;
    }

    /// The processes that are independent of a step of the node looked at last, whose steps are
    /// `rows`: behind it they have the same transitions to take, and these and the step lead to
    /// the same state in either order.
    pub fn independent(&self, step: &Row, rows: &[Row]) -> PidSet {
        match step.has(Row::OFFER) {
            true => PidSet::EMPTY,
            false => self.tables[0].independent(step, rows, &self.slots),
        }
    }

    /// What the processes of the node looked at last have to do with each other.
    #[inline]
    pub fn table(&mut self) -> &mut Table {
        &mut self.tables[0]
    }

    /// Look into the other tables, or make one.
    #[cold]
    fn look_elsewhere(&mut self, model: &Model, state: &[u8]) -> bool {
        for row in 1..self.tables.len() {
            if self.tables[row].locate(model, state) {
                self.tables[..=row].rotate_right(1);
                return true;
            }
        }
        if self.made == MOST_MADE || !self.is_affordable(model, state) {
            return false;
        }
        self.made += 1;
        if self.strangers.is_empty() {
            self.strangers = strangers::strangers(self, model, state);
        }
        let Some(mut table) = Table::new(self, model, state) else {
            self.made = (self.made + LOST).min(MOST_MADE);
            return false;
        };
        let located = table.locate(model, state);
        self.tables.truncate(MOST_KEPT - 1);
        self.tables.insert(0, table);
        located
    }
}

/// Something in a model or a property that involves all processes at once, so that no step can be
/// called independent of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Process priorities.
    Priorities,
    /// The variable `_last`.
    Last,
    /// The function `enabled()`.
    Enabled,
    /// The function `pc_value()`.
    PcValue,
    /// The condition `timeout`: it matters where fairness does.
    Timeout,
    /// An atom of the property that any step may change.
    GlobalAtom,
}

/// The obstacles in a model, and in what is observed of it.
pub fn obstacles(model: &Model, observed: &Observed) -> Vec<Obstacle> {
    let uses = |test: fn(&Expr) -> bool| model.exprs.iter().any(test);
    let sees_the_world = |&atom: &ExprId| sees_the_world(model, atom);
    let found = [
        (Obstacle::Priorities, model.layout.priorities),
        (Obstacle::Last, model.layout.last.is_some()),
        (Obstacle::Enabled, uses(|e| matches!(e, Expr::Enabled(_)))),
        (Obstacle::PcValue, uses(|e| matches!(e, Expr::PcValue(_)))),
        (Obstacle::Timeout, uses(|e| *e == Expr::Timeout)),
        (
            Obstacle::GlobalAtom,
            observed.atoms.iter().any(sees_the_world),
        ),
    ];
    let found = found.into_iter().filter(|(_, there)| *there);
    found.map(|(obstacle, _)| obstacle).collect()
}

/// Whether an atom asks for something that any step may change.
fn sees_the_world(model: &Model, atom: ExprId) -> bool {
    model.any_part(atom, |expr| {
        matches!(
            expr,
            Expr::ProcessCount | Expr::Timeout | Expr::NonProgress | Expr::Enabled(_)
        )
    })
}

/// What processes touch: by their statements, by the first values of their variables, and by the
/// clauses that say when they may move.
fn footprints(model: &Model) -> Vec<Footprint> {
    let executed = (model.transitions.iter()).filter(|t| is_executed(model, t));
    let statements = executed.map(|t| Footprint::of_action(model, &t.action));
    let clauses = model.proctypes.iter().flat_map(|proctype| {
        let values = proctype.inits.iter().filter_map(|init| match init {
            Initialiser::Value { value, .. } => Some(*value),
            Initialiser::Channel { .. } => None,
        });
        values.chain(proctype.provided)
    });
    let clauses = clauses.map(|expr| Footprint::of_expr(model, expr));
    statements.chain(clauses).collect()
}

/// The statements that one is made of: those of a `d_step`, or itself.
fn statements<'a>(model: &'a Model, action: &'a Action) -> Vec<&'a Action> {
    let Action::DStep(row) = action else {
        return vec![action];
    };
    let dstep = &model.dsteps[*row as usize];
    let ops = dstep.ops.iter().filter_map(|op| match op {
        DStepOp::Do { action, .. } => Some(action),
        _ => None,
    });
    let actions = dstep.guards.iter().chain(ops);
    actions
        .flat_map(|action| statements(model, action))
        .collect()
}

/// The expressions of a statement that may look at processes.
fn exprs(model: &Model, action: &Action) -> Vec<ExprId> {
    let of_one = |action: &Action| match action {
        Action::Guard(expr) | Action::Assert(expr, _) | Action::Assign(_, expr) => vec![*expr],
        Action::Run(spec, _, expr) => spec.args.iter().copied().chain([*expr]).collect(),
        Action::Send { args, .. } => args.clone(),
        Action::Receive { args, .. } => (args.iter())
            .filter_map(|arg| match arg {
                RecvArg::Match(expr) => Some(*expr),
                RecvArg::Store(_) => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let parts = statements(model, action).into_iter();
    parts.flat_map(of_one).collect()
}

/// The proctypes of which a statement starts processes.
fn started<'a>(model: &'a Model, action: &'a Action) -> impl Iterator<Item = usize> {
    let parts = statements(model, action).into_iter();
    parts.filter_map(|action| match action {
        Action::Run(spec, ..) => Some(spec.proctype.index()),
        _ => None,
    })
}

/// Whether a statement looks at `timeout`.
fn has_timeout(model: &Model, action: &Action) -> bool {
    let is_timeout = |expr: &Expr| *expr == Expr::Timeout;
    (exprs(model, action).iter()).any(|&expr| model.any_part(expr, is_timeout))
}

/// For each transition whether it is marked, or the atomic sequence that it begins has one that
/// is. A message that is offered inside the sequence may be taken by any marked receive, of a process
/// that could not move before: where the sequence begins with an offer, its receiver can.
fn with_sequels(model: &Model, marked: &[bool]) -> Vec<bool> {
    let may_be_taken = |found: &[bool]| {
        let mut pairs = model.transitions.iter().zip(found);
        model.has_handshakes()
            && pairs.any(|(transition, found)| *found && may_receive(model, &transition.action))
    };
    let alone = sequels(model, marked, false);
    match may_be_taken(&alone) {
        true => sequels(model, marked, true),
        false => alone,
    }
}

/// The same, where sends inside a sequence are marked or not.
fn sequels(model: &Model, marked: &[bool], sends: bool) -> Vec<bool> {
    let is_marked = |row: TransitionId| {
        let is_send = || matches!(model.transition(row).action, Action::Send { .. });
        marked[row.0 as usize] || sends && is_send()
    };
    let mut found = marked.to_vec();
    // Where the options or the sequence that they begin have a marked one.
    let near: Vec<Vec<bool>> = (model.proctypes.iter())
        .map(|proctype| {
            let states = proctype.states.iter();
            let has_marked = |state: &ControlState| {
                let mut options = state.options.iter();
                options.any(|option| is_marked(option.transition))
            };
            let mut near: Vec<bool> = states.map(has_marked).collect();
            let backwards = Backwards::new(model, &proctype.states);
            backwards.close(&mut near, |row| model.transition(row).atomic);
            near
        })
        .collect();
    for (found, transition) in found.iter_mut().zip(&model.transitions) {
        let near = near[transition.proctype.index()].get(transition.target.index());
        *found |= transition.atomic && near == Some(&true);
    }
    found
}

/// Whether a statement may put a message before others.
fn sorts(transition: &Transition) -> bool {
    matches!(
        transition.action,
        Action::Send { sorted: true, .. } | Action::DStep(_)
    )
}

/// Whether a statement receives, or may begin by it.
fn may_receive(model: &Model, action: &Action) -> bool {
    match action {
        Action::Receive { .. } => true,
        Action::DStep(row) => {
            let guards = &model.dsteps[*row as usize].guards;
            guards.iter().any(|guard| may_receive(model, guard))
        }
        _ => false,
    }
}

/// Whether a transition belongs to processes, and not to a claim.
fn is_executed(model: &Model, transition: &Transition) -> bool {
    let kind = model.proctype(transition.proctype).kind;
    matches!(kind, ProcessKind::Proctype | ProcessKind::Init)
}
