//! Ample sets for searches that see to it that no process waits for ever.

use space::{Asleep, Control, Expansion, NextState, Parts, Pid, PidSet, Row, Situation, Violation};

use crate::Reducer;
use crate::check::Taken;

/// A model of which ample sets are known, or not.
pub struct Reduced<'m, M> {
    /// The model.
    pub model: M,
    /// What knows them.
    pub reducer: Option<Reducer<'m>>,
    /// The sets that were taken, where somebody wants to know.
    pub taken: Option<Taken>,
}

impl<M: NextState> NextState for Reduced<'_, M> {
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
        self.model.extend(state, control, found);
    }

    #[inline]
    fn extend_row(&mut self, row: usize, found: &mut Expansion) {
        self.model.extend_row(row, found);
    }

    #[inline]
    fn extend_chain(&mut self, row: usize, found: &mut Expansion) {
        self.model.extend_chain(row, found);
    }

    #[inline]
    fn leap(&mut self, row: usize, most: u64, found: &mut Expansion) {
        self.model.leap(row, most, found);
    }

    /// Nobody: which steps lead where others lead can only be told if all are taken.
    #[inline]
    fn independent(&mut self, row: &Row, after: &[u8]) -> PidSet {
        match self.reducer {
            None => self.model.independent(row, after),
            Some(_) => PidSet::EMPTY,
        }
    }

    /// Nothing where a reduction has to see each state.
    fn parts(&mut self, state: &[u8]) -> Option<Parts> {
        let sees_outlooks = (self.reducer.as_ref()).is_none_or(Reducer::knows_outlooks);
        match sees_outlooks && self.taken.is_none() {
            true => self.model.parts(state),
            false => None,
        }
    }

    #[inline]
    fn extend_awake(&mut self, state: &[u8], asleep: Asleep, found: &mut Expansion) {
        self.model.extend_awake(state, asleep, found);
    }

    #[inline]
    fn find_ample(&mut self, state: &[u8], rows: &[Row]) -> usize {
        match self.seeks_ample() {
            true => self.find_ample_in(None, state, rows),
            false => 0,
        }
    }

    fn outlook(&mut self, state: &[u8], pid: Pid, rows: &[Row], out: &mut Vec<u32>) -> bool {
        (self.reducer.as_mut()).is_some_and(|reducer| reducer.outlook(state, pid, rows, out))
    }

    #[inline]
    fn seeks_ample(&mut self) -> bool {
        (self.reducer.as_mut()).is_some_and(|reducer| !reducer.patience.is_lost())
    }

    #[inline]
    fn recall_ample(&mut self, situation: u32) -> Option<usize> {
        let reducer = self.reducer.as_mut()?;
        let sets = reducer.recall(situation)?;
        reducer.count(sets);
        Some(sets)
    }

    #[inline]
    fn find_ample_in(&mut self, situation: Option<Situation>, state: &[u8], rows: &[Row]) -> usize {
        let Some(reducer) = &mut self.reducer else {
            return 0;
        };
        let sets = match situation {
            None => reducer.find_at_length(state, rows).len(),
            Some(situation) => reducer.find_in(situation, state, rows).len(),
        };
        reducer.count(sets);
        sets
    }

    fn begin(&mut self) {
        if let Some(reducer) = &mut self.reducer {
            reducer.begin();
        }
    }

    #[inline]
    fn ample(&self, number: usize) -> PidSet {
        let sets = self.reducer.as_ref().map(Reducer::sets);
        sets.and_then(|sets| sets.get(number).copied())
            .unwrap_or(PidSet::EMPTY)
    }

    #[inline]
    fn may_sleep(&self, row: usize) -> PidSet {
        (self.reducer.as_ref()).map_or(PidSet::EMPTY, |reducer| reducer.may_sleep(row))
    }

    #[inline]
    fn take(&mut self, state: &[u8], set: PidSet) {
        if let Some(reducer) = &mut self.reducer {
            reducer.take(set);
        }
        if let Some(taken) = &mut self.taken {
            taken.record(state, set);
        }
    }

    fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.model.is_valid_end(state)
    }
}
