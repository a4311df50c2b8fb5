//! What is known about a model before it runs: channel variables that never change, and
//! expressions that cannot fail.

use std::collections::HashMap;

use model::{
    Action, Base, BinaryOp, ChannelTypeId, DStepOp, Expr, ExprId, Initialiser, Model, Place,
    PlaceId, RecvArg,
};

/// A channel variable that nobody writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedChannel {
    /// The number of the first element's channel; the others follow.
    pub(crate) number: u32,
    /// Where the contents of the first element's channel begin.
    pub(crate) offset: u32,
    /// The type of all of them.
    pub(crate) ty: ChannelTypeId,
}

/// Static facts about a model.
pub(crate) struct Facts {
    /// Global bytes that some statement writes: from, to. Once all are known, in order and apart.
    written: Vec<(u32, u32)>,
    /// The channels that the initial state has in global bytes.
    channels: HashMap<u32, FixedChannel>,
    /// Whether processes claim channels.
    pub(crate) claims: bool,
    /// Whether messages are watched by a trace.
    pub(crate) event_trace: bool,
}

impl Facts {
    pub(crate) fn new(model: &Model) -> Facts {
        let mut facts = Facts {
            written: Vec::new(),
            channels: initial_channels(model),
            claims: model.proctypes.iter().any(|p| !p.claims.is_empty()),
            event_trace: model.event_trace.is_some(),
        };
        for transition in &model.transitions {
            space::cancel::poll();
            facts.note_writes(model, &transition.action);
        }
        for dstep in &model.dsteps {
            for op in &dstep.ops {
                if let DStepOp::Do { action, .. } = op {
                    facts.note_writes(model, action);
                }
            }
        }
        facts.join_writes();
        facts
    }

    fn join_writes(&mut self) {
        self.written.sort_unstable();
        self.written.dedup_by(|next, last| {
            let meets = next.0 <= last.1;
            if meets {
                last.1 = last.1.max(next.1);
            }
            meets
        });
    }

    fn is_written(&self, from: u32, to: u32) -> bool {
        let next = self.written.partition_point(|&(_, end)| end <= from);
        self.written.get(next).is_some_and(|&(start, _)| start < to)
    }

    fn note_writes(&mut self, model: &Model, action: &Action) {
        match action {
            Action::Assign(place, _) | Action::Run(_, Some(place), _) => {
                self.note_write(model.place(*place));
            }
            Action::Receive { args, .. } => {
                for arg in args {
                    if let RecvArg::Store(place) = arg {
                        self.note_write(model.place(*place));
                    }
                }
            }
            _ => {}
        }
    }

    fn note_write(&mut self, place: &Place) {
        if place.base == Base::Global {
            self.written.push(extent(place));
        }
    }

    /// The channel of a place that always holds the same one (per element, for an array).
    pub(crate) fn fixed_channel(&self, model: &Model, place: PlaceId) -> Option<FixedChannel> {
        let place = model.place(place);
        if place.base != Base::Global || place.indices.len() > 1 {
            return None;
        }
        let (from, to) = extent(place);
        if self.is_written(from, to) {
            return None;
        }
        let count = place.indices.first().map_or(1, |index| index.count);
        let stride = place.indices.first().map_or(1, |index| index.stride);
        let first = *self.channels.get(&place.offset)?;
        for i in 1..count {
            let other = self.channels.get(&(place.offset + i * stride))?;
            let size = model.channel_type(first.ty).size();
            let follows = other.ty == first.ty
                && other.number == first.number + i
                && other.offset == first.offset + i * size;
            if !follows {
                return None;
            }
        }
        Some(first)
    }
}

/// The channels that the initial state has in global bytes.
fn initial_channels(model: &Model) -> HashMap<u32, FixedChannel> {
    let inits = model.global_inits.iter();
    let channels = inits.filter_map(|init| match init {
        Initialiser::Channel { offset, slot } => Some((*offset, slot)),
        Initialiser::Value { .. } => None,
    });
    let mut found = HashMap::new();
    for (row, (at, slot)) in channels.enumerate() {
        found.entry(at).or_insert(FixedChannel {
            number: row as u32 + 1,
            offset: slot.offset,
            ty: slot.ty,
        });
    }
    found
}

/// The bytes that a place may touch.
fn extent(place: &Place) -> (u32, u32) {
    let more: u32 = place
        .indices
        .iter()
        .map(|index| index.count.saturating_sub(1) * index.stride)
        .sum();
    (place.offset, place.offset + more + place.scalar.size())
}

/// Whether an expression has a value in every state, and is cheap: then it may be evaluated
/// although C would not look at it.
pub(crate) fn is_total(model: &Model, id: ExprId) -> bool {
    match model.expr(id) {
        Expr::Const(_)
        | Expr::RunResult
        | Expr::Pid
        | Expr::ProcessCount
        | Expr::Timeout => true,
        Expr::Load(place) => model.place(*place).indices.iter().all(|index| {
            matches!(model.expr(index.expr), Expr::Const(i) if (0..i64::from(index.count)).contains(&i64::from(*i)))
        }),
        Expr::Unary(_, a) => is_total(model, *a),
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => false,
        Expr::Binary(_, a, b) => is_total(model, *a) && is_total(model, *b),
        _ => false,
    }
}

/// Whether an expression needs no call back, so that it can be evaluated in any vector.
pub(crate) fn is_plain(model: &Model, id: ExprId) -> bool {
    match model.expr(id) {
        Expr::Const(_) | Expr::RunResult | Expr::Pid | Expr::ProcessCount | Expr::Timeout => true,
        Expr::Load(place) => is_plain_place(model, *place),
        Expr::Unary(_, a) => is_plain(model, *a),
        Expr::Binary(_, a, b) => is_plain(model, *a) && is_plain(model, *b),
        Expr::Cond(c, a, b) => is_plain(model, *c) && is_plain(model, *a) && is_plain(model, *b),
        _ => false,
    }
}

/// The same for the indices of a place.
pub(crate) fn is_plain_place(model: &Model, id: PlaceId) -> bool {
    (model.place(id).indices.iter()).all(|index| is_plain(model, index.expr))
}
