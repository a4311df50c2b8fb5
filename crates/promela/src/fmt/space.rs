//! Whether a blank stands between two tokens of a line.

use super::nest::{FrameKind, Nest};
use super::scan::Token;
use crate::lexer::Lexer;
use crate::source::FileId;
use crate::token::{Interner, Keyword, TokenKind};

/// What a token is for, where its kind does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Nothing special.
    Plain,
    /// An operator before its operand.
    Prefix,
    /// `<` of a peek.
    PeekOpen,
    /// `>` of a peek.
    PeekClose,
    /// The colon of a label.
    Label,
    /// The colon of a subtype or of a remote variable.
    Tight,
}

/// The spacing of a text.
#[derive(Debug)]
pub(super) struct Spacing {
    roles: Vec<Role>,
    /// Whether a blank stands before each token.
    pub before: Vec<bool>,
}

impl Spacing {
    /// Decide about all tokens.
    pub fn new(tokens: &[Token<'_>], nest: &Nest<'_>) -> Spacing {
        let mut maker = Maker {
            tokens,
            nest,
            roles: vec![Role::Plain; tokens.len()],
            names: Interner::default(),
        };
        for i in 0..tokens.len() {
            maker.assign(i);
        }
        let before = (0..tokens.len())
            .map(|i| i > 0 && (maker.spaced(i) || maker.would_join(i)))
            .collect();
        Spacing {
            roles: maker.roles,
            before,
        }
    }

    /// Whether a token is the colon of a label.
    pub fn is_label_colon(&self, token: usize) -> bool {
        self.roles[token] == Role::Label
    }

    /// Whether a token is an operator before its operand.
    pub fn is_prefix(&self, token: usize) -> bool {
        self.roles[token] == Role::Prefix
    }
}

/// Whether a statement can end with a token, so that a line break behind it separates.
pub(super) fn can_end_statement(kind: TokenKind) -> bool {
    use Keyword as K;
    use TokenKind as T;
    match kind {
        T::RBrace | T::RParen | T::RBracket | T::Incr | T::Decr => true,
        T::Ident | T::Number | T::Char | T::Str | T::Other => true,
        T::Keyword(keyword) => matches!(
            keyword,
            K::Od | K::Fi | K::Else | K::Break | K::True | K::False | K::Skip | K::Timeout
        ),
        _ => false,
    }
}

/// Words that are operators in a formula.
fn is_temporal(word: &str) -> bool {
    matches!(
        word,
        "U" | "W" | "V" | "X" | "until" | "stronguntil" | "weakuntil" | "release" | "next"
    ) || matches!(word, "always" | "eventually" | "implies" | "equivalent")
}

struct Maker<'t, 'a> {
    tokens: &'t [Token<'a>],
    nest: &'t Nest<'a>,
    roles: Vec<Role>,
    names: Interner,
}

impl Maker<'_, '_> {
    fn kind(&self, i: usize) -> TokenKind {
        self.tokens[i].kind
    }

    fn in_formula(&self, i: usize) -> bool {
        let mut frame = self.nest.of[i];
        loop {
            match self.nest.frames[frame].kind {
                FrameKind::Formula => return true,
                FrameKind::Paren | FrameKind::Bracket => frame = self.nest.frames[frame].parent,
                _ => return false,
            }
        }
    }

    fn is_temporal(&self, i: usize) -> bool {
        self.kind(i) == TokenKind::Ident && is_temporal(self.tokens[i].text) && self.in_formula(i)
    }

    fn assign(&mut self, i: usize) {
        use TokenKind as T;
        match self.kind(i) {
            T::Tilde | T::Always | T::Eventually => self.roles[i] = Role::Prefix,
            T::Bang | T::Minus if !self.is_binary(i) => self.roles[i] = Role::Prefix,
            T::Colon => self.roles[i] = self.colon(i),
            T::Lt if i > 0 && matches!(self.kind(i - 1), T::Quest | T::QuestQuest) => {
                self.roles[i] = Role::PeekOpen;
                self.close_peek(i);
            }
            _ => {}
        }
    }

    /// Whether `!` or `-` stands behind an operand.
    fn is_binary(&self, i: usize) -> bool {
        use Keyword as K;
        use TokenKind as T;
        let Some(before) = i.checked_sub(1) else {
            return false;
        };
        if self.starts_line_of_sequence(i) {
            return false;
        }
        match self.kind(before) {
            T::Ident => {
                // There are no sends in formulas.
                let in_formula = self.in_formula(i);
                !(self.is_temporal(before) || in_formula && self.kind(i) == T::Bang)
            }
            T::RParen | T::RBracket | T::Number | T::Char | T::Other | T::Incr | T::Decr => true,
            T::Keyword(K::True | K::False | K::Skip | K::Timeout | K::Np) => true,
            _ => false,
        }
    }

    /// Whether the line break before a token ends a statement.
    fn starts_line_of_sequence(&self, i: usize) -> bool {
        let frame = self.nest.frame(i);
        frame.is_sequence()
            && frame.kind != FrameKind::Root
            && self.tokens[i].gap.has_newline()
            && can_end_statement(self.kind(i - 1))
    }

    fn close_peek(&mut self, open: usize) {
        let frame = self.nest.of[open];
        for i in open + 1..self.tokens.len() {
            if self.nest.of[i] != frame {
                continue;
            }
            match self.kind(i) {
                TokenKind::Gt => {
                    self.roles[i] = Role::PeekClose;
                    return;
                }
                TokenKind::Ident | TokenKind::Number | TokenKind::Char => {}
                TokenKind::Comma | TokenKind::Minus | TokenKind::Dot => {}
                TokenKind::Keyword(_) | TokenKind::LParen | TokenKind::RParen => {}
                TokenKind::LBracket | TokenKind::RBracket => {}
                _ => return,
            }
        }
    }

    fn colon(&self, i: usize) -> Role {
        let Some(before) = i.checked_sub(1) else {
            return Role::Plain;
        };
        let token = &self.tokens[before];
        let frame = self.nest.frame(i);
        match token.kind {
            TokenKind::Keyword(Keyword::Mtype) => Role::Tight,
            TokenKind::Ident if self.nest.proctypes.contains(token.text) => Role::Tight,
            TokenKind::Ident if frame.is_sequence() && self.starts_statement(before) => Role::Label,
            TokenKind::RBracket => {
                let head = self.nest.closed(before).and_then(|f| f.open.checked_sub(1));
                let remote =
                    head.is_some_and(|at| self.nest.proctypes.contains(self.tokens[at].text));
                if remote || frame.is_sequence() || frame.kind == FrameKind::Formula {
                    Role::Tight
                } else {
                    Role::Plain
                }
            }
            _ => Role::Plain,
        }
    }

    fn starts_statement(&self, i: usize) -> bool {
        let Some(before) = i.checked_sub(1) else {
            return true;
        };
        match self.kind(before) {
            TokenKind::Semi | TokenKind::Arrow | TokenKind::Sep => true,
            TokenKind::LBrace | TokenKind::RBrace => true,
            TokenKind::Colon => self.roles[before] == Role::Label,
            TokenKind::Comma | TokenKind::Keyword(Keyword::Unsigned) => false,
            _ => self.tokens[i].gap.has_newline(),
        }
    }

    fn spaced(&self, i: usize) -> bool {
        use TokenKind as T;
        let (a, b) = (self.kind(i - 1), self.kind(i));
        let (role_a, role_b) = (self.roles[i - 1], self.roles[i]);
        if matches!(role_a, Role::Prefix | Role::PeekOpen | Role::Tight) {
            // Temporal operators stand apart: `[] p`, `<> p`.
            return matches!(a, T::Always | T::Eventually);
        }
        if matches!(role_b, Role::PeekClose | Role::Label | Role::Tight) {
            return false;
        }
        match (a, b) {
            (T::LParen | T::LBracket | T::Dot | T::At, _) => false,
            (T::LBrace, T::RBrace) | (_, T::Eof) => false,
            (T::LBrace | T::Arrow | T::Sep, T::Semi) => true,
            (_, T::RParen | T::RBracket | T::Comma | T::Semi | T::Dot | T::At) => false,
            (T::Hash | T::HashHash, _) | (_, T::Hash | T::HashHash) => self.tokens[i].spaced,
            (T::Keyword(_), T::Other) => true,
            (T::Other, _) | (_, T::Other) => self.tokens[i].spaced,
            (_, T::Incr | T::Decr) => !can_end_statement(a),
            (_, T::LParen) => !self.is_callee(i - 1),
            (T::Ident | T::RBracket | T::RParen, T::LBracket) => false,
            _ => true,
        }
    }

    /// Whether `(` follows a token without a blank.
    fn is_callee(&self, i: usize) -> bool {
        use Keyword as K;
        match self.kind(i) {
            TokenKind::Ident => !self.is_temporal(i),
            TokenKind::RBracket | TokenKind::Number | TokenKind::Char => true,
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                K::Assert
                    | K::Empty
                    | K::Enabled
                    | K::Eval
                    | K::Full
                    | K::GetPriority
                    | K::Len
                    | K::NEmpty
                    | K::NFull
                    | K::PcValue
                    | K::Printf
                    | K::Printm
                    | K::SetPriority
            ),
            _ => false,
        }
    }

    /// Whether two tokens without a blank between them would be read as something else.
    fn would_join(&mut self, i: usize) -> bool {
        use TokenKind as T;
        let (a, b) = (&self.tokens[i - 1], &self.tokens[i]);
        let is_word = |kind| matches!(kind, T::Ident | T::Number | T::Keyword(_));
        if is_word(a.kind) && is_word(b.kind) {
            return true;
        }
        if matches!(
            (a.kind, b.kind),
            (T::LBracket, T::RBracket) | (T::Lt, T::Gt | T::Arrow)
        ) {
            return true;
        }
        if a.kind.punctuation().is_empty() || b.kind.punctuation().is_empty() {
            return false;
        }
        let text = [a.text, b.text].concat();
        let mut lexer = Lexer::new(FileId(0));
        let read = lexer.next(&text, &mut self.names);
        let whole = match a.kind {
            // Two tokens for the lexer.
            T::Always | T::Eventually | T::Equiv => return false,
            _ => a.text.len(),
        };
        (read.span.start as usize, read.span.end as usize) != (0, whole)
    }
}
