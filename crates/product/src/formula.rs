//! From a formula of a model to the automaton of its violations.

use ltl::{Binary, Builder, Term, Unary};
use model::{Formula, LtlProperty, TemporalBinary, TemporalUnary};
use space::ViolationKind;

use crate::Observer;

/// The automaton that accepts the executions on which the formula does not hold; with several
/// acceptance sets if it may have them.
pub fn violations(property: &LtlProperty, generalised: bool) -> Result<Observer, String> {
    let negated = of_model(&property.formula).negated();
    let automaton = match generalised {
        true => ltl::translate(&negated),
        false => ltl::translate_to_buchi(&negated),
    };
    Ok(Observer {
        automaton: automaton.map_err(|error| error.to_string())?,
        atoms: property.atoms.iter().map(|atom| atom.expr).collect(),
        cycle_kind: ViolationKind::AcceptanceCycle,
    })
}

/// A formula of a model as one of the crate for formulas.
pub fn of_model(formula: &Formula) -> ltl::Formula {
    let mut builder = Builder::new();
    let root = term(formula, &mut builder);
    builder.finish(root)
}

fn term(formula: &Formula, builder: &mut Builder) -> Term {
    match formula {
        Formula::Const(value) => builder.constant(*value),
        Formula::Atom(row) => builder.atom(ltl::AtomId(*row)),
        Formula::Unary(op, operand) => {
            let operand = term(operand, builder);
            let op = match op {
                TemporalUnary::Not => Unary::Not,
                TemporalUnary::Always => Unary::Always,
                TemporalUnary::Eventually => Unary::Eventually,
                TemporalUnary::Next => Unary::Next,
            };
            builder.unary(op, operand)
        }
        Formula::Binary(op, left, right) => {
            let left = term(left, builder);
            let right = term(right, builder);
            let op = match op {
                TemporalBinary::And => Binary::And,
                TemporalBinary::Or => Binary::Or,
                TemporalBinary::Implies => Binary::Implies,
                TemporalBinary::Equiv => Binary::Equivalent,
                TemporalBinary::Until => Binary::Until,
                TemporalBinary::WeakUntil => Binary::WeakUntil,
                TemporalBinary::Release => Binary::Release,
            };
            builder.binary(op, left, right)
        }
    }
}
