//! What stands before a token: comments, directives and the line break itself.

use super::gap::{Trivia, TriviaKind, reindent};
use super::layout::Layout;
use crate::token::TokenKind;

impl<'a> Layout<'_, 'a> {
    /// Everything before a token.
    pub fn gap(&mut self, i: usize) {
        let gap = &self.tokens[i].gap;
        let wanted = self.wants_line(i);
        if gap.is_broken() && !gap.trivia.is_empty() {
            return self.broken_gap(i);
        }
        let Some(blank) = wanted else {
            return self.inline_gap(i, None);
        };
        if !gap.trivia.is_empty() {
            // A comment belongs to what follows it, unless that only closes something.
            let place = if self.ends_something(i) {
                gap.trivia.len()
            } else {
                0
            };
            return self.inline_gap(i, Some(place));
        }
        let indent = self.indent_of(i);
        self.new_line(indent, blank && gap.breaks > 1);
    }

    /// A gap without line breaks at which a line breaks because it is too long.
    pub fn wrapped_gap(&mut self, i: usize) {
        if self.tokens[i].gap.trivia.is_empty() {
            let indent = self.indent_of(i);
            self.new_line(indent, false);
        } else {
            self.inline_gap(i, Some(0));
        }
    }

    /// A gap without line breaks, perhaps with one to be added before a comment.
    fn inline_gap(&mut self, i: usize, place: Option<usize>) {
        let trivia = &self.tokens[i].gap.trivia;
        for (k, comment) in trivia.iter().enumerate() {
            if place == Some(k + 1) && self.end_with(comment) {
                continue;
            }
            if place == Some(k) {
                let indent = self.indent_of(i);
                self.new_line(indent, false);
            } else if !self.at_line_start() && !self.after_bracket(i, k) {
                self.push(" ");
            }
            self.push_comment(comment);
        }
        if place == Some(trivia.len()) {
            let indent = self.indent_of(i);
            self.new_line(indent, false);
        } else if !self.at_line_start() && self.space_before(i) {
            self.push(" ");
        }
    }

    fn at_line_start(&self) -> bool {
        self.current.code.is_empty()
    }

    /// Whether a comment is the first thing in parentheses.
    fn after_bracket(&self, i: usize, k: usize) -> bool {
        let before = i.checked_sub(1).map(|at| self.tokens[at].kind);
        k == 0 && matches!(before, Some(TokenKind::LParen | TokenKind::LBracket))
    }

    /// Whether a blank stands before a token, behind a comment as well.
    fn space_before(&self, i: usize) -> bool {
        if self.tokens[i].gap.trivia.is_empty() {
            return self.spacing.before[i];
        }
        !matches!(
            self.tokens[i].kind,
            TokenKind::RParen
                | TokenKind::RBracket
                | TokenKind::Comma
                | TokenKind::Semi
                | TokenKind::Eof
        )
    }

    /// Make a comment the end of the current line, if it can be.
    fn end_with(&mut self, comment: &Trivia<'a>) -> bool {
        if comment.is_multiline() || self.at_line_start() {
            return false;
        }
        self.current.comment = Some(comment.text);
        self.comment_column = Some(comment.column);
        true
    }

    fn push_comment(&mut self, comment: &Trivia<'a>) {
        match comment.kind {
            TriviaKind::Block if comment.is_multiline() => {
                let text = reindent(comment.text, comment.column, self.column);
                self.push(&text);
            }
            _ => self.push(comment.text),
        }
    }

    /// A gap with comments or directives and line breaks, which stay where they are.
    fn broken_gap(&mut self, i: usize) {
        let gap = &self.tokens[i].gap;
        let mut after_directive = false;
        for (k, trivia) in gap.trivia.iter().enumerate() {
            let next = gap.trivia.get(k + 1);
            let ends_line =
                next.map_or(gap.breaks, |t| t.breaks) > 0 || next.is_some_and(Trivia::is_directive);
            let starts_line = trivia.breaks > 0 || after_directive || i == 0 && k == 0;
            let blank = trivia.breaks > 1 && (k > 0 || self.allows_blank_after(i));
            if trivia.is_directive() {
                self.new_line(0, blank);
                self.push(trivia.text);
            } else if starts_line && self.continues_comment(trivia, i) && ends_line {
                let column = self.comment_column;
                self.new_line(0, false);
                self.current.comment = Some(trivia.text);
                self.comment_column = column;
            } else if starts_line {
                let indent = if ends_line {
                    self.comment_indent(i)
                } else {
                    self.indent_of(i)
                };
                self.new_line(indent, blank);
                self.push_comment(trivia);
            } else if !(ends_line && self.end_with(trivia)) {
                if !self.at_line_start() && !self.after_bracket(i, k) {
                    self.push(" ");
                }
                self.push_comment(trivia);
            }
            after_directive = trivia.is_directive();
        }
        if gap.breaks > 0 || after_directive {
            let blank = gap.breaks > 1 && self.allows_blank_before(i);
            let indent = self.indent_of(i);
            self.new_line(indent, blank);
        } else if !self.at_line_start() && self.space_before(i) {
            self.push(" ");
        }
    }

    /// Whether a comment on its own line continues that at the end of the line before.
    fn continues_comment(&self, comment: &Trivia<'_>, i: usize) -> bool {
        comment.breaks == 1
            && !comment.is_multiline()
            && self.comment_column == Some(comment.column)
            && comment.column != self.comment_indent(i)
    }
}
