//! Graphs with a mirror: two processes change their names, and nodes their sides.

use space::{Fairness, Pid, Representative};
use store::PlainStore;

use super::{rwf, rwf_note_bytes};
use crate::marked::{Edge, Marked, Node};
use crate::numbers::Numbers;
use crate::{OrbitStore, Outcome, SearchConfig, nested_dfs_fair, scc};

/// Maps each node to its image, and takes the smaller one.
#[derive(Clone)]
struct Mirror {
    images: Vec<u16>,
    swapped: bool,
}

impl Representative for Mirror {
    fn represent(&mut self, state: &mut [u8]) {
        let node = u16::from_le_bytes([state[0], state[1]]);
        let image = self.images[usize::from(node)];
        self.swapped = image < node;
        state[..2].copy_from_slice(&node.min(image).to_le_bytes());
    }

    fn renamed(&self, pid: Pid) -> Pid {
        match self.swapped {
            true => Pid(1 - pid.0),
            false => pid,
        }
    }

    fn original(&self, pid: Pid) -> Pid {
        self.renamed(pid)
    }
}

fn edge(pid: u8, to: usize, accepting: bool) -> Edge {
    Edge {
        pid,
        to,
        sets: u32::from(accepting),
        ..Edge::default()
    }
}

fn search_exactly(graph: &mut Marked, mirror: &Mirror) -> Outcome {
    let mut store = PlainStore::with_note(rwf_note_bytes(graph.sets, 2));
    let config = SearchConfig::default();
    rwf(graph, &mut store, &mut mirror.clone(), 2, &config).0
}

fn graph(nodes: &[&[(u8, usize)]], accepting: &[usize]) -> Marked {
    let node = |(number, edges): (usize, &&[(u8, usize)])| Node {
        free: (edges.iter())
            .map(|&(pid, to)| edge(pid, to, accepting.contains(&number)))
            .collect(),
        ..Node::default()
    };
    Marked {
        nodes: nodes.iter().enumerate().map(node).collect(),
        sets: 1,
        on_states: true,
        ..Marked::default()
    }
}

/// [001 ch. 7, Fig. 9]: the states s1 and s4, s2 and s3, s5 and s6 of the figure are mirrored. They
/// are numbered 1 and 4, 2 and 5, 3 and 6 here. From s1 to s2, to s3, back to s2 and to s1 both
/// processes move.
#[test]
fn a_fair_cycle_that_representatives_hide() {
    let nodes: [&[(u8, usize)]; 7] = [
        &[(0, 1), (1, 4)],
        &[(0, 2), (1, 3)],
        &[(0, 5), (0, 1), (1, 3)],
        &[(0, 3), (1, 3)],
        &[(1, 5), (0, 6)],
        &[(1, 2), (1, 4), (0, 6)],
        &[(0, 6), (1, 6)],
    ];
    let mut all = graph(&nodes, &[1, 4]);
    let mirror = Mirror {
        images: vec![0, 4, 5, 6, 1, 2, 3],
        swapped: false,
    };
    let config = SearchConfig::default();
    let (plain, _) = nested_dfs_fair(&mut all, PlainStore::with_note, &config);
    assert_eq!(plain.findings().len(), 1);

    // [001 ch. 7, Fig. 10]: between representatives process 1 never moves from s1 to s2 and back.
    let quotient: [&[(u8, usize)]; 4] = [
        &[(0, 1), (1, 1)],
        &[(0, 2), (1, 3)],
        &[(0, 2), (0, 1), (1, 3)],
        &[(0, 3), (1, 3)],
    ];
    let mut quotient = graph(&quotient, &[1]);
    let (naive, _) = nested_dfs_fair(&mut quotient, PlainStore::with_note, &config);
    assert!(naive.findings().is_empty());

    assert_eq!(search_exactly(&mut all, &mirror).findings().len(), 1);
}

/// The nodes 0 and 1 are on an accepting cycle on which process 1 never moves, though it always could.
/// The search leaves node 1 before it has found node 2 with its fair cycle. The searches from node 1
/// go back to node 0 and come to node 2, and must not keep those of node 2 from going there.
/// [001 ch. 7, Fig. 14] executed literally misses the cycle of node 2.
#[test]
fn an_earlier_seed() {
    let nodes: [&[(u8, usize)]; 4] = [&[(0, 1), (1, 2)], &[(0, 0), (1, 3)], &[(0, 2)], &[]];
    let mut all = graph(&nodes, &[1, 2]);
    let mirror = Mirror {
        images: (0..4).collect(),
        swapped: false,
    };
    assert_eq!(search_exactly(&mut all, &mirror).findings().len(), 1);
}

/// The same with both processes in either role: the states 1 and 2, 3 and 4, 5 and 6 are mirrored, and 7
/// is its own image. 1 and 6 are on a cycle of process 0, which process 1 could leave for 7, where both
/// move. The figure misses that cycle, too.
#[test]
fn an_earlier_seed_with_an_image() {
    let nodes: [&[(u8, usize)]; 8] = [
        &[(0, 1), (1, 2)],
        &[(0, 6), (1, 7)],
        &[(0, 7), (1, 5)],
        &[],
        &[],
        &[(0, 4), (1, 2)],
        &[(0, 1), (1, 3)],
        &[(0, 7), (1, 7)],
    ];
    let mut all = graph(&nodes, &[5, 6, 7]);
    let mirror = Mirror {
        images: vec![0, 2, 1, 4, 3, 6, 5, 7],
        swapped: false,
    };
    assert_eq!(search_exactly(&mut all, &mirror).findings().len(), 1);
}

/// Two processes take a lock in turn. One that waits for it is disabled, so every cycle is fair, and
/// every state accepts. [000, Fig. 4] executed literally finds none of them. Its first seed is node 2,
/// where process 0 is disabled: the search waits for process 1 there, and meets node 0 in the copy of the
/// seed. From there process 0 could move to node 1, but in the copy where process 1 is waited for
/// the representative of node 1 is that of node 2, and known. The search from node 0 finds nothing
/// but known states. Ours has no moves between the copies of a state and closes the cycle.
#[test]
fn a_lock() {
    let nodes: [&[(u8, usize)]; 3] = [&[(0, 1), (1, 2)], &[(0, 0)], &[(1, 0)]];
    let mirror = Mirror {
        images: vec![0, 2, 1],
        swapped: false,
    };
    let config = SearchConfig::default();
    for accepting in [&[0, 1, 2][..], &[0], &[1, 2]] {
        let mut lock = graph(&nodes, accepting);
        assert_eq!(search_exactly(&mut lock, &mirror).findings().len(), 1);
        let make =
            |note| OrbitStore::<_, _, true>::new(PlainStore::with_note(note), mirror.clone());
        let (light, _) = nested_dfs_fair(&mut lock, make, &config);
        assert_eq!(light.findings().len(), 1, "{accepting:?}");
    }
}

/// A random graph with a mirror: the image of a node is as many nodes further on.
fn random(rng_seed: u64) -> (Marked, Mirror) {
    let mut numbers = Numbers::new(rng_seed);
    let half = 3 * (1 + numbers.below(2));
    let sets = numbers.below(3) as u32;
    let image = |node: usize| (node + half) % (2 * half);
    let mut nodes = vec![Node::default(); 2 * half];
    let rare = 1 + numbers.below(4);
    for number in 0..half {
        for _ in 0..1 + numbers.below(3) {
            let pid = numbers.below(2) as u8;
            let to = numbers.below(2 * half);
            let accepting = (0..sets).fold(0, |all, set| {
                all | u32::from(numbers.below(rare) == 0) << set
            });
            let own = Edge {
                sets: accepting,
                ..edge(pid, to, false)
            };
            let other = Edge {
                pid: 1 - pid,
                to: image(to),
                ..own
            };
            nodes[number].free.push(own);
            nodes[image(number)].free.push(other);
        }
    }
    let images = (0..2 * half).map(|node| image(node) as u16).collect();
    let graph = Marked {
        nodes,
        sets,
        ..Marked::default()
    };
    let swapped = false;
    (graph, Mirror { images, swapped })
}

/// What is found with symmetry is what is found without; the debugging algorithm of [000, Fig. 4]
/// finds no more.
#[test]
fn random_graphs() {
    let config = SearchConfig::default();
    let (mut fair, mut missed, mut smaller) = (0, 0, 0);
    for rng_seed in 0..20_000 {
        let (mut graph, mirror) = random(rng_seed);
        let mut store = PlainStore::with_note(crate::SCC_NOTE_BYTES);
        let plain = scc(&mut graph, &mut store, Fairness::Weak, &config);
        let exact = search_exactly(&mut graph, &mirror);
        let wanted = plain.findings().len();
        assert_eq!(exact.findings().len(), wanted, "seed {rng_seed}");
        if wanted == 0 {
            assert!(exact.exhaustive().is_some());
            smaller += u32::from(exact.statistics.stored < plain.statistics.stored);
        }
        let make =
            |note| OrbitStore::<_, _, true>::new(PlainStore::with_note(note), mirror.clone());
        let (light, _) = nested_dfs_fair(&mut graph, make, &config);
        assert!(light.findings().len() <= wanted, "seed {rng_seed}");
        fair += wanted;
        missed += wanted - light.findings().len();
    }
    assert!(fair > 1000 && smaller > 1000, "{fair} {smaller}");
    println!("{fair} fair cycles, {missed} of them missed by the light algorithm");
}
