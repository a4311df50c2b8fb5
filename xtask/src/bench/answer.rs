//! Measures how soon `spinor check` answers.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::set::Entry;
use super::table::{self, Table};

/// The head of the section.
pub const HEAD: &str = "## Time to an answer\n";

/// The best of some answers.
struct Answer {
    stored: u64,
    /// From the start of the program to its end.
    all: Duration,
    /// Of that, what it takes to make machine code, in seconds.
    compile: f64,
}

/// Measures so many times, and gives the report; false if a model was not found to be right.
pub fn run(spinor: &Path, models: &[&Entry], runs: u32) -> io::Result<(String, bool)> {
    let mut best: Vec<Option<Answer>> = models.iter().map(|_| None).collect();
    for _ in 0..runs {
        for (best, entry) in best.iter_mut().zip(models) {
            let answer = check(spinor, &super::file(entry)?)?;
            let is_better =
                |answer: &Answer| (best.as_ref()).is_none_or(|best| answer.all < best.all);
            if let Some(answer) = answer.filter(is_better) {
                *best = Some(answer);
            }
        }
    }
    let mut table = Table::new(["model", "states", "machine code ms", "all ms"]);
    for (best, entry) in best.iter().zip(models) {
        let milliseconds = |seconds: f64| format!("{:.1}", 1e3 * seconds);
        table.row(match best {
            None => [
                entry.name.to_owned(),
                String::new(),
                String::new(),
                "failed".to_owned(),
            ],
            Some(best) => [
                entry.name.to_owned(),
                table::count(best.stored),
                milliseconds(best.compile),
                milliseconds(best.all.as_secs_f64()),
            ],
        });
    }
    let about = table::wrap(&format!(
        "Measured by `cargo xtask bench --answers`: the wall-clock time of `spinor check` on each \
         model with default options, including partial-order reduction. The best of {runs} \
         interleaved rounds, on a machine shared with other work."
    ));
    let section = format!("{HEAD}\n{about}\n{}", table.render());
    Ok((section, best.iter().all(Option::is_some)))
}

/// Check a model once; nothing if that goes wrong.
fn check(spinor: &Path, model: &Path) -> io::Result<Option<Answer>> {
    let mut command = Command::new(spinor);
    command.arg("check").arg(model).args(["--format", "json"]);
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).output()?;
    let all = started.elapsed();
    let read = || {
        let report: Value = serde_json::from_slice(&output.stdout).ok()?;
        Some(Answer {
            stored: report["states"]["stored"].as_u64()?,
            all,
            compile: report["seconds"]["compile"].as_f64()?,
        })
    };
    Ok(output.status.success().then(read).flatten())
}
