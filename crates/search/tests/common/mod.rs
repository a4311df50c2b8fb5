//! Models for the tests: the corpus, and random ones.

use std::path::{Path, PathBuf};
use std::{fs, io, thread};

use model::Model;
use promela::diagnostic::Diagnostic;
use promela::preprocess::{FileLoader, Options};
use promela::source::SourceMap;

/// Work with a stack as large as that of the program.
pub fn on_a_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(256 << 20).spawn(work);
    let result = thread.expect("a thread").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &Path) -> io::Result<String> {
        fs::read_to_string(path)
    }
}

/// A model from its text.
pub fn load(path: &Path, text: &str) -> Option<Model> {
    let mut sources = SourceMap::default();
    let options = Options::default();
    let (program, found) = promela::parser::parse(path, text, &Disk, &options, &mut sources);
    if found.iter().any(Diagnostic::is_error) {
        return None;
    }
    let (model, found) = promela::lower::lower(&program, &sources);
    (!found.iter().any(Diagnostic::is_error)).then_some(model)
}

/// All models that can be read, with their names.
pub fn corpus() -> Vec<(String, Model)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let dirs = ["", "features", "bench", "por", "symmetry"];
    let mut found: Vec<PathBuf> = Vec::new();
    for dir in dirs {
        for entry in fs::read_dir(root.join(dir)).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    let models: Vec<(String, Model)> = (found.iter())
        .filter_map(|path| {
            let text = fs::read_to_string(path).ok()?;
            Some((path.display().to_string(), load(path, &text)?))
        })
        .collect();
    assert!(models.len() > 100, "only {} models", models.len());
    models
}

/// Random models of a generator, with their names: `SPINOR_COUNT` of them, the first with
/// `SPINOR_SEED`.
pub fn random(count: u64, text: fn(u64) -> String) -> impl Iterator<Item = (String, Model)> {
    let number = |variable: &str| std::env::var(variable).ok()?.parse().ok();
    let first: u64 = number("SPINOR_SEED").unwrap_or(1);
    let count = number("SPINOR_COUNT").unwrap_or(count);
    println!("SPINOR_SEED={first} SPINOR_COUNT={count}");
    (first..first + count).filter_map(move |seed| {
        Some((
            format!("seed {seed}"),
            load(Path::new("m.pml"), &text(seed))?,
        ))
    })
}
