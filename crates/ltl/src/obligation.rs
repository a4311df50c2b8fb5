//! The smallest deterministic automaton of an obligation: a property whose automata can be weak.
//!
//! Follows: [Dax, Eisinger, Klaedtke 2007]: sets of states, and one word for each component decides
//! whether it accepts; [Löding 2001]: the smallest of the deterministic weak automata.
//!
//! Whether the property is an obligation is not known before. The result is compared with the
//! automata of the formula and of its negation, and dropped if it differs.

use std::collections::HashMap;

use crate::bdd::{Bdd, Bdds};
use crate::components::Components;
use crate::graph::{Arc, Graph};
use crate::product::{intersect, walk};
use crate::reduce::prune;

/// Sets of states beyond this number are not worth while: the result would be larger than what
/// is known already.
const MOST_SETS: usize = 200;

/// The smallest weak deterministic automaton, if there is one; `complement` has the table of
/// conditions of `graph`.
pub(crate) fn minimise(graph: &mut Graph, complement: &Graph) -> Option<Graph> {
    let (mut powerset, sets) = powerset(graph)?;
    let components = Components::of(&powerset);
    let accepting: Vec<bool> = (0..components.len())
        .map(|component| accepts(graph, &powerset, &sets, &components, component))
        .collect();
    let accepts = |state: usize| accepting[components.of_state(state)];
    if !is_empty(&marked(&powerset, accepts), complement)
        || !is_empty(&marked(&powerset, |state| !accepts(state)), graph)
    {
        return None;
    }
    let colours = colours(&powerset, &components, &accepting);
    let mut smallest = merge(&mut powerset, |state| {
        colours[components.of_state(state)].is_multiple_of(2)
    });
    prune(&mut smallest);
    Some(smallest)
}

/// The deterministic automaton of sets of states, without acceptance, and the sets.
fn powerset(graph: &mut Graph) -> Option<(Graph, Vec<Vec<usize>>)> {
    let mut result = Graph::new(Bdds::default(), 0);
    let mut sets = vec![vec![graph.initial]];
    let mut names = HashMap::from([(sets[0].clone(), 0)]);
    let mut at = 0;
    while at < sets.len() {
        space::cancel::poll();
        // Letters with the same successors so far.
        let mut parts: Vec<(Bdd, Vec<usize>)> = vec![(Bdd::TRUE, Vec::new())];
        for arc in sets[at].iter().flat_map(|&state| &graph.arcs[state]) {
            let mut finer = Vec::new();
            for (letters, targets) in parts {
                let inside = graph.bdds.and(letters, arc.guard);
                let outside = graph.bdds.without(letters, arc.guard);
                if inside != Bdd::FALSE {
                    let more = [&targets[..], &[arc.target]].concat();
                    finer.push((inside, more));
                }
                if outside != Bdd::FALSE {
                    finer.push((outside, targets));
                }
            }
            parts = finer;
        }
        let mut row = Vec::new();
        for (guard, mut targets) in parts {
            targets.sort_unstable();
            targets.dedup();
            let target = *names.entry(targets.clone()).or_insert_with(|| {
                sets.push(targets);
                sets.len() - 1
            });
            row.push(Arc {
                target,
                marks: 0,
                guard,
            });
        }
        result.arcs.push(row);
        if sets.len() > MOST_SETS {
            return None;
        }
        at += 1;
    }
    result.bdds = graph.bdds.clone();
    result.tidy();
    Some((result, sets))
}

/// True if some state of a set in the component accepts a word along a cycle there.
fn accepts(
    graph: &Graph,
    powerset: &Graph,
    sets: &[Vec<usize>],
    components: &Components,
    component: usize,
) -> bool {
    let start = components.states(component)[0];
    let inside = |source: usize, arc: &Arc| components.is_inner(source, arc);
    let closed = |last: Option<&Arc>, state| last.is_some() && state == start;
    let Some((cycle, _)) = walk(powerset, start, inside, closed) else {
        return false;
    };
    let letters: Vec<u64> = (cycle.iter())
        .map(|arc| {
            powerset
                .bdds
                .witness(arc.guard)
                .expect("guards hold somewhere")
        })
        .collect();
    let mut runs = Graph::new(Bdds::default(), graph.sets);
    for (place, &letter) in letters.iter().enumerate() {
        let next = (place + 1) % letters.len() * graph.len();
        for row in &graph.arcs {
            let fits = row.iter().filter(|arc| graph.bdds.value(arc.guard, letter));
            let arcs = fits.map(|arc| Arc {
                target: next + arc.target,
                ..*arc
            });
            runs.arcs.push(arcs.collect());
        }
    }
    let useful = Components::of(&runs).useful(&runs);
    sets[start].iter().any(|&state| useful[state])
}

/// The automaton with one set: the edges out of the chosen states.
fn marked(powerset: &Graph, choose: impl Fn(usize) -> bool) -> Graph {
    let mut graph = powerset.clone();
    graph.sets = 1;
    for (state, row) in graph.arcs.iter_mut().enumerate() {
        for arc in row {
            arc.marks = u32::from(choose(state));
        }
    }
    graph
}

/// True if no word is accepted by both.
fn is_empty(left: &Graph, right: &Graph) -> bool {
    if right.sets > 31 {
        return false;
    }
    let product = intersect(left, right, left.bdds.clone());
    !Components::of(&product).useful(&product)[product.initial]
}

/// Numbers that fall along edges as little as possible, even where runs accept.
///
/// A component without cycles may go with its successors, which lets more states be merged.
fn colours(graph: &Graph, components: &Components, accepting: &[bool]) -> Vec<usize> {
    let mut colours: Vec<usize> = Vec::new();
    // Edges lead to smaller numbers of components.
    for (component, &accepts) in accepting.iter().enumerate() {
        let below = components.states(component).iter().flat_map(|&state| {
            let targets = graph.arcs[state].iter();
            targets.map(|arc| components.of_state(arc.target))
        });
        let below = below.filter(|&other| other != component);
        let least = below.map(|other| colours[other]).max().unwrap_or(0);
        let cyclic = components.inner(graph, component).next().is_some();
        let odd = !least.is_multiple_of(2);
        let fits = !cyclic || odd != accepts;
        colours.push(if fits { least } else { least + 1 });
    }
    colours
}

/// Merges states with the same future, by refinement of a partition.
fn merge(graph: &mut Graph, accepts: impl Fn(usize) -> bool) -> Graph {
    let mut classes: Vec<usize> = (0..graph.len())
        .map(|state| usize::from(accepts(state)))
        .collect();
    let mut count = 0;
    loop {
        let mut names: HashMap<(usize, Vec<(usize, Bdd)>), usize> = HashMap::new();
        let mut finer = Vec::new();
        for state in 0..graph.len() {
            space::cancel::poll();
            let mut futures: Vec<(usize, Bdd)> = Vec::new();
            for arc in &graph.arcs[state] {
                let class = classes[arc.target];
                match futures.iter_mut().find(|(known, _)| *known == class) {
                    Some((_, guard)) => *guard = graph.bdds.or(*guard, arc.guard),
                    None => futures.push((class, arc.guard)),
                }
            }
            futures.sort_unstable();
            let fresh = names.len();
            finer.push(*names.entry((classes[state], futures)).or_insert(fresh));
        }
        classes = finer;
        if names.len() == count {
            break;
        }
        count = names.len();
    }
    let mut merged = Graph::new(graph.bdds.clone(), 1);
    merged.arcs = vec![Vec::new(); count];
    for state in (0..graph.len()).rev() {
        let arcs = graph.arcs[state].iter().map(|arc| Arc {
            target: classes[arc.target],
            marks: u32::from(accepts(state)),
            guard: arc.guard,
        });
        merged.arcs[classes[state]] = arcs.collect();
    }
    merged.initial = classes[graph.initial];
    merged.tidy();
    merged
}
