//! Statements that no execution reaches: often a mistake in the model.

use model::{Action, Model, Proctype, ProctypeId, Transition};

use super::describe::is_process;
use super::{StatementReport, UnreachedReport};
use crate::trace::file::FileCall;

/// The statements that were never executed, by proctype in the order of the text.
pub(super) fn unreached(model: &Model, reached: &[bool]) -> Vec<UnreachedReport> {
    let mut reports = Vec::new();
    for (row, proctype) in model.proctypes.iter().enumerate() {
        if !is_process(proctype.kind) {
            continue;
        }
        let steps = steps_of(model, proctype);
        let own =
            model.transitions.iter().enumerate().filter(|(id, t)| {
                t.proctype == ProctypeId(row as u32) && (steps[*id] || !is_jump(t))
            });
        let (executed, missing): (Vec<_>, Vec<_>) =
            own.partition(|(id, _)| reached.get(*id) == Some(&true));
        let mut missing: Vec<&Transition> = missing
            .into_iter()
            .map(|(_, transition)| transition)
            .filter(|transition| transition.text != "join")
            .collect();
        missing.sort_by_key(|t| (t.location, t.control));
        let mut statements: Vec<StatementReport> = missing
            .into_iter()
            .map(|transition| StatementReport {
                location: model.locate(transition.location),
                calls: FileCall::all(model, transition.call),
                text: transition.text.clone(),
            })
            .collect();
        statements.dedup();
        if !statements.is_empty() {
            reports.push(UnreachedReport {
                proctype: proctype.name.clone(),
                location: model.locate(proctype.location),
                all: executed.is_empty(),
                statements,
            });
        }
    }
    reports
}

/// For each transition whether it is an option of a control state that some path of the
/// control-flow graph leads to. Jumps that cost nothing are not.
fn steps_of(model: &Model, proctype: &Proctype) -> Vec<bool> {
    let mut steps = vec![false; model.transitions.len()];
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
            steps[option.transition.0 as usize] = true;
            todo.push(model.transition(option.transition).target);
        }
    }
    steps
}

/// Whether a transition only leads somewhere else.
fn is_jump(transition: &Transition) -> bool {
    let text = transition.text.as_str();
    transition.action == Action::Skip
        && (matches!(text, "join" | "break") || text.starts_with("goto"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use model::Interp;
    use search::{SearchConfig, dfs};
    use store::PlainStore;

    use super::*;
    use crate::load::{SourceOptions, load_text};

    /// The unreached statements of a model, as `proctype: text, text`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let loaded = load_text(Path::new("m.pml"), text, &SourceOptions::default());
        let model = loaded.expect("a good model").model;
        let mut store = PlainStore::new();
        let outcome = dfs(
            &mut Interp::new(&model),
            &mut store,
            &SearchConfig::default(),
        );
        let found: Vec<String> = unreached(&model, &outcome.reached)
            .iter()
            .map(|report| {
                let texts: Vec<&str> = report.statements.iter().map(|s| &*s.text).collect();
                format!("{}: {}", report.proctype, texts.join(", "))
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn jumps_and_joins_that_cost_nothing_are_not_statements() {
        check(
            "byte x; active proctype P() {
               do :: x < 2 -> x++; if :: x == 1 -> x++; goto L :: else fi :: else -> break od;
               L: atomic { if :: x -> x = 3 :: else -> skip fi; x = 4 } }",
            &["P: else, else, else, skip"],
        );
    }

    #[test]
    fn dead_code_and_idle_proctypes() {
        check(
            "byte x; active proctype P() { end: x == 1; x = 2 } proctype Q(byte n) { x = n }
             never { do :: x od }",
            &["P: x == 1, x = 2, -end-", "Q: x = n, -end-"],
        );
        check(
            "byte x; active proctype P() { goto L; x = 2; L: x = 3 }",
            &["P: x = 2"],
        );
    }
}
