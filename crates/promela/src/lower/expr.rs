//! Expressions and variable references: names become places.

use model::{Base, Display, Expr, ExprId, Index, Place, PlaceId, RecvArg, Scalar};

use super::types::{Symbol, Ty};
use super::{FALSE, Lowerer};
use crate::ast::{self, BinaryOp, ChannelTest, ExprKind, UnaryOp, VarRef};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The most operands of one chain of operators: evaluation is recursive.
const LONGEST: usize = 10_000;

/// What a variable reference comes to.
pub(super) enum Target {
    /// A scalar.
    Scalar(PlaceId, Display),
    /// A structure: all its scalars.
    Struct(Vec<(PlaceId, Display)>),
}

/// A reference on the way through fields and indices.
struct Walk {
    base: Base,
    offset: u32,
    indices: Vec<Index>,
}

/// An index of an array whose names are resolved.
pub(super) struct ArrayIndex {
    span: Span,
    value: IndexValue,
}

enum IndexValue {
    Constant(i32),
    Computed(ExprId),
}

impl Lowerer<'_> {
    pub(super) fn add(&mut self, expr: Expr) -> ExprId {
        self.model.exprs.push(expr);
        ExprId(self.model.exprs.len() as u32 - 1)
    }

    pub(super) fn constant_expr(&mut self, value: i32) -> ExprId {
        if value == 0 {
            FALSE
        } else {
            self.add(Expr::Const(value))
        }
    }

    pub(super) fn add_place(&mut self, place: Place) -> PlaceId {
        self.model.places.push(place);
        PlaceId(self.model.places.len() as u32 - 1)
    }

    /// Lower an expression. Errors give the constant 0 and a diagnostic.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        let lowered = match &expr.kind {
            ExprKind::Number(value) => return self.constant_expr(*value),
            ExprKind::Mtype(name) => return self.mtype_constant(name),
            ExprKind::Var(var) => return self.variable_expr(var),
            ExprKind::Unary(op, operand) => self.unary(expr.span, *op, operand),
            ExprKind::Binary(..) => return self.binary(expr),
            ExprKind::Cond(c, a, b) => Expr::Cond(self.expr(c), self.expr(a), self.expr(b)),
            ExprKind::Run { .. } => match self.run_result {
                Some(span) if span == expr.span => Expr::RunResult,
                _ => {
                    self.diagnostics.push(
                        Diagnostic::error(expr.span, "run cannot be used here").help(
                            "start the process in a statement of its own, such as p = run A()",
                        ),
                    );
                    return FALSE;
                }
            },
            ExprKind::Channel(test, var) => match self.channel_place(var) {
                Some(place) => Expr::Channel(channel_test(*test), place),
                None => return FALSE,
            },
            ExprKind::Poll {
                channel,
                random,
                args,
            } => {
                let args = self.receive_args(args);
                match self.channel_place(channel) {
                    Some(channel) => Expr::Poll {
                        channel,
                        random: *random,
                        args,
                    },
                    None => return FALSE,
                }
            }
            ExprKind::Enabled(pid) => {
                self.enabled_at.get_or_insert(expr.span);
                Expr::Enabled(self.expr(pid))
            }
            ExprKind::GetPriority(pid) => {
                self.priority_at.get_or_insert(expr.span);
                Expr::GetPriority(self.expr(pid))
            }
            ExprKind::PcValue(pid) => Expr::PcValue(self.expr(pid)),
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => {
                if !self.in_claim {
                    self.diagnostics.push(
                        Diagnostic::error(expr.span, "np_ can only be used in a never claim").help(
                            "np_ depends on the whole system, which a process cannot \
                                   observe",
                        ),
                    );
                }
                Expr::NonProgress
            }
            ExprKind::RemoteLabel {
                proctype,
                index,
                label,
            } => {
                let pid = index.as_ref().map(|index| self.expr(index));
                return self.remote_label(proctype, pid, label);
            }
            ExprKind::RemoteVar {
                proctype,
                index,
                var,
            } => {
                let pid = index.as_ref().map(|index| self.expr(index));
                return self.remote_var(proctype, pid, var);
            }
            ExprKind::EmbeddedC(c) => {
                self.embedded_c(c);
                return FALSE;
            }
        };
        self.add(lowered)
    }

    fn unary(&mut self, span: Span, op: UnaryOp, operand: &ast::Expr) -> Expr {
        let operand = self.expr(operand);
        match op {
            UnaryOp::Not => Expr::Unary(model::UnaryOp::Not, operand),
            UnaryOp::Neg => Expr::Unary(model::UnaryOp::Neg, operand),
            UnaryOp::BitNot => Expr::Unary(model::UnaryOp::BitNot, operand),
            UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => {
                self.temporal(span);
                Expr::Const(0)
            }
        }
    }

    /// Binary operations lean left and can be long: they are taken apart without recursion.
    fn binary(&mut self, expr: &ast::Expr) -> ExprId {
        let mut pending = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(op, left, right) = &at.kind {
            pending.push((at.span, *op, right));
            at = left;
        }
        if pending.len() > LONGEST {
            self.error_at(expr.span, "this expression has too many operands");
            return FALSE;
        }
        let mut value = self.expr(at);
        while let Some((span, op, right)) = pending.pop() {
            let right = self.expr(right);
            value = match binary_op(op) {
                Some(op) => self.add(Expr::Binary(op, value, right)),
                None if matches!(op, BinaryOp::Implies | BinaryOp::Equiv) => {
                    self.implication(op, value, right)
                }
                None => {
                    self.temporal(span);
                    FALSE
                }
            };
        }
        value
    }

    /// Temporal operators belong in formulas, and there not inside other expressions.
    fn temporal(&mut self, span: Span) {
        self.error_at(
            span,
            "temporal operators can only be used in an ltl formula",
        );
    }

    fn mtype_constant(&mut self, name: &ast::Ident) -> ExprId {
        match self.mtype_values.get(&name.name) {
            Some(&(_, value)) => self.constant_expr(value),
            None => {
                self.undeclared(name);
                FALSE
            }
        }
    }

    fn variable_expr(&mut self, var: &VarRef) -> ExprId {
        if let [part] = var.parts.as_slice()
            && part.index.is_none()
        {
            let known = match part.name.name.as_str() {
                "_pid" => Some(Expr::Pid),
                "_nr_pr" => Some(Expr::ProcessCount),
                "_priority" => {
                    self.priority_at.get_or_insert(var.span);
                    Some(Expr::OwnPriority)
                }
                // In a trace it stands for any value of a field.
                "_" if self.in_claim => return FALSE,
                "_" => {
                    self.diagnostics.push(
                        Diagnostic::error(var.span, "the variable _ cannot be read")
                            .help("_ is write-only: it discards values"),
                    );
                    return FALSE;
                }
                _ => None,
            };
            if let Some(known) = known {
                return self.add(known);
            }
            let is_variable = self.lookup(&part.name.name).is_some();
            if !is_variable && self.mtype_values.contains_key(&part.name.name) {
                return self.mtype_constant(&part.name);
            }
        }
        match self.reference(var) {
            Some(Target::Scalar(place, _)) => self.add(Expr::Load(place)),
            Some(Target::Struct(_)) => {
                self.refuse_struct_value(var.span);
                FALSE
            }
            None => FALSE,
        }
    }

    /// The place a reference denotes; `None` after a diagnostic.
    pub(super) fn reference(&mut self, var: &VarRef) -> Option<Target> {
        let first = &var.parts[0];
        if first.name.name == "_last" && var.parts.len() == 1 && first.index.is_none() {
            let offset = self.last_offset();
            let place = self.add_place(scalar_place(Base::Global, offset, Scalar::U8));
            return Some(Target::Scalar(place, Display::Number));
        }
        if first.name.name == "_" && var.parts.len() == 1 {
            let place = self.add_place(scalar_place(Base::Nowhere, 0, Scalar::I32));
            return Some(Target::Scalar(place, Display::Number));
        }
        let Some((base, symbol)) = self.lookup(&first.name.name) else {
            self.undeclared(&first.name);
            return None;
        };
        self.walk_reference(base, symbol, var)
    }

    /// Follow fields and indices from the symbol of the first part.
    pub(super) fn walk_reference(
        &mut self,
        base: Base,
        mut symbol: Symbol,
        var: &VarRef,
    ) -> Option<Target> {
        let mut walk = Walk {
            base,
            offset: 0,
            indices: Vec::new(),
        };
        for (i, part) in var.parts.iter().enumerate() {
            walk.offset += symbol.offset;
            let index = part.index.as_ref().map(|index| self.index(index));
            self.apply_index(&mut walk, &symbol, part.name.span, index)?;
            let Some(next) = var.parts.get(i + 1) else {
                break;
            };
            let Ty::Struct(id) = symbol.ty else {
                self.error(
                    &next.name,
                    format!("`{}` is not a structure and has no fields", part.name.name),
                );
                return None;
            };
            let definition = &self.structs[id.0];
            let field = definition.field(&next.name.name);
            let Some(field) = field.cloned() else {
                let message = format!(
                    "type `{}` has no field `{}`",
                    definition.name, next.name.name
                );
                self.error(&next.name, message);
                return None;
            };
            symbol = field;
        }
        Some(match symbol.ty {
            Ty::Scalar(scalar, display) => {
                let place = self.add_place(Place {
                    base: walk.base,
                    offset: walk.offset,
                    indices: walk.indices,
                    scalar,
                });
                Target::Scalar(place, display)
            }
            Ty::Struct(id) => Target::Struct(
                self.scalars_of(id)
                    .into_iter()
                    .map(|(offset, scalar, display)| {
                        let place = self.add_place(Place {
                            base: walk.base,
                            offset: walk.offset + offset,
                            indices: walk.indices.clone(),
                            scalar,
                        });
                        (place, display)
                    })
                    .collect(),
            ),
        })
    }

    /// An index, its names resolved in the scope of this place.
    pub(super) fn index(&mut self, index: &ast::Expr) -> ArrayIndex {
        let value = match self.constant(index) {
            Some(value) => IndexValue::Constant(value),
            None => IndexValue::Computed(self.expr(index)),
        };
        ArrayIndex {
            span: index.span,
            value,
        }
    }

    /// Select the element of an array; `name` is where the array is named.
    fn apply_index(
        &mut self,
        walk: &mut Walk,
        symbol: &Symbol,
        name: Span,
        index: Option<ArrayIndex>,
    ) -> Option<()> {
        match (symbol.count, index) {
            (None, None) => {}
            (Some(count), Some(index)) => {
                let stride = self.element_size(&symbol.ty);
                let expr = match index.value {
                    IndexValue::Constant(value) if (0..count as i32).contains(&value) => {
                        walk.offset += value as u32 * stride;
                        return Some(());
                    }
                    IndexValue::Constant(value) => self.constant_expr(value),
                    IndexValue::Computed(expr) => expr,
                };
                walk.indices.push(Index {
                    expr,
                    count,
                    stride,
                });
            }
            (Some(count), None) => {
                self.diagnostics.push(
                    Diagnostic::error(name, format!("`{}` is an array", symbol.name))
                        .help(format!("give an index, 0 to {}", count - 1)),
                );
                return None;
            }
            (None, Some(index)) => {
                // Spin reads the index of a scalar and drops it; index 0 is harmless.
                if !matches!(index.value, IndexValue::Constant(0)) {
                    self.error_at(index.span, format!("`{}` is not an array", symbol.name));
                    return None;
                }
            }
        }
        Some(())
    }

    /// The place of a local variable, or of an element of a local array.
    pub(super) fn local_element(
        &mut self,
        symbol: &Symbol,
        name: Span,
        index: Option<ArrayIndex>,
    ) -> Option<Place> {
        let mut walk = Walk {
            base: Base::Frame,
            offset: symbol.offset,
            indices: Vec::new(),
        };
        self.apply_index(&mut walk, symbol, name, index)?;
        let Ty::Scalar(scalar, _) = symbol.ty else {
            self.refuse_struct_value(name);
            return None;
        };
        Some(Place {
            base: walk.base,
            offset: walk.offset,
            indices: walk.indices,
            scalar,
        })
    }

    fn refuse_struct_value(&mut self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error(span, "a whole structure cannot be used as a value")
                .help("name one of its fields"),
        );
    }

    /// A reference that must be a channel.
    pub(super) fn channel_place(&mut self, var: &VarRef) -> Option<PlaceId> {
        match self.reference(var)? {
            Target::Scalar(place, Display::Channel) => Some(place),
            _ => {
                let name = &var.parts[var.parts.len() - 1].name.name;
                self.error_at(var.span, format!("`{name}` is not a channel"));
                None
            }
        }
    }

    /// The fields of a receive or poll.
    pub(super) fn receive_args(&mut self, args: &[ast::RecvArg]) -> Vec<RecvArg> {
        let mut lowered = Vec::new();
        for arg in args {
            match arg {
                ast::RecvArg::Const(expr) | ast::RecvArg::Eval(expr) => {
                    let expr = self.expr(expr);
                    lowered.push(RecvArg::Match(expr));
                }
                ast::RecvArg::Var(var) => {
                    if let [part] = var.parts.as_slice()
                        && part.index.is_none()
                        && self.lookup(&part.name.name).is_none()
                        && self.mtype_values.contains_key(&part.name.name)
                    {
                        let expr = self.mtype_constant(&part.name);
                        lowered.push(RecvArg::Match(expr));
                        continue;
                    }
                    self.refuse_predefined(var);
                    match self.reference(var) {
                        Some(Target::Scalar(place, _)) => lowered.push(RecvArg::Store(place)),
                        Some(Target::Struct(places)) => {
                            lowered.extend(places.into_iter().map(|(p, _)| RecvArg::Store(p)));
                        }
                        None => {}
                    }
                }
            }
        }
        lowered
    }

    /// Arguments of a send or run: structures stand for all their scalars.
    pub(super) fn value_args(&mut self, args: &[ast::Expr]) -> Vec<ExprId> {
        let mut lowered = Vec::new();
        for arg in args {
            if let ExprKind::Var(var) = &arg.kind
                && self.names_struct(var)
                && let Some(Target::Struct(places)) = self.reference(var)
            {
                for (place, _) in places {
                    let load = self.add(Expr::Load(place));
                    lowered.push(load);
                }
                continue;
            }
            let value = self.expr(arg);
            lowered.push(value);
        }
        lowered
    }

    /// Whether a reference denotes a whole structure.
    fn names_struct(&self, var: &VarRef) -> bool {
        let Some((_, mut symbol)) = self.lookup(&var.parts[0].name.name) else {
            return false;
        };
        for part in &var.parts[1..] {
            let Ty::Struct(id) = symbol.ty else {
                return false;
            };
            match self.structs[id.0].field(&part.name.name) {
                Some(field) => symbol = field.clone(),
                None => return false,
            }
        }
        matches!(symbol.ty, Ty::Struct(_))
    }

    /// Predefined variables cannot be assigned to.
    pub(super) fn refuse_predefined(&mut self, var: &VarRef) {
        let name = var.parts[0].name.name.as_str();
        if matches!(name, "_pid" | "_nr_pr" | "_last" | "np_") {
            self.error_at(var.span, format!("{name} cannot be assigned to"));
        }
    }

    /// Spin does not assign to `a[a[i]]`: going back, its verifier would find the element by a value
    /// that has changed. It compares names only, and does not look into `a[a[i] + 1]`.
    pub(super) fn refuse_self_index(&mut self, var: &VarRef) {
        if let Some(index) = find_self_index(var, &mut Vec::new()) {
            let name = &index.parts[index.parts.len() - 1].name.name;
            self.diagnostics.push(
                Diagnostic::error(index.span, format!("`{name}` is indexed with itself"))
                    .help("copy the inner element to a variable first"),
            );
        }
    }

    /// How a value is shown: mtype constants and variables by name.
    pub(super) fn display_of(&mut self, expr: &ast::Expr) -> Display {
        match &expr.kind {
            ExprKind::Mtype(name) => self
                .mtype_values
                .get(&name.name)
                .map_or(Display::Number, |&(set, _)| Display::Mtype(set)),
            ExprKind::Var(var) => match self.lookup(&var.parts[0].name.name) {
                Some((
                    _,
                    Symbol {
                        ty: Ty::Scalar(_, display),
                        ..
                    },
                )) => display,
                Some((base, symbol)) if var.parts.len() > 1 => {
                    match self.walk_reference(base, symbol, var) {
                        Some(Target::Scalar(_, display)) => display,
                        _ => Display::Number,
                    }
                }
                Some(_) => Display::Number,
                None => self
                    .mtype_values
                    .get(&var.parts[0].name.name)
                    .map_or(Display::Number, |&(set, _)| Display::Mtype(set)),
            },
            ExprKind::Cond(_, a, _) => self.display_of(a),
            _ => Display::Number,
        }
    }

    /// The value of a constant expression.
    pub(super) fn constant(&self, expr: &ast::Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Number(value) => Some(*value),
            ExprKind::Unary(UnaryOp::Neg, e) => self.constant(e).map(i32::wrapping_neg),
            ExprKind::Binary(..) => self.constant_binary(expr),
            _ => None,
        }
    }

    /// Like [`Lowerer::binary`], without recursion to the left.
    fn constant_binary(&self, expr: &ast::Expr) -> Option<i32> {
        let mut pending = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(op, left, right) = &at.kind {
            pending.push((*op, right));
            at = left;
        }
        let mut value = self.constant(at)?;
        while let Some((op, right)) = pending.pop() {
            let right = self.constant(right)?;
            value = match op {
                BinaryOp::Add => value.wrapping_add(right),
                BinaryOp::Sub => value.wrapping_sub(right),
                BinaryOp::Mul => value.wrapping_mul(right),
                BinaryOp::Div if right != 0 => value.wrapping_div(right),
                BinaryOp::Rem if right != 0 => value.wrapping_rem(right),
                _ => return None,
            };
        }
        Some(value)
    }

    /// The value of an initialised scalar, which Spin takes as an array bound.
    pub(super) fn constant_name(&self, expr: &ast::Expr) -> Option<i32> {
        let ExprKind::Var(var) = &expr.kind else {
            return None;
        };
        let (_, symbol) = self.lookup(&var.parts[0].name.name)?;
        // Without a positive value Spin takes 8.
        Some(symbol.constant.filter(|&value| value > 0).unwrap_or(8))
    }
}

pub(super) fn scalar_place(base: Base, offset: u32, scalar: Scalar) -> Place {
    Place {
        base,
        offset,
        indices: Vec::new(),
        scalar,
    }
}

/// An index that is an element of an array it helps to index, however far inside. `arrays` are the
/// ones around this reference.
fn find_self_index<'a>(var: &'a VarRef, arrays: &mut Vec<Vec<&'a str>>) -> Option<&'a VarRef> {
    let mut array = Vec::new();
    for part in &var.parts {
        array.push(part.name.name.as_str());
        let Some(ExprKind::Var(index)) = part.index.as_ref().map(|index| &index.kind) else {
            continue;
        };
        arrays.push(array.clone());
        let element: Vec<&str> = index.parts.iter().map(|p| p.name.name.as_str()).collect();
        let found = match arrays.contains(&element) {
            true => Some(index),
            false => find_self_index(index, arrays),
        };
        arrays.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

fn channel_test(test: ChannelTest) -> model::ChannelTest {
    match test {
        ChannelTest::Len => model::ChannelTest::Len,
        ChannelTest::Full => model::ChannelTest::Full,
        ChannelTest::Empty => model::ChannelTest::Empty,
        ChannelTest::NFull => model::ChannelTest::NFull,
        ChannelTest::NEmpty => model::ChannelTest::NEmpty,
    }
}

fn binary_op(op: BinaryOp) -> Option<model::BinaryOp> {
    Some(match op {
        BinaryOp::Add => model::BinaryOp::Add,
        BinaryOp::Sub => model::BinaryOp::Sub,
        BinaryOp::Mul => model::BinaryOp::Mul,
        BinaryOp::Div => model::BinaryOp::Div,
        BinaryOp::Rem => model::BinaryOp::Rem,
        BinaryOp::BitAnd => model::BinaryOp::BitAnd,
        BinaryOp::BitXor => model::BinaryOp::BitXor,
        BinaryOp::BitOr => model::BinaryOp::BitOr,
        BinaryOp::Shl => model::BinaryOp::Shl,
        BinaryOp::Shr => model::BinaryOp::Shr,
        BinaryOp::Lt => model::BinaryOp::Lt,
        BinaryOp::Le => model::BinaryOp::Le,
        BinaryOp::Gt => model::BinaryOp::Gt,
        BinaryOp::Ge => model::BinaryOp::Ge,
        BinaryOp::Eq => model::BinaryOp::Eq,
        BinaryOp::Ne => model::BinaryOp::Ne,
        BinaryOp::And => model::BinaryOp::And,
        BinaryOp::Or => model::BinaryOp::Or,
        BinaryOp::Until
        | BinaryOp::WeakUntil
        | BinaryOp::Release
        | BinaryOp::Implies
        | BinaryOp::Equiv => return None,
    })
}
