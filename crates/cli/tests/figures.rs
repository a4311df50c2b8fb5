//! The figures that the book gives for reductions.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The states that a search stores, which has to come to this verdict.
fn stored(model: &str, options: &str, verdict: &str) -> u64 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_spinor"))
        .current_dir(tempfile::tempdir().expect("a directory").path())
        .arg("check")
        .arg(root.join("models").join(model))
        .args(["--format", "json"])
        .args(options.split_whitespace())
        .output()
        .expect("a search");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["verdict"], verdict, "{model} {options}: {report}");
    report["states"]["stored"].as_u64().expect("a number")
}

#[track_caller]
fn check(model: &str, options: &str, sizes: &[u64], expected: &[u64]) {
    check_verdict(
        model,
        &format!("--safety {options}"),
        "holds",
        sizes,
        expected,
    );
}

#[track_caller]
fn check_verdict(model: &str, options: &str, verdict: &str, sizes: &[u64], expected: &[u64]) {
    let found: Vec<u64> = (sizes.iter())
        .map(|size| stored(model, &format!("-D N={size} {options}"), verdict))
        .collect();
    assert_eq!(found, expected, "{model} {options}");
}

/// [001 ch. 2, Table 1] has 30, 66, 138 and 282; [002 §5] 5, 7, 9, 11 and 13.
#[test]
fn pairs_and_pipelines() {
    let options = "--no-reduction --symmetry none --por";
    for method in ["cluster", "stubborn"] {
        let options = format!("{options} {method}");
        check(
            "por/pairs.pml",
            &options,
            &[2, 3, 4, 5],
            &[25, 57, 121, 249],
        );
    }
    let sizes = [3, 4, 5, 6, 7];
    let options = format!("{options} stubborn");
    check("por/pipeline.pml", &options, &sizes, &[5, 7, 9, 11, 13]);
}

/// [001 ch. 2, Table 2] has 1,294, 3,938, 21,620, 25,228 and 30,377.
#[test]
fn parity() {
    let sizes: &[u64] = if cfg!(debug_assertions) {
        &[4, 5]
    } else {
        &[4, 5, 6, 7, 8]
    };
    let expected = [110, 226, 940, 4_072, 15_568];
    let options = "--symmetry none --por cluster";
    check("por/parity.pml", options, sizes, &expected[..sizes.len()]);
    let expected = [94, 202, 826, 3_484, 13_450];
    let options = "--symmetry none --por stubborn";
    check("por/parity.pml", options, sizes, &expected[..sizes.len()]);
}

/// [001 ch. 6, Table 2] has 2N² + 2, then 31, 39, 48, 58 and 69, then 2N + 2.
#[test]
fn data_base_managers() {
    let model = "symmetry/database.pml";
    let sizes = [7, 8, 9, 10, 11, 12];
    let por = [93, 122, 155, 192, 233, 278];
    check(model, "--symmetry none", &sizes, &por);
    check(model, "--por none", &sizes, &[30, 38, 47, 57, 68, 80]);
    check(model, "", &sizes, &[15, 17, 19, 21, 23, 25]);
}

/// [001 ch. 6, Table 1] has 89, 980, 9,634 and 86,112.
#[test]
fn peterson() {
    let model = "symmetry/peterson.pml";
    let sizes = [2, 3, 4, 5];
    check(model, "--por none", &sizes, &[33, 196, 1_011, 4_797]);
    check(model, "", &sizes, &[25, 134, 685, 3_270]);
}

/// [001 ch. 6, Table 3] has 2,578 and 131,484 without symmetry; 1,521 and 26,399 with the canonical
/// strategies, 2,344 and 98,602 with `sorted`, 1,607 and 40,395 with `pc-sorted`.
#[test]
fn initialization() {
    let model = "symmetry/initialization.pml";
    let sizes: &[u64] = if cfg!(debug_assertions) {
        &[2]
    } else {
        &[2, 3]
    };
    let count = sizes.len();
    for (options, expected) in [
        ("--symmetry none --por none", [3_832, 226_488]),
        ("--por none", [1_949, 39_686]),
        ("--por none --symmetry full", [1_949, 39_686]),
        ("--por none --symmetry segmented", [1_949, 39_686]),
        ("--por none --symmetry pc-segmented", [1_949, 39_686]),
        ("--por none --symmetry sorted", [2_885, 115_407]),
        ("--por none --symmetry pc-sorted", [1_994, 45_990]),
        ("--symmetry none", [1_132, 27_104]),
        ("", [599, 5_177]),
    ] {
        check(model, options, sizes, &expected[..count]);
    }
    let options = "--ltl all_work --fairness weak";
    check_verdict(model, options, "holds", &[2], &[1_949]);
}

/// [000, Table 1] has 153, 2,295 and 84,707 states without symmetry, 81, 636, 4,150 and 77,064 with it,
/// for a response that is not told.
#[test]
fn peterson_under_weak_fairness() {
    let model = "symmetry/peterson.pml";
    let sizes = [2, 3, 4, 5];
    let options = "--ltl empties --fairness weak --por none";
    let none = format!("{options} --symmetry none");
    check_verdict(model, &none, "violated", &sizes, &[55, 308, 2_637, 18_740]);
    check_verdict(model, options, "violated", &sizes, &[35, 132, 595, 2_782]);
    let light = format!("{options} --symmetry-fairness light");
    check_verdict(model, &light, "violated", &sizes, &[33, 121, 349, 1_021]);
    // One that holds: everything is searched.
    let options = "--ltl enters --fairness weak --por none";
    let none = format!("{options} --symmetry none");
    check_verdict(model, &none, "holds", &[2, 3], &[107, 1_922]);
    check_verdict(model, options, "holds", &sizes, &[56, 372, 1_973, 9_456]);
}
