use space::Fairness;
use store::{BitstateStore, CompactStore, PlainStore, TreeStore};

use super::*;
use crate::dfs;
use crate::dfs::tests::ALL_ERRORS;
use crate::marked::{self, Edge, Marked, Node, States, random_marked, to};

/// What a search with plain states finds.
fn run(graph: &mut Marked, config: &SearchConfig<'_>) -> Outcome {
    let mut store = PlainStore::with_note(nested_dfs_note_bytes(graph.sets));
    nested_dfs(graph, &mut store, config)
}

fn bitstate(rng_seed: u64) -> BitstateStore {
    BitstateStore::new(1 << 14, 3, rng_seed)
}

#[track_caller]
fn check(graph: &mut Marked, outcome: &Outcome, context: &str) {
    marked::check(graph, Fairness::None, outcome, context);
    assert_eq!(
        outcome.figures.stored,
        States::new(graph).len() as u64,
        "{context}: {graph:?}"
    );
}

#[test]
fn all_stores_agree_with_the_definition() {
    for rng_seed in 0..4000 {
        let mut graph = random_marked(rng_seed);
        let bytes = nested_dfs_note_bytes(graph.sets);
        let context = format!("rng_seed {rng_seed}");
        let outcome = run(&mut graph, &ALL_ERRORS);
        check(&mut graph, &outcome, &context);
        assert!(outcome.exhaustive().is_some());
        let outcome = nested_dfs(&mut graph, &mut TreeStore::with_note(bytes), &ALL_ERRORS);
        check(&mut graph, &outcome, &context);
        let outcome = nested_dfs(&mut graph, &mut CompactStore::with_note(bytes), &ALL_ERRORS);
        check(&mut graph, &outcome, &context);
        assert!(outcome.exhaustive().is_none());
        let stores = (&mut bitstate(1), &mut bitstate(2));
        let outcome = nested_dfs_two_stores(&mut graph, stores, &ALL_ERRORS);
        marked::check(&graph, Fairness::None, &outcome, &context);
        assert!(outcome.exhaustive().is_none());
    }
}

/// Memory for a few rows only, other orders, and the first error only.
#[test]
fn other_ways_to_search() {
    for rng_seed in 0..2000 {
        let mut graph = random_marked(rng_seed);
        let context = format!("rng_seed {rng_seed}");
        let few = SearchConfig {
            successors_in_memory: 300,
            ..ALL_ERRORS
        };
        let outcome = run(&mut graph, &few);
        check(&mut graph, &outcome, &context);
        let mut figures = outcome.figures;
        let all = run(&mut graph, &ALL_ERRORS).figures;
        figures.longest_state = all.longest_state;
        assert_eq!(figures, all, "{context}: {graph:?}");
        let shuffled = SearchConfig {
            order: crate::Order::Shuffled(rng_seed),
            ..ALL_ERRORS
        };
        let outcome = run(&mut graph, &shuffled);
        check(&mut graph, &outcome, &context);
        if outcome.findings().len() == 1 {
            let first = run(&mut graph, &SearchConfig::default());
            assert_eq!(first.findings().len(), 1, "{context}");
            assert_eq!(first.completion(), Completion::ErrorLimit);
            assert_eq!(
                first.findings()[0].violation,
                outcome.findings()[0].violation
            );
        }
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
        let figures = &outcome.figures;
        assert!(figures.revisited <= figures.stored);
        if figures.errors == 0 {
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
    let figures = &outcome.figures;
    assert_eq!((figures.stored, figures.revisited), (3, 3));
    assert_eq!((figures.matched, figures.transitions()), (2, 8));
    assert_eq!(figures.depth, 2);
}

/// A state that the second search of an earlier seed has visited is not visited again.
#[test]
fn a_later_seed_stops_at_red_states() {
    let mut graph = Marked::accepting(&[&[1], &[2], &[3], &[]], &[0, 1, 2]);
    let outcome = run(&mut graph, &SearchConfig::default());
    let figures = &outcome.figures;
    assert_eq!((figures.stored, figures.revisited), (4, 4));
    assert_eq!(figures.matched, 2);
}

/// An accepting atomic sequence that does not end.
#[test]
fn endless_atomic_sequences_are_cycles() {
    let atomic = |target, sets| Edge {
        atomic: true,
        sets,
        ..to(target)
    };
    for (sets, cycles) in [(1, true), (0, false)] {
        let mut nodes = vec![Node::default(); 3];
        nodes[0].free = vec![atomic(1, 0)];
        nodes[1].exclusive = vec![atomic(2, sets)];
        nodes[2].exclusive = vec![atomic(1, 0)];
        let mut graph = Marked {
            nodes,
            sets: 1,
            ..Marked::default()
        };
        let outcome = run(&mut graph, &SearchConfig::default());
        assert_eq!(!outcome.findings().is_empty(), cycles);
        assert!(outcome.exhaustive().is_none());
        for finding in outcome.findings() {
            marked::follow(&graph, Fairness::None, finding);
        }
    }
}

/// A long line with an accepting cycle at its end, within all sorts of limits.
#[test]
fn limits() {
    let line: Vec<Vec<usize>> = (0..200).map(|n| vec![(n + 1).min(199)]).collect();
    let line: Vec<&[usize]> = line.iter().map(Vec::as_slice).collect();
    let graph = Marked::accepting(&line, &[199]);
    let check = |config: SearchConfig<'_>, ended: Completion, cycles: usize| {
        let outcome = run(&mut graph.clone(), &config);
        assert_eq!(outcome.completion(), ended);
        assert_eq!(outcome.findings().len(), cycles);
        assert!(outcome.exhaustive().is_none() || ended == Completion::Complete);
    };
    let plain = SearchConfig {
        poll_interval: 1,
        ..ALL_ERRORS
    };
    check(plain, Completion::Complete, 1);
    let depth = Some(100);
    check(SearchConfig { depth, ..plain }, Completion::DepthLimit, 0);
    let memory_limit = Some(1);
    check(
        SearchConfig {
            memory_limit,
            ..plain
        },
        Completion::MemoryLimit,
        0,
    );
    let time_limit = Some(std::time::Duration::ZERO);
    check(
        SearchConfig {
            time_limit,
            ..plain
        },
        Completion::TimeLimit,
        0,
    );
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stop = Some(&stop);
    check(SearchConfig { stop, ..plain }, Completion::Interrupted, 0);
}

/// Within a depth bound nothing false is found, and nothing is said to hold.
#[test]
fn bounded() {
    for rng_seed in 0..1000 {
        let mut graph = random_marked(rng_seed);
        for depth in 0..6 {
            let config = SearchConfig {
                depth: Some(depth),
                ..ALL_ERRORS
            };
            let outcome = run(&mut graph, &config);
            let kind = |finding: &&crate::Finding| finding.trace.cycle.is_some();
            for finding in outcome.findings().iter().filter(kind) {
                marked::follow(&graph, Fairness::None, finding);
            }
            if outcome.exhaustive().is_some() {
                marked::check(&graph, Fairness::None, &outcome, "bounded");
            }
        }
    }
}
