//! Parts of a vector that decide what its processes do.
//!
//! What a process does depends on its own frame and on the globals and channels that the
//! statements of its control state touch: the options, and what follows them inside atomic
//! sequences. A send without a buffer touches what those touch who may receive, and their
//! frames. Globals and channels that always come together make up one part.
//!
//! As in [`crate::independence`], an index or a channel that is the same in every state of a
//! process stands for one element or channel only.

use std::collections::{HashMap, HashSet};

use space::{Mover, PartSet, Parts};

use crate::flow::components;
use crate::ids::ControlId;
use crate::instance::{Extents, Instance, Premise, Writes};
use crate::model::{Action, ControlState, Model, Transition};
use crate::reduction::Footprint;
use crate::reduction::footprint::ChannelUse;

/// More parts do not fit into a set.
const MOST_PARTS: usize = 128;
/// More is not looked at: control states of all processes times bytes and channels.
const MOST_WORK: usize = 1 << 20;

/// Something that may become a part, or be joined to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Atom {
    /// A global byte that is not in a channel.
    Byte(u32),
    /// A global channel, by its row.
    Channel(usize),
    /// The frame of a process.
    Frame(usize),
}

/// A process of the vector.
struct Member {
    frame: u32,
    kind: usize,
}

/// What decides about moves, if that is known.
type Needs = Option<HashSet<Atom>>;

/// A transition that takes what is offered somewhere, and the channels that it uses.
#[derive(Clone, Debug)]
struct Receiver {
    pid: usize,
    transition: usize,
    channels: Vec<(Option<(usize, bool)>, ChannelUse)>,
}

/// Who receives on channels without buffer.
#[derive(Clone, Debug, Default)]
struct Receivers {
    all: Vec<Receiver>,
    /// Who may receive on which channel, by rows, and on any.
    known: HashMap<usize, Vec<usize>>,
    unknown: Vec<usize>,
}

/// What is looked at.
struct Look<'a> {
    model: &'a Model,
    writes: &'a Writes,
    state: &'a [u8],
    members: Vec<Member>,
    premises: Vec<Premise>,
    escapes: bool,
    /// Worked out with the first offer.
    receivers: Option<Receivers>,
    /// What an offer of a process on a channel touches, as far as it came up.
    offers: HashMap<(usize, usize), Needs>,
    /// How many transitions may still be looked at one by one.
    work: usize,
}

/// How vectors with the processes of this one fall into parts, unless nothing can be said about
/// the model.
pub(crate) fn parts(model: &Model, writes: &Writes, state: &[u8]) -> Option<Parts> {
    let layout = &model.layout;
    let is_usable = !layout.priorities
        && layout.hidden == 0
        && layout.last.is_none()
        && layout.event.is_none()
        && (model.proctypes.iter()).all(|p| p.provided.is_none() && p.claims.is_empty());
    if !is_usable {
        return None;
    }
    let members = members(model, state);
    let states: usize = (members.iter())
        .map(|member| model.proctypes[member.kind].states.len())
        .sum();
    if members.len() > 64 || states * (layout.frames as usize + 1) > MOST_WORK {
        return None;
    }
    let mut look = Look {
        model,
        writes,
        state,
        members,
        premises: Vec::new(),
        escapes: (model.proctypes.iter())
            .flat_map(|proctype| &proctype.states)
            .flat_map(|state| &state.options)
            .any(|option| option.escape != ControlId(0)),
        receivers: None,
        offers: HashMap::new(),
        work: MOST_WORK,
    };
    space::cancel::attempt(|| {
        let needs: Vec<Vec<Needs>> = (0..look.members.len())
            .map(|pid| look.needs_of(pid))
            .collect();
        look.join(&needs)
    })
}

fn members(model: &Model, state: &[u8]) -> Vec<Member> {
    let mut members = Vec::new();
    let mut frame = model.layout.frames;
    while (frame as usize) < state.len() {
        let kind = usize::from(model.layout.head(state, frame).kind);
        members.push(Member { frame, kind });
        frame += model.proctypes[kind].frame_size;
    }
    members
}

impl Receivers {
    fn add(&mut self, receiver: Receiver) {
        let number = self.all.len();
        let taken = receiver.channels.iter();
        let taken = taken.filter(|(_, how)| *how == ChannelUse::Receive);
        let mut rows: Vec<usize> = Vec::new();
        for (channel, _) in taken.clone() {
            rows.extend(channel.and_then(|(row, buffered)| (!buffered).then_some(row)));
        }
        if taken.clone().any(|(channel, _)| channel.is_none()) {
            self.unknown.push(number);
        } else {
            rows.sort_unstable();
            rows.dedup();
            for row in &rows {
                self.known.entry(*row).or_default().push(number);
            }
        }
        self.all.push(receiver);
    }
}

impl Look<'_> {
    /// What decides about the moves of a process, by its control states.
    fn needs_of(&mut self, pid: usize) -> Vec<Needs> {
        let model = self.model;
        let states = &model.proctypes[self.members[pid].kind].states;
        let components = components(model, states, |row| model.transition(row).atomic);
        let later = self.later(pid, states, &components);
        let mut found = Vec::new();
        for (control, state) in states.iter().enumerate() {
            space::cancel::poll();
            let mut needs = Some(HashSet::from([Atom::Frame(pid)]));
            let mut is_followed = true;
            for option in &state.options {
                let transition = model.transition(option.transition);
                needs = needs.and_then(|mut needs| {
                    self.add(pid, transition, true, &mut needs)?;
                    Some(needs)
                });
                if !transition.atomic {
                    continue;
                }
                match (
                    &mut needs,
                    &later[components[transition.target.index()] as usize],
                ) {
                    (Some(needs), Some(later)) => needs.extend(later),
                    _ => is_followed = false,
                }
            }
            // A way back to the control state itself does not count as later.
            found.push(match is_followed {
                true => needs,
                false => self.needs(pid, ControlId(control as u32)),
            });
        }
        found
    }

    /// What decides about what follows inside an atomic sequence, by the components of the
    /// control flow there.
    fn later(&mut self, pid: usize, states: &[ControlState], components: &[u32]) -> Vec<Needs> {
        let model = self.model;
        let count = components.iter().max().map_or(0, |last| *last as usize + 1);
        let mut later: Vec<Needs> = vec![Some(HashSet::new()); count];
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by_key(|&control| components[control]);
        // Only where atomic sequences lead to does it matter.
        let mut is_inside = vec![false; count];
        for option in states.iter().flat_map(|state| &state.options) {
            let transition = model.transition(option.transition);
            is_inside[components[transition.target.index()] as usize] |= transition.atomic;
        }
        for control in order {
            space::cancel::poll();
            let component = components[control] as usize;
            if !is_inside[component] {
                continue;
            }
            for option in &states[control].options {
                let transition = model.transition(option.transition);
                let Some(mut needs) = later[component].take() else {
                    break;
                };
                let target = components[transition.target.index()] as usize;
                let is_known = self.add(pid, transition, false, &mut needs).is_some();
                let behind = match transition.atomic && target != component {
                    true => later[target].as_ref().map(|behind| needs.extend(behind)),
                    false => Some(()),
                };
                later[component] = (is_known && behind.is_some()).then_some(needs);
            }
        }
        later
    }

    /// What decides about the moves of a process in a control state, transition by transition.
    fn needs(&mut self, pid: usize, control: ControlId) -> Needs {
        let model = self.model;
        let mut needs = HashSet::from([Atom::Frame(pid)]);
        let (mut open, mut seen) = (vec![control], HashSet::from([control]));
        while let Some(here) = open.pop() {
            let state = &model.proctypes[self.members[pid].kind].states[here.index()];
            for option in &state.options {
                self.work = self.work.checked_sub(1)?;
                let transition = model.transition(option.transition);
                self.add(pid, transition, here == control, &mut needs)?;
                if transition.atomic && seen.insert(transition.target) {
                    open.push(transition.target);
                }
            }
        }
        Some(needs)
    }

    /// Add what a transition touches; `None` if that cannot be told. Only a transition out of a
    /// state may be a handshake.
    fn add(
        &mut self,
        pid: usize,
        transition: &Transition,
        is_first: bool,
        needs: &mut HashSet<Atom>,
    ) -> Option<()> {
        if transition.action == Action::End && pid + 1 < self.members.len() {
            // Only the youngest process can leave.
            return Some(());
        }
        let footprint = Footprint::of_action(self.model, &transition.action);
        if footprint.beyond_reads || footprint.world_writes {
            return None;
        }
        self.add_places(pid, &footprint, needs);
        let shakes_hands = is_first && !transition.atomic && !self.escapes;
        for (place, how) in &footprint.channels {
            let place = self.model.place(*place);
            match (self.instance(pid).channel(place)?, how, &transition.action) {
                ((row, true), ..) => {
                    needs.insert(Atom::Channel(row));
                }
                ((row, false), ChannelUse::Send, Action::Send { .. }) if shakes_hands => {
                    self.add_listeners(pid, row, needs)?;
                }
                // It waits for somebody else's move.
                ((_, false), ChannelUse::Receive, Action::Receive { .. }) if shakes_hands => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn add_places(&mut self, pid: usize, footprint: &Footprint, needs: &mut HashSet<Atom>) {
        let mut touched = Extents::default();
        for place in footprint.reads.iter().chain(&footprint.writes) {
            let place = self.model.place(*place);
            touched.add_bytes(self.instance(pid).global_bytes(place));
        }
        needs.extend(touched.ranges().flatten().map(Atom::Byte));
    }

    /// Add what those touch who may take an offer on a channel without buffer.
    fn add_listeners(
        &mut self,
        sender: usize,
        row: usize,
        needs: &mut HashSet<Atom>,
    ) -> Option<()> {
        if !self.offers.contains_key(&(sender, row)) {
            let found = self.listeners(sender, row);
            self.offers.insert((sender, row), found);
        }
        let found = self.offers.get(&(sender, row))?;
        needs.extend(found.as_ref()?);
        Some(())
    }

    /// What those touch who may take an offer of a process.
    fn listeners(&mut self, sender: usize, row: usize) -> Needs {
        let receivers = match self.receivers.take() {
            Some(receivers) => receivers,
            None => self.receivers(),
        };
        let known = receivers.known.get(&row).into_iter().flatten();
        let mut needs = Some(HashSet::new());
        for &number in known.chain(&receivers.unknown) {
            let receiver = &receivers.all[number];
            if receiver.pid != sender {
                needs = needs.and_then(|needs| self.with_receiver(receiver, row, needs));
            }
        }
        self.receivers = Some(receivers);
        needs
    }

    /// Add what one touches who may take an offer on a channel.
    fn with_receiver(
        &mut self,
        receiver: &Receiver,
        row: usize,
        mut needs: HashSet<Atom>,
    ) -> Needs {
        self.work = self.work.checked_sub(1)?;
        let transition = &self.model.transitions[receiver.transition];
        let footprint = Footprint::of_action(self.model, &transition.action);
        let is_plain = matches!(transition.action, Action::Receive { .. });
        if !is_plain || transition.atomic || footprint.beyond_reads {
            return None;
        }
        needs.insert(Atom::Frame(receiver.pid));
        self.add_places(receiver.pid, &footprint, &mut needs);
        for &(channel, how) in &receiver.channels {
            match (channel?, how) {
                // The channel that it takes from, and one that it looks at meanwhile.
                ((taken, false), ChannelUse::Receive) if taken == row => {}
                ((other, true), ChannelUse::Look) => {
                    needs.insert(Atom::Channel(other));
                }
                _ => return None,
            }
        }
        Some(needs)
    }

    /// Who may take offers.
    fn receivers(&mut self) -> Receivers {
        let model = self.model;
        let mut found = Receivers::default();
        let mut rows = vec![Vec::new(); model.proctypes.len()];
        for (row, transition) in model.transitions.iter().enumerate() {
            rows[transition.proctype.index()].push(row);
        }
        for pid in 0..self.members.len() {
            for &transition in &rows[self.members[pid].kind] {
                space::cancel::poll();
                let action = &model.transitions[transition].action;
                let mut channels = Vec::new();
                for (place, how) in Footprint::of_action(model, action).channels {
                    channels.push((self.instance(pid).channel(model.place(place)), how));
                }
                let receiver = Receiver {
                    pid,
                    transition,
                    channels,
                };
                found.add(receiver);
            }
        }
        found
    }

    fn instance(&mut self, pid: usize) -> Instance<'_> {
        let Member { frame, kind } = self.members[pid];
        Instance {
            model: self.model,
            writes: self.writes,
            state: self.state,
            frame: Some((frame, pid as u8)),
            proctype: kind,
            channels: &self.model.layout.channels,
            init_only: &[],
            premises: &mut self.premises,
        }
    }

    /// Join what always comes together.
    fn join(&self, needs: &[Vec<Needs>]) -> Parts {
        let sets: Vec<&HashSet<Atom>> = needs.iter().flatten().flatten().collect();
        let mut parts = Parts {
            len: self.state.len(),
            premises: self.premises(),
            ..Parts::default()
        };
        let mut part_of = HashMap::new();
        let mut known: HashMap<Vec<bool>, usize> = HashMap::new();
        for pid in 0..self.members.len() {
            part_of.insert(Atom::Frame(pid), pid);
            parts.bytes.push(vec![self.frame_bytes(pid)]);
        }
        for atom in self.atoms() {
            let together: Vec<bool> = sets.iter().map(|set| set.contains(&atom)).collect();
            let next = parts.bytes.len();
            // Where there is no room for another part, the last one takes everything.
            let part = *known.entry(together).or_insert(next.min(MOST_PARTS - 1));
            if part == next {
                parts.bytes.push(Vec::new());
            }
            part_of.insert(atom, part);
            parts.bytes[part].push(self.bytes_of(atom));
        }
        for bytes in &mut parts.bytes {
            *bytes = merged(bytes);
        }
        let set = |atoms: &HashSet<Atom>| -> PartSet {
            (atoms.iter().map(|atom| part_of[atom])).fold(0, |set, part| set | 1 << part)
        };
        for (pid, needs) in needs.iter().enumerate() {
            let Member { frame, kind } = self.members[pid];
            let head_size = self.model.layout.head_size;
            parts.processes.push(Mover {
                part: pid,
                head: frame as usize..(frame + head_size) as usize,
                base: self.model.layout.head_bases[kind] as usize,
                needs: (needs.iter().map(|needs| needs.as_ref().map(set))).collect(),
            });
        }
        parts
    }

    fn premises(&self) -> Vec<(usize, [u8; 2])> {
        let mut premises: Vec<(usize, [u8; 2])> = (self.premises.iter())
            .map(|premise| (premise.at as usize, [premise.value, premise.other]))
            .collect();
        premises.sort_unstable();
        premises.dedup();
        premises
    }

    /// Everything but the frames.
    fn atoms(&self) -> Vec<Atom> {
        let layout = &self.model.layout;
        let channels = 0..layout.channels.len();
        let mut inside = vec![false; layout.frames as usize];
        for row in channels.clone() {
            inside[self.bytes_of(Atom::Channel(row))].fill(true);
        }
        let bytes = (0..layout.frames).filter(|&byte| !inside[byte as usize]);
        bytes
            .map(Atom::Byte)
            .chain(channels.map(Atom::Channel))
            .collect()
    }

    fn bytes_of(&self, atom: Atom) -> std::ops::Range<usize> {
        match atom {
            Atom::Byte(byte) => byte as usize..byte as usize + 1,
            Atom::Frame(pid) => self.frame_bytes(pid),
            Atom::Channel(row) => {
                let slot = &self.model.layout.channels[row];
                let size = self.model.channel_type(slot.ty).size();
                slot.offset as usize..(slot.offset + size) as usize
            }
        }
    }

    fn frame_bytes(&self, pid: usize) -> std::ops::Range<usize> {
        let Member { frame, kind } = self.members[pid];
        frame as usize..(frame + self.model.proctypes[kind].frame_size) as usize
    }
}

/// The same bytes in as few ranges as possible; those without bytes are dropped.
fn merged(ranges: &[std::ops::Range<usize>]) -> Vec<std::ops::Range<usize>> {
    let mut ranges: Vec<_> = ranges.iter().filter(|range| !range.is_empty()).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<std::ops::Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => merged.push(range.clone()),
        }
    }
    merged
}
