//! How much of a model is compiled, and in how large functions.
//!
//! The time that it takes to compile a function grows faster than its size, and nothing interrupts
//! it. So the steps of a large model become several functions, and what is too large by itself
//! is left to the interpreter. A model that would take too long as a whole is not compiled.

use std::ops::Range;

use model::layout::Head;
use model::{Action, ControlState, DStepOp, Model, RecvArg};

/// The largest function. A statement counts for [`STATEMENT`] and the parts of its expressions.
const MOST_IN_FUNCTION: usize = 3_000;
/// More than this is not compiled at all.
const MOST_IN_MODEL: usize = 100_000;
/// What a statement counts for, besides its expressions, and what more if it uses a channel or
/// starts a process.
const STATEMENT: usize = 6;
const EXCHANGE: usize = 20;

/// The size of a model as code, by heads.
pub(crate) struct Sizes {
    heads: Vec<usize>,
}

impl Sizes {
    /// The sizes of all control states.
    pub(crate) fn new(model: &Model) -> Sizes {
        let of_head = |head: &Head| {
            let proctype = &model.proctypes[usize::from(head.kind)];
            of_state(model, &proctype.states[head.control.index()])
        };
        Sizes {
            heads: model.layout.heads.iter().map(of_head).collect(),
        }
    }

    /// Whether it takes too long to compile the model.
    pub(crate) fn are_too_large(&self) -> bool {
        self.heads
            .iter()
            .filter(|&&size| size <= MOST_IN_FUNCTION)
            .sum::<usize>()
            > MOST_IN_MODEL
    }

    /// The heads whose steps make up a function each; without those that are too large.
    pub(crate) fn functions(&self) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut size = MOST_IN_FUNCTION;
        for (head, &own) in self.heads.iter().enumerate() {
            size += own;
            if own > MOST_IN_FUNCTION {
                // Nothing is joined with what comes behind it.
                size = MOST_IN_FUNCTION;
                continue;
            }
            match found.last_mut() {
                Some(last) if size <= MOST_IN_FUNCTION => last.end = head + 1,
                _ => {
                    found.push(head..head + 1);
                    size = own;
                }
            }
        }
        found
    }
}

/// Whether some control states together are too large for one function.
pub(crate) fn is_too_large<'a>(
    model: &Model,
    states: impl Iterator<Item = &'a ControlState>,
) -> bool {
    states.map(|state| of_state(model, state)).sum::<usize>() > MOST_IN_FUNCTION
}

fn of_state(model: &Model, state: &ControlState) -> usize {
    space::cancel::poll();
    let actions = state
        .options
        .iter()
        .map(|option| &model.transition(option.transition).action);
    actions.map(|action| of_action(model, action)).sum()
}

fn of_action(model: &Model, action: &Action) -> usize {
    let mut size = match action {
        Action::Send { .. } | Action::Receive { .. } | Action::Run(..) => STATEMENT + EXCHANGE,
        _ => STATEMENT,
    };
    let mut add = |expr| {
        model.any_part(expr, |_| {
            size += 1;
            false
        });
    };
    match action {
        Action::Guard(expr) | Action::Assert(expr, _) | Action::Printm(expr, _) => add(*expr),
        Action::Assign(place, expr) => {
            add(*expr);
            model
                .place(*place)
                .indices
                .iter()
                .for_each(|index| add(index.expr));
        }
        Action::Run(spec, _, expr) => {
            spec.args.iter().copied().for_each(&mut add);
            add(*expr);
        }
        Action::Send { args, .. } => args.iter().copied().for_each(add),
        Action::Receive { args, .. } => args.iter().for_each(|arg| match arg {
            RecvArg::Match(expr) => add(*expr),
            RecvArg::Store(place) => {
                model
                    .place(*place)
                    .indices
                    .iter()
                    .for_each(|index| add(index.expr));
            }
        }),
        Action::DStep(row) => {
            let dstep = &model.dsteps[*row as usize];
            let ops = dstep.ops.iter().map(|op| match op {
                DStepOp::Do { action, .. } => of_action(model, action),
                _ => 1,
            });
            let guards = dstep.guards.iter().map(|action| of_action(model, action));
            return STATEMENT + ops.chain(guards).sum::<usize>();
        }
        Action::Skip
        | Action::Else
        | Action::Printf(..)
        | Action::SetPriority(..)
        | Action::End
        | Action::Event(_) => {}
    }
    size
}
