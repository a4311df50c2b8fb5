//! Confirms and announces each violation as soon as a search meets it.

use std::cell::RefCell;
use std::ops::ControlFlow;

use search::Finding;
use space::Violation;

use crate::confirm::{Mismatch, confirm};
use crate::event::{Counterexample, Event};
use crate::judge::{Judgement, PropertyVerdict};
use crate::limits::Guard;
use crate::load::Loaded;
use crate::options::ErrorPolicy;
use crate::plan::{Job, Plan};
use crate::report::ErrorReport;

/// A violation that was executed again.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// What the search found, with the steps of the model as written.
    pub finding: Finding,
    /// The property it violates, by its row in the plan.
    pub property: usize,
    /// The last state of its execution.
    pub last_state: Vec<u8>,
    /// The violation in words.
    pub error: ErrorReport,
}

/// What a check announces, and what it has announced.
pub(super) struct Announcer<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) plan: &'a Plan,
    pub(super) guard: &'a Guard<'a>,
    pub(super) policy: ErrorPolicy,
    announced: RefCell<Announced>,
}

#[derive(Default)]
struct Announced {
    confirmed: Vec<Confirmed>,
    judgements: Vec<Option<Judgement>>,
    /// The first violation that could not be confirmed.
    mismatch: Option<(Violation, Mismatch)>,
}

impl<'a> Announcer<'a> {
    pub(super) fn new(
        loaded: &'a Loaded,
        plan: &'a Plan,
        guard: &'a Guard<'a>,
        policy: ErrorPolicy,
    ) -> Announcer<'a> {
        let announced = Announced {
            judgements: vec![None; plan.properties.len()],
            ..Announced::default()
        };
        Announcer {
            loaded,
            plan,
            guard,
            policy,
            announced: RefCell::new(announced),
        }
    }

    pub(super) fn is_violated(&self, property: usize) -> bool {
        let announced = self.announced.borrow();
        let judgement = announced.judgements[property].as_ref();
        judgement.is_some_and(|judgement| judgement.verdict == PropertyVerdict::Violated)
    }

    /// Whether any property is known to be violated.
    pub(super) fn is_any_violated(&self) -> bool {
        (0..self.plan.properties.len()).any(|property| self.is_violated(property))
    }

    /// Meet a violation in the midst of a search for safety; says whether the search goes on.
    pub(super) fn violation_found(&self, job: &Job, finding: &Finding) -> ControlFlow<()> {
        let Some(property) = self.property_of(job, &finding.violation) else {
            return ControlFlow::Continue(());
        };
        if self.is_wanted(property, finding) {
            match confirm(&self.loaded.model, finding) {
                Ok(last_state) => self.announce(property, finding.clone(), last_state),
                Err(mismatch) => {
                    self.fail(finding.violation, mismatch);
                    return ControlFlow::Break(());
                }
            }
        }
        let decided = || job.properties.iter().all(|&row| self.is_violated(row));
        match self.policy {
            ErrorPolicy::EachProperty if decided() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    /// The property of a job that a violation of safety concerns.
    pub(super) fn property_of(&self, job: &Job, violation: &Violation) -> Option<usize> {
        let concerned = |&&row: &&usize| self.plan.properties[row].concerns(violation);
        job.properties.iter().find(concerned).copied()
    }

    /// Whether a finding is to be announced: one for each property, or one for each place.
    pub(super) fn is_wanted(&self, property: usize, finding: &Finding) -> bool {
        match self.policy {
            ErrorPolicy::EachProperty | ErrorPolicy::StopAtFirst => !self.is_violated(property),
            ErrorPolicy::Count(_) | ErrorPolicy::All => self.place(property, finding).is_none(),
        }
    }

    /// The number of the announced counterexample of the same property and place.
    fn place(&self, property: usize, finding: &Finding) -> Option<usize> {
        let announced = self.announced.borrow();
        let place = finding.place();
        let same = |c: &Confirmed| c.property == property && c.finding.place() == place;
        announced.confirmed.iter().position(same)
    }

    /// Add what a search counted in the end to what was announced in its midst.
    pub(super) fn count(&self, property: usize, finding: &Finding) {
        let place = self.place(property, finding);
        let mut announced = self.announced.borrow_mut();
        if let Some(known) = place.map(|number| &mut announced.confirmed[number]) {
            known.finding.count = finding.count;
            known.error.count = finding.count;
        }
    }

    /// Announce a counterexample, and that its property is violated if that is new.
    pub(super) fn announce(&self, property: usize, finding: Finding, last_state: Vec<u8>) {
        let (loaded, plan) = (self.loaded, self.plan);
        let error = ErrorReport::new(loaded, plan, property, &finding, &last_state);
        let number = self.announced.borrow().confirmed.len();
        let confirmed = Confirmed {
            finding,
            property,
            last_state,
            error,
        };
        if !self.is_violated(property) {
            let violated = Judgement {
                verdict: PropertyVerdict::Violated,
                reason: None,
            };
            self.judge(property, violated);
        }
        self.guard.tell(&Event::Counterexample(&Counterexample {
            number,
            loaded,
            plan,
            property,
            finding: &confirmed.finding,
            error: &confirmed.error,
        }));
        self.announced.borrow_mut().confirmed.push(confirmed);
    }

    /// Announce a verdict.
    pub(super) fn judge(&self, property: usize, judgement: Judgement) {
        self.guard.tell(&Event::Verdict {
            loaded: self.loaded,
            plan: self.plan,
            property,
            judgement: &judgement,
        });
        self.announced.borrow_mut().judgements[property] = Some(judgement);
    }

    pub(super) fn fail(&self, violation: Violation, mismatch: Mismatch) {
        let mut announced = self.announced.borrow_mut();
        announced.mismatch.get_or_insert((violation, mismatch));
    }

    /// The first violation that could not be confirmed.
    pub(super) fn mismatch(&self) -> Option<(Violation, Mismatch)> {
        self.announced.borrow().mismatch
    }

    pub(super) fn into_results(self) -> (Vec<Confirmed>, Vec<Option<Judgement>>) {
        let announced = self.announced.into_inner();
        (announced.confirmed, announced.judgements)
    }
}
