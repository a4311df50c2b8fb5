//! Between which tokens a line breaks, and the indentation of the line that follows.

use super::layout::{FLAT_WIDTH, INDENT, Layout};
use super::nest::{Frame, FrameKind};
use super::space::can_end_statement;
use crate::token::{Keyword, TokenKind};

impl Layout<'_, '_> {
    fn kind(&self, i: usize) -> TokenKind {
        self.tokens[i].kind
    }

    /// Whether a line starts with a token, and then whether a blank line may stand before it.
    pub fn wants_line(&self, i: usize) -> Option<bool> {
        self.breaks_before(i, self.column)
            .then(|| self.allows_blank_after(i) && self.allows_blank_before(i))
    }

    /// Whether a line that has reached a column breaks before a token.
    fn breaks_before(&self, i: usize, column: usize) -> bool {
        use TokenKind as T;
        if i == 0 || self.is_flat(i) || self.kind(i) == T::Eof {
            return false;
        }
        let is_option = |f: &Frame| f.kind == FrameKind::Option;
        let (a, b) = (self.kind(i - 1), self.kind(i));
        let (opened, closed) = (self.nest.opened(i - 1), self.nest.closed(i));
        if let Some(frame) = opened.filter(|f| f.is_braces()) {
            // Nothing to break in `{}`.
            return frame.close != Some(i);
        }
        if closed.is_some_and(|f| f.is_braces() || f.kind == FrameKind::Choice) {
            return true;
        }
        if self.nest.opened(i).is_some_and(is_option) {
            return true;
        }
        if opened.is_some_and(is_option) || matches!(b, T::Semi | T::Hash | T::HashHash) {
            return false;
        }
        if self.spacing.is_label_colon(i - 1) && self.leaves_label(i, column) {
            return true;
        }
        if self.nest.frame(i).is_sequence() {
            let ends_block = self.nest.closed(i - 1).is_some_and(Frame::is_braces);
            match (a, b) {
                (_, T::Arrow) => return false,
                (T::Semi, _) => return true,
                (T::Arrow, _) if self.is_guard_arrow(i - 1) => return true,
                (_, T::Keyword(Keyword::Unless)) if ends_block => return false,
                (_, T::Comma | T::Assign | T::RParen | T::RBracket) => {}
                _ if ends_block => return true,
                _ => {}
            }
        }
        let hangs = self.nest.opened(i).is_some_and(|f| f.hangs);
        !hangs && self.tokens[i].gap.breaks > 0
    }

    /// Whether a token is the first arrow of an option that spans lines.
    fn is_guard_arrow(&self, i: usize) -> bool {
        let frame = self.nest.frame(i);
        if frame.kind != FrameKind::Option {
            return false;
        }
        let id = self.nest.of[i];
        let is_arrow = |at: &usize| self.kind(*at) == TokenKind::Arrow && self.nest.of[*at] == id;
        (frame.open..=i).find(is_arrow) == Some(i)
    }

    /// Whether a token only closes something or starts the next option.
    pub fn ends_something(&self, i: usize) -> bool {
        let option = |f: &Frame| f.kind == FrameKind::Option;
        self.nest.closed(i).is_some() || self.nest.opened(i).is_some_and(option)
    }

    /// Whether a blank line may stand behind the token before this one.
    pub fn allows_blank_after(&self, i: usize) -> bool {
        let Some(before) = i.checked_sub(1) else {
            return false;
        };
        self.nest.opened(before).is_none() && self.kind(before) != TokenKind::Arrow
    }

    /// Whether a blank line may stand before this token.
    pub fn allows_blank_before(&self, i: usize) -> bool {
        self.nest.closed(i).is_none()
    }

    /// The indentation of a line that starts with this token.
    pub fn indent_of(&self, i: usize) -> usize {
        if let Some(id) = self.nest.closes[i] {
            return self.places[id].base;
        }
        let id = self.nest.of[i];
        let place = self.places[id];
        match self.nest.frames[id].kind {
            FrameKind::Root | FrameKind::Block | FrameKind::Option => {
                if self.is_label_line(i) {
                    place.base
                } else if self.starts_statement(i) {
                    place.content
                } else {
                    place.content + INDENT
                }
            }
            _ => place.content,
        }
    }

    /// The indentation of a comment on its own line before this token.
    pub fn comment_indent(&self, i: usize) -> usize {
        if let Some(id) = self.nest.closes[i] {
            return self.places[id].content;
        }
        if self.kind(i) == TokenKind::Eof {
            return 0;
        }
        if self.is_label_line(i) {
            return self.places[self.nest.of[i]].content;
        }
        self.indent_of(i)
    }

    /// Whether a token starts a line that has only a label.
    fn is_label_line(&self, i: usize) -> bool {
        if self.tokens.len() <= i + 2 || !self.spacing.is_label_colon(i + 1) {
            return false;
        }
        let indent = self.places[self.nest.of[i]].content;
        let column = indent + self.tokens[i].text.chars().count() + 1;
        let gap = &self.tokens[i + 2].gap;
        gap.is_broken() && !gap.trivia.is_empty() || self.breaks_before(i + 2, column)
    }

    /// Whether what stands behind a label starts a line: another label, or a construct
    /// that does not fit on the line. The label ends at a column.
    fn leaves_label(&self, i: usize, column: usize) -> bool {
        use Keyword as K;
        if i + 1 < self.tokens.len() && self.spacing.is_label_colon(i + 1) {
            return true;
        }
        let after = |i: usize| self.nest.opens.get(i + 1).copied().flatten();
        let frame = match self.kind(i) {
            TokenKind::Keyword(K::If | K::Do) | TokenKind::LBrace => self.nest.opens[i],
            TokenKind::Keyword(K::Atomic | K::DStep) => after(i),
            TokenKind::Keyword(K::For) => {
                let head = after(i).and_then(|f| self.nest.frames[f].close);
                head.and_then(after)
            }
            _ => None,
        };
        frame.is_some_and(|f| {
            let close = self.nest.frames[f].close;
            close.is_none_or(|close| !self.fits_between(i - 1, close, column, FLAT_WIDTH))
        })
    }

    /// Whether a token at the start of a line starts a statement rather than continues one.
    fn starts_statement(&self, i: usize) -> bool {
        use Keyword as K;
        use TokenKind as T;
        let Some(before) = self.nest.before[i] else {
            return true;
        };
        let (a, b) = (self.kind(before), self.kind(i));
        if self.nest.opens[before] == Some(self.nest.of[i])
            || matches!(a, T::Semi | T::Arrow)
            || matches!(b, T::Semi | T::Arrow | T::Eof | T::Sep)
            || self.spacing.is_label_colon(before)
            || self.nest.opened(i).is_some_and(|f| f.hangs)
        {
            return true;
        }
        if !can_end_statement(a) {
            return false;
        }
        if self.nest.frame(i).kind != FrameKind::Root {
            return true;
        }
        // Outside of bodies a line break separates nothing.
        match b {
            T::Keyword(K::Provided | K::Priority | K::Of) => false,
            T::Ident | T::Keyword(_) | T::LBrace | T::RBrace | T::Number | T::Other => true,
            _ => false,
        }
    }
}
