//! `spinor` as a program, in a directory of its own.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A directory with a model.
pub struct Place {
    directory: tempfile::TempDir,
}

/// What the program came to.
pub struct SearchResult {
    pub exit: i32,
    pub out: String,
    pub err: String,
}

impl Place {
    /// A directory with `m.pml`.
    pub fn new(model: &str) -> Place {
        let place = Place {
            directory: tempfile::tempdir().expect("a directory"),
        };
        place.write("m.pml", model);
        place
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Write a file.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a writable directory");
    }

    /// Run the program with arguments separated by blanks.
    pub fn run(&self, line: &str) -> SearchResult {
        self.run_with(line, "")
    }

    /// The same with an input.
    pub fn run_with(&self, line: &str, input: &str) -> SearchResult {
        let mut child = Command::new(env!("CARGO_BIN_EXE_spinor"))
            .args(line.split_whitespace())
            .current_dir(self.directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A program that does not read its input may have ended already.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        SearchResult {
            exit: output.status.code().expect("an exit status"),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }
}
