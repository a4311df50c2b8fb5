//! The names of properties.

use checker::property::without_parentheses;

#[test]
fn only_parentheses_around_everything_go() {
    for (text, expected) in [
        ("(x < 2)", "x < 2"),
        ("x < 2", "x < 2"),
        ("(a) + (b)", "(a) + (b)"),
        ("((a) + (b))", "(a) + (b)"),
        ("(", "("),
        ("", ""),
    ] {
        assert_eq!(without_parentheses(text), expected);
    }
}
