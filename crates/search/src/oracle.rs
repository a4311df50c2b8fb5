//! Slow and obvious answers about hand-written graphs, to compare searches with.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use space::{Control, ViolationKind};

use crate::Finding;
use crate::graph::{Edge, Graph};

const FREE: Control = Control::Free;

/// Where an execution can be: node, whether it is exclusive, and how many moves were made.
type Place = (usize, bool, u64);

fn target(edge: Edge) -> Option<(usize, Control, u64)> {
    match edge {
        Edge::To(to, control) => Some((to, control, 1)),
        Edge::Assert(to) => Some((to, FREE, 1)),
        Edge::Handshake(_, to, control) => Some((to, control, 2)),
        Edge::Offer | Edge::Fault => None,
    }
}

fn is_stuck(graph: &Graph, node: usize, control: Control) -> bool {
    let edges = graph.edges(node, control);
    edges.iter().all(|&edge| target(edge).is_none())
}

fn violation(edge: Edge) -> Option<ViolationKind> {
    match edge {
        Edge::Assert(_) => Some(ViolationKind::Assertion),
        Edge::Fault => Some(ViolationKind::ArrayBounds),
        _ => None,
    }
}

/// The states that one move from a free node leads to, and the violations on the way.
fn moves(graph: &Graph, node: usize, control: Control) -> (Vec<usize>, Vec<ViolationKind>) {
    let mut states = Vec::new();
    let mut kinds = Vec::new();
    for edge in graph.edges(node, control) {
        kinds.extend(violation(edge));
        match target(edge) {
            Some((to, FREE, _)) => states.push(to),
            Some((to, inside, _)) => {
                let (further, more) = moves(graph, to, inside);
                states.extend(further);
                kinds.extend(more);
            }
            None => {}
        }
    }
    if is_stuck(graph, node, control) {
        if control != FREE {
            states.push(node);
        } else if !graph.nodes[node].valid_end {
            kinds.push(ViolationKind::InvalidEndState);
        }
    }
    (states, kinds)
}

/// What a breadth-first search must find.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    /// The number of moves to each state.
    pub(crate) states: BTreeMap<usize, u64>,
    /// The fewest moves before a violation of each kind.
    pub(crate) kinds: BTreeMap<ViolationKind, u64>,
}

/// Search breadth first, naively.
pub(crate) fn layers(graph: &Graph) -> Layers {
    let mut layers = Layers::default();
    let mut queue = VecDeque::from([(0, 0)]);
    layers.states.insert(0, 0);
    while let Some((node, layer)) = queue.pop_front() {
        let (states, kinds) = moves(graph, node, FREE);
        for kind in kinds {
            layers.kinds.entry(kind).or_insert(layer);
        }
        for state in states {
            layers.states.entry(state).or_insert_with(|| {
                queue.push_back((state, layer + 1));
                layer + 1
            });
        }
    }
    layers
}

/// The violations, with Spin's depth, at the end of all executions that enter no node at a
/// level of `bound` or above.
pub(crate) fn within(graph: &Graph, bound: u64) -> BTreeSet<(ViolationKind, i64)> {
    let mut errors = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut todo = vec![(0, FREE, 0)];
    while let Some((node, control, level)) = todo.pop() {
        let inside = control != FREE;
        if level >= bound || !seen.insert((node, inside, level)) {
            continue;
        }
        for edge in graph.edges(node, control) {
            errors.extend(violation(edge).map(|kind| (kind, level as i64)));
            todo.extend(target(edge).map(|(to, control, levels)| (to, control, level + levels)));
        }
        if is_stuck(graph, node, control) {
            if inside {
                todo.push((node, FREE, level));
            } else if !graph.nodes[node].valid_end {
                errors.insert((ViolationKind::InvalidEndState, level as i64 - 1));
            }
        }
    }
    errors
}

/// Execute the trace of a finding on the graph, and check that it ends in its violation at
/// its depth. The fewest moves before the failing one.
#[track_caller]
pub(crate) fn follow(graph: &Graph, finding: &Finding) -> u64 {
    let kind = finding.violation.kind;
    let steps = &finding.trace.steps;
    let is_end = kind == ViolationKind::InvalidEndState;
    let before = steps.len() - usize::from(!is_end);
    let levels = |count| -> i64 {
        (steps.iter().take(count))
            .map(|step| 1 + i64::from(step.partner.is_some()))
            .sum()
    };
    assert_eq!(
        finding.depth,
        levels(before) - i64::from(is_end),
        "{graph:?}"
    );
    let mut places: BTreeSet<Place> = BTreeSet::from([(0, false, 0)]);
    for step in &steps[..before] {
        places = losing_control(graph, places);
        let source = step.partner.map_or(step.transition, |(_, t)| t).0 as usize;
        let mut next = BTreeSet::new();
        for &(node, inside, moves) in places.iter().filter(|place| place.0 == source) {
            for edge in graph.edges(node, control(inside)) {
                let sends = match edge {
                    Edge::Handshake(send, ..) => Some(send),
                    _ => None,
                };
                if sends != step.partner.map(|_| step.transition.0) {
                    continue;
                }
                if let Some((to, control, _)) = target(edge) {
                    let free = control == FREE;
                    next.insert((to, !free, moves + u64::from(free)));
                }
            }
        }
        places = next;
    }
    places = losing_control(graph, places);
    let fails = |&&(node, inside, _): &&Place| match is_end {
        true => !inside && is_stuck(graph, node, FREE) && !graph.nodes[node].valid_end,
        false => {
            let source = steps[before].transition.0 as usize;
            let edges = graph.edges(node, control(inside));
            node == source && edges.iter().any(|&edge| violation(edge) == Some(kind))
        }
    };
    let fewest = places.iter().filter(fails).map(|place| place.2).min();
    fewest.unwrap_or_else(|| panic!("{finding:?} does not happen in {graph:?}"))
}

fn control(inside: bool) -> Control {
    match inside {
        true => crate::graph::ATOMIC,
        false => FREE,
    }
}

/// Exclusive places without a step become free ones.
fn losing_control(graph: &Graph, places: BTreeSet<Place>) -> BTreeSet<Place> {
    (places.into_iter())
        .flat_map(|(node, inside, moves)| {
            let lost = inside && is_stuck(graph, node, control(true));
            let free = lost.then_some((node, false, moves + 1));
            [Some((node, inside, moves)), free]
        })
        .flatten()
        .collect()
}
