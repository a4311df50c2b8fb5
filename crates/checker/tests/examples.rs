//! The examples of the library print what they are meant to.

#[allow(dead_code)]
#[path = "../examples/check_text.rs"]
mod check_text;
#[allow(dead_code)]
#[path = "../examples/table.rs"]
mod table;
#[allow(dead_code)]
#[path = "../examples/walk.rs"]
mod walk;

use std::path::Path;
use std::sync::Mutex;

#[test]
fn check_a_text() {
    let lines = Mutex::new(Vec::new());
    let verdict = check_text::check(&|line| lines.lock().expect("no panic").push(line));
    let expected = [
        "invalid end states: holds",
        "array bounds: holds",
        "run-time errors: holds",
        "ltl alternates: holds",
        "ltl starves: violated",
    ];
    assert_eq!(*lines.lock().expect("no panic"), expected);
    assert_eq!(verdict, "violated");
}

#[test]
fn walk_through_states() {
    let expected = "\
Sender(0) c ! 7  [c: empty → [7]]
Receiver(1) c ? got  [Receiver(1):got: 0 → 7, c: [7] → empty]
Sender(0) c ! 8  [c: empty → [8]]
Sender(0) is blocked: it has terminated, and waits for younger processes to terminate
Receiver(1) is blocked: `got == 8` is not executable (Receiver(1):got = 7)
";
    assert_eq!(walk::walk(), expected);
}

#[test]
fn check_in_a_loop() {
    let text = table::table();
    let verdicts: Vec<&str> = text
        .lines()
        .skip(1)
        .filter_map(|l| l.split(' ').next_back())
        .collect();
    assert_eq!(
        verdicts,
        ["holds", "holds", "violated", "violated", "violated"],
        "{text}"
    );
}

#[test]
fn examples_are_short() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let lines = std::fs::read_to_string(&path)
            .expect("a text")
            .lines()
            .count();
        assert!(lines <= 40, "{}: {lines} lines", path.display());
    }
}
