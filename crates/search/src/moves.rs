//! The moves of a state: steps that lead to the next states, atomic sequences as a whole.
//!
//! A breadth-first search cannot queue nodes inside atomic sequences, because only states
//! are stored. From each state these nodes are expanded, one after the other in the order in
//! which they are found, until they end in states again: by a step out of the sequence, or
//! where control is lost.

use std::collections::HashMap;

use space::{Asleep, Expansion, NextState, Pid, Row, Trace};

use crate::Completion;
use crate::accounting::Accounting;
use crate::move_marks::{MoveMarks, mark};

/// A state with more rows than this has long atomic sequences, perhaps endless ones: from
/// here on no node of them is expanded twice, and the limits are looked at.
const LONG: usize = 1 << 16;
/// Vectors of one batch may take so many bytes: rows have 32 bits for them.
const MOST_BYTES: usize = 3 << 30;
/// The row is a step out of the state itself.
const STATE: u32 = u32::MAX;

/// The moves of several states. Reused from batch to batch.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    /// All steps, those inside atomic sequences too. With [`Row::LOST`], or without
    /// [`Row::EXCLUSIVE`], a row leads to a state.
    pub(crate) found: Expansion,
    /// For each row which other one it follows. Only steps out of states come behind these.
    origins: Vec<u32>,
    /// Whether steps inside atomic sequences may be passed over. Whoever asks what came before
    /// a row needs all of them.
    pub(crate) leaps: bool,
    /// Whether it matters which sets a move belongs to and who moves in it: then two paths to a
    /// node inside an atomic sequence are only the same if their marks are.
    pub(crate) distinguishes_marks: bool,
    /// Whether anybody can move in the state explored last; an end state has no moves.
    pub(crate) moved: bool,
    /// The row behind the steps out of that state.
    pub(crate) steps_end: usize,
}

/// What there was before a state was explored.
pub(crate) struct Snapshot {
    pub(crate) passed: u64,
    violations: usize,
}

impl Snapshot {
    #[inline]
    pub(crate) fn of(found: &Expansion) -> Snapshot {
        Snapshot {
            passed: found.passed.steps,
            violations: found.violations.len(),
        }
    }

    /// Whether steps were passed over since, and something was violated.
    #[inline]
    pub(crate) fn is_bad_leap(&self, found: &Expansion) -> bool {
        found.violations.len() > self.violations && found.passed.steps > self.passed
    }
}

impl Moves {
    /// No moves, but those to come may pass over steps.
    pub(crate) fn with_leaps() -> Moves {
        Moves {
            leaps: true,
            ..Moves::default()
        }
    }

    /// No moves, and whether their marks matter.
    pub(crate) fn distinguishing_marks(distinguishes_marks: bool) -> Moves {
        Moves {
            distinguishes_marks,
            ..Moves::default()
        }
    }

    /// Append the moves of a state but those of processes that sleep. Returns all flags of the steps out of the state itself.
    #[inline]
    pub(crate) fn explore<M: NextState>(
        &mut self,
        model: &mut M,
        state: &[u8],
        asleep: Asleep,
        accounting: &mut Accounting<'_>,
        memory: usize,
    ) -> Result<u8, Completion> {
        let from = self.found.rows.len();
        model.extend_awake(state, asleep, &mut self.found);
        self.moved = self.found.moved;
        self.steps_end = self.found.rows.len();
        let flags = (self.found.rows[from..].iter()).fold(0, |all, row| all | row.flags);
        if flags & Row::EXCLUSIVE != 0 {
            self.origins.resize(self.found.rows.len(), STATE);
            self.follow(model, from, accounting, memory)?;
        }
        Ok(flags)
    }

    /// Expand the nodes inside atomic sequences among the rows from a number on.
    fn follow<M: NextState>(
        &mut self,
        model: &mut M,
        from: usize,
        accounting: &mut Accounting<'_>,
        memory: usize,
    ) -> Result<(), Completion> {
        let mut inside = Inside::default();
        let endless = accounting.statistics.endless_atomics;
        let passed = self.found.passed.steps;
        let mut at = from;
        while at < self.found.rows.len() {
            let row = self.found.rows[at];
            let next = self.found.rows.get(at + 1);
            let expanded = next.is_some_and(|next| next.has(Row::CHAINED));
            if row.has(Row::EXCLUSIVE) && row.has_successor() && !expanded {
                let steps = (at - from) as u64 + self.found.passed.steps - passed;
                let long = steps >= LONG as u64;
                if long {
                    self.watch(at, accounting, memory)?;
                    if !inside.insert(self, from, at) {
                        accounting.statistics.endless_atomics += u64::from(self.repeats(at));
                        at += 1;
                        continue;
                    }
                }
                match LONG as u64 - steps.min(LONG as u64) {
                    0 => self.extend(at, |found| model.extend_row(at, found)),
                    most if self.leaps => self.extend(at, |found| model.leap(at, most, found)),
                    _ => self.extend(at, |found| model.extend_chain(at, found)),
                }
            }
            at += 1;
        }
        // A loop may be so long that no path went round it before nodes were told apart.
        if accounting.statistics.endless_atomics == endless && inside.has_loop() {
            accounting.statistics.endless_atomics += 1;
        }
        Ok(())
    }

    /// Expand the node that a row leads to.
    #[inline]
    fn extend(&mut self, at: usize, expand: impl FnOnce(&mut Expansion)) {
        let from = self.found.rows.len();
        expand(&mut self.found);
        if !self.found.moved {
            self.found.rows[at].flags |= Row::LOST;
        }
        for row in from..self.found.rows.len() {
            let chained = self.found.rows[row].has(Row::CHAINED);
            self.origins.push(if chained { row - 1 } else { at } as u32);
        }
    }

    /// Forget the moves from a row on.
    pub(crate) fn forget(&mut self, from: usize, before: &Snapshot) {
        self.found.rows.truncate(from);
        self.found.violations.truncate(before.violations);
        self.found.passed.steps = before.passed;
        self.origins.truncate(from);
    }

    /// Look at the limits from time to time.
    #[cold]
    fn watch(
        &mut self,
        at: usize,
        accounting: &mut Accounting<'_>,
        memory: usize,
    ) -> Result<(), Completion> {
        if !at.is_multiple_of(LONG) {
            return Ok(());
        }
        if self.found.bytes.len() > MOST_BYTES {
            return Err(Completion::MemoryLimit);
        }
        accounting.poll(memory + self.memory_bytes())
    }

    /// Whether a row leads to a node that it comes from.
    fn repeats(&self, row: usize) -> bool {
        let node = |row: &Row| (self.found.vector(row), row.owner);
        let position = node(&self.found.rows[row]);
        let mut before = self.origins[row];
        while before != STATE {
            if node(&self.found.rows[before as usize]) == position {
                return true;
            }
            before = self.origins[before as usize];
        }
        false
    }

    /// The row that a row follows; none for a step out of the state itself.
    #[inline]
    pub(crate) fn origin(&self, row: usize) -> Option<usize> {
        let origin = *self.origins.get(row)?;
        (origin != STATE).then_some(origin as usize)
    }

    /// Whether a row leads to a state.
    #[inline]
    pub(crate) fn is_state(row: &Row) -> bool {
        let inside = row.flags & (Row::EXCLUSIVE | Row::LOST) == Row::EXCLUSIVE;
        row.has_successor() && !inside
    }

    /// Whether a row is a step out of a state.
    #[inline]
    pub(crate) fn is_first(&self, row: usize) -> bool {
        self.origins.get(row).is_none_or(|&origin| origin == STATE)
    }

    /// The process that begins the move that a row is part of.
    #[inline]
    pub(crate) fn initiator(&self, row: usize) -> Pid {
        let mut first = row;
        while let Some(origin) = self.origin(first) {
            first = origin;
        }
        Pid(self.found.rows[first].pid)
    }

    /// The steps of a move before the one of a row.
    pub(crate) fn before(&self, row: usize) -> Trace {
        let mut steps = Trace::default();
        let mut before = self.origins.get(row).map_or(STATE, |&origin| origin);
        while before != STATE {
            (steps.steps).extend(self.found.rows[before as usize].step());
            (steps.claim).extend(self.found.edge(before as usize));
            before = self.origins[before as usize];
        }
        steps.steps.reverse();
        steps.claim.reverse();
        steps
    }

    /// Forget all moves.
    pub(crate) fn clear(&mut self) {
        self.found.clear();
        self.origins.clear();
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.found.bytes.capacity()
            + self.found.rows.capacity() * size_of::<Row>()
            + self.origins.capacity() * size_of::<u32>()
    }
}

/// The nodes inside the long atomic sequences of a state, each of which is expanded once.
#[derive(Debug, Default)]
struct Inside {
    /// For each node the row that led there first. With the marks of the steps up to it, if that
    /// matters.
    nodes: HashMap<(Vec<u8>, u8, MoveMarks), u32>,
    /// The steps between nodes, by these rows.
    steps: Vec<(u32, u32)>,
    /// The marks of each row.
    marks: Vec<MoveMarks>,
}

impl Inside {
    /// Enter the node that a row leads to. `from` is the first row of the state. Whether the node
    /// is new.
    fn insert(&mut self, moves: &Moves, from: usize, at: usize) -> bool {
        let found = &moves.found;
        let marks = match moves.distinguishes_marks {
            true => self.marks(moves, from, at),
            false => MoveMarks::default(),
        };
        let row = &found.rows[at];
        let node = (found.vector(row).to_vec(), row.owner, marks);
        let known = self.nodes.len();
        let first = *self.nodes.entry(node).or_insert(at as u32);
        self.steps.push((moves.origins[at], first));
        self.nodes.len() > known
    }

    /// The marks of the steps up to a row.
    fn marks(&mut self, moves: &Moves, from: usize, at: usize) -> MoveMarks {
        for number in from + self.marks.len()..=at {
            let before = moves.origin(number);
            let mut marks = before.map_or_else(MoveMarks::default, |row| self.marks[row - from]);
            marks.sets |= mark(&moves.found, number).sets;
            marks.movers.insert_movers(&moves.found.rows[number]);
            self.marks.push(marks);
        }
        self.marks[at - from]
    }

    /// Whether some steps lead in a circle: then not all nodes can be taken away one by one, each
    /// after those that lead to it.
    fn has_loop(&self) -> bool {
        let mut before: HashMap<u32, u32> = HashMap::new();
        let mut behind: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(from, to) in &self.steps {
            before.entry(from).or_insert(0);
            *before.entry(to).or_insert(0) += 1;
            behind.entry(from).or_default().push(to);
        }
        let mut first: Vec<u32> = (before.iter())
            .filter_map(|(&node, &count)| (count == 0).then_some(node))
            .collect();
        let mut taken = 0;
        while let Some(node) = first.pop() {
            taken += 1;
            for to in behind.get(&node).into_iter().flatten() {
                let count = before.entry(*to).or_insert(1);
                *count -= 1;
                if *count == 0 {
                    first.push(*to);
                }
            }
        }
        taken < before.len()
    }
}
