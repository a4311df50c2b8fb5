//! Runs spinor on a model and reads its report.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::outcome::{Counts, Verdict};
use crate::process::{self, Ending};
use crate::question::Question;

/// The flags that ask for what the reference computes.
const CHECK: [&str; 5] = ["--no-reduction", "--depth", "1000000", "--format", "json"];

/// Which spinor to run, and how.
pub struct Spinor {
    /// The binary.
    pub program: PathBuf,
    /// Flags on top of the usual ones.
    pub extra: Vec<String>,
    /// Wall-clock limit.
    pub time: Duration,
}

/// What spinor said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// The model was refused.
    Rejected {
        /// The reason.
        message: String,
    },
    /// The model was searched.
    Searched {
        /// Never [`Verdict::Rejected`].
        verdict: Verdict,
        /// The size of the state space.
        #[serde(flatten)]
        counts: Counts,
        /// Error events.
        errors: u64,
    },
    /// The contract was broken: a crash, no report, or a report that contradicts the exit status.
    Broken {
        /// What went wrong.
        message: String,
    },
}

impl Spinor {
    /// Runs `spinor check` in a directory of its own, where its traces may pile up.
    pub fn ask(&self, model: &Path, question: &Question) -> io::Result<Answer> {
        let model = fs::canonicalize(model)?;
        let dir = tempfile::tempdir()?;
        let (out, log) = (dir.path().join("report"), dir.path().join("log"));
        let mut command = process::command(&self.program, self.time);
        command
            .arg("check")
            .arg(&model)
            .args(question.check())
            .args(CHECK)
            .args(&self.extra)
            .current_dir(dir.path())
            .stdout(File::create(&out)?)
            .stderr(File::create(&log)?);
        let ending = process::run(&mut command, self.time)?;
        let answer = match ending {
            Ending::Exit(status) => read(&fs::read(&out)?, status),
            Ending::Signal(signal) => Err(format!("killed by signal {signal}")),
            Ending::TimedOut => Err(format!("no answer in {} s", self.time.as_secs())),
        };
        Ok(answer.unwrap_or_else(|reason| {
            let log = fs::read(&log).unwrap_or_default();
            let log = String::from_utf8_lossy(&log);
            let last = log.lines().rfind(|line| !line.trim().is_empty());
            let message = match last {
                Some(line) => format!("{reason}: {}", line.trim()),
                None => reason,
            };
            Answer::Broken { message }
        }))
    }
}

/// Reads the JSON report and holds it against the exit status.
fn read(report: &[u8], status: i32) -> Result<Answer, String> {
    let report: Value =
        serde_json::from_slice(report).map_err(|_| format!("exit {status} without a report"))?;
    let word = report["verdict"].as_str().unwrap_or("none");
    let verdict = match (word, status) {
        ("holds", 0) => Verdict::Holds,
        ("violated", 1) => Verdict::Violated,
        ("error", 2) => Verdict::Rejected,
        ("inconclusive", 3) => Verdict::Inconclusive,
        _ => return Err(format!("exit {status} with verdict {word}")),
    };
    if verdict == Verdict::Rejected {
        let message = report["errors"][0]["message"].as_str();
        let message = message.or(report["reason"].as_str()).unwrap_or("no reason");
        return Ok(Answer::Rejected {
            message: message.to_owned(),
        });
    }
    let number = |value: &Value, name: &str| {
        let missing = || format!("the report has no number `{name}`");
        value.as_u64().ok_or_else(missing)
    };
    let errors = match &report["error_count"] {
        // Without a count of events, every event is listed.
        Value::Null => report["errors"].as_array().map_or(0, |list| list.len()) as u64,
        count => number(count, "error_count")?,
    };
    // The reference checks channel claims only in searches with reduction.
    let errors = errors - claim_errors(&report).min(errors);
    let verdict = match verdict {
        Verdict::Violated if errors == 0 => Verdict::Holds,
        verdict => verdict,
    };
    Ok(Answer::Searched {
        verdict,
        counts: Counts {
            stored: number(&report["states"]["stored"], "states.stored")?,
            matched: number(&report["states"]["matched"], "states.matched")?,
            transitions: number(&report["transitions"], "transitions")?,
            atomic: number(&report["atomic_steps"], "atomic_steps")?,
            depth: number(&report["depth"], "depth")?,
        },
        errors,
    })
}

/// How many of the error events are violated channel claims.
fn claim_errors(report: &Value) -> u64 {
    let errors = report["errors"].as_array().into_iter().flatten();
    errors
        .filter(|error| error["kind"] == "channel-claim")
        .map(|error| error["count"].as_u64().unwrap_or(1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{ "schema": 1, "verdict": "violated",
        "errors": [ { "kind": "assertion", "depth": 3 }, { "kind": "assertion", "depth": 4 } ],
        "states": { "stored": 5, "matched": 2 }, "transitions": 7, "atomic_steps": 1, "depth": 4 }"#;

    #[test]
    fn report_of_a_search() {
        let counts = Counts {
            stored: 5,
            matched: 2,
            transitions: 7,
            atomic: 1,
            depth: 4,
        };
        let expected = Answer::Searched {
            verdict: Verdict::Violated,
            counts,
            errors: 2,
        };
        assert_eq!(read(REPORT.as_bytes(), 1), Ok(expected));
    }

    #[test]
    fn channel_claims_are_left_out() {
        let report = br#"{ "verdict": "violated", "error_count": 2,
            "errors": [ { "kind": "channel-claim", "count": 2 } ],
            "states": { "stored": 5, "matched": 2 }, "transitions": 7, "atomic_steps": 0,
            "depth": 4 }"#;
        let answer = read(report, 1);
        let holds = Verdict::Holds;
        assert!(
            matches!(answer, Ok(Answer::Searched { verdict, errors: 0, .. }) if verdict == holds)
        );
    }

    #[test]
    fn report_of_a_refusal() {
        let report = br#"{ "verdict": "error", "reason": "2 errors",
            "errors": [ { "message": "undeclared variable" } ] }"#;
        let expected = Answer::Rejected {
            message: "undeclared variable".to_owned(),
        };
        assert_eq!(read(report, 2), Ok(expected));
    }

    #[test]
    fn a_broken_contract_is_no_answer() {
        assert!(read(REPORT.as_bytes(), 0).is_err());
        assert!(read(b"panicked", 101).is_err());
        assert!(read(br#"{ "verdict": "holds" }"#, 0).is_err());
    }
}
