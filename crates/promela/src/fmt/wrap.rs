//! Where a line that is too long breaks.
//!
//! Only behind operators, commas and the separators of parameters: no statement ends
//! there, so a line break means nothing.

use super::layout::Layout;
use super::nest::{FrameKind, ROOT};
use crate::token::TokenKind;

/// Lines are broken before this column, if there is a place for it.
pub(super) const MAX_WIDTH: usize = 100;

/// A place where the current line may break.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// How bad it is: the depth of brackets, then the tightness of the operator.
    rank: (usize, u8),
    /// The token that would start the next line.
    pub token: usize,
    /// The length of what would be left of this one, in bytes.
    pub length: usize,
}

impl Layout<'_, '_> {
    /// Where to break the line that the next token would make too long.
    pub fn overflow(&self, i: usize) -> Option<Candidate> {
        let token = &self.tokens[i];
        let stays_broken = token.gap.is_broken() && !token.gap.trivia.is_empty();
        if self.is_flat(i) || stays_broken || token.kind == TokenKind::Eof {
            return None;
        }
        let line = token.text.split('\n').next().unwrap_or_default();
        let comments = token.gap.trivia.iter();
        let width = usize::from(self.spacing.before[i])
            + comments.map(|t| t.text.chars().count() + 1).sum::<usize>()
            + line.chars().count();
        if self.column + width <= MAX_WIDTH || self.wants_line(i).is_some() {
            return None;
        }
        self.candidate
    }

    /// Remember that the line may break before a token, unless a better place is known.
    /// Of equally good places the last one is best.
    pub fn note_candidate(&mut self, i: usize) {
        if i >= self.tokens.len() || self.is_flat(i) || self.column > MAX_WIDTH {
            return;
        }
        let Some(rank) = self.break_rank(i) else {
            return;
        };
        if self.candidate.is_none_or(|best| rank <= best.rank) {
            self.candidate = Some(Candidate {
                rank,
                token: i,
                length: self.current.code.len(),
            });
        }
    }

    /// How bad it is to break a line before a token; `None` if it must not be.
    fn break_rank(&self, i: usize) -> Option<(usize, u8)> {
        use TokenKind as T;
        let before = i.checked_sub(1)?;
        if self.spacing.is_prefix(before) || matches!(self.tokens[i].kind, T::Eof | T::Hash) {
            return None;
        }
        let frame = self.nest.frame(i);
        let tightness = match self.tokens[before].kind {
            T::Semi if frame.kind == FrameKind::Paren => 0,
            T::Comma => 0,
            T::Arrow | T::Equiv if !frame.is_sequence() => 0,
            T::OrOr => 1,
            T::AndAnd => 2,
            T::Pipe | T::Caret | T::Amp => 3,
            T::Eq | T::Ne | T::Le | T::Ge | T::Shl | T::Shr => 4,
            T::Plus | T::Minus | T::Star | T::Slash | T::Percent => 5,
            _ => return None,
        };
        Some((self.bracket_depth(i), tightness))
    }

    /// How many brackets are open between a token and the sequence around it.
    fn bracket_depth(&self, i: usize) -> usize {
        let mut depth = 0;
        let mut frame = self.nest.of[i];
        while frame != ROOT && !self.nest.frames[frame].is_sequence() {
            depth += 1;
            frame = self.nest.frames[frame].parent;
        }
        depth
    }
}
