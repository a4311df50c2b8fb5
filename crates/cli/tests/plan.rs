//! What `spinor plan` says is what `spinor check` does.

use std::path::Path;
use std::process::{Command, Output};

use checker::options::Named;
use checker::plan::feature::{Dimension, Feature, FeatureSet};
use checker::plan::table::{self, TABLE, conflict};

/// The arguments that ask for a feature, and what a model needs for it besides; none for features
/// that nobody can ask for.
fn asked(feature: Feature) -> Option<(&'static str, &'static str)> {
    Some(match feature {
        Feature::Safety => ("--safety", ""),
        Feature::Cycles => ("--ltl p", ""),
        Feature::Dfs => ("--search dfs", ""),
        Feature::Bfs => ("--search bfs", ""),
        Feature::DepthLimited => ("--search depth-limited --depth 100", ""),
        Feature::Stateless => ("--search stateless", ""),
        Feature::NestedDfs => ("--search nested-dfs", ""),
        Feature::Scc => ("--search scc", ""),
        Feature::Owcty => ("--search owcty", ""),
        Feature::Shortest => ("--shortest", ""),
        Feature::Plain => ("--store plain", ""),
        Feature::Tree => ("--store tree", ""),
        Feature::Compact => ("--store compact", ""),
        Feature::Bitstate => ("--store bitstate", ""),
        Feature::PartialOrder => ("--por stubborn", ""),
        Feature::SleepSets => ("--por sleep+stubborn", ""),
        Feature::Symmetry => ("--symmetry full", ""),
        Feature::NotCanonical => ("--symmetry sorted", ""),
        Feature::WeakFairness => ("--fairness weak", ""),
        Feature::StrongFairness => ("--fairness strong", ""),
        Feature::Checkpoint => ("--checkpoint plan.checkpoint", ""),
        Feature::Swarm => ("--swarm 2", ""),
        Feature::CheckPor => ("--check-por", ""),
        Feature::CheckSymmetry => ("--check-symmetry", ""),
        // The plan chooses these.
        Feature::WeakDfs | Feature::Collapse | Feature::Generalised => return None,
        Feature::StepCounting => ("--ltl-formula X(x==1)", ""),
        Feature::NeverClaim => ("--never", "never { do :: true od }"),
        Feature::TraceAssertion => (
            "",
            "chan q = [1] of { bit }; trace { do :: q ! 1 od } active proctype S() { q ! 1 }",
        ),
        Feature::RendezvousUnless => (
            "",
            "chan r = [0] of { bit }; active proctype R() { r ? 1 } \
             active proctype U() { skip unless { r ! 1 } }",
        ),
        Feature::Priorities => ("", "active proctype H() priority 5 { skip }"),
        Feature::Last => ("", "active proctype L() { _last == 0 }"),
        Feature::Enabled => ("", "active proctype E() { enabled(0) }"),
        Feature::PcValue => ("", "active proctype V() { pc_value(0) == 1 }"),
        Feature::Timeout => ("", "active proctype T() { timeout }"),
        Feature::GlobalAtom => ("--ltl-formula <>(_nr_pr==1)", ""),
    })
}

const MODEL: &str = "byte x; active proctype A() { x = 1 } active [2] proctype B() { x = 2 }
    ltl p { <> (x > 0) } ";

/// Check a model that has two features, and say whether that is refused.
fn is_refused(dir: &Path, one: Feature, other: Feature) -> Option<(bool, String)> {
    let ((first, one_text), (second, other_text)) = (asked(one)?, asked(other)?);
    let mut words: Vec<&str> = first.split_whitespace().collect();
    words.extend(second.split_whitespace());
    let is_property = |word: &&str| word.starts_with("--ltl") || *word == "--never";
    let names_property = words.iter().any(is_property) || words.contains(&"--safety");
    if !names_property {
        let cycles = [one, other].into_iter().any(for_cycles);
        words.extend(match cycles {
            true => &["--ltl", "p"][..],
            false => &["--safety"],
        });
    }
    // Some features ask for others, and say so themselves.
    if words.iter().filter(|word| **word == "--por").count() > 1 {
        words.retain(|word| *word != "stubborn");
    }
    if words.iter().filter(|word| **word == "--symmetry").count() > 1 {
        words.retain(|word| *word != "full");
    }
    words.dedup();
    if words.contains(&"bitstate") || words.contains(&"--swarm") {
        words.extend(["--memory", "1M"]);
    }
    std::fs::write(
        dir.join("m.pml"),
        format!("{MODEL} {one_text} {other_text}"),
    )
    .expect("a file");
    // Some features do not even go together in a model.
    let Output { status, stderr, .. } = Command::new(env!("CARGO_BIN_EXE_spinor"))
        .current_dir(dir)
        .args(["check", "m.pml", "-q"])
        .args(&words)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&stderr).into_owned();
    if said.contains("the model has an error") {
        return None;
    }
    Some((status.code() == Some(2), format!("{words:?}: {said}")))
}

/// Whether a feature makes sense only for cycles.
fn for_cycles(feature: Feature) -> bool {
    use Feature::{NestedDfs, Owcty, Scc, StrongFairness, WeakFairness};
    matches!(
        feature,
        NestedDfs | Scc | Owcty | WeakFairness | StrongFairness
    )
}

/// Whether the table refuses two features within any goal and search that go with them.
fn is_refused_by_table(one: Feature, other: Feature) -> bool {
    let pair = FeatureSet::of(&[one, other]);
    let has = |dimension: Dimension| pair.iter().any(|f| f.dimension() == dimension);
    let default = |dimension, feature| match has(dimension) {
        true => FeatureSet::default(),
        false => FeatureSet::of(&[feature]),
    };
    let about_cycles = |f: Feature| {
        for_cycles(f)
            || matches!(
                f,
                Feature::Cycles | Feature::StepCounting | Feature::NeverClaim | Feature::GlobalAtom
            )
    };
    let goal = match pair.iter().any(about_cycles) {
        true => Feature::Cycles,
        false => Feature::Safety,
    };
    let search = match goal {
        Feature::Cycles if pair.has(Feature::StrongFairness) => Feature::Owcty,
        Feature::Cycles if pair.has(Feature::Shortest) => Feature::Owcty,
        Feature::Cycles => Feature::NestedDfs,
        _ => Feature::Dfs,
    };
    let mut set = pair;
    for feature in default(Dimension::Goal, goal)
        .iter()
        .chain(default(Dimension::Search, search).iter())
    {
        set.insert(feature);
    }
    if set.has(Feature::SleepSets) {
        set.insert(Feature::PartialOrder);
    }
    if set.has(Feature::NotCanonical) {
        set.insert(Feature::Symmetry);
    }
    let bits = set.has(Feature::Swarm) && !has(Dimension::Store);
    set.insert_if(bits, Feature::Bitstate);
    set.insert_if(!bits && !has(Dimension::Store), Feature::Plain);
    conflict(set).is_some()
}

#[test]
fn every_pair_is_refused_or_not_as_the_table_says() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plan");
    std::fs::create_dir_all(&dir).expect("a directory");
    let mut compared = 0;
    for (row, &one) in Feature::ALL.iter().enumerate() {
        for &other in &Feature::ALL[row + 1..] {
            // A selected formula comes with its own goal.
            let own_goal = |f: Feature| {
                matches!(
                    f,
                    Feature::StepCounting | Feature::NeverClaim | Feature::GlobalAtom
                )
            };
            if one == Feature::Safety && own_goal(other) {
                continue;
            }
            let facts = one.dimension() == Dimension::Fact && other.dimension() == Dimension::Fact;
            if one.dimension() == other.dimension() && !facts {
                continue;
            }
            let Some((refused, said)) = is_refused(&dir, one, other) else {
                continue;
            };
            let expected = is_refused_by_table(one, other);
            let name = format!("{} and {}", one.name(), other.name());
            assert_eq!(refused, expected, "{name}, {said}");
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} pairs");
}

#[test]
fn every_pair_is_answered_once_and_every_refusal_has_a_reason() {
    let mut answered: Vec<(Feature, Feature, Option<Feature>)> = Vec::new();
    for row in TABLE {
        let (one, other) = (table::names(row.one), table::names(row.other));
        assert!(!row.one.is_empty() && !row.other.is_empty());
        if row.answer == table::Answer::No {
            assert!(!row.reason.is_empty(), "{one} and {other}: no reason");
        }
        for &one in row.one {
            for &other in row.other {
                // A row within a third feature is an exception to the one for all.
                let pairs = [(one, other, row.within), (other, one, row.within)];
                let (one, other) = (one.name(), other.name());
                let again = pairs.iter().any(|pair| answered.contains(pair));
                assert!(!again, "{one} and {other}: another row answers that");
                answered.push(pairs[0]);
            }
        }
    }
}

#[test]
fn a_plan_gives_the_reason_for_each_search() {
    let dir = tempfile::tempdir().expect("a directory");
    let model = "byte x; ltl p { <> (x == 1) } active proctype P() { x = 1 }";
    std::fs::write(dir.path().join("m.pml"), model).expect("a file");
    let searches = |args: &str| -> Vec<String> {
        let output = Command::new(env!("CARGO_BIN_EXE_spinor"))
            .args(["plan", "m.pml"])
            .args(args.split_whitespace())
            .current_dir(dir.path())
            .output()
            .expect("spinor runs");
        let text = String::from_utf8(output.stdout).expect("text");
        let lines = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("search "));
        lines
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    };
    let weak = "weak-dfs the automaton is weak: one search suffices";
    assert_eq!(searches(""), ["dfs the default for safety", weak]);
    // The name is that of a search for safety, and says nothing about the other one.
    assert_eq!(searches("--search bfs"), ["bfs requested", weak]);
    assert_eq!(
        searches("--search owcty"),
        ["dfs the default for safety", "owcty requested"]
    );
}
