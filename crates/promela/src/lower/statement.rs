//! Statements: what each becomes, before it is linked into its sequence.

use model::{Action, Base, Expr, Scalar};
use space::SiteId;

use super::Lowerer;
use super::body::{Holder, Pending, PendingNode};
use super::expr::{Target, scalar_place};
use super::flow::{Jump, Node, SequenceId};
use crate::ast::{self, ExprKind, Stmt, StmtKind, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Lowerer<'_> {
    pub(super) fn stmt(&mut self, stmt: &Stmt) -> Pending {
        let node = self.stmt_node(stmt);
        Pending {
            node,
            labels: stmt.labels.clone(),
            span: stmt.span,
            text: self.text(stmt.span),
        }
    }

    /// A claim watches the model: it must not change it, nor remember more than where it is.
    pub(super) fn refuse_in_claim(&mut self, span: Span, what: &str) {
        if self.in_claim && !self.in_trace {
            self.diagnostics.push(
                Diagnostic::error(span, format!("{what} cannot be used in a never claim")).help(
                    "a claim observes the model and must not change it: use conditions, \
                           assertions and gotos",
                ),
            );
        }
    }

    fn stmt_node(&mut self, stmt: &Stmt) -> PendingNode {
        let forbidden = match &stmt.kind {
            StmtKind::Assign(..) | StmtKind::Increment(_) | StmtKind::Decrement(_) => {
                "an assignment"
            }
            StmtKind::Send { .. } => "a send",
            StmtKind::Receive { .. } => "a receive",
            StmtKind::SetPriority(..) => "set_priority",
            StmtKind::DStep(_) => "a d_step",
            StmtKind::For { .. } => "a for loop",
            StmtKind::Select { .. } => "select",
            _ => "",
        };
        if !forbidden.is_empty() {
            self.refuse_in_claim(stmt.span, forbidden);
        }
        let plain = |action| PendingNode::Plain(Node::Basic(action));
        match &stmt.kind {
            StmtKind::Empty => PendingNode::Plain(Node::Skip),
            StmtKind::Else => PendingNode::Plain(Node::Else),
            StmtKind::Expr(expr) => self.expression_statement(expr),
            StmtKind::Assign(var, expr) => self.assignment(var, expr),
            StmtKind::Increment(var) => self.step_variable(var, model::BinaryOp::Add),
            StmtKind::Decrement(var) => self.step_variable(var, model::BinaryOp::Sub),
            StmtKind::Assert(expr) => {
                let value = self.expr(expr);
                let site = self.site(stmt.span, expr.span);
                plain(Action::Assert(value, site))
            }
            StmtKind::Printf(format, args) => {
                let args = args
                    .iter()
                    .map(|arg| (self.expr(arg), self.display_of(arg)))
                    .collect();
                plain(Action::Printf(unescape(format), args))
            }
            StmtKind::Printm(expr) => {
                let display = self.display_of(expr);
                plain(Action::Printm(self.expr(expr), display))
            }
            StmtKind::SetPriority(pid, priority) => {
                self.priority_at.get_or_insert(stmt.span);
                plain(Action::SetPriority(self.expr(pid), self.expr(priority)))
            }
            StmtKind::Send {
                channel,
                sorted,
                args,
            } => {
                if self.in_trace {
                    return self.send_event(channel, args);
                }
                let args = self.value_args(args);
                match self.channel_place(channel) {
                    Some(channel) => {
                        self.sends.push((stmt.span, args.len()));
                        plain(Action::Send {
                            channel,
                            sorted: *sorted,
                            args,
                        })
                    }
                    None => PendingNode::Plain(Node::Skip),
                }
            }
            StmtKind::Receive {
                channel,
                random,
                peek,
                args,
            } => {
                if self.in_trace {
                    let args = self.receive_args(args);
                    return self.event(false, channel, args);
                }
                self.check_double_fields(args);
                let args = self.receive_args(args);
                match self.channel_place(channel) {
                    Some(channel) => plain(Action::Receive {
                        channel,
                        random: *random,
                        peek: *peek,
                        args,
                    }),
                    None => PendingNode::Plain(Node::Skip),
                }
            }
            StmtKind::Goto(label) => {
                let jump = Jump::Label(label.name.clone(), self.scope.clone());
                self.flow_gotos.push((label.clone(), self.scope.clone()));
                PendingNode::Plain(Node::Jump(jump))
            }
            StmtKind::Break => match self.loops.last() {
                Some(&number) => PendingNode::Plain(Node::Jump(Jump::Break(number))),
                None => {
                    self.error_at(stmt.span, "break outside a loop");
                    PendingNode::Plain(Node::Skip)
                }
            },
            StmtKind::Atomic(block) => {
                let id = self.block(block, Holder::Atomic);
                self.flow.make_atomic(id, false);
                PendingNode::Atomic(id)
            }
            StmtKind::DStep(block) => {
                let id = self.block(block, Holder::DStep);
                self.flow.make_atomic(id, true);
                PendingNode::DStep(id)
            }
            StmtKind::Block(block) => PendingNode::Block(self.block(block, Holder::Block)),
            StmtKind::Inline { body, .. } => {
                self.at_head = false;
                PendingNode::Block(self.block(body, Holder::Block))
            }
            StmtKind::If(options) => {
                let options: Vec<_> = options.iter().map(|o| self.option(o)).collect();
                self.drop_skips(&options);
                PendingNode::If(options)
            }
            StmtKind::Do(options) => {
                let number = self.enter_loop();
                let options: Vec<_> = options.iter().map(|o| self.option(o)).collect();
                self.loops.pop();
                self.drop_skips(&options);
                PendingNode::Do(options, number)
            }
            StmtKind::For { var, range, body } => self.for_loop(stmt.span, var, range, body),
            StmtKind::Select {
                var,
                from,
                to,
                literal,
            } => self.select(stmt.span, var, from, to, *literal),
            StmtKind::EmbeddedC(c) => {
                self.embedded_c(c);
                PendingNode::Plain(Node::Skip)
            }
        }
    }

    /// Claims keep their skips: they count steps.
    fn drop_skips(&mut self, options: &[SequenceId]) {
        if !self.in_claim {
            for &option in options {
                self.flow.drop_redundant_skips(option);
            }
        }
    }

    fn expression_statement(&mut self, expr: &ast::Expr) -> PendingNode {
        match expr.kind {
            ExprKind::Number(1) => return PendingNode::Plain(Node::Skip),
            ExprKind::Number(0) => return PendingNode::Plain(Node::Never),
            _ => {}
        }
        let action = match self.lower_run(expr) {
            Some(Some((spec, value))) => {
                self.refuse_in_claim(expr.span, "run");
                Action::Run(spec, None, value)
            }
            Some(None) => return PendingNode::Plain(Node::Skip),
            None => Action::Guard(self.expr(expr)),
        };
        PendingNode::Plain(Node::Basic(action))
    }

    fn assignment(&mut self, var: &VarRef, expr: &ast::Expr) -> PendingNode {
        self.refuse_predefined(var);
        self.refuse_self_index(var);
        self.refuse_channel_arithmetic(var, expr);
        let (run, value) = match self.lower_run(expr) {
            Some(Some((spec, value))) => (Some(spec), value),
            Some(None) => return PendingNode::Plain(Node::Skip),
            None => (None, self.expr(expr)),
        };
        let Some(place) = self.assignable(var) else {
            return PendingNode::Plain(Node::Skip);
        };
        PendingNode::Plain(Node::Basic(match run {
            Some(spec) => Action::Run(spec, Some(place), value),
            None => Action::Assign(place, value),
        }))
    }

    pub(super) fn assignable(&mut self, var: &VarRef) -> Option<model::PlaceId> {
        if let [part] = var.parts.as_slice()
            && part.name.name == "_priority"
        {
            self.priority_at.get_or_insert(var.span);
            let place = scalar_place(Base::Frame, super::PRIORITY_PLACE, Scalar::U8);
            return Some(self.add_place(place));
        }
        match self.reference(var)? {
            Target::Scalar(place, _) => Some(place),
            Target::Struct(_) => {
                self.diagnostics.push(
                    Diagnostic::error(var.span, "a whole structure cannot be assigned to")
                        .help("assign its fields one by one"),
                );
                None
            }
        }
    }

    fn step_variable(&mut self, var: &VarRef, op: model::BinaryOp) -> PendingNode {
        self.refuse_predefined(var);
        self.refuse_self_index(var);
        match self.increment(var, op) {
            Some(action) => PendingNode::Plain(Node::Basic(action)),
            None => PendingNode::Plain(Node::Skip),
        }
    }

    fn increment(&mut self, var: &VarRef, op: model::BinaryOp) -> Option<Action> {
        let place = self.assignable(var)?;
        let old = self.add(Expr::Load(place));
        let one = self.constant_expr(1);
        let value = self.add(Expr::Binary(op, old, one));
        Some(Action::Assign(place, value))
    }

    fn site(&mut self, span: Span, text: Span) -> SiteId {
        let location = self.locate(span);
        let (written, text) = (self.sources.written_text(text), self.text(text));
        let call = self.call(span);
        self.model.sites.push(model::Site {
            location,
            call,
            written,
            text,
        });
        SiteId(self.model.sites.len() as u32 - 1)
    }

    fn check_double_fields(&mut self, args: &[ast::RecvArg]) {
        let mut seen: Vec<&str> = Vec::new();
        for arg in args {
            let ast::RecvArg::Var(var) = arg else {
                continue;
            };
            let [part] = var.parts.as_slice() else {
                continue;
            };
            let name = part.name.name.as_str();
            if part.index.is_some() || name == "_" || self.mtype_values.contains_key(name) {
                continue;
            }
            if seen.contains(&name) {
                let message = format!("`{name}` cannot receive two fields of one message");
                self.diagnostics.push(Diagnostic::error(var.span, message));
                return;
            }
            seen.push(name);
        }
    }
}

/// The characters that backslashes stand for in a format.
fn unescape(format: &str) -> String {
    let mut text = String::with_capacity(format.len());
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some(other) => text.push(other),
            None => text.push('\\'),
        }
    }
    text
}
