//! Which processes have nothing to do with a step.
//!
//! A step touches the frame of the process that takes it, globals and channels; what a process
//! can do in a control state depends on its own frame, and on globals and channels too. If
//! what one of them writes the other neither reads nor writes, the process has the same
//! transitions before and after the step, and the two lead to the same state in either order.
//!
//! A rendezvous channel is written by each step before or after which its process listens there,
//! and read by those who send to it. A send touches what those touch who may receive.
//!
//! What is touched is a set of bits: each global byte has one and each channel has one, and
//! several may share a bit, which can only make two touches meet that do not. Where an index
//! or a channel is the same in every state of a process (a number, `_pid`, a parameter that is
//! never written, and what is computed from these), only the element and the channel that it
//! stands for are touched. So the sets differ from process to process of a proctype; they are
//! worked out when a vector with such processes comes up, and what they rest on is compared
//! with each vector that they are used for.

use space::{Pid, PidSet, Row};

use crate::ids::{ControlId, PlaceId};
use crate::instance::{Instance, Premise, Writes};
use crate::model::{Action, ControlState, Model, Transition};
use crate::reduction::Footprint;
use crate::reduction::footprint::ChannelUse;

/// The bits of global bytes come first, then those of channels.
const BYTE_BITS: u32 = 47;
const CHANNEL_BITS: u32 = 16;
const CHANNELS: u64 = ((1 << CHANNEL_BITS) - 1) << BYTE_BITS;
/// All that is neither a variable nor a buffer. Everything reads it, and what cannot be
/// described otherwise writes it.
const WORLD: u64 = 1 << 63;

/// So many tables are kept.
const MOST_KEPT: usize = 16;
/// When so many were made, nothing more is said.
const MOST_MADE: usize = 10_000;

/// Those who take a step, a partner perhaps: pid, and place of the transition among those of
/// its proctype.
type Movers = ((u8, u32), Option<(u8, u32)>);

/// What something reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Touch {
    reads: u64,
    writes: u64,
}

/// What something touches at all, and what it writes of that.
#[derive(Clone, Copy, Debug)]
struct Reach {
    touches: u64,
    writes: u64,
}

impl Reach {
    #[inline(always)]
    fn meets(self, other: Reach) -> bool {
        self.writes & other.touches | self.touches & other.writes != 0
    }

    #[inline(always)]
    fn and(self, other: Reach) -> Reach {
        Reach {
            touches: self.touches | other.touches,
            writes: self.writes | other.writes,
        }
    }
}

impl From<Touch> for Reach {
    fn from(touch: Touch) -> Reach {
        Reach {
            touches: touch.reads | touch.writes,
            writes: touch.writes,
        }
    }
}

impl Touch {
    /// Nothing but the own frame.
    const NOTHING: Touch = Touch {
        reads: WORLD,
        writes: 0,
    };
    /// Something that cannot be described.
    const ANYTHING: Touch = Touch {
        reads: WORLD,
        writes: WORLD,
    };

    fn and(self, other: Touch) -> Touch {
        Touch {
            reads: self.reads | other.reads,
            writes: self.writes | other.writes,
        }
    }
}

/// Finds the processes that are independent of a step.
#[derive(Clone, Debug)]
pub(crate) struct Independence {
    /// Whether anything can be said about the model.
    is_usable: bool,
    /// For each transition its place among those of its proctype; none if it touches anything.
    slots: Vec<Option<u32>>,
    /// The transitions of each proctype, in order.
    transitions: Vec<Vec<u32>>,
    writes: Writes,
    /// Whether a process may be kept from a handshake by an escape.
    escapes: bool,
    /// What is known about vectors, the kind seen last first.
    tables: Vec<Table>,
    /// How many tables were made so far.
    made: usize,
}

/// What is known about vectors with the same processes.
#[derive(Clone, Debug, Default)]
struct Table {
    /// Their length.
    len: usize,
    processes: Vec<Process>,
    /// What the control states and the transitions of the processes touch.
    reaches: Vec<Reach>,
    /// Bytes of a vector that this rests on.
    premises: Vec<Premise>,
}

/// A process of a vector.
#[derive(Clone, Copy, Debug)]
struct Process {
    /// Where its frame begins.
    frame: u32,
    /// The number of its head in control state 0, and how many heads it can have.
    base: u32,
    heads: u32,
    /// Where in the table stands what the options of its control states touch, together for
    /// each, and what the transitions of its proctype touch.
    states: u32,
    steps: u32,
}

impl Independence {
    /// Look at the transitions of a model.
    pub(crate) fn new(model: &Model) -> Independence {
        let layout = &model.layout;
        let provided = model.proctypes.iter().any(|p| p.provided.is_some());
        let mut found = Independence {
            is_usable: !layout.priorities
                && !provided
                && layout.hidden == 0
                && layout.last.is_none()
                && layout.event.is_none(),
            slots: Vec::new(),
            transitions: vec![Vec::new(); model.proctypes.len()],
            writes: Writes::new(model),
            escapes: (model.proctypes.iter())
                .flat_map(|proctype| &proctype.states)
                .flat_map(|state| &state.options)
                .any(|option| option.escape != ControlId(0)),
            tables: Vec::new(),
            made: 0,
        };
        for (row, transition) in model.transitions.iter().enumerate() {
            found.add(model, row as u32, transition);
        }
        found
    }

    fn add(&mut self, model: &Model, row: u32, transition: &Transition) {
        space::cancel::poll();
        let kind = transition.proctype.index();
        let footprint = Footprint::of_action(model, &transition.action);
        let slot = self.transitions[kind].len() as u32;
        self.slots
            .push((!touches_anything(transition, &footprint)).then_some(slot));
        self.transitions[kind].push(row);
    }

    /// The processes that are independent of the step of a row, which led to this vector.
    #[inline]
    pub(crate) fn of_step(&mut self, model: &Model, row: &Row, after: &[u8]) -> PidSet {
        if !self.is_usable {
            return PidSet::EMPTY;
        }
        let Some(slot) = self.slots[row.transition as usize] else {
            return PidSet::EMPTY;
        };
        let partner = match row.has(Row::HANDSHAKE) {
            true => match self.slots[row.partner_transition as usize] {
                Some(slot) => Some((row.partner, slot)),
                None => return PidSet::EMPTY,
            },
            false => None,
        };
        let movers = ((row.pid, slot), partner);
        match (self.tables.first()).and_then(|table| table.look(model, movers, after)) {
            Some(found) => found,
            None => self.look_elsewhere(model, movers, after),
        }
    }

    /// Look into the other tables, or make one. Where processes come and go in too many ways,
    /// that would take longer than it saves.
    #[cold]
    fn look_elsewhere(&mut self, model: &Model, movers: Movers, after: &[u8]) -> PidSet {
        for row in 1..self.tables.len() {
            if let Some(found) = self.tables[row].look(model, movers, after) {
                self.tables[..=row].rotate_right(1);
                return found;
            }
        }
        if self.made == MOST_MADE {
            self.is_usable = false;
            return PidSet::EMPTY;
        }
        self.made += 1;
        let table = self.make_table(model, after);
        let found = table.look(model, movers, after);
        self.tables.truncate(MOST_KEPT - 1);
        self.tables.insert(0, table);
        found.unwrap_or(PidSet::EMPTY)
    }

    /// Find out about the processes of a vector.
    fn make_table(&self, model: &Model, state: &[u8]) -> Table {
        let mut premises = Vec::new();
        let mut crowd = Vec::new();
        let mut frame = model.layout.frames;
        while (frame as usize) < state.len() {
            let kind = usize::from(model.layout.head(state, frame).kind);
            let mut view = View {
                independence: self,
                instance: Instance {
                    model,
                    writes: &self.writes,
                    state,
                    frame: Some((frame, crowd.len() as u8)),
                    proctype: kind,
                    channels: &model.layout.channels,
                    init_only: &[],
                    premises: &mut premises,
                },
            };
            let steps = (self.transitions[kind].iter())
                .map(|&row| view.used(&model.transitions[row as usize]))
                .collect();
            crowd.push((frame, Member { kind, steps }));
            frame += model.proctypes[kind].frame_size;
        }
        premises.sort_unstable();
        premises.dedup();
        let mut table = Table {
            len: state.len(),
            premises,
            ..Table::default()
        };
        self.fill(&mut table, model, &mut crowd);
        table
    }

    /// Work out what control states and transitions touch.
    fn fill(&self, table: &mut Table, model: &Model, crowd: &mut [(u32, Member)]) {
        for (_, member) in &mut *crowd {
            member.note_hearing(model, &self.transitions[member.kind]);
        }
        // What is touched by whoever takes an offer, by the channel.
        let mut taken = [Touch::NOTHING; CHANNEL_BITS as usize];
        for used in crowd.iter().flat_map(|(_, member)| &member.steps) {
            for (channel, touch) in taken.iter_mut().enumerate() {
                if used.hears & channel_bit(channel as u32) != 0 {
                    *touch = touch.and(used.touch);
                }
            }
        }
        for (frame, member) in crowd {
            let first = table.reaches.len();
            let proctype = &model.proctypes[member.kind];
            let transitions = &self.transitions[member.kind];
            for state in &proctype.states {
                let options = member.options(state, transitions);
                let touched = options.map(|used| used.map_or(Touch::ANYTHING, |u| u.alone(&taken)));
                let all = touched.fold(Touch::NOTHING, Touch::and);
                table.reaches.push(all.into());
                // Whether these can be taken depends on the other options.
                let close = self.escapes || proctype.deterministic;
                for option in &state.options {
                    let action = &model.transition(option.transition).action;
                    if let Ok(slot) = transitions.binary_search(&option.transition.0)
                        && (close || *action == Action::Else)
                    {
                        member.steps[slot].touch = member.steps[slot].touch.and(all);
                    }
                }
            }
            table.processes.push(Process {
                frame: *frame,
                base: model.layout.head_bases[member.kind],
                heads: (table.reaches.len() - first) as u32,
                states: first as u32,
                steps: table.reaches.len() as u32,
            });
            (table.reaches).extend(member.steps.iter().map(|used| Reach::from(used.touch)));
        }
    }
}

impl Table {
    /// Look at the processes, if they are those of the vector.
    #[inline(always)]
    fn look(&self, model: &Model, movers: Movers, after: &[u8]) -> Option<PidSet> {
        if after.len() != self.len || !self.premises.iter().all(|premise| premise.holds(after)) {
            return None;
        }
        let ((pid, slot), partner) = movers;
        let mut step = self.step(pid, slot)?;
        let mut moved = PidSet::only(Pid(pid));
        if let Some((pid, slot)) = partner {
            step = step.and(self.step(pid, slot)?);
            moved.insert(Pid(pid));
        }
        let independent = match model.layout.head_size {
            1 => self.not_meeting(step, |frame| u32::from(after[frame as usize])),
            _ => self.not_meeting(step, |frame| model.layout.head_number(after, frame) as u32),
        };
        Some(PidSet(independent?.0 & !moved.0))
    }

    /// What a step of a process reaches.
    #[inline(always)]
    fn step(&self, pid: u8, slot: u32) -> Option<Reach> {
        let steps = self.processes.get(usize::from(pid))?.steps;
        self.reaches.get((steps + slot) as usize).copied()
    }

    /// The processes that a step does not meet, by their heads; none if a process cannot have
    /// such a head.
    #[inline(always)]
    fn not_meeting(&self, step: Reach, head: impl Fn(u32) -> u32) -> Option<PidSet> {
        let mut independent = 0;
        for process in self.processes.iter().rev() {
            let control = head(process.frame).wrapping_sub(process.base);
            if control >= process.heads {
                return None;
            }
            let state = self.reaches[(process.states + control) as usize];
            // Those with pids from 64 on are shifted out.
            independent = independent << 1 | u64::from(!state.meets(step));
        }
        Some(PidSet(independent))
    }
}

/// What a transition of a process uses.
#[derive(Clone, Copy, Debug)]
struct Used {
    touch: Touch,
    /// The rendezvous channels that it sends to and receives from.
    offers: u64,
    hears: u64,
    /// It does nothing but receive from a rendezvous channel: never a step of its own.
    only_hears: bool,
}

impl Used {
    /// What trying to take the transition touches. A handshake is one step of two processes,
    /// and whether there is one depends on who listens.
    fn alone(self, taken: &[Touch; CHANNEL_BITS as usize]) -> Touch {
        if self.only_hears {
            return Touch::NOTHING;
        }
        let mut touch = self.touch;
        touch.reads |= self.offers;
        for (channel, taken) in taken.iter().enumerate() {
            if self.offers & channel_bit(channel as u32) != 0 {
                touch = touch.and(*taken);
            }
        }
        touch
    }
}

/// A process of a vector, and what its transitions use.
struct Member {
    kind: usize,
    steps: Vec<Used>,
}

impl Member {
    /// Let each transition write the rendezvous channels that the process hears before or
    /// after it: who offers something there sees the difference.
    fn note_hearing(&mut self, model: &Model, transitions: &[u32]) {
        let states = &model.proctypes[self.kind].states;
        let hears = |state: &ControlState| {
            let options = self.options(state, transitions);
            options.fold(0, |all, used| {
                all | used.map_or(CHANNELS, |used| used.hears)
            })
        };
        let heard: Vec<u64> = states.iter().map(hears).collect();
        for (state, &heard) in states.iter().zip(&heard) {
            for option in &state.options {
                if let Ok(slot) = transitions.binary_search(&option.transition.0) {
                    self.steps[slot].touch.writes |= heard;
                }
            }
        }
        for (used, &row) in self.steps.iter_mut().zip(transitions) {
            let target = model.transitions[row as usize].target.index();
            used.touch.writes |= heard.get(target).map_or(0, |&heard| heard);
        }
    }

    /// What the options of a control state use.
    fn options<'a>(
        &'a self,
        state: &'a ControlState,
        transitions: &'a [u32],
    ) -> impl Iterator<Item = Option<Used>> + 'a {
        state.options.iter().map(|option| {
            let slot = transitions.binary_search(&option.transition.0).ok()?;
            Some(self.steps[slot])
        })
    }
}

/// The bit of a channel.
fn channel_bit(number: u32) -> u64 {
    1 << (BYTE_BITS + number % CHANNEL_BITS)
}

/// Whether nothing can be said about what a transition touches: it looks at other processes,
/// changes their number, or begins or goes on with an atomic sequence, whose other steps would
/// count too.
fn touches_anything(transition: &Transition, footprint: &Footprint) -> bool {
    transition.atomic || footprint.world_reads || footprint.world_writes
}

/// A process of a vector.
struct View<'a> {
    independence: &'a Independence,
    instance: Instance<'a>,
}

impl View<'_> {
    /// What a transition uses.
    fn used(&mut self, transition: &Transition) -> Used {
        let footprint = Footprint::of_action(self.instance.model, &transition.action);
        let mut used = Used {
            touch: match touches_anything(transition, &footprint) {
                true => Touch::ANYTHING,
                false => Touch::NOTHING,
            },
            offers: 0,
            hears: 0,
            only_hears: false,
        };
        for place in &footprint.reads {
            used.touch.reads |= self.bits(*place);
        }
        for place in &footprint.writes {
            used.touch.writes |= self.bits(*place);
        }
        for (place, how) in &footprint.channels {
            self.use_channel(*place, *how, &mut used);
        }
        let is_receive = matches!(transition.action, Action::Receive { peek: false, .. });
        used.only_hears = is_receive && used.hears != 0 && used.hears != CHANNELS;
        used
    }

    fn use_channel(&mut self, place: PlaceId, how: ChannelUse, used: &mut Used) {
        match (self.channel(place), how) {
            (Some((bit, true)), ChannelUse::Look) => used.touch.reads |= bit,
            (Some((bit, true)), _) => used.touch.writes |= bit,
            (Some((bit, false)), ChannelUse::Send) if !self.independence.escapes => {
                used.offers |= bit;
            }
            (Some((bit, false)), ChannelUse::Receive) if !self.independence.escapes => {
                used.hears |= bit;
            }
            (_, how) => {
                used.touch = used.touch.and(Touch::ANYTHING);
                if how == ChannelUse::Receive {
                    used.hears = CHANNELS;
                }
            }
        }
    }

    /// The bits of a place.
    fn bits(&mut self, place: PlaceId) -> u64 {
        let place = self.instance.model.place(place);
        let mut bytes = self.instance.global_bytes(place);
        bytes.end = bytes.end.min(bytes.start + BYTE_BITS);
        bytes.fold(0, |bits, byte| bits | 1 << (byte % BYTE_BITS))
    }

    /// The bit of the channel in a place, if it is a global one and always the same, and whether
    /// it has a buffer.
    fn channel(&mut self, place: PlaceId) -> Option<(u64, bool)> {
        let (row, buffered) = self.instance.channel(self.instance.model.place(place))?;
        Some((channel_bit(row as u32 + 1), buffered))
    }
}
