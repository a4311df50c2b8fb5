//! `spinor replay`.

use std::path::PathBuf;

use crate::exit::Exit;

/// Arguments of `spinor replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The model.
    pub model: PathBuf,
}

/// Run the command.
pub fn run(args: &Args) -> Exit {
    let _ = args;
    Exit::Internal
}
