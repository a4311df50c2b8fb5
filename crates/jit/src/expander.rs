//! The function that makes the steps of a node: process after process, from the highest pid
//! down, in one go.
//!
//! What lies at the front of a frame, the head, tells proctype and control state at once, so
//! there is one jump for each process. How far the output has come stays in registers all
//! the way. In a large model that jump leads to calls of functions for some of the heads each.

use std::mem::offset_of;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use model::{ControlState, Model};

use crate::context::{BAIL, Context};
use crate::emit::{Asks, Env, Gen, Helpers};
use crate::facts::Facts;
use crate::process::Role;

/// What goes round from process to process.
struct Round {
    /// The processes that were not asked yet, as bits from `base` on.
    rest: Variable,
    base: Value,
    /// Whether one could move (8 bits).
    any: Variable,
    next: Block,
    /// Behind the last option of a process.
    asked: Block,
}

/// Fill in the function.
pub(crate) fn define(
    mut b: FunctionBuilder<'_>,
    model: &Model,
    facts: &Facts,
    helpers: Helpers,
    parts: Option<&[Range<usize>]>,
    frontend: TargetFrontendConfig,
) {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [context, rest, base] = *b.block_params(entry) else {
        unreachable!("the function has three parameters");
    };
    let mut code = Gen::new(b, model, facts, helpers, context);
    code.everybody(rest, base, parts);
    code.b.seal_all_blocks();
    code.b.finalize(frontend);
}

impl<'a> Gen<'a> {
    fn everybody(&mut self, rest: Value, base: Value, parts: Option<&[Range<usize>]>) {
        self.begin_function();
        let round = Round {
            rest: self.b.declare_var(types::I64),
            base,
            any: self.b.declare_var(types::I8),
            next: self.b.create_block(),
            asked: self.b.create_block(),
        };
        self.b.def_var(round.rest, rest);
        let nobody = self.b.ins().iconst(types::I8, 0);
        self.b.def_var(round.any, nobody);
        let state = self.context_pointer(offset_of!(Context, state));
        let frames = self.context_pointer(offset_of!(Context, frames));
        let processes = self.context_u32(offset_of!(Context, process_count));
        self.jump(round.next);

        let done = self.b.create_block();
        self.b.switch_to_block(round.next);
        let rest = self.b.use_var(round.rest);
        self.leave_unless(rest, done);
        let (pid, frame_offset) = self.next_process(&round, rest, frames);
        self.frame_offset = frame_offset;
        let env = Env {
            state,
            frame: self.add(state, frame_offset),
            pid,
            processes,
            run_result: None,
            asks: Asks::Option,
        };
        self.begin_process();
        match parts {
            Some(parts) => self.call_parts(&env, parts, &round),
            None => {
                let heads = 0..self.model.layout.heads.len();
                for (block, options) in self.dispatch_heads(&env, heads, round.next) {
                    self.b.switch_to_block(block);
                    self.options(&env, options, Role::Mover, round.asked);
                }
            }
        }
        self.end_process(&round);
        self.give_up(pid, &round);
        self.end_round(&round, done);
    }

    /// Choose the process with the highest pid of those left. Its pid, and where its frame
    /// begins.
    fn next_process(&mut self, round: &Round, rest: Value, frames: Value) -> (Value, Value) {
        let zeros = self.b.ins().clz(rest);
        let bit = self.b.ins().bxor_imm_u(zeros, 63);
        let one = self.i64(1);
        let taken = self.b.ins().ishl(one, bit);
        let rest = self.b.ins().bxor(rest, taken);
        self.b.def_var(round.rest, rest);
        let bit = self.b.ins().ireduce(types::I32, bit);
        let pid = self.add(round.base, bit);
        let wide = self.widen(pid);
        let at = self.times(wide, size_of::<u32>() as u32);
        let at = self.add(frames, at);
        let offset = self.load(types::I32, at, 0);
        (pid, self.widen(offset))
    }

    /// The process has not moved; note where its output begins, in case it gives up.
    fn begin_process(&mut self) {
        let (rows, out_at) = (self.b.use_var(self.rows), self.b.use_var(self.out_at));
        let context = self.context;
        self.store(rows, context, offset_of!(Context, first_row) as i32);
        self.store(out_at, context, offset_of!(Context, first_out) as i32);
        self.have_not_moved();
    }

    /// Go to the block of the head of the process, which is one of these; those with nothing to try
    /// go on at once.
    pub(crate) fn dispatch_heads(
        &mut self,
        env: &Env,
        heads: Range<usize>,
        nothing: Block,
    ) -> Vec<(Block, &'a ControlState)> {
        let model = self.model;
        let (mut blocks, mut table) = (Vec::new(), Vec::new());
        let first = heads.start as i64;
        for head in &model.layout.heads[heads] {
            let proctype = &model.proctypes[usize::from(head.kind)];
            let state = &proctype.states[head.control.index()];
            let block = if proctype.deterministic {
                self.bail
            } else if state.options.is_empty() {
                nothing
            } else {
                let block = self.b.create_block();
                blocks.push((block, state));
                block
            };
            table.push(self.block_call(block));
        }
        let head = self.head(env.frame);
        let head = self.add_const(head, -first);
        let otherwise = self.block_call(nothing);
        let table = (self.b).create_jump_table(JumpTableData::new(otherwise, &table));
        self.b.ins().br_table(head, table);
        blocks
    }

    /// Call the function for the head of the process. Heads without one are left to the
    /// interpreter.
    fn call_parts(&mut self, env: &Env, parts: &[Range<usize>], round: &Round) {
        let bail = self.block_call(self.bail);
        let mut table = vec![bail; self.model.layout.heads.len()];
        let mut blocks = Vec::new();
        for heads in parts {
            let block = self.b.create_block();
            table[heads.clone()].fill(self.block_call(block));
            blocks.push(block);
        }
        let head = self.head(env.frame);
        let otherwise = self.block_call(round.next);
        let table = (self.b).create_jump_table(JumpTableData::new(otherwise, &table));
        self.b.ins().br_table(head, table);
        for (number, block) in blocks.into_iter().enumerate() {
            self.b.switch_to_block(block);
            self.save_output();
            let function = self.helpers.part(number);
            let (context, frame_offset) = (self.context, self.frame_offset);
            let call = (self.b.ins()).call(function, &[context, frame_offset, env.pid]);
            let status = self.b.inst_results(call)[0];
            let gave_up = self.compare_const(IntCC::Equal, status, i64::from(BAIL));
            self.leave_if(gave_up, self.bail);
            self.load_output();
            let moved = self.b.ins().ireduce(types::I8, status);
            self.b.def_var(self.moved, moved);
            self.jump(round.asked);
        }
    }

    fn end_process(&mut self, round: &Round) {
        self.b.switch_to_block(round.asked);
        let (any, moved) = (self.b.use_var(round.any), self.b.use_var(self.moved));
        let any = self.b.ins().bor(any, moved);
        self.b.def_var(round.any, any);
        self.jump(round.next);
    }

    /// Let the interpreter find the steps of a process, and go on with the next one.
    fn give_up(&mut self, pid: Value, round: &Round) {
        let (bail, context, helper) = (self.bail, self.context, self.helpers.interpret);
        self.b.switch_to_block(bail);
        self.b.set_cold_block(bail);
        let call = self.b.ins().call(helper, &[context, pid]);
        let moved = self.b.inst_results(call)[0];
        let moved = self.b.ins().ireduce(types::I8, moved);
        self.b.def_var(self.moved, moved);
        self.load_output();
        self.jump(round.asked);
    }

    fn end_round(&mut self, round: &Round, done: Block) {
        self.b.switch_to_block(done);
        self.save_output();
        let any = self.b.use_var(round.any);
        let any = self.b.ins().uextend(types::I32, any);
        self.b.ins().return_(&[any]);
    }
}
