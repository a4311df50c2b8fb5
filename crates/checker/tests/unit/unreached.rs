//! Which statements are said to be unreached.

use model::Interp;
use search::{SearchConfig, dfs};
use store::PlainStore;

use checker::load::{Source, load};
use checker::report::StatementReport;
use checker::report::unreached::unreached;

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
