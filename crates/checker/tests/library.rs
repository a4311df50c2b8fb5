//! The library as a caller sees it: events, cancelling, limits, sources.

use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use checker::options::{ErrorPolicy, SearchOptions};
use checker::{CancelFlag, Event, Explorer, Options, Phase, Source, Verdict, Watch, load};
use promela::preprocess::FileLoader;

/// More states than a short run can visit.
const LARGE: &str = "int a, b, c;
    active proctype P() { end: do :: a < 30000 && b + c >= 0 -> a++ od }
    active proctype Q() { end: do :: b < 30000 && a + c >= 0 -> b++ od }
    active proctype R() { end: do :: c < 30000 && a + b >= 0 -> c++ od }";

/// The events of a check in short, one a line.
fn events(text: &str, options: &Options) -> Vec<String> {
    let list = Mutex::new(Vec::new());
    let listener = |event: &Event<'_>| {
        let line = match event {
            Event::Phase { phase, subject } => format!("{} {subject}", phase.name()),
            Event::Verdict {
                plan,
                property,
                judgement,
                ..
            } => {
                let title = plan.properties[*property].title();
                format!("{title}: {}", judgement.verdict.word())
            }
            Event::Counterexample(found) => format!("counterexample {}", found.error.message),
            Event::Planned { plan, .. } => format!("{} jobs", plan.jobs.len()),
            Event::Warnings { diagnostics, .. } => format!("{} warnings", diagnostics.len()),
            Event::Rejected(error) => error.summary(),
            _ => return,
        };
        list.lock()
            .expect("no panic")
            .push(line.trim_end().to_owned());
    };
    let watch = Watch {
        listener: Some(&listener),
        ..Watch::default()
    };
    checker::check(&Source::text("m.pml", text), options, &watch);
    list.into_inner().expect("no panic")
}

#[test]
fn events_come_in_order() {
    let text = "byte x; ltl p { <> (x == 1) }
        active proctype P() { x = 1; assert(x == 0) }";
    assert_eq!(
        events(text, &Options::default()),
        [
            "load",
            "plan",
            "2 jobs",
            "prepare safety",
            "search safety",
            "assert x == 0: violated",
            "counterexample assertion violated in P(0): x == 0",
            "invalid end states: holds",
            "array bounds: holds",
            "run-time errors: holds",
            "prepare ltl p",
            "search ltl p",
            "ltl p: holds",
        ]
    );
    assert_eq!(
        events("byte", &Options::default())[1..],
        ["the model has an error"]
    );
}

#[test]
fn a_check_can_be_cancelled_from_a_listener_and_from_another_thread() {
    let cancel = CancelFlag::default();
    let stop = cancel.clone();
    let listener = move |event: &Event<'_>| {
        if matches!(
            event,
            Event::Phase {
                phase: Phase::Search,
                ..
            }
        ) {
            stop.set();
        }
    };
    let watch = Watch {
        listener: Some(&listener),
        cancel,
        ..Watch::default()
    };
    let started = Instant::now();
    let report = checker::check(&Source::text("m.pml", LARGE), &Options::default(), &watch);
    assert_eq!(report.verdict, Verdict::Inconclusive);
    assert_eq!(report.reason.as_deref(), Some("interrupted"));
    assert!(started.elapsed() < Duration::from_secs(20));

    let watch = Watch::default();
    let cancel = watch.cancel.clone();
    let report = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            cancel.set();
        });
        checker::check(&Source::text("m.pml", LARGE), &Options::default(), &watch)
    });
    assert_eq!(report.reason.as_deref(), Some("interrupted"));
}

#[test]
fn limits_end_a_check_with_what_is_known() {
    for (time, memory, reason) in [
        (
            Some(Duration::from_millis(100)),
            None,
            "the time limit was reached",
        ),
        (None, Some(1 << 20), "the memory limit was reached"),
    ] {
        let options = Options {
            search: SearchOptions {
                time,
                memory,
                ..SearchOptions::default()
            },
            ..Options::default()
        };
        let source = Source::text("m.pml", LARGE);
        let report = checker::check(&source, &options, &Watch::default());
        assert_eq!(report.reason.as_deref(), Some(reason));
        assert_eq!(report.properties.len(), 3);
        assert!(report.states.stored > 0);
    }
}

#[test]
fn progress_names_the_property() {
    let subjects = Mutex::new(Vec::new());
    let listener = |event: &Event<'_>| {
        if let Event::Progress(progress) = event
            && progress.phase == Phase::Search
        {
            let mut subjects = subjects.lock().expect("no panic");
            subjects.push((progress.subject.clone(), progress.stored));
        }
    };
    let options = Options {
        search: SearchOptions {
            time: Some(Duration::from_millis(500)),
            ..SearchOptions::default()
        },
        ..Options::default()
    };
    let watch = Watch {
        listener: Some(&listener),
        progress: Some(Duration::from_millis(50)),
        ..Watch::default()
    };
    checker::check(&Source::text("m.pml", LARGE), &options, &watch);
    let subjects = subjects.into_inner().expect("no panic");
    assert!(!subjects.is_empty());
    assert!(subjects.iter().all(|(subject, _)| subject == "safety"));
    assert!(subjects.last().is_some_and(|(_, stored)| *stored > 0));
}

#[test]
fn the_first_violation_can_end_the_check() {
    let text = "byte x; active proctype P() { assert(x == 1); assert(x == 2) }
        ltl p { [] (x == 0) }";
    let options = Options {
        search: SearchOptions {
            errors: ErrorPolicy::StopAtFirst,
            ..SearchOptions::default()
        },
        ..Options::default()
    };
    let report = checker::check(&Source::text("m.pml", text), &options, &Watch::default());
    assert_eq!((report.errors.len(), report.searches.len()), (1, 1));
    assert!(!report.complete);
}

/// Files from memory.
struct Shelf;

impl FileLoader for Shelf {
    fn load(&self, path: &Path) -> io::Result<String> {
        match path.to_string_lossy().as_ref() {
            "main.pml" => Ok("#include \"limit.h\"\ninit { assert(LIMIT == 3) }".to_owned()),
            "limit.h" => Ok("#define LIMIT 3\n".to_owned()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

#[test]
fn includes_come_through_a_callback() {
    let source = Source::file("main.pml").with_files(&Shelf);
    let report = checker::check(&source, &Options::default(), &Watch::default());
    assert!(matches!(report.verdict, Verdict::Holds(_)), "{report:?}");
    let missing = Source::file("other.pml").with_files(&Shelf);
    assert!(load::load(&missing).is_err());
}

#[test]
fn an_explorer_tells_why_processes_are_blocked_and_what_holds() {
    let text = "chan c = [0] of { byte }; byte x;
        active proctype A() { c ! 1 }
        active proctype B() { atomic { x = 1; x == 2 } }
        ltl p { [] (x == 0) }";
    let loaded = load::load(&Source::text("m.pml", text)).expect("a good model");
    let mut explorer = Explorer::new(&loaded);
    let initial = explorer.initial().expect("a state");
    let steps = explorer.steps(&initial);
    assert_eq!(steps.len(), 1);
    assert_eq!(
        (
            steps[0].process.as_str(),
            steps[0].effect.join(", ").as_str()
        ),
        ("B(1)", "x: 0 → 1")
    );
    let holding = explorer.properties(&initial);
    assert_eq!(holding[1].name, "p: (x == 0)");
    assert_eq!(holding[1].holds, Some(true));
    let step = steps[0].step.expect("a step");
    let next = explorer.successor(&initial, step).expect("a state");
    assert!(explorer.steps(&next).is_empty());
    let holding = explorer.properties(&next);
    assert_eq!(
        (holding[0].holds, holding[1].holds),
        (Some(false), Some(false))
    );
    let blocked = explorer.processes(&next);
    assert!(
        blocked.iter().all(|process| process.blocked.is_some()),
        "{blocked:?}"
    );
}
