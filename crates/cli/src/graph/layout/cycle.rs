//! Breaking cycles: which edges point upwards.
//!
//! Follows: [Gansner et al. 1993], first pass: a depth-first search from the root; edges that
//! lead to a node on the search's stack close a cycle and are drawn against their direction.
//! In the graph of a structured program these are the ends of loops.
//!
//! Departs: nothing.

use super::Link;

/// What the search knows of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Color {
    White,
    OnStack,
    Done,
}

/// For each edge, whether it must be turned round to leave a graph without cycles. Loops
/// from a node to itself and stubs are not turned round.
pub fn back_edges(nodes: usize, root: usize, links: &[Link]) -> Vec<bool> {
    let mut out = vec![Vec::new(); nodes];
    for (edge, link) in links.iter().enumerate() {
        if !link.is_beside() {
            out[link.source].push(edge);
        }
    }
    let mut back = vec![false; links.len()];
    let mut color = vec![Color::White; nodes];
    for start in std::iter::once(root).chain(0..nodes) {
        if color[start] != Color::White {
            continue;
        }
        color[start] = Color::OnStack;
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                color[*node] = Color::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let target = links[edge].target;
            match color[target] {
                Color::White => {
                    color[target] = Color::OnStack;
                    stack.push((target, 0));
                }
                Color::OnStack => back[edge] = true,
                Color::Done => {}
            }
        }
    }
    back
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(nodes: usize, edges: &[(usize, usize)], expected: &[(usize, usize)]) {
        let links: Vec<Link> = edges.iter().map(|&(s, t)| Link::new(s, t)).collect();
        let back = back_edges(nodes, 0, &links);
        let turned = edges.iter().zip(&back).filter(|(_, back)| **back);
        assert_eq!(turned.map(|(e, _)| *e).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn loops_end_with_a_back_edge() {
        check(3, &[(0, 1), (1, 2), (2, 0)], &[(2, 0)]);
        check(4, &[(0, 1), (1, 2), (2, 1), (1, 3)], &[(2, 1)]);
    }

    #[test]
    fn joins_and_self_loops_are_not() {
        check(4, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 3)], &[]);
    }
}
