//! The report of a check: one value, for people or as JSON.

mod build;
mod describe;
mod symmetry;
pub mod unreached;

use reduce::check::{Audit, ExchangeAudit};
use serde::{Serialize, Serializer};

use crate::engine::Estimate;
use crate::judge::{PropertyVerdict, Verdict};
use crate::trace::file::FileCall;

pub(crate) use build::Run;
pub use symmetry::{BrokenReport, ScalarsetReport, SymmetryReport};

/// The version of the JSON report.
const SCHEMA: u32 = 1;

/// Everything there is to say about a check. Fields are added, never renamed or dropped.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of the report.
    pub schema: u32,
    /// The model's file, as it was given.
    pub model: String,
    /// The answer.
    #[serde(serialize_with = "verdict")]
    pub verdict: Verdict,
    /// Whether every property was decided.
    pub complete: bool,
    /// Why the verdict is not a full answer.
    pub reason: Option<String>,
    /// The properties of the run.
    pub properties: Vec<PropertyReport>,
    /// The distinct violations, in the order in which they were found.
    pub errors: Vec<ErrorReport>,
    /// The searches that were made. The figures below are those of the first one.
    pub searches: Vec<SearchReport>,
    /// The number of violations as Spin counts them: each time one was met.
    pub error_count: u64,
    /// States.
    pub states: States,
    /// Stored and matched states.
    pub transitions: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// The length of the longest path.
    pub depth: u64,
    /// Paths that ended in an atomic sequence that never ends.
    pub endless_atomics: u64,
    /// How often OWCTY went over the states; none for another search.
    pub owcty_iterations: Option<u64>,
    /// How it was searched.
    pub options: Options,
    /// What a store that is not exact may have missed.
    pub estimate: Option<Estimate>,
    /// What went wrong beside the search: a checkpoint that could not be written.
    #[serde(rename = "trouble")]
    pub io_error: Option<String>,
    /// Where the time went.
    pub seconds: Seconds,
    /// Where the memory went.
    pub memory_bytes: Memory,
    /// Statements that were never executed, of proctypes in the order of the text.
    pub unreached: Vec<UnreachedReport>,
    /// Properties of the model that were not asked for.
    pub not_selected: Vec<String>,
    /// What the front end said about the model.
    pub diagnostics: Vec<DiagnosticReport>,
    /// The version of spinor.
    pub version: &'static str,
    /// Whether the first search visited every reachable state.
    #[serde(skip)]
    pub exhaustive: bool,
}

/// A property and what is known about it.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyReport {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// What is known.
    #[serde(serialize_with = "property_verdict")]
    pub verdict: PropertyVerdict,
    /// Why it was not decided.
    pub reason: Option<String>,
    /// Where it stands.
    pub location: Option<String>,
    /// The file with the first counterexample.
    pub trace: Option<String>,
    /// The figures of the search of its own, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchReport>,
    /// Its name with what it is, for people.
    #[serde(skip)]
    pub title: String,
}

/// A violation.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorReport {
    /// Its kind.
    pub kind: &'static str,
    /// The property it violates.
    pub property: String,
    /// What happened.
    pub message: String,
    /// Where on its path, as Spin counts.
    pub depth: i64,
    /// The statement that failed, or one that waits for ever.
    pub location: Option<String>,
    /// The calls of inlines that this statement comes from, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<FileCall>,
    /// The file with the counterexample.
    pub trace: Option<String>,
    /// Why there is no such file, though one was to be written.
    pub trace_error: Option<String>,
    /// How often it was met.
    pub count: u64,
    /// The number of steps of the counterexample.
    pub steps: usize,
    /// The number of steps before the cycle, where the counterexample is one that goes on for
    /// ever. The cycle has no steps where the execution ends.
    pub cycle: Option<usize>,
    /// The row of the property it violates.
    #[serde(skip)]
    pub row: Option<usize>,
}

/// The figures of a search.
#[derive(Clone, Debug, Serialize)]
pub struct SearchReport {
    /// The properties it was to decide, in words: `safety`, or the title of one property.
    pub subject: String,
    /// States of model and claim together.
    pub states: States,
    /// Stored and matched states.
    pub transitions: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// The length of the longest path.
    pub depth: u64,
    /// The number of violations.
    pub error_count: u64,
    /// How often OWCTY went over the states; none for another search.
    pub owcty_iterations: Option<u64>,
    /// Paths that ended in an atomic sequence that never ends.
    pub endless_atomics: u64,
    /// How it was searched.
    pub options: Options,
    /// What a store that is not exact may have missed.
    pub estimate: Option<Estimate>,
    /// The time it took.
    pub seconds: f64,
    /// The memory of its store at the end, and of its stack at its greatest, in bytes.
    pub memory_bytes: Memory,
}

/// The number of states.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct States {
    /// Stored.
    pub stored: u64,
    /// Met again.
    pub matched: u64,
    /// Bytes of the longest.
    pub longest: usize,
}

/// How it was searched.
#[derive(Clone, Debug, Serialize)]
pub struct Options {
    /// The algorithm.
    pub search: &'static str,
    /// The reductions.
    pub reduction: Vec<&'static str>,
    /// The form of partial-order reduction.
    pub por: &'static str,
    /// Why there is none, if there could have been.
    pub por_reason: Option<String>,
    /// How far it was checked, if that was asked for.
    pub por_check: Option<PorCheck>,
    /// After how many states it was given up for the first time, if it left out next to nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub por_given_up: Option<u64>,
    /// Symmetry reduction.
    pub symmetry: SymmetryReport,
    /// How far it was checked, if that was asked for.
    pub symmetry_check: Option<SymmetryCheck>,
    /// The store.
    pub store: &'static str,
    /// Whether the states in it were the numbers of their parts.
    pub collapsed: bool,
    /// What executed the model.
    pub backend: &'static str,
    /// The fairness that was assumed.
    pub fairness: &'static str,
    /// The number of threads.
    pub threads: u32,
    /// Whether sends to full channels lose their message.
    pub lossy_channels: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            search: "dfs",
            reduction: Vec::new(),
            por: "none",
            por_reason: None,
            por_check: None,
            por_given_up: None,
            symmetry: SymmetryReport::default(),
            symmetry_check: None,
            store: "plain",
            collapsed: false,
            backend: "jit",
            fairness: "none",
            threads: 1,
            lossy_channels: false,
        }
    }
}

/// What a check of partial-order reduction looked at.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PorCheck {
    /// The states of the reduced state space.
    pub states: usize,
    /// Those of them that leave something out.
    pub reduced: usize,
    /// Whether there were no more.
    pub complete: bool,
}

/// What a check of symmetry reduction looked at.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SymmetryCheck {
    /// The states of the model.
    pub states: usize,
    /// How often two members were exchanged in them.
    pub exchanges: usize,
    /// Whether there were no more.
    pub complete: bool,
}

impl From<ExchangeAudit> for SymmetryCheck {
    fn from(audit: ExchangeAudit) -> SymmetryCheck {
        SymmetryCheck {
            states: audit.states,
            exchanges: audit.exchanges,
            complete: audit.complete,
        }
    }
}

impl From<Audit> for PorCheck {
    fn from(audit: Audit) -> PorCheck {
        PorCheck {
            states: audit.states,
            reduced: audit.reduced,
            complete: audit.complete,
        }
    }
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seconds {
    /// Reading the model.
    pub parse: f64,
    /// Analysing the model and deciding what to search.
    pub plan: f64,
    /// Making native code.
    pub compile: f64,
    /// Searching, that of a saved search included.
    pub search: f64,
    /// What a saved search had taken before it was resumed.
    pub earlier: f64,
    /// Everything, that of a saved search included.
    pub total: f64,
}

/// Where the memory went, in bytes.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Memory {
    /// The store.
    pub states: u64,
    /// The stack of the search.
    pub stack: u64,
    /// The most that the whole process had at once; 0 where it is not known.
    pub peak_rss: u64,
}

/// The statements of a proctype that were never executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreachedReport {
    /// The proctype.
    pub proctype: String,
    /// Where it stands.
    pub location: String,
    /// Whether nothing of it was executed.
    pub all: bool,
    /// The statements.
    pub statements: Vec<StatementReport>,
    /// Statements that no path through the proctype leads to.
    pub dead: Vec<StatementReport>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct StatementReport {
    /// Where it stands.
    pub location: String,
    /// The calls of inlines that it comes from, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<FileCall>,
    /// Its text, with the arguments of the call.
    pub text: String,
}

/// What the front end said about one place of the model.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticReport {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The lint that a warning is of, if it can be turned off.
    pub lint: Option<&'static str>,
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
}

fn verdict<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.word())
}

fn property_verdict<S: Serializer>(
    verdict: &PropertyVerdict,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.word())
}
