//! Reading a model: from a path to a [`Model`] or to diagnostics.

mod partial;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use model::Model;
use promela::diagnostic::Diagnostic;
use promela::lint::Lints;
use promela::preprocess::{FileLoader, Options};
use promela::source::SourceMap;

/// The largest source file, in bytes.
const LARGEST: u64 = 64 << 20;

/// Options of the preprocessor, shared by all commands that read a model.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SourceOptions {
    /// Define a macro, as `#define NAME VALUE` would (VALUE is 1 when left out).
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Model")]
    pub define: Vec<String>,
    /// Look for included files in this directory too.
    #[arg(short = 'I', value_name = "DIR", help_heading = "Model")]
    pub include: Vec<PathBuf>,
    /// Formulas that are not in the model but are checked with it.
    #[arg(skip)]
    pub formulas: Vec<String>,
    /// The lints that are on.
    #[arg(skip)]
    pub lints: Lints,
}

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
}

impl LoadError {
    /// In one line, without a full stop.
    pub fn summary(&self) -> String {
        match self {
            LoadError::Io(path, error) => {
                format!("cannot read {}: {}", path.display(), plain(error))
            }
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
            LoadError::Io(..) => format!("error: {}\n", self.summary()),
            LoadError::Diagnostics(diagnostics, sources) => {
                let text = promela::render::render(diagnostics, sources, color);
                format!("{text}error: {}\n", self.summary())
            }
        }
    }
}

/// Read, parse and lower a model.
pub fn load(path: &Path, options: &SourceOptions) -> Result<Loaded, LoadError> {
    let text = read_text(path).map_err(|error| LoadError::Io(path.to_owned(), error))?;
    load_text(path, &text, options)
}

/// Parse and lower a model that has been read already; `path` names it.
pub fn load_text(path: &Path, text: &str, options: &SourceOptions) -> Result<Loaded, LoadError> {
    let mut sources = SourceMap::default();
    let disk = Disk {
        formulas: &options.formulas,
    };
    let text = disk.with_formulas(text);
    let (program, mut diagnostics) =
        promela::parser::parse(path, &text, &disk, &options.preprocessor(), &mut sources);
    let in_order = |d: &Diagnostic| (d.span.file, d.span.start);
    if diagnostics.iter().any(Diagnostic::is_error) {
        let found = partial::independent_errors(&program, &diagnostics, &sources);
        diagnostics.extend(found);
        diagnostics.sort_by_key(in_order);
        return Err(LoadError::Diagnostics(diagnostics, sources));
    }
    let (mut model, found) = promela::lower::lower(&program, &sources);
    disk.rename(&mut model);
    diagnostics.extend(found);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let found = promela::lint::check(&program, &sources, options.lints);
        diagnostics.extend(found);
    }
    diagnostics.sort_by_key(in_order);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(LoadError::Diagnostics(diagnostics, sources));
    }
    Ok(Loaded {
        model,
        program,
        sources,
        warnings: diagnostics,
    })
}

/// Files from the disk, up to a size, and formulas.
struct Disk<'a> {
    formulas: &'a [String],
}

impl Disk<'_> {
    /// A model that includes the formulas behind its own text.
    fn with_formulas(&self, text: &str) -> String {
        let mut text = text.to_owned();
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

impl FileLoader for Disk<'_> {
    fn load(&self, path: &Path) -> io::Result<String> {
        match self.formula(&path.to_string_lossy()) {
            Some((number, formula)) => Ok(format!("ltl formula_{number} {{ {formula} }}\n")),
            None => read_text(path),
        }
    }
}

/// The text of a file. Bytes that are no UTF-8 are replaced.
fn read_text(path: &Path) -> io::Result<String> {
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
