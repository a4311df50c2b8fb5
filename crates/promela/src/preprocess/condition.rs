//! The integer expressions of `#if` and `#elif`.

use super::Preprocessor;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Interner, Name, Token, TokenKind};

/// Deepest nesting of an expression.
const DEPTH: usize = 100;

impl Preprocessor<'_> {
    /// Read the rest of an `#if` line and tell whether it holds; false after an error.
    pub(super) fn condition(&mut self, directive: Span) -> bool {
        let mut line = Vec::new();
        while let Some(token) = self.lex_in_line() {
            line.push(token);
        }
        let Some(line) = self.replace_defined(line) else {
            return false;
        };
        let tokens = self.expand_tokens(line);
        let mut evaluator = Evaluator {
            tokens: &tokens,
            next: 0,
            names: &self.names,
            depth: 0,
            end: directive,
        };
        match evaluator.whole() {
            Ok(value) => value != 0,
            Err(diagnostic) => {
                self.error(diagnostic);
                false
            }
        }
    }

    /// `defined X` must be answered before `X` is expanded.
    fn replace_defined(&mut self, line: Vec<Token>) -> Option<Vec<Token>> {
        let mut out = Vec::with_capacity(line.len());
        let mut rest = line.as_slice();
        while let [token, after @ ..] = rest {
            rest = after;
            if token.kind != TokenKind::Ident || self.names.text(token.name) != "defined" {
                out.push(*token);
                continue;
            }
            let name: Name;
            (name, rest) = match rest {
                [n, after @ ..] if n.kind == TokenKind::Ident => (n.name, after),
                [open, n, close, after @ ..]
                    if open.kind == TokenKind::LParen
                        && n.kind == TokenKind::Ident
                        && close.kind == TokenKind::RParen =>
                {
                    (n.name, after)
                }
                _ => {
                    self.error(
                        Diagnostic::error(token.span, "`defined` needs the name of a macro")
                            .help("write `defined(NAME)`"),
                    );
                    return None;
                }
            };
            let value = if self.is_defined(name) { "1" } else { "0" };
            out.push(Token {
                kind: TokenKind::Number,
                name: self.names.intern(value),
                ..*token
            });
        }
        Some(out)
    }
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    next: usize,
    names: &'a Interner,
    depth: usize,
    end: Span,
}

type Value = Result<i64, Diagnostic>;

/// How tight a binary operator binds, from 1; 0 for other tokens.
fn precedence(kind: TokenKind) -> u8 {
    use TokenKind::*;
    match kind {
        OrOr => 1,
        AndAnd => 2,
        Pipe => 3,
        Caret => 4,
        Amp => 5,
        Eq | Ne => 6,
        Lt | Le | Gt | Ge => 7,
        Shl | Shr => 8,
        Plus | Minus => 9,
        Star | Slash | Percent => 10,
        _ => 0,
    }
}

impl Evaluator<'_> {
    fn peek(&self) -> TokenKind {
        self.tokens
            .get(self.next)
            .map_or(TokenKind::Eof, |t| t.kind)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.next).map_or(self.end, |t| t.span)
    }

    fn whole(&mut self) -> Value {
        if self.tokens.is_empty() {
            return Err(Diagnostic::error(
                self.end,
                "this directive needs a condition",
            ));
        }
        let value = self.ternary(true)?;
        if self.next < self.tokens.len() {
            return Err(Diagnostic::error(
                self.span(),
                "unexpected text after the condition",
            ));
        }
        Ok(value)
    }

    fn nest(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Diagnostic::error(
                self.span(),
                "the condition is nested too deeply",
            ));
        }
        Ok(())
    }

    /// `live` is false in operands that do not count: a division by zero there is none.
    fn ternary(&mut self, live: bool) -> Value {
        self.nest()?;
        let condition = self.binary(1, live)?;
        let value = if self.peek() == TokenKind::Quest {
            self.next += 1;
            let yes = self.ternary(live && condition != 0)?;
            if self.peek() != TokenKind::Colon {
                return Err(Diagnostic::error(self.span(), "expected `:`"));
            }
            self.next += 1;
            let no = self.ternary(live && condition == 0)?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8, live: bool) -> Value {
        let mut left = self.unary(live)?;
        loop {
            let operator = self.peek();
            let level = precedence(operator);
            if level < least || level == 0 {
                return Ok(left);
            }
            let span = self.span();
            self.next += 1;
            let live = live
                && match operator {
                    TokenKind::OrOr => left == 0,
                    TokenKind::AndAnd => left != 0,
                    _ => true,
                };
            let right = self.binary(level + 1, live)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if !live => 0,
                None => return Err(Diagnostic::error(span, "division by zero")),
            };
        }
    }

    fn unary(&mut self, live: bool) -> Value {
        let kind = self.peek();
        match kind {
            TokenKind::Bang | TokenKind::Tilde | TokenKind::Minus | TokenKind::Plus => {
                self.nest()?;
                self.next += 1;
                let value = self.unary(live)?;
                self.depth -= 1;
                Ok(match kind {
                    TokenKind::Bang => i64::from(value == 0),
                    TokenKind::Tilde => !value,
                    TokenKind::Minus => value.wrapping_neg(),
                    _ => value,
                })
            }
            // `!!` is one token of Promela.
            TokenKind::BangBang => {
                self.nest()?;
                self.next += 1;
                let value = self.unary(live)?;
                self.depth -= 1;
                Ok(i64::from(value != 0))
            }
            TokenKind::LParen => {
                self.next += 1;
                let value = self.ternary(live)?;
                if self.peek() != TokenKind::RParen {
                    return Err(Diagnostic::error(self.span(), "expected `)`"));
                }
                self.next += 1;
                Ok(value)
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) -> Value {
        let span = self.span();
        let Some(&token) = self.tokens.get(self.next) else {
            return Err(Diagnostic::error(span, "the condition is incomplete"));
        };
        self.next += 1;
        let text = self.names.text(token.name);
        match token.kind {
            // A name that is no macro is 0.
            TokenKind::Ident => Ok(0),
            TokenKind::Number => number(text)
                .ok_or_else(|| Diagnostic::error(span, format!("`{text}` is not an integer"))),
            TokenKind::Char => character(text)
                .ok_or_else(|| Diagnostic::error(span, "a character constant has one character")),
            _ => Err(Diagnostic::error(span, "expected an integer")),
        }
    }
}

fn apply(operator: TokenKind, a: i64, b: i64) -> Option<i64> {
    use TokenKind::*;
    Some(match operator {
        OrOr => i64::from(a != 0 || b != 0),
        AndAnd => i64::from(a != 0 && b != 0),
        Pipe => a | b,
        Caret => a ^ b,
        Amp => a & b,
        Eq => i64::from(a == b),
        Ne => i64::from(a != b),
        Lt => i64::from(a < b),
        Le => i64::from(a <= b),
        Gt => i64::from(a > b),
        Ge => i64::from(a >= b),
        Shl => a.wrapping_shl(b as u32),
        Shr => a.wrapping_shr(b as u32),
        Plus => a.wrapping_add(b),
        Minus => a.wrapping_sub(b),
        Star => a.wrapping_mul(b),
        Slash if b != 0 => a.wrapping_div(b),
        Percent if b != 0 => a.wrapping_rem(b),
        _ => return None,
    })
}

/// A C integer: decimal, octal or hexadecimal, with its suffixes.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        None => (digits, 10),
    };
    u64::from_str_radix(digits, radix).ok().map(|n| n as i64)
}

/// The value of a character constant as written, with its quotes. An escape
/// that is not one of `\n`, `\r`, `\t`, `\f` stands for its second character.
pub(crate) fn character(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let value = match chars.next()? {
        '\\' => match chars.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'f' => '\u{c}',
            other => other,
        },
        other => other,
    };
    (chars.next().is_none() && value.is_ascii()).then_some(value as i64)
}
