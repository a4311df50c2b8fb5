//! `spinor ltl`: the automaton of a formula.

use std::io::{self, Write};

use clap::ValueEnum;

use crate::exit::Exit;

/// Arguments of `spinor ltl`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The formula, with names for what is true or false in a state.
    pub formula: String,
    /// Of the executions that violate the formula, as a check takes it.
    #[arg(long)]
    pub negate: bool,
    /// With one set of accepting states.
    #[arg(long)]
    pub states: bool,
    /// The form.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    pub format: Form,
}

/// The form of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people.
    Text,
    /// The Hanoi omega-automata format.
    Hoa,
    /// For Graphviz.
    Dot,
    /// A never claim.
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
        Err(reason) => {
            eprintln!("error: {reason}");
            Exit::Usage
        }
    }
}

fn automaton(args: &Args) -> Result<String, String> {
    let parsed = ltl::parse(&args.formula).map_err(|error| error.to_string())?;
    let formula = match args.negate {
        true => parsed.formula.negated(),
        false => parsed.formula,
    };
    let automaton = match args.states {
        true => ltl::translate_to_buchi(&formula),
        false => ltl::translate(&formula),
    };
    let automaton = automaton.map_err(|error| error.to_string())?;
    let atoms = &parsed.atoms;
    let name = ltl::show(&formula, atoms);
    Ok(match args.format {
        Form::Text => ltl::to_text(&automaton, atoms),
        Form::Hoa => ltl::to_hoa(&automaton, atoms, &name),
        Form::Dot => ltl::to_dot(&automaton, atoms, &name),
        Form::Never => ltl::to_never(&automaton, atoms, &name),
    })
}
