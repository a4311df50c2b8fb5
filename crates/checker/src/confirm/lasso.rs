//! Counterexamples of claims, formulas and cycles are executed again.
//!
//! The steps are executed in the model as written. Then the claim is asked anew whether it
//! matches that execution, without regard to the edges that the search took: reductions may
//! have merged steps between which the claim moves here.

use model::{Interp, Model};
use search::Finding;
use space::{Control, Expansion, Fairness, NextState, Pid, Step, Trace, TransitionId};

use super::word::{self, Position};
use super::{Mismatch, Replay};
use crate::liveness::{Target, Watcher};

/// A counterexample that was executed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// Its steps, those of the model only. Where the cycle begins behind the last step, the
    /// execution ends there and its last state is repeated for ever.
    pub trace: Trace,
    /// The last state.
    pub last_state: Vec<u8>,
}

/// Execute the counterexample of a watcher that was found in a model made from its own.
pub fn confirm_lasso(
    watcher: &Watcher,
    searched: &Model,
    finding: &Finding,
    fairness: Fairness,
) -> Result<Lasso, Mismatch> {
    let trace = &finding.trace;
    let run = execute(watcher, &watcher.model, trace)?;
    let (positions, last) = run.split_at(trace.steps.len());
    let Some(start) = trace.cycle else {
        return match claim_ends(watcher, positions, finding) {
            true => Ok(shown(trace, watcher.without_room(&last[0].vector))),
            false => Err(Mismatch::NoViolation),
        };
    };
    let closes = |run: &[Position], model: &Model| {
        let hidden = model.layout.hidden as usize;
        run[start].vector[hidden..] == run[trace.steps.len()].vector[hidden..]
    };
    // What nobody reads may differ from round to round. A reduction leaves it out.
    if !closes(&run, &watcher.model) && !closes(&execute(watcher, searched, trace)?, searched) {
        return Err(Mismatch::Open);
    }
    if !is_accepted(watcher, positions, start) {
        return Err(Mismatch::NotAccepted);
    }
    if let Some(pid) = unfair(&watcher.model, &trace.steps, positions, start, fairness) {
        return Err(Mismatch::Unfair(pid));
    }
    Ok(shown(trace, watcher.without_room(&last[0].vector)))
}

/// The nodes of an execution: one before each step, and one behind the last.
fn execute(watcher: &Watcher, model: &Model, trace: &Trace) -> Result<Vec<Position>, Mismatch> {
    let mut replay = Replay::new(model);
    replay.state = replay
        .interp
        .initial()
        .map_err(|_| Mismatch::NoInitialState)?;
    let mut positions = Vec::with_capacity(trace.steps.len() + 1);
    let mut is_alone = false;
    for (row, &step) in trace.steps.iter().enumerate() {
        let wrong = Mismatch::Step(row + 1);
        let before = replay.state.clone();
        let stutters = step.transition == TransitionId::STUTTER;
        if stutters {
            // A claim that ends needs no step of the model.
            let ends = trace.cycle.is_none() && row + 1 == trace.steps.len();
            if !ends && !replay.interp.is_stuck(&before) {
                return Err(wrong);
            }
            replay.control = Control::Free;
        } else if replay.find(step) != Some(model::Advance::Step) {
            return Err(wrong);
        }
        positions.push(Position {
            vector: before,
            free: replay.control == Control::Free,
            ended: stutters
                && (is_alone || !watcher.stutters_as_spin())
                && replay.interp.is_stuck(&replay.state),
        });
        is_alone = stutters;
        if !stutters {
            std::mem::swap(&mut replay.state, &mut replay.next.state);
            replay.control = replay.next.control;
        }
    }
    positions.push(Position {
        vector: replay.state,
        free: replay.control == Control::Free,
        ended: false,
    });
    Ok(positions)
}

/// Whether the claim finds the violation at the last position.
fn claim_ends(watcher: &Watcher, positions: &[Position], finding: &Finding) -> bool {
    let Some(mut claim) = watcher.claim(&watcher.model) else {
        return false;
    };
    word::raises(&mut claim, positions, finding.violation)
}

fn is_accepted(watcher: &Watcher, positions: &[Position], start: usize) -> bool {
    // Inside an atomic sequence the claim does not move, so a cycle without a state says nothing.
    if !positions[start..].iter().any(|position| position.free) {
        return false;
    }
    match watcher.claim(&watcher.model) {
        Some(mut claim) => word::is_accepted(&mut claim, positions, start),
        None => {
            debug_assert_eq!(watcher.target, Target::Acceptance);
            let mut interp = Interp::new(&watcher.model);
            positions[start..].iter().any(|position| {
                interp.load(&position.vector);
                position.free && interp.is_accepting(&position.vector)
            })
        }
    }
}

/// A process that is treated unfairly in the cycle.
fn unfair(
    model: &Model,
    steps: &[Step],
    positions: &[Position],
    start: usize,
    fairness: Fairness,
) -> Option<Pid> {
    if fairness == Fairness::None {
        return None;
    }
    let mut moves = [false; 256];
    for step in &steps[start..] {
        for pid in movers(step) {
            moves[usize::from(pid.0)] = true;
        }
    }
    let mut interp = Interp::new(model);
    let mut found = Expansion::default();
    let (mut always, mut sometimes) = ([true; 256], [false; 256]);
    for position in positions[start..].iter().filter(|position| position.free) {
        interp.expand(&position.vector, Control::Free, &mut found);
        let mut enabled = [false; 256];
        // The receiver of a handshake waits for the sender, and who fails does not move.
        let rows = found.rows.iter().filter(|row| row.has_successor());
        for step in rows.filter_map(|row| row.step()) {
            enabled[usize::from(step.pid.0)] = true;
        }
        for pid in 0..256 {
            always[pid] &= enabled[pid];
            sometimes[pid] |= enabled[pid];
        }
    }
    let owed = match fairness {
        Fairness::Strong => sometimes,
        _ => always,
    };
    let starved =
        (0..Pid::NOBODY.0).find(|&pid| owed[usize::from(pid)] && !moves[usize::from(pid)]);
    starved.map(Pid)
}

/// Who moves in a step.
fn movers(step: &Step) -> impl Iterator<Item = Pid> + use<> {
    let partner = step.partner.map(|(pid, _)| pid);
    [Some(step.pid), partner].into_iter().flatten()
}

/// The trace without steps of nobody.
fn shown(trace: &Trace, last_state: Vec<u8>) -> Lasso {
    let is_real = |step: &&Step| step.transition != TransitionId::STUTTER;
    let stem = trace.cycle.unwrap_or(trace.steps.len());
    Lasso {
        trace: Trace {
            steps: trace.steps.iter().filter(is_real).copied().collect(),
            claim: Vec::new(),
            cycle: (trace.cycle).map(|_| trace.steps[..stem].iter().filter(is_real).count()),
        },
        last_state,
    }
}
