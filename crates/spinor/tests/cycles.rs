//! Random models with claims, formulas and labels: all ways to search for cycles must agree,
//! with and without reductions, and every counterexample must execute again.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use clap::Parser;
use common::on_a_large_stack;
use model::Model;
use model::reduction::{reduce, reduce_keeping_steps};
use search::{Completion, SearchConfig, Verdict};
use space::Fairness;
use spinor::cli::{Cli, Command};
use spinor::confirm::confirm_lasso;
use spinor::engine::{CycleStrategy, search_cycles};
use spinor::liveness::{Target, Watcher};
use spinor::property::Property;

/// Random models, if nobody asks for another number.
const COUNT: u64 = 40;
/// Larger models are left out: unoptimised code is slow.
const MOST_BYTES: usize = 16 << 20;

/// The searches of each kind of fairness, as arguments of `check`: those that are chosen without a
/// name, and all that have one.
const SEARCHES: [(Fairness, &[&str]); 3] = [
    (
        Fairness::None,
        &[
            "--backend interp",
            "--search nested-dfs",
            "--search scc --backend interp",
            "--search owcty --backend interp",
        ],
    ),
    (
        Fairness::Weak,
        &[
            "--fairness weak --backend interp",
            "--search nested-dfs --fairness weak --store tree --backend interp",
            "--search scc --fairness weak --backend interp",
            "--search owcty --fairness weak --backend interp",
        ],
    ),
    (
        Fairness::Strong,
        &[
            "--search scc --fairness strong --backend interp",
            "--search owcty --fairness strong --backend interp",
        ],
    ),
];

fn strategy(arguments: &str) -> CycleStrategy {
    let words = ["spinor", "check", "m.pml"].into_iter();
    let cli = Cli::try_parse_from(words.chain(arguments.split_whitespace()));
    let Ok(Cli {
        command: Command::Check(args),
    }) = cli
    else {
        panic!("{arguments}: no check");
    };
    CycleStrategy::new(&args.search, true).expect("a strategy")
}

/// Whether some execution violates a property; nothing if the model is too large.
fn violated(
    name: &str,
    model: &Model,
    target: Target,
    arguments: &str,
    reduced: bool,
) -> Option<bool> {
    let strategy = strategy(arguments);
    let watcher = Watcher::new(model, target, strategy.capability()).expect("a watcher");
    let fair = strategy.fairness != Fairness::None && watcher.model.has_handshakes();
    let searched = match (reduced, watcher.counts_steps || fair) {
        (false, _) => watcher.model.clone(),
        (true, true) => reduce_keeping_steps(&watcher.model).model,
        (true, false) => reduce(&watcher.model).model,
    };
    let config = SearchConfig {
        memory_limit: Some(MOST_BYTES),
        ..SearchConfig::default()
    };
    let ran = search_cycles(&watcher, &searched, &strategy, None, None, &config);
    if ran.outcome.completion() == Completion::MemoryLimit {
        return None;
    }
    for finding in ran.outcome.findings() {
        let confirmed = confirm_lasso(&watcher, &searched, finding, strategy.fairness);
        assert!(
            confirmed.is_ok(),
            "{name}, {arguments}, reduced {reduced}: {finding:?}: {confirmed:?}"
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
            for arguments in searches {
                for reduced in [false, true] {
                    let answer = violated(name, model, target, arguments, reduced);
                    answers.extend(answer.map(|answer| (answer, arguments, reduced)));
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
                let strategy = strategy("--search nested-dfs --backend interp");
                let target = Target::Formula(row);
                let watcher = Watcher::new(&model, target, strategy.capability());
                let watcher = watcher.expect("a watcher");
                let config = SearchConfig {
                    memory_limit: Some(MOST_BYTES),
                    ..SearchConfig::default()
                };
                let searched = &watcher.model;
                let ran = search_cycles(&watcher, searched, &strategy, None, None, &config);
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
