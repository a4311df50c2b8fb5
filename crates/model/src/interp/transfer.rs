//! The messages that steps send and see, captured for traces.

use super::{Interp, LoadedChannel, View};
use crate::expr::Expr;
use crate::ids::{ChannelTypeId, ExprId};

/// What happened to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// It was sent.
    Sent,
    /// It was sent to a full channel that loses messages.
    Lost,
    /// It was received.
    Received,
    /// It was read, and stays in the channel.
    Copied,
    /// A poll found it.
    Polled,
}

/// A message that a statement sent or saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// What happened to it.
    pub kind: TransferKind,
    /// The number of the channel.
    pub channel: i32,
    /// The kind of the channel.
    pub ty: ChannelTypeId,
    /// The values of its fields.
    pub fields: Vec<i32>,
}

impl Interp<'_> {
    /// Capture the messages that statements send and see; [`Interp::take_transfers`] gives them.
    pub fn capture_transfers(&mut self) {
        self.transfers = Some(Vec::new());
    }

    /// The messages that were sent and seen since the last call, in order. A handshake is one
    /// message that is received.
    pub fn take_transfers(&mut self) -> Vec<Transfer> {
        self.transfers
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Record what happens to `self.message`, if transfers are captured.
    pub(super) fn note_transfer(
        &mut self,
        kind: TransferKind,
        number: i32,
        channel: LoadedChannel,
    ) {
        let Some(transfers) = &mut self.transfers else {
            return;
        };
        let fields = &self.model.channel_type(channel.ty).fields;
        let values = fields.iter().zip(&self.message);
        transfers.push(Transfer {
            kind,
            channel: number,
            ty: channel.ty,
            fields: values.map(|(f, &v)| f.scalar.truncate(v)).collect(),
        });
    }

    /// Record the messages that the polls of a condition find, if transfers are captured.
    pub(super) fn note_polls(&mut self, view: &View<'_>, condition: ExprId) {
        if self.transfers.is_none() {
            return;
        }
        let mut open = vec![condition];
        while let Some(expr) = open.pop() {
            match self.model.expr(expr) {
                Expr::Unary(_, a) => open.push(*a),
                Expr::Binary(_, a, b) => open.extend([*b, *a]),
                Expr::Cond(c, a, b) => open.extend([*b, *a, *c]),
                Expr::Poll { .. } => self.note_poll(view, expr),
                _ => {}
            }
        }
    }

    fn note_poll(&mut self, view: &View<'_>, poll: ExprId) {
        let Expr::Poll {
            channel,
            random,
            args,
        } = self.model.expr(poll)
        else {
            return;
        };
        // A poll that short-circuiting skips may find no message, or have no channel.
        let Ok(number) = self.load_place(view, *channel) else {
            return;
        };
        let Ok(channel) = self.channel(number) else {
            return;
        };
        if let Ok(Some(position)) = self.find_message(view, channel, *random, args) {
            self.copy_message(view.state, channel, position);
            self.note_transfer(TransferKind::Polled, number, channel);
        }
    }
}
