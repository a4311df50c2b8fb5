//! Where an enumeration of steps stands.

use space::Control;

use crate::ids::ControlId;

/// What the enumeration does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Phase {
    /// Start a pass over the processes.
    #[default]
    Fresh,
    /// Ask whether the process may move.
    Process,
    /// Try the options of the process.
    Options,
    /// Look for receivers of the offer that the last tried option makes.
    Handshake,
    /// All processes were asked.
    PassOver,
}

/// A position in the enumeration of the steps of a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    pub(super) phase: Phase,
    /// The second pass, in which `timeout` holds.
    pub(super) timeout: bool,
    /// Somebody has moved.
    pub(super) any: bool,
    /// The process under way, and its next option.
    pub(super) pid: u8,
    pub(super) index: u16,
    /// That process has moved at this node.
    pub(super) moved: bool,
    /// The escape it moved by.
    pub(super) escape: ControlId,
    /// The same for the receiver of a handshake.
    pub(super) receiver: Receiver,
}

/// The receiving side of a [`Cursor`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Receiver {
    /// One past the process under way; 0 when there is none left.
    pub(super) above: u8,
    pub(super) index: u16,
    pub(super) entered: bool,
    pub(super) moved: bool,
    pub(super) escape: ControlId,
    /// The offer was taken by somebody.
    pub(super) any: bool,
    /// The event trace has been heard about the offer.
    pub(super) observed: bool,
}

impl Cursor {
    /// Whether the enumeration is in the second pass, in which `timeout` holds.
    pub(super) fn is_timeout(&self) -> bool {
        self.timeout
    }

    /// Before the options of a process.
    pub(super) fn at_process(pid: u8, timeout: bool) -> Cursor {
        Cursor {
            phase: Phase::Process,
            timeout,
            pid,
            ..Cursor::default()
        }
    }

    pub(super) fn start_pass(&mut self, control: Control, processes: usize) {
        self.phase = Phase::Process;
        match control {
            Control::Exclusive(pid) => self.pid = pid.0,
            Control::Free if processes == 0 => self.phase = Phase::PassOver,
            Control::Free => self.pid = (processes - 1) as u8,
        }
    }

    pub(super) fn enter_process(&mut self) {
        self.phase = Phase::Options;
        self.index = 0;
        self.moved = false;
        self.escape = ControlId(0);
    }

    pub(super) fn next_process(&mut self, control: Control) {
        if self.pid == 0 || control != Control::Free {
            self.phase = Phase::PassOver;
        } else {
            self.pid -= 1;
            self.phase = Phase::Process;
        }
        self.moved = false;
    }

    /// Start looking for a partner; the option that offers is the one before `index`.
    pub(super) fn start_handshake(&mut self, processes: usize) {
        self.phase = Phase::Handshake;
        self.receiver = Receiver {
            above: processes as u8,
            ..Receiver::default()
        };
    }

    /// The offer has been seen by everybody. A refused one counts as not made: it neither
    /// closes the `else` beside it nor commits the process to its escape.
    pub(super) fn end_handshake(&mut self) {
        self.phase = Phase::Options;
        if self.receiver.any {
            self.moved = true;
            self.any = true;
        } else {
            self.escape = ControlId(0);
        }
    }
}
