//! Which transitions a property may see.

use super::cycles::on_cycles;
use super::{Observed, is_executed, with_sequels};
use crate::ids::{ControlId, ProctypeId};
use crate::instance::overlap;
use crate::layout::{Base, Place};
use crate::model::{Action, ControlState, Model, Transition};
use crate::reduction::Footprint;
use crate::reduction::footprint::ChannelUse;

/// Parts of a formula beyond these count as one.
pub(super) const MOST_PARTS: usize = 16;

/// For each transition whether a property sees it on a cycle of control flow, and for each part of a
/// formula the statements that it sees. Without parts all that it sees counts as on a cycle.
pub(super) fn by_parts(model: &Model, observed: &Observed) -> (Vec<bool>, Vec<Vec<bool>>) {
    let all = Visibility::new(model, observed);
    if observed.parts.is_empty() {
        return (all.of_transitions(), Vec::new());
    }
    let cyclic = on_cycles(model);
    let statements = all.of_statements();
    let visible: Vec<bool> = (statements.iter().zip(&cyclic))
        .map(|(seen, cyclic)| *seen && *cyclic)
        .collect();
    let mut seen: Vec<Vec<bool>> = Vec::new();
    for part in &observed.parts {
        let part = Observed {
            atoms: part.clone(),
            ..Observed::default()
        };
        let new = Visibility::new(model, &part).of_statements();
        match seen.len() < MOST_PARTS {
            true => seen.push(new),
            false => {
                let last = &mut seen[MOST_PARTS - 1];
                last.iter_mut().zip(new).for_each(|(all, new)| *all |= new);
            }
        }
    }
    (with_sequels(model, &visible), seen)
}

/// What a property looks at, and who may change it.
pub(super) struct Visibility<'a> {
    model: &'a Model,
    observed: &'a Observed,
    atoms: Footprint,
}

impl<'a> Visibility<'a> {
    pub(super) fn new(model: &'a Model, observed: &'a Observed) -> Visibility<'a> {
        let mut atoms = Footprint::default();
        for &atom in &observed.atoms {
            atoms.add_expr(model, atom);
        }
        Visibility {
            model,
            observed,
            atoms,
        }
    }

    /// For each transition whether it, or the atomic sequence that it begins, may change what the
    /// property looks at.
    pub(super) fn of_transitions(&self) -> Vec<bool> {
        with_sequels(self.model, &self.of_statements())
    }

    /// The same without the sequence.
    fn of_statements(&self) -> Vec<bool> {
        (self.model.transitions.iter())
            .map(|transition| is_executed(self.model, transition) && self.is_visible(transition))
            .collect()
    }

    fn is_visible(&self, transition: &Transition) -> bool {
        let kind = transition.proctype;
        let states = &self.model.proctype(kind).states;
        let row = |state: &&ControlState| {
            let mut options = state.options.iter();
            options.any(|option| std::ptr::eq(self.model.transition(option.transition), transition))
        };
        let sources = states.iter().filter(row);
        let mut ends = sources.chain(states.get(transition.target.index()));
        let labelled = ends.any(|state| {
            self.observed.accept && state.accept || self.observed.progress && state.progress
        });
        labelled
            || self.changes_place(transition, kind)
            || self.changes_processes(transition, kind, states)
    }

    /// Whether it may change a variable or a channel of an atom.
    fn changes_place(&self, transition: &Transition, kind: ProctypeId) -> bool {
        let footprint = Footprint::of_action(self.model, &transition.action);
        let writes = || {
            footprint
                .writes
                .iter()
                .map(|&place| self.model.place(place))
        };
        let reads = || {
            self.atoms
                .reads
                .iter()
                .map(|&place| self.model.place(place))
        };
        let global = |place: &&Place| place.base == Base::Global;
        let shared = writes()
            .filter(global)
            .any(|write| reads().filter(global).any(|read| overlap(write, read)));
        let own = (self.atoms.remote_reads.iter())
            .filter(|(owner, _)| *owner == kind)
            .map(|&(_, place)| self.model.place(place));
        let mut own = own.filter(|place| place.base == Base::Frame);
        let local = own.any(|read| {
            let mut writes = writes().filter(|place| place.base == Base::Frame);
            writes.any(|write| overlap(write, read))
        });
        let messages = !self.atoms.channels.is_empty()
            && (footprint.channels.iter()).any(|(_, how)| *how != ChannelUse::Look);
        shared || local || messages
    }

    /// Whether it may change where the processes of an atom are, or whether they are there.
    fn changes_processes(
        &self,
        transition: &Transition,
        kind: ProctypeId,
        states: &[ControlState],
    ) -> bool {
        let labels = self.atoms.remote_labels.iter();
        let mut named = labels.filter(|(owner, _)| *owner == kind);
        let moves = named.any(|&(_, control)| {
            let from = states.get(control.index()).map_or(&[][..], |s| &s.options);
            transition.target == control
                || from.iter().any(|option| {
                    std::ptr::eq(self.model.transition(option.transition), transition)
                })
        });
        let looks = !self.atoms.remote_labels.is_empty() || !self.atoms.remote_reads.is_empty();
        let births = matches!(
            transition.action,
            Action::Run(..) | Action::End | Action::DStep(_)
        ) || transition.target == ControlId(0);
        moves || looks && births
    }
}
