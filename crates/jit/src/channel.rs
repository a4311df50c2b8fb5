//! Channels as code: looking up, matching, sending and receiving.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use model::{ChannelType, ChannelTypeId, ExprId, PlaceId, RecvArg};

use crate::action::Mode;
use crate::context::{Channel, Context, MOST_FIELDS};
use crate::emit::{Env, Gen};

/// More types than this are left to the interpreter where a variable may hold any of them.
const MOST_TYPES: usize = 4;
/// Longer moves of messages are calls.
const LONGEST_MOVE: u32 = 64;

/// A channel whose type is known while compiling.
#[derive(Clone, Copy)]
pub(crate) struct Chan {
    /// Its number (32 bits).
    pub(crate) number: Value,
    /// Where its contents begin: a constant, and a part known only when it runs (64 bits).
    offset: i32,
    index: Option<Value>,
    pub(crate) ty: ChannelTypeId,
}

/// A receive statement.
#[derive(Clone, Copy)]
pub(crate) struct Receive<'a> {
    pub(crate) random: bool,
    pub(crate) peek: bool,
    pub(crate) args: &'a [RecvArg],
}

impl Gen<'_> {
    /// The channel in a place, if its type is the same in all states.
    pub(crate) fn only_channel(&mut self, env: &Env, place: PlaceId) -> Option<Chan> {
        let fixed = self.facts.fixed_channel(self.model, place);
        if let Some(fixed) = fixed {
            let address = self.resolve(env, place);
            if address.index.is_none() {
                let stride = (self.model.place(place).indices.first()).map_or(1, |i| i.stride);
                let start = self.model.place(place).offset;
                let element = (address.offset as u32 - start) / stride;
                let size = self.model.channel_type(fixed.ty).size();
                return Some(Chan {
                    number: self.i32((fixed.number + element) as i32),
                    offset: (fixed.offset + element * size) as i32,
                    index: None,
                    ty: fixed.ty,
                });
            }
            let number = self.read(env, &address);
            let element = self.add_const(number, -i64::from(fixed.number));
            let element = self.widen(element);
            let size = self.model.channel_type(fixed.ty).size();
            return Some(Chan {
                number,
                offset: fixed.offset as i32,
                index: Some(self.times(element, size)),
                ty: fixed.ty,
            });
        }
        if self.model.channel_types.len() != 1 {
            return None;
        }
        let (number, entry) = self.channel_entry(env, place);
        let offset = self.load(types::I32, entry, offset_of!(Channel, offset) as i32);
        Some(Chan {
            number,
            offset: 0,
            index: Some(self.widen(offset)),
            ty: ChannelTypeId(0),
        })
    }

    /// The number of the channel in a place, checked, and where the context describes it.
    fn channel_entry(&mut self, env: &Env, place: PlaceId) -> (Value, Value) {
        let number = self.checked_number(env, place);
        let row = self.add_const(number, -1);
        let row = self.widen(row);
        let bytes = self.times(row, size_of::<Channel>() as u32);
        let table = self.context_pointer(offset_of!(Context, channels));
        (number, self.add(table, bytes))
    }

    /// The number of the channel in a place. Gives up if there is none.
    pub(crate) fn checked_number(&mut self, env: &Env, place: PlaceId) -> Value {
        let number = self.load_place(env, place);
        let row = self.add_const(number, -1);
        let count = self.context_u32(offset_of!(Context, channel_count));
        let bad = (self.b.ins()).icmp(IntCC::UnsignedGreaterThanOrEqual, row, count);
        self.bail_if(bad);
        number
    }

    /// Make code for a channel statement, once for each type the channel may have. `code`
    /// must end the block it is in. Types with another number of fields are errors, which
    /// the interpreter reports.
    pub(crate) fn for_channel(
        &mut self,
        env: &Env,
        place: PlaceId,
        fields: usize,
        mut code: impl FnMut(&mut Self, Chan),
    ) {
        let bail = self.bail;
        let fits = |ty: &ChannelType| ty.fields.len() == fields && fields <= MOST_FIELDS;
        if self.facts.event_trace {
            return self.jump(bail);
        }
        if let Some(channel) = self.only_channel(env, place) {
            return match fits(self.model.channel_type(channel.ty)) {
                true => code(self, channel),
                false => self.jump(bail),
            };
        }
        let model = self.model;
        let candidates: Vec<usize> = (0..model.channel_types.len())
            .filter(|&ty| fits(&model.channel_types[ty]))
            .collect();
        if candidates.len() > MOST_TYPES {
            return self.jump(bail);
        }
        let (number, entry) = self.channel_entry(env, place);
        let offset = self.load(types::I32, entry, offset_of!(Channel, offset) as i32);
        let index = Some(self.widen(offset));
        let actual = self.load(types::I32, entry, offset_of!(Channel, ty) as i32);
        for ty in candidates {
            let (this, other) = (self.b.create_block(), self.b.create_block());
            let same = self.compare_const(IntCC::Equal, actual, ty as i64);
            self.b.ins().brif(same, this, &[], other, &[]);
            self.b.switch_to_block(this);
            let ty = ChannelTypeId(ty as u32);
            code(
                self,
                Chan {
                    number,
                    offset: 0,
                    index,
                    ty,
                },
            );
            self.b.switch_to_block(other);
        }
        self.jump(bail);
    }

    /// The contents of a channel: a pointer and what to add to it.
    fn contents(&mut self, env: &Env, channel: &Chan) -> (Value, i32) {
        let at = match channel.index {
            None => env.state,
            Some(index) => self.add(env.state, index),
        };
        (at, channel.offset)
    }

    pub(crate) fn channel_len(&mut self, env: &Env, channel: &Chan) -> Value {
        let (at, offset) = self.contents(env, channel);
        match self.model.channel_type(channel.ty).length_size() {
            0 => self.i32(0),
            1 => self.load_u8(at, offset),
            _ => self.load_u16(at, offset),
        }
    }

    fn set_channel_len(&mut self, env: &Env, channel: &Chan, len: Value) {
        let (at, offset) = self.contents(env, channel);
        match self.model.channel_type(channel.ty).length_size() {
            0 => {}
            1 => self.store_u8(len, at, offset),
            _ => self.store_u16(len, at, offset),
        }
    }

    /// Where the message at a position begins; without a position, the first one.
    fn message(&mut self, env: &Env, channel: &Chan, position: Option<Value>) -> (Value, i32) {
        let ty = self.model.channel_type(channel.ty);
        let (at, offset) = self.contents(env, channel);
        let offset = offset + ty.length_size() as i32;
        match position {
            None => (at, offset),
            Some(position) => {
                let wide = self.widen(position);
                let bytes = self.times(wide, ty.message_size());
                (self.add(at, bytes), offset)
            }
        }
    }

    fn field(&mut self, channel: &Chan, message: (Value, i32), field: usize) -> Value {
        match self.model.channel_type(channel.ty).fields.get(field) {
            None => self.i32(0),
            Some(field) => {
                self.read_scalar(field.scalar, message.0, message.1 + field.offset as i32)
            }
        }
    }

    /// Find the message a receive takes; go to `no` if there is none. Returns its position,
    /// or nothing for the first.
    pub(crate) fn find_message(
        &mut self,
        env: &Env,
        channel: &Chan,
        random: bool,
        args: &[RecvArg],
        no: Block,
    ) -> Option<Value> {
        let len = self.channel_len(env, channel);
        let empty = self.compare_const(IntCC::Equal, len, 0);
        self.leave_if(empty, no);
        if !random {
            self.match_fields(env, channel, None, args, no);
            return None;
        }
        let (again, next) = (self.b.create_block(), self.b.create_block());
        let position = self.b.append_block_param(again, types::I32);
        let zero = self.i32(0);
        self.b.ins().jump(again, &[zero.into()]);
        self.b.switch_to_block(next);
        let following = self.add_const(position, 1);
        let more = (self.b.ins()).icmp(IntCC::UnsignedLessThan, following, len);
        self.b.ins().brif(more, again, &[following.into()], no, &[]);
        self.b.switch_to_block(again);
        self.match_fields(env, channel, Some(position), args, next);
        Some(position)
    }

    fn match_fields(
        &mut self,
        env: &Env,
        channel: &Chan,
        position: Option<Value>,
        args: &[RecvArg],
        no: Block,
    ) {
        for (i, arg) in args.iter().enumerate() {
            if let RecvArg::Match(expr) = arg {
                let wanted = self.eval(env, *expr);
                let message = self.message(env, channel, position);
                let found = self.field(channel, message, i);
                let other = self.b.ins().icmp(IntCC::NotEqual, wanted, found);
                self.leave_if(other, no);
            }
        }
    }

    /// A send to a channel with a buffer.
    pub(crate) fn send(
        &mut self,
        env: &Env,
        channel: &Chan,
        args: &[ExprId],
        mode: &Mode,
        blocked: Block,
        done: Block,
    ) {
        let model = self.model;
        let ty = model.channel_type(channel.ty);
        let len = self.channel_len(env, channel);
        let full = self.compare_const(
            IntCC::UnsignedGreaterThanOrEqual,
            len,
            i64::from(ty.capacity),
        );
        if !model.lossy {
            self.leave_if(full, blocked);
        }
        let values: Vec<Value> = args.iter().map(|arg| self.eval(env, *arg)).collect();
        self.perform(env, mode, done, |code, dst| {
            let sent = code.b.create_block();
            if model.lossy {
                code.leave_if(full, sent);
            }
            let (at, offset) = code.message(dst, channel, Some(len));
            for (field, value) in ty.fields.iter().zip(&values) {
                code.write_scalar(field.scalar, at, offset + field.offset as i32, *value);
            }
            let longer = code.add_const(len, 1);
            code.set_channel_len(dst, channel, longer);
            code.jump(sent);
            code.b.switch_to_block(sent);
            code.check_claims(dst, channel.number, false);
        });
    }

    /// A receive from a channel with a buffer.
    pub(crate) fn receive(
        &mut self,
        env: &Env,
        channel: &Chan,
        receive: Receive<'_>,
        mode: &Mode,
        blocked: Block,
        done: Block,
    ) {
        let position = self.find_message(env, channel, receive.random, receive.args, blocked);
        let len = self.channel_len(env, channel);
        let message = self.message(env, channel, position);
        let values: Vec<Value> = (0..receive.args.len())
            .map(|i| self.field(channel, message, i))
            .collect();
        self.perform(env, mode, done, |code, dst| {
            if !receive.peek {
                code.remove_message(dst, channel, position);
                let shorter = code.add_const(len, -1);
                code.set_channel_len(dst, channel, shorter);
            }
            code.store_fields(dst, receive.args, &values);
            code.check_claims(dst, channel.number, true);
        });
    }

    /// One field after the other: an index may depend on a field stored just before.
    pub(crate) fn store_fields(&mut self, env: &Env, args: &[RecvArg], values: &[Value]) {
        for (arg, value) in args.iter().zip(values) {
            if let RecvArg::Store(place) = arg {
                let address = self.resolve(env, *place);
                self.write(env, &address, *value);
            }
        }
    }

    /// Move the messages behind a position one up, and clear the last slot. Slots that are
    /// not used are 0, so all of them may move.
    fn remove_message(&mut self, env: &Env, channel: &Chan, position: Option<Value>) {
        let ty = self.model.channel_type(channel.ty);
        let size = ty.message_size();
        let behind = (ty.capacity - 1) * size;
        let (first, offset) = self.message(env, channel, None);
        match position {
            None if behind <= LONGEST_MOVE => self.move_down(first, offset, size, behind),
            _ => {
                let (at, offset) = self.message(env, channel, position);
                let to = self.add_const(at, i64::from(offset));
                let from = self.add_const(to, i64::from(size));
                let all = self.i64(i64::from(behind));
                let count = match position {
                    None => all,
                    Some(position) => {
                        let wide = self.widen(position);
                        let before = self.times(wide, size);
                        self.b.ins().isub(all, before)
                    }
                };
                let helper = self.helpers.memmove;
                self.b.ins().call(helper, &[to, from, count]);
            }
        }
        self.clear(first, offset + behind as i32, size);
    }

    /// Move `count` bytes from `distance` behind a place to it, from the front on.
    fn move_down(&mut self, at: Value, offset: i32, distance: u32, count: u32) {
        let mut done = 0;
        while done < count {
            let (ty, size) = match count - done {
                8.. => (types::I64, 8),
                4.. => (types::I32, 4),
                2.. => (types::I16, 2),
                _ => (types::I8, 1),
            };
            let piece = self.load(ty, at, offset + (done + distance) as i32);
            self.store(piece, at, offset + done as i32);
            done += size;
        }
    }

    /// Give up if a claim forbids the process to use the channel.
    pub(crate) fn check_claims(&mut self, env: &Env, number: Value, receive: bool) {
        if !self.facts.claims {
            return;
        }
        let receive = self.i32(i32::from(receive));
        let (context, helper) = (self.context, self.helpers.claims);
        let call = (self.b.ins()).call(helper, &[context, env.state, env.pid, number, receive]);
        let broken = self.b.inst_results(call)[0];
        self.bail_if(broken);
    }
}
