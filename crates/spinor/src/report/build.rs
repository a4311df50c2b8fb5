//! From a run to its report.

use std::path::Path;

use model::Model;
use promela::diagnostic::{Diagnostic, Severity};
use promela::source::SourceMap;
use search::{Finding, Outcome};

use super::describe::describe;
use super::unreached::unreached;
use super::{
    DiagnosticReport, ErrorReport, Memory, Options, PropertyReport, Report, SCHEMA, Seconds, States,
};
use crate::engine::Estimate;
use crate::load::{LoadError, Loaded};
use crate::memory;
use crate::plan::{Blame, Plan, PropertyVerdict, Verdict};

/// A violation that was executed again.
#[derive(Clone, Debug)]
pub struct Confirmed<'a> {
    /// What the search found.
    pub finding: &'a Finding,
    /// The last state of its execution.
    pub last_state: Vec<u8>,
    /// The file with its trace.
    pub trace: Option<String>,
}

/// What a report is made of.
pub struct Run<'a> {
    /// The model's file.
    pub path: &'a Path,
    /// The model.
    pub loaded: &'a Loaded,
    /// What was to be checked.
    pub plan: &'a Plan,
    /// What the search came to, if there was one.
    pub outcome: Option<&'a Outcome>,
    /// What its store may have missed.
    pub estimate: Option<Estimate>,
    /// The violations.
    pub confirmed: &'a [Confirmed<'a>],
    /// How it was searched.
    pub options: Options,
    /// Where the time went.
    pub seconds: Seconds,
}

impl Report {
    /// The report of a run.
    pub fn new(run: Run<'_>) -> Report {
        let Run { plan, outcome, .. } = run;
        let model = &run.loaded.model;
        let judgement = plan.judge(outcome, run.estimate.as_ref());
        let errors: Vec<ErrorReport> = run
            .confirmed
            .iter()
            .map(|confirmed| error(model, plan, confirmed))
            .collect();
        let properties = plan
            .properties
            .iter()
            .zip(&judgement.properties)
            .map(|(property, &verdict)| PropertyReport {
                name: property.name.clone(),
                title: property.title(),
                kind: property.kind,
                verdict,
                location: property.location.map(|location| model.locate(location)),
                trace: (verdict == PropertyVerdict::Violated)
                    .then(|| {
                        let concerned =
                            |c: &&Confirmed<'_>| property.concerns(&c.finding.violation);
                        run.confirmed.iter().find(concerned)?.trace.clone()
                    })
                    .flatten(),
            })
            .collect();
        let mut report = Report {
            complete: judgement.complete,
            properties,
            errors,
            options: run.options,
            estimate: run.estimate,
            seconds: run.seconds,
            not_selected: plan.not_selected.clone(),
            diagnostics: diagnostics(&run.loaded.warnings, &run.loaded.sources),
            ..Report::without_run(run.path, judgement.verdict, judgement.reason)
        };
        if let Some(outcome) = outcome {
            report.add_figures(model, outcome);
        }
        report
    }

    fn add_figures(&mut self, model: &Model, outcome: &Outcome) {
        let figures = &outcome.figures;
        self.states = States {
            stored: figures.stored,
            matched: figures.matched,
            longest: figures.longest_state,
        };
        self.transitions = figures.transitions();
        self.atomic_steps = figures.atomic_steps;
        self.depth = figures.depth;
        self.endless_atomics = figures.endless_atomics;
        self.error_count = figures.errors;
        self.exhaustive = outcome.exhaustive().is_some();
        self.trouble.clone_from(&outcome.trouble);
        let mut reached = outcome.reached.clone();
        // Steps that could not be completed were reached all the same.
        for finding in outcome.findings() {
            if let Some(step) = finding.trace.steps.last() {
                reached[step.transition.0 as usize] = true;
            }
        }
        self.unreached = unreached(model, &reached);
        self.seconds.search = outcome.duration.as_secs_f64();
        self.memory_bytes.states = outcome.store_bytes as u64;
        self.memory_bytes.stack = outcome.stack_bytes as u64;
    }

    /// The report when the model could not be read.
    pub fn rejected(path: &Path, error: &LoadError) -> Report {
        let mut report = Report::failed(path, Blame::User, error.summary());
        if let LoadError::Diagnostics(found, sources) = error {
            report.diagnostics = diagnostics(found, sources);
            report.errors = report
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == "error")
                .map(|d| ErrorReport {
                    kind: "error",
                    property: String::new(),
                    message: d.message.clone(),
                    depth: 0,
                    location: Some(format!("{}:{}:{}", d.file, d.line, d.column)),
                    trace: None,
                    count: 1,
                    steps: 0,
                })
                .collect();
        }
        report
    }

    /// The report when the run went wrong.
    pub fn failed(path: &Path, blame: Blame, reason: String) -> Report {
        Report::without_run(path, Verdict::Error(blame), Some(reason))
    }

    /// A report without properties and figures.
    pub fn without_run(path: &Path, verdict: Verdict, reason: Option<String>) -> Report {
        Report {
            schema: SCHEMA,
            model: path.display().to_string(),
            verdict,
            complete: false,
            reason,
            properties: Vec::new(),
            errors: Vec::new(),
            error_count: 0,
            states: States::default(),
            transitions: 0,
            atomic_steps: 0,
            depth: 0,
            endless_atomics: 0,
            options: Options::default(),
            estimate: None,
            trouble: None,
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

fn error(model: &Model, plan: &Plan, confirmed: &Confirmed<'_>) -> ErrorReport {
    let Finding {
        violation,
        depth,
        count,
        trace,
    } = confirmed.finding;
    let (message, location) = describe(model, confirmed.finding, &confirmed.last_state);
    let property = plan.properties.iter().find(|p| p.concerns(violation));
    // Without an initial state nothing has a depth.
    let depth = if confirmed.last_state.is_empty() {
        0
    } else {
        *depth
    };
    ErrorReport {
        kind: violation.kind.name(),
        property: property.map_or_else(String::new, |property| property.name.clone()),
        message,
        depth,
        location: location.map(|location| model.locate(location)),
        trace: confirmed.trace.clone(),
        count: *count,
        steps: trace.steps.len(),
    }
}

fn diagnostics(found: &[Diagnostic], sources: &SourceMap) -> Vec<DiagnosticReport> {
    found
        .iter()
        .map(|diagnostic| {
            let location = sources.location(diagnostic.span);
            DiagnosticReport {
                severity: match diagnostic.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                },
                file: location.file,
                line: location.line,
                column: location.column,
                message: diagnostic.message.clone(),
                help: diagnostic.help.clone(),
            }
        })
        .collect()
}
