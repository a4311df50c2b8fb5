//! Searches over packed states, with the stores that go with them.

use std::time::Instant;

use model::Model;
use relation::{Digest, State, System};
use search::packed::{Bits, Dense, Hashes, Packed, PackedSearch, packed};
use search::{Outcome, SearchConfig};
use space::AmpleSets;

use super::Estimate;
use crate::options::Store;
use crate::plan::{Algorithm, Job};

/// Search packed states. None if the model is better searched as whole vectors: its parts have
/// mostly new values, so that nothing is known about a state from those seen before.
pub(super) fn search<'m>(
    model: &'m Model,
    sets: Option<&'m mut dyn AmpleSets>,
    job: &Job,
    config: &SearchConfig<'m>,
) -> Option<(Outcome, Option<Estimate>)> {
    let started = Instant::now();
    let kind = match job.algorithm {
        Algorithm::Bfs => PackedSearch::BreadthFirst,
        _ => PackedSearch::DepthFirst,
    };
    let mut hashes = Hashes::default();
    let mut bits = Bits {
        bytes: job.tuning.bitstate_bytes(),
        functions: job.tuning.hash_functions,
        store: None,
    };
    let mut outcome = match job.store {
        Store::Plain => packed(begin(model, sets)?, &mut Packed, config, kind),
        Store::Tree => packed(begin(model, sets)?, &mut Dense::default(), config, kind),
        Store::Compact => packed(begin(model, sets)?, &mut hashes, config, kind),
        Store::Bitstate => packed(begin(model, sets)?, &mut bits, config, kind),
    }?;
    outcome.duration = started.elapsed();
    let estimate = (hashes.store.as_ref().map(Estimate::of_compact))
        .or_else(|| bits.store.as_ref().map(Estimate::of_bitstate));
    Some((outcome, estimate))
}

/// A model in its initial state, and what finds its ample sets.
fn begin<'m, D: Digest>(
    model: &'m Model,
    sets: Option<&'m mut dyn AmpleSets>,
) -> Option<(System<'m, 4, D>, State<4, D>)> {
    let (mut system, initial) = System::new(model).ok()?;
    if let Some(sets) = sets {
        system.reduce_by(sets);
    }
    Some((system, initial))
}
