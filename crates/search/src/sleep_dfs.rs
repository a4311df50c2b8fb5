//! Depth-first search for safety violations with sleep sets, alone or together with ample sets.
//!
//! Follows: [002, Fig. 1]. A process *sleeps* in a state if its steps there were taken before, in
//! another order: its steps out of the state are passed over. Behind a step, those sleep that slept
//! before or were explored before it, if they are independent of it. A state that is met again
//! with fewer that sleep is explored again. A process one of whose steps closes a cycle is
//! *unreliable* and does not sleep behind others.
//!
//! Departs:
//! - Operations are put to sleep process by process, so that a sleep set has 8 bytes. A process
//!   is explored when all its steps are.
//! - A state that is explored again takes only the steps of those who slept before and are awake
//!   now ([Godefroid 1996, ch. 5]), and forgets who was explored: behind their steps the state has
//!   those asleep who slept each time. The figure takes all steps again.
//! - On the path, such a state is not begun anew, but goes on with the steps of those who were
//!   woken. Whoever is being explored at that moment has children that sleep too much, and so does
//!   not count as explored.
//! - Without ample sets nobody is unreliable: every state is met, and a step that is passed over
//!   out of one leads to a state that is met too. The figure has more in mind, infinite executions.
//! - A state with an ample set of which a step closes a cycle takes all steps, also if this
//!   turns out only after it was chosen. So does one with an ample set in which everybody sleeps:
//!   their steps are taken elsewhere, and what is put off until then may be put off there, too, and
//!   so on in a circle. Otherwise a step is taken to a state that is left before this one.
//! - `fixed` is missing: no edges are kept, so there is nothing to remove at the end.
//! - A step is a whole move, see [`crate::moves`], and what a state's steps violate is reported
//!   when it is met first, whoever sleeps.
//! - An explicit stack replaces the recursion.

use space::{
    AmpleAnswer, Asleep, Look, NextState, Pid, PidSet, Row, Trace, Violation, ViolationKind,
};
use store::{Insert, StateId, StateStore};

use crate::accounting::Accounting;
use crate::findings::Keep;
use crate::moves::Moves;
use crate::path_set::PathSet;
use crate::{Completion, Outcome, SearchConfig};

/// The bytes that the search keeps in the note of each state: who sleeps, and who moves.
pub const SLEEP_NOTE_BYTES: usize = 16;

/// All processes move.
const ALL: PidSet = PidSet(u64::MAX);

/// Search executions of a model depth first for safety violations, as many as are needed to find
/// every violation that there is.
///
/// The store must be empty and have notes of [`SLEEP_NOTE_BYTES`].
pub fn sleep_dfs<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    let mut search = SleepDfs {
        accounting: Accounting::new(config, model.transition_count(), Keep::First),
        hidden_len: model.hidden_len(),
        bound: config.depth.unwrap_or(u64::MAX),
        model,
        store,
        moves: Moves::default(),
        path: PathSet::default(),
        frames: Vec::new(),
        entries: Vec::new(),
        bytes: Vec::new(),
        is_reducing: false,
        answer: AmpleAnswer::default(),
    };
    let ended = search.begin().and_then(|()| search.search());
    search.end(ended)
}

/// What tells a state from others on the path.
fn number(id: StateId) -> u64 {
    id.to_bits().wrapping_add(1).max(1)
}

/// A state on the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: StateId,
    level: u64,
    /// Where its vector begins, and its length; its successors come behind it.
    start: usize,
    len: usize,
    /// Where its moves begin, and the next one to look at.
    first: usize,
    next: usize,
    /// Whose steps are taken, those who sleep included.
    set: PidSet,
    sleep: PidSet,
    explored: PidSet,
    unreliable: PidSet,
    /// Who is being explored, and whether that will count.
    current: Option<Pid>,
    counts: bool,
    /// The row of the move that leads to the next state of the path.
    row: usize,
}

/// A move to a state.
#[derive(Clone, Copy, Debug)]
struct Entry {
    row: usize,
    pid: Pid,
    levels: u32,
    atomic_steps: u32,
    start: usize,
    len: usize,
    /// Who may sleep behind it.
    independent: PidSet,
    is_pending: bool,
}

/// What a store remembers of a state.
#[derive(Clone, Copy, Debug)]
struct Note {
    sleep: PidSet,
    set: PidSet,
}

struct SleepDfs<'a, M, S> {
    model: &'a mut M,
    store: &'a mut S,
    accounting: Accounting<'a>,
    hidden_len: usize,
    bound: u64,
    moves: Moves,
    path: PathSet<u64>,
    frames: Vec<Frame>,
    /// The moves of the states on the path, and their vectors.
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    /// Whether an ample set was taken.
    is_reducing: bool,
    /// The ample sets of the state entered last.
    answer: AmpleAnswer,
}

impl<M: NextState, S: StateStore> SleepDfs<'_, M, S> {
    /// Enter the initial state.
    fn begin(&mut self) -> Result<(), Completion> {
        let vector = match self.model.initial() {
            Ok(vector) => vector,
            Err(violation) => {
                self.accounting.note(violation, None, -1);
                return self.accounting.enough_errors();
            }
        };
        if self.bound == 0 {
            self.accounting.truncate();
            return Ok(());
        }
        let key = self.store.prepare(&vector[self.hidden_len..]);
        let id = self.store.insert(&vector[self.hidden_len..], key).id();
        self.accounting.stored(vector.len());
        self.enter(id, 0, &vector, PidSet::EMPTY, None)
    }

    fn search(&mut self) -> Result<(), Completion> {
        while let Some(&frame) = self.frames.last() {
            if self.accounting.is_poll_due() {
                let memory = self.memory_bytes();
                self.accounting.poll(memory)?;
            }
            match self.next_entry(frame.next) {
                Some(number) => self.take(number)?,
                None => self.leave(),
            }
        }
        Ok(())
    }

    fn end(self, ended: Result<(), Completion>) -> Outcome {
        let store_bytes = self.store.memory_bytes();
        let stack_bytes = self.memory_bytes() - store_bytes;
        (self.accounting).outcome(ended, S::EXACT, store_bytes, stack_bytes)
    }

    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes()
            + self.path.memory_bytes()
            + self.moves.memory_bytes()
            + self.bytes.capacity()
            + self.entries.capacity() * size_of::<Entry>()
            + self.frames.capacity() * size_of::<Frame>()
    }

    /// The next move of the last state of the path that waits to be taken, from a number on.
    fn next_entry(&self, from: usize) -> Option<usize> {
        (from..self.entries.len()).find(|&number| self.entries[number].is_pending)
    }

    /// Enter a state in which these processes sleep. It is explored again if some were `woken`.
    fn enter(
        &mut self,
        id: StateId,
        level: u64,
        vector: &[u8],
        sleep: PidSet,
        woken: Option<PidSet>,
    ) -> Result<(), Completion> {
        self.accounting.reach(level);
        self.explore(vector)?;
        let start = self.bytes.len();
        self.bytes.extend_from_slice(vector);
        let first = self.entries.len();
        self.frames.push(Frame {
            id,
            level,
            start,
            len: vector.len(),
            first,
            next: first,
            set: ALL,
            sleep,
            explored: PidSet::EMPTY,
            unreliable: PidSet::EMPTY,
            current: None,
            counts: true,
            row: 0,
        });
        self.path.push(number(id));
        let steps = &self.moves.found.rows[..self.moves.steps_end];
        self.answer.sets.clear();
        if let Some(sets) = self.model.ample_sets() {
            sets.ample_sets(vector, steps, Look::Close, &mut self.answer);
        }
        self.gather();
        let set = match woken {
            None => {
                self.look(vector)?;
                self.choose()
            }
            Some(_) => self.note(id).set,
        };
        self.is_reducing |= set != ALL;
        let awake = PidSet(woken.unwrap_or(ALL).0 & !sleep.0);
        if let Some(frame) = self.frames.last_mut() {
            frame.set = set;
        }
        self.set_note(id, Note { sleep, set });
        for entry in &mut self.entries[first..] {
            // Those with high pids never sleep, and are explored each time.
            let moves = set == ALL || set.has(entry.pid);
            entry.is_pending = moves && (entry.pid.0 >= 64 || awake.has(entry.pid));
        }
        Ok(())
    }

    /// Find the moves of a state.
    fn explore(&mut self, vector: &[u8]) -> Result<(), Completion> {
        let memory = self.memory_bytes();
        self.moves.clear();
        let asleep = Asleep::default();
        (self.moves).explore(self.model, vector, asleep, &mut self.accounting, memory)?;
        let rows = self.moves.found.rows.len();
        self.accounting.work(rows, vector.len());
        Ok(())
    }

    /// Keep the moves of the state just explored, each process together.
    fn gather(&mut self) {
        let first = self.entries.len();
        for (row, found) in self.moves.found.rows.iter().enumerate() {
            if !Moves::is_state(found) {
                continue;
            }
            let (mut levels, mut atomic_steps, mut step) = (0, 0, row);
            loop {
                let found = &self.moves.found.rows[step];
                levels += found.levels() as u32;
                atomic_steps += u32::from(found.has(Row::EXCLUSIVE));
                match self.moves.origin(step) {
                    Some(origin) => step = origin,
                    None => break,
                }
            }
            let start = self.bytes.len();
            self.bytes.extend_from_slice(self.moves.found.vector(found));
            self.entries.push(Entry {
                row,
                pid: Pid(self.moves.found.rows[step].pid),
                levels,
                atomic_steps,
                start,
                len: found.len as usize,
                independent: self.model.may_sleep(step),
                is_pending: false,
            });
        }
        // As the steps come: the highest pid first.
        self.entries[first..].sort_by_key(|entry| std::cmp::Reverse(entry.pid));
    }

    /// Report what is wrong with the state just explored, and count what its steps execute.
    fn look(&mut self, vector: &[u8]) -> Result<(), Completion> {
        for row in 0..self.moves.found.rows.len() {
            let found = self.moves.found.rows[row];
            if found.has(Row::VIOLATION | Row::FAULT) {
                self.note_violation(row)?;
            }
            if found.has_successor() {
                self.accounting.execute(&found);
            }
        }
        let is_end = !self.moves.moved;
        if is_end && !self.model.is_valid_end(vector) {
            let level = self.frames.last().map_or(0, |frame| frame.level);
            let violation = ViolationKind::InvalidEndState.into();
            let trace = self.trace(None);
            self.accounting.record(violation, level as i64 - 1, trace)?;
        }
        Ok(())
    }

    /// Report what the step of a row violates.
    #[cold]
    fn note_violation(&mut self, row: usize) -> Result<(), Completion> {
        self.accounting.work_hard();
        let violations: Vec<Violation> = self.moves.found.violations_of(row).collect();
        for violation in violations {
            let trace = self.trace(Some(row));
            let depth = trace.steps.len() as i64;
            let before = trace
                .steps
                .iter()
                .map(|step| i64::from(step.partner.is_some()));
            let last = self.moves.found.rows[row].levels() as i64;
            let depth = depth + before.sum::<i64>() - last;
            self.accounting.record(violation, depth, trace)?;
        }
        Ok(())
    }

    /// The execution that leads to the last state of the path, and on to the step of a row.
    fn trace(&mut self, last: Option<usize>) -> Trace {
        let mut trace = Trace::default();
        let mut moves = Moves::default();
        let path = self.frames.len().saturating_sub(1);
        for frame in &self.frames[..path] {
            let vector = &self.bytes[frame.start..][..frame.len];
            moves.clear();
            // It was explored before, and no limit was reached.
            let asleep = Asleep::default();
            if moves
                .explore(self.model, vector, asleep, &mut self.accounting, 0)
                .is_ok()
            {
                trace.steps.extend(moves.before(frame.row).steps);
                trace.steps.extend(moves.found.rows[frame.row].step());
            }
        }
        if let Some(row) = last {
            trace.steps.extend(self.moves.before(row).steps);
            trace.steps.extend(self.moves.found.rows[row].step());
        }
        trace
    }

    /// The first of the ample sets without a step to the path, and with one to be taken.
    fn choose(&mut self) -> PidSet {
        let (first, sleep) = (self.frames.last()).map_or((0, ALL), |f| (f.first, f.sleep));
        for number in 0..self.answer.sets.len() {
            let set = self.answer.sets[number].pids;
            let mut members = self.entries[first..].iter();
            let moves = members.any(|entry| set.has(entry.pid) && !sleep.has(entry.pid));
            let closes = (first..self.entries.len()).any(|number| {
                let entry = self.entries[number];
                set.has(entry.pid) && self.is_open(entry)
            });
            if moves && !closes {
                let frame = self
                    .frames
                    .last()
                    .map_or(0..0, |f| f.start..f.start + f.len);
                self.model.take(&self.bytes[frame], set);
                return set;
            }
        }
        ALL
    }

    /// Whether a move leads to the path.
    fn is_open(&mut self, entry: Entry) -> bool {
        let state = &self.bytes[entry.start + self.hidden_len..entry.start + entry.len];
        let key = self.store.prepare(state);
        let id = self.store.find(state, key);
        id.is_some_and(|id| self.path.find(number(id)).is_some())
    }

    /// Take a move of the last state of the path.
    fn take(&mut self, number: usize) -> Result<(), Completion> {
        let entry = self.entries[number];
        self.entries[number].is_pending = false;
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        if frame.current != Some(entry.pid) {
            frame.finish();
            frame.current = Some(entry.pid);
            frame.counts = true;
        }
        (frame.next, frame.row) = (number + 1, entry.row);
        let reliable = !frame.unreliable.0;
        let asleep = (frame.sleep.0 | frame.explored.0) & reliable & entry.independent.0;
        let level = frame.level + u64::from(entry.levels);
        self.accounting.statistics.atomic_steps += u64::from(entry.atomic_steps);
        let vector = self.bytes[entry.start..][..entry.len].to_vec();
        self.visit(&vector, level, PidSet(asleep))
    }

    /// Come to a state in which some processes sleep.
    fn visit(&mut self, vector: &[u8], level: u64, asleep: PidSet) -> Result<(), Completion> {
        let state = &vector[self.hidden_len..];
        let key = self.store.prepare(state);
        if level >= self.bound {
            match self.store.contains(state, key) {
                true => self.accounting.statistics.matched += 1,
                false => self.accounting.truncate(),
            }
            return Ok(());
        }
        let id = match self.store.insert(state, key) {
            Insert::New(id) => {
                self.accounting.stored(vector.len());
                return self.enter(id, level, vector, asleep, None);
            }
            Insert::Known(id) => id,
        };
        self.accounting.statistics.matched += 1;
        let before = self.note(id);
        let woken = PidSet(before.sleep.0 & !asleep.0);
        let sleep = PidSet(before.sleep.0 & asleep.0);
        self.set_note(id, Note { sleep, ..before });
        if let Some(at) = self.path.find(number(id)) {
            self.wake(at, sleep, woken);
            self.close_cycle();
            return Ok(());
        }
        match woken.0 & before.set.0 {
            0 => Ok(()),
            _ => self.enter(id, level, vector, sleep, Some(woken)),
        }
    }

    /// Fewer processes sleep in a state of the path.
    fn wake(&mut self, at: usize, sleep: PidSet, woken: PidSet) {
        if woken.is_empty() {
            return;
        }
        let end = self.frames.get(at + 1).map(|next| next.first);
        let frame = &mut self.frames[at];
        frame.sleep = sleep;
        frame.explored = PidSet::EMPTY;
        frame.counts = false;
        frame.next = frame.first;
        let end = end.unwrap_or(self.entries.len());
        for entry in &mut self.entries[frame.first..end] {
            entry.is_pending |= woken.has(entry.pid) && frame.set.has(entry.pid);
        }
    }

    /// A step out of the last state of the path leads to the path.
    fn close_cycle(&mut self) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if self.is_reducing
            && let Some(pid) = frame.current
        {
            frame.unreliable.insert(pid);
        }
        if frame.set == ALL {
            return;
        }
        let before = std::mem::replace(&mut frame.set, ALL);
        frame.next = frame.first;
        for entry in &mut self.entries[frame.first..] {
            entry.is_pending |= !before.has(entry.pid) && !frame.sleep.has(entry.pid);
        }
        let (id, sleep) = (frame.id, frame.sleep);
        self.set_note(id, Note { sleep, set: ALL });
    }

    /// Leave the last state of the path.
    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.path.pop();
            self.entries.truncate(frame.first);
            self.bytes.truncate(frame.start);
        }
    }

    fn note(&mut self, id: StateId) -> Note {
        let note = self.store.note(id);
        let word = |from: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&note[from..from + 8]);
            PidSet(u64::from_le_bytes(bytes))
        };
        Note {
            sleep: word(0),
            set: word(8),
        }
    }

    fn set_note(&mut self, id: StateId, note: Note) {
        let bytes = self.store.note(id);
        bytes[..8].copy_from_slice(&note.sleep.0.to_le_bytes());
        bytes[8..].copy_from_slice(&note.set.0.to_le_bytes());
    }
}

impl Frame {
    /// Whoever was being explored is.
    fn finish(&mut self) {
        if let Some(pid) = self.current
            && self.counts
        {
            self.explored.insert(pid);
        }
    }
}
