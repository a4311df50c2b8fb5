//! `spinor ltl`: the automaton of a formula.

use std::io::{self, Write};

use clap::ValueEnum;
use ltl::ParseError;
use promela::diagnostic::Diagnostic;
use promela::source::{SourceMap, Span};

use crate::color::Color;
use crate::exit::Exit;

/// Arguments of `spinor ltl`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The formula; its propositions are names, expressions or quoted text.
    pub formula: String,
    /// Translate the negated formula, as `spinor check` does.
    #[arg(long)]
    pub negate: bool,
    /// Use a single acceptance set, on states instead of edges.
    #[arg(long)]
    pub states: bool,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    pub format: Form,
}

/// The form of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Human-readable text.
    Text,
    /// The Hanoi omega-automata format.
    Hoa,
    /// The DOT language of Graphviz.
    Dot,
    /// A Promela never claim.
    Never,
}

/// Run the command.
pub fn run(args: &Args) -> Exit {
    match automaton(args) {
        Ok(text) => match io::stdout().lock().write_all(text.as_bytes()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                eprintln!("error: cannot print the automaton: {error}");
                Exit::Internal
            }
            _ => Exit::Holds,
        },
        Err(text) => {
            eprint!("{text}");
            Exit::Usage
        }
    }
}

/// A mistake in a formula with its place.
fn explain(formula: &str, error: &ParseError) -> String {
    let mut sources = SourceMap::default();
    let span = Span {
        file: sources.add_file("formula", formula),
        start: error.span.start as u32,
        end: error.span.end as u32,
        ..Span::default()
    };
    let mut diagnostic = Diagnostic::error(span, &error.message);
    diagnostic.help.clone_from(&error.advice);
    let color = Color::default().on(&io::stderr());
    promela::render::render(&[diagnostic], &sources, color)
}

fn automaton(args: &Args) -> Result<String, String> {
    let parsed = ltl::parse(&args.formula).map_err(|error| explain(&args.formula, &error))?;
    let formula = match args.negate {
        true => parsed.formula.negated(),
        false => parsed.formula,
    };
    let automaton = match args.states {
        true => ltl::translate_to_buchi(&formula),
        false => ltl::translate(&formula),
    };
    let automaton = automaton.map_err(|error| format!("error: {error}\n"))?;
    let atoms = &parsed.atoms;
    let name = ltl::show(&formula, atoms);
    Ok(match args.format {
        Form::Text => ltl::to_text(&automaton, atoms),
        Form::Hoa => ltl::to_hoa(&automaton, atoms, &name),
        Form::Dot => ltl::to_dot(&automaton, atoms, &name),
        Form::Never => ltl::to_never(&automaton, atoms, &name),
    })
}

#[cfg(test)]
mod tests {
    use super::explain;

    #[track_caller]
    fn check(formula: &str, expected: &str) {
        let error = ltl::parse(formula).expect_err("no formula");
        assert_eq!(explain(formula, &error).trim_end(), expected.trim());
    }

    #[test]
    fn mistakes_have_places() {
        check(
            "[] (p -> q",
            "
error: this parenthesis is not closed
 --> formula:1:4
  |
1 | [] (p -> q
  |    ^",
        );
        check(
            "p U",
            "
error: expected a proposition at the end
 --> formula:1:4
  |
1 | p U
  |    ^
  |
  = help: propositions are names, \"quoted text\" or expressions",
        );
    }
}
