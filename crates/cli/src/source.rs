//! The model: a file or standard input, and the options of the preprocessor.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use checker::limits::Limit;
use checker::load::LoadError;
use checker::options::SourceOptions;
use checker::{CancelFlag, Source};
use promela::lint::{Lint, Lints};

use crate::names::named;

/// The name of standard input as a model.
const STDIN: &str = "-";
/// How often a reader of standard input looks whether it is still wanted.
const TICK: Duration = Duration::from_millis(20);

/// Options of the preprocessor, shared by all commands that read a model.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SourceArgs {
    /// Define a macro, as `#define NAME VALUE` would (VALUE is 1 if omitted).
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Model")]
    pub define: Vec<String>,
    /// Also search this directory for included files.
    #[arg(short = 'I', value_name = "DIR", help_heading = "Model")]
    pub include: Vec<PathBuf>,
    /// Turn off a warning; repeatable.
    #[arg(long, value_name = "LINT", value_parser = named::<Lint>(), help_heading = "Model")]
    pub allow: Vec<Lint>,
}

impl SourceArgs {
    /// The same for the library.
    pub fn options(&self) -> SourceOptions {
        SourceOptions {
            define: self.define.clone(),
            include: self.include.clone(),
            lints: self.lints(),
            ..SourceOptions::default()
        }
    }

    /// The lints that are on.
    pub fn lints(&self) -> Lints {
        let mut lints = Lints::all();
        self.allow.iter().for_each(|&lint| lints.allow(lint));
        lints
    }

    /// Whether nothing is given that decides what the model is.
    pub fn is_empty(&self) -> bool {
        self.define.is_empty() && self.include.is_empty()
    }
}

/// The model at a path, or that of standard input for `-`.
pub fn open(path: &Path, options: SourceOptions) -> Result<Source<'static>, LoadError> {
    open_within(path, options, &CancelFlag::default(), None)
}

/// The same, unless it is cancelled or the time is up before standard input ends.
pub fn open_within(
    path: &Path,
    options: SourceOptions,
    cancel: &CancelFlag,
    end: Option<Instant>,
) -> Result<Source<'static>, LoadError> {
    if path != Path::new(STDIN) {
        return Ok(Source::file(path).with_options(options));
    }
    // Nothing wakes a thread that waits for input, so it is another one that waits, and is left
    // alone when the program ends.
    let (sender, text) = mpsc::channel();
    let read = move || {
        let mut text = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut text);
        // Nobody listens any more if the work was cancelled.
        let _ = sender.send(read.map(|_| text));
    };
    let failed = |error| LoadError::Io(PathBuf::from("standard input"), error);
    thread::Builder::new().spawn(read).map_err(failed)?;
    let text = loop {
        match text.recv_timeout(TICK) {
            Ok(read) => break read.map_err(failed)?,
            Err(_) if cancel.is_set() => return Err(LoadError::Cancelled(Limit::Interrupt)),
            Err(_) if end.is_some_and(|end| Instant::now() >= end) => {
                return Err(LoadError::Cancelled(Limit::Time));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(failed(io::Error::other("the reader has ended")));
            }
        }
    };
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(Source::text(STDIN, text).with_options(options))
}
