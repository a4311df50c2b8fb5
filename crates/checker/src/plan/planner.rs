//! Makes the jobs of a plan.

use model::Model;
use model::dependency::{Correction, Observed, Obstacle, Strictness, obstacles};
use model::reduction::Reduced;
use model::symmetry::{Symmetry, Watched};
use reduce::{Effort, Method, Named as ClusterMember, Reduction};

use super::Refusal;
use super::decision::decisions;
use super::feature::{Feature, FeatureSet};
use super::job::{Algorithm, Job, PorChoice, SymmetryChoice, Tuning};
use super::table::{Conflict, conflict, conflict_with};
use crate::clusters;
use crate::liveness::Watcher;
use crate::load::Loaded;
use crate::options::{
    Fairness, Named, Por, PorCorrection, Search, SearchOptions, Store, Symmetry as SymmetryOption,
    SymmetryFairness,
};

/// Bytes of the bitstate store unless told otherwise.
const BITSTATE_BYTES: u64 = 512 << 20;

/// What all jobs of a plan share.
pub(super) struct Planner<'a> {
    pub(super) model: &'a Model,
    pub(super) options: &'a SearchOptions,
    /// What was asked for by name, whatever the job.
    pub(super) asked: FeatureSet,
    clusters: Vec<Vec<ClusterMember>>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(model: &'a Model, options: &'a SearchOptions) -> Planner<'a> {
        Planner {
            model,
            options,
            asked: asked(options),
            clusters: Vec::new(),
        }
    }

    /// Refuse options that fit none of the goals of a plan.
    pub(super) fn check_goals(&self, goals: &[Feature]) -> Result<(), Refusal> {
        let options = self.options;
        // A search and a fairness belong to the jobs they fit; to fit none is a mistake.
        for feature in [
            options.search.map(search_feature),
            fairness_feature(options),
        ] {
            let conflicts = feature.map(|feature| {
                let goals = goals.iter();
                goals.map(move |&goal| conflict_with(FeatureSet::of(&[goal]), feature))
            });
            let conflicts: Option<Vec<Option<Conflict>>> = conflicts.map(Iterator::collect);
            if let Some(all) = conflicts.and_then(|all| all.into_iter().collect::<Option<Vec<_>>>())
                && let Some(first) = all.first()
            {
                return Err((*first).into());
            }
        }
        Ok(())
    }

    /// With the clusters that comments of a model name.
    pub(super) fn with_clusters(mut self, loaded: &Loaded) -> Result<Planner<'a>, Refusal> {
        for (_, file) in loaded.sources.files() {
            let found = clusters::read(&file.text, self.model).map_err(Refusal::Request)?;
            self.clusters.extend(found);
        }
        Ok(self)
    }

    /// The store of every job.
    fn store(&self) -> Store {
        match (self.options.store, self.options.swarm) {
            (Some(store), _) => store,
            (None, Some(_)) => Store::Bitstate,
            (None, None) => Store::Plain,
        }
    }

    /// The job for safety.
    pub(super) fn safety(&self, properties: Vec<usize>) -> Result<Job, Refusal> {
        let options = self.options;
        let model = self.model;
        let fits = |search: &Search| !is_for_cycles(*search);
        let search = options.search.filter(fits).unwrap_or(Search::Dfs);
        let algorithm = match search {
            Search::Bfs => Algorithm::Bfs,
            Search::Stateless => Algorithm::Stateless,
            _ if options.shortest => Algorithm::Shortening,
            Search::DepthLimited => Algorithm::DepthLimited,
            _ => Algorithm::Dfs,
        };
        let mut features = self.asked.with(Feature::Safety);
        features.insert(search_feature(search));
        let reduced = (!options.no_reduction).then(|| model::reduction::reduce(model));
        let searched = reduced.as_ref().map_or(model, |reduced| &reduced.model);
        add_facts(&mut features, searched, &Observed::default());
        if let Some(conflict) = conflict(features) {
            return Err(conflict.into());
        }
        let symmetry = self.symmetry(&mut features, searched, &Watched::default());
        let por = self.por(&mut features, Observed::default(), Strictness::Plain);
        let collapses = conflict_with(features, Feature::Collapse).is_none();
        features.insert_if(options.collapse && collapses, Feature::Collapse);
        Ok(self.job(
            properties,
            features,
            algorithm,
            (por, symmetry),
            (None, reduced),
        ))
    }

    /// A job from its parts.
    pub(super) fn job(
        &self,
        properties: Vec<usize>,
        features: FeatureSet,
        algorithm: Algorithm,
        (por, symmetry): (PorChoice, SymmetryChoice),
        (watcher, reduced): (Option<Watcher>, Option<Reduced>),
    ) -> Job {
        let options = self.options;
        let mut job = Job {
            properties,
            features,
            algorithm,
            store: self.store(),
            fairness: match features.has(Feature::Cycles) {
                true => options.fairness,
                false => Fairness::None,
            },
            backend: options.backend,
            por,
            symmetry,
            tuning: Tuning {
                hash_functions: options.hash_functions,
                bitstate_bytes: options.memory.unwrap_or(BITSTATE_BYTES),
                swarm: options.swarm,
                light: options.symmetry_fairness == SymmetryFairness::Light,
            },
            decisions: Vec::new(),
            watcher,
            reduced,
        };
        job.decisions = decisions(&job, options);
        job
    }

    /// Symmetry reduction, where it may join the features.
    pub(super) fn symmetry(
        &self,
        features: &mut FeatureSet,
        searched: &Model,
        watched: &Watched,
    ) -> SymmetryChoice {
        let wanted = self.options.symmetry();
        // What was asked for is used only if the model has symmetry.
        *features = features.without(Feature::Symmetry);
        let Some(strategy) = wanted.strategy() else {
            return SymmetryChoice::default();
        };
        let found = Symmetry::find(searched, watched);
        let refused = conflict_with(*features, Feature::Symmetry).filter(|_| !found.is_trivial());
        let used = !found.is_trivial() && refused.is_none();
        match used {
            true => features.insert(Feature::Symmetry),
            false => *features = features.without(Feature::NotCanonical),
        }
        SymmetryChoice {
            found: Some(found),
            strategy: used.then_some(strategy),
            name: wanted.name(),
            conflict: refused.map(|conflict| conflict.reason),
        }
    }

    /// Partial-order reduction, where it may join the features.
    pub(super) fn por(
        &self,
        features: &mut FeatureSet,
        observed: Observed,
        strictness: Strictness,
    ) -> PorChoice {
        let por = self.options.por();
        if por == Por::None {
            return PorChoice::Off(None);
        }
        if let Some(conflict) = conflict_with(*features, Feature::PartialOrder) {
            return PorChoice::Off(Some(conflict.reason.to_owned()));
        }
        features.insert(Feature::PartialOrder);
        PorChoice::On(Reduction {
            method: match por {
                Por::None | Por::Sleep => Method::Nothing,
                Por::Ample | Por::SleepAmple => Method::Ample,
                Por::Cluster | Por::SleepCluster => Method::Cluster,
                Por::Stubborn | Por::SleepStubborn | Por::Auto => Method::Stubborn,
            },
            effort: match por {
                Por::Auto => Effort::Thrifty,
                _ => Effort::Thorough,
            },
            clusters: self.clusters.clone(),
            sleeps: por.sleeps(),
            correction: match self.options.por_correction {
                PorCorrection::Static => Correction::Static,
                PorCorrection::Dynamic => Correction::Dynamic,
            },
            observed,
            strictness,
        })
    }
}

/// What the options ask for by name in every job.
fn asked(options: &SearchOptions) -> FeatureSet {
    let mut asked = FeatureSet::default();
    let store = match (options.store, options.swarm) {
        (Some(store), _) => store,
        (None, Some(_)) => Store::Bitstate,
        (None, None) => Store::Plain,
    };
    asked.insert(match store {
        Store::Plain => Feature::Plain,
        Store::Tree => Feature::Tree,
        Store::Compact => Feature::Compact,
        Store::Bitstate => Feature::Bitstate,
    });
    let por = options.por();
    asked.insert_if(!matches!(por, Por::None | Por::Auto), Feature::PartialOrder);
    asked.insert_if(por.sleeps(), Feature::SleepSets);
    let symmetry = options.symmetry();
    let named = !matches!(symmetry, SymmetryOption::None | SymmetryOption::Auto);
    asked.insert_if(named, Feature::Symmetry);
    let sorted = symmetry.strategy().is_some_and(|s| !s.is_canonical());
    asked.insert_if(sorted, Feature::NotCanonical);
    asked.insert_if(options.shortest, Feature::Shortest);
    asked.insert_if(options.uses_checkpoints(), Feature::Checkpoint);
    asked.insert_if(options.swarm.is_some(), Feature::Swarm);
    asked.insert_if(options.check_por, Feature::CheckPor);
    asked.insert_if(options.check_symmetry, Feature::CheckSymmetry);
    asked
}

/// What is true of a model, and of what is observed of it.
pub(super) fn add_facts(features: &mut FeatureSet, model: &Model, observed: &Observed) {
    for obstacle in obstacles(model, observed) {
        features.insert(match obstacle {
            Obstacle::Priorities => Feature::Priorities,
            Obstacle::Last => Feature::Last,
            Obstacle::Enabled => Feature::Enabled,
            Obstacle::PcValue => Feature::PcValue,
            Obstacle::Timeout => Feature::Timeout,
            Obstacle::GlobalAtom => Feature::GlobalAtom,
        });
    }
    features.insert_if(model.event_trace.is_some(), Feature::TraceAssertion);
    let unless = model.has_handshakes() && model.has_escapes();
    features.insert_if(unless, Feature::RendezvousUnless);
}

fn is_for_cycles(search: Search) -> bool {
    matches!(search, Search::NestedDfs | Search::Scc | Search::Owcty)
}

fn search_feature(search: Search) -> Feature {
    match search {
        Search::Dfs => Feature::Dfs,
        Search::Bfs => Feature::Bfs,
        Search::DepthLimited => Feature::DepthLimited,
        Search::Stateless => Feature::Stateless,
        Search::NestedDfs => Feature::NestedDfs,
        Search::Scc => Feature::Scc,
        Search::Owcty => Feature::Owcty,
    }
}

pub(super) fn fairness_feature(options: &SearchOptions) -> Option<Feature> {
    match options.fairness {
        Fairness::None => None,
        Fairness::Weak => Some(Feature::WeakFairness),
        Fairness::Strong => Some(Feature::StrongFairness),
    }
}
