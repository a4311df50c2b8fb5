//! What exchanging two members does to a state: the cells that change places and the names that
//! change.
//!
//! A cell is a scalar of the vector. It may belong to members, as an element of an array with
//! members for indices, or as a part of the frame of one, and it may hold a name. Cells of the same
//! *shape* differ only in whom they belong to.
//!
//! # Names
//!
//! A value of a sort names a member in a *role*: it is its pid, its index, the first of its channels,
//! the second. An exchange π turns it into the value that π of the member has in the same role, and
//! leaves a value that names nobody as it is. What must hold for this to be sound, sort by sort:
//!
//! 1. Roles have no values in common, so π is a bijection of the values (`solve`).
//! 2. Statements only copy values of the sort, compare them for equality with others of the sort, and
//!    use them to find something: an element of an array, a channel, a process (`infer`). So π
//!    commutes with what they compute.
//! 3. What is found by a value v lies in cells that π moves to those that are found by π(v): elements
//!    of an array whose index has the sort, contents of a channel whose number has it, frames of
//!    processes whose pids have it. All that may hold the number of a channel is of one sort
//!    (`channels`).

/// A set of members that can be exchanged, by its number.
pub type SetId = u8;

/// A member of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member {
    /// The set.
    pub set: SetId,
    /// Its position in the set.
    pub position: u8,
}

/// What a value is to the member that it names, by its row in [`Action::roles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub(super) u16);

/// Whom a value names, and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The member.
    pub member: Member,
    /// What the value is to it.
    pub role: RoleId,
}

impl RoleId {
    /// Its number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Names that a cell can hold, by their row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NamesId(pub(super) u16);

/// When a cell counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Always,
    /// The variable is read again from the control state of the frame that begins here on.
    Live {
        frame: u32,
        leaf: u16,
    },
    /// There is a message at this position of the channel whose contents begin here.
    Message {
        channel: u32,
        wide: bool,
        position: u16,
    },
}

/// A scalar of the vector.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) offset: u32,
    pub(super) size: u8,
    pub(super) shape: u32,
    pub(super) owners: Vec<Member>,
    pub(super) names: Option<NamesId>,
    pub(super) when: When,
}

/// Bytes that change places with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) length: u32,
}

/// A cell that says how members stand to each other.
#[derive(Clone, Debug)]
pub struct Relation {
    pub(super) cell: Cell,
}

/// What exchanging members of a model does to its states. Vectors are those that a store sees:
/// without hidden variables.
#[derive(Clone, Debug, Default)]
pub struct Action {
    pub(super) sets: Vec<Set>,
    /// By role: the value that each member has in it, by position.
    pub(super) roles: Vec<Vec<i32>>,
    /// By names: the values in order, each with what it names.
    pub(super) names: Vec<Vec<(i32, Name)>>,
    /// Cells that hold names, by offset.
    pub(super) named: Vec<Cell>,
    /// Cells that are cleared where nobody reads them.
    pub(super) scrubbed: Vec<Cell>,
    pub(super) relations: Vec<Relation>,
    /// By variable and head: whether the variable is read again.
    pub(super) liveness: Vec<Vec<bool>>,
    pub(super) head_size: u32,
    /// By pid: the member that the process belongs to, and its family.
    pub(super) processes: Vec<Option<(Member, u16)>>,
    /// By family: the pids of its processes by position.
    pub(super) families: Vec<Vec<u8>>,
}

/// A set of members.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    pub(super) size: usize,
    /// By member: how long a vector is at least where its processes are there.
    pub(super) extents: Vec<u32>,
    /// By pair of members, see [`pair`].
    pub(super) exchanges: Vec<Vec<Exchange>>,
    /// By member: the bytes that belong to it alone and hold no names.
    pub(super) plain: Vec<Vec<(u32, u32)>>,
    /// By member: the heads of its processes.
    pub(super) heads: Vec<Vec<u32>>,
    /// Global arrays with an element for each member, the one with the widest elements first: by
    /// member the offset, and the size of an element.
    pub(super) arrays: Vec<(Vec<u32>, u8)>,
}

/// The number of a pair of members, the first less than the second.
pub(super) fn pair(a: usize, b: usize) -> usize {
    b * (b - 1) / 2 + a
}

impl Action {
    /// The number of sets.
    pub fn sets(&self) -> SetId {
        self.sets.len() as SetId
    }

    /// The number of members of a set.
    pub fn size(&self, set: SetId) -> usize {
        self.sets[usize::from(set)].size
    }

    /// Whether all processes of a member are there.
    #[inline]
    pub fn is_there(&self, member: Member, state: &[u8]) -> bool {
        let set = &self.sets[usize::from(member.set)];
        set.extents[usize::from(member.position)] as usize <= state.len()
    }

    /// The bytes that belong to a member alone and hold no names: offsets and lengths.
    #[inline]
    pub fn plain(&self, member: Member) -> &[(u32, u32)] {
        &self.sets[usize::from(member.set)].plain[usize::from(member.position)]
    }

    /// Where the heads of the processes of a member lie.
    pub fn heads(&self, member: Member) -> &[u32] {
        &self.sets[usize::from(member.set)].heads[usize::from(member.position)]
    }

    /// Bytes of a head.
    pub fn head_size(&self) -> usize {
        self.head_size as usize
    }

    /// A global array with an element for each member and no names in it: where the elements of
    /// all members lie, and their size. The one with the widest elements.
    pub fn main_array(&self, set: SetId) -> Option<(&[u32], usize)> {
        let arrays = self.sets[usize::from(set)].arrays.first();
        arrays.map(|(offsets, size)| (&offsets[..], usize::from(*size)))
    }

    /// What says how members stand to each other.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// Clear variables with names that nobody reads before they are written again.
    #[inline]
    pub fn scrub(&self, state: &mut [u8]) {
        for cell in &self.scrubbed {
            if cell.end() <= state.len() && !self.counts(cell, state) {
                state[cell.offset as usize..cell.end()].fill(0);
            }
        }
    }

    /// Exchange two members.
    #[inline]
    pub fn swap(&self, set: SetId, a: usize, b: usize, state: &mut [u8]) {
        if a == b {
            return;
        }
        let (a, b) = (a.min(b), a.max(b));
        for exchange in &self.sets[usize::from(set)].exchanges[pair(a, b)] {
            exchange.make(state);
        }
        for cell in &self.named {
            if cell.end() > state.len() {
                break;
            }
            let names = &self.names[cell.names.map_or(0, |names| usize::from(names.0))];
            let value = cell.read(state);
            let Some(name) = find(names, value).filter(|name| name.member.set == set) else {
                continue;
            };
            let other = match usize::from(name.member.position) {
                position if position == a => b,
                position if position == b => a,
                _ => continue,
            };
            if self.counts(cell, state) {
                cell.write(state, self.roles[name.role.index()][other]);
            }
        }
    }

    /// Whether the contents of a cell mean something.
    #[inline]
    fn counts(&self, cell: &Cell, state: &[u8]) -> bool {
        match cell.when {
            When::Always => true,
            When::Live { frame, leaf } => {
                let at = frame as usize;
                let head = match self.head_size {
                    1 => usize::from(state[at]),
                    _ => usize::from(u16::from_le_bytes([state[at], state[at + 1]])),
                };
                self.liveness[usize::from(leaf)][head]
            }
            When::Message {
                channel,
                wide,
                position,
            } => {
                let at = channel as usize;
                let length = match wide {
                    false => u16::from(state[at]),
                    true => u16::from_le_bytes([state[at], state[at + 1]]),
                };
                position < length
            }
        }
    }

    /// The number of processes.
    pub fn process_count(&self) -> usize {
        self.processes.len()
    }

    /// The member that a process belongs to, with the number of its family.
    pub fn member_of(&self, pid: u8) -> Option<(Member, u16)> {
        self.processes.get(usize::from(pid)).copied().flatten()
    }

    /// The process of a family that belongs to the member at a position.
    pub fn process_of(&self, family: u16, position: u8) -> u8 {
        self.families[usize::from(family)][usize::from(position)]
    }
}

#[inline]
fn find(names: &[(i32, Name)], value: i32) -> Option<Name> {
    let first = names.first()?.0;
    // Mostly the values follow each other.
    let near = usize::try_from(i64::from(value) - i64::from(first)).ok()?;
    match names.get(near) {
        Some(&(known, name)) if known == value => Some(name),
        _ => names
            .iter()
            .find(|(known, _)| *known == value)
            .map(|(_, name)| *name),
    }
}

impl Relation {
    /// A number that all cells share that differ from this one only in their members.
    pub fn shape(&self) -> u32 {
        self.cell.shape
    }

    /// Whom it belongs to.
    pub fn owners(&self) -> &[Member] {
        &self.cell.owners
    }

    /// What it holds in a state: a name or a number. None if it means nothing there.
    #[inline]
    pub fn value(&self, action: &Action, state: &[u8]) -> Option<Held> {
        if self.cell.end() > state.len() || !action.counts(&self.cell, state) {
            return None;
        }
        let value = self.cell.read(state);
        let names = self
            .cell
            .names
            .map(|names| &action.names[usize::from(names.0)]);
        Some(match names.and_then(|names| find(names, value)) {
            Some(name) => Held::Name(name),
            None => Held::Number(value),
        })
    }
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The name of a member.
    Name(Name),
    /// Something else.
    Number(i32),
}

impl Exchange {
    #[inline]
    fn make(self, state: &mut [u8]) {
        let (a, b, length) = (self.a as usize, self.b as usize, self.length as usize);
        if b + length > state.len() {
            return;
        }
        let (front, back) = state.split_at_mut(b);
        front[a..a + length].swap_with_slice(&mut back[..length]);
    }
}

impl Cell {
    fn end(&self) -> usize {
        self.offset as usize + usize::from(self.size)
    }

    #[inline]
    fn read(&self, state: &[u8]) -> i32 {
        let at = self.offset as usize;
        match self.size {
            1 => i32::from(state[at]),
            2 => i32::from(i16::from_le_bytes([state[at], state[at + 1]])),
            _ => i32::from_le_bytes([state[at], state[at + 1], state[at + 2], state[at + 3]]),
        }
    }

    #[inline]
    fn write(&self, state: &mut [u8], value: i32) {
        let (at, size) = (self.offset as usize, usize::from(self.size));
        state[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }

    /// Whom it would belong to after an exchange.
    pub(super) fn owners_after(&self, set: SetId, a: u8, b: u8) -> Vec<Member> {
        let image = |member: &Member| match *member {
            Member { set: own, position } if own == set && position == a => {
                Member { set, position: b }
            }
            Member { set: own, position } if own == set && position == b => {
                Member { set, position: a }
            }
            other => other,
        };
        self.owners.iter().map(image).collect()
    }
}
