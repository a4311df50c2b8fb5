//! The report of `spinor check` for people.

mod bench;

use bench::{ASSERTION, Bench, DEADLOCK, FORMULA, HOLDS};

/// What is printed for people, without what differs from run to run.
#[track_caller]
fn human(model: &str, args: &str, status: i32) -> String {
    let output = Bench::new(model).run(&format!("check m.pml {args}"));
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    let redact = |line: &str| {
        if line.starts_with("  time:") {
            "  [time]".to_owned()
        } else if let Some((vector, _)) = line.split_once("; ").filter(|_| line.contains("vector"))
        {
            format!("{vector}; [time]")
        } else if line.starts_with("  memory:") {
            "  [memory]".to_owned()
        } else {
            line.to_owned()
        }
    };
    text.lines().map(redact).collect::<Vec<_>>().join("\n")
}

#[test]
fn holds() {
    insta::assert_snapshot!(human(HOLDS, "", 0), @r"
    m.pml  depth-first search, plain store, partial order, symmetry
      symmetry: 2 P processes

      holds     assert x <= 2       m.pml:4:3
      holds     invalid end states
      holds     array bounds
      holds     run-time errors

      12 states stored, 3 matched, 15 transitions (= stored + matched)
      5 atomic steps, depth reached 10, 0 errors
      state vector 3 bytes; [time]

      [time]
      [memory]

      unreached in P
        m.pml:6:6   x > 7
        m.pml:6:15  x = 0

    holds: all 4 properties, in every execution
    ");
}

#[test]
fn what_no_path_leads_to_is_dead_code() {
    let model = "byte x;\n\
        inline set(v) { if :: x == 7 -> x = v :: else fi }\n\
        active proctype P() {\n  do\n  :: x = 1 - x; set(5)\n  od;\n  x = 2\n}\n";
    insta::assert_snapshot!(human(model, "", 0), @r"
    m.pml  depth-first search, plain store, partial order

      holds     invalid end states
      holds     array bounds
      holds     run-time errors

      4 states stored, 1 matched, 5 transitions (= stored + matched)
      0 atomic steps, depth reached 3, 0 errors
      state vector 2 bytes; [time]

      [time]
      [memory]

      unreached in P
        m.pml:2:23  x == 7  (set called at m.pml:5:17)
        m.pml:2:33  x = 5  (set called at m.pml:5:17)
      dead code in P
        m.pml:7:3  x = 2

    holds: all 3 properties, in every execution
    ");
}

#[test]
fn violated() {
    insta::assert_snapshot!(human(ASSERTION, "--all-errors", 1), @r"
    m.pml  depth-first search, plain store, partial order

      violated  assert x == 0       m.pml:4:3

    counterexample of 2 steps (at depth 1, trace in m.assert-x-0.trace.json)
     1   P(0)  m.pml:3  x = 1           x = 1
     2   P(0)  m.pml:4  assert(x == 0)

    assertion violated at m.pml:4:3: assert(x == 0), by P(0) in step 2

      holds     invalid end states
      holds     array bounds
      holds     run-time errors

      4 states stored, 0 matched, 4 transitions (= stored + matched)
      0 atomic steps, depth reached 3, 1 error
      state vector 2 bytes; [time]

      [time]
      [memory]

    violated: 1 of 4 properties
    ");
    insta::assert_snapshot!(human(DEADLOCK, "--max-errors 5", 1), @r"
    m.pml  depth-first search, plain store, partial order

      violated  invalid end states

    counterexample of 0 steps (at depth -1, trace in m.invalid-end-states.trace.json)

    invalid end state before the first step: no process can move, and P(0) and Q(1) are stuck
      P(0)  m.pml:3  waits for a ? 1
      Q(1)  m.pml:4  waits for b ? 1

      holds     array bounds
      holds     run-time errors

      1 state stored, 0 matched, 1 transition (= stored + matched)
      0 atomic steps, depth reached 0, 1 error
      state vector 4 bytes; [time]

      [time]
      [memory]

      unreached: all of P  m.pml:3:17
      unreached: all of Q  m.pml:4:17

    violated: 1 of 3 properties
    ");
    insta::assert_snapshot!(human(DEADLOCK, "--quiet", 1), @r"
    invalid end state: P(0) waits at `a ? 1`, Q(1) waits at `b ? 1` (at depth -1, trace in m.invalid-end-states.trace.json)

    violated: 1 of 3 properties
    ");
}

#[test]
fn formula() {
    insta::assert_snapshot!(human(FORMULA, "", 0), @r"
    m.pml
      safety: depth-first search, plain store, partial order
      ltl ends: depth-first search for cycles, plain store, partial order

      holds     invalid end states
      holds     array bounds
      holds     run-time errors
      holds     ltl ends            m.pml:2:1

      safety: 3 states stored, 0 matched, 3 transitions (= stored + matched)
      0 atomic steps, depth reached 2, 0 errors
      state vector 2 bytes; [time]

      ltl ends: 2 states stored, 0 matched, 2 transitions (= stored + matched)
      0 atomic steps, depth reached 2, 0 errors
      state vector 3 bytes; [time]

      [time]
      [memory]

    holds: all 4 properties, in every execution
    ");
    insta::assert_snapshot!(human(FORMULA, "--safety --quiet", 0), @"holds: all 3 properties, in every execution");
    insta::assert_snapshot!(human(FORMULA, "--ltl-formula []!done --quiet", 1), @r"
    ltl []!done violated after step 1, whatever the continuation (at depth 2, trace in m.ltl-done.trace.json)

    violated: 1 of 1 property
    ");
}

/// Only OWCTY has external iterations, whether its figures are those of the whole report or not.
#[test]
fn a_cycle_names_what_it_does_not_restore() {
    let model = "bool p;\nactive proctype P() {\n  bool t;\n  do\n  :: t = !t; p = 0\n  od\n}\n\
        ltl f { <> p }\n";
    let remark = "(P(0):t is not restored, but does not distinguish states here)";
    assert!(human(model, "--ltl f", 1).contains(remark));
    assert!(!human(model, "--ltl f --no-reduction", 1).contains("not restored"));
}

#[test]
fn external_iterations() {
    let alone = human(FORMULA, "--ltl ends --search owcty", 0);
    assert!(
        alone.contains("\n  1 external iteration of OWCTY\n"),
        "{alone}"
    );
    let beside = human(FORMULA, "--shortest", 0);
    let (safety, formula) = beside
        .split_once("ltl ends: 2 states")
        .expect("two searches");
    assert!(!safety.contains("OWCTY"), "{beside}");
    assert!(
        formula.contains("  1 external iteration of OWCTY"),
        "{beside}"
    );
    let other = human(FORMULA, "--ltl ends --search scc", 0);
    assert!(!other.contains("external"), "{other}");
    for (args, expected) in [
        ("--search owcty", serde_json::json!(1)),
        ("--search scc", serde_json::Value::Null),
    ] {
        let args = format!("check m.pml --ltl ends --format json {args}");
        let output = Bench::new(FORMULA).run(&args);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["owcty_iterations"], expected, "{report}");
        let search = &report["properties"][0]["search"];
        assert_eq!(search["owcty_iterations"], expected, "{report}");
    }
}

#[test]
fn bad_model() {
    insta::assert_snapshot!(human("active proctype P() { x = 1 }", "", 2), @r"
    error: `x` is not declared
     --> m.pml:1:23
      |
    1 | active proctype P() { x = 1 }
      |                       ^
      |
      = help: declare it before its use

    error: the model has an error
    ");
    insta::assert_snapshot!(human(FORMULA, "--ltl end", 2), @"error: there is no ltl property `end`; the model has: ends");
}

#[test]
fn colours_are_only_used_when_wanted() {
    assert!(!human(ASSERTION, "", 1).contains('\x1b'));
    assert!(human(ASSERTION, "--color always", 1).contains('\x1b'));
}
