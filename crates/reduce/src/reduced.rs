//! Ample sets for searches that see to it that no process waits for ever.

use space::{AmpleSets, Asleep, Control, Expansion, NextState, PidSet, Row, Violation};

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
    #[inline]
    fn extend_awake(&mut self, state: &[u8], asleep: Asleep, found: &mut Expansion) {
        self.model.extend_awake(state, asleep, found);
    }

    #[inline]
    fn ample_sets(&mut self) -> Option<&mut dyn AmpleSets> {
        match &mut self.reducer {
            Some(reducer) => Some(reducer),
            None => None,
        }
    }

    #[inline]
    fn may_sleep(&self, row: usize) -> PidSet {
        (self.reducer.as_ref()).map_or(PidSet::EMPTY, |reducer| reducer.may_sleep(row))
    }

    #[inline]
    fn take(&mut self, state: &[u8], set: PidSet) {
        if let Some(taken) = &mut self.taken {
            taken.record(state, set);
        }
    }

    fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.model.is_valid_end(state)
    }
}
