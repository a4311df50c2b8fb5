//! What expressions and statements read and write, and whether they can fail.
//!
//! A footprint speaks of a statement on its own: which places it may read or write, which
//! channels it uses, whether it looks at processes. It may name more than an execution
//! touches, never less.

use crate::expr::{BinaryOp, Expr};
use crate::ids::{ControlId, ExprId, PlaceId, ProctypeId};
use crate::layout::Index;
use crate::model::{Action, DStepOp, Event, Model, RecvArg};

/// What is done to a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelUse {
    /// A message is put in, or offered.
    Send,
    /// A message is taken out, or an offer accepted.
    Receive,
    /// Its contents are looked at.
    Look,
}

/// What something reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Places of the process itself, or global ones, whose values are read: in expressions,
    /// in indices, and to find a channel.
    pub reads: Vec<PlaceId>,
    /// Places that are written.
    pub writes: Vec<PlaceId>,
    /// Places in the frames of other processes that are read.
    pub remote_reads: Vec<(ProctypeId, PlaceId)>,
    /// Control states of other processes that are asked for.
    pub remote_labels: Vec<(ProctypeId, ControlId)>,
    /// The channels that are used, by the places that hold them, and how.
    pub channels: Vec<(PlaceId, ChannelUse)>,
    /// It asks for something that is no variable and no channel: other processes, their
    /// number, priorities, `timeout`, the result of a `run`.
    pub world_reads: bool,
    /// The same without `timeout`.
    pub beyond_reads: bool,
    /// It asks for the pid of its process, how many there are, or about others by their pids.
    pub pid_reads: bool,
    /// It starts or ends a process, or changes a priority.
    pub world_writes: bool,
    /// It may end in a fault.
    pub may_fail: bool,
}

/// Something still to be looked at, and in whose frame it is evaluated if it is another's.
#[derive(Clone, Copy)]
enum Pending {
    Expr(ExprId, Option<ProctypeId>),
    /// A place that is read.
    Load(PlaceId, Option<ProctypeId>),
}

impl Footprint {
    /// What evaluating an expression touches.
    pub fn of_expr(model: &Model, expr: ExprId) -> Footprint {
        space::cancel::poll();
        let mut footprint = Footprint::default();
        footprint.add_expr(model, expr);
        footprint
    }

    /// What reading a place touches.
    pub fn of_load(model: &Model, place: PlaceId) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.walk(model, Pending::Load(place, None));
        footprint
    }

    /// What testing and executing a statement touches. What `printf` prints counts as not
    /// read: a search does not print, so the values have no effect on it.
    pub fn of_action(model: &Model, action: &Action) -> Footprint {
        space::cancel::poll();
        let mut footprint = Footprint::default();
        footprint.add_action(model, action);
        footprint
    }

    /// What it takes to tell whether a message is an event of a trace.
    pub fn of_event(model: &Model, event: &Event) -> Footprint {
        let mut footprint = Footprint::of_load(model, event.channel);
        for arg in &event.args {
            if let RecvArg::Match(expr) = arg {
                footprint.add_expr(model, *expr);
            }
        }
        footprint
    }

    /// What a `d_step` touches as a whole.
    pub fn of_dstep(model: &Model, row: u32) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.add_dstep(model, row);
        footprint
    }

    /// Add what evaluating an expression touches.
    pub fn add_expr(&mut self, model: &Model, expr: ExprId) {
        self.walk(model, Pending::Expr(expr, None));
    }

    /// Add what writing to a place touches: its indices are read.
    pub fn add_store(&mut self, model: &Model, place: PlaceId) {
        self.writes.push(place);
        for index in &model.place(place).indices {
            self.add_expr(model, index.expr);
            self.may_fail |= !is_in_range(model, index);
        }
    }

    /// Add what testing and executing a statement touches.
    pub fn add_action(&mut self, model: &Model, action: &Action) {
        match action {
            Action::Skip | Action::Else => {}
            Action::Guard(expr) | Action::Assert(expr, _) => self.add_expr(model, *expr),
            Action::Assign(place, expr) => {
                self.add_expr(model, *expr);
                self.add_store(model, *place);
            }
            Action::Run(spec, place, expr) => {
                self.world_writes = true;
                self.may_fail = true;
                for arg in &spec.args {
                    self.add_expr(model, *arg);
                }
                self.add_expr(model, *expr);
                if let Some(place) = place {
                    self.add_store(model, *place);
                }
            }
            Action::Send { channel, args, .. } => {
                self.add_channel(model, *channel, ChannelUse::Send);
                for arg in args {
                    self.add_expr(model, *arg);
                }
            }
            Action::Receive {
                channel,
                peek,
                args,
                ..
            } => {
                let how = match peek {
                    true => ChannelUse::Look,
                    false => ChannelUse::Receive,
                };
                self.add_channel(model, *channel, how);
                for arg in args {
                    match arg {
                        RecvArg::Store(place) => self.add_store(model, *place),
                        RecvArg::Match(expr) => self.add_expr(model, *expr),
                    }
                }
            }
            Action::Printf(_, args) => {
                for (expr, _) in args {
                    self.add_discarded(model, *expr);
                }
            }
            Action::Printm(expr, _) => self.add_discarded(model, *expr),
            Action::SetPriority(whom, priority) => {
                self.world_writes = true;
                self.may_fail = true;
                self.add_expr(model, *whom);
                self.add_expr(model, *priority);
            }
            Action::DStep(row) => self.add_dstep(model, *row),
            Action::End => {
                self.read_beyond();
                self.world_writes = true;
            }
            // Events are read where the trace is.
            Action::Event(_) => {}
        }
    }

    /// Add an expression whose value nobody needs: it matters only if it can fail.
    pub fn add_discarded(&mut self, model: &Model, expr: ExprId) {
        let footprint = Footprint::of_expr(model, expr);
        if footprint.may_fail {
            self.add_expr(model, expr);
        }
    }

    fn add_dstep(&mut self, model: &Model, row: u32) {
        let dstep = &model.dsteps[row as usize];
        // It can block in the middle, or not end.
        self.may_fail = true;
        for guard in &dstep.guards {
            self.add_action(model, guard);
        }
        for op in &dstep.ops {
            if let DStepOp::Do { action, .. } = op {
                self.add_action(model, action);
            }
        }
    }

    fn add_channel(&mut self, model: &Model, place: PlaceId, how: ChannelUse) {
        self.channels.push((place, how));
        // It may hold no channel.
        self.may_fail = true;
        self.walk(model, Pending::Load(place, None));
    }

    fn read_beyond(&mut self) {
        (self.world_reads, self.beyond_reads) = (true, true);
    }

    fn walk(&mut self, model: &Model, start: Pending) {
        let mut open = vec![start];
        while let Some(next) = open.pop() {
            match next {
                Pending::Expr(expr, frame) => self.visit(model, expr, frame, &mut open),
                Pending::Load(place, frame) => {
                    match frame {
                        None => self.reads.push(place),
                        Some(proctype) => self.remote_reads.push((proctype, place)),
                    }
                    for index in &model.place(place).indices {
                        self.may_fail |= !is_in_range(model, index);
                        // An index of another's place is taken to be read in both frames.
                        open.push(Pending::Expr(index.expr, None));
                        if frame.is_some() {
                            open.push(Pending::Expr(index.expr, frame));
                        }
                    }
                }
            }
        }
    }

    fn visit(
        &mut self,
        model: &Model,
        expr: ExprId,
        frame: Option<ProctypeId>,
        open: &mut Vec<Pending>,
    ) {
        let mut push = |expr: &ExprId| open.push(Pending::Expr(*expr, frame));
        self.pid_reads |= asks_for_pids(model.expr(expr));
        match model.expr(expr) {
            Expr::Const(_) | Expr::Pid => {}
            Expr::Load(place) => open.push(Pending::Load(*place, frame)),
            Expr::Unary(_, operand) => push(operand),
            Expr::Binary(op, a, b) => {
                let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
                self.may_fail |= divides && matches!(constant(model, *b), None | Some(0));
                push(a);
                push(b);
            }
            Expr::Cond(c, a, b) => [c, a, b].into_iter().for_each(push),
            Expr::Channel(_, place) => {
                self.channels.push((*place, ChannelUse::Look));
                self.may_fail = true;
                open.push(Pending::Load(*place, frame));
            }
            Expr::Poll { channel, args, .. } => {
                self.channels.push((*channel, ChannelUse::Look));
                self.may_fail = true;
                for arg in args {
                    if let RecvArg::Match(expr) = arg {
                        push(expr);
                    }
                }
                open.push(Pending::Load(*channel, frame));
            }
            Expr::Timeout => self.world_reads = true,
            Expr::RunResult | Expr::ProcessCount | Expr::OwnPriority | Expr::NonProgress => {
                self.read_beyond();
            }
            Expr::Enabled(pid) => {
                self.read_beyond();
                self.may_fail = true;
                push(pid);
            }
            Expr::GetPriority(pid) | Expr::PcValue(pid) => {
                self.read_beyond();
                push(pid);
            }
            Expr::RemoteLabel {
                proctype,
                pid,
                control,
            } => {
                self.read_beyond();
                self.remote_labels.push((*proctype, *control));
                pid.iter().for_each(push);
            }
            Expr::RemoteVar {
                proctype,
                pid,
                place,
            } => {
                self.read_beyond();
                pid.iter().for_each(push);
                open.push(Pending::Load(*place, Some(*proctype)));
            }
        }
    }
}

/// Whether it depends on which processes have which pids, apart from its parts.
fn asks_for_pids(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Pid
            | Expr::ProcessCount
            | Expr::RemoteLabel { .. }
            | Expr::RemoteVar { .. }
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
    )
}

/// The value of an expression that is a number.
pub fn constant(model: &Model, expr: ExprId) -> Option<i32> {
    match model.expr(expr) {
        Expr::Const(value) => Some(*value),
        _ => None,
    }
}

/// Whether an index can never leave its array.
fn is_in_range(model: &Model, index: &Index) -> bool {
    constant(model, index.expr).is_some_and(|value| value >= 0 && (value as u32) < index.count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Base, Place, Scalar};

    fn model(exprs: Vec<Expr>, indices: Vec<Index>) -> Model {
        let place = |indices| Place {
            base: Base::Frame,
            offset: 3,
            indices,
            scalar: Scalar::U8,
        };
        Model {
            exprs,
            places: vec![place(Vec::new()), place(indices)],
            ..Model::default()
        }
    }

    #[test]
    fn an_index_is_read_and_can_fail() {
        let index = |expr| Index {
            expr: ExprId(expr),
            count: 2,
            stride: 1,
        };
        let exprs = || vec![Expr::Const(1), Expr::Load(PlaceId(0)), Expr::Const(2)];
        let store = Action::Assign(PlaceId(1), ExprId(0));
        for (row, reads, may_fail) in [
            (0, vec![], false),
            (1, vec![PlaceId(0)], true),
            (2, vec![], true),
        ] {
            let model = model(exprs(), vec![index(row)]);
            let footprint = Footprint::of_action(&model, &store);
            assert_eq!(footprint.reads, reads);
            assert_eq!(footprint.writes, [PlaceId(1)]);
            assert_eq!(footprint.may_fail, may_fail);
        }
    }

    #[test]
    fn a_division_can_fail_unless_by_a_number() {
        for (divisor, may_fail) in [
            (Expr::Const(3), false),
            (Expr::Const(0), true),
            (Expr::Load(PlaceId(0)), true),
        ] {
            let division = Expr::Binary(BinaryOp::Div, ExprId(0), ExprId(1));
            let model = model(vec![Expr::Pid, divisor, division], Vec::new());
            let footprint = Footprint::of_expr(&model, ExprId(2));
            assert_eq!(footprint.may_fail, may_fail);
            let mut discarded = Footprint::default();
            discarded.add_discarded(&model, ExprId(2));
            assert_eq!(discarded.may_fail, may_fail);
        }
    }
}
