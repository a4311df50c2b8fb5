//! Channel provenance: where channel ids come from.
//!
//! A channel is an id in a variable. The variables that are used as channels, and those that they are
//! copied from, mostly hold ids that a declaration put there. But nothing keeps a model from using
//! an arbitrary number: as an argument of `run`, or from a message. Such a number may be the id of any
//! channel, so no channel is private then.

use super::statements;
use crate::expr::Expr;
use crate::ids::ExprId;
use crate::instance::extent;
use crate::layout::{Base, Place};
use crate::model::{Action, Initialiser, Model, RecvArg};
use crate::reduction::Footprint;

/// Values are traced through at most so many statements, or so often through all of them.
const MOST_WORK: usize = 1 << 22;
const MOST_ROUNDS: usize = 16;

/// The bytes that hold channels: of the globals, and of the frames of each proctype.
pub(super) struct ChannelHolders {
    globals: Vec<bool>,
    frames: Vec<Vec<bool>>,
    changed: bool,
}

impl ChannelHolders {
    /// The bytes of a model, or nothing if one may hold a number that did not come from a declaration.
    pub(super) fn new(model: &Model) -> Option<ChannelHolders> {
        let mut held = ChannelHolders {
            globals: vec![false; model.layout.frames as usize],
            frames: (model.proctypes.iter())
                .map(|proctype| vec![false; proctype.frame_size as usize])
                .collect(),
            changed: true,
        };
        for transition in &model.transitions {
            space::cancel::poll();
            let kind = transition.proctype.index();
            held.insert_channel_uses(
                model,
                kind,
                &Footprint::of_action(model, &transition.action),
            );
        }
        for (kind, proctype) in model.proctypes.iter().enumerate() {
            let values = proctype.inits.iter().filter_map(|init| match init {
                Initialiser::Value { value, .. } => Some(*value),
                Initialiser::Channel { .. } => None,
            });
            for expr in values.chain(proctype.provided) {
                held.insert_channel_uses(model, kind, &Footprint::of_expr(model, expr));
            }
        }
        // Most models need two or three rounds. Longer chains of copies are given up.
        for _ in 0..MOST_ROUNDS + MOST_WORK / (model.transitions.len() + 1) {
            if !held.propagate(model) {
                return None;
            }
            if !std::mem::replace(&mut held.changed, false) {
                return Some(held);
            }
        }
        None
    }

    /// What is used as a channel is one.
    fn insert_channel_uses(&mut self, model: &Model, kind: usize, footprint: &Footprint) {
        for (place, _) in &footprint.channels {
            self.insert(kind, model.place(*place));
        }
    }

    /// Whether a byte of a frame holds a channel.
    pub(super) fn in_frame(&self, kind: usize, offset: u32) -> bool {
        self.frames[kind].get(offset as usize) == Some(&true)
    }

    fn bytes(&mut self, kind: usize, base: Base) -> &mut [bool] {
        match base {
            Base::Global => &mut self.globals,
            Base::Frame => &mut self.frames[kind],
            Base::Nowhere => &mut [],
        }
    }

    /// The bytes that a place may lie in. Those of others may be larger than a frame is here.
    fn bytes_of(&mut self, kind: usize, place: &Place) -> &mut [bool] {
        let bytes = self.bytes(kind, place.base);
        let [start, end] =
            [extent(place).start, extent(place).end].map(|at| (at as usize).min(bytes.len()));
        &mut bytes[start..end]
    }

    fn insert(&mut self, kind: usize, place: &Place) {
        let held = self.bytes_of(kind, place);
        let changed = held.contains(&false);
        held.fill(true);
        self.changed |= changed;
    }

    fn has(&mut self, kind: usize, place: &Place) -> bool {
        self.bytes_of(kind, place).contains(&true)
    }

    /// Add the sources of the values. False if one is an arbitrary number.
    fn propagate(&mut self, model: &Model) -> bool {
        let mut owned = (model.transitions.iter()).flat_map(|transition| {
            space::cancel::poll();
            let parts = statements(model, &transition.action).into_iter();
            parts.map(|action| (transition.proctype.index(), action))
        });
        owned.all(|(kind, action)| self.propagate_action(model, kind, action))
            && self.propagate_initialisers(model)
    }

    fn propagate_action(&mut self, model: &Model, kind: usize, action: &Action) -> bool {
        match action {
            Action::Assign(place, expr) => {
                !self.has(kind, model.place(*place)) || self.add_source(model, kind, *expr)
            }
            Action::Receive { args, .. } => args.iter().all(|arg| match arg {
                RecvArg::Store(place) => !self.has(kind, model.place(*place)),
                RecvArg::Match(_) => true,
            }),
            Action::Run(spec, place, _) => {
                let child = spec.proctype.index();
                let params = model.proctypes[child].params.iter();
                let mut pairs = spec.args.iter().zip(params);
                place.is_none_or(|place| !self.has(kind, model.place(place)))
                    && pairs.all(|(arg, (offset, _))| {
                        !self.in_frame(child, *offset) || self.add_source(model, kind, *arg)
                    })
            }
            _ => true,
        }
    }

    fn propagate_initialisers(&mut self, model: &Model) -> bool {
        let globals = model.global_inits.iter().map(|init| (None, init));
        let frames = model.proctypes.iter().enumerate();
        let frames =
            frames.flat_map(|(kind, p)| p.inits.iter().map(move |init| (Some(kind), init)));
        globals.chain(frames).all(|(kind, init)| {
            let Initialiser::Value { offset, value, .. } = init else {
                return true;
            };
            let is_held = match kind {
                None => self.globals.get(*offset as usize) == Some(&true),
                Some(kind) => self.in_frame(kind, *offset),
            };
            !is_held || self.add_source(model, kind.unwrap_or(0), *value)
        })
    }

    /// Whether the value of an expression is no channel, or that of a variable, which holds channels then.
    fn add_source(&mut self, model: &Model, kind: usize, expr: ExprId) -> bool {
        match model.expr(expr) {
            Expr::Const(0) => true,
            Expr::Load(place) => {
                self.insert(kind, model.place(*place));
                true
            }
            _ => false,
        }
    }
}
