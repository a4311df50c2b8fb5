//! From several acceptance sets on edges to one set of accepting states.
//!
//! Follows: [Gastin, Oddoux 2001]: levels that skip all sets an edge belongs to; [Babiak et al.
//! 2013]: component by component, with a choice of the level at which a component is entered.

use std::collections::HashMap;

use crate::automaton::Automaton;
use crate::components::Components;
use crate::graph::{Arc, Graph};
use crate::reduce::reduce_states;

/// The level at which a run enters a component. Any is right; they differ in size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    /// No set has been seen.
    First,
    /// All sets have been seen.
    Last,
    /// A level at which the state is known already, or else none has been seen.
    Known,
}

/// A Büchi automaton with accepting states for the same language.
pub fn degeneralise(automaton: &Automaton) -> Automaton {
    let graph = Graph::of(automaton);
    unfold_smallest(&graph).finish(automaton.atoms)
}

/// An automaton with more edges than this is unfolded in one way only.
const MOST_TRIED: usize = 150;

/// The smallest automaton over all orders of the sets and all levels of entry.
pub(crate) fn unfold_smallest(graph: &Graph) -> Graph {
    let mut best = None;
    let mut orders = orders(graph.sets);
    let mut entries = vec![Entry::Known, Entry::First, Entry::Last];
    if graph.edges() > MOST_TRIED {
        orders.truncate(1);
        entries.truncate(1);
    }
    for order in orders {
        for &entry in &entries {
            let mut found = reduce_states(unfold(graph, &order, entry));
            let size = found.size();
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, found));
            }
        }
    }
    best.expect("there is an order").1
}

/// All orders of few sets; the rotations of many.
fn orders(sets: u32) -> Vec<Vec<u32>> {
    if sets > 3 {
        let rotate = |first| (0..sets).map(|set| (set + first) % sets).collect();
        return (0..sets).map(rotate).collect();
    }
    let mut orders = vec![Vec::new()];
    for set in 0..sets {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<u32>| {
                (0..=order.len()).map(move |place| {
                    let mut longer = order.clone();
                    longer.insert(place, set);
                    longer
                })
            })
            .collect();
    }
    orders
}

/// A state of the automaton with the number of sets seen, in their order.
type Leveled = (usize, usize);

struct Unfolding<'a> {
    components: Components,
    order: &'a [u32],
    entry: Entry,
    names: HashMap<Leveled, usize>,
    states: Vec<Leveled>,
    /// The first level at which each state was found.
    known: Vec<Option<usize>>,
}

/// The automaton whose states count the sets they have seen.
fn unfold(graph: &Graph, order: &[u32], entry: Entry) -> Graph {
    let mut unfolding = Unfolding {
        components: Components::of(graph),
        order,
        entry,
        names: HashMap::new(),
        states: Vec::new(),
        known: vec![None; graph.len()],
    };
    let initial = unfolding.enter(graph.initial);
    let mut result = Graph::new(graph.bdds.clone(), 1);
    result.initial = unfolding.name(initial);
    let mut at = 0;
    while at < unfolding.states.len() {
        space::cancel::poll();
        let (state, level) = unfolding.states[at];
        let accepts = unfolding.accepts((state, level));
        let mut row = Vec::new();
        for arc in &graph.arcs[state] {
            let target = unfolding.step((state, level), arc);
            row.push(Arc {
                target: unfolding.name(target),
                marks: u32::from(accepts),
                guard: arc.guard,
            });
        }
        result.arcs.push(row);
        at += 1;
    }
    result
}

impl Unfolding<'_> {
    fn name(&mut self, state: Leveled) -> usize {
        let fresh = self.states.len();
        let name = *self.names.entry(state).or_insert(fresh);
        if name == fresh {
            self.states.push(state);
            self.known[state.0].get_or_insert(state.1);
        }
        name
    }

    /// In a component where all runs accept, or none does, nothing is counted.
    fn accepts(&self, (state, level): Leveled) -> bool {
        let component = self.components.of_state(state);
        self.components.is_accepting(component)
            && (self.components.is_weak(component) || level == self.order.len())
    }

    fn enter(&self, state: usize) -> Leveled {
        let component = self.components.of_state(state);
        if self.components.is_weak(component) {
            return (state, 0);
        }
        let level = match self.entry {
            Entry::First => 0,
            Entry::Last => self.order.len(),
            Entry::Known => self.known[state].unwrap_or(0),
        };
        (state, level)
    }

    fn step(&self, (state, level): Leveled, arc: &Arc) -> Leveled {
        let component = self.components.of_state(state);
        if !self.components.is_inner(state, arc) || self.components.is_weak(component) {
            return self.enter(arc.target);
        }
        let start = if level == self.order.len() { 0 } else { level };
        let seen = self.order[start..].iter();
        let seen = seen.take_while(|&&set| arc.marks >> set & 1 == 1).count();
        (arc.target, start + seen)
    }
}
