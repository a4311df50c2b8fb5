//! Searches over packed states.
//!
//! A packed state is a few words with the numbers of the parts of a vector, and what processes do
//! is a table that is learned once and then only read, see [`relation`]. So a successor is found
//! with an exclusive or, and no vector is looked at.
//!
//! A search begins with wide fields; when some states were seen, all get another layout, with fields
//! as wide as the numbers need that were seen so far. Where one becomes too narrow, all states are
//! rewritten with wider ones, or with more words. A store that keeps no states has nothing to
//! rewrite: what it is told does not depend on the layout.
//!
//! An atomic sequence is one move. A violation is a mark of a row: the search that meets it knows
//! its path, and asks the model for the steps of the moves along it.
//!
//! Order and counts are those of [`crate::dfs`] and [`crate::bfs`]; but a breadth-first search takes
//! the moves of an atomic sequence depth first, so of several shortest counterexamples it may find
//! another one, and a path through an atomic sequence is cut as soon as it comes back to where it
//! was.
//!
//! | module | holds |
//! | --- | --- |
//! | `stores` | what goes with which store |
//! | `search` | what all searches share: storing, counting, limits, layouts |
//! | `depth_first`, `reduced_dfs`, `breadth_first` | the searches |
//! | `orbits` | representatives of states, under symmetry |
//! | `walk` | executions along the moves of a path |
//! | `nested_dfs` | the search for accepting cycles of a product |
//! | `colours` | stores with a colour beside each state |

mod breadth_first;
mod colours;
mod depth_first;
mod nested_dfs;
mod orbits;
mod reduced_dfs;
mod search;
mod stores;
mod walk;

use relation::{State, System};
use space::Representative;
use store::PackedStore;

use crate::accounting::Accounting;
use crate::findings::Keep;
use crate::{Outcome, SearchConfig};
pub use colours::{ColourStores, Coloured, DenseColoured};
pub use nested_dfs::packed_nested_dfs;
use orbits::Orbits;
use search::{Search, Stop};
pub use stores::{Bits, Dense, Hashes, Packed, WordStores};

/// So many states are looked at before the widths of fields are chosen.
const SAMPLE: u64 = 2000;

/// In which order states are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedSearch {
    /// As [`crate::dfs`].
    DepthFirst,
    /// As [`crate::bfs`].
    BreadthFirst,
}

/// Search all executions of a model for safety violations, from its initial state on. Under symmetry
/// the store sees representatives. None if states do not fit into the widest words, or the model has
/// to be asked too often.
pub fn packed<'m, A: WordStores>(
    (system, initial): (System<'m, 4, A::Digest>, State<4, A::Digest>),
    stores: &mut A,
    orbits: Option<Box<dyn Representative + 'm>>,
    config: &SearchConfig<'m>,
    kind: PackedSearch,
) -> Option<Outcome> {
    if config.depth.is_some() && kind == PackedSearch::DepthFirst {
        return None;
    }
    let transitions = system.executed().len();
    let accounting = Accounting::new(config, transitions, Keep::First);
    let hidden_len = system.hidden_len();
    let orbits = orbits.map(|orbits| Orbits::new(orbits, hidden_len));
    if kind == PackedSearch::DepthFirst {
        let store = stores.make::<4>([u64::BITS; 4]);
        let search = Search::<A, 4>::new((system, orbits), &initial, store, accounting, SAMPLE);
        return run(search, stores, kind);
    }
    let (mut system, initial) = sample(system, &initial, config)?;
    // What the sample executed, this search may not come to.
    system.forget();
    let bits = size(&system, &stores.sizes())?;
    match bits.len() {
        1 => begin::<A, 1>((system, orbits), &initial, stores, &bits, accounting),
        2 => begin::<A, 2>((system, orbits), &initial, stores, &bits, accounting),
        _ => begin::<A, 4>((system, orbits), &initial, stores, &bits, accounting),
    }
}

/// Meet with values of parts, depth first, since there are more of them soon than breadth first.
fn sample<'m, D: relation::Digest>(
    system: System<'m, 4, D>,
    initial: &State<4, D>,
    config: &SearchConfig<'m>,
) -> Option<(System<'m, 4, D>, State<4, D>)> {
    let config = SearchConfig {
        observer: None,
        progress: None,
        max_errors: None,
        ..*config
    };
    let unseen = Accounting::new(&config, system.executed().len(), Keep::First);
    let store = PackedStore::new();
    let mut sample = Search::<Sample<D>, 4>::new((system, None), initial, store, unseen, SAMPLE);
    let mut stores = Sample(std::marker::PhantomData);
    loop {
        match sample.depth_first() {
            Err(Stop::TooNarrow) => {
                sample = sample.widen(&mut stores, &[u64::BITS; 4])?;
            }
            Err(Stop::SeenEnough) => {
                sample.scout();
                break;
            }
            // Whatever ended it will end the search.
            _ => break,
        }
    }
    Some(sample.into_parts())
}

/// Search breadth first in words of so many bits.
fn begin<'m, A: WordStores, const W: usize>(
    (system, orbits): (System<'m, 4, A::Digest>, Option<Orbits<'m, 4, A::Digest>>),
    initial: &State<4, A::Digest>,
    stores: &mut A,
    bits: &[u32],
    accounting: Accounting<'m>,
) -> Option<Outcome> {
    let (system, rewrite) = system.widen::<W>(bits)?;
    let initial = State {
        words: rewrite.apply(&initial.words),
        digest: initial.digest,
    };
    let orbits = orbits.map(Orbits::widened);
    let store = stores.make::<W>(std::array::from_fn(|word| bits[word]));
    let search = Search::<A, W>::new((system, orbits), &initial, store, accounting, u64::MAX);
    run(search, stores, PackedSearch::BreadthFirst)
}

/// Search to the end.
fn run<A: WordStores, const W: usize>(
    mut search: Search<'_, A, W>,
    stores: &mut A,
    kind: PackedSearch,
) -> Option<Outcome> {
    loop {
        let ended = match kind {
            PackedSearch::DepthFirst if search.reduction.is_some() => search.reduced_depth_first(),
            PackedSearch::DepthFirst => search.depth_first(),
            PackedSearch::BreadthFirst => search.breadth_first(),
        };
        let sizes = stores.sizes();
        let bits = match ended {
            Ok(()) => return Some(search.end(stores, Ok(()))),
            Err(Stop::Limit(limit)) => return Some(search.end(stores, Err(limit))),
            Err(Stop::GiveUp | Stop::Paused) => return None,
            Err(Stop::SeenEnough) => search.settle(&sizes)?,
            Err(Stop::TooNarrow) => search.wider(&sizes)?,
        };
        match bits.len() {
            same if same == W => search = search.widen(stores, &bits)?,
            1 => return run(search.widen::<1>(stores, &bits)?, stores, kind),
            2 => return run(search.widen::<2>(stores, &bits)?, stores, kind),
            _ => return run(search.widen::<4>(stores, &bits)?, stores, kind),
        }
    }
}

/// The first of these numbers of bits that is enough for the words of states.
fn size<const W: usize, D: relation::Digest>(
    system: &System<'_, W, D>,
    sizes: &[Vec<u32>],
) -> Option<Vec<u32>> {
    sizes.iter().find(|bits| system.fits(bits)).cloned()
}

/// The stores of a sample for a search with other ones.
struct Sample<D>(std::marker::PhantomData<D>);

impl<D: relation::Digest> WordStores for Sample<D> {
    type Store<const W: usize> = PackedStore<W>;
    type Digest = D;

    fn make<const W: usize>(&mut self, bits: [u32; W]) -> PackedStore<W> {
        Packed.make(bits)
    }

    #[inline(always)]
    fn key<const W: usize>(
        store: &mut PackedStore<W>,
        words: &relation::Words<W>,
        _: D,
    ) -> store::Key {
        Packed::key(store, words, ())
    }

    fn rewrite<const W: usize, const V: usize>(
        &mut self,
        store: PackedStore<W>,
        bits: [u32; V],
        rewrite: impl Fn(&relation::Words<W>) -> relation::Words<V>,
    ) -> PackedStore<V> {
        Packed.rewrite(store, bits, rewrite)
    }
}
