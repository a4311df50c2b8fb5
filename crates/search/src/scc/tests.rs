use store::{CompactStore, PlainStore, TreeStore};

use super::*;
use crate::dfs::tests::ALL_ERRORS;
use crate::marked::{self, Marked, States, random_marked};

#[test]
fn agrees_with_the_definition() {
    for rng_seed in 0..4000 {
        let mut graph = random_marked(rng_seed);
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let context = format!("rng_seed {rng_seed}, {fairness:?}");
            let mut store = PlainStore::with_note(SCC_NOTE_BYTES);
            let outcome = scc(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, &outcome, &context);
            assert_eq!(outcome.figures.stored, States::new(&graph).len() as u64);
            assert!(outcome.exhaustive().is_some(), "{context}");
            let mut store = TreeStore::with_note(SCC_NOTE_BYTES);
            let outcome = scc(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, &outcome, &context);
            let few = SearchConfig {
                successors_in_memory: 300,
                ..ALL_ERRORS
            };
            let mut store = CompactStore::with_note(SCC_NOTE_BYTES);
            let outcome = scc(&mut graph, &mut store, fairness, &few);
            marked::check(&graph, fairness, &outcome, &context);
        }
    }
}

fn run(graph: &mut Marked, config: &SearchConfig<'_>) -> Outcome {
    let mut store = PlainStore::with_note(SCC_NOTE_BYTES);
    scc(graph, &mut store, Fairness::None, config)
}

/// Two components with an accepting cycle, and one without.
#[test]
fn one_cycle_in_each_component() {
    let mut graph = Marked::accepting(&[&[1, 3, 5], &[2, 1], &[1], &[4], &[3], &[5]], &[1, 3]);
    let outcome = run(&mut graph, &ALL_ERRORS);
    assert_eq!(outcome.figures.errors, 2);
    marked::check(&graph, Fairness::None, &outcome, "by hand");
}
