//! `test`: all tests of the workspace. Cargo runs one test binary after the other, so a binary whose
//! last test takes long leaves the other cores idle; this runs as many binaries as there are cores.

use std::fs;
use std::io;
use std::ops::AddAssign;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::bench::measure;
use crate::cargo::{self, TestBinary};
use crate::parallel;
use crate::process;

/// Something with tests.
enum Suite {
    Binary(TestBinary),
    /// The examples in the documentation of all crates.
    Documentation,
}

impl Suite {
    fn name(&self) -> String {
        match self {
            Suite::Binary(binary) => binary.name(),
            Suite::Documentation => "documentation".to_owned(),
        }
    }

    /// A command that runs the tests whose names contain one of the filters.
    fn command(&self, filters: &[String]) -> Command {
        let mut command = match self {
            Suite::Binary(binary) => binary.command(),
            Suite::Documentation => {
                let mut command = cargo::cargo();
                command
                    .args(["test", "--workspace", "--doc", "--no-fail-fast"])
                    .args(["--profile", cargo::TEST_PROFILE, "--"]);
                command
            }
        };
        command.args(filters);
        command
    }

    fn run(&self, filters: &[String], log: &Path) -> io::Result<Outcome> {
        let mut command = self.command(filters);
        process::log_to(&mut command, log)?;
        let start = Instant::now();
        let (status, usage) = measure::run(&mut command)?;
        let text = String::from_utf8_lossy(&fs::read(log)?).into_owned();
        Ok(Outcome {
            passed: status.success(),
            counts: counts(&text),
            text,
            seconds: start.elapsed().as_secs_f64(),
            cpu: usage.cpu,
        })
    }
}

/// What a suite said.
struct Outcome {
    passed: bool,
    counts: Counts,
    text: String,
    seconds: f64,
    /// Processor time, in seconds.
    cpu: f64,
}

/// How many tests ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

/// Runs the tests whose names contain one of the filters, or all without one; true if they pass.
pub fn run(filters: &[String], jobs: usize) -> io::Result<bool> {
    let mut suites = vec![Suite::Documentation];
    suites.extend(cargo::test_binaries()?.into_iter().map(Suite::Binary));
    let logs = tempfile::tempdir()?;
    let numbered: Vec<(usize, Suite)> = suites.into_iter().enumerate().collect();
    let mut sum = Counts::default();
    let (mut cpu, mut failed, mut error) = (0.0, Vec::new(), None);
    parallel::in_order(
        &numbered,
        jobs,
        |(number, suite)| suite.run(filters, &logs.path().join(number.to_string())),
        |(_, suite), outcome| match outcome {
            Ok(outcome) => {
                sum += outcome.counts;
                cpu += outcome.cpu;
                print(suite, &outcome);
                if !outcome.passed {
                    failed.push(suite.name());
                }
            }
            Err(new) => error = Some(new),
        },
    );
    if let Some(error) = error {
        return Err(error);
    }
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!(
        "{} passed, {} failed, {} ignored; {cpu:.0} s of processor time",
        sum.passed, sum.failed, sum.ignored
    );
    Ok(failed.is_empty())
}

/// One line for a suite that passed, all that it printed for one that failed.
fn print(suite: &Suite, outcome: &Outcome) {
    let Outcome { seconds, cpu, .. } = outcome;
    let Counts { passed, failed, .. } = outcome.counts;
    let (name, times) = (
        suite.name(),
        format!("{seconds:.1} s, processor {cpu:.1} s"),
    );
    if outcome.passed {
        println!("{name}: {passed} passed in {times}");
        return;
    }
    println!("{name}: FAILED, {passed} passed, {failed} failed in {times}");
    let lines = outcome.text.lines();
    for line in lines.filter(|line| !line.ends_with(" ... ok")) {
        println!("    {line}");
    }
}

/// The sum of all lines like `test result: ok. 5 passed; 0 failed; 1 ignored; ...`.
fn counts(text: &str) -> Counts {
    let mut sum = Counts::default();
    for line in text.lines() {
        let Some(result) = line.strip_prefix("test result: ") else {
            continue;
        };
        let number = |word: &str| -> u64 {
            let before = result.split_once(word).map_or("", |(before, _)| before);
            let last = before.split_whitespace().last();
            last.and_then(|number| number.parse().ok()).unwrap_or(0)
        };
        sum += Counts {
            passed: number(" passed"),
            failed: number(" failed"),
            ignored: number(" ignored"),
        };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_up() {
        let text = "running 2 tests\n\
            test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\n\
            test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 9 filtered out\n";
        let expected = Counts {
            passed: 17,
            failed: 3,
            ignored: 1,
        };
        assert_eq!(counts(text), expected);
        assert_eq!(counts("error: no test ran"), Counts::default());
    }
}
