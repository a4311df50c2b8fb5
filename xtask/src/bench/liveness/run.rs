//! The searches of spinor for cycles.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::super::measure::{self, Sample, Usage};
use super::set::{Fairness, Property};
use crate::process;

/// One search, by Spin or by us.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// What it costs.
    pub sample: Sample,
    /// Expansions of states, in both parts of the search.
    pub visited: u64,
}

/// The counterexample of a search: an execution that comes back to where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// Steps before the cycle.
    pub stem: u64,
    /// Steps of the cycle.
    pub cycle: u64,
}

impl Run {
    /// The cheaper of two runs.
    pub fn best(self, other: Option<Run>) -> Run {
        match other {
            Some(other) if other.sample.cpu < self.sample.cpu => other,
            _ => self,
        }
    }
}

impl Lasso {
    /// All steps.
    pub fn length(self) -> u64 {
        self.stem + self.cycle
    }
}

/// A model with a claim behind it, in a directory of its own.
pub struct Claimed {
    _dir: TempDir,
    /// The text.
    pub model: PathBuf,
}

impl Claimed {
    /// Writes the text.
    pub fn write(model: &Path, property: Property, accepting: bool) -> io::Result<Claimed> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("claimed.pml");
        let text = fs::read_to_string(model)?;
        fs::write(&path, text + &property.claim(accepting))?;
        Ok(Claimed {
            _dir: dir,
            model: path,
        })
    }
}

/// What to ask spinor.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The binary.
    pub spinor: &'a Path,
    /// A model with a claim.
    pub model: &'a Path,
    /// The macros of its size.
    pub defines: &'a [&'a str],
    /// How to search.
    pub search: &'a [&'a str],
    /// Which executions count.
    pub fairness: Fairness,
}

impl Question<'_> {
    /// The search of a property that holds, or what is wrong with it.
    pub fn holds(self) -> io::Result<Result<Run, String>> {
        let (report, usage) = self.ask()?;
        Ok(read_run(&report, usage))
    }

    /// The counterexample, or what is wrong with the search.
    pub fn lasso(self) -> io::Result<Result<Lasso, String>> {
        let (report, _) = self.ask()?;
        Ok(read_lasso(&report))
    }

    fn ask(self) -> io::Result<(Value, Usage)> {
        let dir = tempfile::tempdir()?;
        let (out, log) = (dir.path().join("report"), dir.path().join("log"));
        let mut command = process::command(self.spinor, measure::LIMIT);
        command.arg("check").arg(self.model);
        for define in self.defines {
            command.args(["-D", define]);
        }
        command
            .args(["--never", "--no-reduction", "--format", "json"])
            .args(["--fairness", self.fairness.word()])
            .args(self.search)
            .current_dir(dir.path())
            .stdout(File::create(&out)?)
            .stderr(File::create(&log)?);
        let (_, usage) = measure::run(&mut command)?;
        let report = serde_json::from_slice(&fs::read(&out)?).map_err(io::Error::other)?;
        Ok((report, usage))
    }
}

/// The reason why a report does not have the verdict.
fn expect(report: &Value, verdict: &str) -> Result<(), String> {
    match report["verdict"].as_str() {
        Some(word) if word == verdict => Ok(()),
        word => Err(format!(
            "{} instead of {verdict}: {}",
            word.unwrap_or("nothing"),
            report["reason"].as_str().unwrap_or("no reason")
        )),
    }
}

fn read_run(report: &Value, usage: Usage) -> Result<Run, String> {
    expect(report, "holds")?;
    let run = || {
        let transitions = report["transitions"].as_u64()?;
        Some(Run {
            sample: Sample {
                stored: report["states"]["stored"].as_u64()?,
                transitions,
                cpu: usage.cpu,
                search: report["seconds"]["search"].as_f64()?,
                peak: usage.peak,
                states: report["memory_bytes"]["states"].as_u64()?,
            },
            visited: transitions.checked_sub(report["states"]["matched"].as_u64()?)?,
        })
    };
    run().ok_or_else(|| "the report lacks a number".to_owned())
}

fn read_lasso(report: &Value) -> Result<Lasso, String> {
    expect(report, "violated")?;
    let error = &report["errors"][0];
    let lasso = || {
        let stem = error["cycle"].as_u64()?;
        let cycle = error["steps"].as_u64()?.checked_sub(stem)?;
        Some(Lasso { stem, cycle })
    };
    lasso().ok_or_else(|| "no cycle".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const USAGE: Usage = Usage {
        cpu: 1.5,
        peak: 4096,
    };

    fn json(text: &str) -> Value {
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn a_property_that_holds() {
        let report = json(
            r#"{ "verdict": "holds", "states": { "stored": 5, "matched": 9 }, "transitions": 17,
                 "seconds": { "search": 1.25 }, "memory_bytes": { "states": 80 } }"#,
        );
        let run = read_run(&report, USAGE).expect("a run");
        assert_eq!((run.sample.stored, run.sample.transitions), (5, 17));
        assert_eq!(run.visited, 8);
        let wrong = read_lasso(&report).expect_err("no lasso");
        assert_eq!(wrong, "holds instead of violated: no reason");
    }

    #[test]
    fn a_property_that_is_violated() {
        let report = json(
            r#"{ "verdict": "violated", "reason": null,
                 "errors": [ { "steps": 12, "cycle": 8 } ] }"#,
        );
        let lasso = read_lasso(&report).expect("a lasso");
        assert_eq!((lasso.stem, lasso.cycle, lasso.length()), (8, 4, 12));
        assert!(read_run(&report, USAGE).is_err());
        let safety =
            json(r#"{ "verdict": "violated", "errors": [ { "steps": 2, "cycle": null } ] }"#);
        assert_eq!(read_lasso(&safety), Err("no cycle".to_owned()));
    }
}
