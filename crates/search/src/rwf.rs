//! Weakly fair cycles under symmetry, exactly.
//!
//! Follows: [001 ch. 7, Fig. 14] (RWF). A first search goes through the representatives. From a seed,
//! a cycle is looked for that treats the processes fairly, one process after the other: a second
//! search follows the process, whatever its name is in the representatives on the way, until it moves
//! or is disabled, and a third one goes back to the seed. If that is possible for all processes, the
//! cycles together, repeated under the names that processes come back with, make a fair one (Theorem
//! 6 there). What was visited for a process is kept as bits: one for each name that it may have in a
//! representative, and one for the third search.
//!
//! Departs:
//! - The other searches stay in a component. The figure, executed literally, misses fair cycles: of
//!   100,000 random graphs of two processes, 14 without symmetry and about one with it; it never reports
//!   a false one. The smallest have 4 states, and 8 states with 5 representatives (`an_earlier_seed` and
//!   `an_earlier_seed_with_an_image` among the tests). The proof of Theorem 7 concludes that a seed
//!   which the first search leaves later is on its path, where it may as well not have been found
//!   yet: an earlier seed reaches it through a state on the path that has moves left to try. Then
//!   the nested searches of the earlier seed, on a cycle but on no fair one, run ahead, and the bits
//!   that they leave cut those of the later one short. So the first search finds strongly connected
//!   components, by the algorithm of Gabow. When it leaves the first state of a component for
//!   good, that state is the seed, and the other searches stay in the component. One seed is
//!   enough, since all states of it can reach each other.
//! - The states on the stacks are those of the model, as in [001 ch. 7, Fig. 8]. A process keeps its
//!   name along a stack; the bit is that of its name in the representative.
//! - Moves are accepting, not states: each acceptance set is one more condition, followed under no
//!   name.
//! - The searches for the conditions come one after the other, and not one inside the other. Where
//!   one of them fails the component is given up.
//! - A move is a step, or an atomic sequence as a whole. An atomic sequence that comes back to where
//!   it was is cut, and leaves the answer open ([`Completion::EndlessAtomic`]).
//! - A cycle is given as one way from the seed back to it for each condition; see [`Rounds`].

use space::{Acceptance, Pid, Representative, Row, Step, Trace, Violation, ViolationKind};
use store::{StateId, StateStore};

use crate::accounting::Accounting;
use crate::bfs::Walk;
use crate::findings::Keep;
use crate::lasso::{finite, levels};
use crate::move_marks::{MarkedMoves, MoveMarks, Pids};
use crate::{Completion, Outcome, SearchConfig};

/// A fair cycle of representatives: ways from a state back to one that is the same but for names.
///
/// To go round: take the ways of all sets, and then for each process the way of that process, in the
/// names of the state where the search found them. Sooner or later a round ends where another one
/// began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rounds {
    /// The number of steps before the seed.
    pub stem: usize,
    /// For each acceptance set a way that belongs to it.
    pub sets: Vec<Vec<Step>>,
    /// For each process a way on which it moves or is disabled.
    pub processes: Vec<Vec<Step>>,
}

/// The bytes that the search keeps in the note of each state, for so many sets and processes.
pub const fn rwf_note_bytes(sets: u32, processes: usize) -> usize {
    NUMBER_BYTES + (2 * sets as usize + processes * (processes + 1)).div_ceil(8)
}

/// Search all executions of a system depth first for accepting cycles that are weakly fair, taking
/// states for one that have the same representative. The store must be empty and have notes of
/// [`rwf_note_bytes`]; there are never more than so many processes.
///
/// A cycle that was found is described by its [`Rounds`]: its trace is not closed.
pub fn rwf<M: Acceptance, S: StateStore, R: Representative>(
    model: &mut M,
    store: &mut S,
    orbits: &mut R,
    processes: usize,
    config: &SearchConfig<'_>,
) -> (Outcome, Vec<Rounds>) {
    debug_assert!(store.is_empty());
    let search = Rwf {
        accounting: Accounting::new(config, model.transition_count(), Keep::First),
        hidden_len: model.hidden_len(),
        sets: model.sets(),
        moves: MarkedMoves::default(),
        first: Stack::default(),
        nested: Stack::default(),
        representative: Vec::new(),
        rounds: Vec::new(),
        initial: Vec::new(),
        count: 0,
        active: Vec::new(),
        roots: Vec::new(),
        model,
        store,
        orbits,
        processes,
    };
    search.run()
}

/// The first bytes of a note: the number that the first search gave to the state, from 1 on.
const NUMBER_BYTES: usize = 4;
/// The component of the state is complete.
const DONE: u32 = u32::MAX;

/// What has to be met on the way back to the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// A move of this set.
    Set(u32),
    /// The process of this name moves, or is disabled.
    Process(Pid),
}

impl Condition {
    /// Whether a move out of a state meets it.
    fn is_met(self, enabled: &Pids, marks: &MoveMarks) -> bool {
        match self {
            Condition::Set(set) => marks.sets >> set & 1 != 0,
            Condition::Process(pid) => !enabled.contains(pid.0) || marks.movers.contains(pid.0),
        }
    }
}

/// A successor that waits.
#[derive(Clone, Copy, Debug)]
struct Item {
    start: usize,
    end: usize,
    /// Whether the condition is met on the way to it.
    met: bool,
}

/// A state of a stack: its successors, and the one to look at next.
#[derive(Clone, Copy, Debug)]
struct Frame {
    first: usize,
    next: usize,
    bytes: usize,
    /// The number of the state, in the first search.
    number: u32,
}

/// A stack of states with their successors.
#[derive(Debug, Default)]
struct Stack {
    frames: Vec<Frame>,
    items: Vec<Item>,
    bytes: Vec<u8>,
}

impl Stack {
    fn clear(&mut self) {
        self.frames.clear();
        self.items.clear();
        self.bytes.clear();
    }

    /// Enter a state with these moves.
    fn push(
        &mut self,
        moves: &MarkedMoves,
        number: u32,
        met: bool,
        meets: impl Fn(&MoveMarks) -> bool,
    ) {
        self.frames.push(Frame {
            first: self.items.len(),
            next: self.items.len(),
            bytes: self.bytes.len(),
            number,
        });
        for (vector, marks) in moves.iter() {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(vector);
            let end = self.bytes.len();
            let met = met || meets(marks);
            self.items.push(Item { start, end, met });
        }
    }

    /// The next successor of the last state; none if all were looked at.
    fn next(&mut self) -> Option<Item> {
        let end = self.items.len();
        let frame = self.frames.last_mut()?;
        if frame.next == end {
            return None;
        }
        frame.next += 1;
        Some(self.items[frame.next - 1])
    }

    /// The last state but one has led to the last: where that lies.
    fn last(&self) -> Option<&[u8]> {
        let before = self.frames.len().checked_sub(2)?;
        let item = self.items[self.frames[before].next - 1];
        Some(&self.bytes[item.start..item.end])
    }

    /// Leave the last state. Whether there is one before it.
    fn pop(&mut self) -> bool {
        if let Some(frame) = self.frames.pop() {
            self.items.truncate(frame.first);
            self.bytes.truncate(frame.bytes);
        }
        !self.frames.is_empty()
    }

    /// The numbers of the moves that were taken.
    fn path(&self) -> Vec<u32> {
        let taken = |frame: &Frame| (frame.next - frame.first).checked_sub(1);
        let moves = self.frames.iter().filter_map(taken);
        moves.map(|number| number as u32).collect()
    }

    fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.items.capacity() * size_of::<Item>()
    }
}

struct Rwf<'a, M, S, R> {
    model: &'a mut M,
    store: &'a mut S,
    orbits: &'a mut R,
    accounting: Accounting<'a>,
    hidden_len: usize,
    sets: u32,
    processes: usize,
    moves: MarkedMoves,
    first: Stack,
    nested: Stack,
    /// Of the state looked up last.
    representative: Vec<u8>,
    rounds: Vec<Rounds>,
    initial: Vec<u8>,
    /// How many states the first search has numbered.
    count: u32,
    /// The states of components that are not complete.
    active: Vec<StateId>,
    /// The numbers of the first states of what may become components.
    roots: Vec<u32>,
}

impl<M: Acceptance, S: StateStore, R: Representative> Rwf<'_, M, S, R> {
    fn run(mut self) -> (Outcome, Vec<Rounds>) {
        let ended = self.search();
        self.accounting.judge_atomics();
        let stack = self.first.memory_bytes() + self.nested.memory_bytes();
        let bytes = self.store.memory_bytes();
        let outcome = self.accounting.outcome(ended, S::EXACT, bytes, stack);
        (outcome, self.rounds)
    }

    /// The representative of a state in the store. The nested searches may be the first to come to
    /// a state, by way of one that the first search is still in.
    fn visit(&mut self, vector: &[u8]) -> StateId {
        self.represent(vector);
        let key = self.store.prepare(&self.representative);
        let met = self.store.insert(&self.representative, key);
        if met.is_new() {
            self.accounting.stored(vector.len());
        }
        met.id()
    }

    fn represent(&mut self, vector: &[u8]) {
        self.representative.clear();
        self.representative
            .extend_from_slice(&vector[self.hidden_len..]);
        self.orbits.represent(&mut self.representative);
    }

    /// DFS1.
    fn search(&mut self) -> Result<(), Completion> {
        let initial = match self.model.initial() {
            Ok(vector) => vector,
            Err(violation) => {
                self.accounting.note(violation, None, -1);
                return self.accounting.enough_errors();
            }
        };
        self.initial.clone_from(&initial);
        let id = self.visit(&initial);
        self.enter(&initial, id)?;
        let mut vector = Vec::new();
        loop {
            while let Some(item) = self.first.next() {
                vector.clear();
                vector.extend_from_slice(&self.first.bytes[item.start..item.end]);
                let id = self.visit(&vector);
                match self.number(id) {
                    0 => self.enter(&vector, id)?,
                    number => self.join(number),
                }
            }
            self.leave()?;
            if !self.first.pop() {
                return Ok(());
            }
        }
    }

    /// The number that the first search gave to a state, or 0.
    fn number(&mut self, id: StateId) -> u32 {
        let bytes = &self.store.note(id)[..NUMBER_BYTES];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn set_number(&mut self, id: StateId, number: u32) {
        self.store.note(id)[..NUMBER_BYTES].copy_from_slice(&number.to_le_bytes());
    }

    /// The first search comes to a state with a number: what was entered since is in its component.
    fn join(&mut self, number: u32) {
        self.accounting.statistics.matched += 1;
        if number != DONE {
            while self.roots.last().is_some_and(|root| *root > number) {
                self.roots.pop();
            }
        }
    }

    /// The first search leaves a state. If it was the first of its component, that is complete.
    fn leave(&mut self) -> Result<(), Completion> {
        let Some(&Frame { number, .. }) = self.first.frames.last() else {
            return Ok(());
        };
        if self.roots.last() != Some(&number) {
            return Ok(());
        }
        self.roots.pop();
        self.check_component()?;
        while let Some(id) = self.active.pop() {
            let own = self.number(id);
            self.set_number(id, DONE);
            if own == number {
                break;
            }
        }
        Ok(())
    }

    fn poll(&mut self) -> Result<(), Completion> {
        if !self.accounting.is_poll_due() {
            return Ok(());
        }
        let beside = self.first.memory_bytes() + self.nested.memory_bytes();
        self.accounting.poll(self.store.memory_bytes() + beside)
    }

    /// Enter a state that is new to the first search.
    fn enter(&mut self, vector: &[u8], id: StateId) -> Result<(), Completion> {
        self.poll()?;
        let depth = self.first.frames.len() as u64;
        self.accounting.reach(depth);
        self.count += 1;
        if self.count == DONE {
            return Err(Completion::MemoryLimit);
        }
        if self
            .accounting
            .config
            .depth
            .is_some_and(|bound| depth >= bound)
        {
            self.accounting.truncated = true;
            self.set_number(id, DONE);
            return Ok(());
        }
        self.set_number(id, self.count);
        self.active.push(id);
        self.roots.push(self.count);
        let memory = self.store.memory_bytes();
        (self.moves).explore(self.model, vector, &mut self.accounting, memory)?;
        self.check(vector)?;
        self.first.push(&self.moves, self.count, false, |_| false);
        Ok(())
    }

    /// Report what the state that was just explored breaks, and count its steps.
    fn check(&mut self, vector: &[u8]) -> Result<(), Completion> {
        for at in 0..self.moves.moves.found.rows.len() {
            let row = self.moves.moves.found.rows[at];
            if row.has(Row::VIOLATION | Row::FAULT) {
                let violations = self.moves.moves.found.violations_of(at);
                for violation in violations.collect::<Vec<Violation>>() {
                    self.report(violation, Some(at))?;
                }
            }
            if row.has_successor() {
                self.accounting.execute(&row);
                self.accounting.statistics.atomic_steps += u64::from(row.has(Row::EXCLUSIVE));
            }
        }
        if !self.moves.moves.moved && !self.model.is_valid_end(vector) {
            self.report(ViolationKind::InvalidEndState.into(), None)?;
        }
        Ok(())
    }

    #[cold]
    fn report(&mut self, violation: Violation, row: Option<usize>) -> Result<(), Completion> {
        let stem = self.first.path();
        let moves = (&self.moves.moves, row);
        let (trace, depth) = finite(self.model, stem, moves, &violation, &mut self.accounting);
        self.accounting.record(violation, depth, trace)
    }

    /// A component is complete: is there a fair cycle in it?
    fn check_component(&mut self) -> Result<(), Completion> {
        let seed = self.first.last().unwrap_or(&self.initial).to_vec();
        let id = self.visit(&seed);
        // The process of each name in the representative, by its name in the seed.
        let names: Vec<Pid> = (0..self.processes as u8)
            .map(|pid| self.orbits.original(Pid(pid)))
            .collect();
        let mut ways = Vec::new();
        for set in 0..self.sets {
            let bits = 8 * NUMBER_BYTES + 2 * set as usize;
            match self.way(&seed, id, Condition::Set(set), bits, bits + 1)? {
                Some(way) => ways.push(way),
                None => return Ok(()),
            }
        }
        let mut by_process = vec![Vec::new(); self.processes];
        for (number, &pid) in names.iter().enumerate() {
            let before = 2 * self.sets as usize + number * (self.processes + 1);
            let bits = 8 * NUMBER_BYTES + before;
            let third = bits + self.processes;
            match self.way(&seed, id, Condition::Process(pid), bits, third)? {
                Some(way) => by_process[usize::from(pid.0)] = way,
                None => return Ok(()),
            }
        }
        self.close(&seed, &ways, &by_process)
    }

    /// The moves to the state that the first search is about to leave.
    fn stem(&self) -> Vec<u32> {
        let mut path = self.first.path();
        // The last state has tried all its moves and stays where it is.
        let mut last = self.first.frames.last().into_iter();
        if last.any(|frame| frame.next > frame.first) {
            path.pop();
        }
        path
    }

    /// DFS2 and DFS3: a way from the seed back to it that meets a condition, as numbers of moves. The
    /// bits of the second search begin at a number, that of the third is another.
    fn way(
        &mut self,
        seed: &[u8],
        id: StateId,
        condition: Condition,
        second: usize,
        third: usize,
    ) -> Result<Option<Vec<u32>>, Completion> {
        self.nested.clear();
        self.represent(seed);
        let bit = second + self.name(condition);
        self.is_new(id, bit);
        self.follow(seed, condition, false)?;
        let mut vector = Vec::new();
        loop {
            while let Some(item) = self.nested.next() {
                vector.clear();
                vector.extend_from_slice(&self.nested.bytes[item.start..item.end]);
                let behind = self.visit(&vector);
                // Elsewhere there is no way back.
                if matches!(self.number(behind), 0 | DONE) {
                    continue;
                }
                if item.met && behind == id {
                    return Ok(Some(self.nested.path()));
                }
                let bit = match item.met {
                    true => third,
                    false => second + self.name(condition),
                };
                if self.is_new(behind, bit) {
                    self.follow(&vector, condition, item.met)?;
                }
            }
            if !self.nested.pop() {
                return Ok(None);
            }
        }
    }

    /// What a process is called in the representative of the state looked up last.
    fn name(&self, condition: Condition) -> usize {
        match condition {
            Condition::Set(_) => 0,
            Condition::Process(pid) => usize::from(self.orbits.renamed(pid).0),
        }
    }

    /// Whether a bit of a state was not set. It is set then.
    fn is_new(&mut self, id: StateId, bit: usize) -> bool {
        let byte = &mut self.store.note(id)[bit / 8];
        let was = *byte >> (bit % 8) & 1 != 0;
        *byte |= 1 << (bit % 8);
        !was
    }

    /// Enter a state in one of the nested searches.
    fn follow(&mut self, vector: &[u8], condition: Condition, met: bool) -> Result<(), Completion> {
        self.poll()?;
        self.accounting.statistics.revisited += 1;
        let memory = self.store.memory_bytes();
        (self.moves).explore(self.model, vector, &mut self.accounting, memory)?;
        let enabled = self.moves.enabled;
        let is_met = |marks: &MoveMarks| condition.is_met(&enabled, marks);
        self.nested.push(&self.moves, 0, met, is_met);
        Ok(())
    }

    /// A fair cycle was found: report it.
    #[cold]
    fn close(
        &mut self,
        seed: &[u8],
        sets: &[Vec<u32>],
        processes: &[Vec<u32>],
    ) -> Result<(), Completion> {
        let initial = self.initial.clone();
        let mut trace = self.steps(&initial, &self.stem());
        let mut rounds = Rounds {
            stem: trace.steps.len(),
            ..Rounds::default()
        };
        let depth = levels(&trace.steps);
        for way in sets {
            let steps = self.steps(seed, way);
            append(&mut trace, &steps);
            rounds.sets.push(steps.steps);
        }
        for way in processes {
            let steps = self.steps(seed, way);
            append(&mut trace, &steps);
            rounds.processes.push(steps.steps);
        }
        trace.cycle = Some(rounds.stem);
        self.rounds.push(rounds);
        let violation = self.model.cycle_kind().into();
        self.accounting.record(violation, depth, trace)
    }

    /// The steps of moves from a state on.
    fn steps(&mut self, from: &[u8], moves: &[u32]) -> Trace {
        let mut walk = Walk {
            vector: from.to_vec(),
            trace: Trace::default(),
            distinguishes_marks: true,
        };
        for &number in moves {
            walk.take_move(self.model, number, &mut self.accounting);
        }
        walk.trace
    }
}

fn append(trace: &mut Trace, more: &Trace) {
    trace.steps.extend(&more.steps);
    trace.claim.extend(&more.claim);
}

#[cfg(test)]
mod tests;
