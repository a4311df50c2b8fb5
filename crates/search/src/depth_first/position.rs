//! Where a depth-first search is, and what it takes to go on from there.

use space::{Control, Row};
use store::Key;

use super::{Policy, Visit};
use crate::Completion;
use crate::accounting::Accounting;
use crate::path::{DeferredCounts, Link, Path, Rest};
use crate::pending::Lookahead;

/// The node where the search is, how it came there, and the accounting.
///
/// Invariant: `control` and `level` are those of the last node of the path.
pub(crate) struct Position<'a, P> {
    pub(crate) policy: P,
    pub(crate) accounting: Accounting<'a>,
    pub(crate) path: Path,
    pub(crate) control: Control,
    pub(crate) level: u64,
    pub(crate) bound: u64,
    pub(super) hidden_len: usize,
}

impl<P: Policy> Position<'_, P> {
    /// Take the step of a row and the chain behind it. Whether the node it leads to is to be
    /// entered.
    #[inline]
    pub(super) fn admit(
        &mut self,
        row: &Row,
        child: &[u8],
        lookahead: Lookahead,
    ) -> Result<bool, Completion> {
        if row.has(Row::HANDSHAKE) && self.level + 1 >= self.bound {
            // Its middle is too deep: counted with the offer.
            self.accounting.reached[row.transition as usize] = true;
            return Ok(false);
        }
        self.accounting.execute(row);
        let chain = u64::from(lookahead.chain);
        self.accounting.statistics.atomic_steps += chain + u64::from(row.has(Row::EXCLUSIVE));
        let level = self.level + row.levels() + chain;
        if level >= self.bound {
            self.cut(row, child, lookahead.key);
            return Ok(false);
        }
        if chain > 0 {
            self.accounting.reach(level - 1);
        }
        if row.has(Row::EXCLUSIVE) {
            return self.admit_exclusive(row, child, lookahead.chain);
        }
        Ok(self.visit(child, lookahead.key, level))
    }

    /// Come to a state. Whether it is to be explored.
    #[inline]
    fn visit(&mut self, vector: &[u8], key: Key, level: u64) -> bool {
        let visited = self.policy.visit(&vector[self.hidden_len..], key, level);
        self.count(visited, vector.len())
    }

    #[inline]
    fn count(&mut self, visited: Visit, len: usize) -> bool {
        match visited {
            Visit::New => self.accounting.stored(len),
            Visit::Reexplore | Visit::Known => self.accounting.statistics.matched += 1,
        }
        visited != Visit::Known
    }

    /// Take the current node as a state. Whether it is to be explored.
    pub(super) fn enter(&mut self) -> bool {
        let vector = self.path.vector();
        let state = &vector[self.hidden_len..];
        let key = self.policy.prepare(state);
        let visited = self.policy.visit(state, key, self.level);
        let len = vector.len();
        let entered = self.count(visited, len);
        if entered {
            self.policy.enter();
        }
        entered
    }

    #[inline]
    fn admit_exclusive(&mut self, row: &Row, child: &[u8], chain: u8) -> Result<bool, Completion> {
        if self.accounting.config.depth.is_some() {
            return Ok(true);
        }
        let closely = self.accounting.statistics.endless_atomics > 0;
        let repeats = (self.path).repeats(child, row.control(), chain, self.control, closely);
        let repeats = repeats.map_err(|error| self.accounting.give_up(&error))?;
        self.accounting.statistics.endless_atomics += u64::from(repeats);
        Ok(!repeats)
    }

    /// The step of a row leads to a node that is too deep.
    #[cold]
    fn cut(&mut self, row: &Row, child: &[u8], key: Key) {
        let known = P::UP_TO_BOUND
            && !row.has(Row::EXCLUSIVE)
            && self.policy.is_known(&child[self.hidden_len..], key);
        if known {
            self.accounting.statistics.matched += 1;
        } else {
            self.accounting.truncate();
        }
    }

    /// Go to the child that a row and the chain behind it lead to.
    #[inline]
    pub(super) fn descend(&mut self, number: u32, row: &Row, child: &[u8], chain: u8, rest: Rest) {
        let link = Link {
            row: number,
            control: self.control,
            chain,
            levels: row.levels() + u64::from(chain),
            rest,
        };
        self.path.push(link, child);
        self.policy.descend(row);
        self.control = row.control();
        if self.control == Control::Free {
            self.policy.enter();
        }
        self.level += link.levels;
        self.accounting.reach(self.level);
    }

    /// Add the deferred counts of rows to known states, whose turn it is.
    #[inline]
    pub(super) fn add_deferred(&mut self, deferred: DeferredCounts) {
        self.accounting.statistics.matched += deferred.matched();
        self.accounting.statistics.atomic_steps += deferred.atomic_steps();
    }

    /// A send is ready. The middle of the handshake counts once for all partners, and
    /// without a partner too.
    pub(super) fn offer(&mut self) {
        if self.level + 1 >= self.bound {
            self.accounting.truncate();
        } else {
            self.accounting.reach(self.level + 1);
        }
    }

    /// Whether rows of a node at this level can meet the bound.
    #[inline]
    pub(super) fn is_next_to_bound(&self, level: u64) -> bool {
        level + 2 >= self.bound
    }

    /// The states prepared next are mostly successors of the current node.
    #[inline]
    pub(super) fn focus(&mut self) {
        self.policy.focus(&self.path.vector()[self.hidden_len..]);
    }
}
