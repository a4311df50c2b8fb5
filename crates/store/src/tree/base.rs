//! The tree of one state, to be changed step by step.

use super::cut::Cut;
use super::nodes::Nodes;

/// The tree of a state that others are compared with.
///
/// A tree over `w` leaves, a power of two and at least 2, is a heap: node `i` has the children
/// `2i` and `2i + 1`, the leaves are the nodes from `w` to `2w - 1` (leaf `i` is word `i` of
/// the state), and the root is node 1.
///
/// Invariant: `numbers[i]`, for `i` from 2 on, is the number of node `i` of the tree over
/// `words`.
#[derive(Debug)]
pub(super) struct Base {
    words: Vec<u64>,
    numbers: Vec<u32>,
    /// The nodes that are being changed, with their numbers before.
    changed: Vec<(u32, u32)>,
}

impl Base {
    /// The tree over words of 0, all of whose nodes have number 0.
    pub(super) fn new(width: usize) -> Base {
        Base {
            words: vec![0; width],
            numbers: vec![0; 2 * width],
            changed: Vec::new(),
        }
    }

    /// The numbers of the two children of the root of a state's tree. With `stay` the base
    /// remains what it is, otherwise it becomes the tree of the state.
    #[inline]
    pub(super) fn root(&mut self, state: &[u8], nodes: &mut Nodes, stay: bool) -> (u32, u32) {
        let width = self.words.len();
        self.changed.clear();
        let cut = Cut::new(state.len(), width);
        // From the last to the first, see below.
        for i in (0..width).rev() {
            self.change(i, cut.word(state, i), stay);
        }
        // A queue from which nodes come in falling order: the leaves were put in so, the
        // parents follow in the order of their children and are below all leaves. So both
        // children of a node come before it, and equal parents come one after the other.
        let leaves = self.changed.len();
        let mut at = 0;
        while let Some(&(node, _)) = self.changed.get(at) {
            let i = node as usize;
            let word = if at < leaves {
                cut.word(state, i - width)
            } else {
                u64::from(self.numbers[2 * i]) << 32 | u64::from(self.numbers[2 * i + 1])
            };
            self.changed[at].1 = self.numbers[i];
            self.numbers[i] = nodes.intern(word);
            let parent = node / 2;
            if parent > 1 && self.changed.last().is_none_or(|&(last, _)| last != parent) {
                self.changed.push((parent, 0));
            }
            at += 1;
        }
        let root = (self.numbers[2], self.numbers[3]);
        if stay {
            for &(node, before) in &self.changed {
                self.numbers[node as usize] = before;
            }
        }
        root
    }

    /// Compare a word with that of the base.
    #[inline(always)]
    fn change(&mut self, i: usize, word: u64, stay: bool) {
        if self.words[i] != word {
            self.changed.push(((self.words.len() + i) as u32, 0));
            if !stay {
                self.words[i] = word;
            }
        }
    }
}
