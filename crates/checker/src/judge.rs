//! What the searches of a plan mean for its properties.
//!
//! Only the [`Exhaustive`] of a search makes a property hold.

use search::{Completion, Exhaustive, Outcome};

use crate::engine::{Estimate, SearchResult};
use crate::limits::Limit;
use crate::plan::{Algorithm, Job, Plan};
use crate::units;

/// What is known about one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyVerdict {
    /// No execution violates it.
    Holds(Exhaustive),
    /// Some execution violates it.
    Violated,
    /// Nothing was found, but not everything was searched.
    Inconclusive,
}

impl PropertyVerdict {
    /// As in the report.
    pub fn word(self) -> &'static str {
        match self {
            PropertyVerdict::Holds(_) => "holds",
            PropertyVerdict::Violated => "violated",
            PropertyVerdict::Inconclusive => "inconclusive",
        }
    }
}

/// What is known about all properties together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every property holds.
    Holds(Exhaustive),
    /// Some property is violated.
    Violated,
    /// No property is known to be violated, and not all are known to hold.
    Inconclusive,
    /// The run itself went wrong.
    Error(Blame),
}

/// Who has to mend what went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The user: bad usage, a bad model.
    User,
    /// We: a bug.
    Us,
}

impl Verdict {
    /// As in the report.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Error(_) => "error",
        }
    }

    /// The verdict of several properties.
    pub fn of(properties: &[PropertyVerdict]) -> Verdict {
        if properties.contains(&PropertyVerdict::Violated) {
            return Verdict::Violated;
        }
        let proof = |p: &PropertyVerdict| match p {
            PropertyVerdict::Holds(exhaustive) => Some(*exhaustive),
            _ => None,
        };
        let proofs: Option<Vec<Exhaustive>> = properties.iter().map(proof).collect();
        match proofs.and_then(|proofs| proofs.first().copied()) {
            Some(exhaustive) => Verdict::Holds(exhaustive),
            None => Verdict::Inconclusive,
        }
    }
}

/// What is known about a property, and why it is not more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: PropertyVerdict,
    /// Why the property was not decided.
    pub reason: Option<String>,
}

impl Judgement {
    /// Of a property that nobody searched for.
    pub fn open(reason: &str) -> Judgement {
        Judgement {
            verdict: PropertyVerdict::Inconclusive,
            reason: Some(reason.to_owned()),
        }
    }

    /// Of a property that a search was to decide and did not find violated. `limit` is what ended a
    /// search that was interrupted.
    pub fn of(job: &Job, search_result: &SearchResult, limit: Option<Limit>) -> Judgement {
        let verdict = match search_result.exhaustive() {
            Some(exhaustive) => PropertyVerdict::Holds(exhaustive),
            None => PropertyVerdict::Inconclusive,
        };
        let is_open = verdict == PropertyVerdict::Inconclusive;
        Judgement {
            verdict,
            reason: is_open.then(|| ending(job, search_result, limit)),
        }
    }
}

/// Why properties were not decided, in one sentence.
pub fn reason(plan: &Plan, judgements: &[Judgement]) -> Option<String> {
    let open: Vec<(String, &str)> = (plan.properties.iter().zip(judgements))
        .filter_map(|(property, judgement)| {
            let reason = judgement.reason.as_deref()?;
            let name = match property.target() {
                Some(_) => property.title(),
                None => "safety".to_owned(),
            };
            Some((name, reason))
        })
        .collect();
    let (_, first) = open.first()?;
    if open.iter().all(|(_, reason)| reason == first) {
        return Some((*first).to_owned());
    }
    let mut texts: Vec<String> = Vec::new();
    for (name, reason) in &open {
        let text = format!("{name}: {reason}");
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    Some(texts.join("; "))
}

/// Why a search is not exhaustive.
fn ending(job: &Job, search_result: &SearchResult, limit: Option<Limit>) -> String {
    let outcome = &search_result.outcome;
    let shortened = job.algorithm == Algorithm::Shortening;
    match search_result.fault {
        None if shortened && outcome.completion() == Completion::ErrorLimit => {
            "only executions shorter than the counterexample were searched".to_owned()
        }
        Some(fault) if outcome.exhaustive().is_some() => format!(
            "some executions end in a run-time error ({}); check with --safety",
            fault.kind
        ),
        _ => early_end(outcome, search_result.estimate.as_ref(), limit),
    }
}

fn early_end(outcome: &Outcome, estimate: Option<&Estimate>, limit: Option<Limit>) -> String {
    let text = match outcome.completion() {
        Completion::Complete if outcome.statistics.stored == 0 => "there is no initial state",
        Completion::Complete => return missed(estimate),
        Completion::Interrupted => limit.unwrap_or(Limit::Interrupt).reason(),
        Completion::DepthLimit => "the depth limit was reached",
        Completion::EndlessAtomic => {
            "an atomic sequence may never terminate, and its intermediate states are not observed"
        }
        Completion::MemoryLimit => Limit::Memory.reason(),
        Completion::TimeLimit => Limit::Time.reason(),
        Completion::ErrorLimit if outcome.statistics.errors == 1 => {
            "the search stopped at the first violation"
        }
        Completion::ErrorLimit => {
            let errors = units::plural(outcome.statistics.errors, "violation");
            return format!("the search stopped after {errors}");
        }
    };
    text.to_owned()
}

/// How far a search is from exhaustive if only its store is not exact.
fn missed(estimate: Option<&Estimate>) -> String {
    let detail = match estimate {
        Some(Estimate {
            hash_factor: Some(factor),
            coverage: Some(coverage),
            ..
        }) => format!(
            " (hash factor {factor:.1}, estimated coverage {:.4} %)",
            coverage * 100.0
        ),
        Some(Estimate {
            omission_probability: Some(probability),
            ..
        }) => format!(" (probability {probability:.1e})"),
        Some(_) => String::new(),
        // The store is exact.
        None => {
            return "the light algorithm for weak fairness under symmetry may miss cycles"
                .to_owned();
        }
    };
    format!("hash collisions may have hidden states{detail}")
}
