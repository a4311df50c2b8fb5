//! The moves of a monitor that are known, by the parts of a state that decide about them.

use space::Violation;

use crate::layout::{Field, Layout, Rewrite, Words};
use crate::monitor::MonitorMove;
use crate::numbering::PartId;
use crate::rows::{Effects, Move, MoveId, Row, Rows};
use crate::state::{Digest, State};

/// What a move of a monitor is besides where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClaimInfo {
    /// The acceptance sets it belongs to, as bits.
    pub(crate) sets: u32,
    /// See [`MonitorMove::edge`].
    pub(crate) edge: u32,
}

/// Who finds something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Accused {
    /// The state in which the monitor is.
    State,
    /// A move, by its number.
    Move(u32),
    /// The state that a move leads to.
    Target(u32),
}

/// Everything that is wrong where the monitor moves, in its order.
pub(crate) type Complaints = Vec<(Accused, Violation)>;

/// What all rows of a monitor share.
#[derive(Clone, Debug)]
pub(crate) struct ClaimInfos {
    infos: Vec<ClaimInfo>,
    /// The first list is empty.
    complaints: Vec<Complaints>,
}

impl Default for ClaimInfos {
    fn default() -> ClaimInfos {
        ClaimInfos {
            infos: Vec::new(),
            complaints: vec![Vec::new()],
        }
    }
}

impl ClaimInfos {
    #[inline(always)]
    pub(crate) fn info(&self, id: MoveId) -> ClaimInfo {
        self.infos[id.0 as usize]
    }

    pub(crate) fn complaints(&self, number: u32) -> &Complaints {
        &self.complaints[number as usize]
    }

    /// The number of the info of a move, known or new.
    pub(crate) fn number(&mut self, taken: &MonitorMove) -> MoveId {
        let info = ClaimInfo {
            sets: taken.sets,
            edge: taken.edge,
        };
        let known = self.infos.iter().position(|&known| known == info);
        MoveId(known.unwrap_or_else(|| {
            self.infos.push(info);
            self.infos.len() - 1
        }) as u32)
    }

    /// The number of a list of what is wrong, known or new.
    pub(crate) fn number_complaints(&mut self, found: Complaints) -> u32 {
        let known = self.complaints.iter().position(|known| *known == found);
        known.unwrap_or_else(|| {
            self.complaints.push(found);
            self.complaints.len() - 1
        }) as u32
    }
}

/// The moves of a monitor where it sees the same of what lies in no part.
///
/// As with processes, the number of its own state says which parts it looks at, a mask, and the
/// state under the mask is the key of its row.
#[derive(Clone, Debug)]
pub(crate) struct ClaimRows<const W: usize, D> {
    /// By the number of its own state.
    masks: Vec<Words<W>>,
    parts: Vec<Vec<PartId>>,
    rows: Rows<W, D>,
}

impl<const W: usize, D: Digest> Default for ClaimRows<W, D> {
    fn default() -> ClaimRows<W, D> {
        ClaimRows {
            masks: Vec::new(),
            parts: Vec::new(),
            rows: Rows::default(),
        }
    }
}

impl<const W: usize, D: Digest> ClaimRows<W, D> {
    /// The row of a state, if it is known. The field is that of the monitor.
    #[inline(always)]
    pub(crate) fn find(&self, own: Field, state: &State<W, D>) -> Option<Row<'_, W, D>> {
        let mask = self.masks.get(own.get(&state.words) as usize)?;
        let key = std::array::from_fn(|at| state.words[at] & mask[at]);
        self.rows.find(&key)
    }

    /// Learn the row of a state, which depends on these parts.
    pub(crate) fn learn(
        &mut self,
        (own, own_part, layout): (Field, Option<PartId>, &Layout),
        state: &State<W, D>,
        touched: &[PartId],
        moves: &[Move<W, D>],
        effects: Effects,
    ) -> bool {
        let number = own.get(&state.words) as usize;
        while self.masks.len() <= number {
            // Its own state always decides, also where nothing else is known yet.
            let parts: Vec<PartId> = own_part.into_iter().collect();
            self.masks.push(layout.mask(&parts));
            self.parts.push(parts);
        }
        let parts = &mut self.parts[number];
        parts.extend_from_slice(touched);
        parts.sort_unstable();
        parts.dedup();
        self.masks[number] = layout.mask(parts);
        let mask = &self.masks[number];
        let key = std::array::from_fn(|at| state.words[at] & mask[at]);
        self.rows.find(&key).is_some() || self.rows.insert(key, moves, effects)
    }

    /// The same with another layout.
    pub(crate) fn rewritten<const V: usize>(
        self,
        rewrite: &Rewrite,
        layout: &Layout,
    ) -> ClaimRows<V, D> {
        ClaimRows {
            masks: self.parts.iter().map(|parts| layout.mask(parts)).collect(),
            parts: self.parts,
            rows: self.rows.rewritten(|words| rewrite.apply(words)),
        }
    }

    /// Forget all rows.
    pub(crate) fn forget(&mut self) {
        self.rows.clear();
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.rows.memory_bytes()
    }
}
