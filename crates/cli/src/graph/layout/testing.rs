//! Random graphs for the tests of the layout.

use super::{Graph, Link, NodeBox};

/// A small generator of random numbers: SplitMix64.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// A graph like that of a program: mostly a chain, with branches, loops and jumps.
pub fn program(seed: u64, nodes: usize, jumps: usize) -> Graph {
    let mut rng = Rng::new(seed);
    let mut graph = Graph::default();
    for node in 0..nodes {
        graph.nodes.push(NodeBox {
            rx: 13,
            ry: 13,
            text_width: if rng.below(6) == 0 { 60 } else { 0 },
            text_height: 14,
        });
        if node > 0 {
            let near = 1 + rng.below(node.min(3));
            graph.links.push(Link::new(node - near, node));
        }
    }
    for _ in 0..jumps {
        let source = rng.below(nodes);
        let target = match rng.below(8) {
            0 => rng.below(nodes),
            1 => source,
            2..4 => (source + rng.below(4)).min(nodes - 1),
            _ => source.saturating_sub(rng.below(10)),
        };
        graph.links.push(Link::new(source, target));
    }
    for link in &mut graph.links {
        link.minor = rng.below(5) == 0;
        link.label = match rng.below(8) {
            0 => (0, 0),
            n => (10 + 20 * n as i64, 14 * (1 + rng.below(3) as i64)),
        };
    }
    graph
}
