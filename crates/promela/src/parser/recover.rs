//! Going on after a mistake.

use super::Parser;
use crate::token::{Keyword, TokenKind};

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
    pub(super) fn skip_statement(&mut self) {
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
    /// begun, it is skipped as well.
    pub(super) fn skip_unit(&mut self) {
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
}
