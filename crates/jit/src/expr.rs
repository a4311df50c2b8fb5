//! Expressions and places as code.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use model::{BinaryOp, ChannelTest, Expr, ExprId, PlaceId, UnaryOp};

use crate::context::Context;
use crate::emit::{Address, Asks, Env, Gen};
use crate::facts::is_total;

impl Gen<'_> {
    /// The value of an expression (32 bits). Gives up where it has none.
    pub(crate) fn eval(&mut self, env: &Env, id: ExprId) -> Value {
        let model = self.model;
        match model.expr(id) {
            Expr::Const(value) => self.i32(*value),
            Expr::Load(place) => {
                let address = self.resolve(env, *place);
                self.read(env, &address)
            }
            Expr::Unary(UnaryOp::Neg, a) => {
                let a = self.eval(env, *a);
                self.b.ins().ineg(a)
            }
            Expr::Unary(UnaryOp::BitNot, a) => {
                let a = self.eval(env, *a);
                self.b.ins().bnot(a)
            }
            Expr::Unary(UnaryOp::Not, _) => self.truth_as_number(env, id),
            Expr::Binary(op, a, b) => match comparison(*op) {
                Some(_) => self.truth_as_number(env, id),
                None if matches!(op, BinaryOp::And | BinaryOp::Or) => self.truth_as_number(env, id),
                None => self.arithmetic(env, *op, *a, *b),
            },
            Expr::Cond(c, a, b) => self.choose(env, *c, *a, *b),
            Expr::Channel(test, place) => self.channel_test(env, id, *test, *place),
            Expr::Poll {
                channel,
                random,
                args,
            } => self.poll(env, id, *channel, *random, args),
            Expr::RunResult => env.run_result.unwrap_or_else(|| self.i32(0)),
            Expr::Pid => env.pid,
            Expr::ProcessCount => env.processes,
            Expr::Timeout => self.context_u32(offset_of!(Context, timeout)),
            Expr::NonProgress => self.i32(0),
            Expr::OwnPriority
            | Expr::Enabled(_)
            | Expr::GetPriority(_)
            | Expr::PcValue(_)
            | Expr::RemoteLabel { .. }
            | Expr::RemoteVar { .. } => self.call_eval(env, id),
        }
    }

    /// Whether an expression is not 0 (8 bits, 0 or 1).
    pub(crate) fn truth(&mut self, env: &Env, id: ExprId) -> Value {
        let model = self.model;
        match model.expr(id) {
            Expr::Unary(UnaryOp::Not, a) => {
                let a = self.truth(env, *a);
                self.b.ins().bxor_imm_u(a, 1)
            }
            Expr::Binary(op, a, b) => {
                if let Some(cc) = comparison(*op) {
                    let (a, b) = (self.eval(env, *a), self.eval(env, *b));
                    return self.b.ins().icmp(cc, a, b);
                }
                match op {
                    BinaryOp::And | BinaryOp::Or if is_total(model, *b) => {
                        let (a, b) = (self.truth(env, *a), self.truth(env, *b));
                        match op {
                            BinaryOp::And => self.b.ins().band(a, b),
                            _ => self.b.ins().bor(a, b),
                        }
                    }
                    BinaryOp::And | BinaryOp::Or => self.in_order(env, *op, *a, *b),
                    _ => self.is_not_zero(env, id),
                }
            }
            _ => self.is_not_zero(env, id),
        }
    }

    fn is_not_zero(&mut self, env: &Env, id: ExprId) -> Value {
        let value = self.eval(env, id);
        self.compare_const(IntCC::NotEqual, value, 0)
    }

    fn truth_as_number(&mut self, env: &Env, id: ExprId) -> Value {
        let truth = self.truth(env, id);
        self.b.ins().uextend(types::I32, truth)
    }

    /// `a && b` or `a || b` where `b` may be looked at only if `a` does not decide.
    fn in_order(&mut self, env: &Env, op: BinaryOp, a: ExprId, b: ExprId) -> Value {
        let second = self.b.create_block();
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, types::I8);
        let a = self.truth(env, a);
        match op {
            BinaryOp::And => self.b.ins().brif(a, second, &[], done, &[a.into()]),
            _ => self.b.ins().brif(a, done, &[a.into()], second, &[]),
        };
        self.b.switch_to_block(second);
        let b = self.truth(env, b);
        self.b.ins().jump(done, &[b.into()]);
        self.b.switch_to_block(done);
        result
    }

    fn choose(&mut self, env: &Env, c: ExprId, a: ExprId, b: ExprId) -> Value {
        let (first, second) = (self.b.create_block(), self.b.create_block());
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, types::I32);
        let c = self.truth(env, c);
        self.b.ins().brif(c, first, &[], second, &[]);
        for (block, value) in [(first, a), (second, b)] {
            self.b.switch_to_block(block);
            let value = self.eval(env, value);
            self.b.ins().jump(done, &[value.into()]);
        }
        self.b.switch_to_block(done);
        result
    }

    fn arithmetic(&mut self, env: &Env, op: BinaryOp, a: ExprId, b: ExprId) -> Value {
        let divisor = match self.model.expr(b) {
            Expr::Const(value) => Some(*value),
            _ => None,
        };
        let (a, b) = (self.eval(env, a), self.eval(env, b));
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && !matches!(divisor, Some(2..)) {
            // Both 0 and -1 are for the interpreter: the machine would trap.
            let shifted = self.add_const(b, 1);
            let odd = self.compare_const(IntCC::UnsignedLessThanOrEqual, shifted, 1);
            self.bail_if(odd);
        }
        let ins = self.b.ins();
        match op {
            BinaryOp::Add => ins.iadd(a, b),
            BinaryOp::Sub => ins.isub(a, b),
            BinaryOp::Mul => ins.imul(a, b),
            BinaryOp::Div => ins.sdiv(a, b),
            BinaryOp::Rem => ins.srem(a, b),
            BinaryOp::BitAnd => ins.band(a, b),
            BinaryOp::BitXor => ins.bxor(a, b),
            BinaryOp::BitOr => ins.bor(a, b),
            BinaryOp::Shl => ins.ishl(a, b),
            BinaryOp::Shr => ins.sshr(a, b),
            _ => unreachable!("{op:?} is not arithmetic"),
        }
    }

    /// Where a place lies, its indices checked.
    pub(crate) fn resolve(&mut self, env: &Env, id: PlaceId) -> Address {
        let model = self.model;
        let place = model.place(id);
        let mut address = Address {
            base: place.base,
            offset: place.offset as i32,
            index: None,
            scalar: place.scalar,
        };
        if place.base == model::Base::Nowhere {
            return address;
        }
        for index in &place.indices {
            match model.expr(index.expr) {
                Expr::Const(i) if (0..i64::from(index.count)).contains(&i64::from(*i)) => {
                    address.offset += i * index.stride as i32;
                }
                _ => {
                    let value = self.eval(env, index.expr);
                    let count = i64::from(index.count);
                    let bad = self.compare_const(IntCC::UnsignedGreaterThanOrEqual, value, count);
                    self.bail_if(bad);
                    let wide = self.widen(value);
                    let bytes = self.times(wide, index.stride);
                    address.index = Some(match address.index {
                        None => bytes,
                        Some(sum) => self.add(sum, bytes),
                    });
                }
            }
        }
        address
    }

    pub(crate) fn load_place(&mut self, env: &Env, id: PlaceId) -> Value {
        let address = self.resolve(env, id);
        self.read(env, &address)
    }

    fn channel_test(&mut self, env: &Env, id: ExprId, test: ChannelTest, place: PlaceId) -> Value {
        let Some(channel) = self.only_channel(env, place) else {
            return self.call_eval(env, id);
        };
        let capacity = self.model.channel_type(channel.ty).capacity;
        let len = self.channel_len(env, &channel);
        let capacity_64 = i64::from(capacity);
        let truth = match test {
            // In the middle of a handshake there may be a message in it.
            _ if capacity == 0 && env.asks == Asks::Nobody => return self.call_eval(env, id),
            ChannelTest::Len => return len,
            _ if capacity == 0 => {
                let holds = matches!(test, ChannelTest::NFull | ChannelTest::Empty);
                return self.i32(i32::from(holds));
            }
            ChannelTest::Full => self.compare_const(IntCC::Equal, len, capacity_64),
            ChannelTest::NFull => self.compare_const(IntCC::UnsignedLessThan, len, capacity_64),
            ChannelTest::Empty => self.compare_const(IntCC::Equal, len, 0),
            ChannelTest::NEmpty => self.compare_const(IntCC::NotEqual, len, 0),
        };
        self.b.ins().uextend(types::I32, truth)
    }

    fn poll(
        &mut self,
        env: &Env,
        id: ExprId,
        place: PlaceId,
        random: bool,
        args: &[model::RecvArg],
    ) -> Value {
        let Some(channel) = self.only_channel(env, place) else {
            return self.call_eval(env, id);
        };
        if self.model.channel_type(channel.ty).capacity == 0 {
            return self.call_eval(env, id);
        }
        let (no, done) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(done, types::I32);
        self.find_message(env, &channel, random, args, no);
        let one = self.i32(1);
        self.b.ins().jump(done, &[one.into()]);
        self.b.switch_to_block(no);
        let zero = self.i32(0);
        self.b.ins().jump(done, &[zero.into()]);
        self.b.switch_to_block(done);
        result
    }

    /// Ask the interpreter. Only for vectors that have the processes of the node.
    pub(crate) fn call_eval(&mut self, env: &Env, id: ExprId) -> Value {
        let moved = match env.asks {
            Asks::Option => {
                let moved = self.b.use_var(self.moved);
                self.b.ins().uextend(types::I32, moved)
            }
            Asks::DStep => self.i32(0),
            Asks::Nobody => {
                let never = self.b.create_block();
                self.jump(self.bail);
                self.b.switch_to_block(never);
                return self.i32(0);
            }
        };
        let expr = self.i32(id.0 as i32);
        let (context, helper) = (self.context, self.helpers.eval);
        let call = (self.b.ins()).call(helper, &[context, expr, env.state, env.pid, moved]);
        let answer = self.b.inst_results(call)[0];
        let failed = self.b.ins().ushr_imm_u(answer, 32);
        let failed = self.b.ins().ireduce(types::I32, failed);
        self.bail_if(failed);
        self.b.ins().ireduce(types::I32, answer)
    }
}

fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Eq => IntCC::Equal,
        BinaryOp::Ne => IntCC::NotEqual,
        _ => return None,
    })
}
