//! The operands of expressions: constants, variables, remote references, calls.

use super::advice::shorten;
use super::expr::Parsed;
use super::stream::Class;
use super::{Parse, Parser, Reported};
use crate::ast::{ChannelTest, Expr, ExprKind, Ident, VarPart, VarRef};
use crate::diagnostic::Diagnostic;
use crate::preprocess::character;
use crate::token::{Keyword, Token, TokenKind};

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Parse<Parsed> {
        let token = self.peek();
        match token.kind {
            TokenKind::LParen => self.parenthesis(),
            TokenKind::Ident => self.named(token),
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::Run => self.run(),
                Keyword::Enabled | Keyword::GetPriority | Keyword::PcValue => {
                    self.process_test(keyword)
                }
                _ => self.keyword_operand(token, keyword),
            },
            TokenKind::Number | TokenKind::Char => self.number(token),
            TokenKind::BangBang | TokenKind::Decr => self.doubled_operator(token),
            _ => self.unexpected("an expression", ""),
        }
    }

    fn number(&mut self, token: Token) -> Parse<Parsed> {
        let value = self.constant(token)?;
        Ok(Parsed::leaf(token.span, ExprKind::Number(value)))
    }

    /// `!!` or `--` before an operand.
    fn doubled_operator(&mut self, token: Token) -> Parse<Parsed> {
        let (message, help) = if token.kind == TokenKind::BangBang {
            (
                "`!!` is the sorted send, not a double negation",
                "write `! !` with a space, or leave both out",
            )
        } else {
            (
                "`--` is the decrement, not a double minus",
                "write `- -` with a space; an expression cannot change a variable",
            )
        };
        self.report(Diagnostic::error(token.span, message).help(help));
        Err(Reported)
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
            Class::Inline | Class::Type => self.not_a_value(token),
        }
    }

    fn not_a_value<T>(&mut self, token: Token) -> Parse<T> {
        let text = self.stream.text(token.name);
        let diagnostic = if self.stream.class(token.name) == Class::Inline {
            Diagnostic::error(
                token.span,
                format!("inline `{text}` cannot be part of an expression"),
            )
            .help(format!(
                "call it as a statement, `{text}(...)` or `x = {text}(...)`"
            ))
        } else {
            Diagnostic::error(token.span, format!("`{text}` is a type, not a value"))
        };
        self.report(diagnostic);
        Err(Reported)
    }

    /// `P@label`, `P[i]@label`, `P:x`, `P[i]:x`.
    fn remote(&mut self, token: Token) -> Parse<Parsed> {
        self.bump();
        let proctype = self.ident(token);
        if self.at(TokenKind::LParen) {
            return self.called_proctype(token, proctype);
        }
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

    /// `P(args)` without `run`: reported, and read as if `run` were there.
    fn called_proctype(&mut self, token: Token, name: Ident) -> Parse<Parsed> {
        self.enter()?;
        let args = self.run_args()?;
        self.leave();
        let span = self.since(token.span);
        let call = shorten(self.stream.pre.sources.snippet(span));
        let message = format!("a process of `{}` is started with `run`", name.name);
        self.report(
            Diagnostic::error(span, message)
                .label("`run` is missing before this")
                .help(format!("write `run {call}`")),
        );
        let kind = ExprKind::Run {
            name,
            args,
            priority: None,
        };
        Ok(Parsed::leaf(span, kind))
    }

    /// `(args)` of a process that is started.
    fn run_args(&mut self) -> Parse<Vec<Expr>> {
        self.expect(TokenKind::LParen, "and the arguments")?;
        let args = if self.at(TokenKind::RParen) {
            Vec::new()
        } else {
            self.args()?
        };
        self.expect(TokenKind::RParen, "after the arguments")?;
        Ok(args)
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
                Diagnostic::error(
                    span,
                    format!("no proctype `{text}` has been declared so far"),
                )
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
            K::Len => self.channel_test(ChannelTest::Len),
            K::Full => self.channel_test(ChannelTest::Full),
            K::Empty => self.channel_test(ChannelTest::Empty),
            K::NFull => self.channel_test(ChannelTest::NFull),
            K::NEmpty => self.channel_test(ChannelTest::NEmpty),
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
        if matches!(token.kind, TokenKind::Keyword(keyword) if is_body_keyword(keyword)) {
            return self.run_of_body(token);
        }
        if token.kind != TokenKind::Ident || !matches!(class, Class::Plain | Class::Proctype) {
            return self.bad_name(token, "the name of a proctype");
        }
        self.bump();
        let name = self.ident(token);
        self.check_run(self.since(start));
        let args = self.run_args()?;
        let priority = self.priority()?.map(Box::new);
        self.leave();
        let kind = ExprKind::Run {
            name,
            args,
            priority,
        };
        Ok(Parsed::leaf(self.since(start), kind))
    }

    /// `run init()` and the like: what is not a proctype cannot be started.
    fn run_of_body<T>(&mut self, token: Token) -> Parse<T> {
        // Taken, so that it is not mistaken for the start of a unit.
        self.bump();
        let text = self.describe(token);
        let diagnostic =
            Diagnostic::error(token.span, format!("{text} cannot be started by `run`"));
        self.report(if token.kind == TokenKind::Keyword(Keyword::Init) {
            diagnostic
                .label("`init` starts automatically, and only once")
                .help("move what should run again into a proctype")
        } else {
            diagnostic
                .label("this is a keyword, not a proctype")
                .help("it runs alongside the model from the start, without `run`")
        });
        Err(Reported)
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
}

/// Keywords of bodies that are no proctypes.
fn is_body_keyword(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(keyword, K::Init | K::Never | K::Trace | K::Notrace)
}
