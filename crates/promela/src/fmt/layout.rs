//! Tokens to lines: where lines break and how far they are indented.
//!
//! A line break ends a statement in Promela, so breaks are not free to move. One is
//! added only where it cannot matter: behind a separator, an opening brace or an
//! operator, around the options of a choice, before what closes a sequence. One is
//! removed only where it cannot matter either: before a brace that hangs on its
//! header, before a separator, behind `::`, and before `unless` behind a brace.
//! All others stay where they were written, so that no separator is ever needed
//! that was not there.

use super::gap::column_after;
use super::lines::Line;
use super::nest::{FrameId, FrameKind, Nest};
use super::scan::Token;
use super::space::Spacing;
use super::wrap::{Candidate, MAX_WIDTH};

/// Columns a block is indented by.
pub(super) const INDENT: usize = 4;
/// Columns an option is indented by: the width of `:: `, so that statements align.
const OPTION_INDENT: usize = 3;
/// Deeper text is not indented further, or a megabyte of braces would become a terabyte.
const DEEPEST: usize = 200;
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
    pub current: Line<'a>,
    /// The column behind the current line.
    pub column: usize,
    /// What the current line is indented by, `::` included.
    pub line_indent: usize,
    /// The source column of the comment that ends the current line.
    pub comment_column: Option<usize>,
    /// The best place to break the current line.
    pub candidate: Option<Candidate>,
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
        candidate: None,
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
                self.flat_until = None;
                i = candidate.token;
                self.wrapped_gap(i);
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

    /// Whether a token stands in a construct that stays on one line.
    pub fn is_flat(&self, i: usize) -> bool {
        self.flat_until.is_some_and(|end| i <= end)
    }

    /// Append to the current line.
    pub fn push(&mut self, text: &str) {
        self.current.code.push_str(text);
        self.column = column_after(self.column, text);
        if text.contains('\n') {
            self.candidate = None;
        }
    }

    fn finish_line(&mut self) {
        let line = std::mem::take(&mut self.current);
        if !line.code.is_empty() || line.comment.is_some() {
            self.lines.push(line);
        }
    }

    /// Start a line.
    pub fn new_line(&mut self, indent: usize, blank: bool) {
        self.finish_line();
        self.current.indent = indent;
        self.current.blank = blank;
        self.column = indent;
        self.line_indent = indent;
        self.comment_column = None;
        self.candidate = None;
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
            FrameKind::Paren | FrameKind::Bracket => self.line_indent,
            _ if parent.is_sequence() => self.places[frame.parent].content,
            _ => self.line_indent,
        };
        let content = base
            + match frame.kind {
                FrameKind::Choice | FrameKind::Root => 0,
                FrameKind::Option => OPTION_INDENT,
                _ => INDENT,
            };
        let content = content.min(DEEPEST);
        self.places[id] = Place { base, content };
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
}
