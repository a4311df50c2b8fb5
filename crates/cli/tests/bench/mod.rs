//! Models, and a directory to run spinor in.

// Not every test uses everything.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Every assertion holds; one statement is never reached.
pub const HOLDS: &str = "\
byte x;
active [2] proctype P() {
  atomic { x < 2 -> x++ };
  assert(x <= 2);
  if
  :: x > 7 -> x = 0
  :: else
  fi
}
";

/// The assertion fails in the second step.
pub const ASSERTION: &str = "\
byte x;
active proctype P() {
  x = 1;
  assert(x == 0);
}
";

/// Both processes wait for ever.
pub const DEADLOCK: &str = "\
chan a = [0] of { byte };
chan b = [0] of { byte };
active proctype P() { a ? 1; b ! 1 }
active proctype Q() { b ? 1; a ! 1 }
";

/// Holds, but states a formula.
pub const FORMULA: &str = "\
bool done;
ltl ends { <> done }
active proctype P() { done = true }
";

/// More states than a short run can visit.
pub const LARGE: &str = "\
int a, b, c;
active proctype P() { end: do :: a < 30000 -> a++ od }
active proctype Q() { end: do :: b < 30000 -> b++ od }
active proctype R() { end: do :: c < 30000 -> c++ od }
";

/// A directory with a model in it, where spinor is run.
pub struct Bench(TempDir);

impl Bench {
    /// With `m.pml`.
    pub fn new(model: &str) -> Bench {
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::write(dir.path().join("m.pml"), model).expect("a file");
        Bench(dir)
    }

    /// The names of the traces that were written.
    #[allow(dead_code, reason = "not every test looks for traces")]
    pub fn traces(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path("")).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let mut traces: Vec<String> = names.filter(|name| name.ends_with(".trace.json")).collect();
        traces.sort();
        traces
    }

    /// A file in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Run to the end.
    pub fn run(&self, args: &str) -> Output {
        self.command(args).output().expect("spinor runs")
    }

    /// Run to the end where files cannot grow, as on a full disk. What is printed goes to pipes,
    /// which have no such limit.
    pub fn limited(&self, args: &str) -> Output {
        let program = env!("CARGO_BIN_EXE_spinor");
        let script = format!("trap '' XFSZ; ulimit -f 1; exec {program} {args}");
        let mut command = Command::new("sh");
        let command = command.args(["-c", &script]).current_dir(self.0.path());
        command.output().expect("sh runs")
    }

    /// The program, ready to run.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spinor"));
        command
            .args(args.split_whitespace())
            .current_dir(self.0.path());
        command
    }

    /// Run with JSON and hold the report against the contract and the exit status.
    #[track_caller]
    pub fn json(&self, args: &str, status: i32) -> Value {
        let output = self.run(&format!("check {args} --format json"));
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        let verdict = match status {
            0 => "holds",
            1 => "violated",
            3 => "inconclusive",
            _ => "error",
        };
        assert_eq!(report["verdict"], verdict);
        check_contract(&report);
        report
    }
}

/// Every field of the contract is there and of its type.
#[track_caller]
pub fn check_contract(report: &Value) {
    assert_eq!(report["schema"], 1);
    assert!(report["model"].is_string());
    assert!(report["complete"].is_boolean());
    assert!(report["reason"].is_null() || report["reason"].is_string());
    let text_or_null = |value: &Value| value.is_null() || value.is_string();
    for property in report["properties"].as_array().expect("a list") {
        assert!(property["name"].is_string() && property["kind"].is_string());
        let verdict = property["verdict"].as_str().expect("a verdict");
        let known = ["holds", "violated", "inconclusive"];
        assert!(known.contains(&verdict), "{verdict}");
        assert!(property.get("location").is_some_and(text_or_null));
        assert!(property.get("trace").is_some_and(text_or_null));
    }
    for error in report["errors"].as_array().expect("a list") {
        for field in ["kind", "property", "message"] {
            assert!(error[field].is_string(), "{field}");
        }
        assert!(error["depth"].is_i64());
        assert!(error.get("location").is_some_and(text_or_null));
        assert!(error.get("trace").is_some_and(text_or_null));
    }
    for (group, fields) in [
        ("states", &["stored", "matched"][..]),
        ("memory_bytes", &["states", "stack", "peak_rss"]),
    ] {
        for field in fields {
            assert!(report[group][field].is_u64(), "{group}.{field}");
        }
    }
    for field in ["transitions", "atomic_steps", "depth", "error_count"] {
        assert!(report[field].is_u64(), "{field}");
    }
    for field in ["parse", "compile", "search", "total"] {
        assert!(report["seconds"][field].is_f64(), "seconds.{field}");
    }
    let options = &report["options"];
    assert!(options["reduction"].is_array() && options["threads"].is_u64());
    for field in ["search", "store", "fairness"] {
        assert!(options[field].is_string(), "options.{field}");
    }
}
