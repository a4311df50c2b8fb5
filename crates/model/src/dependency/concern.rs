//! Who has to do with a transition: which other processes may come to one that concerns it, and from
//! which control states.
//!
//! Transitions that use the same concern others in the same way, so they are compared once.

use std::collections::HashMap;

use super::Dependency;
use super::table::Table;
use super::uses::Uses;
use crate::flow::Backwards;
use crate::model::{ControlState, Model, OptionEntry};

/// Other processes that have to do with a transition: as long as they live, or while they are in
/// some control states, from which they may still come to what matters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Others {
    pub(super) always: u64,
    /// The processes for which it depends on where they are, and the row of control states.
    pub(super) sometimes: u64,
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

/// The processes of a vector as one of them sees them.
pub(super) struct View<'a> {
    pub(super) dependency: &'a Dependency,
    pub(super) model: &'a Model,
    pub(super) pid: usize,
    pub(super) classes: &'a [Classes<'a>],
}

/// How a transition of another process concerns one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    None,
    /// As long as the process may come to it.
    Some,
    /// As long as the process is there.
    Ever,
}

/// The control states from which a process may come to a transition that concerns one.
pub(super) fn reaching(
    backwards: &Backwards,
    states: &[ControlState],
    rows: &[u32],
    meetings: &[Meeting],
) -> Vec<bool> {
    let concerns = |option: &OptionEntry| {
        let slot = rows.binary_search(&option.transition.0);
        slot.is_ok_and(|slot| meetings[slot] != Meeting::None)
    };
    let mut near: Vec<bool> = (states.iter())
        .map(|state| state.options.iter().any(concerns))
        .collect();
    backwards.close(&mut near, |_| true);
    near
}

impl Table {
    /// Who has to do with a transition that can be taken, and with one that cannot.
    pub(super) fn met(
        &mut self,
        view: &View<'_>,
        used: &Uses,
        work: &mut usize,
    ) -> Option<(Others, Others)> {
        let overhearing = |other: &Uses| match used.overhears(other) {
            true => view.dependency.overhearing(),
            false => Meeting::None,
        };
        let clashing = self.concerned(view, work, |other| match used.clashes(other) {
            true => Meeting::Some,
            false => overhearing(other),
        })?;
        let helping = self.concerned(view, work, |other| match used.may_wait_for(other) {
            true => Meeting::Some,
            false => overhearing(other),
        })?;
        Some((clashing, helping))
    }

    /// The processes but one that have a transition in store that passes a test. Nothing if there is
    /// more to look at than may still be.
    pub(super) fn concerned(
        &mut self,
        view: &View<'_>,
        work: &mut usize,
        test: impl Fn(&Uses) -> Meeting,
    ) -> Option<Others> {
        let mut others = Others::default();
        let mut row = Vec::new();
        for (other, member) in self.members.iter().enumerate() {
            if other == view.pid {
                continue;
            }
            space::cancel::poll();
            let kind = member.kind as usize;
            let states = &view.model.proctypes[kind].states;
            let classes = &view.classes[other];
            *work = work.checked_sub(classes.examples.len())?;
            let by_class: Vec<Meeting> = classes.examples.iter().map(|uses| test(uses)).collect();
            if by_class.iter().all(|meeting| *meeting == Meeting::None) {
                continue;
            }
            *work = work.checked_sub(states.len() + classes.of_slots.len())?;
            let meetings = classes.of_slots.iter();
            let meetings: Vec<Meeting> = meetings.map(|&class| by_class[class as usize]).collect();
            let rows = &view.dependency.transitions[kind];
            let near = reaching(&self.backwards[other], states, rows, &meetings);
            let everywhere =
                meetings.contains(&Meeting::Ever) || near[1..].iter().all(|near| *near);
            if everywhere {
                others.always |= 1 << other;
                continue;
            }
            others.sometimes |= 1 << other;
            row.resize(self.row_words, 0);
            for (control, _) in near.iter().enumerate().filter(|(_, near)| **near) {
                let column = member.column as usize + control;
                row[column / 64] |= 1_u64 << (column % 64);
            }
        }
        if others.sometimes != 0 {
            others.row = (self.rows.len() / self.row_words) as u32;
            self.rows.extend(row);
        }
        Some(others)
    }
}
