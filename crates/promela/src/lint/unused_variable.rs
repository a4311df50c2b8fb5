//! `unused-variable`: a variable that nobody reads.
//!
//! These count as used: a global variable that is set, because formulas from the command line may
//! look at it; what takes a field of a received message or the number of a new process, since these
//! must go somewhere; the variable of a `for`; parameters, which callers rely on; `hidden` and `show`
//! variables; variables of included files, which may serve other models too; names that begin with
//! `_`; and names that stand anywhere in text that the walk did not see, such as an unused macro or
//! inline, or the other branch of an `#ifdef`.

use std::collections::{HashMap, HashSet};

use space::cancel::poll;

use super::Lint;
use super::scope::{Owner, Variable};
use super::walk::Walk;
use crate::ast::Visibility;
use crate::diagnostic::Diagnostic;
use crate::lexer::Lexer;
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Interner, TokenKind};

/// The file that is read first.
const MAIN_FILE: FileId = FileId(0);

/// A declaration without a read; in an inline it declares several variables.
struct Candidate<'a> {
    name: &'a str,
    span: Span,
    is_written: bool,
}

pub(super) fn finish(walk: &mut Walk<'_>) {
    let mut candidates = candidates(walk);
    if candidates.is_empty() {
        return;
    }
    let names = candidates.iter().map(|candidate| candidate.name).collect();
    let elsewhere = unseen_names(&names, &walk.scope.mentions(), walk.sources);
    candidates.retain(|candidate| !elsewhere.contains(candidate.name));
    for Candidate {
        name,
        span,
        is_written,
    } in candidates
    {
        let message = match is_written {
            true => format!("`{name}` is set but never read"),
            false => format!("`{name}` is never used"),
        };
        walk.report(
            Diagnostic::lint(Lint::UnusedVariable, span, message)
                .help(format!("rename it to `_{name}` if this is intentional")),
        );
    }
}

/// Declarations none of whose variables is read, in the order of the text.
fn candidates<'a>(walk: &Walk<'a>) -> Vec<Candidate<'a>> {
    let mut rows: HashMap<(FileId, u32), Option<usize>> = HashMap::new();
    let mut candidates: Vec<Option<Candidate<'_>>> = Vec::new();
    for variable in walk.scope.variables() {
        let name = &variable.place.var.name;
        let is_read = is_used(variable) || walk.scope.is_read_remotely(&name.name);
        let row = rows
            .entry((name.span.file, name.span.start))
            .or_insert_with(|| {
                candidates.push(Some(Candidate {
                    name: &name.name,
                    span: name.span,
                    is_written: false,
                }));
                Some(candidates.len() - 1)
            });
        let Some(at) = *row else {
            continue;
        };
        match &mut candidates[at] {
            Some(candidate) if !is_read => candidate.is_written |= variable.is_written,
            candidate => {
                *candidate = None;
                *row = None;
            }
        }
    }
    candidates.into_iter().flatten().collect()
}

fn is_used(variable: &Variable<'_>) -> bool {
    let visibility = variable.place.decl.visibility;
    variable.is_read
        || variable.is_received
        || (variable.is_written && variable.owner == Owner::Model)
        || variable.owner == Owner::Parameter
        || variable.place.var.name.span.file != MAIN_FILE
        || matches!(visibility, Some(Visibility::Hidden | Visibility::Show))
        || variable.place.var.name.name.starts_with('_')
}

/// Those of the names that stand at places that the walk did not see.
fn unseen_names<'a>(
    names: &HashSet<&'a str>,
    seen: &HashSet<(FileId, u32)>,
    sources: &SourceMap,
) -> HashSet<&'a str> {
    let mut unseen = HashSet::new();
    let mut texts = Interner::default();
    for (file, source) in sources.files() {
        let mut lexer = Lexer::new(file);
        loop {
            poll();
            let token = lexer.next(&source.text, &mut texts);
            if token.kind == TokenKind::Eof {
                break;
            }
            if token.kind == TokenKind::Ident
                && let Some(name) = names.get(texts.text(token.name))
                && !seen.contains(&(file, token.span.start))
            {
                unseen.insert(*name);
            }
        }
    }
    unseen
}
