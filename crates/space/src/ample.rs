//! What a search asks a partial-order reduction.
//!
//! Follows: [001 ch. 2] for what an ample set is: processes such that taking only their steps out of
//! a state is enough. What the others do as long as none of these steps is taken neither disables one
//! of them, nor makes another step of these processes possible, nor matters to the property in
//! which order it is done. That nobody is postponed for ever is up to the search.
//!
//! Ample sets are a function of the state and the property. A process contributes to them by its
//! *ample key*, which depends on few parts of the state, as its steps do. States whose processes
//! have the same ample keys have the same ample sets at the first look, so whoever keeps the answers
//! by these keys need not ask again.

use crate::{Pid, PidSet, Row};

/// How closely a reduction looks at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// At what the ample keys of its processes say.
    First,
    /// At the state itself too, where the first look leaves room for smaller sets. Takes much longer.
    Close,
}

/// An ample set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AmpleSet {
    /// The processes.
    pub pids: PidSet,
    /// How many steps the others have, which are left out.
    pub left_out: u32,
    /// How many more that are than in the best set of the first look, if this one was found by a closer
    /// look.
    pub gain: u32,
}

/// What was found about the ample sets of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmpleAnswer {
    /// The sets, the most promising first.
    pub sets: Vec<AmpleSet>,
    /// Whether a closer look might find better ones.
    pub may_improve: bool,
}

/// Finds the ample sets of states. The answers depend on nothing but the question.
pub trait AmpleSets {
    /// Append the ample key of a process in a state where `rows` are its own steps, found while nobody
    /// waits for a timeout; and the offsets of the bytes of the state on which it depends besides those
    /// on which the steps do. None if there is no telling what the process contributes here: then the
    /// state has to be looked at each time.
    fn ample_key(
        &mut self,
        state: &[u8],
        pid: Pid,
        rows: &[Row],
        key: &mut Vec<u32>,
    ) -> Option<KeyReads>;

    /// Find the ample sets of a state where `rows` are all steps.
    fn ample_sets(&mut self, state: &[u8], rows: &[Row], look: Look, answer: &mut AmpleAnswer);

    /// Whether sets are to be looked for, and closely, even where that is mostly in vain.
    fn is_thorough(&self) -> bool;

    /// How many different populations of processes had to be analysed so far, which takes as long as
    /// thousands of states.
    fn analysed(&self) -> u64;
}

/// What an ample key depends on besides the steps of its process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyReads {
    /// The offsets of bytes of the state.
    pub bytes: Vec<u32>,
    /// Whether it matters which processes there are.
    pub population: bool,
}
