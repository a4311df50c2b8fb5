//! With partial-order reduction a property beyond safety holds if and only if it does without,
//! for every kind of property, fairness, reduction and search.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first, and `SPINOR_BYTES`
//! how much memory the states of a model may take that is compared.

mod common;

use checker::confirm::confirm_lasso;
use checker::liveness::{Target, Watcher};
use checker::options::{Backend, Fairness, Search, SearchOptions};
use checker::plan::feature::Feature;
use checker::plan::{Job, PorChoice};
use checker::property::Property;
use common::on_a_large_stack;
use model::Model;
use model::dependency::Strictness;
use model::reduction::{reduce, reduce_keeping_steps};
use reduce::{Effort, Method, Reducer, Reduction};
use search::{Completion, SearchConfig, Verdict};

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 15 } else { 30 };
/// Larger models are left out.
const MOST_BYTES: usize = 1 << 20;

const ALL: &[Option<Search>] = &[
    None,
    Some(Search::NestedDfs),
    Some(Search::Scc),
    Some(Search::Owcty),
];

/// The searches of each kind of fairness; none stands for the one that is chosen.
const SEARCHES: [(Fairness, &[Option<Search>]); 3] = [
    (Fairness::None, ALL),
    (Fairness::Weak, ALL),
    (Fairness::Strong, &[Some(Search::Scc), Some(Search::Owcty)]),
];

fn job(model: &Model, target: Target, fairness: Fairness, search: Option<Search>) -> Job {
    let options = SearchOptions {
        search,
        fairness,
        backend: Backend::Interp,
        no_reduction: true,
        ..SearchOptions::default()
    };
    Job::cycles(model, target, &options).expect("a plan")
}

/// A property of a model, and how it is searched.
struct Question<'a> {
    name: &'a str,
    model: &'a Model,
    job: &'a mut Job,
}

impl Question<'_> {
    fn watcher(&self) -> &Watcher {
        self.job.watcher.as_ref().expect("a watcher")
    }

    fn searched(&self) -> &Model {
        self.job.searched(self.model)
    }

    /// Whether some execution violates the property, and how many states were stored; nothing if
    /// the model is too large.
    fn ask(&mut self, reduction: Option<Reduction>) -> Option<(bool, u64)> {
        let config = SearchConfig {
            memory_limit: Some(common::bytes(MOST_BYTES)),
            ..SearchConfig::default()
        };
        self.job.por = match reduction {
            Some(reduction) => PorChoice::On(reduction),
            None => PorChoice::Off(None),
        };
        let ran = common::run(self.model, self.job, &config);
        if ran.outcome.completion() == Completion::MemoryLimit {
            return None;
        }
        for finding in ran.outcome.findings() {
            let fairness = self.job.fairness.into();
            let confirmed = confirm_lasso(self.watcher(), self.searched(), finding, fairness);
            let (name, por) = (self.name, &self.job.por);
            assert!(confirmed.is_ok(), "{name}, {por:?}: {confirmed:?}");
        }
        let stored = ran.outcome.statistics.stored;
        match ran.outcome.verdict() {
            Verdict::Violated(_) => Some((true, stored)),
            Verdict::Holds(_) => Some((false, stored)),
            Verdict::Inconclusive(_) => None,
        }
    }

    /// Compare all reductions with none. How many states they left out; nothing if none could be
    /// compared.
    fn compare(&mut self) -> Option<u64> {
        let (violated, stored) = self.ask(None)?;
        let mut saved = 0;
        for method in [Method::Ample, Method::Cluster, Method::Stubborn] {
            for &correction in common::corrections(self.searched()) {
                let reduction = Reduction {
                    method,
                    effort: Effort::Thorough,
                    clusters: Vec::new(),
                    sleeps: false,
                    correction,
                    observed: self.watcher().observed(),
                    strictness: match self.job.fairness {
                        Fairness::None => Strictness::Plain,
                        _ => Strictness::Fair,
                    },
                };
                Reducer::new(self.searched(), &reduction).ok()?;
                if let Some((answer, left)) = self.ask(Some(reduction.clone())) {
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
        for &search in searches {
            let mut job = job(model, target, fairness, search);
            let without = |feature| job.has(feature);
            if without(Feature::NeverClaim) || without(Feature::StepCounting) {
                return (compared, saved);
            }
            let watched = &job.watcher.as_ref().expect("a watcher").model;
            let smaller = match fairness != Fairness::None && watched.has_handshakes() {
                true => reduce_keeping_steps(watched),
                false => reduce(watched),
            };
            for reduced in [None, Some(smaller)] {
                job.reduced = reduced;
                let mut question = Question {
                    name: &format!("{name}, {target:?}, {fairness:?}, {search:?}"),
                    model,
                    job: &mut job,
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
