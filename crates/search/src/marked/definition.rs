//! Slow and obvious answers about the cycles of graphs, by the definitions.

use std::collections::{BTreeMap, BTreeSet};

use space::{Control, Fairness, Step, ViolationKind};

use super::{Marked, control, movers};
use crate::{Finding, Outcome};

/// A move from state to state.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) to: usize,
    sets: u32,
    movers: BTreeSet<u8>,
}

/// All moves out of a state. Steps into atomic sequences lead to greater numbers.
fn moves(graph: &Marked, node: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut todo = vec![(node, Control::Free, 0, BTreeSet::new())];
    while let Some((node, at, sets, moved)) = todo.pop() {
        let edges = graph.edges(node, at);
        if edges.is_empty() && at != Control::Free {
            moves.push(Move {
                to: node,
                sets,
                movers: moved.clone(),
            });
        }
        for (_, edge) in edges {
            let sets = sets | edge.sets;
            let moved: BTreeSet<u8> = moved.iter().copied().chain(movers(&edge)).collect();
            match control(&edge) {
                Control::Free => moves.push(Move {
                    to: edge.to,
                    sets,
                    movers: moved,
                }),
                inside => todo.push((edge.to, inside, sets, moved)),
            }
        }
    }
    moves
}

/// The reachable states with their moves.
pub(crate) struct States(pub(super) BTreeMap<usize, Vec<Move>>);

impl States {
    pub(crate) fn new(graph: &Marked) -> States {
        let mut states = BTreeMap::new();
        let mut todo = vec![0];
        while let Some(node) = todo.pop() {
            if states.contains_key(&node) {
                continue;
            }
            let moves = moves(graph, node);
            todo.extend(moves.iter().map(|step| step.to));
            states.insert(node, moves);
        }
        States(states)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the states of a set lie on one cycle together that stays inside.
    fn is_cycle(&self, set: &BTreeSet<usize>) -> bool {
        set.iter().all(|&from| {
            let mut reached = BTreeSet::new();
            let mut todo = vec![from];
            while let Some(node) = todo.pop() {
                for step in &self.0[&node] {
                    if set.contains(&step.to) && reached.insert(step.to) {
                        todo.push(step.to);
                    }
                }
            }
            reached == *set
        })
    }

    /// Whether some reachable cycle is accepting and fair.
    pub(crate) fn has_cycle(&self, graph: &Marked, fairness: Fairness) -> bool {
        self.cycles(graph, fairness).next().is_some()
    }

    /// The sets of states through which an accepting, fair cycle goes: each set is asked, by
    /// the definitions.
    fn cycles<'a>(
        &'a self,
        graph: &'a Marked,
        fairness: Fairness,
    ) -> impl Iterator<Item = BTreeSet<usize>> + 'a {
        let states: Vec<usize> = self.0.keys().copied().collect();
        assert!(states.len() <= 12);
        let sets = (1_u32..1 << states.len()).map(move |chosen| {
            let chosen = (0..states.len()).filter(|&n| chosen >> n & 1 != 0);
            chosen.map(|n| states[n]).collect()
        });
        sets.filter(move |set: &BTreeSet<usize>| {
            if !self.is_cycle(set) {
                return false;
            }
            let moves = set.iter().flat_map(|node| &self.0[node]);
            let inside: Vec<_> = moves.filter(|step| set.contains(&step.to)).collect();
            let sets = inside.iter().fold(0, |sets, step| sets | step.sets);
            let moved = inside.iter().flat_map(|step| &step.movers).copied();
            let enabled = set.iter().map(|&node| graph.enabled(node)).collect();
            is_accepting(graph, sets) && is_fair(fairness, &moved.collect(), enabled)
        })
    }

    /// The fewest moves to a state on an accepting, fair cycle.
    pub(crate) fn nearest(&self, graph: &Marked, fairness: Fairness) -> Option<usize> {
        let on_cycles: BTreeSet<usize> = self.cycles(graph, fairness).flatten().collect();
        let mut layer = BTreeSet::from([0]);
        let mut seen = BTreeSet::new();
        let mut moves = 0;
        while !layer.is_empty() {
            if layer.iter().any(|state| on_cycles.contains(state)) {
                return Some(moves);
            }
            seen.extend(layer.iter().copied());
            let next = layer.iter().flat_map(|state| &self.0[state]);
            layer = next
                .map(|step| step.to)
                .filter(|to| !seen.contains(to))
                .collect();
            moves += 1;
        }
        None
    }
}

/// The moves of the stem of a lasso, and all its moves.
pub(crate) fn lengths(graph: &Marked, finding: &Finding) -> (usize, usize) {
    let trace = &finding.trace;
    let (mut stem, mut moves) = (0, 0);
    let mut at = Control::Free;
    let mut node = 0;
    for (number, &edge) in trace.claim.iter().enumerate() {
        if Some(number) == trace.cycle {
            stem = moves;
        }
        let edges = graph.edges(node, at);
        let (_, taken) = edges
            .iter()
            .find(|(number, _)| *number == edge)
            .expect("a step");
        node = taken.to;
        at = losing_control(graph, node, control(taken));
        moves += usize::from(at == Control::Free);
    }
    (stem, moves)
}

fn is_accepting(graph: &Marked, sets: u32) -> bool {
    (0..graph.sets).all(|set| sets >> set & 1 != 0)
}

/// Whether a cycle is fair on which these move, and in whose states those are enabled.
fn is_fair(fairness: Fairness, moved: &BTreeSet<u8>, enabled: Vec<BTreeSet<u8>>) -> bool {
    let often: BTreeSet<u8> = enabled.iter().flatten().copied().collect();
    often.iter().all(|pid| {
        moved.contains(pid)
            || match fairness {
                Fairness::None => true,
                Fairness::Weak => enabled.iter().any(|state| !state.contains(pid)),
                Fairness::Strong => false,
            }
    })
}

/// Check that a search found a cycle exactly if one is expected, and that what it found is
/// one.
#[track_caller]
pub(crate) fn check(
    graph: &Marked,
    fairness: Fairness,
    expected: bool,
    outcome: &Outcome,
    context: &str,
) {
    let lasso = |finding: &&Finding| finding.violation.kind == ViolationKind::AcceptanceCycle;
    let cycles: Vec<_> = outcome.findings().iter().filter(lasso).collect();
    assert_eq!(!cycles.is_empty(), expected, "{context}: {graph:?}");
    for finding in cycles {
        follow(graph, fairness, finding);
    }
}

/// Execute a lasso, and check that it closes, is accepting and fair.
#[track_caller]
pub(crate) fn follow(graph: &Marked, fairness: Fairness, finding: &Finding) {
    let trace = &finding.trace;
    let context = format!("{finding:?} of {graph:?}");
    let start = trace.cycle.expect("a cycle");
    assert_eq!(trace.steps.len(), trace.claim.len(), "{context}");
    assert!(start < trace.steps.len(), "{context}");
    let levels = |step: &Step| 1 + i64::from(step.partner.is_some());
    let depth: i64 = trace.steps[..start].iter().map(levels).sum();
    assert_eq!(finding.depth, depth, "{context}");
    let (mut node, mut at) = (0, Control::Free);
    let (mut first, mut sets, mut moved) = (None, 0, BTreeSet::new());
    let mut enabled = Vec::new();
    for (number, (step, &edge)) in trace.steps.iter().zip(&trace.claim).enumerate() {
        at = losing_control(graph, node, at);
        if number == start {
            first = Some((node, at));
        }
        if number >= start && at == Control::Free {
            enabled.push(graph.enabled(node));
        }
        let edges = graph.edges(node, at);
        let taken = edges.iter().find(|(number, _)| *number == edge);
        let (_, taken) = taken.unwrap_or_else(|| panic!("step {number}: {context}"));
        assert_eq!(step.pid.0, taken.pid, "{context}");
        assert_eq!(step.partner.map(|(pid, _)| pid.0), taken.partner);
        if number >= start {
            sets |= taken.sets;
            moved.extend(movers(taken));
        }
        (node, at) = (taken.to, control(taken));
    }
    at = losing_control(graph, node, at);
    assert_eq!(Some((node, at)), first, "{context}");
    assert!(is_accepting(graph, sets), "{context}");
    assert!(is_fair(fairness, &moved, enabled), "{context}");
}

fn losing_control(graph: &Marked, node: usize, at: Control) -> Control {
    match graph.edges(node, at).is_empty() {
        true => Control::Free,
        false => at,
    }
}
