//! Which processes a vector has, and where they and their channels lie.
//!
//! Few vectors differ in this, so it is worked out once for each kind of vector and then
//! only checked.

use model::{Action, Model, StateLayout};
use space::{Pid, PidSet};

use crate::context::Channel;
use crate::driver::room;

/// So many shapes are remembered.
const MOST_SHAPES: usize = 16;

/// What has to be known about a proctype.
struct Kind {
    frame_size: u32,
    channels: Vec<Channel>,
    /// Rows that one call of its functions can write.
    most_rows: usize,
}

/// A process of a shape.
#[derive(Clone, Copy)]
pub(crate) struct Process {
    /// Where its frame begins.
    pub(crate) offset: u32,
    /// Its proctype.
    pub(crate) kind: u8,
}

/// The processes and channels of a vector.
pub(crate) struct Shape {
    len: usize,
    pub(crate) processes: Vec<Process>,
    /// Where the frames of the processes begin, once more: compiled code reads this.
    pub(crate) frames: Vec<u32>,
    /// Their pids, as far as a set has room.
    pub(crate) pids: PidSet,
    /// By number minus one.
    pub(crate) channels: Vec<Channel>,
    /// Rows that a call for each process can write, without handshakes, and bytes.
    pub(crate) most_rows: usize,
    pub(crate) most_bytes: usize,
}

/// The shapes met so far, the current one first.
pub(crate) struct Shapes {
    layout: StateLayout,
    global_channels: Vec<Channel>,
    kinds: Vec<Kind>,
    /// Whether vectors of the same length always have the same processes.
    by_length: bool,
    known: Vec<Shape>,
}

impl Shapes {
    /// None are known yet.
    pub(crate) fn new(model: &Model) -> Shapes {
        let slots = |slots: &[model::layout::ChannelSlot]| -> Vec<Channel> {
            let channel = |slot: &model::layout::ChannelSlot| Channel {
                offset: slot.offset,
                ty: slot.ty.0,
            };
            slots.iter().map(channel).collect()
        };
        let kinds = (model.proctypes.iter())
            .map(|proctype| Kind {
                frame_size: proctype.frame_size,
                channels: slots(&proctype.channels),
                // A send may write an offer and a step.
                most_rows: 2 * proctype
                    .states
                    .iter()
                    .map(|s| s.options.len())
                    .max()
                    .unwrap_or(0),
            })
            .collect();
        Shapes {
            layout: model.layout.clone(),
            global_channels: slots(&model.layout.channels),
            kinds,
            by_length: !model
                .transitions
                .iter()
                .any(|t| starts_process(model, &t.action)),
            known: Vec::new(),
        }
    }

    /// The longest frame: a step adds no more than this to a vector.
    pub(crate) fn growth(&self) -> usize {
        let longest = self.kinds.iter().map(|kind| kind.frame_size).max();
        longest.unwrap_or(0) as usize
    }

    /// Whether a vector has the current shape.
    #[inline(always)]
    pub(crate) fn is_current(&self, state: &[u8]) -> bool {
        match self.known.first() {
            Some(shape) => shape.fits(state, &self.layout, self.by_length),
            None => false,
        }
    }

    /// The current shape.
    #[inline]
    pub(crate) fn current(&self) -> &Shape {
        &self.known[0]
    }

    /// The shape of a vector, which becomes the current one.
    pub(crate) fn switch(&mut self, state: &[u8]) -> &Shape {
        let by_length = self.by_length;
        match self
            .known
            .iter()
            .position(|s| s.fits(state, &self.layout, by_length))
        {
            Some(row) => self.known[..=row].rotate_right(1),
            None => {
                let shape = self.find_out(state);
                self.known.truncate(MOST_SHAPES - 1);
                self.known.insert(0, shape);
            }
        }
        &self.known[0]
    }

    fn find_out(&self, state: &[u8]) -> Shape {
        let mut shape = Shape {
            len: state.len(),
            processes: Vec::new(),
            frames: Vec::new(),
            pids: PidSet::EMPTY,
            channels: self.global_channels.clone(),
            most_rows: 0,
            most_bytes: 0,
        };
        let mut at = self.layout.frames;
        while (at as usize) < state.len() {
            let number = self.layout.head(state, at).kind;
            let kind = &self.kinds[number as usize];
            shape.pids.insert(Pid(shape.processes.len() as u8));
            shape.processes.push(Process {
                offset: at,
                kind: number,
            });
            shape.frames.push(at);
            shape
                .channels
                .extend(kind.channels.iter().map(|channel| Channel {
                    offset: at + channel.offset,
                    ..*channel
                }));
            shape.most_rows += kind.most_rows;
            at += kind.frame_size;
        }
        shape.most_bytes = room(shape.most_rows, shape.len, self.growth());
        shape
    }
}

impl Shape {
    #[inline(always)]
    fn fits(&self, state: &[u8], layout: &StateLayout, by_length: bool) -> bool {
        let same = |process: &Process| layout.head(state, process.offset).kind == process.kind;
        state.len() == self.len && (by_length || self.processes.iter().all(same))
    }
}

fn starts_process(model: &Model, action: &Action) -> bool {
    match action {
        Action::Run(..) => true,
        Action::DStep(row) => (model.dsteps[*row as usize].ops.iter()).any(
            |op| matches!(op, model::DStepOp::Do { action, .. } if starts_process(model, action)),
        ),
        _ => false,
    }
}
