//! Static reductions: passes that make a model smaller to search without changing what a
//! safety search says about it.
//!
//! A pass keeps every number of the model: transitions, proctypes, control states, sites
//! and offsets stay what they are. Each execution of the reduced model is, step by step, an
//! execution of the model it was made from, and raises the same violations. So a
//! counterexample found in the reduced model is confirmed and shown with the original one,
//! whose states hold what the reduced ones left out.
//!
//! The other way round, every violation of the original model is one of the reduced model:
//! each pass says why. No pass adds states. Hidden variables are the exception to all this:
//! which of the states that differ only in them a search sees depends on the order of the
//! search, before and after a reduction.

pub mod cells;
pub mod dead_variables;
pub mod footprint;
pub mod merge;
pub mod write_only;

pub use dead_variables::reset_dead_variables;
pub use footprint::Footprint;
pub use merge::merge_local_steps;
pub use write_only::remove_write_only;

use std::collections::HashMap;

use crate::expr::{BinaryOp, Expr};
use crate::ids::{ExprId, ProctypeId};
use crate::model::{Action, Model, ProcessKind};

/// A reduced model, and what was done to it.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The model to search.
    pub model: Model,
    /// Transitions that reset variables.
    pub resets: usize,
    /// Transitions that were merged with what follows them.
    pub merged: usize,
    /// Variables that are not written any more.
    pub write_only: usize,
}

/// Apply all passes. Write-only variables go first: what was a write to a global becomes a
/// step that nobody sees, and what was read for it dies.
pub fn reduce(model: &Model) -> Reduced {
    let mut reduced = reduce_keeping_steps(model);
    reduced.merged = merge_local_steps(&mut reduced.model);
    reduced
}

/// Apply the passes that leave every step where it is: for properties that count steps.
pub fn reduce_keeping_steps(model: &Model) -> Reduced {
    let mut model = model.clone();
    let write_only = remove_write_only(&mut model);
    let resets = reset_dead_variables(&mut model);
    Reduced {
        model,
        resets,
        merged: 0,
        write_only,
    }
}

/// The proctypes that processes are made of; claims and traces are not among them.
fn executed(model: &Model) -> Vec<ProctypeId> {
    (0..model.proctypes.len() as u32)
        .map(ProctypeId)
        .filter(|id| {
            let kind = model.proctype(*id).kind;
            matches!(kind, ProcessKind::Proctype | ProcessKind::Init)
        })
        .collect()
}

/// Expressions for values that nobody needs, each made once.
#[derive(Clone, Debug, Default)]
struct Discarded {
    zero: Option<ExprId>,
    /// Those that may fail, by the expressions that they replace.
    failing: HashMap<ExprId, ExprId>,
}

impl Discarded {
    /// An expression of value 0 that fails where the given one does.
    fn replace(&mut self, model: &mut Model, expr: ExprId) -> ExprId {
        space::cancel::poll();
        let may_fail = Footprint::of_expr(model, expr).may_fail;
        let zero = *self.zero.get_or_insert_with(|| zero(model));
        if !may_fail {
            return zero;
        }
        *(self.failing.entry(expr)).or_insert_with(|| {
            let masked = Expr::Binary(BinaryOp::BitAnd, expr, zero);
            model.exprs.push(masked);
            ExprId(model.exprs.len() as u32 - 1)
        })
    }

    /// Start processes with 0 for these parameters, by their positions, in these transitions.
    fn replace_arguments(&mut self, model: &mut Model, starts: &[usize], positions: &[usize]) {
        if positions.is_empty() {
            return;
        }
        for &row in starts {
            let Action::Run(spec, _, _) = &model.transitions[row].action else {
                continue;
            };
            let mut args = spec.args.clone();
            for &position in positions {
                if let Some(arg) = args.get_mut(position) {
                    *arg = self.replace(model, *arg);
                }
            }
            if let Action::Run(spec, _, _) = &mut model.transitions[row].action {
                spec.args = args;
            }
        }
    }
}

/// The row of the expressions that holds 0.
fn zero(model: &mut Model) -> ExprId {
    let zero = Expr::Const(0);
    if let Some(row) = model.exprs.iter().position(|known| *known == zero) {
        return ExprId(row as u32);
    }
    model.exprs.push(zero);
    ExprId(model.exprs.len() as u32 - 1)
}

/// The transitions that start processes of each proctype, by their rows.
fn starts_by_proctype(model: &Model) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); model.proctypes.len()];
    for (row, transition) in model.transitions.iter().enumerate() {
        if let Action::Run(spec, _, _) = &transition.action {
            rows[spec.proctype.index()].push(row);
        }
    }
    rows
}

/// The transitions of each proctype, by their rows.
fn transitions_by_proctype(model: &Model) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); model.proctypes.len()];
    for (row, transition) in model.transitions.iter().enumerate() {
        rows[transition.proctype.index()].push(row);
    }
    rows
}
