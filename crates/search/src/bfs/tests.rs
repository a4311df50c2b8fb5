//! Agreement with the depth-first search and with a naive breadth-first one.

use std::collections::BTreeSet;

use super::*;
use crate::dfs;
use crate::dfs::tests::{ALL_ERRORS, run as depth_first};
use crate::graph::{ATOMIC, Edge, Graph, Node, random_graph};
use crate::oracle;
use crate::stores::{Lossy, Plain, Unordered, Unreadable};

fn run(graph: &Graph, config: &SearchConfig<'_>) -> Outcome {
    bfs(&mut graph.clone(), &mut Plain::default(), config)
}

#[test]
fn agrees_with_depth_first_and_finds_the_shortest() {
    for rng_seed in 0..1000 {
        let graph = random_graph(rng_seed);
        let context = format!("rng_seed {rng_seed}: {graph:?}");
        let outcome = run(&graph, &ALL_ERRORS);
        let other = depth_first(&graph, &ALL_ERRORS);
        assert!(outcome.exhaustive().is_some());
        let layers = oracle::layers(&graph);
        let depth = layers.states.values().copied().max().unwrap_or(0);
        let expected = crate::Statistics {
            depth,
            ..other.statistics.clone()
        };
        assert_eq!(outcome.statistics, expected, "{context}");
        assert_eq!(outcome.reached, other.reached, "{context}");
        let mut kinds = BTreeSet::new();
        for finding in outcome.findings() {
            let moves = oracle::follow(&graph, finding);
            let kind = finding.violation.kind;
            if kinds.insert(kind) {
                assert_eq!(moves, layers.kinds[&kind], "{context}");
            }
        }
        assert!(kinds.iter().eq(layers.kinds.keys()), "{context}");
    }
}

#[test]
fn the_store_makes_no_difference() {
    for rng_seed in 0..500 {
        let graph = random_graph(rng_seed);
        let outcome = run(&graph, &ALL_ERRORS);
        let model = &mut graph.clone();
        let queued = bfs(model, &mut Unordered::default(), &ALL_ERRORS);
        let unread = bfs(model, &mut Unreadable::default(), &ALL_ERRORS);
        for other in [queued, unread] {
            assert_eq!(other.statistics, outcome.statistics, "rng_seed {rng_seed}");
            assert_eq!(other.findings(), outcome.findings(), "rng_seed {rng_seed}");
        }
        let lossy = bfs(model, &mut Lossy::default(), &ALL_ERRORS);
        assert!(lossy.exhaustive().is_none());
    }
}

#[test]
fn the_bound_counts_moves() {
    for rng_seed in 0..500 {
        let graph = random_graph(rng_seed);
        let layers = oracle::layers(&graph);
        for bound in 0..5 {
            let config = SearchConfig {
                depth: Some(bound),
                ..ALL_ERRORS
            };
            let outcome = run(&graph, &config);
            let stored = layers.states.values().filter(|&&layer| layer <= bound);
            assert_eq!(outcome.statistics.stored, stored.count() as u64);
            let cut = layers.states.values().any(|&layer| layer == bound);
            assert_eq!(outcome.completion() == Completion::DepthLimit, cut);
            assert_eq!(outcome.exhaustive().is_none(), cut);
            let within = layers.kinds.values().filter(|&&layer| layer < bound);
            let kinds: BTreeSet<_> = (outcome.findings().iter())
                .map(|finding| finding.violation.kind)
                .collect();
            assert_eq!(kinds.len(), within.count(), "rng_seed {rng_seed}");
        }
    }
}

#[test]
fn the_first_error_ends_the_search() {
    // [003, Fig. 8.3]: the error is behind 2, and the long way to 2 comes first.
    let mut graph = Graph::free(&[&[1, 2], &[2], &[3], &[]]);
    graph.nodes[2].free = vec![Edge::Assert(3)];
    let config = SearchConfig {
        max_errors: Some(1),
        ..ALL_ERRORS
    };
    let outcome = run(&graph, &config);
    assert_eq!(outcome.completion(), Completion::ErrorLimit);
    assert_eq!(outcome.findings()[0].depth, 1);
    assert_eq!(outcome.findings()[0].trace.steps.len(), 2);
    let deep = dfs(&mut graph, &mut Plain::default(), &config);
    assert_eq!(deep.findings()[0].depth, 2);
}

#[test]
fn endless_atomic_ends() {
    let node = |edge| Node {
        exclusive: vec![edge],
        free: Vec::new(),
        valid_end: true,
    };
    let graph = Graph {
        nodes: vec![
            node(Edge::To(1, ATOMIC)),
            node(Edge::To(2, ATOMIC)),
            node(Edge::To(1, ATOMIC)),
        ],
        hidden_len: 0,
    };
    let outcome = run(&graph, &ALL_ERRORS);
    assert_eq!(outcome.completion(), Completion::Complete);
    assert_eq!(outcome.statistics.endless_atomics, 1);
    assert_eq!(outcome.statistics.stored, 1);
}

#[test]
fn limits_end_the_search() {
    let line: Vec<Vec<usize>> = (1..=50_000).map(|n| vec![n % 50_000]).collect();
    let line: Vec<&[usize]> = line.iter().map(Vec::as_slice).collect();
    let mut graph = Graph::free(&line);
    graph.hidden_len = 1;
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = SearchConfig {
        stop: Some(&stop),
        ..ALL_ERRORS
    };
    assert_eq!(run(&graph, &stopped).completion(), Completion::Interrupted);
    let small = SearchConfig {
        memory_limit: Some(100_000),
        ..ALL_ERRORS
    };
    assert_eq!(run(&graph, &small).completion(), Completion::MemoryLimit);
    let outcome = run(&graph, &ALL_ERRORS);
    assert_eq!(outcome.statistics.depth, 49_999);
    assert!(outcome.stack_bytes > 100_000 && outcome.stack_bytes < 200_000);
}
