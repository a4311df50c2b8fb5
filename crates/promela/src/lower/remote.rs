//! References to labels and variables of other processes.

use model::{Base, ControlId, Expr, ExprId, PlaceId, ProctypeId, Scalar};

use super::expr::{ArrayIndex, scalar_place};
use super::flow::{Element, ElementId, Node};
use super::local::Locals;
use super::types::Symbol;
use super::{FALSE, Lowerer};
use crate::ast::{Ident, VarRef};
use crate::diagnostic::Diagnostic;

/// A reference to a label of another process, resolved when all bodies are known.
pub(super) struct RemoteLabel {
    expr: ExprId,
    proctype: ProctypeId,
    label: Ident,
}

/// A reference from the body of a proctype to a variable that it declares further down, resolved
/// at the end of the body.
pub(super) struct LateVariable {
    /// Stands for the variable until then.
    place: PlaceId,
    name: Ident,
    index: Option<ArrayIndex>,
}

impl Lowerer<'_> {
    /// `P[i]@label`.
    pub(super) fn remote_label(
        &mut self,
        proctype: &Ident,
        pid: Option<ExprId>,
        label: &Ident,
    ) -> ExprId {
        let Some(&id) = self.proctype_ids.get(&proctype.name) else {
            self.undeclared_proctype(proctype);
            return FALSE;
        };
        let expr = self.add(Expr::RemoteLabel {
            proctype: id,
            pid,
            control: ControlId(0),
        });
        self.remote_labels.push(RemoteLabel {
            expr,
            proctype: id,
            label: label.clone(),
        });
        expr
    }

    /// `P[i]:x`. The parser ensures that `P` is declared before it is referred to, except in
    /// formulas, and these are lowered last. So the body of `P` is complete, or is this one.
    pub(super) fn remote_var(
        &mut self,
        proctype: &Ident,
        pid: Option<ExprId>,
        var: &VarRef,
    ) -> ExprId {
        let Some(&id) = self.proctype_ids.get(&proctype.name) else {
            self.undeclared_proctype(proctype);
            return FALSE;
        };
        let part = &var.parts[0];
        let index = part.index.as_ref().map(|index| self.index(index));
        // One for each proctype, in their order.
        let row = self.bodies.partition_point(|body| body.proctype < id);
        let body = self.bodies.get(row).filter(|body| body.proctype == id);
        let is_complete = body.is_some();
        let symbol = match body {
            Some(body) => find_local(&body.locals, &part.name.name).cloned(),
            None => {
                let visible = self.lookup(&part.name.name);
                visible.and_then(|(base, symbol)| (base == Base::Frame).then_some(symbol))
            }
        };
        let place = match symbol {
            Some(symbol) => match self.local_element(&symbol, part.name.span, index) {
                Some(place) => self.add_place(place),
                None => return FALSE,
            },
            None if is_complete => {
                self.no_such_variable(id, &part.name);
                return FALSE;
            }
            None => {
                let place = self.add_place(scalar_place(Base::Frame, 0, Scalar::U8));
                self.late_variables.push(LateVariable {
                    place,
                    name: part.name.clone(),
                    index,
                });
                place
            }
        };
        self.add(Expr::RemoteVar {
            proctype: id,
            pid,
            place,
        })
    }

    /// The body has been read: its references to variables declared in it can be resolved.
    pub(super) fn resolve_late_variables(&mut self, proctype: ProctypeId) {
        for late in std::mem::take(&mut self.late_variables) {
            let Some(symbol) = find_local(&self.locals, &late.name.name).cloned() else {
                self.no_such_variable(proctype, &late.name);
                continue;
            };
            if let Some(place) = self.local_element(&symbol, late.name.span, late.index) {
                self.model.places[late.place.index()] = place;
            }
        }
    }

    fn no_such_variable(&mut self, proctype: ProctypeId, name: &Ident) {
        let proctype = &self.model.proctype(proctype).name;
        let message = format!("proctype `{proctype}` has no variable `{}`", name.name);
        self.error(name, message);
    }

    /// Labels of other processes. A label on a jump is made a step of its own, so that
    /// there is a state to refer to.
    pub(super) fn resolve_remote_labels(&mut self) {
        for remote in std::mem::take(&mut self.remote_labels) {
            let body = self
                .bodies
                .iter_mut()
                .find(|body| body.proctype == remote.proctype);
            let Some(body) = body else { continue };
            let found = body.flow.find_label(&remote.label.name, &[]);
            let Some(element) = found.map(|label| label.element) else {
                let name = &self.model.proctype(remote.proctype).name;
                let message = format!("proctype `{name}` has no label `{}`", remote.label.name);
                self.diagnostics
                    .push(Diagnostic::error(remote.label.span, message));
                continue;
            };
            if matches!(body.flow.element(element).node, Node::Jump(_)) {
                let jump = Element {
                    number: body.flow.next_number,
                    unique: self.next_unique,
                    ..body.flow.element(element).clone()
                };
                body.flow.next_number += 1;
                self.next_unique += 1;
                body.flow.elements.push(jump);
                let id = ElementId(body.flow.elements.len() as u32 - 1);
                let skip = body.flow.element_mut(element);
                skip.node = Node::Skip;
                skip.next = Some(id);
            }
            let number = body.flow.element(element).number;
            if let Expr::RemoteLabel { control, .. } = &mut self.model.exprs[remote.expr.index()] {
                *control = ControlId(number);
            }
        }
    }
}

/// The local variable that a name means where no declaration of it is visible: a parameter or a
/// variable of the outermost block. Where Spin finds none, the first one of an inner block is taken.
fn find_local<'a>(locals: &'a Locals, name: &str) -> Option<&'a Symbol> {
    let mut named = locals.named(name);
    let outermost = named.clone().find(|(scope, _)| scope.len() <= 1);
    outermost.or_else(|| named.next()).map(|(_, symbol)| symbol)
}
