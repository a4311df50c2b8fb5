//! Comments that turn lints off: `// spinor: allow(unused-variable, constant-index)`.
//!
//! Before the first token of a file it counts for the whole file, behind something for its line,
//! and alone in a line for the next one. Spin passes over it.

use std::collections::HashMap;

use super::Lint;
use crate::diagnostic::Diagnostic;
use crate::lexer::Lexer;
use crate::source::{FileId, SourceMap, Span};
use crate::token::Interner;

/// What a declaration begins with.
const WORD: &str = "spinor: allow(";

/// What the comments of a file allow.
#[derive(Default)]
struct Allowed {
    everywhere: Vec<Lint>,
    /// Lines from 1, in order.
    lines: Vec<(u32, Lint)>,
}

/// Remove the warnings that a comment turns off.
pub(super) fn remove_allowed(found: &mut Vec<Diagnostic>, sources: &SourceMap) {
    let mut files: HashMap<FileId, Allowed> = HashMap::new();
    found.retain(|diagnostic| {
        let Some(lint) = diagnostic.lint else {
            return true;
        };
        !places(diagnostic.span, sources).any(|span| {
            let allowed = files
                .entry(span.file)
                .or_insert_with(|| read(&sources.file(span.file).text, span.file));
            allowed.everywhere.contains(&lint)
                || allowed
                    .lines
                    .binary_search(&(sources.line(span), lint))
                    .is_ok()
        })
    });
}

/// A place and the calls of inlines and macros around it.
fn places(span: Span, sources: &SourceMap) -> impl Iterator<Item = Span> {
    let outwards = |span: &Span| sources.expansion(span.expansion).map(|e| e.call);
    std::iter::successors(Some(span), outwards)
}

fn read(text: &str, file: FileId) -> Allowed {
    let mut allowed = Allowed::default();
    if !text.contains(WORD) {
        return allowed;
    }
    let first = Lexer::new(file).next(text, &mut Interner::default());
    let mut start = 0;
    for (line, number) in text.split('\n').zip(1..) {
        let alone = line.trim_start().starts_with(['/', '*']);
        for lint in listed(line) {
            if start < first.span.start as usize && alone {
                allowed.everywhere.push(lint);
            } else {
                allowed.lines.push((number + u32::from(alone), lint));
            }
        }
        start += line.len() + 1;
    }
    allowed.lines.sort();
    allowed
}

/// The lints that a comment of a line names.
fn listed(line: &str) -> Vec<Lint> {
    let Some(at) = line.find(WORD) else {
        return Vec::new();
    };
    let before = &line[..at];
    let in_comment = before.contains("//") || before.contains("/*");
    if !in_comment && !before.trim_start().starts_with('*') {
        return Vec::new();
    }
    let names = line[at + WORD.len()..].split(')').next();
    let names = names.unwrap_or_default().split([',', ' ']);
    names.filter_map(Lint::from_name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_files_and_lines() {
        let text = "/* About\n * spinor: allow(unused-variable)\n */\n\
            byte a; // spinor: allow(constant-index, mtype-number) why\n\
            // spinor: allow(channel-arity, unknown)\nbyte b;";
        let allowed = read(text, FileId(0));
        assert_eq!(allowed.everywhere, [Lint::UnusedVariable]);
        let lines = [
            (4, Lint::ConstantIndex),
            (4, Lint::MtypeNumber),
            (6, Lint::ChannelArity),
        ];
        assert_eq!(allowed.lines, lines);
    }

    #[test]
    fn text_is_no_comment() {
        assert!(listed("printf(\"spinor: allow(mtype-number)\")").is_empty());
    }
}
