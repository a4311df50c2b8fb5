//! The marks of moves in a search for cycles: acceptance sets, and the processes that move.

use space::{Acceptance, Asleep, Expansion, Fairness, Mark, Pid, Row};

use crate::Completion;
use crate::accounting::Accounting;
use crate::moves::Moves;

/// The step of nobody.
const NOBODY: u8 = Pid::NOBODY.0;

/// What a row says about who moves.
pub(crate) trait Mover {
    /// Whether somebody makes a step of their own.
    fn has_mover(&self) -> bool;

    /// Whether somebody is enabled by it: there is a successor, or it was left out.
    fn enables(&self) -> bool;
}

impl Mover for Row {
    #[inline]
    fn has_mover(&self) -> bool {
        !self.has(Row::OFFER | Row::STEPLESS) && self.pid != NOBODY
    }

    #[inline]
    fn enables(&self) -> bool {
        (self.has_mover() && self.has_successor()) || self.is_left_out()
    }
}

/// A set of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Pids([u64; 4]);

impl Pids {
    #[inline]
    pub(crate) fn insert(&mut self, pid: u8) {
        self.0[usize::from(pid / 64)] |= 1 << (pid % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, pid: u8) -> bool {
        self.0[usize::from(pid / 64)] >> (pid % 64) & 1 != 0
    }

    /// The processes that are enabled in a state with these steps, or others that are left out.
    #[inline]
    pub(crate) fn enabled(rows: &[Row]) -> Pids {
        let mut enabled = Pids::default();
        for row in (rows.iter()).filter(|row| row.enables()) {
            enabled.insert(row.pid);
        }
        enabled
    }

    /// Add those who move in a step.
    #[inline]
    pub(crate) fn insert_movers(&mut self, row: &Row) {
        if row.has_mover() {
            self.insert(row.pid);
        }
        if row.has(Row::HANDSHAKE) {
            self.insert(row.partner);
        }
    }

    /// Those of `self` that are not in `other`.
    #[inline]
    pub(crate) fn without(&self, other: &Pids) -> Pids {
        let mut rest = *self;
        for (mine, others) in rest.0.iter_mut().zip(&other.0) {
            *mine &= !others;
        }
        rest
    }

    /// How many numbers there are up to the greatest.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        let last = self.0.iter().rposition(|&word| word != 0);
        last.map_or(0, |word| {
            64 * word + 64 - self.0[word].leading_zeros() as usize
        })
    }

    /// Those of either.
    #[inline]
    pub(crate) fn union(&self, other: &Pids) -> Pids {
        let mut all = *self;
        for (mine, others) in all.0.iter_mut().zip(&other.0) {
            *mine |= others;
        }
        all
    }

    /// Those of both.
    #[inline]
    pub(crate) fn intersection(&self, other: &Pids) -> Pids {
        self.without(&self.without(other))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }
}

/// The mark of a row; nothing if the rows have none.
#[inline]
pub(crate) fn mark(found: &Expansion, row: usize) -> Mark {
    found.marks.get(row).copied().unwrap_or_default()
}

/// All sets of so many as bits.
pub(crate) fn all_sets(sets: u32) -> u32 {
    ((1_u64 << sets) - 1) as u32
}

/// The marks of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct MoveMarks {
    /// The acceptance sets it belongs to.
    pub(crate) sets: u32,
    /// Those who move.
    pub(crate) movers: Pids,
}

/// The moves of a state with their marks. Reused from state to state.
#[derive(Debug, Default)]
pub(crate) struct MarkedMoves {
    pub(crate) moves: Moves,
    /// For each row the marks of the steps up to it.
    marks: Vec<MoveMarks>,
    /// The rows that lead to states, in order.
    ends: Vec<u32>,
    /// Who is enabled in the state.
    pub(crate) enabled: Pids,
}

impl MarkedMoves {
    /// Find the moves of a state.
    pub(crate) fn explore<M: Acceptance>(
        &mut self,
        model: &mut M,
        state: &[u8],
        accounting: &mut Accounting<'_>,
        memory: usize,
    ) -> Result<(), Completion> {
        self.moves.clear();
        self.moves.distinguishes_marks = true;
        (self.moves).explore(model, state, Asleep::default(), accounting, memory)?;
        let found = &self.moves.found;
        accounting.work(found.rows.len(), state.len());
        self.enabled = Pids::default();
        self.marks.clear();
        self.ends.clear();
        for (number, row) in found.rows.iter().enumerate() {
            let mut marks = MoveMarks::default();
            match self.moves.origin(number) {
                None => self.enabled = self.enabled.union(&Pids::enabled(&[*row])),
                Some(before) => marks = self.marks[before],
            }
            marks.sets |= mark(found, number).sets;
            marks.movers.insert_movers(row);
            self.marks.push(marks);
            if Moves::is_state(row) {
                self.ends.push(number as u32);
            }
        }
        Ok(())
    }

    /// The number of moves.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A move: the vector of the state it leads to, and its marks.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> (&[u8], &MoveMarks) {
        let end = self.ends[number] as usize;
        let found = &self.moves.found;
        (found.vector(&found.rows[end]), &self.marks[end])
    }

    /// The moves.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &MoveMarks)> {
        (0..self.len()).map(|number| self.get(number))
    }
}

/// The marks of the states and moves of a cycle, or of a component, together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Total {
    /// The sets of its moves.
    pub(crate) sets: u32,
    /// Those who move.
    pub(crate) moved: Pids,
    /// Those who are enabled in all states.
    pub(crate) always: Pids,
    /// Those who are enabled in some state.
    pub(crate) ever: Pids,
}

impl Total {
    /// Of a state.
    pub(crate) fn of_state(enabled: Pids) -> Total {
        Total {
            always: enabled,
            ever: enabled,
            ..Total::default()
        }
    }

    /// A move more.
    #[inline]
    pub(crate) fn add_move(&mut self, marks: &MoveMarks) {
        self.sets |= marks.sets;
        self.moved = self.moved.union(&marks.movers);
    }

    /// Some states more.
    #[inline]
    pub(crate) fn add(&mut self, other: &Total) {
        self.sets |= other.sets;
        self.moved = self.moved.union(&other.moved);
        self.always = self.always.intersection(&other.always);
        self.ever = self.ever.union(&other.ever);
    }

    /// Those to whom it is not fair.
    pub(crate) fn wronged(&self, fairness: Fairness) -> Pids {
        match fairness {
            Fairness::None => Pids::default(),
            Fairness::Weak => self.always.without(&self.moved),
            Fairness::Strong => self.ever.without(&self.moved),
        }
    }

    /// Whether it belongs to all sets and is fair.
    pub(crate) fn satisfies_proviso(&self, all: u32, fairness: Fairness) -> bool {
        self.sets & all == all && self.wronged(fairness).is_empty()
    }
}
