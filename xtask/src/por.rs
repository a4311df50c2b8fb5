//! Partial-order reduction, ours beside Spin's: a table of stored states.

use std::io;
use std::path::Path;

use crate::outcome::{Outcome, Search, Verdict};
use crate::parallel;
use crate::question::Question;
use crate::spin::Runner;
use crate::spinor::{Answer, Spinor};

/// The reductions: weakest first, and the one that is chosen.
const METHODS: [&str; 5] = ["none", "ample", "cluster", "stubborn", "auto"];

/// The states that each reduction stores, and Spin's.
struct Row {
    spin: Option<u64>,
    ours: Vec<Option<u64>>,
    /// What is wrong with it.
    complaint: Option<String>,
}

/// Print the table. False if a model has more states with our strongest reduction or the one that is
/// chosen than with Spin's, or another verdict with than without.
pub fn run(
    models: &[impl AsRef<Path> + Sync],
    runner: &Runner,
    spinor: &Spinor,
    jobs: usize,
) -> io::Result<bool> {
    println!("| model | Spin | {} |", METHODS.join(" | "));
    println!("| --- | ---: | {} |", METHODS.map(|_| "---:").join(" | "));
    let mut failure = None;
    let (mut compared, mut fewer, mut complaints) = (0, 0, Vec::new());
    parallel::in_order(
        models,
        jobs,
        |model| row(model.as_ref(), runner, spinor),
        |model, row| {
            let row = match row {
                Ok(row) => row,
                Err(error) => {
                    failure = Some(error);
                    return;
                }
            };
            let name = model.as_ref().file_stem().unwrap_or_default();
            let name = name.to_string_lossy();
            let cell = |count: &Option<u64>| count.map_or("-".to_owned(), |c| c.to_string());
            let ours: Vec<String> = row.ours.iter().map(cell).collect();
            println!("| {name} | {} | {} |", cell(&row.spin), ours.join(" | "));
            if let (Some(spin), [.., Some(strongest), Some(chosen)]) = (row.spin, &row.ours[..]) {
                compared += 1;
                fewer += u64::from(*strongest < spin);
                let most = strongest.max(chosen);
                if *most > spin {
                    complaints.push(format!("{name}: {most} states, Spin {spin}"));
                }
            }
            complaints.extend(
                row.complaint
                    .map(|complaint| format!("{name}: {complaint}")),
            );
        },
    );
    if let Some(error) = failure {
        return Err(error);
    }
    println!(
        "\n{compared} models beside Spin: fewer states on {fewer}, more or wrong on {}",
        complaints.len()
    );
    for complaint in &complaints {
        println!("{complaint}");
    }
    Ok(complaints.is_empty())
}

/// Whether Spin itself says that its reduction is not one: a channel is not used as was claimed.
fn is_invalid(search: &Search) -> bool {
    let first = search.first_error.as_ref();
    first.is_some_and(|error| error.message.contains("partial order reduction invalid"))
}

fn row(model: &Path, runner: &Runner, spinor: &Spinor) -> io::Result<Row> {
    let spin = match runner.ask(model, &Question::Reduced)? {
        Outcome::Accepted(search) if search.counts_are_meaningful() && !is_invalid(&search) => {
            Some(search.counts.stored)
        }
        _ => None,
    };
    let mut ours = Vec::new();
    let mut complaint = None;
    let mut plain: Option<Verdict> = None;
    for method in METHODS {
        let asked = Spinor {
            program: spinor.program.clone(),
            extra: [&spinor.extra[..], &[format!("--por={method}")]].concat(),
            time: spinor.time,
        };
        ours.push(match asked.ask(model, &Question::Reduced)? {
            Answer::Searched {
                verdict, counts, ..
            } => {
                let expected = *plain.get_or_insert(verdict);
                if verdict != expected {
                    complaint = Some(format!("{method} says {verdict:?}, not {expected:?}"));
                }
                Some(counts.stored)
            }
            // Where there can be no reduction, that is what it says.
            Answer::Rejected { .. } => None,
            Answer::Broken { message } => {
                complaint = Some(message);
                None
            }
        });
    }
    Ok(Row {
        spin,
        ours,
        complaint,
    })
}
