//! The arguments of `spinor check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use reduce::orbit::Strategy;

use crate::load::SourceOptions;
use crate::plan::PropertyOptions;
use crate::progress::Show;
use crate::report::style::Color;
use crate::units;

const AFTER_HELP: &str = "\
Exit status:
  0  every property holds, and the search was complete
  1  a property is violated
  2  bad usage or a bad model
  3  inconclusive: a limit, an interrupt, a lossy store
  4  internal error

Examples:
  spinor check peterson.pml
  spinor check peterson.pml --safety --all-errors --format json
  spinor check ring.pml -D N=5 --memory 4G --time 10m";

/// Arguments of `spinor check`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The model: a Promela file.
    pub model: PathBuf,
    /// Options of the preprocessor.
    #[command(flatten)]
    pub source: SourceOptions,
    /// A send to a full channel loses its message instead of waiting.
    #[arg(long, help_heading = "Model")]
    pub lossy_channels: bool,

    /// The properties.
    #[command(flatten)]
    pub properties: PropertyOptions,

    /// How to search.
    #[command(flatten)]
    pub search: SearchOptions,
    /// What to print.
    #[command(flatten)]
    pub output: OutputOptions,
}

/// How to search, and how long.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub struct SearchOptions {
    /// Go on after a violation and count them all.
    #[arg(long, conflicts_with = "max_errors")]
    pub all_errors: bool,
    /// End after this many violations.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..), hide_default_value = true)]
    pub max_errors: u64,
    /// Search the plain state space, without any reduction.
    #[arg(long)]
    pub no_reduction: bool,
    /// Do not let states be the numbers of their parts: that is faster, and changes no figure.
    #[arg(long)]
    pub no_collapse: bool,
    /// Leave out executions that differ from others only in the order of independent steps
    /// [default: auto, or none with --no-reduction].
    #[arg(long, value_enum)]
    pub por: Option<Por>,
    /// When waiting to receive on a rendezvous channel counts as seen by others.
    #[arg(long, value_enum, default_value_t = PorCorrection::Dynamic)]
    pub por_correction: PorCorrection,
    /// Check the partial-order reduction in every state, by brute force: for small models.
    #[arg(long)]
    pub check_por: bool,
    /// Check the symmetry reduction in every state, by brute force: for small models.
    #[arg(long)]
    pub check_symmetry: bool,
    /// Take states for one that differ only in which process is which
    /// [default: auto, or none with --no-reduction].
    #[arg(long, value_enum, value_name = "STRATEGY")]
    pub symmetry: Option<SymmetryOption>,
    /// How weakly fair cycles are looked for under symmetry.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = SymmetryFairness::Exact)]
    pub symmetry_fairness: SymmetryFairness,
    /// The algorithm [default: dfs for safety, for cycles what fits the property].
    #[arg(long, value_enum)]
    pub search: Option<Search>,
    /// Find shortest counterexamples. Depth-first: each one found shrinks the depth limit.
    #[arg(long)]
    pub shortest: bool,
    /// How visited states are kept.
    #[arg(long, value_enum, default_value_t = Store::Plain)]
    pub store: Store,
    /// The number of bits of a state in the bitstate store.
    #[arg(long, value_name = "K", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=16))]
    pub hash_functions: u32,
    /// Make N bitstate searches that differ in hash functions, order and depth.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub swarm: Option<u32>,
    /// What executes the model.
    #[arg(long, value_enum, default_value_t = Backend::Jit)]
    pub backend: Backend,
    /// Which executions count as fair.
    #[arg(long, value_enum, default_value_t = Fairness::None)]
    pub fairness: Fairness,
    /// The number of threads; more than 1 is not available yet.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: u32,
    /// Go no deeper than N steps.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub depth: Option<u64>,
    /// Use no more memory than this for states and stack, for example 512M or 4G
    /// [default: most of what is free].
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size)]
    pub memory: Option<u64>,
    /// Search no longer than this, for example 10s or 5m.
    #[arg(long, value_name = "DURATION", value_parser = units::parse_duration)]
    pub time: Option<Duration>,
    /// Write the search down in this file from time to time, and when it ends early.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Go on with the search that was written down in this file.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

/// What to print, and where.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputOptions {
    /// For people, or one JSON object for programs.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Where to write the counterexample [default: MODEL.trace.json, in the current directory].
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the counterexample as a Spin trail too.
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Print only violations and the verdict.
    #[arg(long, short)]
    pub quiet: bool,
    /// Write a line about the search to standard error this often, for example every 10s, also where
    /// that is no terminal.
    #[arg(long, value_name = "DURATION", value_parser = interval)]
    pub report: Option<Duration>,
    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

impl OutputOptions {
    /// What to show of a search under way.
    pub fn show(&self) -> Show {
        Show::new(self.report, self.quiet)
    }
}

/// The algorithm of a search: the first four for safety, the others for cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// Depth first.
    Dfs,
    /// Breadth first: shortest counterexamples.
    Bfs,
    /// Depth first, missing nothing within the depth limit.
    DepthLimited,
    /// Depth first without a store: only the path is remembered.
    Stateless,
    /// For cycles: depth first, with a second search from accepting states.
    NestedDfs,
    /// For cycles: depth first, by strongly connected components.
    Scc,
    /// For cycles: breadth first, with short counterexamples.
    Owcty,
}

impl Search {
    /// Whether it looks for cycles.
    pub fn is_for_cycles(self) -> bool {
        matches!(self, Search::NestedDfs | Search::Scc | Search::Owcty)
    }
}

/// Partial-order reduction: which sets of processes may go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Por {
    /// None: all steps are taken.
    None,
    /// Single processes whose statements are safe whatever the others do.
    Ample,
    /// Clusters of processes that have most to do with each other.
    Cluster,
    /// The smallest sets that the present state allows.
    Stubborn,
    /// Sleep sets: all states, but few steps to known ones. Safety, depth first.
    Sleep,
    /// Sleep sets, and `ample`.
    #[value(name = "sleep+ample")]
    SleepAmple,
    /// Sleep sets, and `cluster`.
    #[value(name = "sleep+cluster")]
    SleepCluster,
    /// Sleep sets, and `stubborn`.
    #[value(name = "sleep+stubborn")]
    SleepStubborn,
    /// The strongest one, where it is sound.
    Auto,
}

impl Por {
    /// Whether processes are put to sleep.
    pub fn sleeps(self) -> bool {
        use Por::{Sleep, SleepAmple, SleepCluster, SleepStubborn};
        matches!(self, Sleep | SleepAmple | SleepCluster | SleepStubborn)
    }
}

/// When waiting to receive on a rendezvous channel counts as seen by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PorCorrection {
    /// If a process has a statement that sees it.
    Static,
    /// If a process may still come to such a statement.
    Dynamic,
}

/// Symmetry reduction: which state stands for all that differ only in the names of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SymmetryOption {
    /// None: all states are told apart.
    None,
    /// The least of all permutations.
    Full,
    /// Sorted by an array with an element for each process: fast, but not always the same state.
    Sorted,
    /// The least of those that are sorted by an array.
    Segmented,
    /// Sorted by control states: fast, but not always the same state.
    PcSorted,
    /// The least of those that are sorted by control states.
    PcSegmented,
    /// Sorted by whatever tells processes apart, where it is sound.
    Auto,
}

impl SymmetryOption {
    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            SymmetryOption::None => "none",
            SymmetryOption::Full => "full",
            SymmetryOption::Sorted => "sorted",
            SymmetryOption::Segmented => "segmented",
            SymmetryOption::PcSorted => "pc-sorted",
            SymmetryOption::PcSegmented => "pc-segmented",
            SymmetryOption::Auto => "auto",
        }
    }

    /// How representatives are chosen.
    pub fn strategy(self) -> Option<Strategy> {
        match self {
            SymmetryOption::None => None,
            SymmetryOption::Full => Some(Strategy::Full),
            SymmetryOption::Sorted => Some(Strategy::Sorted),
            SymmetryOption::Segmented => Some(Strategy::Segmented),
            SymmetryOption::PcSorted => Some(Strategy::PcSorted),
            SymmetryOption::PcSegmented => Some(Strategy::PcSegmented),
            SymmetryOption::Auto => Some(Strategy::Refined),
        }
    }
}

/// How weakly fair cycles are looked for under symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SymmetryFairness {
    /// All are found.
    Exact,
    /// Some may be missed: what is found is real, that nothing is found proves nothing.
    Light,
}

/// How visited states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// All of them, as they are.
    Plain,
    /// All of them, as trees of shared parts: the least memory for a full answer.
    Tree,
    /// A hash of 64 bits of each.
    Compact,
    /// A few bits of each, in the memory that is given.
    Bitstate,
}

/// What executes the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// Machine code.
    Jit,
    /// The interpreter.
    Interp,
}

/// Which executions count as fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fairness {
    /// All.
    None,
    /// Those in which a process that can move all the time does move again and again.
    Weak,
    /// Those in which a process that can move again and again does so.
    Strong,
}

impl Fairness {
    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Fairness> {
        let all = [Fairness::None, Fairness::Weak, Fairness::Strong];
        all.into_iter().find(|fairness| fairness.name() == name)
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

/// The form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// One JSON object.
    Json,
}

fn threads(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(1) => Ok(1),
        Ok(0) => Err("there must be at least one thread".to_owned()),
        Ok(_) => Err("more than one thread is not available yet".to_owned()),
        Err(_) => Err("a number is expected".to_owned()),
    }
}

/// A duration that something can be repeated after.
fn interval(text: &str) -> Result<Duration, String> {
    match units::parse_duration(text)? {
        Duration::ZERO => Err("it must be longer than nothing".to_owned()),
        interval => Ok(interval),
    }
}
