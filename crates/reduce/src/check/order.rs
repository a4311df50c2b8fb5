//! C1 by brute force: whatever is done instead of the steps that are taken, these stay as they are.
//!
//! From a state in which only some steps are taken, all executions of the full state space without any
//! of these are followed. Each move of such an execution must commute with each of these steps:
//! both orders are there, lead to the same states and break the same properties.
//!
//! Where the numbers of processes do not matter, states are the same if they are alike
//! ([`PidCanonical`]), and the end of a process is nothing that could interfere.
//!
//! This holds for an execution if it holds for each of its moves. So a pair of a state and a set of
//! steps is looked at only once, whichever executions lead to it.

use std::collections::{HashMap, HashSet};

use model::ExprId;
use model::dependency::{PidCanonical, Strictness};
use space::{Pid, PidSet, Step};

use super::executed::{Move, Node, Space, TooMuch};
use crate::Reduction;

/// A step that is left out interferes with one that is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interference {
    /// Where.
    pub(super) node: Node,
    /// Whose step is left out.
    pub(super) other: Pid,
    /// Whose step is not.
    pub(super) member: Pid,
}

/// What came of looking at a state.
pub(super) type Finding = Result<Result<(), Interference>, TooMuch>;

/// Looks at executions without some steps.
#[derive(Debug)]
pub(super) struct Orders {
    /// Sets of steps, with their numbers.
    sets: HashMap<Vec<Step>, usize>,
    seen: HashSet<(Node, usize)>,
    /// Whether no two steps may change whether the same process can move.
    fair: bool,
    /// Where the numbers of processes do not matter.
    pid_canonical: Option<PidCanonical>,
    /// The parts of a formula of each of which no two steps may change something.
    parts: Vec<Vec<ExprId>>,
}

impl Orders {
    /// Nothing was looked at yet.
    pub(super) fn new(reduction: &Reduction, pid_canonical: Option<PidCanonical>) -> Orders {
        Orders {
            sets: HashMap::new(),
            seen: HashSet::new(),
            fair: reduction.strictness == Strictness::Fair,
            pid_canonical,
            parts: match reduction.keeps_parts_in_order() {
                true => reduction.observed.parts.clone(),
                false => Vec::new(),
            },
        }
    }

    /// Follow all executions from a state without any step that these processes have there.
    pub(super) fn check(&mut self, space: &mut Space<'_>, start: Node, set: PidSet) -> Finding {
        let moves = space.moves(start)?;
        let mine = moves.iter().filter(|found| set.has(found.pid));
        let taken: Vec<Step> = mine.filter_map(|found| found.step).collect();
        let fresh = self.sets.len();
        let number = *self.sets.entry(taken.clone()).or_insert(fresh);
        let is_taken = |found: &Move| found.step.is_some_and(|step| taken.contains(&step));
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if !self.seen.insert((node, number)) {
                continue;
            }
            let moves = space.moves(node)?;
            for other in moves.iter().filter(|found| !is_taken(found)) {
                for member in moves.iter().filter(|found| is_taken(found)) {
                    let same = self.commute(space, member, other)?
                        && !(self.fair && both_count(space, node, member, other)?)
                        && !self.are_both_seen(space, node, member, other);
                    if !same {
                        return Ok(Err(Interference {
                            node,
                            other: other.pid,
                            member: member.pid,
                        }));
                    }
                }
                open.extend(&other.ends);
            }
        }
        Ok(Ok(()))
    }

    /// Whether two moves change what the same part of a formula looks at.
    fn are_both_seen(&self, space: &mut Space<'_>, node: Node, a: &Move, b: &Move) -> bool {
        self.parts.iter().any(|part| {
            let before = space.values(node, part);
            let mut changes = |found: &Move| {
                let mut ends = found.ends.iter();
                ends.any(|&end| space.values(end, part) != before)
            };
            changes(a) && changes(b)
        })
    }

    /// Whether a move changes nothing but who is there, which does not matter.
    pub(super) fn passes_over(&self, space: &Space<'_>, found: &Move) -> bool {
        self.pid_canonical.is_some() && space.is_end(found)
    }

    /// Whether two moves of a state lead to the same in either order, and neither changes what
    /// the other breaks.
    fn commute(&self, space: &mut Space<'_>, a: &Move, b: &Move) -> Result<bool, TooMuch> {
        if self.passes_over(space, a) || self.passes_over(space, b) {
            return Ok(true);
        }
        let (Some(one), Some(other)) = (behind(space, a, b)?, behind(space, b, a)?) else {
            return Ok(false);
        };
        // What cannot be completed leads nowhere.
        Ok(a.ends.is_empty()
            || b.ends.is_empty()
            || one == other
            || self.are_alike(space, &one, &other))
    }

    fn are_alike(&self, space: &Space<'_>, one: &[Node], other: &[Node]) -> bool {
        let Some(pid_canonical) = &self.pid_canonical else {
            return false;
        };
        let all = |nodes: &[Node]| -> HashSet<Vec<u8>> {
            let states = nodes.iter().map(|&node| space.state(node));
            states
                .map(|state| pid_canonical.of(space.model, state))
                .collect()
        };
        all(one) == all(other)
    }
}

/// Where the second of two moves of a state leads behind the first; nothing if it is not there
/// or breaks something else.
fn behind(
    space: &mut Space<'_>,
    first: &Move,
    second: &Move,
) -> Result<Option<Vec<Node>>, TooMuch> {
    let mut ends = Vec::new();
    for &node in &first.ends {
        let moves = space.moves(node)?;
        let same = |found: &&Move| found.pid == second.pid && found.step == second.step;
        match moves.iter().find(same) {
            Some(found) if found.violations == second.violations => ends.extend(&found.ends),
            _ => return Ok(None),
        }
    }
    ends.sort_unstable();
    ends.dedup();
    Ok(Some(ends))
}

/// Whether two moves change for the same process whether it can move.
fn both_count(space: &mut Space<'_>, node: Node, a: &Move, b: &Move) -> Result<bool, TooMuch> {
    let before = space.mobile(node)?.0;
    let mut changes = |found: &Move| -> Result<u64, TooMuch> {
        let mut changed = 0;
        for &end in &found.ends {
            changed |= space.mobile(end)?.0 ^ before;
        }
        Ok(changed)
    };
    Ok(changes(a)? & changes(b)? != 0)
}
