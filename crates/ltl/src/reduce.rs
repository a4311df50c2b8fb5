//! All reductions of automata, repeated until nothing changes.

use crate::acceptance::{Spare, simplify, simplify_states};
use crate::components::Components;
use crate::graph::Graph;
use crate::simulation::{merge_backward, merge_forward};

/// Simulations compare all pairs of edges. Above this they would take too long.
const MOST_COMPARED: usize = 2000;

/// A smaller automaton for the same language, with marks on edges.
pub(crate) fn reduce(graph: Graph) -> Graph {
    settle(graph, simplify, false)
}

/// A smaller automaton for the same language, with one set of accepting states.
pub(crate) fn reduce_states(graph: Graph) -> Graph {
    settle(graph, simplify_states, true)
}

/// Removes states that no accepting run visits.
pub(crate) fn prune(graph: &mut Graph) {
    let useful = Components::of(graph).useful(graph);
    if !graph.restrict(|state| useful[state]) {
        let sets = graph.sets;
        *graph = Graph::empty(std::mem::take(&mut graph.bdds));
        graph.sets = sets;
    }
}

/// Neither way to treat spare marks is always better, so both are tried in turn.
fn settle(graph: Graph, simplify: fn(&mut Graph, Spare), on_states: bool) -> Graph {
    let mut best = graph;
    best.tidy();
    prune(&mut best);
    simplify(&mut best, Spare::Remove);
    best.tidy();
    if best.edges() > MOST_COMPARED {
        return best;
    }
    let mut size = best.size();
    let mut failures = 0;
    let mut spare = Spare::Remove;
    while failures < 2 {
        let mut next = best.clone();
        simplify(&mut next, spare);
        next.tidy();
        merge_forward(&mut next);
        prune(&mut next);
        simplify(&mut next, spare);
        merge_backward(&mut next, on_states);
        prune(&mut next);
        simplify(&mut next, Spare::Remove);
        next.tidy();
        let smaller = next.size();
        if smaller < size {
            (best, size) = (next, smaller);
            failures = 0;
        } else {
            failures += 1;
            spare = match spare {
                Spare::Remove => Spare::Add,
                Spare::Add => Spare::Remove,
            };
        }
    }
    best
}
