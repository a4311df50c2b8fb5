//! Guards on the fill of channels.
//!
//! `nempty(c)` cannot be falsified by a send, nor `nfull(c)` by a receive. So a guard that is true is
//! dependent with one end of the channel only, and one that is false is enabled by the other end. Spin
//! relies on the claims `xr` and `xs` for this; here none are needed.
//!
//! Where an atomic sequence begins with such a guard, the message or the free slot that it tests for is
//! still there when the statement that needs it is executed.

use super::bits::Bits;
use super::guards::conjuncts;
use super::uses::Observer;
use crate::expr::{BinaryOp, ChannelTest, Expr, UnaryOp};
use crate::ids::{ExprId, PlaceId};
use crate::model::{Action, Model, Transition};
use crate::reduction::Footprint;

/// Which end of a channel may make a guard on its fill true. Only the other end may make it false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EnabledBy {
    /// A send.
    Send,
    /// A receive.
    Receive,
    /// It is not known.
    Either,
}

impl EnabledBy {
    fn unless(self, negated: bool) -> EnabledBy {
        match (self, negated) {
            (EnabledBy::Send, true) => EnabledBy::Receive,
            (EnabledBy::Receive, true) => EnabledBy::Send,
            (end, _) => end,
        }
    }
}

/// The channels whose fill an expression tests.
pub(super) fn channel_guards_of(model: &Model, expr: ExprId) -> Vec<(PlaceId, EnabledBy)> {
    let mut found = Vec::new();
    let mut open = vec![(expr, false)];
    while let Some((expr, negated)) = open.pop() {
        match model.expr(expr) {
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                open.extend([(*a, negated), (*b, negated)]);
            }
            Expr::Unary(UnaryOp::Not, a) => open.push((*a, !negated)),
            other => match enabling_end(model, other) {
                Some((place, end)) => found.push((place, end.unless(negated))),
                None => {
                    let channels = Footprint::of_expr(model, expr).channels;
                    let places = channels.into_iter().map(|(place, _)| place);
                    found.extend(places.map(|place| (place, EnabledBy::Either)));
                }
            },
        }
    }
    found
}

/// Which end enables a test of a channel, if its place has no indices that test channels.
fn enabling_end(model: &Model, test: &Expr) -> Option<(PlaceId, EnabledBy)> {
    let (place, end) = match test {
        Expr::Channel(ChannelTest::NEmpty | ChannelTest::Full | ChannelTest::Len, place) => {
            (*place, EnabledBy::Send)
        }
        Expr::Channel(ChannelTest::Empty | ChannelTest::NFull, place) => {
            (*place, EnabledBy::Receive)
        }
        Expr::Binary(op, a, b) => match (model.expr(*a), op) {
            (Expr::Channel(ChannelTest::Len, place), _) if !uses_channels(model, *b) => {
                let end = match op {
                    BinaryOp::Gt | BinaryOp::Ge => EnabledBy::Send,
                    BinaryOp::Lt | BinaryOp::Le => EnabledBy::Receive,
                    BinaryOp::Eq if *model.expr(*b) == Expr::Const(0) => EnabledBy::Receive,
                    BinaryOp::Ne if *model.expr(*b) == Expr::Const(0) => EnabledBy::Send,
                    _ => EnabledBy::Either,
                };
                (*place, end)
            }
            _ => return None,
        },
        _ => return None,
    };
    let mut indices = model.place(place).indices.iter();
    (!indices.any(|index| uses_channels(model, index.expr))).then_some((place, end))
}

fn uses_channels(model: &Model, expr: ExprId) -> bool {
    !Footprint::of_expr(model, expr).channels.is_empty()
}

/// Channels that have a message, and channels that are not full, where a guard is true.
#[derive(Clone, Debug)]
pub(super) struct Assured {
    pub(super) messages: Bits,
    pub(super) room: Bits,
}

impl Assured {
    /// Whether nothing is assured.
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.room.is_empty()
    }
}

impl Observer<'_> {
    /// What the guard of a transition assures.
    pub(super) fn assured(&mut self, transition: &Transition) -> Assured {
        let model = self.instance.model;
        let mut assured = Assured {
            messages: Bits::none(self.sizes.channels()),
            room: Bits::none(self.sizes.channels()),
        };
        let Action::Guard(guard) = transition.action else {
            return assured;
        };
        for part in conjuncts(model, guard) {
            if let Some((place, test, value)) = fill_test(model, part)
                && let Some((row, true)) = self.instance.channel(model.place(place))
            {
                let ty = self.instance.channels[row].ty;
                let capacity = model.channel_type(ty).capacity;
                match test {
                    ChannelTest::NEmpty => assured.messages.insert(row),
                    ChannelTest::NFull => assured.room.insert(row),
                    ChannelTest::Len if value.is_some_and(|value| value <= capacity) => {
                        assured.room.insert(row);
                    }
                    _ => {}
                }
            }
        }
        assured
    }
}

/// A test of the fill of a channel: one of the operators, or `len` below a number.
fn fill_test(model: &Model, part: ExprId) -> Option<(PlaceId, ChannelTest, Option<u32>)> {
    match model.expr(part) {
        Expr::Channel(ChannelTest::Len, place) => Some((*place, ChannelTest::NEmpty, None)),
        Expr::Channel(test, place) => Some((*place, *test, None)),
        Expr::Binary(op, a, b) => match (model.expr(*a), op, model.expr(*b)) {
            (Expr::Channel(ChannelTest::Len, place), BinaryOp::Gt, Expr::Const(0..)) => {
                Some((*place, ChannelTest::NEmpty, None))
            }
            (Expr::Channel(ChannelTest::Len, place), BinaryOp::Lt, Expr::Const(value)) => {
                let value = u32::try_from(*value).ok();
                Some((*place, ChannelTest::Len, value))
            }
            _ => None,
        },
        _ => None,
    }
}
