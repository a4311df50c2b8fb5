//! The transition relation of a model over packed states.
//!
//! Follows: the collapse compression of Spin [Holzmann 1997] for the form of a state, and the
//! transition caches of LTSmin's language modules [Blom, van de Pol, Weber 2010] for the moves:
//! what a process does depends on few parts of the vector, so it is found out once for each
//! combination of these.
//!
//! Departs:
//! - A part is a number in a bit field, so a state is a few words, its own entry in the store.
//! - What decides about the moves of a process is known in two levels: the number of its frame
//!   says which parts it looks at, a mask, and the state under the mask is the key of its row.
//! - A move is a difference, combined with the state by an exclusive or.
//! - Which parts a process looks at is recorded while the interpreter finds its moves, not
//!   analysed beforehand.
//!
//! Why a row may be used: it was found in a state `s`, and the interpreter read and wrote the
//! parts `r` only, so it does the same in each state that agrees with `s` on `r`. The mask of a
//! frame contains `r`, and states with the same key agree on all of the mask. If the mask grows
//! later, rows that were found before stay right: an old key is one with zeros in what was added,
//! and the states that have it agree with `s` on the old mask, and so on `r`.

use space::Pid;

use crate::ample::AmpleKey;
use crate::hash::Table;
use crate::layout::{Field, Layout, Rewrite, Words};
use crate::learner::{Blame, MoveInfo, Phase};
use crate::numbering::{Numbering, PartId};
use crate::rows::{Counts, Effects, Move, MoveId, PartBits, Row, Rows};
use crate::state::{Digest, State};

/// The relation, as far as it is known. Plain data: it is only read while a search goes on, and
/// changed by a [`crate::System`] that learns.
#[derive(Clone, Debug)]
pub struct Relation<const W: usize, D> {
    layout: Layout,
    /// The bits that distinguish states.
    visible: Words<W>,
    population: Field,
    /// How many processes each population has.
    process_counts: Vec<u32>,
    processes: Vec<Process<W, D>>,
    infos: Vec<MoveInfo>,
    info_numbers: Table<MoveInfo, u32>,
    /// What rows violate; the first list is empty.
    blames: Vec<Vec<Blame>>,
    /// The field of the state of the event trace, and in which it may end.
    event: Option<(Field, Vec<bool>)>,
}

/// Threads may read it at the same time.
const _: () = {
    const fn is_shareable<T: Send + Sync>() {}
    is_shareable::<Relation<1, ()>>();
    is_shareable::<Relation<4, u64>>();
};

/// What is known about the process with some pid.
#[derive(Clone, Debug)]
struct Process<const W: usize, D> {
    /// The field of the main part of its frame.
    main: Field,
    /// For each value of it, whether the process may end there.
    ends: Vec<bool>,
    phases: [PhaseRows<W, D>; 2],
}

/// The moves of a process in one phase.
#[derive(Clone, Debug)]
struct PhaseRows<const W: usize, D> {
    /// For each value of the main part, the bits that decide about the moves.
    masks: Vec<Words<W>>,
    /// The same as a set of parts, by its row in `sets`: a part that has had one value only has no
    /// bits yet.
    parts: Vec<u32>,
    /// Sets of parts in rising order; the first one holds the main part alone.
    sets: Vec<Vec<PartId>>,
    rows: Rows<W, D>,
}

impl<const W: usize, D> PhaseRows<W, D> {
    /// More parts decide about the moves where the main part has this value.
    fn add_parts(&mut self, main: usize, more: &[PartId], layout: &Layout) {
        let known = &self.sets[self.parts[main] as usize];
        if more.iter().all(|part| known.binary_search(part).is_ok()) {
            return;
        }
        let mut set = [&known[..], more].concat();
        set.sort_unstable();
        set.dedup();
        self.masks[main] = layout.mask(&set);
        let known = self.sets.iter().position(|known| *known == set);
        self.parts[main] = known.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        }) as u32;
    }
}

/// A row, found by a state.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a, const W: usize, D>(Row<'a, W, D>);

impl<'a, const W: usize, D: Digest> Known<'a, W, D> {
    /// How many moves it has.
    #[inline(always)]
    pub fn len(self) -> u32 {
        self.0.len()
    }

    /// Whether it has none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// What there is to account for besides the moves, if there is anything.
    #[inline(always)]
    pub fn counts(self) -> Option<&'a Counts> {
        self.0.counts()
    }

    /// The parts that decide about the moves.
    #[inline(always)]
    pub fn reads(self) -> PartBits {
        self.0.effects().reads
    }

    /// What the process contributes to ample sets.
    #[inline(always)]
    pub(crate) fn ample(self) -> AmpleKey {
        self.0.effects().ample
    }

    /// The parts that the moves change.
    #[inline(always)]
    pub fn changes(self) -> PartBits {
        self.0.effects().changes
    }

    /// Look at the moves, in their order: the difference, and the rest.
    #[inline(always)]
    pub fn for_each(self, look: impl FnMut(&State<W, D>, MoveId)) {
        self.0.for_each(look);
    }
}

impl<const W: usize, D: Digest> Relation<W, D> {
    /// One about which nothing is known but the layout.
    pub(crate) fn new(layout: Layout, numbering: &Numbering) -> Relation<W, D> {
        let fields = layout.fields();
        let mut visible = [u64::MAX; W];
        for (part, field) in fields.iter().enumerate() {
            if numbering.is_hidden(PartId(part as u32)) {
                let mut hidden = [0; W];
                field.add_to(&mut hidden);
                visible = std::array::from_fn(|at| visible[at] & !hidden[at]);
            }
        }
        let mut relation = Relation {
            visible,
            population: fields[0],
            process_counts: Vec::new(),
            processes: Vec::new(),
            infos: Vec::new(),
            info_numbers: Table::default(),
            blames: vec![Vec::new()],
            event: None,
            layout,
        };
        relation.refresh(numbering);
        relation
    }

    /// Take over what the numbering knows by now about processes and their ends. Parts without a
    /// field have only had the number 0.
    pub(crate) fn refresh(&mut self, numbering: &Numbering) {
        let known = self.process_counts.len();
        self.process_counts
            .extend(numbering.process_counts().skip(known));
        for (pid, slot) in numbering.slots().iter().enumerate() {
            // Without a field, it has had one value only.
            let main = self.layout.field(slot.main).unwrap_or_default();
            if pid == self.processes.len() {
                let phase = || PhaseRows {
                    masks: Vec::new(),
                    parts: Vec::new(),
                    sets: vec![vec![slot.main]],
                    rows: Rows::default(),
                };
                self.processes.push(Process {
                    main,
                    ends: Vec::new(),
                    phases: [phase(), phase()],
                });
            }
            let process = &mut self.processes[pid];
            let known = process.ends.len();
            process.ends.extend_from_slice(&slot.ends[known..]);
            let own = self.layout.mask(&[slot.main]);
            for phase in &mut process.phases {
                phase.masks.resize(slot.ends.len(), own);
                phase.parts.resize(slot.ends.len(), 0);
            }
        }
        if let Some((part, ends)) = numbering.event_ends()
            && let Some(field) = self.layout.field(part)
        {
            let (_, known) = self.event.get_or_insert_with(|| (field, Vec::new()));
            known.extend_from_slice(&ends[known.len()..]);
        }
    }

    /// Where the numbers of the parts lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The words of a state that distinguish it from others.
    #[inline(always)]
    pub fn visible(&self, words: &Words<W>) -> Words<W> {
        std::array::from_fn(|at| words[at] & self.visible[at])
    }

    /// The number of its population.
    #[inline(always)]
    pub(crate) fn population(&self, state: &State<W, D>) -> u32 {
        self.population.get(&state.words)
    }

    /// How many processes there are.
    #[inline(always)]
    pub fn process_count(&self, state: &State<W, D>) -> u32 {
        self.process_counts[self.population(state) as usize]
    }

    /// What a process can do in a state, if it is known.
    #[inline(always)]
    pub fn row(&self, state: &State<W, D>, pid: Pid, phase: Phase) -> Option<Known<'_, W, D>> {
        let process = &self.processes[usize::from(pid.0)];
        let phase = &process.phases[phase.index()];
        let mask = &phase.masks[process.main.get(&state.words) as usize];
        let key = std::array::from_fn(|at| state.words[at] & mask[at]);
        phase.rows.find(&key).map(Known)
    }

    /// The key of what a process can do in a state, if that is known.
    pub(crate) fn key(&self, state: &State<W, D>, pid: Pid, phase: Phase) -> Option<Words<W>> {
        let process = &self.processes[usize::from(pid.0)];
        let rows = &process.phases[phase.index()];
        let mask = &rows.masks[process.main.get(&state.words) as usize];
        let known = self.row(state, pid, phase).is_some();
        known.then(|| std::array::from_fn(|at| state.words[at] & mask[at]))
    }

    /// What a move is besides where it leads.
    #[inline(always)]
    pub fn info(&self, id: MoveId) -> &MoveInfo {
        &self.infos[id.0 as usize]
    }

    /// What a row violates, by [`Counts::violations`].
    pub fn violations(&self, number: u32) -> &[Blame] {
        &self.blames[number as usize]
    }

    /// Whether nothing is wrong if nobody can move: every process may end where it is, and so may
    /// the event trace. Once all processes are gone nobody asks the trace any more, as in Spin.
    pub fn may_end(&self, state: &State<W, D>) -> bool {
        let count = self.process_count(state) as usize;
        let may_end =
            |process: &Process<W, D>| process.ends[process.main.get(&state.words) as usize];
        let event_may_end = |(field, ends): &(Field, Vec<bool>)| {
            ends.get(field.get(&state.words) as usize)
                .is_some_and(|&end| end)
        };
        self.processes[..count].iter().all(may_end)
            && (count == 0 || self.event.as_ref().is_none_or(event_may_end))
    }

    /// The number of an info, known or new.
    pub(crate) fn number_info(&mut self, info: MoveInfo) -> MoveId {
        let new = self.infos.len() as u32;
        let number = *self.info_numbers.entry(info).or_insert(new);
        if number == new {
            self.infos.push(info);
        }
        MoveId(number)
    }

    /// The number of a list of violations, known or new.
    pub(crate) fn number_blames(&mut self, blames: &[Blame]) -> u32 {
        let known = self.blames.iter().position(|known| known == blames);
        known.unwrap_or_else(|| {
            self.blames.push(blames.to_vec());
            self.blames.len() - 1
        }) as u32
    }

    /// Learn the row of a process in a state, which depends on these parts. Whether there is room
    /// for it.
    pub(crate) fn learn(
        &mut self,
        state: &State<W, D>,
        (pid, phase): (Pid, Phase),
        touched: &[PartId],
        moves: &[Move<W, D>],
        effects: Effects,
    ) -> bool {
        let process = &mut self.processes[usize::from(pid.0)];
        let phase = &mut process.phases[phase.index()];
        let main = process.main.get(&state.words) as usize;
        phase.add_parts(main, touched, &self.layout);
        let mask = &phase.masks[main];
        let key = std::array::from_fn(|at| state.words[at] & mask[at]);
        phase.rows.find(&key).is_some() || phase.rows.insert(key, moves, effects)
    }

    /// The moves of a process in a state, which are known, count as executed from now on.
    pub(crate) fn release(&mut self, state: &State<W, D>, pid: Pid, phase: Phase) {
        if let Some(key) = self.key(state, pid, phase) {
            let process = &mut self.processes[usize::from(pid.0)];
            process.phases[phase.index()].rows.release(&key);
        }
    }

    /// The same with another layout.
    pub(crate) fn rewritten<const V: usize>(
        self,
        layout: Layout,
        numbering: &Numbering,
    ) -> Relation<V, D> {
        let plan = Rewrite::new(&self.layout, &layout);
        let rewrite = |words: &Words<W>| -> Words<V> { plan.apply(words) };
        let mut relation: Relation<V, D> = Relation::new(layout.clone(), numbering);
        (relation.infos, relation.info_numbers) = (self.infos, self.info_numbers);
        relation.blames = self.blames;
        for (after, before) in relation.processes.iter_mut().zip(self.processes) {
            for (after, before) in after.phases.iter_mut().zip(before.phases) {
                after.parts[..before.parts.len()].copy_from_slice(&before.parts);
                after.sets = before.sets;
                let masks: Vec<Words<V>> = after.sets.iter().map(|set| layout.mask(set)).collect();
                let known = after.masks.iter_mut().zip(&after.parts);
                known.for_each(|(mask, &set)| *mask = masks[set as usize]);
                after.rows = before.rows.rewritten(rewrite);
            }
        }
        relation
    }

    /// The memory in use.
    pub fn memory_bytes(&self) -> usize {
        let phases = self.processes.iter().flat_map(|process| &process.phases);
        phases
            .map(|phase| phase.rows.memory_bytes() + phase.masks.capacity() * size_of::<Words<W>>())
            .sum()
    }

    /// Forget all rows.
    pub(crate) fn forget(&mut self) {
        let phases = self
            .processes
            .iter_mut()
            .flat_map(|process| &mut process.phases);
        phases.for_each(|phase| phase.rows.clear());
    }

    /// Forget all rows, and which parts decide about them.
    pub(crate) fn reset(&mut self) {
        for process in &mut self.processes {
            for phase in &mut process.phases {
                phase.sets.truncate(1);
                phase.parts.fill(0);
                let own = self.layout.mask(&phase.sets[0]);
                phase.masks.fill(own);
                phase.rows.clear();
            }
        }
    }

    /// The field of the population, and how many processes each has.
    pub(crate) fn population_field(&self) -> Field {
        self.population
    }

    pub(crate) fn process_counts(&self) -> &[u32] {
        &self.process_counts
    }

    /// The field of the state of the event trace, and in which it may end.
    pub(crate) fn event(&self) -> Option<&(Field, Vec<bool>)> {
        self.event.as_ref()
    }

    /// What is known about each process: the field of the main part of its frame, for each value of
    /// that whether the process may end there, and for each phase the masks by value and the rows.
    #[allow(
        clippy::type_complexity,
        reason = "for the export, which takes it apart at once"
    )]
    pub(crate) fn processes(
        &self,
    ) -> impl Iterator<Item = (Field, &[bool], [&[Words<W>]; 2], [&Rows<W, D>; 2])> {
        self.processes.iter().map(|process| {
            let [first, second] = &process.phases;
            let masks = [&first.masks[..], &second.masks[..]];
            (
                process.main,
                &process.ends[..],
                masks,
                [&first.rows, &second.rows],
            )
        })
    }
}
