//! Depth-first search for safety violations, in Spin's order and with Spin's counts.
//!
//! Follows: [003, Fig. 8.2], the search of Fig. 8.1 with a check of each state; the depth
//! bound is that of Fig. 8.4 without the depths in the state space.
//!
//! Departs:
//! - An explicit stack replaces the recursion. It holds no states but what leads back from
//!   each node to the one before; see [`crate::path`].
//! - The successors of a node are computed and looked up together. What one of them is worth
//!   is decided in its turn, so that order and counts are those of the figure.
//! - Nodes inside an atomic sequence ([`space::Control::Exclusive`]) are on the stack but not
//!   in the state space. When such a node has no step, it is taken again as a free one. This
//!   loses no state: everything reachable through an unstored node is found from it on
//!   every path that meets it.
//! - A handshake is one step but two levels. Its middle counts in the depth, also when
//!   there is no partner, and meets the depth bound like a node.
//! - Errors of a step (assertions) are found on the way, not as a property of a state. The
//!   search goes on behind them, and behind an invalid end state, up to a number of errors.
//! - States beyond the depth bound are missed even where a shorter path leads to them, as
//!   in Spin without `-DREACH`. The outcome is not complete then, nor when an end state
//!   next to the bound is passed over, as Spin does. Steps that wait for `timeout` are
//!   tried next to the bound too, where Spin does not try them: `matched` can be greater.
//! - Without a depth bound, a path inside an atomic sequence is cut when it has come back to
//!   a node of the same stretch of the path: what follows is enumerated there already.
//!   With a bound it runs into the bound as Spin's does.

use std::io::{self, Write};

use space::NextState;
use store::{Insert, Key, StateStore};

use crate::accounting::Accounting;
use crate::depth_first::{DepthFirst, Policy, Visit};
use crate::findings::Keep;
use crate::{Checkpoint, Outcome, ResumeError, SearchConfig, checkpoint};

/// Search all executions of a model depth first for safety violations.
///
/// The store must be empty.
pub fn dfs<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    let accounting = Accounting::new(config, model.transition_count(), Keep::First);
    DepthFirst::new(model, Stored { store }, accounting).run()
}

/// Go on with a search that was written down. The store must be empty, and the model and
/// the options those of before.
pub fn dfs_resume<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
    from: &Checkpoint<'_>,
) -> Result<Outcome, ResumeError> {
    debug_assert!(store.is_empty());
    let accounting = Accounting::new(config, model.transition_count(), Keep::First);
    let mut search = DepthFirst::new(model, Stored { store }, accounting);
    checkpoint::read_depth_first(&mut search, from, |policy, input| {
        policy.store.restore(input)
    })?;
    Ok(search.resume())
}

/// Enter what is not in the store.
pub(crate) struct Stored<'a, S> {
    pub(crate) store: &'a mut S,
}

impl<S: StateStore> Policy for Stored<'_, S> {
    const EXACT: bool = S::EXACT;
    const STAYS_KNOWN: bool = true;
    const UP_TO_BOUND: bool = false;

    #[inline]
    fn focus(&mut self, state: &[u8]) {
        self.store.focus(state);
    }

    #[inline(always)]
    fn prepare(&mut self, state: &[u8]) -> Key {
        self.store.prepare(state)
    }

    #[inline(always)]
    fn touch(&self, key: &mut Key) {
        self.store.touch(key);
    }

    #[inline(always)]
    fn is_known(&self, state: &[u8], key: Key) -> bool {
        self.store.contains(state, key)
    }

    #[inline(always)]
    fn visit(&mut self, state: &[u8], key: Key, _level: u64) -> Visit {
        match self.store.insert(state, key) {
            Insert::New(_) => Visit::New,
            Insert::Known(_) => Visit::Known,
        }
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.store.save(out)
    }

    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes()
    }
}

#[cfg(test)]
mod deep;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod twin;
