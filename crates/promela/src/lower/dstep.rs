//! From the control flow of a `d_step` to straight code with jumps.
//!
//! Departs: where the first statement of an option is a choice of its own and all its
//! options block, the next outer option is tried, as everywhere else in the language;
//! Spin's verifier ends the search there.

use std::collections::HashMap;

use model::{Action, DStep, DStepOp};

use super::flow::{ElementId, Flow, Node, SequenceId};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Turns a d_step into straight code.
pub(super) struct DStepCompiler<'a> {
    flow: &'a Flow,
    ops: Vec<DStepOp>,
    /// Where the code of an element starts, together with what to do if it blocks.
    known: HashMap<(ElementId, Option<u32>), u32>,
    /// Code still to be made: element, what to do if it blocks, and the jump to patch.
    todo: Vec<(ElementId, Option<u32>, u32)>,
    diagnostics: &'a mut Vec<Diagnostic>,
    span: Span,
}

impl<'a> DStepCompiler<'a> {
    pub(super) fn compile(
        flow: &'a Flow,
        sequence: SequenceId,
        span: Span,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> DStep {
        let mut compiler = DStepCompiler {
            flow,
            ops: Vec::new(),
            known: HashMap::new(),
            todo: Vec::new(),
            diagnostics,
            span,
        };
        let Some(first) = flow.sequence(sequence).first else {
            return DStep::default();
        };
        let mut guards = Vec::new();
        compiler.guards(first, true, &mut guards);
        compiler.jump_to(first, None);
        while let Some((element, otherwise, patch)) = compiler.todo.pop() {
            let at = compiler.code_for(element, otherwise);
            compiler.ops[patch as usize] = DStepOp::Jump(at);
        }
        DStep {
            guards,
            ops: compiler.ops,
        }
    }

    /// The statements that decide whether the sequence can start.
    fn guards(&mut self, id: ElementId, outermost: bool, guards: &mut Vec<Action>) {
        let element = self.flow.element(id);
        match &element.node {
            Node::If | Node::Do => {
                for &option in &element.sub {
                    if let Some(first) = self.flow.sequence(option).first {
                        self.guards(first, false, guards);
                    }
                }
            }
            Node::Atomic | Node::Block | Node::DStep => {
                let inner = element
                    .inner
                    .and_then(|inner| self.flow.sequence(inner).first);
                if let Some(first) = inner {
                    self.guards(first, outermost, guards);
                }
            }
            Node::Join => {
                if let Some(next) = element.next {
                    self.guards(next, outermost, guards);
                }
            }
            Node::Never => guards.push(never()),
            // The else of a choice is executable whenever the choice is reached.
            Node::Else if outermost => guards.push(Action::Else),
            Node::Basic(action) => guards.push(action.clone()),
            _ => guards.push(Action::Skip),
        }
    }

    fn push(&mut self, op: DStepOp) -> u32 {
        self.ops.push(op);
        self.ops.len() as u32 - 1
    }

    /// A jump to an element's code, which may not exist yet.
    fn jump_to(&mut self, element: ElementId, otherwise: Option<u32>) -> u32 {
        let at = self.push(DStepOp::Blocked);
        self.todo.push((element, otherwise, at));
        at
    }

    fn jump_on(&mut self, next: Option<ElementId>) {
        match next {
            Some(next) => {
                self.jump_to(next, None);
            }
            None => {
                self.push(DStepOp::Done);
            }
        }
    }

    /// The code of an element; made once for each way of entering it.
    fn code_for(&mut self, id: ElementId, otherwise: Option<u32>) -> u32 {
        space::cancel::poll();
        if let Some(&at) = self.known.get(&(id, otherwise)) {
            return at;
        }
        let start = self.ops.len() as u32;
        self.known.insert((id, otherwise), start);
        let element = self.flow.element(id);
        if !element.dstep {
            self.push(DStepOp::Done);
            return start;
        }
        match &element.node {
            Node::If | Node::Do => {
                let mut patches = Vec::new();
                for &option in &element.sub {
                    if let Some(first) = self.flow.sequence(option).first {
                        patches.push((first, self.push(DStepOp::Blocked)));
                    }
                }
                let last = match otherwise {
                    Some(to) => self.push(DStepOp::Jump(to)),
                    None => self.push(DStepOp::Blocked),
                };
                for (i, &(first, patch)) in patches.iter().enumerate() {
                    let next = patches.get(i + 1).map_or(last, |&(_, next)| next);
                    self.todo.push((first, Some(next), patch));
                }
            }
            Node::Atomic | Node::Block | Node::DStep => {
                match element
                    .inner
                    .and_then(|inner| self.flow.sequence(inner).first)
                {
                    Some(first) => {
                        self.jump_to(first, otherwise);
                    }
                    None => self.jump_on(element.next),
                }
            }
            Node::Join => match element.next {
                Some(next) => {
                    self.jump_to(next, otherwise);
                }
                None => {
                    self.push(DStepOp::Done);
                }
            },
            Node::Break | Node::Else | Node::Skip => self.jump_on(element.next),
            Node::Jump(jump) => {
                let to = self.flow.destination(jump);
                self.jump_on(to);
            }
            Node::Never => self.execute(never(), otherwise, element.location, element.next),
            Node::Basic(action) => {
                self.refuse_run(action, element.span);
                self.execute(action.clone(), otherwise, element.location, element.next);
            }
            Node::Unless => {
                let span = element.span;
                self.diagnostics.push(
                    Diagnostic::error(span, "unless inside a d_step")
                        .help("use atomic instead of d_step, or move the unless outside"),
                );
                self.push(DStepOp::Done);
            }
            Node::Stop => {
                self.push(DStepOp::Done);
            }
        }
        start
    }

    fn execute(
        &mut self,
        action: Action,
        otherwise: Option<u32>,
        location: model::Location,
        next: Option<ElementId>,
    ) {
        self.push(DStepOp::Do {
            action,
            otherwise,
            location,
        });
        self.jump_on(next);
    }

    fn refuse_run(&mut self, action: &Action, span: Span) {
        if matches!(action, Action::Run(..)) {
            self.diagnostics.push(
                Diagnostic::error(span, "run inside a d_step")
                    .note(self.span, "the d_step")
                    .help("use atomic instead of d_step"),
            );
        }
    }
}

/// An action that is never executable.
pub(super) fn never() -> Action {
    Action::Guard(super::FALSE)
}
