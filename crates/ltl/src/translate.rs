//! From a formula to the smallest automaton that the ways known here give.

use std::fmt;

use crate::automaton::Automaton;
use crate::formula::{Formula, Node};
use crate::normal::Normals;
use crate::reduce::reduce;
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
            TooLarge::Depth => "the operators of the formula are nested more than 500 deep",
            TooLarge::Sets => "the formula has more than 32 eventualities at once",
            TooLarge::States => "the automaton of the formula has too many states",
        })
    }
}

impl std::error::Error for TooLarge {}

/// A generalised Büchi automaton that accepts the words on which the formula holds.
///
/// To find counterexamples, translate the negation: [`Formula::negated`].
pub fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    check_limits(formula)?;
    let mut normals = Normals::new();
    let normal = normals.of(formula);
    let graph = reduce(tableau(&mut normals, normal)?);
    Ok(graph.finish(formula.atoms()))
}

fn check_limits(formula: &Formula) -> Result<(), TooLarge> {
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
