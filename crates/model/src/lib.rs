//! The executable model: control-flow graphs, state layout, interpreter.
//!
//! A [`Model`] is what every later stage executes: simulation, search, replay and
//! compiled code. It is flat: expressions, places and transitions are rows of tables,
//! named by typed ids, and a state is a string of bytes whose offsets only the
//! [`layout`] knows. The [`interp`] is slow and obvious, and the oracle of the rest.

mod condition;
pub mod dependency;
pub mod expr;
mod flow;
pub mod formula;
pub mod ids;
mod independence;
mod instance;
pub mod interp;
pub mod layout;
pub mod model;
mod parts;
pub mod reduction;
pub mod show;
pub mod symmetry;
pub mod watch;

pub use condition::Condition;
pub use expr::{BinaryOp, ChannelTest, Expr, RunSpec, UnaryOp};
pub use formula::{
    Atom, Formula, LivenessKind, LivenessProperty, LtlProperty, TemporalBinary, TemporalUnary,
};
pub use ids::{CallId, ChannelTypeId, ControlId, ExprId, FileId, PlaceId, ProctypeId};
pub use interp::Sight;
pub use interp::{Advance, Cursor, Interp, Successor, Transfer, TransferKind};
pub use layout::{Base, Display, Index, Place, Scalar, StateLayout, VarKind, Variable};
pub use model::{
    Action, Call, ChannelClaim, ChannelType, ControlState, DStep, DStepOp, Event, EventTrace,
    Field, FrameRange, Initialiser, Location, Model, OptionEntry, ProcessKind, Proctype, RecvArg,
    Site, Start, Transition,
};
