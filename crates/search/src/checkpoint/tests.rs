//! Searches that are interrupted again and again come to the same end.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use space::{Control, Expansion, Violation};
use store::StateStore;

use super::*;
use crate::dfs::tests::ALL_ERRORS;
use crate::graph::{Graph, random_graph};
use crate::numbers::Numbers;
use crate::stores::{Plain, Unordered, Unreadable};
use crate::{Completion, Outcome, SearchConfig, bfs, bfs_resume, dfs, dfs_resume};

/// A model that asks for an end after some nodes.
struct Stopping<'a> {
    graph: &'a mut Graph,
    left: usize,
    stop: &'a AtomicBool,
}

impl NextState for Stopping<'_> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.graph.initial()
    }

    fn hidden_len(&self) -> usize {
        self.graph.hidden_len()
    }

    fn transition_count(&self) -> usize {
        self.graph.transition_count()
    }

    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            // Relaxed: there is one thread.
            None => self.stop.store(true, Ordering::Relaxed),
        }
        self.graph.extend(state, control, found);
    }

    fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.graph.is_valid_end(state)
    }
}

/// A file that goes away.
struct TestFile(PathBuf);

impl TestFile {
    fn new(name: &str) -> TestFile {
        let name = format!("spinor-checkpoint-{}-{name}", std::process::id());
        TestFile(std::env::temp_dir().join(name))
    }

    fn checkpoint(&self) -> Checkpoint<'_> {
        Checkpoint {
            path: &self.0,
            interval: Duration::from_secs(3600),
            fingerprint: 7,
        }
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Begin a search, and go on with it after every interrupt.
fn in_pieces<S: StateStore + Default>(
    graph: &mut Graph,
    numbers: &mut Numbers,
    file: &TestFile,
    is_bfs: bool,
) -> (Outcome, u32) {
    let mut pieces = 0;
    loop {
        let stop = AtomicBool::new(false);
        let checkpoint = file.checkpoint();
        let config = SearchConfig {
            stop: Some(&stop),
            poll_interval: 1,
            checkpoint: Some(checkpoint),
            ..ALL_ERRORS
        };
        let model = &mut Stopping {
            left: numbers.below(20),
            graph,
            stop: &stop,
        };
        let store = &mut S::default();
        let outcome = match (pieces, is_bfs) {
            (0, true) => Ok(bfs(model, store, &config)),
            (0, false) => Ok(dfs(model, store, &config)),
            (_, true) => bfs_resume(model, store, &config, &checkpoint),
            (_, false) => dfs_resume(model, store, &config, &checkpoint),
        };
        pieces += 1;
        match outcome {
            Ok(outcome) if outcome.completion() == Completion::Interrupted => {
                assert_eq!(outcome.io_error, None);
            }
            Ok(outcome) => return (outcome, pieces),
            Err(error) => panic!("{error}"),
        }
    }
}

fn check<S: StateStore + Default>(name: &str, is_bfs: bool) {
    let mut numbers = Numbers::new(11);
    let file = TestFile::new(name);
    let mut all_pieces = 0;
    for rng_seed in 0..150 {
        let mut graph = random_graph(rng_seed);
        let whole = match is_bfs {
            true => bfs(&mut graph, &mut S::default(), &ALL_ERRORS),
            false => dfs(&mut graph, &mut S::default(), &ALL_ERRORS),
        };
        let (outcome, pieces) = in_pieces::<S>(&mut graph, &mut numbers, &file, is_bfs);
        assert_eq!(outcome.statistics, whole.statistics, "rng_seed {rng_seed}");
        assert_eq!(outcome.findings(), whole.findings(), "rng_seed {rng_seed}");
        assert_eq!(outcome.reached, whole.reached, "rng_seed {rng_seed}");
        assert_eq!(outcome.completion(), whole.completion());
        all_pieces += pieces;
    }
    assert!(all_pieces > 200);
}

#[test]
fn depth_first_in_pieces() {
    check::<Plain>("dfs", false);
}

#[test]
fn breadth_first_in_pieces() {
    check::<Plain>("bfs", true);
    check::<Unordered>("bfs", true);
    check::<Unreadable>("bfs", true);
}

#[test]
fn only_the_right_file_is_resumed() {
    let file = TestFile::new("wrong");
    let graph = &mut Graph::free(&[&[1], &[2], &[0]]);
    let resume = |graph: &mut Graph, fingerprint| {
        let from = Checkpoint {
            fingerprint,
            ..file.checkpoint()
        };
        dfs_resume(graph, &mut Plain::default(), &ALL_ERRORS, &from)
    };
    assert!(matches!(resume(graph, 7), Err(ResumeError::Io(_))));
    let stop = AtomicBool::new(true);
    let config = SearchConfig {
        stop: Some(&stop),
        poll_interval: 1,
        checkpoint: Some(file.checkpoint()),
        ..ALL_ERRORS
    };
    dfs(graph, &mut Plain::default(), &config);
    assert!(resume(graph, 7).is_ok());
    assert!(matches!(resume(graph, 8), Err(ResumeError::OtherModel)));
    bfs(graph, &mut Plain::default(), &config);
    assert!(matches!(resume(graph, 7), Err(ResumeError::OtherSearch)));
    assert!(std::fs::write(&file.0, b"something else").is_ok());
    assert!(matches!(resume(graph, 7), Err(ResumeError::NotACheckpoint)));
}

#[test]
fn torn_files_are_refused() {
    let file = TestFile::new("torn");
    let graph = &mut random_graph(3);
    let stop = AtomicBool::new(true);
    let config = SearchConfig {
        stop: Some(&stop),
        poll_interval: 1,
        checkpoint: Some(file.checkpoint()),
        ..ALL_ERRORS
    };
    dfs(graph, &mut Plain::default(), &config);
    let whole = std::fs::read(&file.0).unwrap_or_default();
    assert!(whole.len() > 20);
    for len in 0..whole.len() {
        assert!(std::fs::write(&file.0, &whole[..len]).is_ok());
        let from = file.checkpoint();
        let resumed = dfs_resume(graph, &mut Plain::default(), &ALL_ERRORS, &from);
        assert!(resumed.is_err(), "{len} of {}", whole.len());
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told() {
    let path = std::env::temp_dir().join("no such folder").join("file");
    let stop = AtomicBool::new(true);
    let config = SearchConfig {
        stop: Some(&stop),
        poll_interval: 1,
        checkpoint: Some(Checkpoint {
            path: &path,
            interval: Duration::ZERO,
            fingerprint: 0,
        }),
        ..ALL_ERRORS
    };
    let outcome = bfs(
        &mut Graph::free(&[&[1], &[0]]),
        &mut Plain::default(),
        &config,
    );
    assert!(
        outcome
            .io_error
            .is_some_and(|text| text.contains("checkpoint"))
    );
}
