//! Deterministic sequences as code: straight, on the successor itself.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use model::{Action, ControlId, DStepOp};
use space::TransitionId;

use crate::action::Mode;
use crate::emit::{Asks, Env, Gen};

/// After so many jumps back the interpreter decides whether the sequence is endless.
const MOST_JUMPS: i64 = 1 << 16;

impl Gen<'_> {
    /// A `d_step`: test whether it can start, then execute it on the successor.
    pub(crate) fn dstep(
        &mut self,
        env: &Env,
        row: u32,
        id: TransitionId,
        escape: ControlId,
        blocked: Block,
        done: Block,
    ) {
        let model = self.model;
        let dstep = &model.dsteps[row as usize];
        let start = self.b.create_block();
        self.dstep_guards(env, &dstep.guards, start, blocked);
        self.b.switch_to_block(start);
        let dst = Env {
            asks: Asks::DStep,
            ..self.begin(env)
        };
        let jumps = self.b.declare_var(types::I64);
        let zero = self.i64(0);
        self.b.def_var(jumps, zero);
        let blocks: Vec<Block> = dstep.ops.iter().map(|_| self.b.create_block()).collect();
        self.jump(blocks[0]);
        for (pc, op) in dstep.ops.iter().enumerate() {
            self.b.switch_to_block(blocks[pc]);
            match op {
                DStepOp::Done => {
                    self.arrive(&dst, id);
                    let len = self.len;
                    self.finish(&dst, len, id, escape);
                    self.jump(done);
                }
                DStepOp::Jump(to) => {
                    if *to as usize <= pc {
                        let count = self.b.use_var(jumps);
                        let count = self.add_const(count, 1);
                        self.b.def_var(jumps, count);
                        let many =
                            self.compare_const(IntCC::UnsignedGreaterThan, count, MOST_JUMPS);
                        self.bail_if(many);
                    }
                    self.jump(blocks[*to as usize]);
                }
                DStepOp::Blocked => {
                    let bail = self.bail;
                    self.jump(bail);
                }
                DStepOp::Do {
                    action, otherwise, ..
                } => {
                    let otherwise = otherwise.map_or(self.bail, |to| blocks[to as usize]);
                    self.action(&dst, action, &Mode::InPlace, otherwise, blocks[pc + 1]);
                }
            }
        }
    }

    /// Go to `start` if one of the guards can be executed, or if there are none.
    fn dstep_guards(&mut self, env: &Env, guards: &[Action], start: Block, blocked: Block) {
        for guard in guards {
            let next = self.b.create_block();
            match guard {
                Action::Guard(expr) => {
                    let truth = self.truth(env, *expr);
                    self.b.ins().brif(truth, start, &[], next, &[]);
                }
                Action::Else => {
                    let moved = self.b.use_var(self.moved);
                    self.b.ins().brif(moved, next, &[], start, &[]);
                }
                Action::Send { channel, args, .. } => {
                    self.for_channel(env, *channel, args.len(), |code, channel| {
                        let capacity = code.model.channel_type(channel.ty).capacity;
                        let len = code.channel_len(env, &channel);
                        let cc = IntCC::UnsignedLessThan;
                        let room = code.compare_const(cc, len, i64::from(capacity));
                        let open = capacity == 0 || code.model.lossy;
                        match open {
                            true => code.jump(start),
                            false => {
                                code.b.ins().brif(room, start, &[], next, &[]);
                            }
                        }
                    });
                }
                Action::Receive {
                    channel,
                    random,
                    peek,
                    args,
                } => {
                    let bail = self.bail;
                    self.for_channel(env, *channel, args.len(), |code, channel| {
                        if code.model.channel_type(channel.ty).capacity > 0 {
                            code.find_message(env, &channel, *random, args, next);
                            code.jump(start);
                        } else {
                            code.jump(if *peek { bail } else { next });
                        }
                    });
                }
                Action::Skip
                | Action::Assign(..)
                | Action::Run(..)
                | Action::Assert(..)
                | Action::Printf(..)
                | Action::Printm(..)
                | Action::SetPriority(..) => self.jump(start),
                Action::DStep(_) | Action::End | Action::Event(_) => {
                    let bail = self.bail;
                    self.jump(bail);
                }
            }
            self.b.switch_to_block(next);
        }
        self.jump(if guards.is_empty() { start } else { blocked });
    }
}
