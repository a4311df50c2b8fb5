//! Any text becomes diagnostics, or a model whose parts refer to parts that exist.

#![no_main]

use libfuzzer_sys::fuzz_target;
use model::{Interp, Model};
use promela::diagnostic::Diagnostic;
use promela::preprocess::{NoFiles, Options};
use promela::source::SourceMap;
use space::{Control, NextState};

/// States that are larger are not made.
const LARGEST: usize = 1 << 20;

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let options = Options::default();
    let (program, diagnostics) =
        promela::parser::parse("m.pml", text, &NoFiles, &options, &mut sources);
    check_diagnostics(&diagnostics, &sources);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    let (model, diagnostics) = promela::lower::lower(&program, &sources);
    check_diagnostics(&diagnostics, &sources);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        check_model(&model);
        check_format(text);
    }
});

/// Every diagnostic points into a text, and all of them can be shown.
fn check_diagnostics(diagnostics: &[Diagnostic], sources: &SourceMap) {
    for diagnostic in diagnostics {
        let span = diagnostic.span;
        let text = &sources.file(span.file).text;
        assert!(text.get(span.start as usize..span.end as usize).is_some());
        assert!(!diagnostic.message.is_empty());
    }
    promela::render::render(diagnostics, sources, false);
}

/// The control-flow graphs are closed, and the first steps can be made.
fn check_model(model: &Model) {
    for transition in &model.transitions {
        let proctype = model.proctype(transition.proctype);
        assert!((transition.target.0 as usize) < proctype.states.len());
        assert!(!model.locate(transition.location).is_empty());
    }
    if model.layout.frames as usize > LARGEST {
        return;
    }
    let mut interp = Interp::new(model);
    if let Ok(state) = interp.initial() {
        assert!(state.len() >= model.layout.frames as usize);
        for step in interp.steps(&state, Control::Free) {
            assert!(step.violation.is_some() || !step.state.is_empty());
        }
    }
}

/// Formatted text stays as it is when it is formatted again.
fn check_format(text: &str) {
    let format = |text: &str| {
        let mut sources = SourceMap::default();
        promela::fmt::format("m.pml", text, &NoFiles, &Options::default(), &mut sources)
    };
    if let Ok(formatted) = format(text) {
        let again = format(&formatted).expect("formatted text is a model");
        assert_eq!(again, formatted);
    }
}
