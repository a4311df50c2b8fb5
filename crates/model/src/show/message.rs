//! Messages that were sent or seen.

use super::{Shown, name_of};
use crate::interp::{Transfer, TransferKind};
use crate::model::Model;

/// A message that a statement sent or saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What happened to it: `sent`, `lost`, `received`, `copied` or `polled`.
    pub action: &'static str,
    /// The name of the channel.
    pub channel: String,
    /// The values of its fields.
    pub values: Vec<String>,
}

/// Messages with the names that values and channels have in a state.
pub fn messages(model: &Model, state: &[u8], transfers: &[Transfer]) -> Vec<Message> {
    if transfers.is_empty() {
        return Vec::new();
    }
    let shown = Shown::new(model, state);
    let message = |transfer: &Transfer| {
        let fields = model.channel_type(transfer.ty).fields.iter();
        let values = fields.zip(&transfer.fields);
        Message {
            action: word(transfer.kind),
            channel: name_of(&shown.channels, transfer.channel),
            values: values
                .map(|(field, &value)| shown.value(field.display, value))
                .collect(),
        }
    };
    transfers.iter().map(message).collect()
}

fn word(kind: TransferKind) -> &'static str {
    match kind {
        TransferKind::Sent => "sent",
        TransferKind::Lost => "lost",
        TransferKind::Received => "received",
        TransferKind::Copied => "copied",
        TransferKind::Polled => "polled",
    }
}
