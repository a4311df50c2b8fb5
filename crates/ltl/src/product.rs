//! The intersection of two automata, and whether an automaton accepts anything.

use std::collections::{HashMap, VecDeque};

use crate::automaton::Automaton;
use crate::bdd::{Bdd, Bdds};
use crate::components::Components;
use crate::degeneralise::degeneralise;
use crate::graph::{Arc, Graph};
use crate::lasso::Lasso;

/// An automaton that accepts the words that both accept.
///
/// Automata with more than 32 acceptance sets together are degeneralised first.
pub fn product(left: &Automaton, right: &Automaton) -> Automaton {
    if left.sets + right.sets > 32 {
        return product(&degeneralise(left), &degeneralise(right));
    }
    let atoms = left.atoms.max(right.atoms);
    let left = Graph::of(left);
    let mut bdds = left.bdds.clone();
    let right = Graph::of_with(right, &mut bdds);
    intersect(&left, &right, bdds).finish(atoms)
}

/// The product of graphs whose conditions are in the same table.
pub(crate) fn intersect(left: &Graph, right: &Graph, bdds: Bdds) -> Graph {
    let mut product = Graph::new(bdds, left.sets + right.sets);
    let mut names = HashMap::new();
    let mut pairs = vec![(left.initial, right.initial)];
    names.insert(pairs[0], 0);
    let mut at = 0;
    while at < pairs.len() {
        let (one, other) = pairs[at];
        let mut row = Vec::new();
        for arc in &left.arcs[one] {
            for partner in &right.arcs[other] {
                let guard = product.bdds.and(arc.guard, partner.guard);
                if guard == Bdd::FALSE {
                    continue;
                }
                let pair = (arc.target, partner.target);
                let target = *names.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() - 1
                });
                row.push(Arc {
                    target,
                    marks: arc.marks | partner.marks.checked_shl(left.sets).unwrap_or(0),
                    guard,
                });
            }
        }
        product.arcs.push(row);
        at += 1;
    }
    product
}

/// True if no word is accepted.
pub fn is_empty(automaton: &Automaton) -> bool {
    let graph = Graph::of(automaton);
    !Components::of(&graph).useful(&graph)[graph.initial]
}

/// A word that the automaton accepts.
pub fn accepted_word(automaton: &Automaton) -> Option<Lasso> {
    let graph = Graph::of(automaton);
    let components = Components::of(&graph);
    let accepts = |state| components.is_accepting(components.of_state(state));
    let everywhere = |_: usize, _: &Arc| true;
    let (stem, start) = walk(&graph, graph.initial, everywhere, |_, state| accepts(state))?;
    let inside = |source: usize, arc: &Arc| components.is_inner(source, arc);
    let mut cycle: Vec<Arc> = Vec::new();
    let mut at = start;
    for set in 0..graph.sets {
        if cycle.iter().any(|arc| arc.marks >> set & 1 == 1) {
            continue;
        }
        let marked = |last: Option<&Arc>, _| last.is_some_and(|arc| arc.marks >> set & 1 == 1);
        let (part, end) = walk(&graph, at, inside, marked)?;
        cycle.extend(part);
        at = end;
    }
    if cycle.is_empty() || at != start {
        let closed = |last: Option<&Arc>, state| last.is_some() && state == start;
        cycle.extend(walk(&graph, at, inside, closed)?.0);
    }
    let letters = |arcs: &[Arc]| {
        let letter = |arc: &Arc| graph.bdds.witness(arc.guard);
        arcs.iter().map(letter).collect::<Option<Vec<u64>>>()
    };
    Some(Lasso {
        stem: letters(&stem)?,
        cycle: letters(&cycle)?,
    })
}

/// A shortest walk along the chosen edges to where `goal` holds for the last edge and the state.
pub(crate) fn walk(
    graph: &Graph,
    start: usize,
    choose: impl Fn(usize, &Arc) -> bool,
    goal: impl Fn(Option<&Arc>, usize) -> bool,
) -> Option<(Vec<Arc>, usize)> {
    if goal(None, start) {
        return Some((Vec::new(), start));
    }
    let mut parents: Vec<Option<(usize, Arc)>> = vec![None; graph.len()];
    let mut seen = vec![false; graph.len()];
    seen[start] = true;
    let mut open = VecDeque::from([start]);
    while let Some(state) = open.pop_front() {
        for arc in graph.arcs[state].iter().filter(|arc| choose(state, arc)) {
            if goal(Some(arc), arc.target) {
                let mut walk = vec![*arc];
                let mut at = state;
                while let Some((parent, arc)) = parents[at] {
                    walk.push(arc);
                    at = parent;
                }
                walk.reverse();
                return Some((walk, arc.target));
            }
            if !seen[arc.target] {
                seen[arc.target] = true;
                parents[arc.target] = Some((state, *arc));
                open.push_back(arc.target);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, translate};

    fn word(formula: &str) -> Option<Lasso> {
        let parsed = parse(formula).expect("a formula");
        let automaton = translate(&parsed.formula).expect("small");
        let word = accepted_word(&automaton);
        assert_eq!(word.is_none(), is_empty(&automaton), "{formula}");
        if let Some(word) = &word {
            assert!(word.satisfies(&parsed.formula), "{formula}: {word:?}");
        }
        word
    }

    #[test]
    fn words_are_found_where_there_are_some() {
        assert!(word("[] <> p && [] <> q && [] (p -> !q)").is_some());
        assert!(word("[] (p -> X !p) && [] <> p && <> [] (q || p)").is_some());
        assert!(word("[] p && <> (!p || X !p)").is_none());
        assert!(word("(p U q) && [] !q").is_none());
    }

    #[test]
    fn a_product_accepts_what_both_accept() {
        let parsed = parse("(p U q) && [] <> r && (<> [] p || [] <> q)").expect("a formula");
        let left = parse("p U q").expect("a formula");
        let right = parse("[] <> r && (<> [] p || [] <> q)").expect("a formula");
        assert_eq!(parsed.atoms, ["p", "q", "r"]);
        assert_eq!(right.atoms, ["r", "p", "q"]);
        // The same atoms by the same numbers.
        let right = parse("(p && q && false) || ([] <> r && (<> [] p || [] <> q))");
        let automata = [&left, &right.expect("a formula")]
            .map(|parsed| translate(&parsed.formula).expect("small"));
        let both = product(&automata[0], &automata[1]);
        let not = translate(&parsed.formula.negated()).expect("small");
        assert!(is_empty(&product(&both, &not)));
        let word = accepted_word(&both).expect("a word");
        assert!(word.satisfies(&parsed.formula));
    }
}
