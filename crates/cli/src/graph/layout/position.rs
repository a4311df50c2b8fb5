//! Horizontal positions: straight chains, short edges, no overlaps.
//!
//! Follows: [Brandes, Köpf 2001] for blocks: vertices of neighbouring layers that are
//! connected by segments which do not cross are aligned, and a block of aligned vertices
//! has one position; [Gansner et al. 1993], third pass, for the positions, which minimise
//! the weighted sum of the widths of all segments by the network simplex method.
//!
//! Departs: segments are aligned by their pull first, then by how near they are to the
//! median of both their ends, so there is one alignment instead of four that are averaged.
//! Since blocks are intervals of layers and never cross, "left of" has no cycle among
//! them: three that touch pairwise share a layer, and a longer cycle has a chord.

use std::collections::BTreeMap;

use super::layer::{Kind, Layers, Segment, Vertex};
use super::simplex::{self, Constraint};

/// Price of a segment's width, by its pull.
const PRICES: [i64; 4] = [1, 2, 3, 4];
/// Pivots per block before positions are taken as they are.
const PIVOTS: usize = 6;

/// The position of each vertex, from 0 for the leftmost border.
pub fn positions(layers: &Layers) -> Vec<i64> {
    let (block_of, blocks) = blocks(layers);
    let mut constraints: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    for row in &layers.rows {
        for pair in row.windows(2) {
            let (left, right) = (&layers.vertices[pair[0]], &layers.vertices[pair[1]]);
            let distance = left.right + gap(left, right) + right.left;
            let least = constraints
                .entry((block_of[pair[0]], block_of[pair[1]]))
                .or_default();
            *least = distance.max(*least);
        }
    }
    let mut prices: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    for segment in &layers.segments {
        let (a, b) = (block_of[segment.upper], block_of[segment.lower]);
        if a != b {
            *prices.entry((a.min(b), a.max(b))).or_default() += PRICES[segment.pull as usize];
        }
    }
    let distances = constraints.iter().map(|(&(from, to), &length)| Constraint {
        from,
        to,
        length,
        weight: 0,
    });
    // The width between two blocks is the sum of their distances to a point left of both.
    let widths = prices
        .iter()
        .enumerate()
        .flat_map(|(row, (&(a, b), &weight))| {
            [a, b].map(|to| Constraint {
                from: blocks + row,
                to,
                length: 0,
                weight,
            })
        });
    let constraints: Vec<Constraint> = distances.chain(widths).collect();
    let solved = simplex::solve(blocks + prices.len(), &constraints, PIVOTS * blocks + 200);
    let border = |v: usize| solved[block_of[v]] - layers.vertices[v].left;
    let leftmost = (0..layers.vertices.len()).map(border).min().unwrap_or(0);
    block_of.iter().map(|&b| solved[b] - leftmost).collect()
}

/// Room between neighbours in a layer.
fn gap(left: &Vertex, right: &Vertex) -> i64 {
    match (left.kind, right.kind) {
        (Kind::Node, Kind::Node) => 26,
        (Kind::Bend, Kind::Bend) => 14,
        (Kind::Label, Kind::Label) => 16,
        _ => 14,
    }
}

/// The block of each vertex, and how many there are.
fn blocks(layers: &Layers) -> (Vec<usize>, usize) {
    let mut place = vec![0; layers.vertices.len()];
    for row in &layers.rows {
        for (at, &vertex) in row.iter().enumerate() {
            place[vertex] = at;
        }
    }
    let mut by_row: Vec<Vec<Segment>> = vec![Vec::new(); layers.rows.len()];
    for segment in &layers.segments {
        by_row[layers.vertices[segment.upper].rank].push(*segment);
    }
    // The vertex that a vertex is aligned with, in the layer above.
    let mut aligned: Vec<Option<usize>> = vec![None; layers.vertices.len()];
    for segments in &by_row {
        for (upper, lower) in align(layers, &place, segments) {
            aligned[lower] = Some(upper);
        }
    }
    let mut block_of = vec![0; layers.vertices.len()];
    let mut blocks = 0;
    for &vertex in layers.rows.iter().flatten() {
        block_of[vertex] = match aligned[vertex] {
            Some(above) => block_of[above],
            None => {
                blocks += 1;
                blocks - 1
            }
        };
    }
    (block_of, blocks)
}

/// Choose segments between two layers that do not cross and do not share an end.
fn align(layers: &Layers, place: &[usize], segments: &[Segment]) -> Vec<(usize, usize)> {
    let middle_above = distances_from_middle(segments, |s| (s.upper, place[s.lower]));
    let middle_below = distances_from_middle(segments, |s| (s.lower, place[s.upper]));
    let mut wishes: Vec<usize> = (0..segments.len()).collect();
    wishes.sort_by_key(|&at| {
        let segment = &segments[at];
        let leaf = layers.below[segment.lower].is_empty();
        let middle = middle_above[at] + middle_below[at];
        let places = (place[segment.upper], place[segment.lower]);
        (std::cmp::Reverse(segment.pull), leaf, middle, places)
    });
    // Chosen segments: places above and below, both ascending, and the vertices.
    let mut chosen: BTreeMap<usize, (usize, usize, usize)> = BTreeMap::new();
    for at in wishes {
        let Segment { upper, lower, .. } = segments[at];
        let (above, below) = (place[upper], place[lower]);
        let before = chosen.range(..above).next_back();
        let after = chosen.range(above..).next();
        if before.is_none_or(|(_, c)| c.0 < below)
            && after.is_none_or(|(&at, c)| at > above && c.0 > below)
        {
            chosen.insert(above, (below, upper, lower));
        }
    }
    chosen.into_values().map(|(_, u, l)| (u, l)).collect()
}

/// For each segment, how far it is from the middle of those of the same vertex and pull,
/// in half steps. `end` gives the vertex and the place of the other end.
fn distances_from_middle(
    segments: &[Segment],
    end: impl Fn(&Segment) -> (usize, usize),
) -> Vec<usize> {
    let mut fans: BTreeMap<(usize, u8), Vec<(usize, usize)>> = BTreeMap::new();
    for (at, segment) in segments.iter().enumerate() {
        let (vertex, other) = end(segment);
        fans.entry((vertex, segment.pull))
            .or_default()
            .push((other, at));
    }
    let mut distances = vec![0; segments.len()];
    for fan in fans.values_mut() {
        fan.sort_unstable();
        for (i, &(_, at)) in fan.iter().enumerate() {
            distances[at] = (2 * i).abs_diff(fan.len() - 1);
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::super::testing::program;
    use super::super::{Graph, Link, NodeBox, cycle, order, rank};
    use super::*;

    fn layers(graph: &Graph) -> Layers {
        let nodes = graph.nodes.len();
        let back = cycle::back_edges(nodes, 0, &graph.links);
        let ranks = rank::ranks(nodes, &graph.links, &back);
        let mut layers = Layers::new(graph, &back, &ranks);
        order::order(&mut layers);
        layers
    }

    #[test]
    fn neighbours_keep_their_distance() {
        for seed in 0..30 {
            let layers = layers(&program(seed, 5 + 3 * seed as usize, 20));
            let x = positions(&layers);
            for row in &layers.rows {
                for pair in row.windows(2) {
                    let (a, b) = (&layers.vertices[pair[0]], &layers.vertices[pair[1]]);
                    assert!(x[pair[1]] - b.left >= x[pair[0]] + a.right + gap(a, b));
                }
            }
            assert!((0..x.len()).all(|v| x[v] >= layers.vertices[v].left));
        }
    }

    #[test]
    fn a_loop_leaves_its_body_straight() {
        let mut graph = Graph {
            nodes: vec![
                NodeBox {
                    rx: 13,
                    ry: 13,
                    ..NodeBox::default()
                };
                6
            ],
            ..Graph::default()
        };
        graph.links = (0..5).map(|n| Link::new(n, n + 1)).collect();
        graph.links.push(Link::new(4, 1));
        let layers = layers(&graph);
        let x = positions(&layers);
        assert!((1..6).all(|node| x[node] == x[0]), "{x:?}");
    }
}
