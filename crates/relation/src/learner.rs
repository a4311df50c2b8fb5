//! Finds out what a process can do, and what that depends on.

use model::{Interp, Model};
use space::{Control, Expansion, NextState, Pid, PidSet, Row, Step, Violation};

use crate::ample::{AmpleCache, AmpleKey};
use crate::cut::Grain;
use crate::follow::Path;
use crate::numbering::{Numbering, PartId};
use crate::rows::{Counts, PartBits};

/// In which pass over the processes of a state a step is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The first one.
    Steps,
    /// The one after nobody could move: those who wait for a timeout can.
    Timeout,
}

impl Phase {
    /// In their order.
    pub const ALL: [Phase; 2] = [Phase::Steps, Phase::Timeout];

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// What a move is besides where it leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveInfo {
    /// The levels that it adds to the depth.
    pub levels: u32,
    /// Whether it is a single step, or an atomic sequence through which there is only one way.
    pub is_straight: bool,
    /// The processes that make one of its steps.
    pub movers: PidSet,
    /// The last of its steps.
    pub last: Option<Step>,
}

/// A violation on the way along the moves of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blame {
    /// So many moves come before it.
    pub after: u32,
    /// The levels from the state to the node whose step violates something.
    pub levels: u32,
    /// The step, or the one before it where it fails too soon to be one.
    pub step: Option<Step>,
    /// What it violates.
    pub violation: Violation,
    /// Whether the step leads nowhere.
    pub is_fault: bool,
}

/// What a process can do in a state.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The vectors that its moves lead to, one behind the other, and where each begins.
    pub(crate) vectors: Vec<u8>,
    pub(crate) moves: Vec<(usize, MoveInfo)>,
    pub(crate) blames: Vec<Blame>,
    /// What was counted when [`Answer::wanted`] was found.
    pub(crate) counts_at: Counts,
    pub(crate) wanted: Option<What>,
    /// The steps to what is wanted.
    pub(crate) explained: Vec<Step>,
    pub(crate) counts: Counts,
    /// The parts of the vector that were read or written, and those on which the ample key depends.
    pub(crate) touched: Vec<PartId>,
    /// What the process contributes to ample sets, where somebody asks.
    pub(crate) ample: AmpleKey,
}

impl Answer {
    fn clear(&mut self) {
        self.vectors.clear();
        self.moves.clear();
        self.blames.clear();
        self.counts = Counts::default();
        self.counts_at = Counts::default();
        self.wanted = None;
        self.explained.clear();
        self.touched.clear();
        self.ample = AmpleKey::UNKNOWN;
    }

    /// The vector that a move leads to.
    pub(crate) fn vector(&self, number: usize) -> &[u8] {
        let end = self
            .moves
            .get(number + 1)
            .map_or(self.vectors.len(), |next| next.0);
        &self.vectors[self.moves[number].0..end]
    }
}

/// A question took too long, and somebody does not want to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Asks a model what its processes can do.
pub(crate) struct Learner<'m> {
    model: &'m Model,
    interp: Interp<'m>,
    pub(crate) numbering: Numbering,
    pub(crate) answer: Answer,
    path: Path,
    found: Expansion,
    /// For each transition whether it was executed.
    pub(crate) executed: Vec<bool>,
    /// While moves are looked for that nobody may take: what else was executed.
    pub(crate) withheld: Option<Vec<bool>>,
    /// How often the model was asked.
    pub(crate) asked: u64,
    pub(crate) uses_timeout: bool,
}

impl<'m> Learner<'m> {
    pub(crate) fn new(model: &'m Model, grain: Grain) -> Learner<'m> {
        let mut interp = Interp::new(model);
        interp.record_touched();
        Learner {
            model,
            uses_timeout: interp.uses_timeout(),
            interp,
            numbering: Numbering::new(model, grain),
            answer: Answer::default(),
            path: Path::default(),
            found: Expansion::default(),
            executed: vec![false; model.transitions.len()],
            withheld: None,
            asked: 0,
        }
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.model
    }

    /// The initial state.
    pub(crate) fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.interp.initial()
    }

    /// Find out what a process can do in a state, and what that depends on: see
    /// [`Learner::answer`].
    pub(crate) fn ask(
        &mut self,
        vector: &[u8],
        population: u32,
        (pid, phase): (Pid, Phase),
        ample: Option<&mut AmpleCache<'_>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<(), Interrupted> {
        self.asked += 1;
        self.answer.clear();
        if let Some(touched) = self.interp.touched() {
            touched.clear();
        }
        self.begin(vector, pid, phase);
        if let (Some(ample), Phase::Steps) = (ample, phase) {
            self.find_ample_key(vector, population, pid, ample);
        }
        let ended = self.path.follow(
            &mut self.interp,
            &mut self.found,
            self.withheld.as_mut().unwrap_or(&mut self.executed),
            &mut self.answer,
            poll,
        );
        self.note_touched(population, pid);
        ended
    }

    /// From now on, what is executed to find moves does not count, since nobody may take them, or
    /// it does count.
    pub(crate) fn withhold(&mut self, is_withheld: bool) {
        self.withheld = match (is_withheld, self.withheld.take()) {
            (false, _) => None,
            (true, Some(before)) => Some(before),
            (true, None) => Some(vec![false; self.executed.len()]),
        };
    }

    /// Find out by which steps a move of a process comes about, or a violation, and what is counted
    /// up to there.
    pub(crate) fn explain(&mut self, vector: &[u8], pid: Pid, phase: Phase, what: What) -> &Answer {
        self.answer.clear();
        self.answer.wanted = Some(what);
        self.begin(vector, pid, phase);
        let ended = self.path.follow(
            &mut self.interp,
            &mut self.found,
            &mut self.executed,
            &mut self.answer,
            &mut || false,
        );
        debug_assert_eq!(ended, Ok(()));
        &self.answer
    }

    fn begin(&mut self, vector: &[u8], pid: Pid, phase: Phase) {
        self.found.clear();
        self.interp.load(vector);
        let moved =
            self.interp
                .expand_process(vector, pid, phase == Phase::Timeout, &mut self.found);
        self.answer.counts.moved = moved;
        self.path.begin();
    }

    /// Find out what a process contributes to ample sets, whose steps were found, and what that depends
    /// on.
    fn find_ample_key(
        &mut self,
        vector: &[u8],
        population: u32,
        pid: Pid,
        ample: &mut AmpleCache<'_>,
    ) {
        let (key, reads) = ample.key(vector, pid, &self.found.rows);
        self.answer.ample = key;
        if reads.population {
            self.answer.touched.push(PartId::POPULATION);
        }
        let bytes = reads.bytes.iter();
        let parts = bytes.filter_map(|&at| self.numbering.owner(population, at as usize));
        self.answer.touched.extend(parts);
    }

    /// All steps out of a state.
    pub(crate) fn steps(&mut self, vector: &[u8]) -> &[Row] {
        self.interp.expand(vector, Control::Free, &mut self.found);
        &self.found.rows
    }

    fn note_touched(&mut self, population: u32, pid: Pid) {
        let own = self.numbering.main(pid);
        let touched = &mut self.answer.touched;
        touched.push(own);
        let Some(recorded) = self.interp.touched() else {
            return;
        };
        if recorded.population() {
            touched.push(PartId::POPULATION);
        }
        // What lies behind the end belongs to processes that were started meanwhile.
        let bytes = recorded.bytes().into_iter();
        touched.extend(bytes.filter_map(|at| self.numbering.owner(population, at)));
        touched.sort_unstable();
        touched.dedup();
    }
}

/// Something that [`Learner::explain`] is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A move, by its number.
    Move(usize),
    /// A violation, by its number.
    Blame(usize),
}

/// Some parts as bits.
pub(crate) fn part_bits(parts: &[PartId]) -> PartBits {
    parts
        .iter()
        .fold(PartBits::default(), |bits, &part| bits.with(part))
}

/// Who has control in a node inside an atomic sequence.
pub(crate) fn is_exclusive(control: Control) -> bool {
    matches!(control, Control::Exclusive(_))
}
