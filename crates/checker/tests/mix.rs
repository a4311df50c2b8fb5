//! Every mix of search, store, backend and reduction on the corpus: no two verdicts
//! contradict each other, exact searches agree on the figures, and every counterexample
//! executes.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use checker::confirm::confirm;
use checker::load::{Source, load};
use checker::options::{Backend, Search, SearchOptions, Store};
use checker::plan::Job;
use model::Model;
use model::reduction::reduce;
use search::{Outcome, SearchConfig};
use space::{SiteId, ViolationKind};

/// Models with more states than this are left to the other tests.
const LARGEST: u64 = if cfg!(debug_assertions) { 300 } else { 2_000 };
/// A stateless search takes exponential time.
const LARGEST_STATELESS: u64 = 40;

type Violated = BTreeSet<(ViolationKind, Option<SiteId>)>;

fn options(backend: Backend, search: Search, store: Store) -> SearchOptions {
    SearchOptions {
        backend,
        store: Some(store),
        search: Some(search),
        no_reduction: true,
        memory: Some(1 << 20),
        ..SearchOptions::default()
    }
}

fn run(model: &Model, options: &SearchOptions) -> Outcome {
    let config = SearchConfig {
        max_errors: None,
        memory_limit: Some(64 << 20),
        ..SearchConfig::default()
    };
    let job = Job::safety(model, options).expect("a plan");
    common::run(model, &job, &config).outcome
}

fn violated(outcome: &Outcome) -> Violated {
    let violations = outcome.findings().iter().map(|finding| finding.violation);
    violations.map(|v| (v.kind, v.site)).collect()
}

/// Whether a model has hidden variables: then what is found depends on the order.
fn has_hidden(model: &Model) -> bool {
    model.layout.hidden > 0
}

/// Run all mixes on a model. Whether it was small enough.
fn check(name: &str, model: &Model) -> bool {
    let plain = run(
        model,
        &SearchOptions {
            collapse: false,
            ..options(Backend::Interp, Search::Dfs, Store::Plain)
        },
    );
    if plain.exhaustive().is_none() || plain.statistics.stored > LARGEST || has_hidden(model) {
        return false;
    }
    let reduced = reduce(model).model;
    let wanted = violated(&plain);
    for backend in [Backend::Jit, Backend::Interp] {
        for search in [
            Search::Dfs,
            Search::Bfs,
            Search::DepthLimited,
            Search::Stateless,
        ] {
            for store in [Store::Plain, Store::Tree, Store::Compact, Store::Bitstate] {
                let options = options(backend, search, store);
                let depths = search == Search::DepthLimited && store == Store::Bitstate;
                let stateless = search == Search::Stateless
                    && (store != Store::Plain || plain.statistics.stored > LARGEST_STATELESS);
                // The interpreter has seen enough with one store.
                let interpreted = backend == Backend::Interp && store != Store::Plain;
                if depths || stateless || interpreted {
                    continue;
                }
                let what = format!("{name}: {backend:?} {search:?} {store:?}");
                let outcome = run(model, &options);
                assert_eq!(violated(&outcome), wanted, "{what}");
                if search != Search::Stateless {
                    let (a, b) = (&outcome.statistics, &plain.statistics);
                    let statistics = |f: &search::Statistics| (f.stored, f.matched, f.atomic_steps);
                    if search != Search::DepthLimited {
                        assert_eq!(statistics(a), statistics(b), "{what}");
                    }
                    assert_eq!(a.stored, b.stored, "{what}");
                }
                for finding in outcome.findings() {
                    let confirmed = confirm(model, finding);
                    assert!(confirmed.is_ok(), "{what}: {confirmed:?}");
                }
                let outcome = run(&reduced, &options);
                assert_eq!(violated(&outcome), wanted, "{what}, reduced");
                for finding in outcome.findings() {
                    let confirmed = confirm(model, finding);
                    assert!(confirmed.is_ok(), "{what}, reduced: {confirmed:?}");
                }
            }
        }
    }
    shortest(name, model, &plain);
    true
}

/// Breadth-first search and shortening find traces that are no longer than any other's.
fn shortest(name: &str, model: &Model, plain: &Outcome) {
    let shortening = SearchOptions {
        shortest: true,
        ..options(Backend::Jit, Search::Dfs, Store::Plain)
    };
    let outcome = run(model, &shortening);
    let least = |outcome: &Outcome| {
        let lengths = outcome.findings().iter().map(|f| f.trace.steps.len());
        lengths.min()
    };
    if plain.findings().is_empty() {
        assert_eq!(least(&outcome), None, "{name}");
    } else {
        assert!(least(&outcome) <= least(plain), "{name}");
        let bfs = run(model, &options(Backend::Jit, Search::Bfs, Store::Plain));
        if bfs.statistics.atomic_steps == 0 {
            assert!(least(&bfs) <= least(&outcome), "{name}");
        }
    }
}

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut found = Vec::new();
    for dir in [root.clone(), root.join("features")] {
        for entry in fs::read_dir(dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn all_mixes_agree() {
    let mut checked = 0;
    for path in corpus() {
        if let Ok(loaded) = load(&Source::file(&path)) {
            checked += usize::from(check(&path.display().to_string(), &loaded.model));
        }
    }
    println!("{checked} models");
    assert!(checked > 100, "only {checked} models");
}
