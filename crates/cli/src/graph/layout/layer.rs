//! Layers: the graph with every edge split into segments between neighbouring ranks.
//!
//! Follows: [Sugiyama, Tagawa, Toda 1981]: a long edge becomes a chain of bends, one on each
//! rank between its ends. As in Graphviz, ranks are doubled, so that there is one for labels
//! between any two of nodes; the label of an edge is the vertex of its chain that is next to
//! its source.
//!
//! Departs: in large graphs the longest edges are not split but become stubs.

use std::cmp::Reverse;

use super::{CONNECTOR, Graph, Link};

/// A vertex of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// What it is.
    pub kind: Kind,
    /// Its layer.
    pub rank: usize,
    /// Room to the left of its position.
    pub left: i64,
    /// Room to the right of its position.
    pub right: i64,
    /// Room above and below its position.
    pub half: i64,
}

/// What a vertex stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A node.
    Node,
    /// The label of an edge, or the place where one would be.
    Label,
    /// An edge passes here.
    Bend,
}

/// A part of an edge between vertices of neighbouring layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The vertex above.
    pub upper: usize,
    /// The vertex below.
    pub lower: usize,
    /// How much it should be vertical, from 0 to 3.
    pub pull: u8,
}

/// The vertices of an edge, from top to bottom; none for a loop or stub.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// The vertices.
    pub vertices: Vec<usize>,
    /// The edge points upwards.
    pub back: bool,
}

/// A graph in layers. The first vertices are the nodes, in order.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// The segments.
    pub segments: Vec<Segment>,
    /// For each edge of the graph its chain.
    pub chains: Vec<Chain>,
    /// For each layer its vertices, from left to right.
    pub rows: Vec<Vec<usize>>,
    /// Neighbours above of each vertex, in the order of segments.
    pub above: Vec<Vec<usize>>,
    /// Neighbours below of each vertex, in the order of segments.
    pub below: Vec<Vec<usize>>,
}

/// Width of a loop or stub at the right of a node's ellipse.
pub const BESIDE: i64 = 26;
/// Room between a label or text and what it belongs to.
pub const TEXT_GAP: i64 = 4;

/// Make stubs of the longest edges, so that the chains of the others have at most so many
/// bends.
pub fn cut_long_edges(links: &mut [Link], ranks: &[usize], bends: usize) {
    let bends_of = |link: &Link| match link.stub {
        true => 0,
        false => (2 * ranks[link.source].abs_diff(ranks[link.target])).saturating_sub(2),
    };
    let mut total: usize = links.iter().map(bends_of).sum();
    let mut longest: Vec<usize> = (0..links.len()).collect();
    longest.sort_by_key(|&edge| (Reverse(bends_of(&links[edge])), edge));
    for edge in longest {
        if total <= bends {
            return;
        }
        total -= bends_of(&links[edge]);
        links[edge].stub = true;
    }
}

impl Layers {
    /// Split the edges of a graph.
    pub fn new(graph: &Graph, back: &[bool], ranks: &[usize]) -> Layers {
        let mut layers = Layers::default();
        for (node, size) in graph.nodes.iter().enumerate() {
            let text = if size.text_width > 0 {
                size.text_width + TEXT_GAP
            } else {
                0
            };
            layers.vertex(Vertex {
                kind: Kind::Node,
                rank: 2 * ranks[node],
                left: size.rx + text,
                right: size.rx,
                half: size.ry.max((size.text_height + 1) / 2),
            });
        }
        layers.make_room_beside(graph);
        layers.chains = vec![Chain::default(); graph.links.len()];
        // Searches for a first order go the ways down before the ways back.
        let links = graph.links.iter().enumerate();
        let (ups, downs): (Vec<_>, Vec<_>) = links.partition(|(edge, _)| back[*edge]);
        for (edge, link) in downs.into_iter().chain(ups) {
            if !link.is_beside() {
                layers.chains[edge] = layers.chain(link, back[edge]);
            }
        }
        let ranks = layers.vertices.iter().map(|v| v.rank + 1).max();
        layers.rows = vec![Vec::new(); ranks.unwrap_or(0)];
        for (id, vertex) in layers.vertices.iter().enumerate() {
            layers.rows[vertex.rank].push(id);
        }
        layers.above = vec![Vec::new(); layers.vertices.len()];
        layers.below = vec![Vec::new(); layers.vertices.len()];
        for segment in &layers.segments {
            layers.below[segment.upper].push(segment.lower);
            layers.above[segment.lower].push(segment.upper);
        }
        layers
    }

    fn vertex(&mut self, vertex: Vertex) -> usize {
        self.vertices.push(vertex);
        self.vertices.len() - 1
    }

    /// Room for loops and stubs.
    fn make_room_beside(&mut self, graph: &Graph) {
        let mut heights = vec![0; graph.nodes.len()];
        for link in graph.links.iter().filter(|link| link.is_beside()) {
            let size = &graph.nodes[link.source];
            let vertex = &mut self.vertices[link.source];
            heights[link.source] += height_beside(link);
            let connector = match link.stub {
                true => TEXT_GAP + 2 * CONNECTOR.0,
                false => 0,
            };
            let width = BESIDE + TEXT_GAP + link.label.0 + connector;
            vertex.right = vertex.right.max(size.rx + width);
            vertex.half = vertex.half.max((heights[link.source] + 1) / 2);
        }
    }

    fn label(&mut self, link: &Link, rank: usize) -> usize {
        let (width, height) = link.label;
        self.vertex(Vertex {
            kind: Kind::Label,
            rank,
            left: (width + 1) / 2,
            right: (width + 1) / 2,
            half: (height + 1) / 2,
        })
    }

    /// The chain of an edge, with its label.
    fn chain(&mut self, link: &Link, back: bool) -> Chain {
        let (top, bottom) = link.ends(back);
        let (first, last) = (self.vertices[top].rank, self.vertices[bottom].rank);
        let label = if back { last - 1 } else { first + 1 };
        let mut vertices = vec![top];
        for rank in first + 1..last {
            let vertex = if rank == label {
                self.label(link, rank)
            } else {
                self.vertex(Vertex {
                    kind: Kind::Bend,
                    rank,
                    left: 0,
                    right: 0,
                    half: 0,
                })
            };
            vertices.push(vertex);
        }
        vertices.push(bottom);
        let short = vertices.len() == 3;
        for (at, pair) in vertices.windows(2).enumerate() {
            let end = at == 0 || at + 2 == vertices.len();
            let pull = match (back, end) {
                _ if short && !back && !link.minor => 3,
                (_, false) => 2,
                (false, true) if !link.minor => 1,
                _ => 0,
            };
            self.segments.push(Segment {
                upper: pair[0],
                lower: pair[1],
                pull,
            });
        }
        Chain { vertices, back }
    }
}

/// The height that a loop or stub takes at the right of its node.
pub fn height_beside(link: &Link) -> i64 {
    (link.label.1 + 4).max(16)
}
