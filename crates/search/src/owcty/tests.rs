use store::{CompactStore, PlainStore, TreeStore};

use super::*;
use crate::dfs::tests::ALL_ERRORS;
use crate::marked::{self, Edge, Marked, Node, States, random_marked};
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
            assert_eq!(outcome.statistics.stored, states.len() as u64);
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

/// The external iterations of a search, and whether there was a cycle.
fn iterations(graph: &mut Marked, fairness: Fairness) -> (u64, bool) {
    let mut store = PlainStore::with_note(OWCTY_NOTE_BYTES);
    let outcome = owcty(graph, &mut store, fairness, &ALL_ERRORS);
    let iterations = outcome.statistics.owcty_iterations;
    let found = !outcome.findings().is_empty();
    (iterations.expect("OWCTY counts them"), found)
}

/// So many times an accepting state, each before a cycle that accepts nothing.
fn chain(links: usize) -> Marked {
    let last = 2 * links - 1;
    let nodes: Vec<Vec<usize>> = (0..=last)
        .map(|node| match node % 2 {
            0 => vec![node + 1],
            _ if node == last => vec![node],
            _ => vec![node, node + 1],
        })
        .collect();
    let nodes: Vec<&[usize]> = nodes.iter().map(Vec::as_slice).collect();
    Marked::accepting(&nodes, &Vec::from_iter((0..=last).step_by(2)))
}

/// Each iteration takes the first two states of the chain away: the accepting one, which has no
/// predecessor any more, and in the next iteration its cycle, which cannot be reached from one
/// that accepts. The last one leaves nothing.
#[test]
fn a_chain_takes_as_many_iterations_as_it_has_links() {
    for links in 1..12 {
        let mut graph = chain(links);
        // A hidden variable keeps the search from looking at the components in memory.
        graph.hidden_len = 1;
        let expected = (links as u64 + 1, false);
        assert_eq!(iterations(&mut graph, Fairness::None), expected);
    }
    // Without one: 19, 17, 15, ... of 20 states are left, and 5 are few enough.
    assert_eq!(iterations(&mut chain(10), Fairness::None), (8, false));
}

#[test]
fn few_iterations() {
    // A fair cycle of all states: they stay as they are.
    let mut ring = Marked::accepting(&[&[1], &[2], &[0]], &[1]);
    assert_eq!(iterations(&mut ring, Fairness::None), (1, true));
    // Behind a stem: the second iteration finds nothing more to take away.
    let mut stem = Marked::accepting(&[&[1], &[2], &[1]], &[2]);
    assert_eq!(iterations(&mut stem, Fairness::None), (2, true));
    // Nothing accepts: the first one leaves nothing.
    let mut nothing = Marked::accepting(&[&[1], &[0]], &[]);
    assert_eq!(iterations(&mut nothing, Fairness::None), (1, false));
    // Without sets every cycle accepts.
    stem.sets = 0;
    assert_eq!(iterations(&mut stem, Fairness::None), (1, true));
    // A chain of states that cannot come back is weak.
    let mut weak = Marked::accepting(&[&[0, 1], &[1, 2], &[2, 3], &[3]], &[0, 2]);
    weak.is_weak = true;
    assert_eq!(iterations(&mut weak, Fairness::None), (1, true));
    let mut weak = Marked::accepting(&[&[1], &[1, 2], &[3], &[3]], &[0, 2]);
    weak.is_weak = true;
    assert_eq!(iterations(&mut weak, Fairness::None), (1, false));
}

/// Two conditions are one iteration: process 1 moves only on the way from 0 to 1 and from 1 to 2,
/// and is enabled nowhere else. On the cycle of 2 it is disabled, so that is weakly fair; on those
/// of 0 and 1 it waits.
#[test]
fn fairness_adds_conditions_not_iterations() {
    let edge = |pid: u8, to: usize| Edge {
        pid,
        to,
        sets: 1,
        ..Edge::default()
    };
    let mut nodes = vec![Node::default(); 3];
    nodes[0].free = vec![edge(0, 0), edge(1, 1)];
    nodes[1].free = vec![edge(0, 1), edge(1, 2)];
    nodes[2].free = vec![edge(0, 2)];
    let mut graph = Marked {
        nodes,
        sets: 1,
        hidden_len: 1,
        ..Marked::default()
    };
    assert_eq!(iterations(&mut graph, Fairness::None), (1, true));
    // The move from 0 to 1 reaches 1 and 2; then only that from 1 to 2 is left.
    assert_eq!(iterations(&mut graph, Fairness::Weak), (3, true));
    assert_eq!(iterations(&mut graph, Fairness::Strong), (3, true));
}

#[test]
fn other_searches_have_no_iterations() {
    let mut ring = Marked::accepting(&[&[1], &[0]], &[1]);
    let mut store = PlainStore::with_note(crate::nested_dfs_note_bytes(1));
    let outcome = nested_dfs(&mut ring, &mut store, &ALL_ERRORS);
    assert_eq!(outcome.statistics.owcty_iterations, None);
}
