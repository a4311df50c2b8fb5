//! The state vector: what lies where.
//!
//! A vector is, from the front:
//!
//! ```text
//! hidden variables | globals, with the contents of global channels | process 0 | process 1 | ...
//! ```
//!
//! Processes are created and die like a stack, so a process is a frame at the end of the
//! vector: its head, which says proctype and control state in one number, its priority where
//! the model uses priorities, its parameters and locals, and the contents of the channels it
//! created. Rendezvous
//! channels have no contents. Numbers are little-endian, without padding.

use crate::ids::{ChannelTypeId, ControlId, ExprId, ProctypeId};

/// How a value is kept, and so how it is cut off when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// One bit in a byte.
    Bit,
    /// 0..255.
    U8,
    /// 16 bits with sign.
    I16,
    /// 32 bits with sign.
    I32,
    /// That many bits without sign, at most 31.
    Unsigned(u8),
}

impl Scalar {
    /// Bytes it takes.
    pub fn size(self) -> u32 {
        match self {
            Scalar::Bit | Scalar::U8 => 1,
            Scalar::I16 => 2,
            Scalar::I32 => 4,
            Scalar::Unsigned(0..=8) => 1,
            Scalar::Unsigned(9..=16) => 2,
            Scalar::Unsigned(_) => 4,
        }
    }

    /// The value as it is after being written and read back.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Scalar::Bit => value & 1,
            Scalar::U8 => value & 0xff,
            Scalar::I16 => i32::from(value as i16),
            Scalar::I32 => value,
            Scalar::Unsigned(bits) => value & ((1_i64 << bits) - 1) as i32,
        }
    }

    /// Read it.
    #[inline(always)]
    pub fn read(self, bytes: &[u8], at: usize) -> i32 {
        match self.size() {
            1 => i32::from(bytes[at]),
            2 => {
                let raw = [bytes[at], bytes[at + 1]];
                if self == Scalar::I16 {
                    i32::from(i16::from_le_bytes(raw))
                } else {
                    i32::from(u16::from_le_bytes(raw))
                }
            }
            _ => i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]),
        }
    }

    /// Write it, cutting it off.
    #[inline]
    pub fn write(self, bytes: &mut [u8], at: usize, value: i32) {
        let value = self.truncate(value);
        match self.size() {
            1 => bytes[at] = value as u8,
            2 => bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => bytes[at..at + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

/// Where a place's offset counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The start of the vector.
    Global,
    /// The start of the process's frame.
    Frame,
    /// Nowhere: the write-only variable `_`.
    Nowhere,
}

/// One index of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// The index expression.
    pub expr: ExprId,
    /// The number of elements, for the bounds check.
    pub count: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

/// Something that can be read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where the offset counts from.
    pub base: Base,
    /// The offset without the indices.
    pub offset: u32,
    /// The indices, outermost first.
    pub indices: Vec<Index>,
    /// The scalar found there.
    pub scalar: Scalar,
}

/// How a value is shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// As a number.
    Number,
    /// As `true` or `false`.
    Bool,
    /// As a name of this mtype set, by its row in [`crate::Model::mtypes`].
    Mtype(u32),
    /// As the name of a channel.
    Channel,
}

/// A declared variable or field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Offset from the base (or, for a field, from the structure's start).
    pub offset: u32,
    /// The number of elements of an array.
    pub count: Option<u32>,
    /// What it is, or what its elements are.
    pub kind: VarKind,
    /// Not shown to people: made by the front end.
    pub synthetic: bool,
}

/// The type of a variable or of an array's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarKind {
    /// A number.
    Scalar(Scalar, Display),
    /// A structure: its size and fields.
    Struct(u32, Vec<Variable>),
}

impl VarKind {
    /// Bytes of one element.
    pub fn size(&self) -> u32 {
        match self {
            VarKind::Scalar(scalar, _) => scalar.size(),
            VarKind::Struct(size, _) => *size,
        }
    }
}

impl Variable {
    /// Bytes of the whole variable.
    pub fn size(&self) -> u32 {
        self.kind.size() * self.count.unwrap_or(1)
    }
}

/// A channel's contents inside the globals or a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelSlot {
    /// Offset from the base.
    pub offset: u32,
    /// Its type.
    pub ty: ChannelTypeId,
}

/// The part of the layout that all states share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateLayout {
    /// Bytes of hidden variables at the front.
    pub hidden: u32,
    /// Where the first frame starts: the size of hidden variables and globals.
    pub frames: u32,
    /// Offset of `_last`, where the model mentions it.
    pub last: Option<u32>,
    /// Offset of the control state of the event trace (two bytes), where there is one.
    pub event: Option<u32>,
    /// Bytes of a *head*, the number of a proctype together with its program counter: 1 if all control
    /// states of all proctypes can be numbered with it.
    pub head_size: u32,
    /// What a head stands for.
    pub heads: Vec<Head>,
    /// For each proctype the head of its control state 0.
    pub head_bases: Vec<u32>,
    /// Whether frames have a priority byte.
    pub priorities: bool,
    /// The contents of the global channels; channel number `i + 1` is row `i`.
    pub channels: Vec<ChannelSlot>,
}

/// A proctype and a program counter: one of its control states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The row of the proctype.
    pub kind: u8,
    /// The control state.
    pub control: ControlId,
}

impl StateLayout {
    /// Number the control states of proctypes, of which only some have processes.
    pub fn number_heads(&mut self, states: impl IntoIterator<Item = usize>) {
        for (kind, count) in states.into_iter().enumerate() {
            self.head_bases.push(self.heads.len() as u32);
            let controls = (0..count as u32).map(ControlId);
            self.heads.extend(controls.map(|control| Head {
                kind: kind as u8,
                control,
            }));
        }
        self.head_size = if self.heads.len() <= 256 { 1 } else { 2 };
    }

    /// The head of a frame, as a number.
    #[inline]
    pub fn head_number(&self, state: &[u8], frame: u32) -> usize {
        let at = frame as usize;
        match self.head_size {
            1 => usize::from(state[at]),
            _ => usize::from(u16::from_le_bytes([state[at], state[at + 1]])),
        }
    }

    /// The proctype and control state of a frame.
    #[inline]
    pub fn head(&self, state: &[u8], frame: u32) -> Head {
        self.heads[self.head_number(state, frame)]
    }

    /// The number of a head.
    pub fn number_of(&self, kind: ProctypeId, control: ControlId) -> u32 {
        self.head_bases[kind.index()] + control.0
    }

    /// Put a process of a proctype into a control state.
    #[inline]
    pub fn set_head(&self, state: &mut [u8], frame: u32, kind: ProctypeId, control: ControlId) {
        let (at, number) = (frame as usize, self.number_of(kind, control));
        match self.head_size {
            1 => state[at] = number as u8,
            _ => state[at..at + 2].copy_from_slice(&(number as u16).to_le_bytes()),
        }
    }

    /// Offset of the priority in a frame, where there is one.
    pub fn priority(&self) -> u32 {
        self.head_size
    }

    /// The bytes in front of the variables of a frame.
    pub fn frame_head(&self) -> u32 {
        self.head_size + u32::from(self.priorities)
    }
}
