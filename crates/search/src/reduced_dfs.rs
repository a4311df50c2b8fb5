//! Depth-first search for safety violations that takes ample sets of steps.
//!
//! Follows: [001 ch. 2, Def. 6 and 9] for the place of the reduction in the search: the steps of
//! an ample set are taken if they pass the proviso for cycles, and all steps otherwise.
//!
//! Departs:
//! - For safety it is enough that one of the steps leads off the path (Spin's `-DSAFETY`; proved
//!   in [Bošnački, Leue, Lluch Lafuente 2009]): then every state has one behind it whose steps
//!   are all taken, and no step is put off for ever. The definitions ask that none leads to it.
//! - Where the first ample set fails the proviso, the others are tried.
//! - An atomic sequence with several ways through it counts as leading to the path, since it is
//!   not known yet where it ends.
//! - What is on the path is told by the keys of the states. Two states may share one: then a
//!   state that is not on the path is taken for one that is, and more steps are taken than
//!   needed.
//! - A node whose steps had to be dropped is expanded again with all of them.

use space::NextState;
use store::{Insert, Key, StateStore};

use crate::depth_first::{DepthFirst, Met, Policy};
use crate::findings::Keep;
use crate::path_set::PathSet;
use crate::tally::Tally;
use crate::{Outcome, SearchConfig};

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
    let tally = Tally::new(config, model.transition_count(), Keep::First);
    let policy = Tracked {
        store,
        path: PathSet::default(),
    };
    DepthFirst::new(model, policy, tally).run()
}

/// Enter what is not in the store, and remember what is on the path.
struct Tracked<'a, S> {
    store: &'a mut S,
    path: PathSet,
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
    fn meet(&mut self, state: &[u8], key: Key, _level: u64) -> Met {
        match self.store.insert(state, key) {
            Insert::New(_) => {
                self.path.push(key.bits);
                Met::New
            }
            Insert::Known(_) => Met::Known,
        }
    }

    #[inline]
    fn leave(&mut self) {
        self.path.pop();
    }

    #[inline]
    fn is_on_path(&self, key: Key) -> bool {
        self.path.has(key.bits)
    }

    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes() + self.path.memory_bytes()
    }
}
