//! The page with the reports: safety first, then the section about liveness.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::liveness;

/// Writes the report about safety; the section about liveness stays.
pub fn write_safety(report: &str) -> io::Result<()> {
    let text = fs::read_to_string(path())?;
    fs::write(path(), join(report, split(&text).1))
}

/// Writes the section about liveness; the report about safety stays.
pub fn write_liveness(section: &str) -> io::Result<()> {
    let text = fs::read_to_string(path())?;
    fs::write(path(), join(split(&text).0, section))
}

fn path() -> PathBuf {
    super::root().join("docs/benchmarks.md")
}

/// The report about safety, and the section about liveness, which may be missing.
fn split(page: &str) -> (&str, &str) {
    let head = format!("\n{}", liveness::HEAD);
    match page.find(&head) {
        Some(end) => (&page[..end], &page[end + 1..]),
        None => (page, ""),
    }
}

fn join(safety: &str, liveness: &str) -> String {
    match liveness {
        "" => safety.to_owned(),
        _ => format!("{}\n\n{liveness}", safety.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_report_leaves_the_other_alone() {
        let safety = "# Benchmarks\n\n## Agreement\n\nYes.\n";
        assert_eq!(split(safety), (safety, ""));
        assert_eq!(join(safety, ""), safety);

        let section = format!("{}\nold\n", liveness::HEAD);
        let page = join(safety, &section);
        assert_eq!(split(&page).1, section);
        let page = join("# New\n", split(&page).1);
        assert_eq!(page, format!("# New\n\n{section}"));
        let page = join(split(&page).0, "## Liveness\n\nnew\n");
        assert_eq!(page, "# New\n\n## Liveness\n\nnew\n");
    }
}
