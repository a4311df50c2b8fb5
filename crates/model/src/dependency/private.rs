//! Channels that only the process uses that created them.

use super::exprs;
use crate::expr::Expr;
use crate::instance::{Writes, extent};
use crate::layout::{Base, Place};
use crate::model::{Initialiser, Model};
use crate::reduction::Footprint;

/// The channels of the processes of a proctype.
#[derive(Clone, Debug, Default)]
pub(super) struct Privacy {
    /// Which bytes of a frame name channels that nobody else gets to know.
    bytes: Vec<bool>,
    /// Whether others may know a channel.
    pub(super) shares: bool,
}

impl Privacy {
    /// Of the processes of each proctype.
    pub(super) fn of_proctypes(model: &Model, writes: &Writes) -> Vec<Privacy> {
        let remote = remote_places(model);
        (0..model.proctypes.len())
            .map(|kind| Privacy::new(model, writes, kind, &remote))
            .collect()
    }

    fn new(model: &Model, writes: &Writes, kind: usize, remote: &[&Place]) -> Privacy {
        let proctype = &model.proctypes[kind];
        let mut told = told_places(model, kind);
        told.extend(remote);
        let mut privacy = Privacy {
            bytes: vec![false; proctype.frame_size as usize],
            shares: false,
        };
        for init in &proctype.inits {
            let Initialiser::Channel { offset, .. } = init else {
                continue;
            };
            let is_told = told.iter().any(|place| extent(place).contains(offset));
            if is_told || writes.is_written(kind, *offset) {
                privacy.shares = true;
            } else {
                privacy.bytes[*offset as usize] = true;
            }
        }
        privacy
    }

    /// Whether a place of the process names such a channel, whatever its indices are.
    pub(super) fn covers(&self, place: &Place) -> bool {
        place.base == Base::Frame && extent(place).all(|byte| self.bytes[byte as usize])
    }
}

/// Places of frames whose values a proctype computes with, or tells others.
fn told_places(model: &Model, kind: usize) -> Vec<&Place> {
    let transitions = model.transitions.iter();
    let values = transitions
        .filter(|transition| transition.proctype.index() == kind)
        .flat_map(|transition| exprs(model, &transition.action));
    let mut told = Vec::new();
    for value in values {
        for place in model.places.iter().filter(|p| p.base == Base::Frame) {
            let loads = |expr: &Expr| matches!(expr, Expr::Load(id) if std::ptr::eq(model.place(*id), place));
            if model.any_part(value, loads) {
                told.push(place);
            }
        }
    }
    told
}

/// Places of frames that are read from outside, whosever they are.
fn remote_places(model: &Model) -> Vec<&Place> {
    let transitions = model.transitions.iter();
    transitions
        .flat_map(|transition| Footprint::of_action(model, &transition.action).remote_reads)
        .map(|(_, place)| model.place(place))
        .collect()
}
