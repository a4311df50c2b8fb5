//! What a caller hears while a check runs.

use promela::diagnostic::Diagnostic;
use promela::source::SourceMap;
use search::Finding;
use serde::Serialize;
use serde_json::{Value, json};

use crate::judge::Judgement;
use crate::load::{LoadError, Loaded};
use crate::plan::Plan;
use crate::report::{DiagnosticReport, ErrorReport};

/// Something that happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A phase began.
    Phase {
        /// The phase.
        phase: Phase,
        /// The property, or the properties, it is about; empty where it is about all.
        subject: &'a str,
    },
    /// The model could not be read.
    Rejected(&'a LoadError),
    /// The front end has warnings.
    Warnings {
        /// The warnings.
        diagnostics: &'a [Diagnostic],
        /// The texts they are about.
        sources: &'a SourceMap,
    },
    /// It was decided what will be searched, and how.
    Planned {
        /// The model.
        loaded: &'a Loaded,
        /// The plan.
        plan: &'a Plan,
    },
    /// A counterexample was found and confirmed.
    Counterexample(&'a Counterexample<'a>),
    /// A property was decided, or its search ended without deciding it.
    Verdict {
        /// The model.
        loaded: &'a Loaded,
        /// The plan.
        plan: &'a Plan,
        /// The row of the property in the plan.
        property: usize,
        /// What is known about it.
        judgement: &'a Judgement,
    },
    /// How far the work is.
    Progress(ProgressReport),
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Reading the model.
    Load,
    /// Analysing it, and deciding what to search.
    Plan,
    /// Compiling it and preparing the reductions.
    Prepare,
    /// Searching.
    Search,
}

impl Phase {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Load => "load",
            Phase::Plan => "plan",
            Phase::Prepare => "prepare",
            Phase::Search => "search",
        }
    }
}

/// A violation that was executed again, in the model as written.
#[derive(Clone, Copy, Debug)]
pub struct Counterexample<'a> {
    /// Its number in the check, from 0: its row in [`Report::errors`](crate::Report::errors).
    pub number: usize,
    /// The model.
    pub loaded: &'a Loaded,
    /// The plan.
    pub plan: &'a Plan,
    /// The row of the violated property in the plan.
    pub property: usize,
    /// The violation and the execution that leads to it.
    pub finding: &'a Finding,
    /// The violation as the report describes it.
    pub error: &'a ErrorReport,
}

/// How far the work is.
#[derive(Clone, Debug, Serialize)]
pub struct ProgressReport {
    /// What is being done.
    pub phase: Phase,
    /// The property, or the properties, it is done for.
    pub subject: String,
    /// States stored by the present search.
    pub stored: u64,
    /// Its transitions.
    pub transitions: u64,
    /// The depth it reached; in a breadth-first search, the layer.
    pub depth: u64,
    /// Violations it met.
    pub errors: u64,
    /// The memory of its store and stack.
    pub memory_bytes: u64,
    /// The time since the phase began.
    pub phase_seconds: f64,
    /// The time since the check began.
    pub seconds: f64,
}

impl ProgressReport {
    /// States stored in a second of the present search.
    pub fn rate(&self) -> f64 {
        self.stored as f64 / self.phase_seconds.max(0.001)
    }
}

impl Event<'_> {
    /// The event as a JSON object with a field `event`, as `--format jsonl` prints it.
    pub fn json(&self) -> Value {
        match self {
            Event::Phase { phase, subject } => {
                json!({ "event": "phase", "phase": phase, "subject": subject })
            }
            Event::Rejected(error) => {
                json!({ "event": "rejected", "reason": error.summary() })
            }
            Event::Warnings {
                diagnostics,
                sources,
            } => {
                let list = DiagnosticReport::list(diagnostics, sources);
                json!({ "event": "warning", "diagnostics": list })
            }
            Event::Planned { plan, .. } => {
                let properties: Vec<String> = plan.properties.iter().map(|p| p.title()).collect();
                json!({ "event": "plan", "properties": properties, "jobs": plan.json() })
            }
            Event::Counterexample(Counterexample {
                plan,
                property,
                error,
                ..
            }) => {
                let property = plan.properties[*property].title();
                json!({ "event": "counterexample", "property": property, "error": error })
            }
            Event::Verdict {
                plan,
                property,
                judgement,
                ..
            } => {
                let property = &plan.properties[*property];
                json!({
                    "event": "verdict",
                    "property": property.title(),
                    "name": property.name,
                    "kind": property.kind,
                    "verdict": judgement.verdict.word(),
                    "reason": judgement.reason,
                })
            }
            Event::Progress(progress) => {
                let mut object = json!(progress);
                object["event"] = json!("progress");
                object["rate"] = json!(progress.rate());
                object
            }
        }
    }
}
