//! What to say about a token that does not fit.

use super::stream::{Class, STRONG_RELEASE, letter_operator};
use super::{Parse, Parser, Reported};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::{Keyword, Name, Token, TokenKind};

impl Parser<'_> {
    /// A token in words.
    pub(super) fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Eof => "the end of the file".to_owned(),
            TokenKind::InlineEnd => "the end of the inline".to_owned(),
            TokenKind::Semi if Self::is_implied(token) => "the end of the statement".to_owned(),
            TokenKind::Keyword(keyword) => format!("`{}`", keyword.text()),
            TokenKind::Str => "a string".to_owned(),
            TokenKind::Ident => {
                let text = shorten(self.stream.text(token.name));
                match self.stream.class(token.name) {
                    Class::Plain | Class::Mtype => format!("`{text}`"),
                    Class::Type => format!("the type `{text}`"),
                    Class::Proctype => format!("the proctype `{text}`"),
                    Class::Inline => format!("the inline `{text}`"),
                }
            }
            TokenKind::Number | TokenKind::Char => {
                format!("`{}`", shorten(self.stream.text(token.name)))
            }
            TokenKind::Other => self.describe_other(token.name),
            kind => format!("`{}`", kind.punctuation()),
        }
    }

    fn describe_other(&self, name: Name) -> String {
        match self.stream.text(name) {
            "\"" => "an unterminated string".to_owned(),
            "'" => "an unterminated character constant".to_owned(),
            text => match text.chars().next() {
                Some(c) if c.is_control() || c == '\u{fffd}' => {
                    format!("a stray character (U+{:04X})", c as u32)
                }
                _ => format!("`{text}`"),
            },
        }
    }

    /// Report that something else was expected.
    pub(super) fn unexpected<T>(&mut self, wanted: &str, purpose: &str) -> Parse<T> {
        let token = self.peek();
        self.report_unexpected(token, wanted, purpose);
        Err(Reported)
    }

    /// The same for a token that may have been taken.
    pub(super) fn report_unexpected(&mut self, token: Token, wanted: &str, purpose: &str) {
        let found = self.describe(token);
        let span = self.place_of(token);
        let space = if purpose.is_empty() { "" } else { " " };
        let message = format!("expected {wanted}{space}{purpose}, found {found}");
        let mut diagnostic = Diagnostic::error(span, message).label(format!("expected {wanted}"));
        let help = match self.stream.in_formula {
            true => self.help_in_formula(token),
            false => self.help_for(token, wanted),
        };
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic);
    }

    /// Where to point for a token: what is missing at the end of the file is
    /// missing behind its last token.
    pub(super) fn place_of(&self, token: Token) -> Span {
        let same_file = self.previous.file == token.span.file;
        if token.kind == TokenKind::Eof && same_file && self.previous.end > 0 {
            return Span {
                start: self.previous.end,
                ..self.previous
            };
        }
        token.span
    }

    /// Advice for a token that is often a mistake, wherever it stands.
    fn help_for(&self, token: Token, wanted: &str) -> Option<String> {
        let text = self.stream.text(token.name);
        Some(match token.kind {
            TokenKind::Assign => "use `==` to compare".to_owned(),
            TokenKind::Other => match text {
                "\"" => "a string must end on the line where it begins".to_owned(),
                "'" => "a character constant is written `'a'`".to_owned(),
                _ => return None,
            },
            TokenKind::Keyword(Keyword::Full | Keyword::Empty | Keyword::NFull) => {
                "a probe of a channel can only be combined with `&&` and `||`".to_owned()
            }
            TokenKind::Keyword(keyword) if self.is_declared_like(keyword) => {
                format!("`{}` is a keyword", keyword.text())
            }
            TokenKind::Ident => match self.similar_keyword(token.name) {
                Some(keyword) => format!("did you mean `{}`?", keyword.text()),
                None if wanted == "a type" => {
                    let text = shorten(text);
                    format!("a typedef `{text}` must precede its use and must not contain itself")
                }
                None => return None,
            },
            _ => return None,
        })
    }

    /// Advice about a name that was meant as an operator of a formula.
    fn help_in_formula(&self, token: Token) -> Option<String> {
        let before = self.stream.pre.sources.snippet(self.previous);
        let found = self.stream.text(token.name);
        for text in [before, found] {
            if let Some((_, operator)) = letter_operator(text) {
                return Some(format!(
                    "`{text}` is declared in this model; write `{operator}` for the operator"
                ));
            }
            if text == STRONG_RELEASE {
                return Some("write `b U (a && b)` for `a M b`".to_owned());
            }
        }
        None
    }

    /// Keywords that look like names one might give.
    fn is_declared_like(&self, keyword: Keyword) -> bool {
        use Keyword as K;
        matches!(
            keyword,
            K::Active
                | K::Bit
                | K::Enabled
                | K::Eval
                | K::Hidden
                | K::Init
                | K::Len
                | K::Local
                | K::Np
                | K::Of
                | K::Pid
                | K::Priority
                | K::Provided
                | K::Select
                | K::Show
                | K::Trace
                | K::Never
        )
    }

    /// A name is taken or not a name at all.
    pub(super) fn bad_name<T>(&mut self, token: Token, what: &str) -> Parse<T> {
        let class = match token.kind {
            TokenKind::Ident => self.stream.class(token.name),
            TokenKind::Keyword(keyword) => {
                let text = keyword.text();
                // Taken, so that it is not mistaken for the start of something.
                self.bump();
                self.report(
                    Diagnostic::error(token.span, format!("expected {what}, found `{text}`"))
                        .label("this is a keyword")
                        .help("choose another name"),
                );
                return Err(Reported);
            }
            _ => return self.unexpected(what, ""),
        };
        let taken = match class {
            Class::Plain => return self.unexpected(what, ""),
            Class::Type => "a type",
            Class::Proctype => "a proctype",
            Class::Inline => "an inline",
            Class::Mtype => "a symbolic constant (mtype)",
        };
        let text = shorten(self.stream.text(token.name)).to_owned();
        self.report(
            Diagnostic::error(
                token.span,
                format!("expected {what}, but `{text}` is {taken}"),
            )
            .help("choose another name"),
        );
        Err(Reported)
    }

    /// Add to the last report where something was opened that is not closed.
    pub(super) fn opened_at(&mut self, error: Reported, place: Span, mark: &str) -> Reported {
        if let Some(last) = self.stream.pre.diagnostics.last_mut()
            && last.notes.is_empty()
            && last.is_error()
        {
            last.notes.push((place, format!("`{mark}` opened here")));
        }
        error
    }

    /// The keyword that a name may be a slip of.
    pub(super) fn similar_keyword(&self, name: Name) -> Option<Keyword> {
        let text = self.stream.text(name);
        if !(3..=20).contains(&text.len()) {
            return None;
        }
        // Two slips are plausible in a long word only.
        let limit = |word: &str| match text.len().min(word.len()) {
            0..=2 => 0,
            3..=4 => 1,
            _ => 2,
        };
        Keyword::ALL
            .iter()
            .map(|&k| (distance(text, k.text()), k))
            .filter(|&(d, k)| d <= limit(k.text()))
            .min_by_key(|&(d, _)| d)
            .map(|(_, k)| k)
    }
}

/// The start of a long name.
pub(super) fn shorten(text: &str) -> &str {
    match text.char_indices().nth(60) {
        Some((at, _)) => &text[..at],
        None => text,
    }
}

/// How many insertions, deletions, changes or swaps of neighbours lead from one to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let mut cost = (row[j] + usize::from(a[i] != b[j]))
                .min(row[j + 1] + 1)
                .min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                cost = cost.min(before[j - 1] + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        assert_eq!(distance("proctype", "proctype"), 0);
        assert_eq!(distance("protype", "proctype"), 1);
        assert_eq!(distance("atmoic", "atomic"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
