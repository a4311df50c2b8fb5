//! Graphs with acceptance sets, written down as lists of edges, for tests of searches.

use std::collections::BTreeSet;

use space::{
    Acceptance, Control, Expansion, Fairness, Mark, NextState, Pid, Row, Step, TransitionId,
    Violation, ViolationKind,
};

use crate::numbers::Numbers;

mod checks;
mod definition;
mod endless;

pub(crate) use checks::check_limits;
pub(crate) use definition::{States, check, follow, lengths};

/// What a step is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge {
    pub(crate) pid: u8,
    pub(crate) partner: Option<u8>,
    pub(crate) to: usize,
    /// Whether it leads into, or further into, an atomic sequence.
    pub(crate) atomic: bool,
    pub(crate) sets: u32,
    /// Whether it breaks an assertion.
    pub(crate) asserts: bool,
}

/// A step of process 0 out of any atomic sequence.
pub(crate) fn to(to: usize) -> Edge {
    Edge {
        to,
        ..Edge::default()
    }
}

/// Nobody moves.
const NOBODY: u8 = Pid::NOBODY.0;

/// A node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// The steps that are there also under exclusive control.
    pub(crate) exclusive: Vec<Edge>,
    /// All others.
    pub(crate) free: Vec<Edge>,
}

/// A system with the nodes numbered from 0, the initial one. Steps are numbered through: this
/// is their transition and the edge of their mark.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marked {
    pub(crate) nodes: Vec<Node>,
    pub(crate) sets: u32,
    pub(crate) on_states: bool,
    pub(crate) is_weak: bool,
    pub(crate) hidden_len: usize,
    /// How many nodes were expanded.
    pub(crate) expansions: u64,
}

impl Marked {
    /// A graph of steps of process 0, by the successors of each node, where the steps out of
    /// some are accepting.
    pub(crate) fn accepting(successors: &[&[usize]], accepting: &[usize]) -> Marked {
        let node = |(number, targets): (usize, &&[usize])| Node {
            free: (targets.iter())
                .map(|&target| Edge {
                    sets: u32::from(accepting.contains(&number)),
                    ..to(target)
                })
                .collect(),
            ..Node::default()
        };
        Marked {
            nodes: successors.iter().enumerate().map(node).collect(),
            sets: 1,
            on_states: true,
            ..Marked::default()
        }
    }

    /// The steps out of a node with their numbers.
    fn edges(&self, node: usize, control: Control) -> Vec<(u32, Edge)> {
        let before = (self.nodes[..node].iter())
            .map(|node| node.exclusive.len() + node.free.len())
            .sum::<usize>() as u32;
        let Node { exclusive, free } = &self.nodes[node];
        let all = (before..).zip(exclusive.iter().chain(free).copied());
        match control {
            Control::Free => all.collect(),
            Control::Exclusive(_) => all.take(exclusive.len()).collect(),
        }
    }

    fn vector(&self, node: usize, hidden: u8) -> Vec<u8> {
        let mut vector = vec![hidden; self.hidden_len];
        vector.extend_from_slice(&(node as u16).to_le_bytes());
        vector.resize(vector.len() + node % 3, 7);
        vector
    }

    /// The processes that are enabled in a state.
    fn enabled(&self, node: usize) -> BTreeSet<u8> {
        let edges = self.edges(node, Control::Free).into_iter();
        let pids = edges.map(|(_, edge)| edge.pid);
        pids.filter(|&pid| pid != NOBODY).collect()
    }
}

fn movers(edge: &Edge) -> impl Iterator<Item = u8> {
    let own = (edge.pid != NOBODY).then_some(edge.pid);
    own.into_iter().chain(edge.partner)
}

fn control(edge: &Edge) -> Control {
    match edge.atomic {
        true => Control::Exclusive(Pid(0)),
        false => Control::Free,
    }
}

impl NextState for Marked {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(self.vector(0, 0))
    }

    fn hidden_len(&self) -> usize {
        self.hidden_len
    }

    fn transition_count(&self) -> usize {
        let count = |node: &Node| node.exclusive.len() + node.free.len();
        self.nodes.iter().map(count).sum()
    }

    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        self.expansions += 1;
        found.moved = false;
        let bytes = [state[self.hidden_len], state[self.hidden_len + 1]];
        let node = usize::from(u16::from_le_bytes(bytes));
        let hidden = state[..self.hidden_len].first().copied().unwrap_or(0);
        for (number, edge) in self.edges(node, control) {
            let step = Step {
                pid: Pid(edge.pid),
                transition: match edge.pid {
                    NOBODY => TransitionId::STUTTER,
                    _ => TransitionId(number),
                },
                partner: edge.partner.map(|pid| (Pid(pid), TransitionId(number))),
            };
            if edge.partner.is_some() {
                found.push_bare(Row::new(None, Control::Free, Row::OFFER));
                found.marks.push(Mark::default());
            }
            let vector = self.vector(edge.to, hidden.wrapping_add(1));
            found.push(Row::new(Some(step), self::control(&edge), 0), &vector);
            found.marks.push(Mark {
                sets: edge.sets,
                edge: number,
            });
            if edge.asserts {
                found.blame(ViolationKind::Assertion.into());
            }
            found.moved = true;
        }
    }

    fn is_valid_end(&mut self, _state: &[u8]) -> bool {
        true
    }
}

impl Acceptance for Marked {
    fn sets(&self) -> u32 {
        self.sets
    }

    fn on_states(&self) -> bool {
        self.on_states
    }

    fn is_weak(&self) -> bool {
        self.is_weak
    }
}

/// A random graph. Steps into atomic sequences lead to greater numbers, so that they end.
pub(crate) fn random_marked(rng_seed: u64) -> Marked {
    let mut numbers = Numbers::new(rng_seed);
    let count = 1 + numbers.below(9);
    let processes = 1 + numbers.below(3);
    let sets = numbers.below(4) as u32;
    let on_states = numbers.below(2) == 0;
    let rare = 1 + numbers.below(6);
    let atomic = numbers.below(3);
    // In some graphs all processes but one can only leave for the last node, and never come
    // back: where they are enabled, cycles are not strongly fair to them.
    let leaving = numbers.below(3) == 0;
    let mut graph = Marked {
        nodes: vec![Node::default(); count],
        sets,
        on_states,
        hidden_len: numbers.below(3),
        ..Marked::default()
    };
    for (n, node) in graph.nodes.iter_mut().enumerate() {
        let some_sets = |numbers: &mut Numbers| {
            (0..sets).fold(0, |all, set| {
                all | u32::from(numbers.below(rare) == 0) << set
            })
        };
        let of_node = some_sets(&mut numbers);
        for kind in 0..2 {
            let steps = match kind {
                0 => numbers.below(1 + atomic),
                _ => numbers.below(4),
            };
            for _ in 0..steps {
                let pid = numbers.below(processes) as u8;
                let target = match leaving && pid > 0 {
                    true => count - 1,
                    false => numbers.below(count),
                };
                if leaving && n + 1 == count {
                    continue;
                }
                let edge = Edge {
                    pid,
                    partner: (numbers.below(6) == 0).then(|| (pid + 1) % processes as u8),
                    to: target,
                    atomic: atomic > 0 && target > n && numbers.below(3) > 0,
                    sets: match on_states {
                        true => of_node,
                        false => some_sets(&mut numbers),
                    },
                    asserts: numbers.below(20) == 0,
                };
                let edge = Edge {
                    partner: edge.partner.filter(|&partner| partner != pid),
                    ..edge
                };
                match kind {
                    0 => node.exclusive.push(edge),
                    _ => node.free.push(edge),
                }
            }
        }
        if node.exclusive.is_empty() && node.free.is_empty() && numbers.below(2) == 0 {
            node.free.push(Edge {
                pid: NOBODY,
                sets: of_node,
                ..to(n)
            });
        }
    }
    graph
}

/// A row of random graphs of one set, each with a step to the next, too large for the
/// definitions. None has a strongly fair cycle by itself.
pub(crate) fn random_row(rng_seed: u64) -> Marked {
    let mut numbers = Numbers::new(rng_seed);
    let mut row = Marked {
        sets: 1,
        ..Marked::default()
    };
    while row.nodes.len() < 40 {
        let block = random_marked(numbers.below(1 << 30) as u64);
        let states = States::new(&block);
        if block.sets != 1 || states.len() < 3 || states.has_cycle(&block, Fairness::Strong) {
            continue;
        }
        let first = row.nodes.len();
        if let Some(before) = first.checked_sub(1) {
            let link = Edge {
                pid: numbers.below(3) as u8,
                ..to(first)
            };
            row.nodes[before - numbers.below(3)].free.push(link);
        }
        row.nodes.extend(block.nodes);
        for node in &mut row.nodes[first..] {
            for edge in node.exclusive.iter_mut().chain(&mut node.free) {
                edge.to += first;
            }
        }
    }
    row
}

/// Make the graph weak: what is accepting in a component is so with all its moves. Without
/// atomic sequences.
pub(crate) fn weaken(graph: &mut Marked, rng_seed: u64) {
    let mut numbers = Numbers::new(rng_seed);
    for node in &mut graph.nodes {
        let inside = std::mem::take(&mut node.exclusive);
        node.free.extend(inside);
        for edge in &mut node.free {
            (edge.atomic, edge.sets) = (false, 0);
        }
    }
    let states = States::new(graph);
    let count = graph.nodes.len();
    let reaches = |from: usize, to: usize| {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
        while let Some(node) = todo.pop() {
            for step in states.0.get(&node).into_iter().flatten() {
                if seen.insert(step.to) {
                    todo.push(step.to);
                }
            }
        }
        from == to || seen.contains(&to)
    };
    // The component of a node is named by its least node.
    let names: Vec<usize> = (0..count)
        .map(|node| {
            let same = |&other: &usize| reaches(node, other) && reaches(other, node);
            (0..count).find(same).unwrap_or(node)
        })
        .collect();
    let accepting: Vec<bool> = (0..count).map(|_| numbers.below(4) == 0).collect();
    (graph.sets, graph.on_states, graph.is_weak) = (1, true, true);
    for (node, name) in graph.nodes.iter_mut().zip(names) {
        for edge in &mut node.free {
            edge.sets = u32::from(accepting[name]);
        }
    }
}
