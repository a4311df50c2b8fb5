//! Statements and the sequences they form.

use super::expr::Parsed;
use super::stream::Class;
use super::{Body, Open, Parse, Parser, Reported};
use crate::ast::{
    Block, Expr, ExprKind, ForRange, Ident, Step, Stmt, StmtKind, Unless, VarRef,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Flags, Keyword, Token, TokenKind};

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
    fn close(&mut self, kind: TokenKind, start: Span) -> Parse<()> {
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
        self.report(
            Diagnostic::error(token.span, format!("expected `{mark}`, found {found}"))
                .label(format!("`{mark}` is missing before this"))
                .note(start, format!("`{opener}` opened here")),
        );
        if token.kind == TokenKind::Eof {
            // One missing mark is enough to say.
            self.give_up();
        }
        Err(Reported)
    }

    /// Steps with separators, up to a token that closes some sequence. An error is
    /// reported and skipped; `Err` means the sequence had no step at all.
    fn sequence(&mut self) -> Parse<Vec<Step>> {
        let mut steps = Vec::new();
        let mut broken = false;
        loop {
            if self.at_sequence_end() {
                if steps.is_empty() && !broken {
                    return self.empty_sequence();
                }
                return Ok(steps);
            }
            let (depth, opened, loops) = (self.depth, self.open.len(), self.loops);
            match self.step() {
                Ok(step) => steps.push(step),
                Err(Reported) => {
                    broken = true;
                    self.depth = depth;
                    self.open.truncate(opened);
                    self.loops = loops;
                    self.recorder = None;
                    self.skip_statement();
                }
            }
            self.separator();
        }
    }

    /// Whether a sequence ends here, whichever it is.
    fn at_sequence_end(&mut self) -> bool {
        let kind = self.kind();
        match kind {
            TokenKind::RBrace | TokenKind::Sep => true,
            TokenKind::Keyword(Keyword::Fi | Keyword::Od) => true,
            _ => Self::is_end(kind) || Self::starts_unit(kind),
        }
    }

    fn empty_sequence<T>(&mut self) -> Parse<T> {
        let token = self.peek();
        if !Self::is_end(token.kind) {
            let found = self.describe(token);
            self.report(
                Diagnostic::error(token.span, format!("expected a statement, found {found}"))
                    .label("the sequence is empty")
                    .help("write `skip` where nothing is to be done"),
            );
        }
        Err(Reported)
    }

    /// Take the separators behind a step, or report that they are missing.
    fn separator(&mut self) {
        let mut found = false;
        while matches!(self.kind(), TokenKind::Semi | TokenKind::Arrow) {
            self.bump();
            found = true;
        }
        if found || self.at_sequence_end() {
            return;
        }
        let before = self.previous;
        let token = self.peek();
        let text = self.describe(token);
        let mut diagnostic = Diagnostic::error(
            token.span,
            format!("expected `;` or `->` between two statements, found {text}"),
        )
        .label("expected `;` before this");
        diagnostic = match self.separator_help(before, token) {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        };
        self.report(diagnostic);
        if !self.starts_statement(token) {
            self.skip_statement();
            while matches!(self.kind(), TokenKind::Semi | TokenKind::Arrow) {
                self.bump();
            }
        }
    }

    fn separator_help(&mut self, before: Span, token: Token) -> Option<String> {
        let text = self.stream.pre.sources.snippet(before);
        if token.kind == TokenKind::Assign {
            return Some("use `==` to compare".to_owned());
        }
        if token.kind == TokenKind::Keyword(Keyword::Unless) {
            return Some(
                "`unless` must follow its statement directly; only after `}` may a new line \
                 stand between"
                    .to_owned(),
            );
        }
        if token.kind == TokenKind::LParen && is_word(text) {
            return Some(format!(
                "is `{text}` an inline? It must be defined before it is called"
            ));
        }
        if token.kind == TokenKind::Ident && is_word(text) {
            let name = self.stream.pre.names.intern(text);
            if let Some(keyword) = self.similar_keyword(name) {
                return Some(format!("did you mean `{}`?", keyword.text()));
            }
            return Some(format!(
                "is `{text}` a type? A typedef must stand before its use"
            ));
        }
        if matches!(token.kind, TokenKind::LBrace | TokenKind::Str) && is_word(text) {
            let name = self.stream.pre.names.intern(text);
            let keyword = self.similar_keyword(name)?;
            return Some(format!("did you mean `{}`?", keyword.text()));
        }
        None
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

    fn step(&mut self) -> Parse<Step> {
        self.child_height = 0;
        if self.at_decl() {
            return self.decl().map(Step::Decl);
        }
        match self.kind() {
            TokenKind::Keyword(Keyword::Xr) => return self.exclusive(true).map(Step::Exclusive),
            TokenKind::Keyword(Keyword::Xs) => return self.exclusive(false).map(Step::Exclusive),
            _ => {}
        }
        let main = self.stmt()?;
        if !self.at_keyword(Keyword::Unless) {
            return Ok(Step::Stmt(main));
        }
        self.bump();
        let escape = self.stmt()?;
        self.check_unless_labels(&main, &escape);
        let span = self.join(main.span, escape.span);
        Ok(Step::Unless(Box::new(Unless { span, main, escape })))
    }

    fn check_unless_labels(&mut self, main: &Stmt, escape: &Stmt) {
        let lifted = matches!(
            main.kind,
            StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::DStep(_)
        );
        if let (Some(label), false) = (main.labels.first(), lifted && main.labels.len() == 1) {
            self.report(
                Diagnostic::error(label.span, "a label before `unless` is ambiguous").help(format!(
                    "write `{}: {{ ... unless ... }}`",
                    label.name
                )),
            );
        }
        if let Some(label) = escape.labels.first() {
            self.report(
                Diagnostic::error(label.span, "the escape of an `unless` cannot have a label")
                    .help("its guard is not a state of its own; put the label further inside"),
            );
        }
    }

    /// A statement with its labels.
    pub(super) fn stmt(&mut self) -> Parse<Stmt> {
        let mut labels = Vec::new();
        loop {
            let token = self.peek();
            if token.kind != TokenKind::Ident || self.stream.class(token.name) != Class::Plain {
                let kind = self.stmt_kind(token)?;
                return self.labelled(labels, token.span, kind);
            }
            self.bump();
            let name = self.ident(token);
            if !self.at(TokenKind::Colon) {
                let kind = self.named_stmt(name)?;
                return self.labelled(labels, token.span, kind);
            }
            self.bump();
            let label_span = self.since(token.span);
            labels.push(name);
            self.check_after_label(token)?;
            let next = self.peek();
            if self.at_statement_end(next) {
                let stmt = Stmt {
                    span: label_span,
                    labels,
                    kind: StmtKind::Empty,
                };
                return Ok(stmt);
            }
        }
    }

    fn labelled(&mut self, labels: Vec<Ident>, start: Span, kind: StmtKind) -> Parse<Stmt> {
        let span = match &kind {
            // Its end lies in the text of the inline.
            StmtKind::Inline { name, .. } => self.join(start, name.span),
            _ => self.since(start),
        };
        Ok(Stmt { span, labels, kind })
    }

    /// Whether nothing follows a label.
    fn at_statement_end(&mut self, token: Token) -> bool {
        matches!(
            token.kind,
            TokenKind::Semi | TokenKind::Arrow | TokenKind::Keyword(Keyword::Unless)
        ) || self.at_sequence_end()
    }

    fn check_after_label(&mut self, label: Token) -> Parse<()> {
        let what = if self.at_decl() {
            "a declaration"
        } else if self.at_keyword(Keyword::Xr) || self.at_keyword(Keyword::Xs) {
            "an `xr` or `xs` claim"
        } else {
            return Ok(());
        };
        let text = self.stream.text(label.name).to_owned();
        self.report(
            Diagnostic::error(label.span, format!("label before {what}"))
                .help(format!("move `{text}:` to the next statement")),
        );
        Err(Reported)
    }

    /// A statement that starts with a keyword, a mark or a name of a special class.
    fn stmt_kind(&mut self, token: Token) -> Parse<StmtKind> {
        use Keyword as K;
        match token.kind {
            TokenKind::Keyword(keyword) => match keyword {
                K::For => self.for_loop(),
                K::Select => self.select(),
                K::If => self.options(Open::If).map(StmtKind::If),
                K::Do => self.options(Open::Do).map(StmtKind::Do),
                K::Break => self.break_stmt(),
                K::Goto => {
                    self.bump();
                    Ok(StmtKind::Goto(self.expect_name("the name of a label")?))
                }
                _ => {
                    self.check_event(token);
                    self.keyword_stmt(token, keyword)
                }
            },
            TokenKind::LBrace => {
                self.check_event(token);
                Ok(StmtKind::Block(self.inner_block()?))
            }
            TokenKind::Ident if self.stream.class(token.name) == Class::Inline => {
                self.inline_call(token, None)
            }
            _ => {
                self.check_event(token);
                self.expr_stmt()
            }
        }
    }

    fn keyword_stmt(&mut self, token: Token, keyword: Keyword) -> Parse<StmtKind> {
        use Keyword as K;
        match keyword {
            K::Else => {
                self.bump();
                Ok(StmtKind::Else)
            }
            K::Atomic => {
                self.bump();
                Ok(StmtKind::Atomic(self.inner_block()?))
            }
            K::DStep => {
                self.bump();
                Ok(StmtKind::DStep(self.inner_block()?))
            }
            K::Assert => {
                self.bump();
                Ok(StmtKind::Assert(self.full_expr()?))
            }
            K::Printf => self.printf(),
            K::Printm => self.printm(),
            K::SetPriority => {
                self.bump();
                self.expect(TokenKind::LParen, "and a process")?;
                let pid = self.expr()?;
                self.expect(TokenKind::Comma, "and a priority")?;
                let priority = self.expr()?;
                self.expect(TokenKind::RParen, "after the priority")?;
                Ok(StmtKind::SetPriority(pid, priority))
            }
            K::CCode | K::CDecl => Ok(StmtKind::EmbeddedC(self.embedded_c()?)),
            K::Return => self.return_stmt(token),
            K::Mtype | K::Typedef => self.unexpected("a statement", ""),
            _ => self.expr_stmt(),
        }
    }

    fn expr_stmt(&mut self) -> Parse<StmtKind> {
        let expr = self.full_expr()?;
        self.check_runs(&expr);
        Ok(StmtKind::Expr(expr))
    }

    /// `run` may stand alone or not at all in an expression used as a statement.
    fn check_runs(&mut self, expr: &Expr) {
        let mut runs = Vec::new();
        let mut open = vec![expr];
        while let Some(e) = open.pop() {
            match &e.kind {
                ExprKind::Run { args, .. } => {
                    runs.push(e.span);
                    open.extend(args);
                }
                ExprKind::Unary(_, a)
                | ExprKind::Enabled(a)
                | ExprKind::GetPriority(a)
                | ExprKind::PcValue(a) => open.push(a),
                ExprKind::Binary(_, a, b) => open.extend([&**a, &**b]),
                ExprKind::Cond(a, b, c) => open.extend([&**a, &**b, &**c]),
                _ => {}
            }
        }
        let alone = matches!(expr.kind, ExprKind::Run { .. });
        if let Some(&second) = runs.get(1) {
            let message = "more than one `run` in an expression";
            self.report(Diagnostic::error(second, message).note(runs[0], "another is here"));
        } else if let (Some(&run), false) = (runs.first(), alone) {
            self.report(
                Diagnostic::error(run, "`run` inside of a larger expression")
                    .help("write `run P()` as a statement of its own, or assign it to a variable"),
            );
        }
    }

    /// A statement that starts with a plain name.
    fn named_stmt(&mut self, name: Ident) -> Parse<StmtKind> {
        let start = name.span;
        let var = self.var_ref_after(name)?;
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Quest | TokenKind::Bang) {
            self.check_event(Token {
                span: start,
                ..token
            });
        }
        match token.kind {
            TokenKind::Assign => {
                self.bump();
                let next = self.peek();
                if next.kind == TokenKind::Ident && self.stream.class(next.name) == Class::Inline {
                    return self.inline_call(next, Some(var));
                }
                Ok(StmtKind::Assign(var, self.full_expr()?))
            }
            TokenKind::Incr => {
                self.bump();
                Ok(StmtKind::Increment(var))
            }
            TokenKind::Decr => {
                self.bump();
                Ok(StmtKind::Decrement(var))
            }
            TokenKind::Bang | TokenKind::BangBang => self.send(var),
            TokenKind::Quest | TokenKind::QuestQuest => self.receive(var),
            _ => {
                let first = Parsed::leaf(var.span, ExprKind::Var(var));
                let expr = self.full_expr_after(first)?;
                self.check_runs(&expr);
                if self.at(TokenKind::Assign) {
                    return self.assignment_to_expression(&expr);
                }
                Ok(StmtKind::Expr(expr))
            }
        }
    }

    fn assignment_to_expression(&mut self, expr: &Expr) -> Parse<StmtKind> {
        let token = self.peek();
        self.report(
            Diagnostic::error(token.span, "only a variable can be assigned to")
                .note(expr.span, "this is an expression")
                .help("use `==` to compare"),
        );
        Err(Reported)
    }

    fn send(&mut self, channel: VarRef) -> Parse<StmtKind> {
        let sorted = self.bump().kind == TokenKind::BangBang;
        let outer = std::mem::replace(&mut self.run_in_send, true);
        let args = self.send_args();
        self.run_in_send = outer;
        Ok(StmtKind::Send {
            channel,
            sorted,
            args: args?,
        })
    }

    /// `a, b` or `a(b, c)`.
    fn send_args(&mut self) -> Parse<Vec<Expr>> {
        let mut args = vec![self.expr()?];
        if self.eat(TokenKind::LParen) {
            args.extend(self.args()?);
            self.expect(TokenKind::RParen, "after the fields")?;
            return Ok(args);
        }
        while self.eat(TokenKind::Comma) {
            args.push(self.expr()?);
        }
        Ok(args)
    }

    fn receive(&mut self, channel: VarRef) -> Parse<StmtKind> {
        let random = self.bump().kind == TokenKind::QuestQuest;
        if self.at(TokenKind::LBracket) {
            self.check_event(Token {
                span: channel.span,
                ..self.peeked.unwrap_or_else(|| unreachable!("it was looked at"))
            });
            let poll = self.poll(channel, random)?;
            return self.full_expr_after(poll).map(StmtKind::Expr);
        }
        let peek = self.eat(TokenKind::Lt);
        let args = self.recv_args()?;
        if peek {
            self.expect(TokenKind::Gt, "after the fields")?;
            if self.body == Body::Events {
                self.not_an_event(channel.span);
            }
        }
        Ok(StmtKind::Receive {
            channel,
            random,
            peek,
            args,
        })
    }

    /// `if` or `do` with its options.
    fn options(&mut self, which: Open) -> Parse<Vec<Block>> {
        let start = self.bump().span;
        self.enter()?;
        let close = if which == Open::If {
            Keyword::Fi
        } else {
            self.loops += 1;
            Keyword::Od
        };
        self.open.push((which, start));
        let mut options: Vec<Block> = Vec::new();
        if !self.at(TokenKind::Sep) {
            return self.unexpected("`::`", "and an option");
        }
        while self.at(TokenKind::Sep) {
            let sep = self.bump().span;
            if let Ok(steps) = self.sequence() {
                self.check_option(&options, &steps);
                options.push(Block {
                    span: self.since(sep),
                    steps,
                });
            }
            self.stray_close(close);
        }
        self.open.pop();
        self.close(TokenKind::Keyword(close), start)?;
        if which == Open::Do {
            self.loops -= 1;
        }
        self.leave();
        Ok(options)
    }

    /// `od` where `fi` should stand, or the other way round: take it for the right one.
    fn stray_close(&mut self, close: Keyword) {
        let token = self.peek();
        let TokenKind::Keyword(found @ (Keyword::Fi | Keyword::Od)) = token.kind else {
            return;
        };
        let other = if found == Keyword::Fi { Open::If } else { Open::Do };
        let outer = self.open.len().saturating_sub(1);
        if found == close || self.open[..outer].iter().any(|&(o, _)| o == other) {
            return;
        }
        let (_, start) = self.open[outer];
        let (opener, mark) = match close {
            Keyword::Fi => ("if", "fi"),
            _ => ("do", "od"),
        };
        self.report(
            Diagnostic::error(token.span, format!("`{opener}` is closed by `{mark}`"))
                .note(start, format!("`{opener}` opened here")),
        );
        self.bump();
        self.peeked = Some(Token {
            kind: TokenKind::Keyword(close),
            ..token
        });
    }

    fn check_option(&mut self, options: &[Block], steps: &[Step]) {
        let Some(first) = first_stmt(steps) else {
            return;
        };
        if let Some(label) = first.labels.first() {
            self.report(
                Diagnostic::warning(label.span, "a label before the first statement of an option")
                    .help("a jump to it starts at the choice itself; put the label before `if` or `do`"),
            );
        }
        if first.kind != StmtKind::Else {
            return;
        }
        let earlier = options.iter().find_map(|option| {
            first_stmt(&option.steps).filter(|stmt| stmt.kind == StmtKind::Else)
        });
        if let Some(earlier) = earlier {
            self.report(
                Diagnostic::error(first.span, "more than one `else` in a choice")
                    .note(earlier.span, "another is here"),
            );
        }
    }

    /// A block inside of a body. Its first statement can have no label.
    fn inner_block(&mut self) -> Parse<Block> {
        self.enter()?;
        let block = self.block()?;
        self.leave();
        self.check_block_label(&block);
        Ok(block)
    }

    pub(super) fn check_block_label(&mut self, block: &Block) {
        if let Some(label) = first_stmt(&block.steps).and_then(|stmt| stmt.labels.first()) {
            self.report(
                Diagnostic::error(label.span, "a label before the first statement of a block")
                    .help(format!("write `{}:` before the block", label.name)),
            );
        }
    }

    fn break_stmt(&mut self) -> Parse<StmtKind> {
        let span = self.bump().span;
        if self.loops == 0 {
            self.report(
                Diagnostic::error(span, "`break` outside of a loop")
                    .help("`break` leaves the innermost `do` or `for`"),
            );
        }
        Ok(StmtKind::Break)
    }

    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.enter()?;
        self.expect(TokenKind::LParen, "and a variable")?;
        let var = self.var_ref()?;
        let token = self.peek();
        let range = if token.kind == TokenKind::Ident && self.stream.text(token.name) == "in" {
            self.bump();
            ForRange::In(self.var_ref()?)
        } else {
            self.expect(TokenKind::Colon, "or `in`")?;
            let from = self.expr()?;
            self.expect(TokenKind::DotDot, "and the last value")?;
            ForRange::Range(from, self.expr()?)
        };
        self.expect(TokenKind::RParen, "after the range")?;
        self.eat(TokenKind::Semi);
        self.loops += 1;
        let body = self.block()?;
        self.loops -= 1;
        self.leave();
        Ok(StmtKind::For { var, range, body })
    }

    fn select(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "and a variable")?;
        // Spin's scanner replaces the form it can see on one line; see `StmtKind::Select`.
        let mut plain = self.stream.inline_depth() == 0;
        plain &= !self.peek().flags.has(Flags::NEWLINE);
        let var = self.var_ref()?;
        plain &= !self.peek().flags.has(Flags::NEWLINE);
        self.expect(TokenKind::Colon, "and the first value")?;
        let first = self.peek();
        let from = self.expr()?;
        plain &= !self.peek().flags.has(Flags::NEWLINE);
        self.expect(TokenKind::DotDot, "and the last value")?;
        let last = self.peek();
        let to = self.expr()?;
        plain &= !self.peek().flags.has(Flags::NEWLINE);
        self.expect(TokenKind::RParen, "after the range")?;
        plain &= [(first, &from), (last, &to)].into_iter().all(|(t, e)| {
            t.kind == TokenKind::Number
                && !t.flags.has(Flags::NEWLINE)
                && matches!(e.kind, ExprKind::Number(_))
        });
        plain &= match var.parts.as_slice() {
            [part] => {
                part.index.is_none() && part.name.name.bytes().all(|b| b.is_ascii_alphanumeric())
            }
            _ => false,
        };
        let mut literal = false;
        if let (true, ExprKind::Number(a), ExprKind::Number(b)) = (plain, &from.kind, &to.kind) {
            let width = i64::from(*b) - i64::from(*a);
            if width < 0 {
                let span = self.join(from.span, to.span);
                let message = "the range of `select` is empty";
                self.report(Diagnostic::error(span, message));
            }
            literal = width <= 32;
        }
        Ok(StmtKind::Select {
            var,
            from,
            to,
            literal,
        })
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "and a string")?;
        let token = self.peek();
        if token.kind != TokenKind::Str {
            return self.unexpected("a string", "");
        }
        self.bump();
        let text = self.stream.text(token.name);
        let format = text[1..text.len() - 1].to_owned();
        let args = if self.eat(TokenKind::Comma) {
            self.args()?
        } else {
            Vec::new()
        };
        if self.at(TokenKind::Str) {
            let span = self.peek().span;
            self.report(
                Diagnostic::error(span, "strings next to each other are not joined")
                    .help("write one string, or a second `printf`"),
            );
            return Err(Reported);
        }
        self.expect(TokenKind::RParen, "after the arguments")?;
        Ok(StmtKind::Printf(format, args))
    }

    fn printm(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "and a symbolic name")?;
        let token = self.peek();
        let variable =
            token.kind == TokenKind::Ident && self.stream.class(token.name) != Class::Mtype;
        let expr = if variable {
            let var = self.var_ref()?;
            Expr {
                span: var.span,
                kind: ExprKind::Var(var),
            }
        } else {
            self.literal("a variable or a symbolic name")?
        };
        self.expect(TokenKind::RParen, "after the name")?;
        Ok(StmtKind::Printm(expr))
    }

    /// In a `trace` only sends and receives may stand.
    fn check_event(&mut self, token: Token) {
        if self.body == Body::Events {
            self.not_an_event(token.span);
        }
    }

    fn not_an_event(&mut self, span: Span) {
        self.report(
            Diagnostic::error(span, "not an event")
                .help("a trace consists of plain sends and receives, `if`, `do`, `goto` and labels"),
        );
    }
}

/// The statement a sequence starts with, if it does not start with a declaration.
fn first_stmt(steps: &[Step]) -> Option<&Stmt> {
    let first = steps.iter().find(|s| !matches!(s, Step::Exclusive(_)))?;
    match first {
        Step::Stmt(stmt) => Some(stmt),
        _ => None,
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
