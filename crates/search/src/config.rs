//! What a search is asked to do, and how it tells where it stands.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::{Finding, Order};

/// Limits of a search and its lines to the outside. The default has no limit but ends at
/// the first error.
#[derive(Clone, Copy, Debug)]
pub struct SearchConfig<'a> {
    /// Go no deeper than this: nodes at this level are not entered (Spin's `-m`).
    pub depth: Option<u64>,
    /// End after so many errors (0 counts as 1); `None` finds them all (Spin's `-c0`).
    pub max_errors: Option<u64>,
    /// How many traces to keep of errors of one kind at one place of the model that differ only
    /// in their last step; at least one.
    pub kept_traces: usize,
    /// Is told of each distinct error when it is met, and may end the search.
    pub observer: Option<Observer<'a>>,
    /// End when store and stack together take more bytes than this.
    pub memory_limit: Option<usize>,
    /// End after this time.
    pub time_limit: Option<Duration>,
    /// End soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// Where to write down from time to time how far the search is.
    pub progress: Option<&'a Progress>,
    /// Look at the limits, and report progress, once per so many steps.
    pub poll_interval: usize,
    /// The order in which a depth-first search tries the steps of a node.
    pub order: Order,
    /// About how many bytes of the path of a depth-first search may lie in memory. The rest
    /// goes to a temporary file.
    pub stack_in_memory: usize,
    /// About how many bytes of successors that a depth-first search does not take at once may
    /// lie in memory. Where there are more, nodes are expanded again.
    pub successors_in_memory: usize,
    /// Write down from time to time, and at a limit, where the search stands.
    pub checkpoint: Option<Checkpoint<'a>>,
}

/// Is told of each distinct error when it is met, with its trace. `Break` ends the search as if
/// the number of errors asked for had been reached.
#[derive(Clone, Copy)]
pub struct Observer<'a>(pub &'a dyn Fn(&Finding) -> ControlFlow<()>);

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// Where and how often a search is written down.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint<'a> {
    /// The file. It is replaced as a whole.
    pub path: &'a Path,
    /// The time between two.
    pub interval: Duration,
    /// Tells model and options apart: a file with another one is not resumed. Everything
    /// that changes the steps of a model or their order has to be part of it.
    pub fingerprint: u64,
}

impl Default for SearchConfig<'_> {
    fn default() -> Self {
        SearchConfig {
            depth: None,
            max_errors: Some(1),
            kept_traces: 100,
            observer: None,
            memory_limit: None,
            time_limit: None,
            stop: None,
            progress: None,
            poll_interval: 4096,
            order: Order::Spin,
            stack_in_memory: 1 << 30,
            successors_in_memory: 4 << 20,
            checkpoint: None,
        }
    }
}

/// How far a search is, for another thread to read while it runs.
///
/// The numbers are for people and may be some thousand steps old. They are read and written
/// with relaxed ordering: nothing else is concluded from them, not even that they belong to
/// the same moment.
#[derive(Debug, Default)]
pub struct Progress {
    stored: AtomicU64,
    matched: AtomicU64,
    depth: AtomicU64,
    errors: AtomicU64,
    memory_bytes: AtomicU64,
}

impl Progress {
    /// States stored.
    pub fn stored(&self) -> u64 {
        self.stored.load(Ordering::Relaxed)
    }

    /// Stored and matched states, what Spin calls transitions.
    pub fn transitions(&self) -> u64 {
        self.stored() + self.matched.load(Ordering::Relaxed)
    }

    /// The greatest level reached.
    pub fn depth(&self) -> u64 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Errors found.
    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Memory of store and stack.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes.load(Ordering::Relaxed)
    }

    /// Write down the statistics.
    pub(crate) fn update(&self, statistics: &crate::Statistics, memory_bytes: usize) {
        self.stored.store(statistics.stored, Ordering::Relaxed);
        self.matched.store(statistics.matched, Ordering::Relaxed);
        self.depth.store(statistics.depth, Ordering::Relaxed);
        self.errors.store(statistics.errors, Ordering::Relaxed);
        self.memory_bytes
            .store(memory_bytes as u64, Ordering::Relaxed);
    }
}
