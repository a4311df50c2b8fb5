//! Handshakes as code: the sender's offer, and what a receiver makes of it.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use model::{Action, ControlId, ExprId, OptionEntry, PlaceId, RecvArg};
use space::{Row, TransitionId};

use crate::channel::Chan;
use crate::context::{BAIL, Context};
use crate::emit::{Env, Gen};

impl Gen<'_> {
    /// A send on a channel without buffer: build the vector halfway, and let everybody see
    /// the message.
    pub(crate) fn offer(
        &mut self,
        env: &Env,
        channel: &Chan,
        args: &[ExprId],
        id: TransitionId,
        escape: ControlId,
        done: Block,
    ) {
        let model = self.model;
        let fields = &model.channel_type(channel.ty).fields;
        for (row, (arg, field)) in args.iter().zip(fields).enumerate() {
            let value = self.eval(env, *arg);
            let value = self.truncate(field.scalar, value);
            self.set_context_u32(offset_of!(Context, offer) + 4 * row, value);
        }
        self.check_claims(env, channel.number, false);
        self.set_context_u32(offset_of!(Context, offer_channel), channel.number);
        let count = self.i32(fields.len() as i32);
        self.set_context_u32(offset_of!(Context, offer_count), count);
        self.set_context_u32(offset_of!(Context, sender), env.pid);
        let transition = self.i32(id.0 as i32);
        self.set_context_u32(offset_of!(Context, sender_transition), transition);
        self.push_offer();
        let halfway = self.context_pointer(offset_of!(Context, halfway));
        let len = self.len;
        self.copy_vector(env.state, halfway, len);
        let frame_offset = self.frame_offset;
        let there = Env {
            state: halfway,
            frame: self.add(halfway, frame_offset),
            ..*env
        };
        self.arrive(&there, id);
        self.save_output();
        let (context, helper) = (self.context, self.helpers.handshake);
        let call = self.b.ins().call(helper, &[context]);
        let status = self.b.inst_results(call)[0];
        let gave_up = self.compare_const(IntCC::Equal, status, i64::from(BAIL));
        self.bail_if(gave_up);
        self.load_output();
        let (taken, refused) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(status, taken, &[], refused, &[]);
        self.b.switch_to_block(taken);
        self.note_moved(escape);
        self.jump(done);
        self.b.switch_to_block(refused);
        let none = self.i32(0);
        self.b.def_var(self.escape, none);
        self.jump(done);
    }

    /// A row that says that a send is ready.
    fn push_offer(&mut self) {
        let rows = self.b.use_var(self.rows);
        let zero = self.i64(0);
        let meta = self.i32(i32::from(Row::OFFER | Row::STEPLESS) << 24);
        self.store(zero, rows, offset_of!(Row, start) as i32);
        self.store(zero, rows, offset_of!(Row, transition) as i32);
        self.store(meta, rows, offset_of!(Row, pid) as i32);
        let rows = self.add_const(rows, size_of::<Row>() as i64);
        self.b.def_var(self.rows, rows);
    }

    /// What an option of a receiver makes of the offer; goes to `next` in the end.
    pub(crate) fn take(&mut self, env: &Env, entry: &OptionEntry, next: Block) {
        let model = self.model;
        match &model.transition(entry.transition).action {
            Action::Receive {
                channel,
                peek,
                args,
                ..
            } => {
                let Some(number) = self.offered_here(env, *channel, *peek, next) else {
                    return self.jump(next);
                };
                self.take_offer(env, entry, number, args, next);
            }
            Action::DStep(row) => {
                for guard in &model.dsteps[*row as usize].guards {
                    if let Action::Receive { channel, peek, .. } = guard {
                        let not_this = self.b.create_block();
                        if self.offered_here(env, *channel, *peek, not_this).is_some() {
                            let bail = self.bail;
                            self.jump(bail);
                        } else {
                            self.jump(not_this);
                        }
                        self.b.switch_to_block(not_this);
                    }
                }
                self.jump(next);
            }
            _ => self.jump(next),
        }
    }

    /// Go on if the channel in a place is the one of the offer, else to `no`. Nothing if it
    /// can never be.
    fn offered_here(&mut self, env: &Env, place: PlaceId, peek: bool, no: Block) -> Option<Value> {
        let fixed = self.facts.fixed_channel(self.model, place);
        let number = match fixed {
            Some(fixed) => {
                let address = self.resolve(env, place);
                if self.model.channel_type(fixed.ty).capacity > 0 {
                    return None;
                }
                self.read(env, &address)
            }
            None => self.checked_number(env, place),
        };
        if peek {
            // Peeking at a channel without buffer is an error, on whichever it is.
            let bail = self.bail;
            let never = self.b.create_block();
            self.jump(bail);
            self.b.switch_to_block(never);
        }
        let offered = self.context_u32(offset_of!(Context, offer_channel));
        let same = self.b.ins().icmp(IntCC::Equal, number, offered);
        self.leave_unless(same, no);
        Some(number)
    }

    fn take_offer(
        &mut self,
        env: &Env,
        entry: &OptionEntry,
        number: Value,
        args: &[RecvArg],
        next: Block,
    ) {
        let count = self.context_u32(offset_of!(Context, offer_count));
        let wrong = self.compare_const(IntCC::NotEqual, count, args.len() as i64);
        self.bail_if(wrong);
        let values: Vec<Value> = (0..args.len())
            .map(|i| self.context_u32(offset_of!(Context, offer) + 4 * i))
            .collect();
        for (arg, value) in args.iter().zip(&values) {
            if let RecvArg::Match(expr) = arg {
                let wanted = self.eval(env, *expr);
                let other = self.b.ins().icmp(IntCC::NotEqual, wanted, *value);
                self.leave_if(other, next);
            }
        }
        let dst = self.begin(env);
        self.store_fields(&dst, args, &values);
        self.check_claims(&dst, number, true);
        self.arrive(&dst, entry.transition);
        self.push_handshake(env.pid, entry.transition);
        self.note_moved(entry.escape);
        self.jump(next);
    }

    fn push_handshake(&mut self, pid: Value, id: TransitionId) {
        let sent = self.context_u32(offset_of!(Context, sender_transition));
        let sent = self.widen(sent);
        let transitions = self.add_const(sent, i64::from(id.0) << 32);
        let atomic = self.model.transition(id).atomic;
        let (shifts, flags) = match atomic {
            true => (0x1_0100, Row::HANDSHAKE | Row::EXCLUSIVE),
            false => (0x100, Row::HANDSHAKE),
        };
        let sender = self.context_u32(offset_of!(Context, sender));
        let partner = self.times(pid, shifts);
        let meta = self.add(sender, partner);
        let meta = self.add_const(meta, i64::from(flags) << 24);
        let len = self.len;
        self.push_row(len, transitions, meta);
    }
}
