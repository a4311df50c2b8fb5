//! When to use colours.

use std::io::IsTerminal;

use clap::ValueEnum;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// In any case.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether to use colours on a stream.
    pub fn on(self, stream: &impl IsTerminal) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                stream.is_terminal() && !set("NO_COLOR") && !dumb
            }
        }
    }
}
