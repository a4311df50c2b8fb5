//! Birth and death of processes as code.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use model::{ControlId, ExprId, Initialiser, PlaceId, Proctype, RunSpec};
use space::TransitionId;

use crate::action::Mode;
use crate::context::Context;
use crate::emit::{Asks, Env, Gen};
use crate::facts::{is_plain, is_plain_place};

/// The largest number of processes, and of channels.
const MOST: i64 = 255;
/// Longer frames are made by the interpreter.
const LONGEST_FRAME: u32 = 512;

impl Gen<'_> {
    /// `run`: the arguments, the new frame, then the value of the statement.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn run(
        &mut self,
        env: &Env,
        spec: &RunSpec,
        place: Option<PlaceId>,
        expr: ExprId,
        mode: &Mode,
        blocked: Block,
        done: Block,
    ) {
        let model = self.model;
        let born = model.proctype(spec.proctype);
        if !self.runs_natively(born, place, expr) {
            let bail = self.bail;
            return self.jump(bail);
        }
        let Mode::Step { id, escape } = *mode else {
            return;
        };
        let args: Vec<Value> = spec.args.iter().map(|arg| self.eval(env, *arg)).collect();
        let pid = env.processes;
        let many = self.compare_const(IntCC::UnsignedGreaterThanOrEqual, pid, MOST);
        self.bail_if(many);
        let channels = self.context_u32(offset_of!(Context, channel_count));
        let room = MOST - born.channels.len() as i64;
        let many = self.compare_const(IntCC::SignedGreaterThan, channels, room);
        self.bail_if(many);
        let dst = self.begin(env);
        let len = self.len;
        let frame = self.add(dst.state, len);
        // A little more than the frame: what lies behind a vector is written, too.
        self.clear(frame, 0, born.frame_size.next_multiple_of(8) + 16);
        self.set_head(frame, spec.proctype, born.initial);
        if model.layout.priorities {
            let priority = self.i32(i32::from(spec.priority));
            self.store_u8(priority, frame, model.layout.priority() as i32);
        }
        for ((offset, scalar), value) in born.params.iter().zip(&args) {
            self.write_scalar(*scalar, frame, *offset as i32, *value);
        }
        let processes = self.add_const(pid, 1);
        let child = Env {
            frame,
            pid,
            processes,
            asks: Asks::Nobody,
            ..dst
        };
        self.initialise(&child, born, channels);
        let parent = Env {
            processes,
            run_result: Some(pid),
            asks: Asks::Nobody,
            ..dst
        };
        let value = self.eval(&parent, expr);
        match place {
            Some(place) => {
                let address = self.resolve(&parent, place);
                self.write(&parent, &address, value);
            }
            None => self.leave_unless(value, blocked),
        }
        self.arrive(&dst, id);
        let longer = self.add_const(len, i64::from(born.frame_size));
        self.finish(&dst, longer, id, escape);
        self.jump(done);
    }

    /// Whether nothing in a `run` has to look at processes or channels.
    fn runs_natively(&self, born: &Proctype, place: Option<PlaceId>, expr: ExprId) -> bool {
        let model = self.model;
        let plain_inits = born.inits.iter().all(|init| match init {
            Initialiser::Value { value, count, .. } => is_plain(model, *value) && *count <= 64,
            Initialiser::Channel { .. } => true,
        });
        plain_inits
            && born.frame_size <= LONGEST_FRAME
            && is_plain(model, expr)
            && place.is_none_or(|place| is_plain_place(model, place))
    }

    /// First values of a process, in the order of the declarations.
    fn initialise(&mut self, child: &Env, born: &Proctype, channels: Value) {
        let mut number = 0;
        for init in &born.inits {
            match *init {
                Initialiser::Value {
                    offset,
                    stride,
                    count,
                    scalar,
                    value,
                } => {
                    let value = self.eval(child, value);
                    for i in 0..count {
                        let at = (offset + i * stride) as i32;
                        self.write_scalar(scalar, child.frame, at, value);
                    }
                }
                Initialiser::Channel { offset, .. } => {
                    number += 1;
                    let channel = self.add_const(channels, number);
                    self.store_u8(channel, child.frame, offset as i32);
                }
            }
        }
    }

    /// The end of a process: only the youngest can leave.
    pub(crate) fn end(
        &mut self,
        env: &Env,
        id: TransitionId,
        escape: ControlId,
        blocked: Block,
        done: Block,
    ) {
        let younger = self.add_const(env.pid, 1);
        let youngest = (self.b.ins()).icmp(IntCC::Equal, younger, env.processes);
        self.leave_unless(youngest, blocked);
        let state = self.next_vector();
        let len = self.frame_offset;
        self.copy_vector(env.state, state, len);
        let dst = Env { state, ..*env };
        self.note_last(&dst);
        self.finish(&dst, len, id, escape);
        self.jump(done);
    }
}
