//! Conjuncts of guards, which keep a transition from being enabled.
//!
//! A transition whose guard is a conjunction is disabled as long as one conjunct is false.
//! So only transitions that may change this conjunct can enable it: a
//! *necessary enabling set* for each conjunct, and the smallest of those that are false will do.

use space::KeyReads;

use super::bits::Bits;
use super::uses::{Observer, Uses};
use crate::expr::{BinaryOp, ChannelTest, Expr};
use crate::ids::{ControlId, ExprId};
use crate::interp::eval::{binary, unary};
use crate::layout::{Base, Place, Scalar};
use crate::model::{Action, Model, RecvArg, Transition};
use crate::reduction::Footprint;

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
    /// The length of a channel with a buffer, which lies there, in one byte or two: whether it is
    /// this, or is not.
    Fill {
        offset: u32,
        wide: bool,
        length: u32,
        is: bool,
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
            Test::Fill {
                offset,
                wide,
                length,
                is,
            } => {
                let at = offset as usize;
                let high = if wide { u32::from(state[at + 1]) } else { 0 };
                let found = u32::from(state[at]) | high << 8;
                Some(i32::from((found == length) == is))
            }
            Test::Other { expr, frame, pid } => evaluate(model, state, frame, pid, expr),
        };
        value == Some(0)
    }

    /// Add what it looks at in a state: offsets of bytes, and whether it matters which processes
    /// there are.
    pub(super) fn add_reads(&self, model: &Model, state: &[u8], reads: &mut KeyReads) {
        match *self {
            Test::Compare { offset, scalar, .. } => {
                reads.bytes.extend(offset..offset + scalar.size());
            }
            Test::Fill { offset, .. } => {
                // Where a channel lies depends on the processes before its owner.
                reads.population = true;
                reads.bytes.push(offset);
            }
            Test::Other { expr, frame, pid } => {
                add_reads(model, state, (frame, pid), expr, &mut reads.bytes);
            }
        }
    }
}

/// What may make a part of a guard true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Enabler {
    /// Writing one of these cells.
    Writes(Bits),
    /// Sending to a channel.
    Sends(usize),
    /// Receiving from a channel, so that another message is first, or writing one of these cells.
    Receives(usize, Bits),
}

impl Enabler {
    /// Whether a transition may do it.
    pub(super) fn is_done_by(&self, other: &Uses) -> bool {
        match self {
            Enabler::Writes(cells) => other.writes.meets(cells),
            // What is no longer there can be used, but that is an error.
            Enabler::Sends(channel) => other.sends.has(*channel) || other.closes.has(*channel),
            Enabler::Receives(channel, cells) => {
                other.receives.has(*channel)
                    || other.closes.has(*channel)
                    || other.writes.meets(cells)
            }
        }
    }
}

/// A part of a guard: how to test it, what may make it true, and whether the process itself decides,
/// too, by its variables: then it counts only while the process is there.
pub(super) type Guard = (Test, Enabler, bool);

/// The conjuncts of the guard of a transition, if it is enabled exactly if all are true.
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
    let mut parts: Vec<ExprId> = (open.into_iter())
        .flat_map(|expr| conjuncts(model, expr))
        .collect();
    parts.retain(|&part| is_local(model, part));
    parts
}

/// The parts of an expression that must all be true.
pub(super) fn conjuncts(model: &Model, expr: ExprId) -> Vec<ExprId> {
    let mut open = vec![expr];
    let mut parts = Vec::new();
    while let Some(expr) = open.pop() {
        match model.expr(expr) {
            Expr::Binary(BinaryOp::And, a, b) => open.extend([*b, *a]),
            _ => parts.push(expr),
        }
    }
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
    /// The parts of the guards of transitions of the process.
    pub(super) fn guards(&mut self, rows: &[u32]) -> Vec<Vec<Guard>> {
        let model = self.instance.model;
        let guard = |&row: &u32| {
            space::cancel::poll();
            let transition = &model.transitions[row as usize];
            let parts = parts(model, transition);
            let mut ready: Vec<Guard> = Vec::new();
            for part in parts {
                let mut is_own = false;
                for place in Footprint::of_expr(model, part).reads {
                    let place = model.place(place);
                    is_own |= place.base == Base::Frame && !self.instance.is_fixed(place);
                }
                let enabler = Enabler::Writes(self.cells_of(part));
                ready.extend(self.test(part).map(|test| (test, enabler, is_own)));
            }
            ready.extend(self.fill_parts(transition));
            ready.extend(self.message_parts(transition));
            ready
        };
        rows.iter().map(guard).collect()
    }

    /// The cells that an expression reads.
    fn cells_of(&mut self, expr: ExprId) -> Bits {
        let mut cells = Bits::none(self.sizes.cells());
        for place in Footprint::of_expr(self.instance.model, expr).reads {
            self.add_bytes(place, &mut cells);
        }
        cells
    }

    /// What keeps a process from receiving the first message of a channel with a buffer: there is
    /// none, or it does not match. Then sends do not enable it.
    fn message_parts(&mut self, transition: &Transition) -> Vec<Guard> {
        let model = self.instance.model;
        let Action::Receive {
            channel,
            random: false,
            args,
            ..
        } = &transition.action
        else {
            return Vec::new();
        };
        let Some((row, true)) = self.instance.channel(model.place(*channel)) else {
            return Vec::new();
        };
        let mut parts = vec![(self.fill(row, 0, false), Enabler::Sends(row), false)];
        if self.only_messages_decide(transition) {
            let mut cells = Bits::none(self.sizes.cells());
            for arg in args {
                if let RecvArg::Match(expr) = arg {
                    cells.add(&self.cells_of(*expr));
                }
            }
            for place in &Footprint::of_action(model, &transition.action).reads {
                self.add_bytes(*place, &mut cells);
            }
            // Otherwise the first message does not fit.
            parts.push((self.fill(row, 0, true), Enabler::Receives(row, cells), true));
        }
        parts
    }

    /// Tests of the fill of buffered channels in guards.
    fn fill_parts(&mut self, transition: &Transition) -> Vec<Guard> {
        let model = self.instance.model;
        let Action::Guard(guard) = transition.action else {
            return Vec::new();
        };
        let mut parts = Vec::new();
        for part in conjuncts(model, guard) {
            let Expr::Channel(test, place) = model.expr(part) else {
                continue;
            };
            let Some((row, true)) = self.instance.channel(model.place(*place)) else {
                continue;
            };
            let capacity = model.channel_type(self.instance.channels[row].ty).capacity;
            let (length, is) = match test {
                ChannelTest::Len | ChannelTest::NEmpty => (0, false),
                ChannelTest::Empty => (0, true),
                ChannelTest::NFull => (capacity, false),
                ChannelTest::Full => (capacity, true),
            };
            let enabler = match test {
                ChannelTest::Len | ChannelTest::NEmpty | ChannelTest::Full => Enabler::Sends(row),
                ChannelTest::Empty | ChannelTest::NFull => {
                    Enabler::Receives(row, Bits::none(self.sizes.cells()))
                }
            };
            parts.push((self.fill(row, length, is), enabler, false));
        }
        parts
    }

    /// Whether the channel of a row has this length, or has not.
    fn fill(&self, row: usize, length: u32, is: bool) -> Test {
        let slot = self.instance.channels[row];
        let ty = self.instance.model.channel_type(slot.ty);
        Test::Fill {
            offset: slot.offset,
            wide: ty.length_size() > 1,
            length,
            is,
        }
    }

    /// Whether a receive that cannot be executed waits for a message, and for nothing else, and the
    /// first message stays the first until it is received.
    fn only_messages_decide(&self, transition: &Transition) -> bool {
        let model = self.instance.model;
        let proctype = model.proctype(transition.proctype);
        let mut options = proctype.states.iter().flat_map(|state| &state.options);
        !self.sorts
            && proctype.provided.is_none()
            && !proctype.deterministic
            && options.all(|option| option.escape == ControlId(0))
    }

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

/// Add the offsets of what an expression that [`is_local`] looks at, of a process whose frame begins
/// there.
fn add_reads(
    model: &Model,
    state: &[u8],
    (frame, pid): (u32, u8),
    expr: ExprId,
    bytes: &mut Vec<u32>,
) {
    match model.expr(expr) {
        Expr::Unary(_, operand) => add_reads(model, state, (frame, pid), *operand, bytes),
        Expr::Binary(_, a, b) => {
            add_reads(model, state, (frame, pid), *a, bytes);
            add_reads(model, state, (frame, pid), *b, bytes);
        }
        Expr::Load(place) => {
            let place = model.place(*place);
            for index in &place.indices {
                add_reads(model, state, (frame, pid), index.expr, bytes);
            }
            if let Some(offset) = locate(model, state, frame, pid, place) {
                bytes.extend(offset..offset + place.scalar.size());
            }
        }
        _ => {}
    }
}

/// Where a place lies in a state, if its indices have values that fit.
fn locate(model: &Model, state: &[u8], frame: u32, pid: u8, place: &Place) -> Option<u32> {
    let mut offset = start(place, frame) + place.offset;
    for index in &place.indices {
        let at = u32::try_from(evaluate(model, state, frame, pid, index.expr)?).ok()?;
        if at >= index.count {
            return None;
        }
        offset += at * index.stride;
    }
    (place.base != Base::Nowhere).then_some(offset)
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
            let offset = locate(model, state, frame, pid, place)?;
            Some(place.scalar.read(state, offset as usize))
        }
        _ => None,
    }
}
