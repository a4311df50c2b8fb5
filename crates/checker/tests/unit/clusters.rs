//! Clusters that comments name.

use checker::clusters::read;
use checker::load::{Source, load};
use reduce::Named;

fn names(text: &str) -> Result<Vec<Vec<Named>>, String> {
    let model = "active [2] proctype P() { skip } active proctype Q() { skip }";
    let loaded = load(&Source::text("m.pml", model));
    read(text, &loaded.expect("a model").model)
}

#[test]
fn comments_that_name_clusters() {
    let text = "/*@cluster P[1] Q*/ byte x; // @cluster P\n// no @cluster Q\n";
    let named = |kind, pid| Named { kind, pid };
    let expected = vec![
        vec![named(0, Some(1)), named(1, None)],
        vec![named(0, None)],
    ];
    assert_eq!(names(text), Ok(expected));
}

#[test]
fn mistakes() {
    for text in [
        "//@cluster R",
        "//@cluster P[x]",
        "//@cluster P[1",
        "/*@cluster*/",
    ] {
        assert!(names(text).is_err(), "{text}");
    }
}
