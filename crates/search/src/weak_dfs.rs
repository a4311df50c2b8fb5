//! Depth-first search for accepting cycles in a weak graph, on the fly.
//!
//! Where every cycle is accepting with all its moves or with none ([`Acceptance::is_weak`]), it
//! is enough to look for cycles of accepting moves. A depth-first search closes each of these: the
//! state of the cycle that it comes to first is still on the path when it takes the cycle's last
//! move. So the second search of a nested one is not needed.
//!
//! Follows: [Černá, Pelánek 2003], which tells the classes of automata where one search does.
//!
//! Departs: It is [`crate::nested_dfs()`] with all its departures, whose second search never
//! begins. It stores the same states and visits each of them once.

use space::Acceptance;
use store::StateStore;

use crate::colours::{Noted, note_bytes};
use crate::nested_dfs::Nested;
use crate::unfold::Folded;
use crate::{Outcome, SearchConfig};

/// The bytes that the search keeps in the note of each state.
pub const WEAK_DFS_NOTE_BYTES: usize = note_bytes(1);

/// Search all executions of a weak system depth first for accepting cycles, and for violations
/// of safety on the way.
///
/// The store must be empty and have notes of [`WEAK_DFS_NOTE_BYTES`].
pub fn weak_dfs<M: Acceptance, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty() && model.is_weak());
    let folded = Folded::<false> {
        sets: u32::MAX.checked_shr(32 - model.sets()).unwrap_or(0),
    };
    Nested::new(model, Noted { store }, folded, config).run()
}

#[cfg(test)]
mod tests {
    use space::Fairness;
    use store::{CompactStore, PlainStore, TreeStore};

    use super::*;
    use crate::dfs::tests::ALL_ERRORS;
    use crate::marked::{self, States, random_marked, weaken};
    use crate::{nested_dfs, nested_dfs_note_bytes};

    #[test]
    fn all_stores_agree_with_the_definition() {
        let mut cycles = 0;
        let mut fewer = 0;
        for rng_seed in 0..4000 {
            let mut graph = random_marked(rng_seed);
            weaken(&mut graph, rng_seed);
            let states = States::new(&graph);
            let expected = states.has_cycle(&graph, Fairness::None);
            cycles += usize::from(expected);
            let context = format!("rng_seed {rng_seed}");
            let mut store = PlainStore::with_note(nested_dfs_note_bytes(1));
            let nested = nested_dfs(&mut graph, &mut store, &ALL_ERRORS);
            let mut check = |graph: &marked::Marked, outcome: &Outcome| {
                marked::check(graph, Fairness::None, expected, outcome, &context);
                assert_eq!(outcome.statistics.stored, states.len() as u64, "{context}");
                assert_eq!(outcome.statistics.revisited, 0, "{context}");
                fewer += nested.statistics.revisited;
            };
            let mut store = PlainStore::with_note(WEAK_DFS_NOTE_BYTES);
            let outcome = weak_dfs(&mut graph, &mut store, &ALL_ERRORS);
            check(&graph, &outcome);
            let mut store = TreeStore::with_note(WEAK_DFS_NOTE_BYTES);
            let outcome = weak_dfs(&mut graph, &mut store, &ALL_ERRORS);
            check(&graph, &outcome);
            let mut store = CompactStore::with_note(WEAK_DFS_NOTE_BYTES);
            let outcome = weak_dfs(&mut graph, &mut store, &ALL_ERRORS);
            check(&graph, &outcome);
        }
        assert!(cycles > 500 && fewer > 500, "{cycles}, {fewer}");
    }
}
