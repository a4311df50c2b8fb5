//! Depth-first search that misses nothing within its depth bound.
//!
//! Follows: [003, Fig. 8.4]: the depth is kept with each state, and a state that is met again
//! at a smaller depth is explored again. In the worst case each state is explored as often
//! as there are states.
//!
//! Departs:
//! - The departures of [`crate::dfs()`] hold here too, except that end states next to the
//!   bound are checked: everything is found that some execution without a node at the bound
//!   leads to.
//! - Of a state that is explored again, the steps count again and errors are met again;
//!   stored states are counted once.
//! - A state at the bound that has been explored at a smaller depth is not cut.

use space::NextState;
use store::{Insert, Key, StateStore};

use crate::accounting::Accounting;
use crate::depth_first::{DepthFirst, Policy, Visit};
use crate::findings::Keep;
use crate::{Outcome, SearchConfig};

/// The bytes that the search keeps in the note of each state.
pub const NOTE_BYTES: usize = 4;

/// Search all executions of a model up to a depth, depth first, for safety violations.
///
/// The store must be empty and have notes of 4 bytes. The outcome is complete if nothing was
/// cut at the bound.
pub fn depth_limited<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    let accounting = Accounting::new(config, model.transition_count(), Keep::First);
    let mut search = DepthFirst::new(model, Depths { store }, accounting);
    // Depths are kept in 4 bytes.
    search.position.bound = search.position.bound.min(u64::from(u32::MAX));
    search.run()
}

/// Enter what is not in the store, or was only met at a greater depth.
pub(crate) struct Depths<'a, S> {
    pub(crate) store: &'a mut S,
}

impl<S: StateStore> Policy for Depths<'_, S> {
    const EXACT: bool = S::EXACT;
    const STAYS_KNOWN: bool = false;
    const UP_TO_BOUND: bool = true;

    #[inline]
    fn focus(&mut self, state: &[u8]) {
        self.store.focus(state);
    }

    #[inline]
    fn prepare(&mut self, state: &[u8]) -> Key {
        self.store.prepare(state)
    }

    /// Only asked at the bound, where it is enough to be in the store.
    #[inline]
    fn is_known(&self, state: &[u8], key: Key) -> bool {
        self.store.contains(state, key)
    }

    #[inline]
    fn visit(&mut self, state: &[u8], key: Key, level: u64) -> Visit {
        let insert = self.store.insert(state, key);
        let note = self.store.note(insert.id());
        let level = (level.min(u64::from(u32::MAX)) as u32).to_le_bytes();
        if matches!(insert, Insert::New(_)) {
            note.copy_from_slice(&level);
            return Visit::New;
        }
        let mut before = [0; NOTE_BYTES];
        before.copy_from_slice(note);
        if u32::from_le_bytes(level) >= u32::from_le_bytes(before) {
            return Visit::Known;
        }
        note.copy_from_slice(&level);
        Visit::Reexplore
    }

    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dfs::tests::ALL_ERRORS;
    use crate::graph::{Edge, Graph, random_graph};
    use crate::oracle;
    use crate::stores::Plain;
    use crate::{Completion, dfs};

    fn bounded(bound: u64) -> SearchConfig<'static> {
        SearchConfig {
            depth: Some(bound),
            ..ALL_ERRORS
        }
    }

    /// [003, Fig. 8.3]: the error is behind 2, and the long way to 2 comes first.
    #[test]
    fn the_short_way_is_taken_too() {
        let mut graph = Graph::free(&[&[1, 2], &[2], &[3], &[]]);
        graph.nodes[3].free = vec![Edge::Fault];
        graph.nodes[3].valid_end = true;
        let missed = dfs(&mut graph, &mut Plain::default(), &bounded(3));
        assert!(missed.findings().is_empty());
        let outcome = depth_limited(&mut graph, &mut Plain::default(), &bounded(3));
        assert_eq!(outcome.findings()[0].depth, 2);
        assert_eq!(outcome.statistics.stored, 4);
        assert_eq!(outcome.completion(), Completion::DepthLimit);
        assert!(outcome.exhaustive().is_none());
    }

    #[test]
    fn everything_within_the_bound_is_found() {
        for rng_seed in 0..500 {
            let mut graph = random_graph(rng_seed);
            for bound in [0, 1, 2, 3, 5, 9, 100] {
                let context = format!("rng_seed {rng_seed}, bound {bound}: {graph:?}");
                let mut store = Plain::default();
                let outcome = depth_limited(&mut graph, &mut store, &bounded(bound));
                assert_eq!(outcome.statistics.stored, store.len(), "{context}");
                let within = oracle::within(&graph, bound);
                let kinds: BTreeSet<_> = within.iter().map(|&(kind, _)| kind).collect();
                let mut found = BTreeSet::new();
                for finding in outcome.findings() {
                    oracle::follow(&graph, finding);
                    let kind = finding.violation.kind;
                    assert!(within.contains(&(kind, finding.depth)), "{context}");
                    found.insert(kind);
                }
                assert_eq!(found, kinds, "{context}");
                if outcome.exhaustive().is_some() {
                    let all = oracle::layers(&graph);
                    assert_eq!(
                        outcome.statistics.stored,
                        all.states.len() as u64,
                        "{context}"
                    );
                } else {
                    assert!(bound < 100, "{context}");
                }
            }
        }
    }
}
