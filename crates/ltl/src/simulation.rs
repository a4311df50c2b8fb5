//! Merging of states that simulate each other, forwards and backwards.
//!
//! Follows: [Etessami, Holzmann 2000] and [Somenzi, Bloem 2000]: direct and reverse simulation, and
//! edges that a better one makes superfluous.
//!
//! Departs: marks are on edges, and a state may answer an edge with several, one for each part of
//! its condition. Both are sound because a run is matched letter by letter.

use crate::bdd::Bdd;
use crate::graph::{Arc, Graph};

/// `relation[s][t]`: state `t` can do whatever `s` can.
type Relation = Vec<Vec<bool>>;

/// Merges states that simulate each other and cuts edges that a better one makes superfluous.
pub(crate) fn merge_forward(graph: &mut Graph) {
    let relation = direct(graph);
    let names = representatives(&relation);
    for row in &mut graph.arcs {
        for arc in row {
            arc.target = names[arc.target];
        }
    }
    graph.initial = names[graph.initial];
    graph.tidy();
    for state in 0..graph.len() {
        let row = graph.arcs[state].clone();
        let mut cut = Vec::new();
        for arc in &row {
            let mut guard = arc.guard;
            for better in &row {
                let more = better.marks & arc.marks == arc.marks;
                if better.target != arc.target && more && relation[arc.target][better.target] {
                    guard = graph.bdds.without(guard, better.guard);
                }
            }
            if guard != Bdd::FALSE {
                cut.push(Arc { guard, ..*arc });
            }
        }
        graph.arcs[state] = cut;
    }
    graph.restrict(|_| true);
}

/// The first state of each class of states that simulate each other.
fn representatives(relation: &Relation) -> Vec<usize> {
    let of = |state: usize| {
        let mutual = |other: &usize| relation[state][*other] && relation[*other][state];
        (0..=state).find(mutual).expect("a state simulates itself")
    };
    (0..relation.len()).map(of).collect()
}

/// The greatest simulation.
fn direct(graph: &mut Graph) -> Relation {
    let rows = graph.arcs.clone();
    refine(graph, &rows, |_, _| true)
}

/// Removes pairs until each edge of `s` is answered by edges of `t`.
fn refine(graph: &mut Graph, rows: &[Vec<Arc>], start: impl Fn(usize, usize) -> bool) -> Relation {
    let len = rows.len();
    let mut relation: Relation = (0..len)
        .map(|state| (0..len).map(|other| start(state, other)).collect())
        .collect();
    loop {
        let mut stable = true;
        for state in 0..len {
            for other in 0..len {
                space::cancel::poll();
                if state != other
                    && relation[state][other]
                    && !is_answered(graph, &relation, &rows[state], &rows[other])
                {
                    relation[state][other] = false;
                    stable = false;
                }
            }
        }
        if stable {
            return relation;
        }
    }
}

fn is_answered(graph: &mut Graph, relation: &Relation, asks: &[Arc], answers: &[Arc]) -> bool {
    asks.iter().all(|ask| {
        let mut rest = ask.guard;
        for answer in answers {
            let more = answer.marks & ask.marks == ask.marks;
            if more && relation[ask.target][answer.target] {
                rest = graph.bdds.without(rest, answer.guard);
                if rest == Bdd::FALSE {
                    return true;
                }
            }
        }
        rest == Bdd::FALSE
    })
}

/// Merges states that can be reached in the same ways.
///
/// A state may take over the edges of another: every run up to one of them is, mark by mark, a run
/// up to the other. With marks that belong to states both must have the same.
pub(crate) fn merge_backward(graph: &mut Graph, on_states: bool) {
    let mut incoming: Vec<Vec<Arc>> = vec![Vec::new(); graph.len()];
    for (source, row) in graph.arcs.iter().enumerate() {
        for arc in row {
            incoming[arc.target].push(Arc {
                target: source,
                ..*arc
            });
        }
    }
    let initial = graph.initial;
    let own: Vec<u32> = (graph.arcs.iter())
        .map(|row| row.first().map_or(0, |arc| arc.marks))
        .collect();
    let relation = refine(graph, &incoming, |state, other| {
        (state != initial || other == initial) && (!on_states || own[state] & !own[other] == 0)
    });
    let names = representatives(&relation);
    let mut rows: Vec<Vec<Arc>> = vec![Vec::new(); graph.len()];
    for (source, row) in graph.arcs.iter().enumerate() {
        for arc in row {
            rows[names[source]].push(Arc {
                target: names[arc.target],
                ..*arc
            });
        }
    }
    graph.arcs = rows;
    graph.initial = names[graph.initial];
    graph.tidy();
    cut_backward(graph, &relation);
}

/// Cuts edges into a state where another edge into it comes from a state with more pasts.
fn cut_backward(graph: &mut Graph, relation: &Relation) {
    let rows = graph.arcs.clone();
    for (source, row) in rows.iter().enumerate() {
        for (place, arc) in row.iter().enumerate() {
            space::cancel::poll();
            let mut guard = arc.guard;
            for (other, row) in rows.iter().enumerate() {
                if other == source || !relation[source][other] || relation[other][source] {
                    continue;
                }
                for better in row.iter().filter(|better| better.target == arc.target) {
                    if better.marks & arc.marks == arc.marks {
                        guard = graph.bdds.without(guard, better.guard);
                    }
                }
            }
            graph.arcs[source][place].guard = guard;
        }
        graph.arcs[source].retain(|arc| arc.guard != Bdd::FALSE);
    }
}
