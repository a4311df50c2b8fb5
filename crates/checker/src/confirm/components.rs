//! Strongly connected components of a small graph.

/// The strongly connected component of each node, by one of its nodes, where `edges` holds the
/// successors of each: Tarjan's algorithm with an explicit stack.
pub fn components(edges: &[Vec<(usize, u32)>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut component = vec![NONE; edges.len()];
    let (mut index, mut low) = (vec![NONE; edges.len()], vec![0; edges.len()]);
    let (mut open, mut path, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..edges.len() {
        if index[root] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                index[node] = count;
                low[node] = count;
                count += 1;
                open.push(node);
            }
            if let Some(&(to, _)) = edges[node].get(next) {
                path.push((node, next + 1));
                if index[to] == NONE {
                    path.push((to, 0));
                } else if component[to] == NONE {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    component[member] = node;
                    if member == node {
                        break;
                    }
                }
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    component
}
