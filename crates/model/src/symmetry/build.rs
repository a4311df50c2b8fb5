//! From the sets that were found to the cells of the vector.

use std::collections::HashMap;

use super::action::{Action, Cell, Exchange, Member, NamesId, Relation, Set, SetId, When};
use super::infer::Inference;
use super::leaves::{Leaf, LeafId, Owner};
use super::root::Root;
use super::solve::Solution;
use super::sorts::Sort;
use crate::ids::ProctypeId;
use crate::layout::ChannelSlot;
use crate::reduction::dead_variables::Live;

/// What tells a cell from all that do not change places with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
    /// The head of a process of a family.
    Head(u16),
    /// A variable of globals, of a process, or of a family; indices that are no members.
    Variable(LeafId, Place, Vec<u32>),
    /// Part of a channel: the length, or a field of a message.
    Channel(ChannelName, Option<(u16, u16)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Global,
    Process(u8),
    Family(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ChannelName {
    /// Nobody's: its number.
    Alone(usize),
    /// One of a family of channels.
    OfFamily(usize),
}

/// Channels that belong to the members of a set, by position.
struct ChannelFamily {
    set: usize,
    numbers: Vec<usize>,
}

/// Puts the cells together.
pub(super) struct Builder<'a, 'm> {
    inference: &'a Inference<'m>,
    solution: &'a Solution,
    root: &'a Root,
    shapes: HashMap<Shape, u32>,
    cells: Vec<Cell>,
    action: Action,
    channel_families: Vec<ChannelFamily>,
    /// The names of channels.
    channel_names: Option<NamesId>,
    /// The names of each sort that has some.
    names: HashMap<Sort, NamesId>,
    live: HashMap<ProctypeId, Live>,
}

impl<'a, 'm> Builder<'a, 'm> {
    /// What exchanging members does; an error names a set that does not fit.
    pub(super) fn build(
        inference: &'a Inference<'m>,
        solution: &'a Solution,
        root: &'a Root,
    ) -> Result<Action, (usize, &'static str)> {
        let mut builder = Builder {
            inference,
            solution,
            root,
            shapes: HashMap::new(),
            cells: Vec::new(),
            action: Action::default(),
            channel_families: Vec::new(),
            channel_names: None,
            names: HashMap::new(),
            live: HashMap::new(),
        };
        builder.add_processes();
        builder.add_names();
        builder.find_channel_families()?;
        builder.add_heads();
        builder.add_variables();
        builder.add_channels();
        builder.finish()
    }

    fn add_processes(&mut self) {
        let model = self.inference.model;
        self.action.head_size = model.layout.head_size;
        self.action.processes = vec![None; self.root.processes.len()];
        self.action.sets = (self.solution.sizes.iter())
            .map(|&size| Set {
                size,
                extents: vec![0; size],
                heads: vec![Vec::new(); size],
                ..Set::default()
            })
            .collect();
        for candidate in &self.solution.candidates {
            let Some(set) = candidate.set else {
                continue;
            };
            let family = self.action.families.len() as u16;
            let mut pids = vec![0; candidate.pids.len()];
            for (&pid, &position) in candidate.pids.iter().zip(&candidate.positions) {
                pids[position] = pid;
                let member = Member {
                    set: set as SetId,
                    position: position as u8,
                };
                self.action.processes[usize::from(pid)] = Some((member, family));
                let process = self.root.processes[usize::from(pid)];
                let end = process.frame + model.proctype(process.proctype).frame_size
                    - model.layout.hidden;
                let extent = &mut self.action.sets[set].extents[position];
                *extent = (*extent).max(end);
                self.action.sets[set].heads[position].push(process.frame - model.layout.hidden);
            }
            self.action.families.push(pids);
        }
    }

    fn add_names(&mut self) {
        for names in &self.solution.names {
            let rows = &mut self.action.names;
            let id = *self.names.entry(names.sort).or_insert_with(|| {
                rows.push(Vec::new());
                NamesId(rows.len() as u16 - 1)
            });
            let named = names.values.iter().enumerate().map(|(position, value)| {
                let member = Member {
                    set: names.set as SetId,
                    position: position as u8,
                };
                (*value, member)
            });
            self.action.names[usize::from(id.0)].extend(named);
        }
        self.action
            .names
            .iter_mut()
            .for_each(|row| row.sort_unstable());
    }

    /// The names in cells of a sort.
    fn names_of(&self, sort: Sort) -> Option<NamesId> {
        let sort = self.inference.sorts.root(sort);
        let is_channel = || {
            (self
                .channel_families
                .iter()
                .flat_map(|family| &family.numbers))
            .any(|number| self.inference.sorts.root(self.inference.channels[*number]) == sort)
        };
        match self.names.get(&sort) {
            Some(names) => Some(*names),
            None => self.channel_names.filter(|_| is_channel()),
        }
    }

    /// The member that an index of a sort is.
    fn member(&self, sort: Sort, index: u32) -> Option<Member> {
        let names = self.names.get(&self.inference.sorts.root(sort))?;
        let mut row = self.action.names[usize::from(names.0)].iter();
        row.find(|(value, _)| *value == index as i32)
            .map(|(_, member)| *member)
    }

    /// Which channels change places with each other: those in arrays with members for indices, and
    /// those that the processes of a family hold.
    fn find_channel_families(&mut self) -> Result<(), (usize, &'static str)> {
        let inference = self.inference;
        let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
        let channels = || {
            (inference.leaves.iter()).filter(|(_, leaf)| {
                (inference.channels.iter())
                    .any(|c| inference.sorts.root(*c) == inference.sorts.root(leaf.sort))
            })
        };
        for (_, leaf) in channels().filter(|(_, leaf)| leaf.owner == Owner::Global) {
            let mut by_rest: HashMap<Vec<u32>, Vec<(Member, usize)>> = HashMap::new();
            for (offset, indices) in leaf.elements() {
                let (members, rest) = self.split(leaf, &indices);
                let number = usize::from(self.root.state[offset as usize]);
                match members[..] {
                    [] => {}
                    [member] => by_rest.entry(rest).or_default().push((member, number)),
                    [member, ..] => {
                        return Err((
                            usize::from(member.set),
                            "channels are in a table of its processes",
                        ));
                    }
                }
            }
            let mut rows: Vec<_> = by_rest.into_iter().collect();
            rows.sort();
            found.extend(rows.into_iter().map(|(_, row)| sorted(row)));
        }
        for (number, candidate) in self.solution.candidates.iter().enumerate() {
            let Some(set) = candidate.set else {
                continue;
            };
            let owner = Owner::Frame(self.solution.candidates[number].proctype);
            for (_, leaf) in channels().filter(|(_, leaf)| leaf.owner == owner) {
                for offset in leaf.offsets() {
                    let values =
                        candidate
                            .pids
                            .iter()
                            .zip(&candidate.positions)
                            .map(|(pid, position)| {
                                let frame = self.root.processes[usize::from(*pid)].frame;
                                let value = usize::from(self.root.state[(frame + offset) as usize]);
                                let member = Member {
                                    set: set as SetId,
                                    position: *position as u8,
                                };
                                (member, value)
                            });
                    let row: Vec<_> = values.collect();
                    if row.iter().any(|(_, value)| *value != row[0].1) {
                        found.push(sorted(row));
                    }
                }
            }
        }
        for (set, numbers) in found {
            self.add_channel_family(set, &numbers)?;
        }
        if !self.channel_families.is_empty() {
            self.name_channels()?;
        }
        Ok(())
    }

    fn add_channel_family(
        &mut self,
        set: usize,
        numbers: &[usize],
    ) -> Result<(), (usize, &'static str)> {
        let unfit = Err((set, "its processes do not have one channel each"));
        if numbers.len() != self.solution.sizes[set] {
            return unfit;
        }
        let rows: Option<Vec<usize>> = numbers.iter().map(|number| number.checked_sub(1)).collect();
        let Some(numbers) =
            rows.filter(|rows| rows.iter().all(|row| *row < self.inference.channels.len()))
        else {
            return unfit;
        };
        if (1..numbers.len()).any(|row| numbers[..row].contains(&numbers[row])) {
            return unfit;
        }
        let types: Vec<_> = numbers
            .iter()
            .map(|number| self.slot(*number).1.ty)
            .collect();
        let model = self.inference.model;
        if types
            .iter()
            .any(|ty| model.channel_type(*ty) != model.channel_type(types[0]))
        {
            return unfit;
        }
        let known = self
            .channel_families
            .iter()
            .any(|f| f.set == set && f.numbers == numbers);
        let taken = self
            .channel_families
            .iter()
            .any(|f| f.numbers.iter().any(|n| numbers.contains(n)));
        match (known, taken) {
            (true, _) => Ok(()),
            (false, true) => unfit,
            (false, false) => {
                self.channel_families.push(ChannelFamily { set, numbers });
                Ok(())
            }
        }
    }

    fn name_channels(&mut self) -> Result<(), (usize, &'static str)> {
        let mut row: Vec<(i32, Member)> = Vec::new();
        for family in &self.channel_families {
            for (position, number) in family.numbers.iter().enumerate() {
                let member = Member {
                    set: family.set as SetId,
                    position: position as u8,
                };
                row.push((*number as i32 + 1, member));
            }
            let sorts = family
                .numbers
                .iter()
                .map(|n| self.inference.sorts.root(self.inference.channels[*n]));
            let sorts: Vec<Sort> = sorts.collect();
            let misused = self.inference.uses.iter().any(|used| {
                matches!(
                    used.what,
                    super::infer::What::Breaks(_)
                        | super::infer::What::Number(..)
                        | super::infer::What::Choice(_)
                ) && sorts.contains(&self.inference.sorts.root(used.sort))
            });
            if misused {
                return Err((family.set, "a channel is computed with"));
            }
        }
        row.sort_unstable();
        self.action.names.push(row);
        self.channel_names = Some(NamesId(self.action.names.len() as u16 - 1));
        Ok(())
    }

    /// Where the contents of a channel lie, and the process that it was created with.
    fn slot(&self, number: usize) -> (u32, ChannelSlot, Option<u8>) {
        let model = self.inference.model;
        let global = model.layout.channels.get(number);
        if let Some(slot) = global {
            return (slot.offset, *slot, None);
        }
        let mut rest = number - model.layout.channels.len();
        for (process, pid) in self.root.processes.iter().zip(0..) {
            let own = &model.proctype(process.proctype).channels;
            match own.get(rest) {
                Some(slot) => return (process.frame + slot.offset, *slot, Some(pid)),
                None => rest -= own.len(),
            }
        }
        unreachable!("channels are counted as they are created")
    }

    /// The members among the indices of an element, and the other indices.
    fn split(&self, leaf: &Leaf, indices: &[u32]) -> (Vec<Member>, Vec<u32>) {
        let (mut members, mut rest) = (Vec::new(), Vec::new());
        for (dim, index) in leaf.dims.iter().zip(indices) {
            match self.member(dim.sort, *index) {
                Some(member) => members.push(member),
                None => rest.push(*index),
            }
            // An index that is no member must not be taken for one of another dimension.
            rest.push(u32::MAX);
        }
        (members, rest)
    }

    fn add_cell(&mut self, shape: Shape, cell: Cell) {
        let hidden = self.inference.model.layout.hidden;
        // Hidden variables are in no store.
        let Some(offset) = cell.offset.checked_sub(hidden) else {
            return;
        };
        let next = self.shapes.len() as u32;
        let shape = *self.shapes.entry(shape).or_insert(next);
        let when = match cell.when {
            When::Always => When::Always,
            When::Live { frame, leaf } => When::Live {
                frame: frame - hidden,
                leaf,
            },
            When::Message {
                channel,
                wide,
                position,
            } => When::Message {
                channel: channel - hidden,
                wide,
                position,
            },
        };
        self.cells.push(Cell {
            offset,
            shape,
            when,
            ..cell
        });
    }

    fn owner_of(&self, pid: u8) -> (Place, Vec<Member>) {
        match self.action.processes[usize::from(pid)] {
            Some((member, family)) => (Place::Family(family), vec![member]),
            None => (Place::Process(pid), Vec::new()),
        }
    }

    fn add_heads(&mut self) {
        for pid in 0..self.root.processes.len() as u8 {
            let (Place::Family(family), owners) = self.owner_of(pid) else {
                continue;
            };
            let head = Cell {
                offset: self.root.processes[usize::from(pid)].frame,
                size: self.inference.model.layout.head_size as u8,
                shape: 0,
                owners,
                names: None,
                when: When::Always,
            };
            self.add_cell(Shape::Head(family), head);
        }
    }

    fn add_variables(&mut self) {
        let inference = self.inference;
        for (id, leaf) in inference.leaves.iter() {
            match leaf.owner {
                Owner::Global if inference.touched[id.0] => {
                    self.add_variable(id, leaf, 0, (Place::Global, &[]), None);
                }
                // Nobody looks at it.
                Owner::Global => {}
                Owner::Frame(proctype) => {
                    for pid in self.root.pids(proctype) {
                        let (place, owners) = self.owner_of(pid);
                        let frame = self.root.processes[usize::from(pid)].frame;
                        self.add_variable(id, leaf, frame, (place, &owners), Some(proctype));
                    }
                }
            }
        }
    }

    fn add_variable(
        &mut self,
        id: LeafId,
        leaf: &Leaf,
        base: u32,
        (place, owners): (Place, &[Member]),
        proctype: Option<ProctypeId>,
    ) {
        let names = self.names_of(leaf.sort);
        let counter = proctype.is_some_and(|p| self.inference.counters.contains(&(p, id)));
        let when = match proctype {
            Some(proctype) if names.is_some() || counter => When::Live {
                frame: base,
                leaf: self.liveness(proctype, leaf.origin),
            },
            _ => When::Always,
        };
        for (offset, indices) in leaf.elements() {
            let (members, rest) = self.split(leaf, &indices);
            let owners = owners.iter().copied().chain(members).collect();
            let cell = Cell {
                offset: base + offset,
                size: leaf.scalar.size() as u8,
                shape: 0,
                owners,
                names,
                when,
            };
            self.add_cell(Shape::Variable(id, place, rest), cell);
        }
    }

    /// The row that says where a variable of a proctype is live.
    fn liveness(&mut self, proctype: ProctypeId, offset: u32) -> u16 {
        let model = self.inference.model;
        let live = (self.live.entry(proctype)).or_insert_with(|| Live::new(model, proctype));
        let heads = model.layout.heads.iter();
        let row = heads.map(|head| {
            usize::from(head.kind) != proctype.index() || live.is_live(head.control, offset)
        });
        self.action.liveness.push(row.collect());
        self.action.liveness.len() as u16 - 1
    }

    fn add_channels(&mut self) {
        for number in 0..self.inference.channels.len() {
            let (base, slot, process) = self.slot(number);
            let ty = self.inference.model.channel_type(slot.ty).clone();
            if ty.capacity == 0 {
                continue;
            }
            let families = self.channel_families.iter().enumerate();
            let family = families
                .clone()
                .find(|(_, family)| family.numbers.contains(&number));
            let (name, owners) = match (family, process) {
                (Some((row, family)), _) => {
                    let position = family
                        .numbers
                        .iter()
                        .position(|n| *n == number)
                        .unwrap_or(0) as u8;
                    let member = Member {
                        set: family.set as SetId,
                        position,
                    };
                    (ChannelName::OfFamily(row), vec![member])
                }
                (None, _) => (ChannelName::Alone(number), Vec::new()),
            };
            debug_assert!(process.is_none_or(|pid| self.owner_of(pid).1.len() <= owners.len()));
            let length = Cell {
                offset: base,
                size: ty.length_size() as u8,
                shape: 0,
                owners,
                names: None,
                when: When::Always,
            };
            let wide = ty.length_size() == 2;
            self.add_cell(Shape::Channel(name, None), length.clone());
            for position in 0..ty.capacity as u16 {
                for (row, field) in ty.fields.iter().enumerate() {
                    let sort = self
                        .inference
                        .sorts
                        .known_field(self.inference.channels[number], row);
                    let names = sort.and_then(|sort| self.names_of(sort));
                    let start = base + ty.length_size() + u32::from(position) * ty.message_size();
                    let cell = Cell {
                        offset: start + field.offset,
                        size: field.scalar.size() as u8,
                        names,
                        when: match names {
                            Some(_) => When::Message {
                                channel: base,
                                wide,
                                position,
                            },
                            None => When::Always,
                        },
                        ..length.clone()
                    };
                    self.add_cell(Shape::Channel(name, Some((position, row as u16))), cell);
                }
            }
        }
    }

    fn finish(mut self) -> Result<Action, (usize, &'static str)> {
        self.cells.sort_by_key(|cell| cell.offset);
        let cells = &self.cells;
        let by_owner: HashMap<(u32, &[Member]), usize> = (cells.iter().enumerate())
            .map(|(row, cell)| ((cell.shape, &cell.owners[..]), row))
            .collect();
        let global = |shape: u32| {
            let shapes = self.shapes.iter();
            shapes
                .into_iter()
                .any(|(s, id)| *id == shape && matches!(s, Shape::Variable(_, Place::Global, _)))
        };
        for (number, set) in self.action.sets.iter_mut().enumerate() {
            let id = number as SetId;
            for b in 1..set.size as u8 {
                for a in 0..b {
                    let found = exchanges(cells, &by_owner, id, (a, b));
                    set.exchanges
                        .push(found.ok_or((number, "something has no counterpart"))?);
                }
            }
            let own = |position: u8| {
                let member = Member { set: id, position };
                let mut own: Vec<&Cell> = (cells.iter())
                    .filter(|cell| {
                        cell.owners == [member] && cell.names.is_none() && cell.when == When::Always
                    })
                    .collect();
                own.sort_by_key(|cell| cell.shape);
                own
            };
            let by_member: Vec<Vec<&Cell>> = (0..set.size as u8).map(own).collect();
            set.plain = ranges(&by_member);
            let arrays = own(0).into_iter().filter(|cell| global(cell.shape));
            set.arrays = arrays
                .filter_map(|first| {
                    let offsets: Option<Vec<u32>> = (0..set.size as u8)
                        .map(|position| {
                            let owner = [Member { set: id, position }];
                            by_owner
                                .get(&(first.shape, &owner[..]))
                                .map(|row| cells[*row].offset)
                        })
                        .collect();
                    offsets.map(|offsets| (offsets, first.size))
                })
                .collect();
            set.arrays
                .sort_by_key(|(offsets, size)| (std::cmp::Reverse(*size), offsets[0]));
        }
        let action = &mut self.action;
        action.named = cells
            .iter()
            .filter(|cell| cell.names.is_some())
            .cloned()
            .collect();
        let dies = |cell: &&Cell| matches!(cell.when, When::Live { .. });
        action.scrubbed = cells.iter().filter(dies).cloned().collect();
        let relates = |cell: &&Cell| {
            cell.names.is_some()
                || cell.owners.len() > 1
                || !cell.owners.is_empty() && cell.when != When::Always
        };
        action.relations = (cells.iter().filter(relates))
            .map(|cell| Relation { cell: cell.clone() })
            .collect();
        Ok(self.action)
    }
}

/// A row of one number for each member, by position.
fn sorted(mut row: Vec<(Member, usize)>) -> (usize, Vec<usize>) {
    row.sort_unstable();
    let set = row.first().map_or(0, |(member, _)| usize::from(member.set));
    (set, row.into_iter().map(|(_, number)| number).collect())
}

/// The bytes of the cells of each member, joined where they follow each other for all members.
fn ranges(by_member: &[Vec<&Cell>]) -> Vec<Vec<(u32, u32)>> {
    let mut found: Vec<Vec<(u32, u32)>> = vec![Vec::new(); by_member.len()];
    let count = by_member.first().map_or(0, Vec::len);
    for row in 0..count {
        let follows = (by_member.iter().zip(&found)).all(|(cells, ranges)| {
            let last = ranges.last();
            last.is_some_and(|(start, length)| start + length == cells[row].offset)
        });
        for (cells, ranges) in by_member.iter().zip(&mut found) {
            let length = u32::from(cells[row].size);
            match ranges.last_mut() {
                Some(last) if follows => last.1 += length,
                _ => ranges.push((cells[row].offset, length)),
            }
        }
    }
    found
}

/// The exchanges of two members. None if a cell has no counterpart.
fn exchanges(
    cells: &[Cell],
    by_owner: &HashMap<(u32, &[Member]), usize>,
    set: SetId,
    (a, b): (u8, u8),
) -> Option<Vec<Exchange>> {
    let mut found: Vec<Exchange> = Vec::new();
    for cell in cells {
        let owners = cell.owners_after(set, a, b);
        if owners == cell.owners {
            continue;
        }
        let other = &cells[*by_owner.get(&(cell.shape, &owners[..]))?];
        if other.size != cell.size {
            return None;
        }
        if cell.offset > other.offset {
            continue;
        }
        let length = u32::from(cell.size);
        match found.last_mut() {
            Some(last)
                if last.a + last.length == cell.offset && last.b + last.length == other.offset =>
            {
                last.length += length;
            }
            _ => found.push(Exchange {
                a: cell.offset,
                b: other.offset,
                length,
            }),
        }
    }
    Some(found)
}
