//! Counterexamples: written to files, and printed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use search::Finding;

use super::{Args, Format, eprint_text};
use crate::load::{Loaded, SourceOptions};
use crate::plan::Plan;
use crate::property::Property;
use crate::report::Confirmed;
use crate::report::style::{Style as Paint, printable};
use crate::trace::file::FileProperty;
use crate::trace::print::{self, Limit};
use crate::trace::{TraceFile, trail};

/// The usual endings of trace files.
const ENDINGS: [&str; 2] = [".trace.json", ".json"];
/// The most trace files of one run.
pub(super) const MOST_TRACES: usize = 10;
/// Of longer counterexamples only beginning and end are printed.
const LONGEST_PRINTED: usize = 150;

/// Write the counterexamples and note the names of their files.
pub(super) fn write_traces(args: &Args, loaded: &Loaded, plan: &Plan, confirmed: &mut [Confirmed]) {
    let first = args.output.trace.clone();
    let first = first.unwrap_or_else(|| default_trace(&args.model));
    for (row, confirmed) in confirmed.iter_mut().take(MOST_TRACES).enumerate() {
        let path = numbered(&first, row + 1);
        let Finding {
            trace, violation, ..
        } = &confirmed.finding;
        let property = confirmed.property.and_then(|row| plan.properties.get(row));
        let mut file = TraceFile::new(&args.model, loaded, trace, violation);
        if let Some(property) = property {
            let message = print::lasso(&property.title(), violation, trace);
            file = file.with_property(file_property(args, property), message);
        }
        let options = SourceOptions {
            formulas: args.properties.ltl_formula.clone(),
            ..args.source.clone()
        };
        match file.with_options(&options).write(&path) {
            Ok(()) => confirmed.file = Some(path.display().to_string()),
            Err(error) => cannot_write(&path, &error),
        }
        if let (0, Some(path)) = (row, &args.output.trail) {
            if property.is_some() {
                let reason = "a trail of Spin has the moves of Spin's own claim in it";
                cannot_write(path, &io::Error::other(reason));
                continue;
            }
            let text = trail::write(loaded, trace, violation);
            if let Err(error) = fs::write(path, text) {
                cannot_write(path, &error);
            }
        }
    }
}

fn file_property(args: &Args, property: &Property) -> FileProperty {
    FileProperty {
        kind: property.kind.to_owned(),
        name: property.name.clone(),
        fairness: args.search.fairness.name().to_owned(),
    }
}

/// The verdict stands all the same.
fn cannot_write(path: &Path, error: &io::Error) {
    eprint_text(&format!(
        "warning: cannot write {}: {error}\n",
        path.display()
    ));
}

/// The first counterexample in words, with its conclusion.
pub(super) fn first_counterexample(
    args: &Args,
    loaded: &Loaded,
    plan: &Plan,
    confirmed: &[Confirmed],
) -> String {
    let Some(first) = confirmed.first() else {
        return String::new();
    };
    if args.output.format == Format::Json || args.output.quiet {
        return String::new();
    }
    let Finding {
        trace, violation, ..
    } = &first.finding;
    let style = print::Style {
        color: args.output.color.on(&io::stdout()),
        limit: (trace.steps.len() > LONGEST_PRINTED).then_some(Limit {
            first: LONGEST_PRINTED / 3,
            last: LONGEST_PRINTED / 2,
        }),
        cycle: trace.cycle,
    };
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = match first.property.and_then(|row| plan.properties.get(row)) {
        None => print::styled(loaded, trace, Some(violation), style, &mut text),
        Some(property) => {
            let paint = Paint { color: style.color };
            let sentence = print::lasso(&property.title(), violation, trace);
            print::styled(loaded, trace, None, style, &mut text)
                .and_then(|()| writeln!(text, "\n{}", paint.bad(&printable(&sentence))))
        }
    };
    String::from_utf8_lossy(&text).into_owned()
}

/// `dir/model.pml` leaves its trace in `model.trace.json`.
fn default_trace(model: &Path) -> PathBuf {
    let mut name = model.file_stem().unwrap_or_default().to_owned();
    name.push(".trace.json");
    PathBuf::from(name)
}

/// The file of another trace: `m.trace.json`, `m-2.trace.json`, ...
fn numbered(first: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return first.to_owned();
    }
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    let stem = stem.unwrap_or(&name);
    let rest = &name[stem.len()..];
    first.with_file_name(format!("{stem}-{number}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_trace_files() {
        let first = default_trace(Path::new("some/dir/ring.v2.pml"));
        assert_eq!(first, Path::new("ring.v2.trace.json"));
        assert_eq!(numbered(&first, 1), first);
        assert_eq!(numbered(&first, 3), Path::new("ring.v2-3.trace.json"));
        assert_eq!(numbered(Path::new("out/t"), 2), Path::new("out/t-2"));
        assert_eq!(numbered(Path::new("t.json"), 2), Path::new("t-2.json"));
    }
}
