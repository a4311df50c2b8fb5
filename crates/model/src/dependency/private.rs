//! Who gets to know the channels of a process.
//!
//! A channel that only its process uses concerns nobody else. One that a process hands on to those
//! that it starts, and these to those that they start, but never otherwise, is there as long as anybody
//! knows it: processes leave in the opposite order of that in which they came, so when its process
//! ends, all to whom it was handed on are gone.
//!
//! None of this is so if a process may use a number as a channel that did not come from one ([`Held`]).

use super::guessed::Held;
use super::{exprs, footprints};
use crate::expr::Expr;
use crate::ids::ExprId;
use crate::instance::{Writes, extent};
use crate::layout::{Base, Place};
use crate::model::{Action, Initialiser, Model, Proctype};

/// The channels of the processes of a proctype.
#[derive(Clone, Debug, Default)]
pub(super) struct Privacy {
    /// Which bytes of a frame name channels that nobody else gets to know.
    bytes: Vec<bool>,
    /// Which bytes of a frame hold what was handed on to the process, if all it does with it is to
    /// use the channel or to hand it on.
    pub(super) handed: Vec<bool>,
    /// Whether others may know a channel than those that the process starts, and these.
    pub(super) shares: bool,
}

impl Privacy {
    /// Of the processes of each proctype.
    pub(super) fn of_proctypes(model: &Model, writes: &Writes) -> Vec<Privacy> {
        let Some(held) = Held::new(model) else {
            return model.proctypes.iter().map(Privacy::none).collect();
        };
        let mut found: Vec<Privacy> = (model.proctypes.iter().enumerate())
            .map(|(kind, proctype)| {
                let size = proctype.frame_size as usize;
                let mut handed = vec![false; size];
                for (offset, scalar) in &proctype.params {
                    let is_written = writes.is_written(kind, *offset) || scalar.size() != 1;
                    handed[*offset as usize] = !is_written && held.in_frame(kind, *offset);
                }
                Privacy {
                    bytes: vec![false; size],
                    handed,
                    shares: false,
                }
            })
            .collect();
        // Who tells what was handed on is told of by those who hand it on.
        loop {
            let before = found.clone();
            for (kind, privacy) in found.iter_mut().enumerate() {
                for place in told_places(model, kind, Some(&before)) {
                    for byte in extent(place) {
                        // Others may be larger.
                        if let Some(handed) = privacy.handed.get_mut(byte as usize) {
                            *handed = false;
                        }
                    }
                }
            }
            let stays = |(a, b): (&Privacy, &Privacy)| a.handed == b.handed;
            if found.iter().zip(&before).all(stays) {
                break;
            }
        }
        for kind in 0..found.len() {
            let (bytes, shares) = channels(model, writes, kind, &found);
            (found[kind].bytes, found[kind].shares) = (bytes, shares);
        }
        found
    }

    /// Where anybody may know any channel.
    fn none(proctype: &Proctype) -> Privacy {
        let size = proctype.frame_size as usize;
        Privacy {
            bytes: vec![false; size],
            handed: vec![false; size],
            shares: !proctype.channels.is_empty(),
        }
    }

    /// Whether a place of the process names a channel that nobody else gets to know, whatever its
    /// indices are.
    pub(super) fn covers(&self, place: &Place) -> bool {
        place.base == Base::Frame && extent(place).all(|byte| self.bytes[byte as usize])
    }
}

/// Which bytes of a frame name channels that nobody else gets to know, and whether others know one
/// than those to whom it was handed on.
fn channels(model: &Model, writes: &Writes, kind: usize, handed: &[Privacy]) -> (Vec<bool>, bool) {
    let proctype = &model.proctypes[kind];
    let told = told_places(model, kind, None);
    let spread = told_places(model, kind, Some(handed));
    let holds =
        |places: &[&Place], offset| places.iter().any(|place| extent(place).contains(&offset));
    let mut bytes = vec![false; proctype.frame_size as usize];
    let mut shares = false;
    for init in &proctype.inits {
        let Initialiser::Channel { offset, .. } = init else {
            continue;
        };
        let is_written = writes.is_written(kind, *offset);
        bytes[*offset as usize] = !is_written && !holds(&told, *offset);
        shares |= is_written || holds(&spread, *offset);
    }
    (bytes, shares)
}

/// Places of frames whose values a proctype computes with, or tells others, or others read. Not those
/// that it only hands on to processes that it starts, if these keep it to themselves.
fn told_places<'a>(model: &'a Model, kind: usize, handed: Option<&[Privacy]>) -> Vec<&'a Place> {
    let mut values: Vec<ExprId> = Vec::new();
    for transition in &model.transitions {
        if transition.proctype.index() != kind {
            continue;
        }
        match (&transition.action, handed) {
            (Action::Run(spec, _, expr), Some(handed)) => {
                let params = &model.proctype(spec.proctype).params;
                let keeps = &handed[spec.proctype.index()].handed;
                values.push(*expr);
                for (arg, (offset, _)) in spec.args.iter().zip(params) {
                    match model.expr(*arg) {
                        Expr::Load(place) if keeps[*offset as usize] => {
                            let indices = model.place(*place).indices.iter();
                            values.extend(indices.map(|index| index.expr));
                        }
                        _ => values.push(*arg),
                    }
                }
            }
            (action, _) => values.extend(exprs(model, action)),
        }
    }
    for init in &model.proctypes[kind].inits {
        if let Initialiser::Value { value, .. } = init {
            values.push(*value);
        }
    }
    values.extend(model.proctypes[kind].provided);
    let mut told = remote_places(model);
    for place in model.places.iter().filter(|p| p.base == Base::Frame) {
        let loads =
            |expr: &Expr| matches!(expr, Expr::Load(id) if std::ptr::eq(model.place(*id), place));
        if values.iter().any(|&value| model.any_part(value, loads)) {
            told.push(place);
        }
    }
    told
}

/// Places of frames that are read from outside, whosever they are.
fn remote_places(model: &Model) -> Vec<&Place> {
    let read = (footprints(model).into_iter()).flat_map(|footprint| footprint.remote_reads);
    read.map(|(_, place)| model.place(place)).collect()
}
