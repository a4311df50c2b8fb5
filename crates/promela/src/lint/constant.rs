//! Values of constant expressions.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::source::ExpansionId;

/// The value of an expression of numbers.
pub(super) fn value(expr: &Expr) -> Option<i64> {
    fold(expr, &|_| true)
}

/// The same, if all of it stands in the text as it is: a macro may have other values elsewhere, and
/// an inline other arguments.
pub(super) fn written_value(expr: &Expr) -> Option<i64> {
    fold(expr, &|leaf| leaf.span.expansion == ExpansionId::NONE)
}

/// Trees are not higher than [`crate::parser::MAX_HEIGHT`].
fn fold(expr: &Expr, counts: &dyn Fn(&Expr) -> bool) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(value) if counts(expr) => Some(i64::from(*value)),
        ExprKind::Unary(UnaryOp::Neg, operand) => Some(-fold(operand, counts)?),
        ExprKind::Unary(UnaryOp::Not, operand) => Some(i64::from(fold(operand, counts)? == 0)),
        ExprKind::Binary(op, left, right) => {
            let left = fold(left, counts)?;
            binary(*op, left, fold(right, counts)?)
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::Add => left.checked_add(right)?,
        BinaryOp::Sub => left.checked_sub(right)?,
        BinaryOp::Mul => left.checked_mul(right)?,
        BinaryOp::Div => left.checked_div(right)?,
        BinaryOp::Rem => left.checked_rem(right)?,
        BinaryOp::Lt => i64::from(left < right),
        BinaryOp::Le => i64::from(left <= right),
        BinaryOp::Gt => i64::from(left > right),
        BinaryOp::Ge => i64::from(left >= right),
        BinaryOp::Eq => i64::from(left == right),
        BinaryOp::Ne => i64::from(left != right),
        BinaryOp::And => i64::from(left != 0 && right != 0),
        BinaryOp::Or => i64::from(left != 0 || right != 0),
        _ => return None,
    })
}
