//! `spinor check`: does every execution satisfy every property?

mod args;
mod files;
mod screen;

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use checker::{Blame, Report, Watch};

use crate::exit::Exit;
use crate::progress::Display;
use crate::report::json;
use crate::{interrupt, source};

pub use args::{Args, CheckArgs, Format, OutputArgs};
use screen::Screen;

/// How often `--format jsonl` reports progress unless told otherwise.
const JSONL_INTERVAL: Duration = Duration::from_secs(1);

/// Run the command.
pub fn run(args: &Args) -> Exit {
    let started = Instant::now();
    let cancel = interrupt::listen();
    print_report_on_abort(args);
    if let Err(reason) = files::check_paths(args) {
        return fail(args, &reason);
    }
    let time = args.check.search.time;
    let end = time.and_then(|time| started.checked_add(time));
    let source = match source::open_within(&args.model, args.check.source(), &cancel, end) {
        Ok(source) => source,
        Err(error) => {
            let report = Report::rejected(&args.model, &error);
            return Screen::new(args, &cancel).end(report);
        }
    };
    let screen = Screen::new(args, &cancel);
    let listener = |event: &checker::Event<'_>| screen.show(event);
    let watch = Watch {
        listener: Some(&listener),
        cancel: cancel.clone(),
        progress: progress_interval(args, screen.display()),
        started: Some(started),
    };
    let report = checker::check(&source, &args.check.options(), &watch);
    screen.end(report)
}

fn progress_interval(args: &Args, display: &Display) -> Option<Duration> {
    match args.output.format {
        Format::Jsonl => Some(args.output.report.unwrap_or(JSONL_INTERVAL)),
        Format::Human | Format::Json => display.interval(),
    }
}

/// A second signal ends the program at once, but not without its JSON object.
fn print_report_on_abort(args: &Args) {
    let (model, format) = (args.model.clone(), args.output.format);
    if format != Format::Human {
        interrupt::on_abort(move || {
            let report = Report::inconclusive(&model, "interrupted");
            // Nothing is left to do if it cannot be printed.
            let _ = json::print_as(format, &report);
        });
    }
}

/// End a check that cannot begin.
fn fail(args: &Args, reason: &str) -> Exit {
    let report = Report::failed(&args.model, Blame::User, reason.to_owned());
    match args.output.format {
        Format::Human => eprint_text(&format!("error: {reason}\n")),
        format => {
            // Nobody can be told when this fails.
            let _ = json::print_as(format, &report);
        }
    }
    Exit::of(&report)
}

/// The path of the model as messages name it.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Print to standard error; nobody can be told when that fails.
fn eprint_text(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
