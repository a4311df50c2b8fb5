//! Whether a claim matches an execution that is given: slow and obvious.
//!
//! The claim may have a choice at each position of the execution. All its runs together are
//! a small graph over pairs of a position and a state of the claim.

use std::collections::HashMap;

use model::Sight;
use product::{Claim, ClaimMove, Moves};
use space::Violation;

use super::components::components;

/// A node of an execution.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// Its vector.
    pub(super) vector: Vec<u8>,
    /// It is a state: the claim moves here.
    pub(super) free: bool,
    /// Nobody can move.
    pub(super) ended: bool,
}

/// A state of the claim at a position.
type Pair = (usize, u32);

/// The runs of a claim over an execution.
#[derive(Default)]
struct Runs {
    pairs: Vec<Pair>,
    known: HashMap<Pair, usize>,
    /// For each pair where it may lead, and the acceptance sets of that step.
    ways: Vec<Vec<(usize, u32)>>,
}

impl Runs {
    fn number(&mut self, pair: Pair) -> usize {
        *self.known.entry(pair).or_insert_with(|| {
            self.pairs.push(pair);
            self.pairs.len() - 1
        })
    }
}

/// The steps of a claim at a position; none but waiting inside an atomic sequence.
fn moves(claim: &mut impl Claim, state: u32, position: &Position) -> Vec<ClaimMove> {
    if !position.free {
        return vec![ClaimMove {
            target: state,
            edge: 0,
            sets: 0,
            violation: None,
        }];
    }
    let sight = Sight {
        timeout: claim.sees_timeout() && claim.waits_for_timeout(&position.vector),
        ended: position.ended,
    };
    let mut moves = Moves::default();
    claim.moves(state, &position.vector, sight, &mut moves);
    moves.list
}

/// Whether some run of the claim over the whole execution raises a violation at its end.
pub(super) fn raises(claim: &mut impl Claim, positions: &[Position], violation: Violation) -> bool {
    let mut states = vec![claim.initial()];
    for (row, position) in positions.iter().enumerate() {
        let mut next = Vec::new();
        for state in states {
            let is_last = row + 1 == positions.len();
            if is_last && claim.ended(state) == Some(violation) {
                return true;
            }
            for taken in moves(claim, state, position) {
                let found = [taken.violation, claim.ended(taken.target)];
                if is_last && found.contains(&Some(violation)) {
                    return true;
                }
                next.push(taken.target);
            }
        }
        next.sort_unstable();
        next.dedup();
        states = next;
    }
    false
}

/// Whether some run of the claim accepts the execution that repeats the positions from
/// `start` on for ever.
pub(super) fn is_accepted(claim: &mut impl Claim, positions: &[Position], start: usize) -> bool {
    let all = match claim.sets() {
        0 => 0,
        sets => u32::MAX >> (32 - sets),
    };
    let mut runs = Runs::default();
    runs.number((0, claim.initial()));
    let mut at = 0;
    while let Some(&(row, state)) = runs.pairs.get(at) {
        let next = match row + 1 == positions.len() {
            true => start,
            false => row + 1,
        };
        let taken = moves(claim, state, &positions[row]);
        let ways = taken
            .iter()
            .map(|m| (runs.number((next, m.target)), m.sets));
        let ways = ways.collect();
        runs.ways.push(ways);
        at += 1;
    }
    let components = components(&runs.ways);
    // The sets of the steps inside each component; nothing where there is no such step.
    let mut gathered: Vec<Option<u32>> = vec![None; components.len()];
    for (from, ways) in runs.ways.iter().enumerate() {
        for &(to, sets) in ways {
            if components[from] == components[to] {
                *gathered[components[from]].get_or_insert(0) |= sets;
            }
        }
    }
    gathered.into_iter().flatten().any(|sets| sets & all == all)
}
