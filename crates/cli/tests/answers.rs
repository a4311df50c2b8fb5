//! When and where answers appear: verdicts as they come, trace files, signals, broken pipes.

mod bench;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bench::{ASSERTION, Bench, LARGE, check_contract};
use serde_json::Value;

/// Three violated properties and more that hold.
const SEVERAL: &str = "\
byte x;
active proctype P() { x = 1; assert(x == 1); assert(x == 0); x = 2; x > 5 }
ltl early { [] (x < 2) }
ltl late { <> (x == 2) }
";

/// A violation at once, and a formula whose product is too large for a short run.
fn slow_formula() -> String {
    LARGE.replace(
        "int a, b, c;",
        "int a, b, c; ltl slow { [] (a + b + c < 90001) }",
    ) + "active proctype V() { assert(a + b + c > 90000) }\n"
}

fn kill(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let status = Command::new("kill").args([signal, &pid]).status();
    assert!(status.expect("kill runs").success());
}

#[test]
fn each_property_gets_its_verdict_and_each_violated_one_its_trace() {
    let bench = Bench::new(SEVERAL);
    let report = bench.json("m.pml", 1);
    let verdict = |name: &str| {
        let properties = report["properties"].as_array().expect("a list");
        let found = properties.iter().find(|p| p["name"] == name);
        let found = found.unwrap_or_else(|| panic!("no property {name}"));
        (found["verdict"].clone(), found["trace"].is_string())
    };
    assert_eq!(verdict("assert x == 1"), ("holds".into(), false));
    assert_eq!(verdict("assert x == 0"), ("violated".into(), true));
    assert_eq!(verdict("invalid end states"), ("violated".into(), true));
    assert_eq!(verdict("early"), ("violated".into(), true));
    assert_eq!(verdict("late"), ("holds".into(), false));
    assert_eq!(report["complete"], true);
    assert_eq!(
        bench.traces(),
        [
            "m.assert-x-0.trace.json",
            "m.invalid-end-states.trace.json",
            "m.ltl-early.trace.json"
        ]
    );
    for trace in bench.traces() {
        let replayed = bench.run(&format!("replay {trace}"));
        assert_eq!(replayed.status.code(), Some(1), "{trace}");
    }
}

#[test]
fn stopping_at_the_first_violation_leaves_the_rest_open() {
    let report = Bench::new(SEVERAL).json("m.pml --stop-at-first", 1);
    let verdicts = report["properties"].as_array().expect("a list").iter();
    let violated = verdicts.filter(|p| p["verdict"] == "violated").count();
    assert_eq!(violated, 1, "{report}");
    assert_eq!(report["complete"], false);
}

/// The first line of a stream that a check accepts, and when it came.
fn first_line(child: &mut Child, wanted: impl Fn(&str) -> bool) -> (String, Duration) {
    let started = Instant::now();
    let stdout = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(stdout).lines();
    let line = lines.find_map(|line| line.ok().filter(|line| wanted(line)));
    (line.expect("the line"), started.elapsed())
}

#[test]
fn a_violation_is_on_the_screen_before_the_search_ends() {
    let bench = Bench::new(&slow_formula());
    for (format, word) in [("human", "violated "), ("jsonl", "\"counterexample\"")] {
        let mut child = bench
            .command(&format!("check m.pml --format {format}"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("spinor runs");
        let (_, waited) = first_line(&mut child, |line| line.contains(word));
        assert!(child.try_wait().expect("a child").is_none(), "it has ended");
        assert!(waited < Duration::from_secs(10), "{waited:?}");
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
}

#[test]
fn every_line_of_jsonl_is_an_event_and_the_last_one_is_the_report() {
    let bench = Bench::new(SEVERAL);
    let output = bench.run("check m.pml --format jsonl");
    let text = String::from_utf8(output.stdout).expect("text");
    let parse = |line: &str| -> Value { serde_json::from_str(line).expect("an object") };
    let events: Vec<Value> = text.lines().map(parse).collect();
    let kinds: Vec<&str> = events.iter().filter_map(|e| e["event"].as_str()).collect();
    assert_eq!(kinds.len(), events.len());
    assert_eq!(kinds[0], "phase");
    for kind in ["plan", "verdict", "counterexample"] {
        assert!(kinds.contains(&kind), "no {kind}: {kinds:?}");
    }
    let (last, before) = events.split_last().expect("events");
    assert_eq!(last["event"], "report");
    check_contract(last);
    assert!(before.iter().all(|event| event["event"] != "report"));
    let refused = bench.run("check nowhere.pml --format jsonl");
    let text = String::from_utf8(refused.stdout).expect("text");
    let last = parse(text.lines().last().expect("a line"));
    assert_eq!(
        (&last["event"], &last["verdict"]),
        (&"report".into(), &"error".into())
    );
}

#[test]
fn traces_of_another_model_are_left_alone() {
    let bench = Bench::new("byte unused;");
    for dir in ["a", "b"] {
        std::fs::create_dir(bench.path(dir)).expect("a directory");
        std::fs::write(bench.path(&format!("{dir}/m.pml")), ASSERTION).expect("a file");
    }
    let children: Vec<Child> = ["a", "b"]
        .iter()
        .map(|dir| {
            let mut command = bench.command(&format!("check {dir}/m.pml"));
            command.stdout(Stdio::null()).spawn().expect("spinor runs")
        })
        .collect();
    for mut child in children {
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
    }
    let names = ["m-2.assert-x-0.trace.json", "m.assert-x-0.trace.json"];
    assert_eq!(bench.traces(), names);
    // Again, and nothing is added: each replaces its own.
    for dir in ["b", "a"] {
        let report = bench.json(&format!("{dir}/m.pml"), 1);
        let name = report["errors"][0]["trace"].as_str().expect("a trace");
        let text = std::fs::read(bench.path(name)).expect("a file");
        let trace: Value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!(trace["model"], format!("{dir}/m.pml"));
    }
    assert_eq!(bench.traces(), names);
    // One of them is repaired: its trace goes, whatever its number, and the other one stays.
    let origin = |name: &str| -> String {
        let text = std::fs::read(bench.path(name)).expect("a file");
        let trace: Value = serde_json::from_slice(&text).expect("JSON");
        trace["model"].as_str().expect("a path").to_owned()
    };
    let (second, first) = (origin(names[0]), origin(names[1]));
    let repaired = ASSERTION.replace("x == 0", "x != 0");
    let write = |path: &str, text: &str| std::fs::write(bench.path(path), text).expect("a file");
    write(&second, &repaired);
    bench.json(&second, 0);
    assert_eq!(bench.traces(), names[1..]);
    assert_eq!(origin(names[1]), first);
    // A gap in the numbers hides nothing: the second trace is replaced, and removed, in its place.
    write(&second, ASSERTION);
    bench.json(&second, 1);
    write(&first, &repaired);
    bench.json(&first, 0);
    assert_eq!(bench.traces(), names[..1]);
    bench.json(&second, 1);
    assert_eq!(bench.traces(), names[..1]);
    write(&second, &repaired);
    bench.json(&second, 0);
    assert!(bench.traces().is_empty());
}

#[test]
fn traces_of_an_earlier_check_are_removed() {
    let bench = Bench::new(SEVERAL);
    bench.json("m.pml", 1);
    assert_eq!(bench.traces().len(), 3);
    // Only what was decided again.
    bench.json("m.pml --ltl late", 0);
    assert_eq!(bench.traces().len(), 3);
    let repaired = SEVERAL.replace("x == 0", "x != 0").replace("; x > 5", "");
    std::fs::write(bench.path("m.pml"), repaired).expect("a file");
    bench.json("m.pml", 1);
    assert_eq!(bench.traces(), ["m.ltl-early.trace.json"]);
}

/// Comparing each property with every other one would take minutes here.
#[test]
fn many_properties_take_no_time() {
    let assertions: String = (0..60_000)
        .map(|i| format!("assert(x <= {});\n", i % 200))
        .collect();
    let bench = Bench::new(&format!(
        "byte x; active proctype P() {{ {assertions} x = 1; assert(x == 255) }}"
    ));
    let started = Instant::now();
    let output = bench.run("check m.pml -q");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let took = started.elapsed();
    assert!(took < Duration::from_secs(40), "{took:?}");
    assert_eq!(bench.traces(), ["m.assert-x-255.trace.json"]);
}

#[test]
fn traces_of_properties_that_are_gone_are_removed() {
    let bench = Bench::new(SEVERAL);
    bench.json("m.pml", 1);
    // A name that somebody chose is left alone, even if it looks like the others.
    let chosen = "m.kept.trace.json";
    std::fs::copy(bench.path("m.assert-x-0.trace.json"), bench.path(chosen)).expect("a copy");
    let edited = SEVERAL.replace("x == 0", "x == 7").replace("early", "soon");
    // Nothing is known of a model with a mistake.
    std::fs::write(bench.path("m.pml"), "byte").expect("a file");
    bench.json("m.pml", 2);
    assert_eq!(bench.traces().len(), 4);
    std::fs::write(bench.path("m.pml"), edited).expect("a file");
    // Safety is not looked at, so nothing is known of its assertions.
    bench.json("m.pml --ltl late", 0);
    let left = [
        "m.assert-x-0.trace.json",
        "m.invalid-end-states.trace.json",
        chosen,
    ];
    assert_eq!(bench.traces(), left);
    bench.json("m.pml", 1);
    let left = [
        "m.assert-x-7.trace.json",
        "m.invalid-end-states.trace.json",
        chosen,
        "m.ltl-soon.trace.json",
    ];
    assert_eq!(bench.traces(), left);
}

#[test]
fn a_full_disk_leaves_no_half_of_a_file() {
    let bench = Bench::new(SEVERAL);
    let output = bench.limited("check m.pml --format json");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    for error in report["errors"].as_array().expect("a list") {
        assert_eq!(error["trace"], Value::Null);
        assert!(error["trace_error"].is_string(), "{error}");
    }
    let files = std::fs::read_dir(bench.path("")).expect("a directory");
    let files: Vec<_> = files
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(files, ["m.pml"]);
}

/// As above, on a file system that is really full, where the system lets users mount one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_file_system_costs_only_the_trace() {
    let bench = Bench::new(SEVERAL);
    std::fs::create_dir(bench.path("small")).expect("a directory");
    // One page for the model, and none for anything else.
    let script = "mount -t tmpfs -o size=4k none small || exit 99; cp m.pml small && cd small && \
        { \"$0\" check m.pml --format json; status=$?; ls -A >&2; exit $status; }";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(env!("CARGO_BIN_EXE_spinor"))
        .current_dir(bench.path(""))
        .output();
    let Ok(output) = output else {
        return eprintln!("there is no unshare");
    };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // Either is what `unshare` or `mount` says where it is not allowed.
    if output.status.code() == Some(99) || said.starts_with("unshare:") {
        return eprintln!("no file system can be mounted: {said}");
    }
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(said, "m.pml\n", "the files that are left");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let errors = report["errors"].as_array().expect("a list");
    assert_eq!(errors.len(), 3);
    for error in errors {
        assert_eq!(error["trace"], Value::Null);
        let reason = error["trace_error"].as_str().expect("a reason");
        assert!(reason.contains("No space left"), "{reason}");
    }
}

/// Nobody can create files in `/proc`, not even who may write to read-only directories.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_written_costs_only_the_trace() {
    let bench = Bench::new(ASSERTION);
    let model = bench.path("m.pml").display().to_string();
    let mut command = bench.command(&format!("check {model} --format json"));
    let output = command.current_dir("/proc").output().expect("spinor runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["errors"][0]["trace"], Value::Null);
    assert!(report["errors"][0]["trace_error"].is_string());
    let report = bench.json("m.pml --trace /proc", 2);
    let reason = report["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("--trace /proc"), "{reason}");
}

#[test]
fn bad_paths_are_refused_before_the_search() {
    let bench = Bench::new(LARGE);
    for args in [
        "--trace nowhere/t.json",
        "--trail nowhere/t.trail",
        "--checkpoint nowhere/c --safety",
        "--resume nowhere --safety",
    ] {
        let report = bench.json(&format!("m.pml {args}"), 2);
        let option = args.split(' ').next().expect("an option");
        let reason = report["reason"].as_str().expect("a reason");
        assert!(reason.starts_with(option), "{reason}");
    }
}

#[test]
fn a_model_from_standard_input() {
    let bench = Bench::new("");
    let mut child = bench
        .command("check - --format json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("spinor runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, ASSERTION.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["errors"][0]["location"], "-:4:3");
    assert_eq!(bench.traces(), ["stdin.assert-x-0.trace.json"]);
}

#[test]
fn a_check_that_waits_for_its_model_observes_the_time() {
    let bench = Bench::new("");
    let mut child = bench
        .command("check - --time 100ms --format json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("spinor runs");
    // Taken, or waiting for the child would close it.
    let stdin = child.stdin.take().expect("a pipe");
    let started = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(started.elapsed() < Duration::from_secs(20));
    drop(stdin);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["reason"], "the time limit was reached");
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_that_waits_for_its_model_can_be_interrupted() {
    let bench = Bench::new("");
    for command in ["check -", "plan -"] {
        let mut child = bench
            .command(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("spinor runs");
        let stdin = child.stdin.take().expect("a pipe");
        let proc = format!("/proc/{}/status", child.id());
        while !catches_interrupts(&proc) {
            std::thread::yield_now();
        }
        kill(&child, "-INT");
        assert_eq!(child.wait().expect("it ends").code(), Some(3), "{command}");
        drop(stdin);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn signals_end_a_check_with_a_report_at_any_moment() {
    let bench = Bench::new(LARGE);
    for (number, signal) in ["-INT", "-TERM"].iter().cycle().take(24).enumerate() {
        let mut child = bench
            .command("check m.pml --por none --format json")
            .stdout(Stdio::piped())
            .spawn()
            .expect("spinor runs");
        // A process that has not begun cannot catch a signal.
        let proc = format!("/proc/{}/status", child.id());
        while !catches_interrupts(&proc) {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(number as u64 * 7));
        kill(&child, signal);
        let sent = Instant::now();
        let status = child.wait().expect("it ends");
        assert!(
            sent.elapsed() < Duration::from_secs(5),
            "{:?}",
            sent.elapsed()
        );
        assert_eq!(status.code(), Some(3), "{signal} after {number} * 7 ms");
        let mut text = String::new();
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_to_string(&mut text).expect("text");
        let report: Value = serde_json::from_str(&text).expect("one JSON object");
        assert_eq!(report["reason"], "interrupted");
    }
}

/// Whether a process has a handler for SIGINT by now.
#[cfg(target_os = "linux")]
fn catches_interrupts(status: &str) -> bool {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16);
    caught.is_ok_and(|mask| mask & 2 != 0)
}

#[test]
fn limits_hold_before_the_search() {
    let proctype = |number| {
        let statements = "x = x + 1; ".repeat(5_000);
        format!("proctype P{number}() {{ {statements} }}\n")
    };
    let proctypes: String = (0..30).map(proctype).collect();
    let bench = Bench::new(&format!("int x; {proctypes} init {{ run P0() }}"));
    let started = Instant::now();
    let report = bench.json("m.pml --time 50ms", 3);
    assert_eq!(report["reason"], "the time limit was reached");
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_reader_that_goes_away_ends_the_check() {
    let bench = Bench::new(&slow_formula());
    let mut child = bench
        .command("check m.pml")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("spinor runs");
    let _ = first_line(&mut child, |line| line.contains("m.pml"));
    // The pipe is closed now. The counterexample cannot be printed.
    let started = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("rror"), "{said}");
}

#[test]
fn the_habits_of_spin_are_answered() {
    let bench = Bench::new(ASSERTION);
    for (args, expected) in [
        ("m.pml", "spinor check m.pml"),
        ("-run -a m.pml", "spinor check m.pml"),
        ("check m.pml --bfs", "spinor check m.pml --search bfs"),
    ] {
        let output = bench.run(args);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(expected), "{args}: {said}");
    }
}
