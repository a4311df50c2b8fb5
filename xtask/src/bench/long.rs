//! Measures whether a long search slows down.

use std::io;
use std::path::Path;

use super::measure::Sample;
use super::ours::{self, Run};
use super::table::{self, Table};

/// The head of the section.
pub const HEAD: &str = "## A billion states\n";

/// A state space of billions, and how it is searched.
const MODEL: &str = "peterson.pml";
const ARGS: [&str; 14] = [
    "-D",
    "N=5",
    "-D",
    "FINE",
    "--safety",
    "--no-reduction",
    "--format",
    "json",
    "--search",
    "bfs",
    "--store",
    "bitstate",
    "--memory",
    "3G",
];
/// The searches, by their limits of time in seconds.
const LIMITS: [u64; 3] = [30, 120, 320];

/// Measures, and gives the report; false if a search failed.
pub fn run(spinor: &Path) -> io::Result<(String, bool)> {
    let model = super::root().join("models/bench").join(MODEL);
    let mut samples = Vec::new();
    let mut notes = String::new();
    let check = |limit: u64| {
        let limit = limit.to_string();
        let args = ARGS.into_iter().chain(["--time", &limit]);
        ours::check(spinor, &model, args.map(str::to_owned), false)
    };
    // A machine that has not lent so much memory for long takes its time to find it.
    check(LIMITS[0])?;
    for limit in LIMITS {
        match check(limit)? {
            Run::Done(sample) => {
                eprintln!("{limit} s: {} states", table::count(sample.stored));
                samples.push(sample);
            }
            Run::Refused => notes += "- failed: refused\n",
            Run::Failed(why) => notes += &format!("- failed: {why}\n"),
        }
    }
    let about = table::wrap(&format!(
        "Measured by `cargo xtask bench --long`: searches of one state space that end after a time, \
         after a first one that does not count, `spinor check {MODEL} {}`. The last column counts the states since the row above, and the \
         seconds likewise: it would fall if a search became slower.",
        ARGS.join(" ")
    ));
    let mut table = Table::new([
        "seconds",
        "states",
        "peak GiB",
        "states/s",
        "states/s since",
    ]);
    rows(&samples).into_iter().for_each(|row| table.row(row));
    let worked = notes.is_empty();
    Ok((
        format!("{HEAD}\n{about}\n{}{notes}", table.render()),
        worked,
    ))
}

fn rows(samples: &[Sample]) -> Vec<Vec<String>> {
    let mut before = (0, 0.0);
    let mut rows = Vec::new();
    for sample in samples {
        let rate = |states: u64, seconds: f64| table::count((states as f64 / seconds) as u64);
        rows.push(vec![
            format!("{:.0}", sample.search),
            table::count(sample.stored),
            format!("{:.1}", sample.peak as f64 / f64::from(1 << 30)),
            rate(sample.stored, sample.search),
            rate(sample.stored - before.0, sample.search - before.1),
        ]);
        before = (sample.stored, sample.search);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_counts_from_the_row_above() {
        let sample = |stored, search| Sample {
            stored,
            transitions: 0,
            cpu: search,
            search,
            peak: 3 << 29,
            states: 0,
        };
        let expected = [
            ["10", "1,000", "1.5", "100", "100"],
            ["30", "2,000", "1.5", "66", "50"],
        ];
        assert_eq!(rows(&[sample(1_000, 10.0), sample(2_000, 30.0)]), expected);
    }
}
