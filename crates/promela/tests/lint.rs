//! Lints: each against texts that it warns about and texts that it leaves alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use promela::diagnostic::Diagnostic;
use promela::lint::{Lint, Lints, check as lint};
use promela::lower::lower;
use promela::parser::parse;
use promela::preprocess::{DiskLoader, Options};
use promela::source::SourceMap;

/// The warnings of lints about a model without errors, as lines; `None` with errors.
fn warnings(path: &Path, text: &str, lints: Lints) -> Option<Vec<String>> {
    let mut sources = SourceMap::default();
    let options = Options::default();
    let (program, found) = parse(path, text, &DiskLoader, &options, &mut sources);
    let (_, more) = lower(&program, &sources);
    if found.iter().chain(&more).any(Diagnostic::is_error) {
        return None;
    }
    let found = lint(&program, &sources, lints);
    Some(found.iter().map(|d| d.short(&sources)).collect())
}

/// Only one lint.
fn only(lint: Lint) -> Lints {
    let mut lints = Lints::none();
    lints.warn(lint);
    lints
}

/// The warnings of a lint about a text: places and messages, one a line.
#[track_caller]
fn check(lint: Lint, text: &str, expected: &str) {
    let found =
        warnings(Path::new("m"), text, only(lint)).unwrap_or_else(|| panic!("an error in {text}"));
    let warning = format!("warning[{}]: ", lint.name());
    let found: Vec<_> = found
        .iter()
        .map(|line| line["m:".len()..].replace(&warning, ""))
        .collect();
    assert_eq!(found.join("\n"), expected, "{text}");
}

/// The same for the body of a process, in a line of its own.
#[track_caller]
fn check_body(lint: Lint, declarations: &str, body: &str, expected: &str) {
    let text = format!("{declarations}\nactive proctype P(chan p) {{\n{body} }}");
    check(lint, &text, expected);
}

#[test]
fn constant_truncation() {
    let declarations = "byte b; bit t; bool f; short s; unsigned u : 3; mtype = { A }; \
        chan c = [1] of { byte, bit }; chan d = [1] of { bit }; bit many[2]; hidden byte h; \
        proctype Q(byte x; short y) { skip }";
    let lint = Lint::ConstantTruncation;
    for body in [
        "b = 255; b = 0; b = b + 300",
        "s = -32768; u = 7; many[0] = 2; h = 300",
        "d!3; c!255,1; c!b,t",
        "run Q(1, 2)",
        "b = (f -> 300 : 1); b = ~0",
        "if :: 3 > 4 -> b = 300 :: skip fi",
    ] {
        check_body(lint, declarations, body, "");
    }
    for (body, expected) in [
        ("b = 300", "3:5: 300 does not fit into `byte`"),
        ("b = 200 + 100", "3:5: 300 does not fit into `byte`"),
        ("b = -1", "3:5: -1 does not fit into `byte`"),
        ("t = 2", "3:5: 2 does not fit into `bit`"),
        ("f = 2", "3:5: 2 does not fit into `bool`"),
        ("s = 32768", "3:5: 32768 does not fit into `short`"),
        ("s = -32769", "3:5: -32769 does not fit into `short`"),
        ("u = 8", "3:5: 8 does not fit into `unsigned : 3`"),
        (
            "c!256,2",
            "3:3: 256 does not fit into `byte`\n3:7: 2 does not fit into `bit`",
        ),
        (
            "run Q(256, 70000)",
            "3:7: 256 does not fit into `byte`\n3:12: 70000 does not fit into `short`",
        ),
        ("byte x = 256", "3:10: 256 does not fit into `byte`"),
        (
            "byte x[2] = { 1, 256 }",
            "3:18: 256 does not fit into `byte`",
        ),
        (
            "for (b : 0 .. 256) { skip }",
            "3:15: 256 does not fit into `byte`",
        ),
    ] {
        check_body(lint, declarations, body, expected);
    }
}

#[test]
fn constant_index() {
    let declarations = "typedef T { byte f[3] }; byte a[2], n = 2; byte v[n]; T t; T r[4];";
    check_body(
        Lint::ConstantIndex,
        declarations,
        "a[0] = a[1]; v[7] = t.f[2]; r[3].f[0] = 1; a[n] = 1; for (n in a) { a[n] = 1 }",
        "",
    );
    check_body(
        Lint::ConstantIndex,
        declarations,
        "a[2] = a[-1]; assert(r[1 + 3].f[3] == v[0])",
        "3:3: `a` has no element 2\n\
         3:10: `a` has no element -1\n\
         3:24: `r` has no element 4\n\
         3:33: `f` has no element 3",
    );
    check_body(
        Lint::ConstantIndex,
        "#define N 2\nbyte a[N], x;",
        "if :: N > 2 -> a[2] = 1 :: else fi; x = (N > 2 -> a[2] : 0); \
         x = N > 2 && a[2]; x = N < 3 || a[2]",
        "",
    );
}

#[test]
fn assignment_guard() {
    let declarations = "byte x, y, a[2];";
    for body in [
        "if :: x = 1 :: x = 0 fi",
        "do :: x = 0 :: x = 1 :: break od",
        "if :: x = 1 -> y = 1 :: x = 2 -> y = 2 fi",
        "if :: x == 1 -> x = 2 :: x = 3; y = 1 fi",
        "if :: y == 1 -> skip :: x = 1 -> skip fi",
        "if :: x == 1 -> skip :: else -> x = 1 fi",
        "if :: a[0] == 1 -> skip :: a[1] = 1 -> skip fi",
    ] {
        check_body(Lint::AssignmentGuard, declarations, body, "");
    }
    check_body(
        Lint::AssignmentGuard,
        declarations,
        "if :: x = 1 -> y = 1 :: else fi",
        "3:7: this option begins with an assignment, so `else` can never be taken",
    );
    check_body(
        Lint::AssignmentGuard,
        declarations,
        "do :: y > 1 && x == 0 -> y = 1 :: x = 1 -> y = 2 od",
        "3:35: `x` is assigned here, but compared in other options",
    );
    check_body(
        Lint::AssignmentGuard,
        declarations,
        "if :: a[0] == 1 -> skip :: a[0] = 2 -> skip fi",
        "3:28: `a[0]` is assigned here, but compared in other options",
    );
}

#[test]
fn mtype_number() {
    let declarations = "mtype = { A, B }; mtype m; mtype:x = { C }; mtype:x n; byte b;";
    for body in [
        "m = A; assert(m == B && m != A)",
        "m = 0; assert(m == 0)",
        "assert(A == 2)",
        "b = 1; assert(b == 1 && b == A)",
    ] {
        check_body(Lint::MtypeNumber, declarations, body, "");
    }
    check_body(
        Lint::MtypeNumber,
        declarations,
        "m = 1; assert(2 == m || n > 3)",
        "3:5: an mtype is assigned the number 1\n\
         3:15: an mtype is compared with the number 2\n\
         3:29: an mtype is compared with the number 3",
    );
    check_body(
        Lint::MtypeNumber,
        "#define ONE 1\nmtype m;",
        "m = ONE; assert(m == ONE)",
        "",
    );
}

#[test]
fn channel_arity() {
    let declarations = "typedef T { byte a; byte b[2] }; T t; byte x; \
        chan c = [1] of { byte, byte }; chan s = [1] of { T }; chan w = [1] of { T, byte }; \
        chan other = [1] of { byte };";
    for body in [
        "c!1,2; c?x,_; c?x(_); assert(c?[1,x] && c?[x] && len(c) == 0)",
        "s!t; s?t; s!1,2,3; w!t,1; w?1,2,3,x",
        "other = c; other!1,2; other?x,_",
        "chan d; d = c; d!1,2",
        "chan two[2] = [0] of { byte, byte }; two[x]!1,2; two[1]?x,_",
        "s?other,_,_; other!1,2",
    ] {
        check_body(
            Lint::ChannelArity,
            declarations,
            &format!("{body}; p!1,2,3"),
            "",
        );
    }
    check_body(
        Lint::ChannelArity,
        declarations,
        "c!1; c?x; c?x,_,_; c?[x,1,_]; s!t,1; w?t; t.a++",
        "3:1: this sends 1 field, but messages of `c` have 2\n\
         3:6: this receives 1 field, but messages of `c` have 2\n\
         3:11: this receives 3 fields, but messages of `c` have 2\n\
         3:20: this tests 3 fields, but messages of `c` have 2\n\
         3:31: this sends 4 fields, but messages of `s` have 3\n\
         3:38: this receives 3 fields, but messages of `w` have 4",
    );
    check_body(
        Lint::ChannelArity,
        "chan two[2] = [0] of { byte, byte };",
        "two[1]!1",
        "3:1: this sends 1 field, but messages of `two` have 2",
    );
}

#[test]
fn unused_variable() {
    for text in [
        "byte x; init { x = 1 }",
        "byte x; init { x > 0 }",
        "hidden byte x; init { skip }",
        "init { show byte x; x = 1 }",
        "byte _x; init { byte _y; _y = 1 }",
        "byte x; init { skip } ltl { [] (x == 0) }",
        "byte x; init { skip } never { do :: x == 0 od }",
        "init { byte x; skip; P: printf(\"%d\", x) }",
        "active proctype P() { byte x = 1; assert(P:x == 1) }",
        "chan c = [1] of { byte }; init { byte x; c?x }",
        "chan c = [1] of { byte }; init { c!1 }",
        "init { byte i; for (i : 1 .. 3) { skip } }",
        "init { byte i; i++ }",
        "init { pid p; p = run Q() } proctype Q() { skip }",
        "proctype Q(byte x) { skip } init { run Q(1) }",
        "byte n = 3; byte a[n]; init { a[0] > 0 }",
        "byte x;\n#define USE x == 1\ninit { skip }",
        "proctype Q() { byte x } init { run Q() }",
        "byte x;\n#ifdef NEVER\ninit { x > 0 }\n#else\ninit { skip }\n#endif",
        "byte x;\ninline use() { x > 0 }\ninit { skip }",
        "inline f(v) { byte t; t = v; v = t + 1 }\nbyte x, y; init { f(x); f(y) }",
        "typedef T { byte a; byte b }; T t; init { t.a > 0 }",
    ] {
        check(Lint::UnusedVariable, text, "");
    }
    let each = [
        ("byte x; init { skip }", "1:6", "never used"),
        ("init { byte y = 1; skip }", "1:13", "never used"),
        ("init { byte y; y = 1 }", "1:13", "set but never read"),
        (
            "typedef T { byte a }; init { T y; y.a = 1 }",
            "1:32",
            "set but never read",
        ),
        (
            "init { byte y; y = 1; /* y */ skip }",
            "1:13",
            "set but never read",
        ),
        (
            "inline f() { byte y; y = 1 }\ninit { f(); f() }",
            "1:19",
            "set but never read",
        ),
    ];
    for (text, place, what) in each {
        let name = if text.starts_with("byte x") { "x" } else { "y" };
        check(
            Lint::UnusedVariable,
            text,
            &format!("{place}: `{name}` is {what}"),
        );
    }
}

/// An included file may serve other models too.
#[test]
fn included_variables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint");
    let text = "#include \"shared.h\"\nbyte y; init { skip }";
    let found = warnings(&folder.join("m.pml"), text, Lints::all()).expect("no error");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("`y` is never used"), "{found:?}");
}

#[test]
fn unreachable_option() {
    let declarations = "byte x;";
    for body in [
        "goto L; L: x++",
        "goto L; { x++; L: x++ }",
        "do :: x > 1 -> break :: else -> x++ od; x++",
        "if :: x > 0 -> goto L :: else fi; x++; L: skip",
        "do :: true -> x++ :: x > 1 -> break od",
        "if :: x > 1 :: true fi; false",
        "if :: x++ :: printf(\"x\") fi",
    ] {
        check_body(Lint::UnreachableOption, declarations, body, "");
    }
    let unreachable = "this can never be reached";
    for (body, place) in [
        ("L: x > 0; goto L; x++", "3:19"),
        ("do :: x > 1; break; x++ :: else od", "3:21"),
        ("false; x++", "3:8"),
        ("(1 > 2); { x++ }", "3:10"),
    ] {
        check_body(
            Lint::UnreachableOption,
            declarations,
            body,
            &format!("{place}: {unreachable}"),
        );
    }
    let never = "this `else` can never be taken";
    for (body, place) in [
        ("if :: true -> x++ :: else -> x-- fi", "3:22"),
        ("do :: x > 1 :: else -> skip :: break od", "3:16"),
        ("do :: x++ :: else -> skip od", "3:14"),
        ("do :: atomic { x++; x++ } :: else -> skip od", "3:30"),
    ] {
        check_body(
            Lint::UnreachableOption,
            declarations,
            body,
            &format!("{place}: {never}"),
        );
    }
    check_body(
        Lint::UnreachableOption,
        declarations,
        "if :: false -> x++ :: 0 -> skip :: 3 < 2 :: x > 0 fi",
        "3:7: this option can never be taken\n\
         3:23: this option can never be taken\n\
         3:36: this option can never be taken",
    );
    check(
        Lint::UnreachableOption,
        "#define DEBUG 0\n#define YES 1\n#define END goto end\nbyte x;\n\
         inline f(n) { if :: n == 0 -> x++ :: else fi }\n\
         init { if :: DEBUG -> x++ :: YES -> x-- :: else fi; f(0); f(1); \
         if :: DEBUG > 0 -> skip :: x > 0 fi; END; end: skip }",
        "",
    );
    check(
        Lint::UnreachableOption,
        "init { skip } never { do :: false :: true od }",
        "",
    );
}

#[test]
fn comments_turn_lints_off() {
    check(
        Lint::UnusedVariable,
        "// spinor: allow(unused-variable)\nbyte x;\nbyte y; init { skip }",
        "",
    );
    check(
        Lint::UnusedVariable,
        "byte x; // spinor: allow(unused-variable)\ninit { skip }",
        "",
    );
    check(
        Lint::UnusedVariable,
        "init { skip }\n/* spinor: allow(unused-variable) */\nbyte x;",
        "",
    );
    check(
        Lint::UnusedVariable,
        "byte x;\nbyte y; // spinor: allow(unused-variable)\nbyte z; init { skip }",
        "1:6: `x` is never used\n\
         3:6: `z` is never used",
    );
    check(
        Lint::ConstantTruncation,
        "byte b;\ninline set(v) { b = v }\ninit { set(300) } // spinor: allow(constant-truncation)",
        "",
    );
    check(
        Lint::UnusedVariable,
        "byte x; // spinor: allow(mtype-number)\ninit { skip }",
        "1:6: `x` is never used",
    );
}

#[test]
fn lints_are_off_by_choice() {
    let text = "byte x; init { byte b = 300; assert(b) }";
    let mut lints = Lints::all();
    let found = |lints| warnings(Path::new("m"), text, lints).map_or(0, |found| found.len());
    assert_eq!(found(lints), 2);
    lints.allow(Lint::UnusedVariable);
    assert_eq!(found(lints), 1);
    assert_eq!(found(Lints::none()), 0);
}

/// A model that does on purpose what a lint warns of says so.
#[test]
fn models_of_the_corpus() {
    let mut folders: Vec<PathBuf> =
        vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder exists") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "pml") {
                let text = fs::read_to_string(&path).expect("it can be read");
                let warnings = warnings(&path, &text, Lints::all()).unwrap_or_default();
                let name = path
                    .file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned();
                if !warnings.is_empty() {
                    found.push((name, warnings.len()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:?}");
}

/// Generated models are large. A quadratic lint would take hours.
#[test]
fn large_programs() {
    let n = 40_000;
    let mut text = String::from("byte x; chan c = [1] of { byte };\n");
    for i in 0..n {
        text.push_str(&format!("byte v{i};\n"));
    }
    text.push_str("active proctype P() { byte a[3]; do\n");
    for i in 0..n {
        text.push_str(&format!(
            ":: x == {} && a[1] > 0 -> c!1; v{i} = x + 300\n",
            i % 256
        ));
    }
    text.push_str(":: x = 1 -> skip\n");
    for _ in 0..n {
        text.push_str(":: x = 1 -> a[0] = 1\n");
    }
    text.push_str("od }");
    let mut sources = SourceMap::default();
    let options = Options::default();
    let (program, found) = parse("m", &text, &DiskLoader, &options, &mut sources);
    assert!(found.is_empty(), "{found:?}");
    let start = Instant::now();
    lint(&program, &sources, Lints::all());
    assert!(start.elapsed() < Duration::from_secs(60));
}
