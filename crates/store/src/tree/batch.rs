//! The trees of many states, level by level.
//!
//! A look-up of a node waits for memory, and that of its parent waits for the number of the node.
//! In a batch all nodes of a level are asked for before the first of them is looked up, so that
//! many are waited for at once.

use super::cut::Cut;
use super::nodes::Nodes;
use super::{pair, width};

/// The longest states that have a bit for each word.
pub(super) const LONGEST: usize = 8 * u64::BITS as usize;

/// A state of the batch.
#[derive(Clone, Copy, Debug)]
struct Item {
    len: u32,
    /// The number of words.
    width: u32,
    /// Where its words begin, and the numbers of its nodes, a heap as in [`super::base`].
    words: u32,
    numbers: u32,
    /// Where the numbers of the tree begin that it is compared with; none: a tree of zeros.
    base: Option<u32>,
    /// The nodes of the level under way that differ from those of the base.
    changed: u64,
}

/// A node that is looked up: where its number goes, and what it holds.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    at: u32,
    word: u64,
}

/// The states, in the order in which they were added. Reused from batch to batch.
#[derive(Debug, Default)]
pub(super) struct Batch {
    items: Vec<Item>,
    words: Vec<u64>,
    numbers: Vec<u32>,
    wanted: Vec<Wanted>,
}

impl Batch {
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.words.clear();
        self.numbers.clear();
    }

    /// Add a state of at most [`LONGEST`] bytes, near to the one with this number, if there is one.
    pub(super) fn add(&mut self, state: &[u8], near: usize) {
        let width = width(state.len());
        let cut = Cut::new(state.len(), width);
        let (words, numbers) = (self.words.len(), self.numbers.len());
        self.words.extend((0..width).map(|i| cut.word(state, i)));
        self.numbers.resize(numbers + 2 * width, 0);
        let near = self.items.get(near);
        let near = near.filter(|near| near.width as usize == width);
        let changed = (0..width).fold(0, |changed, i| {
            let before = near.map_or(0, |near| self.words[near.words as usize + i]);
            changed | u64::from(self.words[words + i] != before) << i
        });
        self.items.push(Item {
            len: state.len() as u32,
            width: width as u32,
            words: words as u32,
            numbers: numbers as u32,
            base: near.map(|near| near.numbers),
            changed,
        });
    }

    /// Number the nodes of all trees.
    pub(super) fn number(&mut self, nodes: &mut Nodes) {
        let widest = self.items.iter().map(|item| item.width).max();
        let mut below = 0;
        while widest.unwrap_or(0) >> below >= 2 {
            self.ask(below, nodes);
            for wanted in &self.wanted {
                self.numbers[wanted.at as usize] = nodes.intern(wanted.word);
            }
            self.wanted.clear();
            self.complete(below);
            below += 1;
        }
    }

    /// Ask for the nodes of a level that changed; there are so many levels below it.
    fn ask(&mut self, below: u32, nodes: &Nodes) {
        for item in &self.items {
            let first = item.width >> below;
            let mut changed = if first < 2 { 0 } else { item.changed };
            while changed != 0 {
                let i = changed.trailing_zeros();
                changed &= changed - 1;
                let at = item.numbers + first + i;
                let word = match below {
                    0 => self.words[(item.words + i) as usize],
                    _ => {
                        let child = (item.numbers + 2 * (first + i)) as usize;
                        pair(self.numbers[child], self.numbers[child + 1], 32)
                    }
                };
                match nodes.find_recent(word) {
                    Some(number) => self.numbers[at as usize] = number,
                    None => {
                        nodes.prefetch(word);
                        self.wanted.push(Wanted { at, word });
                    }
                }
            }
        }
    }

    /// The nodes of a level that did not change are those of the base.
    fn complete(&mut self, below: u32) {
        for item in &mut self.items {
            let first = item.width >> below;
            if first < 2 {
                continue;
            }
            let mut parents = 0;
            for i in 0..first {
                if item.changed >> i & 1 != 0 {
                    parents |= 1 << (i / 2);
                } else if let Some(base) = item.base {
                    let number = self.numbers[(base + first + i) as usize];
                    self.numbers[(item.numbers + first + i) as usize] = number;
                }
            }
            item.changed = parents;
        }
    }

    /// For each state its length and the numbers of the two children of its root.
    pub(super) fn children(&self) -> impl Iterator<Item = (usize, (u32, u32))> {
        self.items.iter().map(|item| {
            let at = item.numbers as usize;
            (
                item.len as usize,
                (self.numbers[at + 2], self.numbers[at + 3]),
            )
        })
    }
}
