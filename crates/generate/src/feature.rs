//! What a model may contain besides the core of the language.

use crate::rng::Rng;

/// Something of Promela a model may use. The core (variables, assignments, guards, `if`, `do`)
/// is always on; a model takes a handful of these so that a failure stays easy to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // The names are the words of the language.
pub enum Feature {
    Array,
    Struct,
    Mtype,
    NamedMtype,
    Narrow,
    Wide,
    Visibility,
    Rendezvous,
    Buffer,
    ChannelArray,
    ChannelValue,
    ChannelMessage,
    ReplyChannel,
    StructMessage,
    SortedSend,
    RandomReceive,
    Peek,
    Poll,
    Eval,
    Probe,
    Exclusive,
    Atomic,
    DStep,
    Unless,
    Inline,
    Macro,
    Conditional,
    Provided,
    Priority,
    Run,
    ActiveMany,
    Deterministic,
    Last,
    ProcessCount,
    Enabled,
    Goto,
    LabelKinds,
    Timeout,
    For,
    Select,
    ConditionalExpression,
    Assert,
    Print,
    Declaration,
    Flatten,
    Ltl,
    Never,
    Trace,
    Fault,
}

use Feature::*;

/// How many times in a hundred models each feature is on.
const SHARE: &[(usize, Feature)] = &[
    (18, Array),
    (14, Struct),
    (24, Mtype),
    (14, NamedMtype),
    (30, Narrow),
    (20, Wide),
    (12, Visibility),
    (38, Rendezvous),
    (22, Buffer),
    (10, ChannelArray),
    (9, ChannelValue),
    (9, ChannelMessage),
    (7, ReplyChannel),
    (7, StructMessage),
    (18, SortedSend),
    (16, RandomReceive),
    (14, Peek),
    (18, Poll),
    (20, Eval),
    (22, Probe),
    (7, Exclusive),
    (48, Atomic),
    (25, DStep),
    (34, Unless),
    (16, Inline),
    (14, Macro),
    (14, Conditional),
    (14, Provided),
    (12, Priority),
    (30, Run),
    (24, ActiveMany),
    (7, Deterministic),
    (9, Last),
    (12, ProcessCount),
    (10, Enabled),
    (36, Goto),
    (25, LabelKinds),
    (24, Timeout),
    (24, For),
    (18, Select),
    (26, ConditionalExpression),
    (20, Assert),
    (16, Print),
    (24, Declaration),
    (34, Flatten),
    (8, Ltl),
    (10, Never),
    (6, Trace),
    (1, Fault),
];

/// Features that say little without another one, which they bring along this often in a hundred.
const COMPANIONS: &[(usize, Feature, Feature)] = &[
    (80, SortedSend, Buffer),
    (80, RandomReceive, Buffer),
    (40, Peek, RandomReceive),
    (80, Peek, Buffer),
    (40, Poll, RandomReceive),
    (80, Poll, Buffer),
    (60, Eval, Buffer),
    (40, Probe, Buffer),
    (60, Priority, Run),
    (60, For, Array),
    (60, Print, Mtype),
    (50, Exclusive, Rendezvous),
];

/// A set of features.
#[derive(Clone, Copy, Default, Debug)]
pub struct Features(u64);

impl Features {
    /// A random handful, free of the combinations Spin refuses.
    pub fn random(rng: &mut Rng) -> Self {
        let mut set = Features::default();
        for &(share, feature) in SHARE {
            if rng.percent(share) {
                set.insert(feature);
            }
        }
        for &(percent, feature, wanted) in COMPANIONS {
            if set.has(feature) && rng.percent(percent) {
                set.insert(wanted);
            }
        }
        if set.buffers_only() {
            set.remove(Rendezvous);
        }
        if set.has(Enabled) {
            // The question itself counts as "non-determinism in D_proctype".
            set.remove(Deterministic);
        }
        if set.has(Exclusive) {
            // "invalid use of 'else' combined with i/o and xr/xs assertions"
            set.remove(Probe);
            set.remove(Deterministic);
        }
        set
    }

    /// Is the feature on?
    pub fn has(self, feature: Feature) -> bool {
        self.0 & (1 << feature as u8) != 0
    }

    /// Does the model have channels of any kind?
    pub fn channels(self) -> bool {
        let kinds = [
            Rendezvous,
            Buffer,
            ChannelArray,
            ChannelValue,
            ChannelMessage,
            ReplyChannel,
            StructMessage,
        ];
        kinds.into_iter().any(|kind| self.has(kind))
    }

    /// Must all channels have slots? "Use of priorities cannot be combined with rendezvous", and
    /// "cannot use enabled in models with synchronous channels".
    pub fn buffers_only(self) -> bool {
        self.has(Priority) || self.has(Enabled)
    }

    fn insert(&mut self, feature: Feature) {
        self.0 |= 1 << feature as u8;
    }

    fn remove(&mut self, feature: Feature) {
        self.0 &= !(1 << feature as u8);
    }
}
