//! Measures what partial-order reduction saves, and what it costs where it saves nothing.

use std::io;
use std::path::PathBuf;

use super::measure::Sample;
use super::ours::{self, Run};
use super::set::{Entry, REDUCTIONS};
use super::table::{self, NOTHING, Table};

/// The head of the section.
pub const HEAD: &str = "## Partial-order reduction\n";

/// What is measured, and with what.
pub struct Bench<'a> {
    /// The binary.
    pub spinor: PathBuf,
    /// Rounds.
    pub runs: u32,
    /// Only the small sizes.
    pub small: bool,
    /// The models.
    pub models: Vec<&'a Entry>,
}

/// The best runs on one model, without and with reduction.
struct Measured {
    name: &'static str,
    best: [Option<Sample>; 2],
    notes: Vec<String>,
}

impl Bench<'_> {
    /// Measures, and gives the report; false if a search failed.
    pub fn run(&self) -> io::Result<(String, bool)> {
        let measured: io::Result<Vec<Measured>> =
            (self.models.iter().map(|entry| self.measure(entry))).collect();
        let measured = measured?;
        let worked = measured.iter().all(|one| one.notes.is_empty());
        Ok((self.render(&measured), worked))
    }

    fn measure(&self, entry: &Entry) -> io::Result<Measured> {
        let model = super::file(entry)?;
        let size = match (self.small, entry.small) {
            (true, Some(small)) => small,
            _ => entry.full,
        };
        let mut measured = Measured {
            name: entry.name,
            best: [None; 2],
            notes: Vec::new(),
        };
        for round in 1..=self.runs {
            for (best, config) in measured.best.iter_mut().zip(&REDUCTIONS) {
                let (name, runs) = (config.name, self.runs);
                match ours::run(&self.spinor, &model, size, config)? {
                    Run::Done(sample) => {
                        let cpu = sample.cpu;
                        eprintln!("{}, round {round}/{runs}, {name}: {cpu:.2} s", entry.name);
                        *best = Some(sample.best(*best));
                    }
                    Run::Refused => measured.notes.push(format!("{}, {name}", entry.name)),
                    Run::Failed(why) => {
                        (measured.notes).push(format!("{}, {name}: {why}", entry.name));
                    }
                }
            }
        }
        Ok(measured)
    }

    fn render(&self, measured: &[Measured]) -> String {
        let rounds = match self.runs {
            1 => "one round".to_owned(),
            runs => format!("best of {runs} interleaved rounds"),
        };
        let about = table::wrap(&format!(
            "Measured by `cargo xtask bench --reduction` ({rounds}): depth-first search of the \
             same models, `--por none` and `--por auto`, both without other reductions. `cost` is \
             the CPU time with reduction divided by the time without; below 1 the reduction pays \
             off. Where it omits no states, `cost` is the overhead of computing ample sets."
        ));
        let head = [
            "model",
            "states",
            "reduced",
            "transitions",
            "reduced",
            "CPU s",
            "reduced",
            "cost",
        ];
        let mut table = Table::new(head);
        for one in measured {
            table.row(row(one));
        }
        let notes: String = measured
            .iter()
            .flat_map(|one| &one.notes)
            .map(|note| format!("- failed: {note}\n"))
            .collect();
        format!("{HEAD}\n{about}\n{}{notes}", table.render())
    }
}

fn row(measured: &Measured) -> Vec<String> {
    let [none, auto] = measured.best;
    let count = |number: fn(Sample) -> u64, sample: Option<Sample>| {
        sample.map_or(NOTHING.to_owned(), |sample| table::count(number(sample)))
    };
    let seconds = |sample: Option<Sample>| {
        sample.map_or(NOTHING.to_owned(), |sample| format!("{:.2}", sample.cpu))
    };
    let cost = none.zip(auto).map(|(none, auto)| auto.cpu / none.cpu);
    vec![
        measured.name.to_owned(),
        count(|sample| sample.stored, none),
        count(|sample| sample.stored, auto),
        count(|sample| sample.transitions, none),
        count(|sample| sample.transitions, auto),
        seconds(none),
        seconds(auto),
        cost.map_or(NOTHING.to_owned(), |cost| format!("{cost:.2}")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_tells_the_cost() {
        let sample = |stored, cpu| {
            Some(Sample {
                stored,
                transitions: 2 * stored,
                cpu,
                search: cpu,
                peak: 0,
                states: 0,
            })
        };
        let measured = Measured {
            name: "model",
            best: [sample(1_000, 2.0), sample(500, 1.5)],
            notes: Vec::new(),
        };
        let expected = [
            "model", "1,000", "500", "2,000", "1,000", "2.00", "1.50", "0.75",
        ];
        assert_eq!(row(&measured), expected);
        let half = Measured {
            best: [sample(1_000, 2.0), None],
            ..measured
        };
        let expected = ["model", "1,000", "-", "2,000", "-", "2.00", "-", "-"];
        assert_eq!(row(&half), expected);
    }
}
