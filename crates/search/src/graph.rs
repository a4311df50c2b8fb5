//! Transition systems written down as lists of edges, for tests of searches.

use space::{
    Advance, Control, NextState, Pid, Step, Successor, TransitionId, Violation, ViolationKind,
};

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

/// The position in the list of edges, and whether there was a step before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Position {
    edge: u32,
    moved: bool,
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
    type Cursor = Position;

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

    fn advance(
        &mut self,
        state: &[u8],
        control: Control,
        cursor: &mut Position,
        next: &mut Successor,
    ) -> Advance {
        let node = self.node(state);
        let hidden = state[..self.hidden_len].first().copied().unwrap_or(0);
        let edges = self.edges(node, control);
        let Some(&edge) = edges.get(cursor.edge as usize) else {
            return Advance::Exhausted {
                moved: cursor.moved,
            };
        };
        cursor.edge += 1;
        let mut step = Step {
            pid: Pid(0),
            transition: TransitionId(node as u32),
            partner: None,
        };
        next.control = Control::Free;
        next.violation = None;
        let to = match edge {
            Edge::To(to, control) => {
                next.control = control;
                to
            }
            Edge::Assert(to) => {
                next.violation = Some(ViolationKind::Assertion.into());
                to
            }
            Edge::Handshake(send, to, control) => {
                next.control = control;
                step.transition = TransitionId(send);
                step.partner = Some((Pid(1), TransitionId(node as u32)));
                to
            }
            Edge::Offer => return Advance::Offer,
            Edge::Fault => {
                next.step = Some(step);
                next.violation = Some(ViolationKind::ArrayBounds.into());
                return Advance::Fault;
            }
        };
        next.step = Some(step);
        next.state = self.vector(to, hidden.wrapping_add(1));
        cursor.moved = true;
        Advance::Step
    }

    fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.nodes[self.node(state)].valid_end
    }
}
