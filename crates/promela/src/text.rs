//! Source text for people: on one line, with the arguments of inlines for their parameters.

use crate::source::{Argument, SourceMap, Span};

/// Longer texts are cut.
const LONGEST: usize = 120;

impl SourceMap {
    /// The text of a span on one line, without comments. In an expansion of an inline, the
    /// arguments of the call stand for the parameters.
    pub fn line_text(&self, span: Span) -> String {
        one_line(self.snippet(span), self.arguments(span.expansion))
    }

    /// The same with the parameters as they are written.
    pub fn written_text(&self, span: Span) -> String {
        one_line(self.snippet(span), &[])
    }
}

/// A text that is being written on one line.
#[derive(Default)]
pub(crate) struct Line {
    text: String,
    chars: usize,
    /// White space stands before what comes next.
    space: bool,
    cut: bool,
}

impl Line {
    /// White space, however much.
    pub(crate) fn space(&mut self) {
        self.space = true;
    }

    /// Whether no more can be added.
    pub(crate) fn is_full(&self) -> bool {
        self.cut
    }

    /// Add a word or sign.
    pub(crate) fn push(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        if std::mem::take(&mut self.space) && !self.text.is_empty() {
            self.push_char(' ');
        }
        for c in word.chars() {
            if self.cut {
                break;
            }
            self.push_char(if c.is_whitespace() { ' ' } else { c });
        }
    }

    fn push_char(&mut self, c: char) {
        if self.chars == LONGEST {
            self.cut = true;
        } else {
            self.text.push(c);
            self.chars += 1;
        }
    }

    /// The text.
    pub(crate) fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        if self.cut {
            self.text.push_str(" ...");
        }
        self.text
    }
}

/// A text on one line: comments and superfluous space left out, parameters replaced, cut if it
/// is long.
fn one_line(snippet: &str, arguments: &[Argument]) -> String {
    let mut line = Line::default();
    let mut rest = snippet;
    while !rest.is_empty() && !line.is_full() {
        let (piece, kind) = next_piece(rest);
        rest = &rest[piece.len()..];
        match kind {
            Piece::Space => line.space(),
            Piece::Word => {
                let argument = arguments.iter().find(|a| a.parameter == piece);
                line.push(argument.map_or(piece, |a| &a.text));
            }
            Piece::Other => line.push(piece),
        }
    }
    line.finish()
}

/// What a piece of source text is.
enum Piece {
    /// White space, or a comment.
    Space,
    /// An identifier or a keyword.
    Word,
    /// A number, a string or a sign.
    Other,
}

/// The first piece of a text that is not empty.
fn next_piece(text: &str) -> (&str, Piece) {
    let first = text.chars().next().unwrap_or(' ');
    let until = |end: Option<usize>| end.map_or(text, |end| &text[..end]);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if text.starts_with("//") {
        (until(text.find('\n')), Piece::Space)
    } else if let Some(comment) = text.strip_prefix("/*") {
        let end = comment.find("*/").map(|end| "/*".len() + end + "*/".len());
        (until(end), Piece::Space)
    } else if first.is_whitespace() {
        (until(text.find(|c: char| !c.is_whitespace())), Piece::Space)
    } else if first == '"' || first == '\'' {
        (until(closing_quote(text, first)), Piece::Other)
    } else if is_word(first) {
        let piece = until(text.find(|c| !is_word(c)));
        match first.is_ascii_digit() {
            true => (piece, Piece::Other),
            false => (piece, Piece::Word),
        }
    } else {
        (&text[..first.len_utf8()], Piece::Other)
    }
}

/// The end of a quotation at the start of a text.
fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Argument, one_line};

    #[test]
    fn comments_and_line_ends_are_left_out() {
        let check = |text: &str, expected: &str| assert_eq!(one_line(text, &[]), expected);
        check("x = 1; // one\n  y = 2", "x = 1; y = 2");
        check("a /* b\n c */ + d ", "a + d");
        check("open /* for ever", "open");
        check(
            "printf(\"a // b\\\" c\", 'd') // e",
            "printf(\"a // b\\\" c\", 'd')",
        );
        let long = one_line(&"long ".repeat(100), &[]);
        assert!(long.ends_with(" long ..."), "{long}");
        assert_eq!(long.chars().count(), 119 + 4);
        check(&"x".repeat(120), &"x".repeat(120));
    }

    #[test]
    fn parameters_are_replaced_as_whole_words() {
        let arguments = [("a", "1 + b"), ("b", "q[a]")].map(|(parameter, text)| Argument {
            parameter: parameter.to_owned(),
            text: text.to_owned(),
        });
        let check = |text: &str, expected: &str| assert_eq!(one_line(text, &arguments), expected);
        check("x=a*b", "x=1 + b*q[a]");
        check("ab!a, _a /* a */ 0a", "ab!1 + b, _a 0a");
        check("printf(\"a b\", 'a', b)", "printf(\"a b\", 'a', q[a])");
    }
}
