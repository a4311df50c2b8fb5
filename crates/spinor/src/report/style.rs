//! Colours, where they are wanted.

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

/// Puts colours on words, or leaves them as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Whether there are colours.
    pub color: bool,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.color && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Good news.
    pub fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// Bad news.
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// No news.
    pub fn open(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// Of lesser interest.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// A heading.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }
}

/// A text of a model without characters that could move the cursor of a terminal.
pub fn printable(text: &str) -> String {
    let bidirectional = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars()
        .map(|c| match c {
            c if c.is_control() || bidirectional(c) => '\u{fffd}',
            c => c,
        })
        .collect()
}
