//! Agreement with a recursive twin on random graphs.

use std::collections::BTreeSet;

use space::{Control, ViolationKind};

use super::tests::{ALL_ERRORS, FREE, render, run};
use super::*;
use crate::graph::{Edge, Graph, random_graph};
use crate::stores::{Lossy, Unreadable};
use crate::{Completion, Figures};

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

            // Whatever is dropped and found again, the outcome is the same.
            for pending_in_memory in [0, 200] {
                let config = SearchConfig {
                    pending_in_memory,
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
