//! Statements that no execution reaches: often a mistake in the model.

use model::{Action, Expr, Model, Transition};

use super::describe::is_process;
use super::{StatementReport, UnreachedReport};
use crate::trace::file::FileCall;

/// The statements that were never executed, by proctype in the order of the text.
///
/// Statements that no path of the control-flow graph leads to are listed separately, as dead
/// code: no search can reach them. The implied end of an endless body is not listed at all.
pub(super) fn unreached(model: &Model, reached: &[bool]) -> Vec<UnreachedReport> {
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

#[cfg(test)]
mod tests {
    use model::Interp;
    use search::{SearchConfig, dfs};
    use store::PlainStore;

    use super::*;
    use crate::load::{Source, load};

    /// The unreached statements of a model, as `proctype: text, text; dead: text`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let loaded = load(&Source::text("m.pml", text));
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
                let text = |statement: &StatementReport| {
                    let calls = statement.calls.iter().map(|c| format!(" in {}", c.inline));
                    format!("{}{}", statement.text, calls.collect::<String>())
                };
                let texts = |all: &[StatementReport]| {
                    let texts: Vec<String> = all.iter().map(text).collect();
                    texts.join(", ")
                };
                let dead = match report.dead.as_slice() {
                    [] => String::new(),
                    dead => format!("; dead: {}", texts(dead)),
                };
                format!("{}: {}{dead}", report.proctype, texts(&report.statements))
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
            &["P: ; dead: x = 2"],
        );
        check(
            "byte x; active proctype P() { do :: x = 1 - x od; x = 2; x = 3 } active proctype Q() { \
             do :: x == 2 -> break :: x == 3 -> x = 4; goto L; x = 5 od; L: skip }",
            &[
                "P: ; dead: x = 2, x = 3",
                "Q: x == 2, x == 3, x = 4, skip, -end-; dead: x = 5",
            ],
        );
    }

    #[test]
    fn ends_of_endless_loops_are_not_missed() {
        check("byte x; active proctype P() { do :: x = 1 - x od }", &[]);
        check("byte x; active proctype P() { L: x = 1 - x; goto L }", &[]);
        check("active proctype P() { if :: true -> end: false fi }", &[]);
        check(
            "byte x; active proctype P() { if :: x -> x = 1; false; x = 2 :: else fi }",
            &["P: x, x = 1; dead: x = 2"],
        );
        check(
            "byte x; active proctype P() { do :: x == 0 :: x == 1 -> break od }",
            &["P: x == 1, -end-"],
        );
    }

    #[test]
    fn escapes_are_paths() {
        check(
            "byte x; active proctype P() { do :: x = 1 - x od unless { x == 2 }; x = 3 }",
            &["P: x == 2, x = 3, -end-"],
        );
    }

    #[test]
    fn statements_of_inlines_are_told_by_their_calls() {
        check(
            "byte x; inline up(v, w) { if :: v == w -> v = w + 1 :: else fi }
             active proctype P() { up(x, 0); up(x, 0); up(x, 2) }",
            &["P: x == 0 in up, x == 2 in up, x = 0 + 1 in up, x = 2 + 1 in up, else in up"],
        );
    }

    #[test]
    fn variables_may_be_called_as_jumps_are() {
        check(
            "bit join, gotos; active proctype P() { if :: join :: gotos :: else fi }",
            &["P: join, gotos"],
        );
    }
}
