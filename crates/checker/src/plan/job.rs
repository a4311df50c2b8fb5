//! A job: one search with all that it combines.

use model::Model;
use model::reduction::Reduced;
use model::symmetry::{Symmetry, Watched};
use reduce::orbit::{Orbits, Strategy};
use reduce::{Method, Reduction};

use super::Refusal;
use super::decision::Decision;
use super::feature::{Feature, FeatureSet};
use super::planner::Planner;
use crate::liveness::{Target, Watcher};
use crate::options::{Backend, Fairness, Named, SearchOptions, Store};

/// A search that decides some of the properties.
#[derive(Debug)]
pub struct Job {
    /// The properties it decides, by their rows in [`Plan::properties`].
    pub properties: Vec<usize>,
    /// Everything it combines.
    pub features: FeatureSet,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The store.
    pub store: Store,
    /// Which executions count.
    pub fairness: Fairness,
    /// What executes the model.
    pub backend: Backend,
    /// Partial-order reduction.
    pub por: PorChoice,
    /// Symmetry reduction.
    pub symmetry: SymmetryChoice,
    /// The rest of what the engine has to know.
    pub tuning: Tuning,
    /// Why it is done this way.
    pub decisions: Vec<Decision>,
    /// What observes the model, in a search for cycles.
    pub watcher: Option<Watcher>,
    /// The model after static reduction, unless there is none.
    pub reduced: Option<Reduced>,
}

/// What is decided once for a job and has no part in what may be combined.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Bits of a state in a bitstate store.
    pub hash_functions: u32,
    /// Bytes of a bitstate store.
    pub bitstate_bytes: u64,
    /// Members of a swarm.
    pub swarm: Option<u32>,
    /// Whether fair cycles may be missed under symmetry.
    pub light: bool,
}

impl Tuning {
    /// Bytes of a bitstate store, as an index can count them.
    pub fn bitstate_bytes(&self) -> usize {
        usize::try_from(self.bitstate_bytes).unwrap_or(usize::MAX)
    }
}

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Depth-first search.
    Dfs,
    /// Breadth-first search.
    Bfs,
    /// Depth-limited search.
    DepthLimited,
    /// Depth-first search whose depth limit shrinks with each counterexample.
    Shortening,
    /// Stateless search.
    Stateless,
    /// Nested depth-first search.
    NestedDfs,
    /// Depth-first search for cycles of a weak automaton.
    WeakDfs,
    /// Search for strongly connected components.
    Scc,
    /// Breadth-first cycle elimination.
    Owcty,
}

impl Algorithm {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Dfs => "dfs",
            Algorithm::Bfs => "bfs",
            Algorithm::DepthLimited => "depth-limited",
            Algorithm::Shortening => "shortening",
            Algorithm::Stateless => "stateless",
            Algorithm::NestedDfs => "nested-dfs",
            Algorithm::WeakDfs => "weak-dfs",
            Algorithm::Scc => "scc",
            Algorithm::Owcty => "owcty",
        }
    }

    /// Its feature.
    pub(super) fn feature(self) -> Feature {
        match self {
            Algorithm::Dfs | Algorithm::Shortening => Feature::Dfs,
            Algorithm::Bfs => Feature::Bfs,
            Algorithm::DepthLimited => Feature::DepthLimited,
            Algorithm::Stateless => Feature::Stateless,
            Algorithm::NestedDfs => Feature::NestedDfs,
            Algorithm::WeakDfs => Feature::WeakDfs,
            Algorithm::Scc => Feature::Scc,
            Algorithm::Owcty => Feature::Owcty,
        }
    }
}

/// What was decided about partial-order reduction.
#[derive(Clone, Debug)]
pub enum PorChoice {
    /// It is used.
    On(Reduction),
    /// It is not, for this reason; without one, because nobody asked for it.
    Off(Option<String>),
}

impl PorChoice {
    /// The reduction that is used.
    pub fn reduction(&self) -> Option<&Reduction> {
        match self {
            PorChoice::On(reduction) => Some(reduction),
            PorChoice::Off(_) => None,
        }
    }

    /// Its name in reports.
    pub fn name(&self) -> Option<&'static str> {
        self.reduction()
            .map(|reduction| match (reduction.method, reduction.sleeps) {
                (Method::Nothing, _) => "sleep",
                (Method::Ample, false) => "ample",
                (Method::Ample, true) => "sleep+ample",
                (Method::Cluster, false) => "cluster",
                (Method::Cluster, true) => "sleep+cluster",
                (Method::Stubborn, false) => "stubborn",
                (Method::Stubborn, true) => "sleep+stubborn",
            })
    }

    /// Why it is not used.
    pub fn reason(&self) -> Option<&str> {
        match self {
            PorChoice::On(_) => None,
            PorChoice::Off(reason) => reason.as_deref(),
        }
    }
}

/// What was decided about symmetry reduction.
#[derive(Clone, Debug, Default)]
pub struct SymmetryChoice {
    /// What was found; nothing if nobody asked.
    pub found: Option<Symmetry>,
    /// How representatives are computed, if the reduction is used.
    pub(super) strategy: Option<Strategy>,
    pub(super) name: &'static str,
    /// Why it is not used though there is symmetry.
    pub(super) conflict: Option<&'static str>,
}

impl SymmetryChoice {
    /// The symmetry that was found is used.
    pub fn used(found: Symmetry, strategy: Strategy) -> SymmetryChoice {
        SymmetryChoice {
            found: Some(found),
            strategy: Some(strategy),
            ..SymmetryChoice::default()
        }
    }

    /// What computes representatives, if the reduction is used.
    pub fn orbits(&self) -> Option<Orbits<'_>> {
        let found = self.found.as_ref()?;
        self.strategy
            .map(|strategy| Orbits::new(&found.action, strategy))
    }

    /// Whether the reduction is used.
    pub fn is_used(&self) -> bool {
        self.strategy.is_some()
    }

    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self.strategy {
            Some(_) => self.name,
            None => "none",
        }
    }

    /// Why it is not used.
    pub fn reason(&self) -> Option<&str> {
        self.conflict
    }
}

impl Job {
    /// The job that decides the safety properties of a model. It names no properties.
    pub fn safety(model: &Model, options: &SearchOptions) -> Result<Job, Refusal> {
        Planner::new(model, options).safety(Vec::new())
    }

    /// The job that decides a property with a search of its own. It names no properties.
    pub fn cycles(model: &Model, target: Target, options: &SearchOptions) -> Result<Job, Refusal> {
        Planner::new(model, options).cycles(Vec::new(), target)
    }

    /// Its reductions, in words.
    pub fn reduction_names(&self) -> Vec<&'static str> {
        let mut names = self.reduced.as_ref().map_or_else(Vec::new, reduction_names);
        if self.por.reduction().is_some() {
            names.push("partial order");
        }
        if self.symmetry.is_used() {
            names.push("symmetry");
        }
        names
    }

    /// The name of its store in reports.
    pub fn store_name(&self) -> &'static str {
        match self.algorithm {
            Algorithm::Stateless => "none",
            _ => self.store.name(),
        }
    }

    /// The model to search, which is `model` unless it was reduced or is observed.
    pub fn searched<'a>(&'a self, model: &'a Model) -> &'a Model {
        let observed = self.watcher.as_ref().map(|watcher| &watcher.model);
        let reduced = self.reduced.as_ref().map(|reduced| &reduced.model);
        reduced.or(observed).unwrap_or(model)
    }

    /// What is observed of the processes that symmetry exchanges.
    pub fn watched(&self) -> Watched {
        let fair = self.fairness != Fairness::None;
        (self.watcher.as_ref()).map_or_else(Watched::default, |watcher| watcher.watched(fair))
    }

    /// Whether it has a feature.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }
}

/// The names of the static reductions that changed something.
pub fn reduction_names(reduced: &Reduced) -> Vec<&'static str> {
    [
        ("write-only", reduced.write_only),
        ("dead-variables", reduced.resets),
        ("merging", reduced.merged),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(name, _)| name)
    .collect()
}
