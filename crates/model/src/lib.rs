//! The executable model: control-flow graphs, state layout, interpreter.
//!
//! A [`Model`] is what every later stage executes: simulation, search, replay and
//! compiled code. It is flat: expressions, places and transitions are rows of tables,
//! named by typed ids, and a state is a string of bytes whose offsets only the
//! [`layout`] knows. The [`interp`] is slow and obvious, and the oracle of the rest.
//!
//! | module | purpose |
//! | --- | --- |
//! | [`model`], [`expr`], [`ids`] | the tables of a model, and the typed ids of their rows |
//! | [`layout`] | what lies where in a state vector |
//! | [`interp`] | the enumeration of steps: cursor, evaluation, execution, channels, rendezvous, `d_step`, processes, trace assertions |
//! | [`formula`], `condition` | formulas as the model states them; conditions of a claim, prepared for evaluation |
//! | [`claim_slot`] | the bytes of a vector that hold the state of a claim |
//! | [`reduction`] | static reductions, one file for each: write-only variables, dead variables, merging; footprints of statements |
//! | `flow` | control-flow graphs: components, reachability, repeated transitions |
//! | `instance` | what is the same in all states of a process |
//! | [`dependency`] | which transitions of different processes are dependent |
//! | `independence` | processes that are independent of a step, for sleep sets of breadth-first searches |
//! | [`symmetry`] | which processes can be exchanged, and what an exchange does to a vector |
//! | [`show`] | states and changes as text |

pub mod claim_slot;
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
pub mod reduction;
pub mod show;
pub mod symmetry;

pub use condition::Condition;
pub use expr::{BinaryOp, ChannelTest, Expr, RunSpec, UnaryOp};
pub use formula::{
    Atom, Formula, LivenessKind, LivenessProperty, LtlProperty, TemporalBinary, TemporalUnary,
};
pub use ids::{CallId, ChannelTypeId, ControlId, ExprId, FileId, PlaceId, ProctypeId};
pub use interp::Sight;
pub use interp::{Advance, Cursor, Interp, Straight, Successor, Touched, Transfer, TransferKind};
pub use layout::{Base, Display, Index, Place, Scalar, StateLayout, VarKind, Variable};
pub use model::{
    Action, Call, ChannelClaim, ChannelType, ControlState, DStep, DStepOp, Event, EventTrace,
    Field, FrameRange, Initialiser, Location, Model, OptionEntry, ProcessKind, Proctype, RecvArg,
    Site, Start, Transition,
};
