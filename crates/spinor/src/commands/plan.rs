//! `spinor plan`: what may be combined, and why.

use std::io::{self, Write};

use crate::combinations::{Answer, COMBINATIONS, Combination};
use crate::commands::check::Format;
use crate::exit::Exit;

/// Arguments of `spinor plan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// For people, or one JSON object for programs.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// Run the command.
pub fn run(args: &Args) -> Exit {
    let text = match args.format {
        Format::Human => table(COMBINATIONS),
        Format::Json => match serde_json::to_string_pretty(COMBINATIONS) {
            Ok(text) => text + "\n",
            Err(_) => return Exit::Internal,
        },
    };
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Exit::Internal,
        // Whoever closed the pipe has read enough.
        _ => Exit::Holds,
    }
}

/// One line for each pair.
fn table(rows: &[Combination]) -> String {
    let width = |text: fn(&Combination) -> &str| {
        let widths = rows.iter().map(|row| text(row).chars().count());
        widths.max().unwrap_or(0)
    };
    let (ones, others) = (width(|row| row.one), width(|row| row.other));
    let mut text = String::new();
    for row in rows {
        let answer = match row.answer {
            Answer::Yes => "yes",
            Answer::No => "no",
            Answer::Absent => "absent",
        };
        let source = match row.source {
            "" => String::new(),
            source => format!(" [{source}]"),
        };
        let line = format!(
            "{:ones$}  {:others$}  {answer:6}  {}{source}",
            row.one, row.other, row.reason
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
