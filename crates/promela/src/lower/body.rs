//! Statements: from the tree to the elements of a [`Flow`].
//!
//! The order in which elements are made is Spin's: see [`super::flow`].

use model::{Action, Base, Display, Expr, RunSpec, Scalar};
use space::SiteId;

use super::Lowerer;
use super::expr::{Target, scalar_place};
use super::flow::{Element, ElementId, Jump, Node, SequenceId};
use super::label::Label;
use super::types::{FirstValue, Symbol, Ty};
use crate::ast::{
    self, Block, Decl, ExprKind, ForRange, Ident, Step, Stmt, StmtKind, Unless, VarInit, VarRef,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A statement whose inner sequences are made, but not yet the element itself.
pub(super) struct Pending {
    node: PendingNode,
    labels: Vec<Ident>,
    span: Span,
    text: String,
}

enum PendingNode {
    If(Vec<SequenceId>),
    /// With the number of the loop.
    Do(Vec<SequenceId>, u32),
    Unless(SequenceId, SequenceId),
    Atomic(SequenceId),
    DStep(SequenceId),
    Block(SequenceId),
    Plain(Node),
}

/// Where a sequence stands, for labels that cannot be jumped to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Escape,
    Main,
    Atomic,
    DStep,
    Block,
    Option,
    Loop,
}

impl Lowerer<'_> {
    /// The whole body of a proctype, init, claim or trace.
    pub(super) fn body(&mut self, block: &Block) {
        let top = self.flow.open();
        self.flow.top = Some(top);
        self.sequences.push(top);
        self.at_head = true;
        self.enter_scope();
        for step in &block.steps {
            self.step(step);
        }
        let end = Span {
            start: block.span.end.saturating_sub(1),
            ..block.span
        };
        let stop = self.element(Node::Stop, end, "-end-".to_owned());
        self.flow.append(stop, top);
        self.leave_scope();
        self.flow.close(top);
        self.sequences.pop();
        self.at_head = false;
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Decl(decl) => self.local_decl(decl),
            Step::Exclusive(claim) => self.channel_claim(claim),
            Step::Stmt(stmt) => {
                let pending = self.stmt(stmt);
                self.at_head = false;
                self.add_pending(pending);
            }
            Step::Unless(unless) => {
                let pending = self.unless(unless);
                self.at_head = false;
                self.add_pending(pending);
            }
        }
    }

    fn current(&self) -> SequenceId {
        *self
            .sequences
            .last()
            .expect("statements are only read inside a body")
    }

    /// A sequence of its own: open, fill, close.
    fn sequence(&mut self, holder: Holder, fill: impl FnOnce(&mut Self)) -> SequenceId {
        let id = self.flow.open();
        self.sequences.push(id);
        self.at_head = false;
        fill(self);
        self.sequences.pop();
        self.flow.close(id);
        self.check_first_label(id, holder);
        id
    }

    /// The first statement of a sequence is not a state of its own: it cannot be jumped to.
    fn check_first_label(&mut self, id: SequenceId, holder: Holder) {
        let Some(first) = self.flow.sequence(id).first else {
            return;
        };
        let Some(label) = self.flow.labels.iter().find(|l| l.element == first) else {
            return;
        };
        let advice = match holder {
            Holder::Escape => "the guard of an escape cannot be jumped to",
            Holder::Main => "write Label: { statement unless statement }",
            Holder::Atomic => "write Label: atomic { ... }",
            Holder::DStep => "write Label: d_step { ... }",
            Holder::Block => "write Label: { ... }",
            // Spin only warns here, and nothing can jump to the label.
            Holder::Option | Holder::Loop => return,
        };
        let message = format!("label `{}` is placed where no state is", label.name);
        self.diagnostics
            .push(Diagnostic::error(label.span, message).help(advice));
    }

    fn block(&mut self, block: &Block, holder: Holder) -> SequenceId {
        self.enter_scope();
        let id = self.sequence(holder, |this| {
            for step in &block.steps {
                this.step(step);
            }
        });
        self.leave_scope();
        id
    }

    /// The sequence of an option: no scope of its own.
    fn option(&mut self, block: &Block) -> SequenceId {
        self.sequence(Holder::Option, |this| {
            for step in &block.steps {
                this.step(step);
            }
        })
    }

    fn stmt(&mut self, stmt: &Stmt) -> Pending {
        let node = self.stmt_node(stmt);
        Pending {
            node,
            labels: stmt.labels.clone(),
            span: stmt.span,
            text: self.text(stmt.span),
        }
    }

    fn stmt_node(&mut self, stmt: &Stmt) -> PendingNode {
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
                self.sends.push((stmt.span, args.len()));
                match self.channel_place(channel) {
                    Some(channel) => plain(Action::Send {
                        channel,
                        sorted: *sorted,
                        args,
                    }),
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
                self.flow.has_dstep = true;
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

    /// A send in a trace: constants must match, anything else may have any value.
    fn send_event(&mut self, channel: &VarRef, args: &[ast::Expr]) -> PendingNode {
        let args = args
            .iter()
            .map(|arg| {
                let value = self.expr(arg);
                if matches!(arg.kind, ExprKind::Number(_)) || self.is_mtype_constant(arg) {
                    model::RecvArg::Match(value)
                } else {
                    let nowhere = scalar_place(Base::Nowhere, 0, Scalar::I32);
                    model::RecvArg::Store(self.add_place(nowhere))
                }
            })
            .collect();
        self.event(true, channel, args)
    }

    fn is_mtype_constant(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Mtype(_) => true,
            ExprKind::Var(var) => {
                let name = &var.parts[0].name.name;
                self.lookup(name).is_none() && self.mtype_values.contains_key(name)
            }
            _ => false,
        }
    }

    fn event(&mut self, send: bool, channel: &VarRef, args: Vec<model::RecvArg>) -> PendingNode {
        let Some(channel) = self.channel_place(channel) else {
            return PendingNode::Plain(Node::Skip);
        };
        self.events.push(model::Event {
            send,
            channel,
            args,
        });
        let row = self.events.len() as u32 - 1;
        PendingNode::Plain(Node::Basic(Action::Event(row)))
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
            Some((spec, value)) => Action::Run(spec, None, value),
            None => Action::Guard(self.expr(expr)),
        };
        PendingNode::Plain(Node::Basic(action))
    }

    fn assignment(&mut self, var: &VarRef, expr: &ast::Expr) -> PendingNode {
        self.refuse_predefined(var);
        self.refuse_channel_arithmetic(var, expr);
        let run = self.lower_run(expr);
        let value = match &run {
            Some((_, value)) => *value,
            None => self.expr(expr),
        };
        let Some(place) = self.assignable(var) else {
            return PendingNode::Plain(Node::Skip);
        };
        PendingNode::Plain(Node::Basic(match run {
            Some((spec, value)) => Action::Run(spec, Some(place), value),
            None => Action::Assign(place, value),
        }))
    }

    /// A channel can be copied, but it is not a number.
    fn refuse_channel_arithmetic(&mut self, var: &VarRef, expr: &ast::Expr) {
        let to_channel = self.names_channel(var);
        match &expr.kind {
            ExprKind::Number(_) if to_channel => {
                self.error_at(expr.span, "a number cannot be assigned to a channel");
            }
            ExprKind::Unary(_, _) | ExprKind::Binary(..) | ExprKind::Cond(..) => {
                let mut pending = vec![expr];
                while let Some(at) = pending.pop() {
                    match &at.kind {
                        ExprKind::Unary(_, a) => pending.push(a),
                        ExprKind::Binary(_, a, b) => pending.extend([b.as_ref(), a.as_ref()]),
                        ExprKind::Cond(c, a, b) => {
                            pending.extend([b.as_ref(), a.as_ref(), c.as_ref()]);
                        }
                        ExprKind::Var(var) if self.names_channel(var) => {
                            self.diagnostics.push(
                                Diagnostic::error(var.span, "a channel is not a number").help(
                                    "a channel can be assigned, compared in a condition, passed \
                                     and sent, but not calculated with",
                                ),
                            );
                            return;
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn names_channel(&self, var: &VarRef) -> bool {
        let [part] = var.parts.as_slice() else {
            return false;
        };
        let symbol = self.lookup(&part.name.name);
        symbol.is_some_and(|(_, s)| matches!(s.ty, Ty::Scalar(_, Display::Channel)))
    }

    fn assignable(&mut self, var: &VarRef) -> Option<model::PlaceId> {
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

    /// Take a `run` out of an expression: what to start, and the expression around it.
    fn lower_run(&mut self, expr: &ast::Expr) -> Option<(RunSpec, model::ExprId)> {
        let run = find_run(expr)?;
        let ExprKind::Run {
            name,
            args,
            priority,
        } = &run.kind
        else {
            return None;
        };
        let spec = self.run_spec(run.span, name, args, priority.as_deref());
        self.run_result = Some(run.span);
        let value = self.expr(expr);
        self.run_result = None;
        Some((spec?, value))
    }

    fn run_spec(
        &mut self,
        span: Span,
        name: &Ident,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
    ) -> Option<RunSpec> {
        let args = self.value_args(args);
        let priority = self.priority(priority);
        let Some(&proctype) = self.proctype_ids.get(&name.name) else {
            self.undeclared_proctype(name);
            return None;
        };
        // Parameters may be declared later in the text: counted when all is known.
        self.runs.push((span, proctype, args.len()));
        Some(RunSpec {
            proctype,
            args,
            priority,
        })
    }

    pub(super) fn priority(&mut self, priority: Option<&ast::Expr>) -> u8 {
        let Some(priority) = priority else { return 1 };
        self.priority_at.get_or_insert(priority.span);
        match self.constant(priority) {
            Some(value @ 1..=255) => value as u8,
            Some(0) => 1,
            _ => {
                self.error_at(priority.span, "a priority must be a number from 1 to 255");
                1
            }
        }
    }

    fn site(&mut self, span: Span, text: Span) -> SiteId {
        let location = self.locate(span);
        let text = self.text(text);
        self.model.sites.push(model::Site { location, text });
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
                let message = format!("`{name}` cannot take two fields of one message");
                self.diagnostics.push(Diagnostic::error(var.span, message));
                return;
            }
            seen.push(name);
        }
    }

    pub(super) fn enter_loop(&mut self) -> u32 {
        let number = self.flow.breaks.len() as u32;
        self.flow.breaks.push(None);
        self.loops.push(number);
        number
    }

    /// A basic element in the current sequence.
    fn emit(&mut self, node: Node, span: Span, text: String) -> ElementId {
        let id = self.element(node, span, text);
        self.flow.append(id, self.current());
        id
    }

    /// `i = a; do :: i <= b -> body; i++ :: else -> break od`, the assignment in the
    /// sequence around the loop.
    fn for_loop(
        &mut self,
        span: Span,
        var: &VarRef,
        range: &ForRange,
        body: &Block,
    ) -> PendingNode {
        self.at_head = false;
        let number = self.enter_loop();
        let Some(plan) = self.for_plan(span, var, range) else {
            self.loops.pop();
            return PendingNode::Plain(Node::Skip);
        };
        self.emit(Node::Basic(plan.start), span, plan.start_text);
        let main = self.flow.open();
        self.sequences.push(main);
        self.emit(Node::Basic(plan.test), span, plan.test_text);
        for (action, text) in plan.fetch {
            self.emit(Node::Basic(action), span, text);
        }
        self.enter_scope();
        for step in &body.steps {
            self.step(step);
        }
        self.leave_scope();
        self.emit(Node::Basic(plan.increment), span, plan.increment_text);
        self.sequences.pop();
        self.flow.close(main);
        let leave = self.sequence(Holder::Loop, |this| {
            this.emit(Node::Else, span, "else".to_owned());
            let node = Node::Jump(Jump::Break(number));
            this.emit(node, span, "break".to_owned());
        });
        self.loops.pop();
        PendingNode::Do(vec![leave, main], number)
    }

    fn for_plan(&mut self, span: Span, var: &VarRef, range: &ForRange) -> Option<ForPlan> {
        let name = self.text(var.span);
        match range {
            ForRange::Range(from, to) => {
                self.check_index_variable(var);
                self.check_range(from, to);
                let place = self.assignable(var)?;
                let from_value = self.expr(from);
                let to_value = self.expr(to);
                let (from, to) = (self.text(from.span), self.text(to.span));
                Some(self.counting_plan(&name, place, (from_value, from), (to_value, to)))
            }
            ForRange::In(over) => {
                let (_, symbol) = self.lookup(&over.parts[0].name.name).or_else(|| {
                    self.undeclared(&over.parts[0].name);
                    None
                })?;
                let symbol = self.final_symbol(symbol, over)?;
                let indexed = over.parts.last().is_some_and(|part| part.index.is_some());
                if let (Some(count), false) = (symbol.count, indexed) {
                    self.check_index_variable(var);
                    let place = self.assignable(var)?;
                    let last = self.constant_expr(count as i32 - 1);
                    let zero = self.constant_expr(0);
                    let to = (last, (count - 1).to_string());
                    return Some(self.counting_plan(&name, place, (zero, "0".to_owned()), to));
                }
                self.channel_plan(span, var, over, &symbol)
            }
        }
    }

    /// The symbol of the last part of a reference.
    fn final_symbol(&mut self, mut symbol: Symbol, var: &VarRef) -> Option<Symbol> {
        for part in &var.parts[1..] {
            let Ty::Struct(id) = symbol.ty else {
                return None;
            };
            let fields = &self.structs[id.0].fields;
            symbol = fields.iter().find(|f| f.name == part.name.name)?.clone();
        }
        Some(symbol)
    }

    fn check_index_variable(&mut self, var: &VarRef) {
        let symbol = self.lookup(&var.parts[0].name.name);
        let bad = var.parts.len() == 1
            && symbol.is_some_and(|(_, symbol)| {
                symbol.count.is_some()
                    || !matches!(symbol.ty, Ty::Scalar(_, d) if d != Display::Channel)
            });
        if bad {
            self.error_at(
                var.span,
                "the index of a loop must be a plain number variable",
            );
        }
    }

    fn check_range(&mut self, from: &ast::Expr, to: &ast::Expr) {
        if let (ExprKind::Number(a), ExprKind::Number(b)) = (&from.kind, &to.kind)
            && a > b
        {
            self.error_at(
                from.span.to(to.span),
                "the range is empty: it starts above its end",
            );
        }
    }

    fn counting_plan(
        &mut self,
        name: &str,
        place: model::PlaceId,
        (from, from_text): (model::ExprId, String),
        (to, to_text): (model::ExprId, String),
    ) -> ForPlan {
        let value = self.add(Expr::Load(place));
        let test = self.add(Expr::Binary(model::BinaryOp::Le, value, to));
        let one = self.constant_expr(1);
        let more = self.add(Expr::Binary(model::BinaryOp::Add, value, one));
        ForPlan {
            start: Action::Assign(place, from),
            start_text: format!("{name} = {from_text}"),
            test: Action::Guard(test),
            test_text: format!("{name} <= {to_text}"),
            fetch: Vec::new(),
            increment: Action::Assign(place, more),
            increment_text: format!("{name}++"),
        }
    }

    /// A loop over the messages of a channel: each is received and sent again.
    fn channel_plan(
        &mut self,
        span: Span,
        var: &VarRef,
        over: &VarRef,
        symbol: &Symbol,
    ) -> Option<ForPlan> {
        let buffered = symbol
            .channel
            .filter(|&ty| self.model.channel_type(ty).capacity > 0);
        let Some(ty) = buffered else {
            self.diagnostics.push(
                Diagnostic::error(over.span, "for ... in needs an array or a buffered channel")
                    .help("a channel must be declared with its capacity where it can be seen"),
            );
            return None;
        };
        let Some(Target::Struct(places)) = self.reference(var) else {
            self.error_at(
                var.span,
                "the variable of a loop over a channel must be a structure of the message's type",
            );
            return None;
        };
        let channel = self.channel_place(over)?;
        let wide = self.model.channel_type(ty).capacity > 255;
        let scalar = if wide { Scalar::I16 } else { Scalar::U8 };
        let counter = self.synthetic_local(span, scalar);
        let zero = self.constant_expr(0);
        let one = self.constant_expr(1);
        let value = self.add(Expr::Load(counter));
        let len = self.add(Expr::Channel(model::ChannelTest::Len, channel));
        let test = self.add(Expr::Binary(model::BinaryOp::Lt, value, len));
        let more = self.add(Expr::Binary(model::BinaryOp::Add, value, one));
        let stores = places.iter().map(|&(p, _)| model::RecvArg::Store(p));
        let receive = Action::Receive {
            channel,
            random: false,
            peek: false,
            args: stores.collect(),
        };
        let args = places
            .iter()
            .map(|&(p, _)| self.add(Expr::Load(p)))
            .collect();
        let send = Action::Send {
            channel,
            sorted: false,
            args,
        };
        let (name, over) = (self.text(var.span), self.text(over.span));
        Some(ForPlan {
            start: Action::Assign(counter, zero),
            start_text: format!("start of the loop over {over}"),
            test: Action::Guard(test),
            test_text: format!("more messages in {over}"),
            fetch: vec![
                (receive, format!("{over}?{name}")),
                (send, format!("{over}!{name}")),
            ],
            increment: Action::Assign(counter, more),
            increment_text: format!("next message of {over}"),
        })
    }

    fn select(
        &mut self,
        span: Span,
        var: &VarRef,
        from: &ast::Expr,
        to: &ast::Expr,
        literal: bool,
    ) -> PendingNode {
        self.check_index_variable(var);
        self.check_range(from, to);
        let name = self.text(var.span);
        let Some(place) = self.assignable(var) else {
            return PendingNode::Plain(Node::Skip);
        };
        if literal && let (Some(a), Some(b)) = (self.constant(from), self.constant(to)) {
            let options = (a..=b)
                .map(|value| {
                    self.sequence(Holder::Option, |this| {
                        let expr = this.constant_expr(value);
                        let node = Node::Basic(Action::Assign(place, expr));
                        this.emit(node, span, format!("{name} = {value}"));
                    })
                })
                .collect();
            return PendingNode::If(options);
        }
        let from_value = self.expr(from);
        let to_value = self.expr(to);
        let start = Node::Basic(Action::Assign(place, from_value));
        let start_text = format!("{name} = {}", self.text(from.span));
        self.emit(start, span, start_text);
        let value = self.add(Expr::Load(place));
        let test = self.add(Expr::Binary(model::BinaryOp::Lt, value, to_value));
        let one = self.constant_expr(1);
        let more = self.add(Expr::Binary(model::BinaryOp::Add, value, one));
        let test_text = format!("{name} < {}", self.text(to.span));
        let grow = self.sequence(Holder::Loop, |this| {
            this.emit(Node::Basic(Action::Guard(test)), span, test_text);
            let node = Node::Basic(Action::Assign(place, more));
            this.emit(node, span, format!("{name}++"));
        });
        let number = self.enter_loop();
        let stop = self.sequence(Holder::Loop, |this| {
            let node = Node::Jump(Jump::Break(number));
            this.emit(node, span, "break".to_owned());
        });
        self.loops.pop();
        // Far literals grow first, any other bounds stop first.
        let literals = matches!(from.kind, ExprKind::Number(_))
            && matches!(to.kind, ExprKind::Number(_))
            && self.is_plain_name(var);
        let options = if literals && !self.in_inline(span) {
            vec![grow, stop]
        } else {
            vec![stop, grow]
        };
        PendingNode::Do(options, number)
    }

    fn is_plain_name(&self, var: &VarRef) -> bool {
        matches!(var.parts.as_slice(), [part]
            if part.index.is_none() && part.name.name.chars().all(|c| c.is_ascii_alphanumeric()))
    }

    fn in_inline(&self, span: Span) -> bool {
        self.sources
            .expansion(span.expansion)
            .is_some_and(|e| e.kind == crate::source::ExpansionKind::Inline)
    }

    fn unless(&mut self, unless: &Unless) -> Pending {
        let main = self.stmt(&unless.main);
        let escape = self.stmt(&unless.escape);
        let escape_seq = match escape.node {
            PendingNode::Block(id) if escape.labels.is_empty() => id,
            _ => self.sequence(Holder::Escape, |this| this.add_pending(escape)),
        };
        let (span, text) = (unless.span, self.text(unless.span));
        let wrap = |node| Pending {
            node,
            labels: Vec::new(),
            span,
            text: text.clone(),
        };
        match main.node {
            PendingNode::Block(id) if main.labels.is_empty() => {
                wrap(PendingNode::Unless(id, escape_seq))
            }
            // A label before a block is lifted out: it names the whole statement.
            PendingNode::Block(id) | PendingNode::Atomic(id) | PendingNode::DStep(id)
                if !main.labels.is_empty() =>
            {
                let inner = wrap(PendingNode::Unless(id, escape_seq));
                let outer = self.sequence(Holder::Loop, |this| this.add_pending(inner));
                let node = match main.node {
                    PendingNode::Atomic(_) => PendingNode::Atomic(outer),
                    PendingNode::DStep(_) => PendingNode::DStep(outer),
                    _ => PendingNode::Block(outer),
                };
                Pending {
                    labels: main.labels,
                    ..wrap(node)
                }
            }
            _ => {
                let id = self.sequence(Holder::Main, |this| this.add_pending(main));
                wrap(PendingNode::Unless(id, escape_seq))
            }
        }
    }

    /// Make the element of a statement and append it to the current sequence.
    fn add_pending(&mut self, pending: Pending) {
        let Pending {
            node,
            labels,
            span,
            text,
        } = pending;
        let current = self.current();
        match node {
            PendingNode::If(options) => {
                self.add_choice(Node::If, options, None, labels, span, text);
            }
            PendingNode::Do(options, number) => {
                self.add_choice(Node::Do, options, Some(number), labels, span, text);
            }
            PendingNode::Unless(main, escape) => {
                let id = self.element(Node::Unless, span, text);
                let join = self.element(Node::Join, span, "join".to_owned());
                self.flow.element_mut(id).sub = vec![main, escape];
                self.flow.append(join, main);
                self.flow.append(join, escape);
                self.flow.attach_escape(main, escape);
                self.set_labels(labels, id);
                self.flow.append(id, current);
                self.flow.append(join, current);
            }
            PendingNode::Atomic(inner) => {
                self.add_holder(Node::Atomic, inner, labels, span, text);
            }
            PendingNode::DStep(inner) => self.add_holder(Node::DStep, inner, labels, span, text),
            PendingNode::Block(inner) => self.add_holder(Node::Block, inner, labels, span, text),
            PendingNode::Plain(node) => {
                let jumps = matches!(node, Node::Jump(_));
                let id = self.element(node, span, text);
                self.set_labels(labels, id);
                if jumps {
                    self.keep_special_label(id, current);
                }
                self.flow.append(id, current);
            }
        }
    }

    /// A jump is not a state: an end, accept or progress label on it needs a step of its own.
    fn keep_special_label(&mut self, jump: ElementId, current: SequenceId) {
        let marked = self
            .flow
            .labels
            .iter()
            .any(|label| label.element == jump && label.is_special());
        if !marked {
            return;
        }
        let span = self.flow.element(jump).span;
        let skip = self.element(Node::Skip, span, "skip".to_owned());
        if let Some(label) = self
            .flow
            .labels
            .iter_mut()
            .rev()
            .find(|label| label.element == jump)
        {
            label.element = skip;
        }
        self.flow.append(skip, current);
    }

    fn add_holder(
        &mut self,
        node: Node,
        inner: SequenceId,
        labels: Vec<Ident>,
        span: Span,
        text: String,
    ) {
        let id = self.element(node, span, text);
        self.flow.element_mut(id).inner = Some(inner);
        self.set_labels(labels, id);
        self.flow.append(id, self.current());
    }

    fn add_choice(
        &mut self,
        node: Node,
        options: Vec<SequenceId>,
        number: Option<u32>,
        labels: Vec<Ident>,
        span: Span,
        text: String,
    ) {
        let current = self.current();
        let id = self.element(node, span, text);
        let join = self.element(Node::Join, span, "join".to_owned());
        let options = self.else_last(options);
        for &option in &options {
            self.flow.append(join, option);
        }
        self.flow.element_mut(id).sub = options;
        match number {
            Some(number) => {
                self.flow.append(join, current);
                let leave = self.element(Node::Break, span, "break".to_owned());
                self.flow.breaks[number as usize] = Some(leave);
                self.set_labels(labels, id);
                self.flow.append(id, current);
                self.flow.append(leave, current);
            }
            None => {
                self.set_labels(labels, id);
                self.flow.append(id, current);
                self.flow.append(join, current);
            }
        }
    }

    /// `else` may stand anywhere; it is tried last.
    fn else_last(&mut self, options: Vec<SequenceId>) -> Vec<SequenceId> {
        let is_else = |this: &Self, id: SequenceId| {
            let first = this.flow.sequence(id).first;
            first.is_some_and(|first| matches!(this.flow.element(first).node, Node::Else))
        };
        let (elses, mut others): (Vec<_>, Vec<_>) =
            options.into_iter().partition(|&id| is_else(self, id));
        if let [_, second, ..] = elses[..]
            && let Some(first) = self.flow.sequence(second).first
        {
            let span = self.flow.element(first).span;
            self.error_at(span, "a choice can have only one else");
        }
        others.extend(elses.into_iter().take(1));
        others
    }

    fn set_labels(&mut self, labels: Vec<Ident>, element: ElementId) {
        // The innermost label first, as Spin's parser meets them on its way out.
        for label in labels.into_iter().rev() {
            let known = self
                .flow
                .labels
                .iter()
                .find(|known| known.name == label.name && known.scope == self.scope);
            if let Some(known) = known {
                let first = known.span;
                self.diagnostics.push(
                    Diagnostic::error(
                        label.span,
                        format!("label `{}` is declared twice", label.name),
                    )
                    .note(first, "first declared here"),
                );
            }
            self.flow.labels.push(Label {
                name: label.name,
                scope: self.scope.clone(),
                element,
                span: label.span,
            });
        }
    }

    fn element(&mut self, node: Node, span: Span, text: String) -> ElementId {
        let number = self.flow.next_number;
        self.flow.next_number += 1;
        let unique = self.next_unique;
        self.next_unique += 1;
        self.flow.elements.push(Element {
            node,
            number,
            unique,
            next: None,
            sub: Vec::new(),
            inner: None,
            escapes: Vec::new(),
            atomic: false,
            last_atomic: false,
            dstep: false,
            dropped: false,
            span,
            location: self.locate(span),
            text,
        });
        ElementId(self.flow.elements.len() as u32 - 1)
    }

    /// Variables of a body. At its head they cost nothing; anywhere else each is a step.
    fn local_decl(&mut self, decl: &Decl) {
        let at_head = self.at_head;
        for var in &decl.vars {
            if self.is_redeclared(&var.name) {
                continue;
            }
            if decl.visibility == Some(ast::Visibility::Hidden) {
                self.error(&var.name, "only a global variable can be hidden");
                continue;
            }
            let mid_body = (!at_head).then_some(());
            let Some(symbol) = self.symbol(decl, var, mid_body) else {
                continue;
            };
            let (offset, ty, array) = (self.frame_size, symbol.ty.clone(), symbol.count.is_some());
            // The fields of a structure get their first values with the process.
            let initialise = at_head || matches!(ty, Ty::Struct(_));
            self.declare_local(symbol, initialise);
            if at_head {
                continue;
            }
            let text = format!("{} = 0", var.name.name);
            let node = match (ty, &var.init) {
                (Ty::Scalar(scalar, _), Some(VarInit::Expr(expr))) => {
                    let value = self.expr(expr);
                    let place = self.add_place(scalar_place(Base::Frame, offset, scalar));
                    Node::Basic(Action::Assign(place, value))
                }
                (Ty::Scalar(scalar, _), _) => {
                    let place = self.add_place(scalar_place(Base::Frame, offset, scalar));
                    let zero = self.constant_expr(0);
                    Node::Basic(Action::Assign(place, zero))
                }
                // A structure costs a step that does nothing.
                (Ty::Struct(_), _) => {
                    let nowhere = self.add_place(scalar_place(Base::Nowhere, 0, Scalar::I32));
                    let zero = self.constant_expr(0);
                    Node::Basic(Action::Assign(nowhere, zero))
                }
            };
            let text = match (&var.init, array) {
                (Some(VarInit::Expr(_)), false) => self.text(var.span),
                _ => text,
            };
            self.emit(node, var.span, text);
        }
    }

    fn is_redeclared(&mut self, name: &Ident) -> bool {
        let known = self.lookup(&name.name).map(|(_, symbol)| symbol.span);
        if let Some(first) = known {
            self.diagnostics.push(
                Diagnostic::error(name.span, format!("`{}` is declared twice", name.name))
                    .note(first, "first declared here")
                    .help("a name that is visible here cannot be declared again: choose another"),
            );
        }
        known.is_some()
    }

    /// Give a local variable its place in the frame.
    pub(super) fn declare_local(&mut self, mut symbol: Symbol, initialise: bool) {
        symbol.offset = self.frame_size;
        self.frame_size += self.size_of(&symbol);
        if initialise {
            let inits: Vec<FirstValue> = symbol
                .inits
                .iter()
                .map(|init| init.shifted(symbol.offset))
                .collect();
            self.local_inits.extend(inits);
        }
        self.locals.push((self.scope.clone(), symbol));
    }

    /// A counter of our own.
    fn synthetic_local(&mut self, span: Span, scalar: Scalar) -> model::PlaceId {
        let offset = self.frame_size;
        self.declare_local(
            Symbol {
                name: format!("{}{}", super::SYNTHETIC, self.locals.len()),
                span,
                offset,
                count: None,
                ty: Ty::Scalar(scalar, Display::Number),
                inits: Vec::new(),
                channel: None,
                constant: None,
            },
            false,
        );
        self.add_place(scalar_place(Base::Frame, offset, scalar))
    }
}

/// The pieces of a `for`.
struct ForPlan {
    start: Action,
    start_text: String,
    test: Action,
    test_text: String,
    fetch: Vec<(Action, String)>,
    increment: Action,
    increment_text: String,
}

/// The first `run` inside an expression.
pub(super) fn find_run(expr: &ast::Expr) -> Option<&ast::Expr> {
    let mut pending = vec![expr];
    while let Some(at) = pending.pop() {
        match &at.kind {
            ExprKind::Run { .. } => return Some(at),
            ExprKind::Unary(_, a) => pending.push(a),
            ExprKind::Binary(_, a, b) => pending.extend([b.as_ref(), a.as_ref()]),
            ExprKind::Cond(c, a, b) => pending.extend([b.as_ref(), a.as_ref(), c.as_ref()]),
            _ => {}
        }
    }
    None
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
