//! What was found in states that look the same to a reducer.
//!
//! Which sets of processes are ample depends on where the processes are and on which steps they
//! have, and many states agree in that. Questions and answers lie in two arrays, so that looking
//! one up takes two accesses to memory.

use space::PidSet;

/// So many answers are kept at first, and at most.
const FEWEST: usize = 1 << 10;
const MOST: usize = 1 << 16;
/// There is room for so many words at first.
const SHORT: usize = 16;

/// Answers by what they depend on.
pub(crate) struct Memo {
    /// What the question in hand depends on, behind a word for its length, and a hash of it.
    key: Vec<u64>,
    hash: u64,
    /// The questions, and the room for each; the first word is 0 where there is none.
    keys: Vec<u64>,
    key_room: usize,
    /// The answers, and the room for each: the number of sets, the sets, the number of sleepers, and
    /// who may sleep behind each step.
    answers: Vec<PidSet>,
    answer_room: usize,
    places: usize,
    /// How many answers were filled in since there were twice as many places.
    learnt: usize,
}

impl Default for Memo {
    fn default() -> Memo {
        let mut memo = Memo {
            key: Vec::new(),
            hash: 0,
            keys: Vec::new(),
            key_room: SHORT,
            answers: Vec::new(),
            answer_room: SHORT,
            places: FEWEST,
            learnt: 0,
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
        self.hash = 0;
    }

    /// It depends on this, too.
    #[inline]
    pub(crate) fn add(&mut self, part: u64) {
        self.key.push(part);
        let mixed = (self.hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.hash = mixed ^ mixed >> 32;
    }

    /// It depends on these, too.
    #[inline]
    pub(crate) fn add_all(&mut self, mut parts: impl Iterator<Item = u32>) {
        while let Some(part) = parts.next() {
            let next = parts.next().unwrap_or(0);
            self.add(u64::from(part) | u64::from(next) << 32);
        }
    }

    /// Whether the answer to the question, to which nothing is added any more, is known.
    #[inline]
    pub(crate) fn is_known(&mut self) -> bool {
        self.key[0] = self.key.len() as u64;
        let known = &self.keys[self.place() * self.key_room..][..self.key_room];
        known.starts_with(&self.key)
    }

    /// The answer to the question: ample sets, and who may sleep behind each step.
    pub(crate) fn learn(
        &mut self,
        sets: impl Iterator<Item = PidSet>,
        sleepers: impl Iterator<Item = PidSet>,
    ) {
        let mut answer = vec![PidSet::EMPTY];
        answer.extend(sets);
        answer[0] = PidSet(answer.len() as u64 - 1);
        let end = answer.len();
        answer.push(PidSet::EMPTY);
        answer.extend(sleepers);
        answer[end] = PidSet((answer.len() - end - 1) as u64);
        self.make_room(answer.len());
        let place = self.place();
        self.keys[place * self.key_room..][..self.key.len()].copy_from_slice(&self.key);
        self.answers[place * self.answer_room..][..answer.len()].copy_from_slice(&answer);
    }

    /// Make room for one more answer of so many words.
    fn make_room(&mut self, words: usize) {
        let mut is_small = false;
        for (room, needed) in [
            (&mut self.key_room, self.key.len()),
            (&mut self.answer_room, words),
        ] {
            is_small |= needed > *room;
            *room = (*room).max(needed.next_multiple_of(8));
        }
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
        self.keys = vec![0; self.places * self.key_room];
        self.answers = vec![PidSet::EMPTY; self.places * self.answer_room];
    }

    #[inline]
    fn place(&self) -> usize {
        self.hash as usize & (self.places - 1)
    }

    #[inline]
    fn answer(&self) -> &[PidSet] {
        &self.answers[self.place() * self.answer_room..][..self.answer_room]
    }

    /// The ample sets.
    #[inline]
    pub(crate) fn sets(&self) -> &[PidSet] {
        let answer = self.answer();
        &answer[1..=answer[0].0 as usize]
    }

    /// Who may sleep behind each step.
    #[inline]
    pub(crate) fn sleepers(&self) -> &[PidSet] {
        let answer = self.answer();
        let rest = &answer[1 + answer[0].0 as usize..];
        &rest[1..=rest[0].0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question of several words, and its answer.
    fn ask(memo: &mut Memo, number: u64) -> (bool, PidSet) {
        memo.begin();
        for part in 0..1 + number % 40 {
            memo.add(number ^ part);
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
