//! The product of a model and a claim.
//!
//! Claim and model move in turn, the claim first. A state of the product is a state of the
//! model together with one of the claim, before the claim moves. The claim does not move
//! inside atomic sequences and between the halves of a handshake; it does where an atomic
//! sequence blocks half-way. Where the claim cannot move, the execution is of no interest
//! and ends. Where the model cannot move, the claim goes on alone: a finite execution is
//! taken for one that repeats its last state for ever.
//!
//! The state of the claim lies in the vector of the model, in a place that no statement
//! touches ([`model::watch::make_room`]). So the model carries it along, and a row of the
//! model becomes one of the product by writing there.
//!
//! Follows: [003]'s product of a system and a never claim, with Spin's stutter extension.
//! Departs: Spin does not store the first state in which a claim goes on alone; here each
//! one is a state.
//!
//! Violations of the model itself are left out: a safety search reports them. A step that
//! fails leads nowhere, and [`Product::fault`] remembers that there was one.

use std::ops::Range;

use model::Sight;
use space::{
    Acceptance, Control, Expansion, Mark, NextState, Pid, Row, Step, TransitionId, Violation,
    ViolationKind,
};

use crate::{Claim, ClaimMove, Moves};

/// A step that leaves the model where it is.
pub(crate) const STUTTER: Step = Step {
    pid: Pid::NOBODY,
    transition: TransitionId::STUTTER,
    partner: None,
};

/// A model and a claim as one system.
pub struct Product<M, C> {
    model: M,
    claim: C,
    /// Where the state of the claim lies in a vector.
    slot: Slot,
    moves: Moves,
    vector: Vec<u8>,
    fault: Option<Violation>,
}

/// The place of a claim's state in a vector.
#[derive(Clone, Copy, Debug)]
struct Slot {
    offset: usize,
    wide: bool,
}

impl Slot {
    #[inline]
    fn read(self, vector: &[u8]) -> u32 {
        match self.wide {
            false => u32::from(vector[self.offset]),
            true => u32::from(u16::from_le_bytes([
                vector[self.offset],
                vector[self.offset + 1],
            ])),
        }
    }

    #[inline]
    fn write(self, vector: &mut [u8], state: u32) {
        vector[self.offset] = state as u8;
        if self.wide {
            vector[self.offset + 1] = (state >> 8) as u8;
        }
    }
}

impl<M: NextState, C: Claim> Product<M, C> {
    /// The bytes that the state of a claim needs.
    pub fn room(claim: &C) -> u32 {
        match claim.state_count() {
            0..=256 => 1,
            _ => 2,
        }
    }

    /// The product of a model with room for the state of a claim at `offset`.
    pub fn new(model: M, claim: C, offset: u32) -> Product<M, C> {
        Product {
            slot: Slot {
                offset: offset as usize,
                wide: Self::room(&claim) == 2,
            },
            model,
            claim,
            moves: Moves::default(),
            vector: Vec::new(),
            fault: None,
        }
    }

    /// The claim.
    pub fn claim(&self) -> &C {
        &self.claim
    }

    /// The first error of the model that ended an execution.
    pub fn fault(&self) -> Option<Violation> {
        self.fault
    }

    /// Add steps inside an atomic sequence: the claim waits.
    fn finish_exclusive(&mut self, from: usize, found: &mut Expansion) {
        forget_violations(from, found, &mut self.fault);
        found.marks.resize(found.rows.len(), Mark::default());
    }

    /// What the claim sees of a state.
    fn sight(&mut self, state: &[u8], moved: bool) -> Sight {
        Sight {
            timeout: self.claim.sees_timeout() && (!moved || self.claim.waits_for_timeout(state)),
            ended: !moved,
        }
    }

    /// Let the claim move before the steps of the model from a row on.
    fn combine(&mut self, state: &[u8], from: usize, found: &mut Expansion) {
        forget_violations(from, found, &mut self.fault);
        let moved = std::mem::replace(&mut found.moved, true);
        let sight = self.sight(state, moved);
        let claimed = self.slot.read(state);
        self.moves.clear();
        (self.claim).moves(claimed, state, sight, &mut self.moves);
        let moves = std::mem::take(&mut self.moves);
        let rows = from..found.rows.len();
        found.marks.resize(rows.end, Mark::default());
        self.report(state, &moves, rows.clone(), found);
        let rows = found.rows.len() - rows.len()..found.rows.len();
        match moves.list.split_first() {
            None => remove_rows(rows, found),
            Some(_) if !moved => {
                remove_rows(rows, found);
                for taken in &moves.list {
                    self.alone(state, taken, 0, found);
                }
            }
            Some((first, others)) => {
                self.take_rows(rows.clone(), first, found);
                for taken in others {
                    self.copy_rows(rows.clone(), taken, found);
                }
            }
        }
        self.moves = moves;
    }

    /// Put what the claim finds wrong before the rows of the model.
    fn report(&mut self, state: &[u8], moves: &Moves, rows: Range<usize>, found: &mut Expansion) {
        for taken in &moves.list {
            if let Some(violation) = taken.violation {
                self.alone(state, taken, Row::FAULT, found);
                found.blame(violation);
            }
        }
        if found.rows.len() > rows.end {
            found.rows[rows.start..].rotate_left(rows.len());
            found.marks[rows.start..].rotate_left(rows.len());
            for (row, _) in &mut found.violations {
                if *row as usize >= rows.end {
                    *row -= rows.len() as u32;
                }
            }
        }
    }

    /// A step of the claim alone.
    fn alone(&mut self, state: &[u8], taken: &ClaimMove, flags: u8, found: &mut Expansion) {
        self.vector.clear();
        self.vector.extend_from_slice(state);
        self.slot.write(&mut self.vector, taken.target);
        found.push(Row::new(Some(STUTTER), Control::Free, flags), &self.vector);
        found.marks.push(taken.mark());
    }

    /// Turn rows of the model into rows of the product.
    fn take_rows(&mut self, rows: Range<usize>, taken: &ClaimMove, found: &mut Expansion) {
        for number in rows {
            let row = found.rows[number];
            if row.has_successor() {
                let vector = &mut found.bytes[row.start as usize..][..row.len as usize];
                self.slot.write(vector, taken.target);
            }
            found.marks[number] = taken.mark();
        }
    }

    /// Add rows of the product like these, with another step of the claim.
    fn copy_rows(&mut self, rows: Range<usize>, taken: &ClaimMove, found: &mut Expansion) {
        for number in rows {
            let row = found.rows[number];
            if row.has_successor() {
                self.vector.clear();
                self.vector.extend_from_slice(found.vector(&row));
                self.slot.write(&mut self.vector, taken.target);
                found.push(row, &self.vector);
            } else {
                found.push_bare(row);
            }
            found.marks.push(taken.mark());
        }
    }
}

impl<M: NextState, C: Claim> NextState for Product<M, C> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        let mut vector = self.model.initial()?;
        self.slot.write(&mut vector, self.claim.initial());
        Ok(vector)
    }

    fn hidden_len(&self) -> usize {
        self.model.hidden_len()
    }

    fn transition_count(&self) -> usize {
        self.model.transition_count()
    }

    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        let from = found.rows.len();
        self.model.extend(state, control, found);
        match control {
            Control::Free => self.combine(state, from, found),
            Control::Exclusive(_) => self.finish_exclusive(from, found),
        }
    }

    fn extend_chain(&mut self, row: usize, found: &mut Expansion) {
        let from = found.rows.len();
        self.model.extend_chain(row, found);
        self.finish_exclusive(from, found);
    }

    /// A claim decides for itself what the end of an execution means.
    fn is_valid_end(&mut self, _: &[u8]) -> bool {
        true
    }
}

impl<M: NextState, C: Claim> Acceptance for Product<M, C> {
    fn sets(&self) -> u32 {
        self.claim.sets()
    }

    fn on_states(&self) -> bool {
        self.claim.on_states()
    }

    fn claim_levels(&self) -> u64 {
        1
    }

    fn cycle_kind(&self) -> ViolationKind {
        self.claim.cycle_kind()
    }
}

/// Leave out what the steps of a model from a row on violate. The first step that fails is
/// remembered.
pub(crate) fn forget_violations(from: usize, found: &mut Expansion, fault: &mut Option<Violation>) {
    let is_new = |&(row, _): &(u32, Violation)| row as usize >= from;
    if !found.violations.last().is_some_and(is_new) {
        return;
    }
    let new = found.violations.iter().position(is_new).unwrap_or(0);
    for (row, violation) in found.violations.drain(new..) {
        if found.rows[row as usize].has(Row::FAULT) {
            fault.get_or_insert(violation);
        }
    }
    for row in &mut found.rows[from..] {
        row.flags &= !Row::VIOLATION;
    }
}

/// Remove the last rows.
fn remove_rows(rows: Range<usize>, found: &mut Expansion) {
    found.rows.truncate(rows.start);
    found.marks.truncate(rows.start);
}
