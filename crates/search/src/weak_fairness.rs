//! Weak fairness in a nested depth-first search.
//!
//! Follows: [003, *Adding Fairness*] and [001, ch. 3, Figs 5 to 7]: the state space is
//! unfolded into copies, one in which the search waits for an accepting state and one for each
//! process, in which it waits for the process to move or to be disabled. A state is stored
//! once; its note has two bits for each copy ([003, *The SPIN Implementation*]).
//!
//! Departs:
//! - There are no moves between the copies of a state. A move goes as many copies ahead as it
//!   meets conditions: it belongs to the set, the process moves in it, or the process is
//!   disabled in the state before it. So there is no last copy to begin in: the move that
//!   meets the last condition is the accepting one, and k processes take k+1 copies instead
//!   of k+2. A cycle of the copies with an accepting move meets all conditions; a cycle of
//!   the model that meets all conditions goes, repeated, through all copies.
//! - Dfs1 and dfs2 of Fig. 7 have their own bits for each copy, as the proof there wants it.
//! - Several acceptance sets take a copy each, also without fairness.
//! - Who is enabled and who moves is said at [`space::Fairness`].
//! - The number of processes is not known before the search. A store is made for a few, and
//!   if a process turns up for which there is no copy, the search begins again with twice as
//!   many.

use space::{Acceptance, Mark, Row};
use store::StateStore;

use crate::colours::{Colours, Noted, TwoStores, note_bytes};
use crate::move_marks::{Mover, Pids, all_sets};
use crate::nested_dfs::Nested;
use crate::unfold::Unfold;
use crate::{Outcome, SearchConfig};

/// The processes for which there is a copy at first: notes of 4 bytes, with one set.
const PROCESSES: usize = 15;
/// There are no more processes than this.
const MOST_PROCESSES: usize = 255;

/// Search all executions of a system depth first for accepting cycles that are weakly fair,
/// and for violations of safety on the way.
///
/// `store` makes an empty store with notes of so many bytes. The last one is returned too.
pub fn nested_dfs_fair<M: Acceptance, S: StateStore>(
    model: &mut M,
    store: impl FnMut(usize) -> S,
    config: &SearchConfig<'_>,
) -> (Outcome, S) {
    let mut make = store;
    with_copies(model, config, |model, sets, config| {
        let mut store = make(note_bytes(sets.copies()));
        let colours = Noted { store: &mut store };
        let (outcome, again) = run(model, colours, sets, config);
        (outcome, again, store)
    })
}

/// The same search with a store for each of its parts, which need no notes.
pub fn nested_dfs_fair_two_stores<M: Acceptance, S: StateStore>(
    model: &mut M,
    stores: impl FnMut() -> (S, S),
    config: &SearchConfig<'_>,
) -> (Outcome, (S, S)) {
    let mut make = stores;
    with_copies(model, config, |model, sets, config| {
        let (mut first, mut second) = make();
        let colours = TwoStores {
            first: &mut first,
            second: &mut second,
            copies: true,
            scratch: Vec::new(),
        };
        let (outcome, again) = run(model, colours, sets, config);
        (outcome, again, (first, second))
    })
}

/// Search with so many copies. Whether they were not enough.
fn run<M: Acceptance, C: Colours>(
    model: &mut M,
    colours: C,
    sets: Sets,
    config: &SearchConfig<'_>,
) -> (Outcome, bool) {
    match sets.few() {
        Some(few) => Nested::new(model, colours, few, config).run_or_give_up(),
        None => Nested::new(model, colours, sets, config).run_or_give_up(),
    }
}

/// Run a search with more and more copies until they are enough.
fn with_copies<M: Acceptance, S>(
    model: &mut M,
    config: &SearchConfig<'_>,
    mut run: impl FnMut(&mut M, Sets, &SearchConfig<'_>) -> (Outcome, bool, S),
) -> (Outcome, S) {
    let mut processes = PROCESSES;
    let mut config = *config;
    loop {
        let sets = Sets::new(model.sets(), processes);
        let (outcome, again, store) = run(model, sets, &config);
        if !again {
            return (outcome, store);
        }
        processes = (2 * processes + 1).min(MOST_PROCESSES);
        config.time_limit = (config.time_limit).map(|limit| limit.saturating_sub(outcome.duration));
    }
}

/// A copy for each acceptance set and for each process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sets {
    sets: u16,
    processes: u16,
}

/// What a move meets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gathered {
    /// The acceptance sets.
    sets: u32,
    /// Those who would have to move, and have not.
    owing: Pids,
}

impl Sets {
    pub(crate) fn new(sets: u32, processes: usize) -> Sets {
        Sets {
            sets: sets as u16,
            processes: processes as u16,
        }
    }

    fn copies(&self) -> usize {
        usize::from(self.sets + self.processes)
    }

    /// The same copies as bits of one number, if there are few.
    fn few(&self) -> Option<FewSets> {
        let few = FewSets {
            sets: self.sets,
            processes: self.processes,
        };
        (self.copies() <= BEYOND as usize).then_some(few)
    }
}

impl Unfold for Sets {
    type Gathered = Gathered;
    const ONE_COPY: bool = false;
    const SECOND: bool = true;

    #[inline]
    fn begin(&self, rows: &[Row]) -> Gathered {
        Gathered {
            sets: 0,
            owing: Pids::enabled(rows),
        }
    }

    #[inline]
    fn add(&self, mut gathered: Gathered, row: &Row, mark: Mark) -> Gathered {
        gathered.sets |= mark.sets;
        let mut movers = Pids::default();
        movers.insert_movers(row);
        gathered.owing = gathered.owing.without(&movers);
        gathered
    }

    #[inline]
    fn behind(&self, copy: u16, gathered: &Gathered) -> Option<(u16, bool)> {
        if gathered.owing.end() > usize::from(self.processes) {
            return None;
        }
        let copies = self.sets + self.processes;
        let is_met = |copy: u16| match copy.checked_sub(self.sets) {
            None => gathered.sets >> copy & 1 != 0,
            Some(pid) => !gathered.owing.contains(pid as u8),
        };
        let first = (copy..copies).find(|&copy| !is_met(copy));
        if let Some(first) = first {
            return Some((first, false));
        }
        // A new round begins with the same move, and ends before the copy it came from.
        let first = (0..copy).find(|&copy| !is_met(copy));
        Some((first.unwrap_or(0), true))
    }
}

/// The bit for all processes that have no copy.
const BEYOND: u32 = u64::BITS - 1;

/// The copies of [`Sets`] if there are fewer than 64.
///
/// What a move gathers are the copies whose conditions it has not met yet, as bits. A process
/// without a copy that would have to move is never rid of that: then there are not enough copies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FewSets {
    sets: u16,
    processes: u16,
}

impl FewSets {
    /// Without fairness.
    pub(crate) fn unfair(sets: u32) -> FewSets {
        FewSets {
            sets: sets as u16,
            processes: 0,
        }
    }

    /// The copy in which the search waits for a process, as a bit. None if there is no such
    /// copy.
    #[inline]
    fn bit(&self, pid: u8) -> Option<u64> {
        (u16::from(pid) < self.processes).then(|| 1 << (self.sets + u16::from(pid)))
    }

    /// The acceptance sets as bits.
    #[inline]
    fn all_sets(&self) -> u64 {
        u64::from(all_sets(u32::from(self.sets)))
    }
}

impl Unfold for FewSets {
    type Gathered = u64;
    const ONE_COPY: bool = false;
    const SECOND: bool = true;

    #[inline]
    fn begin(&self, rows: &[Row]) -> u64 {
        let mut unmet = self.all_sets();
        if self.processes > 0 {
            for row in rows.iter().filter(|row| row.enables()) {
                unmet |= self.bit(row.pid).unwrap_or(1 << BEYOND);
            }
        }
        unmet
    }

    #[inline]
    fn add(&self, unmet: u64, row: &Row, mark: Mark) -> u64 {
        let mut met = u64::from(mark.sets) & self.all_sets();
        if row.has_mover() {
            met |= self.bit(row.pid).unwrap_or(0);
        }
        if row.has(Row::HANDSHAKE) {
            met |= self.bit(row.partner).unwrap_or(0);
        }
        unmet & !met
    }

    #[inline]
    fn behind(&self, copy: u16, unmet: &u64) -> Option<(u16, bool)> {
        if unmet >> BEYOND != 0 {
            return None;
        }
        let lookahead = unmet >> copy;
        if lookahead != 0 {
            return Some((copy + lookahead.trailing_zeros() as u16, false));
        }
        // A new round begins with the same move, and ends before the copy it came from.
        let first = match unmet {
            0 => 0,
            _ => unmet.trailing_zeros() as u16,
        };
        Some((first, true))
    }
}

#[cfg(test)]
mod tests;
