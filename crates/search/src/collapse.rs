//! Searches over collapsed states: a few words with the numbers of the parts of a vector.
//!
//! Follows: the collapse compression of Spin [Holzmann 1997] for the form of a state, and the
//! transition caches of LTSmin's language modules [Blom, van de Pol, Weber 2010] for the moves:
//! what a process does depends on few parts of the vector, so it is found out once for each
//! combination of these.
//!
//! Departs:
//! - A part is a number in a bit field, so a state is a word or two, its own entry in the
//!   store. The parts that decide what a process does are a mask. Its moves are differences,
//!   combined with the state by an exclusive or: a known move takes a handful of instructions
//!   and no look at the vector.
//! - A breadth-first search does not take moves that lead where others lead, see `sleep`.
//! - An atomic sequence is one move, as in [`crate::bfs`].
//! - Nothing is kept that leads back to the initial state. Whatever is out of the ordinary ends
//!   the search without an outcome: a violation, a fault, an endless atomic sequence, processes
//!   about whose moves too little can be told. Then another search has to be made, which
//!   comes upon the same and can tell how.
//! - A depth-first search begins with wide fields; when some states were seen, all are written
//!   down again with fields as wide as the numbers need that were seen so far. Where one becomes too
//!   narrow, all states are written down again with wider ones, or with more words. A store that
//!   keeps no states has nothing to write down: what it is told does not depend on fields, see
//!   `state`. Only where there is no memory to write states down does the search begin anew.
//!
//! Order and counts are those of [`crate::dfs`], [`crate::reduced_dfs`] and [`crate::bfs`].
//!
//! | file | holds |
//! | --- | --- |
//! | `values` | the numbers of the values of a part |
//! | `fields` | where the numbers lie in the words |
//! | `state` | words and hashes |
//! | `memo` | the moves that are known |
//! | `sleep` | processes whose moves need not be taken |
//! | `system` | states, packed and unpacked, and their successors |
//! | `stores` | what goes with which store |
//! | `search` | depth first and breadth first |
//! | `follow`, `way` | from steps to moves, and what a move is besides where it leads |
//! | `outlook`, `trail`, `reduced` | what ample sets depend on, the path, depth first with ample sets |

mod fields;
mod follow;
mod memo;
mod outlook;
mod reduced;
mod search;
mod sleep;
mod state;
mod stores;
mod system;
mod trail;
mod values;
mod way;

use std::time::Instant;

use space::NextState;
use store::{PackedStore, StateStore};

use crate::accounting::Accounting;
use crate::findings::Keep;
use crate::{Completion, Order, Outcome, SearchConfig};
use fields::{MOST_KINDS, Room};
use search::Search;
pub use state::Digest;
pub use stores::{Bits, Dense, Hashes, Packed, Stores};
use system::{Kinds, System};

/// The search begins anew no more often than this.
const MOST_ATTEMPTS: usize = 12;
/// So many states are looked at before the widths of fields are chosen.
const SAMPLE: u64 = 2000;

/// Which search to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collapse {
    /// As [`crate::dfs`].
    DepthFirst,
    /// As [`crate::reduced_dfs`].
    Reduced,
    /// As [`crate::bfs`].
    BreadthFirst,
}

/// Why a search over collapsed states ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// A limit was reached.
    Limit(Completion),
    /// A number does not fit into its field.
    TooNarrow,
    /// Enough was seen to choose the widths of fields.
    SeenEnough,
    /// It is not for this search.
    GiveUp,
}

/// Search all executions of a model for safety violations. None if there are any, or if the model
/// is not for this search, or what is asked.
pub fn collapse<M: NextState, S: Stores>(
    model: &mut M,
    stores: &mut S,
    config: &SearchConfig<'_>,
    kind: Collapse,
) -> Option<Outcome> {
    let is_usable = config.depth.is_none()
        && config.checkpoint.is_none()
        && config.order == Order::Spin
        && model.hidden_len() == 0;
    if !is_usable {
        return None;
    }
    let started = Instant::now();
    let initial = model.initial().ok()?;
    let mut kinds = Kinds::default();
    kinds.find(model, &initial)?;
    if kind == Collapse::BreadthFirst {
        sample(model, config, &initial, &mut kinds).ok()?;
    }
    for number in 0..MOST_ATTEMPTS {
        let limit = config.time_limit;
        let config = SearchConfig {
            time_limit: limit.map(|limit| limit.saturating_sub(started.elapsed())),
            ..*config
        };
        let accounting = Accounting::new(&config, model.transition_count(), Keep::First);
        let mut attempt = Attempt {
            initial: &initial,
            kind,
            sizes: stores.sizes(),
            stores,
        };
        let answer = if number == 0 && kind != Collapse::BreadthFirst {
            let room = Room::new(attempt.sizes.last()?.clone(), MOST_KINDS);
            attempt.begin::<M, 4>(model, &mut kinds, room, accounting, SAMPLE)
        } else {
            let room = kinds.room(&attempt.sizes)?;
            match room.bits.len() {
                1 => attempt.begin::<M, 1>(model, &mut kinds, room, accounting, u64::MAX),
                2 => attempt.begin::<M, 2>(model, &mut kinds, room, accounting, u64::MAX),
                _ => attempt.begin::<M, 4>(model, &mut kinds, room, accounting, u64::MAX),
            }
        };
        match answer {
            Ok(outcome) => {
                return Some(Outcome {
                    collapsed: true,
                    duration: started.elapsed(),
                    ..outcome
                });
            }
            // There was no memory to write states down again.
            Err(Stop::TooNarrow) => {}
            Err(_) => return None,
        }
    }
    None
}

/// Meet with values of parts, depth first, since there are more of them soon than breadth first.
fn sample<M: NextState>(
    model: &mut M,
    config: &SearchConfig<'_>,
    initial: &[u8],
    kinds: &mut Kinds,
) -> Result<(), Stop> {
    let accounting = Accounting::new(config, model.transition_count(), Keep::First);
    let room = Room::new(vec![u64::BITS; 4], MOST_KINDS);
    let system = System::<M, (), 4>::new(model, kinds, room, accounting)?;
    let mut search = Search::<M, Packed, 4>::new(system, PackedStore::new(), SAMPLE);
    search.begin(initial)?;
    match search.depth_first() {
        Err(Stop::GiveUp) => Err(Stop::GiveUp),
        // Whatever ended it will end the search, or there is enough to go on with.
        _ => Ok(()),
    }
}

/// A search that may have to begin anew.
struct Attempt<'a, A> {
    initial: &'a [u8],
    kind: Collapse,
    sizes: Vec<Vec<u32>>,
    stores: &'a mut A,
}

impl<A: Stores> Attempt<'_, A> {
    fn begin<'m, M: NextState, const W: usize>(
        &mut self,
        model: &'m mut M,
        kinds: &'m mut Kinds,
        room: Room,
        accounting: Accounting<'m>,
        most: u64,
    ) -> Result<Outcome, Stop> {
        model.begin();
        let store = self.stores.make::<W>(room.bits_of());
        let mut system = System::new(model, kinds, room, accounting)?;
        system.mark();
        let mut search = Search::<M, A, W>::new(system, store, most);
        search.begin(self.initial)?;
        self.go_on(search)
    }

    fn go_on<M: NextState, const W: usize>(
        &mut self,
        mut search: Search<'_, M, A, W>,
    ) -> Result<Outcome, Stop> {
        loop {
            let ended = match self.kind {
                Collapse::DepthFirst => search.depth_first(),
                Collapse::Reduced => search.reduced_depth_first(),
                Collapse::BreadthFirst => search.breadth_first(),
            };
            let room = match ended {
                Ok(()) => return Ok(self.end(search, Ok(()))),
                Err(Stop::Limit(limit)) => return Ok(self.end(search, Err(limit))),
                Err(Stop::TooNarrow) => search.wider(&self.sizes),
                Err(Stop::SeenEnough) => search.settle_down(&self.sizes),
                Err(Stop::GiveUp) => None,
            };
            let room = room.ok_or(Stop::GiveUp)?;
            match room.bits.len() {
                same if same == W => search = search.widen(self.stores, room)?,
                1 => {
                    let search = search.widen::<1>(self.stores, room)?;
                    return self.go_on(search);
                }
                2 => {
                    let search = search.widen::<2>(self.stores, room)?;
                    return self.go_on(search);
                }
                _ => {
                    let search = search.widen::<4>(self.stores, room)?;
                    return self.go_on(search);
                }
            }
        }
    }

    fn end<M: NextState, const W: usize>(
        &mut self,
        mut search: Search<'_, M, A, W>,
        ended: Result<(), Completion>,
    ) -> Outcome {
        if self.kind != Collapse::Reduced {
            search.note_longest();
        }
        let (accounting, store, [states, waiting]) = search.end();
        let outcome = accounting.outcome(ended, A::Store::<W>::EXACT, states, waiting);
        self.stores.take_back(store);
        outcome
    }
}
