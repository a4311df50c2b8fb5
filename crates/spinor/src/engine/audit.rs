//! Whether the sets that partial-order reduction took were the right ones.

use model::Model;
use reduce::Reduction;
use reduce::check::{Audit, Decided, check};

/// States that are looked at; a check of more takes too long.
const MOST_STATES: usize = 300_000;

/// Check the sets that were taken. An error is a bug, in words.
pub(super) fn audit(
    model: &Model,
    reduction: Option<&Reduction>,
    decided: Decided<'_>,
) -> Option<Result<Audit, String>> {
    let answer = check(model, reduction?, decided, MOST_STATES);
    Some(answer.map_err(|breach| breach.describe(model)))
}
