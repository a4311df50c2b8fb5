//! What guards ask about the fill of channels.
//!
//! `nempty(c)` cannot become false by a message that is sent, nor `nfull(c)` by one that is received.
//! So a guard that is true clashes with one end of the channel only, and one that is false
//! waits for the other end. Spin lets the claims `xr` and `xs` decide this; here it needs none.
//!
//! Where an atomic sequence begins with such a guard, the message or the room that it asks for is there
//! when the statement comes that needs it.

use super::bits::Bits;
use super::guards::conjuncts;
use super::uses::Observer;
use crate::expr::{BinaryOp, ChannelTest, Expr, UnaryOp};
use crate::ids::{ExprId, PlaceId};
use crate::model::{Action, Model, Transition};
use crate::reduction::Footprint;

/// Who may make true what is asked about a channel. Only the others may make it false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Whoever sends.
    Sent,
    /// Whoever receives.
    Taken,
    /// It is not known.
    Either,
}

impl Ask {
    fn unless(self, negated: bool) -> Ask {
        match (self, negated) {
            (Ask::Sent, true) => Ask::Taken,
            (Ask::Taken, true) => Ask::Sent,
            (ask, _) => ask,
        }
    }
}

/// The channels whose fill an expression asks for.
pub(super) fn asks(model: &Model, expr: ExprId) -> Vec<(PlaceId, Ask)> {
    let mut found = Vec::new();
    let mut open = vec![(expr, false)];
    while let Some((expr, negated)) = open.pop() {
        match model.expr(expr) {
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                open.extend([(*a, negated), (*b, negated)]);
            }
            Expr::Unary(UnaryOp::Not, a) => open.push((*a, !negated)),
            other => match asked(model, other) {
                Some((place, ask)) => found.push((place, ask.unless(negated))),
                None => {
                    let channels = Footprint::of_expr(model, expr).channels;
                    let places = channels.into_iter().map(|(place, _)| place);
                    found.extend(places.map(|place| (place, Ask::Either)));
                }
            },
        }
    }
    found
}

/// What a test of a channel asks, if its place has no indices that ask for something else.
fn asked(model: &Model, test: &Expr) -> Option<(PlaceId, Ask)> {
    let (place, ask) = match test {
        Expr::Channel(ChannelTest::NEmpty | ChannelTest::Full | ChannelTest::Len, place) => {
            (*place, Ask::Sent)
        }
        Expr::Channel(ChannelTest::Empty | ChannelTest::NFull, place) => (*place, Ask::Taken),
        Expr::Binary(op, a, b) => match (model.expr(*a), op) {
            (Expr::Channel(ChannelTest::Len, place), _) if !asks_at_all(model, *b) => {
                let ask = match op {
                    BinaryOp::Gt | BinaryOp::Ge => Ask::Sent,
                    BinaryOp::Lt | BinaryOp::Le => Ask::Taken,
                    BinaryOp::Eq if *model.expr(*b) == Expr::Const(0) => Ask::Taken,
                    BinaryOp::Ne if *model.expr(*b) == Expr::Const(0) => Ask::Sent,
                    _ => Ask::Either,
                };
                (*place, ask)
            }
            _ => return None,
        },
        _ => return None,
    };
    let mut indices = model.place(place).indices.iter();
    (!indices.any(|index| asks_at_all(model, index.expr))).then_some((place, ask))
}

fn asks_at_all(model: &Model, expr: ExprId) -> bool {
    !Footprint::of_expr(model, expr).channels.is_empty()
}

/// Channels that have a message, and channels that have room, where a guard is true.
#[derive(Clone, Debug)]
pub(super) struct Assured {
    pub(super) messages: Bits,
    pub(super) room: Bits,
}

impl Assured {
    /// Whether it makes sure of nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.room.is_empty()
    }
}

impl Observer<'_> {
    /// What the guard of a transition makes sure of.
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
