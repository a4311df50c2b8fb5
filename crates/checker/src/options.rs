//! What a caller may ask for. Nothing here knows a command line.

use std::path::PathBuf;
use std::time::Duration;

use promela::lint::{Lint, Lints};
use reduce::orbit::Strategy;

/// A choice that people make by its name.
pub trait Named: Copy + PartialEq + Send + Sync + 'static {
    /// Every choice, in the order of the manual.
    const ALL: &'static [Self];

    /// Its name, as options and reports write it.
    fn name(self) -> &'static str;

    /// What it does, in one line.
    fn description(self) -> &'static str;

    /// The choice with this name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.name() == name)
    }
}

/// An enumeration whose variants have a name and a description, which is also their doc comment.
macro_rules! named {
    ($(#[$meta:meta])* $type:ident { $($variant:ident = $name:literal: $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $(#[doc = $text] $variant,)*
        }

        impl Named for $type {
            const ALL: &'static [$type] = &[$($type::$variant),*];

            fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }

            fn description(self) -> &'static str {
                match self { $($type::$variant => $text),* }
            }
        }
    };
}

impl Named for Lint {
    const ALL: &'static [Lint] = &Lint::ALL;

    fn name(self) -> &'static str {
        Lint::name(self)
    }

    fn description(self) -> &'static str {
        Lint::description(self)
    }
}

named! {
    /// A search algorithm that can be asked for: the first four for safety, the others for cycles.
    Search {
        Dfs = "dfs": "Depth-first search",
        Bfs = "bfs": "Breadth-first search: shortest counterexamples",
        DepthLimited = "depth-limited": "Depth-first search that is complete up to the depth limit",
        Stateless = "stateless": "Depth-first search that stores only the current path",
        NestedDfs = "nested-dfs": "Cycles: nested depth-first search",
        Scc = "scc": "Cycles: strongly connected components, on the fly",
        Owcty = "owcty": "Cycles: breadth-first cycle elimination, short counterexamples",
    }
}

named! {
    /// Partial-order reduction.
    Por {
        None = "none": "No partial-order reduction",
        Ample = "ample": "Ample sets of single processes, found statically",
        Cluster = "cluster": "Ample sets of process clusters",
        Stubborn = "stubborn": "The smallest ample sets the current state permits",
        Sleep = "sleep": "Sleep sets: every state, fewer transitions (safety, dfs)",
        SleepAmple = "sleep+ample": "Sleep sets with `ample`",
        SleepCluster = "sleep+cluster": "Sleep sets with `cluster`",
        SleepStubborn = "sleep+stubborn": "Sleep sets with `stubborn`",
        Auto = "auto": "`stubborn` where it is sound, with bounded effort",
    }
}

impl Por {
    /// Whether it uses sleep sets.
    pub fn sleeps(self) -> bool {
        use Por::{Sleep, SleepAmple, SleepCluster, SleepStubborn};
        matches!(self, Sleep | SleepAmple | SleepCluster | SleepStubborn)
    }
}

named! {
    /// When a process that is ready to receive on a rendezvous channel counts as observed.
    PorCorrection {
        Static = "static": "If any process has a statement that observes it",
        Dynamic = "dynamic": "If a process can still reach such a statement",
    }
}

named! {
    /// Symmetry reduction: which state represents its orbit.
    Symmetry {
        None = "none": "No symmetry reduction",
        Full = "full": "The least state over all permutations",
        Sorted = "sorted": "Sorted by an array indexed by process: fast, not canonical",
        Segmented = "segmented": "The least state among those sorted by an array",
        PcSorted = "pc-sorted": "Sorted by control state: fast, not canonical",
        PcSegmented = "pc-segmented": "The least state among those sorted by control state",
        Auto = "auto": "Canonical, by partition refinement, where it is sound",
    }
}

impl Symmetry {
    /// How representatives are computed.
    pub fn strategy(self) -> Option<Strategy> {
        match self {
            Symmetry::None => None,
            Symmetry::Full => Some(Strategy::Full),
            Symmetry::Sorted => Some(Strategy::Sorted),
            Symmetry::Segmented => Some(Strategy::Segmented),
            Symmetry::PcSorted => Some(Strategy::PcSorted),
            Symmetry::PcSegmented => Some(Strategy::PcSegmented),
            Symmetry::Auto => Some(Strategy::Refined),
        }
    }
}

named! {
    /// How weakly fair cycles are searched for under symmetry reduction.
    SymmetryFairness {
        Exact = "exact": "Finds every fair cycle",
        Light = "light": "May miss cycles: a violation is real, but finding none proves nothing",
    }
}

named! {
    /// How visited states are stored.
    Store {
        Plain = "plain": "Every state, uncompressed",
        Tree = "tree": "Every state, tree-compressed: the least memory for an exact answer",
        Compact = "compact": "A 64-bit hash per state",
        Bitstate = "bitstate": "A few bits per state, in an array of fixed size",
    }
}

named! {
    /// What executes the model.
    Backend {
        Jit = "jit": "Machine code, compiled at run time",
        Interp = "interp": "The interpreter",
    }
}

named! {
    /// Which executions count in a search for cycles.
    Fairness {
        None = "none": "All executions",
        Weak = "weak": "A process that stays enabled eventually moves",
        Strong = "strong": "A process that is enabled infinitely often moves infinitely often",
    }
}

impl From<Fairness> for space::Fairness {
    fn from(fairness: Fairness) -> space::Fairness {
        match fairness {
            Fairness::None => space::Fairness::None,
            Fairness::Weak => space::Fairness::Weak,
            Fairness::Strong => space::Fairness::Strong,
        }
    }
}

/// When violations end a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorPolicy {
    /// When every property that the search decides is violated: one counterexample for each.
    #[default]
    EachProperty,
    /// At the first violation of any property, and no other search starts.
    StopAtFirst,
    /// After so many violations in a search.
    Count(u64),
    /// Never: count them all.
    All,
}

/// Options of the preprocessor and the front end.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Directories to search for included files.
    pub include: Vec<PathBuf>,
    /// Formulas that are not in the model but are checked with it.
    pub formulas: Vec<String>,
    /// A send to a full channel loses its message instead of blocking.
    pub lossy_channels: bool,
    /// The lints that are on.
    pub lints: Lints,
}

/// The properties to check; with none named, all that the model states.
#[derive(Clone, Debug, Default)]
pub struct PropertyOptions {
    /// Assertions, invalid end states, array bounds, channel claims, run-time errors.
    pub safety: bool,
    /// `ltl` properties, by name.
    pub ltl: Vec<String>,
    /// Formulas that were given with [`SourceOptions::formulas`], by their text.
    pub formulas: Vec<String>,
    /// The `never` claim.
    pub never: bool,
    /// Acceptance cycles.
    pub acceptance: bool,
    /// Non-progress cycles.
    pub progress_cycles: bool,
}

impl PropertyOptions {
    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        !self.safety
            && self.ltl.is_empty()
            && self.formulas.is_empty()
            && !self.never
            && !self.acceptance
            && !self.progress_cycles
    }
}

/// How to search, and within which limits.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// When violations end a search.
    pub errors: ErrorPolicy,
    /// Search the plain state space: no reduction unless it is named.
    pub no_reduction: bool,
    /// Whether collapse compression may be used.
    pub collapse: bool,
    /// Partial-order reduction; `auto` unless named, or `none` with `no_reduction`.
    pub por: Option<Por>,
    /// When readiness to receive counts as observed.
    pub por_correction: PorCorrection,
    /// Check the partial-order reduction by brute force.
    pub check_por: bool,
    /// Symmetry reduction; `auto` unless named, or `none` with `no_reduction`.
    pub symmetry: Option<Symmetry>,
    /// Check the symmetry reduction by brute force.
    pub check_symmetry: bool,
    /// How weakly fair cycles are searched for under symmetry.
    pub symmetry_fairness: SymmetryFairness,
    /// The algorithm; chosen by the plan unless named.
    pub search: Option<Search>,
    /// Find shortest counterexamples.
    pub shortest: bool,
    /// The store; `plain` unless named.
    pub store: Option<Store>,
    /// Bits that a state sets in a bitstate store.
    pub hash_functions: u32,
    /// The number of diversified bitstate searches.
    pub swarm: Option<u32>,
    /// What executes the model.
    pub backend: Backend,
    /// Which executions count.
    pub fairness: Fairness,
    /// Search no deeper than this.
    pub depth: Option<u64>,
    /// The most bytes for states and stack; the size of the array of a bitstate store.
    pub memory: Option<u64>,
    /// The most time for everything, loading included.
    pub time: Option<Duration>,
    /// Save the search in this file periodically and when it ends early.
    pub checkpoint: Option<PathBuf>,
    /// Resume the search saved in this file.
    pub resume: Option<PathBuf>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            errors: ErrorPolicy::default(),
            no_reduction: false,
            collapse: true,
            por: None,
            por_correction: PorCorrection::Dynamic,
            check_por: false,
            symmetry: None,
            check_symmetry: false,
            symmetry_fairness: SymmetryFairness::Exact,
            search: None,
            shortest: false,
            store: None,
            hash_functions: 3,
            swarm: None,
            backend: Backend::Jit,
            fairness: Fairness::None,
            depth: None,
            memory: None,
            time: None,
            checkpoint: None,
            resume: None,
        }
    }
}

impl SearchOptions {
    /// The partial-order reduction to try.
    pub fn por(&self) -> Por {
        self.por.unwrap_or(match self.no_reduction {
            true => Por::None,
            false => Por::Auto,
        })
    }

    /// The symmetry reduction to try.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry.unwrap_or(match self.no_reduction {
            true => Symmetry::None,
            false => Symmetry::Auto,
        })
    }

    /// Whether a search is saved or resumed.
    pub fn uses_checkpoints(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}

/// Everything a caller may ask of a check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What to check.
    pub properties: PropertyOptions,
    /// How.
    pub search: SearchOptions,
}
