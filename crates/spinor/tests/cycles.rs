//! Random models with claims, formulas and labels: all ways to search for cycles must agree,
//! with and without reductions, and every counterexample must execute again.

use clap::Parser;
use model::Model;
use model::reduction::{reduce, reduce_keeping_steps};
use search::{Completion, SearchConfig, Verdict};
use space::Fairness;
use spinor::cli::{Cli, Command};
use spinor::confirm::confirm_lasso;
use spinor::engine::{CycleStrategy, search_cycles};
use spinor::liveness::{Target, Watcher};
use spinor::load::{SourceOptions, load_text};
use spinor::property::Property;

const SEEDS: std::ops::Range<u64> = 0..40;
/// Larger models are left out: unoptimised code is slow.
const MOST_BYTES: usize = 1 << 20;
/// As the stack of the program.
const STACK_SIZE: usize = 256 << 20;

/// The searches of each kind of fairness, as arguments of `check`.
const SEARCHES: [(Fairness, &[&str]); 3] = [
    (
        Fairness::None,
        &[
            "--search nested-dfs",
            "--search scc --backend interp",
            "--search owcty --backend interp",
        ],
    ),
    (
        Fairness::Weak,
        &[
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
fn violated(model: &Model, target: Target, arguments: &str, reduced: bool) -> Option<bool> {
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
        assert!(confirmed.is_ok(), "{arguments}: {finding:?}: {confirmed:?}");
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

fn compare(seed: u64) -> usize {
    let text = generate::model(seed);
    let loaded = load_text("m.pml".as_ref(), &text, &SourceOptions::default());
    let Ok(loaded) = loaded else { return 0 };
    let mut compared = 0;
    for target in targets(&loaded.model) {
        let mut fairer: Option<bool> = None;
        for (fairness, searches) in SEARCHES {
            let mut answers = Vec::new();
            for arguments in searches {
                for reduced in [false, true] {
                    let answer = violated(&loaded.model, target, arguments, reduced);
                    answers.extend(answer.map(|answer| (answer, arguments, reduced)));
                }
            }
            let Some(&(first, ..)) = answers.first() else {
                continue;
            };
            let context = format!("seed {seed}, {target:?}, {fairness:?}: {answers:?}\n{text}");
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

#[test]
fn all_searches_agree_on_random_models() {
    let run = || SEEDS.map(compare).sum::<usize>();
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
    let compared = thread.spawn(run).expect("a thread").join();
    let compared = compared.expect("no disagreement");
    println!("{compared} searches of {SEEDS:?}");
    assert!(compared > 300, "only {compared}");
}
