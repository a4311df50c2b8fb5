//! Conditions that keep a transition from being taken.
//!
//! A transition whose guard is a conjunction cannot be taken as long as one part of it is false.
//! So of those who may make it possible only the ones count that may change this part: a
//! *necessary enabling set* for each part, and the best of those that are false will do.

use super::uses::Observer;
use crate::expr::{BinaryOp, Expr};
use crate::ids::ExprId;
use crate::interp::eval::{binary, unary};
use crate::layout::{Base, Place, Scalar};
use crate::model::{Action, Model, Transition};

/// A part of a guard, ready to be evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Test {
    /// A variable that always lies in the same place, compared with a number.
    Compare {
        offset: u32,
        scalar: Scalar,
        op: BinaryOp,
        value: i32,
    },
    /// Anything else, with what it takes to evaluate it: where the frame of the process begins,
    /// and its pid.
    Other { expr: ExprId, frame: u32, pid: u8 },
}

impl Test {
    /// Whether it is known to be false in a state.
    #[inline]
    pub(super) fn is_false(&self, model: &Model, state: &[u8]) -> bool {
        let value = match *self {
            Test::Compare {
                offset,
                scalar,
                op,
                value,
            } => binary(op, scalar.read(state, offset as usize), value).ok(),
            Test::Other { expr, frame, pid } => evaluate(model, state, frame, pid, expr),
        };
        value == Some(0)
    }
}

/// The parts of the guard of a transition, if it can be taken exactly if all are true.
pub(super) fn parts(model: &Model, transition: &Transition) -> Vec<ExprId> {
    let mut open: Vec<ExprId> = Vec::new();
    match &transition.action {
        Action::Guard(expr) => open.push(*expr),
        Action::DStep(row) => {
            if let [Action::Guard(expr)] = model.dsteps[*row as usize].guards[..] {
                open.push(expr);
            }
        }
        _ => {}
    }
    open.extend(model.proctype(transition.proctype).provided);
    let mut parts = Vec::new();
    while let Some(expr) = open.pop() {
        match model.expr(expr) {
            Expr::Binary(BinaryOp::And, a, b) => open.extend([*b, *a]),
            _ => parts.push(expr),
        }
    }
    parts.retain(|&part| is_local(model, part));
    parts
}

/// Whether an expression is made of variables of the process and global ones.
fn is_local(model: &Model, expr: ExprId) -> bool {
    let is_other = |expr: &Expr| {
        !matches!(
            expr,
            Expr::Const(_) | Expr::Pid | Expr::Load(_) | Expr::Unary(..) | Expr::Binary(..)
        )
    };
    !model.any_part(expr, is_other)
}

impl Observer<'_> {
    /// Make a part of a guard ready.
    pub(super) fn test(&mut self, expr: ExprId) -> Option<Test> {
        let (frame, pid) = self.instance.frame?;
        let model = self.instance.model;
        let (op, place, value) = match model.expr(expr) {
            Expr::Load(place) => (BinaryOp::Ne, Some(*place), Some(0)),
            Expr::Binary(op, a, b) => match model.expr(*a) {
                Expr::Load(place) => (*op, Some(*place), self.instance.value(*b)),
                _ => (*op, None, None),
            },
            _ => (BinaryOp::Ne, None, None),
        };
        let place = place.map(|place| model.place(place));
        if let (Some(place), Some(value)) = (place, value)
            && let Some(offset) = self.instance.offset(place)
            && op != BinaryOp::Or
        {
            return Some(Test::Compare {
                offset: offset + start(place, frame),
                scalar: place.scalar,
                op,
                value,
            });
        }
        Some(Test::Other { expr, frame, pid })
    }
}

/// Where the offsets of a place begin, for a process whose frame begins there.
fn start(place: &Place, frame: u32) -> u32 {
    match place.base {
        Base::Frame => frame,
        Base::Global | Base::Nowhere => 0,
    }
}

/// The value of an expression that [`is_local`], where it has one.
fn evaluate(model: &Model, state: &[u8], frame: u32, pid: u8, expr: ExprId) -> Option<i32> {
    let value = |expr: ExprId| evaluate(model, state, frame, pid, expr);
    match model.expr(expr) {
        Expr::Const(value) => Some(*value),
        Expr::Pid => Some(i32::from(pid)),
        Expr::Unary(op, operand) => Some(unary(*op, value(*operand)?)),
        Expr::Binary(BinaryOp::And, a, b) => Some(i32::from(value(*a)? != 0 && value(*b)? != 0)),
        Expr::Binary(BinaryOp::Or, a, b) => Some(i32::from(value(*a)? != 0 || value(*b)? != 0)),
        Expr::Binary(op, a, b) => binary(*op, value(*a)?, value(*b)?).ok(),
        Expr::Load(place) => {
            let place = model.place(*place);
            let mut offset = start(place, frame) + place.offset;
            for index in &place.indices {
                let at = u32::try_from(value(index.expr)?).ok()?;
                if at >= index.count {
                    return None;
                }
                offset += at * index.stride;
            }
            match place.base {
                Base::Nowhere => None,
                _ => Some(place.scalar.read(state, offset as usize)),
            }
        }
        _ => None,
    }
}
