//! The start of the network simplex method: a feasible solution and a tree of tight edges.
//!
//! Follows: [Gansner et al. 1993], first pass: longest paths give a feasible solution; trees
//! of tight edges are moved until they touch another one, until there is only one tree.
//!
//! Departs: the paper grows one tree by one node at a time. Here all trees of tight edges are
//! found at once, and the smallest one moves, so each node moves a logarithmic number of times.
//! A graph that is not connected keeps several trees.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::simplex::Constraint;

/// A feasible solution and the tight edges of a spanning tree. `incident` are the edges at
/// each node.
pub fn grow(edges: &[Constraint], incident: &[Vec<usize>]) -> (Vec<i64>, Vec<usize>) {
    let mut x = longest_paths(edges, incident);
    let mut forest = Forest::new(edges, incident.len());
    for (id, edge) in edges.iter().enumerate() {
        if edge.slack(&x) == 0 {
            forest.join(id);
        }
    }
    let trees = (0..incident.len()).filter(|&tree| !forest.members[tree].is_empty());
    let mut queue: BinaryHeap<Reverse<(usize, usize)>> = trees
        .map(|tree| Reverse((forest.members[tree].len(), tree)))
        .collect();
    while let Some(Reverse((size, tree))) = queue.pop() {
        if forest.members[tree].len() != size {
            continue;
        }
        let touching = forest.members[tree].iter().flat_map(|&v| &incident[v]);
        let leaving = touching.filter(|&&edge| forest.connects(edge));
        let tightest = leaving.min_by_key(|&&edge| (edges[edge].slack(&x), edge));
        let Some(&edge) = tightest else { continue };
        let slack = edges[edge].slack(&x);
        let outwards = forest.tree_of[edges[edge].from] == tree;
        for &node in &forest.members[tree] {
            x[node] += if outwards { slack } else { -slack };
        }
        let joined = forest.join(edge);
        queue.push(Reverse((forest.members[joined].len(), joined)));
    }
    (x, forest.tree_edges)
}

/// Each node as low as those in front of it allow, and those with nothing in front as high
/// as those behind them allow.
fn longest_paths(edges: &[Constraint], incident: &[Vec<usize>]) -> Vec<i64> {
    let nodes = incident.len();
    let mut x = vec![0; nodes];
    let mut waiting = vec![0; nodes];
    for edge in edges {
        waiting[edge.to] += 1;
    }
    let sources: Vec<usize> = (0..nodes).filter(|&v| waiting[v] == 0).collect();
    let mut ready = sources.clone();
    while let Some(node) = ready.pop() {
        for edge in incident[node].iter().map(|&edge| &edges[edge]) {
            if edge.from == node {
                x[edge.to] = x[edge.to].max(x[node] + edge.length);
                waiting[edge.to] -= 1;
                if waiting[edge.to] == 0 {
                    ready.push(edge.to);
                }
            }
        }
    }
    for node in sources {
        let room = incident[node]
            .iter()
            .map(|&edge| edges[edge].slack(&x))
            .min();
        x[node] += room.unwrap_or(0);
    }
    x
}

/// Trees of tight edges.
struct Forest<'a> {
    edges: &'a [Constraint],
    /// The tree of each node.
    tree_of: Vec<usize>,
    /// The nodes of each tree; none once it has become part of another one.
    members: Vec<Vec<usize>>,
    tree_edges: Vec<usize>,
}

impl<'a> Forest<'a> {
    fn new(edges: &'a [Constraint], nodes: usize) -> Forest<'a> {
        Forest {
            edges,
            tree_of: (0..nodes).collect(),
            members: (0..nodes).map(|node| vec![node]).collect(),
            tree_edges: Vec::new(),
        }
    }

    fn connects(&self, edge: usize) -> bool {
        let edge = &self.edges[edge];
        self.tree_of[edge.from] != self.tree_of[edge.to]
    }

    /// Make an edge a tree edge if it connects two trees; returns the tree.
    fn join(&mut self, edge: usize) -> usize {
        let ends = &self.edges[edge];
        let (a, b) = (self.tree_of[ends.from], self.tree_of[ends.to]);
        if a == b {
            return a;
        }
        self.tree_edges.push(edge);
        let larger = self.members[a].len() >= self.members[b].len();
        let (large, small) = if larger { (a, b) } else { (b, a) };
        let moved = std::mem::take(&mut self.members[small]);
        for &node in &moved {
            self.tree_of[node] = large;
        }
        self.members[large].extend(moved);
        large
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_tight_and_span_the_graph() {
        let edge = |from, to, length| Constraint {
            from,
            to,
            length,
            weight: 1,
        };
        // Nodes 3 and 4 are apart from the rest.
        let edges = [edge(0, 1, 2), edge(1, 2, 1), edge(0, 2, 5), edge(3, 4, 1)];
        let mut incident = vec![Vec::new(); 5];
        for (id, edge) in edges.iter().enumerate() {
            incident[edge.from].push(id);
            incident[edge.to].push(id);
        }
        let (x, tree) = grow(&edges, &incident);
        assert_eq!(tree.len(), 3);
        assert!(tree.iter().all(|&id| edges[id].slack(&x) == 0));
        assert!(edges.iter().all(|edge| edge.slack(&x) >= 0));
    }
}
