//! What watches a model, beside packed states.

use model::claim_slot::ClaimSlot;
use model::{Model, Sight, Touched};
use product::{ClaimMonitor, LabelMonitor};
use relation::{Monitor, MonitorInfo, MonitorMove};
use space::Violation;

use super::AnyClaim;

/// A claim, or the accept labels of the processes.
#[allow(clippy::large_enum_variant)]
pub enum AnyMonitor<'m> {
    /// A claim.
    Claim(ClaimMonitor<AnyClaim<'m>>),
    /// The labels.
    Labels(LabelMonitor<'m>),
}

impl<'m> AnyMonitor<'m> {
    pub(super) fn new(
        claim: Option<AnyClaim<'m>>,
        model: &'m Model,
        slot: ClaimSlot,
    ) -> AnyMonitor<'m> {
        match claim {
            Some(claim) => AnyMonitor::Claim(ClaimMonitor::new(claim, slot)),
            None => AnyMonitor::Labels(LabelMonitor::new(model)),
        }
    }
}

/// Pass a call on to the variant.
macro_rules! each {
    ($self:ident, $inner:ident => $call:expr) => {
        match $self {
            AnyMonitor::Claim($inner) => $call,
            AnyMonitor::Labels($inner) => $call,
        }
    };
}

impl Monitor for AnyMonitor<'_> {
    fn info(&self) -> MonitorInfo {
        each!(self, monitor => monitor.info())
    }

    fn begin(&self, vector: &mut [u8]) {
        each!(self, monitor => monitor.begin(vector));
    }

    fn write(&self, vector: &mut [u8], target: u32) {
        each!(self, monitor => monitor.write(vector, target));
    }

    fn moves(&mut self, vector: &[u8], sight: Sight, moves: &mut Vec<MonitorMove>) {
        each!(self, monitor => monitor.moves(vector, sight, moves));
    }

    fn ended(&self, vector: &[u8]) -> Option<Violation> {
        each!(self, monitor => monitor.ended(vector))
    }

    fn touched(&mut self) -> Option<&mut Touched> {
        each!(self, monitor => monitor.touched())
    }
}
