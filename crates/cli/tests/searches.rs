//! The searches, stores and backends of `spinor check`, as a program.

mod bench;

use std::path::Path;

use serde_json::Value;

use bench::{ASSERTION, Bench, HOLDS, LARGE};

/// The assertion fails in the fifth step, on a way that is tried first, or in the third.
const DETOUR: &str = "\
byte x;
active proctype P() {
  if
  :: x = 1; x = 2; x = 0
  :: x = 0
  fi;
  x = 4;
  assert(x == 0)
}
";

/// Deep down there is a deadlock, and a failing assertion near the start.
const TWO_ERRORS: &str = "\
byte x;
active proctype P() {
  do
  :: x < 50 -> x++
  :: x == 3 -> assert(false)
  od
}
";

/// A directory with a larger model of the corpus.
fn peterson() -> Bench {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/bench/peterson.pml");
    Bench::new(&std::fs::read_to_string(path).expect("a model"))
}

/// What a search counted.
fn figures(report: &Value) -> Vec<&Value> {
    let fields = ["/states/stored", "/states/matched", "/transitions"];
    let more = ["/atomic_steps", "/depth", "/error_count"];
    let found = fields.iter().chain(&more).map(|path| report.pointer(path));
    found.map(|value| value.expect("a figure")).collect()
}

#[track_caller]
fn check_options(report: &Value, search: &str, store: &str) {
    assert_eq!(report["options"]["search"], search);
    assert_eq!(report["options"]["store"], store);
}

#[test]
fn breadth_first_search_finds_a_shortest_counterexample() {
    let bench = Bench::new(DETOUR);
    let report = bench.json("m.pml", 1);
    check_options(&report, "dfs", "plain");
    assert_eq!(report["errors"][0]["steps"], 5);
    for store in ["plain", "tree", "compact", "bitstate --memory 1M"] {
        let report = bench.json(&format!("m.pml --search bfs --store {store}"), 1);
        assert_eq!(report["options"]["search"], "bfs");
        assert_eq!(report["errors"][0]["steps"], 3, "{store}");
        assert_eq!(report["errors"][0]["depth"], 2, "{store}");
    }
}

#[test]
fn shortest_counterexamples_depth_first() {
    for store in ["plain", "tree", "compact"] {
        let report = Bench::new(DETOUR).json(&format!("m.pml --shortest --store {store}"), 1);
        check_options(&report, "shortening", store);
        assert_eq!(report["errors"][0]["steps"], 3);
        assert_eq!(report["errors"][0]["count"], 2);
    }
    let report = Bench::new(DETOUR).json("m.pml --shortest --search bfs", 1);
    check_options(&report, "bfs", "plain");
    let bench = peterson();
    assert_eq!(bench.json("m.pml --shortest", 0)["error_count"], 0);
}

#[test]
fn the_shortest_counterexample_comes_first() {
    let bench = Bench::new(TWO_ERRORS);
    let kinds = |report: &Value| -> Vec<String> {
        let errors = report["errors"].as_array().expect("a list");
        let kinds = errors.iter().filter_map(|error| error["kind"].as_str());
        kinds.map(str::to_owned).collect()
    };
    let report = bench.json("m.pml --all-errors", 1);
    assert_eq!(kinds(&report), ["invalid-end-state", "assertion"]);
    let report = bench.json("m.pml --shortest", 1);
    assert_eq!(kinds(&report), ["assertion", "invalid-end-state"]);
    let trace = report["errors"][0]["trace"].as_str().expect("a trace");
    assert!(trace.starts_with("m.assert"), "{trace}");
    let report = bench.json("m.pml --search bfs --all-errors", 1);
    assert_eq!(kinds(&report), ["assertion", "invalid-end-state"]);
}

#[test]
fn a_depth_limited_search_misses_nothing_within_its_limit() {
    let bench = Bench::new(DETOUR);
    let report = bench.json("m.pml --depth 4", 3);
    assert_eq!(report["reason"], "the depth limit was reached");
    let report = bench.json("m.pml --depth 4 --search depth-limited", 1);
    check_options(&report, "depth-limited", "plain");
    let report = Bench::new(HOLDS).json("m.pml --search depth-limited", 0);
    assert_eq!(report["complete"], true);
}

#[test]
fn a_stateless_search_can_prove() {
    let report = Bench::new(HOLDS).json("m.pml --search stateless", 0);
    check_options(&report, "stateless", "none");
    assert_eq!(report["complete"], true);
}

#[test]
fn exact_stores_prove_and_the_others_do_not() {
    let bench = peterson();
    let plain = bench.json("m.pml", 0);
    assert_eq!(plain["estimate"], Value::Null);
    let tree = bench.json("m.pml --store tree", 0);
    check_options(&tree, "dfs", "tree");
    assert_eq!(figures(&tree), figures(&plain));
    assert_eq!(tree["estimate"], Value::Null);

    let compact = bench.json("m.pml --store compact", 3);
    check_options(&compact, "dfs", "compact");
    assert_eq!(figures(&compact), figures(&plain));
    let estimate = &compact["estimate"];
    let omission = estimate["omission_probability"].as_f64();
    assert!(omission.is_some_and(|p| p > 0.0 && p < 1e-9));
    assert_eq!(estimate["coverage"], Value::Null);
    let reason = compact["reason"].as_str().expect("a reason");
    assert!(reason.contains("(probability"), "{reason}");

    let bitstate = bench.json("m.pml --store bitstate --memory 8M", 3);
    check_options(&bitstate, "dfs", "bitstate");
    let estimate = &bitstate["estimate"];
    assert!(estimate["hash_factor"].as_f64() > Some(1000.0));
    assert!(estimate["coverage"].as_f64() > Some(0.999));
    assert_eq!(estimate["omission_probability"], Value::Null);
    let reason = bitstate["reason"].as_str().expect("a reason");
    assert!(reason.contains("hash factor"), "{reason}");
    assert!(bitstate["states"]["stored"].as_u64() <= plain["states"]["stored"].as_u64());
}

#[test]
fn a_small_bitstate_array_misses_states() {
    // 101 * 101 * 6 states in 56 KiB: about 7 bits each.
    let bench = Bench::new(
        "byte a, b, c;
        active proctype A() { end: do :: a < 100 -> a++ od }
        active proctype B() { end: do :: b < 100 -> b++ od }
        active proctype C() { end: do :: c < 5 -> c++ od }",
    );
    let full = bench.json("m.pml --no-reduction", 0);
    let args = "m.pml --no-reduction --search bfs --store bitstate --memory 64K --hash-functions 4";
    let report = bench.json(args, 3);
    let coverage = report["estimate"]["coverage"].as_f64().expect("a number");
    let count = |report: &Value| report["states"]["stored"].as_f64().expect("a number");
    assert!(count(&report) < count(&full), "{report}");
    assert!((0.5..1.0).contains(&coverage), "{coverage}");
}

#[test]
fn a_swarm_is_several_searches() {
    let bench = peterson();
    let one = bench.json("m.pml --store bitstate --memory 8M", 3);
    let three = bench.json("m.pml --swarm 3 --memory 8M", 3);
    check_options(&three, "dfs", "bitstate");
    let stored = |report: &Value| report["states"]["stored"].as_u64().expect("a number");
    assert!(stored(&three) > 2 * stored(&one));
    assert!(three["estimate"]["coverage"].as_f64() > Some(0.999));
    let report = Bench::new(ASSERTION).json("m.pml --swarm 3 --stop-at-first --memory 1M", 1);
    // The first member finds it.
    assert_eq!(report["error_count"], 1);
}

#[test]
fn backends_count_the_same() {
    let bench = peterson();
    // Searches over packed states are compiled by neither.
    let jit = bench.json("m.pml --no-collapse", 0);
    let interp = bench.json("m.pml --no-collapse --backend interp", 0);
    assert_eq!(figures(&jit), figures(&interp));
    assert_eq!(interp["options"]["backend"], "interp");
    assert_eq!(
        interp["seconds"]["compile"].as_f64().map(|s| s < 0.001),
        Some(true)
    );
    if jit["options"]["backend"] == "jit" {
        assert!(jit["seconds"]["compile"].as_f64() > Some(0.0));
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let bench = Bench::new(HOLDS);
    for args in [
        "--search depth-limited --store bitstate",
        "--shortest --store bitstate",
        "--shortest --search stateless",
        "--shortest --swarm 2",
        "--swarm 2 --search bfs",
        "--swarm 2 --search stateless",
        "--swarm 2 --store tree",
        "--swarm 2 --store compact",
        "--swarm 2 --checkpoint c",
        "--shortest --checkpoint c",
        "--search depth-limited --checkpoint c",
        "--search stateless --checkpoint c",
        "--search stateless --resume c",
        "--resume nowhere",
        "--resume m.pml",
    ] {
        let report = bench.json(&format!("m.pml {args}"), 2);
        assert!(report["reason"].is_string(), "{args}");
        assert!(!bench.path("c").exists());
    }
    bench.json("m.pml --swarm 2 --store bitstate --memory 1M", 3);
    bench.json(
        "m.pml --shortest --search bfs --store bitstate --memory 1M",
        3,
    );
}

/// Interrupt a search again and again by its memory, and compare with one in one go.
#[track_caller]
fn check_resumed(args: &str, status: i32, limits: &[&str]) {
    let bench = peterson();
    let whole = bench.json(&format!("m.pml {args}"), status);
    let mut resume = String::new();
    for limit in limits {
        let args = format!("m.pml {args} --memory {limit} --checkpoint c {resume}");
        let report = bench.json(&args, 3);
        assert_eq!(report["reason"], "the memory limit was reached", "{args}");
        assert_eq!(report["trouble"], Value::Null);
        assert!(report["states"]["stored"].as_u64() < whole["states"]["stored"].as_u64());
        resume = "--resume c".to_owned();
    }
    let report = bench.json(&format!("m.pml {args} --resume c"), status);
    assert_eq!(figures(&report), figures(&whole));
    assert_eq!(report["complete"], whole["complete"]);
}

#[test]
fn an_interrupted_search_goes_on_where_it_was() {
    check_resumed("--no-reduction", 0, &["300K", "600K"]);
    check_resumed("--no-reduction --search bfs", 0, &["200K", "400K"]);
    check_resumed("--no-reduction --search bfs --store tree", 0, &["300K"]);
    check_resumed("--no-reduction --store compact", 3, &["300K"]);
}

#[test]
fn a_violation_is_found_after_an_interrupt() {
    let bench = Bench::new(&LARGE.replace("a++", "a++; assert(a < 29000)"));
    let args = "m.pml --no-reduction --stop-at-first --checkpoint c";
    bench.json(&format!("{args} --memory 1M"), 3);
    let report = bench.json(&format!("{args} --resume c"), 1);
    let whole = Bench::new(&LARGE.replace("a++", "a++; assert(a < 29000)"));
    let whole = whole.json("m.pml --no-reduction --stop-at-first", 1);
    assert_eq!(figures(&report), figures(&whole));
    assert_eq!(report["errors"][0]["steps"], whole["errors"][0]["steps"]);
}

#[test]
fn a_checkpoint_fits_only_what_it_was_made_for() {
    let bench = peterson();
    let args = "m.pml --no-reduction --memory 300K --checkpoint c";
    bench.json(args, 3);
    let other = "the checkpoint belongs to another model or other options";
    for args in [
        "m.pml --resume c",
        "m.pml --no-reduction -D N=2 --resume c",
        "m.pml --no-reduction --depth 9 --resume c",
        "m.pml --no-reduction --lossy-channels --resume c",
        "m.pml --no-reduction --store tree --resume c",
    ] {
        let report = bench.json(args, 2);
        assert_eq!(report["reason"], other, "{args}");
    }
    let report = bench.json("m.pml --no-reduction --search bfs --resume c", 2);
    assert!(report["reason"].is_string());
    let text = std::fs::read_to_string(bench.path("m.pml")).expect("a model");
    std::fs::write(bench.path("m.pml"), text + "\nbyte more;\n").expect("a file");
    let report = bench.json("m.pml --no-reduction --resume c", 2);
    assert_eq!(report["reason"], other);
}

#[test]
fn a_torn_checkpoint_is_refused() {
    let bench = peterson();
    bench.json("m.pml --no-reduction --memory 300K --checkpoint c", 3);
    let whole = std::fs::read(bench.path("c")).expect("a file");
    for length in [0, 4, 20, whole.len() / 2, whole.len() - 1] {
        std::fs::write(bench.path("c"), &whole[..length]).expect("a file");
        let report = bench.json("m.pml --no-reduction --resume c", 2);
        assert!(report["reason"].is_string(), "{length} bytes");
    }
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_trouble() {
    let bench = peterson();
    let args = "check m.pml --no-reduction --memory 300K --checkpoint c --format json";
    let output = bench.limited(args);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert!(report["trouble"].is_string());
    assert!(!bench.path("c").exists());
}

#[test]
fn reductions_change_figures_and_not_verdicts() {
    let bench = peterson();
    let reduced = bench.json("m.pml", 0);
    let plain = bench.json("m.pml --no-reduction", 0);
    assert_eq!(plain["options"]["reduction"], Value::Array(Vec::new()));
    let some = reduced["options"]["reduction"].as_array().expect("a list");
    assert!(!some.is_empty());
    // As Spin.
    assert_eq!(plain["states"]["stored"], 14998);
    assert_eq!(plain["transitions"], 40565);
    assert!(reduced["states"]["stored"].as_u64() < Some(14998));
    assert_eq!(reduced["properties"], plain["properties"]);
    assert_eq!(reduced["unreached"], plain["unreached"]);
}

#[test]
fn counterexamples_show_what_a_reduction_left_out() {
    let bench = Bench::new(
        "byte x, log;
        active proctype P() { byte y; y = 7; log = 9; x = y; y = 3; assert(x == 0) }",
    );
    let report = bench.json("m.pml", 1);
    let some = report["options"]["reduction"].as_array().expect("a list");
    assert!(some.iter().any(|name| name == "write-only"));
    let output = bench.run("check m.pml --trace m.trace.json");
    let text = String::from_utf8(output.stdout).expect("text");
    for change in ["y = 7", "log = 9", "x = 7", "y = 3"] {
        assert!(text.contains(change), "{change} in {text}");
    }
    assert_eq!(bench.run("replay m.trace.json").status.code(), Some(1));
}
