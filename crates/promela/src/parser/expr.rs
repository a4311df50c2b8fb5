//! Expressions, with the precedences of Spin's grammar.
//!
//! Unary operators, the temporal ones among them, bind tightest; all binary ones
//! associate to the left. `full`, `empty` and their negations are probes: they may
//! be combined with `&&` and `||` and nothing else.

use super::stream::Class;
use super::{MAX_HEIGHT, Parse, Parser, Reported};
use crate::ast::{
    BinaryOp, ChannelTest, Expr, ExprKind, Ident, RecvArg, UnaryOp, VarPart, VarRef,
};
use crate::diagnostic::Diagnostic;
use crate::preprocess::character;
use crate::source::Span;
use crate::token::{Keyword, Token, TokenKind};

/// An expression with what its context must know about it.
pub(super) struct Parsed {
    pub expr: Expr,
    height: u32,
    /// A probe inside it, outside of any call.
    probe: Option<(ChannelTest, Span)>,
}

impl Parsed {
    pub(super) fn leaf(span: Span, kind: ExprKind) -> Parsed {
        Parsed {
            expr: Expr { span, kind },
            height: 1,
            probe: None,
        }
    }
}

/// A binary operator and how tight it binds.
fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
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
        parsed.expr
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
                Some(not) => Diagnostic::error(
                    self.join(not, span),
                    format!("`{name}` cannot be negated"),
                )
                .help(format!("use its opposite, `{opposite}`")),
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
        let kind = ExprKind::Binary(operator, Box::new(left.expr), Box::new(right.expr));
        operands.push(Parsed {
            expr: Expr { span, kind },
            height,
            probe: left.probe.or(right.probe),
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
        let mut parsed = self.primary()?;
        while let Some((operator, start)) = prefixes.pop() {
            let negated = (operator == UnaryOp::Not).then_some(start);
            parsed = self.no_probe(parsed, negated);
            let span = self.join(start, parsed.expr.span);
            let height = self.grow(parsed.height, span)?;
            parsed = Parsed {
                expr: Expr {
                    span,
                    kind: ExprKind::Unary(operator, Box::new(parsed.expr)),
                },
                height,
                probe: None,
            };
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

    fn operand(&mut self) -> Parse<Parsed> {
        let token = self.peek();
        match token.kind {
            TokenKind::LParen => self.parenthesis(),
            TokenKind::Ident => self.named(token),
            TokenKind::Keyword(keyword) => self.keyword_operand(token, keyword),
            TokenKind::Number | TokenKind::Char => {
                let value = self.constant(token)?;
                Ok(Parsed::leaf(token.span, ExprKind::Number(value)))
            }
            TokenKind::BangBang => {
                self.bump();
                self.report(
                    Diagnostic::error(token.span, "`!!` is the sorted send, not a double negation")
                        .help("write `! !` with a space, or leave both out"),
                );
                self.unary()
            }
            TokenKind::Decr => {
                self.bump();
                self.report(
                    Diagnostic::error(token.span, "`--` is the decrement, not a double minus")
                        .help("write `- -` with a space; an expression cannot change a variable"),
                );
                self.unary()
            }
            _ => self.unexpected("an expression", ""),
        }
    }

    /// The value of a number or character constant, taken.
    fn constant(&mut self, token: Token) -> Parse<i32> {
        self.bump();
        let text = self.stream.text(token.name);
        if token.kind == TokenKind::Char {
            return match character(text) {
                Some(value) => Ok(value as i32),
                None => {
                    self.report(
                        Diagnostic::error(token.span, "a character constant has one character")
                            .help("write `'a'` or `'\\n'`; characters are ASCII"),
                    );
                    Ok(0)
                }
            };
        }
        if let Some(at) = text.find(|c: char| !c.is_ascii_digit()) {
            let hexadecimal = matches!(text.get(..2), Some("0x" | "0X"));
            let value = if hexadecimal {
                i64::from_str_radix(&text[2..], 16).ok()
            } else {
                None
            };
            let diagnostic = if hexadecimal {
                Diagnostic::error(token.span, "hexadecimal numbers are not part of Promela")
            } else {
                let message = format!("`{}` cannot follow a number", &text[at..]);
                Diagnostic::error(token.span, message)
            };
            self.report(match value {
                Some(value) => diagnostic.help(format!("write {value}")),
                None => diagnostic,
            });
            return Ok(0);
        }
        let value = text.parse::<i64>().unwrap_or(i64::MAX);
        let read = value as i32;
        if i64::from(read) != value {
            self.report(
                Diagnostic::warning(token.span, "the number does not fit into 32 bits")
                    .label(format!("read as {read}")),
            );
        }
        Ok(read)
    }

    /// `(e)` or `(c -> a : b)`.
    fn parenthesis(&mut self) -> Parse<Parsed> {
        self.enter()?;
        let start = self.bump().span;
        let inner = self.operators(None)?;
        let parsed = if self.at(TokenKind::Arrow) {
            let condition = self.no_probe(inner, None);
            self.conditional(condition)?
        } else {
            inner
        };
        if self.at(TokenKind::Assign) {
            return self.assignment_in_expression();
        }
        self.expect(TokenKind::RParen, "to close this parenthesis")
            .map_err(|e| self.opened_at(e, start, "(" ))?;
        self.leave();
        Ok(Parsed {
            expr: Expr {
                span: self.since(start),
                ..parsed.expr
            },
            ..parsed
        })
    }

    fn conditional(&mut self, condition: Parsed) -> Parse<Parsed> {
        self.bump();
        let yes = self.operators(None)?;
        let yes = self.no_probe(yes, None);
        self.expect(TokenKind::Colon, "and the value if the condition is false")?;
        let no = self.operators(None)?;
        let no = self.no_probe(no, None);
        let span = self.join(condition.expr.span, no.expr.span);
        let height = condition.height.max(yes.height).max(no.height);
        let height = self.grow(height, span)?;
        let kind = ExprKind::Cond(
            Box::new(condition.expr),
            Box::new(yes.expr),
            Box::new(no.expr),
        );
        Ok(Parsed {
            expr: Expr { span, kind },
            height,
            probe: None,
        })
    }

    fn assignment_in_expression<T>(&mut self) -> Parse<T> {
        let token = self.peek();
        self.report(
            Diagnostic::error(token.span, "assignment inside an expression")
                .help("use `==` to compare; an assignment is a statement of its own"),
        );
        Err(Reported)
    }

    /// A word that is not a keyword.
    fn named(&mut self, token: Token) -> Parse<Parsed> {
        match self.stream.class(token.name) {
            Class::Plain => {
                let var = self.var_ref()?;
                self.after_var_ref(var)
            }
            Class::Mtype => {
                self.bump();
                let name = self.ident(token);
                Ok(Parsed::leaf(token.span, ExprKind::Mtype(name)))
            }
            Class::Proctype => self.remote(token),
            Class::Inline => {
                let text = self.stream.text(token.name).to_owned();
                self.report(
                    Diagnostic::error(
                        token.span,
                        format!("inline `{text}` cannot be part of an expression"),
                    )
                    .help(format!(
                        "call it as a statement, `{text}(...)` or `x = {text}(...)`"
                    )),
                );
                Err(Reported)
            }
            Class::Type => {
                let text = self.stream.text(token.name).to_owned();
                self.report(Diagnostic::error(
                    token.span,
                    format!("`{text}` is a type, not a value"),
                ));
                Err(Reported)
            }
        }
    }

    /// What may follow a variable in an expression: a poll of a channel.
    pub(super) fn after_var_ref(&mut self, channel: VarRef) -> Parse<Parsed> {
        let kind = self.kind();
        if !matches!(kind, TokenKind::Quest | TokenKind::QuestQuest) {
            return Ok(Parsed::leaf(channel.span, ExprKind::Var(channel)));
        }
        let operator = self.bump();
        if !self.at(TokenKind::LBracket) {
            self.report(
                Diagnostic::error(operator.span, "a receive cannot be part of an expression")
                    .help("test with `c?[...]` whether a message could be received"),
            );
            return Err(Reported);
        }
        self.poll(channel, kind == TokenKind::QuestQuest)
    }

    /// `[fields]` of a poll.
    pub(super) fn poll(&mut self, channel: VarRef, random: bool) -> Parse<Parsed> {
        let start = channel.span;
        self.bump();
        let args = self.recv_args()?;
        self.expect(TokenKind::RBracket, "after the fields")?;
        let kind = ExprKind::Poll {
            channel,
            random,
            args,
        };
        Ok(Parsed::leaf(self.since(start), kind))
    }

    /// `P@label`, `P[i]@label`, `P:x`, `P[i]:x`.
    fn remote(&mut self, token: Token) -> Parse<Parsed> {
        self.bump();
        let proctype = self.ident(token);
        let index = self.index()?;
        match self.kind() {
            TokenKind::At => {
                self.bump();
                let label = self.expect_name("the name of a label")?;
                let kind = ExprKind::RemoteLabel {
                    proctype,
                    index,
                    label,
                };
                Ok(Parsed::leaf(self.since(token.span), kind))
            }
            TokenKind::Colon => {
                self.bump();
                let name = self.expect_name("the name of a variable")?;
                let start = name.span;
                let inner = self.index()?;
                let part = VarPart { name, index: inner };
                let var = VarRef {
                    span: self.since(start),
                    parts: vec![part],
                };
                let kind = ExprKind::RemoteVar {
                    proctype,
                    index,
                    var,
                };
                Ok(Parsed::leaf(self.since(token.span), kind))
            }
            _ => {
                let purpose = format!("because `{}` is a proctype", proctype.name);
                self.unexpected("`@label` or `:variable`", &purpose)
            }
        }
    }

    /// `[e]`, if there.
    fn index(&mut self) -> Parse<Option<Box<Expr>>> {
        if !self.at(TokenKind::LBracket) {
            return Ok(None);
        }
        self.enter()?;
        let start = self.bump().span;
        let expr = self.expr()?;
        self.expect(TokenKind::RBracket, "to close this index")
            .map_err(|e| self.opened_at(e, start, "["))?;
        self.leave();
        Ok(Some(Box::new(expr)))
    }

    /// A reference to a variable.
    pub(super) fn var_ref(&mut self) -> Parse<VarRef> {
        let name = self.expect_name("the name of a variable")?;
        self.var_ref_after(name)
    }

    /// The rest of a reference to a variable.
    pub(super) fn var_ref_after(&mut self, first: Ident) -> Parse<VarRef> {
        let start = first.span;
        let mut parts = Vec::with_capacity(1);
        let mut name = first;
        loop {
            let index = self.index()?;
            parts.push(VarPart { name, index });
            if !self.eat(TokenKind::Dot) {
                break;
            }
            name = self.expect_name("the name of a field")?;
        }
        if self.at(TokenKind::At) {
            let text = parts[0].name.name.clone();
            let span = self.peek().span;
            self.report(
                Diagnostic::error(span, format!("`{text}` is not a proctype declared so far"))
                    .help("`P@label` needs the proctype `P` to be declared before it"),
            );
            return Err(Reported);
        }
        Ok(VarRef {
            span: self.since(start),
            parts,
        })
    }

    fn keyword_operand(&mut self, token: Token, keyword: Keyword) -> Parse<Parsed> {
        use Keyword as K;
        let leaf = |kind| Ok(Parsed::leaf(token.span, kind));
        match keyword {
            K::True | K::Skip => {
                self.bump();
                leaf(ExprKind::Number(1))
            }
            K::False => {
                self.bump();
                leaf(ExprKind::Number(0))
            }
            K::Timeout => {
                self.bump();
                leaf(ExprKind::Timeout)
            }
            K::Np => {
                self.bump();
                leaf(ExprKind::NonProgress)
            }
            K::Run => self.run(),
            K::Len => self.channel_test(ChannelTest::Len),
            K::Full => self.channel_test(ChannelTest::Full),
            K::Empty => self.channel_test(ChannelTest::Empty),
            K::NFull => self.channel_test(ChannelTest::NFull),
            K::NEmpty => self.channel_test(ChannelTest::NEmpty),
            K::Enabled | K::GetPriority | K::PcValue => self.process_test(keyword),
            K::CExpr => {
                let node = self.embedded_c()?;
                Ok(Parsed::leaf(node.span, ExprKind::EmbeddedC(node)))
            }
            _ => self.unexpected("an expression", ""),
        }
    }

    fn channel_test(&mut self, test: ChannelTest) -> Parse<Parsed> {
        let start = self.bump().span;
        self.expect(TokenKind::LParen, "and the name of a channel")?;
        let channel = self.var_ref()?;
        self.expect(TokenKind::RParen, "after the channel")?;
        let span = self.since(start);
        let mut parsed = Parsed::leaf(span, ExprKind::Channel(test, channel));
        if test != ChannelTest::Len {
            parsed.probe = Some((test, span));
        }
        Ok(parsed)
    }

    fn process_test(&mut self, keyword: Keyword) -> Parse<Parsed> {
        self.enter()?;
        let start = self.bump().span;
        self.expect(TokenKind::LParen, "and the number of a process")?;
        let pid = Box::new(self.expr()?);
        self.expect(TokenKind::RParen, "after the process")?;
        self.leave();
        let kind = match keyword {
            Keyword::Enabled => ExprKind::Enabled(pid),
            Keyword::GetPriority => ExprKind::GetPriority(pid),
            _ => ExprKind::PcValue(pid),
        };
        Ok(Parsed::leaf(self.since(start), kind))
    }

    fn run(&mut self) -> Parse<Parsed> {
        self.enter()?;
        let start = self.bump().span;
        let token = self.peek();
        let class = self.stream.class(token.name);
        if token.kind != TokenKind::Ident || !matches!(class, Class::Plain | Class::Proctype) {
            return self.bad_name(token, "the name of a proctype");
        }
        self.bump();
        let name = self.ident(token);
        self.check_run(self.since(start));
        self.expect(TokenKind::LParen, "and the arguments")?;
        let args = if self.at(TokenKind::RParen) {
            Vec::new()
        } else {
            self.args()?
        };
        self.expect(TokenKind::RParen, "after the arguments")?;
        let priority = self.priority()?.map(Box::new);
        self.leave();
        let kind = ExprKind::Run {
            name,
            args,
            priority,
        };
        Ok(Parsed::leaf(self.since(start), kind))
    }

    /// `priority n`, if there.
    pub(super) fn priority(&mut self) -> Parse<Option<Expr>> {
        if !self.eat_keyword(Keyword::Priority) {
            return Ok(None);
        }
        self.literal("a number").map(Some)
    }

    /// One constant as written: no sign, no operators.
    pub(super) fn literal(&mut self, what: &str) -> Parse<Expr> {
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::Number | TokenKind::Char => ExprKind::Number(self.constant(token)?),
            TokenKind::Keyword(Keyword::True | Keyword::Skip) => {
                self.bump();
                ExprKind::Number(1)
            }
            TokenKind::Keyword(Keyword::False) => {
                self.bump();
                ExprKind::Number(0)
            }
            TokenKind::Ident if self.stream.class(token.name) == Class::Mtype => {
                self.bump();
                ExprKind::Mtype(self.ident(token))
            }
            _ => return self.unexpected(what, ""),
        };
        Ok(Expr {
            span: token.span,
            kind,
        })
    }

    /// Expressions with commas between them, at least one.
    pub(super) fn args(&mut self) -> Parse<Vec<Expr>> {
        let mut args = vec![self.expr()?];
        while self.eat(TokenKind::Comma) {
            args.push(self.expr()?);
        }
        Ok(args)
    }

    /// The fields of a receive: `a, b`, `a(b, c)` or `(a, b)`.
    pub(super) fn recv_args(&mut self) -> Parse<Vec<RecvArg>> {
        let mut args = Vec::new();
        let mut parens = 0;
        loop {
            if self.eat(TokenKind::LParen) {
                parens += 1;
                continue;
            }
            args.push(self.recv_arg()?);
            if self.eat(TokenKind::LParen) {
                parens += 1;
                continue;
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
            if self.at(TokenKind::LParen) {
                return self.unexpected("a variable or a constant", "");
            }
        }
        for _ in 0..parens {
            self.expect(TokenKind::RParen, "after the fields")?;
        }
        Ok(args)
    }

    fn recv_arg(&mut self) -> Parse<RecvArg> {
        let token = self.peek();
        match token.kind {
            TokenKind::Keyword(Keyword::Eval) => {
                self.bump();
                self.expect(TokenKind::LParen, "and an expression")?;
                let expr = self.expr()?;
                self.expect(TokenKind::RParen, "after the expression")?;
                Ok(RecvArg::Eval(expr))
            }
            TokenKind::Minus => {
                self.bump();
                let number = self.literal("a number")?;
                let value = match number.kind {
                    ExprKind::Number(value) => value,
                    _ => {
                        let message = "a symbolic constant cannot be negated";
                        self.report(Diagnostic::error(number.span, message));
                        0
                    }
                };
                Ok(RecvArg::Const(Expr {
                    span: self.since(token.span),
                    kind: ExprKind::Number(value.wrapping_neg()),
                }))
            }
            TokenKind::Ident if self.stream.class(token.name) != Class::Mtype => {
                let var = self.var_ref()?;
                let operator = self.kind();
                if binary_operator(operator).is_some() && operator != TokenKind::Gt {
                    let span = self.peek().span;
                    self.report(
                        Diagnostic::error(span, "an expression cannot receive a value")
                            .help("to compare the field with a value write `eval(...)`"),
                    );
                    return Err(Reported);
                }
                Ok(RecvArg::Var(var))
            }
            _ => self
                .literal("a variable, a constant or `eval(...)`")
                .map(RecvArg::Const),
        }
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
