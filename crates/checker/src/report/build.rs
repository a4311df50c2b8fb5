//! From a check to its report.

use std::path::Path;

use model::Model;
use promela::diagnostic::{Diagnostic, Severity};
use promela::lint::Lint;
use promela::source::SourceMap;
use search::Finding;

use super::describe::{describe, describe_lasso};
use super::unreached::unreached;
use super::{
    DiagnosticReport, ErrorReport, Memory, Options, PropertyReport, Report, SCHEMA, SearchReport,
    Seconds, States, SymmetryReport,
};
use crate::judge::{self, Blame, Judgement, PropertyVerdict, Verdict};
use crate::load::{LoadError, Loaded};
use crate::memory;
use crate::options::{Backend, Fairness, Named};
use crate::plan::{Job, Plan, Refusal, reduction_names};
use crate::run::{Confirmed, JobResult};
use crate::trace::file::FileCall;

/// What a report is made of.
pub(crate) struct Run<'a> {
    /// The path of the model.
    pub(crate) name: &'a Path,
    /// The model.
    pub(crate) loaded: &'a Loaded,
    /// What was to be checked.
    pub(crate) plan: &'a Plan,
    /// The searches that were made.
    pub(crate) results: &'a [JobResult],
    /// The violations.
    pub(crate) confirmed: &'a [Confirmed],
    /// What is known of each property.
    pub(crate) judgements: &'a [Judgement],
    /// The fairness that was assumed.
    pub(crate) fairness: Fairness,
    /// Where the time went, as far as the searches do not know.
    pub(crate) seconds: Seconds,
}

impl Report {
    /// The report of a check.
    pub(crate) fn new(run: &Run<'_>) -> Report {
        let verdicts: Vec<PropertyVerdict> = run.judgements.iter().map(|j| j.verdict).collect();
        let reason = judge::reason(run.plan, run.judgements);
        let searches: Vec<SearchReport> = (run.results.iter())
            .map(|result| SearchReport::new(run, result))
            .collect();
        let mut report = Report {
            complete: verdicts.iter().all(|v| *v != PropertyVerdict::Inconclusive),
            properties: properties(run, &searches),
            errors: run.confirmed.iter().map(|c| c.error.clone()).collect(),
            seconds: run.seconds,
            not_selected: run.plan.not_selected.clone(),
            diagnostics: DiagnosticReport::list(&run.loaded.warnings, &run.loaded.sources),
            ..Report::without_run(run.name, Verdict::of(&verdicts), reason)
        };
        if let (Some(first), Some(result)) = (searches.first(), run.results.first()) {
            report.add_statistics(first);
            report.add_statements(&run.loaded.model, result);
            report.io_error.clone_from(&result.outcome.io_error);
        }
        report.options.lossy_channels = run.loaded.model.lossy;
        report.options.fairness = run.fairness.name();
        let results = || run.results.iter();
        report.seconds.compile = results().map(|r| r.compile.as_secs_f64()).sum();
        report.seconds.search = searches.iter().map(|search| search.seconds).sum();
        let earlier = results().map(|r| r.outcome.earlier.as_secs_f64());
        report.seconds.earlier = earlier.sum();
        let largest =
            (searches.iter()).max_by_key(|s| s.memory_bytes.states + s.memory_bytes.stack);
        if let Some(Memory { states, stack, .. }) = largest.map(|search| search.memory_bytes) {
            (report.memory_bytes.states, report.memory_bytes.stack) = (states, stack);
        }
        report.searches = searches;
        report
    }

    /// The figures of the report are those of its first search.
    fn add_statistics(&mut self, first: &SearchReport) {
        self.states = first.states;
        self.transitions = first.transitions;
        self.atomic_steps = first.atomic_steps;
        self.depth = first.depth;
        self.endless_atomics = first.endless_atomics;
        self.owcty_iterations = first.owcty_iterations;
        self.error_count = first.error_count;
        self.options = first.options.clone();
        self.estimate = first.estimate;
    }

    /// Name the statements that a search did not reach.
    fn add_statements(&mut self, model: &Model, result: &JobResult) {
        let outcome = &result.outcome;
        self.exhaustive = outcome.exhaustive().is_some();
        let mut reached = outcome.reached.clone();
        // Steps that could not be completed were reached all the same.
        for finding in outcome.findings() {
            let last = finding.trace.steps.last();
            if let Some(reached) = last.and_then(|s| reached.get_mut(s.transition.0 as usize)) {
                *reached = true;
            }
        }
        self.unreached = unreached(model, &reached);
    }

    /// The report when the model could not be read.
    pub fn rejected(name: &Path, error: &LoadError) -> Report {
        let LoadError::Diagnostics(found, sources) = error else {
            return match error {
                LoadError::Cancelled(limit) => Report::inconclusive(name, limit.reason()),
                _ => Report::failed(name, Blame::User, error.summary()),
            };
        };
        let mut report = Report::failed(name, Blame::User, error.summary());
        report.diagnostics = DiagnosticReport::list(found, sources);
        let errors = report.diagnostics.iter();
        report.errors = errors
            .filter(|diagnostic| diagnostic.severity == "error")
            .map(|d| ErrorReport {
                kind: "error",
                property: String::new(),
                message: d.message.clone(),
                depth: 0,
                location: Some(format!("{}:{}:{}", d.file, d.line, d.column)),
                calls: Vec::new(),
                trace: None,
                trace_error: None,
                count: 1,
                steps: 0,
                cycle: None,
                row: None,
            })
            .collect();
        report
    }

    /// The report when there is no plan.
    pub fn refused(name: &Path, refusal: &Refusal) -> Report {
        Report::failed(name, Blame::User, refusal.to_string())
    }

    /// The report when the check went wrong.
    pub fn failed(name: &Path, blame: Blame, reason: String) -> Report {
        Report::without_run(name, Verdict::Error(blame), Some(reason))
    }

    /// The report of a check that ended before anything was known.
    pub fn inconclusive(name: &Path, reason: &str) -> Report {
        Report::without_run(name, Verdict::Inconclusive, Some(reason.to_owned()))
    }

    /// A report without properties and figures.
    fn without_run(name: &Path, verdict: Verdict, reason: Option<String>) -> Report {
        Report {
            schema: SCHEMA,
            model: name.display().to_string(),
            verdict,
            complete: false,
            reason,
            properties: Vec::new(),
            errors: Vec::new(),
            searches: Vec::new(),
            error_count: 0,
            states: States::default(),
            transitions: 0,
            atomic_steps: 0,
            depth: 0,
            endless_atomics: 0,
            owcty_iterations: None,
            options: Options::default(),
            estimate: None,
            io_error: None,
            seconds: Seconds::default(),
            memory_bytes: Memory {
                peak_rss: memory::peak_rss(),
                ..Memory::default()
            },
            unreached: Vec::new(),
            not_selected: Vec::new(),
            diagnostics: Vec::new(),
            version: env!("CARGO_PKG_VERSION"),
            exhaustive: false,
        }
    }
}

/// The properties with what is known about them.
fn properties(run: &Run<'_>, searches: &[SearchReport]) -> Vec<PropertyReport> {
    let rows = run.plan.properties.iter().zip(run.judgements).enumerate();
    rows.map(|(row, (property, judgement))| {
        let mut own = run.results.iter().zip(searches);
        let own = own.find(|(result, _)| run.plan.jobs[result.job].properties == [row]);
        PropertyReport {
            name: property.name.clone(),
            title: property.title(),
            kind: property.kind,
            verdict: judgement.verdict,
            reason: judgement.reason.clone(),
            location: property
                .location
                .map(|location| run.loaded.model.locate(location)),
            trace: None,
            search: own
                .filter(|_| property.target().is_some())
                .map(|(_, search)| search.clone()),
        }
    })
    .collect()
}

impl SearchReport {
    fn new(run: &Run<'_>, result: &JobResult) -> SearchReport {
        let outcome = &result.outcome;
        let statistics = &outcome.statistics;
        let job = &run.plan.jobs[result.job];
        SearchReport {
            subject: run.plan.subject(job),
            states: States {
                stored: statistics.stored,
                matched: statistics.matched,
                longest: statistics.longest_state,
            },
            transitions: statistics.transitions(),
            atomic_steps: statistics.atomic_steps,
            depth: statistics.depth,
            error_count: statistics.errors,
            owcty_iterations: statistics.owcty_iterations,
            endless_atomics: statistics.endless_atomics,
            options: options(run.loaded, job, result),
            estimate: result.estimate,
            seconds: outcome.duration.as_secs_f64(),
            memory_bytes: Memory {
                states: outcome.store_bytes as u64,
                stack: outcome.stack_bytes as u64,
                peak_rss: 0,
            },
        }
    }
}

/// How a search was made.
fn options(loaded: &Loaded, job: &Job, result: &JobResult) -> Options {
    let mut reduction = job.reduced.as_ref().map_or_else(Vec::new, reduction_names);
    if job.por.reduction().is_some() {
        reduction.push("por");
    }
    if job.symmetry.is_used() {
        reduction.push("symmetry");
    }
    Options {
        search: job.algorithm.name(),
        reduction,
        por: job.por.name().unwrap_or("none"),
        por_reason: job.por.reason().map(str::to_owned),
        por_check: result.por_check.map(Into::into),
        por_given_up: result.outcome.given_up,
        symmetry: SymmetryReport::new(&loaded.model, &job.symmetry),
        symmetry_check: result.symmetry_check.map(Into::into),
        store: job.store_name(),
        collapsed: result.outcome.collapsed,
        backend: match result.backend {
            Backend::Jit => "jit",
            Backend::Interp => "interp",
        },
        fairness: job.fairness.name(),
        threads: 1,
        lossy_channels: loaded.model.lossy,
    }
}

impl ErrorReport {
    /// A violation in words.
    pub(crate) fn new(
        loaded: &Loaded,
        plan: &Plan,
        row: usize,
        finding: &Finding,
        last_state: &[u8],
    ) -> ErrorReport {
        let model = &loaded.model;
        let property = &plan.properties[row];
        let (message, place) = match property.target() {
            Some(_) => describe_lasso(model, property, finding),
            None => describe(model, finding, last_state),
        };
        ErrorReport {
            kind: finding.violation.kind.name(),
            property: property.name.clone(),
            message,
            // Without an initial state nothing has a depth.
            depth: match last_state.is_empty() {
                true => 0,
                false => finding.depth,
            },
            location: place.map(|(location, _)| model.locate(location)),
            calls: place.map_or_else(Vec::new, |(_, call)| FileCall::all(model, call)),
            trace: None,
            trace_error: None,
            count: finding.count,
            steps: finding.trace.steps.len(),
            cycle: finding.trace.cycle,
            row: Some(row),
        }
    }
}

impl DiagnosticReport {
    /// What the front end said.
    pub(crate) fn list(found: &[Diagnostic], sources: &SourceMap) -> Vec<DiagnosticReport> {
        let reports = found.iter().map(|diagnostic| {
            let location = sources.location(diagnostic.span);
            DiagnosticReport {
                severity: match diagnostic.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                },
                lint: diagnostic.lint.map(Lint::name),
                file: location.file,
                line: location.line,
                column: location.column,
                message: diagnostic.message.clone(),
                help: diagnostic.help.clone(),
            }
        });
        reports.collect()
    }
}
