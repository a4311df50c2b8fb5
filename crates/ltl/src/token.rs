//! The words of a formula as text.

use std::ops::Range;

use crate::formula::{Binary, Unary};

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Open,
    Close,
    Unary(Unary),
    Binary(Binary),
    Constant(bool),
    /// A name or a number.
    Word,
    /// Text between double quotes.
    Quoted,
    /// An operator of expressions that joins two operands, such as `==` or `+`.
    Joint,
    /// Any other character of expressions.
    Other,
}

/// A piece of text with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// Longer ones first, since the first that fits is taken.
const SYMBOLS: &[(&str, Kind)] = &[
    ("<->", Kind::Binary(Binary::Equivalent)),
    ("->", Kind::Binary(Binary::Implies)),
    ("<>", Kind::Unary(Unary::Eventually)),
    ("[]", Kind::Unary(Unary::Always)),
    ("&&", Kind::Binary(Binary::And)),
    ("/\\", Kind::Binary(Binary::And)),
    ("||", Kind::Binary(Binary::Or)),
    ("\\/", Kind::Binary(Binary::Or)),
    ("==", Kind::Joint),
    ("!=", Kind::Joint),
    ("<=", Kind::Joint),
    (">=", Kind::Joint),
    ("<<", Kind::Joint),
    (">>", Kind::Joint),
    ("??", Kind::Other),
    ("!", Kind::Unary(Unary::Not)),
    ("~", Kind::Unary(Unary::Not)),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("<", Kind::Joint),
    (">", Kind::Joint),
    ("+", Kind::Joint),
    ("-", Kind::Joint),
    ("*", Kind::Joint),
    ("/", Kind::Joint),
    ("%", Kind::Joint),
    ("&", Kind::Joint),
    ("|", Kind::Joint),
    ("^", Kind::Joint),
];

/// The words that are no names.
const WORDS: &[(&str, Kind)] = &[
    ("true", Kind::Constant(true)),
    ("false", Kind::Constant(false)),
    ("always", Kind::Unary(Unary::Always)),
    ("G", Kind::Unary(Unary::Always)),
    ("eventually", Kind::Unary(Unary::Eventually)),
    ("F", Kind::Unary(Unary::Eventually)),
    ("next", Kind::Unary(Unary::Next)),
    ("X", Kind::Unary(Unary::Next)),
    ("until", Kind::Binary(Binary::Until)),
    ("stronguntil", Kind::Binary(Binary::Until)),
    ("U", Kind::Binary(Binary::Until)),
    ("weakuntil", Kind::Binary(Binary::WeakUntil)),
    ("W", Kind::Binary(Binary::WeakUntil)),
    ("release", Kind::Binary(Binary::Release)),
    ("V", Kind::Binary(Binary::Release)),
    ("R", Kind::Binary(Binary::Release)),
    ("M", Kind::Binary(Binary::StrongRelease)),
    ("implies", Kind::Binary(Binary::Implies)),
    ("equivalent", Kind::Binary(Binary::Equivalent)),
];

/// True if the text is a name or a number, and not an operator.
pub(crate) fn is_plain(text: &str) -> bool {
    matches!(tokens(text)[..], [Token { kind: Kind::Word, ref span }] if span.len() == text.len())
}

/// All tokens of a text. A quote that does not end becomes one character.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, len) = token(&text[at..], first);
        tokens.push(Token {
            kind,
            span: at..at + len,
        });
        at += len;
    }
    tokens
}

fn token(text: &str, first: char) -> (Kind, usize) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if is_word(first) {
        let len = text.find(|c| !is_word(c)).unwrap_or(text.len());
        let known = WORDS.iter().find(|(word, _)| *word == &text[..len]);
        return (known.map_or(Kind::Word, |&(_, kind)| kind), len);
    }
    if first == '"'
        && let Some(len) = text[1..].find('"')
    {
        return (Kind::Quoted, len + 2);
    }
    let symbol = SYMBOLS.iter().find(|(symbol, _)| text.starts_with(symbol));
    match symbol {
        Some(&(symbol, kind)) => (kind, symbol.len()),
        None => (Kind::Other, first.len_utf8()),
    }
}
