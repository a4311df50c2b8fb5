//! From steps to moves: through atomic sequences to the states where these end.

use std::ops::Range;

use space::{Expansion, NextState, Pid, PidSet, Row};

use super::Stop;
use super::memo::Counts;
use super::state::{Digest, State};
use super::system::{Next, System};
use super::way::Way;
use crate::depth_first::LONGEST;

/// The moves of a process have no more steps than about this, all ways through atomic sequences
/// together.
const MOST_STEPS: usize = 1 << 14;

/// Rows of a node that were not looked at, and how it was come to from a state.
#[derive(Debug)]
pub(super) struct Open {
    rows: Range<usize>,
    /// The levels in between, the steps behind the first one, and who made one.
    levels: u32,
    steps: u32,
    movers: PidSet,
    /// Whether there was only one way to go on.
    is_straight: bool,
}

impl<M: NextState, D: Digest, const W: usize> System<'_, M, D, W> {
    /// Follow the rows that were found out of a state, through atomic sequences, to the states
    /// where these end, in the order of a depth-first search.
    pub(super) fn follow(
        &mut self,
        state: &State<W, D>,
        out: &mut Vec<Next<W, D>>,
    ) -> Result<Counts, Stop> {
        let kind = self.kind_of(state);
        let mut found = std::mem::take(&mut self.found);
        let mut counts = Counts::default();
        self.open.clear();
        self.open.push(Open {
            rows: 0..found.rows.len(),
            levels: 0,
            steps: 0,
            movers: PidSet::EMPTY,
            is_straight: true,
        });
        while let Some(open) = self.open.last_mut() {
            let Some(number) = open.rows.next() else {
                self.open.pop();
                continue;
            };
            let row = found.rows[number];
            let steps = found.rows.len() + counts.atomic_steps as usize;
            if row.has(Row::VIOLATION | Row::FAULT) || steps > MOST_STEPS {
                return Err(Stop::GiveUp);
            }
            if row.has(Row::OFFER) {
                counts.reach = counts.reach.max(open.levels + 1);
                counts.offers |= open.levels == 0;
                continue;
            }
            self.accounting.execute(&row);
            let levels = open.levels + row.levels() as u32;
            let (steps, mut is_straight) = (open.steps, open.is_straight);
            let movers = with_movers(open.movers, &row);
            let mut is_state = true;
            if row.has(Row::EXCLUSIVE) {
                let from = found.rows.len();
                let passed = self.step_on(number, &mut found);
                counts.atomic_steps += 1 + passed;
                counts.reach = counts.reach.max(levels + passed);
                let steps = steps + passed + 1;
                self.open.push(Open {
                    rows: from..found.rows.len(),
                    levels: levels + passed,
                    steps,
                    movers,
                    is_straight: is_straight && is_only_way(&found.rows[from..], steps),
                });
                is_state = !found.moved;
                // Nobody could go on, which only turns out inside the sequence.
                is_straight = false;
            }
            if is_state {
                let movers = self.outlooks.number_movers(movers);
                let way = Way::new(levels, is_straight, movers).ok_or(Stop::GiveUp)?;
                let state = self.pack_near(kind, state, found.vector(&row))?;
                out.push(Next {
                    state,
                    way,
                    row: 0,
                    asleep: 0,
                });
            }
        }
        self.found = found;
        Ok(counts)
    }

    /// Append the steps out of the successor of a row, which is inside an atomic sequence. Where
    /// there is only one way to go on, several steps are made, of which the last one gets a row:
    /// returns how many others there were.
    fn step_on(&mut self, number: usize, found: &mut Expansion) -> u32 {
        let (from, violations) = (found.rows.len(), found.violations.len());
        self.model.leap(number, MOST_STEPS as u64, found);
        let passed = found.passed.steps;
        let rows = &found.rows[from..];
        let is_clear = rows.len() == 1 || passed == 0 && !rows.iter().any(|r| r.has(Row::CHAINED));
        if !is_clear {
            found.rows.truncate(from);
            found.violations.truncate(violations);
            found.passed.clear();
            self.model.extend_row(number, found);
            return 0;
        }
        self.accounting.pass(&mut found.passed);
        passed as u32
    }
}

/// Some processes, and those who make a step.
fn with_movers(movers: PidSet, row: &Row) -> PidSet {
    let partner = match row.has(Row::HANDSHAKE) {
        true => PidSet::only(Pid(row.partner)),
        false => PidSet::EMPTY,
    };
    PidSet(movers.0 | PidSet::only(Pid(row.pid)).0 | partner.0)
}

/// Whether these rows, to whose successors so many steps lead behind the first one, are a way that a
/// depth-first search follows at once.
fn is_only_way(rows: &[Row], steps: u32) -> bool {
    match rows {
        [row] => row.flags & !(Row::EXCLUSIVE | Row::CHAINED) == 0 && steps <= LONGEST.into(),
        _ => false,
    }
}
