//! Searches over collapsed states, with the stores that go with them.

use reduce::Reduced;
use search::{Bits, Collapse, Dense, Hashes, Outcome, Packed, SearchConfig};
use space::NextState;

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
        Search::Dfs if model.reducer.is_some() => Collapse::Reduced,
        Search::Dfs => Collapse::DepthFirst,
        Search::Bfs if model.reducer.is_none() => Collapse::BreadthFirst,
        _ => return None,
    };
    let (mut hashes, mut bits) = (Hashes::default(), strategy.bits());
    let outcome = match strategy.store {
        Store::Plain => search::collapse(model, &mut Packed, config, kind),
        Store::Tree => search::collapse(model, &mut Dense::default(), config, kind),
        Store::Compact => search::collapse(model, &mut hashes, config, kind),
        Store::Bitstate => search::collapse(model, &mut bits, config, kind),
    }?;
    let estimate = (hashes.store.as_ref().map(Estimate::of_compact))
        .or_else(|| bits.store.as_ref().map(Estimate::of_bitstate));
    Some((outcome, estimate))
}

impl Strategy {
    /// The bits for collapsed states.
    fn bits(&self) -> Bits {
        Bits {
            bytes: usize::try_from(self.bitstate_bytes).unwrap_or(usize::MAX),
            functions: self.hash_functions,
            store: None,
        }
    }
}
