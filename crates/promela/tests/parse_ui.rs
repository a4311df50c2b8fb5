//! Diagnostics as people see them: each `ui/*.pml` against the text beside it.
//! `BLESS=1` writes the texts anew.

use std::fs;
use std::path::Path;

use promela::diagnostic::Diagnostic;
use promela::lint::{Lints, check};
use promela::lower::lower;
use promela::parser::parse;
use promela::preprocess::{DiskLoader, Options};
use promela::render::render;
use promela::source::SourceMap;

#[test]
fn rendered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let mut models: Vec<_> = fs::read_dir(&folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pml"))
        .collect();
    models.sort();
    assert!(!models.is_empty());
    for model in models {
        let text = fs::read_to_string(&model).expect("it can be read");
        let name = model.file_name().expect("it has a name");
        let mut sources = SourceMap::default();
        let options = Options::default();
        let (program, mut diagnostics) = parse(name, &text, &DiskLoader, &options, &mut sources);
        if !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(lower(&program, &sources).1);
        }
        if !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(check(&program, &sources, Lints::all()));
        }
        let rendered = render(&diagnostics, &sources, false);
        let expected = model.with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &rendered).expect("it can be written");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(rendered, expected, "{}", model.display());
    }
}
