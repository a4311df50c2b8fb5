//! Order within the layers: few crossings.
//!
//! Follows: [Sugiyama, Tagawa, Toda 1981] for the sweeps, which sort each layer by the
//! barycentres of the neighbours in the layer before; [Gansner et al. 1993], second pass, for
//! the first order by a search and the exchange of neighbouring vertices after each sweep.
//!
//! Departs: a vertex without neighbours in the layer before keeps its place. There are three
//! first orders, of which the best after all sweeps is taken; one comes from a search that
//! ignores directions, which is often already right for loops. The number of sweeps shrinks
//! with the graph's size.

use super::crossing::{crossings, crossings_of_pair};
use super::layer::Layers;

/// Sweeps of a small graph, over all first orders.
const SWEEPS: usize = 48;
/// Segments times sweeps.
const WORK: usize = 300_000;
/// Sweeps in a row that save no crossing before an order is left as it is.
const PATIENCE: usize = 6;

/// Order the rows of layers.
pub fn order(layers: &mut Layers) {
    let sweeps = (WORK / (layers.segments.len() + 1)).clamp(4, SWEEPS);
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    for search in [Search::Around, Search::Down, Search::Up] {
        let mut place = first_order(layers, search);
        let run = sweep(layers, &mut place, sweeps / 3 + 1);
        let better = best.as_ref().is_none_or(|(least, _)| run.0 < *least);
        let done = run.0 == 0;
        if better {
            best = Some(run);
        }
        if done {
            break;
        }
    }
    if let Some((_, rows)) = best {
        layers.rows = rows;
    }
}

/// Improve an order; returns the best one and its crossings.
fn sweep(layers: &mut Layers, place: &mut [usize], sweeps: usize) -> (usize, Vec<Vec<usize>>) {
    let mut best = layers.rows.clone();
    let mut least = count(layers, place);
    let mut in_vain = 0;
    for sweep in 0..sweeps {
        if least == 0 || in_vain == PATIENCE {
            break;
        }
        let downwards = sweep % 2 == 0;
        // Vertices of the same barycentre are turned round in every other pair of sweeps.
        barycentres(layers, place, downwards, sweep % 4 >= 2);
        exchange(layers, place);
        let crossings = count(layers, place);
        in_vain += 1;
        if crossings < least {
            (least, in_vain) = (crossings, 0);
            best.clone_from(&layers.rows);
        }
    }
    (least, best)
}

/// Where the search for a first order goes from a vertex.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Down first, then up: the way back of a loop stands beside its end.
    Around,
    /// Down only, from the top.
    Down,
    /// Up only, from the bottom.
    Up,
}

/// Order the rows by a depth-first search in the order of edges: what belongs together
/// stands together.
fn first_order(layers: &mut Layers, search: Search) -> Vec<usize> {
    let mut place = vec![usize::MAX; layers.vertices.len()];
    let mut starts: Vec<usize> = layers.rows.iter().flatten().copied().collect();
    starts.sort_by_key(|&vertex| (layers.vertices[vertex].rank, vertex));
    if search == Search::Up {
        starts.reverse();
    }
    for row in &mut layers.rows {
        row.clear();
    }
    let mut stack = Vec::new();
    for start in starts {
        stack.push(start);
        while let Some(vertex) = stack.pop() {
            if place[vertex] != usize::MAX {
                continue;
            }
            let row = &mut layers.rows[layers.vertices[vertex].rank];
            place[vertex] = row.len();
            row.push(vertex);
            if search != Search::Down {
                stack.extend(layers.above[vertex].iter().rev());
            }
            if search != Search::Up {
                stack.extend(layers.below[vertex].iter().rev());
            }
        }
    }
    place
}

fn count(layers: &Layers, place: &[usize]) -> usize {
    let mut segments = Vec::new();
    let mut total = 0;
    for (row, next) in layers.rows.iter().zip(layers.rows.iter().skip(1)) {
        segments.clear();
        for &upper in row {
            let lower = layers.below[upper].iter();
            segments.extend(lower.map(|&lower| (place[upper], place[lower])));
        }
        total += crossings(&mut segments, next.len());
    }
    total
}

fn barycentres(layers: &mut Layers, place: &mut [usize], downwards: bool, turn_ties: bool) {
    let rows = layers.rows.len();
    for step in 1..rows {
        let (row, neighbours) = match downwards {
            true => (step, &layers.above),
            false => (rows - 1 - step, &layers.below),
        };
        let vertices = &mut layers.rows[row];
        let mut keys: Vec<(f64, usize)> = Vec::new();
        for (at, &vertex) in vertices.iter().enumerate() {
            let ends = &neighbours[vertex];
            if !ends.is_empty() {
                let sum: usize = ends.iter().map(|&end| place[end]).sum();
                let tie = if turn_ties { vertices.len() - at } else { at };
                keys.push((sum as f64 / ends.len() as f64, tie));
            }
        }
        // Only the places of vertices with neighbours are given anew.
        let free: Vec<usize> = (0..vertices.len())
            .filter(|&at| !neighbours[vertices[at]].is_empty())
            .collect();
        let mut sorted: Vec<usize> = (0..free.len()).collect();
        sorted.sort_by(|&a, &b| {
            let (a, b) = (keys[a], keys[b]);
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        let moved: Vec<usize> = sorted.iter().map(|&i| vertices[free[i]]).collect();
        for (&at, vertex) in free.iter().zip(moved) {
            vertices[at] = vertex;
            place[vertex] = at;
        }
    }
}

/// Exchange neighbours as long as that saves crossings.
fn exchange(layers: &mut Layers, place: &mut [usize]) {
    const ROUNDS: usize = 6;
    let mut dirty = vec![true; layers.rows.len()];
    let mut ends = Ends::default();
    for _ in 0..ROUNDS {
        let mut next_dirty = vec![false; dirty.len()];
        for row in (0..dirty.len()).filter(|&row| dirty[row]) {
            ends.collect(layers, place, row);
            let vertices = &mut layers.rows[row];
            let mut improved = false;
            for at in 1..vertices.len() {
                let now = ends.crossings(at - 1, at);
                if now > 0 && ends.crossings(at, at - 1) < now {
                    ends.bounds.swap(at - 1, at);
                    vertices.swap(at - 1, at);
                    place[vertices[at - 1]] = at - 1;
                    place[vertices[at]] = at;
                    improved = true;
                }
            }
            if improved {
                let near = row.saturating_sub(1)..(row + 2).min(dirty.len());
                next_dirty[near].fill(true);
            }
        }
        if !next_dirty.contains(&true) {
            return;
        }
        dirty = next_dirty;
    }
}

/// For the vertices of a row, the sorted places of their neighbours above and below.
#[derive(Default)]
struct Ends {
    places: Vec<usize>,
    /// Where those above begin, where those below begin, and where they end.
    bounds: Vec<(usize, usize, usize)>,
}

impl Ends {
    fn collect(&mut self, layers: &Layers, place: &[usize], row: usize) {
        self.places.clear();
        self.bounds.clear();
        for &vertex in &layers.rows[row] {
            let start = self.places.len();
            let above = &layers.above[vertex];
            self.places.extend(above.iter().map(|&end| place[end]));
            let middle = self.places.len();
            let below = &layers.below[vertex];
            self.places.extend(below.iter().map(|&end| place[end]));
            let end = self.places.len();
            self.places[start..middle].sort_unstable();
            self.places[middle..end].sort_unstable();
            self.bounds.push((start, middle, end));
        }
    }

    /// The crossings of two vertices of the row if one stands to the left of the other.
    fn crossings(&self, left: usize, right: usize) -> usize {
        let (l, r) = (self.bounds[left], self.bounds[right]);
        let above = crossings_of_pair(&self.places[l.0..l.1], &self.places[r.0..r.1]);
        let below = crossings_of_pair(&self.places[l.1..l.2], &self.places[r.1..r.2]);
        above + below
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::program;
    use super::super::{cycle, rank};
    use super::*;

    fn layers(seed: u64) -> Layers {
        let graph = program(seed, 40, 25);
        let back = cycle::back_edges(40, 0, &graph.links);
        let ranks = rank::ranks(40, &graph.links, &back);
        Layers::new(&graph, &back, &ranks)
    }

    #[test]
    fn sweeps_save_crossings_and_lose_no_vertex() {
        for seed in 0..20 {
            let mut layers = layers(seed);
            let mut before: Vec<Vec<usize>> = layers.rows.clone();
            let place = first_order(&mut layers, Search::Around);
            let first = count(&layers, &place);
            order(&mut layers);
            let mut place = vec![0; layers.vertices.len()];
            for row in &layers.rows {
                for (at, &vertex) in row.iter().enumerate() {
                    place[vertex] = at;
                }
            }
            assert!(count(&layers, &place) <= first);
            let mut after = layers.rows.clone();
            for row in before.iter_mut().chain(&mut after) {
                row.sort_unstable();
            }
            assert_eq!(before, after);
        }
    }
}
