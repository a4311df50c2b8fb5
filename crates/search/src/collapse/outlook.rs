//! Ample sets of collapsed states.
//!
//! Which sets are ample is seen from the outlooks of the processes ([`NextState::outlook`]), and
//! each of these depends on what decides about the moves of its process. So they are found out
//! together with the moves, and states whose processes have the same outlooks have the same ample
//! sets, unless there is reason to look at the state itself.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use space::{Control, NextState, Pid, PidSet};

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

/// So many combinations of outlooks are remembered.
const MOST_COMBINATIONS: usize = 1 << 16;
/// The number of the outlooks of all states in which only one process moves.
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
    /// Outlooks by number, and the first number of each.
    numbers: HashMap<Vec<u32>, Outlook, BuildHasherDefault<Spread>>,
    firsts: Vec<u32>,
    /// The outlooks of all processes of a state together.
    combinations: HashMap<Vec<Outlook>, Option<u32>, BuildHasherDefault<Spread>>,
    /// The memory that all these take.
    bytes: usize,
    /// Of which kinds of states outlooks were asked for, as bits.
    wanted: u64,
    /// Who makes a move.
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

    /// The number of some movers, known or new.
    pub(super) fn number_movers(&mut self, movers: PidSet) -> usize {
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
        let new = Outlook(self.firsts.len() as u32);
        self.firsts.push(self.scratch.first().copied().unwrap_or(0));
        self.bytes += 2 * size_of_val(&self.scratch[..]) + ENTRY;
        self.numbers.insert(self.scratch.clone(), new);
        new
    }

    /// The number of the outlooks of the state expanded last, all of which were asked for. None if
    /// nothing can be told from them.
    #[inline(always)]
    fn combination(&mut self) -> Option<u32> {
        match self.combinations.get(&self.outlooks) {
            Some(&known) => known,
            None => self.learn_combination(),
        }
    }

    #[cold]
    fn learn_combination(&mut self) -> Option<u32> {
        if self.combinations.len() >= MOST_COMBINATIONS {
            return None;
        }
        let first = |outlook: &Outlook| self.firsts.get(outlook.0 as usize);
        let mut firsts = self.outlooks.iter().map(first);
        let is_told = match firsts.next() {
            Some(Some(one)) => firsts.all(|other| other == Some(one)),
            _ => false,
        };
        let number = is_told.then_some(ALONE + 1 + self.combinations.len() as u32);
        self.bytes += 2 * size_of_val(&self.outlooks[..]) + ENTRY;
        self.combinations.insert(self.outlooks.clone(), number);
        number
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
        let outlooks = match self.outlooks.moving {
            _ if self.outlooks.is_stuck => None,
            1 => Some(ALONE),
            _ => {
                if self.outlooks.is_unasked {
                    self.ask_outlooks(state);
                }
                self.outlooks.combination()
            }
        };
        let recalled = outlooks.and_then(|outlooks| self.model.recall_ample(outlooks));
        match recalled {
            Some(sets) => Ample {
                sets,
                is_looked_at: false,
            },
            None => self.look_for_ample(state, outlooks),
        }
    }

    /// The outlook of a process whose steps were found, and those of no other one, in a state of some
    /// kind that was unpacked, if those of such states are asked for.
    pub(super) fn outlook(&mut self, kind: usize, pid: Pid) -> Outlook {
        match self.outlooks.wanted >> kind & 1 {
            0 => Outlook::UNASKED,
            _ => self.ask_outlook(pid),
        }
    }

    /// Find out the outlooks of the state expanded last that were not asked for.
    #[cold]
    fn ask_outlooks(&mut self, state: &State<W, D>) {
        let kind = self.kind_of(state);
        self.outlooks.wanted |= 1 << kind;
        self.unpack(kind, state);
        for row in 0..self.outlooks.members.len() {
            if self.outlooks.outlooks[row] != Outlook::UNASKED {
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
    fn look_for_ample(&mut self, state: &State<W, D>, outlooks: Option<u32>) -> Ample {
        self.unpack(self.kind_of(state), state);
        let vector = std::mem::take(&mut self.vector);
        (self.model).expand(&vector, Control::Free, &mut self.found);
        let rows = &self.found.rows;
        let sets = self.model.find_ample_in(outlooks, &vector, rows);
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

    fn combination(outlooks: &mut Outlooks, members: &[Outlook]) -> Option<u32> {
        outlooks.clear();
        for (pid, &outlook) in members.iter().enumerate() {
            let member = Member {
                pid: Pid(pid as u8),
                moves: pid as u32 % 2,
                counts: Counts::default(),
            };
            outlooks.add(member, outlook);
        }
        outlooks.combination()
    }

    #[test]
    fn combinations_are_told_apart() {
        let mut outlooks = Outlooks::default();
        let [a, b, again] = [&[1, 2][..], &[1], &[1, 2]].map(|n| outlook(&mut outlooks, n));
        assert!(a == again && a != b);
        let elsewhere = outlook(&mut outlooks, &[2, 2]);
        let all = [vec![a, b], vec![b, a], vec![a], vec![a, b, b]];
        let numbers: Vec<_> = all
            .iter()
            .map(|one| combination(&mut outlooks, one))
            .collect();
        for (number, one) in numbers.iter().zip(&all) {
            assert_eq!(combination(&mut outlooks, one), *number);
            assert_eq!(numbers.iter().filter(|other| *other == number).count(), 1);
            assert!(number.is_some_and(|number| number != ALONE));
        }
        // Nothing is known where the first numbers differ, or about one of the processes.
        for members in [[a, elsewhere], [a, Outlook::UNKNOWN], [Outlook::UNKNOWN; 2]] {
            assert_eq!(combination(&mut outlooks, &members), None);
            assert_eq!(combination(&mut outlooks, &members), None);
        }
        combination(&mut outlooks, &[a, b]);
        assert_eq!(outlooks.moving(), PidSet::only(Pid(1)));
        assert!(outlooks.moving == 1 && !outlooks.is_unasked);
        combination(&mut outlooks, &[a, Outlook::UNASKED]);
        assert!(outlooks.is_unasked);
    }

    #[test]
    fn movers_have_numbers() {
        let mut outlooks = Outlooks::default();
        let numbers = [3, 5, 3, 6].map(|pids| outlooks.number_movers(PidSet(pids)));
        assert_eq!(numbers, [0, 1, 0, 2]);
        assert_eq!(outlooks.movers(2), PidSet(6));
    }
}
