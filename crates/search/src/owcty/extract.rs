//! EXTRACT-CYCLE: a counterexample from the states that are left.

use space::Acceptance;
use store::{StateId, StateStore};

use super::{IN, Owcty};
use crate::Completion;
use crate::lasso::lasso;

impl<M: Acceptance, S: StateStore> Owcty<'_, M, S> {
    /// EXTRACT-CYCLE: report a cycle that is near.
    pub(super) fn extract(&mut self) -> Result<(), Completion> {
        let mut vector = Vec::new();
        let mut best: Option<(u32, Vec<u32>)> = None;
        while self.members.pop(&mut vector) {
            let Some(id) = self.find(&vector) else {
                continue;
            };
            let nearest = best.as_ref().map(|(number, _)| *number);
            if nearest.is_some_and(|nearest| nearest <= self.number(id)) {
                break;
            }
            if self.marks(id) & IN != 0
                && let Some(found) = self.extract_from(&vector)?
                && nearest.is_none_or(|nearest| found.0 < nearest)
            {
                best = Some(found);
            }
        }
        let Some((number, cycle)) = best else {
            // Only a lossy store or hidden variables can promise what is not there.
            self.accounting.truncated = true;
            return Ok(());
        };
        let stem = self.links.moves_to(u64::from(number));
        let (trace, depth) = lasso(self.model, stem, &cycle, &mut self.accounting);
        let violation = self.model.cycle_kind().into();
        self.accounting.record(violation, depth, trace)
    }

    /// The nearest state on a fair cycle that is reachable from a state inside the set, by its
    /// number, with a cycle from it. The states that were looked at leave the set.
    fn extract_from(&mut self, vector: &[u8]) -> Result<Option<(u32, Vec<u32>)>, Completion> {
        let component = self.component(vector)?;
        for &name in component.names() {
            self.set_marks(StateId::from_bits(name), 0);
        }
        let numbers: Vec<u32> = (component.names().iter())
            .map(|&name| self.number(StateId::from_bits(name)))
            .collect();
        let sets = component.fair_sets(self.all, self.fairness);
        let starts = sets.iter().filter_map(|set| {
            let start = set.iter().min_by_key(|&&state| numbers[state as usize])?;
            Some((*start, set))
        });
        let nearest = starts.min_by_key(|&(start, _)| numbers[start as usize]);
        Ok(nearest.and_then(|(start, set)| {
            let cycle = component.cycle(set, start, self.all, self.fairness)?;
            Some((numbers[start as usize], cycle))
        }))
    }

    /// The number of a state, in the order in which they were found.
    fn number(&mut self, id: StateId) -> u32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.store.note(id)[..4]);
        u32::from_le_bytes(bytes)
    }
}
