//! The accounting of a search: what it counts, and the limits at which it has to end.

use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use space::{Passed, Row, Step, Trace, Violation};

use crate::findings::{Findings, Keep};
use crate::{Completion, Outcome, SearchConfig, Statistics};

/// A vector of this many bytes costs as much as one more row.
const LONG_VECTOR: usize = 1 << 10;

/// The accounting of a search.
#[derive(Debug)]
pub(crate) struct Accounting<'a> {
    pub(crate) config: SearchConfig<'a>,
    pub(crate) statistics: Statistics,
    /// For each transition whether it was executed.
    pub(crate) reached: Vec<bool>,
    pub(crate) findings: Findings,
    /// Whether the last finding is new to the observer.
    unseen: bool,
    /// Whether the observer has seen enough.
    enough: bool,
    /// Whether something was passed over because of the depth bound.
    pub(crate) truncated: bool,
    /// Whether an atomic sequence that never ends leaves the answer open. It does in a search for
    /// cycles; every state is found without going round again.
    pub(crate) diverges: bool,
    /// See [`Outcome::given_up`].
    pub(crate) given_up: Option<u64>,
    /// An I/O error, to be reported at the end.
    pub(crate) io_error: Option<String>,
    /// The time that was spent before the search was resumed.
    pub(crate) earlier: Duration,
    start: Instant,
    until_poll: usize,
    last_checkpoint: Instant,
}

impl<'a> Accounting<'a> {
    pub(crate) fn new(config: &SearchConfig<'a>, transitions: usize, keep: Keep) -> Accounting<'a> {
        Accounting {
            config: *config,
            statistics: Statistics::default(),
            reached: vec![false; transitions],
            findings: Findings::new(config.kept_traces, keep),
            unseen: false,
            enough: false,
            truncated: false,
            diverges: false,
            given_up: None,
            io_error: None,
            earlier: Duration::ZERO,
            start: Instant::now(),
            until_poll: config.poll_interval,
            last_checkpoint: Instant::now(),
        }
    }

    /// The time spent so far.
    pub(crate) fn elapsed(&self) -> Duration {
        self.earlier + self.start.elapsed()
    }

    /// A node was expanded to so many rows.
    #[inline]
    pub(crate) fn work(&mut self, rows: usize, vector_len: usize) {
        // Long vectors take longer, so the limits are looked at more often.
        let work = (rows + 1) * (1 + vector_len / LONG_VECTOR);
        self.until_poll = self.until_poll.saturating_sub(work);
    }

    /// Something took long: look at the limits soon.
    pub(crate) fn work_hard(&mut self) {
        self.until_poll = 0;
    }

    /// Whether it is time for [`Accounting::poll`].
    #[inline]
    pub(crate) fn is_poll_due(&self) -> bool {
        self.until_poll == 0
    }

    /// Look at the limits and write down the progress.
    #[cold]
    pub(crate) fn poll(&mut self, memory: usize) -> Result<(), Completion> {
        self.until_poll = self.config.poll_interval;
        let config = &self.config;
        if let Some(progress) = config.progress {
            progress.update(&self.statistics, memory);
        }
        // Relaxed: nothing else is read because the flag is set.
        if (config.stop).is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            Err(Completion::Interrupted)
        } else if (config.memory_limit).is_some_and(|limit| memory > limit) {
            Err(Completion::MemoryLimit)
        } else if (config.time_limit).is_some_and(|limit| self.start.elapsed() > limit) {
            Err(Completion::TimeLimit)
        } else {
            Ok(())
        }
    }

    /// Whether it is time to write the search down: also when it ends at a limit.
    pub(crate) fn is_checkpoint_due(&self, ends: bool) -> bool {
        (self.config.checkpoint)
            .is_some_and(|checkpoint| ends || self.last_checkpoint.elapsed() >= checkpoint.interval)
    }

    /// The search was written down, or that failed.
    pub(crate) fn checkpoint_written(&mut self, written: io::Result<()>) {
        self.last_checkpoint = Instant::now();
        self.io_error = written.err().map(|error| format!("checkpoint: {error}"));
    }

    /// Something was passed over because of the depth bound.
    pub(crate) fn truncate(&mut self) {
        self.statistics.matched += 1;
        self.truncated = true;
    }

    /// A search for cycles is over. Whether an execution that stays inside an atomic sequence for
    /// ever is accepted cannot be said: no state lies on it, so no claim moves and no label counts.
    /// Also, a move that leaves the sequence only after another round may have more marks than those
    /// that were looked at.
    pub(crate) fn judge_atomics(&mut self) {
        self.diverges = self.statistics.endless_atomics > 0;
    }

    /// A level was reached.
    #[inline]
    pub(crate) fn reach(&mut self, level: u64) {
        self.statistics.depth = self.statistics.depth.max(level);
    }

    /// A state was stored.
    #[inline]
    pub(crate) fn stored(&mut self, len: usize) {
        self.statistics.stored += 1;
        self.statistics.longest_state = self.statistics.longest_state.max(len);
    }

    /// The step of a row is executed, both halves of a handshake.
    #[inline]
    pub(crate) fn execute(&mut self, row: &Row) {
        // A step that leaves the model where it is has no transition.
        if let Some(reached) = self.reached.get_mut(row.transition as usize) {
            *reached = true;
        }
        if row.has(Row::HANDSHAKE) {
            self.reached[row.partner_transition as usize] = true;
        }
    }

    /// Steps without rows were executed.
    #[inline]
    pub(crate) fn pass(&mut self, passed: &mut Passed) {
        if passed.steps == 0 {
            return;
        }
        passed.steps = 0;
        for (reached, executed) in self.reached.iter_mut().zip(&passed.transitions) {
            *reached |= executed;
        }
    }

    /// Whether executing steps without rows is nothing new.
    #[inline]
    pub(crate) fn has_passed(&self, passed: &Passed) -> bool {
        // To the end, whatever comes: so it is done for many at once.
        let pairs = self.reached.iter().zip(&passed.transitions);
        passed.steps == 0
            || pairs.fold(true, |all, (reached, executed)| {
                all & (*reached | !executed)
            })
    }

    /// Whether executing the step of a row is nothing new.
    #[inline]
    pub(crate) fn has_executed(&self, row: &Row) -> bool {
        (self.reached.get(row.transition as usize)).is_none_or(|&reached| reached)
            && (!row.has(Row::HANDSHAKE) || self.reached[row.partner_transition as usize])
    }

    /// Count a violation. Tells whether its trace is wanted, for [`Accounting::keep`].
    pub(crate) fn note(&mut self, violation: Violation, last: Option<Step>, depth: i64) -> bool {
        self.statistics.errors += 1;
        self.unseen = self.findings.record(violation, last, depth);
        self.unseen
    }

    /// Keep the trace of the violation met last.
    pub(crate) fn keep(&mut self, depth: i64, trace: Trace) {
        self.findings.keep(depth, trace);
    }

    /// Count a violation whose trace is at hand, keep it if it is wanted, and end if it was the
    /// last one asked for.
    pub(crate) fn record(
        &mut self,
        violation: Violation,
        depth: i64,
        trace: Trace,
    ) -> Result<(), Completion> {
        if self.note(violation, trace.steps.last().copied(), depth) {
            self.keep(depth, trace);
        }
        self.enough_errors()
    }

    /// End if there were as many errors as asked for. Follows each error that was met.
    pub(crate) fn enough_errors(&mut self) -> Result<(), Completion> {
        if let (true, Some(observer)) = (self.unseen, self.config.observer)
            && let Some(finding) = self.findings.list().last()
        {
            self.enough |= (observer.0)(finding).is_break();
        }
        self.unseen = false;
        match self.config.max_errors {
            _ if self.enough => Err(Completion::ErrorLimit),
            Some(max) if self.statistics.errors >= max => Err(Completion::ErrorLimit),
            _ => Ok(()),
        }
    }

    /// The search cannot continue because of an I/O error.
    #[cold]
    pub(crate) fn give_up(&mut self, error: &io::Error) -> Completion {
        self.io_error = Some(error.to_string());
        Completion::Interrupted
    }

    /// The outcome of the search.
    pub(crate) fn outcome(
        self,
        ended: Result<(), Completion>,
        exact: bool,
        store_bytes: usize,
        stack_bytes: usize,
    ) -> Outcome {
        if let Some(progress) = self.config.progress {
            progress.update(&self.statistics, store_bytes + stack_bytes);
        }
        let completion = match ended {
            Err(ended) => ended,
            Ok(()) if self.truncated => Completion::DepthLimit,
            Ok(()) if self.diverges => Completion::EndlessAtomic,
            Ok(()) => Completion::Complete,
        };
        Outcome {
            duration: self.elapsed(),
            earlier: self.earlier,
            statistics: self.statistics,
            given_up: self.given_up,
            collapsed: false,
            reached: self.reached,
            store_bytes,
            stack_bytes,
            io_error: self.io_error,
            completion,
            exact,
            findings: self.findings.into_list(),
        }
    }
}
