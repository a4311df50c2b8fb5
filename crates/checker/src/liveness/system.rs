//! The parts of a system that is chosen at run time, as enumerations: so each search is
//! compiled once, and nothing is called through a pointer.

use jit::Jit;
use model::claim_slot::ClaimSlot;
use model::{Interp, Model, Sight, Touched};
use product::{AutomatonClaim, Claim, Labels, Moves, NeverClaim, Observer, Product};
use reduce::Pruned;
use relation::Label;
use space::{Acceptance, Control, Expansion, NextState, Violation, ViolationKind};

use super::Target;

/// What executes the model.
#[allow(clippy::large_enum_variant)]
pub enum Steps<'m> {
    /// Machine code.
    Jit(Jit<'m>),
    /// The interpreter.
    Interp(Interp<'m>),
}

/// What watches the model.
#[allow(clippy::large_enum_variant)]
pub enum AnyClaim<'m> {
    /// A `never` claim.
    Never(NeverClaim<'m>),
    /// An automaton.
    Automaton(AutomatonClaim<'m>),
}

/// A model with acceptance: what a search for cycles sees.
#[allow(clippy::large_enum_variant)]
pub enum System<'m> {
    /// With a claim.
    Product(Product<Pruned<'m, Steps<'m>>, AnyClaim<'m>>),
    /// With the accept labels of the processes.
    Labels(Labels<'m, Pruned<'m, Steps<'m>>>),
}

impl<'m> AnyClaim<'m> {
    pub(super) fn new(
        target: Target,
        observer: Option<&'m Observer>,
        model: &'m Model,
    ) -> Option<AnyClaim<'m>> {
        match (target, observer) {
            (Target::Never(claim), _) => Some(AnyClaim::Never(NeverClaim::new(model, claim))),
            (_, Some(observer)) => Some(AnyClaim::Automaton(AutomatonClaim::new(model, observer))),
            (_, None) => None,
        }
    }
}

impl AnyClaim<'_> {
    /// Whether it has accepting states.
    pub(super) fn accepts(&self) -> bool {
        match self {
            AnyClaim::Never(claim) => claim.accepts(),
            AnyClaim::Automaton(_) => true,
        }
    }
}

impl<'m> System<'m> {
    pub(super) fn product(
        steps: Pruned<'m, Steps<'m>>,
        claim: AnyClaim<'m>,
        slot: ClaimSlot,
    ) -> System<'m> {
        System::Product(Product::new(steps, claim, slot))
    }

    pub(super) fn labels(steps: Pruned<'m, Steps<'m>>, model: &'m Model) -> System<'m> {
        System::Labels(Labels::new(steps, model))
    }

    /// The first error of the model that ended an execution.
    pub fn fault(&self) -> Option<Violation> {
        match self {
            System::Product(product) => product.fault(),
            System::Labels(labels) => labels.fault(),
        }
    }
}

/// Pass a call on to the variant.
macro_rules! each {
    ($self:ident, $inner:ident => $call:expr; $($variant:path),*) => {
        match $self { $($variant($inner) => $call),* }
    };
}

macro_rules! next_state {
    ($type:ident: $($variant:path),*) => {
        impl NextState for $type<'_> {
            fn initial(&mut self) -> Result<Vec<u8>, Violation> {
                each!(self, inner => inner.initial(); $($variant),*)
            }

            fn hidden_len(&self) -> usize {
                each!(self, inner => inner.hidden_len(); $($variant),*)
            }

            fn transition_count(&self) -> usize {
                each!(self, inner => inner.transition_count(); $($variant),*)
            }

            #[inline]
            fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
                each!(self, inner => inner.extend(state, control, found); $($variant),*)
            }

            #[inline]
            fn extend_row(&mut self, row: usize, found: &mut Expansion) {
                each!(self, inner => inner.extend_row(row, found); $($variant),*)
            }

            #[inline]
            fn extend_chain(&mut self, row: usize, found: &mut Expansion) {
                each!(self, inner => inner.extend_chain(row, found); $($variant),*)
            }

            fn is_valid_end(&mut self, state: &[u8]) -> bool {
                each!(self, inner => inner.is_valid_end(state); $($variant),*)
            }
        }
    };
}

next_state!(Steps: Steps::Jit, Steps::Interp);
next_state!(System: System::Product, System::Labels);

impl Acceptance for System<'_> {
    fn sets(&self) -> u32 {
        each!(self, inner => inner.sets(); System::Product, System::Labels)
    }

    fn on_states(&self) -> bool {
        each!(self, inner => inner.on_states(); System::Product, System::Labels)
    }

    fn claim_levels(&self) -> u64 {
        each!(self, inner => inner.claim_levels(); System::Product, System::Labels)
    }

    fn is_weak(&self) -> bool {
        each!(self, inner => inner.is_weak(); System::Product, System::Labels)
    }

    fn cycle_kind(&self) -> ViolationKind {
        each!(self, inner => inner.cycle_kind(); System::Product, System::Labels)
    }
}

impl Claim for AnyClaim<'_> {
    fn state_count(&self) -> u32 {
        each!(self, claim => claim.state_count(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn initial(&self) -> u32 {
        each!(self, claim => claim.initial(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn sets(&self) -> u32 {
        each!(self, claim => claim.sets(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn ended(&self, state: u32) -> Option<Violation> {
        each!(self, claim => claim.ended(state); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn on_states(&self) -> bool {
        each!(self, claim => claim.on_states(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn is_weak(&self) -> bool {
        each!(self, claim => claim.is_weak(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn cycle_kind(&self) -> ViolationKind {
        each!(self, claim => claim.cycle_kind(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn sees_timeout(&self) -> bool {
        each!(self, claim => claim.sees_timeout(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn waits_for_timeout(&mut self, vector: &[u8]) -> bool {
        each!(self, claim => claim.waits_for_timeout(vector); AnyClaim::Never, AnyClaim::Automaton)
    }

    #[inline]
    fn moves(&mut self, state: u32, vector: &[u8], sight: Sight, moves: &mut Moves) {
        each!(self, claim => claim.moves(state, vector, sight, moves);
            AnyClaim::Never, AnyClaim::Automaton)
    }
    fn label(&self) -> Option<Label> {
        each!(self, claim => claim.label(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn record_touched(&mut self) {
        each!(self, claim => claim.record_touched(); AnyClaim::Never, AnyClaim::Automaton)
    }

    fn touched(&mut self) -> Option<&mut Touched> {
        each!(self, claim => claim.touched(); AnyClaim::Never, AnyClaim::Automaton)
    }
}
