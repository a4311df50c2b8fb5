//! Channels whose type is known from the text: those with an initialiser that nobody replaces.

use std::collections::HashMap;

use super::scope::{Scope, VariableId};
use crate::ast::{ChanInit, Expr, ExprKind, RecvArg, TypeName, VarInit, VarRef};
use crate::source::Span;

/// The fields of a message.
#[derive(Clone, Copy)]
pub(super) enum Message<'a> {
    Sent(&'a [Expr]),
    Received(&'a [RecvArg]),
    /// Asked for; fields at the end may be left out.
    Polled(&'a [RecvArg]),
}

/// A message of a channel.
pub(super) struct Traffic<'a> {
    pub channel: VariableId,
    pub name: &'a str,
    pub span: Span,
    pub message: Message<'a>,
    /// The number of fields, with structures taken apart.
    pub given: u64,
}

/// The messages of a program.
#[derive(Default)]
pub(super) struct Channels<'a> {
    traffic: Vec<Traffic<'a>>,
    /// The number of scalars of each structure.
    sizes: HashMap<&'a str, Option<u64>>,
}

impl<'a> Channels<'a> {
    /// Note a message.
    pub fn note(
        &mut self,
        scope: &Scope<'a>,
        channel: &'a VarRef,
        span: Span,
        message: Message<'a>,
    ) {
        let (Some(id), [part]) = (scope.root(channel), channel.parts.as_slice()) else {
            return;
        };
        let given: Option<u64> = match message {
            Message::Sent(args) => args
                .iter()
                .map(|arg| match &arg.kind {
                    ExprKind::Var(var) => self.scalars(scope, var),
                    _ => Some(1),
                })
                .sum(),
            Message::Received(args) | Message::Polled(args) => args
                .iter()
                .map(|arg| match arg {
                    RecvArg::Var(var) => self.scalars(scope, var),
                    RecvArg::Eval(_) | RecvArg::Const(_) => Some(1),
                })
                .sum(),
        };
        if let Some(given) = given {
            self.traffic.push(Traffic {
                channel: id,
                name: &part.name.name,
                span,
                message,
                given,
            });
        }
    }

    /// The messages of channels whose initialiser holds, with it.
    pub fn known(self, scope: &Scope<'a>) -> Vec<(Traffic<'a>, &'a ChanInit, Option<u64>)> {
        let Channels { traffic, mut sizes } = self;
        let mut known = Vec::new();
        for row in traffic {
            let channel = scope.variable(row.channel);
            if channel.is_written || channel.is_received {
                continue;
            }
            if let Some(VarInit::Chan(init)) = &channel.place.var.init {
                let types = init.fields.iter();
                let fields = types.map(|ty| size_of_type(&mut sizes, scope, ty)).sum();
                known.push((row, init, fields));
            }
        }
        known
    }

    fn scalars(&mut self, scope: &Scope<'a>, var: &'a VarRef) -> Option<u64> {
        match scope.place(var) {
            Some(place) => size_of_type(&mut self.sizes, scope, &place.decl.ty),
            // A symbolic name, or a variable such as `_pid`.
            None => Some(1),
        }
    }
}

/// The number of scalars of a type. A structure contains only what was declared before it.
fn size_of_type<'a>(
    sizes: &mut HashMap<&'a str, Option<u64>>,
    scope: &Scope<'a>,
    ty: &'a TypeName,
) -> Option<u64> {
    let TypeName::Named(name) = ty else {
        return Some(1);
    };
    if let Some(&known) = sizes.get(name.name.as_str()) {
        return known;
    }
    let mut size = Some(0u64);
    for decl in &scope.typedef(&name.name)?.fields {
        let one = size_of_type(sizes, scope, &decl.ty);
        for var in &decl.vars {
            let count = match &var.size {
                None => Some(1),
                Some(size) => super::constant::value(size).and_then(|n| u64::try_from(n).ok()),
            };
            let scalars = one
                .zip(count)
                .and_then(|(one, count)| one.checked_mul(count));
            size = size
                .zip(scalars)
                .and_then(|(sum, more)| sum.checked_add(more));
        }
    }
    sizes.insert(&name.name, size);
    size
}
