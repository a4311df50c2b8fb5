//! The shape of the tree: precedences, forms of statements, expansions.

use promela::ast::*;
use promela::parser::parse;
use promela::preprocess::{NoFiles, Options};
use promela::source::{SourceMap, Span};

fn tree(text: &str) -> (Program, SourceMap) {
    let mut sources = SourceMap::default();
    let (program, diagnostics) = parse("m.pml", text, &NoFiles, &Options::default(), &mut sources);
    let errors: Vec<String> = diagnostics.iter().map(|d| d.short(&sources)).collect();
    assert_eq!(errors, [""; 0], "in\n{text}");
    (program, sources)
}

/// A body as text with every operator in parentheses.
#[track_caller]
fn check(body: &str, expected: &str) {
    let text = format!(
        "byte x, y, z, a[3]; chan c = [1] of {{ byte }}; mtype = {{ m }};
         proctype P() {{ L: skip }}
         inline f(p, q) {{ p = q * 2 }} inline g(p) {{ f(p, p) }} inline h(p) {{ return p + 1 }}
         init {{ {body} }}"
    );
    let (program, _) = tree(&text);
    let Some(Unit::Init(init)) = program.units.last() else {
        panic!("the last unit is `init`");
    };
    assert_eq!(block(&init.body), expected);
}

#[track_caller]
fn check_formula(text: &str, expected: &str) {
    let (program, _) = tree(&format!("ltl {{ {text} }}"));
    let [Unit::Ltl(ltl)] = program.units.as_slice() else {
        panic!("one formula");
    };
    assert_eq!(expr(&ltl.formula), expected);
}

fn block(block: &Block) -> String {
    block.steps.iter().map(step).collect::<Vec<_>>().join("; ")
}

fn step(step: &Step) -> String {
    match step {
        Step::Decl(d) => format!(
            "decl {}",
            d.vars
                .iter()
                .map(|v| v.name.name.as_str())
                .collect::<Vec<_>>()
                .join(",")
        ),
        Step::Exclusive(e) => format!("{} {}", if e.receive { "xr" } else { "xs" }, vars(e)),
        Step::Stmt(s) => stmt(s),
        Step::Unless(u) => format!("{} unless {}", stmt(&u.main), stmt(&u.escape)),
    }
}

fn vars(exclusive: &Exclusive) -> String {
    exclusive.channels.iter().map(var).collect()
}

fn stmt(stmt: &Stmt) -> String {
    let labels: String = stmt
        .labels
        .iter()
        .map(|l| format!("{}: ", l.name))
        .collect();
    labels + &kind(&stmt.kind)
}

fn options(options: &[Block]) -> String {
    options
        .iter()
        .map(|o| format!(":: {} ", block(o)))
        .collect()
}

fn kind(kind: &StmtKind) -> String {
    match kind {
        StmtKind::Empty => "empty".to_owned(),
        StmtKind::Send {
            channel,
            sorted,
            args,
        } => format!(
            "{}{}{}",
            var(channel),
            if *sorted { "!!" } else { "!" },
            exprs(args)
        ),
        StmtKind::Receive {
            channel,
            random,
            peek,
            args,
        } => {
            let operator = if *random { "??" } else { "?" };
            let args = recv(args);
            let args = if *peek { format!("<{args}>") } else { args };
            format!("{}{operator}{args}", var(channel))
        }
        StmtKind::Assign(v, e) => format!("{} = {}", var(v), expr(e)),
        StmtKind::Increment(v) => format!("{}++", var(v)),
        StmtKind::Decrement(v) => format!("{}--", var(v)),
        StmtKind::SetPriority(a, b) => format!("set_priority({}, {})", expr(a), expr(b)),
        StmtKind::Printf(f, args) => format!("printf {f:?} {}", exprs(args)),
        StmtKind::Printm(e) => format!("printm {}", expr(e)),
        StmtKind::Assert(e) => format!("assert {}", expr(e)),
        StmtKind::Expr(e) => expr(e),
        StmtKind::Else => "else".to_owned(),
        StmtKind::Atomic(b) => format!("atomic {{ {} }}", block(b)),
        StmtKind::DStep(b) => format!("d_step {{ {} }}", block(b)),
        StmtKind::Block(b) => format!("{{ {} }}", block(b)),
        StmtKind::If(o) => format!("if {}fi", options(o)),
        StmtKind::Do(o) => format!("do {}od", options(o)),
        StmtKind::For {
            var: v,
            range,
            body,
        } => match range {
            ForRange::Range(a, b) => format!(
                "for {} : {} .. {} {{ {} }}",
                var(v),
                expr(a),
                expr(b),
                block(body)
            ),
            ForRange::In(a) => format!("for {} in {} {{ {} }}", var(v), var(a), block(body)),
        },
        StmtKind::Select {
            var: v,
            from,
            to,
            literal,
        } => {
            let word = if *literal { "literal" } else { "select" };
            format!("{word} {} : {} .. {}", var(v), expr(from), expr(to))
        }
        StmtKind::Break => "break".to_owned(),
        StmtKind::Goto(l) => format!("goto {}", l.name),
        StmtKind::Inline { name, body } => format!("{}() {{ {} }}", name.name, block(body)),
        StmtKind::EmbeddedC(c) => c.keyword.clone(),
    }
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(",")
}

fn recv(list: &[RecvArg]) -> String {
    let show = |arg: &RecvArg| match arg {
        RecvArg::Var(v) => var(v),
        RecvArg::Eval(e) => format!("eval({})", expr(e)),
        RecvArg::Const(e) => format!("#{}", expr(e)),
    };
    list.iter().map(show).collect::<Vec<_>>().join(",")
}

fn var(var: &VarRef) -> String {
    let part = |p: &VarPart| match &p.index {
        Some(index) => format!("{}[{}]", p.name.name, expr(index)),
        None => p.name.name.clone(),
    };
    var.parts.iter().map(part).collect::<Vec<_>>().join(".")
}

fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Var(v) => var(v),
        ExprKind::Mtype(name) => format!("'{}", name.name),
        ExprKind::Unary(op, a) => format!("({op:?} {})", expr(a)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", expr(a), expr(b)),
        ExprKind::Cond(a, b, c) => format!("(? {} {} {})", expr(a), expr(b), expr(c)),
        ExprKind::Run { name, args, .. } => format!("run {}({})", name.name, exprs(args)),
        ExprKind::Channel(test, v) => format!("{test:?}({})", var(v)),
        ExprKind::Poll {
            channel,
            random,
            args,
        } => {
            let operator = if *random { "??" } else { "?" };
            format!("{}{operator}[{}]", var(channel), recv(args))
        }
        ExprKind::Enabled(a) => format!("enabled({})", expr(a)),
        ExprKind::GetPriority(a) => format!("get_priority({})", expr(a)),
        ExprKind::PcValue(a) => format!("pc_value({})", expr(a)),
        ExprKind::Timeout => "timeout".to_owned(),
        ExprKind::NonProgress => "np_".to_owned(),
        ExprKind::RemoteLabel {
            proctype,
            index,
            label,
        } => {
            let index = index.as_ref().map_or(String::new(), |i| expr(i));
            format!("{}[{index}]@{}", proctype.name, label.name)
        }
        ExprKind::RemoteVar {
            proctype,
            index,
            var: v,
        } => {
            let index = index.as_ref().map_or(String::new(), |i| expr(i));
            format!("{}[{index}]:{}", proctype.name, var(v))
        }
        ExprKind::EmbeddedC(c) => c.keyword.clone(),
    }
}

#[test]
fn precedences() {
    check("x = x + y * z - 1", "x = (Sub (Add x (Mul y z)) 1)");
    check(
        "x | y ^ z & 1 == 2 < 3 << 4 + 5 * 6",
        "(BitOr x (BitXor y (BitAnd z (Eq 1 (Lt 2 (Shl 3 (Add 4 (Mul 5 6))))))))",
    );
    check("x || y && z || x", "(Or (Or x (And y z)) x)");
    check("!x == y", "(Eq (Not x) y)");
    check("- x * ~ y", "(Mul (Neg x) (BitNot y))");
    check("x - y - z", "(Sub (Sub x y) z)");
    check("(x -> y : z + 1)", "(? x y (Add z 1))");
    check("x = (y -> (z -> 1 : 2) : 3)", "x = (? y (? z 1 2) 3)");
    check("! c?[x] && y", "(And (Not c?[x]) y)");
    check("c?[m] || full(c)", "(Or c?[#'m] Full(c))");
}

#[test]
fn formulas() {
    check_formula("p -> q -> r", "(Implies (Implies p q) r)");
    check_formula("p U q U r", "(Until (Until p q) r)");
    check_formula("[] p U q", "(Until (Always p) q)");
    check_formula("[] x < 2", "(Lt (Always x) 2)");
    check_formula("p && q U r || s", "(Or (And p (Until q r)) s)");
    check_formula("p U q == r", "(Until p (Eq q r))");
    check_formula("!p <-> <> X q", "(Equiv (Not p) (Eventually (Next q)))");
    check_formula("p implies q && r", "(Implies p (And q r))");
    check_formula("p V q W r", "(WeakUntil (Release p q) r)");
}

#[test]
fn formulas_see_later_declarations() {
    let text = "ltl { P@L && x == m } byte x; mtype = { m }; proctype P() { L: skip }";
    let (program, _) = tree(text);
    let Unit::Ltl(ltl) = &program.units[0] else {
        panic!("the formula keeps its place");
    };
    assert_eq!(expr(&ltl.formula), "(And P[]@L (Eq x 'm))");
}

#[test]
fn messages() {
    check("c!x(y, 1)", "c!x,y,1");
    check("c!!x, y; c!(x + 1)", "c!!x,y; c!(Add x 1)");
    check("c?m(x, _); c?-1, eval(y)", "c?#'m,x,_; c?#-1,eval(y)");
    check("c??<x, 2>; c?<m>", "c??<x,#2>; c?<#'m>");
    check("c?x, (y, z)", "c?x,y,z");
}

#[test]
fn steps() {
    check("A: B: skip; C: ; D: }  init {\nE:", "E: empty");
    check("byte p = 1, q; xr c; skip", "decl p,q; xr c; 1");
    check("x = 1 unless { y; z }; skip", "x = 1 unless { y; z }; 1");
    check(
        "if :: x -> y = 1 :: else od_: skip fi; do :: break :: c!1 -> od",
        "if :: x; y = 1 :: else; od_: 1 fi; do :: break :: c!1 od",
    );
    check(
        "for (x : 1 .. 3) { y++ }; for (x in a) { y-- }",
        "for x : 1 .. 3 { y++ }; for x in a { y-- }",
    );
    check(
        "d_step { x = 'a' }; atomic { goto L }; L: skip",
        "d_step { x = 97 }; atomic { goto L }; L: 1",
    );
    check(
        "printf(\"%d\\n\", x); printm(m)",
        "printf \"%d\\\\n\" x; printm 'm",
    );
}

#[test]
fn select_forms() {
    check("select (x : 1 .. 3)", "literal x : 1 .. 3");
    check("select\n( x:0..32 )", "literal x : 0 .. 32");
    check("select (x : 0 .. 33)", "select x : 0 .. 33");
    check("select (x : 0 .. y)", "select x : 0 .. y");
    check("select (x : -1 .. 1)", "select x : (Neg 1) .. 1");
    check("select (x : (1) .. 3)", "select x : 1 .. 3");
    check("select (x :\n1 .. 3)", "select x : 1 .. 3");
    check("select (a[1] : 1 .. 3)", "select a[1] : 1 .. 3");
    check(
        "byte x_1; select (x_1 : 1 .. 3)",
        "decl x_1; select x_1 : 1 .. 3",
    );
}

#[test]
fn inlines() {
    check("f(x, y + 1)", "f() { x = (Add y (Mul 1 2)) }");
    check("g(x); skip", "g() { f() { x = (Mul x 2) } }; 1");
    check("L: x = h(a[2])", "L: h() { x = (Add a[2] 1) }");
}

/// The text of a span, and of the places its expansion came from.
fn origin(sources: &SourceMap, span: Span) -> Vec<String> {
    let mut out = vec![format!("{}:{}", sources.line(span), sources.snippet(span))];
    let mut id = span.expansion;
    while let Some(expansion) = sources.expansion(id) {
        let call = expansion.call;
        out.push(format!(
            "{} at {}:{}",
            expansion.name,
            sources.line(call),
            sources.snippet(call)
        ));
        id = call.expansion;
    }
    out
}

#[test]
fn spans() {
    let text = "#define INC(v) v = v + ONE\n#define ONE 1\nbyte x\ninline f(a) {\n  a = 1;\n  INC(a)\n}\n\
                inline g() {\n  f(x)\n}\ninit {\n  INC(x);\n  INC(\n    x);\n  g()\n}";
    let (program, sources) = tree(text);
    let Some(Unit::Init(init)) = program.units.last() else {
        panic!("the last unit is `init`");
    };
    let steps: Vec<&Stmt> = init
        .body
        .steps
        .iter()
        .map(|s| match s {
            Step::Stmt(stmt) => stmt,
            _ => panic!("statements only"),
        })
        .collect();
    let of = |span| origin(&sources, span);
    // A macro's text lies where the macro was used.
    assert_eq!(of(steps[0].span)[0], "12:INC(x)");
    let StmtKind::Assign(_, value) = &steps[0].kind else {
        panic!("an assignment");
    };
    let ExprKind::Binary(_, left, right) = &value.kind else {
        panic!("a sum");
    };
    assert_eq!(of(left.span), ["12:x", "INC at 12:INC(x)"]);
    assert_eq!(
        of(right.span),
        ["12:INC(x)", "ONE at 12:INC(x)", "INC at 12:INC(x)"]
    );
    // One that spans lines lies on the first.
    assert_eq!(of(steps[1].span), ["13:INC", "INC at 13:INC"]);
    // An inline's text lies in its definition.
    assert_eq!(of(steps[2].span), ["15:g()"]);
    let StmtKind::Inline { body, .. } = &steps[2].kind else {
        panic!("a call");
    };
    let Step::Stmt(call) = &body.steps[0] else {
        panic!("a call");
    };
    assert_eq!(of(call.span), ["9:f(x)", "g at 15:g()"]);
    let StmtKind::Inline { body, .. } = &call.kind else {
        panic!("a call");
    };
    let Step::Stmt(first) = &body.steps[0] else {
        panic!("an assignment");
    };
    assert_eq!(of(first.span), ["5:a = 1", "f at 9:f(x)", "g at 15:g()"]);
}
