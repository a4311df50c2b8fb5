//! Declarations: variables, types, symbolic names.

use super::stream::Class;
use super::{Body, NoRun, Parse, Parser, Reported};
use crate::ast::{
    BinaryOp, ChanInit, Decl, Exclusive, Expr, ExprKind, MtypeDecl, TypeName, UnaryOp, VarDecl,
    VarInit, Visibility,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Keyword, Token, TokenKind};

/// What a declaration turns out to be.
pub(super) enum AnyDecl {
    Vars(Decl),
    Mtype(MtypeDecl),
}

impl Parser<'_> {
    /// Whether a declaration starts here.
    pub(super) fn at_decl(&mut self) -> bool {
        let token = self.peek();
        match token.kind {
            TokenKind::Keyword(Keyword::Hidden | Keyword::Show | Keyword::Local) => true,
            TokenKind::Keyword(keyword) => basic_type(keyword).is_some(),
            TokenKind::Ident => self.stream.class(token.name) == Class::Type,
            _ => false,
        }
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let visibility = match self.kind() {
            TokenKind::Keyword(Keyword::Hidden) => Visibility::Hidden,
            TokenKind::Keyword(Keyword::Show) => Visibility::Show,
            TokenKind::Keyword(Keyword::Local) => Visibility::Local,
            _ => return None,
        };
        self.bump();
        Some(visibility)
    }

    /// A declaration of variables or of symbolic names.
    pub(super) fn any_decl(&mut self) -> Parse<AnyDecl> {
        self.decl_until(false).map(|(decl, _)| decl)
    }

    /// The same. In a list of parameters, a comma before another type is reported and
    /// taken for a semicolon; then the second value is true.
    fn decl_until(&mut self, in_params: bool) -> Parse<(AnyDecl, bool)> {
        let start = self.peek().span;
        let visibility = self.visibility();
        let token = self.peek();
        let ty = match token.kind {
            TokenKind::Ident if self.stream.class(token.name) == Class::Type => {
                self.bump();
                TypeName::Named(self.ident(token))
            }
            TokenKind::Keyword(keyword) => match basic_type(keyword) {
                Some(ty) => {
                    self.bump();
                    ty
                }
                None => return self.unexpected("a type", ""),
            },
            _ => return self.unexpected("a type", ""),
        };
        let mut subtype = None;
        if self.at(TokenKind::Colon) && !matches!(ty, TypeName::Named(_)) {
            self.bump();
            subtype = Some(self.expect_name("the name of a subtype")?);
        }
        if matches!(self.kind(), TokenKind::Assign | TokenKind::LBrace) {
            if !matches!(ty, TypeName::Mtype(_)) {
                return self.unexpected("the name of a variable", "");
            }
            if visibility.is_some() {
                self.report(Diagnostic::error(
                    start,
                    "a declaration of symbolic names cannot be hidden, shown or local",
                ));
            }
            let names = self.mtype_names(start, subtype)?;
            return Ok((AnyDecl::Mtype(names), false));
        }
        let ty = match (ty, subtype) {
            (TypeName::Mtype(_), subtype) => TypeName::Mtype(subtype),
            (ty, None) => ty,
            (ty, Some(subtype)) => {
                self.report(
                    Diagnostic::error(subtype.span, "only `mtype` has subtypes")
                        .help("is a `;` missing before this declaration?"),
                );
                ty
            }
        };
        let mut vars = vec![self.var_decl()?];
        let mut comma = false;
        while self.at(TokenKind::Comma) {
            self.bump();
            if self.at_decl() {
                let span = self.peek().span;
                self.report(
                    Diagnostic::error(span, "expected a name, found a type")
                        .label("this starts another declaration")
                        .help("write `byte x, y` for one type and `byte x; int y` for two"),
                );
                if !in_params {
                    return Err(Reported);
                }
                comma = true;
                break;
            }
            vars.push(self.var_decl()?);
        }
        let decl = Decl {
            span: self.since(start),
            visibility,
            ty,
            vars,
        };
        Ok((AnyDecl::Vars(decl), comma))
    }

    /// A declaration of variables.
    pub(super) fn decl(&mut self) -> Parse<Decl> {
        self.var_decls(false).map(|(decl, _)| decl)
    }

    fn var_decls(&mut self, in_params: bool) -> Parse<(Decl, bool)> {
        let start = self.peek().span;
        match self.decl_until(in_params)? {
            (AnyDecl::Vars(decl), comma) => Ok((decl, comma)),
            (AnyDecl::Mtype(_), _) => {
                self.report(
                    Diagnostic::error(
                        self.since(start),
                        "symbolic names must be declared globally",
                    )
                    .help("move the `mtype` declaration out of this body"),
                );
                Err(Reported)
            }
        }
    }

    fn mtype_names(&mut self, start: Span, subtype: Option<crate::ast::Ident>) -> Parse<MtypeDecl> {
        // Only plain `mtype` may do without `=`.
        if !self.eat(TokenKind::Assign) && subtype.is_some() {
            return self.unexpected("`=`", "and the symbolic names");
        }
        self.expect(TokenKind::LBrace, "and the symbolic names")?;
        let mut tokens: Vec<Token> = Vec::new();
        loop {
            if self.at(TokenKind::RBrace) && !tokens.is_empty() {
                break;
            }
            if !tokens.is_empty() && self.eat(TokenKind::Comma) {
                continue;
            }
            let token = self.peek();
            self.expect_name("a symbolic name")?;
            if tokens.iter().any(|t| t.name == token.name) && tokens.len() < 300 {
                let text = self.stream.text(token.name).to_owned();
                let message = format!("symbolic name `{text}` appears twice");
                self.report(Diagnostic::error(token.span, message));
            }
            tokens.push(token);
        }
        self.bump();
        let names = tokens.iter().map(|&t| self.ident(t)).collect();
        for token in tokens {
            self.stream.set_class(token.name, Class::Mtype);
        }
        Ok(MtypeDecl {
            span: self.since(start),
            subtype,
            names,
        })
    }

    fn var_decl(&mut self) -> Parse<VarDecl> {
        let name = self.expect_name("the name of a variable")?;
        let start = name.span;
        let mut width = None;
        let mut size = None;
        if self.eat(TokenKind::Colon) {
            width = Some(self.literal("the number of bits")?);
        } else if self.eat(TokenKind::LBracket) {
            size = Some(self.const_expr(true)?);
            self.expect(TokenKind::RBracket, "after the size")?;
            if self.at(TokenKind::Colon) {
                let span = self.peek().span;
                self.report(
                    Diagnostic::error(span, "an array cannot have a width in bits")
                        .help("use an array of `byte`, `short` or `int`"),
                );
                return Err(Reported);
            }
        }
        let mut init = None;
        if self.eat(TokenKind::Assign) {
            init = Some(self.initialiser()?);
        }
        Ok(VarDecl {
            span: self.since(start),
            name,
            width,
            size,
            init,
        })
    }

    fn initialiser(&mut self) -> Parse<VarInit> {
        match self.kind() {
            TokenKind::LBracket => Ok(VarInit::Chan(self.channel()?)),
            TokenKind::LBrace => {
                self.bump();
                let mut list = vec![self.literal("a constant")?];
                while self.eat(TokenKind::Comma) {
                    list.push(self.literal("a constant")?);
                }
                self.expect(TokenKind::RBrace, "after the initial values")?;
                Ok(VarInit::List(list))
            }
            _ => {
                let token = self.peek();
                let inline = token.kind == TokenKind::Ident
                    && self.stream.class(token.name) == Class::Inline;
                if inline {
                    self.report(
                        Diagnostic::error(token.span, "an initialiser cannot call an inline")
                            .help("declare the variable first, then assign to it"),
                    );
                    return Err(Reported);
                }
                self.no_run = Some(NoRun::Initialiser);
                let expr = self.expr();
                self.no_run = None;
                Ok(VarInit::Expr(expr?))
            }
        }
    }

    /// `[n] of { types }`.
    fn channel(&mut self) -> Parse<ChanInit> {
        let start = self.bump().span;
        let capacity = self.const_expr(false)?;
        self.expect(TokenKind::RBracket, "after the capacity")?;
        if !self.eat_keyword(Keyword::Of) {
            return self.unexpected("`of`", "and the types of the fields");
        }
        self.expect(TokenKind::LBrace, "and the types of the fields")?;
        let mut fields = vec![self.field_type()?];
        while self.eat(TokenKind::Comma) {
            fields.push(self.field_type()?);
        }
        if self.at(TokenKind::Semi) {
            return self.unexpected("`,` or `}`", "");
        }
        self.expect(TokenKind::RBrace, "after the types of the fields")?;
        Ok(ChanInit {
            span: self.since(start),
            capacity,
            fields,
        })
    }

    fn field_type(&mut self) -> Parse<TypeName> {
        let token = self.peek();
        let ty = match token.kind {
            TokenKind::Keyword(keyword) => basic_type(keyword),
            TokenKind::Ident if self.stream.class(token.name) == Class::Type => {
                Some(TypeName::Named(self.ident(token)))
            }
            _ => None,
        };
        let Some(mut ty) = ty else {
            return self.unexpected("a type", "");
        };
        self.bump();
        if ty == TypeName::Unsigned {
            self.report(
                Diagnostic::error(
                    token.span,
                    "`unsigned` cannot be the type of a message field",
                )
                .help("use `bit`, `byte`, `short` or `int`"),
            );
            if self.eat(TokenKind::Colon) {
                self.literal("a number")?;
            }
        } else if self.at(TokenKind::Colon) {
            if !matches!(ty, TypeName::Mtype(_)) {
                return self.unexpected("`,` or `}`", "");
            }
            self.bump();
            ty = TypeName::Mtype(Some(self.expect_name("the name of a subtype")?));
        }
        Ok(ty)
    }

    /// Constants with `+ - * / %`. With `name`, a single name will do as well.
    pub(super) fn const_expr(&mut self, name: bool) -> Parse<Expr> {
        let expr = self.expr()?;
        if name
            && let ExprKind::Var(var) = &expr.kind
            && var.parts.len() == 1
            && var.parts[0].index.is_none()
        {
            return Ok(expr);
        }
        let mut open = vec![&expr];
        let mut bad = None;
        while let Some(e) = open.pop() {
            match &e.kind {
                ExprKind::Number(_) | ExprKind::Mtype(_) => {}
                ExprKind::Unary(UnaryOp::Neg, inner) => open.push(inner),
                ExprKind::Binary(
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem,
                    left,
                    right,
                ) => open.extend([&**left, &**right]),
                _ => bad = Some(e.span),
            }
        }
        if let Some(span) = bad {
            self.report(Diagnostic::error(span, "expected a constant").help(
                "only numbers with `+`, `-`, `*`, `/` and `%` are allowed here; use a macro",
            ));
        }
        Ok(expr)
    }

    /// `xr c, d` or `xs c, d`.
    pub(super) fn exclusive(&mut self, receive: bool) -> Parse<Exclusive> {
        let start = self.bump().span;
        let mut channels = vec![self.var_ref()?];
        while self.eat(TokenKind::Comma) {
            channels.push(self.var_ref()?);
        }
        Ok(Exclusive {
            span: self.since(start),
            receive,
            channels,
        })
    }

    /// The parameters of a proctype, without parentheses.
    pub(super) fn params(&mut self) -> Parse<Vec<Decl>> {
        let mut params = Vec::new();
        if self.at(TokenKind::RParen) {
            return Ok(params);
        }
        loop {
            let (decl, comma) = self.var_decls(true)?;
            for var in &decl.vars {
                if var.init.is_some() {
                    let message = "a parameter cannot have an initialiser";
                    self.report(Diagnostic::error(var.span, message));
                }
            }
            params.push(decl);
            if !comma && !self.eat(TokenKind::Semi) {
                return Ok(params);
            }
        }
    }

    /// The fields of a typedef, without braces.
    pub(super) fn fields(&mut self) -> Parse<Vec<Decl>> {
        let mut fields = Vec::new();
        loop {
            fields.push(self.decl()?);
            if self.at(TokenKind::RBrace) {
                return Ok(fields);
            }
            if !self.eat(TokenKind::Semi) {
                return self.unexpected("`;` or `}`", "after this field");
            }
        }
    }

    /// Report a `run` in a place where Spin has none.
    pub(super) fn check_run(&mut self, span: Span) {
        let (message, help) = match self.no_run {
            _ if self.body == Body::None => (
                "`run` outside a process",
                "start the process from `init` or another proctype",
            ),
            None => return,
            Some(NoRun::Initialiser) => (
                "an initialiser cannot start a process",
                "declare the variable first, then assign `run ...` to it",
            ),
            Some(NoRun::Send) => (
                "a send cannot start a process",
                "assign `run ...` to a variable first, then send that",
            ),
            Some(NoRun::Provided) => (
                "a `provided` condition cannot start a process",
                "it may only test variables, channels and constants",
            ),
        };
        self.report(Diagnostic::error(span, message).help(help));
    }
}

fn basic_type(keyword: Keyword) -> Option<TypeName> {
    Some(match keyword {
        Keyword::Bit => TypeName::Bit,
        Keyword::Bool => TypeName::Bool,
        Keyword::Byte => TypeName::Byte,
        Keyword::Pid => TypeName::Pid,
        Keyword::Short => TypeName::Short,
        Keyword::Int => TypeName::Int,
        Keyword::Unsigned => TypeName::Unsigned,
        Keyword::Mtype => TypeName::Mtype(None),
        Keyword::Chan => TypeName::Chan,
        _ => return None,
    })
}
