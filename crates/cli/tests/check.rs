//! `spinor check` as a program: exit status, JSON report, trace files.

mod bench;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use bench::{ASSERTION, Bench, DEADLOCK, FORMULA, HOLDS, LARGE, check_contract};

/// Names and verdicts of the properties, one a line.
fn verdicts(report: &Value) -> Vec<String> {
    let properties = report["properties"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |p: &Value| format!("{}: {}", text(&p["name"]), text(&p["verdict"]));
    properties.iter().map(line).collect()
}

#[track_caller]
fn check_counts(report: &Value, stored: u64, matched: u64, atomic: u64, depth: u64) {
    assert_eq!(report["states"]["stored"], stored);
    assert_eq!(report["states"]["matched"], matched);
    assert_eq!(report["transitions"], stored + matched);
    assert_eq!(report["atomic_steps"], atomic);
    assert_eq!(report["depth"], depth);
}

#[test]
fn a_model_that_holds() {
    let bench = Bench::new(HOLDS);
    let report = bench.json("m.pml --por none --symmetry none", 0);
    assert_eq!(report["complete"], true);
    assert_eq!(report["reason"], Value::Null);
    assert_eq!(report["error_count"], 0);
    assert_eq!(
        verdicts(&report),
        [
            "assert x <= 2: holds",
            "invalid end states: holds",
            "array bounds: holds",
            "run-time errors: holds"
        ]
    );
    assert_eq!(report["properties"][0]["location"], "m.pml:4:3");
    // As Spin: -o1 -o2 -o3, -DNOREDUCE -DSAFETY -DNOCLAIM, pan -c0.
    check_counts(&report, 21, 12, 9, 10);
    let unreached = &report["unreached"][0];
    assert_eq!(unreached["proctype"], "P");
    let texts: Vec<&str> = unreached["statements"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|statement| statement["text"].as_str())
        .collect();
    assert_eq!(texts, ["x > 7", "x = 0"]);
    assert!(bench.traces().is_empty());
}

#[test]
fn a_failing_assertion() {
    let bench = Bench::new(ASSERTION);
    let report = bench.json("m.pml", 1);
    assert_eq!(report["complete"], true);
    assert_eq!(report["reason"], Value::Null);
    assert_eq!(report["error_count"], 1);
    let error = &report["errors"][0];
    assert_eq!(error["kind"], "assertion");
    assert_eq!(error["property"], "assert x == 0");
    assert_eq!(error["depth"], 1);
    assert_eq!(error["location"], "m.pml:4:3");
    assert_eq!(error["trace"], "m.assert-x-0.trace.json");
    assert_eq!(report["properties"][0]["verdict"], "violated");
    assert_eq!(report["properties"][0]["trace"], "m.assert-x-0.trace.json");
    assert_eq!(report["properties"][1]["verdict"], "holds");
    let trace = std::fs::read(bench.path("m.assert-x-0.trace.json")).expect("a trace file");
    let trace: Value = serde_json::from_slice(&trace).expect("JSON");
    assert_eq!(trace["steps"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_deadlock() {
    let report = Bench::new(DEADLOCK).json("m.pml", 1);
    let error = &report["errors"][0];
    assert_eq!(error["kind"], "invalid-end-state");
    assert_eq!(error["property"], "invalid end states");
    assert_eq!(error["depth"], -1);
    assert_eq!(error["location"], "m.pml:3:23");
    assert_eq!(
        error["message"],
        "invalid end state: P(0) waits at `a ? 1`, Q(1) waits at `b ? 1`"
    );
}

#[test]
fn all_errors_are_counted_and_each_gets_its_trace() {
    let model = "active proctype P() { assert(false); assert(false); false }";
    let bench = Bench::new(model);
    let report = bench.json("m.pml --all-errors", 1);
    assert_eq!(report["error_count"], 3);
    assert_eq!(report["complete"], true);
    let traces: Vec<&Value> = (0..3).map(|row| &report["errors"][row]["trace"]).collect();
    assert_eq!(
        traces,
        [
            "m.assert-false.trace.json",
            "m.assert-false-2.trace.json",
            "m.invalid-end-states.trace.json"
        ]
    );
    for name in traces {
        assert!(bench.path(name.as_str().unwrap_or_default()).exists());
    }
    let report = bench.json("m.pml --max-errors 2 --trace other.json --trail m.trail", 1);
    assert_eq!(report["error_count"], 2);
    assert_eq!(report["errors"][1]["trace"], "other-assert-false-2.json");
    assert!(bench.path("other.json").exists() && bench.path("m.trail").exists());
}

#[test]
fn the_initial_state_itself_fails() {
    let report = Bench::new("int x = 1 / 0; active proctype P() { x = 1 }").json("m.pml", 1);
    let error = &report["errors"][0];
    assert_eq!(error["kind"], "error");
    assert_eq!(error["depth"], 0);
    assert_eq!(error["steps"], 0);
    check_counts(&report, 0, 0, 0, 0);
}

#[test]
fn independent_mistakes_in_a_model_are_reported_together() {
    let model = "\
byte a = ;
active proctype P() { undeclared = 1 }
active proctype Q() { goto nowhere }
";
    let report = Bench::new(model).json("m.pml", 2);
    let diagnostics = report["diagnostics"].as_array().expect("a list");
    let places: Vec<String> = diagnostics
        .iter()
        .map(|d| {
            format!(
                "{}:{}:{}",
                d["file"].as_str().unwrap_or(""),
                d["line"],
                d["column"]
            )
        })
        .collect();
    assert_eq!(places, ["m.pml:1:10", "m.pml:2:23", "m.pml:3:28"]);
    assert!(diagnostics.iter().all(|d| d["message"].is_string()));
    assert!(diagnostics.iter().all(|d| d.get("help").is_some()));
    assert_eq!(report["reason"], "the model has 3 errors");
}

#[test]
fn models_that_are_no_models() {
    let bench = Bench::new("");
    bench.json("m.pml", 2);
    let report = bench.json("missing.pml", 2);
    let reason = report["reason"].as_str().expect("a reason");
    assert_eq!(reason, "cannot read missing.pml: no such file or directory");
    let said = bench.run("check missing.pml").stderr;
    assert_eq!(String::from_utf8_lossy(&said), format!("error: {reason}\n"));
    bench.json(".", 2);
    std::fs::write(bench.path("m.pml"), b"\xff\xfe\x00 proctype \xc3(").expect("a file");
    bench.json("m.pml", 2);
    if Path::new("/dev/zero").exists() {
        bench.json("/dev/zero", 2);
    }
}

#[test]
fn bad_usage() {
    let bench = Bench::new(FORMULA);
    for args in [
        "m.pml --nonsense",
        "",
        "m.pml m.pml",
        "m.pml --search sideways",
        "m.pml --store nowhere",
        "m.pml --hash-functions 0",
        "m.pml --swarm 0",
        "m.pml --threads 2",
        "m.pml --depth 0",
        "m.pml --memory much",
        "m.pml --time now",
        "m.pml --all-errors --max-errors 3",
        "m.pml --ltl nowhere",
        "m.pml --never",
    ] {
        let report = bench.json(args, 2);
        assert!(report["reason"].is_string(), "{args}");
    }
    let report = bench.json("m.pml --fairness some", 2);
    let reason = report["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("--fairness"), "{reason}");
    assert_eq!(report["model"], "m.pml");
    assert_eq!(bench.run("check --nonsense").status.code(), Some(2));
    assert_eq!(bench.run("").status.code(), Some(2));
    assert_eq!(bench.run("--version").status.code(), Some(0));
    assert_eq!(bench.run("check --help").status.code(), Some(0));
}

#[test]
fn limits_end_in_an_answer() {
    let bench = Bench::new(LARGE);
    for (args, reason) in [
        ("--depth 100", "the depth limit was reached"),
        ("--time 200ms", "the time limit was reached"),
        ("--memory 1M", "the memory limit was reached"),
    ] {
        let report = bench.json(&format!("m.pml {args} --safety --por none"), 3);
        assert_eq!(report["reason"], reason);
        assert_eq!(report["complete"], false);
        assert!(report["states"]["stored"].as_u64() > Some(50));
        assert!(
            verdicts(&report)
                .iter()
                .all(|v| v.ends_with(": inconclusive"))
        );
    }
}

#[test]
fn a_violation_counts_more_than_a_limit() {
    let report = Bench::new(ASSERTION).json("m.pml --depth 2 --all-errors", 1);
    assert_eq!(report["reason"], "the depth limit was reached");
}

#[test]
fn every_property_has_its_own_verdict() {
    let bench = Bench::new(FORMULA);
    let report = bench.json("m.pml", 0);
    assert_eq!(report["complete"], true);
    assert_eq!(
        verdicts(&report),
        [
            "invalid end states: holds",
            "array bounds: holds",
            "run-time errors: holds",
            "ends: holds"
        ]
    );
    assert_eq!(report["properties"][3]["kind"], "ltl");
    assert_eq!(report["properties"][3]["location"], "m.pml:2:1");
    check_counts(&report, 3, 0, 0, 2);

    let report = bench.json("m.pml --ltl ends --progress-cycles --ltl-formula []done", 1);
    assert_eq!(
        verdicts(&report),
        [
            "ends: holds",
            "[]done: violated",
            "non-progress cycles: holds"
        ]
    );
    assert_eq!(report["errors"][0]["property"], "[]done");
    assert_eq!(report["options"]["search"], "weak-dfs");
}

#[test]
fn safety_alone_can_hold() {
    let report = Bench::new(FORMULA).json("m.pml --safety", 0);
    assert_eq!(report["not_selected"][0], "ltl ends");
    assert_eq!(report["properties"].as_array().map(Vec::len), Some(3));
    check_counts(&report, 3, 0, 0, 2);
}

#[test]
fn macros_and_lossy_channels() {
    let bench = Bench::new("active proctype P() { assert(N == 3) }");
    bench.json("m.pml", 2);
    bench.json("m.pml -D N=3", 0);
    bench.json("m.pml -DN=4", 1);
    let bench = Bench::new("chan c = [1] of { bit }; active proctype P() { c ! 0; c ! 1 }");
    bench.json("m.pml", 1);
    let report = bench.json("m.pml --lossy-channels", 0);
    assert_eq!(report["options"]["lossy_channels"], true);
}

/// Whether a process has a handler for SIGINT by now.
#[cfg(target_os = "linux")]
fn listens(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16);
    caught.is_ok_and(|mask| mask & 2 != 0)
}

/// Lines on standard error, where no terminal is, that count more and more states. The limit of depth
/// is for a search that does not begin anew.
#[test]
fn a_search_is_reported_while_it_runs() {
    let bench = Bench::new(LARGE);
    let search = "check m.pml --safety --por none --depth 1000000 --time 1s --format json";
    assert!(bench.run(search).stderr.is_empty());
    let output = bench.run(&format!("{search} --quiet --report 200ms"));
    let lines = String::from_utf8(output.stderr).expect("text");
    let count = |line: &str, noun: &str| -> u64 {
        let line = line.replace("safety: ", "");
        let part = line.split(", ").find_map(|part| part.strip_suffix(noun));
        let count = part.expect("a count").replace(',', "");
        count.parse().expect("a number")
    };
    for noun in [" states stored", " transitions"] {
        let searching = lines.lines().filter(|line| line.contains(noun));
        let counts: Vec<u64> = searching.map(|line| count(line, noun)).collect();
        // A busy machine may keep the search waiting between two lines, but not all the time.
        assert!(counts.is_sorted(), "{lines}");
        assert!(
            counts.len() >= 2 && counts.first() < counts.last(),
            "{lines}"
        );
    }
    let refused = bench.run("check m.pml --report 0s");
    assert_eq!(refused.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_with_what_was_found() {
    let bench = Bench::new(LARGE);
    let child = bench
        .command("check m.pml --por none --format json")
        .stdout(Stdio::piped())
        .spawn()
        .expect("spinor runs");
    let pid = child.id().to_string();
    while !listens(&pid) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // It also listens before the search has stored anything.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let kill = Command::new("kill").args(["-INT", &pid]).status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("spinor ends");
    assert_eq!(output.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    check_contract(&report);
    assert_eq!(report["reason"], "interrupted");
    assert!(report["states"]["stored"].as_u64() > Some(0));
}
