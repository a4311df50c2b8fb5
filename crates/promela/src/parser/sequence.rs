//! Sequences: steps with separators between them, in braces or in an option.

use super::advice::shorten;
use super::{Open, Parse, Parser, Reported};
use crate::ast::{Block, Expr, ExprKind, Ident, Step, Stmt, StmtKind, Unless};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Keyword, Token, TokenKind};

/// Advice about a stray `unless`.
pub(super) const UNLESS_HELP: &str =
    "`unless` must be on the same line as its statement; only `}` may be followed by a line break";

impl Parser<'_> {
    /// `{ sequence }`.
    pub(super) fn block(&mut self) -> Parse<Block> {
        let start = self
            .expect(TokenKind::LBrace, "and a sequence of statements")?
            .span;
        self.open.push((Open::Brace, start));
        let steps = self.sequence();
        self.open.pop();
        self.close(TokenKind::RBrace, start)?;
        Ok(Block {
            span: self.since(start),
            steps: steps?,
        })
    }

    /// Take what closes a sequence, or say that it is missing.
    pub(super) fn close(&mut self, kind: TokenKind, start: Span) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let token = self.peek();
        if token.kind == TokenKind::InlineEnd {
            // The braces of an inline match: a mistake inside was reported.
            return Err(Reported);
        }
        let mark = match kind {
            TokenKind::Keyword(keyword) => keyword.text(),
            _ => kind.punctuation(),
        };
        let opener = match kind {
            TokenKind::Keyword(Keyword::Fi) => "if",
            TokenKind::Keyword(_) => "do",
            _ => "{",
        };
        let found = self.describe(token);
        let place = self.place_of(token);
        self.report(
            Diagnostic::error(place, format!("expected `{mark}`, found {found}"))
                .label(format!("`{mark}` is missing before this"))
                .note(start, format!("`{opener}` opened here")),
        );
        if kind == TokenKind::RBrace {
            self.missing_braces += 1;
        }
        if token.kind == TokenKind::Eof {
            // One missing mark is enough to say.
            self.give_up();
        }
        Err(Reported)
    }

    /// Steps with separators, up to a token that closes some sequence. An error is
    /// reported and skipped; `Err` means the sequence had no step at all.
    pub(super) fn sequence(&mut self) -> Parse<Vec<Step>> {
        let mut steps = Vec::new();
        let mut broken = false;
        loop {
            if self.at_sequence_end() {
                if steps.is_empty() && !broken {
                    return self.empty_sequence();
                }
                return Ok(steps);
            }
            if self.stray_end() {
                broken = true;
                continue;
            }
            let (depth, opened, loops) = (self.depth, self.open.len(), self.loops);
            let start = self.peek().span;
            let understood = self.step(&mut steps).is_ok();
            if !understood {
                broken = true;
                self.depth = depth;
                self.open.truncate(opened);
                self.loops = loops;
                self.recorder = None;
                self.skip_statement(start);
                steps.push(Self::placeholder(start));
            }
            self.separator(steps.last().filter(|_| understood));
        }
    }

    /// Whether a sequence ends here, whichever of the open ones it is.
    pub(super) fn at_sequence_end(&mut self) -> bool {
        let kind = self.kind();
        let is_open = |wanted: &[Open]| self.open.iter().any(|(o, _)| wanted.contains(o));
        match kind {
            TokenKind::RBrace => true,
            TokenKind::Sep => is_open(&[Open::If, Open::Do]),
            TokenKind::Keyword(Keyword::Fi | Keyword::Od) => is_open(&[Open::If, Open::Do]),
            _ => Self::is_end(kind) || Self::starts_unit(kind),
        }
    }

    /// Skip `::`, `fi` or `od` that belongs to nothing.
    fn stray_end(&mut self) -> bool {
        let token = self.peek();
        let opener = match token.kind {
            TokenKind::Sep => "`if` or `do`",
            TokenKind::Keyword(Keyword::Fi) => "`if`",
            TokenKind::Keyword(Keyword::Od) => "`do`",
            _ => return false,
        };
        let found = self.describe(token);
        self.report(Diagnostic::error(
            token.span,
            format!("{found} without {opener}"),
        ));
        self.bump();
        while matches!(self.kind(), TokenKind::Semi | TokenKind::Arrow) {
            self.bump();
        }
        true
    }

    fn empty_sequence<T>(&mut self) -> Parse<T> {
        let token = self.peek();
        if !Self::is_end(token.kind) {
            let found = self.describe(token);
            self.report(
                Diagnostic::error(token.span, format!("expected a statement, found {found}"))
                    .label("the sequence is empty")
                    .help("write `skip` to do nothing"),
            );
        }
        Err(Reported)
    }

    /// Take the separators behind a step, or report that they are missing. `before`
    /// is the step, if it was understood.
    fn separator(&mut self, before: Option<&Step>) {
        let mut found = std::mem::take(&mut self.separated);
        while matches!(self.kind(), TokenKind::Semi | TokenKind::Arrow) {
            self.bump();
            found = true;
        }
        if found || self.at_sequence_end() {
            return;
        }
        let token = self.peek();
        if matches!(
            token.kind,
            TokenKind::Sep | TokenKind::Keyword(Keyword::Fi | Keyword::Od)
        ) {
            // Belongs to nothing, as will be said next.
            return;
        }
        let diagnostic = match before.and_then(|step| last_word(step, token.kind)) {
            Some(word) => return self.unknown_word(word.clone(), token),
            None => {
                let text = self.describe(token);
                let message = format!("expected `;` or `->` between two statements, found {text}");
                let diagnostic =
                    Diagnostic::error(token.span, message).label("expected `;` before this");
                match token.kind {
                    TokenKind::Assign => diagnostic.help("use `==` to compare"),
                    TokenKind::Keyword(Keyword::Unless) => diagnostic.help(UNLESS_HELP),
                    _ => diagnostic,
                }
            }
        };
        self.report(diagnostic);
        self.after_missing_separator(token);
    }

    fn after_missing_separator(&mut self, token: Token) {
        if !self.starts_statement(token) {
            self.skip_statement(token.span);
            while matches!(self.kind(), TokenKind::Semi | TokenKind::Arrow) {
                self.bump();
            }
        }
    }

    /// A statement that is nothing but a name, with something behind it on the same line.
    fn unknown_word(&mut self, word: Ident, next: Token) {
        let text = shorten(&word.name);
        let name = self.stream.pre.names.intern(&word.name);
        let similar = self.similar_keyword(name);
        let did_you_mean = similar.map(|k| format!("did you mean `{}`?", k.text()));
        let diagnostic = match next.kind {
            TokenKind::LParen => Diagnostic::error(
                word.span,
                format!("no inline `{text}` has been defined so far"),
            )
            .help(did_you_mean.unwrap_or_else(|| {
                "an inline must be defined before it is called; a process is started with `run`"
                    .to_owned()
            })),
            _ if did_you_mean.is_some() => {
                let message = format!("unknown statement `{text}`");
                Diagnostic::error(word.span, message).help(did_you_mean.unwrap_or_default())
            }
            TokenKind::Ident => {
                Diagnostic::error(word.span, format!("`{text}` is not a type or a statement"))
                    .help("a typedef must precede its use")
            }
            _ => {
                let found = self.describe(next);
                let message = format!("expected `;` or `->` between two statements, found {found}");
                Diagnostic::error(next.span, message).label("expected `;` before this")
            }
        };
        self.report_unknown(name, diagnostic);
        self.after_missing_separator(next);
    }

    /// Whether a token can start a statement; then a missing separator is all that is wrong.
    fn starts_statement(&self, token: Token) -> bool {
        use Keyword as K;
        match token.kind {
            TokenKind::Ident | TokenKind::LBrace | TokenKind::Number => true,
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                K::Assert
                    | K::Atomic
                    | K::Bit
                    | K::Bool
                    | K::Break
                    | K::Byte
                    | K::Chan
                    | K::DStep
                    | K::Do
                    | K::Else
                    | K::False
                    | K::For
                    | K::Goto
                    | K::If
                    | K::Int
                    | K::Pid
                    | K::Printf
                    | K::Printm
                    | K::Return
                    | K::Run
                    | K::Select
                    | K::Short
                    | K::Skip
                    | K::Timeout
                    | K::True
                    | K::Unsigned
                    | K::Xr
                    | K::Xs
            ),
            _ => false,
        }
    }

    /// A step, added to those of its sequence. Statements are boxed on their way here
    /// to keep the frames of the recursion small.
    fn step(&mut self, steps: &mut Vec<Step>) -> Parse<()> {
        self.child_height = 0;
        if self.at_decl() || self.at_keyword(Keyword::Xr) || self.at_keyword(Keyword::Xs) {
            return self.declaration_step(steps);
        }
        let main = self.stmt()?;
        let mut escape = None;
        if self.eat_keyword(Keyword::Unless) {
            escape = Some(self.stmt()?);
        }
        self.push_step(steps, main, escape);
        Ok(())
    }

    fn declaration_step(&mut self, steps: &mut Vec<Step>) -> Parse<()> {
        steps.push(match self.kind() {
            TokenKind::Keyword(Keyword::Xr) => Step::Exclusive(self.exclusive(true)?),
            TokenKind::Keyword(Keyword::Xs) => Step::Exclusive(self.exclusive(false)?),
            _ => Step::Decl(self.decl()?),
        });
        Ok(())
    }

    fn push_step(&mut self, steps: &mut Vec<Step>, main: Box<Stmt>, escape: Option<Box<Stmt>>) {
        steps.push(match escape {
            None => Step::Stmt(*main),
            Some(escape) => {
                self.check_unless_labels(&main, &escape);
                let span = self.join(main.span, escape.span);
                Step::Unless(Box::new(Unless {
                    span,
                    main: *main,
                    escape: *escape,
                }))
            }
        });
    }

    fn check_unless_labels(&mut self, main: &Stmt, escape: &Stmt) {
        let lifted = matches!(
            main.kind,
            StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::DStep(_)
        );
        let lifted = lifted && main.labels.len() == 1;
        if let (Some(label), false) = (misplaced_label(main), lifted) {
            self.report(
                Diagnostic::error(label.span, "a label before `unless` is ambiguous")
                    .help(format!("write `{}: {{ ... unless ... }}`", label.name)),
            );
        }
        if let Some(label) = misplaced_label(escape) {
            self.report(
                Diagnostic::error(label.span, "the escape of an `unless` cannot have a label")
                    .help(
                        "its guard is not a separate control state; move the label further \
                           inside",
                    ),
            );
        }
    }

    /// A block inside of a body. Its first statement can have no label.
    pub(super) fn inner_block(&mut self) -> Parse<Block> {
        self.enter()?;
        let block = self.block()?;
        self.leave();
        self.check_inner(&block);
        Ok(block)
    }

    /// What a block inside of a body must have and must not have.
    pub(super) fn check_inner(&mut self, block: &Block) {
        self.check_not_only_claims(&block.steps);
        self.check_block_label(block);
    }

    /// `xr` and `xs` are no statements.
    pub(super) fn check_not_only_claims(&mut self, steps: &[Step]) {
        if let [Step::Exclusive(claim), rest @ ..] = steps
            && rest.iter().all(|s| matches!(s, Step::Exclusive(_)))
        {
            self.report(
                Diagnostic::error(
                    claim.span,
                    "a sequence needs a statement besides `xr` and `xs`",
                )
                .help("move `xr` and `xs` to the start of the body"),
            );
        }
    }

    fn check_block_label(&mut self, block: &Block) {
        if let Some(label) = first_stmt(&block.steps).and_then(misplaced_label) {
            self.report(
                Diagnostic::error(label.span, "a label before the first statement of a block")
                    .help(format!("write `{}:` before the block", label.name)),
            );
        }
    }
}

/// The statement a sequence starts with, if it does not start with a declaration.
pub(super) fn first_stmt(steps: &[Step]) -> Option<&Stmt> {
    let first = steps.iter().find(|s| !matches!(s, Step::Exclusive(_)))?;
    match first {
        Step::Stmt(stmt) => Some(stmt),
        _ => None,
    }
}

/// The label of a statement that a sequence should not start with. Loops may have
/// one: there the label marks the choice inside, not the entry.
pub(super) fn misplaced_label(stmt: &Stmt) -> Option<&Ident> {
    match stmt.kind {
        StmtKind::Do(_) | StmtKind::For { .. } | StmtKind::Select { literal: false, .. } => None,
        _ => stmt.labels.first(),
    }
}

/// The name that is all of a statement, or that is assigned as if it were a call.
fn last_word(step: &Step, next: TokenKind) -> Option<&Ident> {
    let Step::Stmt(stmt) = step else {
        return None;
    };
    let expr = match &stmt.kind {
        StmtKind::Expr(expr) => expr,
        StmtKind::Assign(_, expr) if next == TokenKind::LParen => expr,
        _ => return None,
    };
    match expr {
        Expr {
            kind: ExprKind::Var(var),
            ..
        } => match var.parts.as_slice() {
            [part] if part.index.is_none() => Some(&part.name),
            _ => None,
        },
        _ => None,
    }
}
