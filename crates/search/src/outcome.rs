//! The outcome of a search: statistics, findings, and how far they can be trusted.

use std::time::Duration;

use crate::Finding;

/// The statistics of a search, in Spin's sense.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States stored.
    pub stored: u64,
    /// Visits to stored states besides the first one: by the second search of a nested search,
    /// or in another copy of the state space. Spin's visited states are these and the stored.
    pub revisited: u64,
    /// Times that a known state was met, or the depth limit.
    pub matched: u64,
    /// Steps that ended inside an atomic sequence.
    pub atomic_steps: u64,
    /// The greatest level of a node that was entered, half-done handshakes included.
    pub depth: u64,
    /// Violations met, the same one every time it was met.
    pub errors: u64,
    /// Paths that were cut because an atomic sequence came back to where it had been.
    pub endless_atomics: u64,
    /// The length of the longest stored state, in bytes.
    pub longest_state: usize,
    /// The external iterations of [`crate::owcty()`]; none for other searches.
    ///
    /// One iteration restricts the set by every condition once: all acceptance sets, and under
    /// fairness all processes that are enabled anywhere. Finding the states is not counted, nor is
    /// the extraction of a cycle. As in [004, Tables 1 and 2] the last one counts, whether it leaves
    /// the set as it is (there is a fair cycle) or empty. It also counts where it was cut short
    /// because the components of the few states left could be looked at in memory, so there may be
    /// fewer iterations than in the paper. Where every cycle is accepting, or the graph is weak
    /// and there is no fairness, a single elimination decides: that is one iteration.
    pub owcty_iterations: Option<u64>,
}

impl Statistics {
    /// What Spin calls transitions: visited and matched states.
    pub fn transitions(&self) -> u64 {
        self.stored + self.revisited + self.matched
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Completion {
    /// It went wherever it could go.
    Complete,
    /// It was told to stop.
    Interrupted,
    /// It did not go deeper than the limit, and there was more.
    DepthLimit,
    /// It looked for cycles, and an execution can stay inside an atomic sequence for ever: such an
    /// execution is neither accepted nor rejected.
    EndlessAtomic,
    /// Store and stack took all the memory they were given.
    MemoryLimit,
    /// It took all the time it was given.
    TimeLimit,
    /// It found as many errors as it was asked for.
    ErrorLimit,
}

/// Proof that a search visited every reachable state. Only [`Outcome::exhaustive`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhaustive(());

/// What a search says about the properties it checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// No state and no step violates them.
    Holds(Exhaustive),
    /// These were found. There may be more unless the search was complete.
    Violated(&'a [Finding]),
    /// Nothing was found, but not everything was searched.
    Inconclusive(Reason),
}

/// Why a search that found nothing proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It ended early.
    Ended(Completion),
    /// Its store may have taken a new state for a known one.
    LossyStore,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The statistics.
    pub statistics: Statistics,
    /// For each transition whether it was executed.
    pub reached: Vec<bool>,
    /// How many states were seen when it was given up for the first time to look for ample sets,
    /// since they left out next to nothing.
    pub given_up: Option<u64>,
    /// Whether states were collapsed.
    pub collapsed: bool,
    /// The time it took, that before it was resumed included.
    pub duration: Duration,
    /// The time it had taken before it was resumed.
    pub earlier: Duration,
    /// The memory of the store at the end.
    pub store_bytes: usize,
    /// The memory of the stack, or of the queue and the links, at its greatest.
    pub stack_bytes: usize,
    /// An I/O error: a checkpoint could not be written, or what had been
    /// spilled could not be read back and the search was ended.
    pub io_error: Option<String>,
    // Not public, so that nobody turns an incomplete search into a complete one.
    pub(crate) completion: Completion,
    pub(crate) exact: bool,
    pub(crate) findings: Vec<Finding>,
}

impl Outcome {
    /// How the search ended.
    pub fn completion(&self) -> Completion {
        self.completion
    }

    /// The distinct violations in the order in which they were found.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Whether every reachable state was visited: the search was complete and its store exact.
    pub fn exhaustive(&self) -> Option<Exhaustive> {
        (self.completion == Completion::Complete && self.exact).then_some(Exhaustive(()))
    }

    /// What follows for the properties that were checked.
    pub fn verdict(&self) -> Verdict<'_> {
        if !self.findings.is_empty() {
            return Verdict::Violated(&self.findings);
        }
        match self.exhaustive() {
            Some(exhaustive) => Verdict::Holds(exhaustive),
            None if self.completion == Completion::Complete => {
                Verdict::Inconclusive(Reason::LossyStore)
            }
            None => Verdict::Inconclusive(Reason::Ended(self.completion)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_complete_exact_search_is_exhaustive() {
        let verdict = |completion, exact| {
            let outcome = Outcome {
                statistics: Statistics::default(),
                reached: Vec::new(),
                collapsed: false,
                duration: Duration::ZERO,
                earlier: Duration::ZERO,
                store_bytes: 0,
                stack_bytes: 0,
                io_error: None,
                given_up: None,
                completion,
                exact,
                findings: Vec::new(),
            };
            assert_eq!(
                outcome.exhaustive().is_some(),
                matches!(outcome.verdict(), Verdict::Holds(_))
            );
            format!("{:?}", outcome.verdict())
        };
        assert_eq!(verdict(Completion::Complete, true), "Holds(Exhaustive(()))");
        assert_eq!(
            verdict(Completion::Complete, false),
            "Inconclusive(LossyStore)"
        );
        assert_eq!(
            verdict(Completion::DepthLimit, true),
            "Inconclusive(Ended(DepthLimit))"
        );
    }
}
