//! Looking ahead: which rows of a node are worth keeping, and what will be needed soon.

use std::ops::ControlFlow;

use space::{Control, Expansion, NextState, Row};
use store::Key;

use super::{DepthFirst, Here, Policy};
use crate::Completion;
use crate::path::Rest;
use crate::pending::PendingStack;

/// How many nodes of the path are expanded again together.
const NODES: usize = 16;
/// How far down the path they are looked for.
const REACH: usize = 64;

/// A node of the path that is expanded again.
#[derive(Debug, Default)]
pub(super) struct Again {
    found: Expansion,
    keys: Vec<Key>,
    vector: Vec<u8>,
    control: Control,
    level: u64,
    /// Its number on the path.
    node: u64,
    /// The first row that was not taken.
    from: usize,
}

/// The rows of a node from a number on.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) found: &'a Expansion,
    pub(super) keys: &'a [Key],
    pub(super) from: usize,
    /// The node: its number on the path, and its level.
    pub(super) node: u64,
    pub(super) level: u64,
}

impl Rows<'_> {
    /// Count those without anything to notice, and keep the others. None are kept if some
    /// break a property: these are found again.
    #[inline]
    pub(super) fn keep<P: Policy>(self, here: &Here<'_, P>, pending: &mut PendingStack) -> Rest {
        let bottom = pending.len();
        let mut known = 0;
        for number in (self.from..self.found.rows.len()).rev() {
            let row = self.found.rows[number];
            if row.has(Row::VIOLATION | Row::FAULT) {
                pending.truncate(bottom);
                return Rest::More;
            }
            if row.has(Row::OFFER) && self.changes_nothing(here) {
                continue;
            }
            if self.leads_nowhere(here, number) {
                known += 1;
                continue;
            }
            let is_last = pending.len() == bottom;
            if let Some(behind) = pending.top().filter(|_| !is_last) {
                behind.known_before = known;
            }
            let child = self.found.vector(&row);
            pending.push(self.node, number as u32, row, child, self.keys[number]);
            if let Some(top) = pending.top().filter(|_| is_last) {
                top.is_last = true;
                top.known_after = known;
            }
            known = 0;
        }
        if pending.len() == bottom {
            return Rest::Known(u64::from(known));
        }
        if let Some(top) = pending.top() {
            top.known_before = known;
        }
        Rest::More
    }

    /// Whether an offer leaves the figures as they are.
    fn changes_nothing<P: Policy>(&self, here: &Here<'_, P>) -> bool {
        !here.is_next_to_bound(self.level) && self.level < here.tally.figures.depth
    }

    /// Whether the only thing to do about a row is to count a known state.
    #[inline]
    fn leads_nowhere<P: Policy>(&self, here: &Here<'_, P>, number: usize) -> bool {
        let row = &self.found.rows[number];
        P::STAYS_KNOWN
            && !row.has(Row::EXCLUSIVE | Row::OFFER)
            && !here.is_next_to_bound(self.level)
            && here.tally.has_executed(row)
            && {
                let child = &self.found.vector(row)[here.hidden_len..];
                here.policy.is_known(child, self.keys[number])
            }
    }
}

impl<M: NextState, P: Policy> DepthFirst<'_, M, P> {
    /// Expand the current node again, whose rows before `from` are done, and some before it
    /// on the path that will have their turn soon, and make their rows pending. Looking all
    /// their successors up together is much faster than node by node.
    #[cold]
    pub(super) fn expand_again(&mut self, from: usize) -> Result<(), Completion> {
        let count = self.find_unfinished(from)?;
        let DepthFirst {
            model,
            here,
            order,
            pending,
            again,
            ..
        } = self;
        for again in &mut again[..count] {
            let Again { found, vector, .. } = again;
            order.expand(*model, vector, again.control, found);
            here.tally.work(found.rows.len(), vector.len());
            prepare_rows(&mut *here, vector, found, again.from, &mut again.keys);
        }
        for again in again[..count].iter().rev() {
            let rows = Rows {
                found: &again.found,
                keys: &again.keys,
                from: again.from,
                node: again.node,
                level: again.level,
            };
            if let Rest::Known(known) = rows.keep(here, pending) {
                pending.push_done(again.node, known as u32);
            }
        }
        pending.trim();
        Ok(())
    }

    /// Find the current node and those before it that are not finished. How many there are.
    fn find_unfinished(&mut self, from: usize) -> Result<usize, Completion> {
        let DepthFirst {
            here,
            pending,
            again,
            ..
        } = self;
        again.resize_with(NODES, Again::default);
        let (mut level, mut node) = (here.level, here.path.len());
        again[0].begin(&here.vector, here.control, level, node, from);
        let (mut count, mut seen) = (1, 0);
        let mut vector = here.vector.clone();
        let looked = here.path.look_back(&mut vector, |link, before| {
            level -= link.levels;
            node -= 1;
            seen += 1;
            if count == NODES || seen == REACH || pending.belongs_to(node) {
                return ControlFlow::Break(());
            }
            if link.rest == Rest::More {
                again[count].begin(before, link.control, level, node, link.row as usize + 1);
                count += 1;
            }
            ControlFlow::Continue(())
        });
        looked.map_err(|error| here.tally.give_up(&error))?;
        Ok(count)
    }
}

impl Again {
    fn begin(&mut self, vector: &[u8], control: Control, level: u64, node: u64, from: usize) {
        self.vector.clear();
        self.vector.extend_from_slice(vector);
        self.control = control;
        self.level = level;
        self.node = node;
        self.from = from;
    }
}

/// Ask for the memory of all free successors of a node from a row on.
#[inline]
pub(super) fn prepare_rows<P: Policy>(
    here: &mut Here<'_, P>,
    vector: &[u8],
    found: &Expansion,
    from: usize,
    keys: &mut Vec<Key>,
) {
    let hidden_len = here.hidden_len;
    here.policy.focus(&vector[hidden_len..]);
    keys.clear();
    keys.resize(from, Key::default());
    for row in &found.rows[from..] {
        keys.push(if row.has(Row::EXCLUSIVE | Row::OFFER | Row::FAULT) {
            Key::default()
        } else {
            here.policy.prepare(&found.vector(row)[hidden_len..])
        });
    }
}
