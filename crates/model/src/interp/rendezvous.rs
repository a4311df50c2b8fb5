//! Handshakes: a send and a receive on a channel without buffer, as one step.

use space::{Pid, Step};

use super::event_trace::Message;
use super::{Advance, Cursor, Fault, Interp, Successor, View, after, report_fault};
use crate::ids::{ControlId, ExprId, PlaceId};
use crate::model::Action;

impl Interp<'_> {
    /// If the channel is a rendezvous channel, hold up the message for everybody to see.
    pub(super) fn make_offer(
        &mut self,
        view: &View<'_>,
        place: PlaceId,
        args: &[ExprId],
    ) -> Result<bool, Fault> {
        let number = self.load_place(view, place)?;
        let channel = self.channel(number)?;
        let ty = self.model.channel_type(channel.ty);
        if ty.capacity > 0 {
            return Ok(false);
        }
        let mut fields = std::mem::take(&mut self.offer.fields);
        fields.clear();
        for (arg, field) in args.iter().zip(&ty.fields) {
            fields.push(field.scalar.truncate(self.eval(view, *arg)?));
        }
        fields.resize(ty.fields.len(), 0);
        self.offer.fields = fields;
        self.offer.channel = number as u8;
        Ok(true)
    }

    /// Find the next receiver of the offer made by the option before the cursor's index.
    ///
    /// The receivers see the state in which the sender has moved on, as in Spin.
    pub(super) fn try_receivers(
        &mut self,
        state: &[u8],
        cursor: &mut Cursor,
        next: &mut Successor,
    ) -> Option<Advance> {
        let sender = cursor.pid;
        let control = self.control_of(state, sender);
        let options = &self.proctype_of(state, sender).states[control.index()].options;
        let offered = options[cursor.index as usize - 1].transition;
        let transition = self.model.transition(offered);
        let Action::Send { channel, args, .. } = &transition.action else {
            return None;
        };
        let view = self.view(state, sender, cursor);
        if let Err(fault) = self.make_offer(&view, *channel, args) {
            cursor.receiver.above = 0;
            return Some(report_fault(next, sender, offered, fault));
        }
        self.touch_population();
        let mut halfway = std::mem::take(&mut self.halfway);
        halfway.clear();
        halfway.extend_from_slice(state);
        self.arrive(&mut halfway, sender, transition);
        let message = Message {
            send: true,
            channel: i32::from(self.offer.channel),
            fields: &self.offer.fields,
        };
        let heard = self.observe(&mut halfway, &message);
        if !cursor.receiver.observed {
            cursor.receiver.observed = true;
            // The offer alone is an event, whether or not somebody takes it.
            if let Err(fault) | Ok(Some(fault)) = heard {
                self.halfway = halfway;
                return Some(report_fault(next, sender, offered, fault));
            }
        }
        let found = self.next_receiver(&halfway, cursor, next);
        self.halfway = halfway;
        let advance = found?;
        if let Some(step) = &mut next.step {
            *step = Step {
                pid: Pid(sender),
                transition: offered,
                partner: Some((step.pid, step.transition)),
            };
        }
        let deterministic = self.proctype_of(state, sender).deterministic;
        if self.is_nondeterministic(deterministic, cursor.moved, &transition.action) {
            next.note(space::ErrorKind::Nondeterminism.into());
        }
        let number = i32::from(self.offer.channel);
        let channel = self.channel(number).ok();
        if let Some(wrong) = channel.and_then(|c| self.field_count_error(c, args.len())) {
            next.note(wrong);
        }
        if let Some(claimed) = self.check_claims(state, sender, number, false) {
            next.note(claimed);
        }
        Some(advance)
    }

    fn next_receiver(
        &mut self,
        halfway: &[u8],
        cursor: &mut Cursor,
        next: &mut Successor,
    ) -> Option<Advance> {
        while cursor.receiver.above > 0 {
            let pid = cursor.receiver.above - 1;
            if pid != cursor.pid && !self.never_receives(halfway, pid, cursor) {
                match self.try_receiver(halfway, pid, cursor, next) {
                    Ok(Some(advance)) => return Some(advance),
                    Ok(None) => {}
                    Err(fault) => {
                        cursor.receiver.above = pid;
                        cursor.receiver.entered = false;
                        next.violation = Some(fault);
                        return Some(Advance::Fault);
                    }
                }
            }
            cursor.receiver.above = pid;
            cursor.receiver.entered = false;
        }
        None
    }

    /// Try the receives of one process.
    fn try_receiver(
        &mut self,
        halfway: &[u8],
        pid: u8,
        cursor: &mut Cursor,
        next: &mut Successor,
    ) -> Result<Option<Advance>, Fault> {
        if !cursor.receiver.entered {
            if !self.may_move(halfway, pid, cursor)? {
                return Ok(None);
            }
            cursor.receiver.entered = true;
            cursor.receiver.moved = false;
            cursor.receiver.index = 0;
            cursor.receiver.escape = ControlId(0);
        }
        let control = self.control_of(halfway, pid);
        let proctype = self.proctype_of(halfway, pid);
        let options = &proctype.states[control.index()].options;
        while let Some(entry) = options.get(cursor.receiver.index as usize) {
            if cursor.receiver.escape != ControlId(0) && cursor.receiver.escape != entry.escape {
                break;
            }
            cursor.receiver.index += 1;
            let transition = self.model.transition(entry.transition);
            let view = View {
                moved: cursor.receiver.moved,
                ..self.view(halfway, pid, cursor)
            };
            if !self.executable(&view, &transition.action)? {
                continue;
            }
            next.state.clear();
            next.state.extend_from_slice(halfway);
            // From here on the offer is taken, even if the receiver fails.
            cursor.receiver.any = true;
            let Some(executed) = self.execute(&mut next.state, &view, &transition.action)? else {
                continue;
            };
            next.violation = executed.0;
            next.further.append(&mut self.further);
            let receiver = &mut cursor.receiver;
            if self.is_nondeterministic(proctype.deterministic, receiver.moved, &transition.action)
            {
                next.note(space::ErrorKind::Nondeterminism.into());
            }
            receiver.moved = true;
            receiver.escape = entry.escape;
            self.arrive(&mut next.state, pid, transition);
            next.control = after(transition, pid);
            next.step = Some(Step {
                pid: Pid(pid),
                transition: entry.transition,
                partner: None,
            });
            return Ok(Some(Advance::Step));
        }
        Ok(None)
    }
}
