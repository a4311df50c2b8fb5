//! Colours, where they are wanted.

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
