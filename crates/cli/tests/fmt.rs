//! `spinor fmt` as a program: what it writes where, and its exit status.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const UGLY: &str = "byte x;\nactive proctype P()\n{ x=1;\n  x=2 }\n";
const PRETTY: &str = "byte x;\nactive proctype P() {\n    x = 1;\n    x = 2\n}\n";
const WRONG: &str = "active   proctype P() { x = }\n";

/// A directory with files in it.
struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Files {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).expect("a file");
        }
        Files(directory)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text")
    }

    /// Run `spinor fmt` here.
    fn run(&self, args: &[&str]) -> Output {
        run(self.0.path(), args, "")
    }
}

fn run(directory: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spinor"))
        .arg("fmt")
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("spinor starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("spinor ends")
}

/// Exit status and standard output; nothing on standard error.
#[track_caller]
fn check(output: &Output, status: i32, stdout: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
    assert_eq!(output.status.code(), Some(status));
}

/// A complaint that contains a text.
#[track_caller]
fn check_refused(output: &Output, complaint: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(complaint), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn files_are_rewritten() {
    let files = Files::new(&[("a.pml", UGLY), ("b.pml", PRETTY)]);
    let written = |name| {
        let metadata = std::fs::metadata(files.path(name)).expect("a file");
        metadata.modified().expect("a time")
    };
    let before = written("b.pml");
    check(&files.run(&["a.pml", "b.pml"]), 0, "");
    assert_eq!(files.text("a.pml"), PRETTY);
    assert_eq!(files.text("b.pml"), PRETTY);
    assert_eq!(written("b.pml"), before);
}

#[test]
fn check_lists_files() {
    let files = Files::new(&[("a.pml", UGLY), ("b.pml", PRETTY), ("c.pml", UGLY)]);
    let output = files.run(&["--check", "a.pml", "b.pml", "c.pml"]);
    check(&output, 1, "a.pml\nc.pml\n");
    assert_eq!(files.text("a.pml"), UGLY);
    check(&files.run(&["--check", "b.pml"]), 0, "");
}

#[test]
fn standard_output() {
    let files = Files::new(&[("a.pml", UGLY)]);
    check(&files.run(&["--stdout", "a.pml"]), 0, PRETTY);
    assert_eq!(files.text("a.pml"), UGLY);
    let output = files.run(&["--stdout", "--check", "a.pml"]);
    check_refused(&output, "cannot be used with");
}

#[test]
fn standard_input() {
    let files = Files::new(&[("x.h", "byte x;\n")]);
    check(&run(files.0.path(), &["-"], UGLY), 0, PRETTY);
    check(
        &run(files.0.path(), &["--check", "-"], UGLY),
        1,
        "<stdin>\n",
    );
    check(&run(files.0.path(), &["-"], ""), 0, "");
    let includes = "#include \"x.h\"\ninit { x=1 }\n";
    let expected = "#include \"x.h\"\ninit { x = 1 }\n";
    check(&run(files.0.path(), &["-"], includes), 0, expected);
    let output = run(files.0.path(), &["-"], WRONG);
    check_refused(&output, "<stdin>:1");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_file_that_is_no_model_is_left_alone() {
    let files = Files::new(&[("a.pml", WRONG), ("b.pml", UGLY)]);
    let output = files.run(&["a.pml", "b.pml"]);
    check_refused(&output, "a.pml:1");
    assert_eq!(files.text("a.pml"), WRONG);
    // The others are formatted all the same.
    assert_eq!(files.text("b.pml"), PRETTY);
    check_refused(&files.run(&["--check", "a.pml"]), "the model has an error");
}

#[test]
fn files_that_cannot_be_read() {
    let files = Files::new(&[]);
    check_refused(&files.run(&["missing.pml"]), "cannot read missing.pml");
    check_refused(&files.run(&[]), "required");
    std::fs::write(files.path("a.pml"), b"byte x; // \xe9\n").expect("a file");
    check_refused(
        &files.run(&["a.pml"]),
        "cannot format a.pml: it is not UTF-8",
    );
    assert_eq!(
        std::fs::read(files.path("a.pml")).expect("bytes"),
        b"byte x; // \xe9\n"
    );
}

#[test]
fn lines_that_matter() {
    let model = "byte x;\nbyte y; byte line = __LINE__;\n";
    let files = Files::new(&[("a.pml", model)]);
    check_refused(&files.run(&["a.pml"]), "depends on line breaks");
    assert_eq!(files.text("a.pml"), model);
}

#[test]
fn options_of_the_preprocessor() {
    let files = Files::new(&[("a.pml", "#ifdef BAD\nbyte 1;\n#endif\nbyte  x;\n")]);
    check_refused(&files.run(&["-D", "BAD", "a.pml"]), "a.pml:2");
    check(&files.run(&["a.pml"]), 0, "");
    assert_eq!(
        files.text("a.pml"),
        "#ifdef BAD\nbyte 1;\n#endif\nbyte x;\n"
    );
}
