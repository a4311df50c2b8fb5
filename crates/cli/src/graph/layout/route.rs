//! Routes: vertical positions, and the lines from node to node.
//!
//! Follows: the usual way of layered drawings: within a layer an edge runs vertically through
//! its own vertex, so it meets no other; between layers it is a curve with vertical ends.
//!
//! Departs: from [Gansner et al. 1993], fourth pass, whose splines may use all free room: the
//! curves here are determined by the positions alone. The ends of edges at a node are spread
//! along its border, in the order of where they go, so that arrow heads do not cover each
//! other; an edge that can be straight is.

use super::beside::Beside;
use super::layer::{Chain, Kind, Layers};
use super::{Graph, Layout, Part, Point, Route};

/// Room between two layers, for curves.
const GAP: i64 = 8;
/// Room above and below nodes, where edges are straight so that heads of arrows are.
const STRAIGHT: i64 = 8;
/// More room where a curve is wide: a share of its width, at most so much.
const WIDE: (i64, i64) = (7, 34);
/// Distance between the ends of edges at a node.
const PORT: f64 = 9.0;

/// Middle and half height of each layer, and the height of all.
struct Rows {
    middle: Vec<i64>,
    half: Vec<i64>,
    height: i64,
}

/// Draw the edges of positioned layers.
pub fn routes(graph: &Graph, layers: &Layers, x: &[i64]) -> Layout {
    let rows = rows(layers, x);
    let right = |v: usize| x[v] + layers.vertices[v].right;
    let width = (0..layers.vertices.len()).map(right).max().unwrap_or(0);
    let middle = |v: usize| Point {
        x: x[v] as f64,
        y: rows.middle[layers.vertices[v].rank] as f64,
    };
    let ports = Ports::new(graph, layers, x);
    let mut beside = Beside::new(graph);
    let routes = graph.links.iter().enumerate().map(|(edge, link)| {
        let chain = &layers.chains[edge];
        if chain.vertices.is_empty() {
            return beside.route(&graph.nodes[link.source], link, middle(link.source));
        }
        let line = Line {
            graph,
            layers,
            rows: &rows,
            x,
        };
        let mut route = line.route(chain, ports.top[edge], ports.bottom[edge]);
        let label = match (chain.back, chain.vertices.as_slice()) {
            (true, [.., label, _]) | (false, [_, label, ..]) => *label,
            _ => chain.vertices[0],
        };
        route.label = middle(label);
        route
    });
    let routes = routes.collect();
    Layout {
        width,
        height: rows.height,
        nodes: (0..graph.nodes.len()).map(middle).collect(),
        rx: graph.nodes.iter().map(|size| size.rx).collect(),
        routes,
    }
}

fn rows(layers: &Layers, x: &[i64]) -> Rows {
    let mut half = vec![0; layers.rows.len()];
    for vertex in &layers.vertices {
        let room = match vertex.kind {
            Kind::Node => vertex.half + STRAIGHT,
            Kind::Label | Kind::Bend => vertex.half,
        };
        half[vertex.rank] = room.max(half[vertex.rank]);
    }
    let mut widest = vec![0; layers.rows.len()];
    for segment in &layers.segments {
        let widest = &mut widest[layers.vertices[segment.upper].rank];
        *widest = x[segment.upper].abs_diff(x[segment.lower]).max(*widest);
    }
    let mut middle = Vec::new();
    let mut y = 0;
    for (rank, half) in half.iter().enumerate() {
        middle.push(y + half);
        y += 2 * half + GAP + (widest[rank] as i64 / WIDE.0).min(WIDE.1);
    }
    let height = middle.iter().zip(&half).map(|(m, h)| m + h).max();
    Rows {
        middle,
        half,
        height: height.unwrap_or(0),
    }
}

/// Where each edge meets its upper and its lower end, from the middle of the node.
struct Ports {
    top: Vec<f64>,
    bottom: Vec<f64>,
}

impl Ports {
    fn new(graph: &Graph, layers: &Layers, x: &[i64]) -> Ports {
        let edges = layers.chains.len();
        let mut ports = Ports {
            top: vec![0.0; edges],
            bottom: vec![0.0; edges],
        };
        let mut below = vec![Vec::new(); graph.nodes.len()];
        let mut above = vec![Vec::new(); graph.nodes.len()];
        for (edge, chain) in layers.chains.iter().enumerate() {
            if let [first, second, .., last] = chain.vertices[..] {
                let before_last = chain.vertices[chain.vertices.len() - 2];
                below[first].push((x[second], edge));
                above[last].push((x[before_last], edge));
            }
        }
        for (node, size) in graph.nodes.iter().enumerate() {
            let room = size.rx as f64 * 0.75;
            spread(&mut below[node], x[node], room, &mut ports.top);
            spread(&mut above[node], x[node], room, &mut ports.bottom);
        }
        ports
    }
}

/// Spread the ends of edges by where they go. One that goes straight gets the middle.
fn spread(ends: &mut [(i64, usize)], middle: i64, room: f64, ports: &mut [f64]) {
    ends.sort_unstable();
    let straight = ends.iter().position(|&(x, _)| x == middle);
    let centre = match straight {
        Some(at) => at as f64,
        None => (ends.len().saturating_sub(1)) as f64 / 2.0,
    };
    let furthest = centre.max(ends.len().saturating_sub(1) as f64 - centre);
    let step = if furthest > 0.0 {
        PORT.min(room / furthest)
    } else {
        0.0
    };
    for (at, &(_, edge)) in ends.iter().enumerate() {
        ports[edge] = (at as f64 - centre) * step;
    }
}

/// Draws chains.
struct Line<'a> {
    graph: &'a Graph,
    layers: &'a Layers,
    rows: &'a Rows,
    x: &'a [i64],
}

impl Line<'_> {
    fn route(&self, chain: &Chain, top_port: f64, bottom_port: f64) -> Route {
        // The vertical piece that each vertex contributes: x, upper and lower end.
        let last = chain.vertices.len() - 1;
        let mut pieces: Vec<(f64, f64, f64)> = Vec::new();
        for (at, &vertex) in chain.vertices.iter().enumerate() {
            let rank = self.layers.vertices[vertex].rank;
            let (middle, half) = (self.rows.middle[rank] as f64, self.rows.half[rank] as f64);
            let x = self.x[vertex] as f64;
            pieces.push(if at == 0 {
                let y = middle + self.border(vertex, top_port);
                (x + top_port, y, middle + half)
            } else if at == last {
                let y = middle - self.border(vertex, bottom_port);
                (x + bottom_port, middle - half, y)
            } else {
                (x, middle - half, middle + half)
            });
        }
        let mut points = Vec::new();
        let mut at = Point {
            x: pieces[0].0,
            y: pieces[0].1,
        };
        let start = at;
        for (this, next) in pieces.iter().zip(&pieces[1..]) {
            if this.0 != next.0 {
                let from = Point {
                    x: this.0,
                    y: this.2,
                };
                if from != at {
                    points.push((at, Part::Line(from)));
                }
                let to = Point {
                    x: next.0,
                    y: next.1,
                };
                let y = (from.y + to.y) / 2.0;
                points.push((
                    from,
                    Part::Curve(Point { x: from.x, y }, Point { x: to.x, y }, to),
                ));
                at = to;
            }
        }
        let end = pieces[last];
        let end = Point { x: end.0, y: end.2 };
        if at != end {
            points.push((at, Part::Line(end)));
        }
        if chain.back {
            backwards(end, &points)
        } else {
            Route {
                start,
                parts: points.into_iter().map(|(_, part)| part).collect(),
                ..Route::default()
            }
        }
    }

    /// The height of a node's border over its middle, at a distance from the middle.
    fn border(&self, node: usize, port: f64) -> f64 {
        let size = &self.graph.nodes[node];
        let share = port / (size.rx as f64).max(1.0);
        size.ry as f64 * (1.0 - share * share).max(0.0).sqrt()
    }
}

/// The same line from its end to its start. Each part comes with the point it starts at.
fn backwards(start: Point, parts: &[(Point, Part)]) -> Route {
    let turned = parts.iter().rev().map(|&(from, part)| match part {
        Part::Line(_) => Part::Line(from),
        Part::Curve(a, b, _) => Part::Curve(b, a, from),
    });
    Route {
        start,
        parts: turned.collect(),
        ..Route::default()
    }
}
