//! Whether an expression stays what it is when two members change their names.
//!
//! `flag[0] + flag[1] + flag[2]` names all members and none in particular. So does what somebody
//! wrote out because the language has no quantifiers. An expression is brought into a form in which
//! the order of operands does not count where it makes no difference, once with the names as they
//! are and once with two of them exchanged: the two must be the same.

use super::infer::WholeExpr;
use super::leaves::{LeafId, Leaves, Subscript};
use super::sorts::{Sort, Sorts};
use crate::expr::{BinaryOp, Expr};
use crate::ids::{ExprId, PlaceId, ProctypeId};
use crate::model::{Model, RecvArg};
use crate::reduction::Footprint;

/// Exchanges two members.
pub(super) trait Exchange {
    /// The value of a sort that a value becomes.
    fn image(&self, sort: Sort, value: i32) -> i32;
}

/// The names as they are.
struct Identity;

impl Exchange for Identity {
    fn image(&self, _sort: Sort, value: i32) -> i32 {
        value
    }
}

/// Brings expressions into a normal form.
pub(super) struct Normaliser<'a> {
    pub(super) model: &'a Model,
    pub(super) sorts: &'a Sorts,
    pub(super) leaves: &'a Leaves,
    pub(super) pids: &'a [Sort],
    /// How a process would see it; claims see nothing of their own.
    pub(super) proctype: ProctypeId,
    /// The counters of the loops around it, with their sorts there.
    pub(super) scope: &'a [(LeafId, Sort)],
}

impl Normaliser<'_> {
    /// Whether an exchange leaves an expression as it is.
    pub(super) fn is_invariant(&self, whole: WholeExpr, exchange: &impl Exchange) -> bool {
        let Some(expr) = whole.expr else {
            return false;
        };
        self.normal_form(expr, None, &Identity) == self.normal_form(expr, None, exchange)
    }

    /// The atom that each atom becomes by an exchange; none if one becomes no atom.
    pub(super) fn images(&self, atoms: &[ExprId], exchange: &impl Exchange) -> Option<Vec<usize>> {
        let before = atoms
            .iter()
            .map(|atom| self.normal_form(*atom, None, &Identity));
        let before: Vec<String> = before.collect();
        let after = atoms
            .iter()
            .map(|atom| self.normal_form(*atom, None, exchange));
        let row = |normal_form: String| before.iter().position(|known| *known == normal_form);
        after.map(row).collect()
    }

    /// The form of an expression, whose sort is known where it is a number.
    pub(super) fn normal_form(
        &self,
        expr: ExprId,
        sort: Option<Sort>,
        by: &impl Exchange,
    ) -> String {
        match self.model.expr(expr) {
            Expr::Const(value) => match sort {
                Some(sort) => by.image(sort, *value).to_string(),
                None => value.to_string(),
            },
            Expr::Load(place) => self.place(*place, self.proctype, by),
            Expr::Unary(op, a) => format!("{op:?}({})", self.normal_form(*a, None, by)),
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b, by),
            Expr::Cond(c, a, b) => {
                let sort = sort.or(self.sort(*a)).or(self.sort(*b));
                let [c, a, b] =
                    [(c, None), (a, sort), (b, sort)].map(|(e, s)| self.normal_form(*e, s, by));
                format!("({c}?{a}:{b})")
            }
            Expr::Channel(test, place) => {
                format!("{test:?}({})", self.place(*place, self.proctype, by))
            }
            Expr::Poll {
                channel,
                random,
                args,
            } => {
                let fields = self.fields(*channel, args.len());
                let args = args.iter().zip(fields).map(|(arg, field)| match arg {
                    RecvArg::Store(place) => self.place(*place, self.proctype, by),
                    RecvArg::Match(expr) => format!("={}", self.normal_form(*expr, field, by)),
                });
                let args = args.collect::<Vec<_>>().join(",");
                format!(
                    "poll{random}({},{args})",
                    self.place(*channel, self.proctype, by)
                )
            }
            Expr::RemoteLabel {
                proctype,
                pid,
                control,
            } => {
                format!("{}@{}", self.process(*proctype, *pid, by), control.0)
            }
            Expr::RemoteVar {
                proctype,
                pid,
                place,
            } => {
                let place = self.place(*place, *proctype, by);
                format!("{}:{place}", self.process(*proctype, *pid, by))
            }
            other => format!("{other:?}"),
        }
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId, by: &impl Exchange) -> String {
        let mut parts = Vec::new();
        let op = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Add | BinaryOp::Mul => {
                self.operands(op, a, b, &mut parts);
                // Where an operand may fail, it matters which comes first: the others may not be
                // evaluated then.
                let may_fail = |e: &ExprId| Footprint::of_expr(self.model, *e).may_fail;
                let any_order = !parts.iter().any(may_fail);
                let mut parts: Vec<String> = parts
                    .into_iter()
                    .map(|e| self.normal_form(e, None, by))
                    .collect();
                if any_order {
                    parts.sort();
                }
                return format!("{op:?}({})", parts.join(","));
            }
            BinaryOp::Gt => return self.binary(BinaryOp::Lt, b, a, by),
            BinaryOp::Ge => return self.binary(BinaryOp::Le, b, a, by),
            op => op,
        };
        let sort = match op {
            BinaryOp::Eq | BinaryOp::Ne => self.sort(a).or(self.sort(b)),
            _ => None,
        };
        let mut parts = [a, b].map(|e| self.normal_form(e, sort, by));
        if matches!(
            op,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
        ) {
            parts.sort();
        }
        format!("{op:?}({})", parts.join(","))
    }

    /// The operands of an operator that may be taken in any order, however they are bracketed.
    fn operands(&self, op: BinaryOp, a: ExprId, b: ExprId, parts: &mut Vec<ExprId>) {
        for operand in [a, b] {
            match self.model.expr(operand) {
                Expr::Binary(inner, c, d) if *inner == op => self.operands(op, *c, *d, parts),
                _ => parts.push(operand),
            }
        }
    }

    /// The sort of a variable, of a process number, of a choice between such.
    fn sort(&self, expr: ExprId) -> Option<Sort> {
        let sort = match self.model.expr(expr) {
            Expr::Load(place) => self.sort_of(*place, self.proctype)?,
            Expr::Pid => self.pids[self.proctype.index()],
            Expr::RemoteVar {
                proctype, place, ..
            } => self.sort_of(*place, *proctype)?,
            Expr::Cond(_, a, b) => self.sort(*a).or(self.sort(*b))?,
            _ => return None,
        };
        Some(self.sorts.root(sort))
    }

    fn sort_of(&self, place: PlaceId, owner: ProctypeId) -> Option<Sort> {
        let element = self.leaves.element(self.model.place(place), owner)?;
        let counter = self
            .scope
            .iter()
            .find(|(counter, _)| *counter == element.leaf);
        let counter = counter.filter(|_| owner == self.proctype);
        Some(counter.map_or(self.leaves.get(element.leaf).sort, |(_, sort)| *sort))
    }

    fn fields(&self, channel: PlaceId, count: usize) -> Vec<Option<Sort>> {
        let channel = self.sort_of(channel, self.proctype);
        (0..count)
            .map(|number| self.sorts.known_field(channel?, number))
            .collect()
    }

    fn process(&self, proctype: ProctypeId, pid: Option<ExprId>, by: &impl Exchange) -> String {
        let sort = self.sorts.root(self.pids[proctype.index()]);
        let pid = pid.map(|pid| self.normal_form(pid, Some(sort), by));
        format!("{}[{}]", proctype.0, pid.unwrap_or_default())
    }

    fn place(&self, place: PlaceId, owner: ProctypeId, by: &impl Exchange) -> String {
        let Some(element) = self.leaves.element(self.model.place(place), owner) else {
            return "_".to_owned();
        };
        let dims = &self.leaves.get(element.leaf).dims;
        let indices = dims
            .iter()
            .zip(&element.subscripts)
            .map(|(dim, subscript)| {
                let sort = self.sorts.root(dim.sort);
                match subscript {
                    Subscript::Number(number) => by.image(sort, *number as i32).to_string(),
                    Subscript::Expr(expr) => self.normal_form(*expr, Some(sort), by),
                }
            });
        let indices = indices.collect::<Vec<_>>().join("][");
        format!("v{}[{indices}]", element.leaf.0)
    }
}
