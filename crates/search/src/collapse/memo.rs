//! The moves of a process that are known, by the parts of a state that decide about them.

use super::state::{Digest, State, Words};

/// A table below this size is half empty, a larger one to a quarter: there it matters more that it
/// is small.
const SPARSE: usize = 1 << 12;
/// There are no more counts than this.
const MOST_COUNTS: usize = 1 << 10;
/// The slots of a table at first.
const FIRST: usize = 1 << 6;

/// A move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move<const W: usize, D> {
    /// What is different behind it.
    pub(super) delta: State<W, D>,
    /// The levels that it adds to the depth.
    pub(super) levels: u32,
}

/// What there is to count about some moves besides how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// The steps inside atomic sequences.
    pub(super) atomic_steps: u32,
    /// How many levels further down there is a node that is no state: inside an atomic
    /// sequence, or halfway through a handshake.
    pub(super) reach: u32,
}

/// Where some moves are.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    /// Where they begin. If there is only one, it is what it changes, and this its levels.
    start: u32,
    /// How many they are.
    len: u16,
    /// The number of their counts.
    counts: u16,
}

#[derive(Clone, Copy, Debug)]
struct Slot<const W: usize, D> {
    key: Words<W>,
    /// What the moves of the list change, each in its own way. If there is only one, the
    /// difference that it makes.
    changes: State<W, D>,
    list: List,
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

    /// What else there is to count.
    #[inline(always)]
    pub(super) fn counts(self) -> Counts {
        match self.slot.list.counts {
            0 => Counts::default(),
            number => self.memo.counts[usize::from(number)],
        }
    }

    /// What they change.
    #[inline(always)]
    pub(super) fn changes(self) -> &'a Words<W> {
        &self.slot.changes.words
    }

    /// Look at them, in their order.
    #[inline(always)]
    pub(super) fn for_each(self, mut look: impl FnMut(&State<W, D>, u32)) {
        let Slot { changes, list, .. } = self.slot;
        match list.len {
            1 => look(changes, list.start),
            len => (self.memo.moves[list.start as usize..][..usize::from(len)].iter())
                .for_each(|known| look(&known.delta, known.levels)),
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
    /// All counts that there are, few of them; at first that where there is nothing to count.
    counts: Vec<Counts>,
    len: usize,
}

/// The key of an empty slot. No state has it, see [`super::fields::Room`].
const fn nothing<const W: usize>() -> Words<W> {
    [u64::MAX; W]
}

impl<const W: usize, D: Digest> Default for Memo<W, D> {
    fn default() -> Memo<W, D> {
        Memo {
            slots: empty(FIRST),
            moves: Vec::new(),
            counts: vec![Counts::default()],
            len: 0,
        }
    }
}

fn empty<const W: usize, D: Digest>(slots: usize) -> Vec<Slot<W, D>> {
    let slot = Slot {
        key: nothing(),
        changes: State {
            words: nothing(),
            digest: D::default(),
        },
        list: List::default(),
    };
    vec![slot; slots]
}

impl<const W: usize, D: Digest> Memo<W, D> {
    #[inline(always)]
    fn home(&self, key: &Words<W>) -> usize {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let hash = (key.iter()).fold(0, |hash: u64, word| {
            (hash.rotate_left(29) ^ word).wrapping_mul(FACTOR)
        });
        // Below the number of slots, which need not be a power of two.
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    /// The slot of a key, or the empty one where it belongs.
    #[inline(always)]
    fn find_slot(&self, key: &Words<W>) -> usize {
        let mut at = self.home(key);
        loop {
            let slot = &self.slots[at];
            if slot.key == *key || slot.key == nothing() {
                return at;
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
    }

    /// The moves under a key, if they are known.
    #[inline(always)]
    pub(super) fn find(&self, key: &Words<W>) -> Option<Known<'_, W, D>> {
        let slot = &self.slots[self.find_slot(key)];
        (slot.key == *key).then_some(Known { memo: self, slot })
    }

    /// Learn the moves under a key that is not known, and what there is to count. If they are
    /// too many, they are not learned.
    pub(super) fn learn(&mut self, key: Words<W>, moves: &[Move<W, D>], counts: Counts) {
        let start = match *moves {
            [only] => Ok(only.levels),
            _ => self.moves.len().try_into(),
        };
        let len = moves.len().try_into();
        let (Ok(start), Ok(len), Some(counts)) = (start, len, self.number(counts)) else {
            return;
        };
        if moves.len() > 1 {
            grow_by_a_part(&mut self.moves, moves.len());
            self.moves.extend_from_slice(moves);
        }
        let mut changes = State {
            words: [0; W],
            digest: D::default(),
        };
        for (at, all) in changes.words.iter_mut().enumerate() {
            *all = moves.iter().fold(0, |all, m| all | m.delta.words[at]);
        }
        if let [only] = moves {
            changes.digest = only.delta.digest;
        }
        self.put(Slot {
            key,
            changes,
            list: List { start, len, counts },
        });
    }

    /// The number of counts, known or new. None if there are too many.
    fn number(&mut self, counts: Counts) -> Option<u16> {
        let known = self.counts.iter().position(|&known| known == counts);
        let number = known.unwrap_or(self.counts.len());
        if known.is_none() && number < MOST_COUNTS {
            self.counts.push(counts);
        }
        (number < MOST_COUNTS).then_some(number as u16)
    }

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
            let known = before.into_iter().filter(|slot| slot.key != nothing());
            known.for_each(|slot| self.put(slot));
        }
        let at = self.find_slot(&slot.key);
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
            levels: known.levels,
        });
        let mut memo = Memo {
            slots: empty(self.slots.len()),
            moves: moves.collect(),
            counts: self.counts,
            len: 0,
        };
        for slot in self.slots.into_iter().filter(|slot| slot.key != nothing()) {
            memo.put(Slot {
                key: rewrite(&slot.key),
                changes: rewritten(slot.changes),
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
            levels: (number + at) as u32 % 5,
        };
        (0..number % 10).map(of).collect()
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
        known.for_each(|delta, levels| found.push((delta.words, delta.digest, levels)));
        let expected_moves = expected
            .iter()
            .map(|m| (rewrite(&m.delta.words), m.delta.digest, m.levels));
        assert!(found.iter().copied().eq(expected_moves));
        assert_eq!(known.len() as usize, expected.len());
        assert_eq!(known.counts().reach, number as u32 % 7);
        let changes = expected.iter().fold(0, |all, m| all | m.delta.words[0]);
        assert_eq!(known.changes(), &rewrite(&[changes]));
    }

    #[test]
    fn what_is_learned_is_found() {
        let mut memo = Memo::<1, u64>::default();
        let count = 20_000;
        for number in 0..count {
            assert!(memo.find(&[number << 20]).is_none());
            let counts = Counts {
                atomic_steps: 0,
                reach: number as u32 % 7,
            };
            memo.learn([number << 20], &moves(number), counts);
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
            levels: 1,
        };
        memo.learn([7], &vec![only; 1 << 16], Counts::default());
        assert!(memo.find(&[7]).is_none());
        memo.learn([7], &vec![only; (1 << 16) - 1], Counts::default());
        assert_eq!(memo.find(&[7]).expect("it was learned").len(), 0xffff);
    }
}
