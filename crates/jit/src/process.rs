//! The functions of a proctype: what it does with an offer, and straight stretches of its
//! atomic sequences.

use std::mem::offset_of;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockCall, InstBuilder, JumpTableData, Value, types};
use cranelift_frontend::FunctionBuilder;
use model::{Action, ControlId, ControlState, Model, Proctype};

use crate::action::Mode;
use crate::context::Context;
use crate::emit::{Asks, Env, Gen, Helpers};
use crate::facts::Facts;
use crate::size::is_too_large;

/// Which of the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The steps of a process.
    Mover,
    /// The handshakes of a process with an offer.
    Receiver,
    /// The steps of a process inside an atomic sequence, as long as there is only one.
    Chain,
    /// The same, with one row for all of them.
    Leap,
}

/// Fill in a function of a proctype.
pub(crate) fn define(
    mut b: FunctionBuilder<'_>,
    model: &Model,
    facts: &Facts,
    helpers: Helpers,
    proctype: &Proctype,
    role: Role,
    frontend: cranelift_codegen::isa::TargetFrontendConfig,
) {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [context, frame_offset, pid] = *b.block_params(entry) else {
        unreachable!("a process function has three parameters");
    };
    let mut code = Gen::new(b, model, facts, helpers, context);
    code.frame_offset = frame_offset;
    code.body(proctype, role, pid);
    code.finish_bail();
    code.b.seal_all_blocks();
    code.b.finalize(frontend);
}

/// Fill in the function that makes the steps of a process with one of these heads.
pub(crate) fn define_heads(
    mut b: FunctionBuilder<'_>,
    model: &Model,
    facts: &Facts,
    helpers: Helpers,
    heads: Range<usize>,
    frontend: cranelift_codegen::isa::TargetFrontendConfig,
) {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [context, frame_offset, pid] = *b.block_params(entry) else {
        unreachable!("a process function has three parameters");
    };
    let mut code = Gen::new(b, model, facts, helpers, context);
    code.frame_offset = frame_offset;
    code.heads(heads, pid);
    code.finish_bail();
    code.b.seal_all_blocks();
    code.b.finalize(frontend);
}

impl Gen<'_> {
    /// The steps of a process with one of these heads.
    fn heads(&mut self, heads: Range<usize>, pid: Value) {
        self.begin_function();
        self.have_not_moved();
        let state = self.context_pointer(offset_of!(Context, state));
        let frame_offset = self.frame_offset;
        let env = Env {
            state,
            frame: self.add(state, frame_offset),
            pid,
            processes: self.context_u32(offset_of!(Context, process_count)),
            run_result: None,
            asks: Asks::Option,
        };
        let done = self.b.create_block();
        for (block, state) in self.dispatch_heads(&env, heads, done) {
            self.b.switch_to_block(block);
            self.options(&env, state, Role::Mover, done);
        }
        self.leave(done);
    }

    fn body(&mut self, proctype: &Proctype, role: Role, pid: Value) {
        let receives =
            |state: &&ControlState| role != Role::Receiver || receives_something(self.model, state);
        let states = proctype.states.iter().filter(receives);
        if proctype.deterministic || is_too_large(self.model, states) {
            return self.jump(self.bail);
        }
        self.begin_function();
        self.have_not_moved();
        let vector = match role {
            Role::Receiver => offset_of!(Context, halfway),
            Role::Mover | Role::Chain | Role::Leap => offset_of!(Context, state),
        };
        let state = self.context_pointer(vector);
        let frame_offset = self.frame_offset;
        let env = Env {
            state,
            frame: self.add(state, frame_offset),
            pid,
            processes: self.context_u32(offset_of!(Context, process_count)),
            run_result: None,
            asks: Asks::Nobody,
        };
        let done = self.b.create_block();
        match role {
            Role::Mover | Role::Receiver => {}
            Role::Chain => {
                self.chain(&env, proctype, done);
                return self.leave(done);
            }
            Role::Leap => return self.leap(&env, proctype),
        }
        let blocks = self.dispatch(&env, proctype, done);
        for (state, block) in blocks {
            self.b.switch_to_block(block);
            self.options(&env, &proctype.states[state], role, done);
        }
        self.leave(done);
    }

    /// Learn what is the same for the whole function.
    pub(crate) fn begin_function(&mut self) {
        let len = self.context_u32(offset_of!(Context, len));
        self.len = self.widen(len);
        self.load_output();
        let none = self.i32(0);
        self.b.def_var(self.chained, none);
    }

    /// The process has not moved yet.
    pub(crate) fn have_not_moved(&mut self) {
        let zero = self.b.ins().iconst(types::I8, 0);
        self.b.def_var(self.moved, zero);
        let none = self.i32(0);
        self.b.def_var(self.escape, none);
    }

    /// Say how far the output has come, and whether the process has moved.
    pub(crate) fn leave(&mut self, done: Block) {
        self.b.switch_to_block(done);
        self.save_output();
        let moved = self.b.use_var(self.moved);
        let moved = self.b.ins().uextend(types::I32, moved);
        self.b.ins().return_(&[moved]);
    }

    /// Go to the block of the control state; those that receive nothing go to `done`.
    fn dispatch(&mut self, env: &Env, proctype: &Proctype, done: Block) -> Vec<(usize, Block)> {
        let mut blocks = Vec::new();
        let mut table = Vec::new();
        for (number, state) in proctype.states.iter().enumerate() {
            let block = if receives_something(self.model, state) {
                let block = self.b.create_block();
                blocks.push((number, block));
                block
            } else {
                done
            };
            table.push(self.block_call(block));
        }
        let control = self.control(env.frame, proctype);
        let otherwise = self.block_call(done);
        let table = (self.b).create_jump_table(JumpTableData::new(otherwise, &table));
        self.b.ins().br_table(control, table);
        blocks
    }

    pub(crate) fn block_call(&mut self, block: Block) -> BlockCall {
        let pool = &mut self.b.func.dfg.value_lists;
        BlockCall::new(block, [], pool)
    }

    /// Try the options of a control state in order.
    pub(crate) fn options(&mut self, env: &Env, state: &ControlState, role: Role, done: Block) {
        let escapes = state.options.iter().any(|e| e.escape != ControlId(0));
        for entry in &state.options {
            if escapes {
                self.leave_other_escape(entry.escape, done);
            }
            let next = self.b.create_block();
            match role {
                Role::Mover | Role::Chain | Role::Leap => {
                    let transition = self.model.transition(entry.transition);
                    let mode = Mode::Step {
                        id: entry.transition,
                        escape: entry.escape,
                    };
                    self.action(env, &transition.action, &mode, next, next);
                }
                Role::Receiver => self.take(env, entry, next),
            }
            self.b.switch_to_block(next);
        }
        self.jump(done);
    }

    /// Stop if the process has moved by another escape.
    fn leave_other_escape(&mut self, escape: ControlId, done: Block) {
        let taken = self.b.use_var(self.escape);
        let none = self.compare_const(IntCC::Equal, taken, 0);
        let same = self.compare_const(IntCC::Equal, taken, i64::from(escape.0));
        let open = self.b.ins().bor(none, same);
        self.leave_unless(open, done);
    }
}

/// Whether a control state has an option that may take an offer.
fn receives_something(model: &Model, state: &ControlState) -> bool {
    let receives = |action: &Action| matches!(action, Action::Receive { .. });
    (state.options.iter()).any(|entry| match &model.transition(entry.transition).action {
        Action::DStep(row) => model.dsteps[*row as usize].guards.iter().any(receives),
        action => receives(action),
    })
}
