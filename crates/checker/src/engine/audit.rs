//! Whether reductions were right, by brute force.

use model::Model;
use model::symmetry::Watched;
use reduce::check::{Audit, Decided, ExchangeAudit, check, check_exchanges};
use reduce::orbit::Orbits;

use crate::plan::Job;

/// States that are looked at; a check of more takes too long.
const MOST_STATES: usize = 300_000;

/// Check the sets that partial-order reduction took. An error is a bug, in words.
pub(super) fn audit(
    model: &Model,
    job: &Job,
    decided: Decided<'_>,
) -> Option<Result<Audit, String>> {
    let answer = check(model, job.por.reduction()?, decided, MOST_STATES);
    Some(answer.map_err(|breach| breach.describe(model)))
}

/// Check what was found to be symmetric. An error is a bug, in words.
pub fn audit_symmetry(
    model: &Model,
    watched: &Watched,
    orbits: &Orbits<'_>,
) -> Result<ExchangeAudit, String> {
    let answer = check_exchanges(model, watched, orbits, MOST_STATES);
    answer.map_err(|asymmetry| asymmetry.describe(model))
}
