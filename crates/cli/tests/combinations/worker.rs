//! A process that executes commands of the program and hands their reports over.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Lines, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

/// Set for a worker.
const WORKER: &str = "SPINOR_COMBINATIONS_WORKER";
/// Begins the line behind a report, with the exit status.
const MARK: &str = "exit status:";
/// For every command: few models reach a limit, and one that does says nothing.
const LIMITS: &str = if cfg!(debug_assertions) {
    "--color never --time 1s --memory 16M"
} else {
    "--color never --time 100ms --memory 16M"
};

/// A verdict for each property, by its title and place.
pub type Verdicts = BTreeMap<String, String>;

/// What a command came to.
pub struct Answer {
    /// The exit status.
    pub status: u8,
    /// What it says about the properties.
    pub verdicts: Verdicts,
    /// The states of its first search.
    pub stored: u64,
}

/// A process that executes commands.
pub struct Worker {
    child: Child,
    commands: ChildStdin,
    reports: Lines<BufReader<ChildStdout>>,
    dir: TempDir,
}

impl Worker {
    /// Start it: the test of this name, which must call [`work`] if that [`is_wanted`].
    pub fn new(test: &str) -> Worker {
        let dir = TempDir::new().expect("a directory");
        let errors = File::create(dir.path().join("errors")).expect("a file");
        let program = std::env::current_exe().expect("a program");
        let mut child = Command::new(program)
            .args(["--exact", test, "--nocapture"])
            .env(WORKER, "1")
            .current_dir(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("a worker");
        let mut reports = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        // The harness has its say first.
        while reports.next().expect("a worker").expect("a line") != MARK {}
        Worker {
            commands: child.stdin.take().expect("a pipe"),
            reports,
            child,
            dir,
        }
    }

    /// The model that is checked from now on.
    pub fn load(&self, text: &str) {
        fs::write(self.dir.path().join("m.pml"), text).expect("a file");
    }

    /// Check the model with these options.
    pub fn check(&mut self, options: &str) -> Answer {
        let command = format!("spinor check m.pml {LIMITS} {options}");
        writeln!(self.commands, "{command}").expect("a worker that listens");
        let mut answer = Answer {
            status: u8::MAX,
            verdicts: Verdicts::new(),
            stored: 0,
        };
        // The properties stand between the first two empty lines.
        let mut section = 0;
        loop {
            let line = self.reports.next().expect("a worker").expect("a line");
            if let Some(status) = line.strip_prefix(MARK) {
                answer.status = status.trim().parse().expect("a number");
                return answer;
            }
            section += u32::from(line.is_empty());
            let words = line.trim().split_once(' ').unwrap_or_default();
            if section == 1 && matches!(words.0, "holds" | "violated" | "inconclusive") {
                let title = words.1.split_whitespace().collect::<Vec<_>>().join(" ");
                answer.verdicts.insert(title, words.0.to_owned());
            }
            if line.contains(" stored") && answer.stored == 0 {
                answer.stored = words.0.replace(',', "").parse().unwrap_or(0);
            }
        }
    }

    /// What commands said on standard error last.
    pub fn last_error(&self) -> String {
        let errors = fs::read_to_string(self.dir.path().join("errors")).unwrap_or_default();
        let lines: Vec<&str> = errors.lines().rev().take(3).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It is of no more use; that it cannot be ended changes nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether this process is a worker.
pub fn is_wanted() -> bool {
    std::env::var_os(WORKER).is_some()
}

/// Execute the commands that come in.
pub fn work() {
    println!("\n{MARK}");
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let status = catch_unwind(AssertUnwindSafe(|| cli::cli::run(&words) as u8));
        // As the program does when it panics.
        let status = status.unwrap_or(cli::exit::Exit::Internal as u8);
        println!("\n{MARK} {status}");
    }
}
