//! Layered layout: coordinates for the nodes and edges of a graph.
//!
//! Follows: [Sugiyama, Tagawa, Toda 1981], in the form of [Gansner et al. 1993]: break
//! cycles (`cycle`), assign ranks (`rank`), split long edges (`layer`), order the
//! ranks (`order`), assign positions (`position`), route the edges (`route`
//! and, beside nodes, `beside`).
//!
//! Departs: labels of edges are vertices of ranks between those of the nodes, so nothing
//! overlaps them. An edge may be a stub: it ends beside its source, in a connector that names
//! the target. The caller decides which are; where a graph is so large that the parts of its
//! long edges would outnumber everything else, the longest edges are, too.
//!
//! Lengths are whole pixels; `y` grows downwards.

mod beside;
mod crossing;
mod cycle;
mod layer;
mod order;
mod position;
mod rank;
mod route;
mod simplex;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tight_tree;

/// What is laid out. All nodes must be reachable from the root without stubs.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<NodeBox>,
    /// The edges; several may connect the same nodes.
    pub links: Vec<Link>,
    /// The node at the top.
    pub root: usize,
}

/// The room that a node needs: an ellipse around its position, and something beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeBox {
    /// Half the ellipse's width.
    pub rx: i64,
    /// Half the ellipse's height.
    pub ry: i64,
    /// Room for text, left of the ellipse.
    pub text_width: i64,
    /// Height of that text.
    pub text_height: i64,
}

/// An edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Where it starts.
    pub source: usize,
    /// Where it leads.
    pub target: usize,
    /// Width and height of its label; 0 for none.
    pub label: (i64, i64),
    /// It may bend rather than others.
    pub minor: bool,
    /// It is a stub.
    pub stub: bool,
}

impl Link {
    /// An edge without a label.
    pub fn new(source: usize, target: usize) -> Link {
        Link {
            source,
            target,
            ..Link::default()
        }
    }

    /// Its upper and its lower end; `back` if it points upwards.
    fn ends(&self, back: bool) -> (usize, usize) {
        match back {
            true => (self.target, self.source),
            false => (self.source, self.target),
        }
    }

    /// Whether it stays beside its source: a loop or a stub.
    fn is_beside(&self) -> bool {
        self.stub || self.source == self.target
    }
}

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A graph with coordinates.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Width of everything.
    pub width: i64,
    /// Height of everything.
    pub height: i64,
    /// The middle of each node's ellipse.
    pub nodes: Vec<Point>,
    /// Half the width of each node's ellipse: more than asked for where many edges meet.
    pub rx: Vec<i64>,
    /// The way of each edge.
    pub routes: Vec<Route>,
}

/// The way of an edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Where it starts, at the border of the source.
    pub start: Point,
    /// Its parts, to the border of the target.
    pub parts: Vec<Part>,
    /// The middle of its label.
    pub label: Point,
    /// It is a stub, and this is the middle of its connector.
    pub connector: Option<Point>,
}

/// A part of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// A straight line to a point.
    Line(Point),
    /// A cubic Bézier curve: two control points and the end.
    Curve(Point, Point, Point),
}

/// Half the width and height of a connector.
pub const CONNECTOR: (i64, i64) = (18, 8);
/// Most parts of long edges, per node and in all graphs; beyond, long edges are stubs.
const BENDS: (usize, usize) = (8, 4000);

/// Lay out a graph.
pub fn layout(graph: &Graph) -> Layout {
    if graph.nodes.is_empty() {
        return Layout::default();
    }
    let back = cycle::back_edges(graph.nodes.len(), graph.root, &graph.links);
    let ranks = rank::ranks(graph.nodes.len(), &graph.links, &back);
    let mut graph = graph.clone();
    let bends = BENDS.1 + BENDS.0 * graph.nodes.len();
    layer::cut_long_edges(&mut graph.links, &ranks, bends);
    widen(&mut graph, &back);
    let mut layers = layer::Layers::new(&graph, &back, &ranks);
    order::order(&mut layers);
    let x = position::positions(&layers);
    route::routes(&graph, &layers, &x)
}

/// Make nodes wide enough for the heads of all arrows above or below them.
fn widen(graph: &mut Graph, back: &[bool]) {
    /// Half the room for an edge, and the widest ellipse.
    const ROOM: (i64, i64) = (5, 60);
    let mut above = vec![0; graph.nodes.len()];
    let mut below = vec![0; graph.nodes.len()];
    for (link, &back) in graph.links.iter().zip(back) {
        if !link.is_beside() {
            let (top, bottom) = link.ends(back);
            below[top] += 1;
            above[bottom] += 1;
        }
    }
    for (node, size) in graph.nodes.iter_mut().enumerate() {
        let edges: i64 = above[node].max(below[node]);
        size.rx = size.rx.max(((edges - 1) * ROOM.0).min(ROOM.1));
    }
}
