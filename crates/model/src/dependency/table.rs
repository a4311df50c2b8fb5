//! The dependencies between the processes of a vector.

use std::collections::HashMap;

use space::{KeyReads, PidSet};

use super::guards::{Enabler, Guard, Test};
use super::influence::{Classes, Influence, Influencers, View, reaching};
use super::receivers::add_receiver_changes;
use super::relations::Relations;
use super::uninstantiated::add_partners;
use super::uses::{Observer, Sizes, Uses};
use super::{Dependency, MOST_PAIRS, MOST_PROCESSES, Strictness};
use crate::flow::Backwards;
use crate::ids::ControlId;
use crate::instance::{Instance, Premise, channels};
use crate::model::{ControlState, Model};

/// A process of a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Where its frame begins.
    frame: u32,
    /// The number of its head in control state 0, and how many heads it can have.
    base: u32,
    heads: u32,
    /// Where its control states begin among those of all processes.
    pub(super) column: u32,
    /// Where its transitions begin, and those of its proctype.
    steps: u32,
    pub(super) proctype: u32,
}

/// A transition of a process.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// The processes that can reach a transition dependent with it, if it is enabled.
    dependent: Influencers,
    /// Those that can reach one that may enable it, if it is not.
    enabling: Influencers,
    /// The range of the conjuncts of its guard that have smaller enabling sets.
    parts: (u32, u32),
    /// The range of all conjuncts of its guard.
    tests: (u32, u32),
    visible: bool,
    sticky: bool,
    leaves: bool,
}

/// A conjunct of the guard of a transition, and the processes that may make it true.
#[derive(Clone, Copy, Debug)]
struct Part {
    test: Test,
    enabling: Influencers,
}

/// What is known about vectors with the same processes.
#[derive(Clone, Debug, Default)]
pub struct Table {
    serial: usize,
    len: usize,
    premises: Vec<Premise>,
    /// For each control state whether variables that name channels may be written behind it, and
    /// whether some process is in such a one.
    may_still_write: Vec<bool>,
    any_may_still_write: bool,
    pub(super) members: Vec<Member>,
    /// The control flow of the processes, as long as the table is made.
    pub(super) backwards: Vec<Backwards>,
    steps: Vec<Step>,
    /// The options of each control state: where they begin, and the numbers of their transitions
    /// among those of the process.
    firsts: Vec<u32>,
    options: Vec<u32>,
    parts: Vec<Part>,
    tests: Vec<Test>,
    /// Whether there is too much to say about such vectors, and nothing is said.
    is_lost: bool,
    /// For each control state the parts that are evaluated there, and where those begin.
    tested: Vec<u32>,
    tested_firsts: Vec<u32>,
    /// For each control state whether its process can reach a transition that influences others.
    is_busy: Vec<bool>,
    /// For each part whether it was false, and all answers packed.
    falses: Vec<bool>,
    answers: Vec<u32>,
    /// Rows of control states, as many words each.
    pub(super) rows: Vec<u64>,
    pub(super) row_words: usize,
    /// What each transition uses, if that is kept.
    uses: Vec<Uses>,
    /// Relations between single transitions, likewise.
    pub(super) relations: Option<Box<Relations>>,
    /// When a transition was seen to be possible last.
    stamps: Vec<u32>,
    stamp: u32,
    /// For each process its control state.
    columns: Vec<u32>,
    /// The ones that were asked about with a step that is visible, and with one that is sticky.
    visible: u64,
    sticky: u64,
    /// Those that others may still be dependent with.
    busy: u64,
    /// Those that would leave, where it matters how many are there.
    leaving: u64,
    /// All that were asked about.
    noted: u64,
}

impl Table {
    /// Find out about the processes of a vector; nothing if there are too many, or if that takes
    /// more work than is left. It depends on which processes there are and on the bytes of its premises.
    pub(super) fn new(
        dependency: &Dependency,
        model: &Model,
        state: &[u8],
        work: &mut usize,
    ) -> Option<Table> {
        let mut premises = Vec::new();
        let mut table = Table::default();
        let mut uses: Vec<Vec<Uses>> = Vec::new();
        let mut receivers = Vec::new();
        let mut guards = Vec::new();
        let sizes = Sizes::new(model);
        let mut channels = channels(model, state);
        channels.truncate(sizes.known_channels());
        let init_only = &dependency.init_only;
        table.any_may_still_write =
            init_only.matters() && any_may_still_write(dependency, model, state);
        let mut frame = model.layout.frames;
        let mut column = 0;
        while (frame as usize) < state.len() {
            let pid = table.members.len();
            if pid == MOST_PROCESSES {
                return None;
            }
            let kind = usize::from(model.layout.head(state, frame).kind);
            let mut observer = Observer {
                instance: Instance {
                    model,
                    writes: &dependency.writes,
                    state,
                    frame: Some((frame, pid as u8)),
                    proctype: kind,
                    channels: &channels,
                    init_only: match table.any_may_still_write {
                        true => &[],
                        false => init_only.bytes(),
                    },
                    premises: &mut premises,
                },
                sizes,
                exposed: &dependency.exposed,
                privacy: &dependency.privacy,
                pid_sensitivity: dependency.pid_sensitivity,
                seen: &dependency.seen,
                claimants: &dependency.claimants,
                sorts: dependency.sorts,
            };
            let rows = &dependency.transitions[kind];
            let (used, receives) = observer.transitions(rows);
            uses.push(used);
            receivers.push(receives);
            guards.push(observer.guards(rows));
            let states = &model.proctypes[kind].states;
            table.members.push(Member {
                frame,
                base: model.layout.head_bases[kind],
                heads: states.len() as u32,
                column,
                steps: table.steps.len() as u32,
                proctype: kind as u32,
            });
            table.backwards.push(Backwards::new(model, states));
            let new_len = table.steps.len() + rows.len();
            table.steps.resize(new_len, Step::default());
            column += states.len() as u32;
            if init_only.matters() {
                let controls = (0..states.len() as u32).map(ControlId);
                let may_still_write =
                    controls.map(|control| init_only.may_still_write(kind, control));
                table.may_still_write.extend(may_still_write);
            }
            table.add_options(states, rows);
            frame += model.proctypes[kind].frame_size;
        }
        table.firsts.push(table.options.len() as u32);
        premises.sort_unstable();
        premises.dedup();
        table.serial = dependency.made;
        table.len = state.len();
        table.premises = premises;
        table.row_words = (column as usize).div_ceil(64);
        table.stamps = vec![0; table.steps.len()];
        let count = table.steps.len();
        let receives: usize = receivers.iter().map(Vec::len).sum();
        let offers = uses
            .iter()
            .flatten()
            .filter(|used| !used.later_offers.is_empty());
        if count * (receives + offers.count()) > MOST_PAIRS {
            table.is_lost = true;
            return Some(table);
        }
        add_partners(&mut uses, &dependency.uninstantiated);
        add_receiver_changes(&receivers, &mut uses);
        if dependency.strictness == Strictness::Fair {
            note_enabledness(sizes, &mut uses);
        }
        let mut prospects = uses.clone();
        for transition in prospects.iter_mut().flatten() {
            transition.add_started(&dependency.uninstantiated);
        }
        // Processes that are started may change receivers of the vector.
        add_receiver_changes(&receivers, &mut prospects);
        if dependency.keeps_relations {
            table.relations = Relations::new(&uses, &prospects, &guards).map(Box::new);
            table.look_ahead(dependency, model);
        }
        if (table.fill(dependency, model, &uses, &prospects, guards, work)).is_none() {
            table.is_lost = true;
            return Some(table);
        }
        table.list_parts();
        table.find_busy(dependency, model);
        if dependency.keeps_uses {
            table.uses = uses.into_iter().flatten().collect();
        }
        Some(table)
    }

    fn add_options(&mut self, states: &[ControlState], rows: &[u32]) {
        for state in states {
            self.firsts.push(self.options.len() as u32);
            let slots = state.options.iter();
            let slots = slots.filter_map(|option| rows.binary_search(&option.transition.0).ok());
            self.options.extend(slots.map(|slot| slot as u32));
        }
    }

    /// Work out the processes that influence each transition, by what it uses itself, and by what the
    /// others can reach. Nothing if that takes too long.
    fn fill(
        &mut self,
        dependency: &Dependency,
        model: &Model,
        uses: &[Vec<Uses>],
        prospects: &[Vec<Uses>],
        mut guards: Vec<Vec<Vec<Guard>>>,
        work: &mut usize,
    ) -> Option<()> {
        let classes: Vec<Classes<'_>> = prospects.iter().map(|uses| Classes::new(uses)).collect();
        for (pid, transitions) in uses.iter().enumerate() {
            let view = View {
                dependency,
                model,
                pid,
                classes: &classes,
            };
            // Transitions with the same uses are influenced by the same processes.
            let mut known: HashMap<&Uses, (Influencers, Influencers)> = HashMap::new();
            let mut enablers: HashMap<Enabler, Influencers> = HashMap::new();
            for (slot, used) in transitions.iter().enumerate() {
                space::cancel::poll();
                let (dependent, enabling) = match known.get(used) {
                    Some(others) => *others,
                    None => {
                        let others = self.dependent_and_enabling(&view, used, work)?;
                        known.insert(used, others);
                        others
                    }
                };
                let first_test = self.tests.len() as u32;
                (self.tests).extend(guards[pid][slot].iter().map(|(test, ..)| *test));
                let first = self.parts.len() as u32;
                for (test, enabler, _) in guards[pid][slot].drain(..) {
                    let enabling = match enablers.get(&enabler) {
                        Some(others) => *others,
                        None => {
                            let enables = |other: &Uses| match enabler.is_done_by(other) {
                                true => Influence::Some,
                                false => Influence::None,
                            };
                            let others = self.influencers(&view, work, enables)?;
                            enablers.insert(enabler, others);
                            others
                        }
                    };
                    self.parts.push(Part { test, enabling });
                }
                let tells_more = |part: &Part| {
                    let everybody = |others: Influencers| others.always | others.while_reachable;
                    everybody(part.enabling) != everybody(enabling)
                };
                if !self.parts[first as usize..].iter().any(tells_more) {
                    self.parts.truncate(first as usize);
                }
                let member = self.members[pid];
                let row = dependency.transitions[member.proctype as usize][slot];
                self.steps[member.steps as usize + slot] = Step {
                    dependent,
                    enabling,
                    parts: (first, self.parts.len() as u32),
                    tests: (first_test, self.tests.len() as u32),
                    visible: dependency.visible[row as usize],
                    sticky: dependency.sticky[row as usize],
                    leaves: used.leaves,
                };
            }
        }
        Some(())
    }

    /// Note what the processes can reach.
    fn look_ahead(&mut self, dependency: &Dependency, model: &Model) {
        let Some(relations) = &mut self.relations else {
            return;
        };
        for member in &self.members {
            let kind = member.proctype as usize;
            let states = &model.proctypes[kind].states;
            let rows = &dependency.transitions[kind];
            relations.add_ways(model, states, rows, member.steps as usize);
        }
    }

    /// Note from where processes can reach a transition that influences others.
    fn find_busy(&mut self, dependency: &Dependency, model: &Model) {
        let backwards = std::mem::take(&mut self.backwards);
        for (member, backwards) in self.members.iter().zip(&backwards) {
            let kind = member.proctype as usize;
            let rows = &dependency.transitions[kind];
            let influences_some = |step: &Step| {
                let dependent = step.dependent.always | step.dependent.while_reachable;
                let enabling = step.enabling.always | step.enabling.while_reachable;
                match dependent | enabling {
                    0 => Influence::None,
                    _ => Influence::Some,
                }
            };
            let steps = &self.steps[member.steps as usize..][..rows.len()];
            let influences: Vec<Influence> = steps.iter().map(influences_some).collect();
            let states = &model.proctypes[kind].states;
            self.is_busy
                .extend(reaching(backwards, states, rows, &influences));
        }
    }

    /// Note which parts of guards are evaluated in each control state.
    fn list_parts(&mut self) {
        self.falses = vec![false; self.parts.len()];
        for member in &self.members {
            for column in member.column..member.column + member.heads {
                self.tested_firsts.push(self.tested.len() as u32);
                let options = self.firsts[column as usize]..self.firsts[column as usize + 1];
                for option in options {
                    let slot = self.options[option as usize];
                    let (first, end) = self.steps[(member.steps + slot) as usize].parts;
                    self.tested.extend(first..end);
                }
            }
        }
        self.tested_firsts.push(self.tested.len() as u32);
    }

    /// Evaluate the parts of guards that matter where the processes are.
    #[inline]
    pub(super) fn test_guards(&mut self, model: &Model, state: &[u8]) -> &[u32] {
        self.answers.clear();
        if self.tested.is_empty() {
            return &self.answers;
        }
        let (mut answer, mut count) = (0, 0);
        for &column in &self.columns {
            let column = column as usize;
            for at in self.tested_firsts[column]..self.tested_firsts[column + 1] {
                let part = self.tested[at as usize] as usize;
                let is_false = self.parts[part].test.is_false(model, state);
                self.falses[part] = is_false;
                answer = answer << 1 | u32::from(is_false);
                count += 1;
                if count % 32 == 0 {
                    self.answers.push(answer);
                }
            }
        }
        if count % 32 != 0 {
            self.answers.push(answer);
        }
        &self.answers
    }

    /// Append which conjuncts of its guards are false where a process of the vector located last is, and
    /// what they look at. Transitions that are enabled do not matter, given by their numbers
    /// among those of the process.
    pub(super) fn describe_guards(
        &self,
        (model, state): (&Model, &[u8]),
        pid: usize,
        enabled: &[u32],
        key: &mut Vec<u32>,
        reads: &mut KeyReads,
    ) {
        let column = self.column_of(pid);
        let base = self.members[pid].steps;
        for option in self.firsts[column]..self.firsts[column + 1] {
            let slot = self.options[option as usize];
            if enabled.contains(&slot) {
                continue;
            }
            let (first, end) = self.steps[(base + slot) as usize].tests;
            for test in &self.tests[first as usize..end as usize] {
                key.push(test.is_false(model, state).into());
                test.add_reads(model, state, reads);
            }
        }
    }

    /// Where the frame of a process begins, and its proctype.
    pub(super) fn frame_of(&self, pid: usize) -> (u32, usize) {
        let member = &self.members[pid];
        (member.frame, member.proctype as usize)
    }

    /// The control state of a process located last.
    pub(super) fn control_of(&self, pid: usize) -> u32 {
        self.columns[pid] - self.members[pid].column
    }

    /// Whether variables that name channels may still be written.
    pub(super) fn is_before_init(&self) -> bool {
        self.any_may_still_write
    }

    /// Whether nothing is said about its vectors.
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Whether it is the one of the processes of a vector. Looks where they are.
    #[inline]
    pub(super) fn locate(&mut self, model: &Model, state: &[u8]) -> bool {
        if state.len() != self.len
            || !self
                .premises
                .iter()
                .all(|premise| premise.is_as_seen(state))
        {
            return false;
        }
        self.columns.clear();
        for member in &self.members {
            let head = model.layout.head_number(state, member.frame) as u32;
            let control = head.wrapping_sub(member.base);
            if control >= member.heads {
                return false;
            }
            self.columns.push(member.column + control);
        }
        self.may_still_write.is_empty() || self.any_may_still_write() == self.any_may_still_write
    }

    /// Whether some process, where it is, can reach a write to a variable that names a channel.
    fn any_may_still_write(&self) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|&column| self.may_still_write[column as usize])
    }

    /// The table and where the processes are, as numbers.
    #[inline]
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        [self.serial as u32]
            .into_iter()
            .chain(self.columns.iter().copied())
    }

    /// Forget which transitions are enabled.
    #[inline]
    pub(super) fn next_state(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        (self.visible, self.sticky) = (0, 0);
        (self.busy, self.leaving, self.noted) = (0, 0, 0);
    }

    /// A transition of a process is enabled.
    #[inline]
    pub(super) fn enable(&mut self, pid: u8, slot: u32) {
        let step = self.members[usize::from(pid)].steps + slot;
        self.stamps[step as usize] = self.stamp;
    }

    /// The processes outside a set that one is dependent with at its control state: if these join it,
    /// whatever the others do, the steps of this one stay as they are. Notes whether its steps are
    /// visible or sticky.
    pub fn dependents(&mut self, pid: usize, set: u64) -> u64 {
        self.note(pid);
        let mut others = 0;
        for (number, possible) in self.present_of(pid) {
            let step = &self.steps[number];
            others |= match possible {
                true => self.who(&step.dependent),
                false => self.necessary_enabling(step, set | others),
            };
        }
        others & !set
    }

    /// Note whether the steps of a process are visible or sticky, and whether it is busy.
    pub fn note(&mut self, pid: usize) {
        if self.noted >> pid & 1 != 0 {
            return;
        }
        self.noted |= 1 << pid;
        let (mut visible, mut sticky, mut leaves) = (false, false, false);
        for (number, _) in self.present_of(pid).filter(|(_, possible)| *possible) {
            let step = &self.steps[number];
            visible |= step.visible;
            sticky |= step.sticky;
            leaves |= step.leaves;
        }
        let is_busy = self.is_busy[self.column_of(pid)];
        self.visible |= u64::from(visible) << pid;
        self.sticky |= u64::from(sticky) << pid;
        self.busy |= u64::from(is_busy) << pid;
        self.leaving |= u64::from(leaves) << pid;
    }

    /// The transitions that a process has at its place, and whether they are possible.
    #[inline]
    pub(super) fn present_of(&self, pid: usize) -> impl Iterator<Item = (usize, bool)> {
        let column = self.column_of(pid);
        let base = self.members[pid].steps;
        let options = self.firsts[column]..self.firsts[column + 1];
        options.map(move |option| {
            let number = (base + self.options[option as usize]) as usize;
            (number, self.stamps[number] == self.stamp)
        })
    }

    /// The control state of a process among those of all.
    #[inline]
    pub(super) fn column_of(&self, pid: usize) -> usize {
        self.columns[pid] as usize
    }

    /// The processes that may enable a disabled transition: the necessary enabling set, of its conjuncts
    /// that are false, that adds the fewest processes to a set.
    fn necessary_enabling(&self, step: &Step, set: u64) -> u64 {
        let (first, end) = step.parts;
        let falses = (first as usize..end as usize).filter(|&part| self.falses[part]);
        let sets = falses.map(|part| self.who(&self.parts[part].enabling));
        sets.chain([self.who(&step.enabling)])
            .min_by_key(|set_| (set_ & !set).count_ones())
            .unwrap_or(0)
    }

    /// Who of the others is there.
    fn who(&self, others: &Influencers) -> u64 {
        others.always | self.present(others)
    }

    /// Those that count by their control states, and are in one of these.
    #[inline]
    fn present(&self, others: &Influencers) -> u64 {
        let mut present = 0;
        for pid in PidSet(others.while_reachable).iter() {
            let column = self.columns[usize::from(pid.0)] as usize;
            let word = self.rows[others.row as usize * self.row_words + column / 64];
            present |= (word >> (column % 64) & 1) << pid.0;
        }
        present
    }

    /// What a transition of a process uses, if that was kept.
    pub(super) fn uses_of(&self, (pid, slot): (u8, u32)) -> Option<&Uses> {
        let member = self.members.get(usize::from(pid))?;
        self.uses.get((member.steps + slot) as usize)
    }

    /// The same by their places among those of the proctype.
    pub(super) fn options_of(&self, pid: u8) -> impl Iterator<Item = (u32, bool)> {
        let pid = usize::from(pid);
        let base = self.members[pid].steps;
        let present = self.present_of(pid);
        present.map(move |(number, possible)| (number as u32 - base, possible))
    }

    /// How many transitions of one process another one influences.
    pub fn dependencies_on(&self, pid: usize, other: usize) -> usize {
        let first = self.members[pid].steps as usize;
        let next = self.members.get(pid + 1).map(|next| next.steps as usize);
        let steps = &self.steps[first..next.unwrap_or(self.steps.len())];
        let known =
            |others: Influencers| (others.always | others.while_reachable) >> other & 1 != 0;
        let bound = |step: &&Step| known(step.dependent) || known(step.enabling);
        steps.iter().filter(bound).count()
    }

    /// The number of this table: no two have the same.
    pub fn serial(&self) -> usize {
        self.serial
    }

    /// The proctype of a process.
    pub fn proctype_of(&self, pid: usize) -> usize {
        self.members[pid].proctype as usize
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.members.len()
    }

    /// The processes with a step that breaks a cycle of their control flow, among those that
    /// [`Table::dependents`] was asked about. Between two visits of an execution to a state, some
    /// process takes such a step or one that the property sees.
    pub fn sticky(&self) -> PidSet {
        PidSet(self.sticky)
    }

    /// The processes that others may still be dependent with, if not now, among those
    /// that [`Table::dependents`] was asked about.
    pub fn busy(&self) -> PidSet {
        PidSet(self.busy)
    }

    /// The processes that would leave, where it matters how many are there, among those that
    /// [`Table::dependents`] was asked about.
    pub fn leaving(&self) -> PidSet {
        PidSet(self.leaving)
    }

    /// The processes with a step that the property sees, or a part in a handshake, among those
    /// that [`Table::dependents`] was asked about.
    pub fn visible(&self) -> PidSet {
        PidSet(self.visible)
    }
}

/// Whether some process of a vector can reach a write to a variable that names a channel.
pub(super) fn any_may_still_write(dependency: &Dependency, model: &Model, state: &[u8]) -> bool {
    let mut frame = model.layout.frames;
    let mut found = false;
    while (frame as usize) < state.len() {
        let head = model.layout.head(state, frame);
        let kind = usize::from(head.kind);
        found |= dependency.init_only.may_still_write(kind, head.control);
        frame += model.proctypes[kind].frame_size;
    }
    found
}

/// Let transitions that may change whether a process is enabled write that cell.
fn note_enabledness(sizes: Sizes, uses: &mut [Vec<Uses>]) {
    for pid in 0..uses.len() {
        let mut own = Uses::nothing(sizes);
        uses[pid].iter().for_each(|used| own.add(used));
        let cell = sizes.enabledness_of(pid);
        for (other, transitions) in uses.iter_mut().enumerate() {
            for used in transitions {
                if other == pid || used.may_change_enabledness_of(&own) {
                    used.writes.insert(cell);
                }
            }
        }
    }
}
