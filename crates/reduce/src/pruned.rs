//! Ample sets taken whatever the search is.
//!
//! An ample set with a step that breaks a cycle of control flow is not taken
//! ([`Table::sticky`](model::dependency::Table::sticky)). So every cycle has a state whose steps are
//! all taken, and which steps a state has depends on nothing but the state: the second search of a
//! nested one, components and backward searches see the same graph.
//!
//! Where steps are left out, a row for each process that could have moved says so
//! ([`Row::LEFT_OUT`]): fairness asks who can.

use space::{Control, Expansion, NextState, Pid, PidSet, Row, Violation};

use crate::Reducer;

/// A model without the steps that are not needed.
pub struct Pruned<'m, M> {
    /// The model.
    pub model: M,
    /// What knows which are needed; without it, all are.
    pub reducer: Option<Reducer<'m>>,
}

impl<M: NextState> NextState for Pruned<'_, M> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.model.initial()
    }

    fn hidden_len(&self) -> usize {
        self.model.hidden_len()
    }

    fn transition_count(&self) -> usize {
        self.model.transition_count()
    }

    #[inline]
    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        let from = found.rows.len();
        self.model.extend(state, control, found);
        if control == Control::Free
            && let Some(reducer) = &mut self.reducer
            && let Some(&set) = reducer.find(state, &found.rows[from..], true).first()
        {
            prune(found, from, set);
        }
    }

    #[inline]
    fn extend_chain(&mut self, row: usize, found: &mut Expansion) {
        self.model.extend_chain(row, found);
    }

    fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.model.is_valid_end(state)
    }
}

/// Leave out the steps of all processes but some, from a row on.
fn prune(found: &mut Expansion, from: usize, set: PidSet) {
    let is_kept = |row: &Row| row.has(Row::OFFER) || set.has(Pid(row.pid));
    if (found.violations.last()).is_some_and(|(row, _)| *row as usize >= from) {
        renumber_violations(found, from, is_kept);
    }
    let mut left_out = PidSet::EMPTY;
    let mut kept = from;
    for number in from..found.rows.len() {
        let row = found.rows[number];
        if is_kept(&row) {
            found.rows[kept] = row;
            kept += 1;
        } else {
            left_out.insert(Pid(row.pid));
        }
    }
    found.rows.truncate(kept);
    for pid in left_out.iter() {
        found.push_bare(Row {
            pid: pid.0,
            flags: Row::LEFT_OUT,
            ..Row::default()
        });
    }
}

/// What the rows violate that will be left, by the numbers that they will have.
#[cold]
fn renumber_violations(found: &mut Expansion, from: usize, is_kept: impl Fn(&Row) -> bool) {
    let rows = &found.rows;
    found.violations.retain_mut(|(row, _)| {
        let number = *row as usize;
        if number < from {
            return true;
        }
        let before = rows[from..number].iter().filter(|row| is_kept(row)).count();
        *row = (from + before) as u32;
        is_kept(&rows[number])
    });
}
