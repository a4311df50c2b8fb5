//! Statements that no execution reaches: often a mistake in the model.

use model::{Action, Expr, Model, Transition};

use super::describe::is_process;
use super::{StatementReport, UnreachedReport};
use crate::trace::file::FileCall;

/// The statements that were never executed, by proctype in the order of the text.
///
/// Statements that no path of the control-flow graph leads to are listed separately, as dead
/// code: no search can reach them. The implied end of an endless body is not listed at all.
pub fn unreached(model: &Model, reached: &[bool]) -> Vec<UnreachedReport> {
    let connected = connected(model);
    let mut coverage: Vec<Coverage<'_>> = Vec::new();
    coverage.resize_with(model.proctypes.len(), Coverage::default);
    for (id, transition) in model.transitions.iter().enumerate() {
        let own = &mut coverage[transition.proctype.index()];
        if reached.get(id) == Some(&true) {
            own.executed = true;
        } else if connected[id] && !is_join(transition) && !is_never(model, transition) {
            own.missing.push(transition);
        } else if !connected[id] && is_written(model, transition) {
            own.dead.push(transition);
        }
    }
    let processes = model.proctypes.iter().zip(coverage);
    processes
        .filter(|(proctype, _)| is_process(proctype.kind))
        .filter(|(_, own)| !own.missing.is_empty() || !own.dead.is_empty())
        .map(|(proctype, own)| UnreachedReport {
            proctype: proctype.name.clone(),
            location: model.locate(proctype.location),
            all: !own.executed,
            statements: statements(model, own.missing),
            dead: statements(model, own.dead),
        })
        .collect()
}

/// The coverage of a proctype.
#[derive(Default)]
struct Coverage<'m> {
    /// At least one statement was executed.
    executed: bool,
    /// Statements that were not executed.
    missing: Vec<&'m Transition>,
    /// Statements that no path leads to.
    dead: Vec<&'m Transition>,
}

/// Statements in the order of the text.
fn statements(model: &Model, mut transitions: Vec<&Transition>) -> Vec<StatementReport> {
    transitions.sort_by_key(|t| (t.location, t.control));
    let statement = |transition: &Transition| StatementReport {
        location: model.locate(transition.location),
        calls: FileCall::all(model, transition.call),
        text: transition.text.clone(),
    };
    let mut statements: Vec<_> = transitions.into_iter().map(statement).collect();
    statements.dedup();
    statements
}

/// For each transition whether it is an option of a control state that some path of a
/// control-flow graph leads to. Jumps that cost nothing are not.
fn connected(model: &Model) -> Vec<bool> {
    let mut connected = vec![false; model.transitions.len()];
    for proctype in &model.proctypes {
        let mut seen = vec![false; proctype.states.len()];
        let mut todo = vec![proctype.initial];
        while let Some(control) = todo.pop() {
            let Some(state) = proctype.states.get(control.index()) else {
                continue;
            };
            if std::mem::replace(&mut seen[control.index()], true) {
                continue;
            }
            for option in &state.options {
                let transition = model.transition(option.transition);
                connected[option.transition.0 as usize] = true;
                if !is_never(model, transition) {
                    todo.push(transition.target);
                }
            }
        }
    }
    connected
}

/// Whether a transition is an explicit statement that can be executed.
fn is_written(model: &Model, transition: &Transition) -> bool {
    !is_jump(transition) && !is_never(model, transition) && transition.action != Action::End
}

/// Whether a transition can never be executed: `false`.
fn is_never(model: &Model, transition: &Transition) -> bool {
    match transition.action {
        Action::Guard(expr) => *model.expr(expr) == Expr::Const(0),
        _ => false,
    }
}

/// Whether a transition only leads somewhere else.
fn is_jump(transition: &Transition) -> bool {
    let text = transition.text.as_str();
    let jumps = text == "break" || text.starts_with("goto");
    transition.action == Action::Skip && jumps || is_join(transition)
}

/// Whether options join in a transition.
fn is_join(transition: &Transition) -> bool {
    transition.action == Action::Skip && transition.text == "join"
}
