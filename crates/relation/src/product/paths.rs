//! What a move of a product is in steps, what is wrong, and what comes behind a move: for searches
//! that have found something.

use space::{Pid, PidSet, Step, TransitionId, Violation};

use super::{Edge, Product};
use crate::claim_rows::Accused;
use crate::learner::{Phase, What};
use crate::monitor::{Alone, Monitor};
use crate::state::{Digest, State};
use crate::system::Behind;

/// A step that leaves the model where it is.
const STUTTER: Step = Step {
    pid: Pid::NOBODY,
    transition: TransitionId::STUTTER,
    partner: None,
};

/// A move in steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The steps, each with the edge of the monitor that is taken with it.
    pub steps: Vec<(Step, u32)>,
}

/// Something that the monitor finds wrong in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What it is.
    pub violation: Violation,
    /// So many successors come before it.
    pub after: u32,
    /// The steps from the state, each with the edge of the monitor; the last one violates it.
    pub steps: Vec<(Step, u32)>,
}

/// What was accounted for when a state was expanded, but comes behind a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// Moves.
    pub moves: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// How often an atomic sequence comes back to where it was.
    pub endless: u64,
    /// Not behind the move, but up to it: see [`super::Expanded::reach_inside`].
    pub reach_before: u32,
}

/// Who makes a move.
enum Source {
    /// The monitor by the edge, and a process by the move of a number.
    Process {
        edge: u32,
        /// How many moves of the monitor come before and behind.
        before: u32,
        behind: u32,
        pid: Pid,
        phase: Phase,
        number: usize,
    },
    /// The monitor alone, by one edge or two.
    Alone(Vec<u32>),
}

impl<const W: usize, D: Digest, M: Monitor> Product<'_, W, D, M> {
    /// The successors of a state that was expanded before, within all limits.
    pub fn successors(&mut self, state: &State<W, D>) -> Vec<Edge<W, D>> {
        let mut found = Vec::new();
        let expanded = self.expand(state, &mut found, &mut || false);
        debug_assert!(expanded.is_ok());
        found
    }

    /// The steps of a move, by its number.
    pub fn describe(&mut self, state: &State<W, D>, number: u32) -> Described {
        let steps = match self.source(state, number) {
            Some(Source::Alone(edges)) => edges.into_iter().map(|edge| (STUTTER, edge)).collect(),
            Some(Source::Process {
                edge,
                pid,
                phase,
                number,
                ..
            }) => {
                let steps = self.system.explain(state, pid, phase, What::Move(number));
                // Inside an atomic sequence the monitor waits.
                let edges = std::iter::once(edge).chain(std::iter::repeat(0));
                steps.into_iter().zip(edges).collect()
            }
            None => Vec::new(),
        };
        Described { steps }
    }

    /// What was accounted for in a state behind a move, by its number.
    pub fn rest(&mut self, state: &State<W, D>, number: u32) -> Rest {
        let mut out = Vec::new();
        let expanded = self.expand(state, &mut out, &mut || false);
        let expanded = expanded.unwrap_or_default();
        let moves = out.len() as u64 - u64::from(number) - 1;
        let Some(Source::Process {
            before,
            behind,
            pid,
            phase,
            number,
            ..
        }) = self.source(state, number)
        else {
            return Rest {
                moves,
                // What processes offer comes before what the monitor does alone.
                reach_before: expanded.reach_inside,
                ..Rest::default()
            };
        };
        let claims = u64::from(before + behind + 1);
        let found = (self.system).behind(state, (pid, phase, What::Move(number)), PidSet(u64::MAX));
        let Behind {
            atomic_steps,
            endless,
            reach_before,
            ..
        } = found;
        // What was offered before anybody waited for a timeout was taken note of.
        let offered = match phase {
            Phase::Steps => 0,
            Phase::Timeout => self.reach_of_steps(state),
        };
        let reach_before = reach_before.max(offered);
        Rest {
            moves,
            atomic_steps: u64::from(behind) * (expanded.atomic_steps / claims) + atomic_steps,
            endless: u64::from(behind) * (expanded.endless / claims) + endless,
            reach_before: match (before, reach_before) {
                (0, 0) => 0,
                (0, reach) => self.info.levels + reach,
                _ => expanded.reach_inside,
            },
        }
    }

    /// How many levels further down there is a node that is no state, by what processes do that do not
    /// wait for a timeout.
    fn reach_of_steps(&mut self, state: &State<W, D>) -> u32 {
        let is_restored = self.system.restore(state, Phase::Steps).is_ok();
        debug_assert!(is_restored);
        let relation = self.system.relation();
        (0..relation.process_count(state))
            .filter_map(|pid| relation.row(state, Pid(pid as u8), Phase::Steps)?.counts())
            .map(|counts| counts.reach)
            .max()
            .unwrap_or(0)
    }

    /// The same where so many moves were taken, and nothing of the next one.
    pub fn rest_after(&mut self, state: &State<W, D>, taken: u32) -> Rest {
        if let Some(number) = taken.checked_sub(1) {
            return self.rest(state, number);
        }
        let mut out = Vec::new();
        let expanded = self.expand(state, &mut out, &mut || false);
        let expanded = expanded.unwrap_or_default();
        Rest {
            moves: out.len() as u64,
            atomic_steps: expanded.atomic_steps,
            endless: expanded.endless,
            reach_before: 0,
        }
    }

    /// Everything that the monitor finds wrong in a state, in order.
    pub fn complaints(&mut self, state: &State<W, D>) -> Vec<Complaint> {
        let mut found = Vec::new();
        self.successors(state);
        if self.is_alone(state) {
            self.complain_alone(state, 0, &[], true, &mut found);
            return found;
        }
        let is_stuck = self.is_stuck(state);
        let is_two = matches!(self.info.alone, Alone::TwoAtFirst(_));
        let number = match (is_stuck, self.timeout(state)) {
            (true, _) => self.find_moves(state, true, !is_two),
            (false, timeout) => self.find_moves(state, timeout, false),
        };
        for &(accused, violation) in self.infos.complaints(number.unwrap_or(0)) {
            let edge = match accused {
                Accused::State => 0,
                Accused::Move(number) | Accused::Target(number) => {
                    self.infos.info(self.taken[number as usize].info).edge
                }
            };
            found.push(Complaint {
                violation,
                after: 0,
                steps: vec![(STUTTER, edge)],
            });
        }
        if is_stuck && is_two {
            self.complain_twice(state, &mut found);
        }
        found
    }

    /// What is wrong with the second one of two moves of the monitor alone.
    fn complain_twice(&mut self, state: &State<W, D>, found: &mut Vec<Complaint>) {
        let mut after = 0;
        for taken in std::mem::take(&mut self.taken) {
            let edge = self.infos.info(taken.info).edge;
            let behind = state.xor(&taken.delta);
            let Ok(middle) = self.with_alone(&behind) else {
                continue;
            };
            self.complain_alone(&middle, after, &[(STUTTER, edge)], false, found);
            after += self.taken.len() as u32;
        }
    }

    /// What is wrong where the monitor goes on alone, behind some steps and successors.
    fn complain_alone(
        &mut self,
        state: &State<W, D>,
        after: u32,
        before: &[(Step, u32)],
        is_state: bool,
        found: &mut Vec<Complaint>,
    ) {
        let number = self.find_moves(state, true, true).unwrap_or(0);
        for &(accused, violation) in self.infos.complaints(number) {
            let (edge, moves) = match accused {
                Accused::State if is_state => (0, 0),
                Accused::Move(number) => (
                    self.infos.info(self.taken[number as usize].info).edge,
                    number,
                ),
                Accused::State | Accused::Target(_) => continue,
            };
            found.push(Complaint {
                violation,
                after: after + moves,
                steps: [before, &[(STUTTER, edge)]].concat(),
            });
        }
    }

    /// Who makes a move.
    fn source(&mut self, state: &State<W, D>, number: u32) -> Option<Source> {
        let all = self.successors(state).len() as u32;
        if self.is_alone(state) {
            self.find_moves(state, true, true).ok()?;
            let taken = self.taken.get(number as usize)?;
            return Some(Source::Alone(vec![self.infos.info(taken.info).edge]));
        }
        if self.is_stuck(state) {
            return self.source_alone(state, number);
        }
        let timeout = self.timeout(state);
        let phase = self.phase(state);
        self.find_moves(state, timeout, false).ok()?;
        let claims = self.taken.len() as u32;
        let each = all.checked_div(claims).filter(|&each| each > 0)?;
        let before = number / each;
        let edge = self.infos.info(self.taken.get(before as usize)?.info).edge;
        let mut first = 0;
        for pid in (0..self.system.relation().process_count(state)).rev() {
            let pid = Pid(pid as u8);
            let len = self.row_len(state, pid, phase)?;
            let at = number % each;
            if at < first + len {
                return Some(Source::Process {
                    edge,
                    before,
                    behind: claims - 1 - before,
                    pid,
                    phase,
                    number: (at - first) as usize,
                });
            }
            first += len;
        }
        None
    }

    /// How many moves a process has.
    fn row_len(&mut self, state: &State<W, D>, pid: Pid, phase: Phase) -> Option<u32> {
        if let Some(known) = self.system.relation().row(state, pid, phase) {
            return Some(known.len());
        }
        self.found.clear();
        let found = &mut self.found;
        let asked = self
            .system
            .ask(state, (pid, phase), 0, found, &mut || false);
        asked.ok().map(|_| self.found.len() as u32)
    }

    /// By which edges the monitor begins to go on alone.
    fn source_alone(&mut self, state: &State<W, D>, number: u32) -> Option<Source> {
        let is_two = matches!(self.info.alone, Alone::TwoAtFirst(_));
        self.find_moves(state, true, !is_two).ok()?;
        if !is_two {
            let taken = self.taken.get(number as usize)?;
            return Some(Source::Alone(vec![self.infos.info(taken.info).edge]));
        }
        let mut left = number as usize;
        for taken in std::mem::take(&mut self.taken) {
            let edge = self.infos.info(taken.info).edge;
            let middle = self.with_alone(&state.xor(&taken.delta)).ok()?;
            self.find_moves(&middle, true, true).ok()?;
            if let Some(second) = self.taken.get(left) {
                let second = self.infos.info(second.info).edge;
                return Some(Source::Alone(vec![edge, second]));
            }
            left -= self.taken.len();
        }
        None
    }

    /// Whether no process can move in any phase.
    fn is_stuck(&mut self, state: &State<W, D>) -> bool {
        !Phase::ALL.iter().any(|&phase| self.moves_in(state, phase))
    }

    /// In which phase processes move.
    fn phase(&mut self, state: &State<W, D>) -> Phase {
        match self.moves_in(state, Phase::Steps) {
            true => Phase::Steps,
            false => Phase::Timeout,
        }
    }

    /// Whether a monitor sees that only a timeout lets processes go on.
    fn timeout(&mut self, state: &State<W, D>) -> bool {
        !self.moves_in(state, Phase::Steps) && !self.has_direct_fault(state, Phase::Steps)
    }

    /// Whether a process can move in a phase.
    fn moves_in(&mut self, state: &State<W, D>, phase: Phase) -> bool {
        if phase == Phase::Timeout && !self.system.learner.uses_timeout {
            return false;
        }
        // It fitted when it was expanded.
        let is_restored = self.system.restore(state, phase).is_ok();
        debug_assert!(is_restored);
        (0..self.system.relation().process_count(state)).any(|pid| {
            let known = self.system.relation().row(state, Pid(pid as u8), phase);
            known.is_some_and(|known| {
                !known.is_empty() || known.counts().is_some_and(|counts| counts.moved)
            })
        })
    }
}
