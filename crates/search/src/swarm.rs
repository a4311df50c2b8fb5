//! What several incomplete searches found together.
//!
//! Follows: [003, swarm search]: searches with little memory each, different in hash
//! functions, order and depth, together see more of a large space than one of them with all
//! the time.

use crate::{Completion, Outcome};

impl Outcome {
    /// Add what another search of the same model found. The figures are sums: states that
    /// both have seen count twice.
    pub fn absorb(&mut self, other: Outcome) {
        let figures = &mut self.figures;
        figures.stored += other.figures.stored;
        figures.matched += other.figures.matched;
        figures.atomic_steps += other.figures.atomic_steps;
        figures.errors += other.figures.errors;
        figures.endless_atomics += other.figures.endless_atomics;
        figures.depth = figures.depth.max(other.figures.depth);
        figures.longest_state = figures.longest_state.max(other.figures.longest_state);
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
