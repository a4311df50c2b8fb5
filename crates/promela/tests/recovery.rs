//! Models with mistakes: what is left of them can be lowered, whatever is missing.

use std::fs;
use std::path::{Path, PathBuf};

use promela::diagnostic::Diagnostic;
use promela::lexer::Lexer;
use promela::lower::lower;
use promela::parser::parse;
use promela::preprocess::{DiskLoader, Options};
use promela::source::{FileId, SourceMap, Span};
use promela::token::{Interner, TokenKind};

/// All models of the corpus.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder exists") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn tokens(text: &str) -> Vec<Span> {
    let mut names = Interner::default();
    let mut lexer = Lexer::new(FileId(0));
    let mut spans = Vec::new();
    loop {
        let token = lexer.next(text, &mut names);
        if token.kind == TokenKind::Eof {
            return spans;
        }
        spans.push(token.span);
    }
}

/// Parse and lower a text; whether it is accepted.
fn accepts(path: &Path, text: &str) -> bool {
    let mut sources = SourceMap::default();
    let (program, found) = parse(path, text, &DiskLoader, &Options::default(), &mut sources);
    let (_, more) = lower(&program, &sources);
    let is_accepted = !found.iter().chain(&more).any(Diagnostic::is_error);
    let is_parsed = !found.iter().any(Diagnostic::is_error);
    assert!(
        !is_parsed || program.skipped.is_empty(),
        "no error in\n{text}"
    );
    is_accepted
}

#[test]
fn without_or_with_twice_a_token() {
    let mut refused = 0;
    for path in models() {
        let text = fs::read_to_string(&path).expect("it can be read");
        let tokens = tokens(&text);
        let step = tokens.len() / 12 + 1;
        for span in tokens.iter().skip(step / 2).step_by(step) {
            let (start, end) = (span.start as usize, span.end as usize);
            let without = format!("{} {}", &text[..start], &text[end..]);
            let twice = format!("{} {}", &text[..end], &text[start..]);
            refused += usize::from(!accepts(&path, &without));
            refused += usize::from(!accepts(&path, &twice));
        }
    }
    assert!(refused > 1000, "{refused}");
}
