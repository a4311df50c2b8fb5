//! Statements and their labels.

use super::expr::Parsed;
use super::sequence::UNLESS_HELP;
use super::stream::Class;
use super::{Body, Parse, Parser, Reported};
use crate::ast::{Expr, ExprKind, Ident, Stmt, StmtKind, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Keyword, Token, TokenKind};

impl Parser<'_> {
    /// A statement with its labels.
    pub(super) fn stmt(&mut self) -> Parse<Box<Stmt>> {
        let mut labels = Vec::new();
        loop {
            let token = self.peek();
            if token.kind != TokenKind::Ident || self.stream.class(token.name) != Class::Plain {
                let kind = self.stmt_kind(token)?;
                return Ok(self.finish_stmt(labels, token.span, kind));
            }
            self.bump();
            let name = self.ident(token);
            if !self.at(TokenKind::Colon) {
                let kind = self.named_stmt(name)?;
                return Ok(self.finish_stmt(labels, token.span, kind));
            }
            self.bump();
            labels.push(name);
            self.check_after_label(token)?;
            let next = self.peek();
            if self.at_statement_end(next) {
                let kind = Box::new(StmtKind::Empty);
                return Ok(self.finish_stmt(labels, token.span, kind));
            }
        }
    }

    fn finish_stmt(&self, labels: Vec<Ident>, start: Span, kind: Box<StmtKind>) -> Box<Stmt> {
        Box::new(Stmt {
            span: self.since(start),
            labels,
            kind: *kind,
        })
    }

    /// Whether nothing follows a label.
    fn at_statement_end(&mut self, token: Token) -> bool {
        matches!(
            token.kind,
            TokenKind::Semi | TokenKind::Arrow | TokenKind::Keyword(Keyword::Unless)
        ) || self.at_sequence_end()
    }

    fn check_after_label(&mut self, label: Token) -> Parse<()> {
        let what = if self.at_decl() {
            "a declaration"
        } else if self.at_keyword(Keyword::Xr) || self.at_keyword(Keyword::Xs) {
            "an `xr` or `xs` claim"
        } else {
            return Ok(());
        };
        let text = self.stream.text(label.name).to_owned();
        self.report(
            Diagnostic::error(label.span, format!("label before {what}"))
                .help(format!("move `{text}:` to the next statement")),
        );
        Err(Reported)
    }

    /// A statement that starts with a keyword, a mark or a name of a special class.
    fn stmt_kind(&mut self, token: Token) -> Parse<Box<StmtKind>> {
        use Keyword as K;
        match token.kind {
            TokenKind::Keyword(keyword) => match keyword {
                K::If | K::Do => self.choice(keyword),
                K::For => self.for_loop(),
                K::Select => self.select(),
                K::Break => self.break_stmt(),
                K::Goto => self.goto_stmt(),
                _ => {
                    self.check_event(token);
                    match keyword {
                        K::Atomic | K::DStep => self.atomic(keyword),
                        _ => self.keyword_stmt(token, keyword),
                    }
                }
            },
            TokenKind::LBrace => {
                self.check_event(token);
                self.plain_block()
            }
            TokenKind::Ident if self.stream.class(token.name) == Class::Inline => {
                self.inline_call(token, None)
            }
            _ => {
                self.check_event(token);
                self.expr_stmt()
            }
        }
    }

    fn plain_block(&mut self) -> Parse<Box<StmtKind>> {
        let block = self.inner_block()?;
        Ok(Box::new(StmtKind::Block(block)))
    }

    fn atomic(&mut self, keyword: Keyword) -> Parse<Box<StmtKind>> {
        self.bump();
        let block = self.inner_block()?;
        Ok(Box::new(match keyword {
            Keyword::Atomic => StmtKind::Atomic(block),
            _ => StmtKind::DStep(block),
        }))
    }

    fn goto_stmt(&mut self) -> Parse<Box<StmtKind>> {
        self.bump();
        let label = self.expect_name("the name of a label")?;
        Ok(Box::new(StmtKind::Goto(label)))
    }

    /// Statements with a keyword that contain no others.
    fn keyword_stmt(&mut self, token: Token, keyword: Keyword) -> Parse<Box<StmtKind>> {
        use Keyword as K;
        let kind = match keyword {
            K::Else => {
                self.bump();
                StmtKind::Else
            }
            K::Assert => {
                self.bump();
                StmtKind::Assert(self.full_expr()?)
            }
            K::Printf => self.printf()?,
            K::Printm => self.printm()?,
            K::SetPriority => {
                self.bump();
                self.expect(TokenKind::LParen, "and a process")?;
                let pid = self.expr()?;
                self.expect(TokenKind::Comma, "and a priority")?;
                let priority = self.expr()?;
                self.expect(TokenKind::RParen, "after the priority")?;
                StmtKind::SetPriority(pid, priority)
            }
            K::CCode | K::CDecl => StmtKind::EmbeddedC(self.embedded_c()?),
            K::Return => self.return_stmt(token)?,
            K::Unless => {
                self.report(
                    Diagnostic::error(token.span, "`unless` without a statement before it")
                        .help(UNLESS_HELP),
                );
                return Err(Reported);
            }
            _ => return self.expr_stmt(),
        };
        Ok(Box::new(kind))
    }

    fn expr_stmt(&mut self) -> Parse<Box<StmtKind>> {
        let first = self.peek();
        let expr = self.full_expr()?;
        self.check_runs(&expr);
        match (self.kind(), &expr.kind) {
            (TokenKind::Assign, _) => self.assignment_to_expression(&expr),
            (TokenKind::Colon, ExprKind::Mtype(_)) => self.bad_name(first, "a label"),
            _ => Ok(Box::new(StmtKind::Expr(expr))),
        }
    }

    /// `run` may stand alone or not at all in an expression used as a statement.
    fn check_runs(&mut self, expr: &Expr) {
        let mut runs = Vec::new();
        let mut open = vec![expr];
        while let Some(e) = open.pop() {
            match &e.kind {
                ExprKind::Run { args, .. } => {
                    runs.push(e.span);
                    open.extend(args);
                }
                ExprKind::Unary(_, a)
                | ExprKind::Enabled(a)
                | ExprKind::GetPriority(a)
                | ExprKind::PcValue(a) => open.push(a),
                ExprKind::Binary(_, a, b) => open.extend([&**a, &**b]),
                ExprKind::Cond(a, b, c) => open.extend([&**a, &**b, &**c]),
                _ => {}
            }
        }
        let alone = matches!(expr.kind, ExprKind::Run { .. });
        if let Some(&second) = runs.get(1) {
            let message = "more than one `run` in an expression";
            self.report(Diagnostic::error(second, message).note(runs[0], "another is here"));
        } else if let (Some(&run), false) = (runs.first(), alone) {
            self.report(
                Diagnostic::error(run, "`run` inside a larger expression")
                    .help("write `run P()` as a statement of its own, or assign it to a variable"),
            );
        }
    }

    /// A statement that starts with a plain name.
    fn named_stmt(&mut self, name: Ident) -> Parse<Box<StmtKind>> {
        let start = name.span;
        let var = self.var_ref_after(name)?;
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Quest | TokenKind::Bang) {
            self.check_event(Token {
                span: start,
                ..token
            });
        }
        if token.kind == TokenKind::Assign {
            self.bump();
            let next = self.peek();
            if next.kind == TokenKind::Ident && self.stream.class(next.name) == Class::Inline {
                return self.inline_call(next, Some(var));
            }
            let value = self.full_expr()?;
            return Ok(Box::new(StmtKind::Assign(var, value)));
        }
        self.after_variable(token, var).map(Box::new)
    }

    fn after_variable(&mut self, token: Token, var: VarRef) -> Parse<StmtKind> {
        match token.kind {
            TokenKind::Incr => {
                self.bump();
                Ok(StmtKind::Increment(var))
            }
            TokenKind::Decr => {
                self.bump();
                Ok(StmtKind::Decrement(var))
            }
            TokenKind::Bang | TokenKind::BangBang => self.send(var),
            TokenKind::Quest | TokenKind::QuestQuest => self.receive(var),
            _ => {
                let first = Parsed::leaf(var.span, ExprKind::Var(var));
                let expr = self.full_expr_after(first)?;
                self.check_runs(&expr);
                if self.at(TokenKind::Assign) {
                    return self.assignment_to_expression(&expr);
                }
                Ok(StmtKind::Expr(expr))
            }
        }
    }

    fn assignment_to_expression<T>(&mut self, expr: &Expr) -> Parse<T> {
        let token = self.peek();
        self.report(
            Diagnostic::error(token.span, "only a variable can be assigned to")
                .note(expr.span, "this is an expression")
                .help("use `==` to compare"),
        );
        Err(Reported)
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "and a string")?;
        let token = self.peek();
        if token.kind != TokenKind::Str {
            return self.unexpected("a string", "");
        }
        self.bump();
        let text = self.stream.text(token.name);
        let format = text[1..text.len() - 1].to_owned();
        let args = if self.eat(TokenKind::Comma) {
            self.args()?
        } else {
            Vec::new()
        };
        if self.at(TokenKind::Str) {
            let span = self.peek().span;
            self.report(
                Diagnostic::error(span, "adjacent strings are not concatenated")
                    .help("write one string, or a second `printf`"),
            );
            return Err(Reported);
        }
        self.expect(TokenKind::RParen, "after the arguments")?;
        Ok(StmtKind::Printf(format, args))
    }

    fn printm(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "and a symbolic name")?;
        let token = self.peek();
        let variable =
            token.kind == TokenKind::Ident && self.stream.class(token.name) != Class::Mtype;
        let expr = if variable {
            let var = self.var_ref()?;
            Expr {
                span: var.span,
                kind: ExprKind::Var(var),
            }
        } else {
            self.literal("a variable or a symbolic name")?
        };
        self.expect(TokenKind::RParen, "after the name")?;
        Ok(StmtKind::Printm(expr))
    }

    /// In a `trace` only sends and receives may stand.
    pub(super) fn check_event(&mut self, token: Token) {
        if self.body == Body::Events {
            self.not_an_event(token.span);
        }
    }

    pub(super) fn not_an_event(&mut self, span: Span) {
        self.report(
            Diagnostic::error(span, "not an event").help(
                "a trace consists of plain sends and receives, `if`, `do`, `goto` and labels",
            ),
        );
    }
}
