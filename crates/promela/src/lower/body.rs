//! Bodies: sequences of statements become the elements of a [`super::flow::Flow`].
//!
//! The order in which elements are made is Spin's: see [`super::flow`].

use super::Lowerer;
use super::flow::{Element, ElementId, Node, SequenceId};
use super::label::Label;
use crate::ast::{Block, Ident, Step, Unless};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A statement whose inner sequences are made, but not yet the element itself.
pub(super) struct Pending {
    pub(super) node: PendingNode,
    pub(super) labels: Vec<Ident>,
    pub(super) span: Span,
    pub(super) text: String,
}

/// What it will be.
pub(super) enum PendingNode {
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
pub(super) enum Holder {
    Escape,
    Main,
    Atomic,
    DStep,
    Block,
    Option,
    Loop,
}

/// The most control states of a proctype: they are kept in two bytes.
const MOST_STATES: u32 = 65_000;

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

    pub(super) fn step(&mut self, step: &Step) {
        space::cancel::poll();
        if self.flow.next_number > MOST_STATES {
            self.too_long();
            return;
        }
        match step {
            Step::Decl(decl) => {
                if let Some(var) = decl.vars.first() {
                    self.refuse_in_claim(var.span, "a local variable");
                }
                self.local_decl(decl);
            }
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

    /// Report once that a body has too many statements.
    fn too_long(&mut self) {
        let Some(last) = self.flow.elements.last() else {
            return;
        };
        let message = "this body has too many statements";
        let span = last.span;
        if !self.diagnostics.iter().any(|d| d.message == message) {
            self.diagnostics
                .push(Diagnostic::error(span, message).help(format!(
                    "a proctype can have at most {MOST_STATES} control states"
                )));
        }
    }

    fn current(&self) -> SequenceId {
        *self
            .sequences
            .last()
            .expect("statements are only read inside a body")
    }

    /// A sequence of its own: open, fill, close.
    pub(super) fn sequence(&mut self, holder: Holder, fill: impl FnOnce(&mut Self)) -> SequenceId {
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
        let Some(label) = self.flow.labels.of(first).next() else {
            return;
        };
        let advice = match holder {
            Holder::Escape => "a goto cannot target the guard of an escape",
            Holder::Main => "write Label: { statement unless statement }",
            Holder::Atomic => "write Label: atomic { ... }",
            Holder::DStep => "write Label: d_step { ... }",
            Holder::Block => "write Label: { ... }",
            // Spin only warns here, and nothing can jump to the label.
            Holder::Option | Holder::Loop => return,
        };
        let message = format!("label `{}` does not mark a control state", label.name);
        self.diagnostics
            .push(Diagnostic::error(label.span, message).help(advice));
    }

    pub(super) fn block(&mut self, block: &Block, holder: Holder) -> SequenceId {
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
    pub(super) fn option(&mut self, block: &Block) -> SequenceId {
        self.sequence(Holder::Option, |this| {
            for step in &block.steps {
                this.step(step);
            }
        })
    }

    /// A basic element in the current sequence.
    pub(super) fn emit(&mut self, node: Node, span: Span, text: String) -> ElementId {
        let id = self.element(node, span, text);
        self.flow.append(id, self.current());
        id
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
        let marked = self.flow.labels.of(jump).any(Label::is_special);
        if !marked {
            return;
        }
        let span = self.flow.element(jump).span;
        let skip = self.element(Node::Skip, span, "skip".to_owned());
        self.flow.labels.move_newest(jump, skip);
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
            self.error_at(span, "an if or do can have only one else");
        }
        others.extend(elses.into_iter().take(1));
        others
    }

    fn set_labels(&mut self, labels: Vec<Ident>, element: ElementId) {
        // The innermost label first, as Spin's parser meets them on its way out.
        for label in labels.into_iter().rev() {
            let known = {
                let mut same = self.flow.labels.named(&label.name);
                same.find(|known| known.scope == self.scope)
                    .map(|known| known.span)
            };
            if let Some(first) = known {
                self.diagnostics.push(
                    Diagnostic::error(
                        label.span,
                        format!("label `{}` is declared twice", label.name),
                    )
                    .note(first, "first declared here"),
                );
            }
            self.flow.labels.add(Label {
                name: label.name,
                scope: self.scope.clone(),
                element,
                span: label.span,
            });
        }
    }

    pub(super) fn element(&mut self, node: Node, span: Span, text: String) -> ElementId {
        let number = self.flow.next_number;
        self.flow.next_number += 1;
        let unique = self.next_unique;
        self.next_unique += 1;
        let call = self.call(span);
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
            span,
            location: self.locate(span),
            call,
            text,
        });
        ElementId(self.flow.elements.len() as u32 - 1)
    }
}
