//! The page with the reports: safety first, then a section for each of the others.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::{answer, liveness, long, reduction};

/// A part of the page, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The report about safety.
    Safety,
    /// How soon there is an answer.
    Answers,
    /// A long search.
    Long,
    /// What partial-order reduction saves and costs.
    Reduction,
    /// Searches for cycles.
    Liveness,
}

/// The heads of the parts behind the first.
const HEADS: [&str; 4] = [answer::HEAD, long::HEAD, reduction::HEAD, liveness::HEAD];

/// Writes one part; the others stay.
pub fn write(part: Part, report: &str) -> io::Result<()> {
    let path = path();
    let text = fs::read_to_string(&path)?;
    fs::write(&path, replace(&text, part, report))
}

fn path() -> PathBuf {
    super::root().join("docs/benchmarks.md")
}

fn replace(page: &str, part: Part, report: &str) -> String {
    let mut parts = split(page);
    parts[part as usize] = report;
    let parts = parts.iter().map(|part| part.trim_end());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    format!("{}\n", parts.join("\n\n"))
}

/// The parts of a page, which may be empty.
fn split(page: &str) -> [&str; HEADS.len() + 1] {
    let mut parts = [""; HEADS.len() + 1];
    let mut rest = page;
    for (part, head) in HEADS.iter().enumerate().rev() {
        if let Some(at) = rest.find(&format!("\n{head}")) {
            (rest, parts[part + 1]) = rest.split_at(at + 1);
        }
    }
    parts[0] = rest;
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_report_leaves_the_others_alone() {
        let safety = "# Benchmarks\n\n## Agreement\n\nYes.\n";
        assert_eq!(split(safety), [safety, "", "", "", ""]);
        assert_eq!(replace(safety, Part::Safety, "# New\n"), "# New\n");

        let cycles = format!("{}\ncycles\n", liveness::HEAD);
        let page = replace(safety, Part::Liveness, &cycles);
        assert_eq!(page, format!("{safety}\n{cycles}"));
        let order = format!("{}\norder\n", reduction::HEAD);
        let page = replace(&page, Part::Reduction, &order);
        assert_eq!(page, format!("{safety}\n{order}\n{cycles}"));
        let page = replace(&page, Part::Safety, "# New\n");
        assert_eq!(page, format!("# New\n\n{order}\n{cycles}"));
        let long = format!("{}\nlong\n", long::HEAD);
        let page = replace(&page, Part::Long, &long);
        assert_eq!(page, format!("# New\n\n{long}\n{order}\n{cycles}"));
        let page = replace(&page, Part::Liveness, "## Liveness\n");
        assert_eq!(page, format!("# New\n\n{long}\n{order}\n## Liveness\n"));
        let soon = format!("{}\nsoon\n", answer::HEAD);
        let page = replace(&page, Part::Answers, &soon);
        assert_eq!(
            page,
            format!("# New\n\n{soon}\n{long}\n{order}\n## Liveness\n")
        );
    }
}
