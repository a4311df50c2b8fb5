//! Formulas from text and back.

use generate::Formulas;
use ltl::{parse, show};

/// The formula with all parentheses.
#[track_caller]
fn check(text: &str, expected: &str) {
    let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(show(&parsed.formula, &parsed.atoms), expected, "{text}");
}

/// As `spin -a` prints the formula of an `ltl` block, with `W` kept.
#[test]
fn operators_bind_as_in_ltl_blocks() {
    check("p || q && r", "p || (q && r)");
    check("p -> q -> r", "(p -> q) -> r");
    check("p <-> q -> r", "(p <-> q) -> r");
    check("p -> q <-> r", "(p -> q) <-> r");
    check("p U q U r", "(p U q) U r");
    check("p U q V r", "(p U q) V r");
    check("p W q U r", "(p W q) U r");
    check("[] p U q", "[] p U q");
    check("<> p && q", "<> p && q");
    check("! p U q", "!p U q");
    check("X p U q", "X p U q");
    check("p && q U r", "p && (q U r)");
    check("p U q && r", "(p U q) && r");
    check("p -> q U r", "p -> (q U r)");
    check("<> [] p || q", "<> [] p || q");
    check("p U [] q && r", "(p U [] q) && r");
    check("[] (p U q)", "[] (p U q)");
}

#[test]
fn operators_have_many_spellings() {
    check("always p", "[] p");
    check("G p", "[] p");
    check("eventually p", "<> p");
    check("F p", "<> p");
    check("next p", "X p");
    check("p until q", "p U q");
    check("p stronguntil q", "p U q");
    check("p weakuntil q", "p W q");
    check("p release q", "p V q");
    check("p R q", "p V q");
    check("p M q", "p M q");
    check("p implies q", "p -> q");
    check("p equivalent q", "p <-> q");
    check("p /\\ q \\/ ~r", "(p && q) || !r");
    check("true && false && 1 && 0", "true && false && true && false");
    check("[]<>p", "[] <> p");
}

#[test]
fn atoms_are_names_expressions_or_quoted() {
    check("(x > 3) U y", "(x > 3) U y");
    check("x  >\n3 U y", "(x > 3) U y");
    check(
        "[] x[i + 1].f == -2 * (a + b)",
        "[] (x[i + 1].f == -2 * (a + b))",
    );
    check(
        "(a + b) > 3 -> <> len(q) < 2",
        "((a + b) > 3) -> <> (len(q) < 2)",
    );
    check("P@done && P[1]:x == 2", "(P@done) && (P[1]:x == 2)");
    check("q?[msg]", "(q?[msg])");
    check("\"a && b\" U c", "\"a && b\" U c");
    check("!(p == q)", "!(p == q)");
    check("Until U Xp", "Until U Xp");
    let parsed = parse("(x == 1) && x == 1").expect("a formula");
    assert_eq!(parsed.atoms, ["x == 1"]);
}

#[test]
fn what_spin_reads_on_the_command_line_is_said_where_it_differs() {
    let parsed = parse("p || q && r").expect("a formula");
    let other = parsed.on_command_line.expect("another formula");
    assert_eq!(show(&other, &parsed.atoms), "(p || q) && r");
    for text in ["p || (q && r)", "p && q || r", "p -> q -> r", "[] p U q"] {
        assert_eq!(
            parse(text).expect("a formula").on_command_line,
            None,
            "{text}"
        );
    }
}

#[test]
fn mistakes_have_a_place() {
    #[track_caller]
    fn fails(text: &str, at: &str, message: &str) {
        let error = parse(text).expect_err("no formula");
        assert_eq!(&text[error.span.clone()], at, "{error:?}");
        assert!(error.to_string().contains(message), "{error}");
    }
    fails("", "", "expected a proposition");
    fails("p &&", "", "expected a proposition");
    fails("(p U q", "(", "is not closed");
    fails("p U q)", ")", "no matching `(`");
    fails("U q", "U", "has no left operand");
    fails("p U U q", "U", "has no left operand");
    fails("p q", "q", "expected an operator");
    fails("()", ")", "nothing precedes");
    fails("p $ q", "$", "double quotes");
    fails("! x == 1", "! x == 1", "write !(x == 1)");
    fails("x[1 && p", "[", "is not closed");
    fails("p.", "", "expected a name");
    fails("\"open", "\"", "double quotes");
}

#[test]
fn deep_nesting_needs_no_stack() {
    let deep = format!("{}p{}", "!(".repeat(100_000), ")".repeat(100_000));
    let parsed = parse(&deep).expect("a formula");
    assert_eq!(show(&parsed.formula, &parsed.atoms).len(), 100_001);
    assert_eq!(ltl::translate(&parsed.formula), Err(ltl::TooLarge::Depth));
    let error = parse(&deep[..200_000]).expect_err("no formula");
    assert!(error.span.end <= 200_000);
}

#[test]
fn printed_formulas_read_back() {
    for seed in 0..3000 {
        let shape = Formulas {
            operators: seed as usize % 12,
            atoms: 4,
            next: true,
        };
        let text = generate::formula(seed, shape);
        let parsed = parse(&text).expect("a formula");
        let printed = show(&parsed.formula, &parsed.atoms);
        let again = parse(&printed).expect("a formula");
        assert_eq!(
            again.formula, parsed.formula,
            "seed {seed}: {text}: {printed}"
        );
        assert_eq!(again.on_command_line, None, "seed {seed}: {printed}");
    }
}
