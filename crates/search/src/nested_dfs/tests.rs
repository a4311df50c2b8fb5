use space::Fairness;
use store::{BitstateStore, CompactStore, PlainStore, TreeStore};

use super::*;
use crate::dfs;
use crate::dfs::tests::ALL_ERRORS;
use crate::marked::{self, Marked, States, random_marked};

/// What a search with plain states finds.
fn run(graph: &mut Marked, config: &SearchConfig<'_>) -> Outcome {
    let mut store = PlainStore::with_note(nested_dfs_note_bytes(graph.sets));
    nested_dfs(graph, &mut store, config)
}

fn bitstate(rng_seed: u64) -> BitstateStore {
    BitstateStore::new(1 << 14, 3, rng_seed)
}

#[test]
fn all_stores_agree_with_the_definition() {
    let mut cycles = 0;
    for rng_seed in 0..2000 {
        let mut graph = random_marked(rng_seed);
        let states = States::new(&graph);
        let expected = states.has_cycle(&graph, Fairness::None);
        cycles += usize::from(expected);
        let bytes = nested_dfs_note_bytes(graph.sets);
        let context = format!("rng_seed {rng_seed}");
        let check = |graph: &Marked, outcome: &Outcome, exact: bool| {
            marked::check(graph, Fairness::None, expected, outcome, &context);
            assert_eq!(outcome.statistics.stored, states.len() as u64, "{context}");
            assert_eq!(outcome.exhaustive().is_some(), exact);
        };
        let outcome = run(&mut graph, &ALL_ERRORS);
        check(&graph, &outcome, true);
        let mut store = TreeStore::with_note(bytes);
        let outcome = nested_dfs(&mut graph, &mut store, &ALL_ERRORS);
        check(&graph, &outcome, true);
        let mut store = CompactStore::with_note(bytes);
        let outcome = nested_dfs(&mut graph, &mut store, &ALL_ERRORS);
        check(&graph, &outcome, false);
        let stores = (&mut bitstate(1), &mut bitstate(2));
        let outcome = nested_dfs_two_stores(&mut graph, stores, &ALL_ERRORS);
        marked::check(&graph, Fairness::None, expected, &outcome, &context);
        assert!(outcome.exhaustive().is_none());
    }
    assert!((500..1500).contains(&cycles), "{cycles}");
}

/// Memory for a few rows only, other orders, and the first error only.
#[test]
fn other_ways_to_search() {
    for rng_seed in 0..2000 {
        let mut graph = random_marked(rng_seed);
        let context = format!("rng_seed {rng_seed}");
        let all = run(&mut graph, &ALL_ERRORS);
        let few = SearchConfig {
            successors_in_memory: 300,
            ..ALL_ERRORS
        };
        let outcome = run(&mut graph, &few);
        assert_eq!(outcome.statistics, all.statistics, "{context}: {graph:?}");
        assert_eq!(outcome.findings(), all.findings());
        let shuffled = SearchConfig {
            order: crate::Order::Shuffled(rng_seed),
            ..ALL_ERRORS
        };
        let lasso = |finding: &crate::Finding| finding.trace.cycle.is_some();
        let expected = all.findings().iter().any(lasso);
        let outcome = run(&mut graph, &shuffled);
        marked::check(&graph, Fairness::None, expected, &outcome, &context);
        let first = run(&mut graph, &SearchConfig::default());
        assert_eq!(
            first.findings().first().map(|f| f.depth),
            all.findings().first().map(|f| f.depth)
        );
        assert_eq!(first.findings().len(), all.findings().len().min(1));
    }
}

/// The second search goes nowhere twice, and the first one is a plain search.
#[test]
fn twice_a_plain_search_at_most() {
    let mut costly = 0;
    for rng_seed in 0..8000 {
        let mut graph = random_marked(rng_seed);
        if graph.sets > 1 {
            continue;
        }
        dfs(&mut graph, &mut PlainStore::new(), &ALL_ERRORS);
        let plain = std::mem::take(&mut graph.expansions);
        // Cycles are printed by executing them again.
        let none = SearchConfig {
            kept_traces: 0,
            ..ALL_ERRORS
        };
        let outcome = run(&mut graph, &none);
        let statistics = &outcome.statistics;
        assert!(statistics.revisited <= statistics.stored);
        if statistics.errors == 0 {
            let nested = graph.expansions;
            assert!(nested <= 2 * plain, "{nested} and {plain}: {graph:?}");
            costly += u64::from(nested > plain);
        }
    }
    assert!(costly > 50, "{costly}");
}

/// [003, Fig. 8.7] by hand: 1 and 3 are accepting, only 1 lies on a cycle.
#[test]
fn seeds_in_postorder() {
    let mut graph = Marked::accepting(&[&[1, 3], &[2], &[1], &[4], &[]], &[1, 3]);
    let outcome = run(&mut graph, &SearchConfig::default());
    let finding = &outcome.findings()[0];
    assert_eq!(finding.violation.kind, ViolationKind::AcceptanceCycle);
    assert_eq!((finding.trace.cycle, finding.depth), (Some(1), 1));
    assert_eq!(finding.trace.claim, [0, 2, 3]);
    marked::follow(&graph, Fairness::None, finding);
}

/// Spin's counts: 0 is accepting, on no cycle; behind it are two states on a cycle. The second
/// search begins in 0 and goes to both.
#[test]
fn visited_states() {
    let mut graph = Marked::accepting(&[&[1], &[2], &[1]], &[0]);
    let outcome = run(&mut graph, &SearchConfig::default());
    assert!(outcome.exhaustive().is_some() && outcome.findings().is_empty());
    let statistics = &outcome.statistics;
    assert_eq!((statistics.stored, statistics.revisited), (3, 3));
    assert_eq!((statistics.matched, statistics.transitions()), (2, 8));
    assert_eq!(statistics.depth, 2);
}

/// A state that the second search of an earlier seed has visited is not visited again.
#[test]
fn a_later_seed_stops_at_red_states() {
    let mut graph = Marked::accepting(&[&[1], &[2], &[3], &[]], &[0, 1, 2]);
    let outcome = run(&mut graph, &SearchConfig::default());
    let statistics = &outcome.statistics;
    assert_eq!((statistics.stored, statistics.revisited), (4, 4));
    assert_eq!(statistics.matched, 2);
}

/// A path of which most lies in a file, with a cycle as long as it is.
#[test]
fn deep_paths() {
    const LEN: usize = 1500;
    // A second step out of each node keeps the path from being forgotten.
    let ring: Vec<Vec<usize>> = (0..LEN).map(|n| vec![(n + 1) % LEN, 0]).collect();
    let ring: Vec<&[usize]> = ring.iter().map(Vec::as_slice).collect();
    let mut graph = Marked::accepting(&ring, &[LEN - 1]);
    graph.nodes[0].free.pop();
    graph.nodes[LEN - 1].free.pop();
    let small = SearchConfig {
        stack_in_memory: 1 << 12,
        successors_in_memory: 1 << 12,
        ..SearchConfig::default()
    };
    for (config, on_states) in [
        (SearchConfig::default(), true),
        (small, true),
        (small, false),
    ] {
        graph.on_states = on_states;
        let outcome = run(&mut graph, &config);
        let trace = &outcome.findings()[0].trace;
        assert_eq!((trace.cycle, trace.steps.len()), (Some(0), LEN));
        marked::follow(&graph, Fairness::None, &outcome.findings()[0]);
        let (mut first, mut second) = (PlainStore::new(), PlainStore::new());
        let stores = (&mut first, &mut second);
        let outcome = nested_dfs_two_stores(&mut graph, stores, &config);
        marked::follow(&graph, Fairness::None, &outcome.findings()[0]);
        let mut store = PlainStore::with_note(crate::SCC_NOTE_BYTES);
        let outcome = crate::scc(&mut graph, &mut store, Fairness::None, &config);
        marked::follow(&graph, Fairness::None, &outcome.findings()[0]);
        assert_eq!(outcome.findings()[0].trace.steps.len(), LEN);
    }
}

#[test]
fn limits() {
    marked::check_limits(run);
}

/// What Spin 6.5.2 says of these graphs as processes of one `if` for each node, with `accept`
/// labels: `spin -o1 -o2 -o3 -a`, `gcc -DNOREDUCE`, `pan -a -E`.
#[test]
fn counts_of_spin() {
    type Case<'a> = (&'a [&'a [usize]], &'a [usize], [u64; 5], Option<i64>);
    let cases: [Case<'_>; 5] = [
        (
            &[
                &[2, 3, 8, 3],
                &[1],
                &[2, 5],
                &[5, 1, 2],
                &[],
                &[5, 1],
                &[],
                &[],
                &[2, 5, 1],
            ],
            &[0],
            [6, 12, 20, 32, 3],
            None,
        ),
        (
            &[&[2, 5, 1], &[], &[4, 7], &[], &[5], &[1, 7], &[], &[]],
            &[4],
            [6, 10, 3, 13, 4],
            None,
        ),
        (
            &[&[4, 1, 3], &[5, 3, 4, 4], &[4], &[5], &[0, 1, 2, 3], &[2]],
            &[3, 5],
            [5, 7, 2, 9, 4],
            Some(1),
        ),
        (
            &[
                &[3, 3, 1, 3, 0],
                &[4, 0, 0, 2],
                &[1],
                &[2, 0, 3, 1],
                &[4, 4],
            ],
            &[1, 2, 3],
            [5, 5, 2, 7, 4],
            Some(0),
        ),
        (
            &[&[1, 4], &[4, 1], &[2, 6, 4], &[], &[2, 4, 4], &[], &[6]],
            &[0, 1],
            [5, 5, 5, 10, 4],
            Some(1),
        ),
    ];
    for (successors, accepting, statistics, depth) in cases {
        let mut graph = Marked::accepting(successors, accepting);
        let outcome = run(&mut graph, &SearchConfig::default());
        let f = &outcome.statistics;
        let visited = f.stored + f.revisited;
        let found = [f.stored, visited, f.matched, f.transitions(), f.depth];
        assert_eq!(found, statistics, "{graph:?}");
        assert_eq!(outcome.findings().first().map(|found| found.depth), depth);
    }
}
