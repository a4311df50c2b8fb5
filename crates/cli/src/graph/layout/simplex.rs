//! The network simplex method: numbers that keep their distances and are close together.
//!
//! Given constraints `x[to] - x[from] >= length`, find integers that satisfy all of them
//! with the least sum of `weight * (x[to] - x[from])`. Both ranks and horizontal positions
//! are such a problem.
//!
//! Follows: [Gansner et al. 1993], first pass: start with a feasible solution and a spanning
//! tree of tight constraints (`tight_tree`), then exchange a tree edge with a negative cut
//! value for the tightest one across the cut, until no cut value is negative.
//!
//! Departs: a cut value is the sum of the excess of weights over one side of the cut, so
//! only such sums are kept per subtree, and updated along the exchanged path; the smaller
//! side of a cut is searched and moved, so the postorder numbers of the paper are not
//! needed. The number of exchanges is bounded: every solution on the way is feasible, and a
//! drawing that is a little wider is still a drawing.

use super::tight_tree;

/// `x[to] - x[from] >= length`, and every unit more costs `weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The smaller variable.
    pub from: usize,
    /// The larger variable.
    pub to: usize,
    /// Their least distance.
    pub length: i64,
    /// The price of distance; not negative.
    pub weight: i64,
}

impl Constraint {
    /// How much further apart the variables are than they must be.
    pub fn slack(&self, x: &[i64]) -> i64 {
        x[self.to] - x[self.from] - self.length
    }
}

/// Solve constraints over `nodes` variables; they must not form a cycle. At most so many
/// `pivots` are made. The least value of the solution is 0.
pub fn solve(nodes: usize, edges: &[Constraint], pivots: usize) -> Vec<i64> {
    let mut simplex = Simplex::new(nodes, edges);
    simplex.root_trees();
    simplex.improve(pivots);
    let least = simplex.x.iter().copied().min().unwrap_or(0);
    simplex.x.iter().map(|x| x - least).collect()
}

/// No node, no edge.
const NONE: usize = usize::MAX;

struct Simplex<'a> {
    edges: &'a [Constraint],
    /// The edges at each node, in and out.
    incident: Vec<Vec<usize>>,
    x: Vec<i64>,
    /// The tree edges at each node.
    tree: Vec<Vec<usize>>,
    /// The tree edge to the parent.
    parent: Vec<usize>,
    /// Over the subtree: weights of edges out minus weights of edges in, so of those that
    /// leave it minus those that enter it.
    excess: Vec<i64>,
    /// Nodes of the subtree.
    size: Vec<i64>,
    /// The root of the tree that a node belongs to.
    root: Vec<usize>,
    /// Marks of the side that was visited last.
    mark: Vec<u32>,
    stamp: u32,
}

impl<'a> Simplex<'a> {
    fn new(nodes: usize, edges: &'a [Constraint]) -> Simplex<'a> {
        let mut incident = vec![Vec::new(); nodes];
        for (id, edge) in edges.iter().enumerate() {
            incident[edge.from].push(id);
            incident[edge.to].push(id);
        }
        let (x, tree_edges) = tight_tree::grow(edges, &incident);
        let mut tree = vec![Vec::new(); nodes];
        for edge in tree_edges {
            tree[edges[edge].from].push(edge);
            tree[edges[edge].to].push(edge);
        }
        Simplex {
            edges,
            incident,
            x,
            tree,
            parent: vec![NONE; nodes],
            excess: vec![0; nodes],
            size: vec![1; nodes],
            root: vec![NONE; nodes],
            mark: vec![0; nodes],
            stamp: 0,
        }
    }

    fn slack(&self, edge: usize) -> i64 {
        self.edges[edge].slack(&self.x)
    }

    fn other(&self, edge: usize, node: usize) -> usize {
        let e = &self.edges[edge];
        if e.from == node { e.to } else { e.from }
    }

    /// Choose a root in each tree and sum up the subtrees.
    fn root_trees(&mut self) {
        for edge in self.edges {
            self.excess[edge.from] += edge.weight;
            self.excess[edge.to] -= edge.weight;
        }
        for start in 0..self.x.len() {
            if self.root[start] != NONE {
                continue;
            }
            let mut order = vec![start];
            self.root[start] = start;
            let mut next = 0;
            while next < order.len() {
                let node = order[next];
                next += 1;
                for at in 0..self.tree[node].len() {
                    let edge = self.tree[node][at];
                    if edge != self.parent[node] {
                        let child = self.other(edge, node);
                        self.parent[child] = edge;
                        self.root[child] = start;
                        order.push(child);
                    }
                }
            }
            for &node in order.iter().skip(1).rev() {
                let up = self.other(self.parent[node], node);
                self.excess[up] += self.excess[node];
                self.size[up] += self.size[node];
            }
        }
    }

    /// The cut value of the tree edge above a node.
    fn cut(&self, child: usize) -> i64 {
        match self.edges[self.parent[child]].from == child {
            true => self.excess[child],
            false => -self.excess[child],
        }
    }

    fn improve(&mut self, pivots: usize) {
        /// Of so many candidates the one with the most negative cut value is taken.
        const CANDIDATES: usize = 30;
        let nodes = self.x.len();
        let mut cursor = 0;
        for _ in 0..pivots {
            let mut best = NONE;
            let mut found = 0;
            for step in 0..nodes {
                let node = (cursor + step) % nodes;
                if self.parent[node] == NONE || self.cut(node) >= 0 {
                    continue;
                }
                if best == NONE || self.cut(node) < self.cut(best) {
                    best = node;
                }
                found += 1;
                if found == CANDIDATES {
                    cursor = (node + 1) % nodes;
                    break;
                }
            }
            if best == NONE {
                return;
            }
            self.exchange(best);
        }
    }

    /// Replace the tree edge above `child` by the tightest one across the cut.
    fn exchange(&mut self, child: usize) {
        let leaving = self.parent[child];
        let above = self.other(leaving, child);
        // The side that the leaving edge points to moves away from the other one.
        let child_moves = self.edges[leaving].to == child;
        let below = self.size[child] * 2 <= self.size[self.root[child]];
        let side = self.side(child, below);
        let side_moves = child_moves == below;
        let mut entering: Option<(i64, usize)> = None;
        for &node in &side {
            for &edge in &self.incident[node] {
                let e = &self.edges[edge];
                // From the side that moves to the one that stays.
                let (inside, outside) = if side_moves {
                    (e.from, e.to)
                } else {
                    (e.to, e.from)
                };
                if self.mark[inside] == self.stamp && self.mark[outside] != self.stamp {
                    let candidate = (self.slack(edge), edge);
                    entering = Some(entering.map_or(candidate, |best| best.min(candidate)));
                }
            }
        }
        // A negative cut value means that there are edges in the other direction.
        let Some((slack, edge)) = entering else {
            return;
        };
        let shift = if side_moves { slack } else { -slack };
        for &node in &side {
            self.x[node] += shift;
        }
        let e = &self.edges[edge];
        let from_below = (self.mark[e.from] == self.stamp) == below;
        let (inner, outer) = if from_below {
            (e.from, e.to)
        } else {
            (e.to, e.from)
        };
        self.rehang(child, above, edge, inner, outer);
    }

    /// The nodes of one side of the cut above `child`, marked.
    fn side(&mut self, child: usize, below: bool) -> Vec<usize> {
        self.stamp += 1;
        let start = if below { child } else { self.root[child] };
        let cut = self.parent[child];
        self.mark[start] = self.stamp;
        let mut side = vec![start];
        let mut next = 0;
        while next < side.len() {
            let node = side[next];
            next += 1;
            for &edge in &self.tree[node] {
                let other = self.other(edge, node);
                if edge != cut && self.mark[other] != self.stamp {
                    self.mark[other] = self.stamp;
                    side.push(other);
                }
            }
        }
        side
    }

    /// Hang the subtree of `child` by `inner` under `outer` instead of under `above`.
    fn rehang(&mut self, child: usize, above: usize, edge: usize, inner: usize, outer: usize) {
        let leaving = self.parent[child];
        let (excess, size) = (self.excess[child], self.size[child]);
        self.tree[child].retain(|&e| e != leaving);
        self.tree[above].retain(|&e| e != leaving);
        self.tree[inner].push(edge);
        self.tree[outer].push(edge);
        self.add_upwards(above, -excess, -size);
        self.add_upwards(outer, excess, size);
        // Turn the path from `inner` to `child` round.
        let mut node = inner;
        let mut hung_by = edge;
        let (mut taken_excess, mut taken_size) = (0, 0);
        loop {
            let upwards = std::mem::replace(&mut self.parent[node], hung_by);
            let (old_excess, old_size) = (self.excess[node], self.size[node]);
            self.excess[node] = excess - taken_excess;
            self.size[node] = size - taken_size;
            (taken_excess, taken_size) = (old_excess, old_size);
            if node == child {
                return;
            }
            hung_by = upwards;
            node = self.other(upwards, node);
        }
    }

    fn add_upwards(&mut self, from: usize, excess: i64, size: i64) {
        let mut node = from;
        loop {
            self.excess[node] += excess;
            self.size[node] += size;
            match self.parent[node] {
                NONE => return,
                edge => node = self.other(edge, node),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Rng;
    use super::*;

    fn cost(x: &[i64], edges: &[Constraint]) -> i64 {
        edges.iter().map(|e| e.weight * (x[e.to] - x[e.from])).sum()
    }

    fn feasible(x: &[i64], edges: &[Constraint]) -> bool {
        edges.iter().all(|e| x[e.to] - x[e.from] >= e.length)
    }

    /// The least cost among all values up to a bound: slow and obvious.
    fn least_cost(nodes: usize, edges: &[Constraint], bound: i64) -> i64 {
        let mut x = vec![0; nodes];
        let mut best = i64::MAX;
        loop {
            if feasible(&x, edges) {
                best = best.min(cost(&x, edges));
            }
            let Some(at) = x.iter().position(|&value| value < bound) else {
                return best;
            };
            x[at] += 1;
            x[..at].fill(0);
        }
    }

    #[test]
    fn finds_the_least_cost() {
        let mut rng = Rng::new(7);
        for _ in 0..300 {
            let nodes = 2 + rng.below(4);
            let mut edges = Vec::new();
            for _ in 0..1 + rng.below(8) {
                let a = rng.below(nodes);
                let b = rng.below(nodes);
                if a != b {
                    edges.push(Constraint {
                        from: a.min(b),
                        to: a.max(b),
                        length: rng.below(2) as i64,
                        weight: rng.below(4) as i64,
                    });
                }
            }
            let x = solve(nodes, &edges, 1000);
            assert!(feasible(&x, &edges), "{edges:?} {x:?}");
            assert_eq!(
                cost(&x, &edges),
                least_cost(nodes, &edges, 4),
                "{edges:?} {x:?}"
            );
        }
    }
}
