//! `run`: taken out of the expression around it, since starting a process is an effect.

use model::RunSpec;

use super::Lowerer;
use crate::ast::{self, ExprKind, Ident};
use crate::source::Span;

impl Lowerer<'_> {
    /// Take a `run` out of an expression: what to start, and the expression around it.
    /// `None`: there is none; `Some(None)`: there is one, and it was reported as wrong.
    pub(super) fn lower_run(
        &mut self,
        expr: &ast::Expr,
    ) -> Option<Option<(RunSpec, model::ExprId)>> {
        let run = find_run(expr)?;
        let ExprKind::Run {
            name,
            args,
            priority,
        } = &run.kind
        else {
            return None;
        };
        let spec = self.run_spec(run.span, name, args, priority.as_deref());
        self.run_result = Some(run.span);
        let value = self.expr(expr);
        self.run_result = None;
        Some(spec.map(|spec| (spec, value)))
    }

    fn run_spec(
        &mut self,
        span: Span,
        name: &Ident,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
    ) -> Option<RunSpec> {
        let args = self.value_args(args);
        let priority = self.priority(priority);
        let Some(&proctype) = self.proctype_ids.get(&name.name) else {
            self.undeclared_proctype(name);
            return None;
        };
        // Parameters may be declared later in the text: counted when all is known.
        self.runs.push((span, proctype, args.len()));
        Some(RunSpec {
            proctype,
            args,
            priority,
        })
    }

    pub(super) fn priority(&mut self, priority: Option<&ast::Expr>) -> u8 {
        let Some(priority) = priority else { return 1 };
        self.priority_at.get_or_insert(priority.span);
        match self.constant(priority) {
            Some(value @ 1..=255) => value as u8,
            Some(0) => 1,
            _ => {
                self.error_at(priority.span, "a priority must be a number from 1 to 255");
                1
            }
        }
    }
}

/// The first `run` inside an expression.
pub(super) fn find_run(expr: &ast::Expr) -> Option<&ast::Expr> {
    let mut pending = vec![expr];
    while let Some(at) = pending.pop() {
        match &at.kind {
            ExprKind::Run { .. } => return Some(at),
            ExprKind::Unary(_, a) => pending.push(a),
            ExprKind::Binary(_, a, b) => pending.extend([b.as_ref(), a.as_ref()]),
            ExprKind::Cond(c, a, b) => pending.extend([b.as_ref(), a.as_ref(), c.as_ref()]),
            _ => {}
        }
    }
    None
}
