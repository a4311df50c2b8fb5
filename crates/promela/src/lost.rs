//! Names that text without a place in the tree may have declared.
//!
//! After a syntax error the tree lacks what was skipped. An error about a name is kept only if the
//! skipped text cannot have declared it.

use std::collections::HashSet;

use crate::source::{SourceMap, Span};
use crate::token::{Interner, Keyword, Name};

/// The names that pieces of text may declare.
pub fn lost_names<'a>(skipped: &[Span], sources: &'a SourceMap) -> HashSet<&'a str> {
    let names = Interner::default();
    let mut lost = HashSet::new();
    for span in skipped {
        let text = &sources.file(span.file).text;
        let end = (span.end as usize).min(text.len());
        let text = text.get(span.start as usize..end).unwrap_or_default();
        lost.extend(declared(text, &names));
    }
    lost
}

/// All words of a text with a declaration in it, else only those in front of a colon: labels.
fn declared<'a>(text: &'a str, names: &Interner) -> Vec<&'a str> {
    let keyword = |word| names.find(word).and_then(Name::keyword);
    let mut words = Vec::new();
    let mut labels = Vec::new();
    let mut declares = false;
    let mut after_name = false;
    for (start, word) in words_of(text) {
        let between = text[..start].trim_end();
        let adjacent = between.ends_with(is_word);
        declares |= match keyword(word) {
            Some(keyword) => Keyword::declares(keyword),
            None => after_name && adjacent,
        };
        after_name = keyword(word).is_none() && !word.starts_with(|c: char| c.is_ascii_digit());
        words.push(word);
        if text[start + word.len()..].trim_start().starts_with(':') {
            labels.push(word);
        }
    }
    match declares {
        true => words,
        false => labels,
    }
}

/// The words of a text and where they begin.
pub fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c| !is_word(c))
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(declared(text, &Interner::default()), expected, "{text}");
    }

    #[test]
    fn declarations_and_labels() {
        check("byte b = ;", &["byte", "b"]);
        check("T x = ;", &["T", "x"]);
        check("x = y +; z = 1", &[]);
        check("again: x = ; goto done", &["again"]);
        check("run P(; c!x", &[]);
    }
}
