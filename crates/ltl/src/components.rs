//! Strongly connected components of an automaton, and which of them accept.
//!
//! Follows: [Tarjan 1972], with an explicit stack.

use crate::graph::{Arc, Graph};

/// The components, numbered so that edges lead to smaller numbers or stay.
#[derive(Debug)]
pub(crate) struct Components {
    of_state: Vec<usize>,
    states: Vec<Vec<usize>>,
    accepting: Vec<bool>,
    weak: Vec<bool>,
}

impl Components {
    /// The components of all states, reachable or not.
    pub fn of(graph: &Graph) -> Components {
        let (of_state, states) = tarjan(&graph.arcs);
        let mut components = Components {
            of_state,
            states,
            accepting: Vec::new(),
            weak: Vec::new(),
        };
        for component in 0..components.states.len() {
            let (accepting, weak) = components.judge(graph, component);
            components.accepting.push(accepting);
            components.weak.push(weak);
        }
        components
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn of_state(&self, state: usize) -> usize {
        self.of_state[state]
    }

    pub fn states(&self, component: usize) -> &[usize] {
        &self.states[component]
    }

    /// Some run accepts that stays in the component.
    pub fn is_accepting(&self, component: usize) -> bool {
        self.accepting[component]
    }

    /// All runs accept that stay in the component, or none.
    pub fn is_weak(&self, component: usize) -> bool {
        self.weak[component]
    }

    /// True if the edge stays in its component.
    pub fn is_inner(&self, source: usize, arc: &Arc) -> bool {
        self.of_state[source] == self.of_state[arc.target]
    }

    /// The edges that stay in the component.
    pub fn inner<'a>(
        &'a self,
        graph: &'a Graph,
        component: usize,
    ) -> impl Iterator<Item = (usize, Arc)> + 'a {
        self.states[component].iter().flat_map(move |&state| {
            let row = graph.arcs[state].iter();
            let inner = row.filter(move |arc| self.is_inner(state, arc));
            inner.map(move |arc| (state, *arc))
        })
    }

    fn judge(&self, graph: &Graph, component: usize) -> (bool, bool) {
        let all = graph.all_marks();
        let mut inner = self.inner(graph, component).peekable();
        if inner.peek().is_none() {
            return (false, true);
        }
        let seen = inner.fold(0, |seen, (_, arc)| seen | arc.marks);
        if seen != all {
            return (false, true);
        }
        let every = (0..graph.sets).all(|set| self.is_unavoidable(graph, component, set));
        (true, every)
    }

    /// True if every cycle of the component has an edge of the set.
    pub fn is_unavoidable(&self, graph: &Graph, component: usize, set: u32) -> bool {
        let without = |source: usize, arc: &Arc| {
            self.of_state[source] == component
                && self.of_state[arc.target] == component
                && arc.marks >> set & 1 == 0
        };
        !has_cycle(graph, &self.states[component], without)
    }

    /// For each state whether an accepting component can be reached.
    pub fn useful(&self, graph: &Graph) -> Vec<bool> {
        let mut useful = vec![false; graph.len()];
        // Edges lead to smaller numbers, so what can be reached is known already.
        for component in 0..self.len() {
            let lives = self.accepting[component]
                || self.states[component].iter().any(|&state| {
                    let mut targets = graph.arcs[state].iter().map(|arc| arc.target);
                    targets.any(|target| useful[target])
                });
            for &state in &self.states[component] {
                useful[state] = lives;
            }
        }
        useful
    }
}

/// True if the chosen edges between these states form a cycle.
fn has_cycle(graph: &Graph, states: &[usize], choose: impl Fn(usize, &Arc) -> bool) -> bool {
    let mut degree = vec![0usize; graph.len()];
    let choose = &choose;
    let chosen = |state: usize| {
        graph.arcs[state]
            .iter()
            .filter(move |arc| choose(state, arc))
    };
    for &state in states {
        for arc in chosen(state) {
            degree[arc.target] += 1;
        }
    }
    let mut open: Vec<usize> = (states.iter().copied())
        .filter(|&state| degree[state] == 0)
        .collect();
    let mut removed = 0;
    while let Some(state) = open.pop() {
        removed += 1;
        for arc in chosen(state) {
            degree[arc.target] -= 1;
            if degree[arc.target] == 0 {
                open.push(arc.target);
            }
        }
    }
    removed < states.len()
}

/// The component of each state, and the states of each component.
fn tarjan(arcs: &[Vec<Arc>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    const NONE: usize = usize::MAX;
    let len = arcs.len();
    let mut of_state = vec![NONE; len];
    let mut components: Vec<Vec<usize>> = Vec::new();
    let mut number = vec![NONE; len];
    let mut low = vec![NONE; len];
    let mut clock = 0;
    let mut path: Vec<usize> = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    for root in 0..len {
        if number[root] != NONE {
            continue;
        }
        calls.push((root, 0));
        while let Some((state, next)) = calls.pop() {
            space::cancel::poll();
            if next == 0 {
                number[state] = clock;
                low[state] = clock;
                clock += 1;
                path.push(state);
            }
            if let Some(arc) = arcs[state].get(next) {
                calls.push((state, next + 1));
                if number[arc.target] == NONE {
                    calls.push((arc.target, 0));
                } else if of_state[arc.target] == NONE {
                    low[state] = low[state].min(number[arc.target]);
                }
                continue;
            }
            if low[state] == number[state] {
                let mut component = Vec::new();
                loop {
                    let member = path.pop().expect("the root is on the path");
                    of_state[member] = components.len();
                    component.push(member);
                    if member == state {
                        break;
                    }
                }
                components.push(component);
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[state]);
            }
        }
    }
    (of_state, components)
}
