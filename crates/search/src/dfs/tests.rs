//! Counts by hand, and Spin's, on tiny graphs.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use space::Control;

use super::*;
use crate::graph::{ATOMIC, Edge, Graph, Node};
use crate::stores::Plain;
use crate::{Completion, Order, Progress, Verdict};

pub(crate) const FREE: Control = Control::Free;

pub(crate) const ALL_ERRORS: SearchConfig<'static> = SearchConfig {
    depth: None,
    max_errors: None,
    kept_traces: 100,
    observer: None,
    memory_limit: None,
    time_limit: None,
    stop: None,
    progress: None,
    poll_interval: 4096,
    order: Order::Spin,
    stack_in_memory: 1 << 30,
    successors_in_memory: 1 << 20,
    checkpoint: None,
};

pub(crate) fn run(graph: &Graph, config: &SearchConfig<'_>) -> Outcome {
    dfs(&mut graph.clone(), &mut Plain::default(), config)
}

/// Figures and findings in one line.
pub(crate) fn render(outcome: &Outcome) -> String {
    let f = &outcome.statistics;
    let mut text = format!(
        "stored {} matched {} atomic {} depth {} errors {}",
        f.stored, f.matched, f.atomic_steps, f.depth, f.errors
    );
    for finding in outcome.findings() {
        let (kind, depth) = (finding.violation.kind.name(), finding.depth);
        text += &format!(", {kind} at {depth} x{}", finding.count);
    }
    text
}

#[track_caller]
fn check(graph: &Graph, config: &SearchConfig<'_>, completion: Completion, expected: &str) {
    let outcome = run(graph, config);
    assert_eq!(render(&outcome), expected);
    assert_eq!(outcome.completion(), completion);
}

fn node(exclusive: &[Edge], free: &[Edge]) -> Node {
    Node {
        free: free.to_vec(),
        exclusive: exclusive.to_vec(),
        valid_end: true,
    }
}

fn graph(nodes: Vec<Node>) -> Graph {
    Graph {
        nodes,
        hidden_len: 0,
    }
}

#[test]
fn one_state() {
    let expected = "stored 1 matched 0 atomic 0 depth 0 errors 0";
    check(
        &Graph::free(&[&[]]),
        &ALL_ERRORS,
        Completion::Complete,
        expected,
    );
    let expected = "stored 1 matched 1 atomic 0 depth 0 errors 0";
    check(
        &Graph::free(&[&[0]]),
        &ALL_ERRORS,
        Completion::Complete,
        expected,
    );
    let mut stuck = Graph::free(&[&[]]);
    stuck.nodes[0].valid_end = false;
    let expected = "stored 1 matched 0 atomic 0 depth 0 errors 1, invalid-end-state at -1 x1";
    check(&stuck, &ALL_ERRORS, Completion::Complete, expected);
    assert!(
        run(&stuck, &ALL_ERRORS).findings()[0]
            .trace
            .steps
            .is_empty()
    );
}

#[test]
fn depth_depends_on_the_order() {
    let long_first = Graph::free(&[&[1, 2], &[2], &[3], &[]]);
    let short_first = Graph::free(&[&[2, 1], &[2], &[3], &[]]);
    let expected = "stored 4 matched 1 atomic 0 depth 3 errors 0";
    check(&long_first, &ALL_ERRORS, Completion::Complete, expected);
    let expected = "stored 4 matched 1 atomic 0 depth 2 errors 0";
    check(&short_first, &ALL_ERRORS, Completion::Complete, expected);
}

#[test]
fn depth_bound_misses_states() {
    // [003, Fig. 8.3]: the long way to 2 comes first and uses up the bound.
    let graph = Graph::free(&[&[1, 2], &[2], &[3], &[]]);
    let bounded = SearchConfig {
        depth: Some(3),
        ..ALL_ERRORS
    };
    let expected = "stored 3 matched 2 atomic 0 depth 2 errors 0";
    check(&graph, &bounded, Completion::DepthLimit, expected);
    assert!(run(&graph, &bounded).exhaustive().is_none());
    let bounded = SearchConfig {
        depth: Some(4),
        ..ALL_ERRORS
    };
    let expected = "stored 4 matched 1 atomic 0 depth 3 errors 0";
    check(&graph, &bounded, Completion::Complete, expected);
}

#[test]
fn no_end_state_next_to_the_bound() {
    let mut graph = Graph::free(&[&[1], &[2], &[]]);
    graph.nodes[2].valid_end = false;
    for (depth, errors, completion) in
        [(3, 0, Completion::DepthLimit), (4, 1, Completion::Complete)]
    {
        let config = SearchConfig {
            depth: Some(depth),
            ..ALL_ERRORS
        };
        let outcome = run(&graph, &config);
        assert_eq!(outcome.statistics.errors, errors);
        assert_eq!(outcome.completion(), completion);
    }
}

#[test]
fn atomic_paths_are_neither_stored_nor_matched() {
    // Two ways through an atomic sequence meet in 3 and end in 4.
    let graph = graph(vec![
        node(&[Edge::To(1, ATOMIC), Edge::To(2, ATOMIC)], &[]),
        node(&[Edge::To(3, ATOMIC)], &[]),
        node(&[Edge::To(3, ATOMIC)], &[]),
        node(&[Edge::To(4, FREE)], &[]),
        node(&[], &[]),
    ]);
    let expected = "stored 2 matched 1 atomic 4 depth 3 errors 0";
    check(&graph, &ALL_ERRORS, Completion::Complete, expected);
}

#[test]
fn control_is_lost_in_a_stored_state() {
    // The atomic sequence blocks in 1, and 2 leads out. 1 is also reached as a free node.
    let graph = graph(vec![
        node(
            &[],
            &[Edge::To(1, ATOMIC), Edge::To(1, FREE), Edge::To(1, ATOMIC)],
        ),
        node(&[], &[Edge::To(2, FREE)]),
        node(&[], &[]),
    ]);
    let expected = "stored 3 matched 2 atomic 2 depth 2 errors 0";
    check(&graph, &ALL_ERRORS, Completion::Complete, expected);
}

#[test]
fn blocked_atomic_is_an_end_state() {
    let mut graph = graph(vec![node(&[], &[Edge::To(1, ATOMIC)]), node(&[], &[])]);
    graph.nodes[1].valid_end = false;
    let expected = "stored 2 matched 0 atomic 1 depth 1 errors 1, invalid-end-state at 0 x1";
    check(&graph, &ALL_ERRORS, Completion::Complete, expected);
    // Next to the bound it is not even stored.
    let bounded = SearchConfig {
        depth: Some(2),
        ..ALL_ERRORS
    };
    let expected = "stored 1 matched 0 atomic 1 depth 1 errors 0";
    check(&graph, &bounded, Completion::DepthLimit, expected);
}

#[test]
fn endless_atomic_ends() {
    let graph = graph(vec![
        node(&[], &[Edge::To(1, ATOMIC)]),
        node(&[Edge::To(2, ATOMIC)], &[]),
        node(&[Edge::To(1, ATOMIC)], &[]),
    ]);
    let outcome = run(&graph, &ALL_ERRORS);
    assert_eq!(outcome.completion(), Completion::Complete);
    assert_eq!(outcome.statistics.endless_atomics, 1);
    let bounded = SearchConfig {
        depth: Some(10_000),
        ..ALL_ERRORS
    };
    let expected = "stored 1 matched 1 atomic 10000 depth 9999 errors 0";
    check(&graph, &bounded, Completion::DepthLimit, expected);
}

#[test]
fn handshake_has_two_levels() {
    let graph = graph(vec![
        node(
            &[],
            &[
                Edge::Offer,
                Edge::Handshake(1, 1, FREE),
                Edge::Handshake(1, 2, FREE),
            ],
        ),
        node(&[], &[Edge::Offer]),
        node(&[], &[Edge::Offer, Edge::Handshake(2, 0, FREE)]),
    ]);
    let expected = "stored 3 matched 1 atomic 0 depth 3 errors 0";
    check(&graph, &ALL_ERRORS, Completion::Complete, expected);
    // With bound 3 the middles at level 3 are cut; with bound 1 that of the only send.
    for (depth, expected) in [
        (3, "stored 3 matched 2 atomic 0 depth 2 errors 0"),
        (2, "stored 1 matched 2 atomic 0 depth 1 errors 0"),
        (1, "stored 1 matched 1 atomic 0 depth 0 errors 0"),
    ] {
        let bounded = SearchConfig {
            depth: Some(depth),
            ..ALL_ERRORS
        };
        check(&graph, &bounded, Completion::DepthLimit, expected);
    }
}

#[test]
fn search_goes_on_behind_errors() {
    let mut graph = graph(vec![
        node(
            &[],
            &[
                Edge::Fault,
                Edge::Assert(1),
                Edge::Assert(1),
                Edge::To(2, FREE),
            ],
        ),
        node(&[], &[]),
        node(&[], &[Edge::Fault]),
    ]);
    graph.nodes[1].valid_end = false;
    let expected = "stored 3 matched 1 atomic 0 depth 1 errors 5, array-bounds at 0 x1, \
                    assertion at 0 x2, invalid-end-state at 0 x1, array-bounds at 1 x1";
    check(&graph, &ALL_ERRORS, Completion::Complete, expected);
    let two = SearchConfig {
        max_errors: Some(2),
        ..ALL_ERRORS
    };
    let expected =
        "stored 1 matched 0 atomic 0 depth 0 errors 2, array-bounds at 0 x1, assertion at 0 x1";
    check(&graph, &two, Completion::ErrorLimit, expected);
    let outcome = run(&graph, &ALL_ERRORS);
    let lengths: Vec<usize> = (outcome.findings().iter())
        .map(|f| f.trace.steps.len())
        .collect();
    assert_eq!(lengths, [1, 1, 1, 2]);
    assert!(matches!(outcome.verdict(), Verdict::Violated(f) if f.len() == 4));
    assert_eq!(outcome.reached, [true, false, false]);
}

#[test]
fn limits_end_the_search() {
    let line: Vec<Vec<usize>> = (1..=100_000).map(|n| vec![n % 100_000]).collect();
    let line: Vec<&[usize]> = line.iter().map(Vec::as_slice).collect();
    let graph = Graph::free(&line);
    let progress = Progress::default();
    let stop = AtomicBool::new(true);
    let config = SearchConfig {
        progress: Some(&progress),
        ..ALL_ERRORS
    };
    let completion = |config| run(&graph, &config).completion();
    assert_eq!(completion(config), Completion::Complete);
    assert_eq!(
        (progress.stored(), progress.transitions()),
        (100_000, 100_001)
    );
    assert_eq!((progress.depth(), progress.errors()), (99_999, 0));
    let stopped = SearchConfig {
        stop: Some(&stop),
        ..config
    };
    assert_eq!(completion(stopped), Completion::Interrupted);
    assert!(progress.stored() > 1000 && progress.stored() < 5000);
    assert!(progress.memory_bytes() > 1000 * 9);
    let small = SearchConfig {
        memory_limit: Some(100_000),
        ..config
    };
    assert_eq!(completion(small), Completion::MemoryLimit);
    let short = SearchConfig {
        time_limit: Some(Duration::ZERO),
        ..config
    };
    assert_eq!(completion(short), Completion::TimeLimit);
}

/// Spin's counts at every depth bound for
///
/// ```promela
/// chan c = [0] of {byte};
/// byte x;
/// active proctype A() { x = 1; c!1; x = 2 }
/// active proctype B() { byte v; atomic { c?v; v = 3; v = 4 } }
/// ```
///
/// by Spin 6.5.2: `spin -o1 -o2 -o3 -a`, `gcc -DNOREDUCE -DSAFETY -DNOCLAIM`,
/// `pan -c0 -mN`.
#[test]
fn every_bound_counts_as_in_spin() {
    let graph = graph(vec![
        node(&[], &[Edge::To(1, FREE)]),
        node(&[], &[Edge::Offer, Edge::Handshake(1, 2, ATOMIC)]),
        node(&[Edge::To(3, ATOMIC)], &[]),
        node(&[Edge::To(4, FREE)], &[]),
        node(&[], &[Edge::To(5, FREE), Edge::To(6, FREE)]),
        node(&[], &[Edge::To(7, FREE)]),
        node(&[], &[Edge::To(7, FREE)]),
        node(&[], &[Edge::To(8, FREE)]),
        node(&[], &[]),
    ]);
    let stored_matched_atomic_depth = [
        (1, 1, 0, 0),
        (2, 1, 0, 1),
        (2, 1, 1, 2),
        (2, 1, 2, 3),
        (2, 1, 2, 4),
        (3, 2, 2, 5),
        (5, 2, 2, 6),
        (6, 2, 2, 7),
        (7, 1, 2, 8),
        (7, 1, 2, 8),
    ];
    for (bound, expected) in (1..).zip(stored_matched_atomic_depth) {
        let config = SearchConfig {
            depth: Some(bound),
            ..ALL_ERRORS
        };
        let f = run(&graph, &config).statistics;
        let statistics = (f.stored, f.matched, f.atomic_steps, f.depth);
        assert_eq!(statistics, expected, "bound {bound}");
    }
}
