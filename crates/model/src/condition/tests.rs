use super::*;
use crate::layout::{Index, Place};
use crate::{PlaceId, StateLayout};

/// A model that is only a table of expressions.
#[derive(Default)]
struct Table {
    model: Model,
}

impl Table {
    fn push(&mut self, expr: Expr) -> ExprId {
        self.model.exprs.push(expr);
        ExprId(self.model.exprs.len() as u32 - 1)
    }

    fn number(&mut self, number: i32) -> ExprId {
        self.push(Expr::Const(number))
    }

    fn variable(&mut self, offset: u32, scalar: Scalar, indices: Vec<Index>) -> ExprId {
        self.model.places.push(Place {
            base: Base::Global,
            offset,
            indices,
            scalar,
        });
        self.push(Expr::Load(PlaceId(self.model.places.len() as u32 - 1)))
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.push(Expr::Binary(op, a, b))
    }

    fn not(&mut self, a: ExprId) -> ExprId {
        self.push(Expr::Unary(UnaryOp::Not, a))
    }

    /// Whether the interpreter is asked for the truth of an expression, which must be as it says.
    fn check(&mut self, expr: ExprId, states: &[[u8; 4]]) -> bool {
        self.model.layout = StateLayout {
            frames: 4,
            ..StateLayout::default()
        };
        let condition = Condition::new(&self.model, expr);
        let mut interp = Interp::new(&self.model);
        for state in states {
            interp.load(state);
            let value = interp.observe_value(state, Sight::default(), expr);
            let holds = condition.holds(&interp, state, Sight::default());
            assert_eq!(holds, value.map(|value| value != 0), "{condition:?}");
        }
        condition.asks()
    }
}

const STATES: [[u8; 4]; 5] = [
    [0, 0, 0, 0],
    [1, 0xff, 0xff, 2],
    [2, 5, 0, 1],
    [255, 0, 0x80, 0],
    [3, 0xff, 0x7f, 1],
];

const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
    BinaryOp::Eq,
    BinaryOp::Ne,
];

#[test]
fn comparisons_with_numbers() {
    for op in COMPARISONS {
        for number in [i32::MIN, -32768, -1, 0, 1, 2, 5, 255, 32767, i32::MAX] {
            let mut table = Table::default();
            let number = table.number(number);
            let byte = table.variable(0, Scalar::U8, Vec::new());
            let short = table.variable(1, Scalar::I16, Vec::new());
            for variable in [byte, short] {
                let forth = table.binary(op, variable, number);
                let back = table.binary(op, number, variable);
                let denied = table.not(back);
                for expr in [forth, back, denied] {
                    assert!(!table.check(expr, &STATES));
                }
            }
        }
    }
}

#[test]
fn parts_are_tried_in_order() {
    for op in [BinaryOp::And, BinaryOp::Or] {
        let mut table = Table::default();
        let zero = table.number(0);
        let byte = table.variable(0, Scalar::U8, Vec::new());
        let last = table.variable(3, Scalar::U8, Vec::new());
        // It fails in some states.
        let quotient = table.binary(BinaryOp::Div, byte, last);
        let is_last = table.binary(BinaryOp::Ne, last, zero);
        let is_not_last = table.not(is_last);
        for first in [is_last, is_not_last, byte] {
            let expr = table.binary(op, first, quotient);
            let denied = table.not(expr);
            assert!(table.check(expr, &STATES) && table.check(denied, &STATES));
            let simple = table.binary(op, first, byte);
            let denied = table.not(simple);
            assert!(!table.check(simple, &STATES) && !table.check(denied, &STATES));
        }
    }
}

#[test]
fn elements() {
    let mut table = Table::default();
    let index = |expr, count| Index {
        expr,
        count,
        stride: 1,
    };
    let (one, four) = (table.number(1), table.number(4));
    let constant = table.variable(0, Scalar::U8, vec![index(one, 4)]);
    assert!(!table.check(constant, &STATES));
    let beyond = table.variable(0, Scalar::U8, vec![index(four, 4)]);
    assert!(table.check(beyond, &STATES));
    let byte = table.variable(0, Scalar::U8, Vec::new());
    let variable = table.variable(0, Scalar::U8, vec![index(byte, 4)]);
    assert!(table.check(variable, &STATES));
}
