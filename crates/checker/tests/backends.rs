//! Compiled code against the interpreter, step by step: every node of every model must have
//! the same steps, byte for byte.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use std::collections::HashSet;

use common::on_a_large_stack;
use jit::Jit;
use model::reduction::reduce;
use model::{Interp, Model};
use space::{Control, Expansion, NextState, Passed, Row};

/// Nodes of a model that are compared.
const NODES: usize = if cfg!(debug_assertions) { 500 } else { 20_000 };
/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 60 } else { 300 };

/// What differs between two expansions of a node.
fn difference(wanted: &Expansion, got: &Expansion) -> Option<String> {
    let in_words = |found: &Expansion| {
        let rows = found.rows.iter().map(|row| {
            let vector = row.has_successor().then(|| found.vector(row).to_vec());
            (row.step(), row.control(), row.flags, vector)
        });
        let rows: Vec<_> = rows.collect();
        format!("{rows:?} {:?} moved: {}", found.violations, found.moved)
    };
    let (wanted, got) = (in_words(wanted), in_words(got));
    (wanted != got).then(|| format!("interpreter: {wanted}\ncompiled:    {got}"))
}

/// Compare the backends on the first nodes of a model. Returns how many there were.
#[track_caller]
fn compare(name: &str, model: &Model) -> usize {
    let mut interp = Interp::new(model);
    let mut jit = Jit::new(model).expect("a machine with a compiler");
    assert_eq!(interp.initial(), jit.initial(), "{name}");
    let Ok(initial) = interp.initial() else {
        return 0;
    };
    let mut seen = HashSet::from([(initial.clone(), Control::Free)]);
    let mut open = vec![(initial, Control::Free)];
    let (mut wanted, mut got) = (Expansion::default(), Expansion::default());
    let mut count = 0;
    while let Some((state, control)) = open.pop() {
        count += 1;
        if count > NODES {
            break;
        }
        interp.expand(&state, control, &mut wanted);
        jit.expand(&state, control, &mut got);
        if let Some(difference) = difference(&wanted, &got) {
            panic!("{name}: {control:?} {state:?}\n{difference}");
        }
        for row in 0..wanted.rows.len() {
            if wanted.rows[row].has(Row::EXCLUSIVE) && wanted.rows[row].has_successor() {
                let mut chains = [wanted.clone(), wanted.clone()];
                jit.extend_chain(row, &mut chains[0]);
                interp.extend_chain(row, &mut chains[1]);
                for chain in &chains {
                    check_chain(name, &mut interp, &wanted, row, chain);
                }
                for most in [1, 2, 5, 1 << 10] {
                    let mut leapt = [wanted.clone(), wanted.clone()];
                    jit.leap(row, most, &mut leapt[0]);
                    interp.leap(row, most, &mut leapt[1]);
                    for leapt in &leapt {
                        check_leap(name, &mut interp, &wanted, row, leapt, most);
                    }
                }
            }
        }
        let free = (!wanted.moved).then_some((state, Control::Free));
        let successors = (wanted.rows.iter())
            .filter(|row| row.has_successor())
            .map(|row| (wanted.vector(row).to_vec(), row.control()));
        for node in successors.chain(free) {
            if seen.insert(node.clone()) {
                open.push(node);
            }
        }
    }
    count
}

/// A chain from a row on consists of the steps that the interpreter finds, each the only one.
fn check_chain(
    name: &str,
    interp: &mut Interp<'_>,
    found: &Expansion,
    row: usize,
    chain: &Expansion,
) {
    let from = found.rows.len();
    let mut wanted = Expansion::default();
    for (number, step) in chain.rows.iter().enumerate().skip(from) {
        if !step.has(Row::CHAINED) {
            continue;
        }
        let before = &chain.rows[number - 1];
        interp.expand(chain.vector(before), before.control(), &mut wanted);
        let only = &wanted.rows[0];
        assert_eq!(wanted.rows.len(), 1, "{name}: {step:?}");
        assert_eq!(only.step(), step.step(), "{name}");
        assert_eq!(only.control(), step.control(), "{name}");
        assert_eq!(wanted.vector(only), chain.vector(step), "{name}");
    }
    let before = &found.rows[row];
    interp.expand(found.vector(before), before.control(), &mut wanted);
    let chained = chain.rows[from..]
        .iter()
        .filter(|row| row.has(Row::CHAINED));
    let first = chain.rows.len() - from - chained.count();
    assert_eq!(first, wanted.rows.len(), "{name}");
    for (wanted_row, got) in wanted.rows.iter().zip(&chain.rows[from..]) {
        assert_eq!(wanted_row.step(), got.step(), "{name}");
    }
}

/// A leap from a row on has led where the interpreter comes step by step, each the only one.
fn check_leap(
    name: &str,
    interp: &mut Interp<'_>,
    found: &Expansion,
    row: usize,
    leapt: &Expansion,
    most: u64,
) {
    let Passed { steps, transitions } = leapt.passed.clone();
    assert!(steps < most, "{name}");
    let before = &found.rows[row];
    let mut wanted = Expansion::default();
    interp.expand(found.vector(before), before.control(), &mut wanted);
    for _ in 0..steps {
        let [only] = &wanted.rows[..] else {
            panic!("{name}: {:?} is not the only step", wanted.rows);
        };
        assert_eq!(only.flags, Row::EXCLUSIVE, "{name}");
        assert!(transitions[only.transition as usize], "{name}");
        let (vector, control) = (wanted.vector(only).to_vec(), only.control());
        interp.expand(&vector, control, &mut wanted);
    }
    let got = &leapt.rows[found.rows.len()..];
    assert_eq!(wanted.rows.len(), got.len(), "{name}");
    for (wanted_row, got) in wanted.rows.iter().zip(got) {
        assert_eq!(wanted_row.step(), got.step(), "{name}");
        assert_eq!(wanted_row.flags, got.flags, "{name}");
        assert_eq!(wanted_row.control(), got.control(), "{name}");
        if got.has_successor() {
            assert_eq!(wanted.vector(wanted_row), leapt.vector(got), "{name}");
        }
    }
}

#[test]
fn corpus_models() {
    on_a_large_stack(|| {
        for (name, mut model) in common::corpus() {
            compare(&name, &model);
            compare(&format!("{name}, reduced"), &reduce(&model).model);
            model.lossy = true;
            compare(&format!("{name}, lossy"), &model);
        }
    });
}

#[test]
fn random_models() {
    on_a_large_stack(|| {
        for (name, model) in common::random(COUNT) {
            compare(&name, &model);
            compare(&format!("{name}, reduced"), &reduce(&model).model);
        }
    });
}
