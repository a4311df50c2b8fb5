//! Searches over packed states, with the stores that go with them.

use std::time::Instant;

use model::Model;
use relation::System;
use search::packed::{Bits, Dense, Hashes, Packed, PackedSearch, WordStores, packed};
use search::{Outcome, SearchConfig};
use space::Representative;

use super::Estimate;
use crate::options::Store;
use crate::plan::{Algorithm, Job};

/// Search packed states. None if the model is better searched as whole vectors: its parts have
/// mostly new values, so that nothing is known about a state from those seen before.
pub(super) fn search<'m>(
    model: &'m Model,
    job: &'m Job,
    config: &SearchConfig<'m>,
) -> Option<(Outcome, Option<Estimate>)> {
    let started = Instant::now();
    let mut hashes = Hashes::default();
    let mut bits = Bits {
        bytes: job.tuning.bitstate_bytes(),
        functions: job.tuning.hash_functions,
        store: None,
    };
    let mut outcome = match job.store {
        Store::Plain => choose(model, job, &mut Packed, config),
        Store::Tree => choose(model, job, &mut Dense::default(), config),
        Store::Compact => choose(model, job, &mut hashes, config),
        Store::Bitstate => choose(model, job, &mut bits, config),
    }?;
    outcome.duration = started.elapsed();
    let estimate = (hashes.store.as_ref().map(Estimate::of_compact))
        .or_else(|| bits.store.as_ref().map(Estimate::of_bitstate));
    Some((outcome, estimate))
}

/// Search with a store.
fn choose<'m, A: WordStores>(
    model: &'m Model,
    job: &'m Job,
    stores: &mut A,
    config: &SearchConfig<'m>,
) -> Option<Outcome> {
    let kind = match job.algorithm {
        Algorithm::Bfs => PackedSearch::BreadthFirst,
        _ => PackedSearch::DepthFirst,
    };
    let orbits = job.symmetry.orbits();
    let orbits = orbits.map(|orbits| Box::new(orbits) as Box<dyn Representative>);
    packed(System::new(model).ok()?, stores, orbits, config, kind)
}
