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
    let mut table = Table::new([
        "seconds",
        "states",
        "transitions",
        "states/s since",
        "transitions/s since",
    ]);
    let worked = matches!(run, Run::Done(_));
    match run {
        Run::Done(sample) => {
            let peak = sample.peak as f64 / f64::from(1 << 30);
            notes += &format!("\nPeak memory: {peak:.1} GiB.\n");
            rows(&counts(&log, &sample))
                .into_iter()
                .for_each(|row| table.row(row));
        }
        Run::Refused => notes += "- failed: refused\n",
        Run::Failed(why) => notes += &format!("- failed: {why}\n"),
    }
    let about = table::wrap(&format!(
        "Measured by `cargo xtask bench --long`: a search that reports every {INTERVAL} seconds, \
         after a warm-up run: `spinor check {MODEL} {}`. The last two columns are rates since the \
         previous row; they would fall if the search slowed down. The rate of states also falls \
         where more transitions lead to known states.",
        ARGS.join(" ")
    ));
    Ok((
        format!("{HEAD}\n{about}\n{}{notes}", table.render()),
        worked,
    ))
}

/// How far a search has come.
#[derive(Clone, Copy, Default)]
struct Count {
    seconds: f64,
    states: u64,
    transitions: u64,
}

/// The reports of a search, and its end.
fn counts(log: &str, end: &Sample) -> Vec<Count> {
    let reports = log.lines().filter_map(|line| {
        let count = |noun: &str| -> Option<u64> {
            let part = line.split(", ").find_map(|part| part.strip_suffix(noun))?;
            part.replace(',', "").parse().ok()
        };
        Some((count(" states stored")?, count(" transitions")?))
    });
    (1..)
        .zip(reports)
        .map(|(report, (states, transitions))| Count {
            seconds: (report * INTERVAL) as f64,
            states,
            transitions,
        })
        // The last report and the end come at once, if at all.
        .filter(|count| count.seconds + 1.0 < end.search)
        .chain([Count {
            seconds: end.search,
            states: end.stored,
            transitions: end.transitions,
        }])
        .collect()
}

fn rows(counts: &[Count]) -> Vec<Vec<String>> {
    let before = std::iter::once(Count::default()).chain(counts.iter().copied());
    (counts.iter().zip(before))
        .map(|(now, before)| {
            let seconds = now.seconds - before.seconds;
            let rate = |count: u64| table::count((count as f64 / seconds) as u64);
            vec![
                format!("{:.0}", now.seconds),
                table::count(now.states),
                table::count(now.transitions),
                rate(now.states - before.states),
                rate(now.transitions - before.transitions),
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_columns_count_from_the_row_above() {
        let log = "1,000 states stored, 50/s, depth 3, 2,000 transitions\nsomething else\n\
                   2,600 states stored, 65/s, depth 7, 4,000 transitions\n\
                   2,999 states stored, 50/s, depth 8, 6,001 transitions\n";
        let end = Sample {
            stored: 3_000,
            transitions: 6_004,
            cpu: 60.0,
            search: 60.04,
            peak: 0,
            states: 0,
        };
        let expected = [
            ["20", "1,000", "2,000", "50", "100"],
            ["40", "2,600", "4,000", "80", "100"],
            ["60", "3,000", "6,004", "19", "100"],
        ];
        assert_eq!(rows(&counts(log, &end)), expected);
    }
}
