//! States as words, and their successors.

use std::ops::Range;

use space::{Asleep, Control, Expansion, NextState, PartSet, Parts, Pid, PidSet};

use super::Stop;
use super::fields::{Field, MOST_KINDS, Room, fields};
use super::follow::Open;
use super::memo::{Counts, Effects, Memo, Move};
use super::outlook::{Member, Outlook, Outlooks};
use super::sleep::{Movers, PartBits};
use super::state::{Digest, State, Words};
use super::values::Values;
use super::way::Way;
use crate::accounting::Accounting;

/// Processes have pids below this.
const MOST_PROCESSES: usize = 63;

/// Vectors with the same processes.
struct Kind {
    parts: Parts,
    /// For each part.
    values: Vec<Values>,
    /// For each part, how many values it had some time ago.
    before: Vec<usize>,
}

impl Kind {
    /// How many values each part has, or will have: the frames of processes of the same
    /// proctype as many as that which has most.
    fn counts(&self) -> Vec<usize> {
        let mut counts: Vec<usize> = self.values.iter().map(Values::len).collect();
        let processes = &self.parts.processes;
        for mover in processes {
            let same = processes.iter().filter(|other| other.base == mover.base);
            let most = same.map(|other| self.values[other.part].len()).max();
            counts[mover.part] = most.unwrap_or(1);
        }
        counts
    }

    /// Which parts have got more values lately.
    fn grow(&self) -> Vec<bool> {
        let counts = self.counts().into_iter().zip(&self.before);
        counts.map(|(count, before)| count > *before).collect()
    }

    /// How many values each part may have one day: as many as another one of the same length, since
    /// that may be an element of the same array.
    fn expected(&self) -> Vec<usize> {
        let len = |part: usize| self.parts.bytes[part].iter().map(Range::len).sum::<usize>();
        let counts = self.counts();
        let like = |part| (0..counts.len()).filter(move |&other| len(other) == len(part));
        let most = |part| like(part).map(|other| counts[other]).max();
        (0..counts.len()).filter_map(most).collect()
    }
}

/// What was found out about the vectors of a model.
#[derive(Default)]
pub(super) struct Kinds(Vec<Kind>);

impl Kinds {
    /// The kind of a vector, known or new. None if nothing can be said about it.
    pub(super) fn find<M: NextState>(&mut self, model: &mut M, vector: &[u8]) -> Option<usize> {
        if let Some(known) = (self.0.iter()).position(|kind| kind.parts.fits(vector)) {
            return Some(known);
        }
        let parts = model.parts(vector)?;
        let is_usable = parts.fits(vector)
            && parts.processes.len() <= MOST_PROCESSES
            && self.0.len() < MOST_KINDS;
        let mut values: Vec<Values> = parts.bytes.iter().map(|_| Values::default()).collect();
        for (values, part) in values.iter_mut().zip(&parts.bytes) {
            values.number(vector, part);
        }
        is_usable.then(|| {
            let before = vec![0; values.len()];
            self.0.push(Kind {
                parts,
                values,
                before,
            });
            self.0.len() - 1
        })
    }

    /// The first of these numbers of bits that is enough for the words of states.
    pub(super) fn room(&self, sizes: &[Vec<u32>]) -> Option<Room> {
        (sizes.iter())
            .map(|bits| Room::new(bits.clone(), self.0.len()))
            .find(|room| self.0.iter().all(|kind| room.is_enough(&kind.counts())))
    }
}

/// The states of a kind.
struct Layout<const W: usize, D> {
    fields: Vec<Field>,
    /// A state of this kind, all of whose parts have number 0.
    blank: State<W, D>,
    /// The bits of the first word that tell the kind.
    kind_mask: u64,
    /// From the highest pid down.
    processes: Vec<Process<W, D>>,
    /// For each part, the process whose frame it is.
    frames: Vec<Option<usize>>,
}

/// How states were written down before.
pub(super) struct Narrow<const W: usize, D> {
    layouts: Vec<Layout<W, D>>,
    kind_mask: u64,
}

/// A process of the states of a kind.
struct Process<const W: usize, D> {
    pid: u8,
    /// The field of its frame.
    field: Field,
    /// For each value of its frame.
    needs: Vec<Needs<W>>,
    memo: Memo<W, D>,
}

/// What decides what a process does.
#[derive(Clone, Copy, Debug)]
struct Needs<const W: usize> {
    /// These bits. All 0 where that cannot be told.
    mask: Words<W>,
    /// These parts.
    parts: PartBits,
}

/// A successor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next<const W: usize, D> {
    pub(super) state: State<W, D>,
    pub(super) way: Way,
    /// The row of the process that leads to it.
    pub(super) row: u32,
    /// Who sleeps there, a set of rows.
    pub(super) asleep: u64,
}

/// What there is to count about the successors of a state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    pub(super) atomic_steps: u32,
    /// See [`Counts::reach`].
    pub(super) reach: u32,
    /// The moves of those who sleep.
    pub(super) slept_through: u32,
}

impl Counted {
    #[inline(always)]
    pub(super) fn add(&mut self, counts: Counts) {
        self.atomic_steps += counts.atomic_steps;
        self.reach = self.reach.max(counts.reach);
    }
}

/// A model whose states are words.
pub(super) struct System<'a, M, D, const W: usize> {
    pub(super) model: &'a mut M,
    pub(super) accounting: Accounting<'a>,
    kinds: &'a mut Kinds,
    room: Room,
    /// The bits of the first word that tell the kind.
    kind_mask: u64,
    layouts: Vec<Layout<W, D>>,
    /// How often the model was asked for the moves of a process.
    pub(super) asked: u64,
    /// A state as a vector, and the state; zeros if there is none.
    pub(super) vector: Vec<u8>,
    unpacked: Words<W>,
    pub(super) found: Expansion,
    moves: Vec<Move<W, D>>,
    movers: Movers,
    /// Rows that were not looked at.
    pub(super) open: Vec<Open>,
    /// What is known about ample sets, where these are asked for.
    pub(super) outlooks: Outlooks,
}

impl<'a, M: NextState, D: Digest, const W: usize> System<'a, M, D, W> {
    pub(super) fn new(
        model: &'a mut M,
        kinds: &'a mut Kinds,
        room: Room,
        accounting: Accounting<'a>,
    ) -> Result<System<'a, M, D, W>, Stop> {
        let mut system = System {
            model,
            accounting,
            kind_mask: room.kind_mask(),
            room,
            layouts: Vec::new(),
            asked: 0,
            vector: Vec::new(),
            unpacked: [0; W],
            found: Expansion::default(),
            moves: Vec::new(),
            movers: Movers::new(),
            open: Vec::new(),
            outlooks: Outlooks::default(),
            kinds,
        };
        system.add_layouts()?;
        Ok(system)
    }

    /// See to it that there is a layout for each kind.
    fn add_layouts(&mut self) -> Result<(), Stop> {
        if !self.room.has_kinds(self.kinds.0.len()) {
            return Err(Stop::TooNarrow);
        }
        for number in self.layouts.len()..self.kinds.0.len() {
            let kind = &self.kinds.0[number];
            let layout = Layout::new(kind, number, &self.room).ok_or(Stop::TooNarrow)?;
            self.layouts.push(layout);
        }
        Ok(())
    }

    /// See [`Kinds::room`].
    pub(super) fn room(&self, sizes: &[Vec<u32>]) -> Option<Room> {
        self.kinds.room(sizes)
    }

    /// The same, where there are no fewer words than now.
    pub(super) fn wider(&self, sizes: &[Vec<u32>]) -> Option<Room> {
        let enough: Vec<Vec<u32>> = (sizes.iter())
            .filter(|bits| bits.len() >= W)
            .cloned()
            .collect();
        self.kinds.room(&enough)
    }

    /// The same with states that are written down with other fields. All that is known is kept.
    pub(super) fn widen<const V: usize>(
        self,
        room: Room,
    ) -> Result<(System<'a, M, D, V>, Narrow<W, D>), Stop> {
        let mut narrow = Narrow {
            layouts: self.layouts,
            kind_mask: self.kind_mask,
        };
        let mut system = System::new(self.model, self.kinds, room, self.accounting)?;
        (system.asked, system.outlooks) = (self.asked, self.outlooks);
        for (before, layout) in narrow.layouts.iter_mut().zip(&mut system.layouts) {
            let memos: Vec<Memo<W, D>> = (before.processes.iter_mut())
                .map(|process| std::mem::take(&mut process.memo))
                .collect();
            for (process, memo) in layout.processes.iter_mut().zip(memos) {
                process.memo = memo.rewritten(|words| before.rewrite(&layout.fields, words));
            }
        }
        system.mark();
        Ok((system, narrow))
    }

    /// A state as it is written down now.
    pub(super) fn rewrite<const N: usize>(
        &self,
        narrow: &Narrow<N, D>,
        words: &Words<N>,
    ) -> Words<W> {
        let kind = (words[0] & narrow.kind_mask) as usize >> 1;
        narrow.layouts[kind].rewrite(&self.layouts[kind].fields, words)
    }

    /// The length of the vectors of a state.
    pub(super) fn vector_len(&self, state: &State<W, D>) -> usize {
        self.kinds.0[self.kind_of(state)].parts.len
    }

    /// The length of the longest vectors there are.
    pub(super) fn longest_vector(&self) -> usize {
        let kinds = self.layouts.iter().zip(&self.kinds.0);
        kinds.map(|(_, kind)| kind.parts.len).max().unwrap_or(0)
    }

    /// Note how many values there are.
    pub(super) fn mark(&mut self) {
        for kind in &mut self.kinds.0 {
            kind.before = kind.counts();
        }
    }

    /// A vector as a state.
    pub(super) fn pack(&mut self, vector: &[u8]) -> Result<State<W, D>, Stop> {
        let kind = self.kinds.find(self.model, vector).ok_or(Stop::GiveUp)?;
        self.add_layouts()?;
        let mut state = self.layouts[kind].blank;
        for part in 0..self.kinds.0[kind].values.len() {
            self.set_part(kind, part, vector, &mut state)?;
        }
        Ok(state)
    }

    /// The same for a vector that differs little from that of `state`, which is of this kind and
    /// was unpacked last.
    pub(super) fn pack_near(
        &mut self,
        kind: usize,
        state: &State<W, D>,
        vector: &[u8],
    ) -> Result<State<W, D>, Stop> {
        if !self.kinds.0[kind].parts.fits(vector) {
            return self.pack(vector);
        }
        let mut near = *state;
        for part in 0..self.kinds.0[kind].values.len() {
            let mut bytes = self.kinds.0[kind].parts.bytes[part].iter();
            if bytes.any(|range| vector[range.clone()] != self.vector[range.clone()]) {
                self.set_part(kind, part, vector, &mut near)?;
            }
        }
        Ok(near)
    }

    /// Give a part of a state the value that it has in a vector.
    fn set_part(
        &mut self,
        kind: usize,
        part: usize,
        vector: &[u8],
        state: &mut State<W, D>,
    ) -> Result<(), Stop> {
        let Kind { parts, values, .. } = &mut self.kinds.0[kind];
        let layout = &mut self.layouts[kind];
        let number = values[part].number(vector, &parts.bytes[part]);
        let field = layout.fields[part];
        if !field.fits(number) {
            return Err(Stop::TooNarrow);
        }
        if let Some(row) = layout.frames[part]
            && layout.processes[row].needs.len() == number as usize
        {
            let pid = usize::from(layout.processes[row].pid);
            let needs = layout.needs(parts.processes[pid].needs_in(vector));
            layout.processes[row].needs.push(needs);
        }
        let before = field.get(&state.words);
        let digests = [before, number].map(|number| D::of(kind, part, number));
        state.digest = state.digest.xor(digests[0]).xor(digests[1]);
        field.set(&mut state.words, number);
        Ok(())
    }

    /// Turn a state into a vector.
    pub(super) fn unpack(&mut self, kind: usize, state: &State<W, D>) {
        if self.unpacked == state.words {
            return;
        }
        self.unpacked = state.words;
        let Kind { parts, values, .. } = &self.kinds.0[kind];
        self.vector.resize(parts.len, 0);
        let fields = self.layouts[kind].fields.iter();
        for ((field, values), part) in fields.zip(values).zip(&parts.bytes) {
            values.write(field.get(&state.words), &mut self.vector, part);
        }
    }

    /// The kind of a state.
    #[inline(always)]
    pub(super) fn kind_of(&self, state: &State<W, D>) -> usize {
        (state.words[0] & self.kind_mask) as usize >> 1
    }

    /// Append the successors of a state.
    #[inline(always)]
    pub(super) fn expand(
        &mut self,
        state: &State<W, D>,
        out: &mut Vec<Next<W, D>>,
    ) -> Result<Counted, Stop> {
        self.expand_with::<false, false>(state, 0, out)
    }

    /// The same, and note what is to be known about the processes, from the highest pid down.
    #[inline(always)]
    pub(super) fn expand_noting(
        &mut self,
        state: &State<W, D>,
        out: &mut Vec<Next<W, D>>,
    ) -> Result<Counted, Stop> {
        self.outlooks.clear();
        self.expand_with::<false, true>(state, 0, out)
    }

    /// Append the successors of a state to which the processes lead that do not sleep, a set of
    /// rows, each with those who sleep there.
    #[inline(always)]
    pub(super) fn expand_awake(
        &mut self,
        state: &State<W, D>,
        asleep: u64,
        out: &mut Vec<Next<W, D>>,
    ) -> Result<Counted, Stop> {
        self.movers.clear();
        self.expand_with::<true, false>(state, asleep, out)
    }

    #[inline(always)]
    fn expand_with<const SLEEP: bool, const NOTE: bool>(
        &mut self,
        state: &State<W, D>,
        asleep: u64,
        out: &mut Vec<Next<W, D>>,
    ) -> Result<Counted, Stop> {
        let before = out.len();
        let mut counted = Counted::default();
        let mut row = 0;
        let mut rest = self.layouts[self.kind_of(state)].processes.iter();
        while let Some(process) = rest.next() {
            let needs = &process.needs[process.field.get(&state.words) as usize];
            let key: Words<W> = std::array::from_fn(|at| state.words[at] & needs.mask[at]);
            if let Some(known) = process.memo.find(&key) {
                counted.add(known.counts());
                if NOTE {
                    let member = Member {
                        pid: Pid(process.pid),
                        moves: known.len(),
                        counts: known.counts(),
                    };
                    self.outlooks.add(member, known.outlook());
                }
                let asleep_behind = match SLEEP && known.len() > 0 {
                    true => self.movers.add(row, needs.parts, known.changes()),
                    false => 0,
                };
                if SLEEP && asleep >> row & 1 != 0 {
                    counted.slept_through += known.len();
                } else {
                    known.for_each(|delta, way| {
                        out.push(Next {
                            state: state.xor(delta),
                            way,
                            row: row as u32,
                            asleep: asleep_behind,
                        });
                    });
                }
            } else {
                let (pid, mask) = (Pid(process.pid), needs.mask);
                let from = out.len();
                let (counts, outlook) = self.ask(state, row, &mask, &key, out)?;
                counted.add(counts);
                out[from..]
                    .iter_mut()
                    .for_each(|next| next.row = row as u32);
                if NOTE {
                    let moves = (out.len() - from) as u32;
                    let member = Member { pid, moves, counts };
                    self.outlooks.add(member, outlook);
                }
                rest = self.layouts[self.kind_of(state)].processes[row + 1..].iter();
            }
            row += 1;
        }
        if out.len() == before && counted.slept_through == 0 {
            self.outlooks.note_stuck();
            counted.add(self.expand_stuck(state, out)?);
        }
        Ok(counted)
    }

    /// Ask the model for the moves of a process, and remember them.
    #[cold]
    #[inline(never)]
    fn ask(
        &mut self,
        state: &State<W, D>,
        row: usize,
        mask: &Words<W>,
        key: &Words<W>,
        out: &mut Vec<Next<W, D>>,
    ) -> Result<(Counts, Outlook), Stop> {
        self.asked += 1;
        let kind = self.kind_of(state);
        self.unpack(kind, state);
        let pid = Pid(self.layouts[kind].processes[row].pid);
        self.find_steps(pid);
        let outlook = self.outlook(kind, pid);
        let from = out.len();
        let counts = self.follow(state, out)?;
        if *mask == [0; W]
            || out[from..]
                .iter()
                .any(|next| self.kind_of(&next.state) != kind)
        {
            return Ok((counts, outlook));
        }
        let layout = &mut self.layouts[kind];
        let mut changes = 0;
        self.moves.clear();
        for next in &out[from..] {
            let delta = state.xor(&next.state);
            if (0..W).any(|at| delta.words[at] & !mask[at] != 0) {
                debug_assert!(false, "a move changes what it does not touch");
                return Err(Stop::GiveUp);
            }
            changes |= layout.changed(&delta.words);
            let way = next.way;
            self.moves.push(Move { delta, way });
        }
        let effects = Effects {
            changes: PartBits::of(changes),
            counts,
            outlook,
        };
        (layout.processes[row].memo).learn(*key, &self.moves, effects);
        Ok((counts, outlook))
    }

    /// Find the steps of a process in the state that was unpacked.
    pub(super) fn find_steps(&mut self, pid: Pid) {
        // That somebody else can move keeps those waiting who wait for a timeout.
        let asleep = Asleep {
            pids: PidSet(!PidSet::only(pid).0),
            can_move: true,
        };
        self.found.clear();
        (self.model).extend_awake(&self.vector, asleep, &mut self.found);
    }

    /// Keep the outlook of the process in a row together with its moves, if these are known.
    pub(super) fn remember_outlook(&mut self, state: &State<W, D>, row: usize, outlook: Outlook) {
        let kind = self.kind_of(state);
        let process = &mut self.layouts[kind].processes[row];
        let needs = &process.needs[process.field.get(&state.words) as usize];
        let key: Words<W> = std::array::from_fn(|at| state.words[at] & needs.mask[at]);
        process.memo.learn_outlook(&key, outlook);
    }

    /// The successors of a state where no process can move: those that wait for a timeout may.
    #[cold]
    fn expand_stuck(
        &mut self,
        state: &State<W, D>,
        out: &mut Vec<Next<W, D>>,
    ) -> Result<Counts, Stop> {
        self.unpack(self.kind_of(state), state);
        let vector = std::mem::take(&mut self.vector);
        (self.model).expand(&vector, Control::Free, &mut self.found);
        let is_end = !self.found.moved && self.model.is_valid_end(&vector);
        self.vector = vector;
        match self.found.moved || is_end {
            true => self.follow(state, out),
            false => Err(Stop::GiveUp),
        }
    }

    /// The memory in use.
    pub(super) fn memory_bytes(&self) -> usize {
        let values = (self.kinds.0.iter()).flat_map(|kind| &kind.values);
        let processes = (self.layouts.iter()).flat_map(|layout| &layout.processes);
        let needs = processes.map(|process| process.needs.capacity() * size_of::<Needs<W>>());
        values.map(Values::memory_bytes).sum::<usize>()
            + needs.sum::<usize>()
            + self.memo_bytes()
            + self.outlooks.memory_bytes()
    }

    /// The part of it that holds known moves.
    fn memo_bytes(&self) -> usize {
        let processes = (self.layouts.iter()).flat_map(|layout| &layout.processes);
        processes.map(|process| process.memo.memory_bytes()).sum()
    }

    /// Forget all moves if they take more than so many bytes.
    pub(super) fn forget_beyond(&mut self, bytes: usize) {
        if self.memo_bytes() > bytes {
            let processes = (self.layouts.iter_mut()).flat_map(|layout| &mut layout.processes);
            processes.for_each(|process| process.memo.clear());
        }
    }
}

impl<const W: usize, D: Digest> Layout<W, D> {
    /// None if there is not enough room.
    fn new(kind: &Kind, number: usize, room: &Room) -> Option<Layout<W, D>> {
        let counts = kind.counts();
        let mut words = [0; W];
        words[0] = (number as u64) << 1 | 1;
        // The kind is one more part.
        let digest = D::of(number, counts.len(), 1);
        let mut layout = Layout {
            fields: fields(&counts, &kind.expected(), &kind.grow(), room)?,
            blank: State { words, digest },
            kind_mask: room.kind_mask(),
            processes: Vec::new(),
            frames: vec![None; counts.len()],
        };
        let mut vector = vec![0; kind.parts.len];
        for (pid, mover) in kind.parts.processes.iter().enumerate().rev() {
            let bytes = &kind.parts.bytes[mover.part];
            let needs = (0..kind.values[mover.part].len() as u32)
                .map(|number| {
                    kind.values[mover.part].write(number, &mut vector, bytes);
                    layout.needs(mover.needs_in(&vector))
                })
                .collect();
            layout.frames[mover.part] = Some(layout.processes.len());
            layout.processes.push(Process {
                pid: pid as u8,
                field: layout.fields[mover.part],
                needs,
                memo: Memo::default(),
            });
        }
        Some(layout)
    }

    /// The numbers in these words, or their differences, in wider fields.
    fn rewrite<const V: usize>(&self, wider: &[Field], words: &Words<W>) -> Words<V> {
        let mut rewritten = [0; V];
        rewritten[0] = words[0] & self.kind_mask;
        for (before, after) in self.fields.iter().zip(wider) {
            after.set(&mut rewritten, before.get(words));
        }
        rewritten
    }

    /// The bits of some parts, and of the kind.
    fn needs(&self, parts: Option<PartSet>) -> Needs<W> {
        let mut mask = [0; W];
        if let Some(parts) = parts {
            mask[0] = self.kind_mask;
            for (part, field) in self.fields.iter().enumerate() {
                if parts >> part & 1 != 0 {
                    field.add_to(&mut mask);
                }
            }
        }
        Needs {
            mask,
            parts: parts.map_or(PartBits::ALL, PartBits::of),
        }
    }

    /// The parts that a difference changes.
    fn changed(&self, delta: &Words<W>) -> PartSet {
        let fields = self.fields.iter().enumerate();
        fields.fold(0, |changed, (part, field)| {
            changed | PartSet::from(field.get(delta) != 0) << part
        })
    }
}
