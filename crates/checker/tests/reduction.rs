//! The static reductions: each alone and all together must find what the search of the
//! model as written finds, with no more states, and every counterexample of theirs must be
//! an execution of the model as written.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use checker::confirm::confirm;
use checker::load::{Source, load};
use model::reduction::{merge_local_steps, reduce, remove_write_only, reset_dead_variables};
use model::{Interp, Model};
use search::{Finding, Outcome, SearchConfig, dfs};
use space::{SiteId, ViolationKind};
use store::PlainStore;

/// Random models, if nobody asks for another number.
const COUNT: u64 = 320;
/// A model with more states is skipped; without optimisation they are fewer.
const LARGEST: u64 = if cfg!(debug_assertions) {
    20_000
} else {
    2_000_000
};
/// A search of a model as written that needs more memory is given up, and the model skipped.
const MEMORY: usize = if cfg!(debug_assertions) {
    4 << 20
} else {
    1 << 30
};
/// As the stack of the program.
const STACK_SIZE: usize = 256 << 20;

type Reduction = fn(&Model) -> Model;

/// The passes, each alone and all together.
const REDUCTIONS: [(&str, Reduction); 4] = [
    ("dead variables", |model| {
        let mut model = model.clone();
        reset_dead_variables(&mut model);
        model
    }),
    ("merging", |model| {
        let mut model = model.clone();
        merge_local_steps(&mut model);
        model
    }),
    ("write-only variables", |model| {
        let mut model = model.clone();
        remove_write_only(&mut model);
        model
    }),
    ("all", |model| reduce(model).model),
];

/// Search a model for all errors. This function alone knows how a search is started.
fn search(model: &Model, memory_limit: Option<usize>) -> Outcome {
    let config = SearchConfig {
        max_errors: None,
        kept_traces: 8,
        memory_limit,
        ..SearchConfig::default()
    };
    dfs(&mut Interp::new(model), &mut PlainStore::new(), &config)
}

/// What a search found, without the executions.
fn violated(findings: &[Finding]) -> BTreeSet<(ViolationKind, Option<SiteId>)> {
    let violations = findings.iter().map(|finding| finding.violation);
    violations.map(|v| (v.kind, v.site)).collect()
}

/// Compare all reductions of a model with the model. Returns how many states each left, the
/// model as written first; `None` if it is too large.
fn compare(name: &str, model: &Model) -> Option<Vec<u64>> {
    let plain = search(model, Some(MEMORY));
    plain.exhaustive()?;
    let mut stored = vec![plain.statistics.stored];
    for (reduction, apply) in REDUCTIONS {
        let outcome = search(&apply(model), None);
        assert!(outcome.exhaustive().is_some(), "{name}: {reduction}");
        for finding in outcome.findings() {
            let confirmed = confirm(model, finding);
            assert!(
                confirmed.is_ok(),
                "{name}: {reduction}: {confirmed:?}: {finding:?}"
            );
        }
        assert_eq!(
            violated(outcome.findings()),
            violated(plain.findings()),
            "{name}: {reduction}"
        );
        assert_eq!(outcome.reached, plain.reached, "{name}: {reduction}");
        let states = outcome.statistics.stored;
        assert!(
            states <= stored[0],
            "{name}: {reduction}: {states} states, not {}",
            stored[0]
        );
        stored.push(states);
    }
    Some(stored)
}

fn parse(name: &str, text: &str) -> Option<Model> {
    let loaded = load(&Source::text(name, text));
    loaded.ok().map(|loaded| loaded.model)
}

/// All models below a directory, in order.
fn models(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The number of states that a header tells.
fn states_in_header(text: &str) -> u64 {
    let mut lines = text
        .lines()
        .filter_map(|l| l.strip_prefix("// expect: stored "));
    lines
        .next()
        .and_then(|n| n.trim().parse().ok())
        .unwrap_or(0)
}

/// Run with a stack as large as that of the program.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(work);
    let result = thread.expect("a thread").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

fn number_from(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(value) => value.parse().expect("a number"),
        Err(_) => default,
    }
}

#[test]
fn the_corpus_keeps_its_verdicts() {
    with_stack(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        for path in models(&root) {
            let text = fs::read_to_string(&path).expect("a text");
            let name = path.display().to_string();
            let loaded = load(&Source::file(&path));
            let Ok(loaded) = loaded else { continue };
            if states_in_header(&text) > LARGEST {
                continue;
            }
            if let Some(stored) = compare(&name, &loaded.model) {
                let short = path.strip_prefix(&root).expect("a path below");
                println!("{:40} {stored:?}", short.display());
            }
        }
    });
}

#[test]
fn random_models_keep_their_verdicts() {
    with_stack(|| {
        let count = number_from("SPINOR_COUNT", COUNT);
        let seed = number_from("SPINOR_SEED", 1);
        println!("SPINOR_SEED={seed}");
        let mut compared = 0;
        let mut totals = vec![0; REDUCTIONS.len() + 1];
        for seed in seed..seed + count {
            let name = format!("SPINOR_SEED={seed}");
            let Some(model) = parse("m.pml", &generate::model(seed)) else {
                continue;
            };
            if let Some(stored) = compare(&name, &model) {
                compared += 1;
                totals
                    .iter_mut()
                    .zip(stored)
                    .for_each(|(total, n)| *total += n);
            }
        }
        println!("{compared} models of {count}: {totals:?} states");
        assert!(
            compared > count / 2,
            "{compared} models of {count} were compared"
        );
    });
}

/// Compare the reductions of a model, and what they leave of its states: the model as
/// written, without dead variables, merged, without write-only variables, all together.
#[track_caller]
fn check(text: &str, expected: [u64; 5]) {
    let model = parse("m.pml", text).expect("a good model");
    let stored = compare(text, &model).expect("a small model");
    assert_eq!(stored, expected, "{text}");
}

#[test]
fn dead_variables_are_forgotten() {
    // Three values of `x` make one state behind the last read.
    check(
        "byte g; active proctype P() { byte x; select(x : 1 .. 3); g = x; g = 0; g = 1 }",
        [14, 10, 14, 6, 3],
    );
    // A first value and an argument that nobody reads are not there from the beginning.
    check(
        "byte g; proctype P(byte p) { byte x = 7; p = g; x = g; g = p + x; g = 0 }
         init { run P(g + 1); g = 1; run P(2) }",
        [212, 127, 212, 45, 12],
    );
    // In a d_step the counter is written before it is read.
    check(
        "byte g, a[3]; active proctype P() { byte i; if :: i = 1 :: i = 2 fi;
         g = i; g = 0; d_step { i = 0; do :: i < 3 -> a[i] = g; i++ :: else -> break od }; g = 0; g = a[1] }",
        [11, 10, 11, 11, 4],
    );
    // The index of a receive is a field of the same message.
    check(
        "chan c = [1] of { byte, byte }; byte g;
         active proctype P() { c!1,5; c!2,6 }
         active proctype Q() { byte i, a[3]; c?i,a[i]; c?i,a[i]; g = a[1]; assert(a[2] == 6); g = 0 }",
        [10, 10, 9, 10, 7],
    );
}

#[test]
fn variables_that_others_see_live_on() {
    // By a remote reference.
    check(
        "byte g; active proctype P() { byte x; x = 3; g = 1; g = 2 }
         active proctype Q() { g == 2; assert(P[0]:x == 3) }",
        [8, 8, 8, 8, 8],
    );
    // By the permission to move of another process.
    check(
        "byte g; active proctype P() { byte x; x = 3; g = 1; g = 2 }
         active proctype Q() provided (P:x != 3 || g == 2) { assert(g == 0) }",
        [13, 13, 13, 13, 13],
    );
    // By the way out of an unless, and by enabled().
    check(
        "byte g; active proctype P() { byte x; x = 1; { g == 5 } unless { x == g }; g = 7 }
         active proctype Q() { g = 2; g = 1 }",
        [13, 13, 13, 13, 13],
    );
    check(
        "byte g; active proctype P() { byte x; x = 1; x == g; g = 7 }
         active proctype Q() { enabled(0); assert(g == 1) }
         active proctype R() { g = 2; g = 1 }",
        [41, 41, 41, 41, 41],
    );
    // By a channel claim, which the other process breaks.
    check(
        "chan c = [1] of { byte }; byte g;
         active proctype P() { chan d; d = c; xs d; g = 1; d!1; g = 2 }
         active proctype Q() { g == 2; c?_; c!2 }",
        [10, 10, 10, 10, 10],
    );
}

#[test]
fn local_steps_are_merged() {
    check(
        "byte g; active [2] proctype P() { byte x; g++; x = 1; x = x + 1; assert(x == 2); g = x }",
        [55, 55, 16, 43, 7],
    );
    // Behind a receive of a handshake, also if the sender is in an atomic sequence.
    check(
        "chan c = [0] of { byte }; byte g;
         active proctype P() { atomic { g = 1; c!1; g = 2; g = 3 } }
         active proctype Q() { byte x, y; c?x; y = x; y = y + 1; g = y }
         active proctype R() { assert(g != 2) }",
        [35, 35, 23, 35, 23],
    );
}

#[test]
fn steps_that_others_see_are_not_merged() {
    // The label in front of a local step, and the one behind it.
    check(
        "byte g; active proctype P() { g = 1; L: skip; g = 2 }
         active proctype Q() { g == 1 && P@L; assert(g == 0) }",
        [14, 14, 14, 14, 14],
    );
    check(
        "byte g; active proctype P() { g = 1; skip; L: g = 2 }
         active proctype Q() { g == 1 && !P@L; assert(g == 0) }",
        [14, 14, 14, 14, 14],
    );
    // The variable that is assigned.
    check(
        "byte g; active proctype P() { byte x; g = 1; x = 1; g = 2 }
         active proctype Q() { g == 1 && P:x == 0; assert(g == 0) }",
        [14, 14, 14, 14, 14],
    );
    // While a process fails, the others go on.
    check(
        "byte g; active proctype P() { byte x; g = 1; x = 1 / x }
         active proctype Q() { g == 1; assert(g == 0) }",
        [5, 5, 5, 5, 5],
    );
}

#[test]
fn entering_an_atomic_sequence_is_seen() {
    check(
        "byte g; active proctype P() { byte x; g = 1; atomic { x = 1; assert(g == 1) } }
         active proctype Q() { g == 1; g = 2 }",
        [10; 5],
    );
    // Unless it is local from its beginning to its end.
    check(
        "byte g; active proctype P() { byte x, y; g = 1; atomic { x = 1; y = x }; g = y }
         active proctype Q() { g == 1; g = 2 }",
        [17, 17, 13, 17, 13],
    );
}

#[test]
fn local_choices_are_merged() {
    check(
        "byte g; active [2] proctype P() { byte x, n; g = 1 - g; x = g;
         do :: x < 2 -> x++ :: x == 2 -> n = 1; x++ :: else -> break od; g = x }",
        [176, 165, 72, 167, 64],
    );
}

#[test]
fn getting_ready_for_a_handshake_is_seen() {
    // By the else beside the send.
    check(
        "chan c = [0] of { byte }; byte g;
         active proctype P() { g = 1; skip; c?_ }
         active proctype Q() { g == 1; if :: c!1 :: else -> assert(g == 0) fi }",
        [14, 14, 14, 14, 14],
    );
    // By the statement whose escape is the send.
    check(
        "chan c = [0] of { byte }; byte g;
         active proctype P() { g = 1; skip; c?_ }
         active proctype Q() { g == 1; { assert(g == 0); g = 2 } unless { c!1 } }",
        [14, 14, 14, 14, 14],
    );
    // By the one who gets control when the send in an atomic sequence has to wait.
    check(
        "chan c = [0] of { byte }; byte g;
         active proctype P() { g = 1; skip; c?_ }
         active proctype Q() { atomic { g == 1; g = 2; c!1; g = 3 } }
         active proctype R() { assert(g != 2) }",
        [23, 23, 23, 23, 23],
    );
}

#[test]
fn nobody_is_put_off_for_ever() {
    check(
        "byte g; active proctype P() { byte x; do :: x = 1 - x od }
         active proctype Q() { g = 1; assert(g == 0) }",
        [8, 8, 8, 4, 4],
    );
    check(
        "byte g; active proctype P() { byte x; do :: atomic { g == 0; x = 1 }; x = 0 od }
         active proctype Q() { g == 0; assert(g == 1) }",
        [8, 8, 4, 8, 4],
    );
    check(
        "byte g; active proctype P() { byte x; do :: atomic { x = 1; x = 2 }; x = 0 od }
         active proctype Q() { g = 1; assert(g == 0) }",
        [8, 8, 4, 8, 4],
    );
    // Two processes that pass control to each other.
    check(
        "chan c = [0] of { byte }, d = [0] of { byte }; byte go;
         active proctype P() { byte x; c!1; do :: d?x; atomic { x = 1; c!x } od }
         active proctype Q() { byte y; do :: c?y; atomic { y = 2; d!y } od }
         active proctype R() { d!9; assert(go == 1) }",
        [16, 15, 16, 16, 15],
    );
}

#[test]
fn write_only_variables_are_removed() {
    check(
        "byte g, n, a[4]; active [2] proctype P() { byte i; n = n + 1; a[2] = n; g++; i = n; a[1] = i }",
        [83, 78, 83, 43, 7],
    );
    // Parameters, results of run and received fields too.
    check(
        "byte g; chan c = [1] of { byte };
         proctype P(byte p) { byte r; c!g; c?r; g = 1 - g; g = 0 }
         init { byte r; run P(1); r = run P(2); (_nr_pr == 1) -> r = run P(3) }",
        [78, 53, 78, 53, 53],
    );
}

#[test]
fn what_can_fail_is_still_computed() {
    check(
        "byte n, i, a[2]; active proctype P() { i++; a[i] = 1; i++; a[i] = 2; i = 0 }",
        [4, 4, 4, 4, 4],
    );
    check(
        "chan c = [1] of { byte }; byte i, a[2];
         active proctype P() { c!3; i = 1; c?a[i]; c!4; i = 2; c?a[i]; i = 0 }",
        [6, 6, 6, 6, 6],
    );
    check(
        "byte n, z = 1; active proctype P() { n = 1 / z; z--; n = 1 / z }",
        [3, 3, 3, 3, 3],
    );
    check(
        "byte n = 1; int z = 2 / n; active proctype P() { n = 2; n = 3 }",
        [4, 4, 4, 4, 4],
    );
}
