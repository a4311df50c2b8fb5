//! What several tests need: the corpus, random models, a stack that is large enough.

use std::fs;
use std::path::{Path, PathBuf};

use checker::CancelFlag;
use checker::engine::{self, SearchResult, Setting};
use checker::load::{Source, load};
use checker::plan::Job;
use model::Model;
use model::dependency::Correction;
use model::reduction::Reduced;
use search::SearchConfig;

/// Work with a stack as large as that of the program.
#[allow(dead_code, reason = "not every test recurses deeply")]
pub fn on_a_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(checker::STACK_SIZE)
        .spawn(work);
    let result = thread.expect("a thread").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

/// Run a job on a model.
#[allow(dead_code, reason = "not every test searches")]
pub fn run(model: &Model, job: &Job, config: &SearchConfig<'_>) -> SearchResult {
    let setting = Setting {
        config,
        resume: None,
        cancel: &CancelFlag::default(),
        begins: &|| {},
    };
    engine::run(model, job, setting).expect("nothing is resumed")
}

/// A model that was reduced elsewhere, as a job wants it.
#[allow(dead_code, reason = "not every test reduces")]
pub fn reduced(model: Model) -> Option<Reduced> {
    Some(Reduced {
        model,
        write_only: 0,
        resets: 0,
        merged: 0,
    })
}

/// All models that can be read, with their names.
#[allow(dead_code, reason = "not every test reads the corpus")]
pub fn corpus() -> Vec<(String, Model)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut found: Vec<PathBuf> = Vec::new();
    for dir in [
        root.clone(),
        root.join("features"),
        root.join("bench"),
        root.join("por"),
        root.join("symmetry"),
    ] {
        for entry in fs::read_dir(dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    let models: Vec<(String, Model)> = (found.iter())
        .filter_map(|path| {
            let loaded = load(&Source::file(path)).ok()?;
            Some((path.display().to_string(), loaded.model))
        })
        .collect();
    assert!(models.len() > 100, "only {} models", models.len());
    models
}

/// Random models with their names: `SPINOR_COUNT` of them, the first with `SPINOR_SEED`.
#[allow(dead_code, reason = "not every test asks for models of any kind")]
pub fn random(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::model)
}

/// The same, each with a random formula.
#[allow(dead_code, reason = "not every test asks for formulas")]
pub fn random_with_formula(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::model_with_formula)
}

/// Random models in which processes start others.
#[allow(dead_code, reason = "not every test asks for starts")]
pub fn random_families(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::family_model)
}

/// Random models whose processes can mostly be exchanged.
#[allow(dead_code, reason = "not every test asks for symmetry")]
pub fn random_symmetric(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::symmetric_model)
}

/// The same, each with a random formula.
#[allow(dead_code, reason = "not every test asks for symmetry")]
pub fn random_symmetric_with_formula(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::symmetric_model_with_formula)
}

/// Random models whose members have several names each.
#[allow(dead_code, reason = "not every test asks for symmetry")]
pub fn random_roles(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::role_model)
}

/// The same, each with a random formula.
#[allow(dead_code, reason = "not every test asks for symmetry")]
pub fn random_roles_with_formula(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::role_model_with_formula)
}

/// Random models around `provided` clauses.
#[allow(dead_code, reason = "not every test reduces")]
pub fn random_provided(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::provided_model)
}

/// The same, each with a random formula.
#[allow(dead_code, reason = "not every test asks for formulas")]
pub fn random_provided_with_formula(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::provided_model_with_formula)
}

/// Random models with endless atomic sequences, each with a random formula.
#[allow(dead_code, reason = "not every test looks for cycles")]
pub fn random_endless(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::endless_model)
}

/// Random models of two families whose pids are indices of one array.
#[allow(dead_code, reason = "not every test asks for symmetry")]
pub fn random_tags(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::tag_model)
}

/// Random models in which processes wait for several others, each with a random formula.
#[allow(dead_code, reason = "not every test looks for cycles")]
pub fn random_waiting(count: u64) -> impl Iterator<Item = (String, Model)> {
    generated(count, generate::waiting_model)
}

/// Memory for the states of a model: `SPINOR_BYTES`, if it is given.
#[allow(dead_code, reason = "not every test has a limit")]
pub fn bytes(most: usize) -> usize {
    number("SPINOR_BYTES").map_or(most, |bytes| bytes as usize)
}

/// The corrections of partial-order reduction that make a difference.
#[allow(dead_code, reason = "not every test reduces")]
pub fn corrections(model: &Model) -> &'static [Correction] {
    match model.has_handshakes() {
        true => &[Correction::Static, Correction::Dynamic],
        false => &[Correction::Dynamic],
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// The seeds of a test that takes so many if nobody asks for another number.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = number("SPINOR_SEED").unwrap_or(1);
    let count = number("SPINOR_COUNT").unwrap_or(count);
    println!("SPINOR_SEED={first} SPINOR_COUNT={count}");
    first..first + count
}

/// Random models of a generator.
pub fn generated(count: u64, text: fn(u64) -> String) -> impl Iterator<Item = (String, Model)> {
    seeds(count).filter_map(move |seed| {
        let text = text(seed);
        let loaded = load(&Source::text("random.pml", text));
        Some((format!("seed {seed}"), loaded.ok()?.model))
    })
}
