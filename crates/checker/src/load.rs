//! Reading a model: from a [`Source`] to a [`Model`] or to diagnostics.

mod partial;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use model::Model;
use promela::diagnostic::Diagnostic;
use promela::preprocess::{FileLoader, Options};
use promela::source::SourceMap;

use crate::limits::Limit;
use crate::options::SourceOptions;

/// The largest source file, in bytes.
const LARGEST: u64 = 64 << 20;

/// Formulas from outside are read as if they were files with this name and a number.
const FORMULA: &str = "--ltl-formula ";

impl SourceOptions {
    /// The same for the preprocessor.
    pub fn preprocessor(&self) -> Options {
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        Options {
            defines: self.define.iter().map(define).collect(),
            include_dirs: self.include.clone(),
        }
    }
}

/// Where a model comes from, and how to read it.
pub struct Source<'a> {
    name: PathBuf,
    /// The text, unless it is in the file with the name.
    text: Option<String>,
    /// Reads included files.
    files: &'a dyn FileLoader,
    /// Options of the preprocessor and the front end.
    pub options: SourceOptions,
}

impl Source<'static> {
    /// A file; its includes are files, too.
    pub fn file(path: impl Into<PathBuf>) -> Source<'static> {
        Source {
            name: path.into(),
            text: None,
            files: &Disk,
            options: SourceOptions::default(),
        }
    }

    /// A text with a name for messages; its includes are files.
    pub fn text(name: impl Into<PathBuf>, text: impl Into<String>) -> Source<'static> {
        Source {
            text: Some(text.into()),
            ..Source::file(name)
        }
    }
}

impl<'a> Source<'a> {
    /// The same source, with included files that a callback reads.
    pub fn with_files(self, files: &'a dyn FileLoader) -> Source<'a> {
        Source { files, ..self }
    }

    /// The same source, read with other options.
    pub fn with_options(self, options: SourceOptions) -> Source<'a> {
        Source { options, ..self }
    }

    /// The path of the model, or the name that was given for its text.
    pub fn name(&self) -> &Path {
        &self.name
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
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
    Io(PathBuf, io::Error),
    /// The model is wrong.
    Diagnostics(Vec<Diagnostic>, SourceMap),
    /// Reading it was cancelled.
    Cancelled(Limit),
}

impl LoadError {
    /// In one line, without a full stop.
    pub fn summary(&self) -> String {
        match self {
            LoadError::Io(path, error) => {
                format!("cannot read {}: {}", path.display(), plain(error))
            }
            LoadError::Cancelled(limit) => limit.reason().to_owned(),
            LoadError::Diagnostics(diagnostics, _) => {
                match diagnostics.iter().filter(|d| d.is_error()).count() {
                    1 => "the model has an error".to_owned(),
                    errors => format!("the model has {errors} errors"),
                }
            }
        }
    }

    /// Everything there is to say, for people; ends with a line break.
    pub fn render(&self, color: bool) -> String {
        match self {
            LoadError::Io(..) | LoadError::Cancelled(_) => format!("error: {}\n", self.summary()),
            LoadError::Diagnostics(diagnostics, sources) => {
                let text = promela::render::render(diagnostics, sources, color);
                format!("{text}error: {}\n", self.summary())
            }
        }
    }
}

/// Read, parse and lower a model.
pub fn load(source: &Source<'_>) -> Result<Loaded, LoadError> {
    let path = source.name();
    let text = match &source.text {
        Some(text) => text.clone(),
        None => (source.files.load(path)).map_err(|error| LoadError::Io(path.to_owned(), error))?,
    };
    let mut sources = SourceMap::default();
    let files = WithFormulas {
        files: source.files,
        formulas: &source.options.formulas,
    };
    let text = files.appended(text);
    let options = source.options.preprocessor();
    let (program, mut diagnostics) =
        promela::parser::parse(path, &text, &files, &options, &mut sources);
    let in_order = |d: &Diagnostic| (d.span.file, d.span.start);
    if diagnostics.iter().any(Diagnostic::is_error) {
        let found = partial::independent_errors(&program, &diagnostics, &sources);
        diagnostics.extend(found);
        diagnostics.sort_by_key(in_order);
        return Err(LoadError::Diagnostics(diagnostics, sources));
    }
    let (mut model, found) = promela::lower::lower(&program, &sources);
    files.rename(&mut model);
    diagnostics.extend(found);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let found = promela::lint::check(&program, &sources, source.options.lints);
        diagnostics.extend(found);
    }
    diagnostics.sort_by_key(in_order);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(LoadError::Diagnostics(diagnostics, sources));
    }
    model.lossy = source.options.lossy_channels;
    Ok(Loaded {
        model,
        program,
        sources,
        warnings: diagnostics,
    })
}

/// Files, and formulas that are read as if they were files.
struct WithFormulas<'a> {
    files: &'a dyn FileLoader,
    formulas: &'a [String],
}

impl WithFormulas<'_> {
    /// A model that includes the formulas behind its own text.
    fn appended(&self, mut text: String) -> String {
        for number in 1..=self.formulas.len() {
            text.push_str(&format!("\n#include \"{FORMULA}{number}\""));
        }
        text
    }

    /// The formula that is read under a name.
    fn formula(&self, name: &str) -> Option<(usize, &str)> {
        let (_, number) = name.rsplit_once(FORMULA)?;
        let number = number.parse::<usize>().ok()?;
        let formula = self.formulas.get(number.checked_sub(1)?)?;
        Some((number, formula))
    }

    /// Let the formulas be called by their texts.
    fn rename(&self, model: &mut Model) {
        for property in &mut model.liveness {
            let file = &model.files[property.location.file.index()];
            if let Some((_, formula)) = self.formula(file) {
                property.name = formula.to_owned();
            }
        }
    }
}

impl FileLoader for WithFormulas<'_> {
    fn load(&self, path: &Path) -> io::Result<String> {
        match self.formula(&path.to_string_lossy()) {
            Some((number, formula)) => Ok(format!("ltl formula_{number} {{ {formula} }}\n")),
            None => self.files.load(path),
        }
    }
}

/// Files of this machine.
struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &Path) -> io::Result<String> {
        read_text(path)
    }
}

/// The text of a file. Bytes that are no UTF-8 are replaced.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    // Devices and pipes do not tell their size, so the reading itself is bounded.
    File::open(path)?
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let message = format!("it is larger than {} MiB", LARGEST >> 20);
        return Err(io::Error::other(message));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// An error of the system without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}
