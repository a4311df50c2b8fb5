use store::{CompactStore, PlainStore, TreeStore};

use super::*;
use crate::dfs::tests::ALL_ERRORS;
use crate::marked::{self, Marked, States, random_marked};
use crate::nested_dfs;

/// The moves of the lasso that was found, those of its stem first.
fn lengths(graph: &Marked, outcome: &Outcome) -> Option<(usize, usize)> {
    let lasso = |finding: &&crate::Finding| finding.trace.cycle.is_some();
    let finding = outcome.findings().iter().find(lasso)?;
    Some(marked::lengths(graph, finding))
}

#[test]
fn agrees_with_the_definition() {
    let (mut moves, mut nested_moves) = (0, 0);
    for rng_seed in 0..1500 {
        let mut graph = random_marked(rng_seed);
        let states = States::new(&graph);
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let context = format!("rng_seed {rng_seed}, {fairness:?}");
            let nearest = states.nearest(&graph, fairness);
            let mut store = PlainStore::with_note(OWCTY_NOTE_BYTES);
            let outcome = owcty(&mut graph, &mut store, fairness, &ALL_ERRORS);
            let expected = nearest.is_some();
            marked::check(&graph, fairness, expected, &outcome, &context);
            assert_eq!(outcome.figures.stored, states.len() as u64);
            assert!(outcome.exhaustive().is_some(), "{context}");
            let lasso = lengths(&graph, &outcome);
            assert_eq!(lasso.map(|(stem, _)| stem), nearest, "{context}");
            if fairness == Fairness::None {
                let bytes = crate::nested_dfs_note_bytes(graph.sets);
                let mut store = PlainStore::with_note(bytes);
                let other = nested_dfs(&mut graph, &mut store, &ALL_ERRORS);
                moves += lasso.map_or(0, |(_, moves)| moves);
                nested_moves += lengths(&graph, &other).map_or(0, |(_, moves)| moves);
            }
            let mut store = TreeStore::with_note(OWCTY_NOTE_BYTES);
            let outcome = owcty(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, expected, &outcome, &context);
            let mut store = CompactStore::with_note(OWCTY_NOTE_BYTES);
            let outcome = owcty(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, expected, &outcome, &context);
        }
    }
    // Its lassos are shorter on the whole than those of a depth-first search.
    assert!(moves < nested_moves, "{moves}, {nested_moves}");
}

fn run(graph: &mut Marked, config: &SearchConfig<'_>) -> Outcome {
    let mut store = PlainStore::with_note(OWCTY_NOTE_BYTES);
    owcty(graph, &mut store, Fairness::None, config)
}

#[test]
fn limits() {
    marked::check_limits(run);
}

#[test]
fn weak_graphs() {
    let mut cycles = 0;
    for rng_seed in 0..2000 {
        let mut graph = random_marked(rng_seed);
        marked::weaken(&mut graph, rng_seed);
        let mut store = PlainStore::with_note(OWCTY_NOTE_BYTES);
        let outcome = owcty(&mut graph, &mut store, Fairness::None, &ALL_ERRORS);
        let context = format!("rng_seed {rng_seed}");
        let expected = States::new(&graph).has_cycle(&graph, Fairness::None);
        marked::check(&graph, Fairness::None, expected, &outcome, &context);
        cycles += usize::from(expected);
    }
    assert!((300..1700).contains(&cycles), "{cycles}");
}

/// What accepts nothing behind what accepts is not looked at again.
#[test]
fn weak_graphs_take_less() {
    let line: Vec<Vec<usize>> = (1..60).map(|n| vec![n]).chain([vec![]]).collect();
    let line: Vec<&[usize]> = line.iter().map(Vec::as_slice).collect();
    let mut graph = Marked::accepting(&line, &Vec::from_iter(0..20));
    assert!(run(&mut graph, &ALL_ERRORS).exhaustive().is_some());
    let general = std::mem::take(&mut graph.expansions);
    graph.is_weak = true;
    let mut store = PlainStore::with_note(OWCTY_NOTE_BYTES);
    let outcome = owcty(&mut graph, &mut store, Fairness::None, &ALL_ERRORS);
    assert!(outcome.exhaustive().is_some() && outcome.findings().is_empty());
    assert!(graph.expansions < general, "{} {general}", graph.expansions);
}
