//! Ample sets of packed states, by the ample keys of their processes.
//!
//! What a process contributes to the ample sets of a state is found out together with its moves, and
//! kept with them: its row is one of all that decides about either. States whose processes have the same
//! ample keys have the same ample sets, so an answer is kept by these and nothing else. What was kept
//! can be forgotten at any time, since the same would be found again.

use space::{AmpleAnswer, AmpleSet, AmpleSets, KeyReads, Look, Pid, PidSet, Row};

use crate::hash::Table;
use crate::rows::Counts;

/// So many answers are kept.
const MOST_ANSWERS: usize = 1 << 18;
/// What an entry of a hash table takes, or about that much.
const ENTRY: usize = 64;

/// The number of an ample key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AmpleKey(u32);

impl AmpleKey {
    /// That of a process about which nothing can be told.
    pub(crate) const UNKNOWN: AmpleKey = AmpleKey(0);
}

/// The processes of a state, from the highest pid down, and what is known about them.
#[derive(Debug, Default)]
pub struct Members {
    keys: Vec<AmpleKey>,
    /// Those with something to account for besides their moves.
    counts: Vec<(Pid, Counts)>,
    moving: PidSet,
    /// Whether something is unknown about one of them.
    is_unknown: bool,
    /// Whether all moves are to be taken, whatever there is to be known.
    pub(crate) is_whole: bool,
}

impl Members {
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.counts.clear();
        self.moving = PidSet::EMPTY;
        (self.is_unknown, self.is_whole) = (false, false);
    }

    /// The next process.
    #[inline(always)]
    pub(crate) fn add(&mut self, pid: Pid, moves: u32, counts: Option<&Counts>, key: AmpleKey) {
        if let Some(counts) = counts {
            self.counts.push((pid, *counts));
        }
        if moves > 0 || counts.is_some_and(|counts| counts.moved) {
            self.moving.insert(pid);
        }
        self.is_unknown |= key == AmpleKey::UNKNOWN;
        self.keys.push(key);
    }

    /// The processes that can move, but for those with high pids.
    #[inline(always)]
    pub fn moving(&self) -> PidSet {
        self.moving
    }

    /// Whether there may be ample sets at all.
    #[inline(always)]
    fn may_be_reduced(&self) -> bool {
        // One bit is not enough.
        let several = self.moving.0 & self.moving.0.wrapping_sub(1) != 0;
        several && !self.is_whole && self.keys.len() <= u64::BITS as usize
    }

    /// What there is to account for besides moves, of those that have something.
    #[inline(always)]
    pub(crate) fn counts(&self) -> &[(Pid, Counts)] {
        &self.counts
    }
}

/// Where an answer is.
#[derive(Clone, Copy, Debug)]
struct Answer {
    first: u32,
    count: u32,
    may_improve: bool,
}

/// Answers by keys: a hash table with linear probing.
#[derive(Debug, Default)]
struct Answers {
    /// For each slot the number of the answer and 1 added, or 0.
    slots: Vec<u32>,
    /// By number: where the keys begin and how many they are, and the answer.
    known: Vec<(u32, u32, Answer)>,
    keys: Vec<AmpleKey>,
    sets: Vec<AmpleSet>,
}

impl Answers {
    /// The answer for some keys.
    #[inline(always)]
    fn find(&self, keys: &[AmpleKey]) -> Option<Answer> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.home(keys);
        loop {
            let number = self.slots[at].checked_sub(1)? as usize;
            let (_, _, answer) = self.known[number];
            if self.keys_of(number) == keys {
                return Some(answer);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// The keys of the answer of a number.
    #[inline(always)]
    fn keys_of(&self, number: usize) -> &[AmpleKey] {
        let (first, count, _) = self.known[number];
        &self.keys[first as usize..][..count as usize]
    }

    fn insert(&mut self, keys: &[AmpleKey], found: &AmpleAnswer) -> Answer {
        if self.known.len() >= MOST_ANSWERS {
            *self = Answers::default();
        }
        if 2 * self.known.len() >= self.slots.len() {
            self.grow();
        }
        let answer = Answer {
            first: self.sets.len() as u32,
            count: found.sets.len() as u32,
            may_improve: found.may_improve,
        };
        self.sets.extend_from_slice(&found.sets);
        (self.known).push((self.keys.len() as u32, keys.len() as u32, answer));
        self.keys.extend_from_slice(keys);
        self.put(self.known.len() - 1);
        answer
    }

    #[cold]
    fn grow(&mut self) {
        self.slots = vec![0; (2 * self.slots.len()).max(1 << 8)];
        (0..self.known.len()).for_each(|number| self.put(number));
    }

    fn put(&mut self, number: usize) {
        let mut at = self.home(self.keys_of(number));
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = number as u32 + 1;
    }

    #[inline(always)]
    fn home(&self, keys: &[AmpleKey]) -> usize {
        let hash = keys.iter().fold(0_u64, |hash, key| {
            (hash.rotate_left(5) ^ u64::from(key.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    fn memory_bytes(&self) -> usize {
        (self.slots.capacity() + self.keys.capacity()) * size_of::<u32>()
            + self.known.capacity() * size_of::<(u32, u32, Answer)>()
            + self.sets.capacity() * size_of::<AmpleSet>()
    }
}

/// The ample sets of a state, see [`crate::System::ample_set`].
#[derive(Clone, Copy, Debug)]
pub struct Ample {
    first: u32,
    count: u32,
    is_kept: bool,
    /// Whether the state was looked at closely.
    pub looked_closely: bool,
}

impl Ample {
    /// There are none.
    pub const NONE: Ample = Ample {
        first: 0,
        count: 0,
        is_kept: true,
        looked_closely: false,
    };

    /// How many sets there are.
    #[inline(always)]
    pub fn count(self) -> usize {
        self.count as usize
    }
}

/// What finds ample sets, and what it has found.
pub(crate) struct AmpleCache<'m> {
    finder: &'m mut dyn AmpleSets,
    numbers: Table<Box<[u32]>, AmpleKey>,
    key: Vec<u32>,
    bytes: usize,
    answers: Answers,
    /// An answer that is not kept.
    answer: AmpleAnswer,
}

impl<'m> AmpleCache<'m> {
    pub(crate) fn new(finder: &'m mut dyn AmpleSets) -> AmpleCache<'m> {
        AmpleCache {
            finder,
            numbers: Table::default(),
            key: Vec::new(),
            bytes: 0,
            answers: Answers::default(),
            answer: AmpleAnswer::default(),
        }
    }

    /// The ample key of a process with these steps of its own, and what it depends on besides these.
    pub(crate) fn key(&mut self, vector: &[u8], pid: Pid, rows: &[Row]) -> (AmpleKey, KeyReads) {
        self.key.clear();
        let found = self.finder.ample_key(vector, pid, rows, &mut self.key);
        let Some(reads) = found else {
            let reads = KeyReads {
                population: true,
                ..KeyReads::default()
            };
            return (AmpleKey::UNKNOWN, reads);
        };
        if let Some(&known) = self.numbers.get(&self.key[..]) {
            return (known, reads);
        }
        let number = AmpleKey(1 + self.numbers.len() as u32);
        self.bytes += size_of_val(&self.key[..]) + ENTRY;
        self.numbers.insert(self.key.as_slice().into(), number);
        (number, reads)
    }

    /// The ample sets of a state with these processes, if they are known.
    #[inline(always)]
    pub(crate) fn recall(&self, members: &Members, look: Look) -> Option<Ample> {
        if !members.may_be_reduced() {
            return Some(Ample::NONE);
        }
        if members.is_unknown {
            return None;
        }
        let known = self.answers.find(&members.keys)?;
        let is_enough = look == Look::First || !known.may_improve;
        is_enough.then_some(Ample {
            first: known.first,
            count: known.count,
            is_kept: true,
            looked_closely: false,
        })
    }

    /// Find the ample sets of a state with these processes and steps.
    pub(crate) fn find(
        &mut self,
        members: &Members,
        vector: &[u8],
        rows: &[Row],
        look: Look,
    ) -> Ample {
        if !members.is_unknown && self.answers.find(&members.keys).is_none() {
            (self.finder).ample_sets(vector, rows, Look::First, &mut self.answer);
            self.answers.insert(&members.keys, &self.answer);
            if let Some(known) = self.recall(members, look) {
                return known;
            }
        }
        (self.finder).ample_sets(vector, rows, look, &mut self.answer);
        Ample {
            first: 0,
            count: self.answer.sets.len() as u32,
            is_kept: false,
            looked_closely: look == Look::Close && self.answer.may_improve,
        }
    }

    /// One of the sets that were found last.
    #[inline(always)]
    pub(crate) fn set(&self, ample: Ample, number: usize) -> AmpleSet {
        match ample.is_kept {
            true => self.answers.sets[ample.first as usize + number],
            false => self.answer.sets[number],
        }
    }

    pub(crate) fn finder(&self) -> &dyn AmpleSets {
        self.finder
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.bytes + self.answers.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn keys(number: u32) -> Vec<AmpleKey> {
        (0..1 + number % 5)
            .map(|n| AmpleKey(1 + (number ^ n)))
            .collect()
    }

    fn answer(number: u32) -> AmpleAnswer {
        let set = |n: u32| AmpleSet {
            pids: PidSet(u64::from(number)),
            left_out: n,
            gain: 0,
        };
        AmpleAnswer {
            sets: (0..number % 4).map(set).collect(),
            may_improve: number % 3 == 0,
        }
    }

    #[test]
    fn answers_are_found_by_all_keys() {
        let mut answers = Answers::default();
        assert!(answers.find(&keys(0)).is_none());
        let mut known = HashMap::new();
        for number in 0..20_000 {
            let is_known = known.contains_key(&keys(number));
            assert_eq!(answers.find(&keys(number)).is_some(), is_known);
            if !is_known {
                answers.insert(&keys(number), &answer(number));
                known.insert(keys(number), answer(number));
            }
        }
        for (keys, expected) in &known {
            let found = answers.find(keys).expect("it was inserted");
            let sets = &answers.sets[found.first as usize..][..found.count as usize];
            assert_eq!(
                (sets, found.may_improve),
                (&expected.sets[..], expected.may_improve)
            );
        }
        assert!(known.len() > 10_000);
    }

    #[test]
    fn too_many_answers_are_forgotten() {
        let mut answers = Answers::default();
        for number in 0..=MOST_ANSWERS as u32 {
            answers.insert(&[AmpleKey(number + 1)], &answer(number));
        }
        assert_eq!(answers.known.len(), 1);
        assert!(answers.find(&[AmpleKey(MOST_ANSWERS as u32 + 1)]).is_some());
        assert!(answers.find(&[AmpleKey(1)]).is_none());
    }
}
