//! Channel uses that a trace assertion observes.
//!
//! The automaton of the assertion moves with each message on a channel that it names, whichever process
//! sends or receives it. So it is like a variable that all these statements read and write: their order
//! is kept, and each of them finds the automaton in the same state, and violates the assertion or
//! does not.

use super::bits::Bits;
use super::uses::{Observer, Uses};
use crate::ids::PlaceId;
use crate::model::Event;
use crate::reduction::Footprint;
use crate::reduction::footprint::ChannelUse;

impl Observer<'_> {
    /// Add what the trace assertion reads and its state, if one of these channel uses may be an event.
    pub(super) fn add_trace_uses(&mut self, channels: &[(PlaceId, ChannelUse)], uses: &mut Uses) {
        let model = self.instance.model;
        let (Some(trace), Some(at)) = (&model.event_trace, model.layout.event) else {
            return;
        };
        let mut pairs =
            (trace.events.iter()).flat_map(|event| channels.iter().map(move |used| (event, used)));
        if !pairs.any(|(event, used)| self.may_match(event, *used)) {
            return;
        }
        for byte in [at as usize, at as usize + 1] {
            uses.reads.insert(byte);
            uses.writes.insert(byte);
        }
        for event in &trace.events {
            self.add_event_reads(event, &mut uses.reads);
        }
    }

    /// Whether a use of a channel may be an event.
    fn may_match(&mut self, event: &Event, (place, how): (PlaceId, ChannelUse)) -> bool {
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

    /// Add what decides whether a message is this event.
    fn add_event_reads(&mut self, event: &Event, reads: &mut Bits) {
        let enabling_end = Footprint::of_event(self.instance.model, event);
        for place in enabling_end.reads {
            self.add_bytes(place, reads);
        }
    }
}
