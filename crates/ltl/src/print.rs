//! Formulas as text that reads back as the same formula.

use crate::formula::{Binary, Builder, Formula, Node, Term, Unary};
use crate::parse::parse;
use crate::token::is_plain;

enum Piece {
    Term(Term),
    Text(&'static str),
}

/// The formula in Spin's notation; `atoms` are the texts of the atoms.
///
/// Parentheses stand wherever the grammars of `spin -f` and of `ltl` blocks could disagree.
pub fn show(formula: &Formula, atoms: &[String]) -> String {
    let mut text = String::new();
    let mut open = vec![Piece::Term(formula.root())];
    while let Some(piece) = open.pop() {
        let term = match piece {
            Piece::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Piece::Term(term) => term,
        };
        let begin = open.len();
        match formula.node(term) {
            Node::Constant(value) => text.push_str(if value { "true" } else { "false" }),
            Node::Atom(atom) => text.push_str(&show_atom(&atoms[atom.0 as usize])),
            Node::Unary(operator, argument) => {
                open.push(Piece::Text(unary(operator)));
                let bare = !matches!(formula.node(argument), Node::Binary(..));
                push(&mut open, argument, bare);
            }
            Node::Binary(operator, left, right) => {
                let chain = matches!(operator, Binary::And | Binary::Or)
                    && matches!(formula.node(left), Node::Binary(same, ..) if same == operator);
                let is_binary = |term| matches!(formula.node(term), Node::Binary(..));
                push(&mut open, left, chain || !is_binary(left));
                open.push(Piece::Text(binary(operator)));
                push(&mut open, right, !is_binary(right));
            }
        }
        open[begin..].reverse();
    }
    text
}

/// The formula without `W` and `M`, which `spin -f` does not read; `W` as Spin rewrites it.
pub fn without_weak(formula: &Formula) -> Formula {
    let mut builder = Builder::new();
    let mut done: Vec<Term> = Vec::with_capacity(formula.nodes().len());
    for &node in formula.nodes() {
        let term = match node {
            Node::Constant(_) | Node::Atom(_) => builder.add(node),
            Node::Unary(operator, argument) => builder.unary(operator, done[argument.index()]),
            Node::Binary(operator, left, right) => {
                let (left, right) = (done[left.index()], done[right.index()]);
                match operator {
                    Binary::WeakUntil => {
                        let always = builder.unary(Unary::Always, left);
                        let until = builder.binary(Binary::Until, left, right);
                        builder.binary(Binary::Or, always, until)
                    }
                    Binary::StrongRelease => {
                        let both = builder.binary(Binary::And, left, right);
                        builder.binary(Binary::Until, right, both)
                    }
                    _ => builder.binary(operator, left, right),
                }
            }
        };
        done.push(term);
    }
    builder.finish(done[formula.root().index()])
}

fn push(open: &mut Vec<Piece>, term: Term, bare: bool) {
    if bare {
        open.push(Piece::Term(term));
    } else {
        open.extend([Piece::Text("("), Piece::Term(term), Piece::Text(")")]);
    }
}

fn unary(operator: Unary) -> &'static str {
    match operator {
        Unary::Not => "!",
        Unary::Next => "X ",
        Unary::Always => "[] ",
        Unary::Eventually => "<> ",
    }
}

fn binary(operator: Binary) -> &'static str {
    match operator {
        Binary::And => " && ",
        Binary::Or => " || ",
        Binary::Implies => " -> ",
        Binary::Equivalent => " <-> ",
        Binary::Until => " U ",
        Binary::WeakUntil => " W ",
        Binary::Release => " V ",
        Binary::StrongRelease => " M ",
    }
}

/// An atom as it can stand in a formula: a name, an expression, or quoted text.
pub(crate) fn show_atom(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let nested = format!("({text})");
    match parse(&nested) {
        Ok(parsed) if parsed.atoms == [text] && parsed.formula.nodes().len() == 1 => nested,
        _ => format!("\"{text}\""),
    }
}
