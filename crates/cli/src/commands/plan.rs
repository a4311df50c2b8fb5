//! `spinor plan`: what may be combined, and what a check would do.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use checker::plan::table::{self, Answer, Combination, TABLE};
use checker::plan::{Decision, Job};
use checker::run::{load_within, plan_within};
use checker::style::printable;
use checker::{Plan, Report, Watch};
use serde_json::json;

use super::check::{CheckArgs, Format};
use crate::exit::Exit;
use crate::report::json;
use crate::{interrupt, source};

/// Arguments of `spinor plan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The model to plan a check of; without one, print the table of combinations.
    pub model: Option<PathBuf>,
    /// What to check, and how.
    #[command(flatten)]
    pub check: CheckArgs,
    /// Human-readable text, or JSON.
    #[arg(long, value_enum, default_value_t = Format::Human, help_heading = "Output")]
    pub format: Format,
}

/// Run the command.
pub fn run(args: &Args) -> Exit {
    match &args.model {
        None => print_table(args.format),
        Some(model) => print_plan(args, model),
    }
}

fn print(text: &str, exit: Exit) -> Exit {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Exit::Internal,
        // Whoever closed the pipe has read enough.
        _ => exit,
    }
}

fn print_table(format: Format) -> Exit {
    match format {
        Format::Human => print(&table_text(TABLE), Exit::Holds),
        Format::Json | Format::Jsonl => match serde_json::to_string_pretty(TABLE) {
            Ok(text) => print(&(text + "\n"), Exit::Holds),
            Err(_) => Exit::Internal,
        },
    }
}

/// One line for each row of the table.
fn table_text(rows: &[Combination]) -> String {
    let cells: Vec<[String; 3]> = rows.iter().map(cells).collect();
    let width = |column: usize| {
        let widths = cells.iter().map(|cells| cells[column].chars().count());
        widths.max().unwrap_or(0).min(WIDEST)
    };
    let (ones, others) = (width(0), width(1));
    let mut text = String::new();
    for [one, other, rest] in &cells {
        let line = format!("{one:ones$}  {other:others$}  {rest}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Wider cells are not aligned with.
const WIDEST: usize = 48;

fn cells(row: &Combination) -> [String; 3] {
    let answer = match row.answer {
        Answer::Yes => "yes",
        Answer::No => "no",
    };
    let mut rest = format!("{answer:3}  {}", row.reason);
    if let Some(third) = row.within {
        let name = checker::options::Named::name(third);
        let colon = if row.reason.is_empty() { "" } else { ": " };
        rest = format!("{answer:3}  with {name}{colon}{}", row.reason);
    }
    if !row.source.is_empty() {
        rest.push_str(&format!(" [{}]", row.source));
    }
    [table::names(row.one), table::names(row.other), rest]
}

fn print_plan(args: &Args, model: &Path) -> Exit {
    let watch = Watch {
        cancel: interrupt::listen(),
        ..Watch::default()
    };
    let source = source::open_within(model, args.check.source(), &watch.cancel, None);
    let loaded = source.and_then(|source| load_within(&source, &watch));
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            let report = Report::rejected(model, &error);
            return fail(args, &report, &error.render(false));
        }
    };
    match plan_within(&loaded, &args.check.options(), &watch) {
        None => {
            let report = Report::inconclusive(model, "interrupted");
            fail(args, &report, "interrupted\n")
        }
        Some(Err(refusal)) => {
            let report = Report::refused(model, &refusal);
            fail(args, &report, &format!("error: {refusal}\n"))
        }
        Some(Ok(plan)) => match args.format {
            Format::Human => print(&plan_text(&plan), Exit::Holds),
            Format::Json | Format::Jsonl => {
                let object = json!({
                    "model": model.display().to_string(),
                    "jobs": plan.json(),
                    "not_selected": plan.not_selected,
                });
                print(&format!("{object:#}\n"), Exit::Holds)
            }
        },
    }
}

fn fail(args: &Args, report: &Report, text: &str) -> Exit {
    // Nobody can be told when printing fails.
    let _ = match args.format {
        Format::Human => io::stderr().lock().write_all(text.as_bytes()),
        format => json::print_as(format, report),
    };
    Exit::of(report)
}

/// The jobs of a plan, each with its properties and what was decided about it.
fn plan_text(plan: &Plan) -> String {
    let mut text = String::new();
    for (row, job) in plan.jobs.iter().enumerate() {
        if row > 0 {
            text.push('\n');
        }
        text.push_str(&job_text(plan, job));
    }
    if !plan.not_selected.is_empty() {
        text.push_str(&format!(
            "\nnot selected: {}\n",
            plan.not_selected.join(", ")
        ));
    }
    printable_lines(&text)
}

fn job_text(plan: &Plan, job: &Job) -> String {
    let mut text = format!("{}\n", plan.subject(job));
    for &row in &job.properties {
        let title = plan.properties[row].title();
        if title != plan.subject(job) {
            text.push_str(&format!("  decides {title}\n"));
        }
    }
    let width = |part: fn(&Decision) -> &str| {
        let widths = job.decisions.iter().map(|d| part(d).chars().count());
        widths.max().unwrap_or(0)
    };
    let (subjects, choices) = (width(|d| d.subject), width(|d| &d.choice));
    for Decision {
        subject,
        choice,
        reason,
    } in &job.decisions
    {
        let line = format!("  {subject:subjects$}  {choice:choices$}  {reason}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn printable_lines(text: &str) -> String {
    let lines = text.lines().map(|line| printable(line) + "\n");
    lines.collect()
}
