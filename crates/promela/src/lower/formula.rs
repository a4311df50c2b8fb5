//! Formulas: the temporal operators become a [`Formula`], what is between them expressions.
//!
//! An expression without temporal operators is one atom, and is evaluated as everywhere
//! else: `&&` and `||` do not look at the second operand when the first decides.

use model::{
    Atom, ExprId, Formula, LivenessKind, LivenessProperty, LtlProperty, TemporalBinary,
    TemporalUnary,
};

use super::Lowerer;
use crate::ast::{self, BinaryOp, Expr, ExprKind, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Lowerer<'_> {
    /// A formula with its name.
    pub(super) fn ltl(&mut self, ltl: &ast::Ltl) {
        let is_formula = |p: &&LivenessProperty| matches!(p.kind, LivenessKind::Formula(_));
        let unnamed = self.model.liveness.iter().filter(is_formula).count();
        let name = match &ltl.name {
            Some(name) => name.name.clone(),
            None => format!("ltl_{unnamed}"),
        };
        if self.model.liveness.iter().any(|known| known.name == name) {
            let span = ltl.name.as_ref().map_or(ltl.span, |name| name.span);
            self.error_at(span, format!("there are two properties named `{name}`"));
        }
        self.in_claim = true;
        let errors = self.diagnostics.len();
        let mut atoms = Vec::new();
        let formula = self.formula(&ltl.formula, &mut atoms);
        if self.diagnostics.len() == errors && self.is_easily_misread(&ltl.formula) {
            let reading = format!("parsed as {}", formula.text(&atoms));
            let message = "this formula is easily misread";
            self.diagnostics.push(
                Diagnostic::warning(ltl.formula.span, message)
                    .label(reading)
                    .help("add parentheses to make the meaning explicit"),
            );
        }
        self.in_claim = false;
        let property = LivenessProperty {
            name,
            kind: LivenessKind::Formula(LtlProperty { formula, atoms }),
            location: self.locate(ltl.span),
        };
        self.model.liveness.push(property);
    }

    fn formula(&mut self, expr: &Expr, atoms: &mut Vec<Atom>) -> Formula {
        match &expr.kind {
            ExprKind::Number(value) => Formula::Const(*value != 0),
            ExprKind::Unary(op, operand) => match temporal_unary(*op) {
                Some(op) => Formula::Unary(op, Box::new(self.formula(operand, atoms))),
                None => self.atom(expr, atoms),
            },
            ExprKind::Binary(op, left, right) if is_temporal(expr) => match temporal_binary(*op) {
                Some(op) => {
                    let left = self.formula(left, atoms);
                    let right = self.formula(right, atoms);
                    Formula::Binary(op, Box::new(left), Box::new(right))
                }
                None => self.misplaced(expr, left, right),
            },
            _ => self.atom(expr, atoms),
        }
    }

    /// A temporal operator inside a comparison or the like.
    fn misplaced(&mut self, expr: &Expr, left: &Expr, right: &Expr) -> Formula {
        let operand = [left, right].into_iter().find(|e| is_temporal(e));
        let inner = operand.map_or(expr.span, |e| e.span);
        let message = "a temporal operator binds tighter than this operator";
        self.diagnostics.push(
            Diagnostic::error(expr.span, message)
                .note(inner, "this operand is a formula and has no value")
                .help("put the operand of the temporal operator in parentheses, as in [] (x < 2)"),
        );
        Formula::Const(false)
    }

    /// An expression without temporal operators. The same one is not evaluated twice.
    fn atom(&mut self, expr: &Expr, atoms: &mut Vec<Atom>) -> Formula {
        if is_temporal(expr) {
            let message = "a temporal operator cannot be used inside an expression";
            self.error_at(expr.span, message);
            return Formula::Const(false);
        }
        let value = self.expr(expr);
        if let model::Expr::Const(value) = self.model.expr(value) {
            return Formula::Const(*value != 0);
        }
        let known = (atoms.iter()).position(|atom| self.model.is_same_expr(atom.expr, value));
        let row = known.unwrap_or_else(|| {
            atoms.push(Atom {
                expr: value,
                text: self.text(expr.span),
            });
            atoms.len() - 1
        });
        Formula::Atom(row as u32)
    }

    /// `a -> b` and `a <-> b` between expressions without temporal operators.
    pub(super) fn implication(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let not_left = self.add(model::Expr::Unary(model::UnaryOp::Not, left));
        if op == BinaryOp::Implies {
            return self.add(model::Expr::Binary(model::BinaryOp::Or, not_left, right));
        }
        let not_right = self.add(model::Expr::Unary(model::UnaryOp::Not, right));
        self.add(model::Expr::Binary(
            model::BinaryOp::Eq,
            not_left,
            not_right,
        ))
    }

    /// Whether a reader may think of another bracketing than the grammar does.
    fn is_easily_misread(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Unary(op, operand) => {
                temporal_unary(*op).is_some() && self.is_easily_misread(operand)
            }
            ExprKind::Binary(op, left, right) if is_temporal(expr) => {
                self.is_easily_misread(left)
                    || self.is_easily_misread(right)
                    || self.looks_wider(left)
                    || (!self.is_bracketed(left.span) && mixes(*op, left))
                    || (!self.is_bracketed(right.span) && mixes(*op, right))
            }
            _ => false,
        }
    }

    /// `[] p -> q`: the operator in front seems to speak of all that follows.
    fn looks_wider(&self, left: &Expr) -> bool {
        let prefixed = match &left.kind {
            ExprKind::Unary(op, _) => {
                matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next)
            }
            _ => false,
        };
        prefixed && !self.is_bracketed(left.span)
    }

    fn is_bracketed(&self, span: Span) -> bool {
        is_bracketed(self.sources.snippet(span))
    }
}

/// Whether a text has brackets around all of it.
fn is_bracketed(text: &str) -> bool {
    let mut depth = 0_usize;
    let closing = text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    });
    text.starts_with('(') && closing == Some(text.len() - 1)
}

/// `a -> b -> c` and `a U b U c` group to the left, and `U` binds tighter than `&&`.
fn mixes(op: BinaryOp, operand: &Expr) -> bool {
    let ExprKind::Binary(inner, ..) = &operand.kind else {
        return false;
    };
    let until = |op| {
        matches!(
            op,
            BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release
        )
    };
    let implies = |op| matches!(op, BinaryOp::Implies | BinaryOp::Equiv);
    let weaker = matches!(op, BinaryOp::And | BinaryOp::Or) || implies(op);
    (until(op) && until(*inner)) || (implies(op) && implies(*inner)) || (weaker && until(*inner))
}

fn temporal_unary(op: UnaryOp) -> Option<TemporalUnary> {
    Some(match op {
        UnaryOp::Not => TemporalUnary::Not,
        UnaryOp::Always => TemporalUnary::Always,
        UnaryOp::Eventually => TemporalUnary::Eventually,
        UnaryOp::Next => TemporalUnary::Next,
        UnaryOp::Neg | UnaryOp::BitNot => return None,
    })
}

fn temporal_binary(op: BinaryOp) -> Option<TemporalBinary> {
    Some(match op {
        BinaryOp::And => TemporalBinary::And,
        BinaryOp::Or => TemporalBinary::Or,
        BinaryOp::Implies => TemporalBinary::Implies,
        BinaryOp::Equiv => TemporalBinary::Equiv,
        BinaryOp::Until => TemporalBinary::Until,
        BinaryOp::WeakUntil => TemporalBinary::WeakUntil,
        BinaryOp::Release => TemporalBinary::Release,
        _ => return None,
    })
}

/// Whether there is a temporal operator in an expression.
fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(op, operand) => {
            matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next)
                || is_temporal(operand)
        }
        ExprKind::Binary(op, left, right) => {
            let until = matches!(
                op,
                BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release
            );
            until || is_temporal(left) || is_temporal(right)
        }
        ExprKind::Cond(c, a, b) => is_temporal(c) || is_temporal(a) || is_temporal(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_bracketed;

    #[test]
    fn brackets_must_belong_together() {
        for (text, expected) in [
            ("(p)", true),
            ("((p) U (q))", true),
            ("(p) U (q)", false),
            ("p", false),
            ("", false),
            ("(p", false),
        ] {
            assert_eq!(is_bracketed(text), expected, "{text}");
        }
    }
}
