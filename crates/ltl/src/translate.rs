//! From a formula to the smallest automaton that the ways known here give.

use std::fmt;

use crate::automaton::Automaton;
use crate::degeneralise::unfold_smallest;
use crate::formula::{Formula, Node};
use crate::graph::Graph;
use crate::normal::{Normals, Style};
use crate::obligation::minimise;
use crate::reduce::{reduce, reduce_states};
use crate::tableau::tableau;

/// More nested operators than this are too many. The rules recurse over formulas.
const DEEPEST: usize = 500;

/// Why a formula has no automaton here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// More than 64 atoms.
    Atoms,
    /// Operators are nested too deeply.
    Depth,
    /// More than 32 acceptance sets.
    Sets,
    /// Too many states.
    States,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            TooLarge::Atoms => "the formula has more than 64 different propositions",
            TooLarge::Depth => "the operators of the formula are nested more than 500 levels deep",
            TooLarge::Sets => "the formula has more than 32 simultaneous eventualities",
            TooLarge::States => "the automaton of the formula has too many states",
        })
    }
}

impl std::error::Error for TooLarge {}

/// A generalised Büchi automaton that accepts the words on which the formula holds.
///
/// To find counterexamples, translate the negation: [`Formula::negated`].
pub fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    let mut graphs = candidates(formula)?;
    let more = obligation(formula, &mut graphs[0]);
    graphs.extend(more);
    Ok(smallest(graphs).finish(formula.atoms()))
}

/// A Büchi automaton with accepting states for the words on which the formula holds.
///
/// It may be smaller than the degeneralised automaton of [`translate`], because the smallest
/// generalised automaton need not have the smallest unfolding.
pub fn translate_to_buchi(formula: &Formula) -> Result<Automaton, TooLarge> {
    let mut graphs = candidates(formula)?;
    let mut unfolded: Vec<Graph> = graphs.iter().map(unfold_smallest).collect();
    unfolded.extend(obligation(formula, &mut graphs[0]));
    Ok(smallest(unfolded).finish(formula.atoms()))
}

/// The automata of all ways to write the formula, each as small as it gets.
fn candidates(formula: &Formula) -> Result<Vec<Graph>, TooLarge> {
    check_limits(formula)?;
    let graph = |style| {
        let mut normals = Normals::new(style);
        let normal = normals.of(formula);
        tableau(&mut normals, normal).map(reduce)
    };
    let (found, failed): (Vec<_>, Vec<_>) =
        Style::ALL.into_iter().map(graph).partition(Result::is_ok);
    match failed.into_iter().next() {
        Some(Err(reason)) if found.is_empty() => Err(reason),
        _ => Ok(found.into_iter().flatten().collect()),
    }
}

/// The smallest deterministic automaton, and what the reductions make of it, if the formula is an
/// obligation and `known` is an automaton of it.
fn obligation(formula: &Formula, known: &mut Graph) -> Vec<Graph> {
    let mut normals = Normals::new(Style::Apart);
    let normal = normals.of(&formula.negated());
    let Ok(complement) = tableau(&mut normals, normal) else {
        return Vec::new();
    };
    let complement = reduce(complement).moved_to(&mut known.bdds);
    let Some(least) = minimise(known, &complement) else {
        return Vec::new();
    };
    let reduced = reduce_states(least.clone());
    vec![least, reduced]
}

fn smallest(graphs: Vec<Graph>) -> Graph {
    let sized = graphs.into_iter().map(|mut graph| (graph.size(), graph));
    let smallest = sized.min_by_key(|(size, _)| *size);
    smallest.expect("there is a way to write a formula").1
}

pub(crate) fn check_limits(formula: &Formula) -> Result<(), TooLarge> {
    if formula.atoms() > 64 {
        return Err(TooLarge::Atoms);
    }
    let mut depths: Vec<usize> = Vec::new();
    for &node in formula.nodes() {
        depths.push(match node {
            Node::Constant(_) | Node::Atom(_) => 0,
            Node::Unary(_, argument) => depths[argument.index()] + 1,
            Node::Binary(_, left, right) => depths[left.index()].max(depths[right.index()]) + 1,
        });
    }
    if depths.iter().any(|&depth| depth > DEEPEST) {
        return Err(TooLarge::Depth);
    }
    Ok(())
}
