//! The sets that partial-order reduction takes are what they have to be: C0 to C3, by brute force.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use checker::load::{Source, load};
use checker::options::SourceOptions;
use common::on_a_large_stack;
use model::dependency::{Correction, Observed, Strictness};
use model::reduction::reduce;
use model::{Interp, LivenessKind, Model};
use reduce::check::{Audit, Breach, Condition, Decided, Taken, check};
use reduce::{Effort, Method, Reduced, Reducer, Reduction};
use search::SearchConfig;
use space::{NextState, Pid, PidSet};
use store::PlainStore;

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 20 } else { 100 };
/// States that are looked at.
const MOST: usize = if cfg!(debug_assertions) { 200 } else { 3_000 };
/// Bytes for the states of a model that is searched.
const MEMORY: usize = 1 << 20;

fn reduction(method: Method) -> Reduction {
    Reduction {
        method,
        effort: Effort::Thorough,
        clusters: Vec::new(),
        sleeps: false,
        correction: Correction::Dynamic,
        observed: Observed::default(),
        strictness: Strictness::Plain,
    }
}

/// The sets that a search takes.
fn taken(model: &Model, reduction: &Reduction, breadth_first: bool) -> Option<Taken> {
    let mut reduced = Reduced {
        reducer: Some(Reducer::new(model, reduction).ok()?),
        taken: Some(Taken::new(Interp::new(model).hidden_len())),
        model: Interp::new(model),
    };
    let config = SearchConfig {
        max_errors: None,
        memory_limit: Some(MEMORY),
        ..SearchConfig::default()
    };
    let mut store = PlainStore::new();
    match breadth_first {
        false => search::reduced_dfs(&mut reduced, &mut store, &config),
        true => search::bfs(&mut reduced, &mut store, &config),
    };
    reduced.taken
}

/// What properties of a model look at.
fn observed(model: &Model) -> Vec<Observed> {
    let formulas = model
        .liveness
        .iter()
        .filter_map(|stated| match &stated.kind {
            LivenessKind::Formula(formula) => Some(Observed::of_formula(formula)),
            _ => None,
        });
    let labels = Observed {
        accept: true,
        progress: true,
        ..Observed::default()
    };
    formulas.chain([Observed::default(), labels]).collect()
}

/// Check all reductions of a model. How many states leave something out.
fn check_model(name: &str, model: &Model) -> usize {
    let mut reduced = 0;
    let mut count = |what: &str, answer: Result<Audit, Box<Breach>>| match answer {
        Ok(audit) => reduced += audit.reduced,
        Err(breach) => panic!("{name}, {what}: {}", breach.describe(model)),
    };
    for method in [Method::Ample, Method::Cluster, Method::Stubborn] {
        for breadth_first in [false, true] {
            let reduction = reduction(method);
            let Some(taken) = taken(model, &reduction, breadth_first) else {
                return 0;
            };
            let answer = check(model, &reduction, Decided::BySearch(&taken), MOST);
            count(&format!("{method:?}, bfs {breadth_first}"), answer);
        }
        for observed in observed(model) {
            for strictness in [Strictness::Plain, Strictness::Fair] {
                let reduction = Reduction {
                    strictness,
                    observed: observed.clone(),
                    ..reduction(method)
                };
                let answer = check(model, &reduction, Decided::ByState, MOST);
                count(&format!("{reduction:?}, by state"), answer);
            }
        }
    }
    reduced
}

fn check_all(models: impl Iterator<Item = (String, Model)>) {
    let mut reduced = 0;
    for (name, model) in models {
        reduced += check_model(&name, &model);
        reduced += check_model(&format!("{name}, reduced"), &reduce(&model).model);
    }
    assert!(reduced > 1000, "only {reduced} states leave something out");
}

#[test]
fn the_corpus() {
    on_a_large_stack(|| check_all(common::corpus().into_iter()));
}

#[test]
fn random_models() {
    on_a_large_stack(|| {
        check_all(common::random(COUNT).chain(common::random_with_formula(COUNT / 2)));
    });
}

#[test]
fn random_families() {
    on_a_large_stack(|| check_all(common::random_families(COUNT / 10)));
}

#[test]
fn random_provided_clauses() {
    on_a_large_stack(|| check_all(common::random_provided_with_formula(COUNT)));
}

/// Check a model where only these processes move out of the initial state.
fn check_wrong(text: &str, set: u64, observed: &[&str]) -> Result<Audit, Box<Breach>> {
    let formulas = observed.iter().map(|&formula| formula.to_owned()).collect();
    let options = SourceOptions {
        formulas,
        ..SourceOptions::default()
    };
    let loaded = load(&Source::text("wrong.pml", text).with_options(options));
    let model = loaded.expect("a model").model;
    let mut taken = Taken::default();
    let initial = Interp::new(&model).initial().expect("a state");
    taken.record(&initial, PidSet(set));
    let reduction = Reduction {
        observed: self::observed(&model).swap_remove(0),
        ..reduction(Method::Stubborn)
    };
    check(&model, &reduction, Decided::BySearch(&taken), MOST)
}

#[track_caller]
fn fails(text: &str, set: u64, observed: &[&str], condition: Condition, other: Option<u8>) {
    let breach = check_wrong(text, set, observed).expect_err("something wrong");
    assert_eq!(breach.condition, condition);
    assert_eq!(breach.set, PidSet(set));
    assert_eq!(breach.other, other.map(Pid));
}

const WAITING: &str = "
    bool go;
    byte x;
    active proctype Waits() { go -> x = 1 }
    active proctype Goes() { go = true }
";

#[test]
fn nobody_moves() {
    fails(WAITING, 1, &[], Condition::C0, None);
}

#[test]
fn a_step_that_another_one_disables() {
    let text = "
        byte x;
        active proctype First() { x == 0 -> skip }
        active proctype Second() { x = 1 }
    ";
    fails(text, 1, &[], Condition::C1, Some(1));
    fails(text, 2, &[], Condition::C1, Some(0));
}

#[test]
fn a_step_that_another_one_makes_possible_later() {
    let text = "
        byte x, y;
        active proctype Chooses() { if :: x == 0 -> skip :: y == 1 -> assert(false) fi }
        active proctype Helps() { skip; y = 1 }
    ";
    fails(text, 1, &[], Condition::C1, Some(0));
    assert!(check_wrong(text, 2, &[]).is_ok());
}

#[test]
fn an_order_that_makes_a_difference() {
    let text = "
        byte x = 1;
        active proctype Adds() { x = x + 1 }
        active proctype Waits() { skip; skip; x = 2 * x }
    ";
    fails(text, 1, &[], Condition::C1, Some(1));
}

#[test]
fn a_handshake_with_one_left_out() {
    let text = "
        chan c = [0] of { bit };
        active proctype Sends() { c ! 1 }
        active proctype Receives() { if :: c ? 1 :: skip fi }
    ";
    fails(text, 2, &[], Condition::C1, Some(0));
}

#[test]
fn a_step_that_the_property_sees() {
    let text = "
        byte x, y;
        active proctype Seen() { x = 1 }
        active proctype Unseen() { y = 1 }
    ";
    fails(text, 1, &["[] (x == 0)"], Condition::C2, Some(0));
    assert!(check_wrong(text, 2, &["[] (x == 0)"]).is_ok());
}

#[test]
fn a_loop_without_end() {
    let text = "
        byte x, y;
        active proctype Loops() { do :: y = 0 od }
        active proctype Waits() { x = 1 }
    ";
    fails(text, 1, &[], Condition::C3, Some(1));
}
