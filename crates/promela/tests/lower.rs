//! What names and indices may stand for: what the lowering says about a model.

use promela::lower::lower;
use promela::parser::parse;
use promela::preprocess::{NoFiles, Options};
use promela::source::SourceMap;

/// The messages about a model that the parser accepts.
fn messages(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let (program, found) = parse("", text, &NoFiles, &Options::default(), &mut sources);
    assert!(found.is_empty(), "the parser refuses\n{text}");
    let (_, found) = lower(&program, &sources);
    found.into_iter().map(|d| d.message).collect()
}

/// Each of these, as the body of a process, against the one message expected of it.
#[track_caller]
fn check_each(declarations: &str, bodies: &[(&str, &str)]) {
    for (body, expected) in bodies {
        let text = format!("{declarations} active proctype P() {{ {body} }}");
        let expected: Vec<&str> = expected.lines().collect();
        assert_eq!(messages(&text), expected, "in\n{text}");
    }
}

/// Spin's verifier refuses exactly those that are refused here.
#[test]
fn assignments_to_elements_that_their_arrays_index() {
    let declarations = "typedef T { byte boss; byte n[3] }; \
        T r[3]; T s; byte a[3], b[3], x; chan c = [1] of { byte };";
    check_each(
        declarations,
        &[
            ("a[a[0]] = 1", "`a` is indexed with itself"),
            ("a[(a[0])]++", "`a` is indexed with itself"),
            ("b[a[a[0]]] = 1", "`a` is indexed with itself"),
            ("a[b[a[0]]]--", "`a` is indexed with itself"),
            ("s.n[s.n[0]] = 1", "`n` is indexed with itself"),
            ("r[0].n[r[1].n[0]] = 1", "`n` is indexed with itself"),
            ("r[a[a[0]]].boss = 1", "`a` is indexed with itself"),
            ("x = a[a[a[0]]]", ""),
            ("a[0] = a[a[0]]", ""),
            ("a[a[0] + 0] = 1", ""),
            ("b[1 + a[a[0]]] = 1", ""),
            ("c ? a[a[0]]", ""),
            ("r[r[0].boss].boss = 1", ""),
            ("r[r[r[0].n[0]].n[0]].n[0] = 1", ""),
            ("r[r[1].boss].n[r[2].boss] = 1", ""),
            ("s.n[r[0].n[0]] = 1", ""),
        ],
    );
}

#[test]
fn variables_of_the_own_proctype() {
    check_each(
        "typedef T { byte f }; byte g;",
        &[
            ("byte x; P[0]:x == 1", ""),
            ("P[0]:x == 1; byte x", ""),
            ("P:v[1] == P[P:v[0]]:v[P:k]; byte v[2], k", ""),
            ("{ byte x; P:x == 1 }; { byte x; P:x == 1 }", ""),
            ("{ byte x; x = 1 }; P:x == 1", ""),
            ("P:x == 1", "proctype `P` has no variable `x`"),
            ("P:g == 1", "proctype `P` has no variable `g`"),
            ("P:v == 1; byte v[2]", "`v` is an array"),
            ("P:x[1] == 1; byte x", "`x` is not an array"),
            ("P:v[k] == 1; byte v[2], k", "`k` is not declared"),
            (
                "P:t == 1; T t",
                "a whole structure cannot be used as a value",
            ),
        ],
    );
}
