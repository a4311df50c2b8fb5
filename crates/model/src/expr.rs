//! Expressions: 32-bit C arithmetic over places, channels and processes.

use crate::ids::{ControlId, ExprId, PlaceId, ProctypeId};
use crate::model::RecvArg;

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!e`: 1 or 0.
    Not,
    /// `-e`.
    Neg,
    /// `~e`.
    BitNot,
}

/// Binary operators. `And` and `Or` do not look at the second operand when the first decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitXor,
    BitOr,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

/// Tests of a channel's fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ChannelTest {
    Len,
    Full,
    Empty,
    NFull,
    NEmpty,
}

/// An expression. Operands are rows of the same table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// The value of a variable.
    Load(PlaceId),
    /// A unary operation.
    Unary(UnaryOp, ExprId),
    /// A binary operation.
    Binary(BinaryOp, ExprId, ExprId),
    /// `(c -> a : b)`.
    Cond(ExprId, ExprId, ExprId),
    /// A test of the channel in a place.
    Channel(ChannelTest, PlaceId),
    /// `c?[...]` and `c??[...]`.
    Poll {
        /// The place that holds the channel.
        channel: PlaceId,
        /// Anywhere in the channel, not only at its head.
        random: bool,
        /// What the fields must be.
        args: Vec<RecvArg>,
    },
    /// The pid that the `run` of the same statement returned.
    RunResult,
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    ProcessCount,
    /// `_priority` of the process itself.
    OwnPriority,
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `enabled(p)`.
    Enabled(ExprId),
    /// `get_priority(p)`.
    GetPriority(ExprId),
    /// `pc_value(p)`.
    PcValue(ExprId),
    /// `P[i]@label`: 1 if that process is there.
    RemoteLabel {
        /// The proctype.
        proctype: ProctypeId,
        /// The pid; without it, the first process of the type.
        pid: Option<ExprId>,
        /// The label's control state.
        control: ControlId,
    },
    /// `P[i]:x`.
    RemoteVar {
        /// The proctype.
        proctype: ProctypeId,
        /// The pid; without it, the first process of the type.
        pid: Option<ExprId>,
        /// The place in that process.
        place: PlaceId,
    },
}

/// What a `run` starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSpec {
    /// The proctype.
    pub proctype: ProctypeId,
    /// The arguments.
    pub args: Vec<ExprId>,
    /// The priority of the new process.
    pub priority: u8,
}

impl crate::Model {
    /// Whether an expression or a part of it passes a test; indices are parts too.
    pub fn any_part(&self, expr: ExprId, mut test: impl FnMut(&Expr) -> bool) -> bool {
        let mut open = vec![expr];
        let indices = |place: &PlaceId| {
            let indices = self.place(*place).indices.iter();
            indices.map(|index| index.expr).collect::<Vec<_>>()
        };
        while let Some(id) = open.pop() {
            let expr = self.expr(id);
            if test(expr) {
                return true;
            }
            match expr {
                Expr::Load(place) | Expr::Channel(_, place) => open.extend(indices(place)),
                Expr::Unary(_, a) | Expr::Enabled(a) | Expr::GetPriority(a) | Expr::PcValue(a) => {
                    open.push(*a);
                }
                Expr::Binary(_, a, b) => open.extend([*a, *b]),
                Expr::Cond(c, a, b) => open.extend([*c, *a, *b]),
                Expr::Poll { channel, args, .. } => {
                    open.extend(indices(channel));
                    open.extend(args.iter().filter_map(|arg| match arg {
                        RecvArg::Match(expr) => Some(*expr),
                        RecvArg::Store(_) => None,
                    }));
                }
                Expr::RemoteLabel { pid, .. } => open.extend(pid),
                Expr::RemoteVar { pid, place, .. } => {
                    open.extend(pid);
                    open.extend(indices(place));
                }
                Expr::Const(_)
                | Expr::RunResult
                | Expr::Pid
                | Expr::ProcessCount
                | Expr::OwnPriority
                | Expr::Timeout
                | Expr::NonProgress => {}
            }
        }
        false
    }
}
