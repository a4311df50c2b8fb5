//! Event traces: an automaton that follows the messages sent and received.
//!
//! Its state is part of the state vector. Only the channels it names matter, each in the
//! direction it names them: such a send or receive must be the next event of a `trace`. A
//! `notrace` follows the events from the first on, gives up at the first that does not fit,
//! and must not reach its end.

use space::{Violation, ViolationKind};

use super::{Fault, Interp, View};
use crate::ids::ControlId;
use crate::model::{Action, Event, EventTrace};

/// A message that was just sent, or is about to be taken.
pub(super) struct Message<'a> {
    pub(super) send: bool,
    pub(super) channel: i32,
    pub(super) fields: &'a [i32],
}

impl Interp<'_> {
    /// Where the trace stands.
    pub(super) fn event_state(&self, state: &[u8]) -> Option<(&EventTrace, ControlId)> {
        let trace = self.model.event_trace.as_ref()?;
        let at = self.model.layout.event? as usize;
        self.touch(at);
        let control = u16::from_le_bytes([state[at], state[at + 1]]);
        Some((trace, ControlId(u32::from(control))))
    }

    pub(super) fn set_event_state(&self, state: &mut [u8], control: ControlId) {
        if let Some(at) = self.model.layout.event {
            let at = at as usize;
            state[at..at + 2].copy_from_slice(&(control.0 as u16).to_le_bytes());
        }
    }

    /// Let the trace see a message. A message it does not allow is reported, and the trace
    /// stays where it is.
    pub(super) fn observe(
        &self,
        state: &mut [u8],
        message: &Message<'_>,
    ) -> Result<Option<Violation>, Fault> {
        let Some((trace, control)) = self.event_state(state) else {
            return Ok(None);
        };
        let (negated, end) = (trace.negated, trace.end);
        if !self.in_scope(state, trace, message)? {
            return Ok(None);
        }
        match self.event_target(state, trace, control, message)? {
            Some(target) => {
                self.set_event_state(state, target);
                let complete = negated && target == end;
                Ok(complete.then(|| ViolationKind::EventTrace.into()))
            }
            None if negated => {
                self.set_event_state(state, end);
                Ok(None)
            }
            None => Ok(Some(ViolationKind::EventTrace.into())),
        }
    }

    fn in_scope(
        &self,
        state: &[u8],
        trace: &EventTrace,
        message: &Message<'_>,
    ) -> Result<bool, Fault> {
        let view = global_view(state);
        for event in &trace.events {
            if event.send == message.send
                && self.load_place(&view, event.channel)? == message.channel
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The control state behind the first option that takes the message.
    fn event_target(
        &self,
        state: &[u8],
        trace: &EventTrace,
        control: ControlId,
        message: &Message<'_>,
    ) -> Result<Option<ControlId>, Fault> {
        if control == trace.end {
            return Ok(None);
        }
        let view = global_view(state);
        let states = &self.model.proctype(trace.proctype).states;
        for option in &states[control.index()].options {
            let transition = self.model.transition(option.transition);
            let takes = match transition.action {
                Action::Event(row) => {
                    self.event_matches(&view, &trace.events[row as usize], message)?
                }
                Action::Skip => true,
                _ => false,
            };
            if takes {
                return Ok(Some(transition.target));
            }
        }
        Ok(None)
    }

    fn event_matches(
        &self,
        view: &View<'_>,
        event: &Event,
        message: &Message<'_>,
    ) -> Result<bool, Fault> {
        let field = |i: usize| message.fields.get(i).copied().unwrap_or(0);
        Ok(event.send == message.send
            && self.load_place(view, event.channel)? == message.channel
            && self.fields_match(view, &event.args, field)?)
    }
}

/// A trace belongs to no process: it sees global variables only.
fn global_view(state: &[u8]) -> View<'_> {
    View::quiet(state, 0, 0)
}
