//! Every model of the corpus against the expectations in its header.
//!
//! A header is the leading `//` lines of a model. `// expect: KEY VALUE` lines are what Spin
//! says. Where spinor knowingly differs, a line `// differs: REASON` says why, and the lines
//! `// spinor: KEY VALUE` replace all that Spin expects.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use checker::confirm::confirm;
use checker::load::{LoadError, Loaded, Source, load};
use checker::trace::{TraceFile, guide, replay};
use model::Interp;
use search::{Finding, Outcome, SearchConfig, Verdict, dfs};
use space::{Trace, ViolationKind};
use store::PlainStore;

/// What is compared, in the order of the table. Other keys of headers are for other searches.
const FIELDS: [&str; 7] = [
    "verdict",
    "errors",
    "stored",
    "matched",
    "transitions",
    "atomic",
    "depth",
];
/// As in the command that the expectations were recorded with.
const DEPTH: u64 = 1_000_000;
/// Unoptimised code skips models with more states than this.
const LARGE: u64 = 200_000;
const THREADS: usize = 2;
/// As the stack of the program.
const STACK_SIZE: usize = 256 << 20;

type Fields = BTreeMap<String, String>;

/// The expectations of a model.
#[derive(Debug, Default)]
struct Header {
    expected: Fields,
    /// The reason to differ from Spin, and what is expected instead.
    differs: Option<String>,
    ours: Fields,
}

impl Header {
    fn parse(text: &str) -> Header {
        let mut header = Header::default();
        for line in text.lines().take_while(|line| line.starts_with("//")) {
            if let Some(reason) = line.strip_prefix("// differs:") {
                header.differs = Some(reason.trim().to_owned());
            }
            for (mark, fields) in [
                ("// expect: ", &mut header.expected),
                ("// spinor: ", &mut header.ours),
            ] {
                let pair = line.strip_prefix(mark).and_then(|l| l.split_once(' '));
                if let Some((key, value)) = pair.filter(|(key, _)| FIELDS.contains(key)) {
                    fields.insert(key.to_owned(), value.trim().to_owned());
                }
            }
        }
        header
    }

    /// What the run is compared with.
    fn expected(&self) -> &Fields {
        match self.differs {
            Some(_) => &self.ours,
            None => &self.expected,
        }
    }

    fn stored(&self) -> u64 {
        let stored = self.expected().get("stored");
        stored.and_then(|n| n.parse().ok()).unwrap_or(0)
    }

    /// What is wrong with the header itself.
    fn mistake(&self) -> Option<&'static str> {
        let differs = (self.ours.iter()).any(|(key, value)| self.expected.get(key) != Some(value));
        if !self.expected().contains_key("verdict") {
            Some("no verdict is expected")
        } else if self.differs.is_none() && !self.ours.is_empty() {
            Some("`spinor:` without `differs:`")
        } else if self.differs.as_ref().is_some_and(String::is_empty) {
            Some("`differs:` without a reason")
        } else if self.differs.is_some() && !differs {
            Some("`differs:` although nothing does")
        } else {
            None
        }
    }
}

/// A row of the table.
struct Failure {
    file: String,
    field: String,
    expected: String,
    got: String,
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

/// What the search says, in the words of the header.
fn fields(outcome: &Outcome) -> Fields {
    let statistics = &outcome.statistics;
    // Spin reports channel claims that do not hold without counting them as errors.
    let claims: u64 = (outcome.findings().iter())
        .filter(|finding| finding.violation.kind == ViolationKind::ChannelClaim)
        .map(|finding| finding.count)
        .sum();
    let errors = statistics.errors - claims;
    let verdict = match outcome.verdict() {
        Verdict::Violated(_) if errors > 0 => "violated",
        Verdict::Violated(_) if outcome.exhaustive().is_some() => "holds",
        Verdict::Holds(_) => "holds",
        Verdict::Violated(_) | Verdict::Inconclusive(_) => "inconclusive",
    };
    let numbers = [
        ("errors", errors),
        ("stored", statistics.stored),
        ("matched", statistics.matched),
        ("transitions", statistics.transitions()),
        ("atomic", statistics.atomic_steps),
        ("depth", statistics.depth),
    ];
    let mut fields: Fields = (numbers.iter())
        .map(|(key, number)| ((*key).to_owned(), number.to_string()))
        .collect();
    fields.insert("verdict".to_owned(), verdict.to_owned());
    fields
}

/// Execute a counterexample again; what is wrong with it, if anything.
fn replays(loaded: &Loaded, finding: &Finding, trace: &Trace) -> Result<(), String> {
    confirm(&loaded.model, finding).map_err(|mismatch| mismatch.to_string())?;
    let run = replay(&loaded.model, trace).map_err(|error| error.to_string())?;
    let kind = finding.violation.kind.name();
    match run.violation_of(kind) {
        Some(_) => Ok(()),
        None => Err(format!("the execution ends without {kind}")),
    }
}

/// Write a counterexample to a file and read it back.
fn through_a_file(path: &Path, loaded: &Loaded, finding: &Finding) -> Result<Trace, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let at = dir.path().join("m.trace.json");
    let file = TraceFile::new(path, loaded, &finding.trace, &finding.violation);
    file.write(&at).map_err(|error| error.to_string())?;
    let again = TraceFile::read(&at).map_err(|error| error.to_string())?;
    if again != file {
        return Err("the file reads differently".to_owned());
    }
    let guide = guide::from_trace(&again, loaded)?;
    if guide.trace != finding.trace {
        return Err("the file holds another trace".to_owned());
    }
    Ok(guide.trace)
}

/// Run a model; one row per field that is not as expected.
fn check(path: &Path, name: &str, header: &Header) -> Vec<Failure> {
    let row = |field: &str, expected: &str, got: &str| Failure {
        file: name.to_owned(),
        field: field.to_owned(),
        expected: expected.to_owned(),
        got: got.to_owned(),
    };
    if let Some(mistake) = header.mistake() {
        return vec![row("header", "", mistake)];
    }
    let mut failures = Vec::new();
    let mut reason = None;
    let got = match load(&Source::file(path)) {
        Ok(loaded) => {
            let config = SearchConfig {
                depth: Some(DEPTH),
                max_errors: None,
                kept_traces: 1000,
                ..SearchConfig::default()
            };
            let mut interp = Interp::new(&loaded.model);
            let outcome = dfs(&mut interp, &mut PlainStore::new(), &config);
            for (number, finding) in outcome.findings().iter().enumerate() {
                let trace = match number {
                    0 => through_a_file(path, &loaded, finding),
                    _ => Ok(finding.trace.clone()),
                };
                let replayed = trace.and_then(|trace| replays(&loaded, finding, &trace));
                if let Err(error) = replayed {
                    let field = format!("trace {}", number + 1);
                    let kind = finding.violation.kind.to_string();
                    failures.push(row(&field, &kind, &error));
                }
            }
            fields(&outcome)
        }
        Err(LoadError::Diagnostics(list, _)) => {
            let first = list.into_iter().find(|diagnostic| diagnostic.is_error());
            reason = first.map(|diagnostic| diagnostic.message);
            Fields::from([("verdict".to_owned(), "rejected".to_owned())])
        }
        Err(error) => return vec![row("model", "", &error.summary())],
    };
    for field in FIELDS {
        // A search of Spin that ended early says how many errors it met, but no more.
        if field == "errors" && !header.expected().contains_key("stored") {
            continue;
        }
        let Some(expected) = header.expected().get(field) else {
            continue;
        };
        let found = got.get(field).map_or("-", String::as_str);
        if found != expected {
            let reason = reason.as_ref().filter(|_| field == "verdict");
            let why = reason.map_or(String::new(), |reason| format!(": {reason}"));
            failures.push(row(field, expected, &format!("{found}{why}")));
        }
    }
    failures
}

/// The failures as a table.
fn table(failures: &[Failure]) -> String {
    let mut rows = vec![["file", "field", "expected", "got"]];
    rows.extend(
        failures
            .iter()
            .map(|f| [&*f.file, &*f.field, &*f.expected, &*f.got]),
    );
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let (file, field, expected) = (width(0), width(1), width(2));
    rows.iter()
        .map(|[a, b, c, d]| format!("{a:file$}  {b:field$}  {c:expected$}  {d}\n"))
        .collect()
}

#[test]
fn every_model_is_as_its_header_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut work = Vec::new();
    for path in models(&root) {
        let name = path.strip_prefix(&root).expect("a path below");
        let name = name.display().to_string();
        let header = Header::parse(&fs::read_to_string(&path).expect("a text"));
        if cfg!(debug_assertions) && header.stored() > LARGE {
            let stored = header.stored();
            println!("{name}: skipped, {stored} states are too many without optimisation");
        } else {
            work.push((path, name, header));
        }
    }
    assert!(!work.is_empty(), "there are models");
    // The largest first, so that no thread is left alone with it at the end.
    work.sort_by_key(|(_, _, header)| std::cmp::Reverse(header.stored()));
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            let worker = || {
                // Relaxed: each number is given out once, and nothing else depends on it.
                while let Some((path, name, header)) =
                    work.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let found = check(path, name, header);
                    failures.lock().expect("no panic").extend(found);
                }
            };
            let builder = thread::Builder::new().stack_size(STACK_SIZE);
            builder.spawn_scoped(scope, worker).expect("a thread");
        }
    });
    let mut failures = failures.into_inner().expect("no panic");
    // A stable sort: the fields of a model stay in order.
    failures.sort_by(|a, b| a.file.cmp(&b.file));
    println!("{} models", work.len());
    assert!(failures.is_empty(), "\n{}", table(&failures));
}

#[test]
fn a_header_may_state_our_own_expectation() {
    let spin =
        "// A model.\n// expect: verdict holds\n// expect: stored 3\n// expect: ltl p holds\n";
    let header = Header::parse(&format!("{spin}init\n// expect: stored 4\n"));
    assert_eq!(header.mistake(), None);
    assert_eq!((header.stored(), header.expected().len()), (3, 2));
    let ours = "// spinor: verdict holds\n// spinor: stored 2\n";
    let header = Header::parse(&format!("// differs: a bug\n{ours}{spin}"));
    assert_eq!(header.mistake(), None);
    assert_eq!(header.stored(), 2);
    for text in [
        "// expect: stored 3",
        "// differs:\n// spinor: verdict holds",
        &format!("{ours}{spin}"),
        &format!("// differs: not\n// spinor: verdict holds\n{spin}"),
    ] {
        assert!(Header::parse(text).mistake().is_some(), "{text}");
    }
}
