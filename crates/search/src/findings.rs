//! The violations a search found, each distinct one with its first trace.

use space::{Step, Trace, Violation};

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

/// Collects findings.
///
/// Two violations are the same if kind and site agree; without a site the last step must
/// agree too. Of those that differ only in the last step no more than `cap` are kept, so
/// that a million deadlocks do not fill the memory with traces. The first violation of each
/// kind and site is always kept: nothing that was violated can be missing altogether.
#[derive(Debug)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    cap: usize,
}

impl Findings {
    pub(crate) fn new(cap: usize) -> Findings {
        Findings {
            list: Vec::new(),
            cap,
        }
    }

    /// Take note of a violation whose trace ends in the step `last`.
    pub(crate) fn record(
        &mut self,
        violation: Violation,
        last: Option<Step>,
        depth: i64,
        trace: impl FnOnce() -> Trace,
    ) {
        let mut similar = 0;
        for finding in &mut self.list {
            if finding.violation != violation {
                continue;
            }
            if violation.site.is_some() || finding.trace.steps.last() == last.as_ref() {
                finding.count += 1;
                return;
            }
            similar += 1;
        }
        if similar == 0 || similar < self.cap {
            self.list.push(Finding {
                violation,
                depth,
                count: 1,
                trace: trace(),
            });
        }
    }

    pub(crate) fn into_list(self) -> Vec<Finding> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use space::{Pid, SiteId, TransitionId, ViolationKind};

    use super::*;

    fn record(findings: &mut Findings, violation: Violation, transition: u32) {
        let step = Step {
            pid: Pid(0),
            transition: TransitionId(transition),
            partner: None,
        };
        findings.record(violation, Some(step), 1, || Trace { steps: vec![step] });
    }

    #[test]
    fn distinct_ones_are_kept_up_to_the_cap() {
        let mut findings = Findings::new(2);
        let deadlock = ViolationKind::InvalidEndState.into();
        for transition in [1, 2, 3, 1, 1, 3] {
            record(&mut findings, deadlock, transition);
        }
        for site in [7, 8, 7, 9] {
            let assertion = Violation {
                kind: ViolationKind::Assertion,
                site: Some(SiteId(site)),
            };
            record(&mut findings, assertion, site * site);
        }
        record(&mut findings, ViolationKind::ArrayBounds.into(), 5);
        let counts: Vec<u64> = findings.into_list().iter().map(|f| f.count).collect();
        assert_eq!(counts, [3, 1, 2, 1, 1, 1]);
    }
}
