//! Runs a child process under a wall-clock limit.
//!
//! Output goes to files rather than pipes: a search that reports every error can
//! print gigabytes, and a file needs no thread that keeps draining it.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long an interrupted process may take to print what it has.
const GRACE: Duration = Duration::from_secs(15);

/// How a child process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited by itself with this status.
    Exit(i32),
    /// A signal ended it.
    Signal(i32),
    /// It was stopped because its time was over.
    TimedOut,
}

/// A command that loses the processor soon after `limit`, even if the caller died first.
///
/// Every child is the leader of its own process group, so a Ctrl-C at the terminal
/// does not reach it; the limit on processor time keeps an orphan from running on.
pub fn command(program: impl AsRef<OsStr>, limit: Duration) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -t \"$0\"; exec \"$@\""])
        .arg((2 * limit.as_secs() + 60).to_string())
        .arg(program)
        .stdin(Stdio::null())
        .process_group(0);
    command
}

/// Sends both output streams of `command` to the file `log`, in the order they are written.
pub fn log_to(command: &mut Command, log: &Path) -> io::Result<()> {
    let file = File::create(log)?;
    command.stdout(file.try_clone()?).stderr(file);
    Ok(())
}

/// Runs `command` to its end, or until `limit` is over.
///
/// At the limit the process group gets an interrupt first, because `pan` then still
/// prints how far it came, and is killed when that does not help.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Ending> {
    let mut child = command.spawn()?;
    if let Some(status) = wait(&mut child, limit)? {
        return ending(status);
    }
    signal_group("INT", &child)?;
    wait(&mut child, GRACE)?;
    // Also those that it left behind.
    signal_group("KILL", &child)?;
    child.wait()?;
    Ok(Ending::TimedOut)
}

/// Runs `command` to its end, or kills it when `limit` is over: for one that has nothing to say
/// before it is done.
pub fn run_or_kill(command: &mut Command, limit: Duration) -> io::Result<Ending> {
    let mut child = command.spawn()?;
    if let Some(status) = wait(&mut child, limit)? {
        return ending(status);
    }
    signal_group("KILL", &child)?;
    child.wait()?;
    Ok(Ending::TimedOut)
}

/// Polls with growing pauses: short runs stay short, long ones cost no processor.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// A program that is not there must not look like one that refused its input.
fn ending(status: ExitStatus) -> io::Result<Ending> {
    match (status.code(), status.signal()) {
        (Some(126 | 127), _) => Err(io::Error::new(
            io::ErrorKind::NotFound,
            "a program is missing: this needs spin, gcc and, to compare, spinor",
        )),
        (Some(code), _) => Ok(Ending::Exit(code)),
        (None, signal) => Ok(Ending::Signal(signal.unwrap_or(0))),
    }
}

/// The standard library can only kill one process; the shell reaches the whole group.
fn signal_group(name: &str, child: &Child) -> io::Result<()> {
    Command::new("sh")
        .args(["-c", &format!("kill -{name} -{}", child.id())])
        .stderr(Stdio::null())
        .status()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ending {
        let mut command = command("sh", limit);
        command.args(["-c", script]);
        run(&mut command, limit).expect("sh is installed")
    }

    #[test]
    fn endings_are_told_apart() {
        let limit = Duration::from_secs(10);
        assert_eq!(shell("exit 3", limit), Ending::Exit(3));
        assert_eq!(shell("kill -FPE $$", limit), Ending::Signal(8));
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let limit = Duration::from_secs(10);
        let mut command = command("./there-is-no-such-program", limit);
        command.stderr(Stdio::null());
        assert!(run(&mut command, limit).is_err());
    }

    #[test]
    fn the_limit_ends_children_too() {
        let start = Instant::now();
        let ending = shell("sleep 600 & sleep 600", Duration::from_millis(50));
        assert_eq!(ending, Ending::TimedOut);
        // Long before they would have ended, however busy the machine is.
        assert!(start.elapsed() < Duration::from_secs(300));
    }

    #[test]
    fn a_deaf_child_is_killed() {
        let start = Instant::now();
        let limit = Duration::from_millis(50);
        let mut command = command("sh", limit);
        command.args(["-c", "trap '' INT; while :; do :; done"]);
        let ending = run_or_kill(&mut command, limit).expect("sh is installed");
        assert_eq!(ending, Ending::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(300));
    }
}
