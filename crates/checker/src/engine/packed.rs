//! Searches over packed states, with the stores that go with them.

use std::time::Instant;

use model::Model;
use relation::System;
use search::packed::{Bits, Dense, Hashes, Packed, PackedSearch, packed};
use search::{Outcome, SearchConfig};

use super::Estimate;
use crate::options::Store;
use crate::plan::{Algorithm, Job};

/// Search packed states. None if the model is better searched as whole vectors: its parts have
/// mostly new values, so that nothing is known about a state from those seen before.
pub(super) fn search<'m>(
    model: &'m Model,
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
        Store::Plain => packed(System::new(model).ok()?, &mut Packed, config, kind),
        Store::Tree => packed(
            System::new(model).ok()?,
            &mut Dense::default(),
            config,
            kind,
        ),
        Store::Compact => packed(System::new(model).ok()?, &mut hashes, config, kind),
        Store::Bitstate => packed(System::new(model).ok()?, &mut bits, config, kind),
    }?;
    outcome.duration = started.elapsed();
    let estimate = (hashes.store.as_ref().map(Estimate::of_compact))
        .or_else(|| bits.store.as_ref().map(Estimate::of_bitstate));
    Some((outcome, estimate))
}
