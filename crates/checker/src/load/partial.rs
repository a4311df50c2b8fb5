//! What can still be said about a model that could not be parsed as a whole.
//!
//! Units without a syntax error are lowered all the same, so that independent mistakes are
//! reported together. What may be a consequence of a unit that is missing is left out.

use std::collections::{HashMap, HashSet};

use promela::ast::{Program, Unit};
use promela::diagnostic::Diagnostic;
use promela::source::{FileId, SourceMap, Span};

/// The mistakes in the intact units of a program that are no consequence of the others.
pub(super) fn independent_errors(
    mut program: Program,
    syntax: &[Diagnostic],
    sources: &SourceMap,
) -> Vec<Diagnostic> {
    let spans: Vec<Span> = program.units.iter().map(span_of).collect();
    let mut broken = HashSet::new();
    for error in syntax.iter().filter(|diagnostic| diagnostic.is_error()) {
        if in_directive(error.span, sources) {
            return Vec::new();
        }
        let owner = (0..spans.len())
            .filter(|&row| spans[row].file == error.span.file)
            .filter(|&row| spans[row].start <= error.span.start)
            .max_by_key(|&row| spans[row].start);
        match owner.map(|row| (row, &program.units[row])) {
            // Its body is part of every unit that calls it.
            Some((_, Unit::Inline(_))) => return Vec::new(),
            Some((row, _)) => {
                broken.insert(row);
            }
            None => {}
        }
    }
    let mut row = 0;
    program.units.retain(|_| {
        row += 1;
        !broken.contains(&(row - 1))
    });
    let (_, mut found) = promela::lower::lower(&program, sources);
    keep_independent(&mut found, sources);
    found
}

fn span_of(unit: &Unit) -> Span {
    match unit {
        Unit::Proctype(unit) => unit.span,
        Unit::Init(unit) => unit.span,
        Unit::Never(unit) => unit.span,
        Unit::Ltl(unit) => unit.span,
        Unit::Trace(unit) => unit.span,
        Unit::Decl(unit) => unit.span,
        Unit::Mtype(unit) => unit.span,
        Unit::Typedef(unit) => unit.span,
        Unit::Inline(unit) => unit.span,
        Unit::EmbeddedC(unit) => unit.span,
    }
}

/// Whether a place lies in a line of the preprocessor: then any name may be missing.
fn in_directive(span: Span, sources: &SourceMap) -> bool {
    let text = &sources.file(span.file).text;
    let before = text.get(..span.start as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    text[line..].trim_start().starts_with('#')
}

/// Keep names that occur nowhere but where they are found wrong.
fn keep_independent(found: &mut Vec<Diagnostic>, sources: &SourceMap) {
    let mut wrong: HashMap<String, HashSet<(FileId, u32)>> = HashMap::new();
    for diagnostic in found.iter().filter(|diagnostic| diagnostic.is_error()) {
        let span = diagnostic.span;
        let name = sources.snippet(span);
        if !name.is_empty() && name.chars().all(is_word) {
            let places = wrong.entry(name.to_owned()).or_default();
            places.insert((span.file, span.start));
        }
    }
    for (file, source) in sources.files() {
        let mut start = 0;
        for piece in source.text.split_inclusive(|c| !is_word(c)) {
            let word = piece.trim_end_matches(|c| !is_word(c));
            let elsewhere = |places: &HashSet<_>| !places.contains(&(file, start));
            if wrong.get(word).is_some_and(elsewhere) {
                wrong.remove(word);
            }
            start += piece.len() as u32;
        }
    }
    found.retain(|diagnostic| wrong.contains_key(sources.snippet(diagnostic.span)));
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
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
    fn consequences_are_not_reported() {
        check("byte a = ;\nactive proctype P() { a = 1 }", &[1]);
        check("#include \"nowhere\"\nactive proctype P() { a = 1 }", &[1]);
        check(
            "inline f() {\nskip skip }\nactive proctype P() { f(); a = 1 }",
            &[2],
        );
        check("proctype P() {\nif }\ninit { run P() }", &[2]);
    }
}
