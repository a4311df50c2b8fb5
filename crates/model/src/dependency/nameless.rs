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
//! # Too many processes
//!
//! There is one thing left that looks at processes at their end: there may not be too many processes, or
//! channels. If there never are ([`Names::Nothing`]), starting and ending have nothing to do with
//! each other. If there may be ([`Names::Count`]), a process that leaves clashes with those who may
//! start another, since it must not leave before they do. Not the other way round: who starts a process
//! before others leave comes to the error no later.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::private::Privacy;
use super::{Observed, started};
use crate::expr::Expr;
use crate::instance::channels;
use crate::model::{Action, Initialiser, Model, Proctype};

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
    let looks = |expr: &Expr| {
        matches!(
            expr,
            Expr::Pid
                | Expr::ProcessCount
                | Expr::RemoteLabel { .. }
                | Expr::RemoteVar { .. }
                | Expr::Enabled(_)
                | Expr::PcValue(_)
                | Expr::GetPriority(_)
        )
    };
    let ends_quietly = |(proctype, privacy): (&Proctype, &Privacy)| {
        !privacy.shares && proctype.claims.is_empty() && proctype.provided.is_none()
    };
    let mut starts = (model.transitions.iter())
        .filter(|transition| started(model, &transition.action).next().is_some());
    model.exprs.iter().any(looks)
        || (observed.atoms.iter()).any(|&atom| model.any_part(atom, looks))
        || !model.proctypes.iter().zip(privacy).all(ends_quietly)
        || !starts.all(|transition| ignores_number(model, &transition.action))
}

/// Whether a statement that starts a process does nothing with its number.
fn ignores_number(model: &Model, action: &Action) -> bool {
    match action {
        Action::Run(_, None, expr) => *model.expr(*expr) == Expr::RunResult,
        // What a d_step does with it is not looked at.
        _ => false,
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
    // With each round come those that are started one generation later.
    for _ in 0..=model.proctypes.len() {
        let before = counts;
        counts = starts.clone();
        for transition in &model.transitions {
            for kind in started(model, &transition.action) {
                let parents = before[transition.proctype.index()];
                match parents > 0 && model.is_repeated(transition) {
                    true => return false,
                    false => counts[kind] = counts[kind].saturating_add(parents),
                }
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

/// Tells whether states with as many processes are alike.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// For each proctype the bytes of a frame that name channels: its own, and others'.
    own: Vec<Vec<u32>>,
    handed: Vec<Vec<u32>>,
}

impl Likeness {
    pub(super) fn new(model: &Model, privacy: &[Privacy]) -> Likeness {
        let own = |proctype: &Proctype| {
            let inits = proctype.inits.iter().filter_map(|init| match init {
                Initialiser::Channel { offset, .. } => Some(*offset),
                Initialiser::Value { .. } => None,
            });
            inits.collect()
        };
        let handed = |privacy: &Privacy| {
            let bytes = privacy.handed.iter().enumerate();
            let bytes = bytes.filter(|(_, handed)| **handed);
            bytes.map(|(byte, _)| byte as u32).collect()
        };
        Likeness {
            own: model.proctypes.iter().map(own).collect(),
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
        alike.extend(colours.into_iter().flat_map(u64::to_le_bytes));
        alike
    }
}
