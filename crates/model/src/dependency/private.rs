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
use crate::instance::{Extents, Writes, extent};
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
        let told = Told::new(model);
        told.narrow(model, &mut found);
        for kind in 0..found.len() {
            let (bytes, shares) = channels(model, writes, kind, &told, &found);
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
fn channels(
    model: &Model,
    writes: &Writes,
    kind: usize,
    told: &Told,
    handed: &[Privacy],
) -> (Vec<bool>, bool) {
    let proctype = &model.proctypes[kind];
    let mut bytes = vec![false; proctype.frame_size as usize];
    let is_channel = |init: &Initialiser| matches!(init, Initialiser::Channel { .. });
    if !proctype.inits.iter().any(is_channel) {
        return (bytes, false);
    }
    let spread = told.bytes(model, kind, Some(handed));
    let told = told.bytes(model, kind, None);
    let mut shares = false;
    for init in &proctype.inits {
        let Initialiser::Channel { offset, .. } = init else {
            continue;
        };
        let is_written = writes.is_written(kind, *offset);
        bytes[*offset as usize] = !is_written && !told[*offset as usize];
        shares |= is_written || spread[*offset as usize];
    }
    (bytes, shares)
}

/// So often it is looked again who tells what was handed on, beyond once for each proctype.
/// After that nothing counts as handed on.
const MOST_ROUNDS: usize = 1 << 10;

/// What proctypes compute with, or tell others, or what others read.
struct Told {
    /// The transitions of each proctype, and who starts its processes.
    transitions: Vec<Vec<usize>>,
    parents: Vec<Vec<usize>>,
    /// Bytes of frames that are read from outside, whosever they are.
    remote: Vec<bool>,
}

impl Told {
    fn new(model: &Model) -> Told {
        let mut told = Told {
            transitions: vec![Vec::new(); model.proctypes.len()],
            parents: vec![Vec::new(); model.proctypes.len()],
            remote: Vec::new(),
        };
        for (row, transition) in model.transitions.iter().enumerate() {
            let kind = transition.proctype.index();
            told.transitions[kind].push(row);
            if let Action::Run(spec, ..) = &transition.action {
                told.parents[spec.proctype.index()].push(kind);
            }
        }
        let (mut remote, mut size) = (Extents::default(), 0);
        for (_, place) in footprints(model).iter().flat_map(|f| &f.remote_reads) {
            let place = model.place(*place);
            size = size.max(extent(place).end);
            remote.add(place);
        }
        told.remote.resize(size as usize, false);
        remote.mark(&mut told.remote);
        told
    }

    /// Who tells what was handed on is told of by those who hand it on.
    fn narrow(&self, model: &Model, found: &mut [Privacy]) {
        let mut open: Vec<usize> = (0..found.len()).collect();
        let mut is_open = vec![true; found.len()];
        let mut rounds = found.len() + MOST_ROUNDS;
        while let Some(kind) = open.pop() {
            space::cancel::poll();
            is_open[kind] = false;
            if !found[kind].handed.contains(&true) {
                continue;
            }
            if rounds == 0 {
                found.iter_mut().for_each(|found| found.handed.fill(false));
                return;
            }
            rounds -= 1;
            let told = self.bytes(model, kind, Some(found));
            let mut narrowed = false;
            for (handed, _) in (found[kind].handed.iter_mut().zip(told)).filter(|(_, told)| *told) {
                narrowed |= std::mem::take(handed);
            }
            if narrowed {
                for &parent in &self.parents[kind] {
                    if !std::mem::replace(&mut is_open[parent], true) {
                        open.push(parent);
                    }
                }
            }
        }
    }

    /// Bytes of frames whose values a proctype computes with, or tells others, or others read. Not
    /// those that it only hands on to processes that it starts, if these keep it to themselves.
    fn bytes(&self, model: &Model, kind: usize, handed: Option<&[Privacy]>) -> Vec<bool> {
        let proctype = &model.proctypes[kind];
        let mut bytes = vec![false; proctype.frame_size as usize];
        for (byte, remote) in bytes.iter_mut().zip(&self.remote) {
            *byte = *remote;
        }
        let mut told = Extents::default();
        for value in self.values(model, kind, handed) {
            model.any_part(value, |part| {
                if let Expr::Load(place) = part {
                    let place = model.place(*place);
                    if place.base == Base::Frame {
                        told.add(place);
                    }
                }
                false
            });
        }
        told.mark(&mut bytes);
        bytes
    }

    /// The expressions that it computes.
    fn values(&self, model: &Model, kind: usize, handed: Option<&[Privacy]>) -> Vec<ExprId> {
        let mut values: Vec<ExprId> = Vec::new();
        for &row in &self.transitions[kind] {
            match (&model.transitions[row].action, handed) {
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
        values
    }
}
