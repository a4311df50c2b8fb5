//! Exit statuses: the contract with scripts.

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

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> std::process::ExitCode {
        std::process::ExitCode::from(exit as u8)
    }
}
