//! The events of a `trace` or `notrace`: messages sent and received.

use model::{Action, Base, Scalar};

use super::Lowerer;
use super::body::PendingNode;
use super::expr::scalar_place;
use super::flow::Node;
use crate::ast::{self, ExprKind, VarRef};

impl Lowerer<'_> {
    /// A send in a trace: constants must match, anything else may have any value.
    pub(super) fn send_event(&mut self, channel: &VarRef, args: &[ast::Expr]) -> PendingNode {
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

    pub(super) fn event(
        &mut self,
        send: bool,
        channel: &VarRef,
        args: Vec<model::RecvArg>,
    ) -> PendingNode {
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
}
