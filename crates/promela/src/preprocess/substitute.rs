//! The body of a macro with its arguments in place, with `#` and `##`.

use super::macros::{Argument, Macro};
use super::{ARGUMENT_DEPTH, Preprocessor, TokenFrame};
use crate::diagnostic::Diagnostic;
use crate::lexer::Lexer;
use crate::source::{ExpansionId, Span};
use crate::token::{Flags, Token, TokenKind};

/// So many bytes of a pasted name or a string count like one token.
const TEXT_PER_TOKEN: usize = 16;

impl Preprocessor<'_> {
    /// The body of a macro with its arguments in place.
    pub(super) fn substitute(
        &mut self,
        mac: &Macro,
        arguments: &mut [Argument],
        place: Span,
    ) -> Option<Vec<Token>> {
        let mut out: Vec<Token> = Vec::new();
        let function = mac.params.is_some();
        let mut i = 0;
        // Where the left side of a `##` starts: an empty argument there is no token.
        let mut item = 0;
        while let Some(&token) = mac.body.get(i) {
            let next = mac.body.get(i + 1);
            let here = Token {
                span: place,
                ..token
            };
            let before = out.len();
            if function && token.kind == TokenKind::Hash {
                let param = next.and_then(|&t| mac.param(t, &self.names));
                let Some(param) = param else {
                    let message = "`#` in a macro must be followed by a parameter";
                    self.error(Diagnostic::error(token.span, message));
                    return None;
                };
                let text = self.stringify(&arguments[param].raw);
                // Escapes double at each level of nesting, so the length counts.
                if !self.charge(text.len() / TEXT_PER_TOKEN, place) {
                    return None;
                }
                item = before;
                out.push(Token {
                    kind: TokenKind::Str,
                    name: self.names.intern(&text),
                    ..here
                });
                i += 1;
            } else if token.kind == TokenKind::HashHash {
                // Neither first nor last in a body, so both sides exist.
                let right: Vec<Token> = match next.and_then(|&t| mac.param(t, &self.names)) {
                    Some(param) => arguments[param].raw.clone(),
                    None => next.copied().into_iter().collect(),
                };
                let left = if out.len() > item { out.pop() } else { None };
                item = out.len();
                self.paste(&mut out, left, &right, place)?;
                i += 1;
            } else if let Some(param) = mac.param(token, &self.names) {
                let pasted = next.is_some_and(|t| t.kind == TokenKind::HashHash);
                item = before;
                if pasted {
                    out.extend(&arguments[param].raw);
                } else {
                    if arguments[param].expanded.is_none() {
                        let raw = arguments[param].raw.clone();
                        arguments[param].expanded = Some(self.expand_argument(raw, place)?);
                    }
                    out.extend(arguments[param].expanded.iter().flatten());
                }
                if let Some(first) = out.get_mut(before) {
                    first.flags = first.flags.with(token.flags);
                }
                for token in &mut out[before..] {
                    if token.span.expansion == ExpansionId::NONE {
                        token.span.expansion = place.expansion;
                    }
                }
            } else {
                item = before;
                out.push(here);
            }
            let produced = out.len().saturating_sub(before);
            if !self.charge(produced, place) {
                return None;
            }
            i += 1;
        }
        Some(out)
    }

    /// All macros in an argument expanded, as if it were the rest of the file.
    fn expand_argument(&mut self, raw: Vec<Token>, place: Span) -> Option<Vec<Token>> {
        if self.argument_depth >= ARGUMENT_DEPTH {
            self.error(Diagnostic::error(
                place,
                format!("macro calls are nested more than {ARGUMENT_DEPTH} deep"),
            ));
            self.stop();
            return None;
        }
        self.argument_depth += 1;
        let tokens = self.expand_tokens(raw);
        self.argument_depth -= 1;
        if !self.charge(tokens.len(), place) {
            return None;
        }
        Some(tokens)
    }

    /// Expand a list of tokens on its own.
    pub(super) fn expand_tokens(&mut self, raw: Vec<Token>) -> Vec<Token> {
        let carried = std::mem::take(&mut self.carry);
        let depth = self.frames.len();
        self.frames.push(TokenFrame {
            tokens: raw,
            next: 0,
            source: None,
            barrier: true,
            after: Flags::NONE,
        });
        let mut out = Vec::new();
        loop {
            let token = self.next_token();
            if token.kind == TokenKind::Eof {
                break;
            }
            out.push(token);
        }
        while self.frames.len() > depth {
            self.pop_frame();
        }
        self.carry = carried;
        out
    }

    /// A piece of a line with its macros expanded, as text.
    pub(super) fn expand_text(&mut self, span: Span) -> String {
        let text = self.sources.snippet(span).to_owned();
        let tokens = self.scan_text(&text, span);
        let mut out = String::new();
        for token in self.expand_tokens(tokens) {
            if token.flags.has(Flags::SPACE) {
                out.push(' ');
            }
            out.push_str(self.spelling(token));
        }
        out
    }

    /// The tokens of a text that stands at one place.
    fn scan_text(&mut self, text: &str, place: Span) -> Vec<Token> {
        let mut lexer = Lexer::new(place.file);
        let mut out = Vec::new();
        loop {
            let token = lexer.next(text, &mut self.names);
            if token.kind == TokenKind::Eof {
                return out;
            }
            out.push(Token {
                flags: token.flags.and(Flags::SPACE),
                span: place,
                ..token
            });
        }
    }

    /// Join the last token of the left side with the first of the right side.
    fn paste(
        &mut self,
        out: &mut Vec<Token>,
        left: Option<Token>,
        right: &[Token],
        place: Span,
    ) -> Option<()> {
        let Some((&first, rest)) = right.split_first() else {
            out.extend(left);
            return Some(());
        };
        match left {
            Some(left) => {
                let text = format!("{}{}", self.spelling(left), self.spelling(first));
                // A name may double at each level of nesting, so its length counts.
                if !self.charge(text.len() / TEXT_PER_TOKEN, place) {
                    return None;
                }
                let tokens = self.scan_text(&text, place);
                if tokens.len() != 1 {
                    let message = format!("`##` does not form a token: `{}`", text.trim());
                    self.error(Diagnostic::error(place, message));
                }
                let start = out.len();
                out.extend(tokens);
                if let Some(glued) = out.get_mut(start) {
                    glued.flags = left.flags.without(Flags::NO_EXPAND);
                }
            }
            None => out.push(first),
        }
        out.extend(rest);
        Some(())
    }

    /// The text of an argument as a string.
    fn stringify(&self, tokens: &[Token]) -> String {
        let mut out = String::from('"');
        for (i, &token) in tokens.iter().enumerate() {
            if i > 0 && token.flags.has(Flags::SPACE) {
                out.push(' ');
            }
            let text = self.spelling(token);
            if matches!(token.kind, TokenKind::Str | TokenKind::Char) {
                out.push_str(&text.replace('\\', "\\\\").replace('"', "\\\""));
            } else {
                out.push_str(text);
            }
        }
        out.push('"');
        out
    }
}
