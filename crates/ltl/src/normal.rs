//! Formulas in negation normal form, each kept once, simplified while they are made.
//!
//! `[] f` is `false V f` and `<> f` is `true U f`. The largest parts without a temporal operator
//! are one node each, with a decision diagram, so boolean reasoning is exact.
//!
//! Every rule is written for `&&` and `U` alone. `||` and `V` are made by negating the arguments,
//! applying the rules, and negating the result, so a rule cannot be forgotten on one side.

use std::collections::HashMap;

use crate::bdd::{Bdd, Bdds};
use crate::formula::{Binary, Formula, Node, Unary};

/// A formula in negation normal form, known to its [`Normals`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Normal(u32);

impl Normal {
    pub const FALSE: Normal = Normal(0);
    pub const TRUE: Normal = Normal(1);
}

/// The outermost operator. The parts of `And` and `Or` are sorted and at least two.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shape {
    Boolean(Bdd),
    And(Vec<Normal>),
    Or(Vec<Normal>),
    Next(Normal),
    Until(Normal, Normal),
    Release(Normal, Normal),
}

/// What is known about a formula from its shape.
///
/// Follows: [Etessami, Holzmann 2000].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Pure eventuality: equal to `<>` of itself.
    pub eventual: bool,
    /// Purely universal: equal to `[]` of itself.
    pub universal: bool,
}

/// Which way to go where rules lead in opposite directions. Neither gives the smaller automaton
/// always.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Style {
    /// `[] a && [] <> b`: what holds everywhere or nowhere on a word stands alone.
    #[default]
    Apart,
    /// `[] (a && <> b)`: one operator where one is enough.
    Together,
    /// As `Together`, and `<> (a || [] <> b)` stays as it is too.
    Whole,
}

/// The table of all formulas in normal form.
#[derive(Default, Debug)]
pub(crate) struct Normals {
    pub style: Style,
    pub bdds: Bdds,
    shapes: Vec<Shape>,
    facts: Vec<Facts>,
    index: HashMap<Shape, Normal>,
    negations: HashMap<Normal, Normal>,
    pub(crate) implications: HashMap<(Normal, Normal), bool>,
}

impl Style {
    pub const ALL: [Style; 3] = [Style::Apart, Style::Together, Style::Whole];
}

impl Normals {
    /// A table with the constants.
    pub fn new(style: Style) -> Self {
        let mut normals = Normals {
            style,
            ..Normals::default()
        };
        normals.boolean(Bdd::FALSE);
        normals.boolean(Bdd::TRUE);
        normals
    }

    pub fn shape(&self, formula: Normal) -> &Shape {
        &self.shapes[formula.0 as usize]
    }

    pub fn facts(&self, formula: Normal) -> Facts {
        self.facts[formula.0 as usize]
    }

    /// Equal to `[]` and to `<>` of itself, so it holds everywhere or nowhere on a word.
    pub fn is_suspendable(&self, formula: Normal) -> bool {
        let facts = self.facts(formula);
        facts.eventual && facts.universal
    }

    pub fn is_eventual(&self, formula: Normal) -> bool {
        self.facts(formula).eventual
    }

    pub fn is_universal(&self, formula: Normal) -> bool {
        self.facts(formula).universal
    }

    /// The node of a shape, without any rule.
    pub fn intern(&mut self, shape: Shape) -> Normal {
        if let Some(&known) = self.index.get(&shape) {
            return known;
        }
        let facts = self.derive(&shape);
        let formula = Normal(self.shapes.len() as u32);
        self.shapes.push(shape.clone());
        self.facts.push(facts);
        self.index.insert(shape, formula);
        formula
    }

    fn derive(&self, shape: &Shape) -> Facts {
        let both = |left: Normal, right: Normal| {
            let (left, right) = (self.facts(left), self.facts(right));
            Facts {
                eventual: left.eventual && right.eventual,
                universal: left.universal && right.universal,
            }
        };
        match *shape {
            Shape::Boolean(function) => {
                let constant = function == Bdd::FALSE || function == Bdd::TRUE;
                Facts {
                    eventual: constant,
                    universal: constant,
                }
            }
            Shape::And(ref parts) | Shape::Or(ref parts) => Facts {
                eventual: parts.iter().all(|&part| self.is_eventual(part)),
                universal: parts.iter().all(|&part| self.is_universal(part)),
            },
            Shape::Next(part) => self.facts(part),
            Shape::Until(left, right) => Facts {
                eventual: left == Normal::TRUE || self.is_eventual(right),
                universal: both(left, right).universal,
            },
            Shape::Release(left, right) => Facts {
                eventual: both(left, right).eventual,
                universal: left == Normal::FALSE || self.is_universal(right),
            },
        }
    }

    /// A formula without temporal operators.
    pub fn boolean(&mut self, function: Bdd) -> Normal {
        self.intern(Shape::Boolean(function))
    }

    /// The function of a formula without temporal operators.
    pub fn function(&self, formula: Normal) -> Option<Bdd> {
        match *self.shape(formula) {
            Shape::Boolean(function) => Some(function),
            _ => None,
        }
    }

    /// The dual of a formula: the same tree with every operator and literal turned over.
    pub fn negate(&mut self, formula: Normal) -> Normal {
        if let Some(&known) = self.negations.get(&formula) {
            return known;
        }
        let shape = match self.shape(formula).clone() {
            Shape::Boolean(function) => Shape::Boolean(self.bdds.not(function)),
            Shape::And(parts) => Shape::Or(self.negate_all(&parts)),
            Shape::Or(parts) => Shape::And(self.negate_all(&parts)),
            Shape::Next(part) => Shape::Next(self.negate(part)),
            Shape::Until(left, right) => Shape::Release(self.negate(left), self.negate(right)),
            Shape::Release(left, right) => Shape::Until(self.negate(left), self.negate(right)),
        };
        let negation = self.intern(shape);
        self.negations.insert(formula, negation);
        self.negations.insert(negation, formula);
        negation
    }

    /// The negations, sorted as the parts of a node must be.
    pub fn negate_all(&mut self, parts: &[Normal]) -> Vec<Normal> {
        let mut negations: Vec<Normal> = parts.iter().map(|&part| self.negate(part)).collect();
        negations.sort_unstable();
        negations
    }

    /// The disjunction, by the rules of the conjunction.
    pub fn or(&mut self, parts: &[Normal]) -> Normal {
        let parts = self.negate_all(parts);
        let conjunction = self.and(&parts);
        self.negate(conjunction)
    }

    /// `left V right`, by the rules of `U`.
    pub fn release(&mut self, left: Normal, right: Normal) -> Normal {
        let (left, right) = (self.negate(left), self.negate(right));
        let until = self.until(left, right);
        self.negate(until)
    }

    pub fn eventually(&mut self, formula: Normal) -> Normal {
        self.until(Normal::TRUE, formula)
    }

    pub fn always(&mut self, formula: Normal) -> Normal {
        self.release(Normal::FALSE, formula)
    }

    /// The normal form of a formula, simplified.
    pub fn of(&mut self, formula: &Formula) -> Normal {
        let mut done: Vec<Normal> = Vec::with_capacity(formula.nodes().len());
        for &node in formula.nodes() {
            let normal = match node {
                Node::Constant(false) => Normal::FALSE,
                Node::Constant(true) => Normal::TRUE,
                Node::Atom(atom) => {
                    let function = self.bdds.atom(atom.0);
                    self.boolean(function)
                }
                Node::Unary(operator, argument) => self.unary(operator, done[argument.index()]),
                Node::Binary(operator, left, right) => {
                    self.binary(operator, done[left.index()], done[right.index()])
                }
            };
            done.push(normal);
        }
        *done.last().expect("a formula has a root")
    }

    fn unary(&mut self, operator: Unary, argument: Normal) -> Normal {
        match operator {
            Unary::Not => self.negate(argument),
            Unary::Next => self.next(argument),
            Unary::Always => self.always(argument),
            Unary::Eventually => self.eventually(argument),
        }
    }

    fn binary(&mut self, operator: Binary, left: Normal, right: Normal) -> Normal {
        match operator {
            Binary::And => self.and(&[left, right]),
            Binary::Or => self.or(&[left, right]),
            Binary::Implies => {
                let left = self.negate(left);
                self.or(&[left, right])
            }
            Binary::Equivalent => {
                let both = self.and(&[left, right]);
                let (left, right) = (self.negate(left), self.negate(right));
                let neither = self.and(&[left, right]);
                self.or(&[both, neither])
            }
            Binary::Until => self.until(left, right),
            Binary::Release => self.release(left, right),
            Binary::WeakUntil => {
                let either = self.or(&[left, right]);
                self.release(right, either)
            }
            Binary::StrongRelease => {
                let both = self.and(&[left, right]);
                self.until(right, both)
            }
        }
    }
}
