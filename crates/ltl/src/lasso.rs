//! The meaning of formulas and automata on single words: the oracle of everything else here.

use crate::automaton::{Automaton, StateIx, all_marks};
use crate::bdd::{Bdd, Bdds};
use crate::components::Components;
use crate::formula::{Binary, Formula, Node, Unary};
use crate::graph::{Arc, Graph};

/// An infinite word: a stem, then a cycle for ever. Bit `i` of a letter is the value of atom `i`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The letters before the cycle.
    pub stem: Vec<u64>,
    /// The letters that repeat; at least one.
    pub cycle: Vec<u64>,
}

impl Lasso {
    /// The number of positions that differ.
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// True if there is no position: then this is no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The letter at a position below `len`.
    pub fn letter(&self, position: usize) -> u64 {
        let in_cycle = position.checked_sub(self.stem.len());
        in_cycle.map_or_else(|| self.stem[position], |position| self.cycle[position])
    }

    /// The position after this one.
    pub fn next(&self, position: usize) -> usize {
        if position + 1 < self.len() {
            position + 1
        } else {
            self.stem.len()
        }
    }

    /// True if the formula holds at the start of the word, by the definition of each operator.
    pub fn satisfies(&self, formula: &Formula) -> bool {
        let mut values: Vec<Vec<bool>> = Vec::new();
        for &node in formula.nodes() {
            let row = match node {
                Node::Constant(value) => vec![value; self.len()],
                Node::Atom(atom) => {
                    let holds = |position| self.letter(position) >> atom.0 & 1 == 1;
                    (0..self.len()).map(holds).collect()
                }
                Node::Unary(operator, argument) => self.unary(operator, &values[argument.index()]),
                Node::Binary(operator, left, right) => {
                    self.binary(operator, &values[left.index()], &values[right.index()])
                }
            };
            values.push(row);
        }
        values[formula.root().index()][0]
    }

    fn unary(&self, operator: Unary, argument: &[bool]) -> Vec<bool> {
        let all = |value| vec![value; self.len()];
        match operator {
            Unary::Not => argument.iter().map(|value| !value).collect(),
            Unary::Next => (0..self.len())
                .map(|position| argument[self.next(position)])
                .collect(),
            Unary::Always => self.fixpoint(all(true), |at, later| argument[at] && later),
            Unary::Eventually => self.fixpoint(all(false), |at, later| argument[at] || later),
        }
    }

    fn binary(&self, operator: Binary, left: &[bool], right: &[bool]) -> Vec<bool> {
        let all = |value| vec![value; self.len()];
        let each = |of: fn(bool, bool) -> bool| {
            let pairs = left.iter().zip(right);
            pairs.map(|(&left, &right)| of(left, right)).collect()
        };
        match operator {
            Binary::And => each(|left, right| left && right),
            Binary::Or => each(|left, right| left || right),
            Binary::Implies => each(|left, right| !left || right),
            Binary::Equivalent => each(|left, right| left == right),
            Binary::Until => self.fixpoint(all(false), |at, later| right[at] || left[at] && later),
            Binary::WeakUntil => {
                self.fixpoint(all(true), |at, later| right[at] || left[at] && later)
            }
            Binary::Release => {
                self.fixpoint(all(true), |at, later| right[at] && (left[at] || later))
            }
            Binary::StrongRelease => {
                self.fixpoint(all(false), |at, later| right[at] && (left[at] || later))
            }
        }
    }

    /// The value at each position from the value at the next, least or greatest by the start.
    ///
    /// Twice around is enough: the first time settles the start of the cycle.
    fn fixpoint(&self, start: Vec<bool>, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = start;
        for _ in 0..2 {
            for position in (0..self.len()).rev() {
                values[position] = step(position, values[self.next(position)]);
            }
        }
        values
    }

    /// True if the automaton accepts the word.
    pub fn is_accepted_by(&self, automaton: &Automaton) -> bool {
        let states = automaton.states.len();
        let mut runs = Graph::new(Bdds::default(), automaton.sets);
        for position in 0..self.len() {
            for state in 0..states {
                let enabled = automaton.enabled(StateIx(state as u32), self.letter(position));
                let arcs = enabled.map(|edge| Arc {
                    target: self.next(position) * states + edge.target.index(),
                    marks: edge.marks & all_marks(automaton.sets),
                    guard: Bdd::TRUE,
                });
                runs.arcs.push(arcs.collect());
            }
        }
        runs.initial = automaton.initial.index();
        Components::of(&runs).useful(&runs)[runs.initial]
    }
}
