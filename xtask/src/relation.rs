//! Writes the transition relation of a model to a file, see `docs/relation.md`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use promela::diagnostic::Diagnostic;
use promela::preprocess::{DiskLoader, Options};
use promela::source::SourceMap;

/// Which model, and where to.
#[derive(Args)]
pub struct RelationArgs {
    /// The model.
    model: PathBuf,
    /// Where to write the relation.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Define a macro, as `spinor check -D`.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
}

/// Visit all states of a model as written, without static reductions, and write the relation that
/// is known then.
pub fn run(args: &RelationArgs) -> io::Result<bool> {
    let path = &args.model;
    let text = fs::read_to_string(path).map_err(|error| named(path, &error))?;
    let define = |text: &String| match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (text.clone(), None),
    };
    let options = Options {
        defines: args.define.iter().map(define).collect(),
        include_dirs: Vec::new(),
    };
    let mut sources = SourceMap::default();
    let (program, mut found) =
        promela::parser::parse(path, &text, &DiskLoader, &options, &mut sources);
    let has_errors = |found: &[Diagnostic]| found.iter().any(Diagnostic::is_error);
    if !has_errors(&found) {
        let (model, more) = promela::lower::lower(&program, &sources);
        found.extend(more);
        if !has_errors(&found) {
            return write(&model, args);
        }
    }
    eprintln!("{} is not a valid model; see spinor check", path.display());
    Ok(false)
}

fn write(model: &model::Model, args: &RelationArgs) -> io::Result<bool> {
    let mut bytes = Vec::new();
    if let Err(error) = relation::export(model, &mut bytes) {
        eprintln!("{}: {error}", args.model.display());
        return Ok(false);
    }
    let mut out = fs::File::create(&args.out).map_err(|error| named(&args.out, &error))?;
    out.write_all(&bytes)?;
    println!("{}: {} bytes", args.out.display(), bytes.len());
    Ok(true)
}

/// An error with the file that it is about.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
