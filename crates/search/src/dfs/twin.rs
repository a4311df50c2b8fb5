//! Agreement with a recursive twin on random graphs.

use std::collections::BTreeSet;

use store::{PlainStore, StateId};

use super::tests::{ALL_ERRORS, FREE, render, run};
use super::*;
use crate::graph::{ATOMIC, Edge, Graph, Node};

/// The search as a recursion over node numbers.
struct Twin<'a> {
    graph: &'a Graph,
    bound: u64,
    visited: BTreeSet<usize>,
    figures: Figures,
    errors: Vec<(ViolationKind, i64)>,
    truncated: bool,
}

impl Twin<'_> {
    fn truncate(&mut self) {
        self.figures.matched += 1;
        self.truncated = true;
    }

    fn visit(&mut self, node: usize, control: Control, level: u64) {
        if level >= self.bound {
            return self.truncate();
        }
        self.all_over(node, control, level);
    }

    fn all_over(&mut self, node: usize, control: Control, level: u64) {
        if control == FREE {
            if !self.visited.insert(node) {
                self.figures.matched += 1;
                return;
            }
            self.figures.stored += 1;
        }
        self.figures.depth = self.figures.depth.max(level);
        let mut moved = false;
        for edge in self.graph.edges(node, control) {
            moved |= !matches!(edge, Edge::Offer | Edge::Fault);
            match edge {
                Edge::To(to, control) => {
                    self.figures.atomic_steps += u64::from(control != FREE);
                    self.visit(to, control, level + 1);
                }
                Edge::Assert(to) => {
                    self.errors.push((ViolationKind::Assertion, level as i64));
                    self.visit(to, FREE, level + 1);
                }
                Edge::Fault => self.errors.push((ViolationKind::ArrayBounds, level as i64)),
                Edge::Offer if level + 1 >= self.bound => self.truncate(),
                Edge::Offer => self.figures.depth = self.figures.depth.max(level + 1),
                Edge::Handshake(..) if level + 1 >= self.bound => {}
                Edge::Handshake(_, to, control) => {
                    self.figures.atomic_steps += u64::from(control != FREE);
                    self.visit(to, control, level + 2);
                }
            }
        }
        if !moved && level + 1 >= self.bound {
            self.truncated |= control != FREE || !self.graph.nodes[node].valid_end;
        } else if !moved {
            if control != FREE {
                self.all_over(node, FREE, level);
            } else if !self.graph.nodes[node].valid_end {
                (self.errors).push((ViolationKind::InvalidEndState, level as i64 - 1));
            }
        }
    }
}

/// Numbers that look random, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

/// Edges under exclusive control lead upwards, so that atomic sequences end.
fn random_graph(rng_seed: u64) -> Graph {
    let mut numbers = Numbers(rng_seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let count = 1 + numbers.below(14);
    let mut nodes = vec![Node::default(); count];
    for (n, node) in nodes.iter_mut().enumerate() {
        node.valid_end = numbers.below(3) > 0;
        for _ in 0..numbers.below(3) {
            let up = n + 1 + numbers.below(3);
            if up < count {
                node.exclusive.push(Edge::To(up, ATOMIC));
            }
            if numbers.below(2) == 0 {
                node.exclusive.push(Edge::To(numbers.below(count), FREE));
            }
        }
        for _ in 0..numbers.below(4) {
            let to = numbers.below(count);
            let send = numbers.below(count);
            match numbers.below(6) {
                0 => node.free.push(Edge::Assert(to)),
                1 => node.free.push(Edge::Fault),
                2 if to > n => node.free.push(Edge::To(to, ATOMIC)),
                3 => {
                    node.free.push(Edge::Offer);
                    for _ in 0..numbers.below(3) {
                        let to = numbers.below(count);
                        let control = if to > n { ATOMIC } else { FREE };
                        node.free.push(Edge::Handshake(send as u32, to, control));
                    }
                }
                _ => node.free.push(Edge::To(to, FREE)),
            }
        }
    }
    Graph {
        nodes,
        hidden_len: numbers.below(3),
    }
}

/// A store that cannot give states back.
#[derive(Default)]
struct Unreadable(PlainStore);

impl StateStore for Unreadable {
    const EXACT: bool = false;
    const READABLE: bool = false;

    fn insert(&mut self, state: &[u8]) -> Insert {
        self.0.insert(state)
    }

    fn read(&self, _: StateId, _: &mut Vec<u8>) {
        panic!("not readable");
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes()
    }
}

#[test]
fn agrees_with_the_recursive_twin() {
    for rng_seed in 0..3000 {
        let graph = random_graph(rng_seed);
        for depth in [None, Some(1), Some(2), Some(3), Some(5), Some(9)] {
            let mut twin = Twin {
                graph: &graph,
                bound: depth.unwrap_or(u64::MAX),
                visited: BTreeSet::new(),
                figures: Figures::default(),
                errors: Vec::new(),
                truncated: false,
            };
            twin.visit(0, FREE, 0);
            let config = SearchConfig {
                depth,
                ..ALL_ERRORS
            };
            let outcome = run(&graph, &config);
            let context = format!("rng_seed {rng_seed}, depth {depth:?}: {graph:?}");
            let expected = Figures {
                errors: twin.errors.len() as u64,
                longest_state: outcome.figures.longest_state,
                ..twin.figures
            };
            assert_eq!(outcome.figures, expected, "{context}");
            let truncated = outcome.completion() == Completion::DepthLimit;
            assert_eq!(truncated, twin.truncated, "{context}");
            if outcome.exhaustive().is_some() {
                let unbounded = run(&graph, &ALL_ERRORS).figures;
                assert_eq!(outcome.figures, unbounded, "{context}");
            }
            let total: u64 = outcome.findings().iter().map(|f| f.count).sum();
            assert_eq!(total, outcome.figures.errors, "{context}");
            for finding in outcome.findings() {
                let error = (finding.violation.kind, finding.depth);
                assert!(twin.errors.contains(&error), "{error:?}, {context}");
            }

            let mut store = Unreadable::default();
            let lossy = dfs(&mut graph.clone(), &mut store, &config);
            assert_eq!(render(&lossy), render(&outcome), "{context}");
            assert!(lossy.exhaustive().is_none());
        }
    }
}

#[test]
fn traces_lead_to_their_violation() {
    for rng_seed in 0..300 {
        let graph = random_graph(rng_seed);
        for finding in run(&graph, &ALL_ERRORS).findings() {
            let levels: u64 = (finding.trace.steps.iter())
                .map(|step| if step.partner.is_some() { 2 } else { 1 })
                .sum();
            assert_eq!(levels as i64 - 1, finding.depth, "rng_seed {rng_seed}");
        }
    }
}
