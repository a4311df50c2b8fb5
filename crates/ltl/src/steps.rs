//! The edges of an automaton in one flat table, for searches.

use crate::automaton::{Automaton, Cube, StateIx};
use crate::graph::Graph;

/// One way to go on under some valuations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The acceptance sets of the edge, one bit each.
    pub marks: u32,
    /// Where it leads.
    pub target: StateIx,
}

/// The edges of an automaton, cut into cubes that exclude each other, in one piece of memory.
///
/// A lookup compares two words for each cube and allocates nothing.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The rows of state `s` are `rows[starts[s]..starts[s + 1]]`.
    starts: Vec<usize>,
    rows: Vec<(Cube, Step)>,
}

impl Steps {
    /// The table of an automaton.
    pub fn new(automaton: &Automaton) -> Steps {
        let graph = Graph::of(automaton);
        let mut rows = Vec::new();
        let mut starts = vec![0];
        for arcs in &graph.arcs {
            for arc in arcs {
                let step = Step {
                    marks: arc.marks,
                    target: StateIx(arc.target as u32),
                };
                let paths = graph.bdds.paths(arc.guard);
                rows.extend(paths.into_iter().map(|cube| (cube, step)));
            }
            starts.push(rows.len());
        }
        Steps { starts, rows }
    }

    /// The steps when bit `i` of `values` is the value of atom `i`, each edge once.
    #[inline]
    pub fn enabled(&self, state: StateIx, values: u64) -> impl Iterator<Item = Step> {
        let range = self.starts[state.index()]..self.starts[state.index() + 1];
        let rows = self.rows[range].iter();
        rows.filter_map(move |(cube, step)| cube.admits(values).then_some(*step))
    }
}
