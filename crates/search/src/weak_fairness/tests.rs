use space::Fairness;
use store::{BitstateStore, CompactStore, PlainStore, TreeStore};

use super::*;
use crate::dfs::tests::ALL_ERRORS;
use crate::marked::{self, Edge, Marked, Node, States, random_marked, to};

#[test]
fn all_stores_agree_with_the_definition() {
    for rng_seed in 0..4000 {
        let mut graph = random_marked(rng_seed);
        let context = format!("rng_seed {rng_seed}");
        let (outcome, store) = nested_dfs_fair(&mut graph, PlainStore::with_note, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, &outcome, &context);
        let states = States::new(&graph).len() as u64;
        assert_eq!((outcome.figures.stored, store.len()), (states, states));
        assert!(outcome.exhaustive().is_some());
        let (outcome, _) = nested_dfs_fair(&mut graph, TreeStore::with_note, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, &outcome, &context);
        let (outcome, _) = nested_dfs_fair(&mut graph, CompactStore::with_note, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, &outcome, &context);
        let stores = || {
            let new = |rng_seed| BitstateStore::new(1 << 16, 3, rng_seed);
            (new(1), new(2))
        };
        let (outcome, _) = nested_dfs_fair_two_stores(&mut graph, stores, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, &outcome, &context);
        assert!(outcome.exhaustive().is_none());
    }
}

/// Process 1 moves on a cycle, and each of many others could always leave it; or only half of
/// the time.
#[test]
fn processes_turn_up_later() {
    for last in [1, 14, 15, 40, 254] {
        for always in [true, false] {
            let own = |target, pid| Edge {
                pid,
                sets: 1,
                ..to(target)
            };
            let mut nodes = vec![Node::default(); 4];
            nodes[0].free = vec![own(1, 0)];
            nodes[1].free = vec![own(2, 0), own(3, last)];
            nodes[2].free = vec![own(1, 0)];
            if always {
                nodes[2].free.push(own(3, last));
            }
            let mut graph = Marked {
                nodes,
                sets: 1,
                ..Marked::default()
            };
            let (outcome, _) = nested_dfs_fair(&mut graph, PlainStore::with_note, &ALL_ERRORS);
            marked::check(&graph, Fairness::Weak, &outcome, "by hand");
            assert_eq!(outcome.findings().is_empty(), always, "{last}");
        }
    }
}

/// [003, Figs 8.9 and 8.10]: two states, each process has one of the two steps.
#[test]
fn two_processes_by_turns() {
    let mut nodes = vec![Node::default(); 2];
    nodes[0].free = vec![Edge { pid: 0, ..to(1) }];
    nodes[1].free = vec![Edge {
        pid: 1,
        sets: 1,
        ..to(0)
    }];
    let mut graph = Marked {
        nodes,
        sets: 1,
        on_states: true,
        ..Marked::default()
    };
    let (outcome, store) = nested_dfs_fair(&mut graph, PlainStore::with_note, &ALL_ERRORS);
    marked::check(&graph, Fairness::Weak, &outcome, "by hand");
    assert_eq!((outcome.findings().len(), store.len()), (1, 2));
}

/// As Spin sees it: a receiver that another one is preferred to may starve, a sender may not;
/// and receiving is moving.
#[test]
fn handshakes() {
    let handshake = |sender, receiver, target| Edge {
        pid: sender,
        partner: Some(receiver),
        sets: 1,
        ..to(target)
    };
    let check = |edges: Vec<Edge>, cycle: bool| {
        let mut nodes = vec![Node::default(); 2];
        nodes[0].free = edges;
        let mut graph = Marked {
            nodes,
            sets: 1,
            ..Marked::default()
        };
        let (outcome, _) = nested_dfs_fair(&mut graph, PlainStore::with_note, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, &outcome, "by hand");
        assert_eq!(!outcome.findings().is_empty(), cycle);
    };
    check(vec![handshake(0, 1, 0), handshake(0, 2, 1)], true);
    check(vec![handshake(0, 1, 0), handshake(2, 1, 1)], false);
    let leaves = |pid| Edge { pid, ..to(1) };
    check(vec![handshake(0, 1, 0), leaves(1)], true);
    check(vec![handshake(0, 1, 0), leaves(2)], false);
}
