//! Symmetry that comments declare.

use checker::declared::check;
use checker::load::{Source, load};

/// What is wrong with the declarations of a text, where only `P` is symmetric.
fn mistake(text: &str) -> Option<String> {
    let model = "active [2] proctype P() { skip } active proctype Q() { skip }";
    let loaded = load(&Source::text("m.pml", model));
    check(&loaded.expect("a model").model, "m.pml", text).err()
}

#[test]
fn declarations_stand_in_comments() {
    for (text, wrong) in [
        ("// @symmetric P", None),
        ("byte symmetric; @symmetric X", None),
        (
            "skip\n// @symmetric P, Q",
            Some("m.pml:2: `Q` is not symmetric"),
        ),
        (
            "\n\n/* @symmetric R */ skip",
            Some("m.pml:3: `R` is not symmetric"),
        ),
    ] {
        let found = mistake(text);
        match wrong {
            Some(wrong) => assert!(found.is_some_and(|it| it.starts_with(wrong)), "{text}"),
            None => assert_eq!(found, None, "{text}"),
        }
    }
}
