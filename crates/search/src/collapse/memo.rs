//! The moves of a process that are known, by the parts of a state that decide about them.

use super::outlook::Outlook;
use super::sleep::PartBits;
use super::state::{Digest, State, Words};
use super::way::Way;

/// A table below this size is half empty, a larger one to a quarter: there it matters more that it
/// is small.
const SPARSE: usize = 1 << 12;
/// There are no more effects than this, and where there are many, the parts are not told apart.
const MOST_EFFECTS: usize = 1 << 10;
const MANY_EFFECTS: usize = MOST_EFFECTS / 2;
/// Marks the number of effects with something to count.
const TO_COUNT: u16 = 1 << 15;
/// The slots of a table at first.
const FIRST: usize = 1 << 6;

/// A move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move<const W: usize, D> {
    /// What is different behind it.
    pub(super) delta: State<W, D>,
    pub(super) way: Way,
}

/// What there is to count about some moves besides how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// The steps inside atomic sequences.
    pub(super) atomic_steps: u32,
    /// How many levels further down there is a node that is no state: inside an atomic
    /// sequence, or halfway through a handshake.
    pub(super) reach: u32,
    /// Whether one halfway through a handshake is next.
    pub(super) offers: bool,
}

/// What is to be known about some moves besides where they lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effects {
    /// The parts that they change, or more.
    pub(super) changes: PartBits,
    pub(super) counts: Counts,
    /// The outlook of the process that makes them, see [`super::outlook`].
    pub(super) outlook: Outlook,
}

/// Where some moves are.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    /// Where they begin. If there is only one, its way, see [`Way::to_bits`].
    start: u32,
    /// How many they are.
    len: u16,
    /// The number of their effects, see [`TO_COUNT`].
    effects: u16,
}

#[derive(Clone, Copy, Debug)]
struct Slot<const W: usize, D> {
    /// No key is made of ones, not even its first word, see [`super::fields::Room`]; that of an
    /// empty slot is.
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

/// Moves that are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a, const W: usize, D> {
    memo: &'a Memo<W, D>,
    slot: &'a Slot<W, D>,
}

impl<'a, const W: usize, D: Digest> Known<'a, W, D> {
    /// How many they are.
    #[inline(always)]
    pub(super) fn len(self) -> u32 {
        self.slot.list.len.into()
    }

    /// The parts that they change, or more.
    #[inline(always)]
    pub(super) fn changes(self) -> PartBits {
        self.effects().changes
    }

    /// What there is to count.
    #[inline(always)]
    pub(super) fn counts(self) -> Counts {
        match self.slot.list.effects & TO_COUNT {
            0 => Counts::default(),
            _ => self.effects().counts,
        }
    }

    /// The outlook of the process.
    #[inline(always)]
    pub(super) fn outlook(self) -> Outlook {
        self.effects().outlook
    }

    #[inline(always)]
    fn effects(self) -> &'a Effects {
        &self.memo.effects[usize::from(self.slot.list.effects & !TO_COUNT)]
    }

    /// Look at them, in their order.
    #[inline(always)]
    pub(super) fn for_each(self, mut look: impl FnMut(&State<W, D>, Way)) {
        let Slot { only, list, .. } = self.slot;
        match list.len {
            1 => look(only, Way::from_bits(list.start)),
            len => (self.memo.moves[list.start as usize..][..usize::from(len)].iter())
                .for_each(|known| look(&known.delta, known.way)),
        }
    }
}

/// What is known about a process.
///
/// A hash table with linear probing.
#[derive(Debug)]
pub(super) struct Memo<const W: usize, D> {
    slots: Vec<Slot<W, D>>,
    /// Lists of several moves, one behind the other.
    moves: Vec<Move<W, D>>,
    /// All effects that there are, few of them.
    effects: Vec<Effects>,
    len: usize,
}

impl<const W: usize, D: Digest> Default for Memo<W, D> {
    fn default() -> Memo<W, D> {
        Memo {
            slots: empty(FIRST),
            moves: Vec::new(),
            effects: Vec::new(),
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

impl<const W: usize, D: Digest> Memo<W, D> {
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

    /// The moves under a key, if they are known.
    #[inline(always)]
    pub(super) fn find(&self, key: &Words<W>) -> Option<Known<'_, W, D>> {
        let slot = &self.slots[self.slot(key)?];
        Some(Known { memo: self, slot })
    }

    /// The slot with a key.
    #[inline(always)]
    fn slot(&self, key: &Words<W>) -> Option<usize> {
        let mut at = self.home(key);
        loop {
            let slot = &self.slots[at];
            if slot.key == *key {
                return Some(at);
            }
            if slot.is_empty() {
                return None;
            }
            at = self.behind(at);
        }
    }

    /// Learn an outlook under a key, if moves are known under it and there is room.
    pub(super) fn learn_outlook(&mut self, key: &Words<W>, outlook: Outlook) {
        let Some(at) = self.slot(key) else {
            return;
        };
        let before = self.slots[at].list.effects;
        let effects = self.effects[usize::from(before & !TO_COUNT)];
        if let Some(number) = self.number(Effects { outlook, ..effects }) {
            self.slots[at].list.effects = number | before & TO_COUNT;
        }
    }

    /// Learn the moves under a key that is not known, and their effects. If they are too many, they
    /// are not learned.
    pub(super) fn learn(&mut self, key: Words<W>, moves: &[Move<W, D>], effects: Effects) {
        let (only, start) = match *moves {
            [only] => (only.delta, Ok(only.way.to_bits())),
            _ => (State::default(), self.moves.len().try_into()),
        };
        let len = moves.len().try_into();
        let (Ok(start), Ok(len), Some(number)) = (start, len, self.number(effects)) else {
            return;
        };
        if moves.len() > 1 {
            grow_by_a_part(&mut self.moves, moves.len());
            self.moves.extend_from_slice(moves);
        }
        let effects = match effects.counts == Counts::default() {
            true => number,
            false => number | TO_COUNT,
        };
        let list = List {
            start,
            len,
            effects,
        };
        self.put(Slot { key, only, list });
    }

    /// The number of effects, known or new. None if there are too many.
    fn number(&mut self, effects: Effects) -> Option<u16> {
        if let Some(known) = self.effects.iter().position(|&known| known == effects) {
            return Some(known as u16);
        }
        if self.effects.len() >= MANY_EFFECTS && effects.changes != PartBits::ALL {
            return self.number(Effects {
                changes: PartBits::ALL,
                ..effects
            });
        }
        (self.effects.len() < MOST_EFFECTS).then(|| {
            self.effects.push(effects);
            self.effects.len() as u16 - 1
        })
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

    /// The same for states that are written down in another way.
    pub(super) fn rewritten<const V: usize>(
        self,
        rewrite: impl Fn(&Words<W>) -> Words<V>,
    ) -> Memo<V, D> {
        let rewritten = |state: State<W, D>| State {
            words: rewrite(&state.words),
            digest: state.digest,
        };
        let moves = self.moves.into_iter().map(|known| Move {
            delta: rewritten(known.delta),
            way: known.way,
        });
        let mut memo = Memo {
            slots: empty(self.slots.len()),
            moves: moves.collect(),
            effects: self.effects,
            len: 0,
        };
        for slot in self.slots.into_iter().filter(|slot| !slot.is_empty()) {
            memo.put(Slot {
                key: rewrite(&slot.key),
                only: rewritten(slot.only),
                list: slot.list,
            });
        }
        memo
    }

    /// Forget everything.
    pub(super) fn clear(&mut self) {
        *self = Memo::default();
    }

    /// The memory in use.
    pub(super) fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<W, D>>()
            + self.moves.capacity() * size_of::<Move<W, D>>()
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

/// Make room for more, not much more than is needed.
pub(super) fn grow_by_a_part<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() < list.len() + more {
        list.reserve_exact(more.max(list.len() / 4));
    }
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
            way: Way::new((number + at) as u32 % 5, at < 3, at as usize).expect("few levels"),
        };
        (0..number % 10).map(of).collect()
    }

    /// Seven different ones.
    fn effects(number: u64) -> Effects {
        Effects {
            changes: PartBits::of(1 << (number % 7)),
            counts: Counts {
                reach: number as u32 % 7,
                ..Counts::default()
            },
            outlook: Outlook::UNASKED,
        }
    }

    /// What was learned under a number is found, with everything rewritten.
    fn check<const W: usize>(
        memo: &Memo<W, u64>,
        number: u64,
        rewrite: impl Fn(&Words<1>) -> Words<W>,
    ) {
        let known = (memo.find(&rewrite(&[number << 20]))).expect("it was learned");
        let expected = moves(number);
        let mut found = Vec::new();
        known.for_each(|delta, way| found.push((delta.words, delta.digest, way)));
        let expected_moves = expected
            .iter()
            .map(|m| (rewrite(&m.delta.words), m.delta.digest, m.way));
        assert!(found.iter().copied().eq(expected_moves));
        assert_eq!(known.len() as usize, expected.len());
        assert_eq!(known.changes(), effects(number).changes);
        assert_eq!(known.counts(), effects(number).counts);
    }

    #[test]
    fn what_is_learned_is_found() {
        let mut memo = Memo::<1, u64>::default();
        let count = 20_000;
        for number in 0..count {
            assert!(memo.find(&[number << 20]).is_none());
            memo.learn([number << 20], &moves(number), effects(number));
        }
        (0..count).for_each(|number| check(&memo, number, |words| *words));
        assert!(2 * memo.len > memo.slots.len());
        let len = memo.len;
        let rewrite = |words: &Words<1>| [words[0].rotate_left(13), words[0] >> 3];
        let again = memo.rewritten(rewrite);
        (0..count).for_each(|number| check(&again, number, rewrite));
        assert_eq!(again.len, len);
    }

    #[test]
    fn too_many_moves_are_not_learned() {
        let mut memo = Memo::<1, u64>::default();
        let only = Move {
            delta: State {
                words: [1],
                digest: 1,
            },
            way: Way::default(),
        };
        memo.learn([7], &vec![only; 1 << 16], effects(0));
        assert!(memo.find(&[7]).is_none());
        memo.learn([7], &vec![only; (1 << 16) - 1], effects(0));
        assert_eq!(memo.find(&[7]).expect("it was learned").len(), 0xffff);
    }

    /// Where there are many effects, parts are not told apart; where there are too many, nothing is
    /// learned.
    #[test]
    fn many_effects_are_not_told_apart() {
        let mut memo = Memo::<1, u64>::default();
        let effects = |parts: u64, reach: u64| Effects {
            changes: PartBits::of(parts.into()),
            counts: Counts {
                reach: reach as u32,
                ..Counts::default()
            },
            outlook: Outlook::UNASKED,
        };
        for number in 0..MANY_EFFECTS as u64 + 2 {
            memo.learn([number], &[], effects(number, 0));
        }
        let found =
            |memo: &Memo<1, u64>, number| memo.find(&[number]).map(|known| *known.effects());
        let last = MANY_EFFECTS as u64 - 1;
        assert_eq!(found(&memo, last), Some(effects(last, 0)));
        let all = Effects {
            changes: PartBits::ALL,
            counts: Counts::default(),
            outlook: Outlook::UNASKED,
        };
        assert_eq!(found(&memo, last + 1), Some(all));
        assert_eq!(memo.effects.len(), MANY_EFFECTS + 1);
        for number in 1..MOST_EFFECTS as u64 {
            memo.learn([number << 20], &[], effects(number, number));
        }
        assert_eq!(memo.effects.len(), MOST_EFFECTS);
        assert!(found(&memo, (MOST_EFFECTS as u64 - 1) << 20).is_none());
    }
}
