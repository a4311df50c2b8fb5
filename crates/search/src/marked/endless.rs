//! Atomic sequences that never end: every search for cycles leaves its answer open.

use space::{Acceptance, Fairness, Pid, Representative};
use store::PlainStore;

use super::{Edge, Marked, Node, follow, to};
use crate::dfs::tests::ALL_ERRORS;
use crate::{Completion, Finding, Outcome};

/// All states are their own representatives.
struct Alone;

impl Representative for Alone {
    fn represent(&mut self, _state: &mut [u8]) {}

    fn renamed(&self, pid: Pid) -> Pid {
        pid
    }

    fn original(&self, pid: Pid) -> Pid {
        pid
    }
}

fn atomic(target: usize, sets: u32) -> Edge {
    Edge {
        atomic: true,
        sets,
        ..to(target)
    }
}

fn of_process(pid: u8, edge: Edge) -> Edge {
    Edge { pid, ..edge }
}

/// What the searches that expand atomic sequences as a whole say, with the fairness they look for.
fn by_moves(graph: &Marked) -> Vec<(Fairness, Outcome)> {
    let mut graph = graph.clone();
    let mut outcomes = Vec::new();
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        let mut store = PlainStore::with_note(crate::SCC_NOTE_BYTES);
        let outcome = crate::scc(&mut graph, &mut store, fairness, &ALL_ERRORS);
        outcomes.push((fairness, outcome));
        let mut store = PlainStore::with_note(crate::OWCTY_NOTE_BYTES);
        let outcome = crate::owcty(&mut graph, &mut store, fairness, &ALL_ERRORS);
        outcomes.push((fairness, outcome));
    }
    outcomes
}

/// What all searches say.
fn by_all(graph: &Marked) -> Vec<(Fairness, Outcome)> {
    let mut outcomes = by_moves(graph);
    let mut graph = graph.clone();
    let bytes = crate::nested_dfs_note_bytes(graph.sets());
    let mut store = PlainStore::with_note(bytes);
    let outcome = crate::nested_dfs(&mut graph, &mut store, &ALL_ERRORS);
    outcomes.push((Fairness::None, outcome));
    let (mut first, mut second) = (PlainStore::new(), PlainStore::new());
    let stores = (&mut first, &mut second);
    let outcome = crate::nested_dfs_two_stores(&mut graph, stores, &ALL_ERRORS);
    outcomes.push((Fairness::None, outcome));
    let (outcome, _) = crate::nested_dfs_fair(&mut graph, PlainStore::with_note, &ALL_ERRORS);
    outcomes.push((Fairness::Weak, outcome));
    if graph.is_weak() {
        let mut store = PlainStore::with_note(crate::WEAK_DFS_NOTE_BYTES);
        let outcome = crate::weak_dfs(&mut graph, &mut store, &ALL_ERRORS);
        outcomes.push((Fairness::None, outcome));
    }
    outcomes
}

/// The exact search under symmetry: whether there is a fair cycle, and how it ended.
fn by_rwf(graph: &Marked) -> (bool, Completion) {
    let mut graph = graph.clone();
    let mut store = PlainStore::with_note(crate::rwf_note_bytes(graph.sets(), 2));
    let (outcome, _) = crate::rwf(&mut graph, &mut store, &mut Alone, 2, &ALL_ERRORS);
    (!outcome.findings().is_empty(), outcome.completion())
}

/// Whether steps inside the loop are accepting, or there are no sets, so that every cycle is: no
/// state lies on it.
#[test]
fn nothing_is_said_about_an_endless_sequence() {
    for (sets, marks) in [(0, 0), (1, 0), (1, 1), (2, 3)] {
        let mut nodes = vec![Node::default(); 3];
        // Process 1 is enabled where the sequence of process 0 begins, and not inside.
        nodes[0].free = vec![atomic(1, marks), of_process(1, to(2))];
        nodes[1].exclusive = vec![atomic(1, marks)];
        let graph = Marked {
            nodes,
            sets,
            is_weak: true,
            ..Marked::default()
        };
        for (fairness, outcome) in by_all(&graph) {
            let context = format!("{sets} sets, {fairness:?}: {outcome:?}");
            assert!(outcome.findings().is_empty(), "{context}");
            assert_eq!(outcome.completion(), Completion::EndlessAtomic, "{context}");
        }
        assert_eq!(by_rwf(&graph), (false, Completion::EndlessAtomic));
    }
}

/// A way out of the loop leads to a cycle, which is found.
#[test]
fn what_lies_behind_an_endless_sequence_is_found() {
    let mut nodes = vec![Node::default(); 3];
    nodes[0].free = vec![atomic(1, 0)];
    nodes[1].exclusive = vec![atomic(1, 0), to(2)];
    nodes[2].free = vec![Edge { sets: 1, ..to(2) }, of_process(1, to(2))];
    let graph = Marked {
        nodes,
        sets: 1,
        ..Marked::default()
    };
    for (fairness, outcome) in by_all(&graph) {
        assert!(!outcome.findings().is_empty(), "{fairness:?}");
        let lasso = |finding: &&Finding| finding.trace.cycle.is_some();
        for finding in outcome.findings().iter().filter(lasso) {
            follow(&graph, fairness, finding);
        }
    }
    assert!(by_rwf(&graph).0);
}

/// A loop with so many ways through it that none of them is followed to its end.
#[test]
fn long_loops_are_noticed() {
    const LEN: usize = 100;
    let mut nodes = vec![Node::default(); LEN + 1];
    nodes[0].free = vec![atomic(1, 0)];
    for (at, node) in nodes.iter_mut().enumerate().skip(1) {
        node.exclusive = vec![atomic(at % LEN + 1, 0); 4];
    }
    let graph = Marked {
        nodes,
        sets: 1,
        ..Marked::default()
    };
    for (fairness, outcome) in by_moves(&graph) {
        let ended = outcome.completion();
        assert_eq!(ended, Completion::EndlessAtomic, "{fairness:?}");
    }
    assert_eq!(by_rwf(&graph), (false, Completion::EndlessAtomic));
}

/// A loop with a choice is left as soon as it is known to be one.
#[test]
fn choices_in_a_loop_are_not_multiplied() {
    let mut nodes = vec![Node::default(); 4];
    nodes[0].free = vec![atomic(1, 0)];
    nodes[1].exclusive = vec![atomic(2, 0), atomic(3, 0), to(0)];
    nodes[2].exclusive = vec![atomic(1, 0), atomic(3, 0)];
    nodes[3].exclusive = vec![atomic(1, 0), atomic(2, 0)];
    let mut graph = Marked {
        nodes,
        sets: 1,
        is_weak: true,
        ..Marked::default()
    };
    for (fairness, outcome) in by_all(&graph) {
        let ended = outcome.completion();
        assert_eq!(ended, Completion::EndlessAtomic, "{fairness:?}");
    }
    let outcome = crate::dfs(&mut graph, &mut PlainStore::new(), &ALL_ERRORS);
    assert_eq!(outcome.completion(), Completion::Complete);
    assert!(outcome.statistics.endless_atomics > 0);
}

/// Of the ways through a long atomic sequence only one is accepting. All lead to the same nodes.
#[test]
fn ways_of_different_worth_are_told_apart() {
    const LEN: usize = 40;
    let mut nodes = vec![Node::default(); LEN + 1];
    nodes[0].free = vec![atomic(1, 0)];
    for (at, node) in nodes.iter_mut().enumerate().skip(1) {
        node.exclusive = vec![atomic(at + 1, 0); 3];
    }
    // Behind the point from which nodes are told apart, and after another way to the same node.
    nodes[LEN - 5].exclusive.push(atomic(LEN - 4, 1));
    nodes[LEN].exclusive = vec![to(0)];
    let graph = Marked {
        nodes,
        sets: 1,
        ..Marked::default()
    };
    for (fairness, outcome) in by_moves(&graph) {
        assert_eq!(outcome.findings().len(), 1, "{fairness:?}");
        follow(&graph, fairness, &outcome.findings()[0]);
    }
    assert!(by_rwf(&graph).0);
}
