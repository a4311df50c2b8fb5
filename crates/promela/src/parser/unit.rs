//! The units of a model: processes, claims, formulas, global declarations.

use super::decl::AnyDecl;
use super::stream::Class;
use super::{Body, NoRun, Parse, Parser, Reported};
use crate::ast::{Active, Block, Claim, EventTrace, Init, Ltl, Proctype, Program, Typedef, Unit};
use crate::diagnostic::Diagnostic;
use crate::source::{ExpansionId, Span};
use crate::token::{Flags, Keyword, Name, Token, TokenKind};

/// What may stand between units.
const UNIT: &str = "a declaration, a proctype, `init`, a claim or a formula";

/// A formula that is parsed when all declarations are known.
struct Deferred {
    /// Which unit it becomes.
    at: usize,
    keyword: Span,
    tokens: Vec<Token>,
}

impl Parser<'_> {
    /// The whole text.
    pub(super) fn program(&mut self) -> Program {
        let mut units = Vec::new();
        let mut deferred = Vec::new();
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Eof => break,
                TokenKind::Semi | TokenKind::Arrow => {
                    self.bump();
                    continue;
                }
                TokenKind::Keyword(Keyword::Ltl) => {
                    self.bump();
                    if let Ok(tokens) = self.formula_text(token) {
                        deferred.push(Deferred {
                            at: units.len() + deferred.len(),
                            keyword: token.span,
                            tokens,
                        });
                    }
                    continue;
                }
                TokenKind::RBrace => {
                    self.stray_brace(token);
                    continue;
                }
                _ => {}
            }
            self.in_header = Self::starts_unit(token.kind);
            if self.in_header {
                self.note_adrift();
            }
            match self.unit(token) {
                Ok(unit) => {
                    self.note_variables(&unit);
                    if Self::starts_unit(token.kind) {
                        self.last_body = Some(token.span);
                    }
                    units.push(unit);
                }
                Err(Reported) => self.skip_unit(token.span),
            }
            self.reset();
        }
        for Deferred {
            at,
            keyword,
            tokens,
        } in deferred
        {
            if let Ok(ltl) = self.ltl(keyword, tokens) {
                units.insert(at.min(units.len()), Unit::Ltl(ltl));
            }
            self.reset();
        }
        self.note_adrift();
        self.settle_doubts();
        Program {
            units,
            skipped: std::mem::take(&mut self.skipped),
        }
    }

    /// Variables may be called as operators of formulas are.
    fn note_variables(&mut self, unit: &Unit) {
        if let Unit::Decl(decl) = unit {
            for var in &decl.vars {
                self.stream.declare_variable(&var.name.name);
            }
        }
    }

    /// Back to the state between units.
    fn reset(&mut self) {
        self.depth = 0;
        self.child_height = 0;
        self.open.clear();
        self.loops = 0;
        self.body = Body::None;
        self.results.clear();
        self.recorder = None;
        self.no_run = None;
        self.separated = false;
        self.in_header = false;
        self.stream.in_sequence = false;
        self.stream.in_formula = false;
        self.stream.reset_parens();
    }

    fn unit(&mut self, token: Token) -> Parse<Unit> {
        use Keyword as K;
        let start = token.span;
        if let TokenKind::Keyword(keyword) = token.kind {
            match keyword {
                K::Active | K::Proctype | K::DProctype => {
                    return self.proctype(start).map(Unit::Proctype);
                }
                K::Init => {
                    self.bump();
                    let priority = self.priority()?;
                    let body = self.body(Body::Process)?;
                    let span = self.since(start);
                    return Ok(Unit::Init(Init {
                        span,
                        priority,
                        body,
                    }));
                }
                K::Never => {
                    self.bump();
                    let name = if self.at(TokenKind::Ident) {
                        Some(self.expect_name("a name for the claim")?)
                    } else {
                        None
                    };
                    let body = self.body(Body::Process)?;
                    let span = self.since(start);
                    return Ok(Unit::Never(Claim { span, name, body }));
                }
                K::Trace | K::Notrace => {
                    self.bump();
                    let body = self.body(Body::Events)?;
                    return Ok(Unit::Trace(EventTrace {
                        span: self.since(start),
                        negated: keyword == K::Notrace,
                        body,
                    }));
                }
                K::Typedef => return self.typedef().map(Unit::Typedef),
                K::Inline => {
                    self.bump();
                    return self.inline_def(start).map(Unit::Inline);
                }
                K::CCode | K::CDecl | K::CState | K::CTrack => {
                    return self.embedded_c().map(Unit::EmbeddedC);
                }
                _ => {}
            }
        }
        if self.at_decl() {
            return Ok(match self.any_decl()? {
                AnyDecl::Vars(decl) => Unit::Decl(decl),
                AnyDecl::Mtype(names) => Unit::Mtype(names),
            });
        }
        if token.kind == TokenKind::Ident && self.similar_keyword(token.name).is_none() {
            return self.stray_name(token);
        }
        self.unexpected(UNIT, "")
    }

    /// `}` between units.
    fn stray_brace(&mut self, token: Token) {
        self.bump();
        if self.missing_braces > 0 {
            // Somebody did miss it.
            self.missing_braces -= 1;
            return;
        }
        self.report(
            Diagnostic::error(token.span, "`}` without `{`")
                .help("a body may end earlier than intended"),
        );
        self.adrift = self.last_body;
    }

    /// What stood between a body that ended early and the next one may belong to the former.
    fn note_adrift(&mut self) {
        if let Some(start) = self.adrift.take() {
            self.note_skipped(start);
        }
    }

    /// A name between units: an unknown type, if another name follows.
    fn stray_name<T>(&mut self, token: Token) -> Parse<T> {
        self.bump();
        if self.at(TokenKind::Ident) {
            let text = self.describe(token);
            let diagnostic =
                Diagnostic::error(token.span, format!("{text} is not a type declared so far"))
                    .help("a typedef must precede its use");
            self.report_unknown(token.name, diagnostic);
        } else {
            self.report_unexpected(token, UNIT, "");
        }
        Err(Reported)
    }

    fn proctype(&mut self, start: Span) -> Parse<Proctype> {
        let active = self.active()?;
        let deterministic = match self.kind() {
            TokenKind::Keyword(Keyword::Proctype) => false,
            TokenKind::Keyword(Keyword::DProctype) => true,
            _ => return self.unexpected("`proctype`", "after `active`"),
        };
        self.bump();
        let token = self.peek();
        let is_proctype = self.stream.class(token.name) == Class::Proctype;
        if token.kind == TokenKind::Ident && is_proctype {
            let message = format!("{} is declared twice", self.describe(token));
            self.report(Diagnostic::error(token.span, message).help("choose another name"));
            return Err(Reported);
        }
        let name = self.expect_name("the name of the proctype")?;
        self.stream.set_class(token.name, Class::Proctype);
        self.body = Body::Process;
        self.expect(TokenKind::LParen, "and the parameters")?;
        let params = self.params()?;
        self.expect(TokenKind::RParen, "after the parameters")?;
        let priority = self.priority()?;
        let provided = if self.eat_keyword(Keyword::Provided) {
            self.expect(TokenKind::LParen, "and a condition")?;
            self.no_run = Some(NoRun::Provided);
            let condition = self.full_expr()?;
            self.no_run = None;
            self.expect(TokenKind::RParen, "after the condition")?;
            Some(condition)
        } else {
            None
        };
        if self.at_keyword(Keyword::Priority) {
            let span = self.peek().span;
            self.report(
                Diagnostic::error(span, "`priority` after `provided`")
                    .help("write `priority n provided (...)`"),
            );
            self.priority()?;
        }
        let body = self.body(Body::Process)?;
        Ok(Proctype {
            span: self.since(start),
            name,
            active,
            deterministic,
            params,
            priority,
            provided,
            body,
        })
    }

    fn active(&mut self) -> Parse<Option<Active>> {
        if !self.at_keyword(Keyword::Active) {
            return Ok(None);
        }
        let start = self.bump().span;
        let mut count = None;
        if self.eat(TokenKind::LBracket) {
            count = Some(self.const_expr(true)?);
            self.expect(TokenKind::RBracket, "after the number of processes")?;
        }
        let span = self.since(start);
        Ok(Some(Active { span, count }))
    }

    /// A body, in which line breaks may end statements.
    fn body(&mut self, kind: Body) -> Parse<Block> {
        self.body = kind;
        self.enter()?;
        if !self.at(TokenKind::LBrace) {
            return self.unexpected("`{`", "and a body");
        }
        self.in_header = false;
        self.stream.in_sequence = true;
        let block = self.block();
        self.stream.in_sequence = false;
        let block = block?;
        self.leave();
        Ok(block)
    }

    fn typedef(&mut self) -> Parse<Typedef> {
        let start = self.bump().span;
        let token = self.peek();
        let name = self.expect_name("the name of the type")?;
        if !self.at(TokenKind::LBrace) {
            return self.unexpected("`{`", "and the fields");
        }
        self.in_header = false;
        self.stream.in_sequence = true;
        let open = self.bump().span;
        let fields = self.fields();
        self.stream.in_sequence = false;
        // Known even if its fields are wrong, to spare the reader what follows from it.
        self.stream.set_class(token.name, Class::Type);
        let fields = fields?;
        self.expect(TokenKind::RBrace, "after the fields")
            .map_err(|e| self.opened_at(e, open, "{"))?;
        Ok(Typedef {
            span: self.since(start),
            name,
            fields,
        })
    }

    /// The text of a formula, from its name to its closing brace.
    fn formula_text(&mut self, keyword: Token) -> Parse<Vec<Token>> {
        let mut tokens = Vec::new();
        let first = self.stream.raw();
        if first.kind == TokenKind::Ident && first.name.keyword().is_none() {
            tokens.push(first);
        } else {
            self.stream.put_back(first);
        }
        let block = match self.raw_block() {
            Ok(block) => block,
            Err(Reported) => {
                self.reset();
                self.skip_unit(keyword.span);
                return Err(Reported);
            }
        };
        if let Some(first) = tokens.first_mut() {
            first.flags = Flags::NONE;
        }
        tokens.extend(block);
        // The closing brace is no token for Spin, and implies nothing.
        self.previous = keyword.span;
        Ok(tokens)
    }

    fn ltl(&mut self, keyword: Span, tokens: Vec<Token>) -> Parse<Ltl> {
        let end = tokens.last().map_or(keyword, |t| t.span);
        let span = self.join(keyword, end);
        self.peeked = None;
        self.stream.push(tokens, ExpansionId::NONE, Name::EMPTY);
        let ltl = self.formula(span);
        self.peeked = None;
        self.stream.pop_all();
        ltl
    }

    fn formula(&mut self, span: Span) -> Parse<Ltl> {
        let name = if self.at(TokenKind::Ident) {
            Some(self.expect_name("a name for the formula")?)
        } else {
            None
        };
        self.expect(TokenKind::LBrace, "and a formula")?;
        self.stream.in_formula = true;
        let formula = self.full_expr()?;
        while matches!(self.kind(), TokenKind::Semi | TokenKind::Arrow) {
            self.bump();
        }
        self.expect(TokenKind::RBrace, "after the formula")?;
        Ok(Ltl {
            span,
            name,
            formula,
        })
    }
}
