//! Acceptance marks that say the same and let more states be merged.
//!
//! Marks only matter on cycles, so each component can be looked at alone. A component needs only
//! the sets that some of its cycles avoid and that follow from no other set.

use crate::components::Components;
use crate::graph::{Arc, Graph};

/// What to do with marks that do not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spare {
    /// Remove them, so that the edge is easy to simulate.
    Remove,
    /// Add them, so that the edge simulates more.
    Add,
}

/// Uses as few sets as possible, numbered anew in each component.
pub(crate) fn simplify(graph: &mut Graph, spare: Spare) {
    let components = Components::of(graph);
    let needed: Vec<Vec<u32>> = (0..components.len())
        .map(|component| needed_sets(graph, &components, component))
        .collect();
    let most = needed.iter().map(Vec::len).max().unwrap_or(0);
    let idle = |component| {
        !components.is_accepting(component) && components.inner(graph, component).next().is_some()
    };
    // Cycles that do not accept need a set that they avoid.
    let least = usize::from((0..components.len()).any(idle));
    let sets = most.max(least) as u32;
    let all = crate::automaton::all_marks(sets);
    for state in 0..graph.len() {
        space::cancel::poll();
        let component = components.of_state(state);
        let needed = &needed[component];
        for arc in &mut graph.arcs[state] {
            arc.marks = if components.of_state(arc.target) != component {
                0
            } else if components.is_accepting(component) {
                renumber(arc.marks, needed, all)
            } else {
                0
            };
        }
    }
    graph.sets = sets;
    if spare == Spare::Add {
        saturate(graph, &components);
    }
}

/// The sets that decide which runs in the component accept.
fn needed_sets(graph: &Graph, components: &Components, component: usize) -> Vec<u32> {
    if !components.is_accepting(component) {
        return Vec::new();
    }
    let mut needed: Vec<u32> = (0..graph.sets)
        .filter(|&set| !components.is_unavoidable(graph, component, set))
        .collect();
    let mut at = 0;
    while at < needed.len() {
        let set = needed[at];
        let follows = needed.iter().any(|&other| {
            other != set
                && components
                    .inner(graph, component)
                    .all(|(_, arc)| arc.marks >> other & 1 <= arc.marks >> set & 1)
        });
        if follows {
            needed.remove(at);
        } else {
            at += 1;
        }
    }
    needed
}

/// The marks of the needed sets, and those that no longer decide anything.
fn renumber(marks: u32, needed: &[u32], all: u32) -> u32 {
    let unused = all & !crate::automaton::all_marks(needed.len() as u32);
    let kept = needed
        .iter()
        .enumerate()
        .map(|(place, set)| (marks >> set & 1) << place);
    kept.fold(unused, |all, one| all | one)
}

/// Gives an edge every mark that the cycles through it have anyway.
fn saturate(graph: &mut Graph, components: &Components) {
    let all = graph.all_marks();
    let mut added: Vec<Vec<u32>> = graph.arcs.iter().map(|row| vec![0; row.len()]).collect();
    for set in 0..graph.sets {
        let avoiding = avoiding(graph, components, set);
        let parts = Components::of(&avoiding);
        for (state, row) in graph.arcs.iter().enumerate() {
            for (place, arc) in row.iter().enumerate() {
                if parts.of_state(state) != parts.of_state(arc.target) {
                    added[state][place] |= 1 << set;
                }
            }
        }
    }
    for state in 0..graph.len() {
        let component = components.of_state(state);
        let accepting = components.is_accepting(component);
        for (arc, added) in graph.arcs[state].iter_mut().zip(&added[state]) {
            if components.of_state(arc.target) != component {
                arc.marks = all;
            } else if accepting {
                arc.marks |= added;
            }
        }
    }
}

/// The automaton without the edges of a set and without those between components.
fn avoiding(graph: &Graph, components: &Components, set: u32) -> Graph {
    let mut avoiding = Graph::new(crate::bdd::Bdds::default(), 0);
    for (state, row) in graph.arcs.iter().enumerate() {
        let keep = |arc: &&Arc| components.is_inner(state, arc) && arc.marks >> set & 1 == 0;
        avoiding
            .arcs
            .push(row.iter().filter(keep).copied().collect());
    }
    avoiding
}

/// The same for one set of accepting states: all edges out of a state keep the same marks.
pub(crate) fn simplify_states(graph: &mut Graph, spare: Spare) {
    let components = Components::of(graph);
    let avoiding = avoiding(graph, &components, 0);
    let parts = Components::of(&avoiding);
    for state in 0..graph.len() {
        let component = components.of_state(state);
        let on_cycle = graph.arcs[state]
            .iter()
            .any(|arc| components.is_inner(state, arc));
        let avoids = avoiding.arcs[state]
            .iter()
            .any(|arc| parts.is_inner(state, arc));
        let accepts = if components.is_accepting(component) {
            let marked = graph.arcs[state].iter().any(|arc| arc.marks == 1);
            let free = !avoids && (spare == Spare::Add || components.is_weak(component));
            marked || free
        } else {
            !on_cycle && spare == Spare::Add
        };
        for arc in &mut graph.arcs[state] {
            arc.marks = u32::from(accepts);
        }
    }
}
