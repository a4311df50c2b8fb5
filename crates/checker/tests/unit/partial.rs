//! What is reported of a text with several mistakes.

use checker::load::{LoadError, Source, load};

/// The places of the errors of a model, by line.
#[track_caller]
fn check(text: &str, lines: &[u32]) {
    let found = load(&Source::text("m.pml", text));
    let Err(LoadError::Diagnostics(diagnostics, sources)) = found else {
        panic!("accepted: {text}");
    };
    let found: Vec<u32> = diagnostics.iter().map(|d| sources.line(d.span)).collect();
    assert_eq!(found, lines, "{diagnostics:#?}");
}

#[test]
fn mistakes_in_intact_units_are_reported_too() {
    check(
        "byte a = ;\nactive proctype P() { b = 1 }\nactive proctype Q() { goto L }",
        &[1, 2, 3],
    );
}

#[test]
fn the_rest_of_a_body_is_checked() {
    check(
        "active proctype P() { byte a;\na = ;\nb = 1;\ngoto L;\nif\n:: a > -> skip\n:: c\nfi }",
        &[2, 3, 4, 6, 7],
    );
    check(
        "inline f() {\nskip skip }\nactive proctype P() { f();\na = 1 }",
        &[2, 4],
    );
    check(
        "init { run Q(1);\nskip skip }\nproctype Q() {\nbreak }",
        &[1, 2, 4],
    );
}

#[test]
fn consequences_are_not_reported() {
    check("proctype P(byte) { skip }\ninit { run P(1) }", &[1]);
    check("typedef T { byte }\nT t; init { t.x = 1 }", &[1]);
    check("inline f( { skip }\ninit { f() }", &[1]);
    check(
        "init { byte x = ;\nx = 1; goto L;\nL: x = ; x = 2 }",
        &[1, 3],
    );
    check("init { goto L;\nL: x = ;\nskip }", &[2]);
    check(
        "init { skip } }\nbyte i; x = 1 }\nproctype P() { byte i; i = 1 }",
        &[1, 2],
    );
    check(
        "#define DECLARE(x) byte x =\nDECLARE(a) ;\ninit { a = 1 }",
        &[2],
    );
    check("byte a = ;\nactive proctype P() { a = 1 }", &[1]);
    check("#include \"nowhere\"\nactive proctype P() { a = 1 }", &[1]);
    check("proctype P() {\nif }\ninit { run P() }", &[2]);
}
