//! One way catch them young: a breadth-first search for accepting, fair cycles.
//!
//! Follows: [004, 3]: DETECT-CYCLE with RESET, REACHABILITY and ELIMINATION, and
//! EXTRACT-CYCLE; [004, 5]: WEAK-DETECT-CYCLE, the generalised and the Streett condition. In
//! line 5 of REACHABILITY it is the state `r` that is put into the set, not `q`.
//!
//! Departs:
//! - Moves are accepting, not states: a condition keeps what is reachable from behind a move
//!   that meets it. The proofs hold as they are: a component of the states left that is
//!   reached from nowhere else has such a move inside.
//! - A move is a step, or an atomic sequence as a whole, see [`crate::moves`]. Depth and bound
//!   count moves, as in [`crate::bfs()`].
//! - Reachability does not leave the set. For the Streett condition the set might grow
//!   otherwise; for the others it makes no difference to the result.
//! - Weak fairness is a generalised condition: the moves of a process and those out of
//!   states where it is disabled are one more set. Strong fairness is a Streett condition:
//!   the states where a process is enabled, and its moves.
//! - States are not kept but executed again: of each state only a number, some marks and a
//!   counter are kept, in its note. The set is a queue of states in few bytes each. For a
//!   condition that is no Streett condition, predecessors are counted while it is met, as in
//!   the paper; otherwise in a pass of their own.
//! - REACHABILITY is one pass over the set: a state that is known to be reached when its turn comes
//!   hands that on at once, and only those that are found to be reached later are expanded again.
//!   The first condition is met while the states are found.
//! - States are eliminated after each condition, not after all of them: what one leaves over is
//!   mostly little.
//! - On a weak graph ([`Acceptance::is_weak`]) only accepting moves count as edges, and under
//!   fairness the general algorithm is used.
//! - Conditions may take turns to remove few states each. Once a quarter is left at most, the
//!   components of the rest are looked at in memory, and if none is fair the search is over.
//! - For EXTRACT-CYCLE see [`crate::component`]. Among the states on fair cycles one
//!   with the fewest moves from the initial state is taken. One cycle is reported.
//! - An atomic sequence that comes back to where it was is cut, and leaves the answer open
//!   ([`Completion::EndlessAtomic`]).

use space::{Acceptance, Fairness, Row, Violation, ViolationKind};
use store::{Insert, Key, StateId, StateStore};

use crate::accounting::Accounting;
use crate::component::Component;
use crate::findings::Keep;
use crate::lasso::finite;
use crate::links::Links;
use crate::move_marks::{MarkedMoves, Pids, all_sets};
use crate::queue::Queue;
use crate::{Completion, Outcome, SearchConfig};
use pass::{Condition, Pass};

/// The bytes that the search keeps in the note of each state.
pub const OWCTY_NOTE_BYTES: usize = 8;

/// The state is in the set.
const IN: u32 = 1 << 31;
/// It was reached from a move that meets the condition.
const REACHED: u32 = 1 << 30;
/// The condition asks nothing of it.
const EXEMPT: u32 = 1 << 29;
/// Its turn in the pass over the set is over. Where all states are counted: and it has moves that
/// count.
const PASSED: u32 = 1 << 28;
/// The other bits count its predecessors in the set.
const COUNT: u32 = PASSED - 1;

/// One in so many of all states are few enough for a graph in memory: it takes no more than the
/// store does.
const FEW: u64 = 4;

/// Search all executions of a system breadth first for violations of safety, and then for
/// an accepting, fair cycle.
///
/// The store must be empty and have notes of [`OWCTY_NOTE_BYTES`].
pub fn owcty<M: Acceptance, S: StateStore>(
    model: &mut M,
    store: &mut S,
    fairness: Fairness,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    Owcty::new(model, store, fairness, config).run()
}

/// The search under way.
struct Owcty<'a, M, S> {
    model: &'a mut M,
    store: &'a mut S,
    fairness: Fairness,
    /// Whether only accepting moves are looked at.
    is_weak: bool,
    /// All acceptance sets.
    all: u32,
    accounting: Accounting<'a>,
    links: Links,
    /// All states of the set, and perhaps others, in the order in which they were found.
    members: Queue,
    /// The number of states in the set.
    size: u64,
    /// States to be expanded, or that were removed.
    queue: Queue,
    /// States whose turn was over when they were found to be reached.
    late: Queue,
    /// All who are enabled anywhere.
    ever: Pids,
    moves: MarkedMoves,
    keys: Vec<Key>,
    /// For each move the name of the state behind it, if the search has been there.
    behind: Vec<Option<StateId>>,
    vector: Vec<u8>,
    hidden_len: usize,
    peak: usize,
}

impl<'a, M: Acceptance, S: StateStore> Owcty<'a, M, S> {
    fn new(
        model: &'a mut M,
        store: &'a mut S,
        fairness: Fairness,
        config: &SearchConfig<'a>,
    ) -> Owcty<'a, M, S> {
        let mut accounting = Accounting::new(config, model.transition_count(), Keep::First);
        accounting.statistics.owcty_iterations = Some(0);
        Owcty {
            store,
            fairness,
            is_weak: fairness == Fairness::None && model.is_weak(),
            all: all_sets(model.sets()),
            accounting,
            links: Links::default(),
            members: Queue::default(),
            size: 0,
            queue: Queue::default(),
            late: Queue::default(),
            ever: Pids::default(),
            moves: MarkedMoves::default(),
            keys: Vec::new(),
            behind: Vec::new(),
            vector: Vec::new(),
            hidden_len: model.hidden_len(),
            peak: 0,
            model,
        }
    }

    fn run(mut self) -> Outcome {
        let ended = self.search();
        self.accounting.judge_atomics();
        let stack = self.peak.max(self.beside());
        (self.accounting).outcome(ended, S::EXACT, self.store.memory_bytes(), stack)
    }

    fn search(&mut self) -> Result<(), Completion> {
        if self.begin()? {
            let first = self.first_pass();
            self.reach_all(first)?;
            if self.detect(first)? {
                self.extract()?;
            }
        }
        Ok(())
    }

    /// The memory besides the store.
    fn beside(&self) -> usize {
        self.members.memory_bytes()
            + self.queue.memory_bytes()
            + self.late.memory_bytes()
            + self.links.memory_bytes()
    }

    /// Look at the limits if it is time. `more` is the memory of another queue.
    #[inline]
    fn poll(&mut self, more: &Queue) -> Result<(), Completion> {
        if !self.accounting.is_poll_due() {
            return Ok(());
        }
        let beside = self.beside() + more.memory_bytes();
        self.peak = self.peak.max(beside);
        self.accounting.poll(self.store.memory_bytes() + beside)
    }

    /// Store the initial state. Whether there is anything to search.
    fn begin(&mut self) -> Result<bool, Completion> {
        let vector = match self.model.initial() {
            Ok(vector) => vector,
            Err(violation) => {
                self.accounting.note(violation, None, -1);
                return self.accounting.enough_errors().and(Ok(false));
            }
        };
        let state = &vector[self.hidden_len..];
        let key = self.store.prepare(state);
        let id = self.store.insert(state, key).id();
        self.enter(id, &vector)?;
        Ok(true)
    }

    /// A state is new: it belongs to the set.
    fn enter(&mut self, id: StateId, vector: &[u8]) -> Result<(), Completion> {
        let number = self.accounting.statistics.stored;
        if number >= u64::from(COUNT) {
            return Err(Completion::MemoryLimit);
        }
        let note = self.store.note(id);
        note[..4].copy_from_slice(&(number as u32).to_le_bytes());
        note[4..].copy_from_slice(&IN.to_le_bytes());
        self.accounting.stored(vector.len());
        self.size += 1;
        self.queue.push(vector);
        Ok(())
    }

    /// What is done while the states are found.
    fn first_pass(&self) -> Pass {
        match self.model.sets() {
            0 => Pass::Count,
            _ if self.is_weak => Pass::Count,
            _ => Pass::of(Condition::Set(0)),
        }
    }

    /// REACHABILITY from the initial state, with the checks of safety.
    fn reach_all(&mut self, pass: Pass) -> Result<(), Completion> {
        let bound = self.accounting.config.depth.unwrap_or(u64::MAX);
        let (mut parent, mut layer, mut layer_end) = (0, 0, 1);
        let nothing = Queue::default();
        let mut vector = Vec::new();
        let mut id = None;
        while self.queue.pop(&mut vector) {
            self.poll(&nothing)?;
            self.members.push(&vector);
            id = match S::ORDERED {
                true => self.store.next_id(id),
                false => self.find(&vector),
            };
            if parent == layer_end {
                layer += 1;
                layer_end = self.accounting.statistics.stored;
            }
            let is_reached = self.take_turn(id, pass);
            if layer >= bound {
                self.accounting.truncated = true;
                // Moves to states that are known count all the same.
                self.add_mark(id, PASSED);
                if is_reached {
                    self.late.push(&vector);
                }
                parent += 1;
                continue;
            }
            self.explore(&vector)?;
            self.ever = self.ever.union(&self.moves.enabled);
            self.check(&vector, parent)?;
            self.insert(parent, layer)?;
            self.add_mark(id, self.own_mark(pass));
            self.hand_on(pass, is_reached);
            parent += 1;
        }
        self.expand_late(pass, &nothing)
    }

    /// The turn of a state has come. Whether everything behind it is reached, and it counts.
    #[inline]
    fn take_turn(&mut self, id: Option<StateId>, pass: Pass) -> bool {
        match (pass, id) {
            (Pass::Count, _) => true,
            (_, None) => false,
            (Pass::Meet(_) | Pass::Exempt(_), Some(id)) => {
                let marks = self.marks(id);
                self.set_marks(id, marks | PASSED);
                marks & REACHED != 0
            }
        }
    }

    /// The mark of the state that was just explored, by what is known of its moves.
    #[inline]
    fn own_mark(&self, pass: Pass) -> u32 {
        let mut numbers = 0..self.moves.len();
        match pass {
            Pass::Exempt(condition) if condition.exempts(&self.moves.enabled) => EXEMPT,
            Pass::Count if numbers.any(|number| self.is_edge(number)) => PASSED,
            _ => 0,
        }
    }

    /// Mark what is behind the moves of the state that was just explored.
    #[inline]
    fn hand_on(&mut self, pass: Pass, is_reached: bool) {
        let enabled = self.moves.enabled;
        for number in 0..self.moves.len() {
            let (reaches, one) = match pass {
                Pass::Count => (false, u32::from(self.is_edge(number))),
                Pass::Meet(_) | Pass::Exempt(_) if is_reached => (true, u32::from(pass.counts())),
                Pass::Meet(condition) | Pass::Exempt(condition) => {
                    (condition.is_met(&enabled, self.moves.get(number).1), 0)
                }
            };
            if (reaches || one > 0)
                && let Some((id, marks)) = self.behind(number)
            {
                if reaches && marks & (REACHED | PASSED) == PASSED {
                    self.late.push(self.moves.get(number).0);
                }
                let reached = if reaches { REACHED } else { 0 };
                self.set_marks(id, (marks + one) | reached);
            }
        }
    }

    /// Expand what was found to be reached after its turn. `members` is the memory of another queue.
    fn expand_late(&mut self, pass: Pass, members: &Queue) -> Result<(), Completion> {
        let mut vector = Vec::new();
        while self.late.pop(&mut vector) {
            self.poll(members)?;
            self.explore(&vector)?;
            self.locate();
            self.hand_on(pass, true);
        }
        Ok(())
    }

    /// Find the moves of a state.
    #[inline]
    fn explore(&mut self, vector: &[u8]) -> Result<(), Completion> {
        let memory = self.store.memory_bytes() + self.beside();
        (self.moves).explore(self.model, vector, &mut self.accounting, memory)?;
        self.store.focus(&vector[self.hidden_len..]);
        self.keys.clear();
        for (vector, _) in self.moves.iter() {
            let key = self.store.prepare(&vector[self.hidden_len..]);
            self.keys.push(key);
        }
        for key in &mut self.keys {
            self.store.touch(key);
        }
        Ok(())
    }

    /// Report what the state that was just explored breaks, and count its steps.
    fn check(&mut self, vector: &[u8], number: u64) -> Result<(), Completion> {
        for at in 0..self.moves.moves.found.rows.len() {
            let row = self.moves.moves.found.rows[at];
            if row.has(Row::VIOLATION | Row::FAULT) {
                let violations = self.moves.moves.found.violations_of(at);
                for violation in violations.collect::<Vec<Violation>>() {
                    self.report(violation, number, Some(at))?;
                }
            }
            if row.has_successor() {
                self.accounting.execute(&row);
                self.accounting.statistics.atomic_steps += u64::from(row.has(Row::EXCLUSIVE));
            }
        }
        if !self.moves.moves.moved && !self.model.is_valid_end(vector) {
            self.report(ViolationKind::InvalidEndState.into(), number, None)?;
        }
        Ok(())
    }

    /// Store the states behind the moves.
    fn insert(&mut self, parent: u64, layer: u64) -> Result<(), Completion> {
        self.behind.clear();
        for number in 0..self.moves.len() {
            let (vector, _) = self.moves.get(number);
            let state = &vector[self.hidden_len..];
            let insert = self.store.insert(state, self.keys[number]);
            self.behind.push(Some(insert.id()));
            match insert {
                Insert::Known(_) => self.accounting.statistics.matched += 1,
                Insert::New(id) => {
                    self.links.push(parent, number as u32);
                    self.accounting.reach(layer + 1);
                    let mut vector = std::mem::take(&mut self.vector);
                    vector.clear();
                    vector.extend_from_slice(self.moves.get(number).0);
                    let entered = self.enter(id, &vector);
                    self.vector = vector;
                    entered?;
                }
            }
        }
        Ok(())
    }

    /// The name of a state, if the search has been there.
    #[inline]
    fn find(&mut self, vector: &[u8]) -> Option<StateId> {
        let state = &vector[self.hidden_len..];
        let key = self.store.prepare(state);
        self.store.find(state, key)
    }

    /// Look for the states behind the moves of the state that was just explored.
    #[inline]
    fn locate(&mut self) {
        self.behind.clear();
        for number in 0..self.moves.len() {
            let (vector, _) = self.moves.get(number);
            let (state, key) = (&vector[self.hidden_len..], self.keys[number]);
            self.behind.push(self.store.find(state, key));
        }
    }

    /// The state behind a move of the state that was just explored, and its marks, if it is in
    /// the set.
    #[inline]
    fn behind(&mut self, number: usize) -> Option<(StateId, u32)> {
        let id = self.behind[number]?;
        let marks = self.marks(id);
        (marks & IN != 0).then_some((id, marks))
    }

    #[inline]
    fn marks(&mut self, id: StateId) -> u32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.store.note(id)[4..]);
        u32::from_le_bytes(bytes)
    }

    #[inline]
    fn add_mark(&mut self, id: Option<StateId>, mark: u32) {
        if mark != 0
            && let Some(id) = id
        {
            let marks = self.marks(id);
            self.set_marks(id, marks | mark);
        }
    }

    #[inline]
    fn set_marks(&mut self, id: StateId, marks: u32) {
        self.store.note(id)[4..].copy_from_slice(&marks.to_le_bytes());
    }

    /// DETECT-CYCLE: whether there is an accepting, fair cycle. The first pass is over.
    fn detect(&mut self, first: Pass) -> Result<bool, Completion> {
        let conditions = match self.is_weak {
            true => Vec::new(),
            false => self.conditions(),
        };
        self.eliminate(first)?;
        let mut is_first = matches!(first, Pass::Meet(_));
        let mut has_fair = false;
        loop {
            *self.accounting.statistics.owcty_iterations.get_or_insert(0) += 1;
            let before = match is_first {
                true => self.accounting.statistics.stored,
                false => self.size,
            };
            for &condition in &conditions {
                if !std::mem::take(&mut is_first) {
                    self.restrict(condition)?;
                }
                if self.size == 0 {
                    return Ok(false);
                }
                if !has_fair && self.is_small_graph() {
                    has_fair = self.has_fair_component()?;
                    if !has_fair {
                        return Ok(false);
                    }
                }
            }
            if self.size == before {
                return Ok(self.size > 0);
            }
        }
    }

    /// Whether the set may be taken for a graph, and a small one: with hidden variables, or a
    /// store that may be wrong, a state has other moves when it is met again.
    fn is_small_graph(&self) -> bool {
        let is_small = self.size <= self.accounting.statistics.stored / FEW;
        S::EXACT && self.hidden_len == 0 && is_small
    }

    /// Whether some component of the set is accepting and fair.
    fn has_fair_component(&mut self) -> Result<bool, Completion> {
        let mut vector = Vec::new();
        let mut members = Queue::default();
        let mut is_fair = false;
        while self.members.pop(&mut vector) {
            members.push(&vector);
            if is_fair {
                continue;
            }
            let component = self.component(&vector)?;
            for &name in component.names() {
                // Whatever it can come back from is part of it.
                self.set_marks(StateId::from_bits(name), IN | REACHED);
            }
            is_fair = !component.fair_sets(self.all, self.fairness).is_empty();
        }
        self.members = members;
        self.keep(|marks| marks & IN)?;
        Ok(is_fair)
    }

    /// What is reachable from a state inside the set, as long as states have no other mark.
    fn component(&mut self, vector: &[u8]) -> Result<Component, Completion> {
        let memory = self.store.memory_bytes() + self.beside();
        let Owcty {
            model,
            store,
            accounting,
            hidden_len,
            ..
        } = self;
        let inside = |vector: &[u8]| {
            let state = &vector[*hidden_len..];
            let key = store.prepare(state);
            let id = store.find(state, key)?;
            (store.note(id)[4..] == IN.to_le_bytes()).then(|| id.to_bits())
        };
        Component::build(*model, vector, inside, accounting, memory)
    }

    /// What a cycle has to meet. The sets come first: they mostly leave few states for the rest.
    fn conditions(&self) -> Vec<Condition> {
        let pids = (0..self.ever.end() as u32).map(|pid| pid as u8);
        let pids = pids.filter(|&pid| self.ever.contains(pid));
        let sets = (0..self.model.sets()).map(Condition::Set);
        match self.fairness {
            Fairness::None => sets.collect(),
            Fairness::Weak => sets.chain(pids.map(Condition::Weak)).collect(),
            Fairness::Strong => sets.chain(pids.map(Condition::Strong)).collect(),
        }
    }

    /// RESET, REACHABILITY and ELIMINATION: keep what is reachable inside the set from behind a move
    /// that meets a condition, and the states that it exempts; without those that have no predecessors.
    fn restrict(&mut self, condition: Condition) -> Result<(), Completion> {
        let pass = Pass::of(condition);
        self.pass_over(pass)?;
        self.eliminate(pass)
    }

    /// Each state of the set has its turn, and those that are reached late another one.
    fn pass_over(&mut self, pass: Pass) -> Result<(), Completion> {
        let mut vector = Vec::new();
        let mut members = Queue::default();
        while self.members.pop(&mut vector) {
            self.poll(&members)?;
            members.push(&vector);
            let id = self.find(&vector);
            let is_reached = self.take_turn(id, pass);
            self.explore(&vector)?;
            self.locate();
            self.add_mark(id, self.own_mark(pass));
            self.hand_on(pass, is_reached);
        }
        self.expand_late(pass, &members)?;
        self.members = members;
        Ok(())
    }

    /// ELIMINATION: remove what the last pass does not keep, and the states without predecessors in
    /// the set, again and again.
    fn eliminate(&mut self, pass: Pass) -> Result<(), Completion> {
        if !pass.counts() {
            self.keep(|marks| if pass.keeps(marks) { IN } else { 0 })?;
            self.pass_over(Pass::Count)?;
            return self.eliminate(Pass::Count);
        }
        self.remove_first(pass)?;
        let nothing = Queue::default();
        let mut vector = Vec::new();
        while self.queue.pop(&mut vector) {
            self.poll(&nothing)?;
            self.explore(&vector)?;
            self.locate();
            for number in 0..self.moves.len() {
                if self.is_edge(number)
                    && let Some((id, marks)) = self.behind(number)
                {
                    // With a store that takes two states for one, less may have been counted.
                    let is_last = marks & COUNT <= 1;
                    self.set_marks(id, if is_last { 0 } else { marks - 1 });
                    self.size -= u64::from(is_last);
                    if is_last && marks & PASSED != 0 {
                        self.queue.push(self.moves.get(number).0);
                    }
                }
            }
        }
        match self.size {
            0 => self.members = Queue::default(),
            _ => self.keep(|marks| marks & IN)?,
        }
        Ok(())
    }

    /// Remove what the last pass does not keep, and the states without predecessors that it
    /// counted. The moves of the latter are to be undone.
    fn remove_first(&mut self, pass: Pass) -> Result<(), Completion> {
        let mut removed = std::mem::take(&mut self.queue);
        let kept = self.keep_each(|marks, vector| {
            if !pass.keeps(marks) {
                return 0;
            }
            if marks & COUNT > 0 {
                return marks & (IN | PASSED | COUNT);
            }
            if marks & PASSED != 0 {
                removed.push(vector);
            }
            0
        });
        self.queue = removed;
        kept
    }

    /// Give all members of the set new marks; those without the mark of the set leave it.
    fn keep(&mut self, new_marks: impl Fn(u32) -> u32) -> Result<(), Completion> {
        self.keep_each(|marks, _| new_marks(marks))
    }

    /// The same, with what the members look like.
    fn keep_each(
        &mut self,
        mut new_marks: impl FnMut(u32, &[u8]) -> u32,
    ) -> Result<(), Completion> {
        let mut vector = Vec::new();
        let mut members = Queue::default();
        self.size = 0;
        while self.members.pop(&mut vector) {
            self.accounting.work(0, vector.len());
            self.poll(&members)?;
            let Some(id) = self.find(&vector) else {
                continue;
            };
            let marks = self.marks(id);
            let marks = match marks & IN {
                0 => 0,
                _ => new_marks(marks, &vector),
            };
            self.set_marks(id, marks);
            if marks & IN != 0 {
                self.size += 1;
                members.push(&vector);
            }
        }
        self.members = members;
        Ok(())
    }

    /// Whether a move counts: in a weak graph only if it is accepting.
    #[inline]
    fn is_edge(&self, number: usize) -> bool {
        !self.is_weak || self.moves.get(number).1.sets & self.all == self.all
    }

    /// Count a violation of safety in a state or by the step of a row, keep its trace if it is
    /// wanted, and end if it was the last one asked for.
    #[cold]
    fn report(
        &mut self,
        violation: Violation,
        number: u64,
        row: Option<usize>,
    ) -> Result<(), Completion> {
        self.accounting.work_hard();
        let stem = self.links.moves_to(number);
        let moves = (&self.moves.moves, row);
        let (trace, depth) = finite(self.model, stem, moves, &violation, &mut self.accounting);
        self.accounting.record(violation, depth, trace)
    }
}

mod extract;
mod pass;
#[cfg(test)]
mod tests;
