//! Conditions of claims, made ready to be evaluated in state after state.
//!
//! A claim asks the same few questions in every state, and most compare a global variable
//! with a number. These are answered from the bytes of the vector alone; whatever else there
//! is in a condition is left to the interpreter.

use space::Violation;

use crate::expr::{BinaryOp, Expr, UnaryOp};
use crate::ids::ExprId;
use crate::interp::{Interp, Sight};
use crate::layout::{Base, Scalar};
use crate::model::Model;

/// An expression of a claim of which only the truth matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always the same.
    Const(bool),
    /// Whether a global variable is in a range, or whether it is not.
    Range(Range),
    /// Both are true. The second is not looked at if the first decides.
    And(Box<Condition>, Box<Condition>),
    /// One is true. The second is not looked at if the first decides.
    Or(Box<Condition>, Box<Condition>),
    /// Whether something else is true, or whether it is not.
    Other {
        /// What the interpreter evaluates.
        expr: ExprId,
        /// What it has to be.
        is: bool,
    },
}

/// The values of a global variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    offset: u32,
    scalar: Scalar,
    low: i32,
    high: i32,
    inside: bool,
}

impl Range {
    #[inline]
    fn holds(&self, state: &[u8]) -> bool {
        let value = self.scalar.read(state, self.offset as usize);
        (self.low <= value && value <= self.high) == self.inside
    }
}

impl Condition {
    /// That an expression is not 0.
    pub fn new(model: &Model, expr: ExprId) -> Condition {
        Condition::that(model, expr, true)
    }

    /// That an expression is true, or that it is not.
    fn that(model: &Model, expr: ExprId, is: bool) -> Condition {
        let both = |a: &ExprId, b: &ExprId| {
            let [a, b] = [a, b].map(|expr| Box::new(Condition::that(model, *expr, is)));
            (a, b)
        };
        match model.expr(expr) {
            Expr::Const(value) => Condition::Const((*value != 0) == is),
            Expr::Unary(UnaryOp::Not, operand) => Condition::that(model, *operand, !is),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (a, b) = both(a, b);
                match (*op == BinaryOp::And) == is {
                    true => Condition::And(a, b),
                    false => Condition::Or(a, b),
                }
            }
            _ => match range(model, expr) {
                Some(range) => Condition::Range(Range {
                    inside: range.inside == is,
                    ..range
                }),
                None => Condition::Other { expr, is },
            },
        }
    }

    /// Whether the interpreter is asked, which has to know the vector then.
    pub fn asks(&self) -> bool {
        match self {
            Condition::Const(_) | Condition::Range(_) => false,
            Condition::And(a, b) | Condition::Or(a, b) => a.asks() || b.asks(),
            Condition::Other { .. } => true,
        }
    }

    /// Whether it is true in a state. [`Interp::load`] must have been called for a vector with
    /// the same processes if the condition [asks](Condition::asks).
    #[inline]
    pub fn holds(
        &self,
        interp: &Interp<'_>,
        state: &[u8],
        sight: Sight,
    ) -> Result<bool, Violation> {
        match self {
            Condition::Const(value) => Ok(*value),
            Condition::Range(range) => {
                interp.note_read(range.offset);
                Ok(range.holds(state))
            }
            _ => self.parts_hold(interp, state, sight),
        }
    }

    fn parts_hold(
        &self,
        interp: &Interp<'_>,
        state: &[u8],
        sight: Sight,
    ) -> Result<bool, Violation> {
        match self {
            Condition::Const(_) | Condition::Range(_) => self.holds(interp, state, sight),
            Condition::And(a, b) => {
                Ok(a.holds(interp, state, sight)? && b.holds(interp, state, sight)?)
            }
            Condition::Or(a, b) => {
                Ok(a.holds(interp, state, sight)? || b.holds(interp, state, sight)?)
            }
            Condition::Other { expr, is } => {
                let value = interp.observe_value(state, sight, *expr)?;
                Ok((value != 0) == *is)
            }
        }
    }
}

/// The expression as a range of a global variable.
fn range(model: &Model, expr: ExprId) -> Option<Range> {
    let Expr::Binary(op, a, b) = model.expr(expr) else {
        return values(model, expr, BinaryOp::Ne, 0);
    };
    match (model.expr(*a), model.expr(*b)) {
        (_, Expr::Const(number)) => values(model, *a, *op, *number),
        (Expr::Const(number), _) => values(model, *b, mirrored(*op)?, *number),
        _ => None,
    }
}

/// The values of a global variable that compare so with a number.
fn values(model: &Model, variable: ExprId, op: BinaryOp, number: i32) -> Option<Range> {
    let (low, high, inside) = match op {
        BinaryOp::Eq => (number, number, true),
        BinaryOp::Ne => (number, number, false),
        BinaryOp::Le => (i32::MIN, number, true),
        BinaryOp::Gt => (i32::MIN, number, false),
        BinaryOp::Ge => (number, i32::MAX, true),
        BinaryOp::Lt => (number, i32::MAX, false),
        _ => return None,
    };
    let (offset, scalar) = global(model, variable)?;
    Some(Range {
        offset,
        scalar,
        low,
        high,
        inside,
    })
}

/// The operator for the operands the other way round.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq | BinaryOp::Ne => op,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        _ => return None,
    })
}

/// Where a global variable lies, if the expression is one.
fn global(model: &Model, expr: ExprId) -> Option<(u32, Scalar)> {
    let Expr::Load(place) = model.expr(expr) else {
        return None;
    };
    let place = model.place(*place);
    let mut offset = place.offset;
    for index in &place.indices {
        let Expr::Const(number) = model.expr(index.expr) else {
            return None;
        };
        let number = u32::try_from(*number).ok().filter(|n| *n < index.count)?;
        offset += number * index.stride;
    }
    (place.base == Base::Global).then_some((offset, place.scalar))
}

#[cfg(test)]
mod tests;
