//! Which transitions a property may see.

use std::collections::HashSet;

use super::{Observed, is_executed, with_continuations};
use crate::flow;
use crate::ids::{ControlId, PlaceId, ProctypeId};
use crate::instance::{Extents, extent};
use crate::layout::Base;
use crate::model::{Action, Model, Transition};
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
    let cyclic = flow::repeated(model);
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
    (with_continuations(model, &visible), seen)
}

/// What a property reads, and which transitions may change it.
pub(super) struct Visibility<'a> {
    model: &'a Model,
    observed: &'a Observed,
    atoms: Footprint,
    /// The bytes of globals and of frames that the atoms read.
    globals: Vec<bool>,
    frames: Vec<Vec<bool>>,
    /// The control states that they name.
    labels: HashSet<(ProctypeId, ControlId)>,
}

impl<'a> Visibility<'a> {
    pub(super) fn new(model: &'a Model, observed: &'a Observed) -> Visibility<'a> {
        let mut atoms = Footprint::default();
        for &atom in &observed.atoms {
            atoms.add_expr(model, atom);
        }
        let mut read = Extents::default();
        for place in atoms.reads.iter().map(|&place| model.place(place)) {
            if place.base == Base::Global {
                read.add(place);
            }
        }
        let mut globals = vec![false; model.layout.frames as usize];
        read.mark(&mut globals);
        let mut own = vec![Extents::default(); model.proctypes.len()];
        for &(kind, place) in &atoms.remote_reads {
            let place = model.place(place);
            if place.base == Base::Frame {
                own[kind.index()].add(place);
            }
        }
        let frames = own.into_iter().zip(&model.proctypes);
        Visibility {
            model,
            observed,
            globals,
            frames: frames
                .map(|(own, proctype)| {
                    let mut bytes = vec![false; proctype.frame_size as usize];
                    own.mark(&mut bytes);
                    bytes
                })
                .collect(),
            labels: atoms.remote_labels.iter().copied().collect(),
            atoms,
        }
    }

    /// For each transition whether it, or the atomic sequence that it begins, may change what the
    /// property looks at.
    pub(super) fn of_transitions(&self) -> Vec<bool> {
        with_continuations(self.model, &self.of_statements())
    }

    /// The same without the sequence.
    fn of_statements(&self) -> Vec<bool> {
        let sources = flow::sources(self.model);
        (self.model.transitions.iter().zip(&sources))
            .map(|(transition, sources)| {
                space::cancel::poll();
                is_executed(self.model, transition) && self.is_visible(transition, sources)
            })
            .collect()
    }

    fn is_visible(&self, transition: &Transition, sources: &[ControlId]) -> bool {
        let states = &self.model.proctype(transition.proctype).states;
        let ends = || sources.iter().copied().chain([transition.target]);
        let labelled = ends().any(|control| {
            states.get(control.index()).is_some_and(|state| {
                self.observed.accept && state.accept || self.observed.progress && state.progress
            })
        });
        let moves = || ends().any(|control| self.labels.contains(&(transition.proctype, control)));
        labelled || self.changes_place(transition) || moves() || self.ends_or_starts(transition)
    }

    /// Whether it may change a variable or a channel of an atom.
    fn changes_place(&self, transition: &Transition) -> bool {
        let footprint = Footprint::of_action(self.model, &transition.action);
        let changes = |place: &PlaceId| {
            let place = self.model.place(*place);
            let read = match place.base {
                Base::Global => &self.globals,
                Base::Frame => &self.frames[transition.proctype.index()],
                Base::Nowhere => return false,
            };
            let extent = extent(place);
            read[extent.start as usize..extent.end as usize].contains(&true)
        };
        let messages = !self.atoms.channels.is_empty()
            && (footprint.channels.iter()).any(|(_, how)| *how != ChannelUse::Look);
        footprint.writes.iter().any(changes) || messages
    }

    /// Whether it may change which processes are there, where an atom looks at some.
    fn ends_or_starts(&self, transition: &Transition) -> bool {
        let looks = !self.atoms.remote_labels.is_empty() || !self.atoms.remote_reads.is_empty();
        let births = matches!(
            transition.action,
            Action::Run(..) | Action::End | Action::DStep(_)
        ) || transition.target == ControlId(0);
        looks && births
    }
}
