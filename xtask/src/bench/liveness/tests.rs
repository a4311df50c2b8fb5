use super::super::measure::Sample;
use super::set::HOLDING;
use super::*;

fn run(stored: u64, transitions: u64, visited: u64, cpu: f64) -> Option<Run> {
    let sample = Sample {
        stored,
        transitions,
        cpu,
        search: cpu,
        peak: 1,
        states: 1,
    };
    Some(Run { sample, visited })
}

/// A measurement in which everything is as it should be.
fn measured(number: usize) -> Measured {
    let claim = &HOLDING[number];
    let sizes = claim.full;
    let (safety, product) = (sizes.safety.stored, sizes.product.stored);
    Measured {
        title: claim.title(),
        fairness: claim.fairness,
        sizes,
        best: [
            run(safety, 10, safety, 4.0),
            run(safety, 10, safety, 2.0),
            run(product, 90, 2 * product, 9.0),
            run(product, 60, product, 2.0),
            run(product, 90, 2 * product, 3.0),
            run(product, 50, product, 2.0),
            run(product, 50, product, 6.0),
        ],
        notes: Vec::new(),
    }
}

fn bench() -> Bench {
    Bench {
        spinor: PathBuf::new(),
        reference: None,
        runs: 2,
        small: false,
        models: Vec::new(),
    }
}

#[test]
fn products_must_be_the_same() {
    assert!(disagreements(&measured(0)).is_empty());
    let mut one = measured(0);
    one.best[Engine::Nested as usize] = run(one.sizes.product.stored, 91, 1, 1.0);
    one.best[Engine::Owcty as usize] = run(7, 50, 7, 1.0);
    let notes = disagreements(&one);
    let expected = one.sizes.product.stored;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].ends_with(&format!("owcty: 7 states instead of {expected}")));
    assert!(notes[1].ends_with("nested-dfs: 91 transitions instead of 90"));
}

#[test]
fn steps_under_fairness_are_not_compared() {
    let weak = |claim: &Holding| claim.fairness != Fairness::None;
    let number = HOLDING.iter().position(weak).expect("one of them");
    let mut one = measured(number);
    one.best[Engine::Nested as usize] = run(one.sizes.product.stored, 91, 1, 1.0);
    assert!(disagreements(&one).is_empty());
}

#[test]
fn a_report_has_ratios() {
    let lassos = Lassos {
        title: "m, `[] <> (p)`".to_owned(),
        found: [(100, 100), (90, 30), (6, 4)]
            .map(|(stem, cycle)| Some(Lasso { stem, cycle }))
            .into_iter()
            .chain([None])
            .collect(),
        notes: Vec::new(),
    };
    let text = report::render(&bench(), &[measured(0)], &[lassos]);
    let has = |cells: &[&str]| {
        text.lines().any(|line| {
            let mut line = line.split('|').map(str::trim);
            cells.iter().all(|cell| line.any(|c| c == *cell))
        })
    };
    let title = HOLDING[0].title();
    assert!(
        has(&[&title, "3,433,371", "2.0×", "4.5×", "3.0×"]),
        "{text}"
    );
    assert!(has(&[&title, "2.00", "1.50", "2.00"]), "{text}");
    assert!(has(&[
        "m, `[] <> (p)`",
        "100 + 100",
        "90 + 30",
        "6 + 4",
        "-",
        "0.050"
    ]));
    assert!(text.contains("best of 2 interleaved rounds"), "{text}");
    assert!(text.ends_with("as `pan`.\n"), "{text}");
}

#[test]
fn a_disagreement_is_said() {
    let mut one = measured(0);
    one.notes.push("m, owcty: wrong".to_owned());
    let text = report::render(&bench(), &[one], &[]);
    assert!(
        text.ends_with("### Agreement\n\n- m, owcty: wrong\n"),
        "{text}"
    );
}
