//! Searches over packed states find what searches over whole vectors find: the same states,
//! transitions, violations and traces.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use std::collections::BTreeMap;

use common::on_a_large_stack;
use model::reduction::reduce;
use model::{Interp, Model};
use relation::System;
use search::packed::{Bits, Dense, Hashes, Packed, PackedSearch, WordStores, packed};
use search::{Completion, Finding, Outcome, SearchConfig};
use space::{Control, Expansion, NextState, Violation, ViolationKind};
use store::PlainStore;

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 30 } else { 80 };
/// Bytes for the states of a model that is searched.
const MEMORY: usize = if cfg!(debug_assertions) {
    1 << 17
} else {
    32 << 20
};

/// What was searched.
#[derive(Debug, Default)]
struct Searched {
    packed: usize,
    given_up: usize,
    violated: usize,
    rewritten: usize,
}

/// Compare the searches of a model.
fn searches_agree(name: &str, model: &Model, sum: &mut Searched) {
    let limits = [None, Some(1), Some(3)].map(|max_errors| (max_errors, None));
    for (max_errors, depth) in limits.into_iter().chain([(None, Some(5))]) {
        let config = SearchConfig {
            max_errors,
            depth,
            ..SearchConfig::default()
        };
        // What is known about moves and values may take more than states, so only these are limited.
        let limited = SearchConfig {
            memory_limit: Some(MEMORY),
            ..config
        };
        let name = format!("{name}: {max_errors:?}, depth {depth:?}");
        let mut interp = Interp::new(model);
        if depth.is_none() {
            let whole = search::dfs(&mut interp, &mut PlainStore::new(), &limited);
            if whole.completion() == Completion::MemoryLimit {
                return;
            }
            agree(&name, model, PackedSearch::DepthFirst, &config, &whole, sum);
        }
        let whole = search::bfs(&mut interp, &mut PlainStore::new(), &limited);
        if whole.completion() == Completion::MemoryLimit {
            return;
        }
        agree(
            &name,
            model,
            PackedSearch::BreadthFirst,
            &config,
            &whole,
            sum,
        );
    }
}

/// Search packed states with all stores.
fn agree(
    name: &str,
    model: &Model,
    kind: PackedSearch,
    config: &SearchConfig<'_>,
    whole: &Outcome,
    sum: &mut Searched,
) {
    let name = format!("{name}: {kind:?}");
    let plain = search(model, &mut Packed, config, kind);
    match &plain {
        None => sum.given_up += 1,
        Some(_) => sum.packed += 1,
    }
    sum.violated += usize::from(whole.statistics.errors > 0);
    let mut dense = Dense {
        sizes: tight(),
        made: 0,
    };
    let in_dense = search(model, &mut dense, config, kind);
    sum.rewritten += dense.made.saturating_sub(1);
    let mut hashes = Hashes {
        sizes: tight(),
        store: None,
    };
    let hashed = search(model, &mut hashes, config, kind);
    // So many bits that none of these states is missed.
    let mut bits = Bits {
        bytes: (64 * whole.statistics.stored as usize).max(1 << 16),
        functions: 12,
        store: None,
    };
    let in_bits = search(model, &mut bits, config, kind);
    let outcomes = [
        ("plain", plain, true),
        ("dense", in_dense, true),
        ("hashed", hashed, false),
        ("bits", in_bits, false),
    ];
    for (store, outcome, is_exact) in outcomes {
        let name = format!("{name}, {store}");
        if let Some(outcome) = outcome {
            same(&name, model, &outcome, whole, kind);
            let is_complete = whole.exhaustive().is_some();
            assert_eq!(
                outcome.exhaustive().is_some(),
                is_exact && is_complete,
                "{name}"
            );
        }
    }
}

fn search<A: WordStores>(
    model: &Model,
    stores: &mut A,
    config: &SearchConfig<'_>,
    kind: PackedSearch,
) -> Option<Outcome> {
    packed(System::new(model).ok()?, stores, None, config, kind)
}

/// Words without a bit to spare, of all sizes.
fn tight() -> Vec<Vec<u32>> {
    let one = (8..=64).map(|bits| vec![bits]);
    let two = (4..=64).map(|bits| vec![64, bits]);
    one.chain(two).chain([vec![64; 4]]).collect()
}

/// The outcomes are the same. A breadth-first search over packed states looks at the moves of an atomic
/// sequence in another order, and knows of more moves that lead where others lead; so if it ends
/// early, it has seen other states.
fn same(name: &str, model: &Model, packed: &Outcome, whole: &Outcome, kind: PackedSearch) {
    assert_eq!(packed.completion(), whole.completion(), "{name}");
    // Both have seen the same states.
    let is_complete = matches!(
        whole.completion(),
        Completion::Complete | Completion::DepthLimit
    );
    let mut statistics = packed.statistics.clone();
    if whole.completion() != Completion::Complete {
        // It speaks of successors that were not stored yet, too.
        statistics.longest_state = whole.statistics.longest_state;
    }
    if is_complete {
        assert_eq!(packed.reached, whole.reached, "{name}");
    }
    if whole.statistics.endless_atomics > 0 {
        // Here it is cut as soon as it comes back.
        assert!(!is_complete || statistics.endless_atomics > 0, "{name}");
        assert_eq!(statistics.stored, whole.statistics.stored, "{name}");
        statistics = whole.statistics.clone();
    }
    let is_same_order = kind == PackedSearch::DepthFirst && statistics.endless_atomics == 0;
    if is_complete || is_same_order {
        assert_eq!(statistics, whole.statistics, "{name}");
    }
    if is_same_order {
        assert_eq!(packed.findings(), whole.findings(), "{name}");
    } else if is_complete {
        assert_eq!(kinds(packed), kinds(whole), "{name}");
    }
    for finding in packed.findings() {
        is_executed(name, model, finding);
    }
}

/// What was found, and how often.
fn kinds(outcome: &Outcome) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for finding in outcome.findings() {
        *all.entry(format!("{:?}", finding.violation)).or_default() += finding.count;
    }
    all
}

/// The trace of a finding can be executed, and its last step violates what it is said to.
fn is_executed(name: &str, model: &Model, finding: &Finding) {
    let mut interp = Interp::new(model);
    let (mut vector, mut control) = (interp.initial().expect("a state"), Control::Free);
    let mut found = Expansion::default();
    let mut violated = Vec::new();
    for step in &finding.trace.steps {
        interp.expand(&vector, control, &mut found);
        if !found.moved && control != Control::Free {
            interp.expand(&vector, Control::Free, &mut found);
        }
        let at = (found.rows.iter()).position(|row| row.step() == Some(*step));
        let at = at.unwrap_or_else(|| panic!("{name}: no step {step:?}"));
        violated = found.violations_of(at).collect();
        if found.rows[at].has_successor() {
            control = found.rows[at].control();
            vector = found.vector(&found.rows[at]).to_vec();
        }
    }
    if finding.violation.kind == ViolationKind::InvalidEndState {
        interp.expand(&vector, Control::Free, &mut found);
        assert!(!found.moved && !interp.is_valid_end(&vector), "{name}");
    } else if finding.trace.steps.last().is_some() && !violated.contains(&finding.violation) {
        // A test that fails is no step: it has no successor, and no other step need be the last.
        interp.expand(&vector, control, &mut found);
        let all: Vec<Violation> = found
            .violations
            .iter()
            .map(|&(_, violation)| violation)
            .collect();
        assert!(
            all.contains(&finding.violation),
            "{name}: {finding:?}, not {all:?}"
        );
    }
}

fn check_all(models: impl Iterator<Item = (String, Model)>) -> Searched {
    let mut sum = Searched::default();
    for (name, model) in models {
        for (name, model) in [
            (format!("{name}, reduced"), reduce(&model).model),
            (name, model),
        ] {
            searches_agree(&name, &model, &mut sum);
        }
    }
    println!("{sum:?}");
    sum
}

#[test]
fn corpus_models() {
    on_a_large_stack(|| {
        check_all(common::corpus().into_iter());
    });
}

#[test]
fn random_models() {
    on_a_large_stack(|| {
        check_all(common::random(COUNT, generate::model));
    });
}

#[test]
fn random_families() {
    on_a_large_stack(|| {
        check_all(common::random(COUNT, generate::family_model));
    });
}

#[test]
fn random_provided() {
    on_a_large_stack(|| {
        check_all(common::random(COUNT, generate::provided_model));
    });
}

#[test]
fn random_tags() {
    on_a_large_stack(|| {
        check_all(common::random(COUNT, generate::tag_model));
    });
}

#[test]
fn random_symmetric() {
    on_a_large_stack(|| {
        check_all(common::random(COUNT, generate::symmetric_model));
    });
}

#[test]
fn random_endless() {
    on_a_large_stack(|| {
        check_all(common::random(COUNT, generate::endless_model));
    });
}
