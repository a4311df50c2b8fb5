//! What a process does depends on the parts of a vector that are said to decide about it, and
//! searches over collapsed states count what searches over whole vectors count.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use std::collections::{HashMap, HashSet};

use common::on_a_large_stack;
use jit::Jit;
use model::reduction::reduce;
use model::{Interp, Model};
use search::{Bits, Collapse, Dense, Hashes, Outcome, Packed, SearchConfig};
use space::{Asleep, Control, Expansion, NextState, Parts, Pid, PidSet, Row};
use store::PlainStore;

/// States of a model that are looked at.
const STATES: usize = if cfg!(debug_assertions) { 30 } else { 2_000 };
/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 30 } else { 400 };
/// Bytes for the states of a model that is searched.
const MEMORY: usize = if cfg!(debug_assertions) {
    1 << 17
} else {
    32 << 20
};

/// What a step of a process is, and which bytes it changes to what.
type Change = (Row, Vec<(usize, u8)>);

/// The steps of a process out of a free node, when nobody waits for a timeout.
fn steps(interp: &mut Interp<'_>, state: &[u8], pid: usize) -> Vec<Change> {
    let asleep = Asleep {
        pids: PidSet(!(1 << pid)),
        can_move: true,
    };
    let mut found = Expansion::default();
    interp.extend_awake(state, asleep, &mut found);
    let change = |row: &Row| {
        let mut changed = Vec::new();
        if row.has_successor() {
            let after = found.vector(row);
            assert_eq!(after.len(), state.len(), "processes come and go");
            let bytes = state.iter().zip(after).enumerate();
            changed.extend(
                bytes
                    .filter(|(_, (a, b))| a != b)
                    .map(|(at, (_, b))| (at, *b)),
            );
        }
        let row = Row {
            start: 0,
            len: 0,
            ..*row
        };
        (row, changed)
    };
    found.rows.iter().map(change).collect()
}

/// The values of some parts of a vector.
fn values(parts: &Parts, set: u128, state: &[u8]) -> Vec<u8> {
    let chosen = (0..parts.bytes.len()).filter(|part| set >> part & 1 != 0);
    let ranges = chosen.flat_map(|part| parts.bytes[part].iter());
    ranges
        .flat_map(|range| state[range.clone()].to_vec())
        .collect()
}

/// Look at the first states of a model: wherever the parts are the same that decide about a
/// process, so are its steps, and these change no other part. Returns how often they were the
/// same in another state.
fn parts_decide(name: &str, model: &Model) -> usize {
    let mut interp = Interp::new(model);
    let Ok(initial) = interp.initial() else {
        return 0;
    };
    let mut kinds: Vec<Parts> = Vec::new();
    let mut known: HashMap<(usize, usize, Vec<u8>), Vec<Change>> = HashMap::new();
    let mut seen = HashSet::from([initial.clone()]);
    let mut open = vec![initial];
    let mut found = Expansion::default();
    let mut again = 0;
    while let Some(state) = open.pop() {
        if seen.len() > STATES {
            break;
        }
        let kind = match kinds.iter().position(|parts| parts.fits(&state)) {
            Some(kind) => kind,
            None => match interp.parts(&state) {
                Some(parts) => {
                    assert!(parts.fits(&state), "{name}");
                    is_partition(name, &parts);
                    kinds.push(parts);
                    kinds.len() - 1
                }
                None => return again,
            },
        };
        for (pid, mover) in kinds[kind].processes.iter().enumerate() {
            let Some(needs) = mover.needs_in(&state) else {
                continue;
            };
            assert!(needs >> mover.part & 1 != 0, "{name}");
            let steps = steps(&mut interp, &state, pid);
            let outside = !needs & (u128::MAX >> (128 - kinds[kind].bytes.len()));
            for (row, changed) in &steps {
                let mut after = state.clone();
                changed.iter().for_each(|&(at, byte)| after[at] = byte);
                let [before, after] =
                    [&state, &after].map(|state| values(&kinds[kind], outside, state));
                assert_eq!(before, after, "{name}: {row:?}");
            }
            let key = (kind, pid, values(&kinds[kind], needs, &state));
            match known.get(&key) {
                Some(others) => {
                    assert_eq!(&steps, others, "{name}: process {pid} in {state:?}");
                    again += 1;
                }
                None => {
                    known.insert(key, steps);
                }
            }
        }
        interp.expand(&state, Control::Free, &mut found);
        for row in found.rows.iter().filter(|row| row.has_successor()) {
            let mut end = found.vector(row).to_vec();
            if row.has(Row::EXCLUSIVE) {
                // Some way through the sequence, if it ends soon.
                match sequence_end(&mut interp, &end, Pid(row.owner)) {
                    Some(state) => end = state,
                    None => continue,
                }
            }
            if seen.insert(end.clone()) {
                open.push(end);
            }
        }
    }
    again
}

fn sequence_end(interp: &mut Interp<'_>, node: &[u8], owner: Pid) -> Option<Vec<u8>> {
    let (mut node, mut owner) = (node.to_vec(), owner);
    let mut found = Expansion::default();
    for _ in 0..100 {
        interp.expand(&node, Control::Exclusive(owner), &mut found);
        let Some(row) = found.rows.iter().find(|row| row.has_successor()) else {
            return Some(node);
        };
        node = found.vector(row).to_vec();
        match row.control() {
            Control::Free => return Some(node),
            Control::Exclusive(next) => owner = next,
        }
    }
    None
}

/// Each byte belongs to one part.
fn is_partition(name: &str, parts: &Parts) {
    let mut owners = vec![0; parts.len];
    for range in parts.bytes.iter().flatten() {
        owners[range.clone()].iter_mut().for_each(|n| *n += 1);
    }
    assert!(owners.iter().all(|&n| n == 1), "{name}: {owners:?}");
}

/// Words that have not a bit more than they need, so that states are written down again whenever
/// there are more values.
fn tight() -> Vec<Vec<u32>> {
    let one = (7..=63).map(|bits| vec![bits]);
    let two = (1..=64).map(|bits| vec![63, bits]);
    let four = (1..=64).map(|bits| vec![63, 64, 64, bits]);
    one.chain(two).chain(four).collect()
}

/// Whether a model was searched over collapsed states, depth first and breadth first, with the
/// figures of searches over whole vectors, and how often states were written down again.
fn searches_agree(name: &str, model: &Model) -> (bool, usize) {
    let config = SearchConfig {
        max_errors: None,
        memory_limit: Some(MEMORY),
        ..SearchConfig::default()
    };
    let mut interp = Interp::new(model);
    let mut jit = Jit::new(model).expect("a machine with a compiler");
    let whole = search::dfs(&mut jit, &mut PlainStore::new(), &config);
    if whole.exhaustive().is_none() {
        return (false, 0);
    }
    // Without the limit: what is known about moves and values may take more than states.
    let unlimited = SearchConfig {
        memory_limit: None,
        ..config
    };
    let (mut count, mut rewritten) = (0, 0);
    for (kind, whole) in [
        (Collapse::DepthFirst, whole),
        (
            Collapse::BreadthFirst,
            search::bfs(&mut jit, &mut PlainStore::new(), &config),
        ),
    ] {
        let collapsed = search::collapse(&mut jit, &mut Packed, &unlimited, kind);
        let mut dense = Dense {
            sizes: tight(),
            made: 0,
        };
        let interpreted = search::collapse(&mut interp, &mut dense, &unlimited, kind);
        rewritten += dense.made.saturating_sub(1);
        let mut hashes = Hashes {
            sizes: tight(),
            store: None,
        };
        let hashed = search::collapse(&mut jit, &mut hashes, &unlimited, kind);
        assert_eq!(collapsed.is_some(), interpreted.is_some(), "{name}");
        assert_eq!(collapsed.is_some(), hashed.is_some(), "{name}");
        // So many bits that none of these states is missed.
        let mut bits = Bits {
            bytes: MEMORY,
            functions: 12,
            store: None,
        };
        let in_bits = search::collapse(&mut jit, &mut bits, &unlimited, kind);
        for (outcome, is_exact) in [
            (collapsed, true),
            (interpreted, true),
            (hashed, false),
            (in_bits, false),
        ] {
            if let Some(outcome) = outcome {
                same_figures(&format!("{name}: {kind:?}"), &outcome, &whole);
                assert_eq!(outcome.exhaustive().is_some(), is_exact, "{name}");
                count += 1;
            }
        }
    }
    (count >= 4, rewritten)
}

fn same_figures(what: &str, collapsed: &Outcome, whole: &Outcome) {
    assert!(collapsed.collapsed && !whole.collapsed);
    assert_eq!(collapsed.figures, whole.figures, "{what}");
    assert_eq!(collapsed.reached, whole.reached, "{what}");
    assert_eq!(whole.figures.errors, 0, "{what}");
}

/// Look at models; at least so many of them are searched, and so often something is the same, and
/// so often states are written down again.
fn check_all(models: impl Iterator<Item = (String, Model)>, least: [usize; 3]) {
    let (mut searched, mut again, mut rewritten) = (0, 0, 0);
    for (name, model) in models {
        for (name, model) in [
            (format!("{name}, reduced"), reduce(&model).model),
            (name, model),
        ] {
            again += parts_decide(&name, &model);
            let (is_searched, times) = searches_agree(&name, &model);
            searched += usize::from(is_searched);
            rewritten += times;
        }
    }
    println!("{searched} times collapsed, {again} times the same, {rewritten} times rewritten");
    if !cfg!(debug_assertions) {
        assert!(searched >= least[0], "only {searched} times collapsed");
        assert!(again >= least[1], "only {again} times the same");
        assert!(rewritten >= least[2], "only {rewritten} times rewritten");
    }
}

#[test]
fn corpus_models() {
    on_a_large_stack(|| check_all(common::corpus().into_iter(), [80, 10_000, 10]));
}

#[test]
fn random_models() {
    on_a_large_stack(|| check_all(common::random(COUNT), [20, 1000, 0]));
}

#[test]
fn random_families() {
    on_a_large_stack(|| check_all(common::random_families(COUNT), [20, 1000, 0]));
}

#[test]
fn random_symmetric() {
    on_a_large_stack(|| check_all(common::random_symmetric(COUNT), [20, 1000, 0]));
}
