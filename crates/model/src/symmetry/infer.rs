//! What statements say about sorts: which are the same, and which cannot be names of members.
//!
//! Follows: the restrictions on scalarsets of Ip and Dill, as [001 ch. 6, section 4.3] asks for them.
//! A name may be assigned, compared for equality with another name, be an index, an argument and a
//! field of a message. Whatever else is done with it is written down with its place, and counts
//! against a set if it turns out that the sort has members.
//!
//! Departs: nobody declares anything, the sorts of all values are inferred. Numbers that name no
//! member are allowed beside the members, as values that no permutation changes. What is printed is
//! no part of a state and does not count.

use super::flow::Flow;
use super::leaves::{LeafId, Leaves, Subscript};
use super::loops::Finder;
use super::root::Root;
use super::sends::channel_arrays;
use super::sorts::{Sort, Sorts};
use crate::expr::{BinaryOp, Expr, UnaryOp};
use crate::ids::{ControlId, ExprId, PlaceId, ProctypeId};
use crate::layout::Scalar;
use crate::model::{Action, Location, Model, RecvArg};

/// Something that a sort with members may not do, or not always.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) sort: Sort,
    pub(super) constraint: Constraint,
    pub(super) location: Location,
}

/// What is done with a value, as a constraint on its sort.
#[derive(Clone, Copy, Debug)]
pub(super) enum Constraint {
    /// It is used as more than a name.
    Breaks(&'static str),
    /// It is a number, inside an expression that is evaluated as a whole.
    Number(i32, WholeExpr),
    /// It goes through all values of this range.
    Range(i32, i32),
    /// It becomes one of some numbers, whichever: their row in [`Inference::choices`].
    Choice(usize),
    /// It is kept so.
    Kept(Scalar),
    /// It is an index of an array of so many elements.
    Index(u32),
}

/// An expression that is evaluated as a whole, by a process of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WholeExpr {
    pub(super) expr: Option<ExprId>,
    pub(super) proctype: ProctypeId,
    /// The loops around it: their row in [`Inference::scopes`].
    pub(super) scope: usize,
    /// It is an atom, and what counts is what all of them say together.
    pub(super) joint: bool,
}

/// A message of a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    /// The sort of its channel.
    pub(super) channel: Sort,
    /// How many fields the statement names.
    pub(super) fields: usize,
    pub(super) location: Location,
}

/// What is known about the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Of(Sort),
    Number(i32),
    /// Computed, or a truth value.
    Other,
}

/// Whose statement is looked at.
#[derive(Clone, Copy)]
struct Context {
    whole: WholeExpr,
    location: Location,
}

/// Sorts and what is done with them.
pub(super) struct Inference<'m> {
    pub(super) model: &'m Model,
    pub(super) sorts: Sorts,
    pub(super) leaves: Leaves,
    /// The numbers of processes, by proctype.
    pub(super) pids: Vec<Sort>,
    pub(super) uses: Vec<Use>,
    /// Counters that tell where their loops ended, with the proctypes they belong to.
    pub(super) counters: Vec<(ProctypeId, LeafId)>,
    /// Sets of loops: the counters and their sorts inside. The first one is empty.
    pub(super) scopes: Vec<Vec<(LeafId, Sort)>>,
    /// Numbers of which one is chosen.
    pub(super) choices: Vec<Vec<i32>>,
    /// The atoms of the property, and the labels of its edges.
    pub(super) atoms: Vec<ExprId>,
    pub(super) labels: Vec<Vec<(u64, u64)>>,
    /// By leaf: whether a statement reads or writes it.
    pub(super) touched: Vec<bool>,
    /// The sorts of the channels of the root, by number.
    pub(super) channels: Vec<Sort>,
    /// By leaf: the channels that an array holds for ever, see `sends`.
    pub(super) channel_arrays: Vec<Option<Vec<i32>>>,
    /// The sorts of what is used as a channel.
    pub(super) addressed: Vec<Sort>,
    /// The messages that are sent, and those that are received.
    pub(super) sent: Vec<Message>,
    pub(super) received: Vec<Message>,
    /// By proctype: whether a process of it is looked at by its number.
    pub(super) referred: Vec<bool>,
    /// Why nothing can be symmetric.
    pub(super) hopeless: Option<(Location, &'static str)>,
}

impl<'m> Inference<'m> {
    pub(super) fn new(model: &'m Model) -> Inference<'m> {
        let mut sorts = Sorts::default();
        let leaves = Leaves::new(model, &mut sorts);
        let pids = model.proctypes.iter().map(|_| sorts.fresh()).collect();
        Inference {
            model,
            sorts,
            touched: vec![false; leaves.all.len()],
            leaves,
            pids,
            uses: Vec::new(),
            counters: Vec::new(),
            scopes: vec![Vec::new()],
            choices: Vec::new(),
            atoms: Vec::new(),
            labels: Vec::new(),
            channels: Vec::new(),
            channel_arrays: Vec::new(),
            addressed: Vec::new(),
            sent: Vec::new(),
            received: Vec::new(),
            referred: vec![false; model.proctypes.len()],
            hopeless: None,
        }
    }

    /// Look at all statements that can be executed behind the root.
    pub(super) fn look(&mut self, root: &Root) {
        self.channel_arrays = channel_arrays(self.model, &self.leaves, root);
        for (kind, reached) in root.reached.iter().enumerate() {
            let id = ProctypeId(kind as u32);
            if !reached.contains(&true) {
                continue;
            }
            let model = self.model;
            let places = root.places(model, id);
            self.flow(&Flow::of_proctype(model, id, reached, places));
            let proctype = model.proctype(id);
            if let Some(provided) = proctype.provided {
                self.condition_of(provided, id, proctype.location);
            }
            if !proctype.claims.is_empty() {
                self.hopeless = Some((
                    proctype.location,
                    "`xr` and `xs` claims refer to individual processes",
                ));
            }
        }
        let leaves: Vec<_> = self
            .leaves
            .all
            .iter()
            .map(|leaf| (leaf.sort, leaf.scalar, leaf.dims.clone()))
            .collect();
        for (sort, scalar, dims) in leaves {
            let location = Location::default();
            self.uses.push(Use {
                sort,
                constraint: Constraint::Kept(scalar),
                location,
            });
            for dim in dims {
                let constraint = Constraint::Index(dim.count);
                self.uses.push(Use {
                    sort: dim.sort,
                    constraint,
                    location,
                });
            }
        }
    }

    /// An expression of a property, looked at by nobody in particular.
    pub(super) fn condition_of(&mut self, expr: ExprId, proctype: ProctypeId, location: Location) {
        let whole = WholeExpr {
            expr: Some(expr),
            proctype,
            scope: 0,
            joint: false,
        };
        let context = Context { whole, location };
        self.truth(expr, context);
    }

    /// An atom of the property.
    pub(super) fn atom(&mut self, expr: ExprId, nobody: ProctypeId, location: Location) {
        self.atoms.push(expr);
        let whole = WholeExpr {
            expr: Some(expr),
            proctype: nobody,
            scope: 0,
            joint: true,
        };
        self.truth(expr, Context { whole, location });
    }

    /// Look at the statements of a claim.
    pub(super) fn claim(&mut self, id: ProctypeId) {
        let model = self.model;
        let reached = vec![true; model.proctype(id).states.len()];
        let initial = model.proctype(id).initial.index();
        let flow = Flow::of_proctype(model, id, &reached, vec![initial]);
        let asks = |expr: &ExprId| model.any_part(*expr, |part| *part == Expr::Pid);
        let mut guards = flow.edges.iter().filter_map(|edge| match edge.action {
            Action::Guard(expr) | Action::Assert(expr, _) => Some((*expr, edge.location)),
            _ => None,
        });
        if let Some((_, location)) = guards.find(|(expr, _)| asks(expr)) {
            self.hopeless = Some((location, "the claim reads `_pid`"));
        }
        self.flow(&flow);
    }

    fn flow(&mut self, flow: &Flow<'m>) {
        let finder = Finder {
            model: self.model,
            leaves: &self.leaves,
            flow,
            channel_arrays: &self.channel_arrays,
        };
        let loops = finder.find();
        let mut sorts = Vec::new();
        for found in &loops {
            let sort = self.sorts.fresh();
            sorts.push(sort);
            let (first, last) = found.range;
            let constraint = Constraint::Range(first, last);
            let location = found.location;
            self.uses.push(Use {
                sort,
                constraint,
                location,
            });
            if let Some(reason) = found.ordered {
                self.uses.push(Use {
                    sort,
                    constraint: Constraint::Breaks(reason),
                    location,
                });
            }
            let counter = self.leaves.get(found.counter).sort;
            let constraint = Constraint::Breaks("a process identifier is used as a loop counter");
            self.uses.push(Use {
                sort: counter,
                constraint,
                location,
            });
            if found.breaks {
                self.counters.push((flow.proctype, found.counter));
            }
        }
        for (number, edge) in flow.edges.iter().enumerate() {
            space::cancel::poll();
            if loops.iter().any(|found| found.control.contains(&number)) {
                continue;
            }
            let own = loops
                .iter()
                .zip(&sorts)
                .filter(|(found, _)| found.body.contains(&number));
            let inside: Vec<_> = own.map(|(found, sort)| (found.counter, *sort)).collect();
            let whole = WholeExpr {
                expr: None,
                proctype: flow.proctype,
                scope: self.scope(inside),
                joint: false,
            };
            let context = Context {
                whole,
                location: edge.location,
            };
            match self.choice(flow, number) {
                Some(numbers) => self.choose(edge.action, numbers, context),
                None => self.action(edge.action, ControlId(edge.to as u32), context),
            }
        }
    }

    /// The numbers of which a process may give one to a variable, if the statement of this number
    /// gives it one of them, and others that do so differ in nothing else.
    fn choice(&self, flow: &Flow<'m>, number: usize) -> Option<Vec<i32>> {
        let edge = &flow.edges[number];
        let of = |action: &Action| match action {
            Action::Assign(place, value) => match self.model.expr(*value) {
                Expr::Const(value) => Some((self.model.place(*place), *value)),
                _ => None,
            },
            _ => None,
        };
        let (place, _) = of(edge.action)?;
        let same = flow.edges.iter().filter(|other| {
            (other.from, other.to, other.atomic) == (edge.from, edge.to, edge.atomic)
        });
        let numbers = same.filter_map(|other| of(other.action).filter(|(p, _)| *p == place));
        let numbers: Vec<i32> = numbers.map(|(_, value)| value).collect();
        (edge.choice && numbers.len() > 1).then_some(numbers)
    }

    /// A variable becomes one of some numbers.
    fn choose(&mut self, action: &'m Action, numbers: Vec<i32>, context: Context) {
        let Action::Assign(place, _) = action else {
            return;
        };
        if let Some(sort) = self.place(*place, context) {
            self.choices.push(numbers);
            self.uses.push(Use {
                sort,
                constraint: Constraint::Choice(self.choices.len() - 1),
                location: context.location,
            });
        }
    }

    /// The row of a set of loops.
    fn scope(&mut self, loops: Vec<(LeafId, Sort)>) -> usize {
        if loops.is_empty() {
            return 0;
        }
        self.scopes.push(loops);
        self.scopes.len() - 1
    }

    /// A statement that leads to a control state.
    fn action(&mut self, action: &'m Action, target: ControlId, context: Context) {
        let within = |expr: ExprId| Context {
            whole: WholeExpr {
                expr: Some(expr),
                ..context.whole
            },
            ..context
        };
        match action {
            Action::Skip | Action::Else | Action::End | Action::Event(_) => {}
            Action::Guard(expr) | Action::Assert(expr, _) => self.truth(*expr, within(*expr)),
            Action::Assign(place, value) => {
                let value = self.value(*value, within(*value));
                if let Some(sort) = self.place(*place, context) {
                    self.flows(sort, value, context);
                }
            }
            Action::Send {
                channel,
                sorted,
                args,
            } => {
                let values: Vec<Value> = args
                    .iter()
                    .map(|arg| self.value(*arg, within(*arg)))
                    .collect();
                self.message(*channel, &values, *sorted, context);
            }
            Action::Receive { channel, args, .. } => self.receive(*channel, args, context),
            Action::DStep(row) => {
                let model = self.model;
                self.flow(&Flow::of_dstep(model, context.whole.proctype, *row, target));
            }
            Action::Printf(_, args) => {
                for (arg, _) in args {
                    self.value(*arg, within(*arg));
                }
            }
            Action::Printm(expr, _) => {
                self.value(*expr, within(*expr));
            }
            Action::Run(..) => self.give_up(context, "a process is started dynamically"),
            Action::SetPriority(..) => self.give_up(context, "a priority is set"),
        }
    }

    fn receive(&mut self, channel: PlaceId, args: &[RecvArg], context: Context) {
        let values: Vec<Value> = args
            .iter()
            .map(|arg| match arg {
                RecvArg::Store(place) => {
                    self.place(*place, context).map_or(Value::Other, Value::Of)
                }
                RecvArg::Match(expr) => {
                    let whole = WholeExpr {
                        expr: Some(*expr),
                        ..context.whole
                    };
                    self.value(*expr, Context { whole, ..context })
                }
            })
            .collect();
        // What is stored nowhere can be anything.
        let nowhere: Vec<bool> = args
            .iter()
            .map(
                |arg| matches!(arg, RecvArg::Store(place) if self.place(*place, context).is_none()),
            )
            .collect();
        let Some(channel) = self.channel(channel, context) else {
            return;
        };
        self.received.push(Message {
            channel,
            fields: args.len(),
            location: context.location,
        });
        for (number, value) in values.into_iter().enumerate() {
            if !nowhere[number] {
                let field = self.sorts.field(channel, number);
                self.flows(field, value, context);
            }
        }
    }

    fn message(&mut self, channel: PlaceId, values: &[Value], sorted: bool, context: Context) {
        let Some(channel) = self.channel(channel, context) else {
            return;
        };
        self.sent.push(Message {
            channel,
            fields: values.len(),
            location: context.location,
        });
        for (number, value) in values.iter().enumerate() {
            let field = self.sorts.field(channel, number);
            self.flows(field, *value, context);
            if sorted {
                self.breaks(field, "messages are sorted by process identifiers", context);
            }
        }
    }

    /// A value comes to a sort.
    fn flows(&mut self, sort: Sort, value: Value, context: Context) {
        match value {
            Value::Of(other) => self.sorts.unite(sort, other),
            Value::Number(number) => self.number(sort, number, context),
            Value::Other => self.breaks(
                sort,
                "a process identifier is assigned a computed value",
                context,
            ),
        }
    }

    fn breaks(&mut self, sort: Sort, reason: &'static str, context: Context) {
        let constraint = Constraint::Breaks(reason);
        self.uses.push(Use {
            sort,
            constraint,
            location: context.location,
        });
    }

    fn number(&mut self, sort: Sort, number: i32, context: Context) {
        let constraint = Constraint::Number(number, context.whole);
        self.uses.push(Use {
            sort,
            constraint,
            location: context.location,
        });
    }

    fn give_up(&mut self, context: Context, reason: &'static str) {
        self.hopeless.get_or_insert((context.location, reason));
    }

    /// An expression of which only the truth counts.
    fn truth(&mut self, expr: ExprId, context: Context) {
        if let Value::Of(sort) = self.value(expr, context) {
            // The number is nowhere in the expression, so no exchange can reach it.
            let whole = WholeExpr {
                expr: None,
                ..context.whole
            };
            self.number(sort, 0, Context { whole, ..context });
        }
    }

    /// An expression that is computed with.
    fn operand(&mut self, expr: ExprId, reason: &'static str, context: Context) {
        if let Value::Of(sort) = self.value(expr, context) {
            self.breaks(sort, reason, context);
        }
    }

    /// Two expressions that may be the same.
    fn equal(&mut self, a: ExprId, b: ExprId, context: Context) -> Value {
        let (a, b) = (self.value(a, context), self.value(b, context));
        match (a, b) {
            (Value::Of(sort), other) | (other, Value::Of(sort)) => {
                self.equals(sort, other, context)
            }
            _ => {}
        }
        match (a, b) {
            (Value::Of(_), _) => a,
            (_, Value::Of(_)) => b,
            _ => Value::Other,
        }
    }

    fn equals(&mut self, sort: Sort, other: Value, context: Context) {
        match other {
            Value::Other => self.breaks(
                sort,
                "a process identifier is compared with a computed value",
                context,
            ),
            other => self.flows(sort, other, context),
        }
    }

    /// Look at an expression. Recursion is as deep as the expression, as in the lowering.
    fn value(&mut self, expr: ExprId, context: Context) -> Value {
        let model = self.model;
        match model.expr(expr) {
            Expr::Const(value) => return Value::Number(*value),
            Expr::Load(place) => {
                return self.place(*place, context).map_or(Value::Other, Value::Of);
            }
            Expr::Pid => return Value::Of(self.pids[context.whole.proctype.index()]),
            Expr::Unary(UnaryOp::Not, a) => self.truth(*a, context),
            Expr::Unary(_, a) => {
                self.operand(*a, "a process identifier is used in arithmetic", context)
            }
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.truth(*a, context);
                self.truth(*b, context);
            }
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                self.equal(*a, *b, context);
            }
            Expr::Binary(op, a, b) => {
                let reason = match op {
                    BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                        "process identifiers are compared by order"
                    }
                    _ => "a process identifier is used in arithmetic",
                };
                self.operand(*a, reason, context);
                self.operand(*b, reason, context);
            }
            Expr::Cond(c, a, b) => {
                self.truth(*c, context);
                return self.equal(*a, *b, context);
            }
            Expr::Channel(_, place) => {
                self.channel(*place, context);
            }
            Expr::Poll { channel, args, .. } => self.receive(*channel, args, context),
            Expr::RunResult | Expr::OwnPriority | Expr::GetPriority(_) => {
                self.give_up(context, "it depends on `run` or on priorities");
            }
            Expr::ProcessCount => self.give_up(context, "`_nr_pr` is read"),
            Expr::Timeout | Expr::NonProgress => {}
            Expr::Enabled(pid) | Expr::PcValue(pid) => {
                self.value(*pid, context);
                self.give_up(context, "it inspects a process by its pid");
            }
            Expr::RemoteLabel { proctype, pid, .. } => self.remote(*proctype, *pid, context),
            Expr::RemoteVar {
                proctype,
                pid,
                place,
            } => {
                self.remote(*proctype, *pid, context);
                let place = self.place_of(*place, *proctype, context);
                return place.map_or(Value::Other, Value::Of);
            }
        }
        Value::Other
    }

    fn remote(&mut self, proctype: ProctypeId, pid: Option<ExprId>, context: Context) {
        let sort = self.pids[proctype.index()];
        self.referred[proctype.index()] = true;
        match pid {
            None => self.breaks(
                sort,
                "a remote reference does not say which process is meant",
                context,
            ),
            Some(pid) => {
                let value = self.value(pid, context);
                self.flows(sort, value, context);
            }
        }
    }

    /// The sort of what is in a place that holds the channel of a statement.
    fn channel(&mut self, place: PlaceId, context: Context) -> Option<Sort> {
        let sort = self.place(place, context)?;
        self.addressed.push(sort);
        Some(sort)
    }

    /// The sort of what is in a place; none if that is nowhere.
    fn place(&mut self, place: PlaceId, context: Context) -> Option<Sort> {
        self.place_of(place, context.whole.proctype, context)
    }

    fn place_of(&mut self, place: PlaceId, owner: ProctypeId, context: Context) -> Option<Sort> {
        let element = self.leaves.element(self.model.place(place), owner)?;
        let scope = &self.scopes[context.whole.scope];
        let counter = scope.iter().find(|(counter, _)| *counter == element.leaf);
        if let Some((_, sort)) = counter.filter(|_| owner == context.whole.proctype) {
            return Some(*sort);
        }
        self.touched[element.leaf.0] = true;
        let leaf = self.leaves.get(element.leaf);
        let sort = leaf.sort;
        let dims: Vec<Sort> = leaf.dims.iter().map(|dim| dim.sort).collect();
        for (dim, subscript) in dims.into_iter().zip(element.subscripts) {
            match subscript {
                Subscript::Number(number) => self.number(dim, number as i32, context),
                Subscript::Expr(expr) => {
                    let value = self.value(expr, context);
                    self.flows(dim, value, context);
                }
            }
        }
        Some(sort)
    }
}
