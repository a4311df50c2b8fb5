//! The rows of a node: looking them up, and keeping those worth it.

use space::{Acceptance, Control, Mark, Row};
use store::Key;

use super::Nested;
use crate::colours::Colours;
use crate::unfold::Unfold;
use crate::waiting::Entry;
use crate::worth::mark;

impl<M: Acceptance, C: Colours, U: Unfold> Nested<'_, M, C, U> {
    /// Expand the current node. Its rows from a number on wait then.
    pub(super) fn expand(&mut self, from: usize) {
        let second = self.root.is_some();
        let node = self.frames.len() - 1;
        let control = self.frames[node].control;
        let vector = self.path.vector();
        let order = self.tally.config.order;
        order.expand(self.model, vector, control, &mut self.found);
        self.tally.work(self.found.rows.len(), vector.len());
        self.colours.focus(&vector[self.hidden_len..]);
        self.keys.clear();
        for row in &self.found.rows {
            let is_state = !row.has(Row::EXCLUSIVE | Row::OFFER | Row::FAULT);
            self.keys.push(match is_state {
                true => {
                    let state = &self.found.vector(row)[self.hidden_len..];
                    self.colours.prepare(state, second)
                }
                false => Key::default(),
            });
        }
        if control == Control::Free {
            self.weigh();
            let level = self.level + self.model.claim_levels();
            if level < self.bound && self.found.rows.iter().any(Row::has_successor) {
                self.tally.reach(level);
            }
        }
        for (row, key) in self.found.rows.iter().zip(&mut self.keys) {
            if !row.has(Row::EXCLUSIVE | Row::OFFER | Row::FAULT) {
                self.colours.touch(key, second);
            }
        }
        self.wait(from, second);
    }

    /// Begin the moves of the current node, a state that was just expanded.
    pub(super) fn weigh(&mut self) {
        let gathered = self.unfold.begin(&self.found.rows);
        let by_states = self.by_states;
        let accepts = by_states && (0..self.found.rows.len()).any(|row| self.is_accepting(row));
        let top = self.top();
        top.gathered = gathered;
        top.accepts = accepts;
        if accepts {
            let id = top.id;
            self.colours.accept(id);
        }
    }

    /// Whether the step of a row is accepting as the first one of a move.
    pub(super) fn is_accepting(&self, number: usize) -> bool {
        let row = &self.found.rows[number];
        let nothing = U::Gathered::default();
        let gathered = (self.unfold).add(nothing, row, mark(&self.found, number));
        let behind = self.unfold.behind(0, &gathered);
        row.has_successor() && behind.is_some_and(|(_, accepting)| accepting)
    }

    /// Let the rows of the current node wait, from a number on.
    pub(super) fn wait(&mut self, from: usize, second: bool) {
        let node = self.frames.len() as u32 - 1;
        let mut last: Option<Entry<Mark>> = None;
        let mut skipped = 0;
        let mut after = 0;
        for number in (from..self.found.rows.len()).rev() {
            if !second && self.is_only_counted(number) {
                skipped += 1;
                continue;
            }
            // Rows are kept from the last one on: now the one before it is known.
            match last.take() {
                Some(entry) => self.keep(Entry { skipped, ..entry }),
                None => after = skipped,
            }
            skipped = 0;
            last = Some(Entry {
                row: self.found.rows[number],
                worth: mark(&self.found, number),
                key: self.keys[number],
                number: number as u32,
                skipped: 0,
                node,
            });
        }
        match last {
            Some(entry) => self.keep(Entry { skipped, ..entry }),
            None => after = skipped,
        }
        self.waiting.trim();
        let top = self.top();
        top.after = after;
        top.more = last.is_some();
    }

    pub(super) fn keep(&mut self, entry: Entry<Mark>) {
        let row = &self.found.rows[entry.number as usize];
        let vector = match row.has_successor() {
            true => self.found.vector(row),
            false => &[],
        };
        self.waiting.push(entry, vector);
    }

    /// Whether the only thing that the first search has to do about a row is to count a known
    /// state.
    pub(super) fn is_only_counted(&mut self, number: usize) -> bool {
        let row = &self.found.rows[number];
        let odd = Row::EXCLUSIVE | Row::OFFER | Row::FAULT | Row::VIOLATION;
        U::ONE_COPY
            && !row.has(odd)
            && self.level + 2 < self.bound
            && self.tally.has_executed(row)
            && !self.is_part_of_accepting(number)
            && {
                let state = &self.found.vector(row)[self.hidden_len..];
                self.colours.is_settled(state, self.keys[number])
            }
    }

    /// Whether the move that ends with the step of a row is accepting.
    pub(super) fn is_part_of_accepting(&self, number: usize) -> bool {
        let top = &self.frames[self.frames.len() - 1];
        let row = &self.found.rows[number];
        let gathered = (self.unfold).add(top.gathered, row, mark(&self.found, number));
        let behind = self.unfold.behind(top.copy, &gathered);
        behind.is_none_or(|(_, accepting)| accepting)
    }
}
