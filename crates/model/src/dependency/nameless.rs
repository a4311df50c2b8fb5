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
//! - nothing happens to others when a process ends: nobody else knows its channels, it claims
//!   none, and it may leave whatever variables hold;
//! - there are never too many processes or channels, which would be an error: each statement
//!   that starts one is executed at most once by each process, and nobody starts one of its own
//!   kind, however indirectly.

use super::Observed;
use super::private::Privacy;
use super::settled::started;
use crate::expr::Expr;
use crate::ids::ControlId;
use crate::model::{Action, Initialiser, Model, Proctype, Transition};

/// The largest number of processes, and of channels.
const MOST: u64 = 255;

/// Whether the numbers of processes do not matter.
pub(super) fn is_nameless(model: &Model, observed: &Observed, privacy: &[Privacy]) -> bool {
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
    let starts = || {
        let transitions = model.transitions.iter();
        transitions.filter(|transition| started(model, &transition.action).next().is_some())
    };
    starts().next().is_some()
        && !model.exprs.iter().any(looks)
        && !(observed.atoms.iter()).any(|&atom| model.any_part(atom, looks))
        && model.proctypes.iter().zip(privacy).all(ends_quietly)
        && starts().all(|transition| ignores_number(model, &transition.action))
        && is_bounded(model)
}

/// Whether a statement that starts a process does nothing with its number.
fn ignores_number(model: &Model, action: &Action) -> bool {
    match action {
        Action::Run(_, None, expr) => *model.expr(*expr) == Expr::RunResult,
        // What a d_step does with it is not looked at.
        _ => false,
    }
}

/// Whether there are never too many processes or channels.
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
                match parents > 0 && is_repeated(model, transition) {
                    true => return false,
                    false => counts[kind] = counts[kind].saturating_add(parents),
                }
            }
        }
        if counts == before {
            let owned = |(kind, count): (usize, &u64)| {
                count.saturating_mul(model.proctypes[kind].channels.len() as u64)
            };
            let channels = counts.iter().enumerate().map(owned);
            let all = |sizes: &mut dyn Iterator<Item = u64>| sizes.fold(0, u64::saturating_add);
            return all(&mut counts.iter().copied()) <= MOST
                && all(&mut channels.chain([model.layout.channels.len() as u64])) <= MOST;
        }
    }
    false
}

/// Whether a process may come to a transition again.
fn is_repeated(model: &Model, transition: &Transition) -> bool {
    let states = &model.proctype(transition.proctype).states;
    let mut seen = vec![false; states.len()];
    let mut open = vec![transition.target];
    while let Some(control) = open.pop() {
        if control == ControlId(0) || std::mem::replace(&mut seen[control.index()], true) {
            continue;
        }
        for option in &states[control.index()].options {
            let next = model.transition(option.transition);
            if std::ptr::eq(next, transition) {
                return true;
            }
            open.push(next.target);
        }
    }
    false
}

/// Where a process begins to be nothing but a number: its only step is to end.
fn is_at_end(model: &Model, kind: usize, control: ControlId) -> bool {
    let options = &model.proctypes[kind].states[control.index()].options;
    let mut actions = options
        .iter()
        .map(|option| &model.transition(option.transition).action);
    !options.is_empty() && actions.all(|action| *action == Action::End)
}

/// A state of such a model, such that states are alike if this is the same.
pub fn nameless(model: &Model, state: &[u8]) -> Vec<u8> {
    let first = model.layout.frames as usize;
    let mut frames: Vec<Vec<u8>> = Vec::new();
    let mut at = first;
    while at < state.len() {
        let head = model.layout.head(state, at as u32);
        let kind = usize::from(head.kind);
        let proctype = &model.proctypes[kind];
        let mut frame = state[at..at + proctype.frame_size as usize].to_vec();
        at += frame.len();
        for init in &proctype.inits {
            if let Initialiser::Channel { offset, .. } = init {
                frame[*offset as usize] = 0;
            }
        }
        if !is_at_end(model, kind, head.control) {
            frames.push(frame);
        }
    }
    frames.sort_unstable();
    let mut alike = state[..first].to_vec();
    alike.extend(frames.into_iter().flatten());
    alike
}
