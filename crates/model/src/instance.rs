//! What is the same in all states of a process.
//!
//! A number, `_pid`, a variable or parameter that no statement ever writes, and what is computed
//! from these, have one value as long as the process lives. So an index or a channel is often
//! known before the process moves, though its proctype alone does not tell.

use crate::expr::Expr;
use crate::ids::ExprId;
use crate::interp::eval::{binary, unary};
use crate::layout::{Base, Index, Place};
use crate::model::Model;
use crate::reduction::Footprint;

/// Which bytes are ever written.
#[derive(Clone, Debug)]
pub(crate) struct Writes {
    /// Of frames, by proctype.
    frames: Vec<Vec<bool>>,
    globals: Vec<bool>,
}

impl Writes {
    /// Those of a model.
    pub(crate) fn new(model: &Model) -> Writes {
        let frames = model.proctypes.iter();
        let mut writes = Writes {
            frames: frames.map(|p| vec![false; p.frame_size as usize]).collect(),
            globals: vec![false; model.layout.frames as usize],
        };
        for transition in &model.transitions {
            let kind = transition.proctype.index();
            for place in &Footprint::of_action(model, &transition.action).writes {
                writes.add(model.place(*place), kind);
            }
            for range in &transition.resets {
                let bytes = range.offset as usize..(range.offset + range.length) as usize;
                writes.frames[kind][bytes].fill(true);
            }
        }
        writes
    }

    /// Whether a byte of the frames of a proctype is ever written.
    pub(crate) fn is_written(&self, kind: usize, byte: u32) -> bool {
        self.frames[kind][byte as usize]
    }

    fn add(&mut self, place: &Place, kind: usize) {
        let written = match place.base {
            Base::Global => &mut self.globals,
            Base::Frame => &mut self.frames[kind],
            Base::Nowhere => return,
        };
        for byte in extent(place) {
            written[byte as usize] = true;
        }
    }
}

/// The bytes that a place may lie in, from its base.
pub(crate) fn extent(place: &Place) -> std::ops::Range<u32> {
    let span = |index: &Index| index.count.saturating_sub(1) * index.stride;
    let more: u32 = place.indices.iter().map(span).sum();
    place.offset..place.offset + more + place.scalar.size()
}

/// Whether two places with the same base may share a byte.
pub(crate) fn overlap(a: &Place, b: &Place) -> bool {
    let (a, b) = (extent(a), extent(b));
    a.start < b.end && b.start < a.end
}

/// A process of a vector, as far as it is the same in all its states.
pub(crate) struct Instance<'a> {
    pub(crate) model: &'a Model,
    pub(crate) writes: &'a Writes,
    pub(crate) state: &'a [u8],
    /// Where its frame begins, its proctype and its pid; none for a process that is not there
    /// yet, of which less is known.
    pub(crate) frame: Option<(u32, u8)>,
    pub(crate) kind: usize,
    /// Bytes of the frame that were looked at, with their values.
    pub(crate) premises: &'a mut Vec<(u32, u8)>,
}

impl Instance<'_> {
    /// The global bytes that a place may lie in.
    pub(crate) fn global_bytes(&mut self, place: &Place) -> std::ops::Range<u32> {
        if place.base != Base::Global {
            return 0..0;
        }
        match self.offset(place) {
            Some(offset) => offset..offset + place.scalar.size(),
            None => extent(place),
        }
    }

    /// The row of the channel in a place, if it is a global one and always the same, and
    /// whether it has a buffer.
    pub(crate) fn channel(&mut self, place: &Place) -> Option<(usize, bool)> {
        let row = usize::try_from(self.load(place)?).ok()?.checked_sub(1)?;
        let slot = self.model.layout.channels.get(row)?;
        let capacity = self.model.channel_type(slot.ty).capacity;
        Some((row, capacity > 0))
    }

    /// The offset of a place from its base, if its indices never change.
    pub(crate) fn offset(&mut self, place: &Place) -> Option<u32> {
        let mut offset = place.offset;
        for index in &place.indices {
            let value = u32::try_from(self.value(index.expr)?).ok()?;
            if value >= index.count {
                return None;
            }
            offset += value * index.stride;
        }
        Some(offset)
    }

    /// Whether a place has the same value in all states.
    pub(crate) fn is_fixed(&mut self, place: &Place) -> bool {
        self.load(place).is_some()
    }

    /// The value of a place that is never written.
    fn load(&mut self, place: &Place) -> Option<i32> {
        let offset = self.offset(place)?;
        let bytes = offset as usize..(offset + place.scalar.size()) as usize;
        let (start, written) = match (place.base, self.frame) {
            (Base::Global, _) => (0, &self.writes.globals),
            (Base::Frame, Some((frame, _))) => (frame, &self.writes.frames[self.kind]),
            _ => return None,
        };
        if written[bytes.clone()].contains(&true) {
            return None;
        }
        if place.base == Base::Frame {
            for byte in bytes {
                let at = start + byte as u32;
                self.premises.push((at, self.state[at as usize]));
            }
        }
        Some(place.scalar.read(self.state, (start + offset) as usize))
    }

    /// The value of an expression that is always the same.
    pub(crate) fn value(&mut self, expr: ExprId) -> Option<i32> {
        match self.model.expr(expr) {
            Expr::Const(value) => Some(*value),
            Expr::Pid => self.frame.map(|(_, pid)| i32::from(pid)),
            Expr::Load(place) => self.load(self.model.place(*place)),
            Expr::Unary(op, operand) => Some(unary(*op, self.value(*operand)?)),
            Expr::Binary(op, a, b) => binary(*op, self.value(*a)?, self.value(*b)?).ok(),
            _ => None,
        }
    }
}
