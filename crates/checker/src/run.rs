//! Makes the searches of a plan, one after the other, and says what they came to.

mod job;
mod observer;

use std::time::{Duration, Instant};

use space::cancel::{self, Cancelled};

use crate::event::{Event, Phase};
use crate::judge::Judgement;
use crate::limits::{Guard, Limit, Watch};
use crate::load::{self, LoadError, Loaded, Source};
use crate::memory;
use crate::options::{ErrorPolicy, Options, Store};
use crate::plan::{Plan, Refusal};
use crate::report::{Report, Run, Seconds};

pub use job::JobResult;
pub use observer::Confirmed;

/// Load a model, check it, and report.
///
/// Whatever happens ends in a report: a model that is wrong, options that do not go together, a
/// limit, a cancelled check.
pub fn check(source: &Source<'_>, options: &Options, watch: &Watch<'_>) -> Report {
    let guard = Guard::new(watch, options.search.time, memory_limit(options));
    guard.watched(|| {
        guard.enter(Phase::Load, "");
        let loaded = cancel::scope(guard.flag(), || load::load(source));
        let parsed = guard.started().elapsed();
        let report = match loaded {
            Err(Cancelled) => cut_short(source, &guard),
            Ok(Err(error)) => {
                guard.tell(&Event::Rejected(&error));
                Report::rejected(source.name(), &error)
            }
            Ok(Ok(loaded)) => {
                if !loaded.warnings.is_empty() {
                    guard.tell(&Event::Warnings {
                        diagnostics: &loaded.warnings,
                        sources: &loaded.sources,
                    });
                }
                checked(&loaded, source, options, &guard, parsed)
            }
        };
        with_total(report, &guard)
    })
}

/// Check a model that was loaded before.
pub fn run(loaded: &Loaded, source: &Source<'_>, options: &Options, watch: &Watch<'_>) -> Report {
    let guard = Guard::new(watch, options.search.time, memory_limit(options));
    guard.watched(|| {
        let report = checked(loaded, source, options, &guard, Duration::ZERO);
        with_total(report, &guard)
    })
}

/// What may be used besides the array of a bitstate store.
fn memory_limit(options: &Options) -> Option<u64> {
    match options.search.store {
        Some(Store::Bitstate) => memory::default_limit(),
        _ if options.search.swarm.is_some() => memory::default_limit(),
        _ => options.search.memory.or_else(memory::default_limit),
    }
}

fn with_total(mut report: Report, guard: &Guard<'_>) -> Report {
    report.seconds.total = guard.started().elapsed().as_secs_f64() + report.seconds.earlier;
    report
}

/// The report of a check that ended before there was a plan.
fn cut_short(source: &Source<'_>, guard: &Guard<'_>) -> Report {
    let limit = guard.ended_by().unwrap_or(Limit::Interrupt);
    Report::inconclusive(source.name(), limit.reason())
}

/// Plan, search, report.
fn checked(
    loaded: &Loaded,
    source: &Source<'_>,
    options: &Options,
    guard: &Guard<'_>,
    parsed: Duration,
) -> Report {
    guard.enter(Phase::Plan, "");
    let planning = Instant::now();
    let plan = match cancel::scope(guard.flag(), || Plan::new(loaded, options)) {
        Err(Cancelled) => return cut_short(source, guard),
        Ok(Err(refusal)) => return Report::refused(source.name(), &refusal),
        Ok(Ok(plan)) => plan,
    };
    let planned = planning.elapsed();
    guard.tell(&Event::Planned {
        loaded,
        plan: &plan,
    });
    let mut session = job::Session::new(loaded, source, &plan, options, guard);
    for row in 0..plan.jobs.len() {
        if session.is_over() {
            break;
        }
        if let Err(failure) = session.job(row) {
            return Report::failed(source.name(), failure.blame, failure.reason);
        }
    }
    let job::Results {
        results,
        confirmed,
        mut judgements,
    } = session.finish();
    let reason = match (guard.ended_by(), options.search.errors) {
        (Some(limit), _) => limit.reason(),
        (None, ErrorPolicy::StopAtFirst) => "the check stopped at the first violation",
        (None, _) => "not searched",
    };
    for (row, judgement) in judgements.iter_mut().enumerate() {
        if judgement.is_none() {
            let judgement = judgement.insert(Judgement::open(reason));
            guard.tell(&Event::Verdict {
                loaded,
                plan: &plan,
                property: row,
                judgement,
            });
        }
    }
    let judgements: Vec<Judgement> = judgements.into_iter().flatten().collect();
    Report::new(&Run {
        name: source.name(),
        loaded,
        plan: &plan,
        results: &results,
        confirmed: &confirmed,
        judgements: &judgements,
        fairness: options.search.fairness,
        seconds: Seconds {
            parse: parsed.as_secs_f64(),
            plan: planned.as_secs_f64(),
            ..Seconds::default()
        },
    })
}

/// Load a model with the limits of a watch; the error says why there is none.
pub fn load_within(source: &Source<'_>, watch: &Watch<'_>) -> Result<Loaded, LoadError> {
    let guard = Guard::new(watch, None, memory::default_limit());
    let loaded = guard.watched(|| cancel::scope(guard.flag(), || load::load(source)));
    match loaded {
        Ok(loaded) => loaded,
        Err(Cancelled) => Err(LoadError::Cancelled(
            guard.ended_by().unwrap_or(Limit::Interrupt),
        )),
    }
}

/// Plan a check with the limits of a watch. `None` if that was cancelled.
pub fn plan_within(
    loaded: &Loaded,
    options: &Options,
    watch: &Watch<'_>,
) -> Option<Result<Plan, Refusal>> {
    let guard = Guard::new(watch, options.search.time, memory_limit(options));
    guard
        .watched(|| cancel::scope(guard.flag(), || Plan::new(loaded, options)))
        .ok()
}
