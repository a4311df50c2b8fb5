//! Random models with claims, formulas and labels: all ways to search for cycles must agree,
//! with and without reductions, and every counterexample must execute again.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use checker::confirm::confirm_lasso;
use checker::liveness::Target;
use checker::options::{Backend, Fairness, Search, SearchOptions, Store};
use checker::plan::Job;
use checker::property::Property;
use common::on_a_large_stack;
use model::Model;
use model::reduction::{reduce, reduce_keeping_steps};
use search::{Completion, SearchConfig, Verdict};

/// Random models, if nobody asks for another number.
const COUNT: u64 = 40;
/// Larger models are left out: unoptimised code is slow.
const MOST_BYTES: usize = 16 << 20;

/// The searches of each kind of fairness: the one that is chosen without a name, and all that have
/// one.
const SEARCHES: [(Fairness, &[Option<Search>]); 3] = [
    (Fairness::None, ALL),
    (Fairness::Weak, ALL),
    (Fairness::Strong, &[Some(Search::Scc), Some(Search::Owcty)]),
];

const ALL: &[Option<Search>] = &[
    None,
    Some(Search::NestedDfs),
    Some(Search::Scc),
    Some(Search::Owcty),
];

/// How a property is searched for.
fn options(fairness: Fairness, search: Option<Search>) -> SearchOptions {
    SearchOptions {
        search,
        fairness,
        backend: Backend::Interp,
        store: (search == Some(Search::NestedDfs) && fairness == Fairness::Weak)
            .then_some(Store::Tree),
        no_reduction: true,
        ..SearchOptions::default()
    }
}

/// Whether some execution violates a property; nothing if the model is too large.
fn violated(
    name: &str,
    model: &Model,
    target: Target,
    options: &SearchOptions,
    is_reduced: bool,
) -> Option<bool> {
    let mut job = Job::cycles(model, target, options).expect("a plan");
    let watcher = job.watcher.as_ref().expect("a watcher");
    let fair = options.fairness != Fairness::None && watcher.model.has_handshakes();
    job.reduced = match (is_reduced, watcher.counts_steps || fair) {
        (false, _) => None,
        (true, true) => Some(reduce_keeping_steps(&watcher.model)),
        (true, false) => Some(reduce(&watcher.model)),
    };
    let config = SearchConfig {
        memory_limit: Some(MOST_BYTES),
        ..SearchConfig::default()
    };
    let ran = common::run(model, &job, &config);
    if ran.outcome.completion() == Completion::MemoryLimit {
        return None;
    }
    let watcher = job.watcher.as_ref().expect("a watcher");
    for finding in ran.outcome.findings() {
        let searched = job.searched(model);
        let confirmed = confirm_lasso(watcher, searched, finding, options.fairness.into());
        assert!(
            confirmed.is_ok(),
            "{name}, {options:?}, reduced {is_reduced}: {finding:?}: {confirmed:?}"
        );
    }
    match ran.outcome.verdict() {
        Verdict::Violated(_) => Some(true),
        Verdict::Holds(_) => Some(false),
        Verdict::Inconclusive(_) => None,
    }
}

/// What a model states, and non-progress cycles.
fn targets(model: &Model) -> Vec<Target> {
    let stated = model.liveness.iter().enumerate();
    let stated = stated.filter_map(|(row, stated)| Property::of_model(row, stated).target());
    stated.chain([Target::NonProgress]).collect()
}

fn compare(name: &str, model: &Model) -> usize {
    let mut compared = 0;
    for target in targets(model) {
        let mut fairer: Option<bool> = None;
        for (fairness, searches) in SEARCHES {
            let mut answers = Vec::new();
            for &search in searches {
                for reduced in [false, true] {
                    let options = options(fairness, search);
                    let answer = violated(name, model, target, &options, reduced);
                    answers.extend(answer.map(|answer| (answer, search, reduced)));
                }
            }
            let Some(&(first, ..)) = answers.first() else {
                continue;
            };
            let context = format!("{name}, {target:?}, {fairness:?}: {answers:?}");
            assert!(
                answers.iter().all(|(answer, ..)| *answer == first),
                "{context}"
            );
            // What a fair execution violates, some execution violates.
            assert!(fairer != Some(false) || !first, "{context}");
            fairer = Some(first);
            compared += answers.len();
        }
    }
    compared
}

/// Compare more searches than this together.
fn compare_all(models: impl Iterator<Item = (String, Model)>, least: usize) {
    let compared: usize = models.map(|(name, model)| compare(&name, &model)).sum();
    println!("{compared} searches");
    assert!(compared > least, "only {compared}");
}

#[test]
fn random_models() {
    on_a_large_stack(|| compare_all(common::random(COUNT), 300));
}

#[test]
fn random_endless_atomic_sequences() {
    on_a_large_stack(|| compare_all(common::random_endless(COUNT / 4), 20));
}

#[test]
fn random_provided_clauses() {
    on_a_large_stack(|| compare_all(common::random_provided_with_formula(COUNT), 300));
}

#[test]
fn random_members_with_several_names() {
    on_a_large_stack(|| compare_all(common::random_roles_with_formula(COUNT / 2), 300));
}

/// A model with a formula that says the opposite of its own, called `denied`.
fn denied(text: &str) -> String {
    let formula = text
        .lines()
        .find_map(|line| line.strip_prefix("ltl asked {"));
    let formula = formula.and_then(|rest| rest.strip_suffix('}'));
    let formula = formula.expect("a formula in a line of its own");
    format!("{text}ltl denied {{ !({formula}) }}\n")
}

/// Every execution violates a formula or its negation, so no model has both. This is all that shows
/// a violation which every search misses, because they see the same product.
#[test]
fn a_formula_or_its_negation_is_violated() {
    on_a_large_stack(|| {
        let waiting = common::generated(3 * COUNT, |seed| denied(&generate::waiting_model(seed)));
        let provided = common::generated(3 * COUNT, |seed| {
            denied(&generate::provided_model_with_formula(seed))
        });
        let mut compared = 0;
        for (name, model) in waiting.chain(provided) {
            let holds = |row| {
                let options = options(Fairness::None, Some(Search::NestedDfs));
                let job = Job::cycles(&model, Target::Formula(row), &options).expect("a plan");
                let config = SearchConfig {
                    memory_limit: Some(MOST_BYTES),
                    ..SearchConfig::default()
                };
                let ran = common::run(&model, &job, &config);
                match ran.outcome.verdict() {
                    // An execution that ends in an error is none for a formula.
                    _ if ran.fault.is_some() => None,
                    Verdict::Violated(_) => Some(false),
                    Verdict::Holds(_) => Some(true),
                    Verdict::Inconclusive(_) => None,
                }
            };
            if let (Some(asked), Some(denied)) = (holds(0), holds(1)) {
                assert!(!(asked && denied), "{name}: both hold");
                compared += 1;
            }
        }
        assert!(compared > 30, "only {compared}");
    });
}
