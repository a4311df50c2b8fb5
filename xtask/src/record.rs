//! `record`: writes what the reference says into the headers of corpus models, or checks it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::header;
use crate::parallel;
use crate::spin::Runner;

/// What is wrong with a model, one line each.
type Complaints = Vec<String>;

/// Records all `models`, or only compares if `check` is set; true if there is nothing to complain.
pub fn run(models: &[PathBuf], runner: &Runner, check: bool, jobs: usize) -> io::Result<bool> {
    let mut good = true;
    let mut failure = None;
    parallel::in_order(
        models,
        jobs,
        |model| record(model, runner, check),
        |model, complaints| match complaints {
            Ok(complaints) => {
                good &= complaints.is_empty();
                for complaint in complaints {
                    println!("{}: {complaint}", model.display());
                }
            }
            Err(error) => failure = Some(error),
        },
    );
    failure.map_or(Ok(good), Err)
}

fn record(model: &Path, runner: &Runner, check: bool) -> io::Result<Complaints> {
    let outcome = runner.run(model)?;
    let old = fs::read_to_string(model)?;
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    let new = match header::rewrite(&old, &name, &outcome) {
        Ok(new) => new,
        Err(reason) => return Ok(vec![reason]),
    };
    if check {
        return Ok(changes(&old, &new));
    }
    if old != new {
        fs::write(model, new)?;
    }
    Ok(Vec::new())
}

/// The header lines that the reference contradicts (`-`) and those it asks for (`+`).
fn changes(old: &str, new: &str) -> Complaints {
    if old == new {
        return Vec::new();
    }
    let (old, new) = (header::split(old).0, header::split(new).0);
    let gone = old.iter().filter(|line| !new.contains(line));
    let come = new.iter().filter(|line| !old.contains(line));
    let mut lines: Complaints = gone.map(|line| format!("- {line}")).collect();
    lines.extend(come.map(|line| format!("+ {line}")));
    if lines.is_empty() {
        lines.push("the lines of the header are out of order".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_lines_of_the_header() {
        let old = "// M\n// expect: stored 1\ninit";
        let new = "// M\n// expect: stored 2\ninit";
        assert_eq!(changes(old, old), Complaints::new());
        assert_eq!(
            changes(old, new),
            ["- // expect: stored 1", "+ // expect: stored 2"]
        );
        let swapped = "// expect: stored 1\n// M\ninit";
        assert_eq!(changes(old, swapped).len(), 1);
    }
}
