//! `unreachable-option`: a statement or an option that can never be executed.
//!
//! What comes behind `goto`, `break` or `false` without a label; an option whose guard is the
//! constant 0; `else` beside an option that can always be taken. Only constants that stand in the
//! text count: one that comes out of a macro or an inline may be another elsewhere. Claims are
//! often made by tools and are left alone.

use super::Lint;
use super::constant::written_value;
use super::walk::Walk;
use crate::ast::{Block, Step, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::source::{ExpansionId, Span};

pub(super) fn sequence(walk: &mut Walk<'_>, steps: &[Step]) {
    for pair in steps.windows(2) {
        let (Step::Stmt(before), next) = (&pair[0], &pair[1]) else {
            continue;
        };
        let Some(why) = never_goes_on(before) else {
            continue;
        };
        let span = match next {
            Step::Stmt(stmt) => stmt.span,
            Step::Unless(unless) => unless.span,
            Step::Decl(_) | Step::Exclusive(_) => continue,
        };
        if before.span.expansion == span.expansion && !step_has_label(next) {
            report(walk, span, "this can never be reached", before.span, why);
        }
    }
}

/// Why nothing behind a statement is executed.
fn never_goes_on(stmt: &Stmt) -> Option<&'static str> {
    match &stmt.kind {
        StmtKind::Goto(_) => Some("control jumps away here"),
        StmtKind::Break => Some("this exits the loop"),
        StmtKind::Expr(expr) if written_value(expr) == Some(0) => Some("this blocks forever"),
        _ => None,
    }
}

pub(super) fn choice(walk: &mut Walk<'_>, options: &[Block]) {
    let mut always = None;
    let mut otherwise = None;
    for option in options {
        let Some(Step::Stmt(first)) = option.steps.first() else {
            continue;
        };
        match &first.kind {
            StmtKind::Else => otherwise = Some(first.span),
            StmtKind::Expr(guard) if written_value(guard) == Some(0) => {
                let message = "this option can never be taken";
                let diagnostic = Diagnostic::lint(Lint::UnreachableOption, first.span, message);
                walk.report(diagnostic.label("this is never true"));
            }
            _ if is_always_executable(first) => {
                always.get_or_insert(first.span);
            }
            _ => {}
        }
    }
    if let (Some(always), Some(otherwise)) = (always, otherwise) {
        let message = "this `else` can never be taken";
        report(
            walk,
            otherwise,
            message,
            always,
            "this is always executable",
        );
    }
}

/// Assignments are left to `assignment-guard`.
fn is_always_executable(stmt: &Stmt) -> bool {
    if stmt.span.expansion != ExpansionId::NONE {
        return false;
    }
    match &stmt.kind {
        StmtKind::Expr(guard) => written_value(guard).is_some_and(|value| value != 0),
        StmtKind::Printf(..) | StmtKind::Printm(_) | StmtKind::Assert(_) => true,
        StmtKind::Goto(_) | StmtKind::Break => true,
        StmtKind::Increment(_) | StmtKind::Decrement(_) => true,
        StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
            match block.steps.first() {
                Some(Step::Stmt(first)) => is_always_executable(first),
                _ => false,
            }
        }
        _ => false,
    }
}

fn report(walk: &mut Walk<'_>, span: Span, message: &str, because: Span, why: &str) {
    walk.report(
        Diagnostic::lint(Lint::UnreachableOption, span, message).note(because, why.to_owned()),
    );
}

/// Whether a jump may lead into a step.
fn step_has_label(step: &Step) -> bool {
    match step {
        Step::Stmt(stmt) => has_label(stmt),
        Step::Unless(unless) => has_label(&unless.main) || has_label(&unless.escape),
        Step::Decl(_) | Step::Exclusive(_) => false,
    }
}

fn has_label(stmt: &Stmt) -> bool {
    let inside = |block: &Block| block.steps.iter().any(step_has_label);
    if !stmt.labels.is_empty() {
        return true;
    }
    match &stmt.kind {
        StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => inside(block),
        StmtKind::Inline { body, .. } | StmtKind::For { body, .. } => inside(body),
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(inside),
        _ => false,
    }
}
