//! What `spinor plan` says is what `spinor check` does.

use std::path::Path;
use std::process::Command;

use spinor::combinations::{Answer, COMBINATIONS};

/// The arguments that ask for each of the things, and what a model needs for it besides.
const ASKED: &[(&str, &str, &str)] = &[
    ("dfs", "--search dfs", ""),
    ("bfs", "--search bfs", ""),
    ("depth-limited", "--search depth-limited --depth 100", ""),
    ("stateless", "--search stateless", ""),
    ("nested-dfs", "--ltl p --search nested-dfs", ""),
    ("scc", "--ltl p --search scc", ""),
    ("owcty", "--ltl p --search owcty", ""),
    ("formula", "--ltl p", ""),
    ("partial order", "--por stubborn", ""),
    ("sleep sets", "--por sleep+stubborn", ""),
    ("symmetry", "--symmetry full", ""),
    ("tree", "--store tree", ""),
    ("compact", "--store compact", ""),
    ("bitstate", "--store bitstate --memory 1M", ""),
    ("--shortest", "--shortest", ""),
    ("--check-por", "--check-por", ""),
    ("--checkpoint", "--checkpoint plan.checkpoint", ""),
    ("--swarm", "--swarm 2 --memory 1M", ""),
    ("weak fairness", "--ltl p --fairness weak", ""),
    ("strong fairness", "--ltl p --fairness strong", ""),
    (
        "fairness and timeout",
        "--ltl p --fairness weak",
        "active proctype T() { timeout }",
    ),
    (
        "rendezvous and unless",
        "",
        "chan r = [0] of { bit }; active proctype R() { r ? 1 } \
         active proctype U() { skip unless { r ! 1 } }",
    ),
    ("formula that counts steps", "--ltl-formula X(x==1)", ""),
    ("never claim", "--never", "never { do :: true od }"),
    (
        "trace assertion",
        "",
        "chan q = [1] of { bit }; trace { do :: q ! 1 od } active proctype S() { q ! 1 }",
    ),
    ("priorities", "", "active proctype H() priority 5 { skip }"),
    ("enabled()", "", "active proctype E() { enabled(0) }"),
    ("_last", "", "active proctype L() { _last == 0 }"),
];

const MODEL: &str = "byte x; active proctype A() { x = 1 } active proctype B() { x = 2 }
    ltl p { <> (x > 0) } ";

fn asked(name: &str) -> (&'static str, &'static str) {
    let found = ASKED.iter().find(|(known, ..)| *known == name);
    let (_, arguments, model) = found.unwrap_or_else(|| panic!("{name}: how to ask for it?"));
    (arguments, model)
}

#[test]
fn every_row_is_true() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plan");
    std::fs::create_dir_all(&dir).expect("a directory");
    for row in COMBINATIONS
        .iter()
        .filter(|row| row.answer != Answer::Absent)
    {
        let ((one, first), (other, second)) = (asked(row.one), asked(row.other));
        let mut words: Vec<&str> = one.split_whitespace().collect();
        words.extend(other.split_whitespace());
        let property = |word: &&str| word.starts_with("--ltl") || *word == "--never";
        if !words.iter().any(property) {
            words.push("--safety");
        }
        let model = dir.join("m.pml");
        std::fs::write(&model, format!("{MODEL} {first} {second}")).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_spinor"))
            .current_dir(&dir)
            .args(["check", "m.pml", "-q"])
            .args(&words)
            .output()
            .expect("it runs");
        let refused = output.status.code() == Some(2);
        let said = String::from_utf8_lossy(&output.stderr);
        let name = format!("{} and {}, {words:?}", row.one, row.other);
        assert_eq!(refused, row.answer == Answer::No, "{name}: {said}");
    }
}
