//! What a trace assertion hears.
//!
//! Its automaton moves with each message on a channel that it names, whoever sends or receives it. So
//! it is like a variable that all these statements read and write: their order is kept, and each of
//! them finds the automaton where it would have found it, and breaks the assertion or does not.

use super::bits::Bits;
use super::uses::{Observer, Uses};
use crate::ids::PlaceId;
use crate::model::Event;
use crate::reduction::Footprint;
use crate::reduction::footprint::ChannelUse;

impl Observer<'_> {
    /// Add what a trace looks at and where it stands, if it may hear one of these uses of channels.
    pub(super) fn add_heard(&mut self, channels: &[(PlaceId, ChannelUse)], uses: &mut Uses) {
        let model = self.instance.model;
        let (Some(trace), Some(at)) = (&model.event_trace, model.layout.event) else {
            return;
        };
        let mut pairs =
            (trace.events.iter()).flat_map(|event| channels.iter().map(move |used| (event, used)));
        if !pairs.any(|(event, used)| self.may_hear(event, *used)) {
            return;
        }
        for byte in [at as usize, at as usize + 1] {
            uses.reads.insert(byte);
            uses.writes.insert(byte);
        }
        for event in &trace.events {
            self.add_asked_by(event, &mut uses.reads);
        }
    }

    /// Whether a use of a channel may be an event.
    fn may_hear(&mut self, event: &Event, (place, how): (PlaceId, ChannelUse)) -> bool {
        let fits = match how {
            ChannelUse::Send => event.send,
            ChannelUse::Receive => !event.send,
            ChannelUse::Look => false,
        };
        let model = self.instance.model;
        let mut row = |place| {
            self.instance
                .channel(model.place(place))
                .map(|(row, _)| row)
        };
        fits && match (row(event.channel), row(place)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }

    /// Add what it takes to tell whether a message is this event.
    fn add_asked_by(&mut self, event: &Event, reads: &mut Bits) {
        let asked = Footprint::of_event(self.instance.model, event);
        for place in asked.reads {
            self.add_bytes(place, reads);
        }
    }
}
