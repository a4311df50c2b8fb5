//! The code generator's hands: memory, numbers, branches.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use model::{Base, Model, Scalar};

use crate::context::{BAIL, Context};
use crate::facts::Facts;

/// Functions of the runtime that compiled code calls.
#[derive(Clone, Copy)]
pub(crate) struct Helpers {
    /// The value of an expression, by the interpreter.
    pub(crate) eval: FuncRef,
    /// Let everybody see the offer.
    pub(crate) handshake: FuncRef,
    /// Whether a channel claim forbids the use of a channel.
    pub(crate) claims: FuncRef,
    /// Move bytes within a vector.
    pub(crate) memmove: FuncRef,
    /// The steps of a process, by the interpreter.
    pub(crate) interpret: FuncRef,
}

impl Helpers {
    /// One of the functions that the expander calls, by its number: they are imported behind the
    /// last of these.
    pub(crate) fn part(&self, number: usize) -> FuncRef {
        FuncRef::from_u32(self.interpret.as_u32() + 1 + number as u32)
    }
}

/// Everything an expression can see, as values of the function under way.
#[derive(Clone, Copy)]
pub(crate) struct Env {
    /// The vector.
    pub(crate) state: Value,
    /// The frame of the process, inside the vector.
    pub(crate) frame: Value,
    /// Who evaluates (32 bits).
    pub(crate) pid: Value,
    /// How many processes there are (32 bits).
    pub(crate) processes: Value,
    /// What `run` returned.
    pub(crate) run_result: Option<Value>,
    /// What the interpreter needs to know when it is asked.
    pub(crate) asks: Asks,
}

/// Who evaluates an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// An option of a process.
    Option,
    /// A statement of a `d_step`.
    DStep,
    /// Somebody in the middle of a step, where the interpreter cannot be asked.
    Nobody,
}

/// Where a place lies: relative, so that it fits the vector before and after a step.
#[derive(Clone, Copy)]
pub(crate) struct Address {
    pub(crate) base: Base,
    pub(crate) offset: i32,
    pub(crate) index: Option<Value>,
    pub(crate) scalar: Scalar,
}

/// The function under way.
pub(crate) struct Gen<'a> {
    pub(crate) b: FunctionBuilder<'a>,
    pub(crate) model: &'a Model,
    pub(crate) facts: &'a Facts,
    pub(crate) helpers: Helpers,
    pub(crate) context: Value,
    /// Where the frame of the process begins in every vector of this node (64 bits).
    pub(crate) frame_offset: Value,
    /// The length of the vector (64 bits).
    pub(crate) len: Value,
    /// Gives up.
    pub(crate) bail: Block,
    /// The next row.
    pub(crate) rows: Variable,
    /// Where the next successor goes.
    pub(crate) out_at: Variable,
    /// Whether the process has moved (8 bits).
    pub(crate) moved: Variable,
    /// The escape by which it has moved (32 bits).
    pub(crate) escape: Variable,
    /// [`space::Row::CHAINED`] in its place in a row, if the next row follows the one before.
    pub(crate) chained: Variable,
}

/// Memory of ours: it is there, but not aligned.
fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl<'a> Gen<'a> {
    /// A function that has been entered and does nothing yet. Its length and its frame are not
    /// known.
    pub(crate) fn new(
        mut b: FunctionBuilder<'a>,
        model: &'a Model,
        facts: &'a Facts,
        helpers: Helpers,
        context: Value,
    ) -> Gen<'a> {
        let [rows, out_at] = [types::I64; 2].map(|ty| b.declare_var(ty));
        let moved = b.declare_var(types::I8);
        let [escape, chained] = [types::I32; 2].map(|ty| b.declare_var(ty));
        let bail = b.create_block();
        Gen {
            b,
            model,
            facts,
            helpers,
            context,
            frame_offset: context,
            len: context,
            bail,
            rows,
            out_at,
            moved,
            escape,
            chained,
        }
    }
}

impl Gen<'_> {
    pub(crate) fn i32(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    pub(crate) fn i64(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    pub(crate) fn load(&mut self, ty: Type, at: Value, offset: i32) -> Value {
        self.b.ins().load(ty, flags(), at, offset)
    }

    pub(crate) fn store(&mut self, value: Value, at: Value, offset: i32) {
        self.b.ins().store(flags(), value, at, offset);
    }

    pub(crate) fn load_u8(&mut self, at: Value, offset: i32) -> Value {
        self.b.ins().uload8(types::I32, flags(), at, offset)
    }

    pub(crate) fn load_u16(&mut self, at: Value, offset: i32) -> Value {
        self.b.ins().uload16(types::I32, flags(), at, offset)
    }

    pub(crate) fn store_u8(&mut self, value: Value, at: Value, offset: i32) {
        self.b.ins().istore8(flags(), value, at, offset);
    }

    pub(crate) fn store_u16(&mut self, value: Value, at: Value, offset: i32) {
        self.b.ins().istore16(flags(), value, at, offset);
    }

    pub(crate) fn widen(&mut self, value: Value) -> Value {
        self.b.ins().uextend(types::I64, value)
    }

    pub(crate) fn add(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().iadd(a, b)
    }

    pub(crate) fn add_const(&mut self, a: Value, constant: i64) -> Value {
        if constant == 0 {
            return a;
        }
        self.b.ins().iadd_imm_s(a, constant)
    }

    pub(crate) fn times(&mut self, a: Value, factor: u32) -> Value {
        if factor == 1 {
            return a;
        }
        self.b.ins().imul_imm_s(a, i64::from(factor))
    }

    /// Compare with a constant; 8 bits.
    pub(crate) fn compare_const(&mut self, cc: IntCC, a: Value, constant: i64) -> Value {
        self.b.ins().icmp_imm_s(cc, a, constant)
    }

    /// A new block, entered when `condition` does not hold; `target` when it does.
    pub(crate) fn leave_if(&mut self, condition: Value, target: Block) {
        let on = self.b.create_block();
        self.b.ins().brif(condition, target, &[], on, &[]);
        self.b.switch_to_block(on);
    }

    /// A new block, entered when `condition` holds; `target` when it does not.
    pub(crate) fn leave_unless(&mut self, condition: Value, target: Block) {
        let on = self.b.create_block();
        self.b.ins().brif(condition, on, &[], target, &[]);
        self.b.switch_to_block(on);
    }

    pub(crate) fn bail_if(&mut self, condition: Value) {
        let bail = self.bail;
        self.leave_if(condition, bail);
    }

    pub(crate) fn jump(&mut self, target: Block) {
        self.b.ins().jump(target, &[]);
    }

    /// The pointer a base stands for.
    pub(crate) fn base(&self, env: &Env, base: Base) -> Value {
        match base {
            Base::Frame => env.frame,
            Base::Global | Base::Nowhere => env.state,
        }
    }

    /// The value of the place at an address; 0 for `_`.
    pub(crate) fn read(&mut self, env: &Env, address: &Address) -> Value {
        if address.base == Base::Nowhere {
            return self.i32(0);
        }
        let at = self.pointer(env, address);
        self.read_scalar(address.scalar, at, address.offset)
    }

    /// Write a value to the place at an address, cutting it off.
    pub(crate) fn write(&mut self, env: &Env, address: &Address, value: Value) {
        if address.base == Base::Nowhere {
            return;
        }
        let at = self.pointer(env, address);
        self.write_scalar(address.scalar, at, address.offset, value);
    }

    fn pointer(&mut self, env: &Env, address: &Address) -> Value {
        let base = self.base(env, address.base);
        match address.index {
            None => base,
            Some(index) => self.add(base, index),
        }
    }

    pub(crate) fn read_scalar(&mut self, scalar: Scalar, at: Value, offset: i32) -> Value {
        match (scalar, scalar.size()) {
            (_, 1) => self.load_u8(at, offset),
            (Scalar::I16, _) => self.b.ins().sload16(types::I32, flags(), at, offset),
            (_, 2) => self.load_u16(at, offset),
            _ => self.load(types::I32, at, offset),
        }
    }

    pub(crate) fn write_scalar(&mut self, scalar: Scalar, at: Value, offset: i32, value: Value) {
        let value = match scalar {
            Scalar::Bit => self.b.ins().band_imm_u(value, 1),
            Scalar::Unsigned(bits) => {
                let mask = (1_i64 << bits) - 1;
                self.b.ins().band_imm_u(value, mask)
            }
            Scalar::U8 | Scalar::I16 | Scalar::I32 => value,
        };
        match scalar.size() {
            1 => self.store_u8(value, at, offset),
            2 => self.store_u16(value, at, offset),
            _ => self.store(value, at, offset),
        }
    }

    /// The value as it is after being written and read back.
    pub(crate) fn truncate(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::Bit => self.b.ins().band_imm_u(value, 1),
            Scalar::U8 => self.b.ins().band_imm_u(value, 0xff),
            Scalar::I16 => {
                let short = self.b.ins().ireduce(types::I16, value);
                self.b.ins().sextend(types::I32, short)
            }
            Scalar::I32 => value,
            Scalar::Unsigned(bits) => {
                let mask = (1_i64 << bits) - 1;
                self.b.ins().band_imm_u(value, mask)
            }
        }
    }

    /// Copy a vector of `len` bytes in pieces of 32: both sides have room behind them.
    pub(crate) fn copy_vector(&mut self, from: Value, to: Value, len: Value) {
        let again = self.b.create_block();
        let done = self.b.create_block();
        let at = self.b.append_block_param(again, types::I64);
        let zero = self.i64(0);
        self.b.ins().jump(again, &[zero.into()]);
        self.b.switch_to_block(again);
        let (source, target) = (self.add(from, at), self.add(to, at));
        let low = self.load(types::I8X16, source, 0);
        let high = self.load(types::I8X16, source, 16);
        self.store(low, target, 0);
        self.store(high, target, 16);
        let next = self.add_const(at, 32);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, len);
        self.b.ins().brif(more, again, &[next.into()], done, &[]);
        self.b.switch_to_block(done);
    }

    /// Set `len` bytes at a place to 0.
    pub(crate) fn clear(&mut self, at: Value, offset: i32, len: u32) {
        let mut done = 0;
        while done < len {
            let (ty, size) = match len - done {
                8.. => (types::I64, 8),
                4.. => (types::I32, 4),
                2.. => (types::I16, 2),
                _ => (types::I8, 1),
            };
            let zero = self.b.ins().iconst(ty, 0);
            self.store(zero, at, offset + done as i32);
            done += size;
        }
    }

    pub(crate) fn context_u32(&mut self, offset: usize) -> Value {
        let context = self.context;
        self.load(types::I32, context, offset as i32)
    }

    pub(crate) fn context_pointer(&mut self, offset: usize) -> Value {
        let context = self.context;
        self.load(types::I64, context, offset as i32)
    }

    pub(crate) fn set_context_u32(&mut self, offset: usize, value: Value) {
        let context = self.context;
        self.store(value, context, offset as i32);
    }

    /// Tell the context how far the output has come.
    pub(crate) fn save_output(&mut self) {
        let (rows, out_at) = (self.b.use_var(self.rows), self.b.use_var(self.out_at));
        let context = self.context;
        self.store(rows, context, offset_of!(Context, rows) as i32);
        self.store(out_at, context, offset_of!(Context, out_at) as i32);
    }

    /// Learn from the context how far the output has come.
    pub(crate) fn load_output(&mut self) {
        let rows = self.context_pointer(offset_of!(Context, rows));
        let out_at = self.context_pointer(offset_of!(Context, out_at));
        self.b.def_var(self.rows, rows);
        self.b.def_var(self.out_at, out_at);
    }

    /// The block that gives up.
    pub(crate) fn finish_bail(&mut self) {
        let bail = self.bail;
        self.b.switch_to_block(bail);
        self.b.set_cold_block(bail);
        let code = self.i32(BAIL);
        self.b.ins().return_(&[code]);
    }
}
