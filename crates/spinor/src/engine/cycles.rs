//! Searches for cycles: which algorithm and store, and what cannot be combined.

use std::time::{Duration, Instant};

use jit::Jit;
use model::{Interp, Model};
use search::{Outcome, SearchConfig};
use space::{Fairness, Violation};
use store::{BitstateStore, CompactStore, PlainStore, StateStore, TreeStore};

use super::Estimate;
use crate::commands::check::{self, Backend, Search, SearchOptions, Store};
use crate::liveness::{Steps, System, Watcher};

/// Algorithms that find accepting cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleSearch {
    /// Nested depth-first search.
    NestedDfs,
}

/// How to search for cycles.
#[derive(Clone, Copy, Debug)]
pub struct CycleStrategy {
    /// What executes the model.
    pub backend: Backend,
    /// How visited states are kept.
    pub store: Store,
    /// The algorithm.
    pub search: CycleSearch,
    /// Which executions count.
    pub fairness: Fairness,
    hash_functions: u32,
    bitstate_bytes: u64,
}

impl CycleStrategy {
    /// What the options ask for, or why that cannot be had. `only` says that nothing else is
    /// searched for.
    pub fn new(options: &SearchOptions, only: bool) -> Result<CycleStrategy, String> {
        let search = match options.search {
            Some(Search::NestedDfs) | None => CycleSearch::NestedDfs,
            Some(_) if only => {
                return Err("this search finds no cycles; take --search nested-dfs".to_owned());
            }
            Some(_) => CycleSearch::NestedDfs,
        };
        let refused = if options.checkpoint.is_some() || options.resume.is_some() {
            "--checkpoint and --resume go with a search for safety only; name it with --safety"
        } else if options.swarm.is_some() {
            "--swarm goes with a search for safety only; name it with --safety"
        } else {
            ""
        };
        if !refused.is_empty() {
            return Err(refused.to_owned());
        }
        Ok(CycleStrategy {
            backend: options.backend,
            store: options.store,
            search,
            fairness: match options.fairness {
                check::Fairness::None => Fairness::None,
                check::Fairness::Weak => Fairness::Weak,
            },
            hash_functions: options.hash_functions,
            bitstate_bytes: options.memory.unwrap_or(super::BITSTATE_BYTES),
        })
    }

    /// The name of the search in the report.
    pub fn search_name(&self) -> &'static str {
        match self.search {
            CycleSearch::NestedDfs => "nested-dfs",
        }
    }

    /// The name of the store in the report.
    pub fn store_name(&self) -> &'static str {
        match self.store {
            Store::Plain => "plain",
            Store::Tree => "tree",
            Store::Compact => "compact",
            Store::Bitstate => "bitstate",
        }
    }

    /// The name of the fairness in the report.
    pub fn fairness_name(&self) -> &'static str {
        match self.fairness {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }
}

/// A search for cycles that has ended.
pub struct CycleRan {
    /// What it came to.
    pub outcome: Outcome,
    /// What executed the model in the end.
    pub backend: Backend,
    /// The time to make machine code.
    pub compile: Duration,
    /// What the store may have missed.
    pub estimate: Option<Estimate>,
    /// The first error of the model that ended an execution.
    pub fault: Option<Violation>,
}

/// Search a model, made from that of a watcher, for what the watcher looks for.
pub fn search_cycles(
    watcher: &Watcher,
    model: &Model,
    strategy: &CycleStrategy,
    config: &SearchConfig<'_>,
) -> CycleRan {
    let started = Instant::now();
    let compiled = match strategy.backend {
        Backend::Jit => Jit::new(model).ok(),
        Backend::Interp => None,
    };
    let compile = started.elapsed();
    let (backend, steps) = match compiled {
        Some(jit) => (Backend::Jit, Steps::Jit(jit)),
        None => (Backend::Interp, Steps::Interp(Interp::new(model))),
    };
    let mut system = watcher.system(steps, model);
    let (outcome, estimate) = search(&mut system, strategy, config);
    CycleRan {
        outcome,
        backend,
        compile,
        estimate,
        fault: system.fault(),
    }
}

/// Choose the store.
fn search(
    system: &mut System<'_>,
    strategy: &CycleStrategy,
    config: &SearchConfig<'_>,
) -> (Outcome, Option<Estimate>) {
    match strategy.store {
        Store::Plain => (
            nested(system, PlainStore::with_note, strategy, config).0,
            None,
        ),
        Store::Tree => (
            nested(system, TreeStore::with_note, strategy, config).0,
            None,
        ),
        Store::Compact => {
            let (outcome, store) = nested(system, CompactStore::with_note, strategy, config);
            let estimate = Estimate {
                omission_probability: Some(store.omission_probability()),
                ..Estimate::default()
            };
            (outcome, Some(estimate))
        }
        Store::Bitstate => bitstate(system, strategy, config),
    }
}

/// Nested depth-first search with one store, which the function makes.
fn nested<S: StateStore>(
    system: &mut System<'_>,
    make: impl Fn(usize) -> S,
    strategy: &CycleStrategy,
    config: &SearchConfig<'_>,
) -> (Outcome, S) {
    match strategy.fairness {
        Fairness::None => {
            let sets = space::Acceptance::sets(system);
            let mut store = make(search::nested_dfs_note_bytes(sets));
            (search::nested_dfs(system, &mut store, config), store)
        }
        _ => search::nested_dfs_fair(system, make, config),
    }
}

/// The same with two arrays of bits, which share the memory.
fn bitstate(
    system: &mut System<'_>,
    strategy: &CycleStrategy,
    config: &SearchConfig<'_>,
) -> (Outcome, Option<Estimate>) {
    let bytes = usize::try_from(strategy.bitstate_bytes / 2).unwrap_or(usize::MAX);
    let make = || {
        let store = |rng_seed| BitstateStore::new(bytes, strategy.hash_functions, rng_seed);
        (store(0), store(1))
    };
    let (outcome, (first, _)) = match strategy.fairness {
        Fairness::None => {
            let (mut first, mut second) = make();
            let stores = (&mut first, &mut second);
            let outcome = search::nested_dfs_two_stores(system, stores, config);
            (outcome, (first, second))
        }
        _ => search::nested_dfs_fair_two_stores(system, make, config),
    };
    let estimate = Estimate {
        hash_factor: Some(first.hash_factor()),
        coverage: Some(first.coverage()),
        ..Estimate::default()
    };
    (outcome, Some(estimate))
}
