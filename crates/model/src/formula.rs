//! Properties beyond safety, as a model states them: formulas, claims, accept labels.

use crate::ids::{ExprId, ProctypeId};
use crate::model::Location;

/// A property that needs a search for cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivenessProperty {
    /// Its name.
    pub name: String,
    /// What it says.
    pub kind: LivenessKind,
    /// Where it stands.
    pub location: Location,
}

/// What a [`LivenessProperty`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LivenessKind {
    /// Every execution satisfies a formula.
    Formula(LtlProperty),
    /// No execution matches a `never` claim.
    Never(ProctypeId),
    /// No execution passes accept labels of processes for ever.
    Acceptance,
}

/// A formula over expressions of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LtlProperty {
    /// The formula.
    pub formula: Formula,
    /// The expressions that the formula speaks of: [`Formula::Atom`] is a row.
    pub atoms: Vec<Atom>,
}

/// An expression that is true or false in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// It is true where this is not 0.
    pub expr: ExprId,
    /// Its text.
    pub text: String,
}

/// A formula of linear temporal logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// True or false.
    Const(bool),
    /// An expression, by its row in [`LtlProperty::atoms`].
    Atom(u32),
    /// With one operand.
    Unary(TemporalUnary, Box<Formula>),
    /// With two operands.
    Binary(TemporalBinary, Box<Formula>, Box<Formula>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TemporalUnary {
    Not,
    Always,
    Eventually,
    Next,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TemporalBinary {
    And,
    Or,
    Implies,
    Equiv,
    Until,
    WeakUntil,
    Release,
}

impl Formula {
    /// The formula with all brackets, its atoms by their texts.
    pub fn text(&self, atoms: &[Atom]) -> String {
        match self {
            Formula::Const(value) => value.to_string(),
            Formula::Atom(row) => bracketed(&atoms[*row as usize].text),
            Formula::Unary(op, operand) => {
                let word = match op {
                    TemporalUnary::Not => "!",
                    TemporalUnary::Always => "[] ",
                    TemporalUnary::Eventually => "<> ",
                    TemporalUnary::Next => "X ",
                };
                format!("{word}{}", operand.text(atoms))
            }
            Formula::Binary(op, left, right) => {
                let word = match op {
                    TemporalBinary::And => "&&",
                    TemporalBinary::Or => "||",
                    TemporalBinary::Implies => "->",
                    TemporalBinary::Equiv => "<->",
                    TemporalBinary::Until => "U",
                    TemporalBinary::WeakUntil => "W",
                    TemporalBinary::Release => "V",
                };
                format!("({} {word} {})", left.text(atoms), right.text(atoms))
            }
        }
    }
}

/// A text that can stand beside any operator.
fn bracketed(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    match plain || (text.starts_with('(') && text.ends_with(')')) {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}
