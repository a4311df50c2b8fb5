//! Which other processes can reach a transition that is dependent with a given one, or that may enable
//! it, and from which control states.
//!
//! Transitions with the same uses have the same influence, so they are compared once.

use std::collections::HashMap;

use super::Dependency;
use super::table::Table;
use super::uses::Uses;
use crate::flow::Backwards;
use crate::model::{ControlState, Model, OptionEntry};

/// Other processes that influence a transition: as long as they live, or while they are in
/// some control states, from which they can still reach a transition that does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Influencers {
    pub(super) always: u64,
    /// The processes for which it depends on their control states, and the row of these.
    pub(super) while_reachable: u64,
    pub(super) row: u32,
}

/// The transitions of a process by what they use.
pub(super) struct Classes<'a> {
    /// One of each class, and the class of each transition.
    examples: Vec<&'a Uses>,
    of_slots: Vec<u32>,
}

impl<'a> Classes<'a> {
    pub(super) fn new(uses: &'a [Uses]) -> Classes<'a> {
        let mut known: HashMap<&Uses, u32> = HashMap::new();
        let mut classes = Classes {
            examples: Vec::new(),
            of_slots: Vec::new(),
        };
        for uses in uses {
            space::cancel::poll();
            let class = *known.entry(uses).or_insert_with(|| {
                classes.examples.push(uses);
                classes.examples.len() as u32 - 1
            });
            classes.of_slots.push(class);
        }
        classes
    }
}

/// The processes of a vector from the view of one of them.
pub(super) struct View<'a> {
    pub(super) dependency: &'a Dependency,
    pub(super) model: &'a Model,
    pub(super) pid: usize,
    pub(super) classes: &'a [Classes<'a>],
}

/// How a transition of another process influences one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Influence {
    None,
    /// As long as the process can reach it.
    Some,
    /// As long as the process is there.
    Always,
}

/// The control states from which a process can reach a transition with an influence.
pub(super) fn reaching(
    backwards: &Backwards,
    states: &[ControlState],
    rows: &[u32],
    influences: &[Influence],
) -> Vec<bool> {
    let influences_some = |option: &OptionEntry| {
        let slot = rows.binary_search(&option.transition.0);
        slot.is_ok_and(|slot| influences[slot] != Influence::None)
    };
    let mut near: Vec<bool> = (states.iter())
        .map(|state| state.options.iter().any(influences_some))
        .collect();
    backwards.close(&mut near, |_| true);
    near
}

impl Table {
    /// The processes that are dependent with a transition if it is enabled, and those that may enable
    /// it if it is not.
    pub(super) fn dependent_and_enabling(
        &mut self,
        view: &View<'_>,
        used: &Uses,
        work: &mut usize,
    ) -> Option<(Influencers, Influencers)> {
        let receiver_influence = |other: &Uses| match used.observes_receivers_of(other) {
            true => view.dependency.receiver_influence(),
            false => Influence::None,
        };
        let dependent =
            self.influencers(view, work, |other| match used.is_dependent_on(other) {
                true => Influence::Some,
                false => receiver_influence(other),
            })?;
        let enabling =
            self.influencers(view, work, |other| match used.may_be_enabled_by(other) {
                true => Influence::Some,
                false => receiver_influence(other),
            })?;
        Some((dependent, enabling))
    }

    /// The other processes that can reach a transition that passes a test. Nothing if that takes more
    /// work than is left.
    pub(super) fn influencers(
        &mut self,
        view: &View<'_>,
        work: &mut usize,
        test: impl Fn(&Uses) -> Influence,
    ) -> Option<Influencers> {
        let mut others = Influencers::default();
        let mut row = Vec::new();
        for (other, member) in self.members.iter().enumerate() {
            if other == view.pid {
                continue;
            }
            space::cancel::poll();
            let kind = member.proctype as usize;
            let states = &view.model.proctypes[kind].states;
            let classes = &view.classes[other];
            *work = work.checked_sub(classes.examples.len())?;
            let by_class: Vec<Influence> = classes.examples.iter().map(|uses| test(uses)).collect();
            if by_class
                .iter()
                .all(|influence| *influence == Influence::None)
            {
                continue;
            }
            *work = work.checked_sub(states.len() + classes.of_slots.len())?;
            let influences = classes.of_slots.iter();
            let influences: Vec<Influence> =
                influences.map(|&class| by_class[class as usize]).collect();
            let rows = &view.dependency.transitions[kind];
            let near = reaching(&self.backwards[other], states, rows, &influences);
            let everywhere =
                influences.contains(&Influence::Always) || near[1..].iter().all(|near| *near);
            if everywhere {
                others.always |= 1 << other;
                continue;
            }
            others.while_reachable |= 1 << other;
            row.resize(self.row_words, 0);
            for (control, _) in near.iter().enumerate().filter(|(_, near)| **near) {
                let column = member.column as usize + control;
                row[column / 64] |= 1_u64 << (column % 64);
            }
        }
        if others.while_reachable != 0 {
            others.row = (self.rows.len() / self.row_words) as u32;
            self.rows.extend(row);
        }
        Some(others)
    }
}
