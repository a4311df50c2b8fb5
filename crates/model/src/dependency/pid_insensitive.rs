//! Models whose behaviour does not depend on pids.
//!
//! Processes get their pids in the order in which they are started, and give them back in the
//! opposite order: a process at its end stays until all younger ones have died. So starting a process
//! and ending one do not commute with others of their kind, but where nothing reads pids, the results of
//! both orders differ only in names. Two states are *pid-equivalent* if they are the same
//! up to the order of the processes, without those that are at their end. What can be done in one of
//! them can be done in the other, with pid-equivalent results, and so commuting up to equivalence is
//! enough for a reduction: its proof holds in the quotient.
//!
//! This is so if
//!
//! - neither the model nor the property reads pids, `_nr_pr` or other processes;
//! - nothing happens to others when a process ends: those that know its channels are gone, it
//!   claims none, and it may end whatever variables hold.
//!
//! # Channel ids
//!
//! Channels get their ids in the order of the processes that own them. As long as processes pass them
//! on only to those that they start, it is known where these ids are, and they do not matter either.
//! If channels become known otherwise, as messages or by variables, arbitrary use may be made of their
//! ids, which must be the same in either order then: processes with channels of their own must
//! never terminate ([`non_terminating`]), and two starts of such processes are dependent. The ids of
//! those without channels still do not matter.
//!
//! # Too many processes
//!
//! One thing is left that depends on processes at their end: there may be too many processes, or
//! channels. If there never are ([`PidSensitivity::Nothing`]), starting and ending are independent. If
//! there may be ([`PidSensitivity::Count`]), a process that dies is dependent with those that may
//! start another, since it must not die before they do. Not the other way round: starting a process
//! before others die reaches the error no later.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::non_terminating::non_terminating;
use super::private::Privacy;
use super::{Observed, started};
use crate::expr::Expr;
use crate::flow;
use crate::ids::ProctypeId;
use crate::instance::{Extents, channels, extent};
use crate::layout::{Base, Place};
use crate::model::{Action, Initialiser, Model, Proctype};
use crate::reduction::Footprint;

/// The largest number of processes, and of channels.
const MOST: u64 = 255;

/// What depends on which processes are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PidSensitivity {
    /// What a model does, or what a property sees.
    All,
    /// Whether there are too many.
    Count,
    /// Nothing.
    Nothing,
}

impl PidSensitivity {
    pub(super) fn new(model: &Model, observed: &Observed, privacy: &[Privacy]) -> PidSensitivity {
        match (
            pids_are_observed(model, observed, privacy),
            is_bounded(model),
        ) {
            (true, _) => PidSensitivity::All,
            (false, false) => PidSensitivity::Count,
            (false, true) => PidSensitivity::Nothing,
        }
    }
}

/// Whether the model or the property depends on pids.
fn pids_are_observed(model: &Model, observed: &Observed, privacy: &[Privacy]) -> bool {
    let ends_quietly =
        |proctype: &Proctype| proctype.claims.is_empty() && proctype.provided.is_none();
    let readers = readers(model, observed);
    let read = Read::new(model, &readers);
    let mut starts = model.transitions.iter().filter_map(|transition| {
        let is_start = started(model, &transition.action).next().is_some();
        is_start.then_some((transition.proctype, &transition.action))
    });
    readers.iter().any(|(_, reader)| reader.pid_reads)
        || !model.proctypes.iter().all(ends_quietly)
        || channels_escape(privacy) && !channels_persist(model)
        || !starts.all(|(kind, action)| ignores_pid(model, kind, action, &read))
}

/// A footprint, and the proctype that it belongs to.
type Reader = (Option<ProctypeId>, Footprint);

/// Statements, first values, what a trace and the property look at.
fn readers(model: &Model, observed: &Observed) -> Vec<Reader> {
    let mut found = Vec::new();
    for transition in &model.transitions {
        let footprint = Footprint::of_action(model, &transition.action);
        found.push((Some(transition.proctype), footprint));
    }
    for (kind, proctype) in model.proctypes.iter().enumerate() {
        for init in &proctype.inits {
            if let Initialiser::Value { value, .. } = init {
                let footprint = Footprint::of_expr(model, *value);
                found.push((Some(ProctypeId(kind as u32)), footprint));
            }
        }
    }
    for event in model.event_trace.iter().flat_map(|trace| &trace.events) {
        found.push((None, Footprint::of_event(model, event)));
    }
    let atoms = observed.atoms.iter();
    found.extend(atoms.map(|&atom| (None, Footprint::of_expr(model, atom))));
    found
}

/// Whether channel ids may be known to processes that did not inherit them.
pub(super) fn channels_escape(privacy: &[Privacy]) -> bool {
    privacy.iter().any(|privacy| privacy.shares)
}

/// Whether the channels of processes never cease to exist.
fn channels_persist(model: &Model) -> bool {
    let mut kinds = model.proctypes.iter().zip(non_terminating(model));
    kinds.all(|(proctype, lasts)| lasts || proctype.channels.is_empty())
}

/// Whether a statement that starts a process ignores its pid, or stores it where it is never read.
fn ignores_pid(model: &Model, kind: ProctypeId, action: &Action, read: &Read) -> bool {
    match action {
        Action::Run(_, None, expr) => *model.expr(*expr) == Expr::RunResult,
        Action::Run(_, Some(place), expr) => {
            !Footprint::of_expr(model, *expr).may_fail && !read.has(kind, model.place(*place))
        }
        // What a d_step does with it is not looked at.
        _ => false,
    }
}

/// Which bytes are read.
struct Read {
    globals: Vec<bool>,
    frames: Vec<Vec<bool>>,
}

impl Read {
    fn new(model: &Model, readers: &[Reader]) -> Read {
        let mut globals = Extents::default();
        let mut frames = vec![Extents::default(); model.proctypes.len()];
        for (reader, footprint) in readers {
            for place in footprint.reads.iter().map(|&place| model.place(place)) {
                match (place.base, reader) {
                    (Base::Global, _) => globals.add(place),
                    (Base::Frame, Some(kind)) => frames[kind.index()].add(place),
                    // It may be that of any process.
                    (Base::Frame, None) => frames.iter_mut().for_each(|frame| frame.add(place)),
                    (Base::Nowhere, _) => {}
                }
            }
        }
        let marked = |extents: Extents, size: u32| {
            let mut bytes = vec![false; size as usize];
            extents.mark(&mut bytes);
            bytes
        };
        Read {
            globals: marked(globals, model.layout.frames),
            frames: (frames.into_iter().zip(&model.proctypes))
                .map(|(extents, proctype)| marked(extents, proctype.frame_size))
                .collect(),
        }
    }

    /// Whether what a process of a proctype wrote to a place is ever read.
    fn has(&self, kind: ProctypeId, written: &Place) -> bool {
        let bytes = match written.base {
            Base::Global => &self.globals,
            Base::Frame => &self.frames[kind.index()],
            Base::Nowhere => return false,
        };
        extent(written).any(|byte| bytes[byte as usize])
    }
}

/// Whether there are never too many processes or channels: each statement that starts one is executed
/// at most once by each process, and no process starts one of its own proctype, however indirectly.
fn is_bounded(model: &Model) -> bool {
    let mut counts = vec![0_u64; model.proctypes.len()];
    for start in &model.starts {
        counts[start.proctype.index()] += 1;
    }
    let starts = counts.clone();
    // Which proctype starts which, and whether repeatedly.
    let repeated = flow::repeated(model);
    let runs: Vec<(usize, usize, bool)> = (model.transitions.iter().zip(repeated))
        .flat_map(|(transition, again)| {
            let parent = transition.proctype.index();
            started(model, &transition.action).map(move |kind| (parent, kind, again))
        })
        .collect();
    // Each round adds those that are started one generation later. More generations than
    // there may be processes are too many.
    for _ in 0..=model.proctypes.len().min(MOST as usize + 1) {
        space::cancel::poll();
        let before = counts;
        counts = starts.clone();
        for &(parent, kind, again) in &runs {
            let parents = before[parent];
            match parents > 0 && again {
                true => return false,
                false => counts[kind] = counts[kind].saturating_add(parents),
            }
        }
        if counts == before {
            return are_few(model, &counts);
        }
    }
    false
}

/// Whether so many processes of each proctype are not too many.
fn are_few(model: &Model, counts: &[u64]) -> bool {
    let (mut processes, mut owned) = (0_u64, model.layout.channels.len() as u64);
    for (proctype, count) in model.proctypes.iter().zip(counts) {
        processes = processes.saturating_add(*count);
        owned = owned.saturating_add(count.saturating_mul(proctype.channels.len() as u64));
    }
    processes <= MOST && owned <= MOST
}

/// The bytes where processes of a proctype keep the pids of those that they start.
fn kept_numbers(model: &Model, base: Base, kind: ProctypeId) -> impl Iterator<Item = u32> {
    let transitions = model.transitions.iter();
    let kept = transitions.filter_map(move |transition| match transition.action {
        Action::Run(_, Some(place), _) if transition.proctype == kind => Some(model.place(place)),
        _ => None,
    });
    kept.filter(move |place| place.base == base)
        .flat_map(extent)
}

/// Add to the transitions that were taken the ends that processes reached, but for those that never
/// terminate. Whether the others died may depend on an order that makes no difference otherwise.
pub(super) fn add_ends(model: &Model, taken: &mut [bool]) {
    let non_terminating = non_terminating(model);
    for row in 0..taken.len() {
        let transition = &model.transitions[row];
        let proctype = model.proctype(transition.proctype);
        if !taken[row] || non_terminating[transition.proctype.index()] {
            continue;
        }
        let behind = proctype.states.get(transition.target.index());
        for option in behind.iter().flat_map(|state| &state.options) {
            let is_end = model.transition(option.transition).action == Action::End;
            taken[option.transition.0 as usize] |= is_end;
        }
    }
}

/// Computes a canonical form of states up to pids.
#[derive(Clone, Debug)]
pub struct PidCanonical {
    /// The bytes of the globals that hold pids which are never read.
    unread: Vec<u32>,
    /// For each proctype the bytes of a frame that do, or that hold channels of its own.
    own: Vec<Vec<u32>>,
    /// Those that hold inherited channels.
    inherited: Vec<Vec<u32>>,
}

impl PidCanonical {
    pub(super) fn new(model: &Model, privacy: &[Privacy]) -> PidCanonical {
        let own = |(kind, proctype): (usize, &Proctype)| {
            let inits = proctype.inits.iter().filter_map(|init| match init {
                Initialiser::Channel { offset, .. } => Some(*offset),
                Initialiser::Value { .. } => None,
            });
            let kept = kept_numbers(model, Base::Frame, ProctypeId(kind as u32));
            inits.chain(kept).collect()
        };
        let inherited = |privacy: &Privacy| {
            let bytes = privacy.inherited.iter().enumerate();
            let bytes = bytes.filter(|(_, inherited)| **inherited);
            bytes.map(|(byte, _)| byte as u32).collect()
        };
        let kinds = (0..model.proctypes.len() as u32).map(ProctypeId);
        PidCanonical {
            unread: (kinds.flat_map(|kind| kept_numbers(model, Base::Global, kind))).collect(),
            own: model.proctypes.iter().enumerate().map(own).collect(),
            inherited: privacy.iter().map(inherited).collect(),
        }
    }

    /// The canonical form of a state: equal for pid-equivalent states, and most likely only for them.
    pub fn of(&self, model: &Model, state: &[u8]) -> Vec<u8> {
        let globals = model.layout.frames as usize;
        let channels = channels(model, state);
        let mut owners = vec![None; model.layout.channels.len()];
        let mut frames: Vec<(usize, usize)> = Vec::new();
        let mut at = globals;
        while at < state.len() {
            let kind = usize::from(model.layout.head(state, at as u32).kind);
            owners.resize(
                owners.len() + model.proctypes[kind].channels.len(),
                Some(frames.len()),
            );
            frames.push((at, kind));
            at += model.proctypes[kind].frame_size as usize;
        }
        // Each round distinguishes processes by one more generation of owners of inherited channels.
        let mut colours = vec![0_u64; frames.len()];
        for _ in 0..=frames.len() {
            let colour = |&(at, kind): &(usize, usize)| {
                let mut frame = state[at..at + model.proctypes[kind].frame_size as usize].to_vec();
                let mut hasher = DefaultHasher::new();
                for &byte in self.own[kind].iter() {
                    frame[byte as usize] = 0;
                }
                for &byte in self.inherited[kind].iter() {
                    let row = usize::from(frame[byte as usize]).wrapping_sub(1);
                    if let Some(Some(owner)) = owners.get(row) {
                        frame[byte as usize] = 0;
                        let place = channels[row].offset - frames[*owner].0 as u32;
                        (colours[*owner], place).hash(&mut hasher);
                    }
                }
                frame.hash(&mut hasher);
                hasher.finish()
            };
            colours = frames.iter().map(colour).collect();
        }
        colours.sort_unstable();
        let mut alike = state[..globals].to_vec();
        for &byte in &self.unread {
            alike[byte as usize] = 0;
        }
        alike.extend(colours.into_iter().flat_map(u64::to_le_bytes));
        alike
    }
}
