//! Messages that a loop over all members sends: one round must not see what another one sent.
//!
//! A round may send to a channel that belongs to its member, which is an element of an array that
//! the counter is an index of. The array must never be written and hold each channel once: then
//! different rounds use different channels. A send must not have to wait, since others could move
//! before the loop continues; inside a `d_step` no test is needed, for there it fails instead,
//! in whatever order the rounds come.

use super::leaves::{Leaf, LeafId, Leaves, Owner};
use super::loops::{Finder, Loop};
use super::root::Root;
use crate::expr::{ChannelTest, Expr};
use crate::ids::{ExprId, PlaceId};
use crate::layout::Display;
use crate::model::{Action, Model};
use crate::reduction::Footprint;

const ORDERED: &str = "the order in which a loop over all processes sends its messages may matter";
const WAITS: &str = "a loop over all processes may block";

/// By leaf: the channels with buffers that a global array holds for ever, if no two are the same.
pub(super) fn channel_arrays(model: &Model, leaves: &Leaves, root: &Root) -> Vec<Option<Vec<i32>>> {
    let mut written = vec![false; leaves.all.len()];
    for transition in &model.transitions {
        for place in Footprint::of_action(model, &transition.action).writes {
            if let Some(element) = leaves.element(model.place(place), transition.proctype) {
                written[element.leaf.0] = true;
            }
        }
    }
    let held = |(id, leaf): (LeafId, &Leaf)| {
        let is_fixed =
            leaf.owner == Owner::Global && leaf.display == Display::Channel && !written[id.0];
        let values = (leaf.offsets()).map(|at| leaf.scalar.read(&root.state, at as usize));
        let values: Vec<i32> = values.collect();
        let has_buffer = |value: &i32| {
            let row = usize::try_from(*value).ok().and_then(|v| v.checked_sub(1));
            let channel = row.and_then(|row| root.channels.get(row));
            channel.is_some_and(|(_, ty)| model.channel_type(*ty).capacity > 0)
        };
        (is_fixed && values.iter().all(has_buffer) && are_distinct(&values)).then_some(values)
    };
    leaves.iter().map(held).collect()
}

fn are_distinct(values: &[i32]) -> bool {
    (1..values.len()).all(|row| !values[..row].contains(&values[row]))
}

impl Finder<'_, '_> {
    /// Why the order of a loop may matter to what it sends; `reads` are the expressions that it looks
    /// at.
    pub(super) fn order_of_sends(&self, found: &Loop, reads: &[ExprId]) -> Option<&'static str> {
        let mut used: Vec<PlaceId> = Vec::new();
        for &number in &found.body {
            let edge = &self.flow.edges[number];
            if let Action::Send { channel, .. } = edge.action {
                used.push(*channel);
                if !self.in_dstep() && !self.is_never_full(edge.from, *channel) {
                    return Some(WAITS);
                }
            }
        }
        if used.is_empty() {
            return None;
        }
        for &expr in reads {
            let looked = Footprint::of_expr(self.model, expr).channels;
            used.extend(looked.iter().map(|(place, _)| *place));
        }
        let leaves: Option<Vec<LeafId>> = used.iter().map(|place| self.leaf(*place)).collect();
        let Some(mut leaves) = leaves else {
            return Some(ORDERED);
        };
        leaves.sort_unstable();
        leaves.dedup();
        let mut channels: Vec<i32> = Vec::new();
        for leaf in leaves {
            match &self.channel_arrays[leaf.0] {
                Some(held) => channels.extend(held),
                None => return Some(ORDERED),
            }
        }
        let belongs = |place: &PlaceId| self.is_indexed_by(*place, found.counter);
        (!used.iter().all(belongs) || !are_distinct(&channels)).then_some(ORDERED)
    }

    /// Whether the channel is not full when a process reaches a node: every way there tests that.
    fn is_never_full(&self, node: usize, channel: PlaceId) -> bool {
        let asks = |action: &Action| match action {
            Action::Guard(expr) => match self.model.expr(*expr) {
                Expr::Channel(ChannelTest::NFull | ChannelTest::Empty, place) => {
                    self.model.is_same_place(*place, channel)
                }
                _ => false,
            },
            _ => false,
        };
        let mut before = self.flow.into(node).peekable();
        before.peek().is_some() && before.all(|(_, edge)| asks(edge.action))
    }

    /// Whether some statement at a node is always enabled, because two test the opposite.
    pub(super) fn tests_complement(&self, node: usize) -> bool {
        let test = |action: &Action| match action {
            Action::Guard(expr) => match self.model.expr(*expr) {
                Expr::Channel(test, place) => Some((*test, *place)),
                _ => None,
            },
            _ => None,
        };
        let tests: Vec<_> = (self.flow.out(node))
            .filter_map(|(_, edge)| test(edge.action))
            .collect();
        tests.iter().any(|(one, place)| {
            let opposite = match one {
                ChannelTest::NFull => ChannelTest::Full,
                ChannelTest::NEmpty => ChannelTest::Empty,
                _ => return false,
            };
            (tests.iter())
                .any(|(other, at)| *other == opposite && self.model.is_same_place(*place, *at))
        })
    }

    /// Whether a place is the element of a row that has the number of the counter.
    fn is_indexed_by(&self, place: PlaceId, counter: LeafId) -> bool {
        let dims = self
            .leaf(place)
            .map_or(0, |leaf| self.leaves.get(leaf).dims.len());
        dims == 1 && self.is_indexed(place, 0, counter)
    }
}
