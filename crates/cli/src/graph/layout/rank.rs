//! Ranks: the layer of each node, so that edges point downwards and are short.
//!
//! Follows: [Gansner et al. 1993], first pass: the sum of the lengths of the edges is the
//! least possible one, found by the network simplex method.
//!
//! Departs: ranks are not balanced afterwards, since nodes with as many edges in as out
//! and freedom to move are rare in programs.

use super::Link;
use super::simplex::{self, Constraint};

/// Pivots per node before the ranks are taken as they are.
const PIVOTS: usize = 4;

/// The rank of each node, from 0. `back` says which edges are turned round.
pub fn ranks(nodes: usize, links: &[Link], back: &[bool]) -> Vec<usize> {
    let constraint = |(link, &back): (&Link, &bool)| {
        let (from, to) = link.ends(back);
        (!link.is_beside()).then_some(Constraint {
            from,
            to,
            length: 1,
            weight: 1,
        })
    };
    let constraints: Vec<Constraint> = links.iter().zip(back).filter_map(constraint).collect();
    let positions = simplex::solve(nodes, &constraints, PIVOTS * nodes + 100);
    positions.into_iter().map(|rank| rank as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::super::cycle::back_edges;
    use super::*;

    #[track_caller]
    fn check(nodes: usize, edges: &[(usize, usize)], expected: &[usize]) {
        let links: Vec<Link> = edges.iter().map(|&(s, t)| Link::new(s, t)).collect();
        let back = back_edges(nodes, 0, &links);
        assert_eq!(ranks(nodes, &links, &back), expected);
    }

    #[test]
    fn chain_with_loop() {
        check(3, &[(0, 1), (1, 2), (2, 0), (1, 1)], &[0, 1, 2]);
    }

    #[test]
    fn edges_are_short() {
        // The longest path alone would put 3 at rank 1 and make both its edges out long.
        check(
            6,
            &[(0, 1), (1, 2), (2, 4), (2, 5), (0, 3), (3, 4), (3, 5)],
            &[0, 1, 2, 2, 3, 3],
        );
    }
}
