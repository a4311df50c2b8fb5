//! The product of a model and a claim.
//!
//! Claim and model move in turn, the claim first. A state of the product is a state of the
//! model together with one of the claim, before the claim moves. The claim does not move
//! inside atomic sequences and between the halves of a handshake; it does where an atomic
//! sequence blocks half-way. Where the claim cannot move, the execution is of no interest
//! and ends. Where the model cannot move, the claim goes on alone: a finite execution is
//! taken for one that repeats its last state for ever.
//!
//! The state of the claim lies in the vector of the model, in a slot that no statement
//! touches ([`model::claim_slot::add_claim_slot`]). So the model carries it along, and a row of the
//! model becomes one of the product by writing there.
//!
//! Follows: [003]'s product of a system and a never claim, with Spin's stutter extension.
//! How Spin stores the states in which a claim goes on alone depends on the way to them: the
//! first one, behind a state that the model had come to, is not stored, the later ones are.
//! [`Stutter::AsSpin`] does the same, with a hidden byte that says whether the claim is alone.
//! That is sound where all that counts is what the claim can reach. With
//! [`Stutter::Plain`] each one is a state.
//!
//! Violations of the model itself are left out: a safety search reports them. A step that
//! fails leads nowhere, and [`Product::fault`] remembers that there was one.

use std::ops::Range;

use model::claim_slot::{ClaimSlot, add_claim_slot};
use model::{Model, Sight};
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

/// How a claim goes on alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stutter {
    /// Every state is stored.
    Plain,
    /// As Spin does it, with the same stored states.
    AsSpin,
}

/// A model and a claim as one system.
pub struct Product<M, C> {
    model: M,
    claim: C,
    /// Where the state of the claim lies in a vector.
    slot: StateSlot,
    moves: Moves,
    vector: Vec<u8>,
    fault: Option<Violation>,
}

/// Where the state of a claim lies in a vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateSlot {
    /// Of the byte that says whether the claim is alone, if there is one.
    pub(crate) alone: Option<usize>,
    pub(crate) offset: usize,
    wide: bool,
}

impl StateSlot {
    pub(crate) fn new(claim: &impl Claim, slot: ClaimSlot) -> StateSlot {
        StateSlot {
            alone: (slot.hidden > 0).then_some(slot.offset as usize),
            offset: (slot.offset + slot.hidden) as usize,
            wide: is_wide(claim),
        }
    }

    #[inline]
    pub(crate) fn read(self, vector: &[u8]) -> u32 {
        match self.wide {
            false => u32::from(vector[self.offset]),
            true => u32::from(u16::from_le_bytes([
                vector[self.offset],
                vector[self.offset + 1],
            ])),
        }
    }

    #[inline]
    pub(crate) fn write(self, vector: &mut [u8], state: u32) {
        vector[self.offset] = state as u8;
        if self.wide {
            vector[self.offset + 1] = (state >> 8) as u8;
        }
    }

    #[inline]
    fn is_alone(self, vector: &[u8]) -> bool {
        self.alone.is_some_and(|at| vector[at] != 0)
    }
}

impl<M: NextState, C: Claim> Product<M, C> {
    /// Reserve the slot for the state of a claim in a model.
    pub fn add_claim_slot(model: &mut Model, claim: &C, stutter: Stutter) -> ClaimSlot {
        let hidden = u32::from(stutter == Stutter::AsSpin);
        add_claim_slot(model, hidden, if is_wide(claim) { 2 } else { 1 })
    }

    /// The product of a model that has a slot for the state of a claim.
    pub fn new(model: M, claim: C, slot: ClaimSlot) -> Product<M, C> {
        Product {
            slot: StateSlot::new(&claim, slot),
            model,
            claim,
            moves: Moves::default(),
            vector: Vec::new(),
            fault: None,
        }
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
            // Spin's claim sees it only when it is alone.
            ended: !moved && self.slot.alone.is_none_or(|_| self.slot.is_alone(state)),
        }
    }

    /// Let the claim move before the steps of the model from a row on.
    fn combine(&mut self, state: &[u8], from: usize, found: &mut Expansion) {
        forget_violations(from, found, &mut self.fault);
        let moved = std::mem::replace(&mut found.moved, true);
        let moves = self.claim_moves(state, moved);
        let rows = from..found.rows.len();
        found.marks.resize(rows.end, Mark::default());
        self.report(state, &moves, rows.clone(), found);
        let rows = found.rows.len() - rows.len()..found.rows.len();
        match moves.list.split_first() {
            None => remove_rows(rows, found),
            Some(_) if !moved => {
                remove_rows(rows, found);
                let control = match self.slot.alone {
                    None => Control::Free,
                    Some(_) => Control::Exclusive(Pid::NOBODY),
                };
                for taken in &moves.list {
                    self.alone(state, taken, control, 0, found);
                }
            }
            Some((first, others)) => {
                self.take_rows(state, rows.clone(), first, found);
                for taken in others {
                    self.copy_rows(rows.clone(), taken, found);
                }
            }
        }
        self.moves = moves;
    }

    /// Let the claim move alone, as it did before.
    fn go_on_alone(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        found.moved = true;
        let moves = self.claim_moves(state, false);
        if control == Control::Free {
            self.report_end(state, found);
        }
        for taken in &moves.list {
            if let Some(violation) = taken.violation {
                self.alone(state, taken, Control::Free, Row::FAULT, found);
                found.blame(violation);
            }
            self.alone(state, taken, Control::Free, 0, found);
        }
        self.moves = moves;
    }

    /// The steps of the claim in a state, in a list that has to be given back.
    fn claim_moves(&mut self, state: &[u8], moved: bool) -> Moves {
        let sight = self.sight(state, moved);
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        (self.claim).moves(self.slot.read(state), state, sight, &mut moves);
        moves
    }

    /// Put what the claim finds wrong before the rows of the model.
    fn report(&mut self, state: &[u8], moves: &Moves, rows: Range<usize>, found: &mut Expansion) {
        self.report_end(state, found);
        for taken in &moves.list {
            let ended = self.claim.ended(taken.target);
            for violation in taken.violation.into_iter().chain(ended) {
                self.alone(state, taken, Control::Free, Row::FAULT, found);
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

    /// A claim that has come to its end has nothing else to say.
    fn report_end(&mut self, state: &[u8], found: &mut Expansion) {
        if let Some(violation) = self.claim.ended(self.slot.read(state)) {
            found.push_bare(Row::new(Some(STUTTER), Control::Free, Row::FAULT));
            found.marks.push(Mark::default());
            found.blame(violation);
        }
    }

    /// A step of the claim alone.
    fn alone(
        &mut self,
        state: &[u8],
        taken: &ClaimMove,
        control: Control,
        flags: u8,
        found: &mut Expansion,
    ) {
        self.vector.clear();
        self.vector.extend_from_slice(state);
        self.slot.write(&mut self.vector, taken.target);
        if let Some(at) = self.slot.alone {
            self.vector[at] = 1;
        }
        found.push(Row::new(Some(STUTTER), control, flags), &self.vector);
        found.marks.push(taken.mark());
    }

    /// Turn rows of the model, which has carried the state of the claim along, into rows of
    /// the product.
    fn take_rows(
        &self,
        state: &[u8],
        rows: Range<usize>,
        taken: &ClaimMove,
        found: &mut Expansion,
    ) {
        found.marks[rows.clone()].fill(taken.mark());
        if self.slot.read(state) == taken.target {
            return;
        }
        for row in &found.rows[rows] {
            if row.has_successor() {
                let vector = &mut found.bytes[row.start as usize..][..row.len as usize];
                self.slot.write(vector, taken.target);
            }
        }
    }

    /// Add rows of the product like these, with another step of the claim.
    fn copy_rows(&self, rows: Range<usize>, taken: &ClaimMove, found: &mut Expansion) {
        for number in rows {
            let mut row = found.rows[number];
            if row.has_successor() {
                let from = row.start as usize;
                row.start = found.bytes.len() as u32;
                found
                    .bytes
                    .extend_from_within(from..from + row.len as usize);
                let vector = &mut found.bytes[row.start as usize..];
                self.slot.write(vector, taken.target);
            }
            found.rows.push(row);
        }
        found.marks.resize(found.rows.len(), taken.mark());
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
        if self.slot.is_alone(state) {
            return self.go_on_alone(state, control, found);
        }
        self.model.extend(state, control, found);
        match control {
            Control::Free => self.combine(state, from, found),
            Control::Exclusive(_) => self.finish_exclusive(from, found),
        }
    }

    fn extend_chain(&mut self, row: usize, found: &mut Expansion) {
        if self.slot.is_alone(found.vector(&found.rows[row])) {
            return self.extend_row(row, found);
        }
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

    fn is_weak(&self) -> bool {
        self.claim.is_weak()
    }

    fn cycle_kind(&self) -> ViolationKind {
        self.claim.cycle_kind()
    }
}

/// Whether the states of a claim do not fit into a byte.
fn is_wide(claim: &impl Claim) -> bool {
    claim.state_count() > 256
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

#[cfg(test)]
mod tests;
