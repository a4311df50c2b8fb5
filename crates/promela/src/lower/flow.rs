//! The control flow of one body, as elements linked into sequences.
//!
//! Follows: the structure that Spin's parser builds (its `Element` and `Sequence`), because
//! the numbers of elements are visible to users: they are the control states of the state
//! vector (and so decide what is a state), the states in the report of unreached code, and
//! the statement numbers in trail files. Elements are therefore made in Spin's order:
//! inner sequences before the statement that holds them.

use model::{Action, CallId, Location};

use super::label::{Labels, ScopePath};
use crate::source::Span;

/// An element of a [`Flow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ElementId(pub(super) u32);

/// A sequence of a [`Flow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SequenceId(pub(super) u32);

/// Where a jump goes.
#[derive(Clone, Debug)]
pub(super) enum Jump {
    /// To a label.
    Label(String, ScopePath),
    /// Out of the loop with this number.
    Break(u32),
}

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A choice; the options are the sub-sequences.
    If,
    /// A repeated choice.
    Do,
    /// A main sequence and its escape, as sub-sequences.
    Unless,
    /// Sequences in a sequence.
    Atomic,
    /// A deterministic sequence.
    DStep,
    /// A block.
    Block,
    /// `goto` and `break`.
    Jump(Jump),
    /// Where the loop is left.
    Break,
    /// Where options join.
    Join,
    /// The closing brace of the body.
    Stop,
    /// `else`.
    Else,
    /// `skip`, `true`, `(1)`.
    Skip,
    /// `false`, `(0)`.
    Never,
    /// Any other basic statement.
    Basic(Action),
}

/// One element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) node: Node,
    /// Its number within the body.
    pub(super) number: u32,
    /// Its number within the model.
    pub(super) unique: u32,
    pub(super) next: Option<ElementId>,
    /// Options, or main sequence and escape.
    pub(super) sub: Vec<SequenceId>,
    /// The sequence inside an atomic, d_step or block.
    pub(super) inner: Option<SequenceId>,
    /// Escapes that cover it, the innermost last.
    pub(super) escapes: Vec<SequenceId>,
    /// Inside an atomic and not its last.
    pub(super) atomic: bool,
    /// The last of an atomic.
    pub(super) last_atomic: bool,
    /// Inside a d_step.
    pub(super) dstep: bool,
    pub(super) span: Span,
    pub(super) location: Location,
    pub(super) call: CallId,
    pub(super) text: String,
}

/// A sequence of elements.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    pub(super) first: Option<ElementId>,
    pub(super) last: Option<ElementId>,
    /// The last element as written; `last` may be a join appended later.
    pub(super) extent: Option<ElementId>,
}

/// The control flow of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub(super) elements: Vec<Element>,
    pub(super) sequences: Vec<Sequence>,
    pub(super) labels: Labels,
    /// Where `break` leads, by the number of the loop.
    pub(super) breaks: Vec<Option<ElementId>>,
    /// The whole body.
    pub(super) top: Option<SequenceId>,
    /// The next number; numbers start with 1.
    pub(super) next_number: u32,
}

impl Flow {
    pub(super) fn new() -> Flow {
        Flow {
            next_number: 1,
            ..Flow::default()
        }
    }

    pub(super) fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub(super) fn element_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub(super) fn sequence(&self, id: SequenceId) -> &Sequence {
        &self.sequences[id.0 as usize]
    }

    pub(super) fn open(&mut self) -> SequenceId {
        self.sequences.push(Sequence::default());
        SequenceId(self.sequences.len() as u32 - 1)
    }

    pub(super) fn close(&mut self, id: SequenceId) {
        let sequence = &mut self.sequences[id.0 as usize];
        sequence.extent = sequence.last;
    }

    /// Append an element to a sequence.
    pub(super) fn append(&mut self, element: ElementId, to: SequenceId) {
        let sequence = &mut self.sequences[to.0 as usize];
        match sequence.last {
            None => sequence.first = Some(element),
            Some(last) => self.elements[last.0 as usize].next = Some(element),
        }
        self.sequences[to.0 as usize].last = Some(element);
    }

    /// The elements of a sequence from the first to `end`, following `next`.
    pub(super) fn walk(&self, first: Option<ElementId>, end: Option<ElementId>) -> Vec<ElementId> {
        let mut found = Vec::new();
        let mut at = first;
        while let Some(id) = at {
            found.push(id);
            if Some(id) == end {
                break;
            }
            at = self.element(id).next;
        }
        found
    }

    /// Mark a sequence as atomic (or as a d_step): all its statements, and the last as last.
    pub(super) fn make_atomic(&mut self, id: SequenceId, dstep: bool) {
        let Sequence { first, last, .. } = *self.sequence(id);
        self.mark_atomic(first, last, dstep);
        let Some(last) = last else { return };
        let element = self.element(last);
        match element.node {
            Node::Block | Node::Atomic => {
                if let Some(inner) = element.inner {
                    self.make_atomic(inner, dstep);
                }
            }
            Node::Unless => {
                let main = element.sub[0];
                self.make_atomic(main, dstep);
            }
            _ => {
                let element = self.element_mut(last);
                element.atomic = false;
                element.last_atomic = true;
            }
        }
    }

    fn mark_atomic(&mut self, first: Option<ElementId>, last: Option<ElementId>, dstep: bool) {
        for id in self.walk(first, last) {
            let element = self.element_mut(id);
            element.atomic = true;
            element.dstep |= dstep;
            // An atomic inside an atomic, and any sequence inside a d_step, is just a block.
            let nested = matches!(element.node, Node::Atomic)
                || (dstep && matches!(element.node, Node::DStep));
            if nested {
                element.node = Node::Block;
            }
            if matches!(element.node, Node::Block)
                && let Some(inner) = element.inner
            {
                let Sequence { first, last, .. } = *self.sequence(inner);
                self.mark_atomic(first, last, dstep);
            }
            for sub in self.element(id).sub.clone() {
                let Sequence { first, last, .. } = *self.sequence(sub);
                self.mark_atomic(first, last, dstep);
            }
        }
    }

    /// Let an escape cover all elements of a sequence.
    pub(super) fn attach_escape(&mut self, main: SequenceId, escape: SequenceId) {
        let Sequence { first, extent, .. } = *self.sequence(main);
        for id in self.walk(first, extent) {
            self.cover(id, escape);
        }
    }

    fn cover(&mut self, id: ElementId, escape: SequenceId) {
        let element = self.element(id);
        if element.escapes.contains(&escape) {
            return;
        }
        // Outer escapes also cover the bodies of inner ones.
        for inner in element.escapes.clone() {
            self.attach_escape(inner, escape);
        }
        let element = self.element_mut(id);
        element.escapes.insert(0, escape);
        match element.node {
            Node::Unless => {
                let main = element.sub[0];
                self.attach_escape(main, escape);
            }
            Node::If | Node::Do => {
                for sub in element.sub.clone() {
                    self.attach_escape(sub, escape);
                }
            }
            Node::DStep => {
                // Only the first statement of a d_step can be interrupted.
                if let Some(first) = element.inner.and_then(|inner| self.sequence(inner).first) {
                    self.cover(first, escape);
                }
            }
            Node::Atomic | Node::Block => {
                if let Some(inner) = element.inner {
                    self.attach_escape(inner, escape);
                }
            }
            _ => {}
        }
    }

    /// Drop a `skip` that follows another one (or a print) inside an option, as Spin does.
    /// The first and the last statement of an option stay.
    pub(super) fn drop_redundant_skips(&mut self, option: SequenceId) {
        let Sequence { first, last, .. } = *self.sequence(option);
        let mut run = 0;
        let mut previous: Option<ElementId> = None;
        for id in self.walk(first, last) {
            let element = self.element(id);
            let prints = matches!(
                element.node,
                Node::Basic(Action::Printf(..) | Action::Printm(..))
            );
            let skips = prints || matches!(element.node, Node::Skip);
            if !skips || self.has_label(id) {
                run = 0;
                previous = Some(id);
                continue;
            }
            run += 1;
            let droppable = run > 1 && !prints && Some(id) != first && Some(id) != last;
            if let (true, Some(before)) = (droppable, previous) {
                let next = element.next;
                self.element_mut(before).next = next;
            } else {
                previous = Some(id);
            }
        }
    }

    /// Tie the end of each inner sequence to what follows its statement.
    pub(super) fn tie_loose_ends(&mut self) {
        for row in (0..self.elements.len()).rev() {
            let element = &self.elements[row];
            let (Some(inner), Some(mut next)) = (element.inner, element.next) else {
                continue;
            };
            while let (Node::Join, Some(after)) =
                (&self.element(next).node, self.element(next).next)
            {
                next = after;
            }
            if let Some(last) = self.sequence(inner).last
                && self.element(last).next.is_none()
            {
                self.element_mut(last).next = Some(next);
            }
        }
    }

    pub(super) fn has_label(&self, id: ElementId) -> bool {
        self.labels.of(id).next().is_some()
    }
}
