//! Exit statuses: the contract with scripts.

use checker::{Blame, Report, Verdict};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Every property holds and the search was complete; or the command did its work.
    Holds = 0,
    /// A property is violated.
    Violated = 1,
    /// Bad usage or a bad model.
    Usage = 2,
    /// A limit, an interrupt or a lossy store: no answer.
    Inconclusive = 3,
    /// A bug of ours.
    Internal = 4,
}

impl Exit {
    /// The status that goes with a report.
    pub fn of(report: &Report) -> Exit {
        match report.verdict {
            Verdict::Holds(_) => Exit::Holds,
            Verdict::Violated => Exit::Violated,
            Verdict::Inconclusive => Exit::Inconclusive,
            Verdict::Error(Blame::User) => Exit::Usage,
            Verdict::Error(Blame::Us) => Exit::Internal,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> std::process::ExitCode {
        std::process::ExitCode::from(exit as u8)
    }
}
