//! Claims, formulas and cycles of the corpus against the expectations in the headers.
//!
//! `// expect: PROPERTY [FAIRNESS] VERDICT` names a property (`never`, `acceptance`, `progress`
//! or `ltl NAME`), the fairness that is assumed (`weak` or `strong`) and the verdict. All
//! searches have to agree with it, and each counterexample has to replay. `// expect: product
//! KEY VALUE` lines are what Spin's verifier counts with a claim.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Searches that have to agree: the options, and whether they go with strong fairness.
const SEARCHES: &[(&[&str], bool)] = &[
    (&["--search", "nested-dfs", "--no-reduction"], false),
    (
        &["--search", "scc", "--no-reduction", "--store", "tree"],
        true,
    ),
    (&["--search", "owcty", "--no-reduction"], true),
    (&["--backend", "interp"], true),
    (&["--search", "scc"], true),
    (&["--shortest"], true),
];

/// What a header says about one property.
#[derive(Debug, PartialEq, Eq)]
struct Expectation {
    options: Vec<String>,
    verdict: String,
}

/// The expectations of a header that are about properties with searches of their own.
fn expectations(text: &str) -> Vec<Expectation> {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    let words = lines.filter_map(|line| {
        let rest = line.strip_prefix("// expect: ")?;
        Some(rest.split_whitespace().collect::<Vec<_>>())
    });
    words.filter_map(|words| expectation(&words)).collect()
}

fn expectation(words: &[&str]) -> Option<Expectation> {
    let (mut options, rest) = match words {
        ["never", rest @ ..] => (vec!["--never"], rest),
        ["acceptance", rest @ ..] => (vec!["--acceptance"], rest),
        ["progress", rest @ ..] => (vec!["--progress-cycles"], rest),
        ["ltl", name, rest @ ..] => (vec!["--ltl", name], rest),
        _ => return None,
    };
    let verdict = match rest {
        [verdict] => verdict,
        [fairness, verdict] => {
            options.extend(["--fairness", fairness]);
            verdict
        }
        _ => return None,
    };
    Some(Expectation {
        options: options.into_iter().map(str::to_owned).collect(),
        verdict: (*verdict).to_owned(),
    })
}

/// Models with atomic sequences that never end. They are not in the corpus, because Spin goes down
/// to its depth limit there and has nothing to record.
fn endless() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/endless")
}

/// All models of the corpus with their texts, and the endless ones.
fn models() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut found = Vec::new();
    let corpus = ["features", "liveness", "symmetry"].map(|dir| root.join(dir));
    for dir in corpus.into_iter().chain([endless()]) {
        for entry in fs::read_dir(&dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "pml") {
                let text = fs::read_to_string(&path).expect("a text");
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

fn spinor(dir: &TempDir, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spinor"))
        .args(args)
        .current_dir(dir.path())
        .output()
        .expect("spinor runs")
}

fn check(dir: &TempDir, model: &Path, args: &[&str]) -> Value {
    let mut all = vec![
        "check",
        model.to_str().expect("a plain path"),
        "--format",
        "json",
    ];
    all.extend(args);
    let output = spinor(dir, &all);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let verdict = report["verdict"].as_str().expect("a verdict");
    let status = match verdict {
        "holds" => 0,
        "violated" => 1,
        "inconclusive" => 3,
        _ => 2,
    };
    assert_eq!(output.status.code(), Some(status), "{report}");
    report
}

#[test]
fn all_searches_agree_with_the_headers() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut checked = 0;
    for (path, text) in models() {
        for Expectation { options, verdict } in expectations(&text) {
            for (search, strong) in SEARCHES {
                if options.contains(&"strong".to_owned()) && !strong {
                    continue;
                }
                let mut args: Vec<&str> = options.iter().map(String::as_str).collect();
                args.extend(*search);
                let report = check(&dir, &path, &args);
                let context = format!("{} {args:?}: {report}", path.display());
                assert_eq!(report["verdict"], *verdict, "{context}");
                if verdict == "violated" {
                    let trace = report["errors"][0]["trace"].as_str().expect("a trace");
                    let replayed = spinor(&dir, &["replay", trace]);
                    assert_eq!(replayed.status.code(), Some(1), "{context}");
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "only {checked} were checked");
}

#[test]
fn products_with_claims_are_counted_as_by_spin() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut compared = 0;
    for (path, text) in models() {
        let lines = text.lines().take_while(|line| line.starts_with("//"));
        let products = lines.filter_map(|line| line.strip_prefix("// expect: product "));
        let expected: BTreeMap<&str, u64> = products
            .filter_map(|rest| rest.split_once(' '))
            .map(|(key, value)| (key, value.parse().expect("a number")))
            .collect();
        if expected.is_empty() || !text.contains("// expect: never") {
            continue;
        }
        let options = ["--never", "--no-reduction", "--all-errors"];
        let nested = ["--search", "nested-dfs"];
        let report = check(&dir, &path, &[&options[..], &nested].concat());
        for (key, value) in expected {
            let found = match key {
                "errors" => &report["error_count"],
                "stored" | "matched" => &report["states"][key],
                "atomic" => &report["atomic_steps"],
                key => &report[key],
            };
            assert_eq!(*found, value, "{key} of {}: {report}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 30, "only {compared} were compared");
}

#[test]
fn cycles_are_in_the_report_and_in_the_trace() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("m.pml");
    let text = "bool b; ltl set { <> [] b } active proctype P() { do :: b = !b od }";
    fs::write(&path, text).expect("a file");
    let report = check(&dir, &path, &[]);
    let error = &report["errors"][0];
    assert_eq!(error["kind"], "acceptance-cycle");
    assert_eq!(error["property"], "set");
    let (steps, cycle) = (error["steps"].as_u64(), error["cycle"].as_u64());
    assert!(cycle < steps, "{report}");
    let own = report["properties"].as_array().expect("a list");
    let own = own.iter().find(|property| property["kind"] == "ltl");
    let own = own.expect("the formula");
    assert_eq!(own["verdict"], "violated");
    assert!(own["search"]["states"]["stored"].as_u64() > Some(0));
    let trace = dir.path().join(error["trace"].as_str().expect("a trace"));
    let trace: Value = serde_json::from_slice(&fs::read(trace).expect("a file")).expect("JSON");
    assert_eq!(trace["cycle"], error["cycle"]);
    assert_eq!(trace["property"]["name"], "set");
}

#[test]
fn a_trace_of_another_property_does_not_replay() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("m.pml");
    let text = |formula: &str| {
        format!("bool b; ltl p {{ {formula} }} active proctype P() {{ do :: b = !b od }}")
    };
    fs::write(&path, text("<> [] b")).expect("a file");
    check(&dir, &path, &["--trace", "m.trace.json"]);
    assert_eq!(
        spinor(&dir, &["replay", "m.trace.json"]).status.code(),
        Some(1)
    );
    fs::write(&path, text("[] <> b")).expect("a file");
    let again = spinor(&dir, &["replay", "m.trace.json"]);
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("m.pml");
    let text = "bool b; ltl p { <> b } active proctype P() { b = true }";
    fs::write(&path, text).expect("a file");
    for (args, reason) in [
        (
            &["--search", "nested-dfs", "--fairness", "strong"][..],
            "strongly fair",
        ),
        (&["--search", "nested-dfs", "--shortest"], "of any length"),
        (&["--search", "scc", "--store", "bitstate"], "bitstate"),
        (&["--fairness", "strong", "--store", "bitstate"], "bitstate"),
        (&["--ltl", "p", "--search", "bfs"], "finds no cycles"),
        (
            &["--safety", "--search", "owcty"],
            "no selected property needs one",
        ),
        (&["--safety", "--fairness", "weak"], "fairness constrains"),
        (&["--checkpoint", "c"], "--checkpoint"),
        (&["--swarm", "2"], "--swarm"),
        (&["--ltl", "q"], "the model has: p"),
        (&["--never"], "no never claim"),
        (&["--acceptance"], "accept label"),
        (&["--ltl-formula", "<> c"], "error"),
    ] {
        let report = check(&dir, &path, args);
        assert_eq!(report["verdict"], "error", "{args:?}");
        let found = report["reason"].as_str().expect("a reason");
        assert!(found.contains(reason), "{args:?}: {found}");
    }
    let report = check(
        &dir,
        &path,
        &["--ltl-formula", "<> [] b", "--ltl-formula", "[] b"],
    );
    let verdicts: Vec<_> = report["properties"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|p| (p["name"].as_str(), p["verdict"].as_str()))
        .collect();
    let expected = [
        (Some("<> [] b"), Some("holds")),
        (Some("[] b"), Some("violated")),
    ];
    assert_eq!(verdicts, expected);
}

#[test]
fn lossy_stores_do_not_overclaim() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("m.pml");
    let text = "bool b; ltl p { [] <> b } active proctype P() { do :: b = !b od }";
    fs::write(&path, text).expect("a file");
    for store in ["compact", "bitstate"] {
        let report = check(
            &dir,
            &path,
            &["--ltl", "p", "--store", store, "--memory", "16M"],
        );
        assert_eq!(report["verdict"], "inconclusive", "{store}");
    }
}

#[test]
fn an_execution_that_fails_leaves_a_formula_open() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("m.pml");
    let text = "byte x; ltl p { <> (x == 1) } \
                active proctype P() { if :: x = 1 / x :: x = 1 fi }";
    fs::write(&path, text).expect("a file");
    let report = check(&dir, &path, &["--ltl", "p"]);
    assert_eq!(report["verdict"], "inconclusive");
    let reason = report["reason"].as_str().expect("a reason");
    assert!(reason.contains("division by zero"), "{reason}");
}

/// With representatives too, and the reason is told.
#[test]
fn an_endless_atomic_sequence_leaves_a_formula_open() {
    let dir = TempDir::new().expect("a directory");
    let path = endless().join("twins.pml");
    for search in [
        &["--symmetry", "none"][..],
        &["--symmetry", "full"],
        &["--symmetry", "full", "--symmetry-fairness", "light"],
        &["--store", "bitstate", "--memory", "1M"],
    ] {
        for fairness in ["none", "weak"] {
            let mut args = vec!["--fairness", fairness, "--ltl", "somebody"];
            args.extend(search);
            let report = check(&dir, &path, &args);
            assert_eq!(report["verdict"], "inconclusive", "{args:?}: {report}");
            let reason = report["reason"].as_str().expect("a reason");
            assert!(reason.contains("an atomic sequence"), "{reason}");
            args[3] = "never_both";
            let report = check(&dir, &path, &args);
            assert_eq!(report["verdict"], "violated", "{args:?}: {report}");
        }
    }
}

/// Whoever would fail is not enabled: search and confirmation agree that nothing is owed to it.
#[test]
fn who_fails_is_not_waited_for() {
    let dir = TempDir::new().expect("a directory");
    let path = dir.path().join("fails.pml");
    let text = "byte cells[2]; bool on;\n\
        active proctype Fails() { cells[3] == 1; on = true }\n\
        active proctype Turns() { do :: !on od }\n\
        ltl asked { <> on }\n";
    fs::write(&path, text).expect("a file");
    for (search, strong) in SEARCHES {
        for fairness in ["weak", "strong"] {
            if fairness == "weak" || *strong {
                let options = [&["--ltl", "asked", "--fairness", fairness], *search].concat();
                let report = check(&dir, &path, &options);
                assert_eq!(report["verdict"], "violated", "{options:?}: {report}");
            }
        }
    }
}

#[test]
fn formulas_that_are_easily_misread_get_a_warning() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("m.pml");
    for (formula, warned) in [
        ("[] (x < 2)", false),
        ("([] (x < 2)) -> (<> (x == 1))", false),
        ("[] (x < 2) -> <> (x == 1)", true),
        ("[] (x < 2) && x == 0", true),
        ("!(x == 1) U (x == 1)", false),
        ("(x == 0) U (x == 1) U (x == 1)", true),
        ("(x == 0) -> (x == 0) -> <> (x == 1)", true),
        ("x < 2 && x == 0 U x == 1", true),
        ("[] (x == 0 -> x < 2)", false),
    ] {
        let text = format!("byte x; ltl p {{ {formula} }} active proctype P() {{ x = 1 }}");
        fs::write(&path, text).expect("a file");
        let report = check(&dir, &path, &[]);
        assert_ne!(report["verdict"], "error", "{formula}: {report}");
        let diagnostics = report["diagnostics"].as_array().expect("a list");
        let found = diagnostics
            .iter()
            .any(|d| d["message"] == "this formula is easily misread");
        assert_eq!(found, warned, "{formula}");
    }
}

#[test]
fn what_has_no_meaning_in_formulas_and_claims_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("m.pml");
    for (property, message) in [
        ("ltl p { [] x < 2 }", "binds tighter"),
        ("ltl p { x + <> x }", "binds tighter"),
        ("ltl p { -([] x) }", "inside an expression"),
        ("ltl p { true } ltl p { x > 0 }", "two properties named"),
        ("never { x = 1 }", "an assignment cannot be used"),
        ("never { x++ }", "an assignment cannot be used"),
        ("never { byte y; true }", "a local variable cannot be used"),
        ("never { c ! 1 }", "a send cannot be used"),
        ("never { c ? _ }", "a receive cannot be used"),
        ("never { run Q() }", "run cannot be used"),
        ("never { d_step { true } }", "a d_step cannot be used"),
    ] {
        let text = format!(
            "byte x; chan c = [1] of {{ byte }}; proctype Q() {{ skip }}\n\
             active proctype P() {{ x = 1 }}\n{property}\n"
        );
        fs::write(&path, text).expect("a file");
        let report = check(&dir, &path, &[]);
        assert_eq!(report["verdict"], "error", "{property}");
        let found = report["errors"][0]["message"].as_str().expect("a message");
        assert!(found.contains(message), "{property}: {found}");
    }
}

#[test]
fn conditions_are_not_evaluated_where_they_do_not_matter() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("m.pml");
    let text = "byte a[2], i; ltl p { [] (i < 2 -> a[i] == 0) } \
                active proctype P() { do :: i < 3 -> i++ :: else -> break od }";
    fs::write(&path, text).expect("a file");
    assert_eq!(check(&dir, &path, &["--ltl", "p"])["verdict"], "holds");
}
