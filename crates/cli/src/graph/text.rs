//! Texts in drawings: breaking them into lines, and escaping them.

/// Break a text into lines of at most `width` characters, at most `lines` of them. What
/// does not fit is replaced by an ellipsis. Lines break at blanks, or behind an operator
/// or comma, or, where there is neither, anywhere.
pub fn wrap(text: &str, width: usize, lines: usize) -> Vec<String> {
    let mut rest: Vec<char> = text.trim().chars().collect();
    let mut wrapped = Vec::new();
    while !rest.is_empty() && wrapped.len() < lines {
        if rest.len() <= width {
            wrapped.push(rest.iter().collect());
            return wrapped;
        }
        if wrapped.len() + 1 == lines {
            let line: String = rest[..width - 1].iter().collect();
            wrapped.push(format!("{}…", line.trim_end()));
            return wrapped;
        }
        let blank = (width / 2..=width).rev().find(|&i| rest[i] == ' ');
        let mark = |&i: &usize| "&|,;=+-)".contains(rest[i - 1]) && !"&|=+-".contains(rest[i]);
        let cut = blank.or_else(|| (width / 2..=width).rev().find(mark));
        let cut = cut.unwrap_or(width);
        let line: String = rest[..cut].iter().collect();
        wrapped.push(line.trim_end().to_owned());
        let skipped = rest[cut..].iter().take_while(|c| **c == ' ').count();
        rest.drain(..cut + skipped);
    }
    wrapped
}

/// The width of a text in columns of a fixed-width font: wide characters take two.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// The blocks of characters that East Asian fonts draw in a square; close enough for boxes.
fn is_wide(c: char) -> bool {
    matches!(c as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0x1f300..=0x1faff | 0x20000..=0x3fffd)
}

/// Escape a text for XML. Characters that XML cannot carry are replaced.
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' => escaped.push(c),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// A text as a quoted string of DOT. Backslashes would start an escape and entities of
/// HTML would be decoded, so both are escaped.
pub fn dot(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '&' if starts_entity(&text[at + 1..]) => quoted.push_str("&amp;"),
            '\u{0}'..='\u{1f}' => quoted.push('\u{fffd}'),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn starts_entity(rest: &str) -> bool {
    let name = |c: char| c.is_ascii_alphanumeric() || c == '#';
    let end = rest.find(|c| !name(c)).unwrap_or(rest.len());
    end > 0 && rest[end..].starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_wrap(text: &str, expected: &[&str]) {
        assert_eq!(wrap(text, 12, 3), expected);
        assert!(
            wrap(text, 12, 3)
                .iter()
                .all(|line| line.chars().count() <= 12)
        );
    }

    #[test]
    fn lines_break_where_they_read_well() {
        check_wrap("", &[]);
        check_wrap("x = 1", &["x = 1"]);
        check_wrap("wants[other] == true", &["wants[other]", "== true"]);
        check_wrap("aaaaaa&&bbbbbbbb", &["aaaaaa&&", "bbbbbbbb"]);
        check_wrap("abcdefghijklmnop", &["abcdefghijkl", "mnop"]);
        check_wrap(
            "one two three four five six seven",
            &["one two", "three four", "five six se…"],
        );
    }

    #[test]
    fn dot_strings() {
        assert_eq!(dot(r#"printf("a\n")"#), r#""printf(\"a\\n\")""#);
        assert_eq!(dot("a && b&c;"), r#""a && b&amp;c;""#);
        assert_eq!(dot("two\nlines"), r#""two\nlines""#);
    }

    #[test]
    fn xml_texts() {
        assert_eq!(
            xml("a<b && \"c\"\u{1}"),
            "a&lt;b &amp;&amp; &quot;c&quot;\u{fffd}"
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("ab"), 2);
        assert_eq!(columns("状態"), 4);
    }
}
