//! Going on after a mistake.
//!
//! What is skipped is noted, so that nobody takes for unknown what was declared there.

use super::Parser;
use super::stream::Class;
use crate::ast::{Expr, ExprKind, Step, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::lost::{lost_names, words_of};
use crate::source::Span;
use crate::token::{Keyword, Name, TokenKind};

/// A report that a name is unknown, which may turn out to be untrue.
pub(super) struct Doubt {
    name: Name,
    /// The row of the diagnostic.
    row: usize,
}

impl Parser<'_> {
    /// Keywords that can only start a unit: a body that meets one has lost its brace.
    pub(super) fn starts_unit(kind: TokenKind) -> bool {
        use Keyword as K;
        matches!(
            kind,
            TokenKind::Keyword(
                K::Proctype
                    | K::DProctype
                    | K::Active
                    | K::Init
                    | K::Never
                    | K::Ltl
                    | K::Inline
                    | K::Typedef
                    | K::Trace
                    | K::Notrace
            )
        )
    }

    /// Skip to where the next statement of the current sequence may start: a
    /// separator, or what closes the sequence. Nested constructs are skipped whole.
    /// The statement begins at `start`.
    pub(super) fn skip_statement(&mut self, start: Span) {
        self.find_statement();
        self.note_skipped(start);
    }

    fn find_statement(&mut self) {
        self.stream.reset_parens();
        let mut nested: Vec<TokenKind> = Vec::new();
        loop {
            let token = self.peek();
            let kind = token.kind;
            if Self::is_end(kind) || Self::starts_unit(kind) {
                return;
            }
            if nested.last() == Some(&kind) {
                nested.pop();
                self.bump();
                if nested.is_empty() && kind != TokenKind::RBrace {
                    return;
                }
                continue;
            }
            if nested.is_empty() {
                match kind {
                    TokenKind::Semi
                    | TokenKind::Arrow
                    | TokenKind::Sep
                    | TokenKind::RBrace
                    | TokenKind::Keyword(Keyword::Fi | Keyword::Od) => return,
                    _ => {}
                }
            }
            match kind {
                TokenKind::LBrace => nested.push(TokenKind::RBrace),
                TokenKind::Keyword(Keyword::If) => nested.push(TokenKind::Keyword(Keyword::Fi)),
                TokenKind::Keyword(Keyword::Do) => nested.push(TokenKind::Keyword(Keyword::Od)),
                TokenKind::RBrace | TokenKind::Keyword(Keyword::Fi | Keyword::Od) => {
                    // Closes something further out than the innermost we skip.
                    match nested.iter().rposition(|&k| k == kind) {
                        Some(at) => nested.truncate(at),
                        None => return,
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Skip to where the next unit may start. If the body of the current one has not
    /// begun, it is skipped as well. The unit begins at `start`.
    pub(super) fn skip_unit(&mut self, start: Span) {
        self.find_unit();
        self.note_skipped(start);
    }

    fn find_unit(&mut self) {
        self.stream.reset_parens();
        self.stream.in_sequence = false;
        let mut braces = 0u32;
        loop {
            let kind = self.kind();
            match kind {
                TokenKind::Eof => return,
                TokenKind::LBrace => braces += 1,
                TokenKind::RBrace => {
                    braces = braces.saturating_sub(1);
                    if braces == 0 {
                        self.bump();
                        return;
                    }
                }
                TokenKind::InlineEnd => {}
                TokenKind::Semi if braces == 0 && !self.in_header => return,
                TokenKind::Keyword(Keyword::Mtype) if braces == 0 && !self.in_header => return,
                _ if Self::starts_unit(kind) => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Everything from here to the last token taken is missing from the tree.
    pub(super) fn note_skipped(&mut self, start: Span) {
        let end = self.previous;
        let inside = start.file == end.file && start.start <= end.end;
        self.skipped.push(match inside {
            true => start.to(end),
            // Somewhere in an include: whatever stands in the file may be missing.
            false => Span {
                start: 0,
                end: u32::MAX,
                ..start
            },
        });
    }

    /// A macro with a declaration may declare names that the skipped text does not show.
    fn widen_over_macros(&mut self) {
        let pre = &self.stream.pre;
        let declares = |(_, word): (usize, &str)| {
            let name = pre.names.find(word);
            name.is_some_and(|name| pre.macro_declares(name))
        };
        for skipped in &mut self.skipped {
            if words_of(pre.sources.snippet(*skipped)).any(declares) {
                skipped.start = 0;
                skipped.end = u32::MAX;
            }
        }
    }

    /// What stands in the tree for a statement that was not understood.
    pub(super) fn placeholder(span: Span) -> Step {
        Step::Stmt(Stmt {
            span,
            labels: Vec::new(),
            kind: StmtKind::Expr(Expr {
                span,
                kind: ExprKind::Number(1),
            }),
        })
    }

    /// Report that a name is unknown, unless the rest of the text says otherwise.
    pub(super) fn report_unknown(&mut self, name: Name, diagnostic: Diagnostic) {
        let row = self.stream.pre.diagnostics.len();
        self.report(diagnostic);
        if self.stream.pre.diagnostics.len() > row {
            self.doubts.push(Doubt { name, row });
        }
    }

    /// Correct the reports of unknown names now that the whole text is known.
    pub(super) fn settle_doubts(&mut self) {
        let doubts = std::mem::take(&mut self.doubts);
        self.widen_over_macros();
        let places: Vec<Span> = doubts
            .iter()
            .map(|doubt| self.stream.pre.diagnostics[doubt.row].span)
            .collect();
        // Only what was skipped for another reason can tell that a name is known.
        let mut certain = self.skipped.clone();
        certain.retain(|skipped| {
            !places.iter().any(|place| {
                place.file == skipped.file && (skipped.start..skipped.end).contains(&place.start)
            })
        });
        let lost = lost_names(&certain, self.stream.pre.sources);
        let mut untrue = Vec::new();
        for Doubt { name, row } in doubts {
            let text = self.stream.pre.names.text(name);
            let diagnostic = &self.stream.pre.diagnostics[row];
            if lost.contains(text) {
                untrue.push(row);
            } else if self.stream.class(name) == Class::Proctype {
                let message = format!("a process of `{text}` is started with `run`");
                let diagnostic = Diagnostic::error(diagnostic.span, message)
                    .label("`run` is missing before this")
                    .help(format!("write `run {text}(...)`"));
                self.stream.pre.diagnostics[row] = diagnostic;
            }
        }
        let mut row = 0;
        self.stream.pre.diagnostics.retain(|_| {
            row += 1;
            !untrue.contains(&(row - 1))
        });
    }
}
