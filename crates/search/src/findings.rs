//! The violations a search found, each distinct one with its first trace.

use space::{Step, Trace, TransitionId, Violation, ViolationKind};

/// A violation with the first execution that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What went wrong.
    pub violation: Violation,
    /// Where, as Spin says it: the number of levels before a failing step; one less than
    /// the level of an invalid end state, so -1 for the initial state.
    pub depth: i64,
    /// How often it was met.
    pub count: u64,
    /// The steps from the initial state. The failing step is the last one.
    pub trace: Trace,
}

/// Which execution is kept for a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The first one.
    First,
    /// The shortest one, or the first of these. What was found last is listed last.
    Shortest,
}

impl Finding {
    /// What it violates, and where in the model.
    pub fn place(&self) -> ViolationPlace {
        ViolationPlace::new(self.violation, self.trace.steps.last())
    }
}

/// A violation at a place of the model. Without a site the statement that failed is the place; a
/// state or a cycle has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViolationPlace {
    violation: Violation,
    statement: Option<TransitionId>,
}

impl ViolationPlace {
    fn new(violation: Violation, last: Option<&Step>) -> ViolationPlace {
        let by_statement = matches!(
            violation.kind,
            ViolationKind::ArrayBounds | ViolationKind::ChannelClaim | ViolationKind::Error(_)
        );
        let statement = last.filter(|_| by_statement && violation.site.is_none());
        ViolationPlace {
            violation,
            statement: statement.map(|step| step.transition),
        }
    }
}

/// Collects findings.
///
/// Two violations are the same if kind and site agree; without a site the last step must
/// agree too. Of those at one place of the model that differ only in the last step no more than
/// `cap` are kept, so that a million deadlocks do not fill the memory with traces; the others
/// count as the first. One violation of each kind and place is always kept: nothing that was
/// violated can be missing altogether.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    cap: usize,
    keep: Keep,
}

impl Findings {
    pub(crate) fn new(cap: usize, keep: Keep) -> Findings {
        Findings {
            list: Vec::new(),
            cap,
            keep,
        }
    }

    /// Go on with what was found before.
    pub(crate) fn resume(&mut self, list: Vec<Finding>) {
        self.list = list;
    }

    /// Take note of a violation whose trace ends in the step `last`. Tells whether its trace
    /// is wanted: then [`Findings::keep`] must follow.
    pub(crate) fn record(&mut self, violation: Violation, last: Option<Step>, depth: i64) -> bool {
        let at = ViolationPlace::new(violation, last.as_ref());
        let mut similar = Vec::new();
        for (place, finding) in self.list.iter().enumerate() {
            if finding.place() != at {
                continue;
            }
            if violation.site.is_some() || finding.trace.steps.last() == last.as_ref() {
                return self.count(place, depth);
            }
            similar.push(place);
        }
        if let Some(&first) = similar.first()
            && similar.len() >= self.cap
        {
            return self.count(first, depth);
        }
        self.list.push(Finding {
            violation,
            depth,
            count: 1,
            trace: Trace::default(),
        });
        true
    }

    /// Count a violation that is known. Tells whether the trace of this one is wanted instead.
    fn count(&mut self, place: usize, depth: i64) -> bool {
        let finding = &mut self.list[place];
        finding.count += 1;
        if self.keep == Keep::First || finding.depth <= depth {
            return false;
        }
        let shortened = self.list.remove(place);
        self.list.push(shortened);
        true
    }

    /// Give the violation that was met last its trace.
    pub(crate) fn keep(&mut self, depth: i64, trace: Trace) {
        if let Some(finding) = self.list.last_mut() {
            finding.depth = depth;
            finding.trace = trace;
        }
    }

    pub(crate) fn list(&self) -> &[Finding] {
        &self.list
    }

    pub(crate) fn into_list(self) -> Vec<Finding> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use space::{Pid, SiteId, TransitionId, ViolationKind};

    use super::*;

    fn record(findings: &mut Findings, violation: Violation, transition: u32, depth: i64) {
        let step = Step {
            pid: Pid(0),
            transition: TransitionId(transition),
            partner: None,
        };
        if findings.record(violation, Some(step), depth) {
            findings.keep(depth, Trace::of_steps(vec![step]));
        }
    }

    #[test]
    fn distinct_ones_are_kept_up_to_the_cap() {
        let mut findings = Findings::new(2, Keep::First);
        let deadlock = ViolationKind::InvalidEndState.into();
        for transition in [1, 2, 3, 1, 1, 3] {
            record(&mut findings, deadlock, transition, 1);
        }
        for site in [7, 8, 7, 9] {
            let assertion = Violation {
                kind: ViolationKind::Assertion,
                site: Some(SiteId(site)),
            };
            record(&mut findings, assertion, site * site, 1);
        }
        record(&mut findings, ViolationKind::ArrayBounds.into(), 5, 1);
        let counts: Vec<u64> = findings.into_list().iter().map(|f| f.count).collect();
        assert_eq!(counts, [5, 1, 2, 1, 1, 1]);
    }

    #[test]
    fn shorter_ones_replace_longer_ones() {
        let mut findings = Findings::new(2, Keep::Shortest);
        let deadlock = ViolationKind::InvalidEndState.into();
        for (transition, depth) in [(1, 9), (2, 8), (1, 7), (1, 7), (2, 8)] {
            record(&mut findings, deadlock, transition, depth);
        }
        let kept: Vec<(i64, u64)> = (findings.list().iter())
            .map(|f| (f.depth, f.count))
            .collect();
        assert_eq!(kept, [(8, 2), (7, 3)]);
    }
}
