//! The `spinor` binary.

use std::process::ExitCode;

use clap::Parser;
use spinor::cli::{Cli, Command};
use spinor::commands::{check, fmt, graph, replay, simulate};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let exit = match &cli.command {
        Command::Check(args) => check::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Graph(args) => graph::run(args),
    };
    exit.into()
}
