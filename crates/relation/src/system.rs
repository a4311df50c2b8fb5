//! A model as a relation that is learned while it is used.

mod reducing;

use model::Model;
use space::{Pid, PidSet, Step, Violation};

use crate::ample::AmpleCache;
use crate::cut::Grain;
use crate::hash::Table;
use crate::layout::{Layout, Rewrite};
use crate::learner::{Blame, Interrupted, Learner, Phase, What, part_bits};
use crate::numbering::PartId;
use crate::relation::{Known, Relation};
use crate::rows::{Counts, Effects, Move, MoveId};
use crate::scout;
use crate::state::{Digest, State};

/// Why a state could not be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A number does not fit into its field: the layout has to be another one.
    TooNarrow,
    /// Somebody does not want to wait any longer.
    Interrupted,
    /// A process has so many moves in a state that there is no row for them.
    TooLarge,
}

impl From<Interrupted> for Stop {
    fn from(_: Interrupted) -> Stop {
        Stop::Interrupted
    }
}

/// A successor.
#[derive(Clone, Copy, Debug)]
pub struct Next<const W: usize, D> {
    /// The state.
    pub state: State<W, D>,
    /// The move that leads to it.
    pub info: MoveId,
    origin: u32,
    /// Who sleeps there, as bits by pid; see [`System::expand_awake`].
    pub asleep: u32,
}

impl<const W: usize, D> Next<W, D> {
    #[inline(always)]
    fn new(state: State<W, D>, info: MoveId, pid: Pid, number: u32, asleep: u32) -> Next<W, D> {
        Next {
            state,
            info,
            origin: number << 8 | u32::from(pid.0),
            asleep,
        }
    }

    /// The process that makes the move, the sender of a handshake.
    #[inline(always)]
    pub fn pid(&self) -> Pid {
        Pid(self.origin as u8)
    }

    /// The number of the move among all out of the state, those of processes that sleep included.
    #[inline(always)]
    pub fn number(&self) -> u32 {
        self.origin >> 8
    }
}

/// What there is to account for when a state is expanded, besides its successors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The steps inside atomic sequences.
    pub atomic_steps: u64,
    /// See [`Counts::reach`].
    pub reach: u32,
    /// How often an atomic sequence comes back to where it was.
    pub endless: u64,
    /// The moves of those who sleep.
    pub slept_through: u32,
    /// Whether there are violations: see [`System::blames`].
    pub has_violations: bool,
    /// Whether somebody can move.
    pub moved: bool,
    /// In which phase the moves are.
    pub is_timeout: bool,
}

impl Counted {
    /// In which phase the moves are.
    pub fn phase(&self) -> Phase {
        match self.is_timeout {
            true => Phase::Timeout,
            false => Phase::Steps,
        }
    }

    #[inline(always)]
    fn add(&mut self, counts: &Counts) {
        self.atomic_steps += u64::from(counts.atomic_steps);
        self.reach = self.reach.max(counts.reach);
        self.endless += u64::from(counts.endless);
        self.has_violations |= counts.violations != 0;
        self.moved |= counts.moved;
    }
}

/// A process that can move, and what its moves have to do with.
#[derive(Clone, Copy, Debug)]
struct Mover {
    pid: u32,
    reads: crate::PartBits,
    changes: crate::PartBits,
}

/// A model whose states are words.
pub struct System<'m, const W: usize, D> {
    pub(crate) learner: Learner<'m>,
    pub(crate) relation: Relation<W, D>,
    /// A state as a vector with its numbers, and its words; zeros if there is none.
    vector: Vec<u8>,
    numbers: Vec<u32>,
    unpacked: crate::Words<W>,
    after: Vec<u32>,
    moves: Vec<Move<W, D>>,
    movers: Vec<Mover>,
    /// How many values there were of each part some time ago.
    before: Vec<usize>,
    /// What finds ample sets, if anything does.
    pub(crate) ample: Option<AmpleCache<'m>>,
    /// The steps of moves that were asked for.
    explained: Table<(crate::Words<W>, Pid, Phase, What), Vec<Step>>,
}

/// A part of what is accounted for when a state is expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behind {
    /// Moves.
    pub moves: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// How often an atomic sequence comes back to where it was.
    pub endless: u64,
    /// Not of this part, but of the one before it: see [`Counts::reach`].
    pub reach_before: u32,
}

impl<'m, D: Digest> System<'m, 4, D> {
    /// A model about which nothing is known yet, in wide words, with its initial state.
    pub fn new(model: &'m Model) -> Result<(System<'m, 4, D>, State<4, D>), Violation> {
        System::begin(model, |_| ())
    }

    /// The same where somebody else has to write something into the initial state.
    pub(crate) fn begin(
        model: &'m Model,
        write: impl FnOnce(&mut [u8]),
    ) -> Result<(System<'m, 4, D>, State<4, D>), Violation> {
        System::cut(model, scout::choose_grain(model)?, write)
    }

    /// The same, cut in some way.
    pub(crate) fn cut(
        model: &'m Model,
        grain: Grain,
        write: impl FnOnce(&mut [u8]),
    ) -> Result<(System<'m, 4, D>, State<4, D>), Violation> {
        let mut learner = Learner::new(model, grain);
        let mut initial = learner.initial()?;
        write(&mut initial);
        let mut numbers = Vec::new();
        learner.numbering.begin(model, &initial, &mut numbers);
        let counts = learner.numbering.counts();
        // Initially every part has one value, so there is room for any number of parts.
        let layout = Layout::new(&counts, &counts, &vec![true; counts.len()], &[u64::BITS; 4]);
        let layout = layout.unwrap_or_else(|| unreachable!("fields of one value have no bits"));
        let system = System {
            relation: Relation::new(layout, &learner.numbering),
            learner,
            vector: Vec::new(),
            numbers: Vec::new(),
            unpacked: [0; 4],
            after: Vec::new(),
            moves: Vec::new(),
            movers: Vec::new(),
            before: counts,
            ample: None,
            explained: Table::default(),
        };
        let state = system.pack(&numbers);
        Ok((
            system,
            state.unwrap_or_else(|_| unreachable!("all numbers are 0")),
        ))
    }
}

impl<'m, const W: usize, D: Digest> System<'m, W, D> {
    /// The relation, as far as it is known.
    pub fn relation(&self) -> &Relation<W, D> {
        &self.relation
    }

    /// For each transition whether it was executed.
    pub fn executed(&self) -> &[bool] {
        &self.learner.executed
    }

    /// How often the model was asked what a process can do.
    pub fn asked(&self) -> u64 {
        self.learner.asked
    }

    /// How many bytes at the front of a vector do not distinguish states.
    pub fn hidden_len(&self) -> usize {
        self.learner.model().layout.hidden as usize
    }

    /// The vector of a state.
    pub fn unpack(&mut self, state: &State<W, D>) -> &[u8] {
        if self.unpacked != state.words {
            self.unpacked = state.words;
            let fields = self.relation.layout().fields();
            self.numbers.clear();
            self.numbers
                .extend(fields.iter().map(|field| field.get(&state.words)));
            // Parts that came later have had no other number in this state.
            self.numbers.resize(self.learner.numbering.part_count(), 0);
            let numbers = &self.numbers;
            self.learner
                .numbering
                .write(|part| numbers[part.index()], &mut self.vector);
        }
        &self.vector
    }

    /// The state of a vector that differs from that of another state in few parts.
    pub fn pack_near(&mut self, near: &State<W, D>, vector: &[u8]) -> Result<State<W, D>, Stop> {
        self.unpack(near);
        self.after.clear();
        self.after.extend_from_slice(&self.numbers);
        let model = self.learner.model();
        let numbering = &mut self.learner.numbering;
        numbering.number_near(model, &self.vector, vector, &mut self.after);
        self.relation.refresh(&self.learner.numbering);
        self.pack(&self.after)
    }

    /// The state of these numbers.
    fn pack(&self, numbers: &[u32]) -> Result<State<W, D>, Stop> {
        let words = self
            .relation
            .layout()
            .pack(numbers)
            .ok_or(Stop::TooNarrow)?;
        let parts = (0..).map(PartId).zip(numbers);
        let visible = parts.filter(|&(part, _)| !self.learner.numbering.is_hidden(part));
        let digest = visible.fold(D::default(), |digest, (part, &number)| {
            digest.xor(D::of(part, number))
        });
        Ok(State { words, digest })
    }

    /// Append the successors of a state.
    #[inline(always)]
    pub fn expand(
        &mut self,
        state: &State<W, D>,
        out: &mut Vec<Next<W, D>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Counted, Stop> {
        self.expand_with::<false>(state, 0, out, poll)
    }

    /// Append the successors of a state to which the processes lead that do not sleep, a set of
    /// pids below 32, each with those who sleep there.
    ///
    /// Follows: [Godefroid 1996], sleep sets, as breadth-first searches may use them: a process
    /// sleeps in a state that was found by a move of an independent process with a lower pid, since
    /// both moves in the other order lead to the same state in the same layer.
    ///
    /// Departs: two processes are independent here if the moves of each change nothing that decides
    /// about those of the other: then both have the same moves before and after one of these, and
    /// the order makes no difference.
    #[inline(always)]
    pub fn expand_awake(
        &mut self,
        state: &State<W, D>,
        asleep: u32,
        out: &mut Vec<Next<W, D>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Counted, Stop> {
        self.movers.clear();
        self.expand_with::<true>(state, asleep, out, poll)
    }

    #[inline(always)]
    fn expand_with<const SLEEP: bool>(
        &mut self,
        state: &State<W, D>,
        asleep: u32,
        out: &mut Vec<Next<W, D>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Counted, Stop> {
        let mut counted = Counted::default();
        let mut number = 0;
        for pid in (0..self.relation.process_count(state)).rev() {
            let process = Pid(pid as u8);
            let known = match self.relation.row(state, process, Phase::Steps) {
                Some(known) => known,
                None => {
                    let from = out.len();
                    let row = self.ask(state, (process, Phase::Steps), number, out, poll)?;
                    counted.add(&row.counts);
                    let moves = (out.len() - from) as u32;
                    number += moves;
                    if SLEEP && moves > 0 {
                        let behind = self.movers.add(pid, row.reads, row.changes);
                        if asleep.checked_shr(pid).unwrap_or(0) & 1 != 0 {
                            counted.slept_through += moves;
                            out.truncate(from);
                        }
                        out[from..].iter_mut().for_each(|next| next.asleep = behind);
                    }
                    continue;
                }
            };
            if let Some(counts) = known.counts() {
                counted.add(counts);
            }
            let mut behind = 0;
            if SLEEP && !known.is_empty() {
                behind = self.movers.add(pid, known.reads(), known.changes());
                if asleep.checked_shr(pid).unwrap_or(0) & 1 != 0 {
                    counted.slept_through += known.len();
                    number += known.len();
                    continue;
                }
            }
            known.for_each(|delta, info| {
                out.push(Next::new(state.xor(delta), info, process, number, behind));
                number += 1;
            });
        }
        counted.moved |= number > 0;
        if !counted.moved {
            self.expand_stuck(state, &mut counted, out, poll)?;
        }
        Ok(counted)
    }

    /// The successors of a state where nobody could move: those who wait for a timeout may.
    #[cold]
    #[inline(never)]
    fn expand_stuck(
        &mut self,
        state: &State<W, D>,
        counted: &mut Counted,
        out: &mut Vec<Next<W, D>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stop> {
        if !self.learner.uses_timeout {
            return Ok(());
        }
        counted.is_timeout = true;
        let mut number = 0;
        for pid in (0..self.relation.process_count(state)).rev() {
            let process = Pid(pid as u8);
            let Some(known) = self.relation.row(state, process, Phase::Timeout) else {
                let from = out.len();
                let row = self.ask(state, (process, Phase::Timeout), number, out, poll)?;
                counted.add(&row.counts);
                number += (out.len() - from) as u32;
                continue;
            };
            if let Some(counts) = known.counts() {
                counted.add(counts);
            }
            known.for_each(|delta, info| {
                out.push(Next::new(state.xor(delta), info, process, number, 0));
                number += 1;
            });
        }
        counted.moved |= number > 0;
        Ok(())
    }

    /// Ask the model for the moves of a process, append them, and learn them. The first one has this
    /// number.
    #[cold]
    #[inline(never)]
    pub(crate) fn ask(
        &mut self,
        state: &State<W, D>,
        (pid, phase): (Pid, Phase),
        first: u32,
        out: &mut Vec<Next<W, D>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Effects, Stop> {
        self.unpack(state);
        let population = self.relation.population(state);
        let ample = self.ample.as_mut();
        self.learner
            .ask(&self.vector, population, (pid, phase), ample, poll)?;
        let from = out.len();
        self.moves.clear();
        let mut answer = std::mem::take(&mut self.learner.answer);
        let model = self.learner.model();
        for number in 0..answer.moves.len() {
            self.after.clear();
            self.after.extend_from_slice(&self.numbers);
            let (before, after) = (&self.vector, answer.vector(number));
            self.learner
                .numbering
                .number_near(model, before, after, &mut self.after);
            self.numbers.resize(self.after.len(), 0);
            let changed = (0..self.after.len()).filter(|&at| self.after[at] != self.numbers[at]);
            answer.touched.extend(changed.map(|at| PartId(at as u32)));
            // Otherwise a successor would have numbers about whose processes nothing is known.
            self.relation.refresh(&self.learner.numbering);
            let next = match self.pack(&self.after) {
                Ok(next) => next,
                Err(stop) => {
                    out.truncate(from);
                    self.learner.answer = answer;
                    return Err(stop);
                }
            };
            let info = self.relation.number_info(answer.moves[number].1);
            let delta = state.xor(&next);
            self.moves.push(Move { delta, info });
            out.push(Next::new(next, info, pid, first + number as u32, 0));
        }
        let effects = self.effects(&mut answer);
        let key = (pid, phase);
        let is_kept = (self.relation).learn(state, key, &answer.touched, &self.moves, effects);
        self.learner.answer = answer;
        match is_kept {
            true => Ok(effects),
            false => Err(Stop::TooLarge),
        }
    }

    /// What is to be known about an answer besides where its moves lead.
    fn effects(&mut self, answer: &mut crate::learner::Answer) -> Effects {
        answer.touched.sort_unstable();
        answer.touched.dedup();
        let delta = self.moves.iter().fold([0; W], |all, known| {
            std::array::from_fn(|at| all[at] | known.delta.words[at])
        });
        let fields = self.relation.layout().fields().iter().enumerate();
        let changed = fields.filter(|(_, field)| field.get(&delta) != 0);
        let changed: Vec<PartId> = changed.map(|(part, _)| PartId(part as u32)).collect();
        let mut counts = answer.counts;
        counts.withheld = self.learner.withheld.is_some();
        counts.violations = self.relation.number_blames(&answer.blames);
        // That it moved is seen from its moves.
        counts.moved &= answer.moves.is_empty();
        Effects {
            reads: part_bits(&answer.touched),
            changes: part_bits(&changed),
            counts,
            ample: answer.ample,
        }
    }

    /// Find the rows of a state that was expanded before, so that they can be looked up: what was
    /// asked since may have changed their keys, or they may have been forgotten.
    pub(crate) fn restore(&mut self, state: &State<W, D>, phase: Phase) -> Result<(), Stop> {
        let mut found = Vec::new();
        for pid in (0..self.relation.process_count(state)).map(|pid| Pid(pid as u8)) {
            if self.relation.row(state, pid, phase).is_none() {
                self.ask(state, (pid, phase), 0, &mut found, &mut || false)?;
            }
        }
        Ok(())
    }

    /// A row of a state that was [restored](System::restore).
    fn restored(&self, state: &State<W, D>, pid: Pid, phase: Phase) -> Known<'_, W, D> {
        let known = self.relation.row(state, pid, phase);
        known.unwrap_or_else(|| unreachable!("all processes of the state were asked"))
    }

    /// What the steps out of a state that was expanded violate: for each violation the process, its
    /// number among those of the process, how many successors come before it, and what it is.
    pub fn violations(
        &mut self,
        state: &State<W, D>,
        phase: Phase,
    ) -> Result<Vec<(Pid, usize, u32, Blame)>, Stop> {
        self.restore(state, phase)?;
        let mut found = Vec::new();
        let mut before = 0;
        for pid in (0..self.relation.process_count(state)).rev() {
            let pid = Pid(pid as u8);
            let known = self.restored(state, pid, phase);
            let violations = known.counts().map_or(0, |counts| counts.violations);
            for (number, blame) in self.relation.violations(violations).iter().enumerate() {
                found.push((pid, number, before + blame.after, *blame));
            }
            before += known.len();
        }
        Ok(found)
    }

    /// The steps of a move out of a state, or those up to a violation.
    pub fn explain(
        &mut self,
        state: &State<W, D>,
        pid: Pid,
        phase: Phase,
        what: What,
    ) -> Vec<Step> {
        let row = self
            .relation
            .key(state, pid, phase)
            .map(|key| (key, pid, phase, what));
        if let Some(row) = row
            && let Some(known) = self.explained.get(&row)
        {
            return known.clone();
        }
        self.unpack(state);
        let answer = self.learner.explain(&self.vector, pid, phase, what);
        let steps = answer.explained.clone();
        if let Some(row) = row {
            self.explained.insert(row, steps.clone());
        }
        steps
    }

    /// The steps of the moves of a process in a state count as executed.
    pub(crate) fn execute(&mut self, state: &State<W, D>, pid: Pid, phase: Phase) {
        self.unpack(state);
        (self.learner).explain(&self.vector, pid, phase, What::Move(0));
    }

    /// What was accounted for when a state was expanded and the moves of some processes were taken, but
    /// comes after a move, or a violation.
    pub fn behind(
        &mut self,
        state: &State<W, D>,
        (pid, phase, what): (Pid, Phase, What),
        movers: PidSet,
    ) -> Behind {
        // It fitted when it was expanded.
        let is_restored = self.restore(state, phase).is_ok();
        debug_assert!(is_restored);
        self.unpack(state);
        let answer = self.learner.explain(&self.vector, pid, phase, what);
        let taken = match what {
            What::Move(number) => number + 1,
            What::Blame(number) => answer.blames[number].after as usize,
        };
        let (all, at) = (answer.counts, answer.counts_at);
        let mut behind = Behind {
            moves: (answer.moves.len() - taken) as u64,
            atomic_steps: u64::from(all.atomic_steps - at.atomic_steps),
            endless: u64::from(all.endless - at.endless),
            reach_before: at.reach,
        };
        for pid in
            (u32::from(pid.0) + 1..self.relation.process_count(state)).map(|pid| Pid(pid as u8))
        {
            let counts = self.restored(state, pid, phase).counts();
            let reach = counts.map_or(0, |counts| match is_taken(movers, pid) {
                true => counts.reach,
                false => counts.offers.into(),
            });
            behind.reach_before = behind.reach_before.max(reach);
        }
        for pid in (0..pid.0).map(Pid).filter(|&pid| is_taken(movers, pid)) {
            let known = self.restored(state, pid, phase);
            behind.moves += u64::from(known.len());
            if let Some(counts) = known.counts() {
                behind.atomic_steps += u64::from(counts.atomic_steps);
                behind.endless += u64::from(counts.endless);
            }
        }
        behind
    }

    /// The length of the longest vectors.
    pub fn longest_vector(&self) -> usize {
        self.learner.numbering.longest_vector()
    }

    /// Forget all rows, and which transitions were executed to find them. Values keep their numbers.
    pub fn forget(&mut self) {
        self.relation.forget();
        self.learner.executed.fill(false);
    }

    /// Whether all states fit into words of so many bits.
    pub fn fits(&self, bits: &[u32]) -> bool {
        Layout::is_enough(&self.learner.numbering.counts(), bits)
    }

    /// The same if each part comes to have as many values as others of its kind.
    pub fn fits_more(&self, bits: &[u32]) -> bool {
        Layout::is_enough(&self.learner.numbering.expected(), bits)
    }

    /// Note how many values each part has by now; those that have more later are expected to get
    /// more still.
    pub fn mark(&mut self) {
        self.before = self.learner.numbering.counts();
    }

    /// A layout for all numbers that are known, in words of so many bits.
    fn layout(&self, bits: &[u32]) -> Option<Layout> {
        let numbering = &self.learner.numbering;
        let counts = numbering.counts();
        let before = |part: usize| self.before.get(part).copied().unwrap_or(0);
        let grow: Vec<bool> = (0..counts.len())
            .map(|part| counts[part] > before(part))
            .collect();
        Layout::new(&counts, &numbering.expected(), &grow, bits)
    }

    /// The same in words of so many bits, which have to be enough. What is known is kept. States are
    /// rewritten as the second of both says.
    pub fn widen<const V: usize>(mut self, bits: &[u32]) -> Option<(System<'m, V, D>, Rewrite)> {
        let layout = self.layout(bits)?;
        let rewrite = Rewrite::new(self.relation.layout(), &layout);
        self.mark();
        Some((
            System {
                relation: self.relation.rewritten(layout, &self.learner.numbering),
                learner: self.learner,
                vector: Vec::new(),
                numbers: Vec::new(),
                unpacked: [0; V],
                after: Vec::new(),
                moves: Vec::new(),
                movers: Vec::new(),
                before: self.before,
                ample: self.ample,
                explained: Table::default(),
            },
            rewrite,
        ))
    }

    /// The memory in use.
    pub fn memory_bytes(&self) -> usize {
        let ample = self.ample.as_ref().map_or(0, AmpleCache::memory_bytes);
        self.learner.numbering.memory_bytes() + self.relation.memory_bytes() + ample
    }

    /// Forget all rows if they take more than so many bytes.
    pub fn forget_beyond(&mut self, bytes: usize) {
        if self.relation.memory_bytes() > bytes {
            self.relation.forget();
        }
    }
}

/// Whether the moves of a process are among those of some; those with high pids are never told apart.
fn is_taken(taken: PidSet, pid: Pid) -> bool {
    taken == PidSet(u64::MAX) || taken.has(pid)
}

/// The processes of a state that can move, from the highest pid down.
trait Movers {
    /// The next one: which of those before it sleep behind its moves.
    fn add(&mut self, pid: u32, reads: crate::PartBits, changes: crate::PartBits) -> u32;
}

impl Movers for Vec<Mover> {
    #[inline(always)]
    fn add(&mut self, pid: u32, reads: crate::PartBits, changes: crate::PartBits) -> u32 {
        let asleep = self.iter().fold(0, |asleep, other| {
            let independent = reads.is_disjoint(other.changes) && changes.is_disjoint(other.reads);
            asleep | u32::from(independent && other.pid < u32::BITS) << (other.pid % u32::BITS)
        });
        self.push(Mover {
            pid,
            reads,
            changes,
        });
        asleep
    }
}
