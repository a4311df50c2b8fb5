//! Inlines: their definitions, their expansions, and embedded C, which is skipped.

use std::rc::Rc;

use super::stream::Class;
use super::{Parse, Parser, Reported};
use crate::ast::{EmbeddedC, InlineDef, StmtKind, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::{Argument, Expansion, ExpansionKind, Span};
use crate::text::Line;
use crate::token::{Flags, Keyword, Name, Token, TokenKind};

/// Deepest nesting of expansions, as in Spin.
const MAX_NESTING: usize = 16;
/// Most tokens that expansions may produce in one run.
const MAX_TOKENS: usize = 1_000_000;

/// A definition.
pub(super) struct Inline {
    params: Vec<Name>,
    /// The body with its braces.
    tokens: Rc<[Token]>,
    /// The name in the definition.
    span: Span,
}

impl Parser<'_> {
    /// `inline name(params) { ... }`, after the keyword.
    pub(super) fn inline_def(&mut self, start: Span) -> Parse<InlineDef> {
        let token = self.peek();
        let class = self.stream.class(token.name);
        if token.kind != TokenKind::Ident || !matches!(class, Class::Plain | Class::Inline) {
            return self.bad_name(token, "the name of the inline");
        }
        self.bump();
        let name = self.ident(token);
        if let Some(first) = self.inlines.get(&token.name) {
            let diagnostic =
                Diagnostic::error(token.span, format!("inline `{}` defined twice", name.name))
                    .note(first.span, "first defined here");
            self.report(diagnostic);
        }
        self.expect(TokenKind::LParen, "and the parameters")?;
        let mut params = Vec::new();
        let mut names = Vec::new();
        if !self.at(TokenKind::RParen) {
            loop {
                if self.at_decl() {
                    let span = self.peek().span;
                    self.report(
                        Diagnostic::error(span, "the parameters of an inline have no types")
                            .help("arguments are substituted as text; write only the names"),
                    );
                    return Err(Reported);
                }
                let param = self.peek();
                let ident = self.expect_name("the name of a parameter")?;
                if names.contains(&param.name) {
                    let message = format!("parameter `{}` appears twice", ident.name);
                    self.report(Diagnostic::error(ident.span, message));
                }
                names.push(param.name);
                params.push(ident);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.expect(TokenKind::RParen, "after the parameters")?;
        let tokens = self.raw_block()?;
        self.stream.set_class(token.name, Class::Inline);
        self.inlines.insert(
            token.name,
            Inline {
                params: names,
                tokens: tokens.into(),
                span: token.span,
            },
        );
        Ok(InlineDef {
            span: self.since(start),
            name,
            params,
        })
    }

    /// The tokens from `{` to its `}`, as they are. Nothing may have been looked at.
    pub(super) fn raw_block(&mut self) -> Parse<Vec<Token>> {
        let open = self.stream.raw();
        self.previous = open.span;
        if open.kind != TokenKind::LBrace {
            // Put it where the usual report finds it.
            self.peeked = Some(open);
            return self.unexpected("`{`", "");
        }
        let mut tokens = vec![open];
        let mut depth = 1u32;
        while depth > 0 {
            let token = self.stream.raw();
            match token.kind {
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => depth -= 1,
                TokenKind::Eof | TokenKind::InlineEnd => {
                    self.peeked = Some(token);
                    self.report(
                        Diagnostic::error(open.span, "no `}` closes this brace")
                            .label("opened here"),
                    );
                    return Err(Reported);
                }
                _ => {}
            }
            self.previous = token.span;
            tokens.push(token);
        }
        Ok(tokens)
    }

    /// A call, `name(args)`, perhaps with a variable for its result.
    pub(super) fn inline_call(
        &mut self,
        token: Token,
        result: Option<VarRef>,
    ) -> Parse<Box<StmtKind>> {
        self.enter()?;
        let call = self.push_inline(token)?;
        self.results.push(result);
        let opened = std::mem::take(&mut self.open);
        let body = self.block();
        self.open = opened;
        self.results.pop();
        // After a mistake something of the body may be left.
        while !Self::is_end(self.kind()) {
            self.bump();
        }
        self.eat(TokenKind::InlineEnd);
        self.previous = call;
        self.leave();
        let body = body?;
        self.check_inner(&body);
        let name = self.ident(token);
        Ok(Box::new(StmtKind::Inline { name, body }))
    }

    /// Read a call and make its expansion the text to be read next.
    fn push_inline(&mut self, token: Token) -> Parse<Span> {
        self.bump();
        self.expect(TokenKind::LParen, "and the arguments of the inline")?;
        let arguments = self.inline_arguments()?;
        self.expect(TokenKind::RParen, "after the arguments")?;
        let call = self.since(token.span);
        let texts = self.argument_texts(token, &arguments);
        let mut tokens = self.expand_inline(token, call, arguments)?;
        let name = self.stream.text(token.name).to_owned();
        let definition = self.inlines[&token.name].span;
        let expansion = self.stream.pre.sources.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            name,
            call,
            definition,
        });
        self.stream.pre.sources.set_arguments(expansion, texts);
        for token in &mut tokens {
            token.span.expansion = expansion;
        }
        self.stream.push(tokens, expansion, token.name);
        Ok(call)
    }

    /// The arguments as tokens; each must be an expression.
    fn inline_arguments(&mut self) -> Parse<Vec<Vec<Token>>> {
        let mut arguments = Vec::new();
        if self.at(TokenKind::RParen) {
            return Ok(arguments);
        }
        loop {
            let outer = self.recorder.replace(Vec::new());
            let parsed = self.expr();
            let tokens = std::mem::replace(&mut self.recorder, outer);
            parsed?;
            arguments.push(tokens.unwrap_or_default());
            if !self.eat(TokenKind::Comma) {
                return Ok(arguments);
            }
        }
    }

    /// What stands for each parameter, as a text.
    fn argument_texts(&self, name: Token, arguments: &[Vec<Token>]) -> Vec<Argument> {
        let params = &self.inlines[&name.name].params;
        let span = |tokens: &[Token]| match tokens {
            [] => Span::default(),
            [only] => only.span,
            [first, .., last] => first.span.to(last.span),
        };
        let spans: Vec<Span> = arguments.iter().map(|tokens| span(tokens)).collect();
        let text = |row: usize| {
            let own = spans[row];
            let before = row.checked_sub(1).map(|row| spans[row]);
            let others = [Some(name.span), before, spans.get(row + 1).copied()];
            // Tokens that come from one use of a macro share its span.
            match others.into_iter().flatten().any(|s| s.overlaps(own)) {
                true => self.token_text(&arguments[row]),
                false => self.stream.pre.sources.line_text(own),
            }
        };
        (params.iter().zip(0..arguments.len()))
            .map(|(&parameter, row)| Argument {
                parameter: self.stream.text(parameter).to_owned(),
                text: text(row),
            })
            .collect()
    }

    /// Tokens as a text.
    fn token_text(&self, tokens: &[Token]) -> String {
        let mut line = Line::default();
        for token in tokens {
            if line.is_full() {
                break;
            }
            if token.flags.has(Flags::SPACE) {
                line.space();
            }
            line.push(token.kind.punctuation());
            line.push(self.stream.text(token.name));
        }
        line.finish()
    }

    /// The body with its parameters replaced.
    fn expand_inline(
        &mut self,
        token: Token,
        call: Span,
        arguments: Vec<Vec<Token>>,
    ) -> Parse<Vec<Token>> {
        let inline = &self.inlines[&token.name];
        let definition = inline.span;
        let body = Rc::clone(&inline.tokens);
        let params = inline.params.clone();
        let text = self.stream.text(token.name).to_owned();
        if params.len() != arguments.len() {
            let message = format!(
                "inline `{text}` takes {} argument{}, not {}",
                params.len(),
                if params.len() == 1 { "" } else { "s" },
                arguments.len()
            );
            self.report(Diagnostic::error(call, message).note(definition, "defined here"));
            return Err(Reported);
        }
        if self.stream.is_expanding(token.name) {
            self.report(
                Diagnostic::error(call, format!("inline `{text}` calls itself"))
                    .help("an inline is replaced by its text, so it cannot be recursive")
                    .note(definition, "defined here"),
            );
            return Err(Reported);
        }
        if self.stream.inline_depth() >= MAX_NESTING {
            let message = format!("inlines are nested more than {MAX_NESTING} deep");
            self.report(Diagnostic::error(call, message));
            return Err(Reported);
        }
        let mut tokens = Vec::with_capacity(body.len());
        for &token in body.iter() {
            let place = params
                .iter()
                .position(|&p| token.kind == TokenKind::Ident && p == token.name);
            let Some(place) = place else {
                tokens.push(token);
                continue;
            };
            for (i, &argument) in arguments[place].iter().enumerate() {
                let flags = if i == 0 {
                    token.flags
                } else {
                    argument.flags.and(Flags::SPACE)
                };
                // Keywords are words again until the stream has seen them.
                let kind = match argument.kind {
                    TokenKind::Keyword(_) => TokenKind::Ident,
                    kind => kind,
                };
                tokens.push(Token {
                    kind,
                    flags,
                    name: argument.name,
                    span: token.span,
                });
            }
            if tokens.len() > MAX_TOKENS {
                break;
            }
        }
        self.inline_tokens += tokens.len();
        if self.inline_tokens > MAX_TOKENS {
            self.report(
                Diagnostic::error(call, "inlines expand to too many tokens")
                    .label("the limit is reached here"),
            );
            self.give_up();
            return Err(Reported);
        }
        Ok(tokens)
    }

    /// `return e` in an inline.
    pub(super) fn return_stmt(&mut self, token: Token) -> Parse<StmtKind> {
        self.bump();
        let value = self.full_expr()?;
        match self.results.last() {
            Some(Some(result)) => {
                let mut var = result.clone();
                // The variable is named at the call, the assignment stands here.
                var.span = token.span;
                Ok(StmtKind::Assign(var, value))
            }
            Some(None) => {
                self.report(
                    Diagnostic::error(token.span, "`return` in an inline whose result is not used")
                        .help("call it as `x = name(...)`"),
                );
                Err(Reported)
            }
            None => {
                self.report(Diagnostic::error(token.span, "`return` outside an inline"));
                Err(Reported)
            }
        }
    }

    /// `c_code { ... }` and its kin: skip the text. The keyword has not been taken.
    pub(super) fn embedded_c(&mut self) -> Parse<EmbeddedC> {
        let token = self.bump();
        let TokenKind::Keyword(keyword) = token.kind else {
            return Err(Reported);
        };
        if matches!(keyword, Keyword::CState | Keyword::CTrack) {
            for i in 0..3 {
                if self.at(TokenKind::Str) {
                    self.bump();
                } else if i < 2 {
                    return self.unexpected("a string", "");
                }
            }
        } else {
            self.precondition(keyword)?;
        }
        Ok(EmbeddedC {
            span: self.since(token.span),
            keyword: keyword.text().to_owned(),
        })
    }

    /// `[precondition] { text }`; the precondition is optional.
    fn precondition(&mut self, keyword: Keyword) -> Parse<()> {
        let mut token = self.stream.raw();
        if token.kind == TokenKind::LBracket {
            let mut depth = 1u32;
            while depth > 0 {
                token = self.stream.raw();
                match token.kind {
                    TokenKind::LBracket => depth += 1,
                    TokenKind::RBracket => depth -= 1,
                    TokenKind::Eof | TokenKind::InlineEnd => {
                        self.peeked = Some(token);
                        return self.unexpected("`]`", "");
                    }
                    _ => {}
                }
            }
            token = self.stream.raw();
        }
        if token.kind != TokenKind::LBrace {
            self.peeked = Some(token);
            let purpose = format!("and C text after `{}`", keyword.text());
            return self.unexpected("`{`", &purpose);
        }
        self.stream.put_back(token);
        self.raw_block().map(|_| ())
    }
}
