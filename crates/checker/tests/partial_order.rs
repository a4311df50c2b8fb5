//! Partial-order reduction finds what a search of everything finds.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first, and `SPINOR_BYTES`
//! how much memory the states of a model may take that is compared.

mod common;

use common::on_a_large_stack;
use model::dependency::{Observed, Strictness};
use model::reduction::reduce;
use model::{Interp, Model};
use reduce::{Effort, Method, Reduced, Reducer, Reduction};
use search::{Completion, Outcome, SearchConfig};
use space::{NextState, Violation};
use store::PlainStore;

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 30 } else { 120 };
/// Bytes for the states of a model that is searched.
const MEMORY: usize = if cfg!(debug_assertions) {
    1 << 17
} else {
    16 << 20
};

const METHODS: [Method; 4] = [
    Method::Nothing,
    Method::Ample,
    Method::Cluster,
    Method::Stubborn,
];
/// How a model is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Dfs,
    Bfs,
    Sleep,
}

const KINDS: [Kind; 3] = [Kind::Dfs, Kind::Bfs, Kind::Sleep];

/// What is violated, without regard to how often.
fn violations(outcome: &Outcome) -> Vec<Violation> {
    let mut found: Vec<Violation> = outcome.findings().iter().map(|f| f.violation).collect();
    found.sort_by_key(|violation| format!("{violation:?}"));
    found.dedup();
    found
}

/// Compare all reductions of a model with the search of everything. How many states they left
/// out together; nothing if it is too large.
fn check(name: &str, model: &Model) -> Option<u64> {
    let config = SearchConfig {
        max_errors: None,
        memory_limit: Some(common::bytes(MEMORY)),
        kept_traces: 10_000,
        ..SearchConfig::default()
    };
    let mut interp = Interp::new(model);
    let full = search::dfs(&mut interp, &mut PlainStore::new(), &config);
    if full.exhaustive().is_none() || interp.hidden_len() > 0 {
        return None;
    }
    let mut saved = 0;
    for method in METHODS {
        for &correction in common::corrections(model) {
            let reduction = Reduction {
                method,
                effort: Effort::Thorough,
                clusters: Vec::new(),
                sleeps: false,
                correction,
                observed: Observed::default(),
                strictness: Strictness::Plain,
            };
            for kind in KINDS {
                let reduction = Reduction {
                    sleeps: kind == Kind::Sleep,
                    ..reduction.clone()
                };
                let Ok(reducer) = Reducer::new(model, &reduction) else {
                    continue;
                };
                let mut reduced = Reduced {
                    model: Interp::new(model),
                    reducer: Some(reducer),
                    taken: None,
                };
                let mut store = PlainStore::new();
                let mut found = match kind {
                    Kind::Dfs => search::reduced_dfs(&mut reduced, &mut store, &config),
                    Kind::Bfs => search::bfs(&mut reduced, &mut store, &config),
                    Kind::Sleep => {
                        store = PlainStore::with_note(search::SLEEP_NOTE_BYTES);
                        search::sleep_dfs(&mut reduced, &mut store, &config)
                    }
                };
                let name = format!("{name}, {method:?}, {correction:?}, {kind:?}");
                // Remembering the path takes memory too.
                if found.completion() == Completion::MemoryLimit {
                    continue;
                }
                assert!(found.exhaustive().is_some(), "{name}");
                assert!(found.statistics.stored <= full.statistics.stored, "{name}");
                assert_eq!(violations(&found), violations(&full), "{name}");
                let mut reached = full.reached.clone();
                if let Some(reducer) = &reduced.reducer {
                    reducer.add_ends(&mut found.reached);
                    reducer.add_ends(&mut reached);
                }
                assert_eq!(found.reached, reached, "{name}");
                if (method, kind) == (Method::Nothing, Kind::Sleep) {
                    // Sleep sets alone keep every state.
                    assert_eq!(found.statistics.stored, full.statistics.stored, "{name}");
                }
                saved += full.statistics.stored - found.statistics.stored;
            }
        }
    }
    Some(saved)
}

fn check_all(models: impl Iterator<Item = (String, Model)>) {
    let (mut saved, mut compared) = (0, 0);
    for (name, model) in models {
        let states = check(&name, &model);
        compared += u64::from(states.is_some());
        saved += states.unwrap_or(0);
        saved += check(&format!("{name}, reduced"), &reduce(&model).model).unwrap_or(0);
    }
    println!("{compared} models compared");
    assert!(saved > 1000, "only {saved} states left out");
}

#[test]
fn the_corpus() {
    on_a_large_stack(|| check_all(common::corpus().into_iter()));
}

#[test]
fn random_models() {
    on_a_large_stack(|| check_all(common::random(COUNT)));
}

#[test]
fn random_families() {
    on_a_large_stack(|| check_all(common::random_families(COUNT / 5)));
}

#[test]
fn random_provided_clauses() {
    on_a_large_stack(|| check_all(common::random_provided(COUNT)));
}

#[test]
fn random_members_with_several_names() {
    on_a_large_stack(|| check_all(common::random_roles(COUNT / 2)));
}
