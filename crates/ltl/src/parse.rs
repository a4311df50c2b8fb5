//! Formulas as text.
//!
//! The operators bind as in the `ltl` blocks of Spin 6.5.2, found out by experiment: operators with
//! one argument bind tightest, then `U W V M`, then `&&`, then `||`, then `->` and `<->`; all
//! operators with two arguments associate to the left, also `->` and `U`. The command `spin -f`
//! gives `&&`, `||`, `->` and `<->` the same precedence; [`Parsed::on_command_line`] holds what it
//! reads where that differs.
//!
//! An atom is a name, text between double quotes, or an expression such as `x[i] > 3`.

use std::fmt;
use std::ops::Range;

use crate::formula::{AtomId, Binary, Builder, Formula, Term, Unary};
use crate::token::{Kind, Token, tokens};

/// A formula with the texts of its atoms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// The text of each atom, in the order of [`AtomId`].
    pub atoms: Vec<String>,
    /// What `spin -f` reads, where it is another formula: it gives `&&`, `||`, `->` and `<->` the
    /// same precedence. Parentheses make both the same.
    pub on_command_line: Option<Formula>,
}

/// Why a text is no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The bytes at fault.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What could be done.
    pub advice: Option<String>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.message)?;
        match &self.advice {
            Some(advice) => write!(out, "; {advice}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

/// Reads a formula.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    let (formula, atoms) = Parser::new(text, in_blocks).run()?;
    let (other, _) = Parser::new(text, on_command_line).run()?;
    Ok(Parsed {
        on_command_line: (other != formula).then_some(other),
        formula,
        atoms,
    })
}

/// How tightly an operator binds in an `ltl` block.
fn in_blocks(operator: Binary) -> u8 {
    match operator {
        Binary::Implies | Binary::Equivalent => 1,
        Binary::Or => 2,
        Binary::And => 3,
        _ => 4,
    }
}

/// How tightly an operator binds in the argument of `spin -f`.
fn on_command_line(operator: Binary) -> u8 {
    match operator {
        Binary::Implies | Binary::Equivalent | Binary::Or | Binary::And => 1,
        _ => 4,
    }
}

/// For each opening parenthesis or bracket the place of the closing one.
fn closings(text: &str, tokens: &[Token]) -> Vec<Option<usize>> {
    let mut closings = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match &text[token.span.clone()] {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => {
                if let Some(opening) = open.pop() {
                    closings[opening] = Some(at);
                }
            }
            _ => {}
        }
    }
    closings
}

/// An operator that waits for its last argument.
enum Waiting {
    Unary(Unary, Range<usize>),
    Binary(Binary),
    Open(Range<usize>),
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// For each opening parenthesis or bracket the place of the closing one.
    closings: Vec<Option<usize>>,
    at: usize,
    binding: fn(Binary) -> u8,
    builder: Builder,
    atoms: Vec<String>,
    operands: Vec<Term>,
    waiting: Vec<Waiting>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, binding: fn(Binary) -> u8) -> Self {
        let tokens = tokens(text);
        Parser {
            text,
            closings: closings(text, &tokens),
            tokens,
            at: 0,
            binding,
            builder: Builder::new(),
            atoms: Vec::new(),
            operands: Vec::new(),
            waiting: Vec::new(),
        }
    }

    fn run(mut self) -> Result<(Formula, Vec<String>), ParseError> {
        loop {
            self.operand()?;
            if !self.operator()? {
                break;
            }
        }
        let root = self.operands.pop().expect("an operand was read");
        Ok((self.builder.finish(root), self.atoms))
    }

    fn kind(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    /// The place of the current token, or the end.
    fn span(&self) -> Range<usize> {
        let end = self.text.len();
        let token = self.tokens.get(self.at);
        token.map_or(end..end, |token| token.span.clone())
    }

    fn fail<T>(
        &self,
        span: Range<usize>,
        message: &str,
        advice: Option<&str>,
    ) -> Result<T, ParseError> {
        Err(ParseError {
            span,
            message: message.to_owned(),
            advice: advice.map(str::to_owned),
        })
    }

    /// Reads up to the end of an operand: prefixes, parentheses, an atom.
    fn operand(&mut self) -> Result<(), ParseError> {
        loop {
            let span = self.span();
            match self.kind() {
                Some(Kind::Unary(operator)) => {
                    self.waiting.push(Waiting::Unary(operator, span));
                    self.at += 1;
                }
                Some(Kind::Open) if !self.is_expression() => {
                    self.waiting.push(Waiting::Open(span));
                    self.at += 1;
                }
                Some(Kind::Constant(value)) if !self.joins(self.at + 1) => {
                    let term = self.builder.constant(value);
                    self.operands.push(term);
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.atom(),
            }
        }
    }

    /// True if the token at this place joins two operands of an expression.
    fn joins(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.kind == Kind::Joint)
    }

    /// True if the parenthesis here belongs to an expression, as in `(a + b) > 3`.
    fn is_expression(&self) -> bool {
        self.closing(self.at)
            .is_some_and(|close| self.joins(close + 1))
    }

    /// The place of the parenthesis or bracket that closes the one here.
    fn closing(&self, open: usize) -> Option<usize> {
        self.closings[open]
    }

    fn atom(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        let text = if self.kind() == Some(Kind::Quoted) {
            let span = self.span();
            self.at += 1;
            self.text[span.start + 1..span.end - 1].to_owned()
        } else {
            self.expression()?
        };
        // In Promela `!` binds tighter than `==`, in a formula an atom is one thing.
        if let Some(Waiting::Unary(Unary::Not, span)) = self.waiting.last() {
            let joined = (start..self.at).any(|at| self.joins(at));
            let adjacent = self.tokens[start - 1].span == *span;
            if joined && adjacent && self.text[self.tokens[start].span.clone()] != *"(" {
                let whole = span.start..self.tokens[self.at - 1].span.end;
                let advice = format!("write !({text}) to negate the comparison");
                return self.fail(whole, "the operand of `!` is ambiguous", Some(&advice));
            }
        }
        let term = match text.as_str() {
            "1" => self.builder.constant(true),
            "0" => self.builder.constant(false),
            _ => {
                let known = self.atoms.iter().position(|atom| *atom == text);
                let number = known.unwrap_or_else(|| {
                    self.atoms.push(text);
                    self.atoms.len() - 1
                });
                self.builder.atom(AtomId(number as u32))
            }
        };
        self.operands.push(term);
        Ok(())
    }

    /// Reads an expression of Promela without logical operators; its text with single spaces.
    fn expression(&mut self) -> Result<String, ParseError> {
        let start = self.at;
        loop {
            if self.text[self.span()] == *"-" {
                self.at += 1;
            }
            self.unit(start)?;
            if !self.joins(self.at) {
                break;
            }
            self.at += 1;
        }
        let span = self.tokens[start].span.start..self.tokens[self.at - 1].span.end;
        let words: Vec<&str> = self.text[span].split_whitespace().collect();
        Ok(words.join(" "))
    }

    /// Reads a name with what belongs to it, a number, or parentheses inside an expression.
    fn unit(&mut self, start: usize) -> Result<(), ParseError> {
        let span = self.span();
        match self.kind() {
            Some(Kind::Word | Kind::Constant(_)) => self.at += 1,
            Some(Kind::Open) => match self.closing(self.at) {
                Some(close) => self.at = close + 1,
                None => return self.fail(span, "this parenthesis is not closed", None),
            },
            Some(Kind::Close) if self.at == start => {
                return self.fail(span, "nothing precedes this parenthesis", None);
            }
            Some(Kind::Binary(_)) if self.at == start => {
                let advice = "write a proposition before it";
                return self.fail(span, "this operator has no left operand", Some(advice));
            }
            None => {
                let advice = "propositions are names, \"quoted text\" or expressions";
                return self.fail(span, "expected a proposition at the end", Some(advice));
            }
            _ => {
                let advice = "put other text in double quotes to make it a proposition";
                return self.fail(span, "a proposition cannot begin like this", Some(advice));
            }
        }
        self.postfixes()
    }

    /// Reads `[i]`, `.field`, `@label`, `:variable`, `?[message]` and the arguments of a call.
    fn postfixes(&mut self) -> Result<(), ParseError> {
        while let Some(token) = self.tokens.get(self.at) {
            let adjacent = self.tokens[self.at - 1].span.end == token.span.start;
            match &self.text[token.span.clone()] {
                "[" => {}
                "(" if adjacent => {}
                "." | "@" | ":" => {
                    self.at += 1;
                    if self.kind() != Some(Kind::Word) {
                        let span = self.span();
                        return self.fail(span, "expected a name here", None);
                    }
                    self.at += 1;
                    continue;
                }
                "?" | "??" => {
                    self.at += 1;
                    continue;
                }
                _ => break,
            }
            match self.closing(self.at) {
                Some(close) => self.at = close + 1,
                None => {
                    let span = self.span();
                    return self.fail(span, "this bracket is not closed", None);
                }
            }
        }
        Ok(())
    }

    /// Reads closing parentheses and an operator; false at the end of the text.
    fn operator(&mut self) -> Result<bool, ParseError> {
        loop {
            let span = self.span();
            match self.kind() {
                None => {
                    self.apply(0);
                    return match self.waiting.pop() {
                        Some(Waiting::Open(open)) => {
                            self.fail(open, "this parenthesis is not closed", None)
                        }
                        _ => Ok(false),
                    };
                }
                Some(Kind::Close) => {
                    self.apply(0);
                    if self.waiting.pop().is_none() {
                        return self.fail(span, "this parenthesis has no matching `(`", None);
                    }
                    self.at += 1;
                }
                Some(Kind::Binary(operator)) => {
                    self.apply((self.binding)(operator));
                    self.waiting.push(Waiting::Binary(operator));
                    self.at += 1;
                    return Ok(true);
                }
                Some(_) => {
                    let advice = "the operators are && || -> <-> U W V X ! [] <>; put other text \
                                  in double quotes";
                    return self.fail(span, "expected an operator before this", Some(advice));
                }
            }
        }
    }

    /// Applies the waiting operators that bind at least as tightly, up to a parenthesis.
    fn apply(&mut self, binding: u8) {
        while let Some(waiting) = self.waiting.pop() {
            let right = self.operands.pop().expect("an operator has arguments");
            let term = match waiting {
                Waiting::Unary(operator, _) => self.builder.unary(operator, right),
                Waiting::Binary(operator) if (self.binding)(operator) >= binding => {
                    let left = self.operands.pop().expect("an operator has two arguments");
                    self.builder.binary(operator, left, right)
                }
                other => {
                    self.waiting.push(other);
                    self.operands.push(right);
                    return;
                }
            };
            self.operands.push(term);
        }
    }
}
