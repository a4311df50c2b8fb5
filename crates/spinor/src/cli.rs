//! The command line.

use clap::{Parser, Subcommand};

use crate::commands::{check, fmt, graph, replay, simulate};

/// Explicit-state model checker for Promela.
#[derive(Debug, Parser)]
#[command(name = "spinor", version, about)]
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
    /// Execute a trace again.
    Replay(replay::Args),
    /// Format a model.
    Fmt(fmt::Args),
    /// Draw a model.
    Graph(graph::Args),
}
