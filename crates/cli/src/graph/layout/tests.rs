//! Geometry: what a layout promises, on random graphs.

use super::testing::program;
use super::*;

/// A rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
struct Rect(f64, f64, f64, f64);

impl Rect {
    fn around(middle: Point, half_width: f64, half_height: f64) -> Rect {
        Rect(
            middle.x - half_width,
            middle.y - half_height,
            middle.x + half_width,
            middle.y + half_height,
        )
    }

    fn overlaps(&self, other: &Rect) -> bool {
        self.0 < other.2 && other.0 < self.2 && self.1 < other.3 && other.1 < self.3
    }

    fn contains(&self, point: Point) -> bool {
        self.0 < point.x && point.x < self.2 && self.1 < point.y && point.y < self.3
    }
}

/// Nodes with their texts, labels and connectors.
fn boxes(graph: &Graph, layout: &Layout) -> Vec<Rect> {
    let mut boxes = Vec::new();
    for (node, size) in graph.nodes.iter().enumerate() {
        let (middle, rx) = (layout.nodes[node], layout.rx[node] as f64);
        let mut rect = Rect::around(middle, rx, size.ry as f64);
        rect.0 -= size.text_width as f64;
        boxes.push(rect);
    }
    for (link, route) in graph.links.iter().zip(&layout.routes) {
        let (width, height) = link.label;
        if width > 0 {
            let (width, height) = (width as f64 / 2.0, height as f64 / 2.0);
            boxes.push(Rect::around(route.label, width, height));
        }
        if let Some(middle) = route.connector {
            let (width, height) = (CONNECTOR.0 as f64, CONNECTOR.1 as f64);
            boxes.push(Rect::around(middle, width, height));
        }
    }
    boxes
}

/// Points along a route.
fn points(route: &Route) -> Vec<Point> {
    let mut points = vec![route.start];
    let mut from = route.start;
    for part in &route.parts {
        let (a, b, to) = match *part {
            Part::Line(to) => (from, to, to),
            Part::Curve(a, b, to) => (a, b, to),
        };
        for step in 1..=16 {
            let t = f64::from(step) / 16.0;
            let s = 1.0 - t;
            let at = |p: fn(Point) -> f64| {
                s * s * s * p(from)
                    + 3.0 * s * s * t * p(a)
                    + 3.0 * s * t * t * p(b)
                    + t * t * t * p(to)
            };
            points.push(Point {
                x: at(|p| p.x),
                y: at(|p| p.y),
            });
        }
        from = to;
    }
    points
}

#[track_caller]
fn check(seed: u64, graph: &Graph) {
    let layout = layout(graph);
    assert_eq!(layout.nodes.len(), graph.nodes.len());
    assert_eq!(layout.routes.len(), graph.links.len());
    let boxes = boxes(graph, &layout);
    let page = Rect(0.0, 0.0, layout.width as f64, layout.height as f64);
    for (at, rect) in boxes.iter().enumerate() {
        let inside = page.0 <= rect.0 && page.1 <= rect.1 && rect.2 <= page.2 && rect.3 <= page.3;
        assert!(inside, "seed {seed}: {rect:?} is not on the page {page:?}");
        for other in &boxes[at + 1..] {
            assert!(!rect.overlaps(other), "seed {seed}: {rect:?} and {other:?}");
        }
    }
    for (link, route) in graph.links.iter().zip(&layout.routes) {
        let points = points(route);
        let on_border = |point: Point, node: usize| {
            let (middle, ry) = (layout.nodes[node], graph.nodes[node].ry as f64);
            let x = (point.x - middle.x) / layout.rx[node] as f64;
            let y = (point.y - middle.y) / ry;
            (x * x + y * y - 1.0).abs() < 0.01
        };
        assert!(on_border(points[0], link.source), "seed {seed}: {link:?}");
        if route.connector.is_none() {
            let end = points[points.len() - 1];
            assert!(on_border(end, link.target), "seed {seed}: {link:?}");
        }
        // Edges pass no box but that of their own label, and may touch their ends.
        for rect in boxes.iter().filter(|rect| !rect.contains(route.label)) {
            let hits = points.iter().filter(|point| rect.contains(**point));
            let near = |point: &&Point| {
                !on_border(**point, link.source) && !on_border(**point, link.target)
            };
            let ends = [link.source, link.target];
            let own = ends.iter().any(|&node| rect.contains(layout.nodes[node]));
            assert!(
                own || hits.filter(near).count() == 0,
                "seed {seed}: {link:?} hits {rect:?}"
            );
        }
    }
}

#[test]
fn nothing_overlaps() {
    for seed in 0..32 {
        let nodes = 1 + 3 * seed as usize;
        check(seed, &program(seed, nodes, seed as usize));
    }
}

#[test]
fn dense_graphs_do_not_overlap_either() {
    for seed in 100..110 {
        check(seed, &program(seed, 30, 120));
    }
}

#[test]
fn stubs_stay_beside_their_source() {
    for seed in 200..230 {
        let mut graph = program(seed, 40, 30);
        // The first edges hold the graph together.
        for (at, link) in graph.links.iter_mut().enumerate().skip(39) {
            link.stub = at % 3 == 0;
        }
        check(seed, &graph);
        let layout = layout(&graph);
        let stubs = graph.links.iter().filter(|link| link.stub).count();
        let connectors = layout.routes.iter().filter(|r| r.connector.is_some());
        assert_eq!(connectors.count(), stubs);
    }
}

#[test]
fn the_same_graph_gives_the_same_layout() {
    let graph = program(5, 60, 60);
    let (a, b) = (layout(&graph), layout(&graph));
    assert_eq!(a.nodes, b.nodes);
    assert_eq!(a.routes, b.routes);
}

#[test]
fn long_edges_of_large_graphs_become_stubs() {
    let mut graph = program(1, 2000, 0);
    graph.links.extend((0..500).map(|n| Link::new(1999 - n, n)));
    let layout = layout(&graph);
    let cut = layout.routes.iter().filter(|r| r.connector.is_some());
    assert!(cut.count() > 100);
}

#[test]
fn a_single_node() {
    check(0, &program(0, 1, 2));
    assert_eq!(layout(&Graph::default()).nodes, []);
}
