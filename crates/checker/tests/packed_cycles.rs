//! Searches for cycles over packed states find what searches over whole vectors find: the same
//! states, transitions, violations and traces.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use checker::confirm::confirm_lasso;
use checker::liveness::{Capability, Steps, Target, Watcher};
use checker::property::Property;
use common::on_a_large_stack;
use model::reduction::{reduce, reduce_keeping_steps};
use model::{Interp, Model};
use product::Claim;
use reduce::Pruned;
use relation::Product;
use search::packed::{ColourStores, Coloured, packed_nested_dfs};
use search::{Completion, Outcome, SearchConfig};
use space::{Acceptance, Fairness, Violation};
use store::{PackedStore, PlainStore};

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 30 } else { 80 };
/// Bytes for the states of a model that is searched.
const MEMORY: usize = if cfg!(debug_assertions) {
    1 << 18
} else {
    32 << 20
};

/// What was searched.
#[derive(Debug, Default)]
struct Searched {
    packed: usize,
    given_up: usize,
    violated: usize,
    seconds: usize,
    rewritten: usize,
    faults: usize,
}

/// Words without a bit to spare, of all sizes.
#[derive(Default)]
struct Tight {
    made: usize,
}

impl ColourStores for Tight {
    type Store<const W: usize> = PackedStore<W, 2>;

    fn sizes(&self) -> Vec<Vec<u32>> {
        let one = (8..=62).map(|bits| vec![bits]);
        let two = (4..=64).map(|bits| vec![62, bits]);
        one.chain(two).chain([vec![62, 64, 64, 64]]).collect()
    }

    fn make<const W: usize>(&mut self, bits: [u32; W]) -> PackedStore<W, 2> {
        self.made += 1;
        Coloured.make(bits)
    }
}

/// What a model states, non-progress cycles, and accept labels.
fn targets(model: &Model) -> Vec<Target> {
    let stated = model.liveness.iter().enumerate();
    let stated = stated.filter_map(|(row, stated)| Property::of_model(row, stated).target());
    let mut all: Vec<Target> = stated.chain([Target::NonProgress]).collect();
    if !all.contains(&Target::Acceptance) {
        all.push(Target::Acceptance);
    }
    all
}

fn agree(name: &str, model: &Model, sum: &mut Searched) {
    for target in targets(model) {
        for (sets, stutter_as_spin) in [(false, true), (false, false), (true, true)] {
            let can = Capability {
                sets,
                stutter_as_spin,
            };
            let Ok(watcher) = Watcher::new(model, target, can) else {
                continue;
            };
            let reduced = match watcher.counts_steps {
                true => reduce_keeping_steps(&watcher.model),
                false => reduce(&watcher.model),
            };
            for searched in [&watcher.model, &reduced.model] {
                let name = format!("{name}: {target:?} {can:?}");
                if !agree_on(&name, &watcher, searched, sum) {
                    return;
                }
            }
        }
    }
}

/// Whether it is small enough.
fn agree_on(name: &str, watcher: &Watcher, model: &Model, sum: &mut Searched) -> bool {
    let claim = watcher.claim(model);
    let is_weak = claim.as_ref().is_some_and(Claim::is_weak);
    let sets = claim.as_ref().map_or(1, Claim::sets);
    for weak in [false, true] {
        if weak && !is_weak || !weak && sets > 1 {
            continue;
        }
        for max_errors in [None, Some(1), Some(3)] {
            let config = SearchConfig {
                max_errors,
                memory_limit: Some(MEMORY),
                ..SearchConfig::default()
            };
            let (whole, fault) = whole(watcher, model, weak, &config);
            if whole.completion() == Completion::MemoryLimit {
                return false;
            }
            let name = format!("{name}, weak {weak}, {max_errors:?}");
            sum.violated += usize::from(whole.statistics.errors > 0);
            sum.seconds += usize::from(whole.statistics.revisited > 0);
            sum.faults += usize::from(fault.is_some());
            let config = SearchConfig {
                max_errors,
                ..SearchConfig::default()
            };
            let mut tight = Tight::default();
            let outcomes = [
                ("plain", packed(watcher, model, weak, &mut Coloured, &config)),
                ("tight", packed(watcher, model, weak, &mut tight, &config)),
            ];
            for (store, outcome) in outcomes {
                let name = format!("{name}, {store}");
                let Some((outcome, packed_fault)) = outcome else {
                    sum.given_up += 1;
                    continue;
                };
                sum.packed += 1;
                same(&name, &outcome, &whole);
                if whole.statistics.endless_atomics == 0
                    && whole.completion() == Completion::Complete
                {
                    assert_eq!(packed_fault.is_some(), fault.is_some(), "{name}");
                }
                for finding in outcome.findings() {
                    let confirmed = confirm_lasso(watcher, model, finding, Fairness::None);
                    assert!(confirmed.is_ok(), "{name}: {finding:?}: {confirmed:?}");
                }
            }
            sum.rewritten += tight.made.saturating_sub(2);
        }
    }
    true
}

/// The search of whole vectors.
fn whole(
    watcher: &Watcher,
    model: &Model,
    weak: bool,
    config: &SearchConfig<'_>,
) -> (Outcome, Option<Violation>) {
    let steps = Pruned {
        model: Steps::Interp(Interp::new(model)),
        reducer: None,
    };
    let mut system = watcher.system(steps, model);
    let outcome = match weak {
        true => {
            let mut store = PlainStore::with_note(search::WEAK_DFS_NOTE_BYTES);
            search::weak_dfs(&mut system, &mut store, config)
        }
        false => {
            let note = search::nested_dfs_note_bytes(system.sets());
            search::nested_dfs(&mut system, &mut PlainStore::with_note(note), config)
        }
    };
    let fault = system.fault();
    (outcome, fault)
}

/// The search of packed states.
fn packed(
    watcher: &Watcher,
    model: &Model,
    weak: bool,
    stores: &mut impl ColourStores,
    config: &SearchConfig<'_>,
) -> Option<(Outcome, Option<Violation>)> {
    let product = Product::new(model, watcher.monitor(model)).ok()?;
    packed_nested_dfs(product, stores, config, weak)
}

/// The outcomes are the same.
fn same(name: &str, packed: &Outcome, whole: &Outcome) {
    assert_eq!(packed.completion(), whole.completion(), "{name}");
    let is_complete = whole.completion() == Completion::Complete;
    if is_complete {
        assert_eq!(packed.reached, whole.reached, "{name}");
    }
    let mut statistics = packed.statistics.clone();
    if !is_complete {
        // It speaks of successors that were not stored yet, too.
        statistics.longest_state = whole.statistics.longest_state;
    }
    if whole.statistics.endless_atomics > 0 {
        // Here it is cut as soon as it comes back.
        assert!(statistics.endless_atomics > 0, "{name}");
        assert_eq!(statistics.stored, whole.statistics.stored, "{name}");
        return;
    }
    assert_eq!(statistics, whole.statistics, "{name}");
    assert_eq!(packed.findings(), whole.findings(), "{name}");
    assert_eq!(packed.exhaustive(), whole.exhaustive(), "{name}");
}

fn check_all(models: impl Iterator<Item = (String, Model)>, least: usize) {
    let mut sum = Searched::default();
    models.for_each(|(name, model)| agree(&name, &model, &mut sum));
    println!("{sum:?}");
    assert!(sum.packed > least, "only {}", sum.packed);
}

#[test]
fn corpus_models() {
    on_a_large_stack(|| check_all(common::corpus().into_iter(), 1000));
}

#[test]
fn random_models() {
    on_a_large_stack(|| check_all(common::random_with_formula(COUNT), 300));
}

#[test]
fn random_families() {
    on_a_large_stack(|| check_all(common::random_families(COUNT), 300));
}

#[test]
fn random_provided() {
    on_a_large_stack(|| check_all(common::random_provided_with_formula(COUNT), 300));
}

#[test]
fn random_waiting() {
    on_a_large_stack(|| check_all(common::random_waiting(COUNT), 300));
}

#[test]
fn random_symmetric() {
    on_a_large_stack(|| check_all(common::random_symmetric_with_formula(COUNT), 300));
}

#[test]
fn random_tags() {
    on_a_large_stack(|| check_all(common::random_tags(COUNT), 300));
}

#[test]
fn random_endless() {
    on_a_large_stack(|| check_all(common::random_endless(COUNT / 4), 30));
}
