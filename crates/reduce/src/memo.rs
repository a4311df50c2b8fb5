//! What was found in states that look the same to a reducer.
//!
//! Which sets of processes are ample depends on where the processes are and on which steps they
//! have, and many states agree in that.

use space::PidSet;

/// So many answers are kept at first, and at most.
const FEWEST: usize = 1 << 10;
const MOST: usize = 1 << 16;

/// Answers by what they depend on.
pub(crate) struct Memo {
    /// What the question in hand depends on, and a hash of it.
    key: Vec<u64>,
    hash: u64,
    entries: Vec<Entry>,
    /// How many answers were filled in since there were twice as many places.
    learnt: usize,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    key: Vec<u64>,
    sets: Vec<PidSet>,
    sleepers: Vec<PidSet>,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            key: Vec::new(),
            hash: 0,
            entries: vec![Entry::default(); FEWEST],
            learnt: 0,
        }
    }
}

impl Memo {
    /// Another question.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.key.clear();
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

    #[inline]
    fn place(&self) -> usize {
        self.hash as usize & (self.entries.len() - 1)
    }

    /// Whether the answer is known.
    #[inline]
    pub(crate) fn is_known(&self) -> bool {
        self.entries[self.place()].key == self.key
    }

    /// The answer is to be filled in: ample sets, and who may sleep behind each step.
    pub(crate) fn learn(&mut self) -> (&mut Vec<PidSet>, &mut Vec<PidSet>) {
        self.learnt += 1;
        if self.learnt > self.entries.len() && self.entries.len() < MOST {
            self.learnt = 0;
            self.entries = vec![Entry::default(); 2 * self.entries.len()];
        }
        let place = self.place();
        let entry = &mut self.entries[place];
        entry.key.clone_from(&self.key);
        entry.sets.clear();
        entry.sleepers.clear();
        (&mut entry.sets, &mut entry.sleepers)
    }

    /// Who may sleep behind each step.
    #[inline]
    pub(crate) fn sleepers(&self) -> &[PidSet] {
        &self.entries[self.place()].sleepers
    }

    /// The ample sets.
    #[inline]
    pub(crate) fn sets(&self) -> &[PidSet] {
        &self.entries[self.place()].sets
    }
}
