//! Models in which the numbers of processes do not matter.
//!
//! Processes get their numbers in the order in which they are started, and give them back in the
//! opposite order: who is at its end stays until all younger ones have left. So starting a process and
//! ending one do not commute with others of their kind, but where nothing looks at the numbers, what
//! comes of either order differs only in names. Two states are *alike* if they are the same
//! up to the order of the processes, without those that are at their end. What can be done in one of
//! them can be done in the other, with results that are alike, and so commuting up to that is enough
//! for a reduction: its proof speaks of states that are alike as of one.
//!
//! This is so if
//!
//! - neither the model nor the property looks at pids, at `_nr_pr` or at other processes;
//! - nothing happens to others when a process ends: those who know its channels are gone, it
//!   claims none, and it may leave whatever variables hold.
//!
//! # The numbers of channels
//!
//! Channels get their numbers in the order of the processes that own them. As long as processes hand them
//! on only to those that they start, it is known where these numbers are, and they do not matter either.
//! If channels become known otherwise, as messages or by variables, anything may be done with their
//! numbers, which must be the same in either order then: processes with channels of their own must
//! stay for ever ([`lasting`]), and starting one clashes with starting another. The numbers of those
//! without channels still do not matter.
//!
//! # Too many processes
//!
//! There is one thing left that looks at processes at their end: there may not be too many processes, or
//! channels. If there never are ([`Names::Nothing`]), starting and ending have nothing to do with
//! each other. If there may be ([`Names::Count`]), a process that leaves clashes with those who may
//! start another, since it must not leave before they do. Not the other way round: who starts a process
//! before others leave comes to the error no later.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::lasting::lasting;
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
pub(super) enum Names {
    /// What a model does, or what a property sees.
    All,
    /// Whether there are too many.
    Count,
    /// Nothing.
    Nothing,
}

impl Names {
    pub(super) fn new(model: &Model, observed: &Observed, privacy: &[Privacy]) -> Names {
        match (are_seen(model, observed, privacy), is_bounded(model)) {
            (true, _) => Names::All,
            (false, false) => Names::Count,
            (false, true) => Names::Nothing,
        }
    }
}

/// Whether the numbers of processes matter to the model or the property.
fn are_seen(model: &Model, observed: &Observed, privacy: &[Privacy]) -> bool {
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
        || are_told(privacy) && !keeps_channels(model)
        || !starts.all(|(kind, action)| ignores_number(model, kind, action, &read))
}

/// Something that reads variables or asks for pids, and the proctype that it belongs to.
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

/// Whether the numbers of channels may be known to others than those to whom they were handed on.
pub(super) fn are_told(privacy: &[Privacy]) -> bool {
    privacy.iter().any(|privacy| privacy.shares)
}

/// Whether the channels of processes are there for ever.
fn keeps_channels(model: &Model) -> bool {
    let mut kinds = model.proctypes.iter().zip(lasting(model));
    kinds.all(|(proctype, lasts)| lasts || proctype.channels.is_empty())
}

/// Whether a statement that starts a process does nothing with its number, or keeps it where nobody
/// reads it.
fn ignores_number(model: &Model, kind: ProctypeId, action: &Action, read: &Read) -> bool {
    match action {
        Action::Run(_, None, expr) => *model.expr(*expr) == Expr::RunResult,
        Action::Run(_, Some(place), expr) => {
            !Footprint::of_expr(model, *expr).may_fail && !read.has(kind, model.place(*place))
        }
        // What a d_step does with it is not looked at.
        _ => false,
    }
}

/// Which bytes somebody reads.
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

    /// Whether somebody reads what a process of a proctype wrote to a place.
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
/// at most once by each process, and nobody starts one of its own kind, however indirectly.
fn is_bounded(model: &Model) -> bool {
    let mut counts = vec![0_u64; model.proctypes.len()];
    for start in &model.starts {
        counts[start.proctype.index()] += 1;
    }
    let starts = counts.clone();
    // Who starts processes, of which proctype, and whether again and again.
    let repeated = flow::repeated(model);
    let runs: Vec<(usize, usize, bool)> = (model.transitions.iter().zip(repeated))
        .flat_map(|(transition, again)| {
            let parent = transition.proctype.index();
            started(model, &transition.action).map(move |kind| (parent, kind, again))
        })
        .collect();
    // With each round come those that are started one generation later. More generations than
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

/// The bytes where processes of a proctype keep the numbers of those that they start.
fn kept_numbers(model: &Model, base: Base, kind: ProctypeId) -> impl Iterator<Item = u32> {
    let transitions = model.transitions.iter();
    let kept = transitions.filter_map(move |transition| match transition.action {
        Action::Run(_, Some(place), _) if transition.proctype == kind => Some(model.place(place)),
        _ => None,
    });
    kept.filter(move |place| place.base == base)
        .flat_map(extent)
}

/// Add to the transitions that were taken the ends that processes came to, but for those of whom it is
/// certain that they stay. Whether the others left may depend on an order that makes no difference otherwise.
pub(super) fn add_ends(model: &Model, taken: &mut [bool]) {
    let lasting = lasting(model);
    for row in 0..taken.len() {
        let transition = &model.transitions[row];
        let proctype = model.proctype(transition.proctype);
        if !taken[row] || lasting[transition.proctype.index()] {
            continue;
        }
        let behind = proctype.states.get(transition.target.index());
        for option in behind.iter().flat_map(|state| &state.options) {
            let is_end = model.transition(option.transition).action == Action::End;
            taken[option.transition.0 as usize] |= is_end;
        }
    }
}

/// Tells whether states with as many processes are alike.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// The bytes of the globals that hold numbers of processes, which nobody reads.
    unread: Vec<u32>,
    /// For each proctype the bytes of a frame that do, or that name channels of its own.
    own: Vec<Vec<u32>>,
    /// Those that name channels of others.
    handed: Vec<Vec<u32>>,
}

impl Likeness {
    pub(super) fn new(model: &Model, privacy: &[Privacy]) -> Likeness {
        let own = |(kind, proctype): (usize, &Proctype)| {
            let inits = proctype.inits.iter().filter_map(|init| match init {
                Initialiser::Channel { offset, .. } => Some(*offset),
                Initialiser::Value { .. } => None,
            });
            let kept = kept_numbers(model, Base::Frame, ProctypeId(kind as u32));
            inits.chain(kept).collect()
        };
        let handed = |privacy: &Privacy| {
            let bytes = privacy.handed.iter().enumerate();
            let bytes = bytes.filter(|(_, handed)| **handed);
            bytes.map(|(byte, _)| byte as u32).collect()
        };
        let kinds = (0..model.proctypes.len() as u32).map(ProctypeId);
        Likeness {
            unread: (kinds.flat_map(|kind| kept_numbers(model, Base::Global, kind))).collect(),
            own: model.proctypes.iter().enumerate().map(own).collect(),
            handed: privacy.iter().map(handed).collect(),
        }
    }

    /// What two states have in common if they are alike, and most likely only then.
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
        // Each round tells processes apart by one more generation of those who handed on channels.
        let mut colours = vec![0_u64; frames.len()];
        for _ in 0..=frames.len() {
            let colour = |&(at, kind): &(usize, usize)| {
                let mut frame = state[at..at + model.proctypes[kind].frame_size as usize].to_vec();
                let mut hasher = DefaultHasher::new();
                for &byte in self.own[kind].iter() {
                    frame[byte as usize] = 0;
                }
                for &byte in self.handed[kind].iter() {
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
