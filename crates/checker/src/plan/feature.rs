//! What a job is made of, as far as combining is concerned.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::options::Named;

/// The kind of a feature. A job has at most one feature of a dimension, but any number of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// What is searched for.
    Goal,
    /// The algorithm.
    Search,
    /// How long counterexamples may be.
    Length,
    /// The store.
    Store,
    /// How states are written down.
    Form,
    /// Ample sets.
    Order,
    /// Sleep sets, beside ample sets or alone.
    Sleep,
    /// Representatives.
    Symmetry,
    /// Which representatives.
    Canon,
    /// Which executions count.
    Fairness,
    /// Files to resume from.
    Saving,
    /// Several searches.
    Swarm,
    /// A check of partial-order reduction.
    Check,
    /// A check of symmetry reduction.
    CheckOrbit,
    /// Something about the model or the property that nobody chooses.
    Fact,
}

/// A variant for each feature, with its name, what it is, and its dimension.
macro_rules! named_features {
    ($($variant:ident = $name:literal: $text:literal in $dimension:ident,)*) => {
        /// Something that a job does, or that is true of its model or property.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Feature {
            $(#[doc = $text] $variant,)*
        }

        impl Named for Feature {
            const ALL: &'static [Feature] = &[$(Feature::$variant),*];

            fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name),* }
            }

            fn description(self) -> &'static str {
                match self { $(Feature::$variant => $text),* }
            }
        }

        impl Feature {
            /// Its kind.
            pub fn dimension(self) -> Dimension {
                match self { $(Feature::$variant => Dimension::$dimension),* }
            }
        }
    };
}
named_features! {
    Safety = "safety": "a search for safety violations" in Goal,
    Cycles = "cycles": "a search for cycles: ltl, never claim, acceptance, progress" in Goal,
    Dfs = "dfs": "depth-first search" in Search,
    Bfs = "bfs": "breadth-first search" in Search,
    DepthLimited = "depth-limited": "depth-limited search" in Search,
    Stateless = "stateless": "stateless search" in Search,
    NestedDfs = "nested-dfs": "nested depth-first search" in Search,
    WeakDfs = "weak-dfs": "depth-first search for cycles of a weak automaton" in Search,
    Scc = "scc": "search for strongly connected components" in Search,
    Owcty = "owcty": "breadth-first cycle elimination" in Search,
    Shortest = "--shortest": "shortest counterexamples" in Length,
    Plain = "plain": "the plain store" in Store,
    Tree = "tree": "the tree store" in Store,
    Compact = "compact": "hash compaction" in Store,
    Bitstate = "bitstate": "bitstate hashing" in Store,
    Collapse = "collapse": "collapse compression" in Form,
    PartialOrder = "partial order": "partial-order reduction" in Order,
    SleepSets = "sleep sets": "sleep sets" in Sleep,
    Symmetry = "symmetry": "symmetry reduction" in Symmetry,
    NotCanonical = "sorted representatives": "representatives that are not canonical" in Canon,
    WeakFairness = "weak fairness": "weak fairness" in Fairness,
    StrongFairness = "strong fairness": "strong fairness" in Fairness,
    Checkpoint = "--checkpoint": "saving and resuming" in Saving,
    Swarm = "--swarm": "a swarm of bitstate searches" in Swarm,
    CheckPor = "--check-por": "checking partial-order reduction by brute force" in Check,
    CheckSymmetry = "--check-symmetry": "checking symmetry reduction by brute force" in CheckOrbit,
    Generalised = "several acceptance sets": "an automaton with several acceptance sets" in Fact,
    StepCounting = "formula that counts steps": "a formula that is not stutter-invariant" in Fact,
    NeverClaim = "never claim": "a hand-written never claim" in Fact,
    TraceAssertion = "trace assertion": "a trace or notrace assertion" in Fact,
    RendezvousUnless = "rendezvous and unless": "rendezvous channels and unless" in Fact,
    Priorities = "priorities": "process priorities" in Fact,
    Last = "_last": "the variable _last" in Fact,
    Enabled = "enabled()": "enabled()" in Fact,
    PcValue = "pc_value()": "pc_value()" in Fact,
    Timeout = "timeout": "timeout" in Fact,
    GlobalAtom = "global atom": "a property that observes all processes" in Fact,
}

impl Serialize for Feature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A set of features.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct FeatureSet(u64);

impl FeatureSet {
    /// The set of these.
    pub fn of(features: &[Feature]) -> FeatureSet {
        let mut set = FeatureSet::default();
        for &feature in features {
            set.insert(feature);
        }
        set
    }

    /// Add one.
    pub fn insert(&mut self, feature: Feature) {
        self.0 |= 1 << feature as u32;
    }

    /// Add one if a condition holds.
    pub fn insert_if(&mut self, condition: bool, feature: Feature) {
        if condition {
            self.insert(feature);
        }
    }

    /// The same set and one more.
    pub fn with(mut self, feature: Feature) -> FeatureSet {
        self.insert(feature);
        self
    }

    /// The same set but for one.
    pub fn without(self, feature: Feature) -> FeatureSet {
        FeatureSet(self.0 & !(1 << feature as u32))
    }

    /// Whether it has one.
    pub fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u32 & 1 == 1
    }

    /// All of them, in their order.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.iter().copied().filter(move |&f| self.has(f))
    }
}

impl fmt::Debug for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
