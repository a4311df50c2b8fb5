//! Claims and labels as monitors of packed states.

use model::claim_slot::ClaimSlot;
use model::{Interp, Model, Sight, Touched};
use relation::{Alone, Label, Monitor, MonitorInfo, MonitorMove};
use space::{Violation, ViolationKind};

use crate::product::StateSlot;
use crate::{Claim, Moves};

/// A claim that moves beside a model with a slot for its state.
pub struct ClaimMonitor<C> {
    claim: C,
    slot: StateSlot,
    moves: Moves,
}

impl<C: Claim> ClaimMonitor<C> {
    /// A claim over expressions of a model that has a slot for its state.
    pub fn new(mut claim: C, slot: ClaimSlot) -> ClaimMonitor<C> {
        claim.record_touched();
        ClaimMonitor {
            slot: StateSlot::new(&claim, slot),
            claim,
            moves: Moves::default(),
        }
    }
}

impl<C: Claim> Monitor for ClaimMonitor<C> {
    fn info(&self) -> MonitorInfo {
        MonitorInfo {
            sets: self.claim.sets(),
            on_states: self.claim.on_states(),
            is_weak: self.claim.is_weak(),
            levels: 1,
            cycle_kind: self.claim.cycle_kind(),
            sees_timeout: self.claim.sees_timeout(),
            label: self.claim.label(),
            alone: match self.slot.alone {
                Some(at) => Alone::TwoAtFirst(at),
                None => Alone::Stored,
            },
            slot: Some(self.slot.offset),
        }
    }

    fn begin(&self, vector: &mut [u8]) {
        self.slot.write(vector, self.claim.initial());
    }

    fn write(&self, vector: &mut [u8], target: u32) {
        self.slot.write(vector, target);
    }

    fn moves(&mut self, vector: &[u8], sight: Sight, moves: &mut Vec<MonitorMove>) {
        self.moves.clear();
        let state = self.slot.read(vector);
        self.claim.moves(state, vector, sight, &mut self.moves);
        let claim = &self.claim;
        moves.extend(self.moves.list.iter().map(|taken| MonitorMove {
            target: taken.target,
            edge: taken.edge,
            sets: taken.sets,
            violation: taken.violation,
            ended: claim.ended(taken.target),
        }));
    }

    fn ended(&self, vector: &[u8]) -> Option<Violation> {
        self.claim.ended(self.slot.read(vector))
    }

    fn touched(&mut self) -> Option<&mut Touched> {
        self.claim.touched()
    }
}

/// The accept labels of the processes. An execution that cannot go on at one repeats its last state
/// for ever.
pub struct LabelMonitor<'m> {
    interp: Interp<'m>,
}

impl<'m> LabelMonitor<'m> {
    /// The labels of this model.
    pub fn new(model: &'m Model) -> LabelMonitor<'m> {
        LabelMonitor {
            interp: Interp::new(model),
        }
    }
}

impl Monitor for LabelMonitor<'_> {
    fn info(&self) -> MonitorInfo {
        MonitorInfo {
            sets: 1,
            on_states: true,
            is_weak: false,
            levels: 0,
            cycle_kind: ViolationKind::AcceptanceCycle,
            sees_timeout: false,
            label: Some(Label::Accept),
            alone: Alone::Stateless,
            slot: None,
        }
    }

    fn begin(&self, _vector: &mut [u8]) {}

    fn write(&self, _vector: &mut [u8], _target: u32) {}

    fn moves(&mut self, vector: &[u8], sight: Sight, moves: &mut Vec<MonitorMove>) {
        self.interp.load(vector);
        let accepts = self.interp.is_accepting(vector);
        if accepts || !sight.ended {
            moves.push(MonitorMove {
                target: 0,
                edge: 0,
                sets: u32::from(accepts),
                violation: None,
                ended: None,
            });
        }
    }

    fn ended(&self, _vector: &[u8]) -> Option<Violation> {
        None
    }

    fn touched(&mut self) -> Option<&mut Touched> {
        None
    }
}
