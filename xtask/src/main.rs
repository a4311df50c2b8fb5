//! Developer commands: run the reference, compare with it, record what it says.

mod agreement;
mod bench;
mod cache;
mod cargo;
mod claim;
mod compare;
mod features;
mod files;
mod header;
mod ltl;
mod mutants;
mod outcome;
mod pan;
mod parallel;
mod por;
mod process;
mod question;
mod random;
mod record;
mod relation;
mod soak;
mod spin;
mod spinor;
mod test;
mod tokens;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, Parser, Subcommand};
use serde::Serialize;

use crate::cache::Cache;
use crate::outcome::Outcome;
use crate::spin::Runner;
use crate::spinor::Spinor;

/// Developer commands of spinor.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the tests of the workspace, several test binaries at the same time.
    Test {
        /// Only the tests whose names contain one of these.
        filters: Vec<String>,
        /// Test binaries to run at the same time [default: one for each core].
        #[arg(long)]
        jobs: Option<usize>,
    },
    /// Run the random tests again and again, with new seeds each time, until one fails.
    Soak {
        /// For how long.
        #[arg(long, value_name = "N", default_value_t = 60)]
        minutes: u64,
        /// The first seed; from the clock if it is not given.
        #[arg(long)]
        seed: Option<u64>,
        /// Tests to run at the same time [default: one for each core].
        #[arg(long)]
        jobs: Option<usize>,
    },
    /// Run Spin on models and print one JSON line each.
    Spin {
        /// Models, or directories with `.pml` files.
        #[arg(required = true)]
        models: Vec<PathBuf>,
        #[command(flatten)]
        reference: ReferenceArgs,
    },
    /// Run Spin and spinor on models and print where they differ, as `field: spin / spinor`.
    Compare {
        /// Models, or directories with `.pml` files.
        #[arg(required = true)]
        models: Vec<PathBuf>,
        #[command(flatten)]
        ours: SpinorArgs,
        #[command(flatten)]
        reference: ReferenceArgs,
    },
    /// Run Spin and spinor on generated models.
    Random {
        /// The seed of the first model; from the clock if it is not given.
        #[arg(long)]
        seed: Option<u64>,
        /// How many models.
        #[arg(long, default_value_t = 100)]
        count: u64,
        /// Write models on which the tools disagree to this directory, with both outcomes.
        #[arg(long, value_name = "DIR")]
        keep: Option<PathBuf>,
        #[command(flatten)]
        ours: SpinorArgs,
        #[command(flatten)]
        reference: ReferenceArgs,
    },
    /// Plant single-line faults in a copy of the tree: the random tests must find each.
    Mutants {
        /// Only those of these numbers.
        #[arg(long, value_name = "N", value_delimiter = ',')]
        only: Vec<usize>,
        /// How many random models a test looks at.
        #[arg(long, default_value_t = 1_000)]
        count: u64,
        /// The seed of the first.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write Spin's numbers into the headers of models.
    Record {
        /// Models, or directories with `.pml` files.
        #[arg(required = true)]
        models: Vec<PathBuf>,
        /// Compare the headers instead of writing them.
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        reference: ReferenceArgs,
    },
    /// Write the transition relation of a model to a file, see docs/relation.md.
    Relation(relation::RelationArgs),
    /// Measure spinor and Spin on the models of `models/bench` and print a report.
    Bench(bench::BenchArgs),
    /// Compare the states that Spin and spinor store with partial-order reduction, both without
    /// merging, in a table. Complains where the strongest reduction stores more than Spin's.
    Por {
        /// Models, or directories with `.pml` files.
        #[arg(required = true)]
        models: Vec<PathBuf>,
        #[command(flatten)]
        ours: SpinorArgs,
        #[command(flatten)]
        reference: ReferenceArgs,
    },
    /// Compare automata with the never claims of `spin -f`: what they accept, and their sizes.
    Ltl(ltl::LtlArgs),
}

/// How to run Spin.
#[derive(Args)]
struct ReferenceArgs {
    /// Time limit of each search of Spin, in seconds [default: 120, random: 20].
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// Memory limit of each search of Spin, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 6000)]
    memory: u64,
    /// Let Spin compress states without loss: more of a large model fits, slower.
    #[arg(long)]
    collapse: bool,
    /// Optimisation level of the C compiler [default: 1, random: 0].
    #[arg(long, value_name = "LEVEL")]
    optimise: Option<u8>,
    /// Keep the outcomes of Spin in this directory.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Models to work on at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// How to run spinor.
#[derive(Args)]
struct SpinorArgs {
    /// The binary [default: built from this workspace].
    #[arg(long, value_name = "PATH")]
    spinor: Option<PathBuf>,
    /// Time limit of spinor, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    spinor_time: u64,
    /// One more argument for `spinor check`, such as `--with=--backend=interp`.
    #[arg(long = "with", value_name = "ARG", allow_hyphen_values = true)]
    extra: Vec<String>,
    /// Only the verdict and the numbers of states and transitions must agree.
    #[arg(long)]
    lenient: bool,
    /// Ask about claims, formulas, acceptance and non-progress cycles, with and without weak
    /// fairness, instead of safety. Only the verdicts must agree.
    #[arg(long)]
    cycles: bool,
}

/// One line of `spin`.
#[derive(Serialize)]
struct Line<'a> {
    model: String,
    #[serde(flatten)]
    outcome: &'a Outcome,
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; false if it found something to complain about.
fn run(task: Task) -> io::Result<bool> {
    match task {
        Task::Test { filters, jobs } => test::run(&filters, jobs.unwrap_or_else(parallel::cores)),
        Task::Soak {
            minutes,
            seed,
            jobs,
        } => soak::run(&soak::Options {
            time: Duration::from_secs(60 * minutes),
            seed: seed.unwrap_or_else(clock_seed),
            jobs: jobs.unwrap_or_else(parallel::cores),
        }),
        Task::Spin { models, reference } => {
            let runner = reference.runner(120, 1)?;
            print_outcomes(&files::models(&models)?, &runner, reference.jobs)
        }
        Task::Compare {
            models,
            ours,
            reference,
        } => {
            let models = files::models(&models)?;
            let runner = reference.runner(120, 1)?;
            let spinor = ours.spinor()?;
            let questions = compare::questions(&models, ours.cycles)?;
            compare::run(&questions, &runner, &spinor, ours.lenient, reference.jobs)
        }
        Task::Mutants { only, count, seed } => mutants::run(&only, count, seed),
        Task::Random {
            seed,
            count,
            keep,
            ours,
            reference,
        } => {
            let runner = reference.runner(20, 0)?;
            let options = random::Options {
                seed: seed.unwrap_or_else(clock_seed),
                count,
                keep,
                lenient: ours.lenient,
                cycles: ours.cycles,
                jobs: reference.jobs,
            };
            random::run(&options, &runner, &ours.spinor()?)
        }
        Task::Record {
            models,
            check,
            reference,
        } => {
            let models = files::models(&models)?;
            record::run(&models, &reference.runner(120, 1)?, check, reference.jobs)
        }
        Task::Por {
            models,
            ours,
            reference,
        } => {
            let models = files::models(&models)?;
            let runner = reference.runner(120, 1)?;
            por::run(&models, &runner, &ours.spinor()?, reference.jobs)
        }
        Task::Relation(args) => relation::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Ltl(args) => ltl::run(&args),
    }
}

fn print_outcomes(models: &[PathBuf], runner: &Runner, jobs: usize) -> io::Result<bool> {
    let mut failure = None;
    parallel::in_order(
        models,
        jobs,
        |model| runner.run(model),
        |model, outcome| {
            let printed = outcome.and_then(|outcome| {
                let line = Line {
                    model: model.display().to_string(),
                    outcome: &outcome,
                };
                println!("{}", serde_json::to_string(&line)?);
                Ok(())
            });
            if let Err(error) = printed {
                failure = Some(error);
            }
        },
    );
    failure.map_or(Ok(true), Err)
}

impl ReferenceArgs {
    fn runner(&self, default_time: u64, default_optimise: u8) -> io::Result<Runner> {
        Ok(Runner {
            time: Duration::from_secs(self.time.unwrap_or(default_time)),
            megabytes: self.memory,
            optimise: self.optimise.unwrap_or(default_optimise),
            collapse: self.collapse,
            cache: self.cache.clone().map(Cache::open).transpose()?,
        })
    }
}

impl SpinorArgs {
    fn spinor(&self) -> io::Result<Spinor> {
        let program = match &self.spinor {
            // Each run has its own directory, so a relative path would lose its base.
            Some(path) => std::path::absolute(path)?,
            None => cargo::build_spinor()?,
        };
        Ok(Spinor {
            program,
            extra: self.extra.clone(),
            time: Duration::from_secs(self.spinor_time),
        })
    }
}

fn clock_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
