//! Agreement with a recursive twin on random graphs.

use std::collections::BTreeSet;

use space::{Control, ViolationKind};

use super::tests::{ALL_ERRORS, FREE, render, run};
use super::*;
use crate::graph::{Edge, Graph, random_graph};
use crate::stores::{Lossy, Unreadable};
use crate::{Completion, Order, Statistics, oracle};

/// The search as a recursion over node numbers.
struct Twin<'a> {
    graph: &'a Graph,
    bound: u64,
    visited: BTreeSet<usize>,
    statistics: Statistics,
    errors: Vec<(ViolationKind, i64)>,
    truncated: bool,
    reached: Vec<bool>,
    max_errors: usize,
}

impl Twin<'_> {
    fn new<'g>(graph: &'g Graph, config: &SearchConfig<'_>) -> Twin<'g> {
        Twin {
            graph,
            bound: config.depth.unwrap_or(u64::MAX),
            visited: BTreeSet::new(),
            statistics: Statistics::default(),
            errors: Vec::new(),
            truncated: false,
            reached: vec![false; graph.nodes.len()],
            max_errors: config.max_errors.map_or(usize::MAX, |max| max as usize),
        }
    }

    /// Whether there were as many errors as asked for: nothing happens any more.
    fn is_over(&self) -> bool {
        self.errors.len() >= self.max_errors
    }

    fn truncate(&mut self) {
        self.statistics.matched += 1;
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
                self.statistics.matched += 1;
                return;
            }
            self.statistics.stored += 1;
        }
        self.statistics.depth = self.statistics.depth.max(level);
        let mut moved = false;
        for edge in self.graph.edges(node, control) {
            if self.is_over() {
                return;
            }
            if let Edge::Assert(_) = edge {
                self.errors.push((ViolationKind::Assertion, level as i64));
            }
            if self.is_over() {
                return;
            }
            match edge {
                Edge::To(..) | Edge::Assert(_) => self.reached[node] = true,
                Edge::Handshake(send, ..) => {
                    self.reached[send as usize] = true;
                    self.reached[node] |= level + 1 < self.bound;
                }
                Edge::Offer | Edge::Fault => {}
            }
            moved |= !matches!(edge, Edge::Offer | Edge::Fault);
            match edge {
                Edge::To(to, control) => {
                    self.statistics.atomic_steps += u64::from(control != FREE);
                    self.visit(to, control, level + 1);
                }
                Edge::Assert(to) => self.visit(to, FREE, level + 1),
                Edge::Fault => self.errors.push((ViolationKind::ArrayBounds, level as i64)),
                Edge::Offer if level + 1 >= self.bound => self.truncate(),
                Edge::Offer => self.statistics.depth = self.statistics.depth.max(level + 1),
                Edge::Handshake(..) if level + 1 >= self.bound => {}
                Edge::Handshake(_, to, control) => {
                    self.statistics.atomic_steps += u64::from(control != FREE);
                    self.visit(to, control, level + 2);
                }
            }
        }
        if self.is_over() {
            return;
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

#[test]
fn agrees_with_the_recursive_twin() {
    for rng_seed in 0..1500 {
        let graph = random_graph(rng_seed);
        for depth in [None, Some(1), Some(2), Some(3), Some(5), Some(9)] {
            let config = SearchConfig {
                depth,
                ..ALL_ERRORS
            };
            let mut twin = Twin::new(&graph, &config);
            twin.visit(0, FREE, 0);
            let outcome = run(&graph, &config);
            let context = format!("rng_seed {rng_seed}, depth {depth:?}: {graph:?}");
            let expected = Statistics {
                errors: twin.errors.len() as u64,
                longest_state: outcome.statistics.longest_state,
                ..twin.statistics
            };
            assert_eq!(outcome.statistics, expected, "{context}");
            assert_eq!(outcome.reached, twin.reached, "{context}");
            let truncated = outcome.completion() == Completion::DepthLimit;
            assert_eq!(truncated, twin.truncated, "{context}");
            if outcome.exhaustive().is_some() {
                let unbounded = run(&graph, &ALL_ERRORS).statistics;
                assert_eq!(outcome.statistics, unbounded, "{context}");
            }
            let total: u64 = outcome.findings().iter().map(|f| f.count).sum();
            assert_eq!(total, outcome.statistics.errors, "{context}");
            for finding in outcome.findings() {
                let error = (finding.violation.kind, finding.depth);
                assert!(twin.errors.contains(&error), "{error:?}, {context}");
            }

            // Whatever is dropped and found again, the outcome is the same.
            for successors_in_memory in [0, 200] {
                let config = SearchConfig {
                    successors_in_memory,
                    ..config
                };
                let mut store = Unreadable::default();
                let other = dfs(&mut graph.clone(), &mut store, &config);
                assert_eq!(render(&other), render(&outcome), "{context}");
                assert_eq!(other.findings(), outcome.findings(), "{context}");
                assert_eq!(other.reached, outcome.reached, "{context}");
            }
            let lossy = dfs(&mut graph.clone(), &mut Lossy::default(), &config);
            assert!(lossy.exhaustive().is_none());
        }
    }
}

#[test]
fn traces_lead_to_their_violation() {
    for rng_seed in 0..1000 {
        let graph = random_graph(rng_seed);
        for finding in run(&graph, &ALL_ERRORS).findings() {
            oracle::follow(&graph, finding);
        }
    }
}

/// A search that ends at an error has the counts of one that looks at one step at a time.
#[test]
fn agrees_with_the_twin_at_an_early_end() {
    for rng_seed in 0..1000 {
        let graph = random_graph(rng_seed);
        for max_errors in [1, 2, 3] {
            for depth in [None, Some(4)] {
                let config = SearchConfig {
                    depth,
                    max_errors: Some(max_errors),
                    successors_in_memory: (rng_seed as usize % 2) * 1000,
                    ..ALL_ERRORS
                };
                let mut twin = Twin::new(&graph, &config);
                twin.visit(0, FREE, 0);
                let outcome = run(&graph, &config);
                let context = format!("rng_seed {rng_seed}, {max_errors}: {graph:?}");
                let expected = Statistics {
                    errors: twin.errors.len() as u64,
                    longest_state: outcome.statistics.longest_state,
                    ..twin.statistics
                };
                assert_eq!(outcome.statistics, expected, "{context}");
                assert_eq!(outcome.reached, twin.reached, "{context}");
                let over = outcome.completion() == Completion::ErrorLimit;
                assert_eq!(over, twin.errors.len() as u64 == max_errors, "{context}");
            }
        }
    }
}

#[test]
fn the_order_changes_no_sums() {
    for rng_seed in 0..500 {
        let graph = random_graph(rng_seed);
        let outcome = run(&graph, &ALL_ERRORS);
        for order in [Order::Reversed, Order::Shuffled(1), Order::Shuffled(2)] {
            let config = SearchConfig {
                order,
                ..ALL_ERRORS
            };
            let other = run(&graph, &config);
            let expected = Statistics {
                depth: other.statistics.depth,
                ..outcome.statistics.clone()
            };
            assert_eq!(other.statistics, expected, "rng_seed {rng_seed}");
            assert_eq!(other.reached, outcome.reached, "rng_seed {rng_seed}");
            for finding in other.findings() {
                oracle::follow(&graph, finding);
            }
        }
    }
}
