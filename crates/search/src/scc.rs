//! Search for strongly connected components with an accepting, fair cycle, on the fly.
//!
//! Follows: [Couvreur 1999]: Tarjan's search keeps for each component on its path which acceptance sets its moves belong to. When
//! a move closes a cycle, the components on it become one; if that one belongs to all sets, a
//! cycle through it is accepting, however many sets there are.
//!
//! Departs:
//! - An explicit stack of about ten bytes for each state, see [`crate::path`]; the number of a
//!   state is kept in its note.
//! - A move is a step, or an atomic sequence as a whole, see [`crate::moves`]. The depth and
//!   its bound are in moves, and moves are tried in Spin's order.
//! - Weak fairness is a condition like the sets: for each process there must be a state of the
//!   component where it is disabled, or a move of it. Under strong fairness every process
//!   that is enabled in a state of the component must move in it. If that does not hold for
//!   the whole of a component when the search leaves it, it may hold for a part: see
//!   [`crate::component`].
//! - A component is reported when it is first known to be a violation, and not again when it
//!   grows. All components that have an accepting, fair cycle are found, one cycle in each.
//! - An atomic sequence that comes back to where it was is cut, and leaves the answer open
//!   ([`Completion::EndlessAtomic`]).

use std::ops::ControlFlow;

use space::{Acceptance, Fairness, Row, Violation, ViolationKind};
use store::{Insert, Key, StateId, StateStore};

use crate::accounting::Accounting;
use crate::component::Component;
use crate::findings::Keep;
use crate::lasso::{finite, lasso};
use crate::move_marks::{MarkedMoves, MoveMarks, Total, all_sets};
use crate::path::{DeferredCounts, Link, Path, Rest};
use crate::waiting::{Entry, Waiting};
use crate::{Completion, Outcome, SearchConfig};

/// The bytes that the search keeps in the note of each state.
pub const SCC_NOTE_BYTES: usize = 4;

/// The number of states whose component is done.
const DONE: u32 = u32::MAX;

/// Search all executions of a system depth first for accepting, fair cycles, and for
/// violations of safety on the way.
///
/// The store must be empty and have notes of [`SCC_NOTE_BYTES`].
pub fn scc<M: Acceptance, S: StateStore>(
    model: &mut M,
    store: &mut S,
    fairness: Fairness,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    let mut search = Scc::new(model, store, fairness, config);
    let ended = search.begin().and_then(|entered| match entered {
        true => search.search(),
        false => Ok(()),
    });
    search.end(ended)
}

/// A state of the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The number of the state.
    number: u32,
    /// The move to try next.
    next: u32,
    /// Whether moves are left to try.
    more: bool,
}

/// A component on the path: all open states from its root on, up to the next root.
#[derive(Clone, Copy, Debug)]
struct Root {
    /// The number of the state that was met first, and its frame.
    number: u32,
    frame: u32,
    /// The move that led to it.
    arc: MoveMarks,
    /// The marks of the component.
    total: Total,
    /// Whether it was reported.
    is_reported: bool,
}

/// The search under way.
///
/// Invariant: `open` holds the states that are not done in the order of their numbers, those
/// of the components of `roots` one after the other. Nodes of `path` and `frames` are the same.
struct Scc<'a, M, S> {
    model: &'a mut M,
    store: &'a mut S,
    fairness: Fairness,
    /// All acceptance sets.
    all: u32,
    accounting: Accounting<'a>,
    path: Path,
    frames: Vec<Frame>,
    waiting: Waiting<MoveMarks>,
    roots: Vec<Root>,
    open: Vec<StateId>,
    moves: MarkedMoves,
    keys: Vec<Key>,
    child: Vec<u8>,
    bound: u64,
    hidden_len: usize,
}

impl<'a, M: Acceptance, S: StateStore> Scc<'a, M, S> {
    fn new(
        model: &'a mut M,
        store: &'a mut S,
        fairness: Fairness,
        config: &SearchConfig<'a>,
    ) -> Scc<'a, M, S> {
        Scc {
            store,
            fairness,
            all: all_sets(model.sets()),
            accounting: Accounting::new(config, model.transition_count(), Keep::First),
            path: Path::new(config.stack_in_memory),
            frames: Vec::new(),
            waiting: Waiting::new(config.successors_in_memory),
            roots: Vec::new(),
            open: Vec::new(),
            moves: MarkedMoves::default(),
            keys: Vec::new(),
            child: Vec::new(),
            bound: config.depth.unwrap_or(u64::MAX),
            hidden_len: model.hidden_len(),
            model,
        }
    }

    fn end(mut self, ended: Result<(), Completion>) -> Outcome {
        self.accounting.judge_atomics();
        let stack = self.path.peak_bytes() + self.beside();
        (self.accounting).outcome(ended, S::EXACT, self.store.memory_bytes(), stack)
    }

    /// The memory of the stacks besides the path.
    fn beside(&self) -> usize {
        self.waiting.memory_bytes()
            + self.frames.capacity() * size_of::<Frame>()
            + self.roots.capacity() * size_of::<Root>()
            + self.open.capacity() * size_of::<StateId>()
    }

    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes() + self.path.memory_bytes() + self.beside()
    }

    /// Enter the initial state. Whether there is anything to search.
    fn begin(&mut self) -> Result<bool, Completion> {
        match self.model.initial() {
            Err(violation) => {
                self.accounting.note(violation, None, -1);
                return self.accounting.enough_errors().and(Ok(false));
            }
            Ok(vector) => {
                self.path.begin(&vector);
                self.child = vector;
            }
        }
        if self.bound == 0 {
            self.accounting.truncate();
            return Ok(false);
        }
        let state = &self.child[self.hidden_len..];
        let key = self.store.prepare(state);
        let id = self.store.insert(state, key).id();
        self.enter(id, MoveMarks::default())?;
        Ok(true)
    }

    /// Search until there is nothing left, or a reason to end. The initial state has just
    /// been entered.
    fn search(&mut self) -> Result<(), Completion> {
        self.visit()?;
        loop {
            if self.accounting.is_poll_due() {
                self.accounting.poll(self.memory_bytes())?;
            }
            if self.advance()? {
                self.visit()?;
            } else if !self.leave()? {
                return Ok(());
            }
        }
    }

    /// The last node of the path, the child, is a new state.
    fn enter(&mut self, id: StateId, arc: MoveMarks) -> Result<(), Completion> {
        self.accounting.stored(self.child.len());
        let number = self.accounting.statistics.stored;
        if number >= u64::from(DONE) {
            return Err(Completion::MemoryLimit);
        }
        let number = number as u32;
        self.store.note(id).copy_from_slice(&number.to_le_bytes());
        self.open.push(id);
        self.roots.push(Root {
            number,
            frame: self.frames.len() as u32,
            arc,
            total: Total::default(),
            is_reported: false,
        });
        self.frames.push(Frame {
            number,
            next: 0,
            more: false,
        });
        Ok(())
    }

    /// Look at the moves of the state just entered, and at what they break.
    fn visit(&mut self) -> Result<(), Completion> {
        self.explore(0)?;
        if let Some(root) = self.roots.last_mut() {
            root.total = Total::of_state(self.moves.enabled);
        }
        for at in 0..self.moves.moves.found.rows.len() {
            let row = self.moves.moves.found.rows[at];
            if row.has(Row::VIOLATION | Row::FAULT) {
                self.note_violation(at)?;
            }
            if row.has_successor() {
                self.accounting.execute(&row);
                self.accounting.statistics.atomic_steps += u64::from(row.has(Row::EXCLUSIVE));
            }
        }
        if !self.moves.moves.moved && !self.model.is_valid_end(self.path.vector()) {
            self.report(ViolationKind::InvalidEndState.into(), None)?;
        }
        Ok(())
    }

    /// Find the moves of the current state. Those from a number on wait then.
    fn explore(&mut self, from: usize) -> Result<(), Completion> {
        let memory = self.memory_bytes();
        let vector = self.path.vector();
        (self.moves).explore(self.model, vector, &mut self.accounting, memory)?;
        self.store.focus(&vector[self.hidden_len..]);
        let node = self.frames.len() - 1;
        self.keys.clear();
        for (vector, _) in self.moves.iter() {
            let key = self.store.prepare(&vector[self.hidden_len..]);
            self.keys.push(key);
        }
        for number in (from..self.moves.len()).rev() {
            let (vector, marks) = self.moves.get(number);
            self.store.touch(&mut self.keys[number]);
            let entry = Entry {
                row: Row::default(),
                marks: *marks,
                key: self.keys[number],
                number: number as u32,
                skipped: 0,
                node: node as u32,
            };
            self.waiting.push(entry, vector);
        }
        self.frames[node].more = from < self.moves.len();
        self.waiting.trim();
        Ok(())
    }

    /// Try the moves of the current state that wait. Whether a state was entered.
    fn advance(&mut self) -> Result<bool, Completion> {
        let node = self.frames.len() - 1;
        if self.frames[node].more && !self.waiting.belongs_to(node) {
            self.explore(self.frames[node].next as usize)?;
        }
        while let Some(entry) = self.waiting.top(node) {
            self.child.clear();
            self.child.extend_from_slice(self.waiting.vector());
            self.waiting.pop();
            self.frames[node].next = entry.number + 1;
            self.frames[node].more = self.waiting.belongs_to(node);
            if self.take(&entry)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Take a move. Whether the state it leads to was entered.
    fn take(&mut self, entry: &Entry<MoveMarks>) -> Result<bool, Completion> {
        let state = &self.child[self.hidden_len..];
        if self.frames.len() as u64 >= self.bound && !self.store.contains(state, entry.key) {
            self.accounting.truncate();
            return Ok(false);
        }
        match self.store.insert(state, entry.key) {
            Insert::New(id) => {
                let link = Link {
                    row: entry.number,
                    control: space::Control::Free,
                    chain: 0,
                    levels: 1,
                    rest: Rest::Known(DeferredCounts::default()),
                };
                self.path.push(link, &self.child);
                self.accounting.reach(self.frames.len() as u64);
                self.enter(id, entry.marks)?;
                Ok(true)
            }
            Insert::Known(id) => {
                self.accounting.statistics.matched += 1;
                let number = number(self.store, id);
                if number != DONE {
                    self.merge(number, &entry.marks)?;
                }
                Ok(false)
            }
        }
    }

    /// A move leads from the current state to an open one: all components since are one.
    fn merge(&mut self, number: u32, marks: &MoveMarks) -> Result<(), Completion> {
        let mut closing = Total::default();
        closing.add_move(marks);
        let mut is_reported = false;
        // Of moves nothing is enabled: the states of the root count below.
        let (mut sets, mut moved) = (closing.sets, closing.moved);
        let mut states: Option<Total> = None;
        while let Some(root) = self.roots.last().filter(|root| root.number > number) {
            let root = *root;
            self.roots.pop();
            sets |= root.arc.sets;
            moved = moved.union(&root.arc.movers);
            is_reported |= root.is_reported;
            match &mut states {
                Some(states) => states.add(&root.total),
                None => states = Some(root.total),
            }
        }
        let Some(root) = self.roots.last_mut() else {
            return Ok(());
        };
        if let Some(states) = states {
            root.total.add(&states);
        }
        root.total.sets |= sets;
        root.total.moved = root.total.moved.union(&moved);
        root.is_reported |= is_reported;
        if !root.is_reported && root.total.satisfies_proviso(self.all, self.fairness) {
            root.is_reported = true;
            self.close(true)?;
        }
        Ok(())
    }

    /// Leave the current state, and its component if it is the root. Whether there is a state
    /// to go on with.
    fn leave(&mut self) -> Result<bool, Completion> {
        let number = self.frames[self.frames.len() - 1].number;
        if let Some(&root) = self.roots.last()
            && root.number == number
        {
            // A part of it may be fair where the whole is not.
            let wronged = !root.total.wronged(self.fairness).is_empty();
            let sets = root.total.sets & self.all == self.all;
            if self.fairness == Fairness::Strong && wronged && sets && !root.is_reported {
                self.close(false)?;
            }
            self.close_states(number);
            self.roots.pop();
        }
        let link = self.path.pop();
        let link = link.map_err(|error| self.accounting.give_up(&error))?;
        self.frames.pop();
        Ok(link.is_some())
    }

    /// The open states from a number on are done.
    fn close_states(&mut self, from: u32) {
        while let Some(&id) = self.open.last() {
            if number(self.store, id) < from {
                break;
            }
            self.store.note(id).copy_from_slice(&DONE.to_le_bytes());
            self.open.pop();
        }
    }

    /// Report a fair accepting cycle in the component of the last root, if there is one; or
    /// that is known already.
    #[cold]
    fn close(&mut self, is_known: bool) -> Result<(), Completion> {
        let Some(&root) = self.roots.last() else {
            return Ok(());
        };
        let start = self.vector_of(root.frame as usize)?;
        let memory = self.memory_bytes();
        let Scc {
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
            let number = number(*store, id);
            (number != DONE && number >= root.number).then(|| id.to_bits())
        };
        let component = Component::build(*model, &start, inside, accounting, memory)?;
        let sets = component.fair_sets(self.all, self.fairness);
        // States are numbered by their distance from the root.
        let starts = sets.iter().filter_map(|set| Some((set.iter().min()?, set)));
        let nearest = starts.min_by_key(|&(start, _)| start);
        let cycle = nearest.and_then(|(&start, set)| {
            let cycle = component.cycle(set, start, self.all, self.fairness)?;
            Some((start, cycle))
        });
        let Some((start, cycle)) = cycle else {
            // Only a lossy store or hidden variables can promise what is not there.
            self.accounting.truncated |= is_known;
            return Ok(());
        };
        let stem = self.stem(root.frame as usize)?;
        let stem = stem.into_iter().chain(component.moves_to(start));
        let (trace, depth) = lasso(self.model, stem, &cycle, &mut self.accounting);
        let violation = self.model.cycle_kind().into();
        self.accounting.record(violation, depth, trace)
    }

    /// The vector of a state of the path.
    fn vector_of(&mut self, frame: usize) -> Result<Vec<u8>, Completion> {
        let mut at = self.frames.len() - 1;
        let mut vector = self.path.vector().to_vec();
        if at > frame {
            let looked = self.path.look_back(|_, before| {
                at -= 1;
                if at > frame {
                    return ControlFlow::Continue(());
                }
                vector = before.to_vec();
                ControlFlow::Break(())
            });
            looked.map_err(|error| self.accounting.give_up(&error))?;
        }
        Ok(vector)
    }

    /// The moves to a state of the path.
    fn stem(&mut self, frame: usize) -> Result<Vec<u32>, Completion> {
        let rows = self.path.rows();
        let mut rows = rows.map_err(|error| self.accounting.give_up(&error))?;
        rows.truncate(frame);
        Ok(rows)
    }

    /// Report what a step breaks.
    #[cold]
    fn note_violation(&mut self, row: usize) -> Result<(), Completion> {
        self.accounting.work_hard();
        let violations = self.moves.moves.found.violations_of(row);
        for violation in violations.collect::<Vec<Violation>>() {
            self.report(violation, Some(row))?;
        }
        Ok(())
    }

    /// Count a violation of safety in the current state or by the step of a row, keep its
    /// trace if it is wanted, and end if it was the last one asked for.
    #[cold]
    fn report(&mut self, violation: Violation, row: Option<usize>) -> Result<(), Completion> {
        let stem = self.stem(self.frames.len() - 1)?;
        let moves = (&self.moves.moves, row);
        let (trace, depth) = finite(self.model, stem, moves, &violation, &mut self.accounting);
        self.accounting.record(violation, depth, trace)
    }
}

/// The number of a state.
fn number<S: StateStore>(store: &mut S, id: StateId) -> u32 {
    let mut bytes = [0; SCC_NOTE_BYTES];
    bytes.copy_from_slice(store.note(id));
    u32::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests;
