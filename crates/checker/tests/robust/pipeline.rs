//! All that happens to a text, within bounds.

use std::any::Any;
use std::fs;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use checker::confirm::confirm;
use checker::load::{LoadError, Loaded, Source, load};
use checker::trace::print;
use model::Interp;
use promela::diagnostic::Diagnostic;
use promela::preprocess::{NoFiles, Options};
use promela::render::render;
use promela::source::SourceMap;
use search::{Finding, Outcome, SearchConfig, dfs};
use store::{Insert, Key, PlainStore, StateId, StateStore};

/// As the stack of the program.
const STACK_SIZE: usize = 256 << 20;
/// The bounds of a search.
const STATES: u64 = 2_000;
const DEPTH: u64 = 5_000;
/// Some errors take their time, such as a `d_step` without end.
const ERRORS: u64 = 20;
const MEMORY: usize = 512 << 20;
const TIME: Duration = Duration::from_millis(200);
/// Counterexamples that take more bytes than this are only confirmed.
const PRINTED: usize = 4 << 20;
/// The tests of this file together stay below so many bytes.
const MOST: u64 = 6 << 30;

/// What became of a text.
#[derive(Debug)]
pub enum Fate {
    /// The first error.
    Refused(#[expect(dead_code, reason = "for messages")] String),
    /// The number of states.
    Searched(#[expect(dead_code, reason = "for messages")] u64),
}

/// The number in an environment variable, if it is set.
pub fn number(variable: &str) -> Option<u64> {
    let given = std::env::var(variable).ok()?;
    Some(given.parse().expect("a number"))
}

/// A place for the text that is being tried.
pub struct Pipeline {
    file: PathBuf,
}

impl Pipeline {
    pub fn new(test: &str) -> Pipeline {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
        Pipeline {
            file: dir.join(format!("robust-{test}.pml")),
        }
    }

    /// Try a text.
    #[track_caller]
    pub fn run(&self, name: &str, text: &str) -> Fate {
        fs::write(&self.file, text).expect("a file");
        let fate = self.run_file(name, &self.file);
        fs::remove_file(&self.file).expect("the file is still there");
        fate
    }

    /// Try a file.
    #[track_caller]
    pub fn run_file(&self, name: &str, path: &Path) -> Fate {
        let start = Instant::now();
        let result = thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(STACK_SIZE);
            let caught = || catch_unwind(AssertUnwindSafe(|| fate(path)));
            let worker = builder.spawn_scoped(scope, caught).expect("a thread");
            worker.join().and_then(|fate| fate)
        });
        let taken = start.elapsed();
        if taken > Duration::from_secs(1) {
            println!("{name}: {taken:.1?}");
        }
        match result {
            Ok(fate) => fate,
            Err(panic) => panic!("{name}: {} ({})", message(&*panic), path.display()),
        }
    }

    /// Demand that the process never took much memory, where that is known.
    pub fn check_memory(&self) {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        if let Some(kilobytes) = peak {
            println!("peak of the process: {} MB", kilobytes >> 10);
            assert!(kilobytes << 10 < MOST, "{kilobytes} kB");
        }
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("panic")
}

/// Read, format, search, confirm, print.
fn fate(path: &Path) -> Fate {
    let loaded = match load(&Source::file(path)) {
        Ok(loaded) => loaded,
        Err(LoadError::Diagnostics(list, sources)) => {
            check_diagnostics(&list, &sources);
            let error = list.iter().find(|diagnostic| diagnostic.is_error());
            let error = error.expect("no refusal without an error");
            return Fate::Refused(error.message.clone());
        }
        Err(error) => return Fate::Refused(error.summary()),
    };
    check_diagnostics(&loaded.warnings, &loaded.sources);
    check_format(path);
    let outcome = search(&loaded);
    for (number, finding) in outcome.findings().iter().take(5).enumerate() {
        let confirmed = confirm(&loaded.model, finding);
        let state = confirmed.unwrap_or_else(|error| panic!("{error}: {finding:?}"));
        if number == 0 && state.len() * finding.trace.steps.len() < PRINTED {
            check_print(&loaded, finding);
        }
    }
    Fate::Searched(outcome.statistics.stored)
}

fn check_diagnostics(list: &[Diagnostic], sources: &SourceMap) {
    for diagnostic in list {
        let span = diagnostic.span;
        let text = &sources.file(span.file).text;
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(text.get(start..end).is_some(), "{diagnostic:?}");
        assert!(!diagnostic.message.is_empty());
    }
    let rendered = render(list, sources, false);
    assert_eq!(rendered.is_empty(), list.is_empty());
    assert!(rendered.len() < 1 << 20, "{} bytes", rendered.len());
}

/// The formatted text is formatted.
fn check_format(path: &Path) {
    let text = fs::read(path).expect("a file");
    let text = String::from_utf8_lossy(&text);
    if text.len() > 1 << 16 {
        return;
    }
    let format = |text: &str| {
        let options = Options::default();
        promela::fmt::format(path, text, &NoFiles, &options, &mut SourceMap::default())
    };
    if let Ok(formatted) = format(&text) {
        let again = format(&formatted).expect("what was formatted is still a model");
        assert_eq!(again, formatted, "formatting is not stable");
    }
}

fn check_print(loaded: &Loaded, finding: &Finding) {
    let mut out = Vec::new();
    let printed = print::human(loaded, &finding.trace, Some(&finding.violation), &mut out);
    printed.expect("memory is writable");
    assert!(!out.is_empty());
}

fn search(loaded: &Loaded) -> Outcome {
    let config = SearchConfig {
        depth: Some(DEPTH),
        max_errors: Some(ERRORS),
        kept_traces: 5,
        memory_limit: Some(MEMORY),
        time_limit: Some(TIME),
        ..SearchConfig::default()
    };
    let mut store = FewStates(PlainStore::new());
    dfs(&mut Interp::new(&loaded.model), &mut store, &config)
}

/// A store that knows everything as soon as it holds enough.
struct FewStates(PlainStore);

impl FewStates {
    fn is_full(&self) -> bool {
        self.0.len() >= STATES || self.0.memory_bytes() > MEMORY
    }
}

impl StateStore for FewStates {
    const EXACT: bool = false;
    const READABLE: bool = true;
    const ORDERED: bool = true;

    fn prepare(&mut self, state: &[u8]) -> Key {
        self.0.prepare(state)
    }

    fn insert(&mut self, state: &[u8], key: Key) -> Insert {
        match self.is_full() {
            true => Insert::Known(StateId::from_bits(0)),
            false => self.0.insert(state, key),
        }
    }

    fn find(&self, state: &[u8], key: Key) -> Option<StateId> {
        match self.is_full() {
            true => Some(StateId::from_bits(0)),
            false => self.0.find(state, key),
        }
    }

    fn read(&self, id: StateId) -> &[u8] {
        self.0.read(id)
    }

    fn next_id(&self, id: Option<StateId>) -> Option<StateId> {
        self.0.next_id(id)
    }

    fn note(&mut self, id: StateId) -> &mut [u8] {
        self.0.note(id)
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes()
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.save(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.0.restore(input)
    }
}
