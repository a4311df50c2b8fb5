//! What every search for cycles has to do besides finding them.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use space::{Fairness, ViolationKind};
use store::PlainStore;

use super::{Marked, States, check, follow, random_marked};
use crate::{Completion, Finding, Outcome, SearchConfig};

/// A search with a store of its own.
pub(crate) type Search = fn(&mut Marked, &SearchConfig<'_>) -> Outcome;

/// A long line with an accepting cycle at its end, within all sorts of limits.
#[track_caller]
pub(crate) fn check_limits(search: Search) {
    let line: Vec<Vec<usize>> = (0..200).map(|n| vec![(n + 1).min(199)]).collect();
    let line: Vec<&[usize]> = line.iter().map(Vec::as_slice).collect();
    let graph = Marked::accepting(&line, &[199]);
    let plain = SearchConfig {
        poll_interval: 1,
        max_errors: None,
        ..SearchConfig::default()
    };
    let stop = AtomicBool::new(true);
    let limits = [
        (plain, Completion::Complete),
        (
            SearchConfig {
                max_errors: Some(1),
                ..plain
            },
            Completion::ErrorLimit,
        ),
        (
            SearchConfig {
                depth: Some(100),
                ..plain
            },
            Completion::DepthLimit,
        ),
        (
            SearchConfig {
                memory_limit: Some(1),
                ..plain
            },
            Completion::MemoryLimit,
        ),
        (
            SearchConfig {
                time_limit: Some(Duration::ZERO),
                ..plain
            },
            Completion::TimeLimit,
        ),
        (
            SearchConfig {
                stop: Some(&stop),
                ..plain
            },
            Completion::Interrupted,
        ),
    ];
    for (config, ended) in limits {
        let outcome = search(&mut graph.clone(), &config);
        assert_eq!(outcome.completion(), ended);
        let all = matches!(ended, Completion::Complete | Completion::ErrorLimit);
        assert_eq!(outcome.findings().len(), usize::from(all), "{ended:?}");
        assert_eq!(
            outcome.exhaustive().is_some(),
            ended == Completion::Complete
        );
    }
    check_bounded(search);
    check_safety(search);
}

/// Within a depth bound nothing false is found, and nothing is said to hold that does not.
#[track_caller]
fn check_bounded(search: Search) {
    for rng_seed in 0..500 {
        let mut graph = random_marked(rng_seed);
        for depth in 0..6 {
            let config = SearchConfig {
                depth: Some(depth),
                max_errors: None,
                ..SearchConfig::default()
            };
            let outcome = search(&mut graph, &config);
            let lasso = |finding: &&Finding| finding.trace.cycle.is_some();
            for finding in outcome.findings().iter().filter(lasso) {
                follow(&graph, Fairness::None, finding);
            }
            if outcome.exhaustive().is_some() {
                let expected = States::new(&graph).has_cycle(&graph, Fairness::None);
                check(&graph, Fairness::None, expected, &outcome, "bounded");
            }
        }
    }
}

/// Violations of safety are found as by a plain search, with a trace that leads to them.
#[track_caller]
fn check_safety(search: Search) {
    let config = SearchConfig {
        max_errors: None,
        kept_traces: usize::MAX,
        ..SearchConfig::default()
    };
    let steps = |outcome: &Outcome| -> BTreeSet<u32> {
        let safety = |finding: &&Finding| finding.trace.cycle.is_none();
        (outcome.findings().iter().filter(safety))
            .map(|finding| {
                assert_eq!(finding.violation.kind, ViolationKind::Assertion);
                assert_eq!(finding.trace.steps.len(), finding.trace.claim.len());
                *finding.trace.claim.last().expect("the failing step")
            })
            .collect()
    };
    let mut found = 0;
    for rng_seed in 0..500 {
        let mut graph = random_marked(rng_seed);
        let plain = crate::dfs(&mut graph, &mut PlainStore::new(), &config);
        let outcome = search(&mut graph, &config);
        assert_eq!(
            steps(&outcome),
            steps(&plain),
            "rng_seed {rng_seed}: {graph:?}"
        );
        assert_eq!(outcome.reached, plain.reached);
        assert_eq!(outcome.statistics.stored, plain.statistics.stored);
        found += steps(&plain).len();
    }
    assert!(found > 100);
}
