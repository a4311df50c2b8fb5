//! Expressions, with the precedences of Spin's grammar.
//!
//! Unary operators, the temporal ones among them, bind tightest; all binary ones
//! associate to the left. `full`, `empty` and their negations are probes: they may
//! be combined with `&&` and `||` and nothing else.

use super::{MAX_HEIGHT, Parse, Parser, Reported};
use crate::ast::{BinaryOp, ChannelTest, Expr, ExprKind, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

/// An expression with what its context must know about it. The expression is boxed
/// to keep the frames of the recursion small.
pub(super) struct Parsed {
    pub expr: Box<Expr>,
    height: u32,
    /// A probe inside it, outside of any call.
    pub probe: Option<(ChannelTest, Span)>,
}

impl Parsed {
    pub(super) fn leaf(span: Span, kind: ExprKind) -> Parsed {
        Parsed {
            expr: Box::new(Expr { span, kind }),
            height: 1,
            probe: None,
        }
    }

    fn node(span: Span, kind: ExprKind, height: u32) -> Parsed {
        Parsed {
            height,
            ..Parsed::leaf(span, kind)
        }
    }
}

/// A binary operator and how tight it binds.
pub(super) fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    use TokenKind as T;
    Some(match kind {
        T::Implies => (BinaryOp::Implies, 1),
        T::Equiv => (BinaryOp::Equiv, 1),
        T::OrOr => (BinaryOp::Or, 2),
        T::AndAnd => (BinaryOp::And, 3),
        T::Until => (BinaryOp::Until, 4),
        T::WeakUntil => (BinaryOp::WeakUntil, 4),
        T::Release => (BinaryOp::Release, 4),
        T::Pipe => (BinaryOp::BitOr, 5),
        T::Caret => (BinaryOp::BitXor, 6),
        T::Amp => (BinaryOp::BitAnd, 7),
        T::Eq => (BinaryOp::Eq, 8),
        T::Ne => (BinaryOp::Ne, 8),
        T::Gt => (BinaryOp::Gt, 9),
        T::Lt => (BinaryOp::Lt, 9),
        T::Ge => (BinaryOp::Ge, 9),
        T::Le => (BinaryOp::Le, 9),
        T::Shl => (BinaryOp::Shl, 10),
        T::Shr => (BinaryOp::Shr, 10),
        T::Plus => (BinaryOp::Add, 11),
        T::Minus => (BinaryOp::Sub, 11),
        T::Star => (BinaryOp::Mul, 12),
        T::Slash => (BinaryOp::Div, 12),
        T::Percent => (BinaryOp::Rem, 12),
        _ => return None,
    })
}

fn unary_operator(kind: TokenKind) -> Option<UnaryOp> {
    Some(match kind {
        TokenKind::Bang => UnaryOp::Not,
        TokenKind::Minus => UnaryOp::Neg,
        TokenKind::Tilde => UnaryOp::BitNot,
        TokenKind::Always => UnaryOp::Always,
        TokenKind::Eventually => UnaryOp::Eventually,
        TokenKind::Next => UnaryOp::Next,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression that may be a probe, where Spin allows one.
    pub(super) fn full_expr(&mut self) -> Parse<Expr> {
        let parsed = self.operators(None)?;
        Ok(self.finish(parsed))
    }

    /// An expression that is no probe.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let parsed = self.operators(None)?;
        let parsed = self.no_probe(parsed, None);
        Ok(self.finish(parsed))
    }

    /// The expression becomes part of another node, which is higher than it.
    fn finish(&mut self, parsed: Parsed) -> Expr {
        self.child_height = self.child_height.max(parsed.height);
        *parsed.expr
    }

    /// Continue an expression whose first operand has been read already.
    pub(super) fn full_expr_after(&mut self, first: Parsed) -> Parse<Expr> {
        let parsed = self.operators(Some(first))?;
        Ok(self.finish(parsed))
    }

    /// Report a probe where only a value may stand.
    fn no_probe(&mut self, mut parsed: Parsed, negated: Option<Span>) -> Parsed {
        if let Some((test, span)) = parsed.probe.take() {
            let (name, opposite) = probe_names(test);
            let diagnostic = match negated {
                Some(not) => {
                    Diagnostic::error(self.join(not, span), format!("`{name}` cannot be negated"))
                        .help(format!("use its opposite, `{opposite}`"))
                }
                None => Diagnostic::error(
                    span,
                    format!("`{name}` can only be combined with `&&` and `||`"),
                )
                .label("this is a probe, not a value")
                .help("compare `len` of the channel instead"),
            };
            self.report(diagnostic);
        }
        parsed
    }

    /// Operands and binary operators, on explicit stacks.
    fn operators(&mut self, first: Option<Parsed>) -> Parse<Parsed> {
        let mut operands = vec![match first {
            Some(first) => first,
            None => self.unary()?,
        }];
        let mut pending: Vec<(BinaryOp, u8)> = Vec::new();
        loop {
            let kind = self.kind();
            let next = binary_operator(kind);
            let level = next.map_or(0, |(_, level)| level);
            while let Some(&(operator, stacked)) = pending.last() {
                if stacked < level {
                    break;
                }
                pending.pop();
                self.reduce(&mut operands, operator)?;
            }
            let Some(next) = next else {
                return operands.pop().ok_or(Reported);
            };
            self.bump();
            pending.push(next);
            operands.push(self.unary()?);
        }
    }

    fn reduce(&mut self, operands: &mut Vec<Parsed>, operator: BinaryOp) -> Parse<()> {
        let (Some(mut right), Some(mut left)) = (operands.pop(), operands.pop()) else {
            return Err(Reported);
        };
        if !matches!(operator, BinaryOp::And | BinaryOp::Or) {
            left = self.no_probe(left, None);
            right = self.no_probe(right, None);
        }
        let span = self.join(left.expr.span, right.expr.span);
        let height = self.grow(left.height.max(right.height), span)?;
        let kind = ExprKind::Binary(operator, left.expr, right.expr);
        operands.push(Parsed {
            probe: left.probe.or(right.probe),
            ..Parsed::node(span, kind, height)
        });
        Ok(())
    }

    /// One level on top of a tree.
    fn grow(&mut self, height: u32, span: Span) -> Parse<u32> {
        if height >= MAX_HEIGHT {
            self.report(
                Diagnostic::error(
                    span,
                    format!("expression of more than {MAX_HEIGHT} operators in a row"),
                )
                .help("group the operands with parentheses"),
            );
            self.give_up();
            return Err(Reported);
        }
        Ok(height + 1)
    }

    /// An operand with the unary operators before it.
    fn unary(&mut self) -> Parse<Parsed> {
        let mut prefixes = Vec::new();
        while let Some(operator) = unary_operator(self.kind()) {
            prefixes.push((operator, self.bump().span));
        }
        let parsed = self.primary()?;
        self.prefixed(prefixes, parsed)
    }

    fn prefixed(
        &mut self,
        mut prefixes: Vec<(UnaryOp, Span)>,
        mut parsed: Parsed,
    ) -> Parse<Parsed> {
        while let Some((operator, start)) = prefixes.pop() {
            let negated = (operator == UnaryOp::Not).then_some(start);
            parsed = self.no_probe(parsed, negated);
            let span = self.join(start, parsed.expr.span);
            let height = self.grow(parsed.height, span)?;
            parsed = Parsed::node(span, ExprKind::Unary(operator, parsed.expr), height);
        }
        Ok(parsed)
    }

    fn primary(&mut self) -> Parse<Parsed> {
        let outside = std::mem::take(&mut self.child_height);
        let mut parsed = self.operand()?;
        let children = std::mem::replace(&mut self.child_height, outside);
        if children >= parsed.height {
            parsed.height = self.grow(children, parsed.expr.span)?;
        }
        Ok(parsed)
    }

    /// `(e)` or `(c -> a : b)`.
    pub(super) fn parenthesis(&mut self) -> Parse<Parsed> {
        self.enter()?;
        let start = self.bump().span;
        let mut parsed = self.operators(None)?;
        if self.at(TokenKind::Arrow) {
            parsed = self.conditional(parsed)?;
        }
        if self.at(TokenKind::Assign) {
            return self.assignment_in_expression();
        }
        self.expect(TokenKind::RParen, "to close this parenthesis")
            .map_err(|e| self.opened_at(e, start, "("))?;
        self.leave();
        parsed.expr.span = self.since(start);
        Ok(parsed)
    }

    fn conditional(&mut self, condition: Parsed) -> Parse<Parsed> {
        let condition = self.no_probe(condition, None);
        self.bump();
        let yes = self.operators(None)?;
        let yes = self.no_probe(yes, None);
        self.expect(TokenKind::Colon, "and the value if the condition is false")?;
        let no = self.operators(None)?;
        let no = self.no_probe(no, None);
        let span = self.join(condition.expr.span, no.expr.span);
        let height = condition.height.max(yes.height).max(no.height);
        let height = self.grow(height, span)?;
        let kind = ExprKind::Cond(condition.expr, yes.expr, no.expr);
        Ok(Parsed::node(span, kind, height))
    }

    fn assignment_in_expression<T>(&mut self) -> Parse<T> {
        let token = self.peek();
        self.report(
            Diagnostic::error(token.span, "assignment inside an expression")
                .help("use `==` to compare; an assignment is a statement of its own"),
        );
        Err(Reported)
    }
}

fn probe_names(test: ChannelTest) -> (&'static str, &'static str) {
    match test {
        ChannelTest::Full => ("full", "nfull"),
        ChannelTest::Empty => ("empty", "nempty"),
        ChannelTest::NFull => ("nfull", "full"),
        ChannelTest::NEmpty => ("nempty", "empty"),
        ChannelTest::Len => ("len", "len"),
    }
}
