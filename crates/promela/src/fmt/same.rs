//! Whether two texts are the same model: the proof that formatting changed nothing.

use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use super::scan::{Token, scan};
use crate::ast::Program;
use crate::diagnostic::Diagnostic;
use crate::parser::parse;
use crate::preprocess::{FileLoader, Options};
use crate::source::SourceMap;

/// Whether two texts have the same tokens, comments and directives.
pub(super) fn same_tokens(a: &str, b: &str) -> bool {
    let unix = |text: &str| text.replace("\r\n", "\n");
    let (a, b) = (unix(a), unix(b));
    let (a, b) = (scan(&a), scan(&b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same_token(a, b))
}

fn same_token(a: &Token<'_>, b: &Token<'_>) -> bool {
    let (x, y) = (&a.gap.trivia, &b.gap.trivia);
    // The lines of a comment may have been indented.
    let words = |text| str::split_ascii_whitespace(text);
    a.kind == b.kind
        && a.text == b.text
        && x.len() == y.len()
        && x.iter()
            .zip(y)
            .all(|(x, y)| x.kind == y.kind && words(x.text).eq(words(y.text)))
}

/// What a text means, without the places of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    tree: u64,
    diagnostics: Vec<String>,
}

/// What a text means, and what is to be said about it.
pub(super) fn meaning(
    path: &Path,
    text: &str,
    loader: &dyn FileLoader,
    options: &Options,
    sources: &mut SourceMap,
) -> (Meaning, Vec<Diagnostic>) {
    let (program, diagnostics) = parse(path, text, loader, options, sources);
    let meaning = Meaning {
        tree: hash(&program),
        diagnostics: diagnostics.iter().map(|d| d.message.clone()).collect(),
    };
    (meaning, diagnostics)
}

/// A hash of a tree without its spans.
fn hash(program: &Program) -> u64 {
    let mut hashing = Hashing(DefaultHasher::new());
    // Hashing does not fail.
    let _ = write!(WithoutSpans::new(&mut hashing), "{program:?}");
    hashing.0.finish()
}

/// A tree in words, without its spans; equal for texts that differ in layout only.
pub fn dump(program: &Program) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write!(WithoutSpans::new(&mut text), "{program:?}");
    text
}

struct Hashing(DefaultHasher);

impl Write for Hashing {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

/// Passes debug output on and leaves out the insides of every `Span { ... }`.
struct WithoutSpans<'w, W> {
    out: &'w mut W,
    /// The word that is being written.
    word: String,
    in_span: bool,
    in_string: bool,
    escaped: bool,
}

impl<'w, W> WithoutSpans<'w, W> {
    fn new(out: &'w mut W) -> WithoutSpans<'w, W> {
        WithoutSpans {
            out,
            word: String::new(),
            in_span: false,
            in_string: false,
            escaped: false,
        }
    }
}

impl<W: Write> Write for WithoutSpans<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|c| self.write_char(c))
    }

    fn write_char(&mut self, c: char) -> fmt::Result {
        if self.in_string {
            self.in_string = self.escaped || c != '"';
            self.escaped = c == '\\' && !self.escaped;
            return self.out.write_char(c);
        }
        match c {
            '"' => self.in_string = true,
            '}' => self.in_span = false,
            '{' if self.word == "Span" => {
                self.in_span = true;
                self.out.write_char(c)?;
            }
            _ => {}
        }
        if c.is_ascii_alphanumeric() {
            self.word.push(c);
        } else if c != ' ' {
            self.word.clear();
        }
        if self.in_span {
            return Ok(());
        }
        self.out.write_char(c)
    }
}
