//! Formulas made smaller by rewriting.

use std::collections::HashMap;

use crate::bdd::Bdd;
use crate::formula::{AtomId, Binary, Builder, Formula, Term, Unary};
use crate::normal::{Normal, Normals, Shape, Style};
use crate::translate::{TooLarge, check_limits};

/// An equivalent formula in negation normal form, mostly smaller.
///
/// Only `!` of atoms, `&&`, `||`, `X`, `U`, `V`, `[]` and `<>` occur in it.
pub fn simplify(formula: &Formula) -> Result<Formula, TooLarge> {
    check_limits(formula)?;
    let mut normals = Normals::new(Style::Apart);
    let root = normals.of(formula);
    let mut writer = Writer {
        normals,
        builder: Builder::new(),
        done: HashMap::new(),
    };
    let root = writer.write(root);
    Ok(writer.builder.finish(root))
}

struct Writer {
    normals: Normals,
    builder: Builder,
    done: HashMap<Normal, Term>,
}

impl Writer {
    /// Recurses as deep as operators are nested, which has a limit.
    fn write(&mut self, normal: Normal) -> Term {
        if let Some(&known) = self.done.get(&normal) {
            return known;
        }
        let term = match self.normals.shape(normal).clone() {
            Shape::Boolean(function) => self.boolean(function),
            Shape::And(parts) => self.join(Binary::And, &parts),
            Shape::Or(parts) => self.join(Binary::Or, &parts),
            Shape::Next(inner) => {
                let inner = self.write(inner);
                self.builder.unary(Unary::Next, inner)
            }
            Shape::Until(Normal::TRUE, goal) => {
                let goal = self.write(goal);
                self.builder.unary(Unary::Eventually, goal)
            }
            Shape::Release(Normal::FALSE, hold) => {
                let hold = self.write(hold);
                self.builder.unary(Unary::Always, hold)
            }
            Shape::Until(left, right) => self.pair(Binary::Until, left, right),
            Shape::Release(left, right) => self.pair(Binary::Release, left, right),
        };
        self.done.insert(normal, term);
        term
    }

    fn pair(&mut self, operator: Binary, left: Normal, right: Normal) -> Term {
        let left = self.write(left);
        let right = self.write(right);
        self.builder.binary(operator, left, right)
    }

    fn join(&mut self, operator: Binary, parts: &[Normal]) -> Term {
        let terms: Vec<Term> = parts.iter().map(|&part| self.write(part)).collect();
        self.chain(operator, &terms)
    }

    /// The terms with an operator between them; the neutral constant if there are none.
    fn chain(&mut self, operator: Binary, terms: &[Term]) -> Term {
        let mut terms = terms.iter().copied();
        match terms.next() {
            None => self.builder.constant(operator == Binary::And),
            Some(first) => terms.fold(first, |left, right| {
                self.builder.binary(operator, left, right)
            }),
        }
    }

    fn boolean(&mut self, function: Bdd) -> Term {
        let mut cubes = Vec::new();
        for cube in self.normals.bdds.cubes(function) {
            let mut literals = Vec::new();
            for atom in 0..64 {
                if (cube.positive | cube.negative) >> atom & 1 == 0 {
                    continue;
                }
                let mut literal = self.builder.atom(AtomId(atom));
                if cube.negative >> atom & 1 == 1 {
                    literal = self.builder.unary(Unary::Not, literal);
                }
                literals.push(literal);
            }
            cubes.push(self.chain(Binary::And, &literals));
        }
        self.chain(Binary::Or, &cubes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, show};

    #[track_caller]
    fn check(formula: &str, expected: &str) {
        let parsed = parse(formula).expect("a formula");
        let simple = simplify(&parsed.formula).expect("small");
        assert_eq!(show(&simple, &parsed.atoms), expected, "{formula}");
    }

    #[test]
    fn constants_and_boolean_parts() {
        check("p && !p", "false");
        check("p U true", "true");
        check("[] (p || !p)", "true");
        check("X false", "false");
        check("(p && q) || (p && !q)", "p");
        check("p <-> q", "(!p && !q) || (p && q)");
    }

    #[test]
    fn absorption_and_implication() {
        check("p U (p U q)", "p U q");
        check("<> <> p", "<> p");
        check("<> (p U q)", "<> q");
        check("p && (q U p)", "p");
        check("[] p && (p U q)", "[] p && <> q");
        check("[] p && <> !p", "false");
        check("(p || q) U q", "p U q");
        check("(p && q) U !q", "p U !q");
    }

    #[test]
    fn next_moves_out() {
        check("X p && X q", "X (p && q)");
        check("X p U X q", "X (p U q)");
        check("<> X p", "X <> p");
        check("X [] <> p", "[] <> p");
    }

    #[test]
    fn eventualities_and_universal_formulas() {
        check("[] <> (p U q)", "[] <> q");
        check("[] <> X p", "[] <> p");
        check("<> [] (p V q)", "<> [] q");
        check("[] <> p || [] <> q", "[] <> (p || q)");
        check("<> [] p && <> [] q", "<> [] (p && q)");
        check("p U [] <> q", "[] <> q");
        check("<> (p && [] <> q)", "[] <> q && <> p");
        check("[] <> (p && <> q)", "[] <> p && [] <> q");
    }
}
