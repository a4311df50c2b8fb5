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
/// How long the search goes on, and how often it reports, in seconds.
const LIMIT: u64 = 320;
const INTERVAL: u64 = 20;
/// How long a first search goes on that does not count: a machine that has not lent so much memory
/// for long takes its time to find it.
const WARM_UP: u64 = 30;

/// Measures, and gives the report; false if a search failed.
pub fn run(spinor: &Path) -> io::Result<(String, bool)> {
    let model = super::root().join("models/bench").join(MODEL);
    let check = |limit: u64| {
        let seconds = [limit, INTERVAL].map(|seconds| seconds.to_string());
        let args = (ARGS.into_iter()).chain(["--time", &seconds[0], "--report", &seconds[1]]);
        ours::check_with_log(spinor, &model, args.map(str::to_owned), false)
    };
    check(WARM_UP)?;
    let (run, log) = check(LIMIT)?;
    let mut notes = String::new();
    let mut table = Table::new(["seconds", "states", "states/s", "states/s since"]);
    match run {
        Run::Done(sample) => {
            let peak = sample.peak as f64 / f64::from(1 << 30);
            notes += &format!("\nMemory at the peak: {peak:.1} GiB.\n");
            rows(&counts(&log, &sample))
                .into_iter()
                .for_each(|row| table.row(row));
        }
        Run::Refused => notes += "- failed: refused\n",
        Run::Failed(why) => notes += &format!("- failed: {why}\n"),
    }
    let about = table::wrap(&format!(
        "Measured by `cargo xtask bench --long`: a search that reports every {INTERVAL} seconds, \
         `spinor check {MODEL} {}`. The last column counts the states since the row above, and the \
         seconds likewise: it would fall if the search became slower.",
        ARGS.join(" ")
    ));
    let worked = !notes.starts_with("- failed");
    Ok((
        format!("{HEAD}\n{about}\n{}{notes}", table.render()),
        worked,
    ))
}

/// The seconds and the states of the reports of a search, and at its end.
fn counts(log: &str, end: &Sample) -> Vec<(f64, u64)> {
    let reports = log.lines().filter_map(|line| {
        let count = line.split_once(" states stored")?.0;
        count.replace(',', "").parse().ok()
    });
    let times = (1..).map(|report| (report * INTERVAL) as f64);
    times
        .zip(reports)
        // The last report and the end come at once, if at all.
        .filter(|(seconds, _)| seconds + 1.0 < end.search)
        .chain([(end.search, end.stored)])
        .collect()
}

fn rows(counts: &[(f64, u64)]) -> Vec<Vec<String>> {
    let before = [(0.0, 0)].into_iter().chain(counts.iter().copied());
    let rate = |states: u64, seconds: f64| table::count((states as f64 / seconds) as u64);
    (counts.iter().zip(before))
        .map(|(&(seconds, states), before)| {
            vec![
                format!("{seconds:.0}"),
                table::count(states),
                rate(states, seconds),
                rate(states - before.1, seconds - before.0),
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_counts_from_the_row_above() {
        let log = "1,000 states stored, 50/s, depth 3\nsomething else\n\
                   2,600 states stored, 65/s, depth 7\n2,999 states stored, 50/s, depth 8\n";
        let end = Sample {
            stored: 3_000,
            transitions: 0,
            cpu: 60.0,
            search: 60.04,
            peak: 0,
            states: 0,
        };
        let expected = [
            ["20", "1,000", "50", "50"],
            ["40", "2,600", "65", "80"],
            ["60", "3,000", "49", "19"],
        ];
        assert_eq!(rows(&counts(log, &end)), expected);
    }
}
