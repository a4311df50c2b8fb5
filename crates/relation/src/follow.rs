//! From steps to moves: through atomic sequences to the states where these end.

use std::ops::Range;

use model::{Interp, Straight};
use space::{Control, Expansion, NextState, Pid, PidSet, Row, Step, Violation};

use crate::hash::Table;
use crate::learner::{Answer, Blame, Interrupted, MoveInfo, What, is_exclusive};

/// After so many steps somebody is asked whether to go on.
const POLL: u32 = 1 << 10;

/// Longer sequences are not straight.
const LONGEST: usize = 200;

/// A node on the way through an atomic sequence, or the state where it begins.
#[derive(Clone, Debug)]
struct Node {
    /// Its rows that were not looked at.
    rows: Range<usize>,
    /// Its first row, and where their vectors begin.
    first: (usize, usize),
    /// The hash of the node.
    hash: u64,
    /// Where its vector is, if it is no state.
    vector: Range<usize>,
    control: Control,
    /// The levels from the state to here, and the processes that moved.
    levels: u32,
    movers: PidSet,
    /// Whether there was only one way to go on.
    is_straight: bool,
}

/// A walk through the atomic sequences that begin in a state, in the order of a depth-first search.
#[derive(Debug, Default)]
pub(crate) struct Path {
    nodes: Vec<Node>,
    /// How many nodes of the path have each hash.
    hashes: Table<u64, u32>,
    /// The steps to the last node.
    steps: Vec<Step>,
    /// Whether straight stretches are passed without a node for each step.
    leaps: bool,
}

impl Path {
    pub(crate) fn begin(&mut self) {
        self.nodes.clear();
        self.hashes.clear();
        self.steps.clear();
    }

    /// Follow the rows that were found out of a state to the states where they end. An atomic
    /// sequence that comes back to where it was is cut.
    pub(crate) fn follow(
        &mut self,
        interp: &mut Interp<'_>,
        found: &mut Expansion,
        executed: &mut [bool],
        answer: &mut Answer,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<(), Interrupted> {
        // Who wants an explanation needs all steps.
        self.leaps = answer.wanted.is_none();
        self.nodes.push(Node {
            rows: 0..found.rows.len(),
            first: (0, 0),
            hash: 0,
            vector: 0..0,
            control: Control::Free,
            levels: 0,
            movers: PidSet::EMPTY,
            is_straight: true,
        });
        let mut until_poll = POLL;
        while let Some(node) = self.nodes.last_mut() {
            let Some(number) = node.rows.next() else {
                self.leave(found);
                continue;
            };
            until_poll -= 1;
            if until_poll == 0 {
                until_poll = POLL;
                if poll() {
                    return Err(Interrupted);
                }
            }
            self.take(number, interp, found, executed, answer);
        }
        Ok(())
    }

    /// Take a row of the last node.
    fn take(
        &mut self,
        number: usize,
        interp: &mut Interp<'_>,
        found: &mut Expansion,
        executed: &mut [bool],
        answer: &mut Answer,
    ) {
        let row = found.rows[number];
        let node = &self.nodes[self.nodes.len() - 1];
        // Somebody else may have to look at each step.
        let is_noted = row.has(Row::EXCLUSIVE) && row.has(Row::VIOLATION);
        let (levels, is_straight) = (node.levels, node.is_straight && !is_noted);
        let movers = with_movers(node.movers, &row);
        if row.has(Row::OFFER) {
            answer.counts.reach = answer.counts.reach.max(levels + 1);
            answer.counts.offers |= levels == 0;
            return;
        }
        if row.has(Row::VIOLATION | Row::FAULT) {
            self.blame(number, levels, found, answer);
            if row.has(Row::FAULT) {
                return;
            }
        }
        execute(executed, &row);
        let info = MoveInfo {
            levels: levels + row.levels() as u32,
            is_straight,
            movers,
            last: None,
        };
        self.steps.extend(row.step());
        if !row.has(Row::EXCLUSIVE) {
            self.arrive(found.vector(&row), info, answer);
            self.steps.pop();
            return;
        }
        answer.counts.atomic_steps += 1;
        if !self.enter(number, info, (interp, executed), found, answer) {
            self.steps.pop();
        }
    }

    /// Come to a node inside an atomic sequence. Whether it is now the last one of the path.
    fn enter(
        &mut self,
        number: usize,
        info: MoveInfo,
        (interp, executed): (&mut Interp<'_>, &mut [bool]),
        found: &mut Expansion,
        answer: &mut Answer,
    ) -> bool {
        let row = found.rows[number];
        let control = row.control();
        let vector = row.start as usize..(row.start + row.len) as usize;
        let hash = store::hash(&found.bytes[vector.clone()]);
        if self.repeats(hash, &found.bytes, &vector, control) {
            answer.counts.endless += 1;
            return false;
        }
        answer.counts.reach = answer.counts.reach.max(info.levels);
        let first = (found.rows.len(), found.bytes.len());
        let from = first.0;
        found.moved = false;
        let passed = self.step_on(number, (interp, executed), found);
        answer.counts.atomic_steps += passed;
        let info = MoveInfo {
            levels: info.levels + passed,
            ..info
        };
        answer.counts.reach = answer.counts.reach.max(info.levels);
        let is_only_way = match &found.rows[from..] {
            [row] => row.flags & !(Row::EXCLUSIVE | Row::CHAINED) == 0,
            _ => false,
        };
        *self.hashes.entry(hash).or_default() += 1;
        self.nodes.push(Node {
            rows: from..found.rows.len(),
            first,
            hash,
            vector: vector.clone(),
            control,
            levels: info.levels,
            movers: info.movers,
            is_straight: info.is_straight && is_only_way && self.steps.len() <= LONGEST,
        });
        if !found.moved {
            // Nobody could go on: the node is a state. What was tried failed.
            let rest = from..found.rows.len();
            for number in rest {
                self.take_failed(number, info.levels, found, answer);
            }
            let last = self.nodes.len() - 1;
            self.nodes[last].rows = 0..0;
            let info = MoveInfo {
                is_straight: false,
                ..info
            };
            let state = found.bytes[vector].to_vec();
            self.arrive(&state, info, answer);
        }
        true
    }

    /// Append the steps out of the successor of a row, which is inside an atomic sequence. Where
    /// there is only one way to go on, several steps are taken, and only the last one gets a row: how
    /// many others there were.
    fn step_on(
        &mut self,
        number: usize,
        (interp, executed): (&mut Interp<'_>, &mut [bool]),
        found: &mut Expansion,
    ) -> u32 {
        let control = found.rows[number].control();
        if let (true, Control::Exclusive(pid)) = (self.leaps, control) {
            match interp.pass_straight(number, pid, found, executed) {
                Straight::Passed(others) => return others,
                // Node by node it is seen when it comes back to where it was.
                Straight::Endless => self.leaps = false,
                Straight::Choice => {}
            }
        }
        let vector = found.vector(&found.rows[number]).to_vec();
        interp.extend(&vector, control, found);
        0
    }

    /// A row of a node where nobody can move.
    fn take_failed(&mut self, number: usize, levels: u32, found: &Expansion, answer: &mut Answer) {
        let row = found.rows[number];
        if row.has(Row::OFFER) {
            answer.counts.reach = answer.counts.reach.max(levels + 1);
        } else {
            self.blame(number, levels, found, answer);
        }
    }

    /// Come to a state.
    fn arrive(&mut self, vector: &[u8], info: MoveInfo, answer: &mut Answer) {
        if answer.wanted == Some(What::Move(answer.moves.len())) {
            answer.explained.clone_from(&self.steps);
            answer.counts_at = answer.counts;
        }
        let info = MoveInfo {
            last: self.steps.last().copied(),
            ..info
        };
        answer.moves.push((answer.vectors.len(), info));
        answer.vectors.extend_from_slice(vector);
    }

    /// A step violates something.
    fn blame(&mut self, number: usize, levels: u32, found: &Expansion, answer: &mut Answer) {
        let row = found.rows[number];
        for violation in found.violations_of(number) {
            if answer.wanted == Some(What::Blame(answer.blames.len())) {
                answer.explained.clone_from(&self.steps);
                answer.explained.extend(row.step());
                answer.counts_at = answer.counts;
            }
            answer.blames.push(Blame {
                after: answer.moves.len() as u32,
                levels,
                // A receiver that fails has no step: it is that of the sequence before it.
                step: row.step().or(self.steps.last().copied()),
                violation,
                is_fault: row.has(Row::FAULT),
            });
        }
    }

    /// Whether the path has been at a node.
    fn repeats(&self, hash: u64, bytes: &[u8], vector: &Range<usize>, control: Control) -> bool {
        self.hashes.get(&hash).is_some_and(|&count| count > 0)
            && self.nodes.iter().any(|node| {
                is_exclusive(node.control)
                    && node.hash == hash
                    && node.control == control
                    && bytes[node.vector.clone()] == bytes[vector.clone()]
            })
    }

    /// Go back from the last node.
    fn leave(&mut self, found: &mut Expansion) {
        let Some(node) = self.nodes.pop() else {
            return;
        };
        if is_exclusive(node.control) {
            if let Some(count) = self.hashes.get_mut(&node.hash) {
                *count -= 1;
            }
            self.steps.pop();
        }
        let (rows, bytes) = node.first;
        found.rows.truncate(rows);
        found.bytes.truncate(bytes);
        let is_behind = |&(row, _): &(u32, Violation)| row as usize >= rows;
        while found.violations.last().is_some_and(is_behind) {
            found.violations.pop();
        }
    }
}

/// The step of a row is executed, both halves of a handshake.
fn execute(executed: &mut [bool], row: &Row) {
    executed[row.transition as usize] = true;
    if row.has(Row::HANDSHAKE) {
        executed[row.partner_transition as usize] = true;
    }
}

/// Some processes, and those who make a step.
fn with_movers(movers: PidSet, row: &Row) -> PidSet {
    let partner = match row.has(Row::HANDSHAKE) {
        true => PidSet::only(Pid(row.partner)),
        false => PidSet::EMPTY,
    };
    PidSet(movers.0 | PidSet::only(Pid(row.pid)).0 | partner.0)
}
