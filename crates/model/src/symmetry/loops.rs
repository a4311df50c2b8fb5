//! Loops over all members of a set whose order makes no difference.
//!
//! `for (i : 0 .. N-1) { ... }` counts, which names of a symmetric set do not allow. But if nobody
//! else moves in between, and what is done for one member has nothing to do with what is done for
//! the others, then the loop treats all members alike. Inside it the counter is a member like any
//! other.

use super::flow::{Edge, Flow};
use super::leaves::{LeafId, Leaves, Subscript};
use crate::expr::{BinaryOp, Expr};
use crate::ids::{ExprId, PlaceId};
use crate::layout::Base;
use crate::model::{Action, Location, Model};
use crate::reduction::Footprint;

/// A loop that counts.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The counter, a variable of the process.
    pub(super) counter: LeafId,
    /// The first and the last value for which the body is executed.
    pub(super) range: (i32, i32),
    /// The statements of the body, by their numbers.
    pub(super) body: Vec<usize>,
    /// Those that only count: first value, test, increment.
    pub(super) control: Vec<usize>,
    pub(super) location: Location,
    /// Why the order of the members may matter.
    pub(super) ordered: Option<&'static str>,
    /// Whether the loop may end before its last round, so that the counter tells when.
    pub(super) breaks: bool,
}

/// Finds the loops of a flow.
pub(super) struct Finder<'a, 'm> {
    pub(super) model: &'m Model,
    pub(super) leaves: &'a Leaves,
    pub(super) flow: &'a Flow<'m>,
    /// Whether the flow is that of a `d_step`.
    pub(super) in_dstep: bool,
    /// By leaf: the channels that it holds for ever, see `sends`.
    pub(super) channel_arrays: &'a [Option<Vec<i32>>],
}

impl Finder<'_, '_> {
    /// All loops that count.
    pub(super) fn find(&self) -> Vec<Loop> {
        let tests = self.flow.edges.iter().enumerate();
        tests
            .filter_map(|(number, test)| self.at_test(number, test))
            .collect()
    }

    /// The loop that begins with this test of its counter.
    fn at_test(&self, number: usize, test: &Edge<'_>) -> Option<Loop> {
        let (counter, last) = self.upper_bound(test.action)?;
        let head = test.from;
        let mut control = vec![number];
        // In a `d_step` what comes behind the test is tried only if it fails.
        let is_first = self
            .flow
            .out(head)
            .next()
            .is_some_and(|(first, _)| first == number);
        for (other, edge) in self.flow.out(head).filter(|(other, _)| *other != number) {
            let is_test = matches!(edge.action, Action::Else)
                || self.lower_bound(edge.action) == Some(counter);
            match (is_test, self.in_dstep && is_first) {
                (true, _) => control.push(other),
                (false, true) => {}
                (false, false) => return None,
            }
        }
        let body = self.between(test.to, head);
        let back: Vec<usize> = (body.iter().copied())
            .filter(|edge| self.flow.edges[*edge].to == head)
            .collect();
        if back.is_empty() || !back.iter().all(|edge| self.is_increment(*edge, counter)) {
            return None;
        }
        let inside: Vec<usize> = body.into_iter().filter(|e| !back.contains(e)).collect();
        let (first, starts) = self.first_value(head, counter, &back)?;
        control.extend(&back);
        control.extend(starts);
        let from = |edge: &usize| self.flow.edges[*edge].from;
        let nodes: Vec<usize> = inside.iter().chain(&back).map(from).collect();
        let leaves = |edge: &usize| !nodes.contains(&self.flow.edges[*edge].to);
        let breaks = inside.iter().any(leaves);
        let stays = |edge: &usize| self.flow.edges[*edge].atomic;
        let on = |edge: &usize| leaves(edge) && self.flow.edges[*edge].to != head;
        let whole = || inside.iter().chain(&back).chain([&number]);
        let atomic = whole().all(|edge| stays(edge) || on(edge));
        let mut found = Loop {
            counter,
            range: (first, last),
            body: inside,
            control,
            location: test.location,
            ordered: None,
            breaks,
        };
        found.ordered = match atomic {
            false => Some("others may move between the rounds of a loop over all processes"),
            true => self.order(&found),
        };
        Some(found)
    }

    /// The statements on ways from a node to another; those that leave them are among them.
    fn between(&self, start: usize, end: usize) -> Vec<usize> {
        let mut ahead = vec![start];
        let mut seen = vec![start];
        while let Some(node) = ahead.pop() {
            for (_, edge) in self.flow.out(node) {
                if edge.to != end && !seen.contains(&edge.to) {
                    seen.push(edge.to);
                    ahead.push(edge.to);
                }
            }
        }
        let mut behind = vec![end];
        let mut inside = Vec::new();
        while let Some(node) = behind.pop() {
            for (_, edge) in self.flow.into(node) {
                if seen.contains(&edge.from) && !inside.contains(&edge.from) {
                    inside.push(edge.from);
                    behind.push(edge.from);
                }
            }
        }
        let edges = self.flow.edges.iter().enumerate();
        let own = edges.filter(|(_, edge)| inside.contains(&edge.from));
        own.map(|(number, _)| number).collect()
    }

    /// The value with which a loop begins, and the statements that give it.
    fn first_value(
        &self,
        head: usize,
        counter: LeafId,
        back: &[usize],
    ) -> Option<(i32, Vec<usize>)> {
        let (mut open, mut seen) = (vec![head], vec![head]);
        let mut first = None;
        let mut starts = Vec::new();
        while let Some(node) = open.pop() {
            let mut entered = false;
            for (number, edge) in self
                .flow
                .into(node)
                .filter(|(number, _)| !back.contains(number))
            {
                entered = true;
                if self.writes(edge.action, counter) {
                    let Action::Assign(_, value) = edge.action else {
                        return None;
                    };
                    let Expr::Const(value) = self.model.expr(*value) else {
                        return None;
                    };
                    if first.is_some_and(|first| first != *value) {
                        return None;
                    }
                    first = Some(*value);
                    starts.push(number);
                } else if !seen.contains(&edge.from) {
                    seen.push(edge.from);
                    open.push(edge.from);
                }
            }
            if !entered {
                return None;
            }
        }
        first.map(|first| (first, starts))
    }

    /// The counter and the greatest value that passes a test.
    fn upper_bound(&self, action: &Action) -> Option<(LeafId, i32)> {
        let (op, counter, bound) = self.comparison(action)?;
        match op {
            BinaryOp::Lt => Some((counter, bound - 1)),
            BinaryOp::Le => Some((counter, bound)),
            _ => None,
        }
    }

    /// The counter of a test that it is great enough.
    fn lower_bound(&self, action: &Action) -> Option<LeafId> {
        let (op, counter, _) = self.comparison(action)?;
        matches!(op, BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq).then_some(counter)
    }

    fn comparison(&self, action: &Action) -> Option<(BinaryOp, LeafId, i32)> {
        let Action::Guard(expr) = action else {
            return None;
        };
        let Expr::Binary(op, a, b) = self.model.expr(*expr) else {
            return None;
        };
        let Expr::Const(bound) = self.model.expr(*b) else {
            return None;
        };
        Some((*op, self.variable(*a)?, *bound))
    }

    /// The variable of the process that an expression is.
    fn variable(&self, expr: ExprId) -> Option<LeafId> {
        match self.model.expr(expr) {
            Expr::Load(place) => self.plain(*place),
            _ => None,
        }
    }

    /// The variable of the process that a place is, if it is no array.
    fn plain(&self, place: PlaceId) -> Option<LeafId> {
        let place = self.model.place(place);
        let element = self.leaves.element(place, self.flow.proctype)?;
        (place.base == Base::Frame && element.subscripts.is_empty()).then_some(element.leaf)
    }

    fn is_increment(&self, edge: usize, counter: LeafId) -> bool {
        let Action::Assign(place, value) = self.flow.edges[edge].action else {
            return false;
        };
        let Expr::Binary(BinaryOp::Add, a, b) = self.model.expr(*value) else {
            return false;
        };
        self.plain(*place) == Some(counter)
            && self.variable(*a) == Some(counter)
            && *self.model.expr(*b) == Expr::Const(1)
    }

    fn writes(&self, action: &Action, leaf: LeafId) -> bool {
        let footprint = Footprint::of_action(self.model, action);
        footprint
            .writes
            .iter()
            .any(|place| self.leaf(*place) == Some(leaf))
    }

    pub(super) fn leaf(&self, place: PlaceId) -> Option<LeafId> {
        let place = self.model.place(place);
        Some(self.leaves.element(place, self.flow.proctype)?.leaf)
    }

    /// Why the order in which a loop goes through the members may matter.
    fn order(&self, found: &Loop) -> Option<&'static str> {
        let mut writes: Vec<(PlaceId, ExprId)> = Vec::new();
        let mut reads = Vec::new();
        let mut sends = false;
        for &number in &found.body {
            let edge = &self.flow.edges[number];
            match edge.action {
                Action::Skip | Action::Else | Action::Printf(..) | Action::Printm(..) => {}
                Action::Guard(expr) | Action::Assert(expr, _) => reads.push(*expr),
                // Nobody reads what is written.
                Action::Assign(place, value) if self.model.place(*place).base == Base::Nowhere => {
                    reads.push(*value);
                }
                Action::Send {
                    sorted: false,
                    args,
                    ..
                } => {
                    sends = true;
                    reads.extend(args);
                }
                Action::Assign(place, value) => {
                    writes.push((*place, *value));
                    let indices = self.model.place(*place).indices.iter();
                    reads.extend(indices.map(|index| index.expr));
                }
                _ => {
                    return Some(
                        "a loop over all processes does more than read and write variables",
                    );
                }
            }
            if !Footprint::of_action(self.model, edge.action)
                .remote_reads
                .is_empty()
            {
                return Some("a loop over all processes reads their variables");
            }
            let alternatives = || self.flow.out(edge.from);
            let goes_on = |edge: &Edge<'_>| !matches!(edge.action, Action::Guard(_));
            let always = alternatives().any(|(_, edge)| goes_on(edge));
            if !always && !self.asks_both_ways(edge.from) {
                return Some("a loop over all processes may have to wait");
            }
        }
        let looked: Vec<ExprId> = (reads.iter().copied())
            .chain(writes.iter().map(|(_, value)| *value))
            .collect();
        if let Some(reason) = self.order_of_sends(found, &looked) {
            return Some(reason);
        }
        let mut only_same = !sends;
        for &(place, value) in &writes {
            match self.kind(place, value, &writes, &reads, found.counter) {
                Some(Write::Private | Write::Sum) => only_same = false,
                Some(Write::Same) => {}
                None => return Some("the order of a loop over all processes may matter"),
            }
            if self.leaf(place) == Some(found.counter) {
                return Some("a loop over all processes changes its counter");
            }
        }
        let stops = found.breaks && !only_same;
        stops.then_some("a loop over all processes may end before it was everywhere")
    }

    /// What kind of write it is, if the rounds do not see each other's.
    fn kind(
        &self,
        place: PlaceId,
        value: ExprId,
        writes: &[(PlaceId, ExprId)],
        reads: &[ExprId],
        counter: LeafId,
    ) -> Option<Write> {
        let leaf = self.leaf(place)?;
        let all_reads = || reads.iter().chain(writes.iter().map(|(_, value)| value));
        let own = || {
            writes
                .iter()
                .filter(|(place, _)| self.leaf(*place) == Some(leaf))
        };
        let dims = self.leaves.get(leaf).dims.len();
        let by_counter = |place: PlaceId, dim: usize| self.is_indexed(place, dim, counter);
        let private = (0..dims).any(|dim| {
            own().all(|(place, _)| by_counter(*place, dim))
                && all_reads().all(|expr| {
                    let places = self.places(*expr);
                    let mut same = places.into_iter().filter(|p| self.leaf(*p) == Some(leaf));
                    same.all(|place| by_counter(place, dim))
                })
        });
        if private {
            return Some(Write::Private);
        }
        let reads_it = |expr: ExprId| {
            self.places(expr)
                .into_iter()
                .any(|p| self.leaf(p) == Some(leaf))
        };
        let fixed = self.model.place(place).indices.is_empty();
        let is_const = matches!(self.model.expr(value), Expr::Const(_));
        let same = |&(p, v): &(PlaceId, ExprId)| {
            self.model.place(p) == self.model.place(place) && self.model.is_same_expr(v, value)
        };
        if fixed && is_const && own().all(same) && !all_reads().any(|expr| reads_it(*expr)) {
            return Some(Write::Same);
        }
        let is_sum = |&(p, v): &(PlaceId, ExprId)| match self.model.expr(v) {
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                let same_place = matches!(self.model.expr(*a), Expr::Load(from)
                    if self.model.place(*from) == self.model.place(p));
                let written = |expr: ExprId| {
                    let mut places = self.places(expr).into_iter();
                    places.any(|place| {
                        writes
                            .iter()
                            .any(|(w, _)| self.leaf(*w) == self.leaf(place))
                    })
                };
                self.model.place(p).indices.is_empty() && same_place && !written(*b)
            }
            _ => false,
        };
        let summed = dims == 0 && own().all(is_sum) && !reads.iter().any(|expr| reads_it(*expr));
        let others = writes
            .iter()
            .filter(|(place, _)| self.leaf(*place) != Some(leaf));
        let seen = others.into_iter().any(|(_, value)| reads_it(*value));
        (summed && !seen).then_some(Write::Sum)
    }

    /// Whether a place is indexed by the counter in a dimension of its array.
    pub(super) fn is_indexed(&self, place: PlaceId, dim: usize, counter: LeafId) -> bool {
        let place = self.model.place(place);
        let element = self.leaves.element(place, self.flow.proctype);
        element.is_some_and(|element| match element.subscripts.get(dim) {
            Some(Subscript::Expr(expr)) => self.variable(*expr) == Some(counter),
            _ => false,
        })
    }

    /// The places that an expression reads.
    fn places(&self, expr: ExprId) -> Vec<PlaceId> {
        Footprint::of_expr(self.model, expr).reads
    }
}

/// A write whose order does not matter.
enum Write {
    /// To an element that belongs to the member.
    Private,
    /// Of the same number each time.
    Same,
    /// Of something added.
    Sum,
}
