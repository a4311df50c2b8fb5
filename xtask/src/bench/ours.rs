//! The searches of spinor.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use serde_json::Value;

use super::measure::{self, Sample, Usage};
use super::reference;
use super::set::{Config, Kind, Size};
use crate::process;

/// The flags that ask for what the reference computes.
const CHECK: [&str; 5] = [
    "--safety",
    "--no-reduction",
    "--all-errors",
    "--format",
    "json",
];

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    /// With a complete search.
    Done(Sample),
    /// The binary does not have this configuration.
    Refused,
    /// Otherwise, which should not happen.
    Failed(String),
}

/// Searches a model as a configuration says.
pub fn run(spinor: &Path, model: &Path, size: Size, config: &Config) -> io::Result<Run> {
    let mut args: Vec<String> = Vec::new();
    for define in size.defines {
        args.extend(["-D".to_owned(), (*define).to_owned()]);
    }
    args.extend(CHECK.map(str::to_owned));
    let mut set = |option: &str, value: &str| {
        args.extend([option.to_owned(), value.to_owned()]);
    };
    set("--search", config.search);
    set("--store", config.store);
    if config.reference == Kind::Bitstate {
        set("--memory", &format!("{}", reference::bits(size) / 8));
    }
    if let Some(backend) = config.backend {
        set("--backend", backend);
    }
    if let Some(por) = config.por {
        set("--por", por);
    }
    check(spinor, model, args.into_iter(), config.exact)
}

/// Runs `spinor check` with a report for machines, in a directory of its own.
fn check(
    spinor: &Path,
    model: &Path,
    args: impl Iterator<Item = String>,
    exact: bool,
) -> io::Result<Run> {
    Ok(check_with_log(spinor, model, args, exact)?.0)
}

/// The same, and what it wrote to standard error.
pub fn check_with_log(
    spinor: &Path,
    model: &Path,
    args: impl Iterator<Item = String>,
    exact: bool,
) -> io::Result<(Run, String)> {
    let dir = tempfile::tempdir()?;
    let (out, log) = (dir.path().join("report"), dir.path().join("log"));
    let mut command = process::command(spinor, measure::LIMIT);
    command
        .arg("check")
        .arg(model)
        .args(args)
        .current_dir(dir.path())
        .stdout(File::create(&out)?)
        .stderr(File::create(&log)?);
    let (status, usage) = measure::run(&mut command)?;
    match status.code() {
        Some(126 | 127) => Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!("{} cannot be run", spinor.display()),
        )),
        code => Ok((
            read(&fs::read(&out)?, code, usage, exact),
            fs::read_to_string(&log)?,
        )),
    }
}

/// Reads the report of a run with this exit status; a signal gives none.
///
/// A search that is not exact proves nothing, so it may end without a verdict.
fn read(report: &[u8], status: Option<i32>, usage: Usage, exact: bool) -> Run {
    let Ok(report) = serde_json::from_slice::<Value>(report) else {
        return Run::Failed(match status {
            Some(status) => format!("exit status {status} without a report"),
            None => "killed by a signal".to_owned(),
        });
    };
    let reason = report["reason"].as_str().unwrap_or("no reason");
    let complete = status == Some(0) || (status == Some(3) && !exact);
    match status {
        _ if complete => match sample(&report, usage) {
            Some(sample) => Run::Done(sample),
            None => Run::Failed("the report lacks a number".to_owned()),
        },
        Some(2) if reason.contains("not available") || reason.contains("invalid value") => {
            Run::Refused
        }
        _ => Run::Failed(reason.to_owned()),
    }
}

fn sample(report: &Value, usage: Usage) -> Option<Sample> {
    Some(Sample {
        stored: report["states"]["stored"].as_u64()?,
        transitions: report["transitions"].as_u64()?,
        cpu: usage.cpu,
        search: report["seconds"]["search"].as_f64()?,
        peak: usage.peak,
        states: report["memory_bytes"]["states"].as_u64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const USAGE: Usage = Usage {
        cpu: 1.5,
        peak: 4096,
    };

    #[test]
    fn a_search() {
        let report = br#"{ "verdict": "holds", "reason": null, "states": { "stored": 5 },
            "transitions": 7, "seconds": { "search": 1.25 }, "memory_bytes": { "states": 80 } }"#;
        let expected = Sample {
            stored: 5,
            transitions: 7,
            cpu: 1.5,
            search: 1.25,
            peak: 4096,
            states: 80,
        };
        let done = Run::Done(expected);
        assert_eq!(read(report, Some(0), USAGE, true), done);
        assert_eq!(read(report, Some(3), USAGE, false), done);
        assert_ne!(read(report, Some(3), USAGE, true), done);
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        let report = br#"{ "reason": "'bfs' for '--search <SEARCH>' is not available yet" }"#;
        assert_eq!(read(report, Some(2), USAGE, true), Run::Refused);
    }

    #[test]
    fn everything_else_is_a_failure() {
        let failed =
            |report: &[u8], status| matches!(read(report, status, USAGE, true), Run::Failed(_));
        assert!(failed(br#"{ "reason": "2 errors" }"#, Some(2)));
        assert!(failed(br#"{ "reason": null }"#, Some(1)));
        assert!(failed(br#"{ "reason": null }"#, Some(0)));
        assert!(failed(b"", None));
    }
}
