//! Global variables that name channels and are written during initialisation only.
//!
//! Some models store channels in variables before anything else happens. From then on these variables
//! are constants: as long as no process can reach a statement that writes one.

use super::started;
use crate::flow::Backwards;
use crate::ids::ControlId;
use crate::instance::{Extents, extent};
use crate::layout::{Base, Place};
use crate::model::Model;
use crate::reduction::Footprint;

/// The global bytes that name channels, and where processes may still write them.
#[derive(Clone, Debug, Default)]
pub(super) struct InitOnly {
    /// Which bytes name channels; none if no such byte is ever written.
    bytes: Vec<bool>,
    /// For each proctype the control states from which one of them may still be written.
    may_still_write: Vec<Vec<bool>>,
}

impl InitOnly {
    pub(super) fn new(model: &Model) -> InitOnly {
        let footprints: Vec<Footprint> = (model.transitions.iter())
            .map(|transition| Footprint::of_action(model, &transition.action))
            .collect();
        let mut bytes = vec![false; model.layout.frames as usize];
        let mut named = Extents::default();
        let channels = footprints.iter().flat_map(|footprint| &footprint.channels);
        for place in channels.map(|(place, _)| model.place(*place)) {
            if place.base == Base::Global {
                named.add(place);
            }
        }
        named.mark(&mut bytes);
        // How many of the bytes before each name channels.
        let counts = bytes.iter().scan(0, |count, &named| {
            *count += u32::from(named);
            Some(*count)
        });
        let counts: Vec<u32> = [0].into_iter().chain(counts).collect();
        let names_channel = |place: &Place| {
            let extent = extent(place);
            let before = |byte: u32| counts[byte as usize];
            place.base == Base::Global && before(extent.start) < before(extent.end)
        };
        let writes: Vec<bool> = (footprints.iter())
            .map(|footprint| {
                (footprint.writes.iter()).any(|&place| names_channel(model.place(place)))
            })
            .collect();
        if !writes.contains(&true) {
            return InitOnly::default();
        }
        InitOnly {
            bytes,
            may_still_write: may_still_write(model, &writes),
        }
    }

    /// Whether such variables are written at all.
    pub(super) fn matters(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// The bytes that are constant once no process may still write them.
    pub(super) fn bytes(&self) -> &[bool] {
        &self.bytes
    }

    /// Whether a process of a proctype can write one in some control state, or start one that can.
    pub(super) fn writes_some_time(&self, kind: usize) -> bool {
        (self.may_still_write.get(kind)).is_some_and(|states| states.contains(&true))
    }

    /// Whether a process of a proctype, or one that it starts, can reach a statement that writes one.
    pub(super) fn may_still_write(&self, kind: usize, control: ControlId) -> bool {
        let states = self.may_still_write.get(kind);
        states.is_some_and(|states| states.get(control.index()) == Some(&true))
    }
}

/// For each proctype the control states from which a process, or one that it starts, can reach a
/// transition that writes.
fn may_still_write(model: &Model, writes: &[bool]) -> Vec<Vec<bool>> {
    let mut found: Vec<Vec<bool>> = Vec::new();
    // For each proctype which proctypes start its processes, and in which control state.
    let mut starts: Vec<Vec<(usize, usize)>> = vec![Vec::new(); model.proctypes.len()];
    for (kind, proctype) in model.proctypes.iter().enumerate() {
        let mut near = vec![false; proctype.states.len()];
        for (control, state) in proctype.states.iter().enumerate() {
            for option in &state.options {
                near[control] |= writes[option.transition.0 as usize];
                for child in started(model, &model.transition(option.transition).action) {
                    starts[child].push((kind, control));
                }
            }
        }
        found.push(near);
    }
    let mut open: Vec<usize> = (0..found.len()).collect();
    while let Some(kind) = open.pop() {
        let proctype = &model.proctypes[kind];
        if !found[kind].contains(&true) {
            continue;
        }
        Backwards::new(model, &proctype.states).close(&mut found[kind], |_| true);
        if !found[kind][proctype.initial.index()] {
            continue;
        }
        for (parent, control) in std::mem::take(&mut starts[kind]) {
            if !std::mem::replace(&mut found[parent][control], true) {
                open.push(parent);
            }
        }
    }
    found
}
