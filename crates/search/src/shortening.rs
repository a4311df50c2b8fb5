//! Depth-first search for the shortest counterexample.
//!
//! Follows: [003, ch. 8, Depth-Limited Search]: the search of Fig. 8.4 with the fragment for
//! iterative search, which lowers the bound to the depth of each error found.
//!
//! Departs:
//! - The departures of [`crate::depth_limited()`] hold here too.
//! - Depths are those of findings, one less for an end state than for a step out of the same
//!   node. So the bound lies one level above the depth of the error, and errors that are not
//!   shorter than the last one do not count.
//! - The number of errors asked for does not matter: it goes on until nothing shorter is
//!   left. Then it ends for the limit of errors, since what lies deeper was not searched.

use space::NextState;
use store::{Key, StateStore};

use crate::accounting::Accounting;
use crate::depth_first::{DepthFirst, Policy, Visit};
use crate::depth_limited::Depths;
use crate::findings::Keep;
use crate::{Completion, Outcome, SearchConfig};

/// Search depth first for shorter and shorter violations of safety. The last finding is the
/// shortest of all, for each of the others the shortest that was met.
///
/// The store must be empty and have notes of 4 bytes.
pub fn shortening<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    let config = SearchConfig {
        max_errors: None,
        ..*config
    };
    let accounting = Accounting::new(&config, model.transition_count(), Keep::Shortest);
    let policy = Shorter {
        depths: Depths { store },
        shortest: i64::MAX,
    };
    let mut search = DepthFirst::new(model, policy, accounting);
    search.position.bound = search.position.bound.min(u64::from(u32::MAX));
    let mut outcome = search.run();
    let searched = matches!(
        outcome.completion,
        Completion::Complete | Completion::DepthLimit
    );
    if searched && !outcome.findings.is_empty() {
        outcome.completion = Completion::ErrorLimit;
    }
    outcome
}

/// Look only for errors that are shorter than those found.
struct Shorter<'a, S> {
    depths: Depths<'a, S>,
    /// The depth of the last error.
    shortest: i64,
}

impl<S: StateStore> Policy for Shorter<'_, S> {
    const EXACT: bool = S::EXACT;
    const STAYS_KNOWN: bool = false;
    const UP_TO_BOUND: bool = true;

    #[inline]
    fn focus(&mut self, state: &[u8]) {
        self.depths.focus(state);
    }

    #[inline]
    fn prepare(&mut self, state: &[u8]) -> Key {
        self.depths.prepare(state)
    }

    #[inline]
    fn is_known(&self, state: &[u8], key: Key) -> bool {
        self.depths.is_known(state, key)
    }

    #[inline]
    fn visit(&mut self, state: &[u8], key: Key, level: u64) -> Visit {
        self.depths.visit(state, key, level)
    }

    fn counts(&self, depth: i64) -> bool {
        depth < self.shortest
    }

    fn bound_after(&mut self, depth: i64) -> Option<u64> {
        self.shortest = depth;
        // An end state at the level of a step that fails is one shorter.
        Some((depth + 1).max(0) as u64)
    }

    fn memory_bytes(&self) -> usize {
        self.depths.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dfs::tests::ALL_ERRORS;
    use crate::graph::{Edge, Graph, random_graph};
    use crate::oracle;
    use crate::stores::Plain;

    /// [003, Fig. 8.3], without a bound: first three steps, then two.
    #[test]
    fn the_bound_shrinks() {
        let mut graph = Graph::free(&[&[1, 2], &[2], &[3], &[]]);
        graph.nodes[3].free = vec![Edge::Fault];
        graph.nodes[3].valid_end = true;
        let outcome = shortening(&mut graph, &mut Plain::default(), &ALL_ERRORS);
        assert_eq!(outcome.findings().len(), 1);
        assert_eq!(
            (outcome.findings()[0].depth, outcome.statistics.errors),
            (2, 2)
        );
        assert_eq!(outcome.statistics.stored, 4);
        assert_eq!(outcome.completion(), Completion::ErrorLimit);
    }

    #[test]
    fn the_last_one_is_the_shortest() {
        for rng_seed in 0..1500 {
            let mut graph = random_graph(rng_seed);
            let outcome = shortening(&mut graph, &mut Plain::default(), &ALL_ERRORS);
            let depths = oracle::within(&graph, 200);
            let shortest = depths.iter().map(|&(_, depth)| depth).min();
            let last = outcome.findings().last();
            let context = format!("rng_seed {rng_seed}: {graph:?}");
            assert_eq!(last.map(|finding| finding.depth), shortest, "{context}");
            assert_eq!(outcome.exhaustive().is_some(), last.is_none());
            for finding in outcome.findings() {
                oracle::follow(&graph, finding);
            }
        }
    }
}
