//! Traces: executed again, printed, kept in files.

#[path = "trace/find.rs"]
mod find;
#[path = "trace/models.rs"]
mod models;

use std::path::Path;

use checker::load::Loaded;
use checker::options::SourceOptions;
use checker::trace::print::{self, Limit, Style};
use checker::trace::replay::{End, replay};
use checker::trace::{TraceFile, guide, trail};
use find::{counterexample, load};
use space::{Pid, Step, Trace, TransitionId, ViolationKind};

/// The counterexample of a model as it is printed.
#[track_caller]
fn printed(text: &str) -> String {
    let loaded = load(text);
    let (trace, violation) = counterexample(&loaded.model);
    let mut out = Vec::new();
    print::human(&loaded, &trace, Some(&violation), &mut out).expect("memory is writable");
    String::from_utf8(out).expect("text")
}

#[track_caller]
fn check_printed(text: &str, expected: &str) {
    let found = printed(text);
    let expected = expected.trim_start_matches('\n');
    assert_eq!(found, expected, "found:\n{found}");
}

#[test]
fn a_deadlock_shows_who_waits_for_what() {
    check_printed(
        models::DEADLOCK,
        "
 1   Client(0)  m.pml:6   a!req,n    sent req, 3; a = [req,3]
 2   Server(1)  m.pml:12  a?req,n    received req, 3; n = 3, a = empty
 3   Server(1)  m.pml:13  n = n + 1  n = 4
 4   Server(1)  m.pml:14  b!ack,n    sent ack, 4; b = [ack,4]
 5   Client(0)  m.pml:7   b?ack,n    received ack, 4; n = 4, b = empty
 6   Client(0)  m.pml:8   a!req,n    sent req, 4; a = [req,4]
 7   Server(1)  m.pml:16  a?req,n    received req, 4; a = empty
 8   Server(1)  m.pml:17  b!ack,n    sent ack, 4; b = [ack,4]

invalid end state after step 8: no process can move, and Server(1) is stuck
  Client(0)  terminated
  Server(1)  m.pml:18  waits for a?ack,_  (a = empty)
",
    );
}

#[test]
fn handshakes_show_both_sides_and_atomic_steps_are_bracketed() {
    check_printed(
        models::RENDEZVOUS,
        "
 1 ┌ Sender(0)    m.pml:5   i++               i = 2
 2 │ Sender(0)    m.pml:5   c!i               sent 2
   │ Receiver(1)  m.pml:10  c?got             received 2; got = 2
 3 │ Receiver(1)  m.pml:10  got++             got = 3
 4 └ Receiver(1)  m.pml:10  x = got           x = 3
 5 ┌ Sender(0)    m.pml:5   i = 7             i = 7
 6 └ Sender(0)    m.pml:5   x = x + i         x = 10
 7   Sender(0)    m.pml:6   c!i               sent 7
     Receiver(1)  m.pml:11  c?got             received 7; got = 7
 8   Receiver(1)  m.pml:12  assert(got != 7)

assertion violated at m.pml:12:3: assert(got != 7), by Receiver(1) in step 8
",
    );
}

#[test]
fn new_processes_show_their_arguments_and_prints_stand_below() {
    check_printed(
        "\
mtype = { red, green };
chan far = [0] of { byte };
proctype Lamp(mtype color; chan to; byte n) {
  bool lit;
  lit = true;
  printf(\"lamp %d\\n\\tis %e\\n\", n, color);
  assert(color == green && lit)
}
init { run Lamp(red, far, 200 + 100) }
",
        "
 1   init(0)  m.pml:9  run Lamp(red, far, 200 + 100)           Lamp(1) starts, Lamp(1):color = red, Lamp(1):to = far, Lamp(1):n = 44
 2   Lamp(1)  m.pml:5  lit = true                              lit = true
 3   Lamp(1)  m.pml:6  printf(\"lamp %d\\n\\tis %e\\n\", n, color)
     > lamp 44
     >     is red
 4   Lamp(1)  m.pml:7  assert(color == green && lit)

assertion violated at m.pml:7:3: assert(color == green && lit), by Lamp(1) in step 4
",
    );
}

#[test]
fn a_channel_goes_by_the_name_of_its_home() {
    check_printed(
        "\
chan q[2] = [2] of { byte, bool };
proctype W(chan out) { out!1,true; out!2,false; assert(len(q[1]) < 2) }
init { chan own = [1] of { chan }; own!q[1]; run W(q[1]); false }
",
        "
 1   init(0)  m.pml:3  own!q[1]               sent q[1]; own = [q[1]]
 2   init(0)  m.pml:3  run W(q[1])            W(1) starts, W(1):out = q[1]
 3   W(1)     m.pml:2  out!1,true             sent 1, true; q[1] = [1,true]
 4   W(1)     m.pml:2  out!2,false            sent 2, false; q[1] = [1,true] [2,false]
 5   W(1)     m.pml:2  assert(len(q[1]) < 2)

assertion violated at m.pml:2:49: assert(len(q[1]) < 2), by W(1) in step 5
",
    );
}

#[test]
fn an_error_inside_a_d_step_names_its_statement() {
    check_printed(
        "\
byte x, zero;
active proctype P() {
  x = 1;
  d_step { x++; assert(x == 1) }
}
",
        "
 1   P(0)  m.pml:3  x = 1                           x = 1
 2   P(0)  m.pml:4  d_step { x++; assert(x == 1) }  x = 2

assertion violated at m.pml:4:17: assert(x == 1), by P(0) in step 2
",
    );
    check_printed(
        "byte x, zero; active proctype P() { x = 4; x = x / zero }",
        "
 1   P(0)  m.pml:1  x = 4         x = 4
 2   P(0)  m.pml:1  x = x / zero

division by zero at m.pml:1:44: x = x / zero, by P(0) in step 2
",
    );
}

#[test]
fn messages_are_shown_as_they_travel() {
    check_printed(
        "\
mtype = { req, ack };
chan q = [3] of { mtype, byte };
byte x;
active proctype P() {
  q!req,300;
  q!ack(7);
  q!!req,2;
  q?[req,_] && !q?[ack,_];
  q??[ack,x];
  q?<eval(req),x>;
  q??ack,x;
  q?_,_;
  assert(false)
}
",
        "
 1   P(0)  m.pml:5   q!req,300                sent req, 44; q = [req,44]
 2   P(0)  m.pml:6   q!ack(7)                 sent ack, 7; q = [req,44] [ack,7]
 3   P(0)  m.pml:7   q!!req,2                 sent req, 2; q = [req,2] [req,44] [ack,7]
 4   P(0)  m.pml:8   q?[req,_] && !q?[ack,_]  polled req, 2
 5   P(0)  m.pml:9   q??[ack,x]               polled ack, 7
 6   P(0)  m.pml:10  q?<eval(req),x>          copied req, 2; x = 2
 7   P(0)  m.pml:11  q??ack,x                 received ack, 7; x = 7, q = [req,2] [req,44]
 8   P(0)  m.pml:12  q?_,_                    received req, 2; q = [req,44]
 9   P(0)  m.pml:13  assert(false)

assertion violated at m.pml:13:3: assert(false), by P(0) in step 9
",
    );
}

#[test]
fn messages_of_a_d_step_name_their_channels() {
    check_printed(
        "\
chan c = [0] of { byte };
chan q = [1] of { int };
active proctype P() { c!7 }
active proctype R() {
  byte b;
  d_step { c?b; q!b - 8; q?[-1]; q?_ }
  assert(false)
}
",
        "
 1   P(0)  m.pml:3  c!7                                   sent 7
     R(1)  m.pml:6  d_step { c?b; q!b - 8; q?[-1]; q?_ }  received 7 from c; sent -1 to q; polled -1 in q; received -1 from q
                                                          b = 7
 2   R(1)  m.pml:7  assert(false)

assertion violated at m.pml:7:3: assert(false), by R(1) in step 2
",
    );
}

#[test]
fn statements_of_inlines_show_their_call() {
    check_printed(
        models::INLINES,
        "
 1   P(0)  m.pml:2 (set called in line 6)                      x = 1           x = 1
 2   P(0)  m.pml:2 (set called in line 3, next in line 7)      x = x + 1       x = 2
 3   P(0)  m.pml:2 (set called in line 3, ..., far in line 8)  x = x + 1       x = 3
 4   P(0)  m.pml:4 (far called in line 8)                      assert(x != 3)

assertion violated at m.pml:4:29 (far called at m.pml:8:3): assert(x != 3), by P(0) in step 4
",
    );
}

#[test]
fn the_middle_of_a_long_trace_can_be_left_out() {
    let loaded =
        load("byte x; active proctype P() { do :: x < 30 -> x++ :: x > 20 -> assert(0) od }");
    let (trace, violation) = counterexample(&loaded.model);
    let style = Style {
        limit: Some(Limit { first: 2, last: 1 }),
        ..Style::default()
    };
    let mut out = Vec::new();
    print::styled(&loaded, &trace, Some(&violation), style, &mut out).expect("memory is writable");
    let found = String::from_utf8(out).expect("text");
    assert_eq!(
        format!("\n{found}"),
        "
 1   P(0)  m.pml:1  x < 30
 2   P(0)  m.pml:1  x++        x = 1
     ... 59 steps ...
62   P(0)  m.pml:1  assert(0)

assertion violated at m.pml:1:64: assert(0), by P(0) in step 62
"
    );
}

/// A counterexample in a file, in a directory of its own.
struct Kept {
    directory: tempfile::TempDir,
    file: TraceFile,
    trace: Trace,
}

#[track_caller]
fn keep(text: &str) -> Kept {
    let directory = tempfile::tempdir().expect("a directory");
    let loaded = load(text);
    let (trace, violation) = counterexample(&loaded.model);
    let file = TraceFile::new(Path::new("m.pml"), &loaded, &trace, &violation);
    Kept {
        directory,
        file,
        trace,
    }
}

#[test]
fn a_trace_file_is_read_back_as_it_was_written() {
    let all = [
        models::ASSERTION,
        models::DEADLOCK,
        models::RENDEZVOUS,
        models::RUN,
        models::INDEX,
        models::INLINES,
    ];
    for text in all {
        let Kept {
            directory,
            file,
            trace,
        } = keep(text);
        let options = SourceOptions {
            define: vec!["N=3".to_owned()],
            include: vec!["inc".into()],
            formulas: vec!["[] p".to_owned()],
            ..SourceOptions::default()
        };
        let file = file.with_options(&options);
        let path = directory.path().join("m.trace.json");
        file.write(&path).expect("a writable directory");
        let read = TraceFile::read(&path).expect("a trace file");
        assert_eq!(read, file);
        assert_eq!(read.trace(), trace);
        assert_eq!(read.options().define, ["N=3"]);
        let loaded = load(text);
        assert!(read.changed_sources(&loaded).is_empty());
        let run = replay(&loaded.model, &read.trace()).expect("it fits");
        let stated = read.violation.expect("a violation");
        assert!(run.violation_of(&stated.kind).is_some(), "{stated:?}");
    }
}

#[test]
fn a_trace_file_tells_what_happened() {
    let file = keep(models::RENDEZVOUS).file;
    let json = serde_json::to_value(&file).expect("JSON");
    assert_eq!(json["schema"], 1);
    assert_eq!(json["model"], "m.pml");
    assert_eq!(json["violation"]["kind"], "assertion");
    assert_eq!(json["violation"]["location"], "m.pml:12:3");
    let step = &json["steps"][1];
    assert_eq!(step["number"], 2);
    assert_eq!(step["pid"], 0);
    assert_eq!(step["process"], "Sender");
    assert_eq!(step["statement"], "c!i");
    assert_eq!(step["location"], "m.pml:5:17");
    assert_eq!(step["partner"]["process"], "Receiver");
    assert_eq!(step["partner"]["statement"], "c?got");
    let message =
        |action: &str| serde_json::json!([{ "action": action, "channel": "c", "values": ["2"] }]);
    assert_eq!(step["messages"], message("sent"));
    assert_eq!(step["partner"]["messages"], message("received"));
    assert_eq!(step["changes"]["Receiver(1):got"], "2");
    assert_eq!(step["atomic"], true);
}

#[test]
fn a_trace_file_names_the_calls_of_inlines() {
    let file = keep(models::INLINES).file;
    let json = serde_json::to_value(&file).expect("JSON");
    let step = &json["steps"][1];
    assert_eq!(step["statement"], "x = x + 1");
    assert_eq!(step["location"], "m.pml:2:17");
    let calls = serde_json::json!([
        { "inline": "set", "location": "m.pml:3:18" },
        { "inline": "next", "location": "m.pml:7:3" },
    ]);
    assert_eq!(step["calls"], calls);
}

#[test]
fn a_trace_file_without_calls_fits() {
    let mut file = keep(models::INLINES).file;
    for step in &mut file.steps {
        step.half.calls.clear();
        step.half.messages.clear();
        step.half.statement = "x = a".to_owned();
    }
    let changed = load(&format!("{}byte unused;", models::INLINES));
    let trace = file.refit(&changed.model).expect("it fits");
    let run = replay(&changed.model, &trace).expect("it fits");
    assert!(run.violation_of("assertion").is_some());
}

#[test]
fn a_trace_survives_harmless_changes_of_its_model() {
    let file = keep(models::RENDEZVOUS).file;
    let changed = load(&format!("/* new */ byte unused;\n\n{}", models::RENDEZVOUS));
    assert_eq!(file.changed_sources(&changed), ["m.pml"]);
    let guide = guide::from_trace(&file, &changed).expect("it fits");
    assert_eq!(
        guide.remarks,
        ["m.pml has changed since the trace was written"]
    );
    let run = replay(&changed.model, &guide.trace).expect("it fits");
    assert!(run.violation_of("assertion").is_some());
}

#[test]
fn a_trace_that_does_not_fit_says_where() {
    let file = keep(models::RENDEZVOUS).file;
    let changed = load(&models::RENDEZVOUS.replace("x = got", "x = 2 * got"));
    let error = guide::from_trace(&file, &changed).expect_err("another model");
    assert_eq!(
        error,
        "the trace does not fit the model: step 4: Receiver(1) cannot execute `x = got` \
         (m.pml has changed since the trace was written)"
    );
}

#[test]
fn bad_trace_files_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("t.json");
    let read = |text: &str| {
        std::fs::write(&path, text).expect("a writable directory");
        TraceFile::read(&path).expect_err("no trace").to_string()
    };
    assert!(read("1:2:3\n").starts_with("it is not a trace file ("));
    assert!(read("{}").starts_with("it is not a trace file ("));
    assert!(read("{\"schema\": 1}").starts_with("it is corrupt ("));
    assert_eq!(
        read("{\"schema\": 7}"),
        "it has format version 7, but only version 1 is supported"
    );
}

/// The error of executing one step of a model.
#[track_caller]
fn refused(loaded: &Loaded, before: usize, wrong: Step) -> String {
    let (mut trace, _) = counterexample(&loaded.model);
    trace.steps.truncate(before);
    trace.steps.push(wrong);
    let error = replay(&loaded.model, &trace).expect_err("a wrong step");
    error.to_string()
}

#[test]
fn wrong_steps_are_explained() {
    let loaded = load(models::RENDEZVOUS);
    let id = |text: &str, nth: usize| {
        let mut rows = loaded.model.transitions.iter().enumerate();
        let row = rows.by_ref().filter(|(_, t)| t.text == text).nth(nth);
        TransitionId(row.expect("a statement").0 as u32)
    };
    let step = |pid: u8, transition: TransitionId| Step {
        pid: Pid(pid),
        transition,
        partner: None,
    };
    let error = |before: usize, wrong: Step| refused(&loaded, before, wrong);
    assert_eq!(
        error(0, step(5, id("i++", 0))),
        "step 1: process 5 cannot execute `i++`: there are only processes 0 to 1"
    );
    assert_eq!(
        error(0, step(0, TransitionId(999))),
        "step 1: the model has no transition 999 for Sender(0)"
    );
    assert_eq!(
        error(0, step(0, id("i = 7", 0))),
        "step 1: Sender(0) cannot execute `i = 7`: it is at m.pml:5, before `i++`"
    );
    assert_eq!(
        error(3, step(0, id("i = 7", 0))),
        "step 4: Sender(0) cannot execute `i = 7`: Receiver(1) is inside an atomic sequence and \
         has exclusive control"
    );
    assert_eq!(
        error(1, step(0, id("c!i", 0))),
        "step 2: Sender(0) cannot execute `c!i`: it is one half of a handshake"
    );
    let half = Step {
        partner: Some((Pid(1), id("c?got", 1))),
        ..step(0, id("c!i", 0))
    };
    assert_eq!(
        error(1, half),
        "step 2: Receiver(1) cannot execute `c?got`: it is at m.pml:10, before `c?got`"
    );
    assert_eq!(
        error(0, step(1, id("c?got", 0))),
        "step 1: Receiver(1) cannot execute `c?got`: the statement is not executable"
    );
}

#[test]
fn nothing_happens_behind_a_step_that_cannot_be_completed() {
    let loaded = load("byte z; active proctype P() { z = 1 / z; z = 2 }");
    let (trace, violation) = counterexample(&loaded.model);
    let run = replay(&loaded.model, &trace).expect("it fits");
    assert_eq!(run.end, End::Fault);
    assert_eq!(run.violation, Some(violation));
    let next = Step {
        transition: TransitionId(1),
        ..trace.steps[0]
    };
    assert_eq!(
        refused(&loaded, 1, next),
        "step 2: the run ended before this step: division by zero"
    );
}

#[test]
fn trails_are_written_as_spin_reads_them() {
    let loaded = load(models::RENDEZVOUS);
    let (trace, violation) = counterexample(&loaded.model);
    assert_eq!(
        trail::write(&loaded, &trace, &violation),
        "1:0:0\n2:0:1\n3:1:7\n4:1:8\n5:1:9\n6:0:2\n7:0:3\n8:0:5\n9:1:11\n10:1:12\n"
    );
}

#[test]
fn trails_are_followed() {
    let all = [
        models::ASSERTION,
        models::DEADLOCK,
        models::RENDEZVOUS,
        models::ATOMIC,
        models::D_STEP,
        models::RUN,
        models::UNLESS,
        models::INLINE,
        models::TIMEOUT,
        models::INDEX,
        models::CLAIM,
        models::FORMULA,
    ];
    for text in all {
        let loaded = load(text);
        let (trace, violation) = counterexample(&loaded.model);
        let written = trail::write(&loaded, &trace, &violation);
        let read = trail::parse(&written).expect("a trail");
        let followed = trail::follow(&loaded.model, &read).expect("it fits");
        assert_eq!(followed.trace, trace, "{text}");
    }
}

#[test]
fn the_moves_of_a_claim_are_left_out() {
    let loaded = load(models::CLAIM);
    let id = |text: &str| {
        let mut all = loaded.model.transitions.iter();
        all.find(|t| t.text == text).expect("a statement").spin_id
    };
    let text = format!(
        "-2:0:-2\n-4:-4:-4\n1:0:0\n2:1:{}\n3:0:0\n-1:-1:-1\n4:1:{}\n5:0:0\n6:1:{}\n",
        id("i = 1"),
        id("x = i"),
        id("assert(x == 0)"),
    );
    let read = trail::parse(&text).expect("a trail");
    assert!(read.claim && read.merged);
    let processes: Vec<i64> = read.records.iter().map(|r| r.process).collect();
    assert_eq!(processes, [0, 0, 0]);
    let followed = trail::follow(&loaded.model, &read);
    // The first record stands for two statements.
    let found = followed.map(|f| (f.trace.steps.len(), f.cycle));
    assert_eq!(found, Ok((4, Some(2))));
}

#[test]
fn bad_trails_are_explained() {
    let loaded = load(models::RENDEZVOUS);
    let error = |text: &str| {
        let followed = trail::parse(text).and_then(|read| trail::follow(&loaded.model, &read));
        followed.expect_err("a bad trail").to_string()
    };
    assert_eq!(
        error("1:0:0\n2:zero:1\n"),
        "line 2 of the trail: expected three numbers as `step:process:statement`: `2:zero:1`"
    );
    assert_eq!(
        error("-9:0:0\n"),
        "line 1 of the trail: unknown marker: `-9:0:0`"
    );
    assert_eq!(
        error("1:0:77\n"),
        "line 1 of the trail: the model has no statement 77; was the trail written for this model, \
         with the same macros?"
    );
    assert_eq!(
        error("1:300:0\n"),
        "line 1 of the trail: there is no process 300"
    );
    assert_eq!(
        error("1:0:0\n2:0:1\n"),
        "line 2 of the trail: the trail ends between the two halves of a handshake"
    );
    assert_eq!(
        error("1:0:0\n2:0:1\n3:1:11\n"),
        "line 2 of the trail: Receiver(1) cannot execute `c?got`: it is at m.pml:10, before \
         `c?got`"
    );
    assert_eq!(
        error("1:0:2\n"),
        "line 1 of the trail: Sender(0) cannot execute `i = 7`: it is at m.pml:5, before `i++`"
    );
}

#[test]
fn a_last_record_that_was_tried_in_vain_is_dropped() {
    let loaded = load("byte x; active proctype P() { x = 1; x == 2; x = 3 }");
    let read = trail::parse("1:0:0\n2:0:1\n").expect("a trail");
    let followed = trail::follow(&loaded.model, &read).expect("it fits");
    let run = replay(&loaded.model, &followed.trace).expect("it fits");
    assert_eq!(run.steps.len(), 1);
    assert_eq!(run.violation, Some(ViolationKind::InvalidEndState.into()));
}
