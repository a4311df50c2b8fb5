//! What is the same in all states of a process.
//!
//! A number, `_pid`, a variable or parameter that no statement ever writes, and what is computed
//! from these, have one value as long as the process lives. So an index or a channel is often
//! known before the process moves, though its proctype alone does not tell.

use crate::expr::Expr;
use crate::ids::ExprId;
use crate::interp::eval::{binary, unary};
use crate::layout::{Base, ChannelSlot, Index, Place};
use crate::model::Model;
use crate::reduction::Footprint;

/// Which bytes are ever written.
#[derive(Clone, Debug)]
pub(crate) struct Writes {
    /// Of frames, by proctype.
    frames: Vec<Vec<bool>>,
    /// Those that are set to 0 when nobody reads them any more, but not written otherwise.
    resets: Vec<Vec<bool>>,
    globals: Vec<bool>,
}

/// A byte of a vector on which something rests: it has one of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Premise {
    pub(crate) at: u32,
    pub(crate) value: u8,
    pub(crate) other: u8,
}

impl Premise {
    /// Whether it has the value that was looked at.
    #[inline(always)]
    pub(crate) fn is_as_seen(self, state: &[u8]) -> bool {
        state[self.at as usize] == self.value
    }

    /// Whether it has.
    #[inline(always)]
    pub(crate) fn holds(self, state: &[u8]) -> bool {
        let byte = state[self.at as usize];
        byte == self.value || byte == self.other
    }
}

/// The channels of a vector in the order of their numbers: where their contents lie.
pub(crate) fn channels(model: &Model, state: &[u8]) -> Vec<ChannelSlot> {
    let mut channels = model.layout.channels.clone();
    let mut frame = model.layout.frames;
    while (frame as usize) < state.len() {
        let proctype = &model.proctypes[usize::from(model.layout.head(state, frame).kind)];
        channels.extend(proctype.channels.iter().map(|slot| ChannelSlot {
            offset: frame + slot.offset,
            ..*slot
        }));
        frame += proctype.frame_size;
    }
    channels
}

impl Model {
    /// For each proctype, which bytes of its frames some statement writes, or sets to 0 when they
    /// are read no more. Others keep the value that they have when a process starts.
    pub fn written_frame_bytes(&self) -> Vec<Vec<bool>> {
        Writes::new(self).frames
    }
}

impl Writes {
    /// Those of a model.
    pub(crate) fn new(model: &Model) -> Writes {
        let mut writes = Writes::of_statements(model);
        for (written, reset) in writes.frames.iter_mut().zip(&mut writes.resets) {
            for (written, reset) in written.iter_mut().zip(reset) {
                *written |= std::mem::take(reset);
            }
        }
        writes
    }

    /// The same for somebody who asks about statements only in states from which these may be
    /// executed: what they read was not set to 0 yet.
    pub(crate) fn of_statements(model: &Model) -> Writes {
        let frames = || {
            let proctypes = model.proctypes.iter();
            proctypes
                .map(|p| vec![false; p.frame_size as usize])
                .collect()
        };
        let mut writes = Writes {
            frames: frames(),
            resets: frames(),
            globals: vec![false; model.layout.frames as usize],
        };
        let mut globals = Extents::default();
        let mut frames = vec![Extents::default(); model.proctypes.len()];
        for transition in &model.transitions {
            space::cancel::poll();
            let kind = transition.proctype.index();
            for place in &Footprint::of_action(model, &transition.action).writes {
                let place = model.place(*place);
                match place.base {
                    Base::Global => globals.add(place),
                    Base::Frame => frames[kind].add(place),
                    Base::Nowhere => {}
                }
            }
            for range in &transition.resets {
                let bytes = range.offset as usize..(range.offset + range.length) as usize;
                writes.resets[kind][bytes].fill(true);
            }
        }
        globals.mark(&mut writes.globals);
        for (extents, bytes) in frames.into_iter().zip(&mut writes.frames) {
            extents.mark(bytes);
        }
        writes
    }

    /// Whether a byte of the frames of a proctype is ever written.
    pub(crate) fn is_written(&self, kind: usize, byte: u32) -> bool {
        self.frames[kind][byte as usize]
    }
}

/// The bytes that a place may lie in, from its base.
pub(crate) fn extent(place: &Place) -> std::ops::Range<u32> {
    let span = |index: &Index| index.count.saturating_sub(1) * index.stride;
    let more: u32 = place.indices.iter().map(span).sum();
    place.offset..place.offset + more + place.scalar.size()
}

/// Bytes that many places may lie in, which may be the same large array again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extents(Vec<std::ops::Range<u32>>);

impl Extents {
    /// Add those of a place.
    pub(crate) fn add(&mut self, place: &Place) {
        self.0.push(extent(place));
    }
    /// All of them in order, each once.
    pub(crate) fn ranges(mut self) -> impl Iterator<Item = std::ops::Range<u32>> {
        self.0.sort_unstable_by_key(|range| range.start);
        let mut end = 0;
        self.0.into_iter().map(move |range| {
            let start = range.start.max(end);
            end = end.max(range.end);
            start..end
        })
    }

    /// Mark them in a set of bytes; those beyond its end are left out.
    pub(crate) fn mark(self, bytes: &mut [bool]) {
        for range in self.ranges() {
            let [from, to] = [range.start, range.end].map(|at| (at as usize).min(bytes.len()));
            bytes[from..to].fill(true);
        }
    }
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
    pub(crate) proctype: usize,
    /// The channels of the vector that are told apart.
    pub(crate) channels: &'a [ChannelSlot],
    /// Global bytes that are written no more, if it is known which.
    pub(crate) init_only: &'a [bool],
    /// Bytes that were looked at, with their values.
    pub(crate) premises: &'a mut Vec<Premise>,
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

    /// The row of the channel in a place, if it is always the same, and whether it has a buffer.
    pub(crate) fn channel(&mut self, place: &Place) -> Option<(usize, bool)> {
        let number = self.load(place).or_else(|| self.load_to_the_last(place));
        let row = usize::try_from(number?).ok()?.checked_sub(1)?;
        let slot = self.channels.get(row)?;
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

    /// The value of a place that is not written.
    fn load(&mut self, place: &Place) -> Option<i32> {
        let offset = self.offset(place)?;
        let bytes = offset as usize..(offset + place.scalar.size()) as usize;
        match (place.base, self.frame) {
            (Base::Global, _) => {
                let is_written = self.writes.globals[bytes.clone()].contains(&true);
                let init_only = self.init_only.get(bytes.clone());
                if is_written && init_only.is_none_or(|init_only| init_only.contains(&false)) {
                    return None;
                }
                if is_written {
                    self.rest_on(bytes, 0, false);
                }
                Some(place.scalar.read(self.state, offset as usize))
            }
            (Base::Frame, Some((frame, _))) => {
                let writes = [&self.writes.frames, &self.writes.resets];
                if (writes.iter())
                    .any(|writes| writes[self.proctype][bytes.clone()].contains(&true))
                {
                    return None;
                }
                self.rest_on(bytes, frame, false);
                Some(place.scalar.read(self.state, (frame + offset) as usize))
            }
            _ => None,
        }
    }

    /// The number of a channel in a place of the frame that is set to 0 when nobody reads it any
    /// more, and not written otherwise. No channel has the number 0.
    fn load_to_the_last(&mut self, place: &Place) -> Option<i32> {
        let at = self.offset(place)? as usize;
        let (frame, _) = self.frame?;
        let is_written = self.writes.frames[self.proctype].get(at) != Some(&false);
        if place.base != Base::Frame || is_written || place.scalar.size() != 1 {
            return None;
        }
        self.rest_on(at..at + 1, frame, true);
        Some(place.scalar.read(self.state, frame as usize + at))
    }

    /// Some bytes from an offset on were looked at, which stay as they are or are 0 some time.
    fn rest_on(&mut self, bytes: std::ops::Range<usize>, start: u32, is_reset: bool) {
        for byte in bytes {
            let at = start + byte as u32;
            let value = self.state[at as usize];
            let other = if is_reset { 0 } else { value };
            self.premises.push(Premise { at, value, other });
        }
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
