//! Reading a model: from a path to a [`Model`] or to diagnostics.

use std::path::PathBuf;

use model::Model;
use promela::diagnostic::Diagnostic;
use promela::source::SourceMap;

/// Options of the preprocessor, shared by all commands that read a model.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SourceOptions {
    /// Define a macro, as `#define NAME VALUE` would (VALUE is 1 when left out).
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Look for included files in this directory too.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
}

/// A model that was read, with its sources and what was said about it.
#[derive(Debug)]
pub struct Loaded {
    /// The executable model.
    pub model: Model,
    /// The syntax tree.
    pub program: promela::ast::Program,
    /// The source texts.
    pub sources: SourceMap,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Why a model could not be read.
#[derive(Debug)]
pub enum LoadError {
    /// The file could not be read.
    Io(PathBuf, std::io::Error),
    /// The model is wrong.
    Diagnostics(Vec<Diagnostic>, SourceMap),
}
