//! Private channels of a process.
//!
//! A channel that only its process uses is independent of all other processes. One that a process passes
//! on to those that it starts, and these to those that they start, but never otherwise, exists as long
//! as any process knows it: processes die in the opposite order of that in which they were started, so
//! when its process ends, all that inherited it are gone.
//!
//! None of this is so if a process may use a number as a channel that is no channel id of a declaration
//! ([`ChannelHolders`]).

use super::channel_provenance::ChannelHolders;
use super::{exprs, footprints};
use crate::expr::Expr;
use crate::ids::ExprId;
use crate::instance::{Extents, Writes, extent};
use crate::layout::{Base, Place};
use crate::model::{Action, Initialiser, Model, Proctype};

/// The channels of the processes of a proctype.
#[derive(Clone, Debug, Default)]
pub(super) struct Privacy {
    /// Which bytes of a frame hold private channels.
    bytes: Vec<bool>,
    /// Which bytes of a frame hold inherited channels that the process only uses or passes on.
    pub(super) inherited: Vec<bool>,
    /// Whether processes may know a channel that did not inherit it.
    pub(super) shares: bool,
}

impl Privacy {
    /// Of the processes of each proctype.
    pub(super) fn of_proctypes(model: &Model, writes: &Writes) -> Vec<Privacy> {
        let Some(held) = ChannelHolders::new(model) else {
            return model.proctypes.iter().map(Privacy::none).collect();
        };
        let mut found: Vec<Privacy> = (model.proctypes.iter().enumerate())
            .map(|(kind, proctype)| {
                let size = proctype.frame_size as usize;
                let mut inherited = vec![false; size];
                for (offset, scalar) in &proctype.params {
                    let is_written = writes.is_written(kind, *offset) || scalar.size() != 1;
                    inherited[*offset as usize] = !is_written && held.in_frame(kind, *offset);
                }
                Privacy {
                    bytes: vec![false; size],
                    inherited,
                    shares: false,
                }
            })
            .collect();
        let disclosed = Disclosure::new(model);
        disclosed.narrow(model, &mut found);
        for kind in 0..found.len() {
            let (bytes, shares) = channels(model, writes, kind, &disclosed, &found);
            (found[kind].bytes, found[kind].shares) = (bytes, shares);
        }
        found
    }

    /// Where any process may know any channel.
    fn none(proctype: &Proctype) -> Privacy {
        let size = proctype.frame_size as usize;
        Privacy {
            bytes: vec![false; size],
            inherited: vec![false; size],
            shares: !proctype.channels.is_empty(),
        }
    }

    /// Whether a place of the process holds a private channel, whatever its indices are.
    pub(super) fn covers(&self, place: &Place) -> bool {
        place.base == Base::Frame && extent(place).all(|byte| self.bytes[byte as usize])
    }
}

/// Which bytes of a frame hold private channels, and whether processes know one that did not
/// inherit it.
fn channels(
    model: &Model,
    writes: &Writes,
    kind: usize,
    disclosed: &Disclosure,
    inherited: &[Privacy],
) -> (Vec<bool>, bool) {
    let proctype = &model.proctypes[kind];
    let mut bytes = vec![false; proctype.frame_size as usize];
    let is_channel = |init: &Initialiser| matches!(init, Initialiser::Channel { .. });
    if !proctype.inits.iter().any(is_channel) {
        return (bytes, false);
    }
    let spread = disclosed.bytes(model, kind, Some(inherited));
    let disclosed = disclosed.bytes(model, kind, None);
    let mut shares = false;
    for init in &proctype.inits {
        let Initialiser::Channel { offset, .. } = init else {
            continue;
        };
        let is_written = writes.is_written(kind, *offset);
        bytes[*offset as usize] = !is_written && !disclosed[*offset as usize];
        shares |= is_written || spread[*offset as usize];
    }
    (bytes, shares)
}

/// So many proctypes are examined again for disclosed channels, beyond once for each. After that
/// nothing counts as inherited.
const MOST_ROUNDS: usize = 1 << 10;

/// Values that proctypes compute with, disclose to others, or that others read.
struct Disclosure {
    /// The transitions of each proctype, and the proctypes that start its processes.
    transitions: Vec<Vec<usize>>,
    parents: Vec<Vec<usize>>,
    /// Bytes of frames that are read from outside, whosever they are.
    remote: Vec<bool>,
}

impl Disclosure {
    fn new(model: &Model) -> Disclosure {
        let mut disclosed = Disclosure {
            transitions: vec![Vec::new(); model.proctypes.len()],
            parents: vec![Vec::new(); model.proctypes.len()],
            remote: Vec::new(),
        };
        for (row, transition) in model.transitions.iter().enumerate() {
            let kind = transition.proctype.index();
            disclosed.transitions[kind].push(row);
            if let Action::Run(spec, ..) = &transition.action {
                disclosed.parents[spec.proctype.index()].push(kind);
            }
        }
        let (mut remote, mut size) = (Extents::default(), 0);
        for (_, place) in footprints(model).iter().flat_map(|f| &f.remote_reads) {
            let place = model.place(*place);
            size = size.max(extent(place).end);
            remote.add(place);
        }
        disclosed.remote.resize(size as usize, false);
        remote.mark(&mut disclosed.remote);
        disclosed
    }

    /// A proctype that discloses what it inherits makes those disclose it that pass it on.
    fn narrow(&self, model: &Model, found: &mut [Privacy]) {
        let mut open: Vec<usize> = (0..found.len()).collect();
        let mut is_open = vec![true; found.len()];
        let mut rounds = found.len() + MOST_ROUNDS;
        while let Some(kind) = open.pop() {
            space::cancel::poll();
            is_open[kind] = false;
            if !found[kind].inherited.contains(&true) {
                continue;
            }
            if rounds == 0 {
                found
                    .iter_mut()
                    .for_each(|found| found.inherited.fill(false));
                return;
            }
            rounds -= 1;
            let disclosed = self.bytes(model, kind, Some(found));
            let mut narrowed = false;
            for (inherited, _) in (found[kind].inherited.iter_mut().zip(disclosed))
                .filter(|(_, disclosed)| *disclosed)
            {
                narrowed |= std::mem::take(inherited);
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

    /// Bytes of frames whose values a proctype computes with, or discloses, or others read. Not
    /// those that it only passes on to processes that it starts, if these keep it private.
    fn bytes(&self, model: &Model, kind: usize, inherited: Option<&[Privacy]>) -> Vec<bool> {
        let proctype = &model.proctypes[kind];
        let mut bytes = vec![false; proctype.frame_size as usize];
        for (byte, remote) in bytes.iter_mut().zip(&self.remote) {
            *byte = *remote;
        }
        let mut disclosed = Extents::default();
        for value in self.values(model, kind, inherited) {
            model.any_part(value, |part| {
                if let Expr::Load(place) = part {
                    let place = model.place(*place);
                    if place.base == Base::Frame {
                        disclosed.add(place);
                    }
                }
                false
            });
        }
        disclosed.mark(&mut bytes);
        bytes
    }

    /// The expressions that it computes.
    fn values(&self, model: &Model, kind: usize, inherited: Option<&[Privacy]>) -> Vec<ExprId> {
        let mut values: Vec<ExprId> = Vec::new();
        for &row in &self.transitions[kind] {
            match (&model.transitions[row].action, inherited) {
                (Action::Run(spec, _, expr), Some(inherited)) => {
                    let params = &model.proctype(spec.proctype).params;
                    let keeps = &inherited[spec.proctype.index()].inherited;
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
