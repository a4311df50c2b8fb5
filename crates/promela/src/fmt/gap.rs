//! What stands between two tokens: comments, directives, line breaks.

use std::ops::Range;

/// Columns between two tab stops.
const TAB: usize = 8;

/// What stands before a token.
#[derive(Debug, Default)]
pub(super) struct Gap<'a> {
    /// Comments and directives, in order.
    pub trivia: Vec<Trivia<'a>>,
    /// Line breaks behind the last of them (or behind the last token), at most 2.
    pub breaks: usize,
}

/// A comment or a directive.
#[derive(Debug)]
pub(super) struct Trivia<'a> {
    /// Which.
    pub kind: TriviaKind,
    /// As written, without white space at its end.
    pub text: &'a str,
    /// Line breaks before it, at most 2.
    pub breaks: usize,
    /// The column it starts at.
    pub column: usize,
}

/// Kinds of trivia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TriviaKind {
    /// `// ...`
    Line,
    /// `/* ... */`
    Block,
    /// A directive.
    Directive(Directive),
}

/// Directives, as far as they matter for the nesting of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// `#if`, `#ifdef`, `#ifndef`
    If,
    /// `#elif`, `#else`
    Else,
    /// `#endif`
    Endif,
    /// All others.
    Other,
}

impl Trivia<'_> {
    /// Whether it is a directive.
    pub fn is_directive(&self) -> bool {
        matches!(self.kind, TriviaKind::Directive(_))
    }

    /// Whether it spans lines.
    pub fn is_multiline(&self) -> bool {
        self.text.contains('\n')
    }
}

impl<'a> Gap<'a> {
    /// Whether a line break stands here outside of comments.
    pub fn is_broken(&self) -> bool {
        self.breaks > 0 || self.trivia.iter().any(|t| t.breaks > 0 || t.is_directive())
    }

    /// Whether a line break stands here, be it in a comment.
    pub fn has_newline(&self) -> bool {
        self.is_broken() || self.trivia.iter().any(Trivia::is_multiline)
    }

    /// Add the white space and comments of a piece of text.
    pub fn read(&mut self, text: &'a str, range: Range<usize>, columns: &mut Columns) {
        let mut at = range.start;
        while at < range.end {
            let (blank, end) = next_blank(text, at..range.end);
            let kind = match blank {
                Blank::Newline => {
                    self.breaks = (self.breaks + 1).min(2);
                    at = end;
                    continue;
                }
                Blank::Space => {
                    at = end;
                    continue;
                }
                Blank::Line => TriviaKind::Line,
                Blank::Block => TriviaKind::Block,
            };
            self.trivia.push(Trivia {
                kind,
                text: trim_end(&text[at..end]),
                breaks: std::mem::take(&mut self.breaks),
                column: columns.advance(text, at),
            });
            at = end;
        }
    }

    /// Add a directive.
    pub fn push_directive(&mut self, text: &'a str, kind: Directive) {
        self.trivia.push(Trivia {
            kind: TriviaKind::Directive(kind),
            text: trim_end(text),
            breaks: std::mem::take(&mut self.breaks),
            column: 0,
        });
    }
}

enum Blank {
    Newline,
    Space,
    Line,
    Block,
}

/// The piece of white space or the comment a range starts with, and its end.
fn next_blank(text: &str, range: Range<usize>) -> (Blank, usize) {
    let rest = &text[range.clone()];
    let end = |length: usize| range.start + length;
    if rest.starts_with('\n') {
        return (Blank::Newline, end(1));
    }
    if rest.starts_with("//") {
        return (Blank::Line, end(line_length(rest)));
    }
    if let Some(body) = rest.strip_prefix("/*") {
        let length = body.find("*/").map_or(rest.len(), |at| at + 4);
        return (Blank::Block, end(length));
    }
    if let Some(length) = continuation(rest) {
        return (Blank::Newline, end(length));
    }
    (
        Blank::Space,
        end(rest.chars().next().map_or(1, char::len_utf8)),
    )
}

/// The length of the first line with those that continue it, without its line break.
fn line_length(text: &str) -> usize {
    let mut at = 0;
    while let Some(found) = text[at..].find(['\n', '\\']) {
        at += found;
        match continuation(&text[at..]) {
            Some(length) => at += length,
            None if text[at..].starts_with('\n') => return at,
            None => at += 1,
        }
    }
    text.len()
}

/// The length of a backslash with the line break behind it.
fn continuation(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\\')?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
    rest[blanks..].starts_with('\n').then_some(blanks + 2)
}

/// A comment or directive without the white space at its end, unless an empty line
/// continues it: without that the next line would.
fn trim_end(text: &str) -> &str {
    let trimmed = text.trim_ascii_end();
    match text[trimmed.len()..].find('\n') {
        Some(at) if trimmed.ends_with('\\') => &text[..trimmed.len() + at + 1],
        _ => trimmed,
    }
}

/// Where a directive ends whose last token ends at the start of a range: behind the
/// comments on its line.
pub(super) fn same_line_end(text: &str, range: Range<usize>) -> usize {
    let mut end = range.start;
    let mut at = range.start;
    while at < range.end {
        let (blank, next) = next_blank(text, at..range.end);
        match blank {
            Blank::Newline if text[at..].starts_with('\n') => break,
            Blank::Newline | Blank::Space => {}
            Blank::Line | Blank::Block => end = next,
        }
        at = next;
    }
    end
}

/// The column of a place that moves forward.
#[derive(Debug, Default)]
pub(super) struct Columns {
    at: usize,
    column: usize,
}

impl Columns {
    /// Move to a place and tell its column.
    pub fn advance(&mut self, text: &str, to: usize) -> usize {
        let passed = text.get(self.at..to).unwrap_or_default();
        self.column = column_after(self.column, passed);
        self.at = to.max(self.at);
        self.column
    }
}

/// The column behind a text that starts at a column.
pub(super) fn column_after(column: usize, text: &str) -> usize {
    let (column, line) = match text.rfind('\n') {
        Some(at) => (0, &text[at + 1..]),
        None => (column, text),
    };
    line.chars().fold(column, |column, c| match c {
        '\t' => (column / TAB + 1) * TAB,
        '\r' => column,
        _ => column + 1,
    })
}

/// A comment moved from one column to another: the lines behind its first move along.
pub(super) fn reindent(text: &str, from: usize, to: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, line) in text.split('\n').enumerate() {
        if i == 0 {
            out.push_str(line.trim_ascii_end());
            continue;
        }
        let body = line.trim_ascii();
        let blanks = &line[..line.len() - line.trim_ascii_start().len()];
        let column = if body.starts_with('*') {
            to + 1
        } else {
            (column_after(0, blanks) + to).saturating_sub(from)
        };
        out.push('\n');
        if !body.is_empty() {
            out.extend(std::iter::repeat_n(' ', column));
            out.push_str(body);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_breaks() {
        let text = " // a \\\n b \n\n\t/* c\n */ ";
        let mut gap = Gap::default();
        gap.read(text, 0..text.len(), &mut Columns::default());
        let found: Vec<_> = gap
            .trivia
            .iter()
            .map(|t| (t.text, t.breaks, t.column))
            .collect();
        assert_eq!(found, [("// a \\\n b", 0, 1), ("/* c\n */", 2, 8)]);
        assert_eq!(gap.breaks, 0);
        assert!(gap.is_broken());
    }

    #[test]
    fn an_open_comment_ends_with_the_text() {
        let text = "/* a";
        let mut gap = Gap::default();
        gap.read(text, 0..text.len(), &mut Columns::default());
        assert_eq!(gap.trivia.len(), 1);
    }

    #[test]
    fn lines_of_a_comment_move_along() {
        assert_eq!(reindent("/* a\n   b\n */", 0, 4), "/* a\n       b\n     */");
        assert_eq!(reindent("/*\n\t\tb*/", 16, 4), "/*\n    b*/");
        assert_eq!(reindent("/*\n b*/", 8, 4), "/*\nb*/");
    }
}
