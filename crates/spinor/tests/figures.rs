//! The figures that the book gives for reductions.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The states that a search for safety stores.
fn stored(model: &str, options: &str) -> u64 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_spinor"))
        .arg("check")
        .arg(root.join("models").join(model))
        .args(["--safety", "--format", "json"])
        .args(options.split_whitespace())
        .output()
        .expect("a search");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["verdict"], "holds", "{model} {options}: {report}");
    report["states"]["stored"].as_u64().expect("a number")
}

#[track_caller]
fn check(model: &str, options: &str, sizes: &[u64], expected: &[u64]) {
    let found: Vec<u64> = (sizes.iter())
        .map(|size| stored(model, &format!("-D N={size} {options}")))
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
