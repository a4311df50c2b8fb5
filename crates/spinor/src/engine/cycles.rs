//! Searches for cycles: which algorithm and store, and what cannot be combined.

use std::time::Duration;

use model::{Interp, Model};
use reduce::check::{Audit, Decided};
use reduce::orbit::Orbits;
use reduce::{Pruned, Reduction};
use search::{OrbitStore, Outcome, Rounds, SearchConfig};
use space::{Acceptance, Fairness, Violation};
use store::{BitstateStore, CompactStore, PlainStore, StateStore, TreeStore};

use super::prepare::Prepared;
use super::{Estimate, audit};
use crate::commands::check::{
    Backend, Por, Search, SearchOptions, Store, SymmetryFairness, SymmetryOption,
};
use crate::liveness::{Capability, Steps, System, Watcher};

/// Algorithms that find accepting cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleSearch {
    /// Nested depth-first search.
    NestedDfs,
    /// Depth-first search, where the automaton is weak.
    WeakDfs,
    /// Search for strongly connected components.
    Scc,
    /// Breadth-first search.
    Owcty,
}

impl CycleSearch {
    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            CycleSearch::NestedDfs => "nested-dfs",
            CycleSearch::WeakDfs => "weak-dfs",
            CycleSearch::Scc => "scc",
            CycleSearch::Owcty => "owcty",
        }
    }
}

/// How to search for cycles.
#[derive(Clone, Copy, Debug)]
pub struct CycleStrategy {
    /// What executes the model.
    pub backend: Backend,
    /// How visited states are kept.
    pub store: Store,
    /// Which executions count.
    pub fairness: Fairness,
    /// The algorithm, if it does not depend on the property.
    search: Option<CycleSearch>,
    /// Whether fair cycles may be missed under symmetry.
    light: bool,
    hash_functions: u32,
    bitstate_bytes: u64,
    check_por: bool,
}

impl CycleStrategy {
    /// What the options ask for, or why that cannot be had. `only` says that nothing else is
    /// searched for.
    pub fn new(options: &SearchOptions, only: bool) -> Result<CycleStrategy, String> {
        let named = match options.search {
            Some(Search::NestedDfs) => Some(CycleSearch::NestedDfs),
            Some(Search::Scc) => Some(CycleSearch::Scc),
            Some(Search::Owcty) => Some(CycleSearch::Owcty),
            Some(_) if only => {
                let names = "nested-dfs, scc or owcty";
                return Err(format!(
                    "this search finds no cycles; take --search {names}"
                ));
            }
            Some(_) | None => None,
        };
        let fairness = options.fairness.into();
        let strategy = CycleStrategy {
            backend: options.backend,
            store: options.store,
            fairness,
            search: match named {
                None if options.shortest || fairness == Fairness::Strong => {
                    Some(CycleSearch::Owcty)
                }
                None if options.store == Store::Bitstate || asks_for_symmetry(options) => {
                    Some(CycleSearch::NestedDfs)
                }
                named => named,
            },
            light: options.symmetry_fairness == SymmetryFairness::Light,
            hash_functions: options.hash_functions,
            bitstate_bytes: options.memory.unwrap_or(super::BITSTATE_BYTES),
            check_por: options.check_por,
        };
        match strategy.conflict(options) {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(strategy),
        }
    }

    /// Why the parts of the strategy do not go together.
    fn conflict(&self, options: &SearchOptions) -> Option<&'static str> {
        let nested = self.search == Some(CycleSearch::NestedDfs);
        if options.checkpoint.is_some() || options.resume.is_some() {
            Some(
                "--checkpoint and --resume go with a search for safety only; name it with --safety",
            )
        } else if options.swarm.is_some() {
            Some("--swarm goes with a search for safety only; name it with --safety")
        } else if nested && self.fairness == Fairness::Strong {
            Some(
                "nested depth-first search cannot tell strongly fair cycles; take --search owcty or scc",
            )
        } else if nested && options.shortest {
            Some("nested depth-first search finds cycles of any length; take --search owcty")
        } else if !nested && self.store == Store::Bitstate {
            Some("only nested depth-first search goes with the bitstate store; take another store")
        } else {
            None
        }
    }

    /// Why symmetry reduction does not go with the search for cycles through so many sets.
    pub fn symmetry_conflict(&self, sets: u32, options: &SearchOptions) -> Option<&'static str> {
        let por = options
            .por
            .is_some_and(|por| !matches!(por, Por::None | Por::Auto));
        let strategy = options.symmetry.and_then(SymmetryOption::strategy);
        if self.search_for(sets, false) != CycleSearch::NestedDfs {
            Some("of the searches for cycles only nested-dfs goes with it")
        } else if self.fairness == Fairness::Strong {
            Some("it does not go with strong fairness")
        } else if self.store == Store::Bitstate {
            Some("a search for cycles with the bitstate store does not know representatives")
        } else if strategy.is_some_and(|strategy| !strategy.is_canonical()) {
            Some("a search for cycles needs one representative for each orbit")
        } else if por {
            Some("in a search for cycles it does not go with partial-order reduction")
        } else if self.check_por {
            Some("--check-por looks at states as they are")
        } else {
            None
        }
    }

    /// What claims may be like.
    pub fn capability(&self) -> Capability {
        Capability {
            sets: self.search != Some(CycleSearch::NestedDfs),
            stutter_as_spin: self.search_for(1, false) == CycleSearch::NestedDfs
                && self.fairness == Fairness::None,
        }
    }

    /// The algorithm for a property with so many acceptance sets, whose automaton is weak or
    /// not.
    fn search_for(&self, sets: u32, is_weak: bool) -> CycleSearch {
        self.search.unwrap_or(match sets {
            _ if is_weak && self.fairness == Fairness::None => CycleSearch::WeakDfs,
            0 | 1 => CycleSearch::NestedDfs,
            _ => CycleSearch::Scc,
        })
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
}

/// Whether symmetry reduction is asked for by name.
fn asks_for_symmetry(options: &SearchOptions) -> bool {
    let strategy = options.symmetry;
    strategy.is_some_and(|s| !matches!(s, SymmetryOption::None | SymmetryOption::Auto))
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
    /// The algorithm that was taken.
    pub search: CycleSearch,
    /// What a check of the reduction came to, if it was made.
    pub audit: Option<Result<Audit, String>>,
    /// What fair cycles under symmetry consist of, in the order of the findings that are cycles.
    pub rounds: Vec<Rounds>,
}

/// Search a model, made from that of a watcher, for what the watcher looks for.
pub fn search_cycles(
    watcher: &Watcher,
    model: &Model,
    strategy: &CycleStrategy,
    reduction: Option<&Reduction>,
    orbits: Option<Orbits<'_>>,
    config: &SearchConfig<'_>,
) -> CycleRan {
    let Prepared {
        compiled,
        compile,
        reducer,
    } = Prepared::new(model, strategy.backend, reduction);
    let (backend, steps) = match compiled {
        Some(jit) => (Backend::Jit, Steps::Jit(jit)),
        None => (Backend::Interp, Steps::Interp(Interp::new(model))),
    };
    let steps = Pruned {
        model: steps,
        reducer,
    };
    let mut system = watcher.system(steps, model);
    let is_weak = orbits.is_none() && system.is_weak();
    let search = strategy.search_for(system.sets(), is_weak);
    let mut rounds = Vec::new();
    let (outcome, estimate) = match orbits {
        None => choose(&mut system, search, strategy, config),
        Some(orbits) => {
            let reduced = symmetric(&mut system, strategy, &orbits, config);
            rounds = reduced.1;
            reduced.0
        }
    };
    let audit = (strategy.check_por)
        .then(|| audit::audit(model, reduction, Decided::ByState))
        .flatten();
    CycleRan {
        audit,
        rounds,
        outcome,
        backend,
        compile,
        estimate,
        fault: system.fault(),
        search,
    }
}

/// Choose the store.
fn choose(
    system: &mut System<'_>,
    search: CycleSearch,
    strategy: &CycleStrategy,
    config: &SearchConfig<'_>,
) -> (Outcome, Option<Estimate>) {
    let fairness = strategy.fairness;
    match strategy.store {
        Store::Plain => {
            let (outcome, _) = run(system, PlainStore::with_note, search, fairness, config);
            (outcome, None)
        }
        Store::Tree => {
            let (outcome, _) = run(system, TreeStore::with_note, search, fairness, config);
            (outcome, None)
        }
        Store::Compact => {
            let (outcome, store) = run(system, CompactStore::with_note, search, fairness, config);
            let estimate = Estimate {
                omission_probability: Some(store.omission_probability()),
                ..Estimate::default()
            };
            (outcome, Some(estimate))
        }
        Store::Bitstate => bitstate(system, strategy, config),
    }
}

type Symmetric = ((Outcome, Option<Estimate>), Vec<Rounds>);

/// Choose the store for a search with representatives.
fn symmetric(
    system: &mut System<'_>,
    strategy: &CycleStrategy,
    orbits: &Orbits<'_>,
    config: &SearchConfig<'_>,
) -> Symmetric {
    match strategy.store {
        Store::Tree => {
            let (outcome, _, rounds) =
                with_orbits(system, TreeStore::with_note, strategy, orbits, config);
            ((outcome, None), rounds)
        }
        Store::Compact => {
            let (outcome, store, rounds) =
                with_orbits(system, CompactStore::with_note, strategy, orbits, config);
            let estimate = Estimate {
                omission_probability: Some(store.omission_probability()),
                ..Estimate::default()
            };
            ((outcome, Some(estimate)), rounds)
        }
        // There is no symmetry reduction with bits.
        Store::Plain | Store::Bitstate => {
            let (outcome, _, rounds) =
                with_orbits(system, PlainStore::with_note, strategy, orbits, config);
            ((outcome, None), rounds)
        }
    }
}

/// Search with representatives: without fairness, fairly, or nearly so.
fn with_orbits<S: StateStore>(
    system: &mut System<'_>,
    make: impl Fn(usize) -> S,
    strategy: &CycleStrategy,
    orbits: &Orbits<'_>,
    config: &SearchConfig<'_>,
) -> (Outcome, S, Vec<Rounds>) {
    let sets = system.sets();
    match (strategy.fairness, strategy.light) {
        (Fairness::None, _) => {
            let store = make(search::nested_dfs_note_bytes(sets));
            let mut store = OrbitStore::<_, _, false>::new(store, orbits.clone());
            let outcome = search::nested_dfs(system, &mut store, config);
            (outcome, store.into_inner(), Vec::new())
        }
        (_, true) => {
            let make = |note| OrbitStore::<_, _, true>::new(make(note), orbits.clone());
            let (outcome, store) = search::nested_dfs_fair(system, make, config);
            (outcome, store.into_inner(), Vec::new())
        }
        (_, false) => {
            let processes = orbits.action().process_count();
            let mut store = make(search::rwf_note_bytes(sets, processes));
            let mut orbits = orbits.clone();
            let (outcome, rounds) = search::rwf(system, &mut store, &mut orbits, processes, config);
            (outcome, store, rounds)
        }
    }
}

/// Choose the algorithm. The function makes a store with notes of so many bytes.
fn run<S: StateStore>(
    system: &mut System<'_>,
    make: impl Fn(usize) -> S,
    search: CycleSearch,
    fairness: Fairness,
    config: &SearchConfig<'_>,
) -> (Outcome, S) {
    let note = match (search, fairness) {
        (CycleSearch::NestedDfs, Fairness::None) => search::nested_dfs_note_bytes(system.sets()),
        (CycleSearch::NestedDfs, _) => return search::nested_dfs_fair(system, make, config),
        (CycleSearch::WeakDfs, _) => search::WEAK_DFS_NOTE_BYTES,
        (CycleSearch::Scc, _) => search::SCC_NOTE_BYTES,
        (CycleSearch::Owcty, _) => search::OWCTY_NOTE_BYTES,
    };
    let mut store = make(note);
    let outcome = match search {
        CycleSearch::NestedDfs => search::nested_dfs(system, &mut store, config),
        CycleSearch::WeakDfs => search::weak_dfs(system, &mut store, config),
        CycleSearch::Scc => search::scc(system, &mut store, fairness, config),
        CycleSearch::Owcty => search::owcty(system, &mut store, fairness, config),
    };
    (outcome, store)
}

/// Nested depth-first search with two arrays of bits, which share the memory.
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
