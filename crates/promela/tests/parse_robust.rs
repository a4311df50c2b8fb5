//! Inputs nobody would write: the parser must answer each of them with diagnostics.

use std::time::{Duration, Instant};

use promela::ast::Program;
use promela::diagnostic::Diagnostic;
use promela::parser::parse;
use promela::preprocess::{NoFiles, Options};
use promela::render::render;
use promela::source::SourceMap;

fn run(text: &str) -> (Program, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let (program, diagnostics) = parse("m.pml", text, &NoFiles, &Options::default(), &mut sources);
    for diagnostic in &diagnostics {
        let span = diagnostic.span;
        let file = sources.file(span.file);
        assert!(span.start <= span.end && span.end as usize <= file.text.len());
    }
    let rendered = render(&diagnostics, &sources, false);
    assert!(rendered.len() < 200_000, "{}", rendered.len());
    (program, diagnostics)
}

/// Whether an error with this message comes out; for an empty one, that none does.
#[track_caller]
fn check(text: &str, expected: &str) {
    let start = Instant::now();
    let (_, diagnostics) = run(text);
    let errors: Vec<&str> = diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.message.as_str())
        .collect();
    if expected.is_empty() {
        assert_eq!(errors, [""; 0]);
    } else {
        assert!(errors.contains(&expected), "{errors:?}");
    }
    // Generous, for slow machines and unoptimised builds.
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(60), "{taken:?}");
}

fn body(statements: &str) -> String {
    format!("byte x; init {{ {statements} }}")
}

#[test]
fn deep_nesting() {
    let deep = "nested more than 128 levels deep";
    for n in [1_000, 100_000] {
        check(
            &body(&format!("x = {}1{}", "(".repeat(n), ")".repeat(n))),
            deep,
        );
        check(
            &body(&format!("{}skip{}", "{".repeat(n), "}".repeat(n))),
            deep,
        );
        check(&body(&"x[".repeat(n)), deep);
        check(&body(&"if :: ".repeat(n)), deep);
        check(&body(&"if :: skip :: else -> ".repeat(n)), deep);
        check(&body(&"do :: atomic { ".repeat(n)), deep);
        check(&body(&"for (x : 1 .. 2) { ".repeat(n)), deep);
        check(&body(&"enabled(".repeat(n)), deep);
        check(&body(&format!("x?{}", "eval(x?[".repeat(n))), deep);
        check(&body(&"x?[eval(".repeat(n)), deep);
        check(&body(&"(x -> ".repeat(n)), deep);
        check(&body(&"x = 1 unless { ".repeat(n)), deep);
        check(&body(&"x.x[".repeat(n)), deep);
        check(&body(&"run P(".repeat(n)), deep);
        check(
            &"(".repeat(n),
            "expected a declaration, a proctype, `init`, a claim or a formula, found `(`",
        );
        check(&format!("ltl {{ {} x }}", "[] (".repeat(n)), deep);
    }
    let levels = 120;
    check(
        &body(&format!(
            "x = {}1{}",
            "(".repeat(levels),
            ")".repeat(levels)
        )),
        "",
    );
    check(
        &body(&format!(
            "{}skip{}",
            "if :: ".repeat(levels),
            " fi".repeat(levels)
        )),
        "",
    );
    check(
        &body(&format!("{}skip{}", "{".repeat(levels), "}".repeat(levels))),
        "",
    );
    let mixed = "if :: x == (((((x[x[(((1))) + 2 * (3)]])))))  -> atomic { ".repeat(8);
    check(&body(&format!("{mixed} skip {}", "} fi ".repeat(8))), "");
}

#[test]
fn long_chains() {
    let high = "expression of more than 1000 operators in a row";
    check(&body(&format!("x = x{}", " + x".repeat(100_000))), high);
    check(&body(&format!("x = {}x", "- ".repeat(100_000))), high);
    check(&body(&format!("x = x{}", " + x".repeat(900))), "");
    let outer = format!("]{}", " + x".repeat(900));
    check(
        &body(&format!("x = {}1{}", "x[".repeat(50), outer.repeat(50))),
        high,
    );
    check(&body(&"x = 1; ".repeat(20_000)), "");
    check(&body(&"x = 1\n".repeat(20_000)), "");
    check(
        &body(&format!("if {} fi", ":: x -> skip ".repeat(20_000))),
        "",
    );
    check(&body(&format!("{} skip", "L: ".repeat(20_000))), "");
    check(&format!("byte x{};", ", x".repeat(20_000)), "");
    check(&body(&format!("x{}", ".x".repeat(20_000))), "");
    check(&body(&format!("x!x{}", ",x".repeat(20_000))), "");
    check(
        &body(&format!("x?{}x{}", "(".repeat(20_000), ")".repeat(20_000))),
        "",
    );
    check(&"byte x;\n".repeat(20_000), "");
}

#[test]
fn runaway_macros() {
    let many = "macros expand to too many tokens";
    let mut text = String::from("#define M0 x x\n");
    for i in 1..60 {
        text.push_str(&format!("#define M{i} M{} M{}\n", i - 1, i - 1));
    }
    check(&format!("{text} M59"), many);
    let mut text = String::from("#define M0(a) a a\n");
    for i in 1..60 {
        text.push_str(&format!("#define M{i}(a) M{}(a a)\n", i - 1));
    }
    check(&format!("{text} M59(x)"), many);
    let mut text = String::from("#define M0\n");
    for i in 1..60 {
        text.push_str(&format!("#define M{i} M{} M{}\n", i - 1, i - 1));
    }
    check(&format!("{text} M59"), many);
    check(
        &format!("#define F(a) a\n{}", "F(".repeat(100_000)),
        "the argument list of macro `F` is not closed",
    );
    check(
        &format!(
            "#define F(a) a\nbyte x = {}1{};",
            "F(".repeat(500),
            ")".repeat(500)
        ),
        "macro calls are nested more than 100 deep",
    );
    check("#define A B\n#define B A\nbyte A;", "");
    check(
        "#define f(x) f(f(x))\nbyte f(1);",
        "expected a declaration, a proctype, `init`, a claim or a formula, found `(`",
    );
    check(
        &format!(
            "#if {}1{}\n#endif",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        "the condition is nested too deeply",
    );
    check(
        &format!("#if {}1\n#endif", "! ".repeat(100_000)),
        "the condition is nested too deeply",
    );
}

#[test]
fn runaway_inlines() {
    let mut text = String::from("byte x; inline f0(a) { a = 1; a = 2 }\n");
    for i in 1..15 {
        let calls = format!("f{}(a); ", i - 1).repeat(10);
        text.push_str(&format!("inline f{i}(a) {{ {calls} }}\n"));
    }
    check(
        &format!("{text} init {{ f14(x) }}"),
        "inlines expand to too many tokens",
    );
    let long = "x+".repeat(500) + "x";
    let text = "inline f(a) { ".to_owned() + &"skip; x = a; ".repeat(10_000) + " }";
    check(
        &format!("byte x; {text} init {{ f({long}) }}"),
        "inlines expand to too many tokens",
    );
    let mut text = String::from("byte x; inline f0(a) { a = 1 }\n");
    for i in 1..20 {
        text.push_str(&format!("inline f{i}(a) {{ f{}(a) }}\n", i - 1));
    }
    check(&format!("{text} init {{ f15(x) }}"), "");
    check(
        &format!("{text} init {{ f16(x) }}"),
        "inlines are nested more than 16 deep",
    );
    check("inline f() { f() } init { f() }", "inline `f` calls itself");
    check(
        "inline f() { g() } inline g() { f() } init { f() }",
        "inline `f` calls itself",
    );
}

#[test]
fn garbage() {
    for unit in [
        "\0",
        "\"",
        "'",
        "\\",
        "é",
        "}",
        "{",
        ")",
        "(",
        "::",
        ";",
        "/*",
        "#",
        "@",
        "$ ",
        "x ",
        "1 ",
        "fi ",
        "\n#if 1",
        "\n#if 0",
        "\n#else",
        "init {",
        "c_code {",
        "inline f(",
        "ltl {",
        "proctype P(",
        "\"\\\"",
        "mtype = {",
        "do ::",
        "byte ",
        "typedef T {",
        "#define X(",
        "\\\n",
        "'\\''",
        "\u{feff}",
        "\u{202e}",
        "0x1 ",
    ] {
        let text = unit.repeat(30_000 / unit.len());
        let start = Instant::now();
        let (_, diagnostics) = run(&text);
        assert!(diagnostics.len() <= 220, "{unit:?}: {}", diagnostics.len());
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(60), "{unit:?}: {taken:?}");
    }
}

/// A small generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

#[test]
fn token_soup() {
    let seed = std::env::var("PARSE_SEED")
        .ok()
        .and_then(|s| s.parse().ok());
    let seed = seed.unwrap_or(0x9e37_79b9_7f4a_7c15);
    println!("PARSE_SEED={seed}");
    let mut random = Random(seed | 1);
    let model = include_str!("ui/everything.pml");
    let words: Vec<&str> = model
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .collect();
    let extra = [
        "\n#if 0\n",
        "\n#endif\n",
        "\n#define x y\n",
        "\n#include \"m\"\n",
        "/*",
        "*/",
        "//",
        "\"",
        "\0",
        "é",
        "'",
    ];
    for _ in 0..1_000 {
        let mut text = String::new();
        if random.below(2) == 0 {
            let mut words = words.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(words.len());
                match random.below(4) {
                    0 => {
                        words.remove(at);
                    }
                    1 => words.insert(at, words[random.below(words.len())]),
                    2 => words.insert(at, extra[random.below(extra.len())]),
                    _ => words.truncate(at.max(1)),
                }
            }
            text.extend(words);
        } else {
            for _ in 0..random.below(200) {
                if random.below(20) == 0 {
                    text.push_str(extra[random.below(extra.len())]);
                } else {
                    text.push_str(words[random.below(words.len())]);
                }
            }
        }
        run(&text);
    }
}
