//! What several incomplete searches found together.
//!
//! Follows: [003, swarm search]: searches with little memory each, different in hash
//! functions, order and depth, together see more of a large space than one of them with all
//! the time.

use crate::{Completion, Outcome};

impl Outcome {
    /// Add what another search of the same model found. The counts are sums: states that
    /// both have seen count twice.
    pub fn absorb(&mut self, other: Outcome) {
        let statistics = &mut self.statistics;
        statistics.stored += other.statistics.stored;
        statistics.matched += other.statistics.matched;
        statistics.atomic_steps += other.statistics.atomic_steps;
        statistics.errors += other.statistics.errors;
        statistics.endless_atomics += other.statistics.endless_atomics;
        statistics.depth = statistics.depth.max(other.statistics.depth);
        statistics.longest_state = statistics.longest_state.max(other.statistics.longest_state);
        for (reached, also) in self.reached.iter_mut().zip(other.reached) {
            *reached |= also;
        }
        self.duration += other.duration;
        self.store_bytes = self.store_bytes.max(other.store_bytes);
        self.stack_bytes = self.stack_bytes.max(other.stack_bytes);
        self.exact &= other.exact;
        if other.completion != Completion::Complete {
            self.completion = other.completion;
        }
        for finding in other.findings {
            let same = (self.findings.iter_mut()).find(|mine| {
                mine.violation == finding.violation
                    && (finding.violation.site.is_some()
                        || mine.trace.steps.last() == finding.trace.steps.last())
            });
            match same {
                None => self.findings.push(finding),
                Some(mine) => {
                    mine.count += finding.count;
                    if finding.trace.steps.len() < mine.trace.steps.len() {
                        mine.trace = finding.trace;
                        mine.depth = finding.depth;
                    }
                }
            }
        }
    }
}
