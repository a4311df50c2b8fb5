//! The moves of a state: steps that lead to the next states, atomic sequences as a whole.
//!
//! A breadth-first search cannot queue nodes inside atomic sequences, because only states
//! are stored. From each state these nodes are explored depth first until they end in
//! states again: by a step out of the sequence, or where control is lost.

use std::io;

use space::{Control, Expansion, NextState, Row, Violation, ViolationKind};

use crate::path::{Link, Path, Rest};

/// What the moves of a state are told to.
pub(crate) trait Sink {
    /// Why to end early.
    type End;

    /// A node was expanded; `atomic` tells how many steps inside an atomic sequence.
    fn expanded(&mut self, rows: usize, len: usize, atomic: u64) -> Result<(), Self::End>;
    /// A step is executed.
    fn execute(&mut self, row: &Row);
    /// A move leads to this state. `inside` is the path of the move but for its last step,
    /// which is the row of number `last`, if control is not lost.
    fn state(&mut self, vector: &[u8], inside: &Path, last: Option<u32>) -> Result<(), Self::End>;
    /// A step, or the state itself, violates something.
    fn blame(&mut self, violation: Violation, row: Option<&Row>, inside: &Path);
    /// An atomic sequence has come back to where it was.
    fn repeat(&mut self);
    /// The path of a move cannot be read.
    fn give_up(&mut self, error: &io::Error) -> Self::End;
}

/// Explores the moves of states. Reused from state to state.
#[derive(Debug)]
pub(crate) struct Moves {
    found: Expansion,
    inner: Expansion,
    path: Path,
    vector: Vec<u8>,
}

impl Moves {
    pub(crate) fn new(in_memory: usize) -> Moves {
        Moves {
            found: Expansion::default(),
            inner: Expansion::default(),
            path: Path::new(in_memory),
            vector: Vec::new(),
        }
    }

    /// The most memory that was ever in use for the path of a move.
    pub(crate) fn peak_bytes(&self) -> usize {
        self.path.peak_bytes()
    }

    /// Tell all moves of a state, in order.
    #[inline]
    pub(crate) fn explore<M: NextState, S: Sink>(
        &mut self,
        model: &mut M,
        state: &[u8],
        sink: &mut S,
    ) -> Result<(), S::End> {
        model.expand(state, Control::Free, &mut self.found);
        sink.expanded(self.found.rows.len(), state.len(), 0)?;
        for number in 0..self.found.rows.len() {
            let row = self.found.rows[number];
            if row.has(Row::OFFER | Row::VIOLATION | Row::FAULT) {
                blame(&self.found, number, &self.path, sink);
                if !row.has_successor() {
                    continue;
                }
            }
            sink.execute(&row);
            let vector = self.found.vector(&row);
            if row.has(Row::EXCLUSIVE) {
                self.explore_atomic(model, state, number, sink)?;
            } else {
                sink.state(vector, &self.path, Some(number as u32))?;
            }
        }
        if !self.found.moved && !model.is_valid_end(state) {
            sink.blame(ViolationKind::InvalidEndState.into(), None, &self.path);
        }
        Ok(())
    }

    /// Explore depth first the atomic sequence that a row of the state leads into.
    fn explore_atomic<M: NextState, S: Sink>(
        &mut self,
        model: &mut M,
        state: &[u8],
        number: usize,
        sink: &mut S,
    ) -> Result<(), S::End> {
        let row = self.found.rows[number];
        let mut control = row.control();
        self.vector.clear();
        self.vector.extend_from_slice(self.found.vector(&row));
        let link = link(number, Control::Free, Rest::Known(0));
        self.path.push(link, state, &self.vector);
        let mut from = 0;
        loop {
            model.expand(&self.vector, control, &mut self.inner);
            sink.expanded(self.inner.rows.len(), self.vector.len(), self.path.len())?;
            if let Some(inside) = self.try_rows(control, from, sink)? {
                control = inside;
                from = 0;
                continue;
            }
            if !self.inner.moved {
                sink.state(&self.vector, &self.path, None)?;
            }
            match self.retreat().map_err(|error| sink.give_up(&error))? {
                None => return Ok(()),
                Some(link) => {
                    control = link.control;
                    from = link.row as usize + 1;
                }
            }
        }
    }

    /// Try the rows of an inner node from a number on, up to one that stays inside: who is
    /// in control there.
    fn try_rows<S: Sink>(
        &mut self,
        control: Control,
        from: usize,
        sink: &mut S,
    ) -> Result<Option<Control>, S::End> {
        let count = self.inner.rows.len();
        for number in from..count {
            let row = self.inner.rows[number];
            if row.has(Row::OFFER | Row::VIOLATION | Row::FAULT) {
                blame(&self.inner, number, &self.path, sink);
                if !row.has_successor() {
                    continue;
                }
            }
            sink.execute(&row);
            let child = self.inner.vector(&row);
            if !row.has(Row::EXCLUSIVE) {
                sink.state(child, &self.path, Some(number as u32))?;
                continue;
            }
            let here = (&self.vector[..], control);
            let repeats = self.path.repeats(child, row.control(), here);
            if repeats.map_err(|error| sink.give_up(&error))? {
                sink.repeat();
                continue;
            }
            let rest = match number + 1 == count {
                true => Rest::Known(0),
                false => Rest::More,
            };
            self.path
                .push(link(number, control, rest), &self.vector, child);
            self.vector.clear();
            self.vector.extend_from_slice(child);
            return Ok(Some(row.control()));
        }
        Ok(None)
    }

    /// Go back to the last node of the path with rows left, if there is any.
    fn retreat(&mut self) -> io::Result<Option<Link>> {
        while let Some(link) = self.path.pop(&mut self.vector)? {
            if link.rest == Rest::More {
                return Ok(Some(link));
            }
        }
        Ok(None)
    }
}

/// Levels do not matter here.
fn link(number: usize, control: Control, rest: Rest) -> Link {
    Link {
        row: number as u32,
        control,
        levels: 1,
        rest,
    }
}

#[cold]
fn blame<S: Sink>(found: &Expansion, number: usize, inside: &Path, sink: &mut S) {
    for violation in found.violations_of(number) {
        sink.blame(violation, Some(&found.rows[number]), inside);
    }
}
