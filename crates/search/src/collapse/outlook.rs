//! Ample sets of collapsed states.
//!
//! Which sets are ample is seen from the outlooks of the processes ([`NextState::outlook`]), and
//! each of these depends on what decides about the moves of its process. So they are found out
//! together with the moves, and states in the same situation, whose processes have the same
//! outlooks from one point of view, have the same ample sets, unless there is reason to look at the
//! state itself.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use space::{Control, NextState, Pid, PidSet, Situation};

use super::memo::Counts;
use super::state::{Digest, State};
use super::system::{Counted, System};
use crate::depth_first::ALL;

/// What an entry of a hash table takes, or about that much.
const ENTRY: usize = 64;

/// The number of an outlook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Outlook(u32);

impl Outlook {
    /// That of a process about which nothing can be known.
    const UNKNOWN: Outlook = Outlook(u32::MAX);
    /// Nobody has asked yet.
    pub(super) const UNASKED: Outlook = Outlook(u32::MAX - 1);
}

/// So many situations are remembered.
const MOST_SITUATIONS: usize = 1 << 16;
/// The number of the situation in which only one process moves.
const ALONE: u32 = 0;

/// A process of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) pid: Pid,
    /// How many moves it has.
    pub(super) moves: u32,
    pub(super) counts: Counts,
}

/// What is known about ample sets, and about the state expanded last.
#[derive(Debug, Default)]
pub(super) struct Outlooks {
    /// Outlooks by number, and the point of view of each.
    numbers: HashMap<Vec<u32>, Outlook, BuildHasherDefault<Spread>>,
    views: Vec<u32>,
    /// The situations, by the outlooks of all processes of a state.
    situations: HashMap<Vec<Outlook>, Situation, BuildHasherDefault<Spread>>,
    /// The memory that all these take.
    bytes: usize,
    /// Of which kinds of states outlooks were asked for, as bits.
    wanted: u64,
    /// Who makes a move; empty where nobody asks.
    movers: Vec<PidSet>,
    /// The processes of the state expanded last, from the highest pid down, and how many can move.
    members: Vec<Member>,
    outlooks: Vec<Outlook>,
    moving: u32,
    /// Whether one of them has an outlook that was not asked for.
    is_unasked: bool,
    /// Whether none of them can move, but for a timeout.
    is_stuck: bool,
    scratch: Vec<u32>,
}

impl Outlooks {
    /// Another state is expanded.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.outlooks.clear();
        self.moving = 0;
        (self.is_unasked, self.is_stuck) = (false, false);
    }

    /// The next one of its processes.
    #[inline(always)]
    pub(super) fn add(&mut self, member: Member, outlook: Outlook) {
        self.moving += u32::from(member.moves > 0);
        self.is_unasked |= outlook == Outlook::UNASKED;
        self.members.push(member);
        self.outlooks.push(outlook);
    }

    /// None of them can move.
    pub(super) fn note_stuck(&mut self) {
        self.is_stuck = true;
    }

    /// It will be asked who makes a move.
    pub(super) fn want_movers(&mut self) {
        if self.movers.is_empty() {
            self.movers.push(PidSet::EMPTY);
        }
    }

    /// The number of some movers, known or new; 0 where nobody asks.
    pub(super) fn number_movers(&mut self, movers: PidSet) -> usize {
        if self.movers.is_empty() {
            return 0;
        }
        let known = self.movers.iter().position(|&known| known == movers);
        known.unwrap_or_else(|| {
            self.movers.push(movers);
            self.movers.len() - 1
        })
    }

    /// The movers of a number.
    #[inline(always)]
    pub(super) fn movers(&self, number: u32) -> PidSet {
        self.movers[number as usize]
    }

    /// The number of an outlook, known or new.
    fn number(&mut self) -> Outlook {
        if let Some(&known) = self.numbers.get(&self.scratch) {
            return known;
        }
        let new = Outlook(self.views.len() as u32);
        self.views.push(self.scratch.first().copied().unwrap_or(0));
        self.bytes += 2 * size_of_val(&self.scratch[..]) + ENTRY;
        self.numbers.insert(self.scratch.clone(), new);
        new
    }

    /// The situation of the state expanded last, all of whose outlooks were asked for. None if nothing
    /// can be told from them, or there are too many situations.
    #[inline(always)]
    fn situation(&mut self) -> Option<Situation> {
        match self.situations.get(&self.outlooks) {
            Some(&known) => Some(known),
            None => self.learn_situation(),
        }
    }

    #[cold]
    fn learn_situation(&mut self) -> Option<Situation> {
        let view = self.view()?;
        if self.situations.len() >= MOST_SITUATIONS {
            return None;
        }
        let number = ALONE + 1 + self.situations.len() as u32;
        self.bytes += 2 * size_of_val(&self.outlooks[..]) + ENTRY;
        let situation = Situation { number, view };
        self.situations.insert(self.outlooks.clone(), situation);
        Some(situation)
    }

    /// The point of view that all outlooks of the state expanded last have in common.
    fn view(&self) -> Option<u32> {
        let view = |outlook: &Outlook| self.views.get(outlook.0 as usize).copied();
        let first = view(self.outlooks.first()?)?;
        let is_common = self.outlooks.iter().all(|other| view(other) == Some(first));
        is_common.then_some(first)
    }

    /// The processes that can move.
    pub(super) fn moving(&self) -> PidSet {
        let moving = self.members.iter().filter(|member| member.moves > 0);
        moving.fold(PidSet::EMPTY, |all, member| {
            PidSet(all.0 | PidSet::only(member.pid).0)
        })
    }

    /// What there is to count about the moves of some processes of the state expanded last. Offers
    /// count, whoever makes them.
    pub(super) fn count(&self, taken: PidSet) -> Counted {
        let mut counted = Counted::default();
        for member in &self.members {
            match taken.has(member.pid) {
                true => counted.add(member.counts),
                false => counted.reach = counted.reach.max(member.counts.offers.into()),
            }
        }
        counted
    }

    /// Whether the moves of the process in a row are among those of some processes.
    #[inline(always)]
    pub(super) fn is_taken(&self, row: u32, taken: PidSet) -> bool {
        taken == ALL || taken.has(self.members[row as usize].pid)
    }

    /// The memory in use, or about that much.
    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes
    }
}

impl<M: NextState, D: Digest, const W: usize> System<'_, M, D, W> {
    /// Look for ample sets of the state expanded last. How many there are.
    #[inline(always)]
    pub(super) fn find_ample(&mut self, state: &State<W, D>) -> Ample {
        if !self.model.seeks_ample() {
            return Ample {
                sets: 0,
                is_looked_at: false,
            };
        }
        let situation = match self.outlooks.moving {
            _ if self.outlooks.is_stuck => None,
            1 => Some(Situation {
                number: ALONE,
                view: 0,
            }),
            _ => {
                if self.outlooks.is_unasked {
                    self.ask_outlooks(state, |outlook| outlook == Outlook::UNASKED);
                }
                match self.outlooks.situation() {
                    Some(situation) => Some(situation),
                    None => self.see_anew(state),
                }
            }
        };
        let recalled = situation.and_then(|situation| self.model.recall_ample(situation.number));
        match recalled {
            Some(sets) => Ample {
                sets,
                is_looked_at: false,
            },
            None => self.look_for_ample(state, situation),
        }
    }

    /// The situation of the state expanded last, where outlooks are from different points of view: they
    /// are asked for anew, from one.
    #[cold]
    fn see_anew(&mut self, state: &State<W, D>) -> Option<Situation> {
        if self.outlooks.view().is_some() {
            return None;
        }
        self.ask_outlooks(state, |_| true);
        self.outlooks.situation()
    }

    /// The outlook of a process whose steps were found, and those of no other one, in a state of some
    /// kind that was unpacked, if those of such states are asked for.
    pub(super) fn outlook(&mut self, kind: usize, pid: Pid) -> Outlook {
        match self.outlooks.wanted >> kind & 1 {
            0 => Outlook::UNASKED,
            _ => self.ask_outlook(pid),
        }
    }

    /// Find out some of the outlooks of the state expanded last.
    #[cold]
    fn ask_outlooks(&mut self, state: &State<W, D>, is_asked: impl Fn(Outlook) -> bool) {
        self.asked += 1;
        let kind = self.kind_of(state);
        self.outlooks.wanted |= 1 << kind;
        self.unpack(kind, state);
        for row in 0..self.outlooks.members.len() {
            if !is_asked(self.outlooks.outlooks[row]) {
                continue;
            }
            let pid = self.outlooks.members[row].pid;
            self.find_steps(pid);
            let outlook = self.ask_outlook(pid);
            self.outlooks.outlooks[row] = outlook;
            self.remember_outlook(state, row, outlook);
        }
    }

    /// The same, whoever asks.
    fn ask_outlook(&mut self, pid: Pid) -> Outlook {
        self.outlooks.scratch.clear();
        let (rows, scratch) = (&self.found.rows, &mut self.outlooks.scratch);
        match (self.model).outlook(&self.vector, pid, rows, scratch) {
            true => self.outlooks.number(),
            false => Outlook::UNKNOWN,
        }
    }

    #[cold]
    fn look_for_ample(&mut self, state: &State<W, D>, situation: Option<Situation>) -> Ample {
        self.unpack(self.kind_of(state), state);
        let vector = std::mem::take(&mut self.vector);
        (self.model).expand(&vector, Control::Free, &mut self.found);
        let rows = &self.found.rows;
        let sets = self.model.find_ample_in(situation, &vector, rows);
        self.vector = vector;
        Ample {
            // Whoever waits for a timeout is not told from others.
            sets: if self.outlooks.is_stuck { 0 } else { sets },
            is_looked_at: true,
        }
    }

    /// An ample set by its number.
    #[inline(always)]
    pub(super) fn ample(&self, number: usize) -> PidSet {
        self.model.ample(number)
    }

    /// A set is taken of the state that it was looked for in last.
    #[inline(always)]
    pub(super) fn take(&mut self, ample: Ample, set: PidSet) {
        // Who recalls a set has no interest in whether it is taken.
        if ample.is_looked_at {
            self.model.take(&self.vector, set);
        }
    }
}

/// What was found of ample sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ample {
    /// How many sets there are.
    pub(super) sets: usize,
    /// Whether the state itself was looked at.
    is_looked_at: bool,
}

/// The hash of a few small numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    #[inline(always)]
    fn write_usize(&mut self, number: usize) {
        self.write_u32(number as u32);
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(outlooks: &mut Outlooks, numbers: &[u32]) -> Outlook {
        outlooks.scratch = numbers.to_vec();
        outlooks.number()
    }

    fn situation(outlooks: &mut Outlooks, members: &[Outlook]) -> Option<Situation> {
        outlooks.clear();
        for (pid, &outlook) in members.iter().enumerate() {
            let member = Member {
                pid: Pid(pid as u8),
                moves: pid as u32 % 2,
                counts: Counts::default(),
            };
            outlooks.add(member, outlook);
        }
        outlooks.situation()
    }

    #[test]
    fn situations_are_told_apart() {
        let mut outlooks = Outlooks::default();
        let [a, b, again] = [&[1, 2][..], &[1], &[1, 2]].map(|n| outlook(&mut outlooks, n));
        assert!(a == again && a != b);
        let elsewhere = outlook(&mut outlooks, &[2, 2]);
        let all = [vec![a, b], vec![b, a], vec![a], vec![a, b, b]];
        let numbers: Vec<_> = all
            .iter()
            .map(|one| situation(&mut outlooks, one))
            .collect();
        for (number, one) in numbers.iter().zip(&all) {
            assert_eq!(situation(&mut outlooks, one), *number);
            assert_eq!(numbers.iter().filter(|other| *other == number).count(), 1);
            assert!(number.is_some_and(|one| one.number != ALONE && one.view == 1));
        }
        // Nothing is known where points of view differ, or about one of the processes.
        for members in [[a, elsewhere], [a, Outlook::UNKNOWN], [Outlook::UNKNOWN; 2]] {
            assert_eq!(situation(&mut outlooks, &members), None);
            assert_eq!(situation(&mut outlooks, &members), None);
        }
        situation(&mut outlooks, &[a, b]);
        assert_eq!(outlooks.moving(), PidSet::only(Pid(1)));
        assert!(outlooks.moving == 1 && !outlooks.is_unasked);
        situation(&mut outlooks, &[a, Outlook::UNASKED]);
        assert!(outlooks.is_unasked);
    }

    #[test]
    fn movers_have_numbers() {
        let mut outlooks = Outlooks::default();
        assert_eq!(outlooks.number_movers(PidSet(3)), 0);
        outlooks.want_movers();
        let numbers = [3, 5, 3, 6].map(|pids| outlooks.number_movers(PidSet(pids)));
        assert_eq!(numbers, [1, 2, 1, 3]);
        assert_eq!(outlooks.movers(3), PidSet(6));
    }
}
