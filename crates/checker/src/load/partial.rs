//! What can still be said about a model that could not be parsed as a whole.
//!
//! What the parser understood is lowered all the same, so that independent mistakes are
//! reported together. What may be a consequence of text that is missing is left out.

use promela::ast::Program;
use promela::diagnostic::Diagnostic;
use promela::lost::{lost_names, words_of};
use promela::source::{SourceMap, Span};

/// The mistakes in the intact parts of a program that are no consequence of the others.
pub(super) fn independent_errors(
    program: &Program,
    syntax: &[Diagnostic],
    sources: &SourceMap,
) -> Vec<Diagnostic> {
    let errors = || syntax.iter().filter(|diagnostic| diagnostic.is_error());
    if errors().any(|error| in_directive(error.span, sources)) {
        return Vec::new();
    }
    let lost = lost_names(&program.skipped, sources);
    let (_, mut found) = promela::lower::lower(program, sources);
    found.retain(|diagnostic| {
        let span = diagnostic.span;
        let known =
            |error: &Diagnostic| error.span.file == span.file && error.span.start == span.start;
        let mut words = words_of(sources.snippet(span)).peekable();
        diagnostic.is_error()
            && words.peek().is_some()
            && words.all(|(_, word)| !lost.contains(word))
            && !errors().any(known)
    });
    found
}

/// Whether a place lies in a line of the preprocessor: then any name may be missing.
fn in_directive(span: Span, sources: &SourceMap) -> bool {
    let text = &sources.file(span.file).text;
    let before = text.get(..span.start as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    text[line..].trim_start().starts_with('#')
}
