//! The value of an expression.

use space::{ErrorKind, ViolationKind};

use super::{Fault, Interp, View};
use crate::expr::{BinaryOp, ChannelTest, Expr, UnaryOp};
use crate::ids::{ExprId, PlaceId, ProctypeId};
use crate::layout::{Base, Scalar};

impl Interp<'_> {
    /// Evaluate an expression. `run` is not part of expressions: see `Action::Run`.
    pub(super) fn eval(&self, view: &View<'_>, id: ExprId) -> Result<i32, Fault> {
        Ok(match self.model.expr(id) {
            Expr::Const(value) => *value,
            Expr::Load(place) => self.load_place(view, *place)?,
            Expr::Unary(op, operand) => unary(*op, self.eval(view, *operand)?),
            Expr::Binary(BinaryOp::And, a, b) => {
                i32::from(self.eval(view, *a)? != 0 && self.eval(view, *b)? != 0)
            }
            Expr::Binary(BinaryOp::Or, a, b) => {
                i32::from(self.eval(view, *a)? != 0 || self.eval(view, *b)? != 0)
            }
            Expr::Binary(op, a, b) => binary(*op, self.eval(view, *a)?, self.eval(view, *b)?)?,
            Expr::Cond(c, a, b) => {
                let chosen = if self.eval(view, *c)? != 0 { a } else { b };
                self.eval(view, *chosen)?
            }
            Expr::Pid => i32::from(view.pid),
            rare => return self.eval_rare(view, rare),
        })
    }

    /// The same for expressions that are not found everywhere: apart, so that the others are fast.
    fn eval_rare(&self, view: &View<'_>, expr: &Expr) -> Result<i32, Fault> {
        Ok(match expr {
            Expr::Channel(test, place) => self.test_channel(view, *test, *place)?,
            Expr::Poll {
                channel,
                random,
                args,
            } => i32::from(self.poll(view, *channel, *random, args)?),
            Expr::RunResult => view.run_result,
            Expr::ProcessCount => {
                self.touch_population();
                self.frames.len() as i32
            }
            Expr::OwnPriority => self.priority(view.state, view.frame),
            Expr::Timeout => i32::from(view.timeout),
            Expr::NonProgress => i32::from(self.is_without_progress(view)),
            Expr::Enabled(pid) => {
                let pid = self.eval(view, *pid)?;
                if pid == i32::from(view.pid) {
                    return Err(ErrorKind::EnabledSelf.into());
                }
                i32::from(self.is_enabled(view, pid)?)
            }
            Expr::GetPriority(pid) => match self.frame_of(self.eval(view, *pid)?) {
                Some(frame) => self.priority(view.state, frame),
                None => 0,
            },
            Expr::PcValue(pid) => {
                let pid = self.eval(view, *pid)?;
                match self.frame_of(pid) {
                    Some(_) => self.control_of(view.state, pid as u8).0 as i32,
                    None => 0,
                }
            }
            Expr::RemoteLabel {
                proctype,
                pid,
                control,
            } => {
                let found = self.remote_process(view, *proctype, *pid)?;
                i32::from(found.is_some_and(|p| self.control_of(view.state, p) == *control))
            }
            Expr::RemoteVar {
                proctype,
                pid,
                place,
            } => match self.remote_process(view, *proctype, *pid)? {
                None => 0,
                // Who asks works out the indices.
                Some(pid) => match self.locate(view, self.frames[pid as usize], *place)? {
                    Some((offset, scalar)) => {
                        self.touch(offset);
                        scalar.read(view.state, offset)
                    }
                    None => 0,
                },
            },
            Expr::Const(_)
            | Expr::Load(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cond(..)
            | Expr::Pid => unreachable!("evaluated before"),
        })
    }

    /// The offset of a place in the vector, all indices checked. `None` for `_`.
    pub(super) fn resolve(
        &self,
        view: &View<'_>,
        id: PlaceId,
    ) -> Result<Option<(usize, Scalar)>, Fault> {
        self.locate(view, view.frame, id)
    }

    /// The offset of a place in a frame, by indices that somebody else may work out.
    #[inline]
    fn locate(
        &self,
        view: &View<'_>,
        frame: u32,
        id: PlaceId,
    ) -> Result<Option<(usize, Scalar)>, Fault> {
        let place = self.model.place(id);
        let mut offset = match place.base {
            Base::Global => place.offset,
            Base::Frame => frame + place.offset,
            Base::Nowhere => return Ok(None),
        };
        for index in &place.indices {
            let value = self.eval(view, index.expr)?;
            if value < 0 || value as u32 >= index.count {
                return Err(ViolationKind::ArrayBounds.into());
            }
            offset += value as u32 * index.stride;
        }
        Ok(Some((offset as usize, place.scalar)))
    }

    /// The value of a place.
    #[inline]
    pub(super) fn load_place(&self, view: &View<'_>, id: PlaceId) -> Result<i32, Fault> {
        Ok(match self.resolve(view, id)? {
            Some((offset, scalar)) => {
                self.touch(offset);
                scalar.read(view.state, offset)
            }
            None => 0,
        })
    }

    fn test_channel(
        &self,
        view: &View<'_>,
        test: ChannelTest,
        place: PlaceId,
    ) -> Result<i32, Fault> {
        let number = self.load_place(view, place)?;
        let channel = self.channel(number)?;
        // A rendezvous channel holds a message while it is offered: those who may receive it can
        // see that.
        let is_offered = i32::from(self.offer.channel) == number;
        let len = match is_offered {
            true => 1,
            false => self.channel_len(view.state, channel),
        };
        let capacity = self.model.channel_type(channel.ty).capacity.max(1);
        Ok(match test {
            ChannelTest::Len => len as i32,
            ChannelTest::Full => i32::from(len == capacity),
            ChannelTest::NFull => i32::from(len < capacity),
            ChannelTest::Empty => i32::from(len == 0),
            ChannelTest::NEmpty => i32::from(len > 0),
        })
    }

    pub(super) fn frame_of(&self, pid: i32) -> Option<u32> {
        self.touch_population();
        usize::try_from(pid)
            .ok()
            .and_then(|pid| self.frames.get(pid).copied())
    }

    pub(super) fn priority(&self, state: &[u8], frame: u32) -> i32 {
        if self.model.layout.priorities {
            self.touch((frame + self.model.layout.priority()) as usize);
            i32::from(state[(frame + self.model.layout.priority()) as usize])
        } else {
            1
        }
    }

    /// The process a remote reference names, if it is alive and of that type.
    fn remote_process(
        &self,
        view: &View<'_>,
        proctype: ProctypeId,
        pid: Option<ExprId>,
    ) -> Result<Option<u8>, Fault> {
        self.touch_population();
        let is_type = |pid: u8| {
            let frame = self.frames[pid as usize];
            u32::from(self.model.layout.head(view.state, frame).kind) == proctype.0
        };
        Ok(match pid {
            Some(pid) => {
                let pid = self.eval(view, pid)?;
                self.frame_of(pid)
                    .map(|_| pid as u8)
                    .filter(|&pid| is_type(pid))
            }
            None => (0..self.frames.len() as u8).find(|&pid| is_type(pid)),
        })
    }
}

/// The result of a unary operation.
pub(crate) fn unary(op: UnaryOp, value: i32) -> i32 {
    match op {
        UnaryOp::Not => i32::from(value == 0),
        UnaryOp::Neg => value.wrapping_neg(),
        UnaryOp::BitNot => !value,
    }
}

/// C's 32-bit arithmetic, with wrap-around where C leaves the result open.
pub(crate) fn binary(op: BinaryOp, a: i32, b: i32) -> Result<i32, Fault> {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(ErrorKind::DivisionByZero.into()),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Lt => i32::from(a < b),
        BinaryOp::Le => i32::from(a <= b),
        BinaryOp::Gt => i32::from(a > b),
        BinaryOp::Ge => i32::from(a >= b),
        BinaryOp::Eq => i32::from(a == b),
        BinaryOp::Ne => i32::from(a != b),
        BinaryOp::And => i32::from(a != 0 && b != 0),
        BinaryOp::Or => i32::from(a != 0 || b != 0),
    })
}
