//! Statements as code: a test in the vector before the step, an effect on the one behind it.

use std::mem::offset_of;

use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use model::{Action, ControlId, Proctype, ProctypeId};
use space::{Row, TransitionId};

use crate::channel::Receive;
use crate::context::Context;
use crate::emit::{Env, Gen};

/// What becomes of a statement that can be executed.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    /// It is a step: a successor is written.
    Step { id: TransitionId, escape: ControlId },
    /// It is part of a `d_step`, and changes the vector that it sees.
    InPlace,
}

impl Gen<'_> {
    /// Make code for a statement: go to `blocked` if it cannot be executed, otherwise
    /// execute it and go to `done`. Ends the block.
    pub(crate) fn action(
        &mut self,
        env: &Env,
        action: &Action,
        mode: &Mode,
        blocked: Block,
        done: Block,
    ) {
        let bail = self.bail;
        match action {
            Action::Skip | Action::Printf(..) => self.perform(env, mode, done, |_, _| {}),
            Action::Else => {
                if let Mode::Step { .. } = mode {
                    let moved = self.b.use_var(self.moved);
                    self.leave_if(moved, blocked);
                }
                self.perform(env, mode, done, |_, _| {});
            }
            Action::Guard(expr) => {
                let truth = self.truth(env, *expr);
                self.leave_unless(truth, blocked);
                self.perform(env, mode, done, |_, _| {});
            }
            Action::Assign(place, expr) => {
                let value = self.eval(env, *expr);
                let address = self.resolve(env, *place);
                self.perform(env, mode, done, |code, dst| {
                    code.write(dst, &address, value);
                });
            }
            Action::Assert(expr, _) => {
                let truth = self.truth(env, *expr);
                self.leave_unless(truth, bail);
                self.perform(env, mode, done, |_, _| {});
            }
            Action::Printm(expr, _) => {
                self.eval(env, *expr);
                self.perform(env, mode, done, |_, _| {});
            }
            Action::Send { sorted: true, .. } | Action::SetPriority(..) => self.jump(bail),
            Action::Event(_) => self.jump(blocked),
            Action::Send { channel, args, .. } => {
                self.for_channel(env, *channel, args.len(), |code, channel| {
                    let rendezvous = code.model.channel_type(channel.ty).capacity == 0;
                    match mode {
                        _ if !rendezvous => code.send(env, &channel, args, mode, blocked, done),
                        Mode::Step { id, escape } => {
                            code.offer(env, &channel, args, *id, *escape, done);
                        }
                        Mode::InPlace => code.jump(bail),
                    }
                });
            }
            Action::Receive {
                channel,
                random,
                peek,
                args,
            } => {
                let receive = Receive {
                    random: *random,
                    peek: *peek,
                    args,
                };
                self.for_channel(env, *channel, args.len(), |code, channel| {
                    if code.model.channel_type(channel.ty).capacity > 0 {
                        code.receive(env, &channel, receive, mode, blocked, done);
                    } else {
                        // Without an offer nothing can be received; peeking is an error.
                        code.jump(if receive.peek { bail } else { blocked });
                    }
                });
            }
            Action::Run(spec, place, expr) => match mode {
                Mode::Step { .. } => self.run(env, spec, *place, *expr, mode, blocked, done),
                Mode::InPlace => self.jump(bail),
            },
            Action::End => match mode {
                Mode::Step { id, escape } => self.end(env, *id, *escape, blocked, done),
                Mode::InPlace => self.jump(bail),
            },
            Action::DStep(row) => match mode {
                Mode::Step { id, escape } => {
                    self.dstep(env, *row, *id, *escape, blocked, done);
                }
                Mode::InPlace => self.jump(bail),
            },
        }
    }

    /// Execute a statement whose test has passed, and go to `done`.
    pub(crate) fn perform(
        &mut self,
        env: &Env,
        mode: &Mode,
        done: Block,
        effect: impl FnOnce(&mut Self, &Env),
    ) {
        match mode {
            Mode::InPlace => effect(self, env),
            Mode::Step { id, escape } => {
                let dst = self.begin(env);
                effect(self, &dst);
                self.arrive(&dst, *id);
                let len = self.len;
                self.finish(&dst, len, *id, *escape);
            }
        }
        self.jump(done);
    }

    /// Where the next successor goes.
    pub(crate) fn next_vector(&mut self) -> Value {
        let out = self.context_pointer(offset_of!(Context, out));
        let at = self.b.use_var(self.out_at);
        self.add(out, at)
    }

    /// Begin a successor as a copy of the vector.
    pub(crate) fn begin(&mut self, env: &Env) -> Env {
        let state = self.next_vector();
        let len = self.len;
        self.copy_vector(env.state, state, len);
        let frame_offset = self.frame_offset;
        Env {
            state,
            frame: self.add(state, frame_offset),
            ..*env
        }
    }

    /// Note that the process has executed a transition.
    pub(crate) fn arrive(&mut self, dst: &Env, id: TransitionId) {
        let transition = self.model.transition(id);
        if transition.target != ControlId(0) {
            self.set_head(dst.frame, transition.proctype, transition.target);
        }
        for range in &transition.resets {
            self.clear(dst.frame, range.offset as i32, range.length);
        }
        self.note_last(dst);
    }

    /// Put a process into a control state.
    pub(crate) fn set_head(&mut self, frame: Value, kind: ProctypeId, control: ControlId) {
        let layout = &self.model.layout;
        let number = self.i32(layout.number_of(kind, control) as i32);
        match layout.head_size {
            1 => self.store_u8(number, frame, 0),
            _ => self.store_u16(number, frame, 0),
        }
    }

    /// The proctype and the control state of a process as one number (32 bits).
    pub(crate) fn head(&mut self, frame: Value) -> Value {
        match self.model.layout.head_size {
            1 => self.load_u8(frame, 0),
            _ => self.load_u16(frame, 0),
        }
    }

    /// The control state of a process of a proctype (32 bits).
    pub(crate) fn control(&mut self, frame: Value, proctype: &Proctype) -> Value {
        let head = self.head(frame);
        let kinds = self.model.proctypes.iter();
        let base = (kinds.zip(&self.model.layout.head_bases))
            .find(|(other, _)| std::ptr::eq(*other, proctype))
            .map_or(0, |(_, base)| *base);
        self.add_const(head, -i64::from(base))
    }

    pub(crate) fn note_last(&mut self, dst: &Env) {
        if let Some(last) = self.model.layout.last {
            self.store_u8(dst.pid, dst.state, last as i32);
        }
    }

    /// Write the row of a successor that is complete.
    pub(crate) fn finish(&mut self, dst: &Env, len: Value, id: TransitionId, escape: ControlId) {
        let transition = self.i64(i64::from(id.0));
        let meta = if self.model.transition(id).atomic {
            let pid_and_owner = self.times(dst.pid, 0x1_0001);
            self.add_const(pid_and_owner, i64::from(Row::EXCLUSIVE) << 24)
        } else {
            dst.pid
        };
        let chained = self.b.use_var(self.chained);
        let meta = self.b.ins().bor(meta, chained);
        self.push_row(len, transition, meta);
        self.note_moved(escape);
    }

    pub(crate) fn note_moved(&mut self, escape: ControlId) {
        let one = self.b.ins().iconst(types::I8, 1);
        self.b.def_var(self.moved, one);
        let escape = self.i32(escape.0 as i32);
        self.b.def_var(self.escape, escape);
    }

    /// Append a row for the vector at the end of the output, and step behind that.
    /// `transitions` are those of mover and partner, `meta` the last four bytes of a row.
    pub(crate) fn push_row(&mut self, len: Value, transitions: Value, meta: Value) {
        let rows = self.b.use_var(self.rows);
        let start = self.b.use_var(self.out_at);
        let short_start = self.b.ins().ireduce(types::I32, start);
        let short_len = self.b.ins().ireduce(types::I32, len);
        self.store(short_start, rows, offset_of!(Row, start) as i32);
        self.store(short_len, rows, offset_of!(Row, len) as i32);
        self.store(transitions, rows, offset_of!(Row, transition) as i32);
        self.store(meta, rows, offset_of!(Row, pid) as i32);
        let rows = self.add_const(rows, size_of::<Row>() as i64);
        self.b.def_var(self.rows, rows);
        let end = self.add(start, len);
        let end = self.add_const(end, 15);
        let end = self.b.ins().band_imm_s(end, -16);
        self.b.def_var(self.out_at, end);
    }
}
