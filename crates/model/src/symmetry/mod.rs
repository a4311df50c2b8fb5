//! Symmetry: which processes of a model can change places, and what that does to a state.
//!
//! | file | what |
//! | --- | --- |
//! | `root` | the state from which on symmetry is analysed |
//! | `leaves`, `sorts` | variables, and which values are names of the same things |
//! | `flow`, `loops`, `sends` | control flow; loops that treat all members alike, and what they send |
//! | `infer`, `channels` | what statements say about sorts, and which sorts channels have |
//! | `invariant` | expressions that name all members and none in particular |
//! | `namings`, `solve` | values that identify processes; the sets without objections |
//! | `build`, `action` | the cells of a vector that an exchange moves or changes |
//!
//! # Why it is sound
//!
//! Say two members of a set change places in a state: their frames, the elements of arrays with
//! members for indices, their channels, and every name of one becomes that of the other. No statement
//! does anything with a name but what the exchange keeps (`infer`), so each step of the state is, with
//! the names exchanged, a step of the other one. This holds for every state behind the root, so the
//! two have the same future. The initial state need not be symmetric: a search that explores one
//! state of each orbit that it comes to has seen, up to an exchange, whatever can be reached.
//!
//! A variable that is written before it is read again may hold anything. Where it holds names it is
//! cleared, since those who clear it (see [`crate::reduction`]) write a 0 that is no name.
//!
//! Processes end in the order of their pids, which no exchange keeps. A process at its end and one
//! that is gone differ in nothing but that step: whatever the others do is the same. So states are
//! exchanged as long as both have all processes of the members, and where the end of a process could
//! be seen its proctype is no candidate.

mod action;
mod build;
mod channels;
mod flow;
mod infer;
mod invariant;
mod leaves;
mod loops;
mod namings;
mod root;
mod sends;
mod solve;
mod sorts;

pub use action::{Action, Held, Member, Name, Relation, RoleId, SetId};

use build::Builder;
use infer::Inference;
use root::Root;
use solve::Solution;

use crate::expr::Expr;
use crate::ids::{ExprId, ProctypeId};
use crate::model::{self, Location, Model, OptionEntry};

/// What the property looks at.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// The expressions that an automaton asks for.
    pub atoms: Vec<ExprId>,
    /// When its edges can be taken, those together that lead from one state to another: for each
    /// edge the atoms that have to be true and those that have to be false, as bits.
    pub labels: Vec<Vec<(u64, u64)>>,
    /// A claim, of which each expression has to.
    pub claim: Option<ProctypeId>,
    /// Where the property stands.
    pub location: Location,
    /// Whether it makes a difference that a process has ended.
    pub counts_steps: bool,
}

/// A proctype whose processes cannot be exchanged, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its name.
    pub candidate: String,
    /// The proctype.
    pub proctype: ProctypeId,
    /// Where that is to be seen.
    pub location: Location,
    /// The reason.
    pub reason: String,
}

/// A set of members that can be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalarset {
    /// How many there are.
    pub size: usize,
    /// The proctypes with a process for each member.
    pub proctypes: Vec<ProctypeId>,
}

/// The symmetry of a model.
#[derive(Clone, Debug, Default)]
pub struct Symmetry {
    /// The sets.
    pub scalarsets: Vec<Scalarset>,
    /// What is not symmetric.
    pub broken: Vec<Broken>,
    /// What exchanging members does.
    pub action: Action,
}

/// More members than this are not exchanged.
const MOST_MEMBERS: usize = 64;
/// Nothing is said about models with more statements and variables: each loop is compared with each
/// statement, and each use with each variable.
const MOST_STATEMENTS: usize = 4_096;

impl Symmetry {
    /// Find the symmetry of a model and a property.
    pub fn find(model: &Model, watched: &Watched) -> Symmetry {
        let Some(root) = Root::find(model) else {
            return Symmetry::default().with_all_broken(
                model,
                None,
                "the processes are not all started at the beginning",
            );
        };
        if (0..model.proctypes.len() as u32).all(|row| root.pids(ProctypeId(row)).len() < 2) {
            return Symmetry::default();
        }
        if size(model, &root) > MOST_STATEMENTS {
            let reason = "the model has too many statements to analyse";
            return Symmetry::default().with_all_broken(
                model,
                Some((Location::default(), &root)),
                reason,
            );
        }
        let mut inference = Inference::new(model);
        inference.unify_channels(&root);
        inference.look(&root);
        watch(&mut inference, watched);
        inference.unify_addressed(&root);
        if let Some((location, reason)) = inference.hopeless.or(unfit(model)) {
            return Symmetry::default().with_all_broken(model, Some((location, &root)), reason);
        }
        let mut solution = Solution::find(&inference, &root, watched.counts_steps);
        loop {
            match Builder::build(&inference, &solution, &root) {
                Ok(action) => return Symmetry::of(&solution, action),
                Err((set, reason)) => solution.give_up(&inference, &root, set, reason),
            }
        }
    }

    fn of(solution: &Solution, action: Action) -> Symmetry {
        let sets = solution.sizes.iter().enumerate();
        let scalarsets = sets.map(|(set, size)| Scalarset {
            size: *size,
            proctypes: (solution.candidates.iter())
                .filter(|candidate| candidate.set == Some(set))
                .map(|candidate| candidate.proctype)
                .collect(),
        });
        Symmetry {
            scalarsets: scalarsets.collect(),
            broken: solution.broken.clone(),
            action,
        }
    }

    /// Nothing is symmetric, for one reason. Without a root, all proctypes that are run count as
    /// candidates.
    fn with_all_broken(
        mut self,
        model: &Model,
        known: Option<(Location, &Root)>,
        reason: &str,
    ) -> Symmetry {
        for (row, proctype) in model.proctypes.iter().enumerate() {
            let id = ProctypeId(row as u32);
            let several = match known {
                Some((_, root)) => root.pids(id).len() > 1,
                None => proctype.kind == model::ProcessKind::Proctype,
            };
            if several {
                self.broken.push(Broken {
                    candidate: proctype.name.clone(),
                    proctype: id,
                    location: known.map_or(proctype.location, |(location, _)| location),
                    reason: reason.to_owned(),
                });
            }
        }
        self
    }

    /// Whether nothing can be exchanged.
    pub fn is_trivial(&self) -> bool {
        self.scalarsets.is_empty()
    }
}

/// How many statements may be executed behind the root, and variables there are.
fn size(model: &Model, root: &Root) -> usize {
    let operations = |row: &u32| model.dsteps[*row as usize].ops.len();
    let of_option = |option: &OptionEntry| match &model.transition(option.transition).action {
        model::Action::DStep(row) => 1 + operations(row),
        _ => 1,
    };
    let mut size = model.globals.len();
    for (proctype, reached) in model.proctypes.iter().zip(&root.reached) {
        size += proctype.variables.len();
        let states = proctype.states.iter().zip(reached);
        for (state, _) in states.filter(|(_, reached)| **reached) {
            space::cancel::poll();
            size += state.options.iter().map(of_option).sum::<usize>();
        }
    }
    size
}

/// What a whole model may not have.
fn unfit(model: &Model) -> Option<(Location, &'static str)> {
    if model.layout.priorities {
        Some((Location::default(), "processes have priorities"))
    } else if model.layout.last.is_some() {
        Some((Location::default(), "`_last` is read"))
    } else {
        let trace = model.event_trace.as_ref();
        trace.map(|trace| (trace.location, "a trace or notrace assertion is checked"))
    }
}

fn watch(inference: &mut Inference<'_>, watched: &Watched) {
    let nobody = ProctypeId(0);
    inference.labels.clone_from(&watched.labels);
    for &expr in &watched.atoms {
        if inference.model.any_part(expr, |part| *part == Expr::Pid) {
            inference
                .hopeless
                .get_or_insert((watched.location, "the property reads `_pid`"));
        }
        inference.atom(expr, nobody, watched.location);
    }
    if let Some(claim) = watched.claim {
        inference.claim(claim);
    }
}
