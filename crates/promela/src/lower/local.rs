//! Local variables: their declarations, their places, and what channels may be used for.

use std::collections::HashMap;

use model::{Action, Base, Display, Scalar};

use super::expr::scalar_place;
use super::flow::Node;
use super::label::ScopePath;
use super::types::{Symbol, Ty};
use super::{Lowerer, grown};
use crate::ast::{self, Decl, ExprKind, Ident, VarInit, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The variables of a body in the order of their declarations, found by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Locals {
    list: Vec<(ScopePath, Symbol)>,
    by_name: HashMap<String, Vec<usize>>,
}

impl Locals {
    fn push(&mut self, scope: ScopePath, symbol: Symbol) {
        let rows = self.by_name.entry(symbol.name.clone()).or_default();
        rows.push(self.list.len());
        self.list.push((scope, symbol));
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, (ScopePath, Symbol)> {
        self.list.iter()
    }

    /// Those of a name.
    pub(super) fn named(
        &self,
        name: &str,
    ) -> impl DoubleEndedIterator<Item = &(ScopePath, Symbol)> + Clone {
        let rows = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        rows.iter().map(|&row| &self.list[row])
    }
}

impl Lowerer<'_> {
    /// Variables of a body. At its head they cost nothing; anywhere else each is a step.
    pub(super) fn local_decl(&mut self, decl: &Decl) {
        let at_head = self.at_head;
        for var in &decl.vars {
            if self.is_redeclared(&var.name) {
                continue;
            }
            if decl.visibility == Some(ast::Visibility::Hidden) {
                self.error(&var.name, "only a global variable can be hidden");
                self.undeclarable.insert(var.name.name.clone());
                continue;
            }
            let Some(symbol) = self.symbol(decl, var, !at_head) else {
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
                    .help("a name visible here cannot be redeclared: choose another"),
            );
        }
        known.is_some()
    }

    /// Give a local variable its place in the frame.
    pub(super) fn declare_local(&mut self, mut symbol: Symbol, initialise: bool) {
        symbol.offset = self.frame_size;
        self.frame_size = grown(self.frame_size, self.size_of(&symbol));
        if initialise {
            let inits = symbol.inits.iter();
            let inits = inits.map(|init| init.shifted(symbol.offset));
            self.local_inits.extend(inits);
        }
        // Nobody who looks the variable up needs them any more.
        symbol.inits = Vec::new();
        self.locals.push(self.scope.clone(), symbol);
    }

    /// A counter of our own. As in Spin, loops of the same block share one.
    pub(super) fn synthetic_local(&mut self, span: Span, scalar: Scalar) -> model::PlaceId {
        let name = format!("{}{scalar:?}{:?}", super::SYNTHETIC, self.scope);
        let known = self.locals.named(&name).next();
        let offset = match known {
            Some((_, symbol)) => symbol.offset,
            None => {
                let offset = self.frame_size;
                self.declare_local(
                    Symbol {
                        name,
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
                offset
            }
        };
        self.add_place(scalar_place(Base::Frame, offset, scalar))
    }

    /// A channel can be copied, but it is not a number.
    pub(super) fn refuse_channel_arithmetic(&mut self, var: &VarRef, expr: &ast::Expr) {
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
                                     and sent, but not used in arithmetic",
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
}
