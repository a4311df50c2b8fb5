//! The report as one JSON object on standard output.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::Report;

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

/// Whether the arguments ask for JSON, also where they cannot be understood as a whole.
pub fn is_wanted(args: &[OsString]) -> bool {
    let before_end = || args.iter().take_while(|arg| *arg != "--");
    before_end().any(|arg| arg == "--format=json")
        || before_end()
            .zip(before_end().skip(1))
            .any(|(flag, value)| flag == "--format" && value == "json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_recognised_anywhere() {
        let wanted = |line: &str| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            is_wanted(&args)
        };
        assert!(wanted("spinor check --format json m.pml"));
        assert!(wanted("spinor check --nonsense --format=json"));
        assert!(!wanted("spinor check --format human json"));
        assert!(!wanted("spinor check -- --format json"));
        assert!(!wanted("spinor check --format"));
    }
}
