//! Transition systems written down as lists of edges, for tests of searches.

use space::{
    Control, Expansion, NextState, Pid, Row, Step, TransitionId, Violation, ViolationKind,
};

use crate::numbers::Numbers;

/// What is tried at an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edge {
    /// A step to a node, under this control.
    To(usize, Control),
    /// A step to a node that breaks an assertion.
    Assert(usize),
    /// A handshake by the send of this number, to a node, under this control.
    Handshake(u32, usize, Control),
    /// A send is ready; its handshakes follow, if there are any.
    Offer,
    /// A step that fails.
    Fault,
}

/// A node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// The edges that everybody may take, after those of `exclusive`.
    pub(crate) free: Vec<Edge>,
    /// The edges that are there also under exclusive control.
    pub(crate) exclusive: Vec<Edge>,
    /// Whether one may stop here.
    pub(crate) valid_end: bool,
}

/// A transition system with the nodes numbered from 0, the initial one.
///
/// Vectors differ in length, and begin with hidden bytes that change with every step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) hidden_len: usize,
}

/// Inside an atomic sequence of process 0.
pub(crate) const ATOMIC: Control = Control::Exclusive(Pid(0));

impl Graph {
    /// A graph of free steps, by the list of successors of each node. A node without
    /// successors is a valid end.
    pub(crate) fn free(successors: &[&[usize]]) -> Graph {
        let node = |to: &&[usize]| Node {
            free: to.iter().map(|&n| Edge::To(n, Control::Free)).collect(),
            valid_end: to.is_empty(),
            ..Node::default()
        };
        Graph {
            nodes: successors.iter().map(node).collect(),
            hidden_len: 0,
        }
    }

    /// The edges of a node under a control, in the order in which they are tried.
    pub(crate) fn edges(&self, node: usize, control: Control) -> Vec<Edge> {
        let Node {
            free, exclusive, ..
        } = &self.nodes[node];
        match control {
            Control::Free => [&exclusive[..], free].concat(),
            Control::Exclusive(_) => exclusive.clone(),
        }
    }

    fn vector(&self, node: usize, hidden: u8) -> Vec<u8> {
        let mut vector = vec![hidden; self.hidden_len];
        vector.extend_from_slice(&(node as u32).to_le_bytes());
        vector.resize(vector.len() + node % 5, 0xaa);
        vector
    }

    fn node(&self, vector: &[u8]) -> usize {
        let bytes = &vector[self.hidden_len..][..4];
        let node = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        assert_eq!(vector.len(), self.hidden_len + 4 + node % 5);
        node
    }
}

impl NextState for Graph {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(self.vector(0, 0))
    }

    fn hidden_len(&self) -> usize {
        self.hidden_len
    }

    /// Sends have their own numbers, all others that of their node.
    fn transition_count(&self) -> usize {
        self.nodes.len()
    }

    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        found.moved = false;
        let node = self.node(state);
        let hidden = state[..self.hidden_len].first().copied().unwrap_or(0);
        for edge in self.edges(node, control) {
            let mut step = Step {
                pid: Pid(0),
                transition: TransitionId(node as u32),
                partner: None,
            };
            if let Edge::Handshake(send, ..) = edge {
                step.transition = TransitionId(send);
                step.partner = Some((Pid(1), TransitionId(node as u32)));
            }
            match edge {
                Edge::To(to, control) | Edge::Handshake(_, to, control) => {
                    let vector = self.vector(to, hidden.wrapping_add(1));
                    found.push(Row::new(Some(step), control, 0), &vector);
                    found.moved = true;
                }
                Edge::Assert(to) => {
                    let vector = self.vector(to, hidden.wrapping_add(1));
                    found.push(Row::new(Some(step), Control::Free, 0), &vector);
                    found.blame(ViolationKind::Assertion.into());
                    found.moved = true;
                }
                Edge::Offer => found.push_bare(Row::new(None, Control::Free, Row::OFFER)),
                Edge::Fault => {
                    found.push_bare(Row::new(Some(step), Control::Free, Row::FAULT));
                    found.blame(ViolationKind::ArrayBounds.into());
                }
            }
        }
    }

    fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.nodes[self.node(state)].valid_end
    }
}

/// A random graph. Edges under exclusive control lead upwards, so that atomic sequences end.
pub(crate) fn random_graph(rng_seed: u64) -> Graph {
    let mut numbers = Numbers::new(rng_seed);
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
                let to = numbers.below(count);
                node.exclusive.push(Edge::To(to, Control::Free));
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
                        let control = if to > n { ATOMIC } else { Control::Free };
                        node.free.push(Edge::Handshake(send as u32, to, control));
                    }
                }
                _ => node.free.push(Edge::To(to, Control::Free)),
            }
        }
    }
    Graph {
        nodes,
        hidden_len: numbers.below(3),
    }
}
