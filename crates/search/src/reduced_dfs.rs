//! Depth-first search for safety violations that takes ample sets of steps.
//!
//! Follows: [001 ch. 2, Def. 6 and 9] for the place of the reduction in the search: the steps of
//! an ample set are taken if they pass the proviso for cycles, and all steps otherwise.
//!
//! Departs:
//! - For safety it is enough that one of the steps leads off the path (Spin's `-DSAFETY`; proved
//!   in [Bošnački, Leue, Lluch Lafuente 2009]): then every state has one behind it whose steps
//!   are all taken, and no step is put off for ever. The definitions ask that none leads to it.
//! - It is also enough that a step leads to a state of the path since which all processes have
//!   moved that could move now and would be left out. Each of them is in the ample set of a state
//!   of the cycle, the first one behind that state where it moves; there it still has the steps it
//!   has now, because what is in an ample set changes nothing for those outside it.
//!   Not so where the state that it leads to is the same only but for the names of processes.
//! - Where the first ample set fails the proviso, the others are tried.
//! - An atomic sequence with several ways through it counts as leading to the path, since it is
//!   not known yet where it ends.

use space::{NextState, Pid, PidSet, Row};
use store::{Insert, Key, StateId, StateStore};

use crate::accounting::Accounting;
use crate::depth_first::{DepthFirst, Policy, Visit};
use crate::findings::Keep;
use crate::path_set::PathSet;
use crate::{Outcome, SearchConfig};

/// Cycles with more states than this are not looked at.
pub(crate) const REACH: usize = 1_000;

/// Search executions of a model depth first for safety violations, as many as are needed to find
/// every violation that there is.
///
/// The store must be empty.
pub fn reduced_dfs<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    let accounting = Accounting::new(config, model.transition_count(), Keep::First);
    let policy = Tracked {
        store,
        path: PathSet::default(),
        visited: 0,
        movers: Vec::new(),
        before: Vec::new(),
    };
    DepthFirst::new(model, policy, accounting).run()
}

/// Enter what is not in the store, and remember what is on the path.
struct Tracked<'a, S> {
    store: &'a mut S,
    path: PathSet<u64>,
    /// The state that was new last.
    visited: u64,
    /// Who moved, node by node, and how many had before each state of the path.
    movers: Vec<[u8; 2]>,
    before: Vec<usize>,
}

impl<S: StateStore> Tracked<'_, S> {
    /// A number that no other state has, if the store can tell.
    #[inline]
    fn number(id: StateId, key: Key) -> u64 {
        match S::EXACT {
            true => id.to_bits().wrapping_add(1).max(1),
            false => key.bits.max(1),
        }
    }

    /// Whether all of these processes have moved since a state of the path, not too long ago.
    fn have_moved_since(&self, state: usize, pids: PidSet) -> bool {
        if self.path.len() - state > REACH {
            return false;
        }
        let mut waiting = pids.0;
        for &[pid, partner] in &self.movers[self.before[state]..] {
            waiting &= !(PidSet::only(Pid(pid)).0 | PidSet::only(Pid(partner)).0);
        }
        waiting == 0
    }
}

impl<S: StateStore> Policy for Tracked<'_, S> {
    const EXACT: bool = S::EXACT;
    const STAYS_KNOWN: bool = true;
    const UP_TO_BOUND: bool = false;
    const REDUCES: bool = true;

    #[inline]
    fn focus(&mut self, state: &[u8]) {
        self.store.focus(state);
    }

    #[inline]
    fn prepare(&mut self, state: &[u8]) -> Key {
        self.store.prepare(state)
    }

    #[inline]
    fn touch(&self, key: &mut Key) {
        self.store.touch(key);
    }

    #[inline]
    fn is_known(&self, state: &[u8], key: Key) -> bool {
        self.store.contains(state, key)
    }

    #[inline]
    fn visit(&mut self, state: &[u8], key: Key, _level: u64) -> Visit {
        match self.store.insert(state, key) {
            Insert::New(id) => {
                self.visited = Self::number(id, key);
                Visit::New
            }
            Insert::Known(_) => Visit::Known,
        }
    }

    #[inline]
    fn enter(&mut self) {
        self.path.push(self.visited);
        self.before.push(self.movers.len());
    }

    #[inline]
    fn descend(&mut self, row: &Row) {
        let partner = match row.has(Row::HANDSHAKE) {
            true => row.partner,
            false => row.pid,
        };
        self.movers.push([row.pid, partner]);
    }

    #[inline]
    fn leave(&mut self) {
        self.path.pop();
        self.before.pop();
    }

    #[inline]
    fn retreat(&mut self) {
        self.movers.pop();
    }

    #[inline]
    fn satisfies_proviso(&mut self, state: &[u8], key: Key, left_out: PidSet) -> bool {
        let Some(id) = self.store.find(state, key) else {
            return true;
        };
        let state = self.path.find(Self::number(id, key));
        state.is_none_or(|state| !S::RENAMES && self.have_moved_since(state, left_out))
    }

    fn memory_bytes(&self) -> usize {
        let movers = self.movers.capacity() * size_of::<[u8; 2]>();
        let before = self.before.capacity() * size_of::<usize>();
        self.store.memory_bytes() + self.path.memory_bytes() + movers + before
    }
}
