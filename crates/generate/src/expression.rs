//! The tree of an expression and its text.

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names are those of the operators in every language.
pub enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
}

impl Binary {
    /// The operator as written, with its level in the grammar: a higher one binds tighter.
    fn sign_and_level(self) -> (&'static str, u8) {
        match self {
            Binary::Or => ("||", 1),
            Binary::And => ("&&", 2),
            Binary::BitOr => ("|", 3),
            Binary::BitXor => ("^", 4),
            Binary::BitAnd => ("&", 5),
            Binary::Equal => ("==", 6),
            Binary::Unequal => ("!=", 6),
            Binary::Less => ("<", 7),
            Binary::LessEqual => ("<=", 7),
            Binary::Greater => (">", 7),
            Binary::GreaterEqual => (">=", 7),
            Binary::ShiftLeft => ("<<", 8),
            Binary::ShiftRight => (">>", 8),
            Binary::Plus => ("+", 9),
            Binary::Minus => ("-", 9),
            Binary::Times => ("*", 10),
            Binary::Divide => ("/", 10),
            Binary::Remainder => ("%", 10),
        }
    }
}

const UNARY_LEVEL: u8 = 11;

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A literal.
    Number(i64),
    /// Something that needs no parentheses: a name, an element, a call, a poll.
    Atom(String),
    /// `!`, `-` or `~` applied to an operand.
    Unary(char, Box<Expression>),
    /// Two operands with an operator in between.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `(condition -> yes : no)`
    Conditional(Box<[Expression; 3]>),
    /// Parentheses the grammar does not ask for.
    Parentheses(Box<Expression>),
}

impl Expression {
    /// A name, an element, a call or a poll.
    pub fn atom(text: impl Into<String>) -> Self {
        Expression::Atom(text.into())
    }

    /// `left operator right`
    pub fn binary(operator: Binary, left: Expression, right: Expression) -> Self {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    /// `operator operand`
    pub fn unary(operator: char, operand: Expression) -> Self {
        Expression::Unary(operator, Box::new(operand))
    }

    /// The text, with no more parentheses than the grammar needs.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.print(0, &mut text);
        text
    }

    /// The text where an operand is expected, as the argument of a macro.
    pub fn operand_text(&self) -> String {
        let mut text = String::new();
        self.print(UNARY_LEVEL, &mut text);
        text
    }

    fn print(&self, least: u8, out: &mut String) {
        match self {
            Expression::Number(value) if *value < 0 && least > 0 => {
                out.push_str(&format!("({value})"));
            }
            Expression::Number(value) => out.push_str(&value.to_string()),
            Expression::Atom(text) => out.push_str(text),
            Expression::Unary(operator, operand) => {
                out.push(*operator);
                match **operand {
                    // `--x` and `- -1` are another token.
                    Expression::Unary(..) => parenthesised(operand, out),
                    _ => operand.print(UNARY_LEVEL, out),
                }
            }
            Expression::Binary(operator, left, right) => {
                let (sign, level) = operator.sign_and_level();
                let open = level < least;
                if open {
                    out.push('(');
                }
                left.print(level, out);
                out.push(' ');
                out.push_str(sign);
                out.push(' ');
                right.print(level + 1, out);
                if open {
                    out.push(')');
                }
            }
            Expression::Conditional(parts) => {
                out.push('(');
                parts[0].print(1, out);
                out.push_str(" -> ");
                parts[1].print(1, out);
                out.push_str(" : ");
                parts[2].print(1, out);
                out.push(')');
            }
            Expression::Parentheses(inner) => parenthesised(inner, out),
        }
    }
}

fn parenthesised(inner: &Expression, out: &mut String) {
    out.push('(');
    inner.print(0, out);
    out.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_are_printed_where_needed() {
        let x = || Expression::atom("x");
        let sum = || Expression::binary(Binary::Plus, x(), Expression::Number(-1));
        let product = Expression::binary(Binary::Times, sum(), x());
        assert_eq!(product.text(), "(x + (-1)) * x");
        let difference = Expression::binary(Binary::Minus, x(), sum());
        assert_eq!(difference.text(), "x - (x + (-1))");
        let twice = Expression::unary('-', Expression::unary('-', x()));
        assert_eq!(twice.text(), "-(-x)");
        assert_eq!(Expression::unary('!', sum()).text(), "!(x + (-1))");
    }
}
