//! The product of a model and a monitor, learned while it is used.
//!
//! Model and monitor move in turn, the monitor first. A state of the product is a state of the model
//! together with one of the monitor, which lies in the vector of the model, in a part that no
//! statement touches. So the moves of the model carry it along, and a successor is the state with
//! the difference of a move of each.
//!
//! The monitor has rows as processes have: what its propositions read is recorded while it is asked,
//! and its own state with these parts is the key. What it sees that lies in no part, a *sight*, chooses
//! the table: whether nobody can move, or only by a timeout, and whether a process stands at a label.
//!
//! Where the monitor cannot move, the execution is of no interest and ends. Where the model cannot,
//! the monitor goes on alone: a finite execution is taken for one that repeats its last state for
//! ever.
//!
//! Violations of the model itself are left out. A step that fails leads nowhere, and
//! [`Product::fault`] remembers that there was one.
//!
//! Follows: [003]'s product of a system and a never claim, with Spin's stutter extension.
//!
//! Departs: an atomic sequence is one move, so the monitor does not wait inside.

mod alone;
mod paths;

use model::{Model, Sight};
use space::{Pid, PidSet, Violation};

use crate::ample::AmpleKey;
use crate::claim_rows::{Accused, ClaimInfos, ClaimRows};
use crate::layout::{Field, Layout, Rewrite};
use crate::learner::{MoveInfo, Phase};
use crate::monitor::{Alone, Label, Monitor, MonitorInfo, MonitorMove};
use crate::numbering::PartId;
use crate::rows::{Counts, Effects, Move, MoveId, PartBits};
use crate::state::{Digest, State};
use crate::system::{Next, Stop, System};

pub use paths::{Complaint, Described, Rest};

/// How many sights there are.
const SIGHTS: usize = 8;

/// A successor.
#[derive(Clone, Copy, Debug)]
pub struct Edge<const W: usize, D> {
    /// The state.
    pub state: State<W, D>,
    /// The move of the model that leads to it. It leads further by the levels of the monitor.
    pub info: MoveId,
    /// The acceptance sets that the move belongs to, as bits.
    pub sets: u32,
    /// The process that makes the move, the sender of a handshake; [`Pid::NOBODY`] if the monitor
    /// goes on alone.
    pub pid: u8,
}

/// What there is to account for when a state is expanded, besides its successors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// The steps inside atomic sequences.
    pub atomic_steps: u64,
    /// How often an atomic sequence comes back to where it was.
    pub endless: u64,
    /// How many levels further down there is a node that is no state, at once...
    pub reach: u32,
    /// ...and when all moves were taken.
    pub reach_inside: u32,
    /// Whether the monitor finds something wrong: see [`Product::complaints`].
    pub has_complaints: bool,
    /// Whether there is a step to take.
    pub goes_on: bool,
    /// The acceptance sets that the first one belongs to, as bits.
    pub sets: u32,
}

/// What the model does in a state.
#[derive(Clone, Copy, Debug, Default)]
struct Stepped {
    counts: Counts,
    atomic_steps: u64,
    endless: u64,
    has_violations: bool,
    is_timeout: bool,
}

impl Stepped {
    #[inline(always)]
    fn add(&mut self, counts: &Counts) {
        self.atomic_steps += u64::from(counts.atomic_steps);
        self.endless += u64::from(counts.endless);
        self.counts.reach = self.counts.reach.max(counts.reach);
        self.has_violations |= counts.violations != 0;
        self.counts.moved |= counts.moved;
        self.counts.withheld |= counts.withheld;
    }
}

/// Labels of processes that a monitor sees.
#[derive(Clone, Debug)]
struct Labels {
    label: Label,
    /// By pid: the field of the main part, and for each value of it whether there is such a label.
    processes: Vec<(Field, Vec<bool>)>,
}

/// A move of the monitor that is combined with those of the model.
#[derive(Clone, Copy, Debug)]
struct Taken<const W: usize, D> {
    delta: State<W, D>,
    info: MoveId,
    sets: u32,
}

/// A model and a monitor whose states are words.
pub struct Product<'m, const W: usize, D, M> {
    system: System<'m, W, D>,
    monitor: M,
    info: MonitorInfo,
    /// The part with the state of the monitor, and its field; one of no bits if it has no state.
    own: Option<PartId>,
    own_field: Field,
    /// The same of the byte that says whether it is alone.
    alone: Option<PartId>,
    alone_field: Field,
    labels: Option<Labels>,
    /// By sight.
    rows: [ClaimRows<W, D>; SIGHTS],
    infos: ClaimInfos,
    /// The moves of the monitor alone, one or two.
    stutter: [MoveId; 2],
    /// The first error of the model that ended an execution.
    fault: Option<Violation>,
    /// The length of the longest vector of a state that was come to.
    longest: usize,
    /// How often the monitor was asked.
    asked: u64,
    taken: Vec<Taken<W, D>>,
    found: Vec<Next<W, D>>,
    vector: Vec<u8>,
    after: Vec<u8>,
    answer: Vec<MonitorMove>,
}

impl<'m, D: Digest, M: Monitor> Product<'m, 4, D, M> {
    /// A model and a monitor about which nothing is known yet, in wide words, with the initial
    /// state.
    #[allow(clippy::type_complexity, reason = "taken apart at once")]
    pub fn new(
        model: &'m Model,
        monitor: M,
    ) -> Result<(Product<'m, 4, D, M>, State<4, D>), Violation> {
        let (mut system, initial) = System::begin(model, |vector| monitor.begin(vector))?;
        let info = monitor.info();
        let vector = system.unpack(&initial).to_vec();
        let numbering = &system.learner.numbering;
        let owner = |at: usize| numbering.owner(0, at);
        let own = info.slot.and_then(owner);
        let alone = match info.alone {
            Alone::TwoAtFirst(at) => owner(at),
            Alone::Stored | Alone::Stateless => None,
        };
        let stutter = [1, 2].map(|levels| {
            system.relation.number_info(MoveInfo {
                levels: levels - info.levels,
                is_straight: false,
                movers: PidSet::EMPTY,
                last: None,
            })
        });
        let mut product = Product {
            system,
            monitor,
            own,
            own_field: Field::default(),
            alone,
            alone_field: Field::default(),
            labels: info.label.map(|label| Labels {
                label,
                processes: Vec::new(),
            }),
            info,
            rows: Default::default(),
            infos: ClaimInfos::default(),
            stutter,
            fault: None,
            longest: vector.len(),
            asked: 0,
            taken: Vec::new(),
            found: Vec::new(),
            vector: Vec::new(),
            after: Vec::new(),
            answer: Vec::new(),
        };
        product.refresh();
        Ok((product, initial))
    }
}

impl<'m, const W: usize, D: Digest, M: Monitor> Product<'m, W, D, M> {
    /// The model, as far as it is known.
    pub fn system(&self) -> &System<'m, W, D> {
        &self.system
    }

    /// What does not change about the monitor.
    pub fn monitor(&self) -> &MonitorInfo {
        &self.info
    }

    /// The first error of the model that ended an execution.
    pub fn fault(&self) -> Option<Violation> {
        self.fault
    }

    /// The length of the longest vector of a state that was come to.
    pub fn longest_vector(&self) -> usize {
        self.longest
    }

    /// How often model and monitor were asked.
    pub fn asked(&self) -> u64 {
        self.system.asked() + self.asked
    }

    /// The levels that a move adds to the depth.
    #[inline(always)]
    pub fn levels(&self, info: MoveId) -> u32 {
        self.info.levels + self.system.relation().info(info).levels
    }

    /// Append the successors of a state.
    #[inline(always)]
    pub fn expand(
        &mut self,
        state: &State<W, D>,
        out: &mut Vec<Edge<W, D>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Expanded, Stop> {
        if self.is_alone(state) {
            return self.expand_alone(state, out);
        }
        let complaints = self.find_moves(state, false, false)?;
        let from = out.len();
        let stepped = self.step(state, Phase::Steps, out, poll)?;
        let count = out.len() - from;
        if count == 0 && !stepped.counts.moved {
            return self.expand_stuck(state, stepped, out, poll);
        }
        self.combine(state, &stepped, complaints, from, out)
    }

    /// The moves of the model with those of the monitor, where somebody can move: those with the
    /// first one are there.
    #[inline(always)]
    fn combine(
        &mut self,
        state: &State<W, D>,
        stepped: &Stepped,
        complaints: u32,
        from: usize,
        out: &mut Vec<Edge<W, D>>,
    ) -> Result<Expanded, Stop> {
        if stepped.has_violations {
            self.note_faults(state, stepped.is_timeout);
        }
        if self.taken.is_empty() {
            out.truncate(from);
            return Ok(Expanded {
                has_complaints: complaints != 0,
                ..Expanded::default()
            });
        }
        if stepped.counts.withheld {
            self.release(state, stepped.is_timeout);
        }
        let end = out.len();
        let first = self.taken[0].delta;
        for taken in &self.taken[1..] {
            let difference = first.xor(&taken.delta);
            for at in from..end {
                let Edge {
                    state, info, pid, ..
                } = out[at];
                out.push(Edge {
                    state: state.xor(&difference),
                    info,
                    sets: taken.sets,
                    pid,
                });
            }
        }
        let claims = self.taken.len() as u64;
        let reach = stepped.counts.reach;
        let levels = self.info.levels;
        let goes_on = end > from || stepped.atomic_steps > 0;
        Ok(Expanded {
            atomic_steps: claims * stepped.atomic_steps,
            endless: claims * stepped.endless,
            reach: if goes_on { levels } else { 0 },
            reach_inside: if reach > 0 { levels + reach } else { 0 },
            has_complaints: complaints != 0,
            goes_on,
            sets: self.taken[0].sets,
        })
    }

    /// Append the moves of the model together with the first one of the monitor.
    #[inline(always)]
    fn step(
        &mut self,
        state: &State<W, D>,
        phase: Phase,
        out: &mut Vec<Edge<W, D>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Stepped, Stop> {
        let (delta, sets) = match self.taken.first() {
            Some(first) => (first.delta, first.sets),
            None => (State::default(), 0),
        };
        let base = state.xor(&delta);
        let mut stepped = Stepped {
            is_timeout: phase == Phase::Timeout,
            ..Stepped::default()
        };
        for pid in (0..self.system.relation.process_count(state)).rev() {
            let process = Pid(pid as u8);
            let Some(known) = self.system.relation.row(state, process, phase) else {
                let effects = self.ask(state, (process, phase), poll)?;
                stepped.add(&effects.counts);
                out.extend(self.found.iter().map(|next| Edge {
                    state: next.state.xor(&delta),
                    info: next.info,
                    sets,
                    pid: process.0,
                }));
                continue;
            };
            if let Some(counts) = known.counts() {
                stepped.add(counts);
            }
            known.for_each(|delta, info| {
                out.push(Edge {
                    state: base.xor(delta),
                    info,
                    sets,
                    pid: process.0,
                });
            });
        }
        Ok(stepped)
    }

    /// Ask the model for the moves of a process, and learn them: see `found`.
    #[cold]
    #[inline(never)]
    fn ask(
        &mut self,
        state: &State<W, D>,
        key: (Pid, Phase),
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Effects, Stop> {
        let is_withheld = self.taken.is_empty();
        self.found.clear();
        self.system.learner.withhold(is_withheld);
        let asked = self.system.ask(state, key, 0, &mut self.found, poll);
        self.system.learner.withhold(false);
        let mut effects = asked?;
        // This time it is seen to at once.
        effects.counts.withheld = false;
        if !is_withheld {
            for number in 0..self.found.len() {
                let next = self.found[number].state;
                self.note_length(&next);
            }
        }
        self.refresh();
        Ok(effects)
    }

    /// A state is come to.
    fn note_length(&mut self, state: &State<W, D>) {
        let population = self.system.relation.population(state);
        let population = self.system.learner.numbering.population_of(population);
        self.longest = self.longest.max(population.len);
    }

    /// Moves that were found where they could not be taken are taken now.
    #[cold]
    #[inline(never)]
    fn release(&mut self, state: &State<W, D>, is_timeout: bool) {
        let phase = match is_timeout {
            true => Phase::Timeout,
            false => Phase::Steps,
        };
        for pid in (0..self.system.relation.process_count(state)).map(|pid| Pid(pid as u8)) {
            let known = self.system.relation.row(state, pid, phase);
            let is_withheld = |counts: &Counts| counts.withheld;
            let Some(known) = known.filter(|known| known.counts().is_some_and(is_withheld)) else {
                continue;
            };
            let mut behind = Vec::new();
            known.for_each(|delta, _| behind.push(state.xor(delta)));
            behind.iter().for_each(|next| self.note_length(next));
            self.system.execute(state, pid, phase);
            self.system.relation.release(state, pid, phase);
        }
    }

    /// The number of the sight of a monitor.
    #[inline(always)]
    fn sight(&self, state: &State<W, D>, timeout: bool, ended: bool) -> usize {
        let is_labelled = match &self.labels {
            None => false,
            Some(labels) => {
                let count = self.system.relation.process_count(state) as usize;
                (labels.processes[..count].iter())
                    .any(|(main, labelled)| labelled[main.get(&state.words) as usize])
            }
        };
        usize::from(timeout && self.info.sees_timeout)
            | usize::from(ended) << 1
            | usize::from(is_labelled) << 2
    }

    /// Put the moves of the monitor into `taken`, and say by number what is wrong with them.
    #[inline(always)]
    fn find_moves(&mut self, state: &State<W, D>, timeout: bool, ended: bool) -> Result<u32, Stop> {
        let sight = self.sight(state, timeout, ended);
        self.taken.clear();
        let Some(row) = self.rows[sight].find(self.own_field, state) else {
            return self.ask_monitor(state, sight);
        };
        let (taken, infos) = (&mut self.taken, &self.infos);
        row.for_each(|delta, info| {
            taken.push(Taken {
                delta: *delta,
                info,
                sets: infos.info(info).sets,
            });
        });
        Ok(row.counts().map_or(0, |counts| counts.violations))
    }

    /// Ask the monitor for its moves, and learn them.
    #[cold]
    #[inline(never)]
    fn ask_monitor(&mut self, state: &State<W, D>, sight: usize) -> Result<u32, Stop> {
        self.asked += 1;
        self.vector.clear();
        self.vector.extend_from_slice(self.system.unpack(state));
        if let Some(touched) = self.monitor.touched() {
            touched.clear();
        }
        let seen = Sight {
            timeout: sight & 1 != 0,
            ended: sight & 2 != 0,
        };
        self.answer.clear();
        self.monitor.moves(&self.vector, seen, &mut self.answer);
        let touched = self.touched(state);
        let ended = self.monitor.ended(&self.vector);
        let mut complaints = Vec::new();
        complaints.extend(ended.map(|violation| (Accused::State, violation)));
        let mut moves = Vec::new();
        for number in 0..self.answer.len() {
            let taken = self.answer[number];
            self.after.clear();
            self.after.extend_from_slice(&self.vector);
            self.monitor.write(&mut self.after, taken.target);
            let delta = state.xor(&self.system.pack_near(state, &self.after)?);
            let info = self.infos.number(&taken);
            moves.push(Move { delta, info });
            let (by, number) = (taken.violation, number as u32);
            complaints.extend(by.map(|violation| (Accused::Move(number), violation)));
            complaints.extend(
                taken
                    .ended
                    .map(|violation| (Accused::Target(number), violation)),
            );
            self.taken.push(Taken {
                delta,
                info,
                sets: taken.sets,
            });
        }
        let violations = self.infos.number_complaints(complaints);
        let effects = Effects {
            reads: PartBits::default(),
            changes: PartBits::default(),
            counts: Counts {
                violations,
                ..Counts::default()
            },
            ample: AmpleKey::UNKNOWN,
        };
        let place = (self.own_field, self.own, self.system.relation.layout());
        match self.rows[sight].learn(place, state, &touched, &moves, effects) {
            true => Ok(violations),
            false => Err(Stop::TooLarge),
        }
    }

    /// The parts that decided about the answer of the monitor.
    fn touched(&mut self, state: &State<W, D>) -> Vec<PartId> {
        let mut parts: Vec<PartId> = self.own.into_iter().collect();
        let Some(recorded) = self.monitor.touched() else {
            return parts;
        };
        if recorded.population() {
            parts.push(PartId::POPULATION);
        }
        let population = self.system.relation.population(state);
        let numbering = &self.system.learner.numbering;
        let bytes = recorded.bytes().into_iter();
        parts.extend(bytes.filter_map(|at| numbering.owner(population, at)));
        parts
    }

    /// Take over where the fields are, and what is known about labels.
    fn refresh(&mut self) {
        let (learner, relation) = (&self.system.learner, &self.system.relation);
        let layout = relation.layout();
        let field = |part: Option<PartId>| part.and_then(|part| layout.field(part));
        self.own_field = field(self.own).unwrap_or_default();
        self.alone_field = field(self.alone).unwrap_or_default();
        if let Some(labels) = &mut self.labels {
            labels.refresh(learner, layout);
        }
    }

    /// Note the first error of the model in a state, or inside an atomic sequence that begins there
    /// if it is taken.
    #[cold]
    #[inline(never)]
    fn note_faults(&mut self, state: &State<W, D>, is_timeout: bool) {
        if self.fault.is_some() {
            return;
        }
        let phases = match is_timeout {
            true => &Phase::ALL[..],
            false => &Phase::ALL[..1],
        };
        let found = |&phase| self.system.violations(state, phase).unwrap_or_default();
        let all: Vec<_> = phases.iter().flat_map(found).collect();
        let faults: Vec<crate::Blame> = (all.into_iter().map(|found| found.3))
            .filter(|blame| blame.is_fault)
            .collect();
        let direct = faults.iter().find(|blame| blame.levels == 0);
        let inside = faults.iter().find(|_| !self.taken.is_empty());
        self.fault = direct.or(inside).map(|blame| blame.violation);
    }

    /// Whether a step out of a state fails.
    fn has_direct_fault(&mut self, state: &State<W, D>, phase: Phase) -> bool {
        let all = self.system.violations(state, phase).unwrap_or_default();
        all.into_iter()
            .any(|(_, _, _, blame)| blame.is_fault && blame.levels == 0)
    }

    /// The same in words of so many bits, if they are enough. States have to be rewritten.
    #[allow(clippy::type_complexity, reason = "taken apart at once")]
    pub fn widen<const V: usize>(self, bits: &[u32]) -> Option<(Product<'m, V, D, M>, Rewrite)> {
        let (system, rewrite) = self.system.widen::<V>(bits)?;
        let rows = {
            let layout = system.relation.layout();
            self.rows.map(|rows| rows.rewritten(&rewrite, layout))
        };
        let mut product = Product {
            system,
            monitor: self.monitor,
            info: self.info,
            own: self.own,
            own_field: self.own_field,
            alone: self.alone,
            alone_field: self.alone_field,
            labels: self.labels,
            rows,
            infos: self.infos,
            stutter: self.stutter,
            fault: self.fault,
            longest: self.longest,
            asked: self.asked,
            taken: Vec::new(),
            found: Vec::new(),
            vector: Vec::new(),
            after: Vec::new(),
            answer: Vec::new(),
        };
        product.refresh();
        Some((product, rewrite))
    }

    /// Whether all states fit into words of so many bits; or if each part comes to have as many
    /// values as others of its kind.
    pub fn fits(&self, bits: &[u32], more: bool) -> bool {
        match more {
            false => self.system.fits(bits),
            true => self.system.fits_more(bits),
        }
    }

    /// See [`System::mark`].
    pub fn mark(&mut self) {
        self.system.mark();
    }

    /// The memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.system.memory_bytes() + self.row_bytes()
    }

    fn row_bytes(&self) -> usize {
        self.rows.iter().map(ClaimRows::memory_bytes).sum()
    }

    /// Forget all rows if they take more than so many bytes.
    pub fn forget_beyond(&mut self, bytes: usize) {
        self.system.forget_beyond(bytes);
        if self.row_bytes() > bytes {
            self.rows.iter_mut().for_each(ClaimRows::forget);
        }
    }
}

impl Labels {
    /// Take over what is known about the values of main parts.
    fn refresh(&mut self, learner: &crate::learner::Learner<'_>, layout: &Layout) {
        let model = learner.model();
        for (pid, slot) in learner.numbering.slots().iter().enumerate() {
            // Without a field, it has had one value only.
            let field = layout.field(slot.main).unwrap_or_default();
            if pid == self.processes.len() {
                self.processes.push((field, Vec::new()));
            }
            let (main, labelled) = &mut self.processes[pid];
            *main = field;
            for number in labelled.len()..slot.ends.len() {
                let value = learner.numbering.value(slot.main, number as u32);
                let head = model.layout.head(value, 0);
                let state = &model.proctypes[usize::from(head.kind)].states[head.control.index()];
                labelled.push(match self.label {
                    Label::Accept => state.accept,
                    Label::Progress => state.progress,
                });
            }
        }
    }
}
