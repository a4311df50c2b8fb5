//! Whether a formula can tell how long a state lasts.
//!
//! Follows: [Michaud, Duret-Lutz 2015]: two words that differ only in repetitions have a common word
//! with more of them. So a language is stutter-invariant if and only if no word can be made both
//! from one of its words and from one of its complement by repeating letters.
//!
//! Departs: letters that no condition of either automaton tells apart are taken as one, so the
//! number of letters depends on the conditions and not on the atoms.

use std::collections::HashMap;

use crate::automaton::Automaton;
use crate::bdd::{Bdd, Bdds};
use crate::components::Components;
use crate::formula::Formula;
use crate::graph::{Arc, Graph};
use crate::translate::{TooLarge, translate};

/// More letters than this are too many.
const MOST_LETTERS: usize = 4096;

/// More states than this are too many.
const MOST_STATES: usize = 200_000;

/// True if the formula holds on both or none of any two words that differ only in how often
/// letters are repeated, so that a partial-order reduction may be used with it.
pub fn is_stutter_invariant(formula: &Formula) -> Result<bool, TooLarge> {
    if !formula.has_next() {
        return Ok(true);
    }
    let automaton = translate(formula)?;
    let complement = translate(&formula.negated())?;
    let mut bdds = Bdds::default();
    let graphs = [&automaton, &complement].map(|automaton: &Automaton| {
        let mut graph = Graph::of_with(automaton, &mut bdds);
        // To stay for ever on a repeated letter must not be accepted.
        if graph.sets == 0 {
            graph.sets = 1;
            let arcs = graph.arcs.iter_mut().flatten();
            arcs.for_each(|arc| arc.marks = 1);
        }
        graph
    });
    if graphs[0].sets + graphs[1].sets > 32 {
        return Err(TooLarge::Sets);
    }
    let letters = letters(&mut bdds, &graphs)?;
    let rows = graphs
        .each_ref()
        .map(|graph| by_letter(&mut bdds, graph, &letters));
    let product = repeated(&graphs, &rows, letters.len())?;
    Ok(!Components::of(&product).useful(&product)[product.initial])
}

/// A part of the letters, disjoint from the others, that every condition contains or excludes.
fn letters(bdds: &mut Bdds, graphs: &[Graph; 2]) -> Result<Vec<Bdd>, TooLarge> {
    let mut letters = vec![Bdd::TRUE];
    for arc in graphs.iter().flat_map(|graph| graph.arcs.iter().flatten()) {
        let mut finer = Vec::new();
        for &letter in &letters {
            let inside = bdds.and(letter, arc.guard);
            let outside = bdds.without(letter, arc.guard);
            finer.extend(
                [inside, outside]
                    .into_iter()
                    .filter(|&part| part != Bdd::FALSE),
            );
        }
        if finer.len() > MOST_LETTERS {
            return Err(TooLarge::States);
        }
        letters = finer;
    }
    Ok(letters)
}

/// For each state and letter the marks and targets of the edges.
type Rows = Vec<Vec<Vec<(u32, usize)>>>;

fn by_letter(bdds: &mut Bdds, graph: &Graph, letters: &[Bdd]) -> Rows {
    let mut rows = Vec::new();
    for arcs in &graph.arcs {
        let mut row = Vec::new();
        for &letter in letters {
            let fits = arcs.iter().filter(|arc| bdds.implies(letter, arc.guard));
            row.push(fits.map(|arc| (arc.marks, arc.target)).collect());
        }
        rows.push(row);
    }
    rows
}

/// A state of one automaton, and the letter that may still be repeated.
type Place = (usize, Option<usize>);

/// Where a letter leads: on as usual, or to a place where it may be repeated.
fn steps(rows: &Rows, place: Place, letter: usize) -> Vec<(u32, Place)> {
    let (state, pending) = place;
    let mut steps = Vec::new();
    if let Some(pending) = pending {
        if pending == letter {
            steps.extend([(0, (state, Some(letter))), (0, (state, None))]);
        }
        return steps;
    }
    for &(marks, target) in &rows[state][letter] {
        steps.extend([(marks, (target, None)), (marks, (target, Some(letter)))]);
    }
    steps
}

/// The product of both automata, in which each may repeat letters.
fn repeated(graphs: &[Graph; 2], rows: &[Rows; 2], letters: usize) -> Result<Graph, TooLarge> {
    let shift = graphs[0].sets;
    let mut product = Graph::new(Bdds::default(), shift + graphs[1].sets);
    let start = graphs.each_ref().map(|graph| (graph.initial, None));
    let mut names = HashMap::from([(start, 0)]);
    let mut places = vec![start];
    let mut at = 0;
    while at < places.len() {
        let [one, other] = places[at];
        let mut row = Vec::new();
        for letter in 0..letters {
            for (marks, left) in steps(&rows[0], one, letter) {
                for (more, right) in steps(&rows[1], other, letter) {
                    let target = *names.entry([left, right]).or_insert_with(|| {
                        places.push([left, right]);
                        places.len() - 1
                    });
                    row.push(Arc {
                        target,
                        marks: marks | more << shift,
                        guard: Bdd::TRUE,
                    });
                }
            }
        }
        row.sort_unstable();
        row.dedup();
        product.arcs.push(row);
        if places.len() > MOST_STATES {
            return Err(TooLarge::States);
        }
        at += 1;
    }
    Ok(product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[track_caller]
    fn check(formula: &str, expected: bool) {
        let parsed = parse(formula).expect("a formula");
        assert_eq!(
            is_stutter_invariant(&parsed.formula),
            Ok(expected),
            "{formula}"
        );
        assert_eq!(
            is_stutter_invariant(&parsed.formula.negated()),
            Ok(expected),
            "! {formula}"
        );
    }

    #[test]
    fn formulas_without_next() {
        check("p U (q V r)", true);
    }

    #[test]
    fn formulas_that_count_steps() {
        check("X p", false);
        check("[] (p -> X !p)", false);
        check("[] (p <-> X !p)", false);
        check("<> (p && X p)", false);
        check("p && X !p", false);
        check("p && X X !p", false);
    }

    #[test]
    fn formulas_with_next_that_do_not() {
        check("X [] <> p", true);
        check("X <> p || p", true);
        check("p && X [] p", true);
        check("X p || true", true);
        // A rise of p, some day.
        check("<> (!p && X p)", true);
        check("<> (p && X (!p && <> p))", true);
        check("[] ((p && X !p) -> X q)", true);
    }
}
