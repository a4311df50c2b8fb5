//! What can go wrong in an execution.

use std::fmt;

/// The kinds of violations, in Spin's words where Spin has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A failed `assert`.
    Assertion,
    /// A state without steps where some process may not stop.
    InvalidEndState,
    /// An array index out of range.
    ArrayBounds,
    /// An `xr` or `xs` claim that does not hold.
    ChannelClaim,
    /// Messages sent and received in an order that a `trace` forbids, or a `notrace`.
    EventTrace,
    /// A cycle that passes through all acceptance sets.
    AcceptanceCycle,
    /// A cycle without a progress label.
    NonProgressCycle,
    /// A never claim that ran to its end.
    Claim,
    /// Any other error at run time.
    Error(ErrorKind),
}

/// Run-time errors that are not one of Spin's property kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// Division or remainder by zero.
    DivisionByZero,
    /// A `d_step` that blocks after its first statement.
    DStepBlocks,
    /// A `d_step` that does not end.
    DStepEndless,
    /// A rendezvous send inside a `d_step`.
    DStepRendezvous,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 255 channels.
    TooManyChannels,
    /// Use of a channel variable that holds no channel.
    UninitialisedChannel,
    /// More or fewer fields sent or received than the channel has.
    WrongFieldCount,
    /// A poll (`?[]`, `?<>`) of a rendezvous channel.
    PollOfRendezvous,
    /// More than one executable option in a `D_proctype`.
    Nondeterminism,
    /// `enabled` of the process itself.
    EnabledSelf,
    /// `set_priority` outside 1..255.
    PriorityRange,
}

impl ErrorKind {
    /// A sentence for people, without a full stop.
    pub fn message(self) -> &'static str {
        match self {
            ErrorKind::DivisionByZero => "division by zero",
            ErrorKind::DStepBlocks => "a d_step blocks after its first statement",
            ErrorKind::DStepEndless => "a d_step does not terminate",
            ErrorKind::DStepRendezvous => "a rendezvous send inside a d_step",
            ErrorKind::TooManyProcesses => "more than 255 processes",
            ErrorKind::TooManyChannels => "more than 255 channels",
            ErrorKind::UninitialisedChannel => "use of an uninitialised channel",
            ErrorKind::WrongFieldCount => "wrong number of message fields",
            ErrorKind::PollOfRendezvous => "a poll of a rendezvous channel",
            ErrorKind::Nondeterminism => "nondeterminism in a D_proctype",
            ErrorKind::EnabledSelf => "enabled() applied to the process itself",
            ErrorKind::PriorityRange => "a priority outside 1..255",
        }
    }
}

impl ViolationKind {
    /// The name used in reports, as in `"kind"` of the JSON report.
    pub fn name(self) -> &'static str {
        match self {
            ViolationKind::Assertion => "assertion",
            ViolationKind::InvalidEndState => "invalid-end-state",
            ViolationKind::ArrayBounds => "array-bounds",
            ViolationKind::ChannelClaim => "channel-claim",
            ViolationKind::AcceptanceCycle => "acceptance-cycle",
            ViolationKind::NonProgressCycle => "non-progress-cycle",
            ViolationKind::EventTrace | ViolationKind::Claim => "claim",
            ViolationKind::Error(_) => "error",
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViolationKind::Assertion => f.write_str("assertion violated"),
            ViolationKind::InvalidEndState => f.write_str("invalid end state"),
            ViolationKind::ArrayBounds => f.write_str("array index out of range"),
            ViolationKind::ChannelClaim => f.write_str("channel claim violated"),
            ViolationKind::EventTrace => f.write_str("event trace violated"),
            ViolationKind::AcceptanceCycle => f.write_str("acceptance cycle"),
            ViolationKind::NonProgressCycle => f.write_str("non-progress cycle"),
            ViolationKind::Claim => f.write_str("claim violated"),
            ViolationKind::Error(kind) => f.write_str(kind.message()),
        }
    }
}

/// A violation, small enough to be returned from the inner loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// What it is.
    pub kind: ViolationKind,
    /// The statement or expression that raised it, where the model can tell.
    pub site: Option<SiteId>,
}

/// A place in the model that can raise a violation, by the model's own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

impl From<ViolationKind> for Violation {
    fn from(kind: ViolationKind) -> Violation {
        Violation { kind, site: None }
    }
}

impl From<ErrorKind> for Violation {
    fn from(kind: ErrorKind) -> Violation {
        ViolationKind::Error(kind).into()
    }
}
