//! The plan of a search for cycles: what observes the model, and which algorithm fits.

use model::dependency::Strictness;
use model::reduction::{Reduced, reduce, reduce_keeping_steps};
use product::Claim;

use super::feature::{Feature, FeatureSet};
use super::planner::{Planner, add_facts, fairness_feature};
use super::table::{conflict, conflict_with};
use super::{Algorithm, Job, Refusal};
use crate::liveness::{Capability, Target, Watcher};
use crate::options::{Fairness, Search, SearchOptions};

impl Planner<'_> {
    /// The job that decides one property.
    pub(super) fn cycles(&self, properties: Vec<usize>, target: Target) -> Result<Job, Refusal> {
        let options = self.options;
        let mut features = self.asked.with(Feature::Cycles);
        if let Some(fairness) = fairness_feature(options) {
            features.insert(fairness);
        }
        if let Some(conflict) = conflict(features) {
            return Err(conflict.into());
        }
        let candidates = candidates(features, options)?;
        let can = Capability {
            sets: candidates.iter().any(|c| *c != Algorithm::NestedDfs),
            stutter_as_spin: candidates[0] == Algorithm::NestedDfs
                && options.fairness == Fairness::None,
        };
        let watcher = Watcher::new(self.model, target, can).map_err(Refusal::Request)?;
        let reduced = (!options.no_reduction).then(|| reduce_for(&watcher, options.fairness));
        let searched = reduced.as_ref().map_or(&watcher.model, |r| &r.model);
        let observed = watcher.observed();
        add_facts(&mut features, searched, &observed);
        let never = matches!(target, Target::Never(_));
        features.insert_if(never, Feature::NeverClaim);
        features.insert_if(!never && watcher.counts_steps, Feature::StepCounting);
        let claim = watcher.claim(&watcher.model);
        let sets = claim.as_ref().map_or(1, |claim| claim.sets());
        let is_weak = claim.as_ref().is_some_and(|claim| claim.is_weak());
        features.insert_if(sets > 1, Feature::Generalised);
        if let Some(conflict) = conflict(features) {
            return Err(conflict.into());
        }
        let chosen = fitting(features, &candidates)?;
        let mut with_search = features.with(chosen.feature());
        let watched = watcher.watched(options.fairness != Fairness::None);
        let symmetry = self.symmetry(&mut with_search, searched, &watched);
        // A weak automaton needs no second search, unless symmetry needs the nested one.
        let weak = !symmetry.is_used() && is_weak && named(options).is_none();
        let weak = weak && conflict_with(features, Algorithm::WeakDfs.feature()).is_none();
        let algorithm = if weak { Algorithm::WeakDfs } else { chosen };
        let mut features = with_search
            .without(chosen.feature())
            .with(algorithm.feature());
        let strictness = match options.fairness {
            Fairness::None => Strictness::Plain,
            Fairness::Weak | Fairness::Strong => Strictness::Fair,
        };
        let por = self.por(&mut features, observed, strictness);
        let collapses = conflict_with(features, Feature::Collapse).is_none();
        features.insert_if(options.collapse && collapses, Feature::Collapse);
        drop(claim);
        Ok(self.job(
            properties,
            features,
            algorithm,
            (por, symmetry),
            (Some(watcher), reduced),
        ))
    }
}

/// The algorithm that was asked for. A search for safety may be named beside searches for cycles.
fn named(options: &SearchOptions) -> Option<Algorithm> {
    match options.search {
        Some(Search::NestedDfs) => Some(Algorithm::NestedDfs),
        Some(Search::Scc) => Some(Algorithm::Scc),
        Some(Search::Owcty) => Some(Algorithm::Owcty),
        _ => None,
    }
}

/// The algorithms that go with what was asked for, the preferred one first.
fn candidates(features: FeatureSet, options: &SearchOptions) -> Result<Vec<Algorithm>, Refusal> {
    let named = named(options);
    let preferred: &[Algorithm] = match (&named, options.fairness) {
        (Some(named), _) => std::slice::from_ref(named),
        (None, Fairness::Strong) => &[Algorithm::Owcty, Algorithm::Scc],
        (None, _) => &[Algorithm::NestedDfs, Algorithm::Scc, Algorithm::Owcty],
    };
    let fits = |c: &&Algorithm| conflict_with(features, c.feature()).is_none();
    let fitting: Vec<Algorithm> = preferred.iter().filter(fits).copied().collect();
    match fitting.is_empty() {
        false => Ok(fitting),
        true => fitting_refusal(features, preferred),
    }
}

/// The first algorithm that may join the features.
fn fitting(features: FeatureSet, candidates: &[Algorithm]) -> Result<Algorithm, Refusal> {
    let fits = |c: &&Algorithm| conflict_with(features, c.feature()).is_none();
    match candidates.iter().find(fits) {
        Some(algorithm) => Ok(*algorithm),
        None => fitting_refusal(features, candidates),
    }
}

/// Why the preferred algorithm may not join the features.
fn fitting_refusal<T>(features: FeatureSet, candidates: &[Algorithm]) -> Result<T, Refusal> {
    let reason = candidates
        .iter()
        .find_map(|c| conflict_with(features, c.feature()));
    Err(reason.map_or_else(
        || Refusal::Request("no search algorithm for cycles supports this combination".to_owned()),
        Refusal::Conflict,
    ))
}

/// The static reductions that a property permits.
fn reduce_for(watcher: &Watcher, fairness: Fairness) -> Reduced {
    // Whether a process can always send depends on every step of its receivers.
    let fair = fairness != Fairness::None && watcher.model.has_handshakes();
    match watcher.counts_steps || fair {
        true => reduce_keeping_steps(&watcher.model),
        false => reduce(&watcher.model),
    }
}
