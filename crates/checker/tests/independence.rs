//! Processes that are called independent of a step are: they have the same steps before and
//! after it, and lead to the same states in either order. And a breadth-first search, which
//! makes use of it, counts what a depth-first search counts.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use std::collections::HashSet;

use common::on_a_large_stack;
use jit::Jit;
use model::reduction::reduce;
use model::{Interp, Model};
use search::SearchConfig;
use space::{Control, Expansion, NextState, Pid, Row};
use store::PlainStore;

/// States of a model that are looked at.
const STATES: usize = if cfg!(debug_assertions) { 30 } else { 2_000 };
/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 30 } else { 300 };
/// Bytes for the states of a model that is searched.
const MEMORY: usize = if cfg!(debug_assertions) {
    1 << 17
} else {
    64 << 20
};

/// Check the first states of a model. Returns how many times a process was independent.
fn check(name: &str, model: &Model) -> usize {
    let mut interp = Interp::new(model);
    let mut jit = Jit::new(model).expect("a machine with a compiler");
    let Ok(initial) = interp.initial() else {
        return 0;
    };
    let mut seen = HashSet::from([initial.clone()]);
    let mut open = vec![initial];
    let mut found = Expansion::default();
    let (mut states, mut count) = (0, 0);
    while let Some(state) = open.pop() {
        states += 1;
        if states > STATES {
            break;
        }
        interp.expand(&state, Control::Free, &mut found);
        for row in found.rows.iter().filter(|row| row.has_successor()) {
            if row.has(Row::EXCLUSIVE) {
                continue;
            }
            let after = found.vector(row);
            let independent = interp.independent(row, after);
            assert_eq!(jit.independent(row, after), independent, "{name}");
            for pid in independent.iter() {
                count += 1;
                commutes(name, &mut interp, &found, row, pid);
            }
            if seen.insert(after.to_vec()) {
                open.push(after.to_vec());
            }
        }
    }
    count
}

/// The steps of a process, with their numbers.
fn of(found: &Expansion, pid: Pid) -> Vec<(usize, Row)> {
    let rows = found.rows.iter().copied().enumerate();
    rows.filter(|(_, row)| row.pid == pid.0 && !row.has(Row::OFFER))
        .collect()
}

/// Each step of a process is there also behind the step of a row, and may come first.
#[track_caller]
fn commutes(name: &str, interp: &mut Interp<'_>, found: &Expansion, row: &Row, pid: Pid) {
    let (mut behind, mut other) = (Expansion::default(), Expansion::default());
    interp.expand(found.vector(row), Control::Free, &mut behind);
    let (before, after) = (of(found, pid), of(&behind, pid));
    assert_eq!(before.len(), after.len(), "{name}: {row:?} {pid:?}");
    for ((number, first), (later, second)) in before.into_iter().zip(after) {
        assert_eq!(first.step(), second.step(), "{name}: {row:?}");
        assert_eq!(first.flags, second.flags, "{name}: {row:?} {first:?}");
        assert!(found.violations_of(number).eq(behind.violations_of(later)));
        if !first.has_successor() {
            continue;
        }
        interp.expand(found.vector(&first), first.control(), &mut other);
        if first.has(Row::EXCLUSIVE) {
            panic!("{name}: {first:?} goes on with an atomic sequence");
        }
        let same = (other.rows.iter())
            .find(|candidate| candidate.has_successor() && candidate.step() == row.step());
        let same = same.unwrap_or_else(|| panic!("{name}: {row:?} is gone behind {first:?}"));
        assert_eq!(
            other.vector(same),
            behind.vector(&second),
            "{name}: {row:?} and {first:?}"
        );
    }
}

/// Both searches count the same.
fn searches_agree(name: &str, model: &Model) {
    let config = SearchConfig {
        max_errors: None,
        memory_limit: Some(MEMORY),
        ..SearchConfig::default()
    };
    let mut interp = Interp::new(model);
    let depth_first = search::dfs(&mut interp, &mut PlainStore::new(), &config);
    if depth_first.exhaustive().is_none() || interp.hidden_len() > 0 {
        return;
    }
    let mut jit = Jit::new(model).expect("a machine with a compiler");
    for outcome in [
        search::bfs(&mut interp, &mut PlainStore::new(), &config),
        search::bfs(&mut jit, &mut PlainStore::new(), &config),
    ] {
        let (ours, theirs) = (&outcome.statistics, &depth_first.statistics);
        assert_eq!(ours.stored, theirs.stored, "{name}");
        assert_eq!(ours.errors, theirs.errors, "{name}");
        assert_eq!(outcome.reached, depth_first.reached, "{name}");
        if ours.endless_atomics + theirs.endless_atomics == 0 {
            assert_eq!(ours.matched, theirs.matched, "{name}");
            assert_eq!(ours.atomic_steps, theirs.atomic_steps, "{name}");
        }
    }
}

fn check_all(models: impl Iterator<Item = (String, Model)>) {
    let mut count = 0;
    for (name, model) in models {
        count += check(&name, &model);
        searches_agree(&name, &model);
        let reduced = reduce(&model).model;
        count += check(&format!("{name}, reduced"), &reduced);
        searches_agree(&format!("{name}, reduced"), &reduced);
    }
    assert!(count > 1000, "only {count} times independent");
}

#[test]
fn corpus_models() {
    on_a_large_stack(|| {
        check_all(common::corpus().into_iter());
    });
}

#[test]
fn random_models() {
    on_a_large_stack(|| check_all(common::random(COUNT)));
}
