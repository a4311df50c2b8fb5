//! How the vectors of a model are cut into parts.
//!
//! A part is what gets a field in a packed state: an element of a global variable, a channel, a
//! frame. The finer the parts, the fewer of them a step depends on. A frame is cut in what the
//! process may change and what it never does, its *fixed* bytes, so that which channels a process
//! listens to may be known without looking at where it stands; and its channels, which others
//! use.

use std::ops::Range;

use model::Model;
use model::layout::{ChannelSlot, VarKind, Variable};

/// So many parts of the globals are cut out of variables; beyond that, elements of an array that
/// are next to each other make up one part.
const MOST_ELEMENTS: u32 = 192;

/// How fine the globals are cut.
///
/// Fine parts have few values, and a step depends on few of them. Coarse ones need fewer bits
/// where variables go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// A number is a part.
    Scalars,
    /// An element of an array is a part, a structure as a whole.
    Elements,
    /// A variable is a part.
    Variables,
}

/// A piece of a vector.
pub(crate) type Bytes = Range<usize>;

/// How vectors are cut.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The parts of the globals, hidden variables first. Every byte in front of the frames belongs
    /// to one of them.
    pub(crate) globals: Vec<Bytes>,
    /// How many of them are hidden.
    pub(crate) hidden: usize,
    /// By proctype.
    pub(crate) frames: Vec<FrameCut>,
}

/// How the frames of a proctype are cut. Ranges count from the start of the frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameCut {
    pub(crate) size: usize,
    /// What is never written.
    pub(crate) fixed: Vec<Bytes>,
    /// What else is not in a channel; begins with the head.
    pub(crate) main: Vec<Bytes>,
    /// The contents of each channel.
    pub(crate) channels: Vec<Bytes>,
}

impl Cut {
    pub(crate) fn new(model: &Model, grain: Grain) -> Cut {
        let layout = &model.layout;
        let frames = layout.frames as usize;
        let mut chunk = 1;
        let mut globals = cut_globals(model, grain, chunk);
        while globals.len() > MOST_ELEMENTS as usize && chunk < frames as u32 {
            chunk *= 2;
            globals = cut_globals(model, grain, chunk);
        }
        let hidden = globals
            .iter()
            .filter(|bytes| bytes.start < layout.hidden as usize);
        let written = model.written_frame_bytes();
        let proctypes = written.iter().enumerate();
        Cut {
            hidden: hidden.count(),
            frames: proctypes
                .map(|(kind, written)| FrameCut::new(model, kind, written))
                .collect(),
            globals,
        }
    }
}

/// The parts of the globals, of arrays so many elements each.
fn cut_globals(model: &Model, grain: Grain, chunk: u32) -> Vec<Bytes> {
    let layout = &model.layout;
    let frames = layout.frames as usize;
    let mut starts = vec![false; frames + 1];
    starts[0] = true;
    starts[frames] = true;
    starts[layout.hidden as usize] = true;
    for variable in &model.globals {
        mark_elements(variable, variable.offset, (grain, chunk), &mut starts);
    }
    for slot in &layout.channels {
        mark_range(channel_bytes(model, slot), &mut starts);
    }
    for at in layout
        .last
        .into_iter()
        .map(|at| at as usize..at as usize + 1)
    {
        mark_range(at, &mut starts);
    }
    for at in layout
        .event
        .into_iter()
        .map(|at| at as usize..at as usize + 2)
    {
        mark_range(at, &mut starts);
    }
    let mut cuts = (0..=frames).filter(|&at| starts[at]);
    let mut parts = Vec::new();
    let mut from = cuts.next().unwrap_or(0);
    for to in cuts {
        parts.push(from..to);
        from = to;
    }
    parts
}

/// Mark where the elements of a variable begin, and where it ends.
fn mark_elements(
    variable: &Variable,
    offset: u32,
    (grain, chunk): (Grain, u32),
    starts: &mut [bool],
) {
    let (size, count) = (variable.kind.size(), variable.count.unwrap_or(1));
    let chunk = match grain {
        Grain::Variables => count.max(1),
        _ => chunk,
    };
    for number in (0..count).step_by(chunk as usize) {
        let element = offset + number * size;
        starts[element as usize] = true;
        if let (VarKind::Struct(_, fields), Grain::Scalars, 1) = (&variable.kind, grain, chunk) {
            for field in fields {
                mark_elements(field, element + field.offset, (grain, chunk), starts);
            }
        }
    }
    starts[(offset + count * size) as usize] = true;
}

fn mark_range(bytes: Bytes, starts: &mut [bool]) {
    if !bytes.is_empty() {
        // Nothing inside is a part of its own.
        starts[bytes.start + 1..bytes.end].fill(false);
        starts[bytes.start] = true;
        starts[bytes.end] = true;
    }
}

fn channel_bytes(model: &Model, slot: &ChannelSlot) -> Bytes {
    let size = model.channel_type(slot.ty).size();
    slot.offset as usize..(slot.offset + size) as usize
}

impl FrameCut {
    fn new(model: &Model, kind: usize, written: &[bool]) -> FrameCut {
        #[derive(Clone, Copy, PartialEq)]
        enum What {
            Fixed,
            Main,
            Channel,
        }
        let proctype = &model.proctypes[kind];
        let size = proctype.frame_size as usize;
        let mut what = vec![What::Main; size];
        for variable in &proctype.variables {
            let bytes = variable.offset as usize..(variable.offset + variable.size()) as usize;
            for at in bytes {
                if !written[at] {
                    what[at] = What::Fixed;
                }
            }
        }
        let mut channels = Vec::new();
        for slot in &proctype.channels {
            let bytes = channel_bytes(model, slot);
            what[bytes.clone()].fill(What::Channel);
            channels.push(bytes);
        }
        FrameCut {
            size,
            fixed: ranges(&what, |&what| what == What::Fixed),
            main: ranges(&what, |&what| what == What::Main),
            channels,
        }
    }
}

/// The ranges of what passes a test.
fn ranges<T>(list: &[T], test: impl Fn(&T) -> bool) -> Vec<Bytes> {
    let mut ranges: Vec<Bytes> = Vec::new();
    for at in (0..list.len()).filter(|&at| test(&list[at])) {
        match ranges.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}
