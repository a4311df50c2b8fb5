//! `spinor replay` as a program.

#[path = "../../checker/tests/trace/models.rs"]
#[allow(dead_code)]
mod models;
#[path = "trace/program.rs"]
mod program;

use program::Place;
use serde_json::Value;

/// A place where a counterexample was found.
#[track_caller]
fn violated(model: &str, options: &str) -> Place {
    let place = Place::new(model);
    let ran = place.run(&format!(
        "check m.pml {options} --trace m.trace.json --trail m.pml.trail -q"
    ));
    assert_eq!(ran.exit, 1, "{}{}", ran.out, ran.err);
    place
}

#[test]
fn a_trace_file_is_executed_again() {
    let place = violated(models::DEADLOCK, "");
    let ran = place.run("replay m.trace.json");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    let end = "\
invalid end state after step 8: no process can move, and Server(1) is stuck
  Client(0)  terminated
  Server(1)  m.pml:18  waits for a?ack,_  (a = empty)
";
    assert!(ran.out.ends_with(end), "{}", ran.out);
}

#[test]
fn trace_and_trail_show_the_same() {
    let all = [
        models::ASSERTION,
        models::RENDEZVOUS,
        models::ATOMIC,
        models::RUN,
        models::UNLESS,
        models::INDEX,
        models::INLINES,
    ];
    for model in all {
        let place = violated(model, "--safety");
        let trace = place.run("replay m.trace.json");
        let trail = place.run("replay m.pml --trail m.pml.trail");
        assert_eq!(
            (trace.exit, trail.exit),
            (1, 1),
            "{}{}",
            trace.err,
            trail.err
        );
        assert_eq!(trace.out, trail.out);
    }
}

#[test]
fn the_model_is_found_beside_the_trace() {
    let place = violated(models::DEADLOCK, "-DUNUSED=1");
    std::fs::create_dir(place.path("sub")).expect("a writable directory");
    std::fs::rename(place.path("m.pml"), place.path("sub/m.pml")).expect("a file");
    std::fs::rename(place.path("m.trace.json"), place.path("sub/t.json")).expect("a file");
    assert_eq!(place.run("replay sub/t.json").exit, 1);
    std::fs::rename(place.path("sub/m.pml"), place.path("n.pml")).expect("a file");
    let ran = place.run("replay sub/t.json");
    assert_eq!(ran.exit, 2);
    assert!(
        ran.err.starts_with("error: cannot read m.pml: "),
        "{}",
        ran.err
    );
    assert_eq!(place.run("replay sub/t.json --model n.pml").exit, 1);
}

#[test]
fn options_of_the_check_are_kept() {
    let model = "chan c = [1] of { byte };\nactive proctype P() { c!1; c!N; assert(len(c) != 1) }";
    let place = violated(model, "-DN=2 --lossy-channels");
    let ran = place.run("replay m.trace.json");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    assert!(ran.out.contains("assertion violated"), "{}", ran.out);
}

#[test]
fn json_is_one_object() {
    let place = violated(models::RENDEZVOUS, "");
    let ran = place.run("replay m.trace.json --format json");
    assert_eq!(ran.exit, 1);
    let answer: Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(answer["schema"], 1);
    assert_eq!(answer["model"], "m.pml");
    assert_eq!(answer["verdict"], "violated");
    assert_eq!(answer["violation"]["kind"], "assertion");
    assert_eq!(answer["end"], "running");
    assert_eq!(answer["steps"].as_array().map(Vec::len), Some(8));
    let ran = place.run("replay none.json --format json");
    assert_eq!(ran.exit, 2);
    let answer: Value = serde_json::from_str(&ran.out).expect("one object");
    assert_eq!(answer["verdict"], "error");
    let reason = answer["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("cannot read none.json: "), "{reason}");
}

#[test]
fn a_repaired_model_no_longer_fits() {
    let place = violated(models::RENDEZVOUS, "");
    place.write("m.pml", &models::RENDEZVOUS.replace("got++;", "got--;"));
    let ran = place.run("replay m.trace.json");
    assert_eq!(ran.exit, 2);
    assert_eq!(
        ran.err,
        "error: the trace does not fit the model: step 3: Receiver(1) cannot execute `got++` \
         (m.pml has changed since the trace was written)\n"
    );
    place.write(
        "m.pml",
        &models::RENDEZVOUS.replace("byte i = 1", "byte i = 6"),
    );
    let ran = place.run("replay m.trace.json");
    assert_eq!(ran.exit, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .starts_with("note: m.pml has changed since the trace was written\n"),
        "{}",
        ran.out
    );
    place.write(
        "m.pml",
        &models::RENDEZVOUS.replace("byte got;", "byte got = 9, x1;"),
    );
    assert_eq!(place.run("replay m.trace.json").exit, 1);
}

#[test]
fn a_violation_that_does_not_come_is_a_misfit() {
    let model = "byte x = 1;\nactive proctype P() { x++; assert(x == 1) }";
    let place = violated(model, "");
    place.write("m.pml", &model.replace("x = 1;", "x = 0;"));
    let ran = place.run("replay m.trace.json");
    assert_eq!(ran.exit, 2);
    let end = "the trace ends without the stated violation (assertion violated at m.pml:2:28: \
               assert(x == 1), by P(0) in step 2)\n";
    assert!(ran.out.ends_with(end), "{}", ran.out);
}

#[test]
fn a_trail_without_violation_is_no_mistake() {
    let place = Place::new(models::DEADLOCK);
    place.write("m.trail", "1:0:0\n");
    let ran = place.run("replay m.pml --trail m.trail");
    assert_eq!(ran.exit, 0);
    assert!(
        ran.out.ends_with("\nstopped after 1 step; no violation\n"),
        "{}",
        ran.out
    );
}

#[test]
fn mistakes_are_told() {
    let place = Place::new(models::DEADLOCK);
    let error = |line: &str| {
        let ran = place.run(line);
        assert_eq!(ran.exit, 2);
        ran.err
    };
    assert!(
        error("replay m.pml").contains("to replay a Spin trail: spinor replay MODEL --trail FILE")
    );
    assert!(error("replay m.pml --trail none").starts_with("error: cannot read none: "));
    assert!(error("replay").contains("Usage"));
    place.write("bad.trail", "0:0\n");
    assert!(
        error("replay m.pml --trail bad.trail")
            .starts_with("error: bad.trail: line 1 of the trail: expected three numbers")
    );
}
