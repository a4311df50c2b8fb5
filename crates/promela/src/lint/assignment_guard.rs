//! `assignment-guard`: an option that begins with an assignment where a comparison was meant.
//!
//! `:: x = 1` is how Promela chooses a value, so an assignment is suspicious only in two places:
//! beside `else`, which could never be taken, and before `->` where another option compares the
//! same variable.

use std::collections::HashSet;

use super::Lint;
use super::walk::Walk;
use crate::ast::{BinaryOp, Block, Expr, ExprKind, Step, Stmt, StmtKind, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::{ExpansionId, SourceMap, Span};

pub(super) fn choice(walk: &mut Walk<'_>, options: &[Block]) {
    let otherwise = options
        .iter()
        .filter_map(first)
        .find(|s| s.kind == StmtKind::Else);
    let mut compared: Option<HashSet<&str>> = None;
    for option in options {
        let Some((stmt, var)) = first(option).and_then(assigned) else {
            continue;
        };
        let help = "use `==` to compare";
        if let Some(otherwise) = otherwise {
            let message = "this option begins with an assignment, so `else` can never be taken";
            walk.report(
                Diagnostic::lint(Lint::AssignmentGuard, stmt.span, message)
                    .label("this is always executable")
                    .note(otherwise.span, "the `else`")
                    .help(help),
            );
            continue;
        }
        let sources = walk.sources;
        let name = sources.snippet(var.span);
        let compared = compared.get_or_insert_with(|| compared_variables(options, sources));
        if is_before_arrow(stmt.span, sources) && compared.contains(name) {
            let message = format!("`{name}` is assigned here, but compared in other options");
            walk.report(
                Diagnostic::lint(Lint::AssignmentGuard, stmt.span, message)
                    .label("this is always executable")
                    .help(help),
            );
        }
    }
}

/// The statement that an option begins with.
fn first(option: &Block) -> Option<&Stmt> {
    match option.steps.first()? {
        Step::Stmt(stmt) => Some(stmt),
        _ => None,
    }
}

/// An assignment that stands in the text.
fn assigned(stmt: &Stmt) -> Option<(&Stmt, &VarRef)> {
    match &stmt.kind {
        StmtKind::Assign(var, _) if stmt.span.expansion == ExpansionId::NONE => Some((stmt, var)),
        _ => None,
    }
}

/// Whether `->` follows, which stands for itself in the text only.
fn is_before_arrow(span: Span, sources: &SourceMap) -> bool {
    let text = &sources.file(span.file).text;
    let rest = text.get(span.end as usize..).unwrap_or_default();
    rest.trim_start().starts_with("->")
}

/// The variables that the guards of options compare with `==`, as written.
fn compared_variables<'a>(options: &[Block], sources: &'a SourceMap) -> HashSet<&'a str> {
    let mut found = HashSet::new();
    for option in options {
        let Some(StmtKind::Expr(guard)) = first(option).map(|stmt| &stmt.kind) else {
            continue;
        };
        let mut open = vec![guard];
        while let Some(Expr { kind, .. }) = open.pop() {
            let ExprKind::Binary(op, left, right) = kind else {
                continue;
            };
            match (op, &left.kind) {
                (BinaryOp::And | BinaryOp::Or, _) => open.extend([&**left, &**right]),
                (BinaryOp::Eq, ExprKind::Var(var)) => {
                    found.insert(sources.snippet(var.span));
                }
                _ => {}
            }
        }
    }
    found
}
