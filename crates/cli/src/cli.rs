//! The command line: arguments in, exit status out.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use checker::{Blame, Report};

use crate::commands::{check, fmt, graph, ltl, plan, replay, simulate};
use crate::exit::Exit;
use crate::habits;
use crate::report::json;

const ABOUT: &str = "Explicit-state model checker for Promela";
const LONG_ABOUT: &str = "\
Checks models of concurrent systems written in Promela, the language of Spin. It explores all \
executions of a model and reports whether each property holds, with a counterexample if it does \
not.";

/// Explicit-state model checker for Promela.
#[derive(Debug, Parser)]
#[command(name = "spinor", version, about = ABOUT, long_about = LONG_ABOUT)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a model: does every execution satisfy every property?
    Check(check::Args),
    /// Execute a model step by step.
    Simulate(simulate::Args),
    /// Replay a trace.
    Replay(replay::Args),
    /// Format models.
    Fmt(fmt::Args),
    /// Draw the automata of a model.
    Graph(graph::Args),
    /// Print the automaton of a formula.
    Ltl(ltl::Args),
    /// Print how a model would be checked, or which options may be combined.
    Plan(plan::Args),
}

/// Whether the arguments are for a command that searches, or prepares to.
pub fn checks(args: &[OsString]) -> bool {
    args.get(1)
        .is_some_and(|arg| arg == "check" || arg == "plan")
}

/// Do what the arguments say; the first one is the name of the program.
pub fn run(args: &[OsString]) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage(args, &error),
    };
    match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Graph(args) => graph::run(args),
        Command::Ltl(args) => ltl::run(args),
        Command::Plan(args) => plan::run(args),
    }
}

/// Say what is wrong with the arguments, or give the help that they ask for.
fn usage(args: &[OsString], error: &clap::Error) -> Exit {
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    match json::wanted(args) {
        Some(format) if !asked => {
            let text = error.render().to_string();
            let reason = text.lines().next().unwrap_or_default();
            let reason = reason.trim_start_matches("error: ").to_owned();
            let report = Report::failed(&model_of(args), Blame::User, reason);
            // Nobody can be told when this fails.
            let _ = json::print_as(format, &report);
        }
        _ => {
            let _ = error.print();
            let command = Cli::command();
            let commands = command.get_subcommands().map(|c| c.get_name().to_owned());
            let commands: Vec<String> = commands.collect();
            if let Some(advice) = habits::advice(args, &commands).filter(|_| !asked) {
                let _ = writeln!(std::io::stderr(), "\nTry instead: {advice}");
            }
        }
    }
    if asked { Exit::Holds } else { Exit::Usage }
}

/// The report of a bug of ours, as far as the arguments ask for one.
pub fn report_bug(args: &[OsString], message: &str) -> Exit {
    let reason = format!("internal error: {message}");
    let report = Report::failed(&model_of(args), Blame::Us, reason);
    if let Some(format) = json::wanted(args) {
        // Nobody can be told when this fails.
        let _ = json::print_as(format, &report);
    }
    Exit::of(&report)
}

/// The model among arguments that could not be understood: the first that is no option and
/// no command.
fn model_of(args: &[OsString]) -> PathBuf {
    let command = Cli::command();
    let is_command = |arg: &OsString| command.get_subcommands().any(|c| *arg == c.get_name());
    args.iter()
        .skip(1)
        .filter(|arg| !arg.as_encoded_bytes().starts_with(b"-") && !is_command(arg))
        .find(|arg| Path::new(arg).extension().is_some())
        .map(PathBuf::from)
        .unwrap_or_default()
}
