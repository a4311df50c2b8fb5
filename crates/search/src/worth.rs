//! What moves are worth to a search for cycles: acceptance sets, and who moves.

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

/// What a move is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Worth {
    /// The acceptance sets it belongs to.
    pub(crate) sets: u32,
    /// Those who move.
    pub(crate) movers: Pids,
}

/// The moves of a state with their worth. Reused from state to state.
#[derive(Debug, Default)]
pub(crate) struct WorthyMoves {
    pub(crate) moves: Moves,
    /// For each row the worth of the steps up to it.
    worths: Vec<Worth>,
    /// The rows that lead to states, in order.
    ends: Vec<u32>,
    /// Who is enabled in the state.
    pub(crate) enabled: Pids,
}

impl WorthyMoves {
    /// Find the moves of a state.
    pub(crate) fn explore<M: Acceptance>(
        &mut self,
        model: &mut M,
        state: &[u8],
        accounting: &mut Accounting<'_>,
        memory: usize,
    ) -> Result<(), Completion> {
        self.moves.clear();
        self.moves.weighs = true;
        (self.moves).explore(model, state, Asleep::default(), accounting, memory)?;
        let found = &self.moves.found;
        accounting.work(found.rows.len(), state.len());
        self.enabled = Pids::default();
        self.worths.clear();
        self.ends.clear();
        for (number, row) in found.rows.iter().enumerate() {
            let mut worth = Worth::default();
            match self.moves.origin(number) {
                None => self.enabled = self.enabled.union(&Pids::enabled(&[*row])),
                Some(before) => worth = self.worths[before],
            }
            worth.sets |= mark(found, number).sets;
            worth.movers.insert_movers(row);
            self.worths.push(worth);
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

    /// A move: the vector of the state it leads to, and its worth.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> (&[u8], &Worth) {
        let end = self.ends[number] as usize;
        let found = &self.moves.found;
        (found.vector(&found.rows[end]), &self.worths[end])
    }

    /// The moves.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &Worth)> {
        (0..self.len()).map(|number| self.get(number))
    }
}

/// What the states and moves of a cycle, or of a component, are worth together.
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
    pub(crate) fn add_move(&mut self, worth: &Worth) {
        self.sets |= worth.sets;
        self.moved = self.moved.union(&worth.movers);
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
    pub(crate) fn is_enough(&self, all: u32, fairness: Fairness) -> bool {
        self.sets & all == all && self.wronged(fairness).is_empty()
    }
}
