//! Tokens to lines: where lines break and how far they are indented.
//!
//! A line break ends a statement in Promela, so breaks are not free to move. One is
//! added only where it cannot matter: behind a separator, an opening brace or an
//! operator, around the options of a choice, before what closes a sequence. One is
//! removed only where it cannot matter either: before a brace that hangs on its
//! header, before a separator, behind `::`, and before `unless` behind a brace.
//! All others stay where they were written, so that no separator is ever needed
//! that was not there.

use super::gap::{Trivia, TriviaKind, column_after, reindent};
use super::lines::Line;
use super::nest::{FrameId, FrameKind, Nest, ROOT};
use super::scan::Token;
use super::space::Spacing;
use super::wrap::{Candidates, MAX_WIDTH};
use crate::token::TokenKind;

/// Columns a block is indented by.
pub(super) const INDENT: usize = 4;
/// Columns an option is indented by: the width of `:: `, so that statements align.
const OPTION_INDENT: usize = 3;
/// A construct that was written on one line stays there if it ends before this column.
pub(super) const FLAT_WIDTH: usize = 80;

/// Where a frame stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// The column of what closes it.
    pub base: usize,
    /// The column of what stands in it.
    pub content: usize,
}

/// The state of a run.
pub(super) struct Layout<'t, 'a> {
    pub tokens: &'t [Token<'a>],
    pub nest: &'t Nest<'a>,
    pub spacing: &'t Spacing,
    /// The width of the text up to and with each token, if all of it were on one line.
    widths: Vec<usize>,
    /// How many line breaks stand before or in the tokens up to each.
    newlines: Vec<usize>,
    /// Where the frames stand that have been opened.
    pub places: Vec<Place>,
    /// Up to this token everything stays on the line.
    pub flat_until: Option<usize>,
    lines: Vec<Line<'a>>,
    current: Line<'a>,
    pub column: usize,
    /// What the current line is indented by, `::` included.
    pub line_indent: usize,
    /// The source column of the comment that ends the current line.
    comment_column: Option<usize>,
    candidates: Candidates,
}

/// The lines of a text.
pub(super) fn layout<'a>(
    tokens: &[Token<'a>],
    nest: &Nest<'a>,
    spacing: &Spacing,
) -> Vec<Line<'a>> {
    let mut layout = Layout {
        tokens,
        nest,
        spacing,
        widths: Vec::with_capacity(tokens.len()),
        newlines: Vec::with_capacity(tokens.len()),
        places: vec![Place::default(); nest.frames.len()],
        flat_until: None,
        lines: Vec::new(),
        current: Line::default(),
        column: 0,
        line_indent: 0,
        comment_column: None,
        candidates: Candidates::default(),
    };
    layout.measure();
    layout.run();
    layout.lines
}

impl<'a> Layout<'_, 'a> {
    fn measure(&mut self) {
        let (mut width, mut newlines) = (0, 0);
        for (token, &spaced) in self.tokens.iter().zip(&self.spacing.before) {
            let comments = token.gap.trivia.iter();
            width += comments.map(|t| t.text.chars().count() + 1).sum::<usize>();
            width += usize::from(spaced) + token.text.chars().count();
            newlines += usize::from(token.gap.has_newline());
            // A line break in a token counts for its frame and the next token's.
            newlines += usize::from(token.text.contains('\n'));
            self.widths.push(width);
            self.newlines.push(newlines);
        }
    }

    fn run(&mut self) {
        let mut i = 0;
        while i < self.tokens.len() {
            if let Some(candidate) = self.overflow(i) {
                self.current.code.truncate(candidate.length);
                self.column = candidate.column;
                self.line_indent = candidate.line_indent;
                self.flat_until = None;
                i = candidate.token;
                let indent = self.indent_of(i);
                self.candidates.clear();
                self.new_line(indent, false);
            } else {
                self.gap(i);
            }
            self.push(self.tokens[i].text);
            self.open(i);
            self.note_candidate(i + 1);
            i += 1;
        }
        self.finish_line();
    }

    /// Where to break the line that the next token would make too long.
    fn overflow(&mut self, i: usize) -> Option<super::wrap::Candidate> {
        if self.is_flat(i) || self.tokens[i].gap.is_broken() {
            return None;
        }
        let token = &self.tokens[i];
        let first = token.text.split('\n').next().unwrap_or_default();
        let comments = token.gap.trivia.iter();
        let width = usize::from(self.spacing.before[i])
            + comments.map(|t| t.text.chars().count() + 1).sum::<usize>()
            + first.chars().count();
        if self.column + width <= MAX_WIDTH || self.wants_line(i).is_some() {
            return None;
        }
        self.candidates.best()
    }

    fn note_candidate(&mut self, i: usize) {
        if i >= self.tokens.len() || self.is_flat(i) {
            return;
        }
        let (length, column) = (self.current.code.len(), self.column);
        if let Some(rank) = self.break_rank(i) {
            self.candidates
                .add(rank, i, length, column, self.line_indent);
        }
    }

    /// Whether a token stands in a construct that stays on one line.
    pub fn is_flat(&self, i: usize) -> bool {
        self.flat_until.is_some_and(|end| i <= end)
    }

    /// Append to the current line.
    fn push(&mut self, text: &str) {
        self.current.code.push_str(text);
        self.column = column_after(self.column, text);
        if text.contains('\n') {
            self.candidates.clear();
        }
    }

    fn finish_line(&mut self) {
        let line = std::mem::take(&mut self.current);
        if !line.code.is_empty() || line.comment.is_some() {
            self.lines.push(line);
        }
    }

    fn new_line(&mut self, indent: usize, blank: bool) {
        self.finish_line();
        self.current.indent = indent;
        self.current.blank = blank;
        self.column = indent;
        self.line_indent = indent;
        self.comment_column = None;
        self.candidates.clear();
    }

    /// Everything before a token.
    fn gap(&mut self, i: usize) {
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

    /// Place the frame that a token opens.
    fn open(&mut self, i: usize) {
        let Some(id) = self.nest.opens[i] else {
            return;
        };
        let frame = &self.nest.frames[id];
        let parent = &self.nest.frames[frame.parent];
        let base = match frame.kind {
            FrameKind::Option => self.places[frame.parent].base,
            _ if parent.is_sequence() => self.places[frame.parent].content,
            _ => self.line_indent,
        };
        let content = base
            + match frame.kind {
                FrameKind::Choice | FrameKind::Root => 0,
                FrameKind::Option => OPTION_INDENT,
                _ => INDENT,
            };
        self.places[id] = match frame.kind {
            FrameKind::Paren | FrameKind::Bracket => Place {
                base: self.line_indent,
                content: self.line_indent + INDENT,
            },
            _ => Place { base, content },
        };
        if frame.kind == FrameKind::Option {
            self.line_indent = content;
        }
        if !self.is_flat(i) && self.fits(id) {
            self.flat_until = frame.close;
        }
    }

    /// Whether a frame whose first token has just been pushed stays on this line.
    fn fits(&self, id: FrameId) -> bool {
        let frame = &self.nest.frames[id];
        let limit = match frame.kind {
            FrameKind::Block | FrameKind::Choice | FrameKind::Option => FLAT_WIDTH,
            FrameKind::List | FrameKind::Formula => MAX_WIDTH,
            FrameKind::Root | FrameKind::Paren | FrameKind::Bracket => return false,
        };
        frame
            .close
            .is_some_and(|close| self.fits_between(frame.open, close, self.column, limit))
    }

    /// Whether what stands behind one token up to another has no line break and fits
    /// between two columns.
    pub fn fits_between(&self, from: usize, to: usize, column: usize, limit: usize) -> bool {
        let width = self.widths[to] - self.widths[from];
        self.newlines[to] == self.newlines[from] && column + width <= limit
    }

    /// The frames from the one a token stands in to the sequence around it.
    pub fn bracket_depth(&self, i: usize) -> usize {
        let mut depth = 0;
        let mut frame = self.nest.of[i];
        while frame != ROOT && !self.nest.frames[frame].is_sequence() {
            depth += 1;
            frame = self.nest.frames[frame].parent;
        }
        depth
    }
}
