//! With partial-order reduction a property beyond safety holds if and only if it does without,
//! for every kind of property, fairness, reduction and search.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first, and `SPINOR_BYTES`
//! how much memory the states of a model may take that is compared.

mod common;

use clap::Parser;
use common::on_a_large_stack;
use model::Model;
use model::dependency::Strictness;
use model::reduction::{reduce, reduce_keeping_steps};
use reduce::{Effort, Method, Reducer, Reduction};
use search::{Completion, SearchConfig, Verdict};
use space::Fairness;
use spinor::cli::{Cli, Command};
use spinor::confirm::confirm_lasso;
use spinor::engine::{CycleStrategy, search_cycles};
use spinor::liveness::{Target, Watcher};
use spinor::property::Property;

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 15 } else { 100 };
/// Larger models are left out.
const MOST_BYTES: usize = 1 << 20;

const NESTED: &str = "--search nested-dfs";
const SCC: &str = "--search scc";
const OWCTY: &str = "--search owcty";

/// The searches of each kind of fairness; without an option, the one that is chosen.
const SEARCHES: [(&str, &[&str]); 3] = [
    ("none", &["", NESTED, SCC, OWCTY]),
    ("weak", &["", NESTED, SCC, OWCTY]),
    ("strong", &[SCC, OWCTY]),
];

fn strategy(arguments: &str) -> CycleStrategy {
    let words = ["spinor", "check", "m.pml", "--backend", "interp"].into_iter();
    let cli = Cli::try_parse_from(words.chain(arguments.split_whitespace()));
    let Ok(Cli {
        command: Command::Check(args),
    }) = cli
    else {
        panic!("{arguments}: no check");
    };
    CycleStrategy::new(&args.search, true).expect("a strategy")
}

/// A property of a model, and how it is searched.
struct Question<'a> {
    name: &'a str,
    watcher: &'a Watcher,
    searched: &'a Model,
    strategy: &'a CycleStrategy,
}

impl Question<'_> {
    /// Whether some execution violates the property, and how many states were stored; nothing if
    /// the model is too large.
    fn ask(&self, reduction: Option<&Reduction>) -> Option<(bool, u64)> {
        let config = SearchConfig {
            memory_limit: Some(common::bytes(MOST_BYTES)),
            ..SearchConfig::default()
        };
        let Question {
            watcher, searched, ..
        } = self;
        let ran = search_cycles(watcher, searched, self.strategy, reduction, None, &config);
        if ran.outcome.completion() == Completion::MemoryLimit {
            return None;
        }
        for finding in ran.outcome.findings() {
            let confirmed = confirm_lasso(watcher, searched, finding, self.strategy.fairness);
            let name = self.name;
            assert!(confirmed.is_ok(), "{name}, {reduction:?}: {confirmed:?}");
        }
        let stored = ran.outcome.figures.stored;
        match ran.outcome.verdict() {
            Verdict::Violated(_) => Some((true, stored)),
            Verdict::Holds(_) => Some((false, stored)),
            Verdict::Inconclusive(_) => None,
        }
    }

    /// Compare all reductions with none. How many states they left out; nothing if none could be
    /// compared.
    fn compare(&self) -> Option<u64> {
        let (violated, stored) = self.ask(None)?;
        let mut saved = 0;
        for method in [Method::Ample, Method::Cluster, Method::Stubborn] {
            for &correction in common::corrections(self.searched) {
                let reduction = Reduction {
                    method,
                    effort: Effort::Thorough,
                    clusters: Vec::new(),
                    sleeps: false,
                    correction,
                    observed: self.watcher.observed(),
                    strictness: match self.strategy.fairness {
                        Fairness::None => Strictness::Plain,
                        _ => Strictness::Fair,
                    },
                };
                Reducer::new(self.searched, &reduction).ok()?;
                if let Some((answer, left)) = self.ask(Some(&reduction)) {
                    let name = self.name;
                    assert_eq!(answer, violated, "{name}, {reduction:?}");
                    if !violated {
                        saved += stored - left;
                    }
                }
            }
        }
        Some(saved)
    }
}

/// Compare all searches. How many comparisons there were, and how many states were left out.
fn check(name: &str, model: &Model, target: Target) -> (u64, u64) {
    let (mut compared, mut saved) = (0, 0);
    for (fairness, searches) in SEARCHES {
        for search in searches {
            let arguments = format!("{search} --fairness {fairness}");
            let strategy = strategy(&arguments);
            let watcher = Watcher::new(model, target, strategy.capability()).expect("a watcher");
            if watcher.por_conflict().is_some() {
                return (compared, saved);
            }
            let fair = strategy.fairness != Fairness::None && watcher.model.has_handshakes();
            let smaller = match fair {
                true => reduce_keeping_steps(&watcher.model).model,
                false => reduce(&watcher.model).model,
            };
            for searched in [&watcher.model, &smaller] {
                let question = Question {
                    name: &format!("{name}, {target:?}, {arguments}"),
                    watcher: &watcher,
                    searched,
                    strategy: &strategy,
                };
                if let Some(states) = question.compare() {
                    compared += 1;
                    saved += states;
                }
            }
        }
    }
    (compared, saved)
}

fn check_model(name: &str, model: &Model) -> (u64, u64) {
    let stated = model.liveness.iter().enumerate();
    let stated = stated.filter_map(|(row, stated)| Property::of_model(row, stated).target());
    let targets = stated.chain([Target::NonProgress]);
    let found = targets.map(|target| check(name, model, target));
    found.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

/// Check models that leave out more states than this together.
fn check_all(models: impl Iterator<Item = (String, Model)>, least: u64) {
    let (mut models_compared, mut compared, mut saved) = (0, 0, 0);
    for (name, model) in models {
        let found = check_model(&name, &model);
        models_compared += u64::from(found.0 > 0);
        compared += found.0;
        saved += found.1;
    }
    println!("{models_compared} models, {compared} searches compared");
    assert!(compared > 0, "nothing compared");
    assert!(saved >= least, "only {saved} states left out");
}

#[test]
fn the_corpus() {
    on_a_large_stack(|| check_all(common::corpus().into_iter(), 1000));
}

#[test]
fn random_models() {
    on_a_large_stack(|| {
        let models = common::random(COUNT).chain(common::random_with_formula(COUNT));
        check_all(models, 1000);
    });
}

#[test]
fn random_provided_clauses() {
    on_a_large_stack(|| check_all(common::random_provided_with_formula(COUNT), 100));
}

#[test]
fn random_waiting_processes() {
    on_a_large_stack(|| check_all(common::random_waiting(COUNT), 100));
}

/// Few such models can be answered at all: a search that cuts a sequence says so.
#[test]
fn random_endless_atomic_sequences() {
    on_a_large_stack(|| check_all(common::random_endless(5 + COUNT / 10), 0));
}
