//! Macros: their definitions, their arguments, and what they expand to.
//!
//! Expansion is lazy: the body of a macro becomes a frame of tokens that is read
//! before the file goes on, and the macro is disabled as long as its frame lasts,
//! which is what keeps recursion finite.

use std::cell::Cell;

use super::{EXPANSION_LIMIT, Preprocessor, TokenFrame};
use crate::diagnostic::Diagnostic;
use crate::source::{Expansion, ExpansionKind, Span};
use crate::token::{Flags, Interner, Name, Token, TokenKind};

/// A `#define`.
#[derive(Debug)]
pub(super) struct Macro {
    /// Its name, in the definition.
    pub span: Span,
    /// The parameters of a function-like macro.
    pub params: Option<Vec<Name>>,
    /// The last parameter takes all remaining arguments.
    variadic: bool,
    pub body: Vec<Token>,
    /// How many frames of it are being read.
    pub disabled: Cell<u32>,
}

/// What stands between the parentheses of a call.
struct CallText {
    arguments: Vec<Vec<Token>>,
    close: Span,
    /// A line break is among it.
    line_break: bool,
}

/// The text of a macro argument, and the same fully expanded when it was needed.
pub(super) struct Argument {
    pub raw: Vec<Token>,
    pub expanded: Option<Vec<Token>>,
}

impl Macro {
    /// From the tokens behind the name in a `#define` line.
    pub(super) fn parse(
        name: Token,
        line: &[Token],
        names: &Interner,
    ) -> Result<Macro, Diagnostic> {
        let mut this = Macro {
            span: name.span,
            params: None,
            variadic: false,
            body: Vec::new(),
            disabled: Cell::new(0),
        };
        let mut rest = line;
        // Only a parenthesis that touches the name makes a function.
        if let [first, after @ ..] = line
            && first.kind == TokenKind::LParen
            && first.flags == Flags::NONE
        {
            rest = this.parse_params(name, after, names)?;
        }
        this.body = rest.to_vec();
        for token in &mut this.body {
            token.flags = token.flags.and(Flags::SPACE);
        }
        if let (Some(first), Some(last)) = (this.body.first(), this.body.last()) {
            let paste = [first, last]
                .into_iter()
                .find(|t| t.kind == TokenKind::HashHash);
            if let Some(token) = paste {
                let message = "`##` needs a token on either side";
                return Err(Diagnostic::error(token.span, message));
            }
        }
        Ok(this)
    }

    fn parse_params<'t>(
        &mut self,
        name: Token,
        mut rest: &'t [Token],
        names: &Interner,
    ) -> Result<&'t [Token], Diagnostic> {
        let mut params = Vec::new();
        if let [first, after @ ..] = rest
            && first.kind == TokenKind::RParen
        {
            self.params = Some(params);
            return Ok(after);
        }
        loop {
            match rest {
                [token, after @ ..] if token.kind == TokenKind::Ident && !self.variadic => {
                    if params.contains(&token.name) {
                        let text = names.text(token.name);
                        return Err(Diagnostic::error(
                            token.span,
                            format!("macro parameter `{text}` appears twice"),
                        ));
                    }
                    params.push(token.name);
                    rest = after;
                }
                // `...` is scanned as `..` and `.`.
                [two, one, after @ ..]
                    if two.kind == TokenKind::DotDot
                        && one.kind == TokenKind::Dot
                        && !self.variadic =>
                {
                    self.variadic = true;
                    rest = after;
                }
                _ => break,
            }
            match rest {
                [token, after @ ..] if token.kind == TokenKind::Comma => rest = after,
                [token, after @ ..] if token.kind == TokenKind::RParen => {
                    self.params = Some(params);
                    return Ok(after);
                }
                _ => break,
            }
        }
        let span = rest.first().map_or(name.span, |t| t.span);
        Err(Diagnostic::error(span, "malformed macro parameter list")
            .help("write `#define NAME(a, b) ...`"))
    }

    /// Whether two definitions say the same.
    pub(super) fn same_as(&self, other: &Macro) -> bool {
        self.params == other.params
            && self.variadic == other.variadic
            && self.body.len() == other.body.len()
            && self
                .body
                .iter()
                .zip(&other.body)
                .all(|(a, b)| a.kind == b.kind && a.name == b.name)
    }

    pub(super) fn param(&self, token: Token, names: &Interner) -> Option<usize> {
        if token.kind != TokenKind::Ident {
            return None;
        }
        let params = self.params.as_ref()?;
        if self.variadic && names.text(token.name) == "__VA_ARGS__" {
            return Some(params.len());
        }
        params.iter().position(|&p| p == token.name)
    }
}

impl Preprocessor<'_> {
    /// Expand a name, if it is a macro's. `None` if its expansion is to be read instead.
    pub(super) fn expand(&mut self, token: Token) -> Option<Token> {
        if token.name == self.line_name || token.name == self.file_name {
            return Some(self.builtin(token));
        }
        let Some(mac) = self.macros.get(&token.name).cloned() else {
            return Some(token);
        };
        if mac.disabled.get() > 0 {
            let flags = token.flags.with(Flags::NO_EXPAND);
            return Some(Token { flags, ..token });
        }
        let mut call = token.span;
        let mut arguments = Vec::new();
        let mut after = Flags::NONE;
        if mac.params.is_some() {
            let open = self.next_raw_of_call();
            if open.kind != TokenKind::LParen {
                self.push_back(open);
                return Some(token);
            }
            let call_text = self.collect_arguments(token, &mac)?;
            let close = call_text.close;
            if call_text.line_break || open.flags.has(Flags::NEWLINE) {
                // Spin sees a line break behind a call that spans lines.
                after = Flags::NEWLINE.with(Flags::SPACE);
            } else if close.file == call.file && close.end > call.end {
                call.end = close.end;
            }
            let raw = call_text.arguments;
            arguments = self.check_arguments(token, &mac, raw)?;
        }
        if !self.charge(1, token.span) {
            return None;
        }
        let id = self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: self.names.text(token.name).to_owned(),
            call,
            definition: mac.span,
        });
        let place = Span {
            expansion: id,
            ..call
        };
        let tokens = self.substitute(&mac, &mut arguments, place)?;
        self.carry = self
            .carry
            .with(token.flags.and(Flags::SPACE.with(Flags::NEWLINE)));
        mac.disabled.set(mac.disabled.get() + 1);
        self.frames.push(TokenFrame {
            tokens,
            next: 0,
            source: Some(mac),
            barrier: false,
            after,
        });
        None
    }

    fn builtin(&mut self, token: Token) -> Token {
        let (kind, text) = if token.name == self.line_name {
            (TokenKind::Number, self.sources.line(token.span).to_string())
        } else {
            let name = &self.sources.file(token.span.file).name;
            (TokenKind::Str, format!("\"{name}\""))
        };
        Token {
            kind,
            name: self.names.intern(&text),
            ..token
        }
    }

    /// A token that belongs to a call, which may not reach beyond its file.
    fn next_raw_of_call(&mut self) -> Token {
        let outer = std::mem::replace(&mut self.in_arguments, true);
        let token = self.next_raw();
        self.in_arguments = outer;
        token
    }

    /// Count what macros produce; false when it is too much.
    pub(super) fn charge(&mut self, amount: usize, place: Span) -> bool {
        self.expanded += amount;
        if self.expanded > EXPANSION_LIMIT && !self.stopped {
            self.error(
                Diagnostic::error(place, "macros expand to too many tokens")
                    .label("the limit is reached here")
                    .help("do macros use each other such that the text doubles at each step?"),
            );
            self.stop();
        }
        !self.stopped
    }

    fn collect_arguments(&mut self, name: Token, mac: &Macro) -> Option<CallText> {
        let fixed = mac.params.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        let mut line_break = false;
        loop {
            let token = self.next_raw_of_call();
            line_break |= token.flags.has(Flags::NEWLINE);
            match token.kind {
                TokenKind::Eof => {
                    if !self.stopped {
                        let text = self.names.text(name.name);
                        let message = format!("the argument list of macro `{text}` is not closed");
                        self.error(
                            Diagnostic::error(name.span, message)
                                .label("no matching `)`")
                                .note(mac.span, "defined here"),
                        );
                    }
                    return None;
                }
                TokenKind::LParen => depth += 1,
                TokenKind::RParen if depth == 0 => {
                    return Some(CallText {
                        arguments,
                        close: token.span,
                        line_break,
                    });
                }
                TokenKind::RParen => depth -= 1,
                TokenKind::Comma if depth == 0 && (!mac.variadic || arguments.len() <= fixed) => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if !self.charge(1, name.span) {
                return None;
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
    }

    fn check_arguments(
        &mut self,
        name: Token,
        mac: &Macro,
        mut raw: Vec<Vec<Token>>,
    ) -> Option<Vec<Argument>> {
        let fixed = mac.params.as_ref().map_or(0, Vec::len);
        if fixed == 0 && !mac.variadic && raw.len() == 1 && raw[0].is_empty() {
            raw.clear();
        }
        if mac.variadic && raw.len() == fixed {
            raw.push(Vec::new());
        }
        let wanted = fixed + usize::from(mac.variadic);
        if raw.len() != wanted {
            let text = self.names.text(name.name);
            let message = format!(
                "macro `{text}` takes {fixed} argument{}, not {}",
                if fixed == 1 { "" } else { "s" },
                raw.len()
            );
            self.error(Diagnostic::error(name.span, message).note(mac.span, "defined here"));
            return None;
        }
        // Only the first line of a call keeps its places; see `Span`.
        let mut later_line = false;
        let arguments = raw.into_iter().map(|mut tokens| {
            for token in &mut tokens {
                later_line |= token.flags.has(Flags::NEWLINE);
                let breaks = Flags::NEWLINE.with(Flags::LINE_START);
                if token.flags.has(Flags::NEWLINE) {
                    token.flags = token.flags.with(Flags::SPACE);
                }
                token.flags = token.flags.without(breaks);
                if later_line {
                    token.span = name.span;
                }
            }
            Argument {
                raw: tokens,
                expanded: None,
            }
        });
        Some(arguments.collect())
    }
}
