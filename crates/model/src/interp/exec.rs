//! Whether a statement can be executed, and what executing it does.

use space::{ErrorKind, Violation, ViolationKind};

use super::event_trace::Message;
use super::{Fault, Interp, LoadedChannel, TransferKind, View};
use crate::ids::{ExprId, PlaceId};
use crate::layout::Display;
use crate::model::{Action, RecvArg};

/// An executed statement, with the property it broke if any.
pub(super) struct Executed(pub(super) Option<Violation>);

const FINE: Executed = Executed(None);

impl Interp<'_> {
    /// Whether a statement can be executed. While an offer is under way, only a receive
    /// that takes it can.
    pub(super) fn executable(&self, view: &View<'_>, action: &Action) -> Result<bool, Fault> {
        let free = self.offer.is_none();
        Ok(match action {
            Action::Receive {
                channel,
                random,
                peek,
                args,
            } => self.can_receive(view, *channel, *random, *peek, args)?,
            Action::DStep(row) => self.dstep_executable(view, *row)?,
            _ if !free => false,
            Action::Skip
            | Action::Assign(..)
            | Action::Run(..)
            | Action::Assert(..)
            | Action::Printf(..)
            | Action::Printm(..)
            | Action::SetPriority(..) => true,
            Action::Else => !view.moved,
            Action::Guard(expr) => self.eval(view, *expr)? != 0,
            Action::Send { channel, .. } => {
                let channel = self.channel(self.load_place(view, *channel)?)?;
                self.model.lossy || !self.is_full(view, channel)
            }
            Action::End => {
                self.touch_population();
                view.pid as usize + 1 == self.frames.len()
            }
            // Traces are not executed: they observe.
            Action::Event(_) => false,
        })
    }

    fn is_full(&self, view: &View<'_>, channel: LoadedChannel) -> bool {
        let capacity = self.model.channel_type(channel.ty).capacity;
        capacity > 0 && self.channel_len(view.state, channel) >= capacity
    }

    fn can_receive(
        &self,
        view: &View<'_>,
        place: PlaceId,
        random: bool,
        peek: bool,
        args: &[RecvArg],
    ) -> Result<bool, Fault> {
        let number = self.load_place(view, place)?;
        let channel = self.channel(number)?;
        if self.model.channel_type(channel.ty).capacity > 0 {
            return Ok(
                self.offer.is_none() && self.find_message(view, channel, random, args)?.is_some()
            );
        }
        if peek {
            return Err(ErrorKind::PollOfRendezvous.into());
        }
        if i32::from(self.offer.channel) != number {
            return Ok(false);
        }
        let offered = |i| self.offer.fields.get(i).copied().unwrap_or(0);
        self.fields_match(view, args, offered)
    }

    /// Execute a statement that is executable, on a copy of the state it was tested in.
    /// `None`: it turned out to block after all (the value of a `run` was 0).
    pub(super) fn execute(
        &mut self,
        state: &mut Vec<u8>,
        view: &View<'_>,
        action: &Action,
    ) -> Result<Option<Executed>, Fault> {
        let (pid, frame) = (view.pid, view.frame);
        let at = |state| View { state, ..*view };
        match action {
            Action::Skip | Action::Else | Action::Event(_) => {}
            Action::Guard(expr) => self.note_polls(&at(state), *expr),
            Action::Assign(place, expr) => {
                let value = self.eval(&at(state), *expr)?;
                self.assign(state, pid, frame, *place, value)?;
            }
            Action::Run(spec, place, expr) => {
                let born = self.start_process(state, view, spec)?;
                let value = self.eval(
                    &View {
                        run_result: i32::from(born),
                        ..at(state)
                    },
                    *expr,
                )?;
                match place {
                    Some(place) => self.assign(state, pid, frame, *place, value)?,
                    None if value == 0 => return Ok(None),
                    None => {}
                }
            }
            Action::Send {
                channel,
                sorted,
                args,
            } => return self.send(state, view, *channel, *sorted, args).map(Some),
            Action::Receive {
                channel,
                random,
                peek,
                args,
            } => {
                return self
                    .receive(state, view, *channel, *random, *peek, args)
                    .map(Some);
            }
            Action::Assert(expr, site) => {
                if self.eval(&at(state), *expr)? == 0 {
                    return Ok(Some(Executed(Some(Violation {
                        kind: ViolationKind::Assertion,
                        site: Some(*site),
                    }))));
                }
            }
            Action::Printf(format, args) => self.printf(&at(state), format, args)?,
            Action::Printm(expr, display) => {
                let value = self.eval(&at(state), *expr)?;
                self.print(|model| crate::show::value(model, *display, value));
            }
            Action::SetPriority(whom, priority) => {
                self.set_priority(state, view, *whom, *priority)?
            }
            Action::DStep(row) => return self.execute_dstep(state, view, *row).map(Some),
            Action::End => self.end_process(state, pid),
        }
        Ok(Some(FINE))
    }

    /// Write a value to a place.
    pub(super) fn assign(
        &self,
        state: &mut [u8],
        pid: u8,
        frame: u32,
        place: PlaceId,
        value: i32,
    ) -> Result<(), Fault> {
        let view = View::quiet(state, pid, frame);
        if let Some((offset, scalar)) = self.resolve(&view, place)? {
            self.touch(offset);
            scalar.write(state, offset, value);
        }
        Ok(())
    }

    fn send(
        &mut self,
        state: &mut [u8],
        view: &View<'_>,
        place: PlaceId,
        sorted: bool,
        args: &[ExprId],
    ) -> Result<Executed, Fault> {
        let number = self.load_place(&View { state, ..*view }, place)?;
        let channel = self.channel(number)?;
        let mut message = std::mem::take(&mut self.message);
        message.clear();
        for arg in args {
            message.push(self.eval(&View { state, ..*view }, *arg)?);
        }
        let fields = self.model.channel_type(channel.ty).fields.len();
        message.resize(fields, 0);
        self.message = message;
        // With lossy channels a message that does not fit is dropped.
        let mut unexpected = None;
        if self.is_full(&View { state, ..*view }, channel) {
            self.note_transfer(TransferKind::Lost, number, channel);
        } else {
            self.note_transfer(TransferKind::Sent, number, channel);
            self.insert_message(state, channel, sorted);
            if self.model.event_trace.is_some() {
                let last = self.channel_len(state, channel) - 1;
                self.copy_message(state, channel, last);
                unexpected = self.observe(state, &self.as_event(true, number))?;
            }
        }
        let wrong = self.field_count_error(channel, args.len());
        let claimed = self.check_claims(state, view.pid, number, false);
        Ok(self.executed([unexpected, wrong, claimed]))
    }

    /// Receive a message from the channel, or take the offer.
    pub(super) fn receive(
        &mut self,
        state: &mut [u8],
        view: &View<'_>,
        place: PlaceId,
        random: bool,
        peek: bool,
        args: &[RecvArg],
    ) -> Result<Executed, Fault> {
        let here = View { state, ..*view };
        let number = self.load_place(&here, place)?;
        let channel = self.channel(number)?;
        let mut unexpected = None;
        if self.offer.is_none() {
            let found = self.find_message(&here, channel, random, args)?;
            let Some(position) = found else {
                return Err(ErrorKind::DStepBlocks.into());
            };
            if !peek && self.model.event_trace.is_some() {
                self.copy_message(state, channel, 0);
                unexpected = self.observe(state, &self.as_event(false, number))?;
            }
            self.copy_message(state, channel, position);
            if !peek {
                self.remove_message(state, channel, position);
            }
        } else {
            self.message.clone_from(&self.offer.fields);
            unexpected = self.observe(state, &self.as_event(false, number))?;
        }
        let kind = match peek {
            true => TransferKind::Copied,
            false => TransferKind::Received,
        };
        self.note_transfer(kind, number, channel);
        // One field after the other: an index may depend on a field stored just before.
        for (i, arg) in args.iter().enumerate() {
            if let RecvArg::Store(place) = arg {
                let value = self.message.get(i).copied().unwrap_or(0);
                self.assign(state, view.pid, view.frame, *place, value)?;
            }
        }
        let wrong = self.field_count_error(channel, args.len());
        let claimed = self.check_claims(state, view.pid, number, true);
        Ok(self.executed([unexpected, wrong, claimed]))
    }

    /// All that a statement violated: the first of it, and the rest in `self.further`.
    fn executed(&mut self, violations: [Option<Violation>; 3]) -> Executed {
        let mut violations = violations.into_iter().flatten();
        let first = violations.next();
        self.further.extend(violations);
        Executed(first)
    }

    /// `self.message` as a trace sees it.
    fn as_event(&self, send: bool, channel: i32) -> Message<'_> {
        Message {
            send,
            channel,
            fields: &self.message,
        }
    }

    /// Whether a process other than the one that claimed the channel uses it.
    pub(super) fn check_claims(
        &self,
        state: &[u8],
        user: u8,
        channel: i32,
        receive: bool,
    ) -> Option<Violation> {
        if !self.uses_claims {
            return None;
        }
        self.touch_population();
        let broken = (0..self.frames.len() as u8)
            .filter(|&pid| pid != user)
            .any(|pid| {
                let view = View::quiet(state, pid, self.frames[pid as usize]);
                self.proctype_of(state, pid).claims.iter().any(|claim| {
                    claim.receive == receive && self.load_place(&view, claim.channel) == Ok(channel)
                })
            });
        broken.then(|| ViolationKind::ChannelClaim.into())
    }

    fn set_priority(
        &self,
        state: &mut [u8],
        view: &View<'_>,
        whom: ExprId,
        priority: ExprId,
    ) -> Result<(), Fault> {
        let here = View { state, ..*view };
        let whom = self.eval(&here, whom)?;
        let priority = self.eval(&here, priority)?;
        let Some(frame) = self.frame_of(whom) else {
            return Ok(());
        };
        if !(1..=255).contains(&priority) {
            return Err(ErrorKind::PriorityRange.into());
        }
        self.write_priority(state, frame, priority as u8);
        Ok(())
    }

    fn printf(
        &mut self,
        view: &View<'_>,
        format: &str,
        args: &[(ExprId, Display)],
    ) -> Result<(), Fault> {
        if self.output.is_none() {
            return Ok(());
        }
        let mut values = Vec::with_capacity(args.len());
        for (expr, display) in args {
            values.push((self.eval(view, *expr)?, *display));
        }
        self.print(|model| crate::show::format(model, format, &values));
        Ok(())
    }

    fn print(&mut self, text: impl FnOnce(&crate::model::Model) -> String) {
        let model = self.model;
        if let Some(output) = &mut self.output {
            output.push_str(&text(model));
        }
    }
}
