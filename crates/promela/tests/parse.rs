//! What the parser accepts, and what it says about the rest.

use promela::parser::parse;
use promela::preprocess::{NoFiles, Options};
use promela::source::SourceMap;

fn diagnostics(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let (_, diagnostics) = parse("", text, &NoFiles, &Options::default(), &mut sources);
    diagnostics
        .iter()
        .map(|d| d.short(&sources).trim_start_matches(':').to_owned())
        .collect()
}

/// The diagnostics of a model, one a line, as `line:column: severity: message`.
#[track_caller]
fn check(text: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    let expected: Vec<&str> = expected.into_iter().filter(|l| !l.is_empty()).collect();
    assert_eq!(diagnostics(text), expected, "in\n{text}");
}

/// The diagnostics of a body; columns count from its start, which is line 2.
#[track_caller]
fn check_body(body: &str, expected: &str) {
    let declarations = "byte x, y, a[3]; chan c = [1] of { byte }; mtype = { m };";
    let process = "proctype Q(byte p) { skip }";
    check(
        &format!("{declarations} {process} init {{\n{body}\n}}"),
        expected,
    );
}

#[test]
fn everything() {
    check(include_str!("ui/everything.pml"), "");
}

#[test]
fn separators() {
    // A line break ends a statement...
    for body in [
        "skip\nskip",
        "x = 1\nx++\nx--\na[1] = 2\ny = a[1]\nskip",
        "c!1\nc?x\nassert(x)\nrun Q(1)\ntimeout\ntrue\nskip",
        "if :: skip fi\ndo :: break od\n{ skip }\natomic { skip }\nskip",
        "skip /* over\n lines */ skip // and\nskip",
        "byte z\nbyte w = 3\nskip",
        // ...but not an unfinished one, nor one in parentheses.
        "x = 1 +\n2",
        "(x\n == 1\n)",
        "c\n!\n1",
        "x == 1\n-> skip",
        "{ skip }\nunless { x == 1 }",
        "L:\nskip",
        "for (x : 1 .. 3)\n{ skip }",
        "x = (x -> 1 :\n2)",
    ] {
        check_body(body, "");
    }
    // Braces and `else` separate as well.
    for body in [
        "{ skip } skip",
        "atomic { skip } skip",
        "if :: else skip fi",
        "if :: x -> skip :: else fi",
        "if :: x; :: else -> fi",
        "skip;; skip; ; ;skip;",
        "skip -> skip ->",
    ] {
        check_body(body, "");
    }
    let missing = |at: &str, found: &str| {
        format!("{at}: error: expected `;` or `->` between two statements, found {found}")
    };
    check_body("skip skip", &missing("2:6", "`skip`"));
    check_body("x = 1 y = 2", &missing("2:7", "`y`"));
    check_body("if :: skip fi x = 1", &missing("2:15", "`x`"));
    check_body("c?<x>\nskip", &missing("3:1", "`skip`"));
    check_body("x\n+ y", "3:1: error: expected an expression, found `+`");
    check_body(
        "do :: break od\nunless { x }",
        "3:1: error: `unless` without a statement before it",
    );
    check("byte x byte y init { skip }", "");
    check("typedef T { byte x\nbyte y;\n} T t", "");
    // A list goes on behind braces.
    check(
        "chan c = [1] of { byte }, d = [2] of { int }; int v[2] = { 1, 2 }, w;",
        "",
    );
}

#[test]
fn statements() {
    for body in [
        "c!1; c!1(2, 3); c!1, 2; c!!x; c?x; c?1; c?-1; c?m; c?_; c?eval(x + 1); c?x(y, _)",
        "c?(x, y); c?x, (y, 1); c??x; c?<x>; c??<x, y>; c?[x] && c??[1]; c?m(x)",
        "x = 1; a[x] = a[a[1]]; x++; a[1]--; x = run Q(1); assert x == 1",
        "run Q(1) priority 3; set_priority(x, 2); x = get_priority(x)",
        "printf(\"a\\n\"); printf(\"%d %e\", x, m); printm(m); printm(x)",
        "select (x : 1 .. 3); select (x : y .. a[1] + 1)",
        "for (x : 1 .. 3) { skip }; for (x in a) { break }",
        "do :: x -> break :: else -> skip od unless { y }",
        "goto L; L: skip; A: B: C: skip; D: ; E: if :: skip fi; F: }  proctype R() { G:",
        "x = full(c); full(c) && x == 1 || (empty(c) && nfull(c)); assert(nempty(c))",
        "x = len(c) + 1; enabled(x); pc_value(x) > 1; np_; timeout; (timeout)",
        "x = 'a' + '\\n'; x = 010; x = true + false + skip",
        "{ byte z; hidden byte v; local int w; show bit u; z = 1 }",
        "xr c; xs c; skip",
        "c_code { if (x) { y = \"}\"; } }; c_expr { x > '}' }; c_code [x] { skip }",
        "byte in; in = 1; for (in in a) { skip }",
    ] {
        check_body(body, "");
    }
    check_body(
        "break; x = 3 = 4; 3 = x; 1 2",
        "2:1: error: `break` outside a loop
         2:14: error: expected `;` or `->` between two statements, found `=`
         2:21: error: only a variable can be assigned to
         2:28: error: expected `;` or `->` between two statements, found `2`",
    );
    check_body(
        "if :: x od; do :: x fi; fi; :: skip",
        "2:9: error: `if` is closed by `fi`
         2:21: error: `do` is closed by `od`
         2:25: error: `fi` without `if`
         2:29: error: `::` without `if` or `do`",
    );
    check_body(
        "if :: else :: x :: else fi; if :: L: skip :: else fi; { M: skip }",
        "2:20: error: more than one `else` in an `if` or `do`
         2:35: warning: a label before the first statement of an option
         2:57: error: a label before the first statement of a block",
    );
    check_body(
        "{ N: do :: break od }; L: skip unless { x }; skip unless M: x; O: { skip } unless { x }",
        "2:24: error: a label before `unless` is ambiguous
         2:58: error: the escape of an `unless` cannot have a label",
    );
    check_body(
        "if fi; { }; atomic { }; do :: od",
        "2:4: error: expected `::` and an option, found `fi`
         2:10: error: expected a statement, found `}`
         2:22: error: expected a statement, found `}`
         2:31: error: expected a statement, found `od`",
    );
    check_body(
        "L: byte z; M: xr c; m: skip; goto m; return 1; x = 0x10; x = 3f",
        "2:1: error: label before a declaration
         2:12: error: label before an `xr` or `xs` claim
         2:21: error: expected a label, but `m` is a symbolic constant (mtype)
         2:35: error: expected the name of a label, but `m` is a symbolic constant (mtype)
         2:38: error: `return` outside an inline
         2:52: error: hexadecimal numbers are not part of Promela
         2:62: error: `f` cannot follow a number",
    );
    check_body(
        "for (x = 1; x < 3; x++) { skip }; select (x : 3 .. 1); atmoic { skip }; foo(1)",
        "2:8: error: expected `:` or `in`, found `=`
         2:47: error: the range of `select` is empty
         2:56: error: unknown statement `atmoic`
         2:73: error: no inline `foo` has been defined so far",
    );
    check_body(
        "c!run Q(1); byte z = run Q(1); run Q(1) > 0; run Q(run Q(1))",
        "2:3: error: a send cannot start a process
         2:22: error: an initialiser cannot start a process
         2:32: error: `run` inside a larger expression
         2:52: error: more than one `run` in an expression",
    );
    check_body(
        "c?x+1; c?; c!; (x = 1); x = c?y; { xr c }",
        "2:4: error: an expression cannot receive a value
         2:10: error: expected a variable, a constant or `eval(...)`, found `;`
         2:14: error: expected an expression, found `;`
         2:19: error: assignment inside an expression
         2:30: error: a receive cannot be part of an expression
         2:36: error: a sequence needs a statement besides `xr` and `xs`",
    );
}

#[test]
fn probes() {
    check_body(
        "!full(c); full(c) == 1; -nempty(c); x = (full(c) -> 1 : 2); c!empty(c); a[full(c)] = 1",
        "2:1: error: `full` cannot be negated
         2:11: error: `full` can only be combined with `&&` and `||`
         2:26: error: `nempty` can only be combined with `&&` and `||`
         2:42: error: `full` can only be combined with `&&` and `||`
         2:63: error: `empty` can only be combined with `&&` and `||`
         2:75: error: `full` can only be combined with `&&` and `||`",
    );
    check_body(
        "x = !!y; x = --y",
        "2:5: error: `!!` is the sorted send, not a double negation
         2:14: error: `--` is the decrement, not a double minus",
    );
}

#[test]
fn missing_marks() {
    check_body(
        "if :: x -> do :: skip\nfi; x = (1; y = 2",
        "3:1: error: expected `od`, found `fi`
         3:11: error: expected `)` to close this parenthesis, found `;`",
    );
    check_body(
        "do :: x -> { skip\n:: else -> break\nod; x = a[1; skip",
        "3:1: error: expected `}`, found `::`
         4:12: error: expected `]` to close this index, found `;`",
    );
    check(
        "init { if :: skip fi\nproctype P() { x = }\nproctype R() { skip }",
        "2:1: error: expected `}`, found `proctype`
         2:20: error: expected an expression, found `}`",
    );
    check(
        "init { do :: { skip",
        "1:20: error: expected `}`, found the end of the file",
    );
    check(
        "}\ninit { skip }\n}",
        "1:1: error: `}` without `{`
         3:1: error: `}` without `{`",
    );
}

#[test]
fn units() {
    for text in [
        "active proctype P() { skip }",
        "active [2] proctype P() priority 2 provided (x == 1) { skip }",
        "byte N = 3; active [N] proctype P() { skip }; D_proctype Q(int a, b; chan c) { skip }",
        "proctype P(hidden byte x; mtype m; mtype:k n) { skip }",
        "init priority 3 { skip }",
        "never { skip } never n { do :: skip od }",
        "chan c = [1] of { byte }; trace { do :: c!1; c?1 od } notrace { L: c?_; goto L }",
        "mtype { a b c }; mtype:k = { d, e, }; mtype x = a; mtype:k y = d",
        "typedef T { byte a; int b[2]; unsigned c : 3 } typedef U { T t[2] } U u",
        "chan c[2] = [2 * (3 + 1) - 1] of { byte, mtype, mtype:k, chan }",
        "int v[2] = { 1, 2 }; bit b = 1; byte w[3] = 2; pid p; bool q = true; short s = -1",
        "unsigned u : 5 = 3; int n = (1 + 2) * 3; byte z[n]",
        "inline f() { skip } inline g(a, b) { a = b; f() }",
        "c_decl { int x; } c_state \"int y\" \"Global\" c_track \"&x\" \"4\" \"UnMatched\" c_code { x = 1; }",
        "; ; byte x -> ;",
    ] {
        check(text, "");
    }
    check(
        "protype P() { skip }\nproctype Q(byte a, byte b; int c = 1; d) { skip }",
        "1:1: error: expected a declaration, a proctype, `init`, a claim or a formula, found `protype`
         2:20: error: expected a name, found a type
         2:32: error: a parameter cannot have an initialiser
         2:39: error: expected a type, found `d`",
    );
    check(
        "active [x + 1] proctype P() provided (x) priority 1 { skip } init { run P() }",
        "1:9: error: expected a constant
         1:42: error: `priority` after `provided`",
    );
    check(
        "mtype = { a, a }; byte a; proctype a() { skip } proctype P() { byte P }",
        "1:14: error: symbolic name `a` appears twice
         1:24: error: expected the name of a variable, but `a` is a symbolic constant (mtype)
         1:36: error: expected the name of the proctype, but `a` is a symbolic constant (mtype)
         1:69: error: expected the name of a variable, but `P` is a proctype",
    );
    check(
        "chan c = [x] of { unsigned, foo }; int v[2] = { -1 }; init { mtype = { z }; typedef T { byte x } }",
        "1:11: error: expected a constant
         1:19: error: `unsigned` cannot be the type of a message field
         1:29: error: expected a type, found `foo`
         1:49: error: expected a constant, found `-`
         1:62: error: symbolic names must be declared globally
         1:77: error: expected `}`, found `typedef`",
    );
    check(
        "mtype:k { a }",
        "1:9: error: expected `=` and the symbolic names, found `{`",
    );
    check(
        "unsigned u[2] : 3; Point p; proctype P() { skip } proctype P() { skip }",
        "1:15: error: an array cannot have a width in bits
         1:20: error: `Point` is not a type declared so far
         1:60: error: the proctype `P` is declared twice",
    );
    check(
        "int x = run P(); proctype P() provided (run P()) { skip }",
        "1:9: error: `run` outside a process
         1:41: error: a `provided` condition cannot start a process",
    );
    check(
        "chan c = [1] of { byte }; trace { c!1; skip; c??1; c?[1]; c?<1>; if :: c?1 fi; { c?1 } }",
        "1:40: error: not an event
         1:46: error: not an event
         1:52: error: not an event
         1:59: error: not an event
         1:80: error: not an event",
    );
}

#[test]
fn names() {
    // A remote reference needs its proctype; a formula does not.
    check(
        "ltl p { [] P@L } never { P@L } proctype P() { L: skip } never n { P[0]@L && P:x > P[1]:y[2] }",
        "1:27: error: no proctype `P` has been declared so far",
    );
    check(
        "proctype P() { skip } never { P; P[0]; P@1 }",
        "1:32: error: expected `@label` or `:variable` because `P` is a proctype, found `;`
         1:38: error: expected `@label` or `:variable` because `P` is a proctype, found `;`
         1:42: error: expected the name of a label, found `1`",
    );
    check(
        "typedef T { byte x; T t } byte len; byte T; init { T = 1; x = T }",
        "1:21: error: expected a type, found `T`
         1:32: error: expected the name of a variable, found `len`
         1:42: error: expected the name of a variable, but `T` is a type
         1:54: error: expected the name of a variable, found `=`
         1:63: error: `T` is a type, not a value",
    );
}

#[test]
fn formulas() {
    for formula in [
        "[] p",
        "[]<>p && <>[]!q",
        "always (p implies eventually q)",
        "p U q V r W s",
        "p until q stronguntil r weakuntil s release t",
        "(p -> q) <-> (p equivalent q)",
        "X p || next q",
        "[] (x < 2 && a[1] == len(c)) ;",
        "full(c) || [] p",
        "timeout",
    ] {
        check(&format!("ltl {{ {formula} }} ltl n {{ {formula} }}"), "");
    }
    check(
        "ltl { [] p = 1 } ltl q { <> (p } ltl { [] full(c) } ltl { [ ] p } ltl { run P() } ltl p",
        "1:12: error: expected `}` after the formula, found `=`
         1:32: error: expected `)` to close this parenthesis, found `}`
         1:43: error: `full` can only be combined with `&&` and `||`
         1:59: error: expected an expression, found `[`
         1:73: error: `run` outside a process
         1:88: error: expected `{`, found the end of the file",
    );
    // The words are names elsewhere.
    check("byte U, V, W, X, always, next; init { U = V + X }", "");
}

#[test]
fn inlines() {
    check(
        "byte x; inline f(a, b) { a = b; if :: a > 1 -> a-- :: else fi }
         inline g() { f(x, 1 + x); f(x, 2) f(x, 3)\nx = 1 }
         inline h(n) { return n + 1 }
         init { g(); g() g()\ng()\nunless { x == 3 }; x = h(2); L: x = h(x) }",
        "",
    );
    // Arguments may have the names of parameters.
    check("byte a, b; inline f(a, b) { a = b } init { f(b, a) }", "");
    check(
        "inline f(a) { skip } inline f() { skip } inline g(a, a) { skip } inline h(byte a) { skip }
         inline i(a) { skip init { skip }",
        "1:29: error: inline `f` defined twice
         1:54: error: parameter `a` appears twice
         1:75: error: the parameters of an inline have no types
         2:22: error: no `}` closes this brace",
    );
    check(
        "byte x; inline f(a) { a = ; return 1 } inline g() { return 2 }
         init { f(x); f(x); f(); f(1, 2); x = f; x = 1 + g(); g() }",
        "1:27: error: expected an expression, found `;`
         1:29: error: `return` in an inline whose result is not used
         1:53: error: `return` in an inline whose result is not used
         2:29: error: inline `f` takes 1 argument, not 0
         2:34: error: inline `f` takes 1 argument, not 2
         2:48: error: expected `(` and the arguments of the inline, found `;`
         2:58: error: inline `g` cannot be part of an expression",
    );
    check(
        "inline f() { break } init { do :: f() od; f() } inline g() { { skip } } init { g() }",
        "1:14: error: `break` outside a loop",
    );
}

#[test]
fn numbers() {
    check(
        "int x = 2147483647; int y = 2147483648; int z = 99999999999999999999; byte c = 'ab'; byte d = '",
        "1:29: warning: the number does not fit into 32 bits
         1:49: warning: the number does not fit into 32 bits
         1:80: error: a character constant has one character
         1:95: error: expected an expression, found an unterminated character constant",
    );
}
