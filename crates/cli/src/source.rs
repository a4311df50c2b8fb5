//! The model: a file or standard input, and the options of the preprocessor.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use checker::Source;
use checker::load::LoadError;
use checker::options::SourceOptions;
use promela::lint::{Lint, Lints};

use crate::names::named;

/// The name of standard input as a model.
const STDIN: &str = "-";

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
    if path != Path::new(STDIN) {
        return Ok(Source::file(path).with_options(options));
    }
    let mut text = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut text);
    read.map_err(|error| LoadError::Io(PathBuf::from("standard input"), error))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(Source::text(STDIN, text).with_options(options))
}
