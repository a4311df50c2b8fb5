//! What was found in states that look the same to a reducer.
//!
//! Which sets of processes are ample depends on where the processes are and on which steps they
//! have, and many states agree in that. A question and its answer lie side by side from the
//! beginning of a cache line on, so that looking one up mostly takes one access to memory.

use space::PidSet;

/// So many answers are kept at first, and at most.
const FEWEST: usize = 1 << 10;
const MOST: usize = 1 << 16;
/// The words of a cache line. There is room for so many lines in each place at first.
const LINE: usize = 8;
const LINES: usize = 2;

/// Answers by what they depend on.
pub(crate) struct Memo {
    /// What the question in hand depends on, two parts in a word, behind a word for their number; and a
    /// hash of it.
    key: Vec<u64>,
    parts: u64,
    hash: u64,
    /// The places, with room for as many words each, from the first that begins a cache line. Each holds a
    /// question, the number of sets, the sets, the number of sleepers, and who may sleep behind each step.
    /// The first word is 0 where there is nothing.
    words: Vec<u64>,
    first: usize,
    room: usize,
    places: usize,
    /// How many answers were filled in since there were twice as many places.
    learnt: usize,
    /// The answer to the question in hand.
    sets: Vec<PidSet>,
    sleepers: Vec<PidSet>,
}

impl Default for Memo {
    fn default() -> Memo {
        let mut memo = Memo {
            key: Vec::new(),
            parts: 0,
            hash: 0,
            words: Vec::new(),
            first: 0,
            room: LINES * LINE,
            places: FEWEST,
            learnt: 0,
            sets: Vec::new(),
            sleepers: Vec::new(),
        };
        memo.forget();
        memo
    }
}

impl Memo {
    /// Another question.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.key.clear();
        self.key.push(0);
        self.parts = 0;
    }

    /// It depends on this, too.
    #[inline]
    pub(crate) fn add(&mut self, part: u32) {
        match self.key.last_mut() {
            Some(word) if self.parts % 2 == 1 => *word |= u64::from(part) << 32,
            _ => self.key.push(u64::from(part)),
        }
        self.parts += 1;
    }

    /// Whether the answer to the question, to which nothing is added any more, is known.
    #[inline]
    pub(crate) fn is_known(&mut self) -> bool {
        // No part at all is a question, too.
        self.key[0] = self.parts + 1;
        self.hash = self.key.iter().fold(0, |hash, word| {
            let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        });
        let place = self.place();
        let known = &self.words[place..place + self.room];
        let is_known = self.key.len() < known.len()
            && known
                .iter()
                .zip(&self.key)
                .all(|(known, asked)| known == asked);
        if is_known {
            let answer = &known[self.key.len()..];
            let (sets, rest) = answer[1..].split_at(answer[0] as usize);
            self.sets.clear();
            self.sets.extend(sets.iter().map(|&set| PidSet(set)));
            self.sleepers.clear();
            let sleepers = &rest[1..=rest[0] as usize];
            self.sleepers
                .extend(sleepers.iter().map(|&set| PidSet(set)));
        }
        is_known
    }

    /// The answer to the question: ample sets, and who may sleep behind each step.
    pub(crate) fn learn(
        &mut self,
        sets: impl Iterator<Item = PidSet>,
        sleepers: impl Iterator<Item = PidSet>,
    ) {
        self.sets.clear();
        self.sets.extend(sets);
        self.sleepers.clear();
        self.sleepers.extend(sleepers);
        let mut words = self.key.clone();
        for part in [&self.sets, &self.sleepers] {
            words.push(part.len() as u64);
            words.extend(part.iter().map(|set| set.0));
        }
        self.make_room(words.len());
        let place = self.place();
        self.words[place..][..words.len()].copy_from_slice(&words);
    }

    /// Make room for one more answer of so many words.
    fn make_room(&mut self, words: usize) {
        let mut is_small = words > self.room;
        self.room = self.room.max(words.next_multiple_of(LINE));
        self.learnt += 1;
        if self.learnt > self.places && self.places < MOST {
            self.places *= 2;
            is_small = true;
        }
        if is_small {
            self.forget();
        }
    }

    /// Forget everything, and begin with as much room as there is.
    fn forget(&mut self) {
        self.learnt = 0;
        self.words = vec![0; self.places * self.room + LINE];
        self.first = self.words.as_ptr().align_offset(LINE * size_of::<u64>());
    }

    /// Where the place of the question begins.
    #[inline]
    fn place(&self) -> usize {
        self.first + (self.hash as usize & (self.places - 1)) * self.room
    }

    /// The ample sets.
    #[inline]
    pub(crate) fn sets(&self) -> &[PidSet] {
        &self.sets
    }

    /// Who may sleep behind each step.
    #[inline]
    pub(crate) fn sleepers(&self) -> &[PidSet] {
        &self.sleepers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question of several words, and its answer.
    fn ask(memo: &mut Memo, number: u64) -> (bool, PidSet) {
        memo.begin();
        for part in 0..1 + number % 40 {
            memo.add((number ^ part) as u32);
        }
        (memo.is_known(), PidSet(number))
    }

    #[test]
    fn answers_come_back_or_are_forgotten() {
        let mut memo = Memo::default();
        let mut remembered = 0;
        for number in (0..3_000).chain(2_900..3_000) {
            let (is_known, set) = ask(&mut memo, number);
            if !is_known {
                memo.learn([set; 3].into_iter(), (0..number % 70).map(PidSet));
            }
            remembered += usize::from(is_known);
            assert_eq!(memo.sets(), [set; 3]);
            assert_eq!(memo.sleepers().len() as u64, number % 70);
            assert!(memo.sleepers().iter().zip(0..).all(|(a, b)| a.0 == b));
        }
        assert!(remembered > 50, "{remembered}");
    }

    #[test]
    fn a_longer_question_is_another_one() {
        let mut memo = Memo::default();
        memo.begin();
        memo.add(0);
        assert!(!memo.is_known());
        memo.learn(std::iter::empty(), std::iter::empty());
        assert!(memo.is_known() && memo.sets().is_empty());
        memo.begin();
        memo.add(0);
        memo.add(0);
        assert!(!memo.is_known());
    }
}
