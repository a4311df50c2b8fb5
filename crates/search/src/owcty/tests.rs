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
            let mut store = PlainStore::with_note(OWCTY_NOTE_BYTES);
            let outcome = owcty(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, &outcome, &context);
            assert_eq!(outcome.figures.stored, States::new(&graph).len() as u64);
            assert!(outcome.exhaustive().is_some(), "{context}");
            let mut store = TreeStore::with_note(OWCTY_NOTE_BYTES);
            let outcome = owcty(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, &outcome, &context);
            let mut store = CompactStore::with_note(OWCTY_NOTE_BYTES);
            let outcome = owcty(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, &outcome, &context);
        }
    }
}
