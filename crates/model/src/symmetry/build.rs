//! From the sets that were found to the cells of the vector.

use std::collections::HashMap;

use super::action::{
    Action, Cell, Exchange, Member, Name, NamesId, Relation, RoleId, Set, SetId, When,
};
use super::infer::Inference;
use super::leaves::{Leaf, LeafId, Owner};
use super::root::Root;
use super::solve::Solution;
use super::sorts::Sort;
use crate::ids::ProctypeId;
use crate::reduction::dead_variables::Live;

/// What distinguishes a cell from all that do not change places with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
    /// The proctype and program counter of a process of a family.
    Pc(u16),
    /// A variable of globals, of a process, or of a family, with its indices.
    Variable(LeafId, Place, Vec<Index>),
    /// Part of a channel: the length, or a field of a message.
    Channel(ChannelName, Option<(u16, u16)>),
}

/// An index, but for the member that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Index {
    Number(u32),
    Member(RoleId),
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
    /// The channel of a member in a role.
    Of(RoleId),
}

/// Puts the cells together.
pub(super) struct Builder<'a, 'm> {
    inference: &'a Inference<'m>,
    solution: &'a Solution,
    root: &'a Root,
    shapes: HashMap<Shape, u32>,
    cells: Vec<Cell>,
    action: Action,
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
            names: HashMap::new(),
            live: HashMap::new(),
        };
        builder.add_processes();
        builder.add_names();
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
        for (row, role) in self.solution.roles.iter().enumerate() {
            self.action.roles.push(role.values.clone());
            let rows = &mut self.action.names;
            let id = *self.names.entry(role.sort).or_insert_with(|| {
                rows.push(Vec::new());
                NamesId(rows.len() as u16 - 1)
            });
            let named = role.values.iter().enumerate().map(|(position, value)| {
                let member = Member {
                    set: role.set as SetId,
                    position: position as u8,
                };
                let role = RoleId(row as u16);
                (*value, Name { member, role })
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
        self.names.get(&self.inference.sorts.root(sort)).copied()
    }

    /// What a value of a sort names.
    fn name(&self, sort: Sort, value: u32) -> Option<Name> {
        let names = self.names_of(sort)?;
        let mut row = self.action.names[usize::from(names.0)].iter();
        row.find(|(known, _)| *known == value as i32)
            .map(|(_, name)| *name)
    }

    /// The members among the indices of an element, and what the indices are apart from that.
    fn split(&self, leaf: &Leaf, indices: &[u32]) -> (Vec<Member>, Vec<Index>) {
        let mut members = Vec::new();
        let dims = leaf.dims.iter().zip(indices);
        let rest = dims.map(|(dim, index)| match self.name(dim.sort, *index) {
            Some(name) => {
                members.push(name.member);
                Index::Member(name.role)
            }
            None => Index::Number(*index),
        });
        let rest = rest.collect();
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
            self.add_cell(Shape::Pc(family), head);
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
            let (base, ty) = self.root.channels[number];
            let ty = self.inference.model.channel_type(ty).clone();
            if ty.capacity == 0 {
                continue;
            }
            let sort = self.inference.channels[number];
            let (name, owners) = match self.name(sort, number as u32 + 1) {
                Some(name) => (ChannelName::Of(name.role), vec![name.member]),
                None => (ChannelName::Alone(number), Vec::new()),
            };
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
                    let sort = self.inference.sorts.known_field(sort, row);
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
                        .push(found.ok_or((number, "part of the state has no counterpart"))?);
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
