//! The arguments of `spinor check`, and what they mean to the library.

use std::path::PathBuf;
use std::time::Duration;

use checker::options::{
    Backend, ErrorPolicy, Fairness, Options, Por, PorCorrection, PropertyOptions, Search,
    SearchOptions, SourceOptions, Store, Symmetry, SymmetryFairness,
};
use checker::units;
use clap::ValueEnum;

use crate::color::Color;
use crate::names::named;
use crate::source::SourceArgs;

const AFTER_HELP: &str = "\
Exit status:
  0  every property holds, and the search was complete
  1  a property is violated
  2  invalid usage or an invalid model
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
    /// The model: a Promela file, or - for standard input.
    pub model: PathBuf,
    /// What to check, and how.
    #[command(flatten)]
    pub check: CheckArgs,
    /// What to print.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What to check, and how.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Options of the preprocessor.
    #[command(flatten)]
    pub source: SourceArgs,
    /// A send to a full channel loses its message instead of blocking.
    #[arg(long, help_heading = "Model")]
    pub lossy_channels: bool,
    /// The properties.
    #[command(flatten)]
    pub properties: PropertyArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
}

impl CheckArgs {
    /// How to read the model.
    pub fn source(&self) -> SourceOptions {
        SourceOptions {
            formulas: self.properties.ltl_formula.clone(),
            lossy_channels: self.lossy_channels,
            ..self.source.options()
        }
    }

    /// What to check, and how.
    pub fn options(&self) -> Options {
        Options {
            properties: self.properties.options(),
            search: self.search.options(),
        }
    }
}

/// The properties to check; none means all of the model.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Properties [default: all that the model states]")]
pub struct PropertyArgs {
    /// Assertions, invalid end states, array bounds, channel claims, run-time errors.
    #[arg(long)]
    pub safety: bool,
    /// The `ltl` property with this name; repeatable.
    #[arg(long, value_name = "NAME")]
    pub ltl: Vec<String>,
    /// A formula that is not in the model; repeatable.
    #[arg(long, value_name = "FORMULA")]
    pub ltl_formula: Vec<String>,
    /// The `never` claim.
    #[arg(long)]
    pub never: bool,
    /// Acceptance cycles: executions that visit an accept label infinitely often.
    #[arg(long)]
    pub acceptance: bool,
    /// Non-progress cycles: executions that visit progress labels only finitely often.
    #[arg(long)]
    pub progress_cycles: bool,
}

impl PropertyArgs {
    fn options(&self) -> PropertyOptions {
        PropertyOptions {
            safety: self.safety,
            ltl: self.ltl.clone(),
            formulas: self.ltl_formula.clone(),
            never: self.never,
            acceptance: self.acceptance,
            progress_cycles: self.progress_cycles,
        }
    }
}

/// How to search, and how long.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Stop at the first violation of any property.
    #[arg(long, conflicts_with_all = ["max_errors", "all_errors"])]
    pub stop_at_first: bool,
    /// Count all violations, and give a counterexample for each property and place.
    #[arg(long, conflicts_with = "max_errors")]
    pub all_errors: bool,
    /// Stop each search after N violations.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_errors: Option<u64>,
    /// Search the plain state space, without any reduction.
    #[arg(long)]
    pub no_reduction: bool,
    /// Turn off collapse compression (slower; the counts stay the same).
    #[arg(long)]
    pub no_collapse: bool,
    /// Partial-order reduction: skip interleavings of independent steps
    /// [default: auto, or none with --no-reduction].
    #[arg(long, value_name = "METHOD", value_parser = named::<Por>())]
    pub por: Option<Por>,
    /// When a process that is ready to receive on a rendezvous channel counts as observed.
    #[arg(long, value_name = "HOW", value_parser = named::<PorCorrection>(), default_value = "dynamic")]
    pub por_correction: PorCorrection,
    /// Check the partial-order reduction in every state by brute force; for small models.
    #[arg(long)]
    pub check_por: bool,
    /// Check the symmetry reduction in every state by brute force; for small models.
    #[arg(long)]
    pub check_symmetry: bool,
    /// Symmetry reduction: identify states that differ only by a permutation of identical processes
    /// [default: auto, or none with --no-reduction].
    #[arg(long, value_name = "STRATEGY", value_parser = named::<Symmetry>())]
    pub symmetry: Option<Symmetry>,
    /// How to search for weakly fair cycles under symmetry reduction.
    #[arg(long, value_name = "HOW", value_parser = named::<SymmetryFairness>(), default_value = "exact")]
    pub symmetry_fairness: SymmetryFairness,
    /// The search algorithm [default: dfs for safety; for cycles, one that suits the property].
    #[arg(long, value_name = "ALGORITHM", value_parser = named::<Search>())]
    pub search: Option<Search>,
    /// Find shortest counterexamples; a depth-first search lowers its depth limit with each one.
    #[arg(long)]
    pub shortest: bool,
    /// How visited states are stored [default: plain, or bitstate with --swarm].
    #[arg(long, value_name = "STORE", value_parser = named::<Store>())]
    pub store: Option<Store>,
    /// The number of bits that each state sets in a bitstate store.
    #[arg(long, value_name = "K", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=16))]
    pub hash_functions: u32,
    /// Run N bitstate searches that differ in hash functions, order and depth.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub swarm: Option<u32>,
    /// How the model is executed.
    #[arg(long, value_name = "BACKEND", value_parser = named::<Backend>(), default_value = "jit")]
    pub backend: Backend,
    /// Which executions count in a search for cycles.
    #[arg(long, value_name = "FAIRNESS", value_parser = named::<Fairness>(), default_value = "none")]
    pub fairness: Fairness,
    /// The number of threads; more than one is not available yet.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: u32,
    /// Search no deeper than N steps.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub depth: Option<u64>,
    /// The memory limit for states and stack, for example 512M or 4G; with a bitstate store, the
    /// size of its bit array [default: most of what is free; 512M for bitstate].
    #[arg(long, value_name = "SIZE", value_parser = units::parse_size)]
    pub memory: Option<u64>,
    /// The time limit for the whole check, for example 10s or 5m.
    #[arg(long, value_name = "DURATION", value_parser = units::parse_duration)]
    pub time: Option<Duration>,
    /// Save the search in this file every ten minutes and when it ends early.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Resume the search that was saved in this file.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

impl SearchArgs {
    fn options(&self) -> SearchOptions {
        SearchOptions {
            errors: match (self.stop_at_first, self.all_errors, self.max_errors) {
                (true, ..) => ErrorPolicy::StopAtFirst,
                (_, true, _) => ErrorPolicy::All,
                (_, _, Some(count)) => ErrorPolicy::Count(count),
                (false, false, None) => ErrorPolicy::EachProperty,
            },
            no_reduction: self.no_reduction,
            collapse: !self.no_collapse,
            por: self.por,
            por_correction: self.por_correction,
            check_por: self.check_por,
            symmetry: self.symmetry,
            check_symmetry: self.check_symmetry,
            symmetry_fairness: self.symmetry_fairness,
            search: self.search,
            shortest: self.shortest,
            store: self.store,
            hash_functions: self.hash_functions,
            swarm: self.swarm,
            backend: self.backend,
            fairness: self.fairness,
            depth: self.depth,
            memory: self.memory,
            time: self.time,
            checkpoint: self.checkpoint.clone(),
            resume: self.resume.clone(),
        }
    }
}

/// What to print, and where.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Human-readable text, one JSON object at the end, or one JSON object per event.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Where to write counterexamples: a directory, or the file for the first one
    /// [default: MODEL.PROPERTY.trace.json in the current directory].
    #[arg(long, value_name = "PATH")]
    pub trace: Option<PathBuf>,
    /// Also write the first counterexample as a Spin trail.
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Print only warnings, violations and the verdict.
    #[arg(long, short)]
    pub quiet: bool,
    /// Print a progress line to standard error this often, for example every 10s, even if it is
    /// not a terminal.
    #[arg(long, value_name = "DURATION", value_parser = interval)]
    pub report: Option<Duration>,
    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Human-readable text.
    Human,
    /// One JSON object at the end.
    Json,
    /// One JSON object per line and event; the report comes last.
    Jsonl,
}

fn threads(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(1) => Ok(1),
        Ok(0) => Err("there must be at least one thread".to_owned()),
        Ok(_) => Err("more than one thread is not available yet".to_owned()),
        Err(_) => Err("expected a number".to_owned()),
    }
}

/// A duration that something can be repeated after.
fn interval(text: &str) -> Result<Duration, String> {
    match units::parse_duration(text)? {
        Duration::ZERO => Err("the interval must be positive".to_owned()),
        interval => Ok(interval),
    }
}
