//! The rows of a node: looking ahead along them, and keeping those that cannot only be counted.

use space::{Control, Expansion, NextState, Pid, PidSet, Row};

use super::{Policy, Position};
use crate::accounting::Accounting;
use crate::path::{DeferredCounts, Rest};
use crate::pending::{Lookahead, PendingStack};

/// Chains are no longer than this.
pub(crate) const LONGEST: u8 = 200;
/// The steps of all processes are taken.
pub(crate) const ALL: PidSet = PidSet(u64::MAX);

/// The rows of a node from a number on.
///
/// A row into an atomic sequence is followed as long as there is but one way to go, and
/// nothing to notice: such a *chain* costs no more than the expansions, and its end can be
/// looked up together with the other successors. The vector and the control of the row are
/// then those of the end.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) found: Expansion,
    /// What is known about each row from `from` on.
    pub(super) lookahead: Vec<Lookahead>,
    /// The first row that counts.
    pub(super) from: usize,
    /// The node: its number on the path, and its level.
    pub(super) node: u64,
    pub(super) level: u64,
    /// Whose steps are taken.
    pub(super) taken: PidSet,
    /// Whether atomic sequences are followed.
    follows: bool,
    /// Which rows are prepared. Only where ample sets are taken.
    ready: Vec<bool>,
    /// The nodes of a chain, as far as they have rows.
    chain: Expansion,
}

impl Rows {
    /// Nothing is known yet about the rows of the node that was expanded.
    #[inline]
    pub(super) fn begin<P: Policy>(&mut self, position: &Position<'_, P>, control: Control) {
        let many = control == Control::Free || self.found.rows.len() > 1;
        self.follows = many && self.level + u64::from(LONGEST) + 4 < position.bound;
        self.taken = ALL;
        self.lookahead.clear();
        self.lookahead
            .resize(self.found.rows.len(), Lookahead::default());
        if P::REDUCES {
            self.ready.clear();
            self.ready.resize(self.found.rows.len(), false);
        }
    }

    /// Whether a row is taken.
    #[inline]
    pub(super) fn takes(&self, row: &Row) -> bool {
        self.taken == ALL || row.has(Row::OFFER) || self.taken.has(Pid(row.pid))
    }

    /// Ask for the memory of all free successors that are taken, a chain further on too.
    #[inline]
    pub(super) fn prepare<M: NextState, P: Policy>(
        &mut self,
        model: &mut M,
        position: &mut Position<'_, P>,
    ) {
        for number in self.from..self.found.rows.len() {
            let mut row = self.found.rows[number];
            if P::REDUCES {
                if self.ready[number] || !self.takes(&row) {
                    continue;
                }
                self.ready[number] = true;
            }
            let mut lookahead = Lookahead::default();
            if row.has(Row::EXCLUSIVE) && self.follows {
                lookahead.chain = self.follow::<M, P>(model, &mut position.accounting, number);
                row = self.found.rows[number];
            }
            if !row.has(Row::EXCLUSIVE | Row::OFFER | Row::FAULT) {
                let child = &self.found.vector(&row)[position.hidden_len..];
                lookahead.key = position.policy.prepare(child);
            }
            self.lookahead[number] = lookahead;
        }
    }

    /// Take the steps of others.
    pub(super) fn take<M: NextState, P: Policy>(
        &mut self,
        taken: PidSet,
        model: &mut M,
        position: &mut Position<'_, P>,
    ) {
        self.taken = taken;
        self.prepare(model, position);
        self.touch(position);
    }

    /// Whether the chosen rows satisfy the proviso: no process is postponed indefinitely.
    pub(super) fn satisfies_proviso<P: Policy>(&self, position: &mut Position<'_, P>) -> bool {
        let steps = || self.found.rows.iter().filter(|row| !row.has(Row::OFFER));
        let left_out = steps()
            .filter(|row| !self.takes(row))
            .fold(PidSet::EMPTY, |all, row| {
                PidSet(all.0 | PidSet::only(Pid(row.pid)).0)
            });
        let rows = self.found.rows.iter().zip(&self.lookahead);
        rows.filter(|(row, _)| self.takes(row))
            .filter(|(row, _)| !row.has(Row::EXCLUSIVE | Row::OFFER | Row::FAULT))
            .any(|(row, lookahead)| {
                let state = &self.found.vector(row)[position.hidden_len..];
                position
                    .policy
                    .satisfies_proviso(state, lookahead.key, left_out)
            })
    }

    /// Go along the chain behind a row, and let the row lead to its end. Returns its length.
    ///
    /// Only a node with a choice or a free one is the start of a chain, so that an endless
    /// sequence goes on node by node some time, and is noticed. What was never executed is a reason
    /// to go node by node, too, unless the proviso asks where the sequence ends: then it is noted
    /// here that it can be.
    fn follow<M: NextState, P: Policy>(
        &mut self,
        model: &mut M,
        accounting: &mut Accounting<'_>,
        number: usize,
    ) -> u8 {
        let first = self.found.rows[number];
        if first.has(Row::OFFER | Row::VIOLATION | Row::FAULT) {
            return 0;
        }
        self.chain.clear();
        self.chain.push(first, self.found.vector(&first));
        let mut length = 0;
        while length < LONGEST {
            match self.leap::<M, P>(model, accounting, LONGEST - length) {
                0 => break,
                steps => length += steps,
            }
        }
        accounting.work(usize::from(length), first.len as usize);
        if let Some(end) = self.chain.rows.last().filter(|_| length > 0) {
            let start = self.found.bytes.len() as u32;
            self.found.bytes.extend_from_slice(self.chain.vector(end));
            let row = &mut self.found.rows[number];
            (row.start, row.len, row.owner) = (start, end.len, end.owner);
            row.flags = first.flags & Row::HANDSHAKE | end.flags & Row::EXCLUSIVE;
        }
        length
    }

    /// Append to the chain the end of the only way to go on from its last row, up to so many steps.
    /// How many these are: none if there are several ways, or something to notice.
    fn leap<M: NextState, P: Policy>(
        &mut self,
        model: &mut M,
        accounting: &mut Accounting<'_>,
        most: u8,
    ) -> u8 {
        let chain = &mut self.chain;
        let at = chain.rows.len() - 1;
        if !chain.rows[at].has(Row::EXCLUSIVE) {
            return 0;
        }
        for most in [most, 1] {
            model.leap(at, u64::from(most), chain);
            let passed = chain.passed.steps;
            if let [row] = chain.rows[at + 1..]
                && row.flags & !(Row::EXCLUSIVE | Row::CHAINED) == 0
                && (P::REDUCES
                    || accounting.has_executed(&row) && accounting.has_passed(&chain.passed))
            {
                if P::REDUCES {
                    accounting.execute(&row);
                    accounting.pass(&mut chain.passed);
                }
                // What else is noted there was executed by now, and may stay.
                chain.passed.steps = 0;
                return passed as u8 + 1;
            }
            chain.rows.truncate(at + 1);
            chain.violations.clear();
            chain.passed.clear();
            if passed == 0 {
                break;
            }
        }
        0
    }

    /// Ask for what else looking the successors up will need.
    #[inline]
    pub(super) fn touch<P: Policy>(&mut self, position: &Position<'_, P>) {
        for (row, lookahead) in self.found.rows[self.from..]
            .iter()
            .zip(&mut self.lookahead[self.from..])
        {
            let taken = !P::REDUCES || self.taken == ALL || self.taken.has(Pid(row.pid));
            if taken && !row.has(Row::EXCLUSIVE | Row::OFFER | Row::FAULT) {
                position.policy.touch(&mut lookahead.key);
            }
        }
    }

    /// Count those without anything to notice, and keep the others. None are kept if some
    /// break a property: these are found again.
    #[inline]
    pub(super) fn keep<P: Policy>(
        &self,
        position: &Position<'_, P>,
        pending: &mut PendingStack,
    ) -> Rest {
        let bottom = pending.len();
        let mut known = DeferredCounts::default();
        for number in (self.from..self.found.rows.len()).rev() {
            let row = self.found.rows[number];
            if P::REDUCES && !self.takes(&row) {
                continue;
            }
            if row.has(Row::VIOLATION | Row::FAULT) {
                pending.truncate(bottom);
                return Rest::More;
            }
            if row.has(Row::OFFER) && self.changes_nothing(position) {
                continue;
            }
            if self.leads_nowhere(position, number) {
                known += DeferredCounts::one(self.lookahead[number].chain);
                continue;
            }
            let is_last = pending.len() == bottom;
            if let Some(behind) = pending.top().filter(|_| !is_last) {
                behind.before = known;
            }
            let child = self.found.vector(&row);
            pending.push(self.node, number as u32, row, child, self.lookahead[number]);
            if let Some(top) = pending.top().filter(|_| is_last) {
                top.is_last = true;
                top.after = known;
            }
            known = DeferredCounts::default();
        }
        if pending.len() == bottom {
            return Rest::Known(known);
        }
        if let Some(top) = pending.top() {
            top.before = known;
        }
        Rest::More
    }

    /// Whether an offer leaves the counts as they are.
    fn changes_nothing<P: Policy>(&self, position: &Position<'_, P>) -> bool {
        !position.is_next_to_bound(self.level) && self.level < position.accounting.statistics.depth
    }

    /// Whether the only thing to do about a row is to count a known state.
    #[inline]
    fn leads_nowhere<P: Policy>(&self, position: &Position<'_, P>, number: usize) -> bool {
        let row = &self.found.rows[number];
        let Lookahead { key, chain } = self.lookahead[number];
        // The last level inside the chain.
        let level = self.level + u64::from(chain);
        P::STAYS_KNOWN
            && !row.has(Row::EXCLUSIVE | Row::OFFER)
            && !position.is_next_to_bound(level)
            && (chain == 0 || level + 1 < position.accounting.statistics.depth)
            && position.accounting.has_executed(row)
            && {
                let child = &self.found.vector(row)[position.hidden_len..];
                position.policy.is_known(child, key)
            }
    }
}
