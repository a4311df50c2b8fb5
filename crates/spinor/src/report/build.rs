//! From a run to its report.

use std::path::Path;

use model::Model;
use promela::diagnostic::{Diagnostic, Severity};
use promela::source::SourceMap;
use search::{Finding, Outcome};

use super::describe::{describe, describe_lasso};
use super::unreached::unreached;
use super::{
    DiagnosticReport, ErrorReport, Memory, Options, PropertyReport, Report, SCHEMA, SearchReport,
    Seconds, States,
};
use crate::commands::check::Checked;
use crate::load::{LoadError, Loaded};
use crate::memory;
use crate::plan::{Blame, Plan, PropertyVerdict, Searched, Verdict};
use crate::trace::file::FileCall;

/// A violation that was executed again.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// What the search found, with the steps of the model as written.
    pub finding: Finding,
    /// The property whose own search found it, by its row in the plan.
    pub property: Option<usize>,
    /// The last state of its execution.
    pub last_state: Vec<u8>,
    /// The file with its trace.
    pub file: Option<String>,
}

/// What a report is made of.
pub struct Run<'a> {
    /// The model's file.
    pub path: &'a Path,
    /// The model.
    pub loaded: &'a Loaded,
    /// What was to be checked.
    pub plan: &'a Plan,
    /// The search for violations of safety, if there was one.
    pub safety: Option<&'a Checked>,
    /// The searches of properties that have one of their own, in the order of the plan.
    pub others: &'a [Checked],
    /// The violations.
    pub confirmed: &'a [Confirmed],
    /// Whether sends to full channels lose their message.
    pub lossy_channels: bool,
    /// The fairness that was assumed.
    pub fairness: &'static str,
    /// Where the time went.
    pub seconds: Seconds,
}

impl Report {
    /// The report of a run.
    pub fn new(run: Run<'_>) -> Report {
        let Run { plan, safety, .. } = run;
        let model = &run.loaded.model;
        let others: Vec<Searched<'_>> = run.others.iter().map(Checked::searched).collect();
        let judgement = plan.judge(safety.map(Checked::searched), &others);
        let errors: Vec<ErrorReport> = run
            .confirmed
            .iter()
            .map(|confirmed| error(model, plan, confirmed))
            .collect();
        let first = safety.or(run.others.first());
        let mut report = Report {
            complete: judgement.complete,
            properties: properties(&run, &judgement.properties),
            errors,
            options: first.map_or_else(Options::default, |first| first.options.clone()),
            estimate: first.and_then(|first| first.estimate),
            seconds: run.seconds,
            not_selected: plan.not_selected.clone(),
            diagnostics: diagnostics(&run.loaded.warnings, &run.loaded.sources),
            ..Report::without_run(run.path, judgement.verdict, judgement.reason)
        };
        report.options.lossy_channels = run.lossy_channels;
        report.options.fairness = run.fairness;
        if let Some(first) = first {
            report.add_figures(model, &first.outcome);
        }
        let all = safety.into_iter().chain(run.others);
        report.seconds.search = all.map(|c| c.outcome.duration.as_secs_f64()).sum();
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
        self.owcty_iterations = figures.owcty_iterations;
        self.error_count = figures.errors;
        self.exhaustive = outcome.exhaustive().is_some();
        self.trouble.clone_from(&outcome.trouble);
        let mut reached = outcome.reached.clone();
        // Steps that could not be completed were reached all the same.
        for finding in outcome.findings() {
            let last = finding.trace.steps.last();
            if let Some(reached) = last.and_then(|s| reached.get_mut(s.transition.0 as usize)) {
                *reached = true;
            }
        }
        self.unreached = unreached(model, &reached);
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
                    calls: Vec::new(),
                    trace: None,
                    count: 1,
                    steps: 0,
                    cycle: None,
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
            owcty_iterations: None,
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

/// The properties with what is known about them.
fn properties(run: &Run<'_>, verdicts: &[PropertyVerdict]) -> Vec<PropertyReport> {
    let mut others = run.others.iter();
    let rows = run.plan.properties.iter().zip(verdicts).enumerate();
    rows.map(|(row, (property, &verdict))| {
        let own = property.target().and_then(|_| others.next());
        let concerned = |c: &&Confirmed| match c.property {
            Some(found_for) => found_for == row,
            None => property.concerns(&c.finding.violation),
        };
        PropertyReport {
            name: property.name.clone(),
            title: property.title(),
            kind: property.kind,
            verdict,
            location: property
                .location
                .map(|location| run.loaded.model.locate(location)),
            trace: (run.confirmed.iter().find(concerned)).and_then(|c| c.file.clone()),
            search: own.map(SearchReport::new),
        }
    })
    .collect()
}

impl SearchReport {
    fn new(checked: &Checked) -> SearchReport {
        let Outcome { figures, .. } = &checked.outcome;
        SearchReport {
            states: States {
                stored: figures.stored,
                matched: figures.matched,
                longest: figures.longest_state,
            },
            transitions: figures.transitions(),
            atomic_steps: figures.atomic_steps,
            depth: figures.depth,
            error_count: figures.errors,
            owcty_iterations: figures.owcty_iterations,
            options: checked.options.clone(),
            seconds: checked.outcome.duration.as_secs_f64(),
        }
    }
}

fn error(model: &Model, plan: &Plan, confirmed: &Confirmed) -> ErrorReport {
    let Finding {
        violation,
        depth,
        count,
        trace,
    } = &confirmed.finding;
    let property = match confirmed.property {
        Some(row) => plan.properties.get(row),
        None => plan.properties.iter().find(|p| p.concerns(violation)),
    };
    let (message, place) = match confirmed.property.and(property) {
        Some(property) => describe_lasso(model, property, &confirmed.finding),
        None => describe(model, &confirmed.finding, &confirmed.last_state),
    };
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
        location: place.map(|(location, _)| model.locate(location)),
        calls: place.map_or_else(Vec::new, |(_, call)| FileCall::all(model, call)),
        trace: confirmed.file.clone(),
        count: *count,
        steps: trace.steps.len(),
        cycle: trace.cycle,
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
