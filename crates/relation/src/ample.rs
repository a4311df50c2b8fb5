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

/// The bits for the number of processes.
const LEN_BITS: u32 = 8;

/// The number of an ample key, among those of the processes with the same pid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    first: u32,
    count: u32,
    may_improve: bool,
}

/// The keys of a state in one number, which has room for how many they are and for each key as many bits
/// as are left. None if one does not fit.
#[inline(always)]
fn pack(keys: &[AmpleKey]) -> Option<u128> {
    let bits = (u128::BITS - LEN_BITS) / keys.len().max(1) as u32;
    let largest = u32::MAX
        .checked_shr(u32::BITS.saturating_sub(bits))
        .unwrap_or(0);
    let mut packed = 0;
    let mut fits = true;
    for key in keys {
        // Not shifted by all of its bits, as there are others.
        packed = packed << bits.min(u32::BITS) | u128::from(key.0);
        fits &= key.0 <= largest;
    }
    fits.then_some(packed << LEN_BITS | keys.len() as u128)
}

/// An answer under its keys; nothing under 0.
#[derive(Clone, Copy, Debug)]
struct Slot {
    keys: u128,
    answer: Answer,
}

/// Answers by keys: a hash table with linear probing for those that fit into one number, so that looking
/// one up mostly takes one access to memory, and another for the others.
#[derive(Debug, Default)]
struct Answers {
    slots: Vec<Slot>,
    len: usize,
    rest: Table<Box<[AmpleKey]>, Answer>,
    sets: Vec<AmpleSet>,
}

impl Answers {
    /// The answer for some keys.
    #[inline(always)]
    fn find(&self, keys: &[AmpleKey]) -> Option<Answer> {
        let Some(packed) = pack(keys) else {
            return self.rest.get(keys).copied();
        };
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.home(packed);
        loop {
            let slot = &self.slots[at];
            if slot.keys == packed {
                return Some(slot.answer);
            }
            if slot.keys == 0 {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    fn insert(&mut self, keys: &[AmpleKey], found: &AmpleAnswer) {
        if self.len + self.rest.len() >= MOST_ANSWERS {
            *self = Answers::default();
        }
        let answer = Answer {
            first: self.sets.len() as u32,
            count: found.sets.len() as u32,
            may_improve: found.may_improve,
        };
        self.sets.extend_from_slice(&found.sets);
        match pack(keys) {
            None => {
                self.rest.insert(keys.into(), answer);
            }
            Some(keys) => {
                if 2 * self.len >= self.slots.len() {
                    self.grow();
                }
                self.put(Slot { keys, answer });
                self.len += 1;
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let empty = Slot {
            keys: 0,
            answer: Answer::default(),
        };
        let larger = vec![empty; (2 * self.slots.len()).max(1 << 8)];
        let known = std::mem::replace(&mut self.slots, larger);
        let known = known.into_iter().filter(|slot| slot.keys != 0);
        known.for_each(|slot| self.put(slot));
    }

    fn put(&mut self, slot: Slot) {
        let mut at = self.home(slot.keys);
        while self.slots[at].keys != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    #[inline(always)]
    fn home(&self, keys: u128) -> usize {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let high = ((keys >> u64::BITS) as u64).wrapping_mul(FACTOR);
        let hash = (high ^ high >> 32 ^ keys as u64).wrapping_mul(FACTOR);
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.rest.len() * 2 * ENTRY
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

/// The ample keys of the processes with some pid.
#[derive(Debug, Default)]
struct Keys {
    numbers: Table<Box<[u32]>, AmpleKey>,
    /// For each number the steps that belong to it.
    rows: Vec<Box<[Row]>>,
}

/// What finds ample sets, and what it has found.
pub(crate) struct AmpleCache<'m> {
    finder: &'m mut dyn AmpleSets,
    /// By pid.
    keys: Vec<Keys>,
    key: Vec<u32>,
    bytes: usize,
    answers: Answers,
    /// An answer that is not kept, and the steps of the state that it is about.
    answer: AmpleAnswer,
    rows: Vec<Row>,
}

impl<'m> AmpleCache<'m> {
    pub(crate) fn new(finder: &'m mut dyn AmpleSets) -> AmpleCache<'m> {
        AmpleCache {
            finder,
            keys: Vec::new(),
            key: Vec::new(),
            bytes: 0,
            answers: Answers::default(),
            answer: AmpleAnswer::default(),
            rows: Vec::new(),
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
        let pid = usize::from(pid.0);
        if self.keys.len() <= pid {
            self.keys.resize_with(pid + 1, Keys::default);
        }
        let keys = &mut self.keys[pid];
        if let Some(&known) = keys.numbers.get(&self.key[..]) {
            return (known, reads);
        }
        keys.rows.push(rows.into());
        let number = AmpleKey(keys.rows.len() as u32);
        self.bytes += size_of_val(&self.key[..]) + size_of_val(rows) + ENTRY;
        keys.numbers.insert(self.key.as_slice().into(), number);
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

    /// Whether the steps of these processes are known by their keys.
    pub(crate) fn knows_steps(&self, members: &Members) -> bool {
        !members.is_unknown
    }

    /// Find the ample sets of a state with these processes, whose steps are known by their keys.
    pub(crate) fn find(&mut self, members: &Members, vector: &[u8], look: Look) -> Ample {
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        for (pid, key) in (0..members.keys.len()).rev().zip(&members.keys) {
            rows.extend_from_slice(&self.keys[pid].rows[key.0 as usize - 1]);
        }
        if self.answers.find(&members.keys).is_none() {
            (self.finder).ample_sets(vector, &rows, Look::First, &mut self.answer);
            self.answers.insert(&members.keys, &self.answer);
        }
        let found = match self.recall(members, look) {
            Some(known) => known,
            None => self.ask(vector, &rows, look),
        };
        self.rows = rows;
        found
    }

    /// Ask for the ample sets of a state with these steps.
    pub(crate) fn ask(&mut self, vector: &[u8], rows: &[Row], look: Look) -> Ample {
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
    use std::collections::BTreeMap;

    use super::*;

    fn keys(number: u32) -> Vec<AmpleKey> {
        // Of many, not all fit into one number.
        (0..1 + number % 25)
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
            may_improve: number.is_multiple_of(3),
        }
    }

    #[test]
    fn answers_are_found_by_all_keys() {
        let mut answers = Answers::default();
        assert!(answers.find(&keys(0)).is_none());
        let mut known = BTreeMap::new();
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
        assert!(answers.len > 1_000 && answers.rest.len() > 1_000);
    }

    #[test]
    fn too_many_answers_are_forgotten() {
        let mut answers = Answers::default();
        for number in 0..=MOST_ANSWERS as u32 {
            answers.insert(&[AmpleKey(number + 1)], &answer(number));
        }
        assert_eq!(answers.len, 1);
        assert!(answers.find(&[AmpleKey(MOST_ANSWERS as u32 + 1)]).is_some());
        assert!(answers.find(&[AmpleKey(1)]).is_none());
    }
}
