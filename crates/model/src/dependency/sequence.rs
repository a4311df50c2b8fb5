//! What is executed at once: transitions together with the atomic sequences that they begin.

use space::TransitionId;

use super::bits::Bits;
use super::channel_guards::Assured;
use super::has_timeout;
use super::uses::{Sizes, Uses};
use crate::flow::components;
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

/// What follows control states inside atomic sequences, where nothing is assured.
pub(super) struct Continuations {
    components: Vec<u32>,
    /// By strongly connected component.
    uses: Vec<Uses>,
}

impl Continuations {
    fn behind(&self, control: ControlId) -> &Uses {
        &self.uses[self.components[control.index()] as usize]
    }
}

impl Process<'_> {
    pub(super) fn slot(&self, transition: u32) -> Option<usize> {
        self.rows.binary_search(&transition).ok()
    }

    fn options<'a>(&'a self, state: &'a ControlState) -> impl Iterator<Item = &'a Uses> {
        let slots = state.options.iter();
        slots.filter_map(|option| Some(&self.alone[self.slot(option.transition.0)?]))
    }

    /// The rendezvous channels that the process receives from in each control state.
    pub(super) fn receiving_channels(&self) -> Vec<Bits> {
        let states = self.states.iter();
        states
            .map(|state| {
                let mut receiving = Bits::none(self.sizes.channels());
                self.options(state)
                    .for_each(|uses| receiving.add(&uses.handshake_receives));
                receiving
            })
            .collect()
    }

    /// What decides which options of a control state are enabled.
    pub(super) fn enabledness(&self, state: &ControlState) -> Uses {
        let mut enabledness = Uses::nothing(self.sizes);
        self.options(state).for_each(|uses| enabledness.add(uses));
        enabledness
    }

    /// Add what follows a transition before another process can move.
    pub(super) fn follow(
        &self,
        first: &Transition,
        assured: &Assured,
        receiving: &[Bits],
        continuations: &Continuations,
        used: &mut Uses,
    ) {
        if let Some(receiving) = receiving.get(first.target.index()) {
            used.changes_receivers.add(receiving);
        }
        if !first.atomic {
            return;
        }
        if assured.is_empty() {
            used.add(continuations.behind(first.target));
            return;
        }
        let (places, inner) = self.sequence(first);
        for receiving in places
            .iter()
            .filter_map(|place| receiving.get(place.index()))
        {
            used.changes_receivers.add(receiving);
        }
        for &slot in &inner {
            used.add(&self.later(slot, self.is_sure(slot, &inner, assured)));
        }
    }

    /// What a transition inside a sequence uses, which may be sure to be enabled.
    fn later(&self, slot: usize, is_sure: bool) -> Uses {
        let mut more = self.alone[slot].clone();
        if !is_sure {
            more.make_strict();
        }
        if has_timeout(self.model, &self.transition(slot).action) {
            more.add(&Uses::anything(self.sizes));
        }
        more.later_offers.add(&self.alone[slot].offers);
        more
    }

    /// What follows each control state if a process gets there inside an atomic sequence.
    pub(super) fn continuations(&self, receiving: &[Bits]) -> Continuations {
        let is_atomic = |row: TransitionId| self.model.transition(row).atomic;
        let components = components(self.model, self.states, is_atomic);
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_by_key(|&control| components[control]);
        let count = components.iter().max().map_or(0, |last| *last as usize + 1);
        let mut uses = vec![Uses::nothing(self.sizes); count];
        // Successors of a component have a lower number.
        for control in order {
            space::cancel::poll();
            let component = components[control] as usize;
            let (known, rest) = uses.split_at_mut(component);
            let own = &mut rest[0];
            for option in &self.states[control].options {
                let transition = self.model.transition(option.transition);
                let target = transition.target.index();
                if let Some(slot) = self.slot(option.transition.0) {
                    own.add(&self.later(slot, false));
                    if let Some(behind) = known.get(components[target] as usize)
                        && transition.atomic
                    {
                        own.add(behind);
                    }
                }
                own.changes_receivers.add(&receiving[target]);
            }
        }
        Continuations { components, uses }
    }

    /// The control states that a process can reach by a transition and the atomic sequence that it
    /// begins, and the transitions behind the first.
    fn sequence(&self, first: &Transition) -> (Vec<ControlId>, Vec<usize>) {
        let (mut places, mut inner) = (vec![first.target], Vec::new());
        let (mut is_place, mut is_inner) =
            (vec![false; self.states.len()], vec![false; self.rows.len()]);
        is_place[first.target.index()] = true;
        let mut open = Vec::new();
        if first.atomic {
            open.push(first.target);
        }
        while let Some(control) = open.pop() {
            let state = self.states.get(control.index());
            for option in state.map_or(&[][..], |state| &state.options) {
                let transition = self.model.transition(option.transition);
                if let Some(slot) = self.slot(option.transition.0)
                    && !std::mem::replace(&mut is_inner[slot], true)
                {
                    inner.push(slot);
                    if transition.atomic {
                        open.push(transition.target);
                    }
                }
                if !std::mem::replace(&mut is_place[transition.target.index()], true) {
                    places.push(transition.target);
                }
            }
        }
        (places, inner)
    }

    fn transition(&self, slot: usize) -> &Transition {
        &self.model.transitions[self.rows[slot] as usize]
    }

    /// Whether what the guard of a sequence assures still holds where a transition needs it,
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
