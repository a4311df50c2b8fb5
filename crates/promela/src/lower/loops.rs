//! `for` and `select`, written out as the loops they stand for.

use model::{Action, Display, Expr, Scalar};

use super::Lowerer;
use super::body::{Holder, PendingNode};
use super::expr::Target;
use super::flow::{Jump, Node};
use super::types::{Symbol, Ty};
use crate::ast::{self, Block, ExprKind, ForRange, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Lowerer<'_> {
    pub(super) fn enter_loop(&mut self) -> u32 {
        let number = self.flow.breaks.len() as u32;
        self.flow.breaks.push(None);
        self.loops.push(number);
        number
    }

    /// `i = a; do :: i <= b -> body; i++ :: else -> break od`, the assignment in the
    /// sequence around the loop.
    pub(super) fn for_loop(
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
            symbol = self.structs[id.0].field(&part.name.name)?.clone();
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
            self.error_at(var.span, "the loop variable must be a scalar number");
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
                    .help("the declaration of the channel must state its capacity"),
            );
            return None;
        };
        let Some(Target::Struct(places)) = self.reference(var) else {
            self.error_at(
                var.span,
                "the variable of a loop over a channel must be a structure of the message type",
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

    pub(super) fn select(
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
