//! What a process does depends on the parts of a vector that are said to decide about it, as do
//! ample sets, and searches over collapsed states count what searches over whole vectors count.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use std::collections::{HashMap, HashSet};

use common::on_a_large_stack;
use jit::Jit;
use model::dependency::{Correction, Observed, Strictness};
use model::reduction::reduce;
use model::{Interp, Model};
use reduce::{Effort, Method, Reduced, Reducer, Reduction};
use search::{Bits, Collapse, Dense, Hashes, Outcome, Packed, SearchConfig};
use space::{Asleep, Control, Expansion, NextState, Parts, Pid, PidSet, Row, Situation};
use store::PlainStore;

/// States of a model that are looked at.
const STATES: usize = if cfg!(debug_assertions) { 30 } else { 2_000 };
/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 30 } else { 80 };
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

/// The first states of a model, as far as its vectors fall into parts; with the number of their kind
/// of vectors, and all these.
fn first_states(name: &str, model: &Model) -> (Vec<(usize, Vec<u8>)>, Vec<Parts>) {
    let mut interp = Interp::new(model);
    let (mut states, mut kinds): (Vec<_>, Vec<Parts>) = (Vec::new(), Vec::new());
    let Ok(initial) = interp.initial() else {
        return (states, kinds);
    };
    let mut seen = HashSet::from([initial.clone()]);
    let mut open = vec![initial];
    let mut found = Expansion::default();
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
                None => break,
            },
        };
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
        states.push((kind, state));
    }
    (states, kinds)
}

/// Look at the first states of a model: wherever the parts are the same that decide about a
/// process, so are its steps, and these change no other part. Returns how often they were the
/// same in another state.
fn parts_decide(name: &str, model: &Model) -> usize {
    let mut interp = Interp::new(model);
    let (states, kinds) = first_states(name, model);
    let mut known: HashMap<(usize, usize, Vec<u8>), Vec<Change>> = HashMap::new();
    let mut again = 0;
    for (kind, state) in states {
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
    }
    again
}

/// A model with ample sets by some method.
fn with_ample_sets<M>(
    original: &Model,
    model: M,
    (method, effort, correction): (Method, Effort, Correction),
) -> Option<Reduced<'_, M>> {
    let reduction = Reduction {
        method,
        effort,
        clusters: Vec::new(),
        sleeps: false,
        correction,
        observed: Observed::default(),
        strictness: Strictness::Plain,
    };
    let reducer = Some(Reducer::new(original, &reduction).ok()?);
    Some(Reduced {
        model,
        reducer,
        taken: None,
    })
}

/// Look at the first states of a model: wherever the parts are the same that decide about a
/// process, so is its outlook from the same point of view, and wherever all outlooks are the same and
/// from one point of view, so are the ample sets that a first look finds. Outlooks are remembered, as
/// in a search. Returns how often sets were the same in another state.
fn outlooks_decide(name: &str, model: &Model) -> usize {
    // None of them looks closer, which would depend on more.
    let ways = [
        (Method::Ample, Effort::Thorough, Correction::Dynamic),
        (Method::Cluster, Effort::Thrifty, Correction::Static),
        (Method::Stubborn, Effort::Thrifty, Correction::Static),
    ];
    let (states, kinds) = first_states(name, model);
    let mut again = 0;
    for way in ways {
        let Some(mut reduced) = with_ample_sets(model, Interp::new(model), way) else {
            return again;
        };
        if (states.first()).is_none_or(|(_, initial)| reduced.parts(initial).is_none()) {
            return again;
        }
        // By kind, process and values: the outlook that was asked for first, and all.
        let mut first: HashMap<(usize, usize, Vec<u8>), Vec<u32>> = HashMap::new();
        let mut outlooks: HashMap<(usize, usize, u32, Vec<u8>), Vec<u32>> = HashMap::new();
        let mut known: HashMap<Vec<Vec<u32>>, Vec<PidSet>> = HashMap::new();
        let mut found = Expansion::default();
        for (number, (kind, state)) in states.iter().enumerate() {
            let mut all: Vec<Vec<u32>> = Vec::new();
            for (pid, mover) in kinds[*kind].processes.iter().enumerate() {
                let asleep = Asleep {
                    pids: PidSet(!(1 << pid)),
                    can_move: true,
                };
                found.clear();
                reduced.extend_awake(state, asleep, &mut found);
                let mut outlook = Vec::new();
                if !reduced.outlook(state, Pid(pid as u8), &found.rows, &mut outlook) {
                    break;
                }
                if let Some(needs) = mover.needs_in(state) {
                    let values = values(&kinds[*kind], needs, state);
                    let key = (*kind, pid, outlook[0], values.clone());
                    let before = outlooks.entry(key).or_insert_with(|| outlook.clone());
                    assert_eq!(before, &outlook, "{name}: process {pid} in {state:?}");
                    outlook = first.entry((*kind, pid, values)).or_insert(outlook).clone();
                }
                all.push(outlook);
            }
            let is_told = all.len() == kinds[*kind].processes.len()
                && all.iter().all(|outlook| outlook[0] == all[0][0]);
            // A timeout can be told from nothing else.
            if !is_told || all_are_stuck(model, state) {
                continue;
            }
            // Nothing is recalled under a number that was never used.
            let situation = Situation {
                number: 1 + number as u32,
                view: all[0][0],
            };
            reduced.begin();
            reduced.expand(state, Control::Free, &mut found);
            let count = reduced.find_ample_in(Some(situation), state, &found.rows);
            let sets: Vec<PidSet> = (0..count).map(|number| reduced.ample(number)).collect();
            match known.get(&all) {
                Some(before) => {
                    assert_eq!(before, &sets, "{name}, {way:?} in {state:?}");
                    again += 1;
                }
                None => {
                    known.insert(all, sets);
                }
            }
        }
    }
    again
}

/// Whether no process can move, but for a timeout.
fn all_are_stuck(model: &Model, state: &[u8]) -> bool {
    let mut interp = Interp::new(model);
    let everybody = Asleep {
        pids: PidSet::EMPTY,
        can_move: true,
    };
    let mut found = Expansion::default();
    interp.extend_awake(state, everybody, &mut found);
    found.rows.iter().all(|row| row.has(Row::OFFER))
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

/// How a model is searched over collapsed states, and the same over whole vectors.
#[derive(Default)]
struct Searched {
    /// How often over collapsed states.
    collapsed: usize,
    /// How often of these with ample sets, and how many steps these left out.
    reduced: usize,
    left_out: u64,
    /// How often states were written down again.
    rewritten: usize,
}

/// Search a model over collapsed states, with the figures of searches over whole vectors.
fn searches_agree(name: &str, model: &Model, sum: &mut Searched) {
    let config = SearchConfig {
        max_errors: None,
        memory_limit: Some(MEMORY),
        ..SearchConfig::default()
    };
    let mut jit = Jit::new(model).expect("a machine with a compiler");
    let mut interp = Interp::new(model);
    let whole = search::dfs(&mut jit, &mut PlainStore::new(), &config);
    if whole.exhaustive().is_none() {
        return;
    }
    agree(
        name,
        Collapse::DepthFirst,
        &mut jit,
        &mut interp,
        &whole,
        sum,
    );
    let transitions = whole.statistics.transitions();
    let whole = search::bfs(&mut jit, &mut PlainStore::new(), &config);
    agree(
        name,
        Collapse::BreadthFirst,
        &mut jit,
        &mut interp,
        &whole,
        sum,
    );
    for way in [
        (Method::Ample, Effort::Thorough, Correction::Dynamic),
        (Method::Cluster, Effort::Thrifty, Correction::Dynamic),
        (Method::Stubborn, Effort::Thrifty, Correction::Dynamic),
        (Method::Stubborn, Effort::Thrifty, Correction::Static),
    ] {
        let ample = with_ample_sets(model, Jit::new(model).expect("a compiler"), way);
        let Some(mut jit) = ample else {
            return;
        };
        let Some(mut interp) = with_ample_sets(model, Interp::new(model), way) else {
            return;
        };
        // Where successors do not fit into memory, nodes are expanded again, with all steps.
        let roomy = SearchConfig {
            successors_in_memory: usize::MAX,
            ..config
        };
        let whole = search::reduced_dfs(&mut jit, &mut PlainStore::new(), &roomy);
        if whole.exhaustive().is_none() {
            return;
        }
        let name = format!("{name}, {way:?}");
        let before = sum.collapsed;
        agree(&name, Collapse::Reduced, &mut jit, &mut interp, &whole, sum);
        if sum.collapsed > before {
            sum.reduced += 1;
            sum.left_out += transitions.saturating_sub(whole.statistics.transitions());
        }
    }
}

/// Search over collapsed states with all stores: either all of them can do it, with the figures of
/// the search over whole vectors, or none.
fn agree(
    name: &str,
    kind: Collapse,
    jit: &mut impl NextState,
    interp: &mut impl NextState,
    whole: &Outcome,
    sum: &mut Searched,
) {
    // Without a limit: what is known about moves and values may take more than states.
    let config = SearchConfig {
        max_errors: None,
        ..SearchConfig::default()
    };
    let collapsed = search::collapse(jit, &mut Packed, &config, kind);
    let mut dense = Dense {
        sizes: tight(),
        made: 0,
    };
    let interpreted = search::collapse(interp, &mut dense, &config, kind);
    sum.rewritten += dense.made.saturating_sub(1);
    let mut hashes = Hashes {
        sizes: tight(),
        store: None,
    };
    let hashed = search::collapse(jit, &mut hashes, &config, kind);
    assert_eq!(collapsed.is_some(), interpreted.is_some(), "{name}");
    assert_eq!(collapsed.is_some(), hashed.is_some(), "{name}");
    sum.collapsed += usize::from(collapsed.is_some());
    // So many bits that none of these states is missed.
    let mut bits = Bits {
        bytes: (64 * whole.statistics.stored as usize).max(1 << 16),
        functions: 12,
        store: None,
    };
    let in_bits = search::collapse(jit, &mut bits, &config, kind);
    for (outcome, is_exact) in [
        (collapsed, true),
        (interpreted, true),
        (hashed, false),
        (in_bits, false),
    ] {
        if let Some(outcome) = outcome {
            same_figures(&format!("{name}: {kind:?}"), &outcome, whole);
            assert_eq!(outcome.exhaustive().is_some(), is_exact, "{name}");
        }
    }
}

fn same_figures(what: &str, collapsed: &Outcome, whole: &Outcome) {
    assert!(collapsed.collapsed && !whole.collapsed);
    assert_eq!(collapsed.statistics, whole.statistics, "{what}");
    assert_eq!(collapsed.reached, whole.reached, "{what}");
    assert_eq!(whole.statistics.errors, 0, "{what}");
}

/// The least that is to be seen among some models.
struct Least {
    /// Searches over collapsed states, and those of them with ample sets.
    collapsed: usize,
    reduced: usize,
    /// Steps that these leave out.
    left_out: u64,
    /// How often steps or ample sets are the same as in another state.
    again: [usize; 2],
    /// How often states are written down again.
    rewritten: usize,
}

fn check_all(models: impl Iterator<Item = (String, Model)>, least: &Least) {
    let (mut sum, mut again) = (Searched::default(), [0, 0]);
    for (name, model) in models {
        for (name, model) in [
            (format!("{name}, reduced"), reduce(&model).model),
            (name, model),
        ] {
            again[0] += parts_decide(&name, &model);
            again[1] += outlooks_decide(&name, &model);
            searches_agree(&name, &model, &mut sum);
        }
    }
    println!(
        "{} times collapsed, {} with ample sets that left {} steps out, {again:?} times the same, \
         {} times rewritten",
        sum.collapsed, sum.reduced, sum.left_out, sum.rewritten
    );
    if !cfg!(debug_assertions) {
        assert!(sum.collapsed >= least.collapsed);
        assert!(sum.reduced >= least.reduced && sum.left_out >= least.left_out);
        assert!(again[0] >= least.again[0] && again[1] >= least.again[1]);
        assert!(sum.rewritten >= least.rewritten);
    }
}

/// Among random models.
const RANDOM: Least = Least {
    collapsed: 50,
    reduced: 20,
    left_out: 100,
    again: [1_000, 1_000],
    rewritten: 0,
};

#[test]
fn corpus_models() {
    const LEAST: Least = Least {
        collapsed: 200,
        reduced: 100,
        left_out: 10_000,
        again: [10_000, 10_000],
        rewritten: 10,
    };
    on_a_large_stack(|| check_all(common::corpus().into_iter(), &LEAST));
}

#[test]
fn random_models() {
    on_a_large_stack(|| check_all(common::random(COUNT), &RANDOM));
}

#[test]
fn random_families() {
    on_a_large_stack(|| check_all(common::random_families(COUNT), &RANDOM));
}

#[test]
fn random_symmetric() {
    on_a_large_stack(|| check_all(common::random_symmetric(COUNT), &RANDOM));
}
