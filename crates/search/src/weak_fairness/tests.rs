use space::Fairness;
use store::{BitstateStore, CompactStore, PlainStore, TreeStore};

use super::*;
use crate::dfs::tests::ALL_ERRORS;
use crate::marked::{self, Edge, Marked, Node, States, random_marked, to};
use crate::numbers::Numbers;

#[test]
fn all_stores_agree_with_the_definition() {
    let mut cycles = 0;
    for rng_seed in 0..2000 {
        let mut graph = random_marked(rng_seed);
        let context = format!("rng_seed {rng_seed}");
        let states = States::new(&graph);
        let expected = states.has_cycle(&graph, Fairness::Weak);
        cycles += usize::from(expected);
        let (outcome, store) = nested_dfs_fair(&mut graph, PlainStore::with_note, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, expected, &outcome, &context);
        let states = states.len() as u64;
        assert_eq!((outcome.statistics.stored, store.len()), (states, states));
        assert!(outcome.exhaustive().is_some());
        let (outcome, _) = nested_dfs_fair(&mut graph, TreeStore::with_note, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, expected, &outcome, &context);
        let (outcome, _) = nested_dfs_fair(&mut graph, CompactStore::with_note, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, expected, &outcome, &context);
        let stores = || {
            let new = |rng_seed| BitstateStore::new(1 << 16, 3, rng_seed);
            (new(1), new(2))
        };
        let (outcome, _) = nested_dfs_fair_two_stores(&mut graph, stores, &ALL_ERRORS);
        marked::check(&graph, Fairness::Weak, expected, &outcome, &context);
        assert!(outcome.exhaustive().is_none());
    }
    assert!((500..1500).contains(&cycles), "{cycles}");
}

#[test]
fn limits() {
    marked::check_limits(|graph, config| {
        // One process: every cycle is fair to it.
        for node in &mut graph.nodes {
            for edge in node.exclusive.iter_mut().chain(&mut node.free) {
                edge.partner = None;
                if edge.pid != space::Pid::NOBODY.0 {
                    edge.pid = 0;
                }
            }
        }
        nested_dfs_fair(graph, PlainStore::with_note, config).0
    });
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
            marked::check(&graph, Fairness::Weak, !always, &outcome, "by hand");
            let states = States::new(&graph);
            assert_eq!(states.has_cycle(&graph, Fairness::Weak), !always, "{last}");
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
    marked::check(&graph, Fairness::Weak, true, &outcome, "by hand");
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
        marked::check(&graph, Fairness::Weak, cycle, &outcome, "by hand");
        let states = States::new(&graph);
        assert_eq!(states.has_cycle(&graph, Fairness::Weak), cycle);
    };
    check(vec![handshake(0, 1, 0), handshake(0, 2, 1)], true);
    check(vec![handshake(0, 1, 0), handshake(2, 1, 1)], false);
    let leaves = |pid| Edge { pid, ..to(1) };
    check(vec![handshake(0, 1, 0), leaves(1)], true);
    check(vec![handshake(0, 1, 0), leaves(2)], false);
}

/// Both kinds of copies say the same about random moves.
#[test]
fn few_copies_are_like_many() {
    let mut numbers = Numbers::new(7);
    for _ in 0..10_000 {
        let sets = Sets::new(numbers.below(4) as u32, 1 + numbers.below(9));
        let few = sets.few().expect("there are few");
        let mut row = |flags: &[u8]| Row {
            pid: [numbers.below(11) as u8, space::Pid::NOBODY.0]
                [usize::from(numbers.below(9) == 0)],
            partner: numbers.below(11) as u8,
            flags: flags[numbers.below(flags.len())],
            ..Row::default()
        };
        let rows: Vec<Row> = (0..6).map(|_| row(&[0, 0, Row::OFFER])).collect();
        let steps = [0; 3].map(|_| row(&[0, Row::HANDSHAKE]));
        let (mut many_gathered, mut few_gathered) = (sets.begin(&rows), few.begin(&rows));
        for step in &steps {
            let mark = Mark {
                sets: numbers.below(16) as u32,
                edge: 0,
            };
            many_gathered = sets.add(many_gathered, step, mark);
            few_gathered = few.add(few_gathered, step, mark);
        }
        let copy = numbers.below(sets.copies()) as u16;
        let behind = few.behind(copy, &few_gathered);
        let has_all = rows
            .iter()
            .all(|row| row.pid == space::Pid::NOBODY.0 || u16::from(row.pid) < sets.processes);
        if has_all || behind.is_some() {
            assert_eq!(behind, sets.behind(copy, &many_gathered));
        }
    }
}
