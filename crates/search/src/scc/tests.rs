use store::{CompactStore, PlainStore, TreeStore};

use super::*;
use crate::dfs::tests::ALL_ERRORS;
use crate::marked::{self, Edge, Marked, Node, States, random_marked, random_row, to};

#[test]
fn agrees_with_the_definition() {
    let mut cycles = [0; 3];
    for rng_seed in 0..2000 {
        let mut graph = random_marked(rng_seed);
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let context = format!("rng_seed {rng_seed}, {fairness:?}");
            let states = States::new(&graph);
            let expected = states.has_cycle(&graph, fairness);
            cycles[fairness as usize] += usize::from(expected);
            let mut store = PlainStore::with_note(SCC_NOTE_BYTES);
            let outcome = scc(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, expected, &outcome, &context);
            assert_eq!(outcome.statistics.stored, states.len() as u64);
            assert!(outcome.exhaustive().is_some(), "{context}");
            let mut store = TreeStore::with_note(SCC_NOTE_BYTES);
            let outcome = scc(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, expected, &outcome, &context);
            let few = SearchConfig {
                successors_in_memory: 300,
                ..ALL_ERRORS
            };
            let mut store = CompactStore::with_note(SCC_NOTE_BYTES);
            let outcome = scc(&mut graph, &mut store, fairness, &few);
            marked::check(&graph, fairness, expected, &outcome, &context);
        }
    }
    let [none, weak, strong] = cycles;
    assert!(
        none < 1500 && none > weak && weak > strong && strong > 500,
        "{cycles:?}"
    );
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
    assert_eq!(outcome.statistics.errors, 2);
    marked::check(&graph, Fairness::None, true, &outcome, "by hand");
}

#[test]
fn limits() {
    marked::check_limits(run);
}

/// The whole component is not fair to process 1, but the part without state 1 is.
#[test]
fn a_part_of_a_component_is_strongly_fair() {
    let mut nodes = vec![Node::default(); 3];
    nodes[0].free = vec![to(1), Edge { sets: 1, ..to(0) }];
    nodes[1].free = vec![to(0), Edge { pid: 1, ..to(2) }];
    let mut graph = Marked {
        nodes,
        sets: 1,
        ..Marked::default()
    };
    for fairness in [Fairness::Weak, Fairness::Strong] {
        let mut store = PlainStore::with_note(SCC_NOTE_BYTES);
        let outcome = scc(&mut graph, &mut store, fairness, &ALL_ERRORS);
        marked::check(&graph, fairness, true, &outcome, "by hand");
        let trace = &outcome.findings()[0].trace;
        assert_eq!((trace.cycle, trace.steps.len()), (Some(0), 1));
    }
    // Without the short cycle there is only the unfair one.
    graph.nodes[0].free.pop();
    graph.sets = 0;
    let mut store = PlainStore::with_note(SCC_NOTE_BYTES);
    let outcome = scc(&mut graph, &mut store, Fairness::Strong, &ALL_ERRORS);
    marked::check(&graph, Fairness::Strong, false, &outcome, "by hand");
}

/// Graphs that are too large for the definitions: the searches agree, and what they find are
/// cycles.
#[test]
fn searches_agree_on_larger_graphs() {
    let mut cycles = [0; 3];
    for rng_seed in 0..300 {
        let mut graph = random_row(rng_seed);
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let context = format!("rng_seed {rng_seed}, {fairness:?}");
            let mut store = PlainStore::with_note(SCC_NOTE_BYTES);
            let outcome = scc(&mut graph, &mut store, fairness, &ALL_ERRORS);
            let lasso = |finding: &crate::Finding| finding.trace.cycle.is_some();
            let expected = outcome.findings().iter().any(lasso);
            cycles[fairness as usize] += usize::from(expected);
            marked::check(&graph, fairness, expected, &outcome, &context);
            let mut store = PlainStore::with_note(crate::OWCTY_NOTE_BYTES);
            let outcome = crate::owcty(&mut graph, &mut store, fairness, &ALL_ERRORS);
            marked::check(&graph, fairness, expected, &outcome, &context);
            let outcome = match fairness {
                Fairness::None => {
                    let bytes = crate::nested_dfs_note_bytes(graph.sets);
                    let mut store = PlainStore::with_note(bytes);
                    crate::nested_dfs(&mut graph, &mut store, &ALL_ERRORS)
                }
                Fairness::Weak => {
                    crate::nested_dfs_fair(&mut graph, PlainStore::with_note, &ALL_ERRORS).0
                }
                Fairness::Strong => continue,
            };
            marked::check(&graph, fairness, expected, &outcome, &context);
        }
    }
    let [none, weak, strong] = cycles;
    assert!(none < 300 && none > weak && weak > strong, "{cycles:?}");
}
