//! `mtype-number`: an mtype variable compared with a number, or set to one.
//!
//! 0 is the value of an mtype variable before it is set, so it can be meant. A number that comes out
//! of a macro has a name of its own.

use super::Lint;
use super::walk::Walk;
use crate::ast::{BinaryOp, Expr, ExprKind, TypeName, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::{ExpansionId, Span};

pub(super) fn comparison<'a>(walk: &mut Walk<'a>, op: BinaryOp, left: &'a Expr, right: &'a Expr) {
    let compares = matches!(
        op,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    );
    if !compares {
        return;
    }
    for (symbolic, number) in [(left, right), (right, left)] {
        if let Some((span, value)) = literal(number)
            && is_mtype(walk, symbolic)
        {
            report(
                walk,
                span,
                format!("an mtype is compared with the number {value}"),
            );
        }
    }
}

pub(super) fn assignment<'a>(walk: &mut Walk<'a>, var: &'a VarRef, expr: &'a Expr) {
    if let Some((span, value)) = literal(expr)
        && is_mtype_variable(walk, var)
    {
        report(
            walk,
            span,
            format!("an mtype is assigned the number {value}"),
        );
    }
}

fn report(walk: &mut Walk<'_>, span: Span, message: String) {
    walk.report(
        Diagnostic::lint(Lint::MtypeNumber, span, message)
            .help("use a symbolic name: its number depends on the declaration order"),
    );
}

/// A number other than 0 that stands in the text.
fn literal(expr: &Expr) -> Option<(Span, i32)> {
    match expr.kind {
        ExprKind::Number(value) if value != 0 && expr.span.expansion == ExpansionId::NONE => {
            Some((expr.span, value))
        }
        _ => None,
    }
}

/// Who compares a symbolic name itself with a number wants to know its number.
fn is_mtype(walk: &Walk<'_>, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var(var) => is_mtype_variable(walk, var),
        _ => false,
    }
}

fn is_mtype_variable(walk: &Walk<'_>, var: &VarRef) -> bool {
    let place = walk.scope.place(var);
    place.is_some_and(|place| matches!(place.decl.ty, TypeName::Mtype(_)))
}
