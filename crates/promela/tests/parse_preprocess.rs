//! The preprocessor: macros, conditionals, includes.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};

use promela::preprocess::{FileLoader, Options, Preprocessor};
use promela::source::SourceMap;
use promela::token::{Flags, TokenKind};

/// Files by name, and how often one was asked for.
struct Files(Vec<(&'static str, &'static str)>, Cell<usize>);

impl FileLoader for Files {
    fn load(&self, path: &Path) -> io::Result<String> {
        self.1.set(self.1.get() + 1);
        self.0
            .iter()
            .find(|(name, _)| Path::new(name) == path)
            .map(|(_, text)| (*text).to_owned())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn run(text: &str, files: &Files, options: &Options) -> (String, Vec<String>) {
    let mut sources = SourceMap::default();
    let path = Path::new("dir/main.pml");
    let mut pre = Preprocessor::new(path, text, files, options, &mut sources);
    let mut out: Vec<String> = Vec::new();
    loop {
        let token = pre.next_token();
        if token.kind == TokenKind::Eof {
            break;
        }
        let text = format!("{}{}", token.kind.punctuation(), pre.names.text(token.name));
        let line = token.flags.has(Flags::NEWLINE) && !out.is_empty();
        out.push(if line { format!("/{text}") } else { text });
    }
    let diagnostics = std::mem::take(&mut pre.diagnostics);
    let diagnostics = diagnostics.iter().map(|d| d.short(&sources)).collect();
    (out.join(" "), diagnostics)
}

/// The tokens that come out, with `/` where Spin sees a line break.
#[track_caller]
fn check(text: &str, expected: &str) {
    let (tokens, diagnostics) = run(text, &Files(Vec::new(), Cell::new(0)), &Options::default());
    assert_eq!(diagnostics, [""; 0], "in\n{text}");
    assert_eq!(tokens, expected, "in\n{text}");
}

/// The diagnostics that come out, without the file's name.
#[track_caller]
fn check_errors(text: &str, expected: &[&str]) {
    let (_, diagnostics) = run(text, &Files(Vec::new(), Cell::new(0)), &Options::default());
    let diagnostics: Vec<&str> = diagnostics
        .iter()
        .map(|d| d.trim_start_matches("dir/main.pml:"))
        .collect();
    assert_eq!(diagnostics, expected, "in\n{text}");
}

#[test]
fn objects() {
    check("#define N 3\nN M N", "3 M 3");
    check("#define A B\n#define B A\nA B", "A B");
    check("#define A A + 1\nA", "A + 1");
    check("#define A 1\n#undef A\nA", "A");
    check("#define EMPTY\nx EMPTY y\nEMPTY z", "x y /z");
    check("#define LONG 1 \\\n  + 2\nLONG", "1 + 2");
    check("#define PAREN (x)\nPAREN", "( x )");
    check("#define N 3\n1..N N..1", "1 .. 3 3 .. 1");
    check("#define A /* gone */ 1 // gone\nA", "1");
    check("__LINE__\n__LINE__ __FILE__", "1 /2 \"dir/main.pml\"");
}

#[test]
fn functions() {
    check(
        "#define F(x) x x\nF(1) F (2) F F(F(3))",
        "1 1 2 2 F 3 3 3 3",
    );
    check(
        "#define F(x, y) y x\nF(1, 2) F((a, b), [c])",
        "2 1 [ c ] ( a , b )",
    );
    check("#define F() 1\nF() F( )", "1 1");
    check("#define F(x) <x>\nF()", "< >");
    check("#define F(x) G\n#define G(x) x\nF(1)(2)", "2");
    check("#define f(x) f(x + 1)\nf(f(1))", "f ( f ( 1 + 1 ) + 1 )");
    check("#define S(x) #x\nS(a + \"b\\n\")", r#""a + \"b\\n\"""#);
    check(
        "#define P(x, y) x ## y\nP(a, 1) P(, b) P(a,) P(1, 2)",
        "a1 b a 12",
    );
    check(
        "#define V(x, ...) x(__VA_ARGS__)\nV(f) V(f, 1, 2)",
        "f ( ) f ( 1 , 2 )",
    );
    check("#define F(x) x\nF\n(1) y", "1 /y");
}

#[test]
fn line_breaks() {
    check("#define F(x, y) x y\nF(a,\n b)", "a b");
    check("#define F(x, y) x y\nF(a,\n b) c", "a b /c");
    check("#define F(x) x\nF(a) b", "a b");
    check("a\n#define X\nb", "a /b");
    check("a \\\n b", "a /b");
    check("a /*\n*/ b /* */ c", "a /b c");
}

#[test]
fn conditionals() {
    check("#if 1\na\n#else\nb\n#endif\nc", "a /c");
    check("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b");
    check("#ifdef A\na\n#if 1\n#else\n#endif\n#endif\nb", "b");
    check("#define A\n#ifdef A\na\n#endif\n#ifndef A\nb\n#endif", "a");
    check(
        "#define N 2\n#if N * 3 == 6 && defined N && !defined(M)\na\n#endif",
        "a",
    );
    check(
        "#if (1 ? 2 : 3) == 2 && 0x10 == 16 && 'a' == 97 && ~0 == -1 && 7 / 2 % 2\na\n#endif",
        "a",
    );
    check(
        "#if UNKNOWN || 1 << 3 != 8 || 0 && 1 / 0\na\n#endif\nb",
        "b",
    );
    check(
        "#if 0\n#include \"nothing\"\n#error no\ndon't\n#endif\na",
        "a",
    );
    check(
        "#pragma once\n#line 3 \"x\"\n# 4 \"y\"\n#ident \"z\"\n#\na",
        "a",
    );
}

#[test]
fn mistakes() {
    check_errors(
        "#if 1\n#ifdef\n#endif\n#else\n#else\n#endif\n#endif\n#elif 1",
        &[
            "2:7: error: `#ifdef` needs the name of a macro",
            "5:1: error: `#elif` or `#else` after `#else`",
            "7:1: error: `#endif` without `#if`",
            "8:1: error: `#elif` without `#if`",
        ],
    );
    check_errors(
        "#if\n#endif\n#if 1 +\n#endif\n#if 1 / 0\n#endif\n#if (1\n#endif\n#if 1 2\n#endif\n#if \"a\"\n#endif\n#if defined\n#endif",
        &[
            "1:1: error: this directive needs a condition",
            "3:1: error: the condition is incomplete",
            "5:7: error: division by zero",
            "7:1: error: expected `)`",
            "9:7: error: unexpected text after the condition",
            "11:5: error: expected an integer",
            "13:5: error: `defined` needs the name of a macro",
        ],
    );
    check_errors(
        "#define\n#define 1\n#define defined 1\n#define F(\n#define F(x\n#define F(x,x) x\n#define F(1) x\n#define P ## a\n#undef 1",
        &[
            "1:8: error: `#define` needs the name of a macro",
            "2:9: error: `#define` needs the name of a macro",
            "3:9: error: `defined` cannot be defined",
            "4:9: error: malformed macro parameter list",
            "5:9: error: malformed macro parameter list",
            "6:13: error: macro parameter `x` appears twice",
            "7:11: error: malformed macro parameter list",
            "8:11: error: `##` needs a token on either side",
            "9:8: error: `#undef` needs the name of a macro",
        ],
    );
    check_errors(
        "#define F(x, y) x\nF(1)\nF(1, 2, 3)\n#define P(x) x ## +\nP(a)\n#define S(x) # y\nS(1)\n#define N 1\n#define N 2\nF(1",
        &[
            "2:1: error: macro `F` takes 2 arguments, not 1",
            "3:1: error: macro `F` takes 2 arguments, not 3",
            "5:1: error: `##` does not form a token: `a+`",
            "6:14: error: `#` in a macro must be followed by a parameter",
            "9:9: warning: macro `N` redefined",
            "10:1: error: the argument list of macro `F` is not closed",
        ],
    );
    check_errors(
        "#error no way\n#warning beware\n#frob\n#include\n#include \"a.h\"\n#if 1\n/* open",
        &[
            "1:1: error: #error: no way",
            "2:1: warning: #warning: beware",
            "3:1: error: unknown preprocessor directive",
            "4:1: error: `#include` needs the name of a file",
            "5:1: error: cannot read `a.h`: no such file",
            "7:1: error: unterminated comment",
            "6:1: error: conditional without `#endif`",
        ],
    );
}

#[test]
fn includes() {
    let files = Files(
        vec![
            ("dir/a.h", "a1\n#include \"sub/b.h\"\na2 F"),
            ("dir/sub/b.h", "b1\n#include \"c.h\"\nb2"),
            ("dir/sub/c.h", "c"),
            ("inc/d.h", "d\n#include <e.h>\n"),
            ("inc/e.h", "e"),
            ("dir/self.h", "#include \"self.h\"\n"),
            (
                "dir/twice.h",
                "#include \"double.h\"\n#include \"double.h\"\n",
            ),
            ("dir/double.h", "#include \"twice.h\"\n"),
        ],
        Cell::new(0),
    );
    let options = Options {
        include_dirs: vec![PathBuf::from("other"), PathBuf::from("inc")],
        ..Options::default()
    };
    let check = |text: &str, expected: &str| {
        let (tokens, diagnostics) = run(text, &files, &options);
        assert_eq!(diagnostics, [""; 0], "in\n{text}");
        assert_eq!(tokens, expected, "in\n{text}");
    };
    check("#include \"a.h\"\nx", "a1 /b1 /c /b2 /a2 F /x");
    check("#include <d.h>\n#include \"e.h\"", "d /e /e");
    check(
        "#define NAME \"a.h\"\n#include NAME\n",
        "a1 /b1 /c /b2 /a2 F",
    );
    // A call does not reach beyond its file.
    check(
        "#define F(x) x\n#include \"a.h\"\n(1)",
        "a1 /b1 /c /b2 /a2 F /( 1 )",
    );
    for text in ["#include \"self.h\"", "#include \"twice.h\""] {
        files.1.set(0);
        let (_, diagnostics) = run(text, &files, &options);
        assert_eq!(diagnostics.len(), 1);
        assert!(diagnostics[0].contains("includes are nested more than 64 deep"));
        // Each file is loaded once.
        assert!(files.1.get() <= 4);
    }
}

#[test]
fn command_line() {
    let files = Files(Vec::new(), Cell::new(0));
    let define = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
    let options = Options {
        defines: vec![
            define("A", None),
            define("B", Some("2 + A")),
            define("F(x)", Some("x x")),
            define("E", Some("")),
            define("N", Some("1\n#define M 3")),
        ],
        ..Options::default()
    };
    let (tokens, diagnostics) = run("A B F(y) E M", &files, &options);
    assert_eq!(tokens, "1 2 + 1 y y M");
    assert_eq!(diagnostics, [""; 0]);
    let options = Options {
        defines: vec![define("1", None), define("C", Some("3"))],
        ..Options::default()
    };
    let (tokens, diagnostics) = run("C", &files, &options);
    assert_eq!(tokens, "3");
    assert_eq!(
        diagnostics,
        ["<command line>:1:9: error: `#define` needs the name of a macro"]
    );
}
