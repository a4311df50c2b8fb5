//! Macros: their definitions, their arguments, and what they expand to.
//!
//! Expansion is lazy: the body of a macro becomes a frame of tokens that is read
//! before the file goes on, and the macro is disabled as long as its frame lasts,
//! which is what keeps recursion finite.

use std::cell::Cell;

use super::{ARGUMENT_DEPTH, EXPANSION_LIMIT, Preprocessor, TokenFrame};
use crate::diagnostic::Diagnostic;
use crate::lexer::Lexer;
use crate::source::{Expansion, ExpansionId, ExpansionKind, Span};
use crate::token::{Flags, Interner, Name, Token, TokenKind};

/// A `#define`.
#[derive(Debug)]
pub(super) struct Macro {
    /// Its name, in the definition.
    pub span: Span,
    /// The parameters of a function-like macro.
    params: Option<Vec<Name>>,
    /// The last parameter takes all remaining arguments.
    variadic: bool,
    body: Vec<Token>,
    /// How many frames of it are being read.
    pub disabled: Cell<u32>,
}

/// The text of a macro argument, and the same fully expanded when it was needed.
struct Argument {
    raw: Vec<Token>,
    expanded: Option<Vec<Token>>,
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
        if let [first, after @ ..] = line {
            if first.kind == TokenKind::LParen && first.flags == Flags::NONE {
                rest = this.parse_params(name, after, names)?;
            }
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
        if let [first, after @ ..] = rest {
            if first.kind == TokenKind::RParen {
                self.params = Some(params);
                return Ok(after);
            }
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
        Err(
            Diagnostic::error(span, "malformed list of macro parameters")
                .help("write `#define NAME(a, b) ...`"),
        )
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

    fn param(&self, token: Token, names: &Interner) -> Option<usize> {
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
            let (raw, close) = self.collect_arguments(token, &mac)?;
            let line_breaks = raw.iter().flatten().chain([&open, &close]);
            if line_breaks.into_iter().any(|t| t.flags.has(Flags::NEWLINE)) {
                // Spin sees a line break behind a call that spans lines.
                after = Flags::NEWLINE.with(Flags::SPACE);
            } else if close.span.file == call.file && close.span.end > call.end {
                call.end = close.span.end;
            }
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
        self.carry = self.carry.with(token.flags.and(Flags::SPACE.with(Flags::NEWLINE)));
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
    fn charge(&mut self, amount: usize, place: Span) -> bool {
        self.expanded += amount;
        if self.expanded > EXPANSION_LIMIT && !self.stopped {
            self.error(
                Diagnostic::error(place, "macros expand to too many tokens")
                    .label("the limit is reached here")
                    .help("do macros call each other so that the text doubles at each step?"),
            );
            self.stop();
        }
        !self.stopped
    }

    fn collect_arguments(
        &mut self,
        name: Token,
        mac: &Macro,
    ) -> Option<(Vec<Vec<Token>>, Token)> {
        let fixed = mac.params.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let token = self.next_raw_of_call();
            match token.kind {
                TokenKind::Eof => {
                    if !self.stopped {
                        let text = self.names.text(name.name);
                        let message = format!("the arguments of macro `{text}` have no end");
                        self.error(
                            Diagnostic::error(name.span, message)
                                .label("no matching `)`")
                                .note(mac.span, "defined here"),
                        );
                    }
                    return None;
                }
                TokenKind::LParen => depth += 1,
                TokenKind::RParen if depth == 0 => return Some((arguments, token)),
                TokenKind::RParen => depth -= 1,
                TokenKind::Comma if depth == 0 => {
                    if !mac.variadic || arguments.len() <= fixed {
                        arguments.push(Vec::new());
                        continue;
                    }
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

    /// The body of a macro with its arguments in place.
    fn substitute(
        &mut self,
        mac: &Macro,
        arguments: &mut [Argument],
        place: Span,
    ) -> Option<Vec<Token>> {
        let mut out: Vec<Token> = Vec::new();
        let function = mac.params.is_some();
        let mut i = 0;
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
                    let message = "`#` in a macro needs a parameter behind it";
                    self.error(Diagnostic::error(token.span, message));
                    return None;
                };
                let text = self.stringify(&arguments[param].raw);
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
                self.paste(&mut out, &right, place);
                i += 1;
            } else if let Some(param) = mac.param(token, &self.names) {
                let pasted = next.is_some_and(|t| t.kind == TokenKind::HashHash);
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
            let token = self.next();
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

    fn paste(&mut self, out: &mut Vec<Token>, right: &[Token], place: Span) {
        let Some((&first, rest)) = right.split_first() else {
            return;
        };
        match out.pop() {
            Some(left) => {
                let text = format!("{}{}", self.spelling(left), self.spelling(first));
                let tokens = self.scan_text(&text, place);
                let flags = left.flags;
                out.extend(tokens);
                if let Some(glued) = out.last_mut() {
                    glued.flags = flags.without(Flags::NO_EXPAND);
                }
            }
            None => out.push(first),
        }
        out.extend(rest);
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
