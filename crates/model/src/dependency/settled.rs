//! Global variables that name channels and are written only at first.
//!
//! Some models put channels into variables before anything else happens. From then on these are as
//! good as constants: as long as no process can come to a statement that writes one.

use super::started;
use crate::ids::ControlId;
use crate::instance::extent;
use crate::layout::{Base, Place};
use crate::model::Model;
use crate::reduction::Footprint;

/// The global bytes that name channels, and who may write them.
#[derive(Clone, Debug, Default)]
pub(super) struct Settling {
    /// Which bytes name channels; none if no such byte is ever written.
    bytes: Vec<bool>,
    /// For each proctype the control states from which one of them may still be written.
    restless: Vec<Vec<bool>>,
}

impl Settling {
    pub(super) fn new(model: &Model) -> Settling {
        let footprints: Vec<Footprint> = (model.transitions.iter())
            .map(|transition| Footprint::of_action(model, &transition.action))
            .collect();
        let mut bytes = vec![false; model.layout.frames as usize];
        let named = footprints.iter().flat_map(|footprint| &footprint.channels);
        for place in named.map(|(place, _)| model.place(*place)) {
            if place.base == Base::Global {
                extent(place).for_each(|byte| bytes[byte as usize] = true);
            }
        }
        let names = |place: &Place| {
            place.base == Base::Global && extent(place).any(|byte| bytes[byte as usize])
        };
        let writes: Vec<bool> = (footprints.iter())
            .map(|footprint| (footprint.writes.iter()).any(|&place| names(model.place(place))))
            .collect();
        if !writes.contains(&true) {
            return Settling::default();
        }
        Settling {
            bytes,
            restless: restless(model, &writes),
        }
    }

    /// Whether such variables are written at all.
    pub(super) fn matters(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// The bytes that are written no more if nobody is restless.
    pub(super) fn bytes(&self) -> &[bool] {
        &self.bytes
    }

    /// Whether a process of a proctype, or one that it starts, may come to write one.
    pub(super) fn is_restless(&self, kind: usize, control: ControlId) -> bool {
        let states = self.restless.get(kind);
        states.is_some_and(|states| states.get(control.index()) == Some(&true))
    }
}

/// For each proctype the control states from which a process, or one that it starts, may come to a
/// transition that writes.
fn restless(model: &Model, writes: &[bool]) -> Vec<Vec<bool>> {
    let proctypes = model.proctypes.iter();
    let mut found: Vec<Vec<bool>> = proctypes.map(|p| vec![false; p.states.len()]).collect();
    loop {
        let before = found.clone();
        for (kind, proctype) in model.proctypes.iter().enumerate() {
            for (control, state) in proctype.states.iter().enumerate() {
                found[kind][control] |= state.options.iter().any(|option| {
                    let transition = model.transition(option.transition);
                    let starts_one = |kind: usize| {
                        let initial = model.proctypes[kind].initial;
                        before[kind][initial.index()]
                    };
                    writes[option.transition.0 as usize]
                        || transition.target != ControlId(0)
                            && before[kind][transition.target.index()]
                        || started(model, &transition.action).any(starts_one)
                });
            }
        }
        if found == before {
            return found;
        }
    }
}
