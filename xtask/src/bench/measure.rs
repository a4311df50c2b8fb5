//! What a child process costs.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use wait4::Wait4;

/// A child may use twice this much processor time; nothing that is measured comes near.
pub const LIMIT: Duration = Duration::from_secs(3600);

/// One search, by Spin or by us.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Distinct states.
    pub stored: u64,
    /// Steps.
    pub transitions: u64,
    /// Processor time of the whole process, in seconds.
    pub cpu: f64,
    /// The part of it that is the search.
    pub search: f64,
    /// The largest resident size, in bytes.
    pub peak: u64,
    /// Memory for states, with the table that finds them, in bytes.
    pub states: u64,
}

/// What a process used, together with those it waited for.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Processor time, in user and system mode, in seconds.
    pub cpu: f64,
    /// The largest resident size, in bytes.
    pub peak: u64,
}

impl Sample {
    /// The cheaper of two runs.
    pub fn best(self, other: Option<Sample>) -> Sample {
        match other {
            Some(other) if other.cpu < self.cpu => other,
            _ => self,
        }
    }

    /// States in a second of processor time.
    pub fn states_per_second(&self) -> f64 {
        self.stored as f64 / self.cpu
    }

    /// Steps in a second of processor time.
    pub fn transitions_per_second(&self) -> f64 {
        self.transitions as f64 / self.cpu
    }

    /// Memory for one state, in bytes.
    pub fn bytes_per_state(&self) -> f64 {
        self.states as f64 / self.stored as f64
    }
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> io::Result<(ExitStatus, Usage)> {
    let used = command.spawn()?.wait4()?;
    let usage = Usage {
        cpu: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        peak: used.rusage.maxrss,
    };
    Ok((used.status, usage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process;

    #[test]
    fn grandchildren_count() -> io::Result<()> {
        let mut command = process::command("sh", LIMIT);
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        command.args(["-c", &format!("sh -c '{busy}'; exit 3")]);
        let (status, usage) = run(&mut command)?;
        assert_eq!(status.code(), Some(3));
        assert!(usage.cpu > 0.005, "{usage:?}");
        assert!(usage.peak > 100_000, "{usage:?}");
        Ok(())
    }
}
