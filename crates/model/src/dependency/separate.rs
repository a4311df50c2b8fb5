//! The parts of a formula that need not be kept in order with each other.
//!
//! Follows: [002 §4.1], `proc separate`: a formula that can be written as a boolean combination of others
//! does not distinguish executions that these do not distinguish. So only steps that the same one of these sees
//! have to be kept in order.
//!
//! Departs:
//! - Negations are pushed inwards on the way.
//! - [002]'s table goes on with what stands under `[]` and `<>` alone. Here these are remembered, since what
//!   may be split depends on them: `[] (p U (q || r))` may not, though `p U (q || r)` may.
//! - `V` and `W` are split as `U` is.

use crate::formula::{Formula, TemporalBinary, TemporalUnary};

/// The operators around a subformula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    /// Boolean operators.
    Nothing,
    Always,
    Eventually,
    AlwaysEventually,
    EventuallyAlways,
}

impl Context {
    fn splits_and(self) -> bool {
        matches!(
            self,
            Context::Nothing | Context::Always | Context::EventuallyAlways
        )
    }

    fn splits_or(self) -> bool {
        matches!(
            self,
            Context::Nothing | Context::Eventually | Context::AlwaysEventually
        )
    }

    fn always(self) -> Context {
        match self {
            Context::Nothing | Context::Always => Context::Always,
            _ => Context::EventuallyAlways,
        }
    }

    fn eventually(self) -> Context {
        match self {
            Context::Nothing | Context::Eventually => Context::Eventually,
            _ => Context::AlwaysEventually,
        }
    }
}

/// The atoms of each part.
pub fn separate(formula: &Formula) -> Vec<Vec<u32>> {
    let mut parts = Vec::new();
    split(formula, false, Context::Nothing, &mut parts);
    parts.retain(|part| !part.is_empty());
    parts.sort_unstable();
    parts.dedup();
    parts
}

fn split(formula: &Formula, negated: bool, context: Context, parts: &mut Vec<Vec<u32>>) {
    match formula {
        Formula::Unary(TemporalUnary::Not, operand) => split(operand, !negated, context, parts),
        Formula::Unary(TemporalUnary::Always, operand) => {
            let context = if negated {
                context.eventually()
            } else {
                context.always()
            };
            split(operand, negated, context, parts);
        }
        Formula::Unary(TemporalUnary::Eventually, operand) => {
            let context = if negated {
                context.always()
            } else {
                context.eventually()
            };
            split(operand, negated, context, parts);
        }
        Formula::Binary(op, left, right) => {
            split_binary((*op, left, right), negated, context, parts)
        }
        _ => parts.push(atoms(formula)),
    }
}

fn split_binary(
    (op, left, right): (TemporalBinary, &Formula, &Formula),
    negated: bool,
    context: Context,
    parts: &mut Vec<Vec<u32>>,
) {
    let is_split = match (op, negated) {
        (TemporalBinary::And, false) => context.splits_and(),
        (TemporalBinary::And, true) => context.splits_or(),
        (TemporalBinary::Or | TemporalBinary::Implies, false) => context.splits_or(),
        (TemporalBinary::Or | TemporalBinary::Implies, true) => context.splits_and(),
        (TemporalBinary::Equiv, _) => context == Context::Nothing,
        _ => false,
    };
    if is_split {
        split(
            left,
            negated != (op == TemporalBinary::Implies),
            context,
            parts,
        );
        split(right, negated, context, parts);
        return;
    }
    // What may be a conjunction and what a disjunction, where nothing is negated.
    let (conjunction, disjunction) = match op {
        TemporalBinary::Until | TemporalBinary::WeakUntil => (left, right),
        TemporalBinary::Release => (right, left),
        _ => {
            parts.push(both(left, right));
            return;
        }
    };
    let (may_split_conjunction, may_split_disjunction) = match negated {
        false => (context.splits_and(), context.splits_or()),
        true => (context.splits_or(), context.splits_and()),
    };
    let some = |formula, is_and, may| match may {
        true => operands(formula, is_and),
        false => vec![formula],
    };
    for one in some(conjunction, true, may_split_conjunction) {
        for other in some(disjunction, false, may_split_disjunction) {
            parts.push(both(one, other));
        }
    }
}

/// What a conjunction or disjunction is made of.
fn operands(formula: &Formula, is_and: bool) -> Vec<&Formula> {
    match formula {
        Formula::Binary(TemporalBinary::And, left, right) if is_and => {
            [operands(left, true), operands(right, true)].concat()
        }
        Formula::Binary(TemporalBinary::Or, left, right) if !is_and => {
            [operands(left, false), operands(right, false)].concat()
        }
        _ => vec![formula],
    }
}

fn both(left: &Formula, right: &Formula) -> Vec<u32> {
    let mut found = [atoms(left), atoms(right)].concat();
    found.sort_unstable();
    found.dedup();
    found
}

/// The atoms of a formula, in order, each once.
fn atoms(formula: &Formula) -> Vec<u32> {
    match formula {
        Formula::Const(_) => Vec::new(),
        Formula::Atom(row) => vec![*row],
        Formula::Unary(_, operand) => atoms(operand),
        Formula::Binary(_, left, right) => both(left, right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(row: u32) -> Formula {
        Formula::Atom(row)
    }

    fn unary(op: TemporalUnary, operand: Formula) -> Formula {
        Formula::Unary(op, Box::new(operand))
    }

    fn binary(op: TemporalBinary, left: Formula, right: Formula) -> Formula {
        Formula::Binary(op, Box::new(left), Box::new(right))
    }

    use TemporalBinary::{And, Implies, Or, Release, Until};
    use TemporalUnary::{Always, Eventually, Not};

    #[test]
    fn the_six_forms() {
        let and = || binary(And, atom(0), atom(1));
        let or = || binary(Or, atom(0), atom(1));
        let apart = vec![vec![0], vec![1]];
        assert_eq!(separate(&unary(Always, and())), apart);
        assert_eq!(separate(&unary(Always, unary(Eventually, or()))), apart);
        assert_eq!(separate(&unary(Eventually, or())), apart);
        assert_eq!(separate(&unary(Eventually, unary(Always, and()))), apart);
        let beside = vec![vec![0, 2], vec![1, 2]];
        assert_eq!(separate(&binary(Until, and(), atom(2))), beside);
        assert_eq!(separate(&binary(Until, atom(2), or())), beside);
    }

    #[test]
    fn what_stays_together() {
        let or = || binary(Or, atom(0), atom(1));
        let together = vec![vec![0, 1]];
        assert_eq!(separate(&unary(Always, or())), together);
        let response = binary(Implies, atom(0), unary(Eventually, atom(1)));
        assert_eq!(separate(&unary(Always, response)), together);
        let until = binary(Until, atom(2), or());
        assert_eq!(separate(&unary(Always, until)), vec![vec![0, 1, 2]]);
    }

    #[test]
    fn negations_are_pushed_inwards() {
        let or = binary(Or, atom(0), atom(1));
        let never = unary(Always, unary(Not, or));
        assert_eq!(separate(&never), vec![vec![0], vec![1]]);
        let and = binary(And, atom(0), atom(1));
        let release = unary(Not, binary(Release, atom(2), and));
        assert_eq!(separate(&release), vec![vec![0, 2], vec![1, 2]]);
    }

    #[test]
    fn boolean_operators_at_the_top() {
        let eventually = |row| unary(Eventually, atom(row));
        let formula = binary(
            Implies,
            eventually(0),
            binary(And, eventually(1), eventually(2)),
        );
        assert_eq!(separate(&formula), vec![vec![0], vec![1], vec![2]]);
    }
}
