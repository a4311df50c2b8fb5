//! Symmetry reduction: what is called an exchange of processes is one, representatives are those of
//! their orbits, and searches find what they find without it.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use std::collections::{BTreeSet, HashSet};

use checker::confirm::{confirm, confirm_lasso};
use checker::engine::unroll;
use checker::liveness::Target;
use checker::load::{Source, load};
use checker::options::{Fairness, Search, SearchOptions, SymmetryFairness};
use checker::plan::{Job, SymmetryChoice};
use common::on_a_large_stack;
use model::dependency::{Correction, Observed, Strictness};
use model::reduction::{reduce, reduce_keeping_steps};
use model::symmetry::{Action, Symmetry, Watched};
use model::{Interp, Model};
use reduce::check::check_exchanges;
use reduce::orbit::{Orbits, Strategy};
use reduce::{Effort, Method, Reduced, Reducer, Reduction};
use search::{OrbitStore, Outcome, SearchConfig, Verdict};
use space::{Control, Expansion, NextState, Representative, Violation};
use store::PlainStore;

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 20 } else { 150 };
/// States of a model that are looked at one by one.
const STATES: usize = if cfg!(debug_assertions) { 60 } else { 1_000 };
/// Larger models are left alone.
const LARGEST: u64 = if cfg!(debug_assertions) { 500 } else { 20_000 };

const STRATEGIES: [Strategy; 6] = [
    Strategy::Full,
    Strategy::Sorted,
    Strategy::Segmented,
    Strategy::PcSorted,
    Strategy::PcSegmented,
    Strategy::Refined,
];

fn are_there(action: &Action, set: u8, pair: (usize, usize), state: &[u8]) -> bool {
    let there = |position: usize| {
        let position = position as u8;
        action.is_there(model::symmetry::Member { set, position }, state)
    };
    there(pair.0) && there(pair.1)
}

/// Exchanging two members of a state leads to one with the same steps but for names. How often that
/// was to be seen.
fn check_exchanged(name: &str, model: &Model, watched: &Watched, action: &Action) -> usize {
    let orbits = Orbits::new(action, Strategy::Refined);
    match check_exchanges(model, watched, &orbits, STATES) {
        Ok(audit) => audit.exchanges,
        Err(asymmetry) => panic!("{name}: {}", asymmetry.describe(model)),
    }
}

fn config() -> SearchConfig<'static> {
    SearchConfig {
        max_errors: None,
        memory_limit: Some(64 << 20),
        ..SearchConfig::default()
    }
}

fn violations(outcome: &Outcome) -> Vec<Violation> {
    let mut found: Vec<Violation> = outcome.findings().iter().map(|f| f.violation).collect();
    found.sort_by_key(|violation| format!("{violation:?}"));
    found.dedup();
    found
}

/// The states of a model, as stores see them.
fn states(model: &Model) -> Vec<Vec<u8>> {
    let mut interp = Interp::new(model);
    let initial = interp.initial().expect("an initial state");
    let mut found = Expansion::default();
    let mut open = vec![(initial, Control::Free)];
    let mut seen: HashSet<_> = open.iter().cloned().collect();
    while let Some((vector, control)) = open.pop() {
        interp.expand(&vector, control, &mut found);
        let rows = found.rows.iter().filter(|row| row.has_successor());
        let mut after: Vec<_> = rows
            .map(|row| (found.vector(row).to_vec(), row.control()))
            .collect();
        if !found.moved && control != Control::Free {
            after.push((vector, Control::Free));
        }
        for node in after {
            if seen.insert(node.clone()) {
                open.push(node);
            }
        }
    }
    let free = seen.iter().filter(|(_, control)| *control == Control::Free);
    free.map(|(state, _)| state[model.layout.hidden as usize..].to_vec())
        .collect()
}

/// The number of orbits, found by exchanging neighbours until nothing new comes out. Asserts that
/// canonical representatives are the same all over an orbit, and their own representatives.
fn orbits(name: &str, action: &Action, states: Vec<Vec<u8>>) -> usize {
    let mut open: BTreeSet<Vec<u8>> = BTreeSet::new();
    for mut state in states {
        action.scrub(&mut state);
        open.insert(state);
    }
    let mut count = 0;
    while let Some(first) = open.pop_first() {
        count += 1;
        let mut orbit = BTreeSet::from([first.clone()]);
        let mut ahead = vec![first.clone()];
        while let Some(state) = ahead.pop() {
            open.remove(&state);
            for set in 0..action.sets() {
                for b in 1..action.size(set) {
                    if are_there(action, set, (b - 1, b), &state) {
                        let mut other = state.clone();
                        action.swap(set, b - 1, b, &mut other);
                        if orbit.insert(other.clone()) {
                            ahead.push(other);
                        }
                    }
                }
            }
        }
        for strategy in STRATEGIES {
            let mut orbits = Orbits::new(action, strategy);
            let mut wanted: Option<Vec<u8>> = None;
            for state in &orbit {
                let mut found = state.clone();
                orbits.represent(&mut found);
                assert!(orbit.contains(&found), "{name}, {strategy:?}");
                let mut again = found.clone();
                orbits.represent(&mut again);
                assert_eq!(again, found, "{name}, {strategy:?}");
                if strategy.is_canonical() {
                    let wanted = wanted.get_or_insert_with(|| found.clone());
                    assert_eq!(*wanted, found, "{name}, {strategy:?}");
                }
            }
        }
    }
    count
}

/// Compare searches with and without symmetry reduction. How many states were saved.
fn check_searches(name: &str, model: &Model, action: &Action) -> u64 {
    let full = search::dfs(&mut Interp::new(model), &mut PlainStore::new(), &config());
    if full.exhaustive().is_none() || full.statistics.stored > LARGEST {
        return 0;
    }
    // Violations end no execution but faults do: then not everything is in the orbits.
    let count = orbits(name, action, states(model));
    let mut saved = 0;
    for strategy in STRATEGIES {
        for breadth_first in [false, true] {
            let mut store =
                OrbitStore::<_, _, false>::new(PlainStore::new(), Orbits::new(action, strategy));
            let mut interp = Interp::new(model);
            let found = match breadth_first {
                false => search::dfs(&mut interp, &mut store, &config()),
                true => search::bfs(&mut interp, &mut store, &config()),
            };
            let name = format!("{name}, {strategy:?}, bfs {breadth_first}");
            agree(&name, model, &found, &full);
            if strategy.is_canonical() && model.layout.hidden == 0 && !ends(model) {
                assert_eq!(found.statistics.stored as usize, count, "{name}");
            }
            saved += full.statistics.stored - found.statistics.stored;
            let reduction = Reduction {
                method: Method::Stubborn,
                effort: Effort::Thorough,
                clusters: Vec::new(),
                sleeps: false,
                correction: Correction::Dynamic,
                observed: Observed::default(),
                strictness: Strictness::Plain,
            };
            let Ok(reducer) = Reducer::new(model, &reduction) else {
                continue;
            };
            let mut reduced = Reduced {
                model: Interp::new(model),
                reducer: Some(reducer),
                taken: None,
            };
            let mut store =
                OrbitStore::<_, _, false>::new(PlainStore::new(), Orbits::new(action, strategy));
            let found = match breadth_first {
                false => search::reduced_dfs(&mut reduced, &mut store, &config()),
                true => search::bfs(&mut reduced, &mut store, &config()),
            };
            agree(&format!("{name}, por"), model, &found, &full);
        }
    }
    saved
}

/// Whether processes can end: then it depends on who ends first which states are seen.
fn ends(model: &Model) -> bool {
    model
        .transitions
        .iter()
        .any(|t| t.action == model::Action::End && model.proctype(t.proctype).name != "init")
}

fn agree(name: &str, model: &Model, found: &Outcome, full: &Outcome) {
    assert!(found.exhaustive().is_some(), "{name}");
    assert!(found.statistics.stored <= full.statistics.stored, "{name}");
    assert_eq!(violations(found), violations(full), "{name}");
    for finding in found.findings() {
        let confirmed = confirm(model, finding);
        assert!(confirmed.is_ok(), "{name}: {confirmed:?}");
    }
}

fn check_all(models: impl Iterator<Item = (String, Model)>) -> (usize, u64) {
    let (mut exchanges, mut saved, mut symmetric, mut all) = (0, 0, 0, 0);
    for (name, model) in models {
        all += 1;
        for (name, model) in [
            (format!("{name}, reduced"), reduce(&model).model),
            (name, model),
        ] {
            let symmetry = Symmetry::find(&model, &Watched::default());
            if symmetry.is_trivial() {
                continue;
            }
            symmetric += 1;
            exchanges += check_exchanged(&name, &model, &Watched::default(), &symmetry.action);
            saved += check_searches(&name, &model, &symmetry.action);
        }
    }
    println!(
        "{all} models, {symmetric} times symmetric, {exchanges} exchanges, {saved} states saved"
    );
    (exchanges, saved)
}

#[test]
fn the_corpus() {
    on_a_large_stack(|| {
        let (exchanges, saved) = check_all(common::corpus().into_iter());
        assert!(exchanges > 100 && saved > 1000);
    });
}

#[test]
fn random_models() {
    on_a_large_stack(|| {
        let (exchanges, _) = check_all(common::random(COUNT));
        assert!(exchanges > 0);
    });
}

#[test]
fn random_symmetric_models() {
    on_a_large_stack(|| {
        let (exchanges, saved) = check_all(common::random_symmetric(COUNT));
        assert!(exchanges > 100 && saved > 1000);
    });
}

#[test]
fn random_members_with_several_names() {
    on_a_large_stack(|| {
        let (exchanges, saved) = check_all(common::random_roles(COUNT));
        assert!(exchanges > 100 && saved > 1000);
    });
}

#[test]
fn random_families_in_one_array() {
    on_a_large_stack(|| {
        let (exchanges, saved) = check_all(common::random_tags(COUNT / 5));
        assert!(exchanges > 100 && saved > 100);
    });
}

/// What a search for cycles came to; nothing if it proves nothing.
fn violated(
    name: &str,
    model: &Model,
    target: Target,
    options: &SearchOptions,
    symmetric: bool,
) -> Option<(bool, u64)> {
    let mut job = Job::cycles(model, target, options).expect("a plan");
    let fair = options.fairness != Fairness::None;
    let watcher = job.watcher.as_ref().expect("a watcher");
    let keeps = watcher.counts_steps || fair && watcher.model.has_handshakes();
    job.reduced = Some(match keeps {
        true => reduce_keeping_steps(&watcher.model),
        false => reduce(&watcher.model),
    });
    let searched = job.searched(model);
    let watched = watcher.watched(fair);
    let symmetry = Symmetry::find(searched, &watched);
    if symmetric && symmetry.is_trivial() {
        return None;
    }
    if symmetric {
        check_exchanged(name, searched, &watched, &symmetry.action);
        job.symmetry = SymmetryChoice::used(symmetry, Strategy::Refined);
    }
    let config = SearchConfig {
        memory_limit: Some(64 << 20),
        ..SearchConfig::default()
    };
    let ran = common::run(model, &job, &config);
    let mut cycles = 0;
    for finding in ran.outcome.findings() {
        let mut finding = finding.clone();
        let searched = job.searched(model);
        if let (Some(orbits), Some(_)) = (job.symmetry.orbits(), finding.trace.cycle) {
            let rounds = ran.rounds.get(cycles);
            let trace = unroll(searched, orbits, &finding.trace, rounds);
            finding.trace = trace.unwrap_or_else(|| panic!("{name}: a cycle that does not close"));
            cycles += 1;
        }
        let watcher = job.watcher.as_ref().expect("a watcher");
        let confirmed = confirm_lasso(watcher, searched, &finding, options.fairness.into());
        assert!(confirmed.is_ok(), "{name}: {finding:?}: {confirmed:?}");
    }
    let stored = ran.outcome.statistics.stored;
    match ran.outcome.verdict() {
        Verdict::Violated(_) => Some((true, stored)),
        Verdict::Holds(_) => Some((false, stored)),
        Verdict::Inconclusive(_) => None,
    }
}

fn options(fairness: Fairness) -> SearchOptions {
    SearchOptions {
        search: Some(Search::NestedDfs),
        fairness,
        no_reduction: true,
        ..SearchOptions::default()
    }
}

/// Formulas and non-progress, without fairness and under weak fairness: what is found with symmetry
/// is what is found without.
fn check_cycles(models: impl Iterator<Item = (String, Model)>) {
    let (mut compared, mut broken, mut saved) = (0, 0, 0);
    for (name, model) in models {
        for target in [Target::Formula(0), Target::NonProgress] {
            for fairness in [Fairness::None, Fairness::Weak] {
                let options = options(fairness);
                let light = SearchOptions {
                    symmetry_fairness: SymmetryFairness::Light,
                    ..options.clone()
                };
                let name = format!("{name}, {target:?}, {fairness:?}");
                let Some((with, few)) = violated(&name, &model, target, &options, true) else {
                    continue;
                };
                let Some((without, all)) = violated(&name, &model, target, &options, false) else {
                    continue;
                };
                assert_eq!(with, without, "{name}");
                compared += 1;
                broken += u32::from(with);
                if !with {
                    assert!(few <= all, "{name}");
                    saved += all - few;
                }
                if let Some((with, _)) = violated(&name, &model, target, &light, true) {
                    assert!(!with || without, "{name}, light");
                }
            }
        }
    }
    println!("{compared} compared, {broken} violated, {saved} states saved");
    assert!(compared > 10 && broken > 3 && saved > 100);
}

#[test]
fn cycles_of_random_symmetric_models() {
    on_a_large_stack(|| check_cycles(common::random_symmetric_with_formula(COUNT)));
}

#[test]
fn cycles_of_members_with_several_names() {
    on_a_large_stack(|| check_cycles(common::random_roles_with_formula(COUNT)));
}

/// What is found in a model: sets of processes, and what breaks others, with the line.
#[track_caller]
fn finds(text: &str, expected: &[&str]) {
    let loaded = load(&Source::text("m.pml", text));
    let model = loaded
        .map_err(|error| error.summary())
        .expect("a model")
        .model;
    let watched = match model.liveness.is_empty() {
        true => Watched::default(),
        false => {
            let job = Job::cycles(&model, Target::Formula(0), &options(Fairness::None));
            // The numbers of expressions are those of the model without the claim slot.
            job.expect("a plan").watched()
        }
    };
    let symmetry = Symmetry::find(&model, &watched);
    let name = |id: &model::ProctypeId| model.proctype(*id).name.clone();
    let sets = symmetry.scalarsets.iter().map(|set| {
        let names: Vec<String> = set.proctypes.iter().map(name).collect();
        format!("{} of {}", set.size, names.join(", "))
    });
    let broken = symmetry.broken.iter().map(|broken| {
        format!(
            "{}, line {}: {}",
            broken.candidate, broken.location.line, broken.reason
        )
    });
    let found: Vec<String> = sets.chain(broken).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn what_is_symmetric() {
    let active = |body: &str| {
        format!("byte x = 9, a[3], b[5];\nactive [3] proctype P() {{ byte y, j;\n{body}\n}}")
    };
    let alike = ["3 of P"];
    finds(
        &active("a[_pid] = 1; x = _pid; (x == 9 || x != _pid)"),
        &alike,
    );
    finds(&active("d_step { for (j : 0 .. 2) { a[j] = 1 } }"), &alike);
    finds(
        &active("atomic { for (j : 0 .. 2) { if :: a[j] > 1 -> y = 1 :: else fi } }"),
        &alike,
    );
    finds(&active("(a[0] == 1 && a[1] == 1 && a[2] == 1)"), &alike);
    finds(
        &active("if :: x = 0 :: x = 1 :: x = 2 fi; a[x] = 0"),
        &["3 of P"],
    );
    finds(&active("b[3] = 1; b[_pid] = 2"), &alike);
    let apart = |reason: &str| vec![format!("P, line 3: {reason}")];
    let check = |body: &str, reason: &str| {
        let expected = apart(reason);
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        finds(&active(body), &expected);
    };
    check(
        "a[_pid] = 1; a[0] = 2",
        "a constant identifies one of its processes",
    );
    check(
        "x = _pid; x++",
        "a process identifier is used in arithmetic",
    );
    check(
        "x = _pid; (x < 2)",
        "process identifiers are compared by order",
    );
    check(
        "x = _pid; x -> skip",
        "a constant identifies one of its processes",
    );
    check(
        "a[_pid] = 1; (a[0] == 1 && a[1] == 1)",
        "a constant identifies one of its processes",
    );
    check(
        "a[_pid] = 1; if :: x = 0 :: x = 1 fi; a[x] = 0",
        "a choice covers only some of its processes",
    );
    check(
        "atomic { for (j : 0 .. 2) { a[j] = y; y = a[j] + y } }; a[_pid] = 1",
        "the iteration order of a loop over all processes may matter",
    );
    check(
        "for (j : 0 .. 2) { a[j] = 1 }; a[_pid] = 2",
        "a loop over all processes is not atomic",
    );
    check(
        "atomic { for (j : 0 .. 1) { a[j] = 1 } }; a[_pid] = 2",
        "a loop does not cover all its processes",
    );
}

#[test]
fn families_and_channels() {
    let two = "chan q[2] = [1] of { byte };
        proctype P(byte me) { q[me] ! me }
        proctype Q(byte me; chan c) { byte x; c ? x; assert(x == me) }
        init { atomic { run P(0); run Q(0, q[0]); run P(1); run Q(1, q[1]) } }";
    finds(two, &["2 of P, Q"]);
    let apart = "byte a, b;
        active [2] proctype P() { a = _pid }
        active [3] proctype Q() { b = _pid }";
    finds(apart, &["2 of P", "3 of Q"]);
    let ring = "chan q[3] = [1] of { byte };
        proctype P(byte me) { byte x; q[me] ? x; q[(me + 1) % 3] ! x }
        init { atomic { run P(0); run P(1); run P(2) } }";
    let expected = "P, line 2: a process identifier is used in arithmetic";
    finds(ring, &[expected]);
}

#[test]
fn loops_over_all_processes_in_one_step() {
    let active = |body: &str| {
        format!(
            "chan q[3] = [1] of {{ byte }}; byte a[3], n;\n\
             active [3] proctype P() {{ byte y, j;\n{body}; a[_pid] = n; q[_pid] ? y\n}}"
        )
    };
    let alike = |body: &str| finds(&active(body), &["3 of P"]);
    alike("d_step { for (j : 0 .. 2) { a[j] = 1 }; j = 0 }");
    alike("d_step { for (j : 0 .. 2) { if :: a[j] == 1 -> y = 1 :: else fi } }; y == 1");
    alike("d_step { n = 0; for (j : 0 .. 2) { if :: a[j] == 1 -> n++ :: else fi } }");
    alike("d_step { for (j : 0 .. 2) { q[j] ! 1 } }");
    alike("d_step { for (j : 0 .. 2) { if :: j != _pid -> q[j] ! _pid :: else fi } }");
    alike("atomic { for (j : 0 .. 2) { if :: nfull(q[j]) -> q[j] ! 1 :: full(q[j]) fi } }");
    let apart = |body: &str, reason: &str| {
        finds(&active(body), &[&format!("P, line 3: {reason}")]);
    };
    let waits = "a loop over all processes may block";
    apart("atomic { for (j : 0 .. 2) { q[j] ! 1 } }", waits);
    let ordered = "the order in which a loop over all processes sends its messages may matter";
    apart(
        "d_step { for (j : 0 .. 2) { if :: len(q[0]) == 0 -> q[j] ! 1 :: else fi } }",
        ordered,
    );
    apart(
        "d_step { for (j : 0 .. 2) { q[_pid] ! j; a[j] = 1 } }",
        ordered,
    );
    // The first statement of a `d_step` counts like the others.
    apart(
        "d_step { do :: n = _pid; y = n + 1; break od }",
        "a process identifier is used in arithmetic",
    );
}

#[test]
fn errors_come_in_an_order() {
    let members = "byte w[2], x[2], t[2], n; chan c = [1] of { byte, byte };\n\
        active [2] proctype P() { w[_pid] = 1; x[_pid] = 5; c ? _, eval(_pid) }\n";
    let apart = |body: &str, reason: &str| {
        let text = format!("{members}active proctype Q() {{ byte i; {body} }}");
        finds(&text, &[&format!("P, line 3: {reason}")]);
    };
    // The first error hides the others.
    apart(
        "atomic { for (i : 0 .. 1) { n = n + 10 / w[i]; assert(x[i] == 0) } }",
        "an error in a loop over all processes may mask another one",
    );
    // The operands behind the first that decides are not evaluated.
    apart(
        "(w[1] == 1 || t[x[1]] == 1 || w[0] == 1 || t[x[0]] == 1)",
        "a constant identifies one of its processes",
    );
    // What is missing is a 0, and so is a process.
    apart(
        "c ! 7",
        "a message and its channel differ in their number of fields",
    );
}

#[test]
fn properties_mean_all_processes_alike() {
    let model =
        "bool in[2]; active [2] proctype P() { do :: in[_pid] = true; in[_pid] = false od }";
    finds(
        &format!("{model} ltl p {{ [] !(in[0] && in[1]) }}"),
        &["2 of P"],
    );
    finds(
        &format!("{model} ltl p {{ [] <> (!in[0] && !in[1]) }}"),
        &["2 of P"],
    );
    let reason = "P, line 1: a constant identifies one of its processes";
    finds(&format!("{model} ltl p {{ [] <> in[0] }}"), &[reason]);
}
