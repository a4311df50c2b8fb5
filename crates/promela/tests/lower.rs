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

/// The statements of a model that come from inlines, with the calls they come from.
#[track_caller]
fn check_inlined(text: &str, expected: &[&str]) {
    let mut sources = SourceMap::default();
    let (program, found) = parse("m", text, &NoFiles, &Options::default(), &mut sources);
    assert!(found.is_empty(), "the parser refuses\n{text}");
    let (model, found) = lower(&program, &sources);
    assert!(found.is_empty(), "{found:?}");
    let inlined = model.transitions.iter().filter(|t| t.call.0 != 0);
    let found: Vec<String> = inlined
        .map(|t| format!("{}  {}", t.text, model.called(t.call)))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn statements_of_inlines_have_the_arguments_of_their_call() {
    check_inlined(
        "byte x, y; chan q = [1] of { byte };
         inline set(a) { x = a }
         inline move(from, to) { q!from; q?to; from = to /* from */ }
         active proctype P() {
         set(1); set(x /* not y */ + y);
         move(x, y) }",
        &[
            "x = 1  set called at m:5:10",
            "x = x + y  set called at m:5:18",
            "q!x  move called at m:6:10",
            "q?y  move called at m:6:10",
            "x = y  move called at m:6:10",
        ],
    );
}

#[test]
fn calls_in_inlines_pass_their_arguments_on() {
    check_inlined(
        "byte x;
         inline set(a) { x = a }
         inline twice(b) { set(b * 2); set(a) }
         byte a; inline get(b) { return b }
         active proctype P() { twice(3);
         x = get(a) }",
        &[
            "x = 3 * 2  set called at m:3:28, twice called at m:5:32",
            "x = a  set called at m:3:40, twice called at m:5:32",
            "return a  get called at m:6:14",
        ],
    );
}

#[test]
fn macros_are_shown_as_written_unless_they_hold_the_call() {
    check_inlined(
        "#define ONE 1
         #define INC(v) v = v + ONE
         #define CALL set(ONE + 2, x)
         #define BOTH 4, x
         byte x;
         inline set(a, b) { b = a; INC(b) }
         active proctype P() {
         set(ONE, x);
         CALL;
         set(BOTH) }",
        &[
            "x = ONE  set called at m:8:10",
            "INC(x)  set called at m:8:10",
            "x = 1 + 2  set called at m:9:10",
            "INC(x)  set called at m:9:10",
            "x = 4  set called at m:10:10",
            "INC(x)  set called at m:10:10",
        ],
    );
}
