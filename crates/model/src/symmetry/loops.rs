//! Loops over all members of a set whose order makes no difference.
//!
//! `for (i : 0 .. N-1) { ... }` counts, which names of a symmetric set do not allow. But if, in
//! whatever order the rounds come, the loop ends in the same state, at the same place, with the same
//! violations, then it treats all members alike. Inside it the counter is a member like any other.
//!
//! For this nobody else may move in between, all rounds must be gone through from the first value on,
//! and what is done for one member must have nothing to do with what is done for the others. A loop
//! that may end before its last round must do nothing until then, end in one place, and its counter
//! must not be read behind it. An error hides what later rounds violate, so there may be one
//! statement at the most that can go wrong.

use super::flow::{Edge, Flow};
use super::leaves::{LeafId, Leaves, Subscript};
use crate::expr::{BinaryOp, Expr};
use crate::ids::{ControlId, ExprId, PlaceId};
use crate::layout::{Base, Index};
use crate::model::{Action, Location, Model};
use crate::reduction::Footprint;
use crate::reduction::dead_variables::Live;
use crate::reduction::footprint::constant;

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
        space::cancel::poll();
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
            let is_test =
                matches!(edge.action, Action::Else) || self.is_behind(edge.action, counter, last);
            match (is_test, self.in_dstep() && is_first) {
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
        if self.is_entered_elsewhere(&nodes, number) {
            return None;
        }
        let leaves = |edge: &usize| !nodes.contains(&self.flow.edges[*edge].to);
        let breaks = inside.iter().any(leaves);
        let stays = |edge: &usize| self.flow.edges[*edge].atomic;
        let on = |edge: &usize| leaves(edge) && self.flow.edges[*edge].to != head;
        let whole = || inside.iter().chain(&back).chain([&number]);
        // A clause that becomes false costs control.
        let provided = self.model.proctype(self.flow.proctype).provided;
        let keeps_control = self.in_dstep() || provided.is_none();
        let atomic = keeps_control && whole().all(|edge| stays(edge) || on(edge));
        let exits: Vec<usize> = (inside.iter())
            .filter(|edge| leaves(edge))
            .map(|edge| self.flow.edges[*edge].to)
            .collect();
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
            false => Some("a loop over all processes is not atomic"),
            true => self
                .order(&found)
                .or_else(|| self.order_of_exits(&found, &exits)),
        };
        Some(found)
    }

    pub(super) fn in_dstep(&self) -> bool {
        self.flow.behind.is_some()
    }

    /// Whether a node of the body is entered otherwise than by the test of the loop.
    fn is_entered_elsewhere(&self, nodes: &[usize], test: usize) -> bool {
        let mut edges = self.flow.edges.iter().enumerate();
        let is_outside = |(number, edge): (usize, &Edge<'_>)| {
            number != test && nodes.contains(&edge.to) && !nodes.contains(&edge.from)
        };
        edges.any(is_outside) || self.flow.entries.iter().any(|entry| nodes.contains(entry))
    }

    /// Why it may matter in which round a loop ends.
    fn order_of_exits(&self, found: &Loop, exits: &[usize]) -> Option<&'static str> {
        let first = *exits.first()?;
        let edges = || found.body.iter().map(|number| &self.flow.edges[*number]);
        let is_quiet = |edge: &Edge<'_>| match edge.action {
            Action::Skip | Action::Else | Action::Guard(_) => true,
            Action::Printf(..) | Action::Printm(..) => true,
            Action::Assign(place, _) => self.model.place(*place).base == Base::Nowhere,
            _ => false,
        };
        if !edges().all(is_quiet) || edges().any(|edge| self.may_fault(edge.action, found)) {
            return Some("a loop over all processes may exit early");
        }
        if exits.iter().any(|exit| *exit != first) {
            return Some("a loop over all processes has several exits");
        }
        (self.is_read_behind(found, exits))
            .then_some("the counter of a loop over all processes is read after the loop")
    }

    /// Whether the counter may be read behind an end of the loop.
    fn is_read_behind(&self, found: &Loop, exits: &[usize]) -> bool {
        let offset = self.leaves.get(found.counter).origin;
        let live = Live::new(self.model, self.flow.proctype);
        match self.flow.behind {
            None => (exits.iter()).any(|exit| live.is_live(ControlId(*exit as u32), offset)),
            Some(target) => {
                let mut others = (self.flow.edges.iter().enumerate()).filter(|(number, _)| {
                    !found.body.contains(number) && !found.control.contains(number)
                });
                let reads = |action: &Action| {
                    let reads = Footprint::of_action(self.model, action).reads;
                    reads.iter().any(|p| self.leaf(*p) == Some(found.counter))
                };
                live.is_live(target, offset) || others.any(|(_, edge)| reads(edge.action))
            }
        }
    }

    /// Whether a statement of the body may end in an error. The counter is in the range of the loop.
    fn may_fault(&self, action: &Action, found: &Loop) -> bool {
        let exprs: Vec<ExprId> = match action {
            Action::Guard(expr) | Action::Assert(expr, _) => vec![*expr],
            Action::Assign(place, value) => {
                let indices = self.model.place(*place).indices.iter();
                let is_out = |index: &Index| !self.is_inside(index, found);
                if self.model.place(*place).indices.iter().any(is_out) {
                    return true;
                }
                indices.map(|index| index.expr).chain([*value]).collect()
            }
            Action::Send { channel, args, .. } => {
                let is_out = |index: &Index| !self.is_inside(index, found);
                // In a `d_step` it fails where it would have to wait.
                if self.in_dstep() || self.model.place(*channel).indices.iter().any(is_out) {
                    return true;
                }
                args.clone()
            }
            Action::Skip | Action::Else | Action::Printf(..) | Action::Printm(..) => return false,
            _ => return true,
        };
        let is_wrong = |expr: &Expr| match expr {
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Cond(..) | Expr::Timeout => false,
            Expr::Load(place) => {
                let mut indices = self.model.place(*place).indices.iter();
                indices.any(|index| !self.is_inside(index, found))
            }
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, b) => {
                matches!(constant(self.model, *b), None | Some(0))
            }
            Expr::Binary(..) => false,
            Expr::Channel(_, place) => {
                let held = self
                    .leaf(*place)
                    .and_then(|leaf| self.channel_arrays[leaf.0].as_ref());
                let mut indices = self.model.place(*place).indices.iter();
                held.is_none() || indices.any(|index| !self.is_inside(index, found))
            }
            _ => true,
        };
        exprs
            .iter()
            .any(|expr| self.model.any_part(*expr, is_wrong))
    }

    /// Whether an index cannot leave its array.
    fn is_inside(&self, index: &Index, found: &Loop) -> bool {
        let inside = |value: i32| value >= 0 && (value as u32) < index.count;
        match constant(self.model, index.expr) {
            Some(value) => inside(value),
            None => {
                self.variable(index.expr) == Some(found.counter)
                    && inside(found.range.0)
                    && inside(found.range.1)
            }
        }
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
            if self.flow.entries.contains(&node) {
                return None;
            }
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
                    let value = self.number(*value)?;
                    if first.is_some_and(|first| first != value) {
                        return None;
                    }
                    first = Some(value);
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

    /// Whether a test is true only when the counter has passed its last value.
    fn is_behind(&self, action: &Action, counter: LeafId, last: i32) -> bool {
        let Some((op, tested, bound)) = self.comparison(action) else {
            return false;
        };
        tested == counter
            && match op {
                BinaryOp::Gt => bound >= last,
                BinaryOp::Ge | BinaryOp::Eq => bound > last,
                _ => false,
            }
    }

    fn comparison(&self, action: &Action) -> Option<(BinaryOp, LeafId, i32)> {
        let Action::Guard(expr) = action else {
            return None;
        };
        let Expr::Binary(op, a, b) = self.model.expr(*expr) else {
            return None;
        };
        Some((*op, self.variable(*a)?, self.number(*b)?))
    }

    /// The number that an expression without variables is, as in `N - 1`.
    fn number(&self, expr: ExprId) -> Option<i32> {
        match self.model.expr(expr) {
            Expr::Const(value) => Some(*value),
            Expr::Binary(BinaryOp::Add, a, b) => self.number(*a)?.checked_add(self.number(*b)?),
            Expr::Binary(BinaryOp::Sub, a, b) => self.number(*a)?.checked_sub(self.number(*b)?),
            _ => None,
        }
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
                return Some("a loop over all processes reads their local variables");
            }
            let alternatives = || self.flow.out(edge.from);
            let goes_on = |edge: &Edge<'_>| !matches!(edge.action, Action::Guard(_));
            let always = alternatives().any(|(_, edge)| goes_on(edge));
            if !always && !self.tests_complement(edge.from) {
                return Some("a loop over all processes may block");
            }
        }
        let looked: Vec<ExprId> = (reads.iter().copied())
            .chain(writes.iter().map(|(_, value)| *value))
            .collect();
        if let Some(reason) = self.order_of_sends(found, &looked) {
            return Some(reason);
        }
        if self.hides_violations(found) {
            return Some("an error in a loop over all processes may mask another one");
        }
        for &(place, value) in &writes {
            if !self.is_unordered(place, value, &writes, &reads, found.counter) {
                return Some("the iteration order of a loop over all processes may matter");
            }
            if self.leaf(place) == Some(found.counter) {
                return Some("a loop over all processes modifies its counter");
            }
        }
        None
    }

    /// Whether an error of one round may hide what another one violates.
    fn hides_violations(&self, found: &Loop) -> bool {
        let edges = || {
            found
                .body
                .iter()
                .map(|number| self.flow.edges[*number].action)
        };
        let faults = edges()
            .filter(|action| self.may_fault(action, found))
            .count();
        let asserts = edges()
            .filter(|action| matches!(action, Action::Assert(..)))
            .count();
        faults > 0 && faults + asserts > 1
    }

    /// Whether the order of a write does not matter, because rounds do not see each other's: it is to
    /// an element that belongs to the member, or of the same number each time, or adds something.
    fn is_unordered(
        &self,
        place: PlaceId,
        value: ExprId,
        writes: &[(PlaceId, ExprId)],
        reads: &[ExprId],
        counter: LeafId,
    ) -> bool {
        let Some(leaf) = self.leaf(place) else {
            return false;
        };
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
            return true;
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
            return true;
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
        summed && !seen
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
