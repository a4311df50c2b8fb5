//! Runs a search for cycles.

use std::time::Duration;

use model::{Interp, Model};
use reduce::Pruned;
use reduce::check::Decided;
use reduce::orbit::Orbits;
use relation::Product;
use search::packed::{Coloured, DenseColoured, packed_nested_dfs};
use search::{OrbitStore, Outcome, Rounds, SearchConfig};
use space::{Acceptance, Fairness, cancel};
use store::{BitstateStore, CompactStore, PlainStore, StateStore, TreeStore};

use super::prepare::Prepared;
use super::{Estimate, SearchResult, Setting, audit};
use crate::liveness::{Steps, System, Watcher};
use crate::options::{Backend, Store};
use crate::plan::feature::Feature;
use crate::plan::{Algorithm, Job};

/// Search the model of a job for what its watcher looks for.
pub(super) fn run(
    watcher: &Watcher,
    job: &Job,
    model: &Model,
    prepared: Prepared<'_>,
    setting: Setting<'_>,
) -> SearchResult {
    let Prepared {
        compiled,
        compile,
        reducer,
    } = prepared;
    let model = job.searched(model);
    let (backend, steps) = match compiled {
        Some(jit) => (Backend::Jit, Steps::Jit(jit)),
        None => (Backend::Interp, Steps::Interp(Interp::new(model))),
    };
    let steps = Pruned {
        model: steps,
        reducer,
    };
    let mut system = watcher.system(steps, model);
    let mut rounds = Vec::new();
    let (outcome, estimate) = match job.symmetry.orbits() {
        None => choose(&mut system, job, setting.config),
        Some(orbits) => {
            let (answer, found) = symmetric(&mut system, job, &orbits, setting.config);
            rounds = found;
            answer
        }
    };
    let check = || match job.has(Feature::CheckPor) {
        true => audit::audit(model, job, Decided::ByState),
        false => None,
    };
    SearchResult {
        // A check that was cancelled says nothing.
        audit: cancel::scope(setting.cancel, check).unwrap_or_default(),
        rounds,
        outcome,
        backend,
        compile,
        estimate,
        fault: system.fault(),
    }
}

/// Search packed states. None if they are not for this model, or there is a limit of depth.
pub(super) fn packed(
    watcher: &Watcher,
    job: &Job,
    model: &Model,
    config: &SearchConfig<'_>,
) -> Option<SearchResult> {
    if config.depth.is_some() {
        return None;
    }
    let product = Product::new(model, watcher.monitor(model)).ok()?;
    let is_weak = job.algorithm == Algorithm::WeakDfs;
    let (outcome, fault) = match job.store {
        Store::Plain => packed_nested_dfs(product, &mut Coloured, config, is_weak),
        Store::Tree => packed_nested_dfs(product, &mut DenseColoured, config, is_weak),
        // No plan combines these with collapsed states.
        Store::Compact | Store::Bitstate => None,
    }?;
    Some(SearchResult {
        outcome,
        fault,
        backend: job.backend,
        compile: Duration::ZERO,
        estimate: None,
        audit: None,
        rounds: Vec::new(),
    })
}

/// Choose the store.
fn choose(
    system: &mut System<'_>,
    job: &Job,
    config: &SearchConfig<'_>,
) -> (Outcome, Option<Estimate>) {
    match job.store {
        Store::Plain => (search(system, PlainStore::with_note, job, config).0, None),
        Store::Tree => (search(system, TreeStore::with_note, job, config).0, None),
        Store::Compact => {
            let (outcome, store) = search(system, CompactStore::with_note, job, config);
            (outcome, Some(Estimate::of_compact(&store)))
        }
        Store::Bitstate => bitstate(system, job, config),
    }
}

type Symmetric = ((Outcome, Option<Estimate>), Vec<Rounds>);

/// Choose the store for a search with representatives.
fn symmetric(
    system: &mut System<'_>,
    job: &Job,
    orbits: &Orbits<'_>,
    config: &SearchConfig<'_>,
) -> Symmetric {
    match job.store {
        Store::Tree => {
            let (outcome, _, rounds) =
                with_orbits(system, TreeStore::with_note, job, orbits, config);
            ((outcome, None), rounds)
        }
        Store::Compact => {
            let (outcome, store, rounds) =
                with_orbits(system, CompactStore::with_note, job, orbits, config);
            ((outcome, Some(Estimate::of_compact(&store))), rounds)
        }
        // No plan combines symmetry, cycles and bits.
        Store::Plain | Store::Bitstate => {
            let (outcome, _, rounds) =
                with_orbits(system, PlainStore::with_note, job, orbits, config);
            ((outcome, None), rounds)
        }
    }
}

/// Search with representatives: without fairness, fairly, or nearly so.
fn with_orbits<S: StateStore>(
    system: &mut System<'_>,
    make: impl Fn(usize) -> S,
    job: &Job,
    orbits: &Orbits<'_>,
    config: &SearchConfig<'_>,
) -> (Outcome, S, Vec<Rounds>) {
    let sets = system.sets();
    match (job.fairness.into(), job.tuning.light) {
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

/// Run the algorithm. The function makes a store with notes of so many bytes.
fn search<S: StateStore>(
    system: &mut System<'_>,
    make: impl Fn(usize) -> S,
    job: &Job,
    config: &SearchConfig<'_>,
) -> (Outcome, S) {
    let fairness = job.fairness.into();
    match (job.algorithm, fairness) {
        (Algorithm::WeakDfs, _) => {
            let mut store = make(search::WEAK_DFS_NOTE_BYTES);
            (search::weak_dfs(system, &mut store, config), store)
        }
        (Algorithm::Scc, _) => {
            let mut store = make(search::SCC_NOTE_BYTES);
            (search::scc(system, &mut store, fairness, config), store)
        }
        (Algorithm::Owcty, _) => {
            let mut store = make(search::OWCTY_NOTE_BYTES);
            (search::owcty(system, &mut store, fairness, config), store)
        }
        (_, Fairness::None) => {
            let mut store = make(search::nested_dfs_note_bytes(system.sets()));
            (search::nested_dfs(system, &mut store, config), store)
        }
        _ => search::nested_dfs_fair(system, make, config),
    }
}

/// Nested depth-first search with two arrays of bits, which share the memory.
fn bitstate(
    system: &mut System<'_>,
    job: &Job,
    config: &SearchConfig<'_>,
) -> (Outcome, Option<Estimate>) {
    let (bytes, functions) = (job.tuning.bitstate_bytes() / 2, job.tuning.hash_functions);
    let make = || {
        let store = |rng_seed| BitstateStore::new(bytes, functions, rng_seed);
        (store(0), store(1))
    };
    let (outcome, (first, _)) = match job.fairness.into() {
        Fairness::None => {
            let (mut first, mut second) = make();
            let stores = (&mut first, &mut second);
            let outcome = search::nested_dfs_two_stores(system, stores, config);
            (outcome, (first, second))
        }
        _ => search::nested_dfs_fair_two_stores(system, make, config),
    };
    (outcome, Some(Estimate::of_bitstate(&first)))
}
