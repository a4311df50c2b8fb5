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
//! - Fields are as wide as the numbers need that were seen so far. Where one becomes too
//!   narrow, all states are written down again with wider ones; where the store cannot tell
//!   them, or they need more words, the search begins anew, in the first case with all moves known
//!   that it knew.
//!
//! Order and figures are those of [`crate::dfs`] and [`crate::bfs`].
//!
//! | file | holds |
//! | --- | --- |
//! | `values` | the numbers of the values of a part |
//! | `fields` | where the numbers lie in the words |
//! | `memo` | the moves that are known |
//! | `sleep` | processes whose moves need not be taken |
//! | `system` | states, packed and unpacked, and their successors |
//! | `search` | depth first and breadth first |

mod fields;
mod memo;
mod search;
mod sleep;
mod system;
mod values;

use std::time::Instant;

use space::NextState;
use store::{PackedStore, StateStore};

use crate::findings::Keep;
use crate::tally::Tally;
use crate::{Completion, Order, Outcome, SearchConfig};
use fields::{MOST_KINDS, Room};
use search::Search;
use system::{Kinds, System};

/// The search begins anew no more often than this.
const MOST_ATTEMPTS: usize = 12;
/// Where it has come so far, it should not have to begin anew again.
const MANY_STATES: u64 = 100_000;
/// So many states are looked at to choose the widths of fields.
const SAMPLE: u64 = 2000;

/// The words of a state.
type Words<const W: usize> = [u64; W];

/// Which search to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collapse {
    /// As [`crate::dfs`].
    DepthFirst,
    /// As [`crate::bfs`].
    BreadthFirst,
}

/// Makes stores for states of some words, and takes back the one that the outcome speaks of.
pub trait Stores {
    /// A store for states of `W` words of 8 bytes.
    type Store<const W: usize>: StateStore;

    /// How many bits the words of states may have, the fewest first; fewer make a smaller
    /// store. There are 1, 2 or 4 words.
    fn sizes(&self) -> Vec<Vec<u32>> {
        [1, 2, 4].map(|words| vec![u64::BITS; words]).into()
    }

    /// An empty one, for states whose words have no more than so many bits.
    fn make<const W: usize>(&mut self, bits: [u32; W]) -> Self::Store<W>;

    /// Its states, if it can tell them.
    fn states<const W: usize>(_store: &Self::Store<W>) -> Option<impl Iterator<Item = [u64; W]>> {
        None::<std::iter::Empty<[u64; W]>>
    }

    /// Make room for so many states in an empty one.
    fn reserve<const W: usize>(_store: &mut Self::Store<W>, _states: u64) {}

    /// The search has ended.
    fn take_back<const W: usize>(&mut self, store: Self::Store<W>);
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
    sample(model, config, &initial, &mut kinds).ok()?;
    let sizes = stores.sizes();
    let mut with_room = true;
    for _ in 0..MOST_ATTEMPTS {
        let limit = config.time_limit;
        let mut attempt = Attempt {
            model,
            initial: &initial,
            kind,
            config: SearchConfig {
                time_limit: limit.map(|limit| limit.saturating_sub(started.elapsed())),
                ..*config
            },
            kinds: &mut kinds,
            sizes: &sizes,
            stored: 0,
        };
        let room = attempt.kinds.room(&sizes, with_room)?;
        let answer = match room.bits.len() {
            1 => attempt.make::<S, 1>(stores, room),
            2 => attempt.make::<S, 2>(stores, room),
            _ => attempt.make::<S, 4>(stores, room),
        };
        match answer {
            Ok(outcome) => {
                return Some(Outcome {
                    collapsed: true,
                    duration: started.elapsed(),
                    ..outcome
                });
            }
            Err(Stop::GiveUp) => return None,
            // To begin anew costs little after few states.
            Err(_) => with_room = attempt.stored > MANY_STATES,
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
    let tally = Tally::new(config, model.transition_count(), Keep::First);
    let room = Room::new(vec![u64::BITS; 4], MOST_KINDS);
    let system = System::<M, 4>::new(model, kinds, room, tally)?;
    let mut search = Search::new(system, PackedStore::<4>::new(), SAMPLE);
    search.begin(initial)?;
    match search.depth_first() {
        Err(Stop::GiveUp) => Err(Stop::GiveUp),
        // Whatever ended it will end the search, or there is enough to go on with.
        _ => Ok(()),
    }
}

/// A search that may have to begin anew.
struct Attempt<'a, M> {
    model: &'a mut M,
    initial: &'a [u8],
    kind: Collapse,
    config: SearchConfig<'a>,
    kinds: &'a mut Kinds,
    sizes: &'a [Vec<u32>],
    /// How far it came.
    stored: u64,
}

impl<M: NextState> Attempt<'_, M> {
    fn make<S: Stores, const W: usize>(
        &mut self,
        stores: &mut S,
        room: Room,
    ) -> Result<Outcome, Stop> {
        let tally = Tally::new(&self.config, self.model.transition_count(), Keep::First);
        let store = stores.make::<W>(room.bits_of());
        let mut system = System::<M, W>::new(self.model, self.kinds, room, tally)?;
        system.mark();
        let mut search = Search::new(system, store, u64::MAX);
        let mut ended = search.begin(self.initial);
        while ended.is_ok() {
            ended = match self.kind {
                Collapse::DepthFirst => search.depth_first(),
                Collapse::BreadthFirst => search.breadth_first(),
            };
            self.stored = search.stored();
            if ended != Err(Stop::TooNarrow) {
                break;
            }
            ended = search.widen(stores, self.sizes, self.initial);
        }
        let ended = match ended {
            Ok(()) => Ok(()),
            Err(Stop::Limit(limit)) => Err(limit),
            Err(stop) => return Err(stop),
        };
        let (tally, store, [states, waiting]) = search.end();
        let outcome = tally.outcome(ended, S::Store::<W>::EXACT, states, waiting);
        stores.take_back(store);
        Ok(outcome)
    }
}
