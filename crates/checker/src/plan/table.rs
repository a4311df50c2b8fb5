//! The table of what may be combined, and why. It is the only place that decides.
//!
//! Two features of different [dimensions](super::feature::Dimension) may be combined only where a
//! row says so; a pair without a row is refused. Facts about a model or a property restrict what
//! else a job may do: there, only a *no* counts.

use serde::Serialize;

use super::feature::{Dimension, Feature, FeatureSet};
pub use super::rows::TABLE;
use crate::options::Named;

/// Whether two features may be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// They may.
    Yes,
    /// They may not: asking for both is refused.
    No,
}

/// What is known about pairs of features: each of `one` with each of `other`.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Combination {
    /// Mostly the search.
    pub one: &'static [Feature],
    /// Mostly what is combined with it.
    pub other: &'static [Feature],
    /// A third feature without which the row says nothing.
    pub within: Option<Feature>,
    /// Whether they may be combined.
    pub answer: Answer,
    /// Why, or how.
    pub reason: &'static str,
    /// The publication that this rests on; empty if it is our own matter.
    pub source: &'static str,
}

impl Combination {
    /// Whether it speaks of two features of a set.
    fn covers(&self, one: Feature, other: Feature, set: FeatureSet) -> bool {
        let pair = |a, b| self.one.contains(&a) && self.other.contains(&b);
        (pair(one, other) || pair(other, one)) && self.within.is_none_or(|third| set.has(third))
    }
}

/// Why features do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// One of them.
    pub one: Feature,
    /// The other.
    pub other: Feature,
    /// The reason.
    pub reason: &'static str,
}

/// The reason for pairs without a row.
const UNKNOWN: &str = "this combination has not been shown to be sound";

/// The first pair of a set that may not be combined.
pub fn conflict(set: FeatureSet) -> Option<Conflict> {
    let features: Vec<Feature> = set.iter().collect();
    let pairs = (features.iter().enumerate())
        .flat_map(|(row, &one)| features[row + 1..].iter().map(move |&other| (one, other)));
    pairs
        .into_iter()
        .find_map(|(one, other)| judge(one, other, set))
}

/// Why a feature cannot join a set.
pub fn conflict_with(set: FeatureSet, feature: Feature) -> Option<Conflict> {
    let joined = set.with(feature);
    let others = set.iter().filter(|&other| other != feature);
    others
        .into_iter()
        .find_map(|other| judge(feature, other, joined))
}

/// Why two features of a set do not go together.
fn judge(one: Feature, other: Feature, set: FeatureSet) -> Option<Conflict> {
    let no = |reason| Conflict { one, other, reason };
    let mut rows = TABLE.iter().filter(|row| row.covers(one, other, set));
    let refusal = rows.clone().find(|row| row.answer == Answer::No);
    if let Some(refusal) = refusal {
        return Some(no(refusal.reason));
    }
    let is_fact = |feature: Feature| feature.dimension() == Dimension::Fact;
    (rows.next().is_none() && !is_fact(one) && !is_fact(other)).then(|| no(UNKNOWN))
}

/// The names of a group of features.
pub fn names(features: &[Feature]) -> String {
    let names: Vec<&str> = features.iter().map(|feature| feature.name()).collect();
    names.join(", ")
}
