//! The toy checker reads relations as files, and finds what searches find.

mod common;
#[path = "../../relation/examples/toy_checker.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod toy_checker;

use common::on_a_large_stack;
use model::{Interp, Model};
use search::{Completion, Outcome, SearchConfig};
use space::ViolationKind;
use store::PlainStore;

/// Models with more states are left out.
const MOST_STATES: u64 = 20_000;
/// So many models are compared at least.
const LEAST_MODELS: usize = 200;

/// States, transitions, deadlocks, and assertions that are violated.
fn counts(outcome: &Outcome) -> [usize; 4] {
    let found = |kind| {
        let findings = outcome.findings().iter();
        findings.filter(move |finding| finding.violation.kind == kind)
    };
    let mut sites: Vec<_> = (found(ViolationKind::Assertion))
        .map(|finding| finding.violation.site)
        .collect();
    sites.sort_unstable();
    sites.dedup();
    let deadlocks: u64 = found(ViolationKind::InvalidEndState)
        .map(|finding| finding.count)
        .sum();
    let states = outcome.statistics.stored;
    let transitions = states + outcome.statistics.matched;
    [
        states as usize,
        transitions as usize,
        deadlocks as usize,
        sites.len(),
    ]
}

/// Whether a model was compared.
fn agrees(name: &str, model: &Model) -> bool {
    let config = SearchConfig {
        max_errors: None,
        memory_limit: Some(32 << 20),
        ..SearchConfig::default()
    };
    let outcome = search::dfs(&mut Interp::new(model), &mut PlainStore::new(), &config);
    let is_small = outcome.statistics.stored <= MOST_STATES;
    if outcome.completion() != Completion::Complete || !is_small {
        return false;
    }
    let mut file = Vec::new();
    match relation::export(model, &mut file) {
        Err(relation::ExportError::Initial(_)) => false,
        written => {
            written.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(toy_checker::check(&file), counts(&outcome), "{name}");
            true
        }
    }
}

#[test]
fn corpus_models() {
    on_a_large_stack(|| {
        let corpus = common::corpus();
        let compared = corpus.iter().filter(|(name, model)| agrees(name, model));
        let compared = compared.count();
        println!("{compared} models compared");
        assert!(compared >= LEAST_MODELS);
    });
}

#[test]
fn random_models() {
    on_a_large_stack(|| {
        let models = common::random(60, generate::model);
        assert!(models.filter(|(name, model)| agrees(name, model)).count() > 0);
    });
}
