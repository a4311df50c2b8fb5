//! Where a line that is too long breaks.
//!
//! Only behind operators, commas and the separators of parameters: no statement ends
//! there, so a line break means nothing.

use super::layout::Layout;
use super::nest::FrameKind;
use crate::token::TokenKind;

/// Lines are broken before this column, if there is a place for it.
pub(super) const MAX_WIDTH: usize = 100;

/// A token before which the current line may break.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// How bad the place is: the depth of brackets, then the tightness of the operator.
    rank: (usize, u8),
    /// The token that would start the next line.
    pub token: usize,
    /// The length of the line so far, in bytes.
    pub length: usize,
    /// Its column.
    pub column: usize,
    /// What it is indented by.
    pub line_indent: usize,
}

/// The places of the current line.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    best: Option<Candidate>,
}

impl Candidates {
    /// Forget them: a new line starts.
    pub fn clear(&mut self) {
        self.best = None;
    }

    /// Add a place behind all others.
    pub fn add(
        &mut self,
        rank: (usize, u8),
        token: usize,
        length: usize,
        column: usize,
        line_indent: usize,
    ) {
        if column > MAX_WIDTH || self.best.is_some_and(|best| best.rank < rank) {
            return;
        }
        self.best = Some(Candidate {
            rank,
            token,
            length,
            column,
            line_indent,
        });
    }

    /// The last of the best places.
    pub fn best(&self) -> Option<Candidate> {
        self.best
    }
}

impl Layout<'_, '_> {
    /// How bad it is to break a line before a token; `None` if it must not be.
    pub fn break_rank(&self, i: usize) -> Option<(usize, u8)> {
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
}
