//! The tokens as the grammar sees them: keywords, implied semicolons, expansions of inlines.
//!
//! Spin lets a line break end a statement. Whether it does depends on the token
//! before it, on open parentheses, and on whether a body is being read; then two
//! repairs follow, one behind a closing brace or `else`, and one that drops a
//! semicolon before `}`, `->` and another semicolon. [`Stream`] does the same in
//! the same order, because models rely on every detail of it.

use crate::diagnostic::Diagnostic;
use crate::preprocess::Preprocessor;
use crate::source::{ExpansionId, Span};
use crate::token::{Flags, Keyword, Name, Token, TokenKind};

/// What a name has been declared as so far; it decides how a text is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Class {
    /// A variable, a label, a field, or nothing yet.
    #[default]
    Plain,
    /// A `typedef`.
    Type,
    /// A proctype.
    Proctype,
    /// An inline.
    Inline,
    /// A symbolic constant.
    Mtype,
}

/// Tokens that are read before the file goes on.
struct Frame {
    tokens: Vec<Token>,
    next: usize,
    /// The expansion of an inline; `NONE` for a deferred formula.
    expansion: ExpansionId,
    inline: Name,
}

/// The last token that was handed out, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Else,
    Brace,
    Other,
}

/// What other tools call the operator `a M b`, which Promela does not have.
pub(super) const STRONG_RELEASE: &str = "M";

/// Operators that are letters elsewhere, where the model does not use the name, and how Promela
/// writes them.
pub(super) fn letter_operator(text: &str) -> Option<(TokenKind, &'static str)> {
    Some(match text {
        "G" => (TokenKind::Always, "[]"),
        "F" => (TokenKind::Eventually, "<>"),
        "R" => (TokenKind::Release, "V"),
        _ => return None,
    })
}

/// The source of the parser's tokens.
pub(super) struct Stream<'a> {
    pub pre: Preprocessor<'a>,
    frames: Vec<Frame>,
    classes: Vec<Class>,
    /// A token that was read too early, before the rules below.
    pending: Option<Token>,
    /// The same, after them.
    hold: Option<Token>,
    last: Last,
    /// The last scanned token can end a statement.
    ends_statement: bool,
    after_brace: bool,
    end_of_last: Span,
    parens: u32,
    /// A body or a typedef is being read, where a line break may count.
    pub in_sequence: bool,
    /// A formula is being read, with operators of its own.
    pub in_formula: bool,
    /// The last token selects a part of something, so a name follows.
    selects: bool,
    /// Operators of formulas that the model declares as variables.
    variables: Vec<Name>,
}

impl<'a> Stream<'a> {
    pub fn new(pre: Preprocessor<'a>) -> Stream<'a> {
        Stream {
            pre,
            frames: Vec::new(),
            classes: Vec::new(),
            pending: None,
            hold: None,
            last: Last::Other,
            ends_statement: false,
            after_brace: false,
            end_of_last: Span::default(),
            parens: 0,
            in_sequence: false,
            in_formula: false,
            selects: false,
            variables: Vec::new(),
        }
    }

    pub fn text(&self, name: Name) -> &str {
        self.pre.names.text(name)
    }

    pub fn class(&self, name: Name) -> Class {
        self.classes.get(name.index()).copied().unwrap_or_default()
    }

    pub fn set_class(&mut self, name: Name, class: Class) {
        if self.classes.len() <= name.index() {
            self.classes.resize(name.index() + 1, Class::Plain);
        }
        self.classes[name.index()] = class;
    }

    /// A global variable of this name is declared.
    pub fn declare_variable(&mut self, name: &str) {
        let operator = letter_operator(name).is_some() || name == STRONG_RELEASE;
        if operator && let Some(name) = self.pre.names.find(name) {
            self.variables.push(name);
        }
    }

    /// Whether a name is one that the model gives to something.
    pub fn is_declared(&self, name: Name) -> bool {
        self.class(name) != Class::Plain || self.variables.contains(&name)
    }

    /// The inline whose expansion is being read.
    pub fn inline_expansion(&self) -> ExpansionId {
        self.frames
            .last()
            .map_or(ExpansionId::NONE, |f| f.expansion)
    }

    /// How many expansions of inlines are being read.
    pub fn inline_depth(&self) -> usize {
        self.frames.len()
    }

    /// Whether the expansion of this inline is being read.
    pub fn is_expanding(&self, inline: Name) -> bool {
        self.frames.iter().any(|f| f.inline == inline)
    }

    /// Read these tokens next, then an [`TokenKind::InlineEnd`], then go on.
    /// Nothing may have been looked at beyond the last token taken.
    pub fn push(&mut self, mut tokens: Vec<Token>, expansion: ExpansionId, inline: Name) {
        self.pending = None;
        self.hold = None;
        let span = tokens.last().map_or(Span::default(), |t| t.span);
        tokens.push(Token {
            kind: TokenKind::InlineEnd,
            flags: Flags::NONE,
            name: Name::EMPTY,
            span,
        });
        self.frames.push(Frame {
            tokens,
            next: 0,
            expansion,
            inline,
        });
        self.ends_statement = false;
        self.last = Last::Other;
    }

    /// Drop what is left of the tokens that were pushed.
    pub fn pop_all(&mut self) {
        self.frames.clear();
        self.pending = None;
        self.hold = None;
    }

    /// Forget open parentheses, to go on after a mistake.
    pub fn reset_parens(&mut self) {
        self.parens = 0;
    }

    /// The next token with no rule applied, for texts that are stored or skipped.
    pub fn raw(&mut self) -> Token {
        if let Some(token) = self.pending.take() {
            return token;
        }
        let Some(frame) = self.frames.last_mut() else {
            return self.pre.next_token();
        };
        let token = frame.tokens[frame.next];
        frame.next += 1;
        if token.kind == TokenKind::InlineEnd {
            self.frames.pop();
        }
        token
    }

    /// Give back a token that was read raw.
    pub fn put_back(&mut self, token: Token) {
        self.pending = Some(token);
    }

    fn implied(&self) -> Token {
        Token {
            kind: TokenKind::Semi,
            flags: Flags::IMPLIED,
            name: Name::EMPTY,
            span: Span {
                start: self.end_of_last.end,
                ..self.end_of_last
            },
        }
    }

    /// The next token with keywords known, and line breaks that end a statement.
    fn scan(&mut self) -> Token {
        let mut token = self.raw();
        if matches!(token.kind, TokenKind::InlineEnd | TokenKind::Eof) {
            return token;
        }
        if token.kind == TokenKind::Ident
            && let Some(keyword) = token.name.keyword()
        {
            token.kind = TokenKind::Keyword(keyword);
        }
        if token.flags.has(Flags::NEWLINE) {
            let unless = token.kind == TokenKind::Keyword(Keyword::Unless);
            let counts = self.in_sequence && self.parens == 0 && self.ends_statement;
            if counts && !(self.after_brace && unless) {
                let semi = self.implied();
                self.pending = Some(token);
                self.ends_statement = false;
                self.after_brace = false;
                return semi;
            }
        }
        if self.in_formula {
            self.formula_token(&mut token);
        }
        match token.kind {
            TokenKind::LParen => self.parens += 1,
            TokenKind::RParen => self.parens = self.parens.saturating_sub(1),
            _ => {}
        }
        self.ends_statement = self.can_end_statement(token);
        self.after_brace = token.kind == TokenKind::RBrace;
        self.end_of_last = token.span;
        token
    }

    fn can_end_statement(&self, token: Token) -> bool {
        use Keyword as K;
        match token.kind {
            TokenKind::RBrace
            | TokenKind::RParen
            | TokenKind::RBracket
            | TokenKind::Incr
            | TokenKind::Decr
            | TokenKind::Number
            | TokenKind::Char => true,
            TokenKind::Ident => {
                matches!(self.class(token.name), Class::Plain | Class::Mtype)
            }
            TokenKind::Keyword(keyword) => match keyword {
                K::Od | K::Fi | K::Else | K::Break => true,
                K::CCode | K::CExpr | K::CDecl => true,
                K::True | K::False | K::Skip => true,
                // Spin reads it as `(timeout)`, but not in an inline.
                K::Timeout => self.frames.is_empty(),
                _ => false,
            },
            _ => false,
        }
    }

    /// Recognise the temporal operators.
    fn formula_token(&mut self, token: &mut Token) {
        use TokenKind as T;
        match token.kind {
            T::Arrow => token.kind = T::Implies,
            T::LBracket | T::Lt => {
                let next = self.raw();
                let kind = match (token.kind, next.kind) {
                    (T::LBracket, T::RBracket) => T::Always,
                    (T::Lt, T::Gt) => T::Eventually,
                    (T::Lt, T::Arrow) => T::Equiv,
                    _ => T::Other,
                };
                if kind == T::Other || next.flags != Flags::NONE {
                    self.pending = Some(next);
                } else {
                    token.kind = kind;
                    token.span = token.span.to(next.span);
                }
            }
            T::Ident => {
                token.kind = match self.text(token.name) {
                    "U" | "until" | "stronguntil" => T::Until,
                    "W" | "weakuntil" => T::WeakUntil,
                    "V" | "release" => T::Release,
                    "X" | "next" => T::Next,
                    "always" => T::Always,
                    "eventually" => T::Eventually,
                    "implies" => T::Implies,
                    "equivalent" => T::Equiv,
                    text => match letter_operator(text) {
                        Some((kind, _)) if !self.selects && !self.is_declared(token.name) => kind,
                        _ => T::Ident,
                    },
                };
            }
            T::Slash => self.join_slashes(token, "\\", T::AndAnd),
            T::Other if self.text(token.name) == "\\" => self.join_slashes(token, "/", T::OrOr),
            _ => {}
        }
        self.selects = matches!(token.kind, T::Dot | T::At | T::Colon);
    }

    /// `/\` and `\/`: two tokens that stand together.
    fn join_slashes(&mut self, token: &mut Token, second: &str, kind: TokenKind) {
        let next = self.raw();
        let text = match next.kind {
            TokenKind::Slash => "/",
            TokenKind::Other => self.text(next.name),
            _ => "",
        };
        if text == second && next.flags == Flags::NONE {
            token.kind = kind;
            token.span = token.span.to(next.span);
        } else {
            self.pending = Some(next);
        }
    }

    /// The next token for the grammar.
    pub fn next(&mut self) -> Token {
        use Keyword as K;
        use TokenKind as T;
        let mut token = match self.hold.take() {
            Some(token) => token,
            None => {
                let token = self.scan();
                let separated = match self.last {
                    Last::Else => matches!(token.kind, T::Semi | T::Arrow | T::Keyword(K::Fi)),
                    // The comma is not Spin's: it stops at `chan c = [1] of {bit}, d`.
                    Last::Brace => matches!(
                        token.kind,
                        T::Semi
                            | T::Arrow
                            | T::Sep
                            | T::RBrace
                            | T::Comma
                            | T::Eof
                            | T::Keyword(
                                K::Proctype | K::Init | K::Never | K::Fi | K::Od | K::Unless
                            )
                    ),
                    Last::Other => true,
                };
                if !separated && token.kind != T::InlineEnd {
                    let place = self.implied();
                    self.hold = Some(token);
                    self.last = Last::Other;
                    return Token {
                        span: Span {
                            start: token.span.start,
                            end: token.span.start,
                            ..token.span
                        },
                        ..place
                    };
                }
                token
            }
        };
        if matches!(token.kind, T::Semi | T::Arrow) {
            let ahead = self.scan();
            if matches!(ahead.kind, T::RBrace | T::Arrow | T::Semi) {
                token = ahead;
            } else {
                self.hold = Some(ahead);
            }
        }
        if token.kind != T::InlineEnd {
            self.last = match token.kind {
                T::Keyword(K::Else) => Last::Else,
                T::RBrace => Last::Brace,
                _ => Last::Other,
            };
        }
        token
    }

    /// No more tokens: from now on there is only the end of the text.
    pub fn stop(&mut self) {
        self.pre.stop();
        self.frames.clear();
        self.pending = None;
        self.hold = None;
    }

    /// Whether it was stopped.
    pub fn stopped(&self) -> bool {
        self.pre.stopped()
    }

    /// Note a finding.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.pre.diagnostics.push(diagnostic);
    }
}
