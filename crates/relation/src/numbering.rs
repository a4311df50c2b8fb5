//! The parts of the vectors of a model, and the numbers of their values.

use std::collections::HashMap;
use std::sync::Arc;

use model::Model;
use space::Pid;

use crate::cut::{Bytes, Cut, Grain};
use crate::values::Values;

/// A part of a vector. New ones come with new processes; none goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartId(pub u32);

impl PartId {
    /// Which processes there are.
    pub(crate) const POPULATION: PartId = PartId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which processes a vector has: their proctypes, by pid, and where their frames lie.
#[derive(Clone, Debug)]
pub(crate) struct Population {
    kinds: Vec<u8>,
    /// Where each frame begins.
    pub(crate) frames: Vec<u32>,
    /// The length of the vectors.
    pub(crate) len: usize,
    /// For each byte, the part that it belongs to.
    owners: Vec<PartId>,
}

/// The parts that the process with some pid has, where there is one. Where there is none, they
/// have the number 0: the population says that it means nothing.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) fixed: PartId,
    pub(crate) main: PartId,
    /// As many as a process with this pid has had channels.
    pub(crate) channels: Vec<PartId>,
    /// For each value of the main part, whether the process may end there.
    pub(crate) ends: Vec<bool>,
}

/// A part with the values that it was seen to have.
#[derive(Clone, Debug, Default)]
struct Part {
    values: Values,
    is_hidden: bool,
}

/// All parts and values that are known.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    cut: Cut,
    parts: Vec<Part>,
    /// By number of the population.
    populations: Vec<Arc<Population>>,
    /// By pid.
    slots: Vec<Slot>,
    /// The part with the state of the event trace, and for each of its values whether the trace
    /// may end there.
    event: Option<(PartId, Vec<bool>)>,
    scratch: Vec<u8>,
}

impl Numbering {
    pub(crate) fn new(model: &Model, grain: Grain) -> Numbering {
        let cut = Cut::new(model, grain);
        let mut parts = vec![Part::default(); 1 + cut.globals.len()];
        parts[1..=cut.hidden]
            .iter_mut()
            .for_each(|part| part.is_hidden = true);
        let event = model.layout.event.and_then(|at| {
            let row = cut
                .globals
                .iter()
                .position(|bytes| bytes.start == at as usize)?;
            Some((PartId(1 + row as u32), Vec::new()))
        });
        Numbering {
            cut,
            parts,
            populations: Vec::new(),
            slots: Vec::new(),
            event,
            scratch: Vec::new(),
        }
    }

    /// Number the initial state. Its values come first, so that a part which never changes has no
    /// other value.
    pub(crate) fn begin(&mut self, model: &Model, initial: &[u8], numbers: &mut Vec<u32>) {
        self.number(model, initial, numbers);
    }

    /// How many parts there are.
    pub(crate) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// How many values of each part are known.
    pub(crate) fn counts(&self) -> Vec<usize> {
        self.parts.iter().map(|part| part.values.len()).collect()
    }

    /// How many values each part may have one day: as many as another one of the same kind and
    /// length, since that may be an element of the same array, or the same thing of a process of the
    /// same proctype.
    pub(crate) fn expected(&self) -> Vec<usize> {
        let mut kinds = vec![0; self.parts.len()];
        kinds[0] = 1;
        for slot in &self.slots {
            (kinds[slot.fixed.index()], kinds[slot.main.index()]) = (2, 3);
        }
        let like = |part: usize| (kinds[part], self.parts[part].values.stride());
        let mut most: HashMap<(u8, usize), usize> = HashMap::new();
        for (part, count) in self.counts().into_iter().enumerate() {
            let most = most.entry(like(part)).or_default();
            *most = count.max(*most);
        }
        (0..self.parts.len())
            .map(|part| most[&like(part)])
            .collect()
    }

    /// Whether a part does not distinguish states.
    pub(crate) fn is_hidden(&self, part: PartId) -> bool {
        self.parts[part.index()].is_hidden
    }

    /// The parts of processes, by pid.
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The population of a number.
    pub(crate) fn population_of(&self, number: u32) -> &Population {
        &self.populations[number as usize]
    }

    /// How many processes each population has.
    pub(crate) fn process_counts(&self) -> impl Iterator<Item = u32> {
        self.populations
            .iter()
            .map(|population| population.kinds.len() as u32)
    }

    /// The length of the longest vectors.
    pub(crate) fn longest_vector(&self) -> usize {
        self.populations
            .iter()
            .map(|population| population.len)
            .max()
            .unwrap_or(0)
    }

    /// Whether an event trace may end, by the number of its state.
    pub(crate) fn event_ends(&self) -> Option<(PartId, &[bool])> {
        self.event.as_ref().map(|(part, ends)| (*part, &ends[..]))
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.parts
            .iter()
            .map(|part| part.values.memory_bytes())
            .sum()
    }

    /// Number all parts of a vector, by part.
    pub(crate) fn number(&mut self, model: &Model, vector: &[u8], numbers: &mut Vec<u32>) {
        let population = self.number_population(model, vector);
        numbers.clear();
        numbers.resize(self.parts.len(), 0);
        numbers[0] = population;
        for row in 0..self.cut.globals.len() {
            let (part, bytes) = (PartId(row as u32 + 1), self.cut.globals[row].clone());
            numbers[part.index()] = self.number_global(model, part, &vector[bytes]);
        }
        for pid in 0..self.populations[population as usize].kinds.len() {
            self.number_process(model, population, pid, vector, |part, number| {
                numbers[part.index()] = number;
            });
        }
    }

    /// The same where the vector was made from one with these numbers: what is the same there is
    /// not looked up.
    pub(crate) fn number_near(
        &mut self,
        model: &Model,
        before: &[u8],
        vector: &[u8],
        numbers: &mut Vec<u32>,
    ) {
        let population = self.populations[numbers[0] as usize].clone();
        if !population.fits(model, before) || !population.fits(model, vector) {
            return self.number(model, vector, numbers);
        }
        let frames = model.layout.frames as usize;
        if before[..frames] != vector[..frames] {
            for row in 0..self.cut.globals.len() {
                let (part, bytes) = (PartId(row as u32 + 1), self.cut.globals[row].clone());
                if before[bytes.clone()] != vector[bytes.clone()] {
                    numbers[part.index()] = self.number_global(model, part, &vector[bytes]);
                }
            }
        }
        let number = numbers[0];
        for pid in 0..population.kinds.len() {
            let frame = population.frame(pid);
            if before[frame.clone()] != vector[frame] {
                self.number_process(model, number, pid, vector, |part, value| {
                    numbers[part.index()] = value;
                });
            }
        }
    }

    /// Write the vector of these numbers.
    pub(crate) fn write(&self, number: impl Fn(PartId) -> u32, vector: &mut Vec<u8>) {
        let population = self.population_of(number(PartId::POPULATION));
        vector.resize(population.len, 0);
        for (row, bytes) in self.cut.globals.iter().enumerate() {
            let part = PartId(row as u32 + 1);
            let value = self.parts[part.index()].values.value(number(part));
            copy(value, &mut vector[bytes.clone()]);
        }
        for (pid, &kind) in population.kinds.iter().enumerate() {
            let (slot, cut) = (&self.slots[pid], &self.cut.frames[usize::from(kind)]);
            let frame = &mut vector[population.frames[pid] as usize..][..cut.size];
            let value = |part: PartId| self.parts[part.index()].values.value(number(part));
            spread(value(slot.fixed), &cut.fixed, frame);
            spread(value(slot.main), &cut.main, frame);
            for (part, bytes) in slot.channels.iter().zip(&cut.channels) {
                copy(value(*part), &mut frame[bytes.clone()]);
            }
        }
    }

    /// A value of a part, perhaps with zeros behind it.
    pub(crate) fn value(&self, part: PartId, number: u32) -> &[u8] {
        self.parts[part.index()].values.value(number)
    }

    /// The part that a byte of a vector belongs to; none behind its end.
    pub(crate) fn owner(&self, population: u32, at: usize) -> Option<PartId> {
        self.populations[population as usize]
            .owners
            .get(at)
            .copied()
    }

    fn number_global(&mut self, model: &Model, part: PartId, value: &[u8]) -> u32 {
        let number = self.parts[part.index()].values.number(value);
        if let Some((event, ends)) = &mut self.event
            && *event == part
            && let Some(trace) = &model.event_trace
        {
            let states = &model.proctype(trace.proctype).states;
            for new in ends.len()..=number as usize {
                let value = self.parts[part.index()].values.value(new as u32);
                let control = value.first().zip(value.get(1));
                let control = control.map_or(0, |(&low, &high)| u16::from_le_bytes([low, high]));
                ends.push(
                    states
                        .get(usize::from(control))
                        .is_some_and(|state| state.end),
                );
            }
        }
        number
    }

    fn number_process(
        &mut self,
        model: &Model,
        population: u32,
        pid: usize,
        vector: &[u8],
        mut set: impl FnMut(PartId, u32),
    ) {
        let Population { kinds, frames, .. } = &*self.populations[population as usize];
        let cut = &self.cut.frames[usize::from(kinds[pid])];
        let frame = &vector[frames[pid] as usize..][..cut.size];
        let slot = &mut self.slots[pid];
        gather(frame, &cut.fixed, &mut self.scratch);
        set(
            slot.fixed,
            self.parts[slot.fixed.index()].values.number(&self.scratch),
        );
        gather(frame, &cut.main, &mut self.scratch);
        let main = self.parts[slot.main.index()].values.number(&self.scratch);
        set(slot.main, main);
        if slot.ends.len() <= main as usize {
            let head = model.layout.head(vector, frames[pid]);
            let state = &model.proctypes[usize::from(head.kind)].states[head.control.index()];
            slot.ends.push(state.end);
        }
        for (part, bytes) in slot.channels.iter().zip(&cut.channels) {
            let contents = &frame[bytes.clone()];
            set(*part, self.parts[part.index()].values.number(contents));
        }
        // There may be fewer channels than another process had.
        let missing = &slot.channels[cut.channels.len()..];
        missing.iter().for_each(|&part| set(part, 0));
    }

    fn number_population(&mut self, model: &Model, vector: &[u8]) -> u32 {
        let mut kinds = std::mem::take(&mut self.scratch);
        // Their number comes first, so that zeros at the end are processes.
        kinds.clear();
        kinds.push(0);
        let mut at = model.layout.frames;
        while (at as usize) < vector.len() {
            let kind = model.layout.head(vector, at).kind;
            kinds.push(kind);
            kinds[0] += 1;
            at += model.proctypes[usize::from(kind)].frame_size;
        }
        let number = self.parts[0].values.number(&kinds);
        if number as usize == self.populations.len() {
            let population = self.population(&kinds[1..]);
            self.populations.push(Arc::new(population));
        }
        self.scratch = kinds;
        number
    }

    /// Processes of these proctypes. Their parts are made where they are new.
    fn population(&mut self, kinds: &[u8]) -> Population {
        for (pid, &kind) in kinds.iter().enumerate() {
            let channels = self.cut.frames[usize::from(kind)].channels.len();
            self.add_slot(pid, channels);
        }
        let globals = self.cut.globals.iter().enumerate();
        let mut owners: Vec<PartId> = globals
            .flat_map(|(row, bytes)| bytes.clone().map(move |_| PartId(1 + row as u32)))
            .collect();
        let mut frames = Vec::new();
        for (pid, &kind) in kinds.iter().enumerate() {
            let (cut, slot) = (&self.cut.frames[usize::from(kind)], &self.slots[pid]);
            let start = owners.len();
            frames.push(start as u32);
            owners.resize(start + cut.size, slot.main);
            let mut own = |bytes: &Bytes, part| owners[start..][bytes.clone()].fill(part);
            cut.fixed.iter().for_each(|bytes| own(bytes, slot.fixed));
            cut.channels
                .iter()
                .zip(&slot.channels)
                .for_each(|(bytes, &part)| own(bytes, part));
        }
        Population {
            kinds: kinds.to_vec(),
            frames,
            len: owners.len(),
            owners,
        }
    }

    fn add_slot(&mut self, pid: usize, channels: usize) {
        let parts = &mut self.parts;
        let mut add = || {
            parts.push(Part::default());
            PartId(parts.len() as u32 - 1)
        };
        if pid == self.slots.len() {
            self.slots.push(Slot {
                fixed: add(),
                main: add(),
                channels: Vec::new(),
                ends: Vec::new(),
            });
        }
        let slot = &mut self.slots[pid];
        while slot.channels.len() < channels {
            slot.channels.push(add());
        }
    }

    /// The part of the frame of a process that says where it stands.
    pub(crate) fn main(&self, pid: Pid) -> PartId {
        self.slots[usize::from(pid.0)].main
    }
}

impl Population {
    /// Whether a vector has these processes.
    fn fits(&self, model: &Model, vector: &[u8]) -> bool {
        let kind = |&frame: &u32| model.layout.head(vector, frame).kind;
        vector.len() == self.len && self.frames.iter().map(kind).eq(self.kinds.iter().copied())
    }

    /// The bytes of the frame of a process.
    pub(crate) fn frame(&self, pid: usize) -> Bytes {
        let end = self
            .frames
            .get(pid + 1)
            .map_or(self.len, |&end| end as usize);
        self.frames[pid] as usize..end
    }
}

/// Some bytes of a frame, one behind the other.
fn gather(frame: &[u8], ranges: &[Bytes], out: &mut Vec<u8>) {
    out.clear();
    ranges
        .iter()
        .for_each(|bytes| out.extend_from_slice(&frame[bytes.clone()]));
}

/// The opposite of [`gather`], where the value may be longer or shorter.
fn spread(mut value: &[u8], ranges: &[Bytes], frame: &mut [u8]) {
    for bytes in ranges {
        let (front, rest) = value.split_at(bytes.len().min(value.len()));
        copy(front, &mut frame[bytes.clone()]);
        value = rest;
    }
}

/// Copy a value that may be longer or shorter.
fn copy(value: &[u8], out: &mut [u8]) {
    let len = out.len().min(value.len());
    out[..len].copy_from_slice(&value[..len]);
    out[len..].fill(0);
}
