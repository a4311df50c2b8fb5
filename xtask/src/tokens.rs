//! Cuts Promela text into tokens, roughly: enough to see which features a model uses.

/// Two-character symbols that are one token.
const PAIRS: [&str; 15] = [
    "::", "->", "!!", "??", "..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "++", "--",
];

/// The tokens of `text`, without comments; a string is the token `"`.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let length = length(rest);
        let (token, after) = rest.split_at(length);
        if token.starts_with('"') {
            found.push(&token[..1]);
        } else if !(token.starts_with("//") || token.starts_with("/*")) {
            found.push(token);
        }
        rest = after.trim_start();
    }
    found
}

/// The length of the token, comment or string that `rest` starts with.
fn length(rest: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        rest.find("*/").map_or(rest.len(), |end| end + 2)
    } else if let Some(inside) = rest.strip_prefix('"') {
        inside.find('"').map_or(rest.len(), |end| end + 2)
    } else if rest.starts_with(is_word) {
        rest.find(|c| !is_word(c)).unwrap_or(rest.len())
    } else if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
        2
    } else {
        rest.chars().next().map_or(1, char::len_utf8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_words_and_numbers() {
        assert_eq!(
            tokens("do :: c??<x_1,2>->y++ od"),
            [
                "do", "::", "c", "??", "<", "x_1", ",", "2", ">", "->", "y", "++", "od"
            ]
        );
    }

    #[test]
    fn comments_and_strings_hide_their_text() {
        assert_eq!(
            tokens("a // atomic\n/* run\n */ printf(\"d_step\\n\") /* open"),
            ["a", "printf", "(", "\"", ")"]
        );
    }
}
