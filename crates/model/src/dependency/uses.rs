//! What the transitions of a process use that others use too.

use super::bits::Bits;
use super::channel_guards::{EnabledBy, channel_guards_of};
use super::guards::conjuncts;
use super::pid_insensitive::{PidSensitivity, channels_escape};
use super::private::Privacy;
use super::receivers::{Receiver, ReceiverSet};
use super::sequence::Process;
use super::visibility::MOST_PARTS;
use crate::expr::Expr;
use crate::ids::{ControlId, ExprId, PlaceId, ProctypeId};
use crate::instance::{Instance, channels, extent, overlap};
use crate::layout::{Base, Place};
use crate::model::{Action, Initialiser, Model, Transition};
use crate::reduction::Footprint;
use crate::reduction::footprint::ChannelUse;

/// How many cells, channels and proctypes are distinguished.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Bytes of globals, then one for each proctype whose processes are looked at by others, then
    /// one for each process: whether it is enabled; then one for each part of a formula.
    cells: usize,
    proctypes: usize,
    /// The global channels, some of the processes, and one for all others.
    channels: usize,
    kinds: usize,
}

/// So many channels of processes are distinguished.
const MOST_OWNED: usize = 64;

impl Sizes {
    pub(super) fn new(model: &Model) -> Sizes {
        Sizes {
            cells: model.layout.frames as usize
                + model.proctypes.len()
                + super::MOST_PROCESSES
                + MOST_PARTS,
            proctypes: model.layout.frames as usize,
            channels: {
                let are_owned = model.proctypes.iter().any(|p| !p.channels.is_empty());
                let owned = if are_owned { MOST_OWNED } else { 0 };
                model.layout.channels.len() + owned + 1
            },
            kinds: model.proctypes.len(),
        }
    }

    /// How many words it takes to say what a transition uses.
    pub(super) fn words(self) -> usize {
        let words = |bits: usize| bits / 64 + 1;
        2 * words(self.cells) + 13 * words(self.channels) + words(self.kinds)
    }

    /// How many channels are distinguished.
    pub(super) fn channels(self) -> usize {
        self.channels
    }

    /// How many of them are known by name.
    pub(super) fn known_channels(self) -> usize {
        self.channels - 1
    }

    /// How many cells there are.
    pub(super) fn cells(self) -> usize {
        self.cells
    }

    /// The cell that stands for the frames of a proctype.
    fn frames_of(self, kind: usize) -> usize {
        self.proctypes + kind
    }

    /// The cell that stands for whether a process is enabled.
    pub(super) fn enabledness_of(self, pid: usize) -> usize {
        self.cells - MOST_PARTS - super::MOST_PROCESSES + pid
    }

    /// The cell that stands for what a part of a formula sees.
    fn visibility_of(self, part: usize) -> usize {
        self.cells - MOST_PARTS + part
    }
}

/// What a transition uses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Uses {
    /// Cells that are read and written.
    pub(super) reads: Bits,
    pub(super) writes: Bits,
    /// Channels with buffers: those that get a message, lose one, and are looked at.
    pub(super) sends: Bits,
    pub(super) receives: Bits,
    pub(super) looks: Bits,
    /// Those whose fill is tested: by guards that a send may enable, and by guards that a receive may
    /// enable. Only the other end may disable them.
    awaits_send: Bits,
    awaits_receive: Bits,
    /// Rendezvous channels: those where a message is offered and received.
    pub(super) offers: Bits,
    pub(super) handshake_receives: Bits,
    /// Those of them where something is offered later than at first, to processes that cannot
    /// move before.
    pub(super) later_offers: Bits,
    /// Those whose receivers matter, and those where a receive becomes ready or ceases to be.
    pub(super) observes_receivers: Bits,
    pub(super) changes_receivers: Bits,
    /// Channels of which a process begins or ceases to claim an end for itself, which decides
    /// whether others may use it.
    claimed_sends: Bits,
    claimed_receives: Bits,
    /// Channels that cease to be there, or begin to.
    pub(super) closes: Bits,
    /// The proctypes of which it starts processes.
    pub(super) starts: Bits,
    /// It starts a process, ends one, or reads how many there are.
    pub(super) runs: bool,
    pub(super) ends: bool,
    pub(super) counts: bool,
    /// Where only the number of processes matters: it starts one, or ends one.
    comes: bool,
    pub(super) leaves: bool,
}

impl Uses {
    pub(super) fn nothing(sizes: Sizes) -> Uses {
        Uses::of(sizes, Bits::none, false)
    }

    /// Something that cannot be described.
    pub(super) fn anything(sizes: Sizes) -> Uses {
        Uses::of(sizes, Bits::all, true)
    }

    fn of(sizes: Sizes, set: fn(usize) -> Bits, world: bool) -> Uses {
        let (cells, channels) = (set(sizes.cells), set(sizes.channels));
        Uses {
            reads: cells.clone(),
            writes: cells,
            sends: channels.clone(),
            receives: channels.clone(),
            looks: channels.clone(),
            awaits_send: channels.clone(),
            awaits_receive: channels.clone(),
            offers: channels.clone(),
            handshake_receives: channels.clone(),
            later_offers: channels.clone(),
            observes_receivers: channels.clone(),
            changes_receivers: channels.clone(),
            claimed_sends: channels.clone(),
            claimed_receives: channels.clone(),
            closes: channels,
            starts: set(sizes.kinds),
            runs: world,
            ends: world,
            counts: world,
            comes: world,
            leaves: world,
        }
    }

    pub(super) fn add(&mut self, other: &Uses) {
        self.reads.add(&other.reads);
        self.writes.add(&other.writes);
        self.sends.add(&other.sends);
        self.receives.add(&other.receives);
        self.looks.add(&other.looks);
        self.awaits_send.add(&other.awaits_send);
        self.awaits_receive.add(&other.awaits_receive);
        self.offers.add(&other.offers);
        self.handshake_receives.add(&other.handshake_receives);
        self.later_offers.add(&other.later_offers);
        self.observes_receivers.add(&other.observes_receivers);
        self.changes_receivers.add(&other.changes_receivers);
        self.claimed_sends.add(&other.claimed_sends);
        self.claimed_receives.add(&other.claimed_receives);
        self.closes.add(&other.closes);
        self.starts.add(&other.starts);
        self.runs |= other.runs;
        self.ends |= other.ends;
        self.counts |= other.counts;
        self.comes |= other.comes;
        self.leaves |= other.leaves;
    }

    /// Add what the processes that it starts use, by their proctypes.
    pub(super) fn add_started(&mut self, uninstantiated: &[Uses]) {
        if self.starts.is_empty() {
            return;
        }
        for (kind, uses_of_child) in uninstantiated.iter().enumerate() {
            if self.starts.has(kind) {
                self.add(uses_of_child);
            }
        }
    }

    /// Add what decides whether another transition is enabled.
    pub(super) fn add_test(&mut self, other: &Uses) {
        self.reads.add(&other.reads);
        for channels in other.buffers() {
            self.looks.add(channels);
        }
        self.observes_receivers.add(&other.offers);
        self.observes_receivers.add(&other.observes_receivers);
        self.counts |= other.counts | other.ends;
    }

    /// Where a statement is not the first of what is executed at once, it matters whether it can be
    /// executed when it is due.
    pub(super) fn make_strict(&mut self) {
        let test = self.clone();
        self.add_test(&test);
    }

    /// Buffered channels, by how they are used.
    fn buffers(&self) -> [&Bits; 5] {
        [
            &self.sends,
            &self.receives,
            &self.looks,
            &self.awaits_send,
            &self.awaits_receive,
        ]
    }

    /// Whether taking one of two transitions of different processes that can both be taken
    /// disables the other, or the order makes a difference. A message that is sent and one that
    /// is received are at different ends of the channel.
    pub(super) fn is_dependent_on(&self, other: &Uses) -> bool {
        // Starting a process need not wait for those that die, see `pid_insensitive`.
        self.interferes(other) || other.interferes(self) || self.leaves && other.comes
    }

    fn interferes(&self, other: &Uses) -> bool {
        self.writes.meets(&other.reads)
            || self.writes.meets(&other.writes)
            || self.sends.meets(&other.sends)
            || self.receives.meets(&other.receives)
            || self.looks.meets(&other.sends)
            || self.looks.meets(&other.receives)
            || self.awaits_send.meets(&other.receives)
            || self.awaits_receive.meets(&other.sends)
            || self.offers.meets(&other.handshake_receives)
            || self.claims_from(other)
            || self.closes_on(other)
            || self.runs && (other.runs || other.ends || other.counts)
            || self.ends && other.counts
    }

    /// Whether it changes which processes may use a channel that the other one uses.
    fn claims_from(&self, other: &Uses) -> bool {
        self.claimed_sends.meets(&other.sends)
            || self.claimed_sends.meets(&other.offers)
            || self.claimed_receives.meets(&other.receives)
            || self.claimed_receives.meets(&other.handshake_receives)
            // A receive that leaves the message where it is looks, and breaks a claim too.
            || self.claimed_receives.meets(&other.looks)
    }

    /// Whether the other one uses a channel that ceases to be there with this one.
    fn closes_on(&self, other: &Uses) -> bool {
        let handshakes = [
            &other.offers,
            &other.handshake_receives,
            &other.observes_receivers,
        ];
        let mut uses = other.buffers().into_iter().chain(handshakes);
        !self.closes.is_empty() && uses.any(|used| self.closes.meets(used))
    }

    /// Whether one transition observes receivers that the other changes.
    pub(super) fn observes_receivers_of(&self, other: &Uses) -> bool {
        self.observes_receivers.meets(&other.changes_receivers)
            || self.changes_receivers.meets(&other.observes_receivers)
    }

    /// Whether it offers on a channel whose receivers the other one changes.
    pub(super) fn offers_to_receivers_of(&self, other: &Uses) -> bool {
        self.offers.meets(&other.changes_receivers)
    }

    /// Whether a disabled transition may be enabled by this one of another process. The end of another
    /// process counts only for an end with effects: nothing follows a plain one, and what is dependent
    /// with it is dependent with all ends that may come before it.
    pub(super) fn may_be_enabled_by(&self, other: &Uses) -> bool {
        self.reads.meets(&other.writes)
            || self.looks.meets(&other.sends)
            || self.looks.meets(&other.receives)
            || self.awaits_send.meets(&other.sends)
            || self.awaits_receive.meets(&other.receives)
            || self.sends.meets(&other.receives)
            || self.receives.meets(&other.sends)
            || self.receives.meets(&other.receives)
            || self.offers.meets(&other.handshake_receives)
            || self.handshake_receives.meets(&other.offers)
            || other.closes_on(self)
            || self.counts && (other.runs || other.ends)
            || self.ends && other.ends && !self.is_plain()
    }

    /// Whether it depends on no variable or channel, and no claim ends with it.
    fn is_plain(&self) -> bool {
        let uses = [
            &self.reads,
            &self.looks,
            &self.awaits_send,
            &self.awaits_receive,
            &self.claimed_sends,
            &self.claimed_receives,
            &self.closes,
        ];
        uses.into_iter().all(Bits::is_empty)
    }

    /// Whether it may change whether a process with these uses is enabled.
    pub(super) fn may_change_enabledness_of(&self, other: &Uses) -> bool {
        self.writes.meets(&other.reads)
            || (other.buffers().into_iter())
                .any(|channels| self.sends.meets(channels) || self.receives.meets(channels))
            || self.changes_receivers.meets(&other.offers)
            || self.closes_on(other)
            || (self.ends || self.runs) && (other.ends || other.counts)
    }
}

/// Works out what transitions of a process use.
pub(super) struct Observer<'a> {
    pub(super) instance: Instance<'a>,
    pub(super) sizes: Sizes,
    /// The proctypes whose processes are looked at by others.
    pub(super) exposed: &'a [bool],
    /// The channels of the processes of each proctype.
    pub(super) privacy: &'a [Privacy],
    /// What depends on pids.
    pub(super) pid_sensitivity: PidSensitivity,
    /// For each part of a formula the statements that it sees.
    pub(super) seen: &'a [Vec<bool>],
    /// The proctypes that claim channels.
    pub(super) claimants: &'a [usize],
    /// Whether sorted sends may put a message before others.
    pub(super) sorts: bool,
}

impl Observer<'_> {
    /// What the transitions of the process use, each together with the atomic sequence that it
    /// begins, and its rendezvous receives with what they depend on.
    pub(super) fn transitions(&mut self, rows: &[u32]) -> (Vec<Uses>, Vec<Receiver>) {
        let model = self.instance.model;
        let alone: Vec<Uses> = rows
            .iter()
            .map(|&row| {
                space::cancel::poll();
                let mut uses = self.action(&model.transitions[row as usize]);
                for (part, _) in
                    (self.seen.iter().enumerate()).filter(|(_, seen)| seen[row as usize])
                {
                    uses.writes.insert(self.sizes.visibility_of(part));
                }
                uses
            })
            .collect();
        let process = Process {
            model,
            sizes: self.sizes,
            states: &model.proctypes[self.instance.proctype].states,
            rows,
            alone: &alone,
        };
        let receiving = process.receiving_channels();
        let mut uses = alone.clone();
        let mut receivers = ReceiverSet::default();
        for (control, state) in process.states.iter().enumerate() {
            space::cancel::poll();
            let enabledness = process.enabledness(state);
            let close = model.proctypes[self.instance.proctype].deterministic
                || (state.options.iter()).any(|option| option.escape != ControlId(0));
            for option in &state.options {
                let Some(slot) = process.slot(option.transition.0) else {
                    continue;
                };
                uses[slot].changes_receivers.add(&receiving[control]);
                if close || model.transition(option.transition).action == Action::Else {
                    uses[slot].add_test(&enabledness);
                }
                let channels = &alone[slot].handshake_receives;
                if !channels.is_empty() {
                    let mut enabled_by = alone[slot].clone();
                    if close {
                        enabled_by.add(&enabledness);
                    }
                    receivers.insert(Receiver {
                        channels: channels.clone(),
                        enabledness: enabled_by,
                    });
                }
            }
        }
        let continuations = process.continuations(&receiving);
        for (used, &row) in uses.iter_mut().zip(rows) {
            space::cancel::poll();
            let transition = &model.transitions[row as usize];
            let assured = self.assured(transition);
            process.follow(transition, &assured, &receiving, &continuations, used);
        }
        (uses, receivers.into_vec())
    }

    /// What a statement uses.
    fn action(&mut self, transition: &Transition) -> Uses {
        let model = self.instance.model;
        let mut footprint = Footprint::of_action(model, &transition.action);
        let mut uses = Uses::nothing(self.sizes);
        if let Action::Guard(guard) = transition.action {
            // More is known than that it looks at channels.
            footprint.channels.clear();
            for (place, end) in channel_guards_of(model, guard) {
                self.add_channel_guard(place, end, &mut uses);
            }
        }
        if let Some(provided) = model.proctypes[self.instance.proctype].provided {
            footprint.add_expr(model, provided);
        }
        self.add_global_effects(transition, &footprint, &mut uses);
        for place in &footprint.reads {
            self.add_bytes(*place, &mut uses.reads);
        }
        for place in &footprint.writes {
            self.add_bytes(*place, &mut uses.writes);
        }
        for (place, how) in &footprint.channels {
            self.add_channel(*place, *how, &mut uses);
        }
        self.add_trace_uses(&footprint.channels, &mut uses);
        let sorted = matches!(transition.action, Action::Send { sorted: true, .. });
        let all_at_once = matches!(transition.action, Action::DStep(_));
        if sorted || model.lossy || all_at_once {
            uses.make_strict();
        }
        self.add_claims(transition, &footprint, &mut uses);
        if self.exposed[self.instance.proctype] {
            let frames = self.sizes.frames_of(self.instance.proctype);
            uses.writes.insert(frames);
        }
        uses
    }

    /// What is neither a variable nor a channel.
    fn add_global_effects(
        &mut self,
        transition: &Transition,
        footprint: &Footprint,
        uses: &mut Uses,
    ) {
        let model = self.instance.model;
        // Whatever else there is, which the kind of statement does not account for.
        let is_odd = match &transition.action {
            // Nobody waits for a timeout while another can move.
            Action::Guard(expr) if is_for_timeout(model, *expr) => self.has_global_provided(),
            Action::End => {
                uses.ends = self.pid_sensitivity == PidSensitivity::All;
                uses.leaves = self.pid_sensitivity == PidSensitivity::Count;
                self.add_closed(uses);
                self.has_global_provided()
            }
            Action::Run(spec, ..) => {
                uses.runs = self.pid_sensitivity == PidSensitivity::All
                    || self.numbers_channels(spec.proctype);
                uses.comes = self.pid_sensitivity == PidSensitivity::Count;
                uses.starts.insert(spec.proctype.index());
                self.add_initialiser_uses(spec.proctype.index(), uses);
                self.add_initial_receivers(spec.proctype.index(), uses);
                if !model.proctype(spec.proctype).channels.is_empty() {
                    // A process may still hold the id from one that no longer exists.
                    uses.closes.insert(self.sizes.known_channels());
                }
                let odd = |arg: &ExprId| Footprint::of_expr(model, *arg).world_reads;
                spec.args.iter().any(odd) || self.has_global_provided()
            }
            _ => footprint.world_writes || footprint.world_reads,
        };
        let others = footprint
            .remote_labels
            .iter()
            .map(|(kind, _)| kind)
            .chain(footprint.remote_reads.iter().map(|(kind, _)| kind));
        let mut looks_at_others = false;
        for kind in others {
            looks_at_others = true;
            uses.reads.insert(self.sizes.frames_of(kind.index()));
            uses.counts = true;
        }
        if is_odd && (footprint.world_writes || !looks_at_others) {
            uses.add(&Uses::anything(self.sizes));
        }
    }

    /// Whether a new process has channels whose numbers others may look at.
    fn numbers_channels(&self, kind: ProctypeId) -> bool {
        channels_escape(self.privacy) && !self.instance.model.proctype(kind).channels.is_empty()
    }

    /// What the initial values of the variables of a new process depend on. Its frame is not there yet,
    /// so that nothing is known about indices and channels.
    fn add_initialiser_uses(&self, kind: usize, uses: &mut Uses) {
        let model = self.instance.model;
        for init in &model.proctypes[kind].inits {
            let Initialiser::Value { value, .. } = init else {
                continue;
            };
            let footprint = Footprint::of_expr(model, *value);
            let places = footprint.reads.iter().map(|&place| model.place(place));
            for place in places.filter(|place| place.base == Base::Global) {
                let bytes = extent(place);
                (uses.reads).insert_all(bytes.start as usize..bytes.end as usize);
            }
            if !footprint.channels.is_empty() {
                uses.looks.add(&Bits::all(self.sizes.channels));
            }
            if footprint.world_reads {
                uses.add(&Uses::anything(self.sizes));
            }
        }
    }

    /// The channels that a new process receives from at its initial control state.
    fn add_initial_receivers(&mut self, kind: usize, uses: &mut Uses) {
        let model = self.instance.model;
        let proctype = &model.proctypes[kind];
        for option in &proctype.states[proctype.initial.index()].options {
            let action = &model.transition(option.transition).action;
            for (place, how) in Footprint::of_action(model, action).channels {
                let place = model.place(place);
                let is_known = place.base == Base::Global && place.indices.is_empty();
                match is_known.then(|| self.instance.channel(place)).flatten() {
                    _ if how != ChannelUse::Receive => {}
                    Some((row, _)) => uses.changes_receivers.insert(row),
                    None => uses.changes_receivers.add(&Bits::all(self.sizes.channels)),
                }
            }
        }
    }

    /// The channels known to others that cease to exist when the process ends.
    fn add_closed(&self, uses: &mut Uses) {
        let Instance {
            model,
            state,
            frame,
            proctype: kind,
            ..
        } = self.instance;
        let own = model.proctypes[kind].channels.len();
        if own == 0 || !self.privacy[kind].shares {
            return;
        }
        let first = frame.map(|(frame, _)| channels(model, &state[..frame as usize]).len());
        match first {
            Some(first) if first + own <= self.sizes.known_channels() => {
                (first..first + own).for_each(|row| uses.closes.insert(row));
            }
            _ => uses.closes.add(&Bits::all(self.sizes.channels)),
        }
    }

    /// The claims that begin or end with a process, or with what a variable holds.
    fn add_claims(&mut self, transition: &Transition, footprint: &Footprint, uses: &mut Uses) {
        let model = self.instance.model;
        if transition.action == Action::End {
            for claim in &model.proctypes[self.instance.proctype].claims {
                let channel = self.instance.channel(model.place(claim.channel));
                self.add_claimed(claim.receive, channel.map(|(row, _)| row), uses);
            }
        }
        if let Action::Run(spec, ..) = &transition.action {
            for claim in &model.proctype(spec.proctype).claims {
                let place = model.place(claim.channel);
                // What a parameter will hold is not known yet.
                let channel = (place.base == Base::Global).then(|| self.instance.channel(place));
                self.add_claimed(claim.receive, channel.flatten().map(|(row, _)| row), uses);
            }
        }
        let written = |kind: usize, claimed: &Place| {
            let mut writes = footprint.writes.iter().map(|&place| model.place(place));
            let is_there = claimed.base != Base::Frame || kind == self.instance.proctype;
            is_there && writes.any(|place| place.base == claimed.base && overlap(place, claimed))
        };
        for &kind in self.claimants {
            let claims = model.proctypes[kind].claims.iter();
            for claim in claims.filter(|claim| written(kind, model.place(claim.channel))) {
                self.add_claimed(claim.receive, None, uses);
            }
        }
    }

    /// Add a claim of receives or sends, of any channel if it is not known of which.
    fn add_claimed(&self, receive: bool, channel: Option<usize>, uses: &mut Uses) {
        let claims = match receive {
            true => &mut uses.claimed_receives,
            false => &mut uses.claimed_sends,
        };
        match channel {
            Some(row) => claims.insert(row),
            None => claims.add(&Bits::all(self.sizes.channels)),
        }
    }

    /// Whether the `provided` clause of the process reads anything but variables and channels.
    fn has_global_provided(&self) -> bool {
        let model = self.instance.model;
        let provided = model.proctypes[self.instance.proctype].provided;
        provided.is_some_and(|expr| Footprint::of_expr(model, expr).world_reads)
    }

    pub(super) fn add_bytes(&mut self, place: PlaceId, cells: &mut Bits) {
        let place = self.instance.model.place(place);
        let bytes = self.instance.global_bytes(place);
        cells.insert_all(bytes.start as usize..bytes.end as usize);
    }

    fn add_channel_guard(&mut self, place: PlaceId, end: EnabledBy, uses: &mut Uses) {
        let channel = self.instance.channel(self.instance.model.place(place));
        let is_private =
            self.privacy[self.instance.proctype].covers(self.instance.model.place(place));
        match (channel, end) {
            _ if is_private => {}
            (Some((row, true)), EnabledBy::Send) => uses.awaits_send.insert(row),
            (Some((row, true)), EnabledBy::Receive) => uses.awaits_receive.insert(row),
            _ => self.add_channel(place, ChannelUse::Look, uses),
        }
    }

    fn add_channel(&mut self, place: PlaceId, how: ChannelUse, uses: &mut Uses) {
        let place = self.instance.model.place(place);
        if self.privacy[self.instance.proctype].covers(place) {
            return;
        }
        let (buffered, handshake) = match how {
            ChannelUse::Send => (&mut uses.sends, Some(&mut uses.offers)),
            ChannelUse::Receive => (&mut uses.receives, Some(&mut uses.handshake_receives)),
            ChannelUse::Look => (&mut uses.looks, None),
        };
        match (self.instance.channel(place), handshake) {
            (Some((row, false)), Some(handshake)) => handshake.insert(row),
            (Some((row, _)), _) => buffered.insert(row),
            (None, handshake) => {
                let all = Bits::all(self.sizes.channels);
                if let Some(handshake) = handshake {
                    handshake.add(&all);
                }
                buffered.add(&all);
            }
        }
    }
}

/// Whether a guard is true only after a timeout, and the rest of it reads variables and channels.
fn is_for_timeout(model: &Model, guard: ExprId) -> bool {
    let parts = conjuncts(model, guard);
    let is_timeout = |part: &ExprId| *model.expr(*part) == Expr::Timeout;
    let mut others = parts.iter().filter(|part| !is_timeout(part));
    parts.iter().any(is_timeout) && others.all(|&part| !Footprint::of_expr(model, part).world_reads)
}
