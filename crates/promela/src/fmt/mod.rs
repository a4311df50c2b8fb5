//! The formatter: the same model in the usual layout.
//!
//! It works on the text before the preprocessor, so macros, comments and directives
//! stay. Blocks are indented by four columns and options by the width of `:: `;
//! operators have blanks around them; each statement has its own line, but a construct
//! that was written on one line stays there if it fits; blank lines are kept, one at
//! most. No token is added, removed or moved, and [`format()`] checks that the result
//! means the same before it hands it out.

mod breaks;
mod comments;
mod gap;
mod layout;
mod lines;
mod nest;
mod same;
mod scan;
mod space;
mod wrap;

use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::preprocess::{FileLoader, Options};
use crate::source::SourceMap;

pub use same::dump;

/// Why a text is left as it is.
#[derive(Debug)]
pub enum Refusal {
    /// It is no model; at least one of these is an error.
    Diagnostics(Vec<Diagnostic>),
    /// The result would not mean the same, as happens with `__LINE__`.
    Meaning,
}

/// Format a model. `path` names it and is what its includes are relative to; the
/// source map takes what diagnostics refer to.
pub fn format(
    path: impl AsRef<Path>,
    text: &str,
    loader: &dyn FileLoader,
    options: &Options,
    sources: &mut SourceMap,
) -> Result<String, Refusal> {
    let path = path.as_ref();
    let (before, diagnostics) = same::meaning(path, text, loader, options, sources);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Refusal::Diagnostics(diagnostics));
    }
    let formatted = stable_layout(text);
    if formatted == text {
        return Ok(formatted);
    }
    let mut scratch = SourceMap::default();
    let (after, _) = same::meaning(path, &formatted, loader, options, &mut scratch);
    if before != after || !same::same_tokens(text, &formatted) {
        return Err(Refusal::Meaning);
    }
    Ok(formatted)
}

/// The layout of a text, laid out again until it stays as it is. Comments in the middle of a
/// wrapped line move with it, so the first layout may not be the last word.
fn stable_layout(text: &str) -> String {
    const ROUNDS: usize = 8;
    let mut formatted = layout(text);
    for _ in 0..ROUNDS {
        let again = layout(&formatted);
        if again == formatted {
            break;
        }
        formatted = again;
    }
    formatted
}

/// The layout alone, for any text at all; nothing is checked.
pub fn layout(text: &str) -> String {
    let mark = if text.starts_with('\u{feff}') {
        "\u{feff}"
    } else {
        ""
    };
    let body = &text[mark.len()..];
    let crlf = body
        .split_once('\n')
        .is_some_and(|(line, _)| line.ends_with('\r'));
    let mut body = body.replace("\r\n", "\n");
    if !body.is_empty() && !body.ends_with('\n') {
        body.push('\n');
    }
    let tokens = scan::scan(&body);
    let nest = nest::nest(&tokens);
    let spacing = space::Spacing::new(&tokens, &nest);
    let lines = layout::layout(&tokens, &nest, &spacing);
    let mut out = lines::render(&lines);
    if crlf {
        out = out.replace('\n', "\r\n");
    }
    format!("{mark}{out}")
}
