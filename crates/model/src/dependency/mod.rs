//! Dependency between the transitions of different processes.
//!
//! For each transition of each process it is worked out which shared objects it uses: global bytes,
//! the two ends of channels, rendezvous channels, other processes. Two transitions of different
//! processes are *dependent* if, where both are enabled, one disables the other or their order makes a
//! difference. A disabled transition has a *necessary enabling set*: transitions of which one must be
//! taken first. An atomic sequence counts for the transition that begins it.
//!
//! Follows: [002 §4.2], the relations D (`is_dependent_on`) and E: two ends of processes are never both
//! enabled, nor is a `timeout` beside anything else.
//!
//! Departs:
//! - Two transitions are dependent only if they are so where both are enabled. Sending to a channel
//!   and receiving from it are not: so exclusive channels need not be declared.
//! - What another process may do counts only as long as it can still reach it: a process that has left
//!   its initialisation is no longer dependent with those that read what it initialised.
//! - Where an index or a channel is the same in all states of a process, only the element and
//!   the channel that it stands for are used, see [`crate::instance`]. So the result depends
//!   on the processes of a vector, and is computed when a vector with new processes occurs.
//!
//! # Rendezvous receivers
//!
//! Whether a rendezvous channel has a receiver that is ready decides whether a send is enabled, and
//! sometimes more: a send that nobody receives enables an `else` beside it and the
//! statement that it is an escape of, and inside an atomic sequence it costs control. Such transitions
//! *observe the receivers* of the channel, and are dependent with those that *change* them: the
//! transitions of the receiver itself, and whatever else decides whether it can receive (`receivers`).
//! This is the correction of [001 ch. 3 §4], made for the observed channel instead of all.
//! [`Correction`] says when it applies.
//!
//! | module | purpose |
//! | --- | --- |
//! | `uses` | what the transitions of a process use; when two are dependent |
//! | `bits` | sets of cells and channels |
//! | `sequence` | what is executed at once: a transition and the atomic sequence that it begins |
//! | `guards` | conjuncts of guards and what enables them |
//! | `channel_guards` | guards on the fill of a channel: which end can enable them |
//! | `channel_provenance`, `private` | where channel ids come from; channels that stay private |
//! | `init_only` | global variables that name channels and are written during initialisation only |
//! | `receivers` | what changes whether a rendezvous receive is ready |
//! | `trace_uses` | channel uses that a trace assertion observes |
//! | `pid_insensitive`, `non_terminating` | models whose behaviour does not depend on pids; processes that never terminate |
//! | `uninstantiated` | what processes use that are not started yet |
//! | `table` | all of this for the processes of one vector |
//! | `influence` | which processes can reach a transition that is dependent with, or enables, another |
//! | `relations` | the same between single transitions |
//! | `step_independence` | processes that are independent of one step |
//! | `visibility`, `separate` | transitions that a property sees; independent parts of a formula |
//! | `cycles` | sticky transitions, which break the cycles of control flow |

mod bits;
mod channel_guards;
mod channel_provenance;
mod cycles;
mod guards;
mod influence;
mod init_only;
mod non_terminating;
mod pid_insensitive;
mod private;
mod receivers;
mod relations;
mod separate;
mod sequence;
mod step_independence;
mod table;
mod trace_uses;
mod transitions;
mod uninstantiated;
mod uses;
mod visibility;

use space::{KeyReads, Pid, PidSet, Row};

use crate::expr::Expr;
use crate::formula::LtlProperty;
use crate::ids::ExprId;
use crate::instance::Writes;
use crate::model::{Model, Proctype, Transition};
use influence::Influence;
use init_only::InitOnly;
use pid_insensitive::PidSensitivity;
use private::Privacy;
use uses::{Sizes, Uses};
use visibility::Visibility;

pub use pid_insensitive::PidCanonical;
pub use separate::separate;
pub use table::Table;
use table::any_may_still_write;
use transitions::{
    exprs, footprints, has_timeout, is_executed, sorts, started, statements, with_continuations,
};

/// Nothing is said about vectors with more processes.
const MOST_PROCESSES: usize = 64;
/// So many tables are kept.
const MOST_KEPT: usize = 64;
/// When so many were made, nothing more is said to whoever asks for [`Dependency::locate_early`].
const MOST_MADE: usize = 2_000;
/// Nothing is said about vectors that take more words to say what the transitions use.
const MOST_WORDS: usize = 1 << 22;
/// Nor about those with more pairs to compare: of transitions that differ in what they use, and with
/// control states from which processes can reach them.
const MOST_PAIRS: usize = 1 << 26;
/// All vectors together may have so many pairs, where [`MOST_MADE`] matters.
const MOST_WORK: usize = 2 * MOST_PAIRS;
/// A table counts for another one if so many pairs were compared for it.
const MANY_PAIRS: usize = 1 << 22;
/// A vector with too many pairs counts for so many tables, since that takes time to find out.
const LOST: usize = MOST_MADE / 10;

/// When a process that begins or ceases to receive is dependent with one that observes receivers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// As long as there is a process with such a statement, wherever it is: what [001] calls
    /// the static solution, decided before the model moves.
    Static,
    /// As long as a process can still reach such a statement.
    ///
    /// Departs: [001]'s dynamic solution asks whether a process is at such a statement, and
    /// misses those that reach it before the other one receives.
    #[default]
    Dynamic,
}

/// How much must be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// What processes can do, in which order.
    Plain,
    /// Also which processes are enabled in the states of an execution: transitions that change that
    /// for the same process are dependent.
    ///
    /// Follows: [002 §4.1], Lemmas 4.1 and 4.2, with whether each process can move as a component
    /// of its own. This contains what [001 ch. 3 §5] corrects. Since no process is postponed
    /// indefinitely in a fair execution, steps that the same part of a formula sees are dependent
    /// instead of being kept out of ample sets, but for those on cycles of control flow, which have to
    /// break these anyway.
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

/// The dependency analysis of a model, with tables for the vectors that were met.
#[derive(Clone, Debug)]
pub struct Dependency {
    correction: Correction,
    strictness: Strictness,
    writes: Writes,
    /// The transitions of each proctype, and the place of each transition among them.
    transitions: Vec<Vec<u32>>,
    slots: Vec<u32>,
    /// Proctypes whose processes others read.
    exposed: Vec<bool>,
    privacy: Vec<Privacy>,
    init_only: InitOnly,
    /// What depends on pids.
    pid_sensitivity: PidSensitivity,
    /// The proctypes that claim channels, and whether processes of a proctype are ever started.
    claimants: Vec<usize>,
    started: Vec<bool>,
    /// Whether sorted sends may put a message before others.
    sorts: bool,
    /// What processes of each proctype use; worked out with the first table.
    uninstantiated: Vec<Uses>,
    /// Whether the property may see a transition, which may not be in an ample set then.
    visible: Vec<bool>,
    /// For each part of a formula the transitions that it sees, where these are dependent instead.
    seen: Vec<Vec<bool>>,
    /// Whether a transition breaks cycles of control flow.
    sticky: Vec<bool>,
    /// Whether a transition waits for a timeout.
    timeouts: Vec<bool>,
    /// For each proctype the offsets in its frame of variables that no statement writes; some are set to 0
    /// when nobody reads them any more.
    constant: Vec<Vec<u32>>,
    tables: Vec<Table>,
    made: usize,
    /// For [`Dependency::locate_early`], how many tables the tables made count for, and how many pairs
    /// may still be compared.
    cost: usize,
    work: usize,
    /// How many pairs were compared.
    compared: usize,
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
            pid_sensitivity: match strictness {
                Strictness::Plain => PidSensitivity::new(model, observed, &privacy),
                Strictness::Fair => PidSensitivity::All,
            },
            privacy,
            init_only: InitOnly::new(model),
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
            uninstantiated: Vec::new(),
            sticky: with_continuations(model, &cycles::sticky(model, &visible)),
            visible,
            seen,
            timeouts: Vec::new(),
            constant: Vec::new(),
            tables: Vec::new(),
            made: 0,
            cost: 0,
            work: MOST_WORK,
            compared: 0,
            keeps_uses: false,
            keeps_relations: false,
        };
        found.constant = constant_bytes(model, &found.writes);
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
        let uninstantiated: usize = (started.filter(|(_, started)| **started))
            .map(|(transitions, _)| transitions.len())
            .sum();
        let kinds = model.proctypes.len();
        processes <= MOST_PROCESSES
            && (transitions + states + uninstantiated + kinds) * Sizes::new(model).words()
                <= MOST_WORDS
    }

    /// How changes of receivers influence transitions that observe them.
    fn receiver_influence(&self) -> Influence {
        match self.correction {
            Correction::Static => Influence::Always,
            Correction::Dynamic => Influence::Some,
        }
    }

    /// Find the control states of the processes of a free node. Whether there is a table for them. It is
    /// the same table, but for its number, whatever was asked before.
    #[inline]
    pub fn locate(&mut self, model: &Model, state: &[u8]) -> bool {
        let first = self.tables.first_mut();
        (first.is_some_and(|table| table.locate(model, state))
            || self.find_or_build_table(model, state, false))
            && !self.tables[0].is_lost()
    }

    /// The same for whoever cannot stop asking: not if too many tables were made already.
    #[inline]
    pub fn locate_early(&mut self, model: &Model, state: &[u8]) -> bool {
        let first = self.tables.first_mut();
        (first.is_some_and(|table| table.locate(model, state))
            || self.find_or_build_table(model, state, true))
            && !self.tables[0].is_lost()
    }

    /// How many tables were made; a large one counts for several.
    pub fn made(&self) -> usize {
        self.made + self.compared / MANY_PAIRS
    }

    /// Numbers that identify the processes that were located, and their control states.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = u32> {
        self.tables[0].places()
    }

    /// Evaluate the parts of guards that matter at the places of the processes that were located.
    /// The results, as numbers.
    #[inline]
    pub fn test_guards(&mut self, model: &Model, state: &[u8]) -> &[u32] {
        self.tables[0].test_guards(model, state)
    }

    /// Append what matters about a process of a free node with these steps of its own, apart from the
    /// steps: where it is, what it never changes, and which conjuncts of its guards are false. What these
    /// depend on besides the steps; none if nothing is known about the processes of the node.
    ///
    /// If this is the same for all processes of two nodes, and so are their steps, then nothing tells
    /// the nodes apart for [`Dependency::look`] and [`Table::dependents`]: a table rests on the
    /// constants and the proctypes of its processes, and on global variables that are included here.
    pub fn describe(
        &mut self,
        model: &Model,
        state: &[u8],
        pid: Pid,
        rows: &[Row],
        key: &mut Vec<u32>,
    ) -> Option<KeyReads> {
        if !self.locate(model, state) {
            return None;
        }
        let (table, pid) = (&self.tables[0], usize::from(pid.0));
        let mut reads = KeyReads::default();
        let (frame, kind) = table.frame_of(pid);
        key.extend([kind as u32, table.control_of(pid)]);
        let constant = self.constant[kind].iter().map(|offset| frame + offset);
        reads.bytes.extend(constant);
        if self.init_only.matters() {
            self.add_init_only_reads(model, state, &mut reads);
            key.push(table.is_before_init().into());
        }
        key.extend((reads.bytes.iter()).map(|&at| u32::from(state[at as usize])));
        if self.init_only.matters() {
            self.add_initialisers(model, state, &mut reads);
        }
        let own = rows.iter().filter(|row| !row.has(Row::OFFER));
        let enabled: Vec<u32> = own.map(|row| self.slots[row.transition as usize]).collect();
        table.describe_guards((model, state), pid, &enabled, key, &mut reads);
        Some(reads)
    }

    /// The bytes of variables that name channels, once they are not written any more.
    fn add_init_only_reads(&self, model: &Model, state: &[u8], reads: &mut KeyReads) {
        reads.population = true;
        if !any_may_still_write(self, model, state) {
            let bytes = self.init_only.bytes().iter().enumerate();
            let named = bytes.filter(|(_, named)| **named);
            reads.bytes.extend(named.map(|(at, _)| at as u32));
        }
    }

    /// Where the processes are that write such variables some time.
    fn add_initialisers(&self, model: &Model, state: &[u8], reads: &mut KeyReads) {
        let mut frame = model.layout.frames;
        while (frame as usize) < state.len() {
            let kind = usize::from(model.layout.head(state, frame).kind);
            if self.init_only.writes_some_time(kind) {
                reads.bytes.push(frame);
            }
            frame += model.proctypes[kind].frame_size;
        }
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
    /// order, and not pid-equivalent ones.
    pub fn keep_uses(&mut self, keeps: bool) {
        self.keeps_uses = keeps;
        if keeps {
            self.pid_sensitivity = PidSensitivity::All;
        }
    }

    /// The canonical form of states where pids do not matter: pid-equivalent states count as the same.
    pub fn pid_canonical(&self, model: &Model) -> Option<PidCanonical> {
        (self.pid_sensitivity != PidSensitivity::All)
            .then(|| PidCanonical::new(model, &self.privacy))
    }

    /// Add to the transitions that were taken those that an order may have left out without making a
    /// difference to other processes: that a process at its end dies.
    pub fn add_ends(&self, model: &Model, taken: &mut [bool]) {
        if self.pid_sensitivity != PidSensitivity::All {
            pid_insensitive::add_ends(model, taken);
        }
    }

    /// Whether there may be too many processes, as far as is known.
    pub fn starts_unboundedly(&self) -> bool {
        self.pid_sensitivity == PidSensitivity::Count
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

    /// The table of the node looked at last.
    #[inline]
    pub fn table(&mut self) -> &mut Table {
        &mut self.tables[0]
    }

    /// Find another table that fits, or build one; `is_early` if not when too many were made.
    #[cold]
    fn find_or_build_table(&mut self, model: &Model, state: &[u8], is_early: bool) -> bool {
        for row in 1..self.tables.len() {
            if self.tables[row].locate(model, state) {
                self.tables[..=row].rotate_right(1);
                return true;
            }
        }
        if is_early && self.cost >= MOST_MADE || !self.is_affordable(model, state) {
            return false;
        }
        (self.made, self.cost) = (self.made + 1, self.cost + 1);
        if self.uninstantiated.is_empty() {
            self.uninstantiated = uninstantiated::uninstantiated(self, model, state);
        }
        let most = match is_early {
            true => self.work.min(MOST_PAIRS),
            false => MOST_PAIRS,
        };
        let mut work = most;
        let attempted = space::cancel::attempt(|| Table::new(self, model, state, &mut work));
        self.work = self.work.saturating_sub(most - work);
        self.compared += most - work;
        let Some(mut table) = attempted.flatten() else {
            return false;
        };
        if table.is_lost() {
            self.cost += LOST;
        }
        let located = table.locate(model, state);
        self.tables.truncate(MOST_KEPT - 1);
        self.tables.insert(0, table);
        located
    }
}

/// For each proctype the offsets in its frame of variables that no statement writes.
fn constant_bytes(model: &Model, writes: &Writes) -> Vec<Vec<u32>> {
    let of_kind = |(kind, proctype): (usize, &Proctype)| {
        let variables = proctype.variables.iter();
        let bytes = variables.flat_map(|one| one.offset..one.offset + one.size());
        let constant = bytes.filter(|&byte| !writes.is_written(kind, byte));
        constant.collect()
    };
    model.proctypes.iter().enumerate().map(of_kind).collect()
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
    let is_global_atom = |&atom: &ExprId| is_global_atom(model, atom);
    let found = [
        (Obstacle::Priorities, model.layout.priorities),
        (Obstacle::Last, model.layout.last.is_some()),
        (Obstacle::Enabled, uses(|e| matches!(e, Expr::Enabled(_)))),
        (Obstacle::PcValue, uses(|e| matches!(e, Expr::PcValue(_)))),
        (Obstacle::Timeout, uses(|e| *e == Expr::Timeout)),
        (
            Obstacle::GlobalAtom,
            observed.atoms.iter().any(is_global_atom),
        ),
    ];
    let found = found.into_iter().filter(|(_, there)| *there);
    found.map(|(obstacle, _)| obstacle).collect()
}

/// Whether an atom reads something that any step may change.
fn is_global_atom(model: &Model, atom: ExprId) -> bool {
    model.any_part(atom, |expr| {
        matches!(
            expr,
            Expr::ProcessCount | Expr::Timeout | Expr::NonProgress | Expr::Enabled(_)
        )
    })
}
