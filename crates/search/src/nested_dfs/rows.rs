//! The rows of a node: looking them up, and keeping those that cannot only be counted.

use space::{Acceptance, Control, Expansion, Mark, Row};
use store::Key;

use super::Position;
use crate::colours::Colours;
use crate::move_marks::mark;
use crate::unfold::Unfold;
use crate::waiting::{Entry, Waiting};

/// What a row has that does not lead to a state.
pub(super) const STATELESS: u8 = Row::EXCLUSIVE | Row::OFFER | Row::FAULT;

/// The rows of a node from a number on.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) found: Expansion,
    /// What was worked out about the state of each row.
    keys: Vec<Key>,
    /// The first row that counts.
    pub(super) from: usize,
    /// The node: its number on the path, and its level.
    pub(super) node: usize,
    level: u64,
    /// Whether the second search expanded it.
    second: bool,
}

impl Rows {
    /// Expand the current node, and ask for the memory of its successors from a row on.
    #[inline]
    pub(super) fn expand<M: Acceptance, C: Colours, U: Unfold>(
        &mut self,
        model: &mut M,
        position: &mut Position<'_, C, U>,
        from: usize,
    ) {
        (self.from, self.level) = (from, position.level);
        self.node = position.frames.len() - 1;
        self.second = position.root.is_some();
        let frame = position.top();
        (frame.more, frame.after) = (false, 0);
        let control = frame.control;
        let vector = position.path.vector();
        let order = position.accounting.config.order;
        order.expand(model, vector, control, &mut self.found);
        position
            .accounting
            .work(self.found.rows.len(), vector.len());
        position.colours.focus(&vector[position.hidden_len..]);
        self.prepare(position);
        if control == Control::Free {
            self.weigh(position);
        }
    }

    #[inline]
    fn prepare<C: Colours, U: Unfold>(&mut self, position: &mut Position<'_, C, U>) {
        self.keys.clear();
        self.keys.resize(self.from, Key::default());
        for row in &self.found.rows[self.from..] {
            self.keys.push(match row.has(STATELESS) {
                true => Key::default(),
                false => {
                    let state = &self.found.vector(row)[position.hidden_len..];
                    position.colours.key(state, self.second)
                }
            });
        }
        // One after the other, with nothing between: see `StateStore::fetch`.
        let rows = &self.found.rows[self.from..];
        for (row, key) in rows.iter().zip(&self.keys[self.from..]) {
            if !row.has(STATELESS) {
                position.colours.fetch(*key, self.second);
            }
        }
    }

    /// Ask for what else looking the successors up will need.
    #[inline]
    pub(super) fn touch<C: Colours, U: Unfold>(&mut self, position: &Position<'_, C, U>) {
        let rows = &self.found.rows[self.from..];
        for (row, key) in rows.iter().zip(&mut self.keys[self.from..]) {
            if !row.has(STATELESS) {
                position.colours.touch(key, self.second);
            }
        }
    }

    /// Begin the moves of the current node, a state.
    fn weigh<C: Colours, U: Unfold>(&self, position: &mut Position<'_, C, U>) {
        let gathered = position.unfold.begin(&self.found.rows);
        let step = self.found.rows.iter().position(Row::has_successor);
        // Where states are accepting, any step tells.
        let accepts =
            position.by_states && step.is_some_and(|step| self.is_accepting(position, step));
        let top = position.top();
        top.gathered = gathered;
        top.accepts = accepts;
        let id = top.id;
        if accepts {
            position.colours.accept(id);
        }
        let level = position.level + position.claim_levels;
        if level < position.bound && step.is_some() {
            position.accounting.reach(level);
        }
    }

    /// Whether the step of a row is accepting as the first one of a move.
    fn is_accepting<C, U: Unfold>(&self, position: &Position<'_, C, U>, number: usize) -> bool {
        let row = &self.found.rows[number];
        let nothing = U::Gathered::default();
        let gathered = (position.unfold).add(nothing, row, mark(&self.found, number));
        let behind = position.unfold.behind(0, &gathered);
        behind.is_some_and(|(_, accepting)| accepting)
    }

    /// A row with all that is known about it.
    #[inline]
    pub(super) fn entry(&self, number: usize) -> Entry<Mark> {
        Entry {
            row: self.found.rows[number],
            marks: mark(&self.found, number),
            key: self.keys[number],
            number: number as u32,
            skipped: 0,
            node: self.node as u32,
        }
    }

    /// Let the rows that were not tried wait, but those that are only to be counted.
    #[inline]
    pub(super) fn keep<C: Colours, U: Unfold>(
        &self,
        position: &mut Position<'_, C, U>,
        waiting: &mut Waiting<Mark>,
    ) {
        let mut last: Option<Entry<Mark>> = None;
        let mut skipped = 0;
        let mut after = 0;
        for number in (self.from..self.found.rows.len()).rev() {
            let entry = self.entry(number);
            if self.is_only_counted(position, &entry) {
                skipped += 1;
                continue;
            }
            // Rows are kept from the last one on: now the one before it is known.
            match last.replace(entry) {
                Some(entry) => waiting.push(Entry { skipped, ..entry }, self.vector(&entry.row)),
                None => after = skipped,
            }
            skipped = 0;
        }
        match last {
            Some(entry) => waiting.push(Entry { skipped, ..entry }, self.vector(&entry.row)),
            None => after = skipped,
        }
        waiting.trim();
        let frame = &mut position.frames[self.node];
        (frame.more, frame.after) = (last.is_some(), after);
    }

    /// The vector of a row, if it has one.
    #[inline]
    fn vector(&self, row: &Row) -> &[u8] {
        match row.has_successor() {
            true => self.found.vector(row),
            false => &[],
        }
    }

    /// Whether the only thing to do about a row is to count a known state.
    #[inline]
    fn is_only_counted<C: Colours, U: Unfold>(
        &self,
        position: &mut Position<'_, C, U>,
        entry: &Entry<Mark>,
    ) -> bool {
        let row = &entry.row;
        !row.has(STATELESS | Row::VIOLATION)
            && self.level + 2 < position.bound
            && position.accounting.has_executed(row)
            && position.needs_only_counting(self.node, entry, self.found.vector(row), self.second)
    }
}
