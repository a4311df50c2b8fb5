//! Automata while they are worked on: conditions are decision diagrams.

use crate::automaton::{Automaton, Class, Condition, Edge, State, StateIx, all_marks};
use crate::bdd::{Bdd, Bdds};
use crate::components::Components;

/// An edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Arc {
    pub target: usize,
    pub marks: u32,
    pub guard: Bdd,
}

/// An automaton with its table of conditions.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub bdds: Bdds,
    pub arcs: Vec<Vec<Arc>>,
    pub initial: usize,
    pub sets: u32,
}

impl Graph {
    pub fn new(bdds: Bdds, sets: u32) -> Graph {
        Graph {
            bdds,
            arcs: Vec::new(),
            initial: 0,
            sets,
        }
    }

    /// An automaton that accepts nothing.
    pub fn empty(bdds: Bdds) -> Graph {
        let mut graph = Graph::new(bdds, 0);
        graph.arcs.push(Vec::new());
        graph
    }

    pub fn len(&self) -> usize {
        self.arcs.len()
    }

    pub fn edges(&self) -> usize {
        self.arcs.iter().map(Vec::len).sum()
    }

    pub fn all_marks(&self) -> u32 {
        all_marks(self.sets)
    }

    /// Smaller is better: states, then states with a choice, edges, and acceptance sets.
    ///
    /// A product with a system visits fewer pairs where the automaton has no choice.
    pub fn size(&mut self) -> (usize, usize, usize, u32) {
        let mut choices = 0;
        for row in &self.arcs {
            let mut covered = Bdd::FALSE;
            let mut choice = false;
            for arc in row {
                choice |= self.bdds.and(covered, arc.guard) != Bdd::FALSE;
                covered = self.bdds.or(covered, arc.guard);
            }
            choices += usize::from(choice);
        }
        (self.arcs.len(), choices, self.edges(), self.sets)
    }

    /// The same automaton with its conditions in another table.
    pub fn moved_to(&mut self, bdds: &mut Bdds) -> Graph {
        let mut moved = Graph::new(Bdds::default(), self.sets);
        moved.initial = self.initial;
        for row in &self.arcs {
            let arcs = row.iter().map(|arc| Arc {
                guard: bdds.of_cubes(&self.bdds.cubes(arc.guard)),
                ..*arc
            });
            let row = arcs.collect();
            moved.arcs.push(row);
        }
        moved
    }

    /// Joins edges with the same target and marks, and cuts down those that only lack marks.
    pub fn tidy(&mut self) {
        for row in &mut self.arcs {
            row.sort_unstable();
            let mut joined: Vec<Arc> = Vec::new();
            for &arc in row.iter() {
                match joined.last_mut() {
                    Some(last) if (last.target, last.marks) == (arc.target, arc.marks) => {
                        last.guard = self.bdds.or(last.guard, arc.guard);
                    }
                    _ => joined.push(arc),
                }
            }
            row.clear();
            for &arc in &joined {
                let mut guard = arc.guard;
                for other in &joined {
                    let more = other.marks & arc.marks == arc.marks && other.marks != arc.marks;
                    if other.target == arc.target && more {
                        guard = self.bdds.without(guard, other.guard);
                    }
                }
                if guard != Bdd::FALSE {
                    row.push(Arc { guard, ..arc });
                }
            }
        }
    }

    /// Keeps the states for which `keep` holds and that the initial state reaches through such
    /// states, numbered in the order in which they are found. False if the initial one goes.
    pub fn restrict(&mut self, keep: impl Fn(usize) -> bool) -> bool {
        if !keep(self.initial) {
            return false;
        }
        let mut names: Vec<Option<usize>> = vec![None; self.len()];
        let mut order = vec![self.initial];
        names[self.initial] = Some(0);
        let mut at = 0;
        while at < order.len() {
            for arc in &self.arcs[order[at]] {
                if keep(arc.target) && names[arc.target].is_none() {
                    names[arc.target] = Some(order.len());
                    order.push(arc.target);
                }
            }
            at += 1;
        }
        let rows = order.iter().map(|&state| {
            let named = self.arcs[state].iter().filter_map(|arc| {
                let target = names[arc.target]?;
                Some(Arc { target, ..*arc })
            });
            named.collect()
        });
        self.arcs = rows.collect();
        self.initial = 0;
        true
    }

    /// True if all edges out of each state have the same marks.
    pub fn is_on_states(&self) -> bool {
        let uniform = |row: &Vec<Arc>| row.iter().all(|arc| arc.marks == row[0].marks);
        self.arcs.iter().all(uniform)
    }

    /// The finished automaton.
    pub fn finish(mut self, atoms: usize) -> Automaton {
        let class = self.classify();
        let on_states = self.is_on_states();
        let bdds = &mut self.bdds;
        let mut state = |row: &Vec<Arc>| State {
            edges: (row.iter())
                .map(|arc| Edge {
                    condition: Condition {
                        cubes: bdds.cubes(arc.guard),
                    },
                    marks: arc.marks,
                    target: StateIx(arc.target as u32),
                })
                .collect(),
        };
        Automaton {
            states: self.arcs.iter().map(&mut state).collect(),
            initial: StateIx(self.initial as u32),
            sets: self.sets,
            atoms,
            class,
            on_states,
        }
    }

    /// The automaton as a graph again.
    pub fn of(automaton: &Automaton) -> Graph {
        let mut bdds = Bdds::default();
        let mut graph = Graph::of_with(automaton, &mut bdds);
        graph.bdds = bdds;
        graph
    }

    /// The automaton as a graph whose conditions are in a table that the caller keeps.
    pub fn of_with(automaton: &Automaton, bdds: &mut Bdds) -> Graph {
        let mut graph = Graph::new(Bdds::default(), automaton.sets);
        graph.initial = automaton.initial.index();
        for state in &automaton.states {
            let arcs = state.edges.iter().map(|edge| Arc {
                guard: bdds.of_cubes(&edge.condition.cubes),
                marks: edge.marks,
                target: edge.target.index(),
            });
            let row = arcs.collect();
            graph.arcs.push(row);
        }
        graph
    }

    fn classify(&mut self) -> Class {
        let components = Components::of(self);
        let mut class = Class::Terminal;
        for component in 0..components.len() {
            if !components.is_accepting(component) {
                continue;
            }
            if !components.is_weak(component) {
                return Class::General;
            }
            if !self.is_trap(&components, component) {
                class = Class::Weak;
            }
        }
        class
    }

    /// True if a run in the component can stay there whatever comes.
    fn is_trap(&mut self, components: &Components, component: usize) -> bool {
        components.states(component).iter().all(|&state| {
            let mut covered = Bdd::FALSE;
            for arc in &self.arcs[state] {
                if components.of_state(arc.target) == component {
                    covered = self.bdds.or(covered, arc.guard);
                }
            }
            covered == Bdd::TRUE
        })
    }
}
