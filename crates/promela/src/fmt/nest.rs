//! How the tokens of a text are nested: braces, parentheses, choices and their options.
//!
//! Macros may hide any of it, and the branches of an `#if` may open what only one of
//! them closes. So this is a guess that decides about indentation, never about tokens.

use std::collections::HashSet;

use super::gap::{Directive, TriviaKind};
use super::scan::Token;
use crate::token::{Keyword, TokenKind};

/// An index into [`Nest::frames`].
pub(super) type FrameId = usize;

/// The frame around everything.
pub(super) const ROOT: FrameId = 0;

/// Kinds of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// The whole text.
    Root,
    /// Braces around a sequence or the fields of a type.
    Block,
    /// Braces around names, types or values.
    List,
    /// Braces around a temporal formula.
    Formula,
    /// Parentheses.
    Paren,
    /// Brackets.
    Bracket,
    /// `if` or `do`.
    Choice,
    /// An option: from `::` to its last token.
    Option,
}

/// A piece of nested text.
#[derive(Debug)]
pub(super) struct Frame {
    pub kind: FrameKind,
    pub parent: FrameId,
    /// The token that opens it.
    pub open: usize,
    /// The token that closes it (of an option, the last one in it), if any.
    pub close: Option<usize>,
    /// Its brace belongs on the line of what stands before it.
    pub hangs: bool,
}

impl Frame {
    /// Whether statements stand in it.
    pub fn is_sequence(&self) -> bool {
        matches!(
            self.kind,
            FrameKind::Root | FrameKind::Block | FrameKind::Option
        )
    }

    /// Whether it is enclosed in braces.
    pub fn is_braces(&self) -> bool {
        matches!(
            self.kind,
            FrameKind::Block | FrameKind::List | FrameKind::Formula
        )
    }
}

/// The nesting of a text.
#[derive(Debug)]
pub(super) struct Nest<'a> {
    pub frames: Vec<Frame>,
    /// The frame each token stands in; those that open or close one stand outside of it.
    pub of: Vec<FrameId>,
    /// The frame each token opens.
    pub opens: Vec<Option<FrameId>>,
    /// The frame each token closes.
    pub closes: Vec<Option<FrameId>>,
    /// The token before each: in a branch of an `#if`, the one before the `#if` comes
    /// before the first.
    pub before: Vec<Option<usize>>,
    /// The names of proctypes.
    pub proctypes: HashSet<&'a str>,
}

impl Nest<'_> {
    /// The frame a token stands in.
    pub fn frame(&self, token: usize) -> &Frame {
        &self.frames[self.of[token]]
    }

    /// The frame a token opens.
    pub fn opened(&self, token: usize) -> Option<&Frame> {
        self.opens[token].map(|f| &self.frames[f])
    }

    /// The frame a token closes.
    pub fn closed(&self, token: usize) -> Option<&Frame> {
        self.closes[token].map(|f| &self.frames[f])
    }
}

/// Find out how a text is nested.
pub(super) fn nest<'a>(tokens: &[Token<'a>]) -> Nest<'a> {
    let root = Frame {
        kind: FrameKind::Root,
        parent: ROOT,
        open: 0,
        close: None,
        hangs: false,
    };
    let mut builder = Builder {
        tokens,
        nest: Nest {
            frames: vec![root],
            of: Vec::with_capacity(tokens.len()),
            opens: vec![None; tokens.len()],
            closes: vec![None; tokens.len()],
            before: Vec::with_capacity(tokens.len()),
            proctypes: HashSet::new(),
        },
        state: State {
            current: ROOT,
            before: None,
            in_header: false,
        },
        conditions: Vec::new(),
    };
    for i in 0..tokens.len() {
        builder.token(i);
    }
    builder.nest
}

struct Builder<'t, 'a> {
    tokens: &'t [Token<'a>],
    nest: Nest<'a>,
    state: State,
    /// The states in which the open `#if`s stand.
    conditions: Vec<State>,
}

/// What the tokens so far leave behind.
#[derive(Clone, Copy)]
struct State {
    /// The innermost open frame.
    current: FrameId,
    /// The last token.
    before: Option<usize>,
    /// A unit has begun, its body has not.
    in_header: bool,
}

impl Builder<'_, '_> {
    fn token(&mut self, i: usize) {
        self.directives(i);
        let token = &self.tokens[i];
        let opened = match token.kind {
            TokenKind::LParen => Some(FrameKind::Paren),
            TokenKind::LBracket => Some(FrameKind::Bracket),
            TokenKind::LBrace => Some(self.brace_kind(i)),
            TokenKind::Keyword(Keyword::If | Keyword::Do) => Some(FrameKind::Choice),
            TokenKind::Sep if self.end_option(i) => Some(FrameKind::Option),
            _ => None,
        };
        let closed = match token.kind {
            TokenKind::RParen => self.close(i, FrameKind::Paren),
            TokenKind::RBracket => self.close(i, FrameKind::Bracket),
            TokenKind::RBrace => self.close_brace(i),
            TokenKind::Keyword(Keyword::Fi | Keyword::Od) if self.end_option(i) => {
                self.close(i, FrameKind::Choice)
            }
            _ => None,
        };
        self.nest.closes[i] = closed;
        self.nest.of.push(self.state.current);
        self.nest.before.push(self.state.before);
        self.state.before = Some(i);
        if let Some(kind) = opened {
            self.open(i, kind);
        }
        self.note_unit(i);
    }

    fn note_unit(&mut self, i: usize) {
        use Keyword as K;
        match self.tokens[i].kind {
            TokenKind::Keyword(K::Proctype | K::DProctype) => {
                self.state.in_header = true;
                if let Some(name) = self.tokens.get(i + 1) {
                    self.nest.proctypes.insert(name.text);
                }
            }
            TokenKind::Keyword(
                K::Init | K::Never | K::Ltl | K::Inline | K::Typedef | K::Trace | K::Notrace,
            ) => self.state.in_header = true,
            TokenKind::LBrace => self.state.in_header = false,
            _ => {}
        }
    }

    /// Each branch of an `#if` starts in the frame that the first one started in.
    fn directives(&mut self, i: usize) {
        for trivia in &self.tokens[i].gap.trivia {
            match trivia.kind {
                TriviaKind::Directive(Directive::If) => self.conditions.push(self.state),
                TriviaKind::Directive(Directive::Else) => {
                    self.state = self.conditions.last().copied().unwrap_or(self.state);
                }
                TriviaKind::Directive(Directive::Endif) => {
                    self.conditions.pop();
                }
                _ => {}
            }
        }
    }

    fn brace_kind(&self, i: usize) -> FrameKind {
        use Keyword as K;
        let back = |n: usize| i.checked_sub(n).map(|at| &self.tokens[at]);
        let is = |n: usize, keyword| back(n).is_some_and(|t| t.is(keyword));
        let kind = |n: usize| back(n).map_or(TokenKind::Eof, |t| t.kind);
        if is(1, K::Ltl) || (kind(1) == TokenKind::Ident && is(2, K::Ltl)) {
            return FrameKind::Formula;
        }
        let subtype = kind(2) == TokenKind::Colon && is(3, K::Mtype);
        if kind(1) == TokenKind::Assign || is(1, K::Of) || is(1, K::Mtype) || subtype {
            return FrameKind::List;
        }
        FrameKind::Block
    }

    /// Whether a brace belongs on the line of what stands before it.
    fn hangs(&self, i: usize, kind: FrameKind) -> bool {
        use Keyword as K;
        let Some(before) = i.checked_sub(1) else {
            return false;
        };
        if self.state.in_header || matches!(kind, FrameKind::List | FrameKind::Formula) {
            return true;
        }
        match self.tokens[before].kind {
            TokenKind::Keyword(K::Atomic | K::DStep | K::Unless) => true,
            TokenKind::RParen => self.nest.closed(before).is_some_and(|paren| {
                let head = paren.open.checked_sub(1);
                head.is_some_and(|at| self.tokens[at].is(K::For))
            }),
            _ => false,
        }
    }

    fn open(&mut self, i: usize, kind: FrameKind) {
        let hangs = self.tokens[i].kind == TokenKind::LBrace && self.hangs(i, kind);
        self.nest.frames.push(Frame {
            kind,
            parent: self.state.current,
            open: i,
            close: None,
            hangs,
        });
        self.state.current = self.nest.frames.len() - 1;
        self.nest.opens[i] = Some(self.state.current);
    }

    /// Close the current frame if it is of this kind.
    fn close(&mut self, i: usize, kind: FrameKind) -> Option<FrameId> {
        let frame = self.state.current;
        if self.nest.frames[frame].kind != kind {
            return None;
        }
        self.nest.frames[frame].close = Some(i);
        self.state.current = self.nest.frames[frame].parent;
        Some(frame)
    }

    /// Close the innermost braces, with whatever was left open in them.
    fn close_brace(&mut self, i: usize) -> Option<FrameId> {
        let mut frame = self.state.current;
        while !self.nest.frames[frame].is_braces() {
            if frame == ROOT {
                return None;
            }
            frame = self.nest.frames[frame].parent;
        }
        self.nest.frames[frame].close = Some(i);
        self.state.current = self.nest.frames[frame].parent;
        Some(frame)
    }

    /// Go out to the choice that a `::`, `fi` or `od` belongs to, if there is one.
    fn end_option(&mut self, i: usize) -> bool {
        let mut frame = self.state.current;
        while self.nest.frames[frame].kind != FrameKind::Choice {
            if frame == ROOT || self.nest.frames[frame].is_braces() {
                return false;
            }
            frame = self.nest.frames[frame].parent;
        }
        let inner = self.state.current;
        if inner != frame
            && self.nest.frames[inner].kind == FrameKind::Option
            && self.nest.frames[inner].parent == frame
        {
            self.nest.frames[inner].close = i.checked_sub(1);
        }
        self.state.current = frame;
        true
    }
}
