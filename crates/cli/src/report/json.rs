//! The report as one JSON object on standard output.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use checker::Report;
use serde_json::Value;

use crate::commands::check::Format;

/// Whether the object has been printed: there is exactly one, whatever happens meanwhile.
/// Relaxed: nothing but the flag itself is passed on.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// Print the report, unless one has been printed already.
pub fn print(report: &Report) -> io::Result<()> {
    // The lock comes first: who finds the report printed has waited for its end.
    let mut out = io::stdout().lock();
    if PRINTED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Print the report as the last of the lines of `--format jsonl`.
pub fn print_last_line(report: &Report) -> io::Result<()> {
    let mut object = serde_json::to_value(report)?;
    object["event"] = Value::from("report");
    let mut out = io::stdout().lock();
    if PRINTED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    write_line(&mut out, &object)
}

/// Print an event as one line.
pub fn print_line(event: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match PRINTED.load(Ordering::Relaxed) {
        true => Ok(()),
        false => write_line(&mut out, event),
    }
}

fn write_line(out: &mut impl Write, value: &Value) -> io::Result<()> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The form of JSON that arguments ask for, also where they cannot be understood as a whole.
pub fn wanted(args: &[OsString]) -> Option<Format> {
    let before_end = || args.iter().take_while(|arg| *arg != "--");
    let joined = before_end().filter_map(|arg| arg.to_str()?.strip_prefix("--format="));
    let pairs = before_end().zip(before_end().skip(1));
    let apart = pairs.filter(|(flag, _)| *flag == "--format");
    let values = joined.chain(apart.filter_map(|(_, value)| value.to_str()));
    values
        .filter_map(|value| match value {
            "json" => Some(Format::Json),
            "jsonl" => Some(Format::Jsonl),
            _ => None,
        })
        .next()
}

/// Print a report in one of the forms of JSON.
pub fn print_as(format: Format, report: &Report) -> io::Result<()> {
    match format {
        Format::Jsonl => print_last_line(report),
        Format::Json | Format::Human => print(report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_recognised_anywhere() {
        let check = |line: &str, expected: Option<Format>| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(wanted(&args), expected, "{line}");
        };
        check("spinor check --format json m.pml", Some(Format::Json));
        check(
            "spinor check --nonsense --format=jsonl",
            Some(Format::Jsonl),
        );
        check("spinor check --format human json", None);
        check("spinor check -- --format json", None);
        check("spinor check --format", None);
    }
}
