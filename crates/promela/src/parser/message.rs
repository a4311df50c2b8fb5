//! Sends, receives and polls of channels.

use super::expr::{Parsed, binary_operator};
use super::stream::Class;
use super::{Body, NoRun, Parse, Parser, Reported};
use crate::ast::{Expr, ExprKind, RecvArg, StmtKind, VarRef};
use crate::diagnostic::Diagnostic;
use crate::token::{Keyword, Token, TokenKind};

impl Parser<'_> {
    pub(super) fn send(&mut self, channel: VarRef) -> Parse<StmtKind> {
        let sorted = self.bump().kind == TokenKind::BangBang;
        self.no_run = Some(NoRun::Send);
        let args = self.send_args();
        self.no_run = None;
        Ok(StmtKind::Send {
            channel,
            sorted,
            args: args?,
        })
    }

    /// `a, b` or `a(b, c)`.
    fn send_args(&mut self) -> Parse<Vec<Expr>> {
        let mut args = vec![self.expr()?];
        if self.eat(TokenKind::LParen) {
            args.extend(self.args()?);
            self.expect(TokenKind::RParen, "after the fields")?;
            return Ok(args);
        }
        while self.eat(TokenKind::Comma) {
            args.push(self.expr()?);
        }
        Ok(args)
    }

    pub(super) fn receive(&mut self, channel: VarRef) -> Parse<StmtKind> {
        let random = self.bump().kind == TokenKind::QuestQuest;
        let next = self.peek();
        if next.kind == TokenKind::LBracket {
            self.check_event(Token {
                span: channel.span,
                ..next
            });
            let poll = self.poll(channel, random)?;
            return self.full_expr_after(poll).map(StmtKind::Expr);
        }
        let peek = self.eat(TokenKind::Lt);
        let args = self.recv_args()?;
        if peek {
            self.expect(TokenKind::Gt, "after the fields")?;
            if self.body == Body::Events {
                self.not_an_event(channel.span);
            }
        }
        Ok(StmtKind::Receive {
            channel,
            random,
            peek,
            args,
        })
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
        self.enter()?;
        let start = channel.span;
        self.bump();
        let args = self.recv_args()?;
        self.expect(TokenKind::RBracket, "after the fields")?;
        self.leave();
        let kind = ExprKind::Poll {
            channel,
            random,
            args,
        };
        Ok(Parsed::leaf(self.since(start), kind))
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
