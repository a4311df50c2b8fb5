//! Counterexamples are executed again.

use checker::confirm::{Mismatch, confirm};
use checker::load::{Source, load};
use model::{Interp, Model};
use search::{Finding, SearchConfig, dfs};
use space::ViolationKind;
use store::PlainStore;

/// The findings of a search for all errors of a model.
fn search(text: &str) -> (Model, Vec<Finding>) {
    let loaded = load(&Source::text("m.pml", text));
    let model = loaded.expect("a good model").model;
    let config = SearchConfig {
        max_errors: None,
        ..SearchConfig::default()
    };
    let outcome = dfs(&mut Interp::new(&model), &mut PlainStore::new(), &config);
    (model, outcome.findings().to_vec())
}

#[test]
fn what_a_search_finds_is_confirmed() {
    for text in [
        "active proctype P() { assert(false); false }",
        "byte a[2], i; active proctype P() { atomic { i = 3; a[i] = 1 } }",
        "int x = 1 / 0; active proctype P() { x = 1 }",
        "byte x; active proctype P() provided (1 / x == 1) { x = 1 }",
        "chan c = [0] of { byte }; byte x; active proctype P() { atomic { x++; c ! x; x++ } }
         active proctype Q() { c ? 1; assert(x == 0) }",
    ] {
        let (model, findings) = search(text);
        assert!(!findings.is_empty(), "{text}");
        for finding in &findings {
            let confirmed = confirm(&model, finding);
            assert!(confirmed.is_ok(), "{text}: {finding:?}: {confirmed:?}");
        }
    }
}

#[test]
fn a_wrong_counterexample_is_found_out() {
    let text = "byte x; active proctype P() { x = 1; assert(x == 0); x = 2; assert(x == 2) }";
    let (model, findings) = search(text);
    let finding = &findings[0];
    let mut short = finding.clone();
    short.trace.steps.pop();
    assert_eq!(confirm(&model, &short), Err(Mismatch::NoViolation));
    let mut twice = finding.clone();
    twice.trace.steps.insert(0, finding.trace.steps[0]);
    assert_eq!(confirm(&model, &twice), Err(Mismatch::Step(2)));
    let mut other = finding.clone();
    other.violation = ViolationKind::InvalidEndState.into();
    assert_eq!(confirm(&model, &other), Err(Mismatch::NoViolation));
}
