//! The model as tables.

use space::{SiteId, TransitionId};

use crate::expr::{Expr, RunSpec};
use crate::formula::LivenessProperty;
use crate::ids::{CallId, ChannelTypeId, ControlId, ExprId, FileId, PlaceId, ProctypeId};
use crate::layout::{ChannelSlot, Display, Index, Place, Scalar, StateLayout, Variable};

/// A place in the source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A call of an inline. The statements of its expansion stand in the inline's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name of the inline.
    pub inline: String,
    /// Where it is called.
    pub location: Location,
    /// The call whose expansion this one stands in.
    pub outer: CallId,
}

/// A model that can be executed.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Names of the source files.
    pub files: Vec<String>,
    /// The calls of inlines, the outer ones before those in their expansions.
    pub calls: Vec<Call>,
    /// The mtype sets: a name (empty for the unnamed one) and the constants, where
    /// the value of a constant is its row plus one.
    pub mtypes: Vec<(String, Vec<String>)>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Places.
    pub places: Vec<Place>,
    /// Channel types.
    pub channel_types: Vec<ChannelType>,
    /// Global variables, hidden ones included.
    pub globals: Vec<Variable>,
    /// Initial values of globals, in order.
    pub global_inits: Vec<Initialiser>,
    /// The proctypes, claims and traces, in the order of the text.
    pub proctypes: Vec<Proctype>,
    /// Transitions of all proctypes.
    pub transitions: Vec<Transition>,
    /// The bodies of `d_step` sequences.
    pub dsteps: Vec<DStep>,
    /// The processes of the initial state, in order of pid.
    pub starts: Vec<Start>,
    /// Statements that can raise a violation of their own: assertions.
    pub sites: Vec<Site>,
    /// What the model states beyond safety.
    pub liveness: Vec<LivenessProperty>,
    /// The `trace` or `notrace`, if there is one.
    pub event_trace: Option<EventTrace>,
    /// The layout of state vectors.
    pub layout: StateLayout,
    /// Sends to a full buffered channel lose the message instead of waiting.
    pub lossy: bool,
}

/// A `trace` or `notrace`: an automaton over the messages sent and received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTrace {
    /// The proctype that holds its control-flow graph.
    pub proctype: ProctypeId,
    /// `notrace`: the events must not match to the end.
    pub negated: bool,
    /// The control state at its closing brace.
    pub end: ControlId,
    /// The events it speaks of.
    pub events: Vec<Event>,
    /// Where it stands.
    pub location: Location,
}

/// An event of a trace: a message sent or received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Sent, not received.
    pub send: bool,
    /// The place that holds the channel.
    pub channel: PlaceId,
    /// What the fields must be; a stored field may be anything.
    pub args: Vec<RecvArg>,
}

/// A kind of channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// How many messages fit; 0 for a rendezvous.
    pub capacity: u32,
    /// The fields of a message.
    pub fields: Vec<Field>,
}

/// One field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// How it is kept.
    pub scalar: Scalar,
    /// How it is shown.
    pub display: Display,
    /// Offset in the message.
    pub offset: u32,
}

impl ChannelType {
    /// Bytes of one message.
    pub fn message_size(&self) -> u32 {
        self.fields.iter().map(|f| f.scalar.size()).sum()
    }

    /// Bytes of the length, in front of the messages.
    pub fn length_size(&self) -> u32 {
        match self.capacity {
            0 => 0,
            1..=255 => 1,
            _ => 2,
        }
    }

    /// Bytes of the contents in a state vector.
    pub fn size(&self) -> u32 {
        self.length_size() + self.capacity * self.message_size()
    }
}

/// Gives a variable its first value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initialiser {
    /// `count` scalars from `offset` on get the value of the expression.
    Value {
        /// Offset from the base.
        offset: u32,
        /// Bytes from one element to the next.
        stride: u32,
        /// How many elements.
        count: u32,
        /// How it is kept.
        scalar: Scalar,
        /// The value.
        value: ExprId,
    },
    /// A channel variable gets a new channel of its own.
    Channel {
        /// Offset of the variable.
        offset: u32,
        /// The channel's contents.
        slot: ChannelSlot,
    },
}

/// What kind of automaton a proctype is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessKind {
    /// A `proctype`.
    Proctype,
    /// `init`.
    Init,
    /// A `never` claim.
    Never,
    /// A `trace`.
    Trace,
    /// A `notrace`.
    NoTrace,
}

/// A process type and its control-flow graph.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ProcessKind,
    /// Where it stands.
    pub location: Location,
    /// Parameters first, then locals; offsets count from the frame's start.
    pub variables: Vec<Variable>,
    /// The scalars that arguments of `run` fill: offset and type.
    pub params: Vec<(u32, Scalar)>,
    /// Initial values of locals, in order.
    pub inits: Vec<Initialiser>,
    /// Channels created with the process, in order.
    pub channels: Vec<ChannelSlot>,
    /// Size of a frame.
    pub frame_size: u32,
    /// `provided (e)`.
    pub provided: Option<ExprId>,
    /// `D_proctype`.
    pub deterministic: bool,
    /// `xr` and `xs` claims.
    pub claims: Vec<ChannelClaim>,
    /// Control states by Spin's number; row 0 is not used.
    pub states: Vec<ControlState>,
    /// Where a process starts.
    pub initial: ControlId,
    /// Labels by name, for remote references and reports.
    pub labels: Vec<(String, ControlId)>,
}

/// A claim of exclusive access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelClaim {
    /// The place that holds the channel.
    pub channel: PlaceId,
    /// Of receives (`xr`) or of sends (`xs`).
    pub receive: bool,
    /// Where the claim stands.
    pub location: Location,
}

/// A control state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlState {
    /// The ways out, in the order they are tried.
    pub options: Vec<OptionEntry>,
    /// A process may stop here.
    pub end: bool,
    /// Being here is progress.
    pub progress: bool,
    /// Being here infinitely often accepts.
    pub accept: bool,
}

/// One way out of a control state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionEntry {
    /// What is executed.
    pub transition: TransitionId,
    /// The start of the escape sequence it belongs to; [`ControlId`] 0 for the main one.
    /// Once an option of one escape has moved, only options of the same escape are tried.
    pub escape: ControlId,
}

/// A statement as a step between control states.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The proctype it belongs to.
    pub proctype: ProctypeId,
    /// What it does.
    pub action: Action,
    /// Where it leads; 0 for the end of the process.
    pub target: ControlId,
    /// The process keeps exclusive control afterwards.
    pub atomic: bool,
    /// Spin's number of the statement within its proctype.
    pub control: ControlId,
    /// Spin's number of the statement within the whole model, as used in trails.
    pub spin_id: u32,
    /// Where it stands.
    pub location: Location,
    /// The call of an inline that it comes from.
    pub call: CallId,
    /// Its text, with the arguments of the call.
    pub text: String,
    /// What is set to 0 on arrival at the target, because nobody reads it there any more.
    /// Empty in a model as written: [`crate::reduction`] fills it.
    pub resets: Vec<FrameRange>,
}

/// A part of a process's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    /// Offset from the frame's start.
    pub offset: u32,
    /// Its length in bytes.
    pub length: u32,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing, always executable: `skip`, a jump that is a step of its own.
    Skip,
    /// Executable when no other option of the choice is.
    Else,
    /// Waits until the expression is not 0.
    Guard(ExprId),
    /// Assigns.
    Assign(PlaceId, ExprId),
    /// Starts a process, then assigns the value of the expression (in which
    /// [`Expr::RunResult`] is the new pid) or, without a place, waits for it.
    Run(RunSpec, Option<PlaceId>, ExprId),
    /// Sends.
    Send {
        /// The place that holds the channel.
        channel: PlaceId,
        /// Keep the channel sorted.
        sorted: bool,
        /// The fields.
        args: Vec<ExprId>,
    },
    /// Receives.
    Receive {
        /// The place that holds the channel.
        channel: PlaceId,
        /// The first message that matches, wherever it is.
        random: bool,
        /// Leave the message in the channel.
        peek: bool,
        /// The fields.
        args: Vec<RecvArg>,
    },
    /// Asserts.
    Assert(ExprId, SiteId),
    /// Prints: the format, already unescaped, and the arguments with their displays.
    Printf(String, Vec<(ExprId, Display)>),
    /// Prints a symbolic name.
    Printm(ExprId, Display),
    /// Changes a priority: pid and new value.
    SetPriority(ExprId, ExprId),
    /// A deterministic sequence, by its row in [`Model::dsteps`].
    DStep(u32),
    /// Ends the process, if it is the youngest.
    End,
    /// In a trace: takes an event, by its row in [`EventTrace::events`].
    Event(u32),
}

/// One field of a receive or poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecvArg {
    /// Store the field here.
    Store(PlaceId),
    /// The field must have this value.
    Match(ExprId),
}

/// A deterministic sequence as straight code with jumps.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DStep {
    /// It can start if one of these can; empty if it always can.
    pub guards: Vec<Action>,
    /// The code.
    pub ops: Vec<DStepOp>,
}

/// One operation of a [`DStep`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DStepOp {
    /// Execute; if it blocks, go to `otherwise`, or fail if there is none.
    Do {
        /// What is executed.
        action: Action,
        /// The next option.
        otherwise: Option<u32>,
        /// The statement's number within the proctype, for the report of unreached ones.
        location: Location,
    },
    /// Go on there.
    Jump(u32),
    /// All options block.
    Blocked,
    /// The sequence ends.
    Done,
}

/// A process of the initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its type.
    pub proctype: ProctypeId,
    /// Its priority.
    pub priority: u8,
}

/// A statement that can raise a violation of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where it stands.
    pub location: Location,
    /// The call of an inline that it comes from.
    pub call: CallId,
    /// Its text as written, with the parameters of its inline.
    pub written: String,
    /// Its text, with the arguments of the call.
    pub text: String,
}

impl Model {
    /// The expression of an id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The place of an id.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.index()]
    }

    /// The proctype of an id.
    pub fn proctype(&self, id: ProctypeId) -> &Proctype {
        &self.proctypes[id.index()]
    }

    /// The channel type of an id.
    pub fn channel_type(&self, id: ChannelTypeId) -> &ChannelType {
        &self.channel_types[id.index()]
    }

    /// The transition of an id.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.0 as usize]
    }

    /// The calls of inlines that a statement comes from, as
    /// `set called at m.pml:7:3, swap called at m.pml:12:9`; empty if there are none.
    pub fn called(&self, innermost: CallId) -> String {
        let calls = self.calls(innermost);
        let calls = calls.map(|c| format!("{} called at {}", c.inline, self.locate(c.location)));
        calls.collect::<Vec<_>>().join(", ")
    }

    /// The calls of inlines that a statement comes from, innermost first.
    pub fn calls(&self, innermost: CallId) -> impl Iterator<Item = &Call> {
        let call = |id: CallId| self.calls.get(id.index().wrapping_sub(1));
        std::iter::successors(call(innermost), move |known| call(known.outer))
    }

    /// Whether there are rendezvous channels.
    pub fn has_handshakes(&self) -> bool {
        self.channel_types.iter().any(|ty| ty.capacity == 0)
    }

    /// Whether there is an `unless`.
    pub fn has_escapes(&self) -> bool {
        let mut states = self.proctypes.iter().flat_map(|proctype| &proctype.states);
        states.any(|state| (state.options.iter()).any(|option| option.escape != ControlId(0)))
    }

    /// A location as `file:line:column`.
    pub fn locate(&self, location: Location) -> String {
        let file = self
            .files
            .get(location.file.index())
            .map_or("-", String::as_str);
        format!("{file}:{}:{}", location.line, location.column)
    }

    /// Whether two expressions are built in the same way, and so have the same value.
    pub fn is_same_expr(&self, a: ExprId, b: ExprId) -> bool {
        if a == b {
            return true;
        }
        match (self.expr(a), self.expr(b)) {
            (Expr::Load(a), Expr::Load(b)) => self.is_same_place(*a, *b),
            (Expr::Unary(op_a, a), Expr::Unary(op_b, b)) => {
                op_a == op_b && self.is_same_expr(*a, *b)
            }
            (Expr::Binary(op_a, a, c), Expr::Binary(op_b, b, d)) => {
                op_a == op_b && self.is_same_expr(*a, *b) && self.is_same_expr(*c, *d)
            }
            (Expr::Channel(test_a, a), Expr::Channel(test_b, b)) => {
                test_a == test_b && self.is_same_place(*a, *b)
            }
            // Its control state may not be known yet.
            (Expr::RemoteLabel { .. }, _) => false,
            (a, b) => a == b,
        }
    }

    /// Whether two places are the same in every state.
    pub fn is_same_place(&self, a: PlaceId, b: PlaceId) -> bool {
        let (a, b) = (self.place(a), self.place(b));
        let same_index = |(a, b): (&Index, &Index)| {
            (a.count, a.stride) == (b.count, b.stride) && self.is_same_expr(a.expr, b.expr)
        };
        (a.base, a.offset, a.scalar) == (b.base, b.offset, b.scalar)
            && a.indices.len() == b.indices.len()
            && a.indices.iter().zip(&b.indices).all(same_index)
    }
}
