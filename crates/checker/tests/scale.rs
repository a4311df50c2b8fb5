//! Everything before a search is nearly linear in the size of the model, and can be cancelled.
//!
//! The models are as large as generated ones, and the limits on time generous: an analysis that
//! compares each statement with each other would take hours.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use checker::options::{PropertyOptions, SearchOptions};
use checker::{Options as CheckOptions, STACK_SIZE, Source, Watch};
use jit::Jit;
use model::dependency::{Observed, Strictness};
use model::reduction::reduce;
use model::symmetry::{Symmetry, Watched};
use model::{Interp, Model};
use promela::diagnostic::Diagnostic;
use promela::preprocess::{NoFiles, Options};
use promela::source::SourceMap;
use reduce::{Effort, Method, Reducer, Reduction};
use space::cancel::{CancelFlag, Cancelled, scope};
use space::{Control, Expansion, NextState};

/// Statements of a model; checks without optimisation are slower.
const SIZE: usize = if cfg!(debug_assertions) {
    1_000
} else {
    20_000
};
/// No model takes longer on a machine that does something else, too.
const LONGEST: Duration = Duration::from_secs(60);
/// Cancelled work ends sooner, even then.
const SOON: Duration = Duration::from_secs(2);

/// The same for each number below a bound.
fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

/// One process with some statements and what it takes to declare.
fn process(declarations: &str, statements: &str) -> String {
    format!("{declarations}\nactive proctype P() {{\n{statements}}}\n")
}

/// Models with so many statements, variables or options.
fn models(n: usize) -> Vec<(&'static str, String)> {
    let chain = "x = x + 1;\n".repeat(n);
    let ifs = each(n / 4, |i| format!("if :: x == {i} -> x++ :: else fi;\n"));
    let increments = each(n, |i| format!("g{i} = g{} + 1;\n", (i + 1) % n));
    let globals = each(n, |i| format!("byte g{i};\n"));
    vec![
        ("a chain", process("byte x;", &chain)),
        (
            "a chain that is observed",
            process("int x;", &format!("{chain}assert(x > 0)\n")),
        ),
        (
            "a local chain",
            process("", &format!("int x;\n{chain}assert(x > 0)\n")),
        ),
        (
            "an atomic sequence",
            process("int x;", &format!("atomic {{\n{chain}}}\nassert(x > 0)\n")),
        ),
        (
            "a d_step",
            process("int x;", &format!("d_step {{\n{chain}}}\nassert(x > 0)\n")),
        ),
        (
            "a d_step with choices",
            process("int x;", &format!("d_step {{\n{ifs}}}\nassert(x > 0)\n")),
        ),
        ("a loop", process("byte x;", &format!("do ::\n{chain}od\n"))),
        (
            "choices",
            process("int x;", &format!("{ifs}assert(x > 0)\n")),
        ),
        (
            "atomic choices",
            process("int x;", &format!("atomic {{\n{ifs}}}\nassert(x > 0)\n")),
        ),
        (
            "options",
            process(
                "int x;",
                &format!(
                    "do\n{}od\n",
                    each(n / 2, |i| format!(":: x == {i} -> x++\n"))
                ),
            ),
        ),
        ("globals", process(&globals, &increments)),
        (
            "locals",
            process("", &format!("{globals}{increments}assert(g0 < 200)\n")),
        ),
        (
            "an escape",
            process("int x;", &format!("{{ {chain} }} unless {{ x < 0 }}\n")),
        ),
        (
            "jumps",
            process(
                "byte x;",
                &each(n / 4, |i| {
                    let to = i * 7 % (n / 4);
                    format!("L{i}: if :: x < 200 -> x++; goto L{to} :: else fi;\n")
                }),
            ),
        ),
        (
            "jumps back",
            process(
                "byte x;",
                &format!(
                    "goto L{};\n{}done: skip\n",
                    n / 2 - 1,
                    each(n / 2, |i| match i {
                        0 => "L0: x = 0; goto done;\n".to_owned(),
                        _ => format!("L{i}: x = {}; goto L{};\n", i % 200, i - 1),
                    })
                ),
            ),
        ),
        (
            "macros and inlines",
            process(
                &format!(
                    "int x;\n{}{}",
                    each(n / 2, |i| format!("#define M{i} {i}\n")),
                    each(n / 2, |i| format!("inline f{i}(a) {{ x = a }}\n")),
                ),
                &each(n / 2, |i| format!("f{i}(M{i});\n")),
            ),
        ),
        (
            "an array",
            process(
                &format!("int a[{n}];"),
                &each(n, |i| format!("a[{i}] = {i};\n")),
            ),
        ),
        (
            "two processes",
            format!(
                "byte x, y;\nactive proctype P() {{\n{}assert(x < 256) }}\n\
                 active proctype Q() {{\n{}assert(y < 256) }}\n",
                "x = x + 1;\n".repeat(n / 2),
                "y = y + 1;\n".repeat(n / 2),
            ),
        ),
        (
            "processes of a kind",
            format!(
                "byte x;\nactive [4] proctype P() {{ byte t;\n{}}}\n",
                "t = x; x = t + 1;\n".repeat(n / 2)
            ),
        ),
        (
            "handshakes",
            format!(
                "chan c = [0] of {{ byte }};\nactive proctype P() {{\n{}}}\n\
                 active proctype Q() {{ byte x;\n{}}}\n",
                "c!1;\n".repeat(n / 2),
                "c?x;\n".repeat(n / 2),
            ),
        ),
        (
            "messages",
            format!(
                "chan c = [2] of {{ byte }};\nactive proctype P() {{\n{}}}\n\
                 active proctype Q() {{ byte x;\n{}}}\n",
                "c!1;\n".repeat(n / 2),
                "c?x;\n".repeat(n / 2),
            ),
        ),
        (
            "labels that others ask for",
            format!(
                "byte x;\nactive proctype P() {{\n{}}}\nactive proctype Q() {{\n{}}}\n",
                each(n / 2, |i| format!("L{i}: x = x + 1;\n")),
                each(n / 2, |i| format!("assert(P@L{i} || x < 256);\n")),
            ),
        ),
        ("a line", process("byte x;", &chain.replace('\n', " "))),
        (
            "an undeclared name",
            process("byte x;", &"y = 1;\n".repeat(n)),
        ),
    ]
}

/// Read a model; nothing if it is wrong.
fn read(text: &str) -> Option<Model> {
    let mut sources = SourceMap::default();
    let (path, options) = (Path::new("m.pml"), Options::default());
    let (program, found) = promela::parser::parse(path, text, &NoFiles, &options, &mut sources);
    if found.iter().any(Diagnostic::is_error) {
        return None;
    }
    let (model, found) = promela::lower::lower(&program, &sources);
    (!found.iter().any(Diagnostic::is_error)).then_some(model)
}

/// All that comes before a search with the usual options, and its first step.
fn prepare(text: &str) {
    let Some(model) = read(text) else {
        return;
    };
    let model = reduce(&model).model;
    Symmetry::find(&model, &Watched::default());
    let reduction = Reduction {
        method: Method::Stubborn,
        effort: Effort::Thrifty,
        clusters: Vec::new(),
        sleeps: false,
        correction: Default::default(),
        observed: Observed::default(),
        strictness: Strictness::Plain,
    };
    let mut interp = Interp::new(&model);
    let initial = interp.initial().expect("an initial state");
    Reducer::new(&model, &reduction)
        .expect("a reducer")
        .locate(&initial);
    let mut found = Expansion::default();
    if let Ok(mut jit) = Jit::new(&model) {
        jit.expand(&initial, Control::Free, &mut found);
    }
    interp.expand(&initial, Control::Free, &mut found);
}

/// As the command does, since expressions can be nested deeply.
fn with_stack<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn(work);
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn large_models_are_prepared_in_time() {
    for (name, text) in models(SIZE) {
        let started = Instant::now();
        with_stack(move || prepare(&text));
        let took = started.elapsed();
        assert!(took < LONGEST, "{name}: {took:?}");
    }
}

#[test]
fn work_on_large_models_can_be_cancelled() {
    for (name, text) in models(SIZE) {
        for delay in [0, 20, 60, 180].map(Duration::from_millis) {
            let (flag, text) = (CancelFlag::default(), text.clone());
            let other = flag.clone();
            if delay.is_zero() {
                other.set();
            }
            let worker = thread::spawn(move || {
                with_stack(move || (scope(&flag, || prepare(&text)), Instant::now()))
            });
            thread::sleep(delay);
            let cancelled = Instant::now();
            other.set();
            let (answer, ended) = worker.join().expect("no panic");
            let took = ended.saturating_duration_since(cancelled);
            assert!(took < SOON, "{name}, cancelled after {delay:?}: {took:?}");
            if delay.is_zero() {
                assert_eq!(answer, Err(Cancelled), "{name}");
            }
        }
    }
}

/// Many processes, each of whose statements uses something else.
fn crowd() -> String {
    let (processes, statements) = if cfg!(debug_assertions) {
        (20, 20)
    } else {
        (60, 400)
    };
    // Remainders of multiples of different primes, so that no two statements look alike.
    let statement = |p: usize, i: usize| {
        let at = |prime: usize| (p * 53 + i * prime) % 100;
        let (a, b, c, d) = (at(7), at(13), at(29), at(61));
        format!("g[{a}] = (g[{b}] + g[{c}] * g[{d}]) % 200;\n")
    };
    let process = |p: usize| {
        let statements = each(statements, |i| statement(p, i));
        format!("active proctype P{p}() {{\n{statements}}}\n")
    };
    let processes = each(processes, process);
    format!("byte g[100]; int x;\nltl p {{ [] (x == 0) }}\n{processes}")
}

#[test]
fn analyses_in_the_midst_of_a_search_observe_the_limit() {
    let text = crowd();
    for ltl in [Vec::new(), vec!["p".to_owned()]] {
        let limit = Duration::from_secs(1);
        let options = CheckOptions {
            properties: PropertyOptions {
                safety: ltl.is_empty(),
                ltl,
                ..PropertyOptions::default()
            },
            search: SearchOptions {
                time: Some(limit),
                ..SearchOptions::default()
            },
        };
        let started = Instant::now();
        checker::check(&Source::text("m.pml", &text), &options, &Watch::default());
        let took = started.elapsed();
        assert!(took < limit + SOON, "{:?}: {took:?}", options.properties);
    }
}
