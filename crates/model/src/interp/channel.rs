//! Channels: looking up, measuring, matching, inserting and removing messages.

use space::{ErrorKind, Violation};

use super::{Fault, Interp, LoadedChannel, View};
use crate::ids::PlaceId;
use crate::model::{ChannelType, RecvArg};

impl Interp<'_> {
    /// The channel of a number.
    pub(super) fn channel(&self, number: i32) -> Result<LoadedChannel, Fault> {
        let row = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
        if row.is_some_and(|row| row >= self.model.layout.channels.len()) {
            self.touch_population();
        }
        row.and_then(|row| self.channels.get(row).copied())
            .ok_or_else(|| ErrorKind::UninitialisedChannel.into())
    }

    pub(super) fn channel_len(&self, state: &[u8], channel: LoadedChannel) -> u32 {
        let at = channel.offset as usize;
        let size = self.model.channel_type(channel.ty).length_size();
        if size == 0 {
            return 0;
        }
        self.touch(at);
        match size {
            1 => u32::from(state[at]),
            _ => u32::from(u16::from_le_bytes([state[at], state[at + 1]])),
        }
    }

    fn set_channel_len(&self, state: &mut [u8], channel: LoadedChannel, len: u32) {
        let at = channel.offset as usize;
        match self.model.channel_type(channel.ty).length_size() {
            0 => {}
            1 => state[at] = len as u8,
            _ => state[at..at + 2].copy_from_slice(&(len as u16).to_le_bytes()),
        }
    }

    /// The offset of a message in the vector.
    fn message_at(&self, channel: LoadedChannel, position: u32) -> usize {
        let ty = self.model.channel_type(channel.ty);
        (channel.offset + ty.length_size() + position * ty.message_size()) as usize
    }

    /// A field of a message; one that the channel does not have is 0.
    fn read_field(&self, state: &[u8], channel: LoadedChannel, position: u32, field: usize) -> i32 {
        let Some(field) = self.model.channel_type(channel.ty).fields.get(field) else {
            return 0;
        };
        let at = self.message_at(channel, position) + field.offset as usize;
        field.scalar.read(state, at)
    }

    /// Whether all `Match` fields agree with the values `field` gives.
    pub(super) fn fields_match(
        &self,
        view: &View<'_>,
        args: &[RecvArg],
        field: impl Fn(usize) -> i32,
    ) -> Result<bool, Fault> {
        for (i, arg) in args.iter().enumerate() {
            if let RecvArg::Match(expr) = arg
                && self.eval(view, *expr)? != field(i)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The position of the message a receive would take.
    pub(super) fn find_message(
        &self,
        view: &View<'_>,
        channel: LoadedChannel,
        random: bool,
        args: &[RecvArg],
    ) -> Result<Option<u32>, Fault> {
        let len = self.channel_len(view.state, channel);
        if len == 0 {
            return Ok(None);
        }
        let last = if random { len } else { 1 };
        for position in 0..last {
            let field = |i| self.read_field(view.state, channel, position, i);
            if self.fields_match(view, args, field)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// A message with too many or too few fields is an error, but it goes through: what is
    /// missing is 0, what is too much is dropped.
    pub(super) fn field_count_error(
        &self,
        channel: LoadedChannel,
        given: usize,
    ) -> Option<Violation> {
        let wanted = self.model.channel_type(channel.ty).fields.len();
        (wanted != given).then(|| ErrorKind::WrongFieldCount.into())
    }

    pub(super) fn poll(
        &self,
        view: &View<'_>,
        place: PlaceId,
        random: bool,
        args: &[RecvArg],
    ) -> Result<bool, Fault> {
        let channel = self.channel(self.load_place(view, place)?)?;
        if self.model.channel_type(channel.ty).capacity == 0 {
            return Err(ErrorKind::PollOfRendezvous.into());
        }
        Ok(self.find_message(view, channel, random, args)?.is_some())
    }

    /// Put `self.message` into a buffered channel that has room.
    pub(super) fn insert_message(&self, state: &mut [u8], channel: LoadedChannel, sorted: bool) {
        let ty = self.model.channel_type(channel.ty);
        let len = self.channel_len(state, channel);
        let position = if sorted {
            self.sorted_position(state, channel, len)
        } else {
            len
        };
        let start = self.message_at(channel, position);
        let end = self.message_at(channel, len);
        state.copy_within(start..end, start + ty.message_size() as usize);
        write_message(state, start, ty, &self.message);
        self.set_channel_len(state, channel, len + 1);
    }

    /// Before the first message that is greater, fields compared from left to right.
    fn sorted_position(&self, state: &[u8], channel: LoadedChannel, len: u32) -> u32 {
        (0..len)
            .find(|&position| {
                let fields = 0..self.message.len();
                let stored = fields.map(|i| self.read_field(state, channel, position, i));
                self.message.iter().copied().lt(stored)
            })
            .unwrap_or(len)
    }

    /// Read a message into `self.message`.
    pub(super) fn copy_message(&mut self, state: &[u8], channel: LoadedChannel, position: u32) {
        let count = self.model.channel_type(channel.ty).fields.len();
        self.message.clear();
        for field in 0..count {
            let value = self.read_field(state, channel, position, field);
            self.message.push(value);
        }
    }

    /// Take a message out; the freed slot leaves no trace.
    pub(super) fn remove_message(&self, state: &mut [u8], channel: LoadedChannel, position: u32) {
        let size = self.model.channel_type(channel.ty).message_size() as usize;
        let len = self.channel_len(state, channel);
        let start = self.message_at(channel, position);
        let end = self.message_at(channel, len);
        state.copy_within(start + size..end, start);
        state[end - size..end].fill(0);
        self.set_channel_len(state, channel, len - 1);
    }
}

fn write_message(state: &mut [u8], at: usize, ty: &ChannelType, values: &[i32]) {
    for (field, &value) in ty.fields.iter().zip(values) {
        field.scalar.write(state, at + field.offset as usize, value);
    }
}
