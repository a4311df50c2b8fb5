//! Where the processes of a state stand, and what they wait for.

use space::TransitionId;

use super::{Item, Leaf, Shown, frames, leaves, process_name, processes, proctype_at};
use crate::expr::{BinaryOp, Expr};
use crate::ids::{ExprId, PlaceId};
use crate::layout::{Base, Display};
use crate::model::{Action, Model, RecvArg};

/// Where a process stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its pid.
    pub pid: u8,
    /// Its name, as `P(2)`.
    pub process: String,
    /// It may stop here.
    pub may_stop: bool,
    /// It stands at its closing brace.
    pub ended: bool,
    /// What it can do next, once that is executable.
    pub options: Vec<TransitionId>,
}

/// Where each process of a state stands.
pub fn standing(model: &Model, state: &[u8]) -> Vec<Standing> {
    processes(model, state)
        .into_iter()
        .map(|(pid, proctype, control)| {
            let proctype = &model.proctypes[proctype as usize];
            let place = &proctype.states[control.index()];
            let options: Vec<_> = place.options.iter().map(|o| o.transition).collect();
            let is_end = |&id: &TransitionId| model.transition(id).action == Action::End;
            Standing {
                pid,
                process: process_name(proctype, pid as usize),
                may_stop: place.end,
                ended: !options.is_empty() && options.iter().all(is_end),
                options,
            }
        })
        .collect()
}

/// The variables and channels that a statement of a process mentions, with their values.
/// What stands in an index is looked through if it is a number, a variable, `_pid`, or a sum
/// or difference of them.
pub fn mentioned(model: &Model, state: &[u8], pid: u8, transition: TransitionId) -> Vec<Item> {
    let Some(&frame) = frames(model, state).get(pid as usize) else {
        return Vec::new();
    };
    let mut places = Vec::new();
    collect(model, &model.transition(transition).action, &mut places);
    let shown = Shown::new(model, state);
    let mut items: Vec<Item> = Vec::new();
    for place in places {
        if let Some(item) = name_place(&shown, pid, frame, place)
            && items.iter().all(|known| known.name != item.name)
        {
            items.push(item);
        }
    }
    items
}

/// The places a statement reads or writes.
fn collect(model: &Model, action: &Action, places: &mut Vec<PlaceId>) {
    let mut exprs: Vec<ExprId> = Vec::new();
    let of_args = |args: &[RecvArg], exprs: &mut Vec<ExprId>| {
        for arg in args {
            if let RecvArg::Match(expr) = arg {
                exprs.push(*expr);
            }
        }
    };
    match action {
        Action::Guard(expr) => exprs.push(*expr),
        Action::Send { channel, .. } => places.push(*channel),
        Action::Receive { channel, args, .. } => {
            places.push(*channel);
            of_args(args, &mut exprs);
        }
        Action::DStep(row) => {
            let guards = &model.dsteps[*row as usize].guards;
            for guard in guards.iter().filter(|g| !matches!(g, Action::DStep(_))) {
                collect(model, guard, places);
            }
        }
        _ => {}
    }
    while let Some(id) = exprs.pop() {
        match model.expr(id) {
            Expr::Load(place) | Expr::Channel(_, place) => places.push(*place),
            Expr::Unary(_, a) => exprs.push(*a),
            Expr::Binary(_, a, b) => exprs.extend([*b, *a]),
            Expr::Cond(c, a, b) => exprs.extend([*b, *a, *c]),
            Expr::Poll { channel, args, .. } => {
                places.push(*channel);
                of_args(args, &mut exprs);
            }
            _ => {}
        }
    }
}

/// The name and value of a place; a channel is shown by its home.
fn name_place(shown: &Shown<'_>, pid: u8, frame: u32, place: PlaceId) -> Option<Item> {
    let at = resolve(shown, pid, frame, place)?;
    let model = shown.model;
    let local = model.place(place).base == Base::Frame;
    let proctype = proctype_at(model, shown.state, frame);
    let (variables, base, prefix) = if local {
        let prefix = format!("{}:", process_name(proctype, pid as usize));
        (&proctype.variables, frame, prefix)
    } else {
        (&model.globals, 0, String::new())
    };
    let mut found = None;
    for variable in variables {
        let start = base + variable.offset;
        if !(start..start + variable.size()).contains(&at) {
            continue;
        }
        leaves(variable, base, &prefix, &mut |leaf: Leaf<'_>| {
            if leaf.at != at {
                return;
            }
            let raw = leaf.scalar.read(shown.state, at as usize);
            found = Some(match shown.channel(raw) {
                Some(channel) if leaf.display == Display::Channel => Item {
                    pid: channel.pid,
                    name: channel.name.clone(),
                    value: shown.contents(channel),
                },
                _ => Item {
                    pid: local.then_some(pid),
                    name: leaf.name.to_owned(),
                    value: shown.value(leaf.display, raw),
                },
            });
        });
    }
    found
}

/// The offset of a place, where its indices are simple and in range.
fn resolve(shown: &Shown<'_>, pid: u8, frame: u32, place: PlaceId) -> Option<u32> {
    let place = shown.model.place(place);
    let mut at = match place.base {
        Base::Global => place.offset,
        Base::Frame => frame + place.offset,
        Base::Nowhere => return None,
    };
    for index in &place.indices {
        let value = simple(shown, pid, frame, index.expr)?;
        let value = u32::try_from(value).ok().filter(|v| *v < index.count)?;
        at += value * index.stride;
    }
    Some(at)
}

/// The value of an index that is simple enough.
fn simple(shown: &Shown<'_>, pid: u8, frame: u32, expr: ExprId) -> Option<i32> {
    match *shown.model.expr(expr) {
        Expr::Const(value) => Some(value),
        Expr::Pid => Some(i32::from(pid)),
        Expr::Load(inner) if shown.model.place(inner).indices.is_empty() => {
            let from = resolve(shown, pid, frame, inner)?;
            let scalar = shown.model.place(inner).scalar;
            Some(scalar.read(shown.state, from as usize))
        }
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let a = simple(shown, pid, frame, a)?;
            let b = simple(shown, pid, frame, b)?;
            Some(match op {
                BinaryOp::Add => a.wrapping_add(b),
                _ => a.wrapping_sub(b),
            })
        }
        _ => None,
    }
}
