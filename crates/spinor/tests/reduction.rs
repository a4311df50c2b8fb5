//! The static reductions: each alone and all together must find what the search of the
//! model as written finds, with no more states, and every counterexample of theirs must be
//! an execution of the model as written.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use model::reduction::{merge_local_steps, reduce, remove_write_only, reset_dead_variables};
use model::{Interp, Model};
use search::{Finding, Outcome, SearchConfig, dfs};
use space::{SiteId, ViolationKind};
use spinor::confirm::confirm;
use spinor::load::{SourceOptions, load_text};
use store::PlainStore;

/// Random models, if nobody asks for another number.
const COUNT: u64 = 300;
/// A model with more states is skipped; without optimisation they are fewer.
const LARGEST: u64 = if cfg!(debug_assertions) {
    20_000
} else {
    2_000_000
};
/// A search that needs more memory is given up, and the model skipped.
const MEMORY: usize = 1 << 30;
/// As the stack of the program.
const STACK_SIZE: usize = 256 << 20;

/// The passes, each alone and all together.
const REDUCTIONS: [(&str, fn(&Model) -> Model); 4] = [
    ("dead variables", |model| {
        let mut model = model.clone();
        reset_dead_variables(&mut model);
        model
    }),
    ("merging", |model| {
        let mut model = model.clone();
        merge_local_steps(&mut model);
        model
    }),
    ("write-only variables", |model| {
        let mut model = model.clone();
        remove_write_only(&mut model);
        model
    }),
    ("all", |model| reduce(model).model),
];

/// Search a model for all errors. This function alone knows how a search is started.
fn search(model: &Model) -> Outcome {
    let config = SearchConfig {
        max_errors: None,
        kept_traces: 8,
        memory_limit: Some(MEMORY),
        ..SearchConfig::default()
    };
    dfs(&mut Interp::new(model), &mut PlainStore::new(), &config)
}

/// What a search found, without the executions.
fn violated(findings: &[Finding]) -> BTreeSet<(ViolationKind, Option<SiteId>)> {
    let violations = findings.iter().map(|finding| finding.violation);
    violations.map(|v| (v.kind, v.site)).collect()
}

/// Compare all reductions of a model with the model. Returns how many states each left, the
/// model as written first; `None` if it is too large.
fn compare(name: &str, model: &Model) -> Option<Vec<u64>> {
    let plain = search(model);
    plain.exhaustive()?;
    let mut stored = vec![plain.figures.stored];
    for (reduction, apply) in REDUCTIONS {
        let outcome = search(&apply(model));
        assert!(outcome.exhaustive().is_some(), "{name}: {reduction}");
        for finding in outcome.findings() {
            let confirmed = confirm(model, finding);
            assert!(
                confirmed.is_ok(),
                "{name}: {reduction}: {confirmed:?}: {finding:?}"
            );
        }
        assert_eq!(
            violated(outcome.findings()),
            violated(plain.findings()),
            "{name}: {reduction}"
        );
        let states = outcome.figures.stored;
        assert!(
            states <= stored[0],
            "{name}: {reduction}: {states} states, not {}",
            stored[0]
        );
        stored.push(states);
    }
    Some(stored)
}

fn parse(name: &str, text: &str) -> Option<Model> {
    let loaded = load_text(Path::new(name), text, &SourceOptions::default());
    loaded.ok().map(|loaded| loaded.model)
}

/// All models below a directory, in order.
fn models(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The number of states that a header tells.
fn states_in_header(text: &str) -> u64 {
    let mut lines = text
        .lines()
        .filter_map(|l| l.strip_prefix("// expect: stored "));
    lines
        .next()
        .and_then(|n| n.trim().parse().ok())
        .unwrap_or(0)
}

/// Run with a stack as large as that of the program.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(work);
    let result = thread.expect("a thread").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

fn number_from(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(value) => value.parse().expect("a number"),
        Err(_) => default,
    }
}

#[test]
fn the_corpus_keeps_its_verdicts() {
    with_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        for path in models(&root) {
            let text = fs::read_to_string(&path).expect("a text");
            let name = path.display().to_string();
            let loaded = spinor::load::load(&path, &SourceOptions::default());
            let Ok(loaded) = loaded else { continue };
            if states_in_header(&text) > LARGEST {
                continue;
            }
            if let Some(stored) = compare(&name, &loaded.model) {
                let short = path.strip_prefix(&root).expect("a path below");
                println!("{:40} {stored:?}", short.display());
            }
        }
    });
}

#[test]
fn random_models_keep_their_verdicts() {
    with_stack(|| {
        let count = number_from("SPINOR_COUNT", COUNT);
        let seed = number_from("SPINOR_SEED", 1);
        println!("SPINOR_SEED={seed}");
        let mut compared = 0;
        let mut totals = vec![0; REDUCTIONS.len() + 1];
        for seed in seed..seed + count {
            let name = format!("SPINOR_SEED={seed}");
            let Some(model) = parse("m.pml", &generate::model(seed)) else {
                continue;
            };
            if let Some(stored) = compare(&name, &model) {
                compared += 1;
                totals
                    .iter_mut()
                    .zip(stored)
                    .for_each(|(total, n)| *total += n);
            }
        }
        println!("{compared} models of {count}: {totals:?} states");
        assert!(
            compared > count / 2,
            "{compared} models of {count} were compared"
        );
    });
}
