//! What stays at the right of a node: loops to itself, and stubs of edges to others.
//!
//! Follows: nothing; one stands below another, each with its label behind it.
//!
//! Departs: nothing.

use super::layer::{BESIDE, TEXT_GAP, height_beside};
use super::{CONNECTOR, Graph, Link, NodeBox, Part, Point, Route};

/// Loops and stubs of each node, and how many of them are drawn.
pub struct Beside {
    all: Vec<Share>,
    drawn: Vec<Share>,
}

/// Loops and stubs.
#[derive(Clone, Copy, Default)]
struct Share {
    height: i64,
    /// Places where they meet the node: two of a loop, one of a stub.
    ends: usize,
}

impl Beside {
    /// What stays beside the nodes of a graph.
    pub fn new(graph: &Graph) -> Beside {
        let mut beside = Beside {
            all: vec![Share::default(); graph.nodes.len()],
            drawn: vec![Share::default(); graph.nodes.len()],
        };
        for link in graph.links.iter().filter(|link| link.is_beside()) {
            beside.all[link.source].add(link);
        }
        beside
    }

    /// The way of the next edge of a node, whose middle is given.
    pub fn route(&mut self, size: &NodeBox, link: &Link, middle: Point) -> Route {
        let (all, drawn) = (self.all[link.source], self.drawn[link.source]);
        self.drawn[link.source].add(link);
        let top = drawn.height - all.height / 2;
        let y = middle.y + (top + height_beside(link) / 2) as f64;
        let tip = Point {
            x: middle.x + (size.rx + BESIDE) as f64,
            y,
        };
        let ends = Ends {
            middle,
            rx: size.rx as f64,
            ry: size.ry as f64,
            count: all.ends,
        };
        let mut route = match link.stub {
            true => stub(ends.at(drawn.ends), tip),
            false => loop_to_itself(ends.at(drawn.ends), ends.at(drawn.ends + 1), tip),
        };
        let behind = tip.x + (TEXT_GAP + link.label.0) as f64;
        route.label = Point {
            x: tip.x + TEXT_GAP as f64 + link.label.0 as f64 / 2.0,
            y,
        };
        route.connector = link.stub.then_some(Point {
            x: behind + (TEXT_GAP + CONNECTOR.0) as f64,
            y,
        });
        route
    }
}

impl Share {
    fn add(&mut self, link: &Link) {
        self.height += height_beside(link);
        self.ends += if link.stub { 1 } else { 2 };
    }
}

/// The ends of loops and stubs, spread over the right side of an ellipse.
struct Ends {
    middle: Point,
    rx: f64,
    ry: f64,
    count: usize,
}

impl Ends {
    fn at(&self, end: usize) -> Point {
        let step = (0.7_f64).min(1.7 / self.count as f64);
        let share = (end as f64 - (self.count - 1) as f64 / 2.0) * step;
        Point {
            x: self.middle.x + self.rx * (1.0 - share * share).sqrt(),
            y: self.middle.y + self.ry * share,
        }
    }
}

fn stub(start: Point, tip: Point) -> Route {
    let x = (start.x + tip.x) / 2.0;
    let bend = |y| Point { x, y };
    let part = match start.y == tip.y {
        true => Part::Line(tip),
        false => Part::Curve(bend(start.y), bend(tip.y), tip),
    };
    Route {
        start,
        parts: vec![part],
        ..Route::default()
    }
}

/// From the lower end round the tip to the upper end.
fn loop_to_itself(upper: Point, lower: Point, tip: Point) -> Route {
    /// Half the height of the loop at its tip, and how far it leaves the ellipse straight.
    const BULGE: (f64, f64) = (8.0, 9.0);
    let (low, high) = (tip.y + BULGE.0, tip.y - BULGE.0);
    let at = |x, y| Point { x, y };
    let parts = vec![
        Part::Curve(at(lower.x + BULGE.1, lower.y.max(low)), at(tip.x, low), tip),
        Part::Curve(
            at(tip.x, high),
            at(upper.x + BULGE.1, upper.y.min(high)),
            upper,
        ),
    ];
    Route {
        start: lower,
        parts,
        ..Route::default()
    }
}
