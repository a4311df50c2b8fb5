//! Ample sets are a function of the state, and searches over packed states with ample sets find what
//! searches over whole vectors with the same sets find.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use std::collections::{BTreeSet, HashSet};

use common::on_a_large_stack;
use model::dependency::{Correction, Observed, Strictness};
use model::reduction::reduce;
use model::symmetry::{Action, Symmetry, Watched};
use model::{Interp, Model};
use reduce::orbit::{Orbits, Strategy};
use reduce::{Effort, Method, Reduced, Reducer, Reduction};
use relation::System;
use search::packed::{Bits, Dense, Hashes, Packed, PackedSearch, WordStores, packed};
use search::{Completion, OrbitStore, Outcome, SearchConfig};
use space::{AmpleAnswer, AmpleSets, Control, Expansion, Look, NextState, Representative, Row};
use store::PlainStore;

/// States of a model that are looked at.
const STATES: usize = if cfg!(debug_assertions) { 30 } else { 200 };
/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 15 } else { 40 };
/// Bytes for the states of a model that is searched.
const MEMORY: usize = if cfg!(debug_assertions) {
    1 << 16
} else {
    1 << 20
};

const WAYS: [(Method, Effort, Correction); 5] = [
    (Method::Ample, Effort::Thorough, Correction::Dynamic),
    (Method::Cluster, Effort::Thrifty, Correction::Dynamic),
    (Method::Stubborn, Effort::Thrifty, Correction::Dynamic),
    (Method::Stubborn, Effort::Thorough, Correction::Dynamic),
    (Method::Stubborn, Effort::Thrifty, Correction::Static),
];

fn reducer(model: &Model, way: (Method, Effort, Correction)) -> Option<Reducer<'_>> {
    let (method, effort, correction) = way;
    let reduction = Reduction {
        method,
        effort,
        clusters: Vec::new(),
        sleeps: false,
        correction,
        observed: Observed::default(),
        strictness: Strictness::Plain,
    };
    Reducer::new(model, &reduction).ok()
}

/// The first states of a model, each with its steps.
fn first_states(model: &Model) -> Vec<(Vec<u8>, Vec<Row>)> {
    let mut interp = Interp::new(model);
    let mut states = Vec::new();
    let Ok(initial) = interp.initial() else {
        return states;
    };
    let mut seen = HashSet::from([(initial.clone(), Control::Free)]);
    let mut open = vec![(initial, Control::Free)];
    let mut found = Expansion::default();
    while let Some((vector, control)) = open.pop() {
        interp.expand(&vector, control, &mut found);
        let mut next: Vec<(Vec<u8>, Control)> = (found.rows.iter())
            .filter(|row| row.has_successor())
            .map(|row| (found.vector(row).to_vec(), row.control()))
            .collect();
        if control == Control::Free {
            states.push((vector, found.rows.clone()));
        } else if !found.moved {
            next.push((vector, Control::Free));
        }
        if states.len() >= STATES {
            break;
        }
        open.extend(next.into_iter().filter(|node| seen.insert(node.clone())));
    }
    states
}

fn ask(reducer: &mut Reducer<'_>, (state, rows): &(Vec<u8>, Vec<Row>), look: Look) -> AmpleAnswer {
    let mut answer = AmpleAnswer::default();
    reducer.ample_sets(state, rows, look, &mut answer);
    answer
}

/// The answers about states do not depend on what was asked before. How many sets there were.
fn sets_are_pure(name: &str, model: &Model) -> usize {
    let states = first_states(model);
    let mut sets = 0;
    for way in WAYS {
        let (Some(mut there), Some(mut back)) = (reducer(model, way), reducer(model, way)) else {
            return sets;
        };
        let looks = [Look::First, Look::Close];
        let answers: Vec<[AmpleAnswer; 2]> = (states.iter())
            .map(|state| looks.map(|look| ask(&mut there, state, look)))
            .collect();
        for (number, state) in states.iter().enumerate().rev() {
            for look in [Look::Close, Look::First] {
                let expected = &answers[number][usize::from(look == Look::Close)];
                let found = ask(&mut back, state, look);
                assert_eq!(&found, expected, "{name}, {way:?}, {look:?} in {number}");
                sets += found.sets.len();
            }
        }
        // And whoever is asked about nothing else says the same.
        for (state, expected) in states.iter().zip(&answers).step_by(37) {
            let mut alone = reducer(model, way).expect("it was made before");
            assert_eq!(
                &ask(&mut alone, state, Look::Close),
                &expected[1],
                "{name}, {way:?}"
            );
        }
    }
    sets
}

/// What was searched.
#[derive(Debug, Default)]
struct Sum {
    sets: usize,
    searches: usize,
    given_up: usize,
    violated: usize,
    symmetric: usize,
    saved: u64,
    rewritten: usize,
}

/// A way to search a model: with which sets, and whether under symmetry.
#[derive(Clone, Copy)]
struct Plan<'a> {
    model: &'a Model,
    way: (Method, Effort, Correction),
    symmetry: Option<&'a Action>,
}

fn search<A: WordStores>(
    plan: Plan<'_>,
    stores: &mut A,
    config: &SearchConfig<'_>,
) -> Option<Outcome> {
    let mut reducer = reducer(plan.model, plan.way)?;
    let mut outcome = {
        let (mut system, initial) = System::new(plan.model).ok()?;
        system.reduce_by(&mut reducer);
        let orbits = plan.symmetry.map(|action| {
            Box::new(Orbits::new(action, Strategy::Refined)) as Box<dyn Representative>
        });
        let depth_first = PackedSearch::DepthFirst;
        packed((system, initial), stores, orbits, config, depth_first)
    }?;
    reducer.add_ends(&mut outcome.reached);
    Some(outcome)
}

/// Words without a bit to spare, of all sizes.
fn tight() -> Vec<Vec<u32>> {
    let one = (8..=64).map(|bits| vec![bits]);
    let two = (4..=64).map(|bits| vec![64, bits]);
    one.chain(two).chain([vec![64; 4]]).collect()
}

/// The kinds of violations found, without regard to how often.
fn violations(outcome: &Outcome) -> BTreeSet<String> {
    let findings = outcome.findings().iter();
    findings.map(|one| format!("{:?}", one.violation)).collect()
}

/// Compare the searches of a model with ample sets.
fn searches_agree(name: &str, model: &Model, sum: &mut Sum) {
    let config = SearchConfig {
        max_errors: None,
        memory_limit: Some(MEMORY),
        kept_traces: 10_000,
        ..SearchConfig::default()
    };
    let mut interp = Interp::new(model);
    let full = search::dfs(&mut interp, &mut PlainStore::new(), &config);
    if full.exhaustive().is_none() || interp.hidden_len() > 0 {
        return;
    }
    let symmetry = Symmetry::find(model, &Watched::default());
    let symmetry = (!symmetry.is_trivial()).then_some(&symmetry.action);
    sum.symmetric += usize::from(symmetry.is_some());
    for way in WAYS {
        let of_all = [None, Some(1), Some(3)].map(|max_errors| (max_errors, None));
        let of_orbits = symmetry.map(|action| [None, Some(1)].map(|most| (most, Some(action))));
        for (max_errors, symmetry) in of_all.into_iter().chain(of_orbits.into_iter().flatten()) {
            let Some(reducer) = reducer(model, way) else {
                return;
            };
            let config = SearchConfig {
                max_errors,
                ..config
            };
            let mut reduced = Reduced {
                model: Interp::new(model),
                reducer: Some(reducer),
                taken: None,
            };
            let mut store = PlainStore::new();
            let mut whole = match symmetry {
                None => search::reduced_dfs(&mut reduced, &mut store, &config),
                Some(action) => {
                    let orbits = Orbits::new(action, Strategy::Refined);
                    let mut store = OrbitStore::<_, _, false>::new(store, orbits);
                    search::reduced_dfs(&mut reduced, &mut store, &config)
                }
            };
            if whole.completion() == Completion::MemoryLimit {
                continue;
            }
            if let Some(reducer) = &reduced.reducer {
                reducer.add_ends(&mut whole.reached);
            }
            let name = format!("{name}, {way:?}, {max_errors:?}, {}", symmetry.is_some());
            if max_errors.is_none() && symmetry.is_none() {
                assert_eq!(violations(&whole), violations(&full), "{name}");
                sum.saved += full.statistics.stored - whole.statistics.stored;
            }
            let plan = Plan {
                model,
                way,
                symmetry,
            };
            agree(&name, plan, &config, &whole, sum);
        }
    }
}

/// Search packed states with all stores.
fn agree(name: &str, plan: Plan<'_>, config: &SearchConfig<'_>, whole: &Outcome, sum: &mut Sum) {
    // Without a limit: what is known about moves and values may take more than states.
    let config = &SearchConfig {
        memory_limit: None,
        ..*config
    };
    sum.violated += usize::from(whole.statistics.errors > 0);
    let mut dense = Dense {
        sizes: tight(),
        made: 0,
    };
    let mut hashes = Hashes {
        sizes: tight(),
        store: None,
    };
    // So many bits that none of these states is missed.
    let mut bits = Bits {
        bytes: (64 * whole.statistics.stored as usize).max(1 << 16),
        functions: 12,
        store: None,
    };
    let outcomes = [
        ("plain", search(plan, &mut Packed, config), true),
        ("dense", search(plan, &mut dense, config), true),
        ("hashed", search(plan, &mut hashes, config), false),
        ("bits", search(plan, &mut bits, config), false),
    ];
    sum.rewritten += dense.made.saturating_sub(1);
    for (store, outcome, is_exact) in outcomes {
        let name = format!("{name}, {store}");
        match outcome {
            None => sum.given_up += 1,
            Some(outcome) => {
                same(&name, &outcome, whole);
                let is_complete = whole.exhaustive().is_some();
                let is_proved = outcome.exhaustive().is_some();
                assert_eq!(is_proved, is_exact && is_complete, "{name}");
                sum.searches += 1;
            }
        }
    }
}

/// The outcomes are the same. If it ends early, a search over packed states has executed transitions and
/// met with vectors that the other one has not come to.
fn same(name: &str, packed: &Outcome, whole: &Outcome) {
    assert_eq!(packed.completion(), whole.completion(), "{name}");
    assert_eq!(packed.given_up, whole.given_up, "{name}");
    let mut statistics = packed.statistics.clone();
    if whole.completion() == Completion::Complete {
        assert_eq!(packed.reached, whole.reached, "{name}");
    }
    statistics.longest_state = whole.statistics.longest_state;
    if whole.statistics.endless_atomics > 0 {
        // Here it is cut as soon as it comes back.
        assert_eq!(violations(packed), violations(whole), "{name}");
        return;
    }
    assert_eq!(statistics, whole.statistics, "{name}");
    assert_eq!(packed.findings(), whole.findings(), "{name}");
}

fn check_all(models: impl Iterator<Item = (String, Model)>, least: usize) {
    let mut sum = Sum::default();
    for (name, model) in models {
        for (name, model) in [
            (format!("{name}, reduced"), reduce(&model).model),
            (name, model),
        ] {
            sum.sets += sets_are_pure(&name, &model);
            searches_agree(&name, &model, &mut sum);
        }
    }
    println!("{sum:?}");
    if !cfg!(debug_assertions) {
        assert!(
            sum.searches >= least && sum.given_up * 20 < sum.searches,
            "{sum:?}"
        );
        assert!(sum.sets >= 1_000 && sum.saved >= 100, "{sum:?}");
    }
}

#[test]
fn corpus_models() {
    on_a_large_stack(|| check_all(common::corpus().into_iter(), 1_000));
}

#[test]
fn random_models() {
    on_a_large_stack(|| check_all(common::random(COUNT, generate::model), 1_000));
}

#[test]
fn random_families() {
    on_a_large_stack(|| check_all(common::random(COUNT, generate::family_model), 500));
}

#[test]
fn random_symmetric() {
    on_a_large_stack(|| check_all(common::random(COUNT, generate::symmetric_model), 500));
}

#[test]
fn random_provided_clauses() {
    on_a_large_stack(|| check_all(common::random(COUNT, generate::provided_model), 500));
}
