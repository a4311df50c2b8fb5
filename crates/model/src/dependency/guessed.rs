//! Where numbers of channels come from.
//!
//! A channel is a number in a variable. The variables that are used as channels, and those that these get
//! their values from, mostly hold numbers that a declaration put there. But nothing keeps a model from
//! using a number of its own: as an argument of `run`, or from a message. Such a number may be that of any
//! channel, so nobody has one to himself then.

use super::statements;
use crate::expr::Expr;
use crate::ids::ExprId;
use crate::instance::extent;
use crate::layout::{Base, Place};
use crate::model::{Action, Initialiser, Model, RecvArg};
use crate::reduction::Footprint;

/// It is looked at so many statements, or so often at all of them, where values come from.
const MOST_WORK: usize = 1 << 22;
const MOST_ROUNDS: usize = 16;

/// The bytes that hold channels: of the globals, and of the frames of each proctype.
pub(super) struct Held {
    globals: Vec<bool>,
    frames: Vec<Vec<bool>>,
    grew: bool,
}

impl Held {
    /// The bytes of a model, or nothing if one may hold a number that did not come from a declaration.
    pub(super) fn new(model: &Model) -> Option<Held> {
        let mut held = Held {
            globals: vec![false; model.layout.frames as usize],
            frames: (model.proctypes.iter())
                .map(|proctype| vec![false; proctype.frame_size as usize])
                .collect(),
            grew: true,
        };
        for transition in &model.transitions {
            space::cancel::poll();
            let kind = transition.proctype.index();
            held.insert_used(
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
                held.insert_used(model, kind, &Footprint::of_expr(model, expr));
            }
        }
        // Most models need two or three rounds. Where values come a long way, anything is possible.
        for _ in 0..MOST_ROUNDS + MOST_WORK / (model.transitions.len() + 1) {
            if !held.grow(model) {
                return None;
            }
            if !std::mem::replace(&mut held.grew, false) {
                return Some(held);
            }
        }
        None
    }

    /// What is used as a channel is one.
    fn insert_used(&mut self, model: &Model, kind: usize, footprint: &Footprint) {
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
        let grew = held.contains(&false);
        held.fill(true);
        self.grew |= grew;
    }

    fn has(&mut self, kind: usize, place: &Place) -> bool {
        self.bytes_of(kind, place).contains(&true)
    }

    /// Add where the values come from. False if one is a number.
    fn grow(&mut self, model: &Model) -> bool {
        let mut owned = (model.transitions.iter()).flat_map(|transition| {
            space::cancel::poll();
            let parts = statements(model, &transition.action).into_iter();
            parts.map(|action| (transition.proctype.index(), action))
        });
        owned.all(|(kind, action)| self.grow_by(model, kind, action))
            && self.grow_by_first_values(model)
    }

    fn grow_by(&mut self, model: &Model, kind: usize, action: &Action) -> bool {
        match action {
            Action::Assign(place, expr) => {
                !self.has(kind, model.place(*place)) || self.follow(model, kind, *expr)
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
                        !self.in_frame(child, *offset) || self.follow(model, kind, *arg)
                    })
            }
            _ => true,
        }
    }

    fn grow_by_first_values(&mut self, model: &Model) -> bool {
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
            !is_held || self.follow(model, kind.unwrap_or(0), *value)
        })
    }

    /// Whether the value of an expression is no channel, or that of a variable, which holds channels then.
    fn follow(&mut self, model: &Model, kind: usize, expr: ExprId) -> bool {
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
