//! Trails against the real Spin: it replays ours, and we replay those of its verifier.
//!
//! Without `spin` (and a C compiler) on the path these tests say so and pass.

#[path = "trace/find.rs"]
mod find;
#[path = "trace/models.rs"]
mod models;

use std::path::Path;
use std::process::Command;

use checker::load::{self, Loaded};
use checker::trace::replay::{Replayed, replay};
use checker::trace::{guide, print, trail};
use find::{counterexample, load};
use model::show;
use space::ViolationKind;

/// Whether there is a Spin; says so if not.
fn spin_is_here() -> bool {
    let here = |program: &str, flag: &str| Command::new(program).arg(flag).output().is_ok();
    let both = here("spin", "-V") && here("gcc", "--version");
    if !both {
        println!("skipped: this test needs spin and gcc on the path");
    }
    both
}

/// Run a program and return what it prints.
#[track_caller]
fn output(directory: &Path, program: &str, args: &[&str]) -> String {
    let program_path = directory.join(program);
    let program = if program_path.exists() {
        program_path.into_os_string()
    } else {
        program.into()
    };
    let output = Command::new(&program)
        .args(args)
        .current_dir(directory)
        .output()
        .expect("the program can be started");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A model in a directory of its own.
fn place(text: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("m.pml"), text).expect("a writable directory");
    directory
}

/// Where Spin says its processes stand behind a trail, by pid: line and control state.
fn spin_standing(replayed: &str) -> Vec<(u32, u32)> {
    let end = replayed.split("spin: trail ends").nth(1).unwrap_or("");
    let mut found: Vec<(u8, (u32, u32))> = end
        .lines()
        .filter_map(|line| {
            let (pid, rest) = line.split_once("proc ")?.1.trim().split_once(' ')?;
            let (line, rest) = rest.split_once("m.pml:")?.1.split_once(" (state ")?;
            let (state, _) = rest.split_once(')')?;
            Some((pid.parse().ok()?, (line.parse().ok()?, state.parse().ok()?)))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, place)| place).collect()
}

/// Spin replays our counterexample to the same end.
#[track_caller]
fn check_ours(loaded: &Loaded, text: &str) {
    let (trace, violation) = counterexample(&loaded.model);
    let run = replay(&loaded.model, &trace).expect("our own trace");
    let written = trail::write(loaded, &trace, &violation);
    let directory = place(text);
    std::fs::write(directory.path().join("m.pml.trail"), &written).expect("a writable directory");
    let replayed = output(directory.path(), "spin", &["-t", "-p", "m.pml"]);
    let steps = written.lines().count();
    assert!(
        replayed.contains(&format!("spin: trail ends after {steps} steps")),
        "{replayed}"
    );
    match violation.kind {
        ViolationKind::Assertion => {
            let location = print::location(&loaded.model, &run, &violation).expect("a place");
            let wanted = format!("spin: m.pml:{}, Error: assertion violated", location.line);
            assert!(replayed.contains(&wanted), "{wanted}\n{replayed}");
            assert!(!replayed.contains("transition failed"), "{replayed}");
        }
        ViolationKind::InvalidEndState => {
            assert!(!replayed.contains("transition failed"), "{replayed}");
            let ours: Vec<u32> = show::processes(&loaded.model, run.last_state())
                .into_iter()
                .map(|(_, _, control)| control.0)
                .collect();
            let spins: Vec<u32> = spin_standing(&replayed).iter().map(|p| p.1).collect();
            assert_eq!(ours, spins, "{replayed}");
        }
        ViolationKind::ArrayBounds => {
            assert!(replayed.contains("Error: indexing"), "{replayed}");
        }
        kind => panic!("{kind}"),
    }
}

/// We replay the trails of Spin's verifier to the violation it reports.
#[track_caller]
fn check_pans(loaded: &Loaded, text: &str, options: &[&str], defines: &[&str], flags: &[&str]) {
    let directory = place(text);
    let at = directory.path();
    output(at, "spin", &[options, &["-a", "m.pml"]].concat());
    let compile = [&["-w", "-o", "pan", "pan.c"], defines].concat();
    output(at, "gcc", &compile);
    let report = output(at, "pan", flags);
    let said = report.lines().find(|line| line.starts_with("pan:1: "));
    let said = said.unwrap_or_else(|| panic!("{report}"));
    let mut trails = 0;
    for entry in std::fs::read_dir(at).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "trail") {
            trails += 1;
            check_pan(loaded, &path, said);
        }
    }
    assert!(trails > 0, "{report}");
}

#[track_caller]
fn check_pan(loaded: &Loaded, path: &Path, said: &str) {
    let text = std::fs::read_to_string(path).expect("a trail");
    let guide = guide::from_trail(path, loaded).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let run = replay(&loaded.model, &guide.trace).expect("steps that were made once");
    let found = run.violation.map(|violation| violation.kind);
    let wanted = if said.contains("invalid end state") {
        ViolationKind::InvalidEndState
    } else if said.contains("invalid array index") {
        ViolationKind::ArrayBounds
    } else {
        ViolationKind::Assertion
    };
    assert_eq!(found, Some(wanted), "{said}\n{text}{}", shown(loaded, &run));
}

fn shown(loaded: &Loaded, run: &Replayed) -> String {
    let mut out = Vec::new();
    let style = print::Style::default();
    print::replayed(&loaded.model, run, style, &mut out).expect("memory is writable");
    String::from_utf8(out).expect("text")
}

/// Both directions, with and without merged statements and reduction.
#[track_caller]
fn check(text: &str) {
    if !spin_is_here() {
        return;
    }
    let loaded = load(text);
    check_ours(&loaded, text);
    let safety = ["-DSAFETY", "-DNOCLAIM"];
    check_pans(
        &loaded,
        text,
        &["-o3"],
        &[&safety[..], &["-DNOREDUCE"]].concat(),
        &["-e", "-c1"],
    );
    check_pans(&loaded, text, &[], &safety, &["-c1"]);
}

#[test]
fn assertions() {
    check(models::ASSERTION);
}

#[test]
fn deadlocks() {
    check(models::DEADLOCK);
}

#[test]
fn rendezvous() {
    check(models::RENDEZVOUS);
}

#[test]
fn atomic() {
    check(models::ATOMIC);
}

#[test]
fn d_step() {
    check(models::D_STEP);
}

#[test]
fn run() {
    check(models::RUN);
}

#[test]
fn unless() {
    check(models::UNLESS);
}

#[test]
fn inlines_and_loops() {
    check(models::INLINE);
    check(models::INLINES);
}

#[test]
fn timeout() {
    check(models::TIMEOUT);
}

#[test]
fn indices() {
    check(models::INDEX);
}

#[test]
fn the_initial_state() {
    check("active proctype P() { false }");
}

#[test]
fn breadth_first() {
    if !spin_is_here() {
        return;
    }
    for text in [models::DEADLOCK, models::RENDEZVOUS] {
        let defines = ["-DSAFETY", "-DNOCLAIM", "-DBFS"];
        check_pans(&load(text), text, &[], &defines, &[]);
    }
}

/// With a claim in the run its moves are part of the trail.
#[track_caller]
fn check_with_claim(text: &str) {
    if !spin_is_here() {
        return;
    }
    let loaded = load(text);
    check_ours(&loaded, text);
    check_pans(&loaded, text, &["-o3"], &["-DSAFETY"], &["-e"]);
    check_pans(&loaded, text, &[], &["-DSAFETY"], &["-e"]);
}

#[test]
fn never_claims() {
    check_with_claim(models::CLAIM);
}

#[test]
fn formulas() {
    check_with_claim(models::FORMULA);
}

/// A few random models, as a sample of what nobody thought of.
#[test]
fn random_models() {
    if !spin_is_here() {
        return;
    }
    for seed in 0..6 {
        let text = generate::model(seed);
        let loaded = load::load(&load::Source::text("m.pml", text.as_str()));
        // Merged statements run in spite of a process with a higher priority.
        let Some(loaded) = loaded.ok().filter(|l| !l.model.layout.priorities) else {
            continue;
        };
        println!("seed {seed}");
        check_random(&loaded, &text);
    }
}

fn check_random(loaded: &Loaded, text: &str) {
    let directory = place(text);
    let at = directory.path();
    output(at, "spin", &["-a", "m.pml"]);
    let compile = [
        "-w",
        "-DSAFETY",
        "-DNOCLAIM",
        "-DNOREDUCE",
        "-o",
        "pan",
        "pan.c",
    ];
    output(at, "gcc", &compile);
    if !at.join("pan").exists() {
        return;
    }
    let report = output(at, "pan", &["-c1", "-m20000"]);
    let said = report.lines().find(|line| line.starts_with("pan:1: "));
    let known = [
        "invalid end state",
        "invalid array index",
        "assertion violated (",
    ];
    if let Some(said) = said.filter(|said| known.iter().any(|kind| said.contains(kind))) {
        check_pan(loaded, &at.join("m.pml.trail"), said);
    }
}
