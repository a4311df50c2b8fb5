//! Searches with collapse compression, with the stores that go with them.

use reduce::Reduced;
use search::{Bits, Collapse, Dense, Hashes, Outcome, Packed, SearchConfig};
use space::NextState;

use super::Estimate;
use crate::options::Store;
use crate::plan::{Algorithm, Job};

/// Search collapsed states. None if something was found that only another search can report, or if
/// the states turn out not to collapse.
pub(super) fn collapsed<M: NextState>(
    model: &mut Reduced<'_, M>,
    job: &Job,
    config: &SearchConfig<'_>,
) -> Option<(Outcome, Option<Estimate>)> {
    let kind = match (job.algorithm, model.reducer.is_some()) {
        (Algorithm::Bfs, _) => Collapse::BreadthFirst,
        (_, true) => Collapse::Reduced,
        (_, false) => Collapse::DepthFirst,
    };
    let mut hashes = Hashes::default();
    let mut bits = Bits {
        bytes: job.tuning.bitstate_bytes(),
        functions: job.tuning.hash_functions,
        store: None,
    };
    let outcome = match job.store {
        Store::Plain => search::collapse(model, &mut Packed, config, kind),
        Store::Tree => search::collapse(model, &mut Dense::default(), config, kind),
        Store::Compact => search::collapse(model, &mut hashes, config, kind),
        Store::Bitstate => search::collapse(model, &mut bits, config, kind),
    }?;
    let estimate = (hashes.store.as_ref().map(Estimate::of_compact))
        .or_else(|| bits.store.as_ref().map(Estimate::of_bitstate));
    Some((outcome, estimate))
}
