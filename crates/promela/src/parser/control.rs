//! Choices and loops: `if`, `do`, `for`, `select`, `break`.

use super::sequence::{first_stmt, misplaced_label};
use super::{Open, Parse, Parser, Reported};
use crate::ast::{Block, ExprKind, ForRange, Step, StmtKind, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Flags, Keyword, Token, TokenKind};

impl Parser<'_> {
    pub(super) fn choice(&mut self, keyword: Keyword) -> Parse<Box<StmtKind>> {
        if keyword == Keyword::If {
            let options = self.options(Open::If)?;
            return Ok(Box::new(StmtKind::If(options)));
        }
        let options = self.options(Open::Do)?;
        Ok(Box::new(StmtKind::Do(options)))
    }

    /// `if` or `do` with its options.
    fn options(&mut self, which: Open) -> Parse<Vec<Block>> {
        let start = self.bump().span;
        self.enter()?;
        let close = if which == Open::If {
            Keyword::Fi
        } else {
            self.loops += 1;
            Keyword::Od
        };
        self.open.push((which, start));
        let mut options: Vec<Block> = Vec::new();
        if !self.at(TokenKind::Sep) {
            let _: Parse<()> = self.unexpected("`::`", "and an option");
            while !self.at_sequence_end() {
                let start = self.bump().span;
                self.skip_statement(start);
            }
        }
        while self.at(TokenKind::Sep) {
            let sep = self.bump().span;
            if let Ok(steps) = self.sequence() {
                self.add_option(&mut options, sep, steps);
            }
            self.stray_close(close);
        }
        self.open.pop();
        self.close(TokenKind::Keyword(close), start)?;
        if which == Open::Do {
            self.loops -= 1;
        }
        self.leave();
        Ok(options)
    }

    fn add_option(&mut self, options: &mut Vec<Block>, start: Span, steps: Vec<Step>) {
        self.check_not_only_claims(&steps);
        self.check_option(options, &steps);
        options.push(Block {
            span: self.since(start),
            steps,
        });
    }

    /// `od` where `fi` should stand, or the other way round: take it for the right one.
    fn stray_close(&mut self, close: Keyword) {
        let token = self.peek();
        let TokenKind::Keyword(found @ (Keyword::Fi | Keyword::Od)) = token.kind else {
            return;
        };
        let other = if found == Keyword::Fi {
            Open::If
        } else {
            Open::Do
        };
        let outer = self.open.len().saturating_sub(1);
        if found == close || self.open[..outer].iter().any(|&(o, _)| o == other) {
            return;
        }
        let (_, start) = self.open[outer];
        let (opener, mark) = match close {
            Keyword::Fi => ("if", "fi"),
            _ => ("do", "od"),
        };
        self.report(
            Diagnostic::error(token.span, format!("`{opener}` is closed by `{mark}`"))
                .note(start, format!("`{opener}` opened here")),
        );
        self.bump();
        self.peeked = Some(Token {
            kind: TokenKind::Keyword(close),
            ..token
        });
    }

    fn check_option(&mut self, options: &[Block], steps: &[Step]) {
        let Some(first) = first_stmt(steps) else {
            return;
        };
        if let Some(label) = misplaced_label(first) {
            self.report(
                Diagnostic::warning(
                    label.span,
                    "a label before the first statement of an option",
                )
                .help("a goto to it leads to the `if` or `do` itself; put the label before that"),
            );
        }
        if first.kind != StmtKind::Else {
            return;
        }
        let earlier = options.iter().find_map(|option| {
            first_stmt(&option.steps).filter(|stmt| stmt.kind == StmtKind::Else)
        });
        if let Some(earlier) = earlier {
            self.report(
                Diagnostic::error(first.span, "more than one `else` in an `if` or `do`")
                    .note(earlier.span, "another is here"),
            );
        }
    }

    pub(super) fn break_stmt(&mut self) -> Parse<Box<StmtKind>> {
        let span = self.bump().span;
        if self.loops == 0 {
            self.report(
                Diagnostic::error(span, "`break` outside a loop")
                    .help("`break` leaves the innermost `do` or `for`"),
            );
        }
        Ok(Box::new(StmtKind::Break))
    }

    pub(super) fn for_loop(&mut self) -> Parse<Box<StmtKind>> {
        self.bump();
        self.enter()?;
        let (var, range) = self.for_head()?;
        self.loops += 1;
        let body = self.block()?;
        self.loops -= 1;
        self.leave();
        Ok(Box::new(StmtKind::For {
            var,
            range: *range,
            body,
        }))
    }

    /// `(i : a .. b)` or `(i in a)`.
    fn for_head(&mut self) -> Parse<(VarRef, Box<ForRange>)> {
        self.expect(TokenKind::LParen, "and a variable")?;
        let var = self.var_ref()?;
        let token = self.peek();
        let range = if token.kind == TokenKind::Ident && self.stream.text(token.name) == "in" {
            self.bump();
            ForRange::In(self.var_ref()?)
        } else if self.at(TokenKind::Assign) {
            return self.c_style_for(token);
        } else {
            self.expect(TokenKind::Colon, "or `in`")?;
            let from = self.expr()?;
            self.expect(TokenKind::DotDot, "and the last value")?;
            ForRange::Range(from, self.expr()?)
        };
        self.expect(TokenKind::RParen, "after the range")?;
        self.eat(TokenKind::Semi);
        Ok((var, Box::new(range)))
    }

    /// Report a `for` as C has it and skip it with its body.
    fn c_style_for<T>(&mut self, token: Token) -> Parse<T> {
        self.report(
            Diagnostic::error(token.span, "expected `:` or `in`, found `=`")
                .help("write `for (i : 1 .. 10) { ... }` or `for (i in array) { ... }`"),
        );
        let mut depth = 1u32;
        while depth > 0 {
            let kind = self.kind();
            match kind {
                TokenKind::LParen => depth += 1,
                TokenKind::RParen => depth -= 1,
                TokenKind::LBrace | TokenKind::RBrace => break,
                _ if Self::is_end(kind) || Self::starts_unit(kind) => break,
                _ => {}
            }
            self.bump();
        }
        Err(Reported)
    }

    pub(super) fn select(&mut self) -> Parse<Box<StmtKind>> {
        self.bump();
        self.expect(TokenKind::LParen, "and a variable")?;
        // Spin's scanner replaces the form it can see on one line; see `StmtKind::Select`.
        let mut plain = self.stream.inline_depth() == 0;
        plain &= !self.peek().flags.has(Flags::NEWLINE);
        let var = self.var_ref()?;
        plain &= !self.peek().flags.has(Flags::NEWLINE);
        self.expect(TokenKind::Colon, "and the first value")?;
        let first = self.peek();
        let from = self.expr()?;
        plain &= !self.peek().flags.has(Flags::NEWLINE);
        self.expect(TokenKind::DotDot, "and the last value")?;
        let last = self.peek();
        let to = self.expr()?;
        plain &= !self.peek().flags.has(Flags::NEWLINE);
        self.expect(TokenKind::RParen, "after the range")?;
        plain &= [(first, &from), (last, &to)].into_iter().all(|(t, e)| {
            t.kind == TokenKind::Number
                && !t.flags.has(Flags::NEWLINE)
                && matches!(e.kind, ExprKind::Number(_))
        });
        plain &= match var.parts.as_slice() {
            [part] => {
                part.index.is_none() && part.name.name.bytes().all(|b| b.is_ascii_alphanumeric())
            }
            _ => false,
        };
        let mut literal = false;
        if let (true, ExprKind::Number(a), ExprKind::Number(b)) = (plain, &from.kind, &to.kind) {
            let width = i64::from(*b) - i64::from(*a);
            if width < 0 {
                let span = self.join(from.span, to.span);
                let message = "the range of `select` is empty";
                self.report(Diagnostic::error(span, message));
            }
            literal = width <= 32;
            // Spin puts a `;` behind the loop it makes of a wide range.
            self.separated = !literal;
        }
        Ok(Box::new(StmtKind::Select {
            var,
            from,
            to,
            literal,
        }))
    }
}
