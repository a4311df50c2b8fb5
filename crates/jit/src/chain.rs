//! Straight stretches of atomic sequences as code.
//!
//! Inside an atomic sequence most nodes have one step: a statement follows another, or a
//! guard and its `else` exclude each other. Such a stretch is executed in one go, each step
//! with a row of its own.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, types};
use cranelift_frontend::Variable;
use model::{Action, ControlId, ControlState, ExprId, OptionEntry, Proctype};
use space::Row;

use crate::action::Mode;
use crate::context::Context;
use crate::driver::SLACK;
use crate::emit::{Env, Gen};

/// How a control state goes on, if it can go on in one way only.
pub(crate) enum Straight<'a> {
    /// One option.
    Only(&'a OptionEntry),
    /// A guard, the option behind it, and the `else`.
    Either(ExprId, &'a OptionEntry, &'a OptionEntry),
}

impl Gen<'_> {
    /// Make code that executes steps from the control state of the vector on, until there is
    /// a choice, or something rare, or no room.
    pub(crate) fn chain(&mut self, env: &Env, proctype: &Proctype, done: Block) {
        let here = self.b.declare_var(types::I64);
        self.b.def_var(here, env.state);
        let blocks = self.stretch_blocks(proctype);
        let mut table = Vec::new();
        for block in &blocks {
            table.push(self.block_call(block.unwrap_or(done)));
        }
        let otherwise = self.block_call(done);
        let control = self.control(env.frame, proctype);
        let table = (self.b).create_jump_table(JumpTableData::new(otherwise, &table));
        self.b.ins().br_table(control, table);
        for (number, block) in blocks.iter().enumerate() {
            let Some(block) = block else { continue };
            self.b.switch_to_block(*block);
            self.chain_state(env, &proctype.states[number], here, &blocks, done);
        }
    }

    fn chain_state(
        &mut self,
        env: &Env,
        state: &ControlState,
        here: Variable,
        blocks: &[Option<Block>],
        done: Block,
    ) {
        let (vector, frame_offset) = (self.b.use_var(here), self.frame_offset);
        let env = Env {
            state: vector,
            frame: self.add(vector, frame_offset),
            ..*env
        };
        self.leave_without_room(done);
        match self.straight(state) {
            None => self.jump(done),
            Some(Straight::Only(entry)) => self.chain_step(&env, entry, here, blocks, done),
            Some(Straight::Either(guard, first, second)) => {
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                let truth = self.truth(&env, guard);
                self.b.ins().brif(truth, yes, &[], no, &[]);
                for (block, entry) in [(yes, first), (no, second)] {
                    self.b.switch_to_block(block);
                    self.chain_known(&env, entry, here, blocks, done);
                }
            }
        }
    }

    /// The step of an option that has to be tested.
    fn chain_step(
        &mut self,
        env: &Env,
        entry: &OptionEntry,
        here: Variable,
        blocks: &[Option<Block>],
        done: Block,
    ) {
        let model = self.model;
        let mode = Mode::Step {
            id: entry.transition,
            escape: ControlId(0),
        };
        let vector = self.next_vector();
        let after = self.b.create_block();
        let action = &model.transition(entry.transition).action;
        self.action(env, action, &mode, done, after);
        self.b.switch_to_block(after);
        self.b.def_var(here, vector);
        self.chain_on(entry, blocks, done);
    }

    /// The step of an option that changes nothing but the control state.
    fn chain_known(
        &mut self,
        env: &Env,
        entry: &OptionEntry,
        here: Variable,
        blocks: &[Option<Block>],
        done: Block,
    ) {
        let mode = Mode::Step {
            id: entry.transition,
            escape: ControlId(0),
        };
        let vector = self.next_vector();
        let after = self.b.create_block();
        self.perform(env, &mode, after, |_, _| {});
        self.b.switch_to_block(after);
        self.b.def_var(here, vector);
        self.chain_on(entry, blocks, done);
    }

    /// Go on behind a step, if it stays inside the sequence.
    fn chain_on(&mut self, entry: &OptionEntry, blocks: &[Option<Block>], done: Block) {
        let flag = self.i32(i32::from(Row::CHAINED) << 24);
        self.b.def_var(self.chained, flag);
        let transition = self.model.transition(entry.transition);
        let next = blocks.get(transition.target.index()).copied().flatten();
        self.jump(match next {
            Some(block) if transition.atomic => block,
            _ => done,
        });
    }

    /// Stop if there is no room for one more row with its vector.
    fn leave_without_room(&mut self, done: Block) {
        let rows = self.b.use_var(self.rows);
        let rows_end = self.context_pointer(offset_of!(Context, rows_end));
        let full = (self.b.ins()).icmp(IntCC::UnsignedGreaterThanOrEqual, rows, rows_end);
        self.leave_if(full, done);
        let (out_at, len) = (self.b.use_var(self.out_at), self.len);
        let end = self.add(out_at, len);
        let end = self.add_const(end, SLACK as i64);
        let out_end = self.context_pointer(offset_of!(Context, out_end));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, end, out_end);
        self.leave_if(full, done);
    }

    /// A block for each control state inside an atomic sequence that can go on in one way only.
    pub(crate) fn stretch_blocks(&mut self, proctype: &Proctype) -> Vec<Option<Block>> {
        let mut inside = vec![false; proctype.states.len()];
        for entry in proctype.states.iter().flat_map(|state| &state.options) {
            let transition = self.model.transition(entry.transition);
            if transition.atomic {
                inside[transition.target.index()] = true;
            }
        }
        (proctype.states.iter().zip(inside))
            .map(|(state, inside)| {
                let is_straight = inside && self.straight(state).is_some();
                is_straight.then(|| self.b.create_block())
            })
            .collect()
    }

    /// How a control state goes on, if it can go on in one way only and without looking at
    /// channels or processes.
    pub(crate) fn straight<'a>(&self, state: &'a ControlState) -> Option<Straight<'a>> {
        if state
            .options
            .iter()
            .any(|entry| entry.escape != ControlId(0))
        {
            return None;
        }
        let action = |entry: &OptionEntry| &self.model.transition(entry.transition).action;
        match state.options.as_slice() {
            [only] => match action(only) {
                Action::Skip
                | Action::Else
                | Action::Guard(_)
                | Action::Assign(..)
                | Action::Assert(..)
                | Action::Printf(..) => Some(Straight::Only(only)),
                _ => None,
            },
            [first, second] => match (action(first), action(second)) {
                (Action::Guard(guard), Action::Else) => {
                    Some(Straight::Either(*guard, first, second))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
