//! Counterexamples for tests: the first that a plain depth-first search meets.

use std::collections::HashSet;

use checker::load::{self, Loaded, Source};
use model::{Interp, Model};
use space::{Control, NextState, Step, Trace, Violation, ViolationKind};

/// Read a model that is right.
#[track_caller]
pub fn load(text: &str) -> Loaded {
    let loaded = load::load(&Source::text("m.pml", text));
    loaded.unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// One level of the search: a node's steps that are still to be tried.
struct Level {
    todo: Vec<(Step, Vec<u8>, Control, Option<Violation>)>,
}

/// The first counterexample in depth-first order.
#[track_caller]
pub fn counterexample(model: &Model) -> (Trace, Violation) {
    let mut interp = Interp::new(model);
    let initial = interp.initial().expect("an initial state");
    let mut seen = HashSet::new();
    let mut path: Vec<Step> = Vec::new();
    let mut stack = Vec::new();
    match expand(&mut interp, &initial, Control::Free) {
        Ok(level) => stack.push(level),
        Err(violation) => return (Trace::default(), violation),
    }
    while let Some(level) = stack.last_mut() {
        let Some((step, state, control, violation)) = level.todo.pop() else {
            stack.pop();
            path.pop();
            continue;
        };
        path.push(step);
        if let Some(violation) = violation {
            return (Trace::of_steps(path), violation);
        }
        if !seen.insert((state.clone(), control)) {
            path.pop();
            continue;
        }
        match expand(&mut interp, &state, control) {
            Ok(level) => stack.push(level),
            Err(violation) => return (Trace::of_steps(path), violation),
        }
    }
    panic!("the model has no violation");
}

fn expand(interp: &mut Interp<'_>, state: &[u8], control: Control) -> Result<Level, Violation> {
    let steps = interp.steps(state, control);
    if steps.is_empty() && !interp.is_valid_end(state) {
        return Err(ViolationKind::InvalidEndState.into());
    }
    let todo = steps.into_iter().rev().map(|next| {
        let step = next.step.expect("a step");
        (step, next.state, next.control, next.violation)
    });
    Ok(Level {
        todo: todo.collect(),
    })
}
