//! The moves of a process that are known, by the parts of a state that decide about them.

use crate::ample::AmpleKey;
use crate::hash::Table;
use crate::layout::Words;
use crate::state::{Digest, State};

/// A table below this size is half empty, a larger one to a quarter: there it matters more that it
/// is small.
const SPARSE: usize = 1 << 12;
/// The slots of a table at first.
const FIRST: usize = 1 << 4;
/// The bits of the number of moves of a row, and of the number of its effects.
const LEN_BITS: u32 = 12;
const EFFECTS_BITS: u32 = 19;
/// Marks a row with something to account for besides its moves.
const TO_COUNT: u32 = 1 << 31;

/// A set of parts of a vector, as bits; some parts share a bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PartBits(u64);

impl PartBits {
    /// With another part.
    pub(crate) fn with(self, part: crate::PartId) -> PartBits {
        PartBits(self.0 | 1 << (part.0 % u64::BITS))
    }

    /// Whether two sets have no part in common.
    #[inline(always)]
    pub fn is_disjoint(self, other: PartBits) -> bool {
        self.0 & other.0 == 0
    }
}

/// A move: a step, or an atomic sequence as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move<const W: usize, D> {
    /// What is different behind it.
    pub(crate) delta: State<W, D>,
    pub(crate) info: MoveId,
}

/// What a move is besides where it leads, by its row in [`crate::Relation::info`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveId(pub u32);

/// What there is to account for in a row besides how many moves it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts {
    /// The steps inside atomic sequences.
    pub atomic_steps: u32,
    /// How many levels further down there is a node that is no state: inside an atomic
    /// sequence, or halfway through a handshake.
    pub reach: u32,
    /// Whether one halfway through a handshake is next.
    pub offers: bool,
    /// How often an atomic sequence comes back to where it was.
    pub endless: u32,
    /// The process can move, though no move leads to a state.
    pub moved: bool,
    /// The violations, by their row in [`crate::Relation::violations`]; 0 if there are none.
    pub violations: u32,
    /// The moves were found where a claim does not let them be taken: their transitions do not count
    /// as executed yet.
    pub withheld: bool,
}

/// What is to be known about the moves of a row besides where they lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Effects {
    /// The parts that decide about them, and those that they change.
    pub(crate) reads: PartBits,
    pub(crate) changes: PartBits,
    pub(crate) counts: Counts,
    /// What the process contributes to ample sets, where somebody asks.
    pub(crate) ample: AmpleKey,
}

/// Where the moves of a row are.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    /// Where they begin. If there is only one, its info.
    start: u32,
    /// How many they are, the number of their effects, and [`TO_COUNT`].
    bits: u32,
}

impl List {
    #[inline(always)]
    fn len(self) -> u32 {
        self.bits & ((1 << LEN_BITS) - 1)
    }

    #[inline(always)]
    fn effects(self) -> usize {
        (self.bits >> LEN_BITS & ((1 << EFFECTS_BITS) - 1)) as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot<const W: usize, D> {
    /// No key is made of ones, not even its first word; that of an empty slot is.
    key: Words<W>,
    /// If there is only one move, what is different behind it.
    only: State<W, D>,
    list: List,
}

impl<const W: usize, D> Slot<W, D> {
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.key[0] == u64::MAX
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a, const W: usize, D> {
    rows: &'a Rows<W, D>,
    slot: &'a Slot<W, D>,
}

impl<'a, const W: usize, D: Digest> Row<'a, W, D> {
    /// How many moves it has.
    #[inline(always)]
    pub(crate) fn len(self) -> u32 {
        self.slot.list.len()
    }

    /// What there is to account for.
    #[inline(always)]
    pub(crate) fn counts(self) -> Option<&'a Counts> {
        match self.slot.list.bits & TO_COUNT {
            0 => None,
            _ => Some(&self.effects().counts),
        }
    }

    #[inline(always)]
    pub(crate) fn effects(self) -> &'a Effects {
        &self.rows.effects[self.slot.list.effects()]
    }

    /// Look at the moves, in their order.
    #[inline(always)]
    pub(crate) fn for_each(self, mut look: impl FnMut(&State<W, D>, MoveId)) {
        let Slot { only, list, .. } = self.slot;
        match list.len() {
            1 => look(only, MoveId(list.start)),
            len => (self.rows.moves[list.start as usize..][..len as usize].iter())
                .for_each(|known| look(&known.delta, known.info)),
        }
    }
}

/// What is known about a process.
///
/// A hash table with linear probing.
#[derive(Clone, Debug)]
pub(crate) struct Rows<const W: usize, D> {
    slots: Vec<Slot<W, D>>,
    /// Lists of several moves, one behind the other.
    moves: Vec<Move<W, D>>,
    /// All effects that there are, few of them, and their numbers.
    effects: Vec<Effects>,
    numbers: Table<Effects, u32>,
    len: usize,
}

impl<const W: usize, D: Digest> Default for Rows<W, D> {
    fn default() -> Rows<W, D> {
        Rows {
            slots: empty(FIRST),
            moves: Vec::new(),
            effects: Vec::new(),
            numbers: Table::default(),
            len: 0,
        }
    }
}

fn empty<const W: usize, D: Digest>(slots: usize) -> Vec<Slot<W, D>> {
    let slot = Slot {
        key: [u64::MAX; W],
        only: State::default(),
        list: List::default(),
    };
    vec![slot; slots]
}

impl<const W: usize, D: Digest> Rows<W, D> {
    #[inline(always)]
    fn home(&self, key: &Words<W>) -> usize {
        // Below the number of slots, which need not be a power of two.
        (((hash(key) >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn behind(&self, at: usize) -> usize {
        match at + 1 == self.slots.len() {
            true => 0,
            false => at + 1,
        }
    }

    /// The row of a key, if it is known.
    #[inline(always)]
    pub(crate) fn find(&self, key: &Words<W>) -> Option<Row<'_, W, D>> {
        let mut at = self.home(key);
        loop {
            let slot = &self.slots[at];
            if slot.key == *key {
                return Some(Row { rows: self, slot });
            }
            if slot.is_empty() {
                return None;
            }
            at = self.behind(at);
        }
    }

    /// All rows with their keys, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Words<W>, Row<'_, W, D>)> {
        let known = self.slots.iter().filter(|slot| !slot.is_empty());
        known.map(|slot| (&slot.key, Row { rows: self, slot }))
    }

    /// Add the row of a key that is not known. If it is too large, it is not remembered: whether
    /// it was.
    pub(crate) fn insert(&mut self, key: Words<W>, moves: &[Move<W, D>], effects: Effects) -> bool {
        let (only, start) = match *moves {
            [only] => (only.delta, Ok(only.info.0)),
            _ => (State::default(), self.moves.len().try_into()),
        };
        let (Ok(start), true, Some(number)) =
            (start, moves.len() < 1 << LEN_BITS, self.number(effects))
        else {
            return false;
        };
        if moves.len() > 1 {
            if self.moves.capacity() < self.moves.len() + moves.len() {
                let more = moves.len().max(self.moves.len() / 4);
                self.moves.reserve_exact(more);
            }
            self.moves.extend_from_slice(moves);
        }
        let to_count = match effects.counts == Counts::default() {
            true => 0,
            false => TO_COUNT,
        };
        let bits = moves.len() as u32 | number << LEN_BITS | to_count;
        let list = List { start, bits };
        self.put(Slot { key, only, list });
        true
    }

    /// The number of effects, known or new. None if there are too many.
    fn number(&mut self, effects: Effects) -> Option<u32> {
        let new = self.effects.len() as u32;
        if let Some(&known) = self.numbers.get(&effects) {
            return Some(known);
        }
        (new < 1 << EFFECTS_BITS).then(|| {
            self.effects.push(effects);
            self.numbers.insert(effects, new);
            new
        })
    }

    /// The moves of a row that is known count as executed.
    pub(crate) fn release(&mut self, key: &Words<W>) {
        let Some(row) = self.find(key) else {
            return;
        };
        let mut effects = *row.effects();
        effects.counts.withheld = false;
        let mut list = row.slot.list;
        let to_count = match effects.counts == Counts::default() {
            true => 0,
            false => TO_COUNT,
        };
        if let Some(number) = self.number(effects) {
            list.bits = list.len() | number << LEN_BITS | to_count;
            let mut at = self.home(key);
            while self.slots[at].key != *key {
                at = self.behind(at);
            }
            self.slots[at].list = list;
        }
    }

    /// Put in a slot under a key that is not there.
    fn put(&mut self, slot: Slot<W, D>) {
        let slots = self.slots.len();
        let is_full = match slots < SPARSE {
            true => 2 * self.len >= slots,
            false => 4 * self.len >= 3 * slots,
        };
        if is_full {
            let larger = if slots < SPARSE {
                2 * slots
            } else {
                slots + slots / 4
            };
            let before = std::mem::replace(&mut self.slots, empty(larger));
            self.len = 0;
            let known = before.into_iter().filter(|slot| !slot.is_empty());
            known.for_each(|slot| self.put(slot));
        }
        let mut at = self.home(&slot.key);
        while !self.slots[at].is_empty() {
            at = self.behind(at);
        }
        self.slots[at] = slot;
        self.len += 1;
    }

    /// The same for states with another layout.
    pub(crate) fn rewritten<const V: usize>(
        self,
        rewrite: impl Fn(&Words<W>) -> Words<V>,
    ) -> Rows<V, D> {
        let rewritten = |state: State<W, D>| State {
            words: rewrite(&state.words),
            digest: state.digest,
        };
        let moves = self.moves.into_iter().map(|known| Move {
            delta: rewritten(known.delta),
            info: known.info,
        });
        let mut rows = Rows {
            slots: empty(self.slots.len()),
            moves: moves.collect(),
            effects: self.effects,
            numbers: self.numbers,
            len: 0,
        };
        for slot in self.slots.into_iter().filter(|slot| !slot.is_empty()) {
            rows.put(Slot {
                key: rewrite(&slot.key),
                only: rewritten(slot.only),
                list: slot.list,
            });
        }
        rows
    }

    /// Forget everything.
    pub(crate) fn clear(&mut self) {
        *self = Rows::default();
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<W, D>>()
            + self.moves.capacity() * size_of::<Move<W, D>>()
            + self.effects.capacity() * 3 * size_of::<Effects>()
    }
}

/// The upper half is spread best.
#[inline(always)]
fn hash<const W: usize>(words: &Words<W>) -> u64 {
    /// An odd number, whose powers are the factors of the words: none waits for another.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let factors: Words<W> = const {
        let mut factors = [FACTOR; W];
        let mut at = 1;
        while at < W {
            factors[at] = factors[at - 1].wrapping_mul(FACTOR);
            at += 1;
        }
        factors
    };
    (words.iter().zip(factors)).fold(0, |hash: u64, (word, factor)| {
        hash.wrapping_add(word.wrapping_mul(factor))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves under a number, as many as its last digit says.
    fn moves(number: u64) -> Vec<Move<1, u64>> {
        let of = |at: u64| Move {
            delta: State {
                words: [(number << 8) + at + 1],
                digest: number + at,
            },
            info: MoveId((number + at) as u32),
        };
        (0..number % 10).map(of).collect()
    }

    /// Seven different ones.
    fn effects(number: u64) -> Effects {
        Effects {
            reads: PartBits(3 << (number % 7)),
            changes: PartBits(1 << (number % 7)),
            counts: Counts {
                reach: number as u32 % 7,
                ..Counts::default()
            },
            ample: AmpleKey::UNKNOWN,
        }
    }

    /// What was learned under a number is found, with everything rewritten.
    fn check<const W: usize>(
        rows: &Rows<W, u64>,
        number: u64,
        rewrite: impl Fn(&Words<1>) -> Words<W>,
    ) {
        let known = (rows.find(&rewrite(&[number << 20]))).expect("it was learned");
        let expected = moves(number);
        let mut found = Vec::new();
        known.for_each(|delta, info| found.push((delta.words, delta.digest, info)));
        let expected_moves = expected
            .iter()
            .map(|m| (rewrite(&m.delta.words), m.delta.digest, m.info));
        assert!(found.iter().copied().eq(expected_moves));
        assert_eq!(known.len() as usize, expected.len());
        assert_eq!(*known.effects(), effects(number));
        assert_eq!(known.counts().is_some(), !number.is_multiple_of(7));
    }

    #[test]
    fn what_is_learned_is_found() {
        let mut rows = Rows::<1, u64>::default();
        let count = 20_000;
        for number in 0..count {
            assert!(rows.find(&[number << 20]).is_none());
            assert!(rows.insert([number << 20], &moves(number), effects(number)));
        }
        (0..count).for_each(|number| check(&rows, number, |words| *words));
        assert!(2 * rows.len > rows.slots.len());
        let len = rows.len;
        let rewrite = |words: &Words<1>| [words[0].rotate_left(13), words[0] >> 3];
        let again = rows.rewritten(rewrite);
        (0..count).for_each(|number| check(&again, number, rewrite));
        assert_eq!(again.len, len);
    }

    #[test]
    fn too_many_moves_are_not_learned() {
        let mut rows = Rows::<1, u64>::default();
        let only = Move {
            delta: State {
                words: [1],
                digest: 1,
            },
            info: MoveId(0),
        };
        assert!(!rows.insert([7], &vec![only; 1 << LEN_BITS], effects(0)));
        assert!(rows.find(&[7]).is_none());
        assert!(rows.insert([7], &vec![only; (1 << LEN_BITS) - 1], effects(0)));
        assert_eq!(rows.find(&[7]).expect("it was learned").len(), 0xfff);
    }
}
