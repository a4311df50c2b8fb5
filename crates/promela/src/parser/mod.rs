//! The parser: recursive descent for statements, an operator stack for expressions.
//!
//! It reports every mistake it can tell apart from the consequences of another,
//! with a place and advice, and returns what it understood of the model. What
//! needs types or scopes is left to the lowering.
//!
//! Recursion is bounded by [`MAX_DEPTH`], and so is the height of the trees that
//! come out, so that nobody who walks a tree needs to fear for the stack.

mod advice;
mod control;
mod decl;
mod expr;
mod inline;
mod message;
mod operand;
mod recover;
mod sequence;
mod stmt;
mod stream;
mod unit;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::ast::{Ident, Program};
use crate::diagnostic::{Diagnostic, Severity};
use crate::preprocess::{FileLoader, Options, Preprocessor};
use crate::source::{ExpansionId, FileId, SourceMap, Span};
use crate::token::{Flags, Keyword, Name, Token, TokenKind};

use inline::Inline;
use recover::Doubt;
use stream::{Class, Stream};

/// Deepest nesting of statements and parentheses, counted together.
pub const MAX_DEPTH: u32 = 128;
/// Highest expression tree: so many operators of one level in a row.
pub const MAX_HEIGHT: u32 = 1000;
/// Most errors before the rest of the text is left unread.
const ERROR_LIMIT: usize = 100;

/// Most diagnostics of any kind; further warnings are dropped.
const WARNING_LIMIT: usize = 1000;

/// Parse a model. `path` is the name for messages and the place that includes are
/// relative to. The tree is complete only if no diagnostic is an error.
pub fn parse(
    path: impl AsRef<Path>,
    text: &str,
    loader: &dyn FileLoader,
    options: &Options,
    sources: &mut SourceMap,
) -> (Program, Vec<Diagnostic>) {
    // Spans count bytes in 32 bits.
    if text.len() >= u32::MAX as usize {
        let file = sources.add_file(path.as_ref().display().to_string(), "");
        let span = Span {
            file,
            ..Span::default()
        };
        let diagnostic = Diagnostic::error(span, "the file is too large");
        return (Program::default(), vec![diagnostic]);
    }
    let pre = Preprocessor::new(path.as_ref(), text, loader, options, sources);
    let mut parser = Parser::new(pre);
    let program = parser.program();
    let mut diagnostics = std::mem::take(&mut parser.stream.pre.diagnostics);
    // Formulas are parsed last; the reader wants the order of the text.
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    (program, diagnostics)
}

/// A mistake that has been reported; somebody up the stack goes on behind it.
struct Reported;

type Parse<T> = Result<T, Reported>;

/// Something that is open and wants to be closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
    If,
    Do,
}

/// What is being parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// A proctype, `init` or a claim.
    Process,
    /// A `trace` or `notrace`.
    Events,
    /// Nothing that could run a process.
    None,
}

/// Places inside of a process where `run` is refused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NoRun {
    Initialiser,
    Send,
    Provided,
}

struct Parser<'a> {
    stream: Stream<'a>,
    peeked: Option<Token>,
    /// The last token taken.
    previous: Span,
    depth: u32,
    /// Height of the highest expression inside the node being parsed.
    child_height: u32,
    errors: usize,
    /// Text that was skipped because of mistakes.
    skipped: Vec<Span>,
    /// Where the last unit with braces begins.
    last_body: Option<Span>,
    /// The start of a body that ended earlier than it seems.
    adrift: Option<Span>,
    /// Reports of unknown names.
    doubts: Vec<Doubt>,
    /// The places of the diagnostics so far.
    seen: HashSet<(FileId, u32, Severity)>,
    inlines: HashMap<Name, Inline>,
    inline_tokens: usize,
    /// Where `return` puts its value in the inline being expanded.
    results: Vec<Option<crate::ast::VarRef>>,
    /// The tokens taken since an argument of an inline began.
    recorder: Option<Vec<Token>>,
    open: Vec<(Open, Span)>,
    loops: u32,
    body: Body,
    /// Why no process may be started here, if so.
    no_run: Option<NoRun>,
    /// Closing braces that were reported as missing, and may turn up later.
    missing_braces: u32,
    /// The last statement brought its own separator.
    separated: bool,
    /// The unit being parsed has a body that has not begun.
    in_header: bool,
}

impl<'a> Parser<'a> {
    fn new(pre: Preprocessor<'a>) -> Parser<'a> {
        Parser {
            stream: Stream::new(pre),
            peeked: None,
            previous: Span::default(),
            depth: 0,
            child_height: 0,
            errors: 0,
            skipped: Vec::new(),
            last_body: None,
            adrift: None,
            doubts: Vec::new(),
            seen: HashSet::new(),
            inlines: HashMap::new(),
            inline_tokens: 0,
            results: Vec::new(),
            recorder: None,
            open: Vec::new(),
            loops: 0,
            body: Body::None,
            no_run: None,
            missing_braces: 0,
            separated: false,
            in_header: false,
        }
    }

    /// The next token, not taken yet.
    fn peek(&mut self) -> Token {
        match self.peeked {
            Some(token) => token,
            None => {
                let token = self.stream.next();
                self.peeked = Some(token);
                token
            }
        }
    }

    fn kind(&mut self) -> TokenKind {
        self.peek().kind
    }

    /// Take the next token.
    fn bump(&mut self) -> Token {
        let token = self.peek();
        self.peeked = None;
        self.previous = token.span;
        if let Some(tokens) = &mut self.recorder {
            tokens.push(token);
        }
        token
    }

    fn at(&mut self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn at_keyword(&mut self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    /// Take the next token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }

    /// Take a token of this kind, or report that it is missing.
    fn expect(&mut self, kind: TokenKind, purpose: &str) -> Parse<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let wanted = format!("`{}`", kind.punctuation());
        self.unexpected(&wanted, purpose)
    }

    /// Take a name that has no other meaning yet, or report what it is.
    fn expect_name(&mut self, what: &str) -> Parse<Ident> {
        let token = self.peek();
        if token.kind == TokenKind::Ident && self.stream.class(token.name) == Class::Plain {
            self.bump();
            return Ok(self.ident(token));
        }
        self.bad_name(token, what)
    }

    fn ident(&self, token: Token) -> Ident {
        Ident {
            name: self.stream.text(token.name).to_owned(),
            span: token.span,
        }
    }

    /// From the start of one span to the end of the last token taken.
    fn since(&self, start: Span) -> Span {
        self.join(start, self.previous)
    }

    /// A span over both. Spans of the text and of a macro's use lie in one file and
    /// join; those of an inline's body join among themselves only.
    fn join(&self, a: Span, b: Span) -> Span {
        if a.expansion == b.expansion {
            return a.to(b);
        }
        if self.stream.inline_expansion() != ExpansionId::NONE {
            return a;
        }
        Span {
            expansion: self.common_expansion(a, b),
            ..a.to(b)
        }
    }

    /// The innermost expansion that both lie in; none beyond a few levels.
    fn common_expansion(&self, a: Span, b: Span) -> ExpansionId {
        const LEVELS: usize = 8;
        let sources = &*self.stream.pre.sources;
        let outwards = |span: Span| {
            let outer = |id: &ExpansionId| sources.expansion(*id).map(|e| e.call.expansion);
            std::iter::successors(Some(span.expansion), outer).take(LEVELS)
        };
        outwards(a)
            .find(|id| outwards(b).any(|other| other == *id))
            .unwrap_or(ExpansionId::NONE)
    }

    /// Count one level of nesting; the caller counts it back with `leave`.
    fn enter(&mut self) -> Parse<()> {
        if self.depth >= MAX_DEPTH {
            let span = self.peek().span;
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            self.report(Diagnostic::error(span, message));
            // What follows would be read at the wrong level.
            self.give_up();
            return Err(Reported);
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Read no more.
    fn give_up(&mut self) {
        self.stream.stop();
        self.peeked = None;
    }

    /// Report a mistake, once.
    fn report(&mut self, diagnostic: Diagnostic) {
        // A second error at the place of the first is a consequence of it, and an inline
        // is parsed at every call.
        let key = (
            diagnostic.span.file,
            diagnostic.span.start,
            diagnostic.severity,
        );
        if self.stream.stopped() || self.seen.contains(&key) {
            return;
        }
        if self.seen.len() >= WARNING_LIMIT && !diagnostic.is_error() {
            return;
        }
        self.seen.insert(key);
        let is_error = diagnostic.is_error();
        self.stream.report(diagnostic);
        if is_error {
            self.errors += 1;
            if self.errors >= ERROR_LIMIT {
                self.give_up();
            }
        }
    }

    /// Whether a token closes a sequence whatever the sequence is.
    fn is_end(kind: TokenKind) -> bool {
        matches!(kind, TokenKind::Eof | TokenKind::InlineEnd)
    }

    fn is_implied(token: Token) -> bool {
        token.flags.has(Flags::IMPLIED)
    }
}
