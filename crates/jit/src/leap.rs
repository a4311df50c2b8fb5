//! Straight stretches of atomic sequences as code that writes the last vector only.
//!
//! Nobody sees the nodes inside, so the steps change one vector in place. What is left of all
//! but the last of them is their number, and that their transitions were executed.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};
use cranelift_frontend::Variable;
use model::{ControlId, ControlState, OptionEntry, Proctype};
use space::Row;

use crate::action::Mode;
use crate::chain::Straight;
use crate::context::Context;
use crate::emit::{Env, Gen};

/// A leap under way.
struct Leap<'a> {
    /// The vector that changes.
    env: Env,
    /// By control state; none where there is a choice.
    blocks: &'a [Option<Block>],
    end: Block,
    steps: Variable,
    most: Value,
    passed: Value,
    /// The transition of the last step, and the last four bytes of its row.
    transition: Variable,
    meta: Variable,
    /// What these are for a step that stays inside the sequence.
    inside: Value,
}

impl Gen<'_> {
    /// Make code that executes steps from the control state of the vector on, until there is
    /// a choice, or something rare, and writes a row for the last one.
    pub(crate) fn leap(&mut self, env: &Env, proctype: &Proctype) {
        let (end, nothing) = (self.b.create_block(), self.b.create_block());
        let blocks = self.stretch_blocks(proctype);
        // Where there is no way to go on, there is nothing to copy.
        let copied: Vec<Option<Block>> = (blocks.iter())
            .map(|block| block.map(|_| self.b.create_block()))
            .collect();
        let mut table = Vec::new();
        for block in &copied {
            table.push(self.block_call(block.unwrap_or(nothing)));
        }
        let otherwise = self.block_call(nothing);
        let control = self.control(env.frame, proctype);
        let leap = self.begin_leap(env, &blocks, end);
        let table = (self.b).create_jump_table(JumpTableData::new(otherwise, &table));
        self.b.ins().br_table(control, table);
        for (from, to) in copied.iter().zip(&blocks) {
            if let (Some(from), Some(to)) = (from, to) {
                self.b.switch_to_block(*from);
                let len = self.len;
                self.copy_vector(env.state, leap.env.state, len);
                self.jump(*to);
            }
        }
        for (block, state) in blocks.iter().zip(&proctype.states) {
            if let Some(block) = block {
                self.b.switch_to_block(*block);
                self.leap_state(&leap, state);
            }
        }
        self.end_leap(&leap, nothing);
    }

    fn begin_leap<'a>(&mut self, env: &Env, blocks: &'a [Option<Block>], end: Block) -> Leap<'a> {
        let [steps, transition] = [types::I64; 2].map(|ty| self.b.declare_var(ty));
        let meta = self.b.declare_var(types::I32);
        let zero = self.i64(0);
        self.b.def_var(steps, zero);
        self.b.def_var(transition, zero);
        self.b.def_var(meta, env.pid);
        let state = self.next_vector();
        let frame_offset = self.frame_offset;
        let pid_and_owner = self.times(env.pid, 0x1_0001);
        Leap {
            env: Env {
                state,
                frame: self.add(state, frame_offset),
                ..*env
            },
            blocks,
            end,
            steps,
            most: self.context_pointer(offset_of!(Context, most_steps)),
            passed: self.context_pointer(offset_of!(Context, passed)),
            transition,
            meta,
            inside: self.add_const(pid_and_owner, i64::from(Row::EXCLUSIVE) << 24),
        }
    }

    /// Write the row, if there was a step.
    fn end_leap(&mut self, leap: &Leap<'_>, nothing: Block) {
        self.b.switch_to_block(leap.end);
        let steps = self.b.use_var(leap.steps);
        let some = self.compare_const(IntCC::NotEqual, steps, 0);
        self.leave_unless(some, nothing);
        let context = self.context;
        self.store(steps, context, offset_of!(Context, steps) as i32);
        let transition = self.b.use_var(leap.transition);
        let meta = self.b.use_var(leap.meta);
        let len = self.len;
        self.push_row(len, transition, meta);
        self.note_moved(ControlId(0));
        self.jump(nothing);
        self.leave(nothing);
    }

    fn leap_state(&mut self, leap: &Leap<'_>, state: &ControlState) {
        let steps = self.b.use_var(leap.steps);
        let full = (self.b.ins()).icmp(IntCC::UnsignedGreaterThanOrEqual, steps, leap.most);
        self.leave_if(full, leap.end);
        match self.straight(state) {
            None => self.jump(leap.end),
            Some(Straight::Only(entry)) => {
                let after = self.b.create_block();
                let action = &self.model.transition(entry.transition).action;
                self.action(&leap.env, action, &Mode::InPlace, leap.end, after);
                self.b.switch_to_block(after);
                self.leap_on(leap, entry);
            }
            Some(Straight::Either(guard, first, second)) => {
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                let truth = self.truth(&leap.env, guard);
                self.b.ins().brif(truth, yes, &[], no, &[]);
                for (block, entry) in [(yes, first), (no, second)] {
                    self.b.switch_to_block(block);
                    self.leap_on(leap, entry);
                }
            }
        }
    }

    /// Note a step that was executed, and go on behind it.
    fn leap_on(&mut self, leap: &Leap<'_>, entry: &OptionEntry) {
        let id = entry.transition;
        self.arrive(&leap.env, id);
        let before = self.b.use_var(leap.steps);
        let steps = self.add_const(before, 1);
        self.b.def_var(leap.steps, steps);
        let number = self.i64(i64::from(id.0));
        self.b.def_var(leap.transition, number);
        let one = self.i32(1);
        self.store_u8(one, leap.passed, id.0 as i32);
        let transition = self.model.transition(id);
        let meta = match transition.atomic {
            true => leap.inside,
            false => leap.env.pid,
        };
        self.b.def_var(leap.meta, meta);
        let next = leap
            .blocks
            .get(transition.target.index())
            .copied()
            .flatten();
        self.jump(match next {
            Some(block) if transition.atomic => block,
            _ => leap.end,
        });
    }
}
