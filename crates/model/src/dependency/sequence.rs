//! What is executed at once: transitions together with the atomic sequences that they begin.

use super::asks::Assured;
use super::bits::Bits;
use super::has_timeout;
use super::uses::{Sizes, Uses};
use crate::ids::ControlId;
use crate::model::{Action, ControlState, Model, RecvArg, Transition};

/// The control-flow graph of a process, and what its statements use on their own.
pub(super) struct Process<'a> {
    pub(super) model: &'a Model,
    pub(super) sizes: Sizes,
    pub(super) states: &'a [ControlState],
    /// The transitions of its proctype.
    pub(super) rows: &'a [u32],
    pub(super) alone: &'a [Uses],
}

impl Process<'_> {
    pub(super) fn slot(&self, transition: u32) -> Option<usize> {
        self.rows.binary_search(&transition).ok()
    }

    fn options<'a>(&'a self, state: &'a ControlState) -> impl Iterator<Item = &'a Uses> {
        let slots = state.options.iter();
        slots.filter_map(|option| Some(&self.alone[self.slot(option.transition.0)?]))
    }

    /// Where the process listens in each control state.
    pub(super) fn heard(&self) -> Vec<Bits> {
        let states = self.states.iter();
        states
            .map(|state| {
                let mut heard = Bits::none(self.sizes.channels());
                self.options(state).for_each(|uses| heard.add(&uses.hears));
                heard
            })
            .collect()
    }

    /// What it takes to know which options of a control state can be taken.
    pub(super) fn watched(&self, state: &ControlState) -> Uses {
        let mut watched = Uses::nothing(self.sizes);
        self.options(state).for_each(|uses| watched.add(uses));
        watched
    }

    /// Add what follows a transition before anybody else can move.
    pub(super) fn follow(
        &self,
        first: &Transition,
        assured: &Assured,
        heard: &[Bits],
        used: &mut Uses,
    ) {
        let (places, inner) = self.sequence(first);
        for heard in places.iter().filter_map(|place| heard.get(place.index())) {
            used.turns.add(heard);
        }
        for &slot in &inner {
            let mut more = self.alone[slot].clone();
            if !self.is_sure(slot, &inner, assured) {
                more.make_strict();
            }
            if has_timeout(self.model, &self.transition(slot).action) {
                more.add(&Uses::anything(self.sizes));
            }
            more.later_offers.add(&self.alone[slot].offers);
            used.add(&more);
        }
    }

    /// The control states that a process may come to by a transition and the atomic sequence that it
    /// begins, and the transitions behind the first.
    fn sequence(&self, first: &Transition) -> (Vec<ControlId>, Vec<usize>) {
        let (mut places, mut inner) = (vec![first.target], Vec::new());
        let mut open = Vec::new();
        if first.atomic {
            open.push(first.target);
        }
        while let Some(control) = open.pop() {
            let state = self.states.get(control.index());
            for option in state.map_or(&[][..], |state| &state.options) {
                let transition = self.model.transition(option.transition);
                if let Some(slot) = self.slot(option.transition.0)
                    && !inner.contains(&slot)
                {
                    inner.push(slot);
                    if transition.atomic {
                        open.push(transition.target);
                    }
                }
                if !places.contains(&transition.target) {
                    places.push(transition.target);
                }
            }
        }
        (places, inner)
    }

    fn transition(&self, slot: usize) -> &Transition {
        &self.model.transitions[self.rows[slot] as usize]
    }

    /// Whether what the guard of a sequence makes sure of is still so where a transition needs it,
    /// because no other one of the sequence uses the same end of the channel.
    fn is_sure(&self, slot: usize, inner: &[usize], assured: &Assured) -> bool {
        let transition = self.transition(slot);
        let once = |end: fn(&Uses) -> &Bits, assured: &Bits| {
            let used = end(&self.alone[slot]);
            let users = (inner.iter()).filter(|&&other| end(&self.alone[other]).meets(used));
            !used.is_empty() && assured.contains(used) && users.count() == 1
        };
        let is_there = match &transition.action {
            Action::Send { sorted: false, .. } => once(|uses| &uses.sends, &assured.room),
            Action::Receive {
                peek: false, args, ..
            } => {
                let takes_any = args.iter().all(|arg| matches!(arg, RecvArg::Store(_)));
                takes_any && once(|uses| &uses.receives, &assured.messages)
            }
            _ => false,
        };
        is_there && !self.sequence(transition).1.contains(&slot)
    }
}
