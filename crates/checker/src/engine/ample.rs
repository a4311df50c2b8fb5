//! Searches over packed states with ample sets.

use std::time::{Duration, Instant};

use model::Model;
use reduce::Reducer;
use search::SearchConfig;
use space::AmpleSets;
use space::cancel;

use super::{SearchResult, Setting, Stopped, packed, prepare};
use crate::plan::Job;

/// Search packed states, with ample sets if there is a reduction. None if the model is better searched
/// as whole vectors.
pub(super) fn search(
    model: &Model,
    job: &Job,
    setting: Setting<'_>,
    config: &SearchConfig<'_>,
) -> Result<Option<SearchResult>, Stopped> {
    let reduction = job.por.reduction();
    let started = Instant::now();
    let find = || reduction.and_then(|reduction| prepare::reducer(model, reduction));
    let mut reducer = cancel::scope(setting.cancel, find)?;
    (setting.begins)();
    let config = SearchConfig {
        time_limit: (config.time_limit).map(|limit| limit.saturating_sub(started.elapsed())),
        ..*config
    };
    let sets = reducer
        .as_mut()
        .map(|reducer| reducer as &mut dyn AmpleSets);
    let Some((mut outcome, estimate)) = packed::search(model, sets, job, &config) else {
        return Ok(None);
    };
    if let Some(reducer) = &reducer {
        Reducer::add_ends(reducer, &mut outcome.reached);
    }
    Ok(Some(SearchResult {
        outcome,
        backend: job.backend,
        compile: Duration::ZERO,
        estimate,
        audit: None,
        fault: None,
        rounds: Vec::new(),
    }))
}
