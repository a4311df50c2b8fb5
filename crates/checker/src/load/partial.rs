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

#[cfg(test)]
mod tests {
    use crate::load::{LoadError, Source, load};

    /// The places of the errors of a model, by line.
    #[track_caller]
    fn check(text: &str, lines: &[u32]) {
        let found = load(&Source::text("m.pml", text));
        let Err(LoadError::Diagnostics(diagnostics, sources)) = found else {
            panic!("accepted: {text}");
        };
        let found: Vec<u32> = diagnostics.iter().map(|d| sources.line(d.span)).collect();
        assert_eq!(found, lines, "{diagnostics:#?}");
    }

    #[test]
    fn mistakes_in_intact_units_are_reported_too() {
        check(
            "byte a = ;\nactive proctype P() { b = 1 }\nactive proctype Q() { goto L }",
            &[1, 2, 3],
        );
    }

    #[test]
    fn the_rest_of_a_body_is_checked() {
        check(
            "active proctype P() { byte a;\na = ;\nb = 1;\ngoto L;\nif\n:: a > -> skip\n:: c\nfi }",
            &[2, 3, 4, 6, 7],
        );
        check(
            "inline f() {\nskip skip }\nactive proctype P() { f();\na = 1 }",
            &[2, 4],
        );
        check(
            "init { run Q(1);\nskip skip }\nproctype Q() {\nbreak }",
            &[1, 2, 4],
        );
    }

    #[test]
    fn consequences_are_not_reported() {
        check("proctype P(byte) { skip }\ninit { run P(1) }", &[1]);
        check("typedef T { byte }\nT t; init { t.x = 1 }", &[1]);
        check("inline f( { skip }\ninit { f() }", &[1]);
        check(
            "init { byte x = ;\nx = 1; goto L;\nL: x = ; x = 2 }",
            &[1, 3],
        );
        check("init { goto L;\nL: x = ;\nskip }", &[2]);
        check(
            "init { skip } }\nbyte i; x = 1 }\nproctype P() { byte i; i = 1 }",
            &[1, 2],
        );
        check(
            "#define DECLARE(x) byte x =\nDECLARE(a) ;\ninit { a = 1 }",
            &[2],
        );
        check("byte a = ;\nactive proctype P() { a = 1 }", &[1]);
        check("#include \"nowhere\"\nactive proctype P() { a = 1 }", &[1]);
        check("proctype P() {\nif }\ninit { run P() }", &[2]);
    }
}
