//! Searches over collapsed states, with the stores that go with them.

use reduce::Reduced;
use search::{Collapse, Outcome, SearchConfig, Stores};
use space::NextState;
use store::{BitstateStore, CompactStore, DenseStore, PackedStore};

use super::{Estimate, Strategy};
use crate::commands::check::{Search, Store};

/// Search over collapsed states, if that is possible. None if it is not, or if there is something
/// to find that only another search can tell.
pub(super) fn collapsed<M: NextState>(
    model: &mut Reduced<'_, M>,
    strategy: &Strategy,
    config: &SearchConfig<'_>,
) -> Option<(Outcome, Option<Estimate>)> {
    let kind = match strategy.search {
        _ if !strategy.collapses || strategy.shortest || strategy.swarm.is_some() => return None,
        Search::Dfs => Collapse::DepthFirst,
        Search::Bfs => Collapse::BreadthFirst,
        _ => return None,
    };
    let mut stores = Made {
        strategy,
        estimate: None,
    };
    let outcome = match strategy.store {
        Store::Plain => search::collapse(model, &mut Packed, config, kind),
        Store::Tree => search::collapse(model, &mut Dense, config, kind),
        Store::Compact => search::collapse(model, &mut Hashes(&mut stores), config, kind),
        Store::Bitstate => search::collapse(model, &mut Bits(&mut stores), config, kind),
    }?;
    Some((outcome, stores.estimate))
}

/// What the stores are made for, and what they may have missed.
struct Made<'a> {
    strategy: &'a Strategy,
    estimate: Option<Estimate>,
}

/// States as they are.
struct Packed;

impl Stores for Packed {
    type Store<const W: usize> = PackedStore<W>;

    fn make<const W: usize>(&mut self, _bits: [u32; W]) -> PackedStore<W> {
        PackedStore::new()
    }

    fn states<const W: usize>(store: &PackedStore<W>) -> Option<impl Iterator<Item = [u64; W]>> {
        Some(store.states())
    }

    fn reserve<const W: usize>(store: &mut PackedStore<W>, states: u64) {
        store.reserve(states);
    }

    fn take_back<const W: usize>(&mut self, _store: PackedStore<W>) {}
}

/// States as they are, in as few bytes as they need. The values of the parts are the leaves of a
/// tree, and a state is its root: this is what a tree store comes to.
struct Dense;

impl Stores for Dense {
    type Store<const W: usize> = DenseStore<W>;

    fn sizes(&self) -> Vec<Vec<u32>> {
        store::dense_sizes().collect()
    }

    fn make<const W: usize>(&mut self, bits: [u32; W]) -> DenseStore<W> {
        DenseStore::new(bits)
    }

    fn states<const W: usize>(store: &DenseStore<W>) -> Option<impl Iterator<Item = [u64; W]>> {
        Some(store.states())
    }

    fn reserve<const W: usize>(store: &mut DenseStore<W>, states: u64) {
        store.reserve(states);
    }

    fn take_back<const W: usize>(&mut self, _store: DenseStore<W>) {}
}

struct Hashes<'a, 's>(&'a mut Made<'s>);

impl Stores for Hashes<'_, '_> {
    type Store<const W: usize> = CompactStore;

    fn make<const W: usize>(&mut self, _bits: [u32; W]) -> CompactStore {
        CompactStore::new()
    }

    fn take_back<const W: usize>(&mut self, store: CompactStore) {
        self.0.estimate = Some(Estimate::of_compact(&store));
    }
}

struct Bits<'a, 's>(&'a mut Made<'s>);

impl Stores for Bits<'_, '_> {
    type Store<const W: usize> = BitstateStore;

    fn make<const W: usize>(&mut self, _bits: [u32; W]) -> BitstateStore {
        let Strategy {
            bitstate_bytes,
            hash_functions,
            ..
        } = *self.0.strategy;
        let bytes = usize::try_from(bitstate_bytes).unwrap_or(usize::MAX);
        BitstateStore::new(bytes, hash_functions, 0)
    }

    fn take_back<const W: usize>(&mut self, store: BitstateStore) {
        self.0.estimate = Some(Estimate::of_bitstate(&store));
    }
}
