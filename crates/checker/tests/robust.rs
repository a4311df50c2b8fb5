//! Hostile input through the whole pipeline: text to diagnostics, or to a model and a search.
//!
//! Whatever the text is, nothing panics, overflows the stack or takes memory without bounds.
//! While a text is tried it lies in `robust-*.pml` of the directory for test files, so that
//! even the end of the process leaves the culprit behind. `SPINOR_SEED` repeats a random run,
//! and `SPINOR_COUNT` says how many texts it tries.

#[path = "robust/mutate.rs"]
mod mutate;
#[path = "robust/pipeline.rs"]
mod pipeline;

use std::fs;
use std::path::Path;

use mutate::{Random, mutate, soup};
use pipeline::{Fate, Pipeline, number};

/// How many random texts; unoptimised code is slow.
const COUNT: u64 = if cfg!(debug_assertions) { 200 } else { 2_000 };

fn body(statements: &str) -> String {
    format!("byte x; int y; chan c = [1] of {{ byte }};\nactive proctype P() {{ {statements} }}")
}

/// Try named texts and demand that each is refused or searched, as the name is marked.
#[track_caller]
fn check(test: &str, expected: fn(&Fate) -> bool, texts: Vec<(&str, String)>) {
    let pipeline = Pipeline::new(test);
    for (name, text) in texts {
        let fate = pipeline.run(name, &text);
        assert!(expected(&fate), "{name}: {fate:?}");
    }
    pipeline.check_memory();
}

fn is_refused(fate: &Fate) -> bool {
    matches!(fate, Fate::Refused(_))
}

fn is_searched(fate: &Fate) -> bool {
    matches!(fate, Fate::Searched(_))
}

fn is_answered(_: &Fate) -> bool {
    true
}

/// `M0` is `unit`, and each of the others is the one before it, twice.
fn doubling(unit: &str, levels: usize) -> String {
    let mut text = format!("#define M0 {unit}\n");
    for i in 1..=levels {
        let below = i - 1;
        text.push_str(&format!("#define M{i} M{below} M{below}\n"));
    }
    text
}

/// `f0` is `unit`, and each of the others calls the one before it `width` times.
fn calling(unit: &str, levels: usize, width: usize) -> String {
    let mut text = format!("inline f0() {{ {unit} }}\n");
    for i in 1..=levels {
        let calls = format!("f{}(); ", i - 1).repeat(width);
        text.push_str(&format!("inline f{i}() {{ {calls} }}\n"));
    }
    text
}

#[test]
fn texts_that_are_no_models() {
    let megabytes = if cfg!(debug_assertions) { 1 } else { 10 };
    let fill = |unit: &str| unit.repeat((megabytes << 20) / unit.len());
    let mut random = Random::new(1);
    let noise: Vec<u8> = (0..megabytes << 20)
        .map(|_| random.below(256) as u8)
        .collect();
    check(
        "garbage",
        is_refused,
        vec![
            ("NUL", "\0".to_owned()),
            ("many NULs", fill("\0")),
            ("noise", String::from_utf8_lossy(&noise).into_owned()),
            ("quotes", fill("\"")),
            ("letters", fill("x")),
            ("words", fill("init ")),
            ("digits", fill("9")),
            ("open braces", fill("init {")),
            ("closed braces", fill("}")),
            ("parentheses", fill("(")),
            ("comment without end", fill("/* ")),
            ("conditions without end", fill("#if 1\n")),
            ("directives", fill("#\n#pragma x\n#else\n")),
            ("colons", fill(":: ")),
            ("not ASCII", fill("é\u{202e}\u{feff}")),
            ("text without line", body(&fill("goto "))),
        ],
    );
}

#[test]
fn deep_nesting() {
    let nested = |open: &str, middle: &str, close: &str, n: usize| {
        body(&format!("{}{middle}{}", open.repeat(n), close.repeat(n)))
    };
    for n in [120, 1_000, 100_000] {
        let expected = if n > 128 { is_refused } else { is_searched };
        check(
            "nesting",
            expected,
            vec![
                ("parentheses", nested("(", "x == 0", ")", n)),
                ("options", nested("if :: ", "skip", " fi", n)),
                ("loops", nested("do :: ", "break", " od", n)),
                ("blocks", nested("{ ", "x = 1", " }", n)),
                ("atomic", nested("atomic { ", "x = 1", " }", n)),
            ],
        );
        check(
            "nesting",
            is_answered,
            vec![
                ("negations", nested("!", "x", "", n)),
                ("minuses", nested("y = - ", "x", "", n)),
                ("unless", nested("{ x = 1 } unless { ", "skip", " }", n)),
                ("indices", nested("x[", "0", "]", n)),
                ("conditionals", nested("y = (x -> 1 : ", "2", ")", n)),
                ("runs", nested("run P(", "", ")", n)),
                (
                    "formula",
                    format!("ltl p {{ {} true {} }}", "[](".repeat(n), ")".repeat(n)),
                ),
            ],
        );
    }
}

#[test]
fn long_chains() {
    let many = 100_000;
    let labels: String = (0..20_000)
        .map(|i| format!("L{i}: x = 1; goto L{i}; "))
        .collect();
    let variables: String = (0..20_000).map(|i| format!("byte v{i};\n")).collect();
    let proctypes: String = (0..2_000)
        .map(|i| format!("active proctype Q{i}() {{ x++ }}\n"))
        .collect();
    let names: String = (0..20_000).map(|i| format!("n{i}, ")).collect();
    let fields: String = (0..5_000).map(|i| format!("byte f{i}; ")).collect();
    check(
        "chains",
        is_answered,
        vec![
            ("sum", body(&format!("y = x{}", " + x".repeat(20_000)))),
            ("comparison", body(&format!("x{}", " == x".repeat(20_000)))),
            ("conjunction", body(&format!("x{}", " && x".repeat(20_000)))),
            ("short sum", body(&format!("y = x{}", " + x".repeat(900)))),
            ("statements", body(&"x++; ".repeat(many))),
            (
                "statements in an atomic",
                body(&format!("atomic {{ {} }}", "x++; ".repeat(many))),
            ),
            (
                "statements in a d_step",
                body(&format!("d_step {{ {} }}", "x++; ".repeat(many))),
            ),
            (
                "options",
                body(&format!("do {} od", ":: x++ ".repeat(20_000))),
            ),
            (
                "options of a d_step",
                body(&format!("d_step {{ if {} fi }}", ":: x++ ".repeat(20_000))),
            ),
            (
                "else only",
                body(&format!("if {} fi", ":: else -> skip ".repeat(10_000))),
            ),
            (
                "unless",
                body(&format!("x = 1{}", " unless { x = 2 }".repeat(1_000))),
            ),
            ("labels", body(&labels)),
            (
                "labels of one statement",
                body(&format!("{} skip", "L: ".repeat(many))),
            ),
            ("jumps", body(&"goto end; ".repeat(20_000))),
            ("variables", format!("{variables}{}", body("v19999 = 1"))),
            ("locals", body(&variables)),
            ("proctypes", format!("byte x;\n{proctypes}")),
            (
                "constants",
                format!("mtype = {{ {names} last }};\n{}", body("x = 1")),
            ),
            (
                "fields",
                format!(
                    "typedef T {{ {fields} }};\nT t[100];\n{}",
                    body("t[3].f17 = 1")
                ),
            ),
            ("message", body(&format!("c!x{}", ", x".repeat(many)))),
            (
                "arguments",
                body(&format!("printf(\"%d\"{})", ", x".repeat(many))),
            ),
            (
                "string",
                body(&format!("printf(\"{}\")", "%d".repeat(many))),
            ),
            (
                "formulas",
                (0..2_000)
                    .map(|i| format!("ltl p{i} {{ <>[] x }}\n"))
                    .collect::<String>()
                    + &body("x = 1"),
            ),
        ],
    );
}

#[test]
fn huge_numbers() {
    let mut texts = Vec::new();
    for number in [
        "127",
        "128",
        "255",
        "256",
        "32768",
        "65535",
        "65536",
        "16777216",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "18446744073709551616",
        "99999999999999999999999999999999",
        "-1",
        "-2147483648",
        "(1 << 31)",
        "(0-2147483647-1)",
    ] {
        texts.extend([
            (
                "value",
                body(&format!("y = {number}; x = {number}; assert(y == x)")),
            ),
            (
                "arithmetic",
                body(&format!(
                    "y = {number}; y = -y; y = y * y; y = y / -1; y = y % -1; y = y - {number}"
                )),
            ),
            (
                "shift",
                body(&format!(
                    "y = 1 << {number}; y = 1 >> {number}; y = {number} << 31"
                )),
            ),
            (
                "index",
                format!("byte a[3]; {}", body(&format!("a[{number}] = a[{number}]"))),
            ),
            (
                "array",
                format!("byte a[{number}]; {}", body("a[1] = 1; a[y] = 2")),
            ),
            (
                "array of int",
                format!("int a[{number}], b[{number}]; {}", body("a[1] = 1")),
            ),
            ("local array", body(&format!("int a[{number}]; a[2] = 1"))),
            (
                "hidden array",
                format!("hidden int a[{number}]; {}", body("a[1] = 1")),
            ),
            (
                "channel",
                format!(
                    "chan d = [{number}] of {{ int, byte }}; {}",
                    body("d!1,2; d?y,x")
                ),
            ),
            (
                "channels",
                format!(
                    "chan d[{number}] = [2] of {{ int }}; {}",
                    body("d[0]!1; d[1]?y")
                ),
            ),
            (
                "local channel",
                body(&format!(
                    "chan d = [{number}] of {{ int }}; do :: d!y :: d?y od"
                )),
            ),
            (
                "copies",
                format!("active [{number}] proctype Q() {{ byte x; x = 1 }}"),
            ),
            (
                "bits",
                format!("unsigned u : {number}; {}", body("u = 7; u = u + 1")),
            ),
            ("loop", body(&format!("for (y : 0 .. {number}) {{ skip }}"))),
            (
                "loop in a d_step",
                body(&format!("d_step {{ for (y : 0 .. {number}) {{ skip }} }}")),
            ),
            ("select", body(&format!("select (y : -1 .. {number})"))),
            (
                "priority",
                format!("active proctype Q() priority {number} {{ set_priority(_pid, {number}) }}"),
            ),
            (
                "process",
                body(&format!(
                    "x = P[{number}]@end; x = enabled({number}); x = pc_value({number})"
                )),
            ),
            (
                "initial value",
                format!(
                    "byte b = {number}; bit t = {number}; short s = {number}; {}",
                    body("x = b")
                ),
            ),
        ]);
    }
    check("numbers", is_answered, texts);
}

#[test]
fn huge_states() {
    let structs: String = (1..30)
        .map(|i| format!("typedef T{i} {{ T{} a[9]; T{} b }};\n", i - 1, i - 1))
        .collect();
    let arrays: String = (0..20).map(|i| format!("int a{i}[60000];\n")).collect();
    let nested = format!("typedef T0 {{ int a[9] }};\n{structs}");
    check(
        "states",
        is_answered,
        vec![
            ("60 kB", format!("byte a[60000]; {}", body("do :: a[y] = 1; y = (y + 7) % 60000 od"))),
            ("1 MB", format!("int a[250000]; {}", body("do :: a[y] = 1; y++ od"))),
            ("100 MB", format!("int a[25000000]; {}", body("do :: a[y] = 1; y++ od"))),
            ("many arrays", format!("{arrays}{}", body("do :: a1[y] = 1; y++ od"))),
            ("structs", format!("{nested}T4 t;\n{}", body("t.b.b.b.b.a[1] = 1; y++"))),
            ("structs of structs", format!("{nested}T29 t;\n{}", body("y++"))),
            ("long messages", format!("typedef M {{ int a[1000] }};\nchan d = [255] of {{ M }};\nM m; {}", body("do :: d!m :: d?m od"))),
            ("many processes", "byte n; proctype Q() { n++; false } init { do :: run Q() od }".to_owned()),
            ("many large processes", "proctype Q() { int a[5000]; false } init { do :: run Q() od }".to_owned()),
            ("many channels", "proctype Q() { chan d[9] = [9] of { int }; d[1]!1; false } init { do :: run Q() od }".to_owned()),
            ("copies", "byte n; active [255] proctype Q() { do :: n++ od }".to_owned()),
            ("endless atomic", body("atomic { do :: y++ od }")),
            ("endless d_step", body("d_step { do :: y++ od }")),
            ("endless d_step without change", body("d_step { do :: skip od }")),
            ("broad atomic", body("atomic { do :: y = y * 3 + 1 :: y = y * 3 + 2 :: y = y * 3 od }")),
            ("channel of itself", "chan c = [3] of { chan }; active proctype P() { do :: c!c :: c?c od }".to_owned()),
        ],
    );
}

#[test]
fn exponential_texts() {
    check(
        "growth",
        is_answered,
        vec![
            (
                "macro",
                format!("{}{}", doubling("x = 1;", 60), body("M60")),
            ),
            (
                "small macro",
                format!("{}{}", doubling("x++;", 12), body("M12")),
            ),
            (
                "macro of nothing",
                format!("{}{}", doubling("", 60), body("M60 x = 1")),
            ),
            (
                "macro expression",
                format!("{}{}", doubling("x +", 60), body("y = M60 1")),
            ),
            (
                "macro with arguments",
                format!(
                    "#define D(a) a a\n{}",
                    body(&format!("{}x++; {}", "D(".repeat(90), ")".repeat(90)))
                ),
            ),
            (
                "macro of itself",
                format!("#define M M M\n#define N(a) N(a a)\n{}", body("M; N(x)")),
            ),
            (
                "macros of each other",
                format!("#define A B B\n#define B A A\n{}", body("A")),
            ),
            (
                "inline",
                format!("byte z; {}{}", calling("z++", 15, 9), body("f15()")),
            ),
            (
                "small inline",
                format!("byte z; {}{}", calling("z++", 4, 9), body("f4()")),
            ),
            (
                "inline of options",
                format!(
                    "byte z; {}{}",
                    calling("if :: z++ :: z-- fi", 6, 3),
                    body("f6()")
                ),
            ),
            (
                "inline of itself",
                format!("inline f() {{ f() }}\n{}", body("f()")),
            ),
        ],
    );
}

#[test]
fn files_that_include_themselves() {
    let dir = tempfile::tempdir().expect("a directory");
    let at = |name: &str| dir.path().join(name);
    let write = |name: &str, text: &str| fs::write(at(name), text).expect("a file");
    write("self.pml", "#include \"self.pml\"\ninit { skip }\n");
    write(
        "twice.pml",
        "#include \"twice.pml\"\n#include \"twice.pml\"\n",
    );
    write("ping.pml", "#include \"pong.pml\"\n");
    write("pong.pml", "#include \"ping.pml\"\n#include \"ping.pml\"\n");
    write("missing.pml", "#include \"not there.pml\"\ninit { skip }\n");
    write("directory.pml", "#include \".\"\ninit { skip }\n");
    for level in 0..40 {
        let next = format!("#include \"wide{}.pml\"\n", level + 1);
        write(&format!("wide{level}.pml"), &next.repeat(2));
    }
    write("wide40.pml", "byte x;\n");
    let pipeline = Pipeline::new("include");
    for name in ["self", "twice", "ping", "missing", "directory", "wide0"] {
        let fate = pipeline.run_file(name, &at(&format!("{name}.pml")));
        assert!(is_refused(&fate), "{name}: {fate:?}");
    }
    pipeline.check_memory();
}

#[test]
fn texts_with_little_in_them() {
    check(
        "little",
        is_answered,
        vec![
            ("nothing", String::new()),
            ("blank", " \n\t\r\n".to_owned()),
            ("comment", "/* nothing */ // nothing".to_owned()),
            ("byte order mark", "\u{feff}".to_owned()),
            ("declaration", "byte x;".to_owned()),
            ("no process", "proctype P() { skip }".to_owned()),
            ("empty process", "init { }".to_owned()),
            ("line without end", "init { skip } \\".to_owned()),
            ("CR", "byte x;\rinit { x = 1 }\r".to_owned()),
            ("never", "never { skip }".to_owned()),
            ("claim only", "ltl { <> true }".to_owned()),
        ],
    );
}

/// The texts of the corpus.
fn corpus() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut paths = Vec::new();
    for dir in [root.clone(), root.join("features")] {
        let entries = fs::read_dir(dir).expect("a directory");
        paths.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    let read = |path| fs::read_to_string(path).expect("a text");
    paths.iter().map(read).collect()
}

/// Try random texts, each from a seed of its own.
fn check_random(test: &str, make: impl Fn(&mut Random) -> String) {
    let seed = number("SPINOR_SEED").unwrap_or(1);
    let count = number("SPINOR_COUNT").unwrap_or(COUNT);
    println!("SPINOR_SEED={seed} SPINOR_COUNT={count}");
    let pipeline = Pipeline::new(test);
    let mut searched = 0;
    for number in 0..count {
        let text = make(&mut Random::new(seed.wrapping_add(number)));
        let name = format!("SPINOR_SEED={} text 0", seed.wrapping_add(number));
        searched += usize::from(is_searched(&pipeline.run(&name, &text)));
    }
    println!("{searched} of {count} were models");
    pipeline.check_memory();
}

#[test]
fn mutated_models() {
    let corpus = corpus();
    check_random("mutated", |random| {
        let text = match random.below(2) {
            0 => corpus[random.below(corpus.len())].clone(),
            _ => generate::model(random.below(usize::MAX) as u64),
        };
        mutate(&text, random)
    });
}

#[test]
fn token_soup() {
    let corpus = corpus();
    check_random("soup", |random| soup(&corpus, random));
}
