//! Measures the speed of spinor and of Spin's verifier side by side.
//!
//! The rounds of a model are interleaved: every round runs each engine once, so that a load
//! on the machine that comes and goes meets all of them. Of each engine the best round counts.

mod answer;
mod liveness;
mod long;
pub mod measure;
mod ours;
mod page;
mod reduction;
mod reference;
mod report;
mod set;
mod table;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;

use self::measure::Sample;
use self::ours::Run;
use self::reference::Verifier;
use self::set::{CONFIGS, Config, Entry, GROWTH, Kind, MODELS, Size};
use crate::cargo::build_spinor;

/// What to measure, and how often.
#[derive(Args)]
pub struct BenchArgs {
    /// Only these models.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    models: Vec<String>,
    /// Only these configurations of spinor.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    configs: Vec<String>,
    /// How often each engine searches each model.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only the small sizes, where preparation decides.
    #[arg(long)]
    small: bool,
    /// Also how the time per state grows, on a family with up to 28 million states.
    #[arg(long)]
    growth: bool,
    /// Searches for cycles instead, for liveness.
    #[arg(long, conflicts_with_all = ["configs", "growth"])]
    liveness: bool,
    /// What partial-order reduction saves and costs, instead.
    #[arg(long, conflicts_with_all = ["configs", "growth", "liveness"])]
    reduction: bool,
    /// Whether a search of a billion states slows down, instead; this takes eight minutes and 8 GiB.
    #[arg(long, conflicts_with_all = ["models", "configs", "growth", "liveness", "reduction"])]
    long: bool,
    /// How soon `spinor check` answers, instead.
    #[arg(long, conflicts_with_all = ["configs", "growth", "liveness", "reduction", "long", "small"])]
    answers: bool,
    /// Write the report to `docs/benchmarks.md`.
    #[arg(long)]
    write: bool,
    /// The binary [default: built from this workspace].
    #[arg(long, value_name = "PATH")]
    spinor: Option<PathBuf>,
}

/// The verifier of Spin on one model.
struct Reference {
    kind: Kind,
    /// CPU seconds of translation and compilation.
    preparation: f64,
    best: Sample,
}

/// Everything that was measured on one model.
struct Measured {
    name: &'static str,
    size: Size,
    references: Vec<Reference>,
    /// For each configuration, unless it does not exist or failed.
    ours: Vec<Option<Sample>>,
    /// What is not as it should be.
    notes: Vec<String>,
}

impl Kind {
    /// The name in tables.
    fn program(self) -> &'static str {
        match self {
            Kind::Exact => "pan",
            Kind::Bitstate => "pan-bitstate",
        }
    }
}

impl Measured {
    fn reference(&self, kind: Kind) -> Option<&Reference> {
        self.references.iter().find(|one| one.kind == kind)
    }
}

/// Measures, and prints the report; false if some numbers disagree.
pub fn run(args: &BenchArgs) -> io::Result<bool> {
    let spinor = match &args.spinor {
        Some(path) => std::path::absolute(path)?,
        None => build_spinor()?,
    };
    let reference = reference::versions();
    if reference.is_none() {
        eprintln!("there is no spin or no gcc: only spinor is measured");
    }
    if args.liveness {
        run_liveness(args, spinor, reference)
    } else if args.reduction {
        run_reduction(args, spinor)
    } else if args.long {
        run_long(args, &spinor)
    } else if args.answers {
        run_answers(args, &spinor)
    } else {
        run_safety(args, spinor, reference)
    }
}

fn run_long(args: &BenchArgs, spinor: &Path) -> io::Result<bool> {
    let (section, worked) = long::run(spinor)?;
    print!("{section}");
    if args.write {
        page::write(page::Part::Long, &section)?;
    }
    Ok(worked)
}

fn run_answers(args: &BenchArgs, spinor: &Path) -> io::Result<bool> {
    let (section, worked) = answer::run(spinor, &select_models(args)?, args.runs)?;
    print!("{section}");
    if args.write {
        page::write(page::Part::Answers, &section)?;
    }
    Ok(worked)
}

fn run_reduction(args: &BenchArgs, spinor: PathBuf) -> io::Result<bool> {
    let bench = reduction::Bench {
        spinor,
        runs: args.runs,
        small: args.small,
        models: select_models(args)?,
    };
    let (section, worked) = bench.run()?;
    print!("{section}");
    if args.write {
        page::write(page::Part::Reduction, &section)?;
    }
    Ok(worked)
}

fn run_liveness(args: &BenchArgs, spinor: PathBuf, reference: Option<String>) -> io::Result<bool> {
    let bench = liveness::Bench {
        spinor,
        reference,
        runs: args.runs,
        small: args.small,
        models: args.models.clone(),
    };
    let (section, agreed) = bench.run()?;
    print!("{section}");
    if args.write {
        page::write(page::Part::Liveness, &section)?;
    }
    Ok(agreed)
}

/// The models that are asked for.
fn select_models(args: &BenchArgs) -> io::Result<Vec<&'static Entry>> {
    let usual = |entry: &Entry| !entry.growth_only || args.growth;
    set::select(MODELS, &args.models, |entry| entry.name, usual).map_err(mistake)
}

fn mistake(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn run_safety(args: &BenchArgs, spinor: PathBuf, reference: Option<String>) -> io::Result<bool> {
    let mut models = select_models(args)?;
    if args.growth && !args.small {
        let wanted = |entry: &&Entry| {
            let selected = models.iter().any(|one| one.name == entry.name);
            selected || GROWTH.contains(&entry.name)
        };
        models = MODELS.iter().filter(wanted).collect();
    }
    let configs =
        set::select(CONFIGS, &args.configs, |config| config.name, |_| true).map_err(mistake)?;
    let bench = Bench {
        available: available(&spinor, &configs)?,
        spinor,
        reference,
        configs,
        runs: args.runs,
    };

    let (mut full, mut small) = (Vec::new(), Vec::new());
    for entry in models {
        if !args.small {
            full.push(bench.measure(entry, entry.full)?);
        }
        if let Some(size) = entry.small {
            small.push(bench.measure(entry, size)?);
        }
    }
    let report = report::render(&bench.configs, &full, &small);
    let page = format!("{}\n{report}", bench.introduction());
    print!("{page}");
    if args.write {
        page::write(page::Part::Safety, &page)?;
    }
    Ok(full.iter().chain(&small).all(|one| one.notes.is_empty()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn file(entry: &Entry) -> io::Result<PathBuf> {
    fs::canonicalize(root().join("models/bench").join(entry.file))
}

/// Which configurations the binary has, found out on a small model.
fn available(spinor: &Path, configs: &[&Config]) -> io::Result<Vec<bool>> {
    let entry = &MODELS[0];
    let (model, size) = (file(entry)?, entry.small.unwrap_or(entry.full));
    let exists = |config: &&Config| {
        let run = ours::run(spinor, &model, size, config)?;
        if run == Run::Refused {
            eprintln!("{} is not available", config.name);
        }
        Ok(run != Run::Refused)
    };
    configs.iter().map(exists).collect()
}

/// What all models have in common.
struct Bench<'a> {
    spinor: PathBuf,
    /// The versions of Spin and its compiler, if they are there.
    reference: Option<String>,
    configs: Vec<&'a Config>,
    /// For each configuration, whether the binary has it.
    available: Vec<bool>,
    runs: u32,
}

impl Bench<'_> {
    /// The verifiers to compare with; the exact one gives the numbers that must agree.
    fn verifiers(&self) -> Vec<Kind> {
        let mut configs = self.configs.iter().zip(&self.available);
        let bits = configs.any(|(config, exists)| *exists && config.reference == Kind::Bitstate);
        match &self.reference {
            None => Vec::new(),
            Some(_) if bits => vec![Kind::Exact, Kind::Bitstate],
            Some(_) => vec![Kind::Exact],
        }
    }

    /// Measures one size of a model.
    fn measure(&self, entry: &Entry, size: Size) -> io::Result<Measured> {
        let model = file(entry)?;
        let mut verifiers = Vec::new();
        for kind in self.verifiers() {
            verifiers.push((kind, Verifier::prepare(&model, size, kind)?));
        }
        let mut searched: Vec<Option<Sample>> = vec![None; verifiers.len()];
        let mut ours: Vec<Option<Sample>> = vec![None; self.configs.len()];
        let mut works = self.available.clone();
        let mut notes = Vec::new();
        for round in 1..=self.runs {
            let tell = |engine: &str, sample: &Sample| {
                let (name, stored, runs) = (entry.name, size.stored, self.runs);
                let cpu = sample.cpu;
                eprintln!("{name} ({stored}), round {round}/{runs}, {engine}: {cpu:.2} s");
            };
            for (best, (kind, verifier)) in searched.iter_mut().zip(&verifiers) {
                let sample = verifier.search()?;
                tell(kind.program(), &sample);
                *best = Some(sample.best(*best));
            }
            for (column, config) in self.configs.iter().enumerate() {
                if !works[column] {
                    continue;
                }
                let failure = match ours::run(&self.spinor, &model, size, config)? {
                    Run::Done(sample) => {
                        tell(config.name, &sample);
                        ours[column] = Some(sample.best(ours[column]));
                        continue;
                    }
                    Run::Refused => "refused".to_owned(),
                    Run::Failed(reason) => reason,
                };
                let note = format!("{}, {}: {failure}", entry.name, config.name);
                eprintln!("{note}");
                notes.push(note);
                works[column] = false;
                ours[column] = None;
            }
        }
        let references: Vec<Reference> = verifiers
            .iter()
            .zip(searched)
            .filter_map(|((kind, verifier), best)| {
                Some(Reference {
                    kind: *kind,
                    preparation: verifier.preparation,
                    best: best?,
                })
            })
            .collect();
        let mut measured = Measured {
            name: entry.name,
            size,
            references,
            ours,
            notes,
        };
        let found = disagreements(&measured, &self.configs);
        measured.notes.extend(found);
        Ok(measured)
    }

    /// How it was measured.
    fn introduction(&self) -> String {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let reference = match &self.reference {
            Some(versions) => format!("{versions} and spinor"),
            None => "spinor".to_owned(),
        };
        let rounds = match self.runs {
            1 => "one round".to_owned(),
            runs => format!("best of {runs} interleaved rounds"),
        };
        let text = format!(
            "Measured by `cargo xtask bench` with {reference} {}, one thread each, on a machine \
             with {cores} cores shared with other work ({rounds}). Times are CPU seconds of whole \
             processes. Both engines search the full state space for safety errors without \
             reduction, and so see the same states and transitions. Spin: `spin -o1 -o2 -o3 -a`, \
             `gcc -O3 -DNOREDUCE -DSAFETY`, and `pan` with about one hash table slot per state and \
             the smallest sufficient stack. spinor: `spinor check --safety --no-reduction \
             --all-errors`. Bitstate searches are compared with `pan` compiled with `-DBITSTATE` \
             and run with `-k3` and at least 64 bits per state. Ratios come from one run on one \
             machine; above 1, spinor is better. Differences below 15 % are noise. `-` marks \
             missing measurements. The models are in `models/bench`.",
            env!("CARGO_PKG_VERSION")
        );
        format!("# Benchmarks\n\n{}", table::wrap(&text))
    }
}

/// Where the numbers of searches are not what they must be.
fn disagreements(measured: &Measured, configs: &[&Config]) -> Vec<String> {
    let mut notes = Vec::new();
    let known = measured.size.stored;
    let exact = measured.reference(Kind::Exact).map(|one| one.best);
    let mut note = |engine: &str, what: &str, number: u64, expected: u64| {
        if number != expected {
            let name = measured.name;
            notes.push(format!(
                "{name}, {engine}: {number} {what} instead of {expected}"
            ));
        }
    };
    if let Some(pan) = exact {
        note(Kind::Exact.program(), "states", pan.stored, known);
    }
    for (config, sample) in configs.iter().zip(&measured.ours) {
        if let Some(sample) = sample.filter(|_| config.exact) {
            note(config.name, "states", sample.stored, known);
            if let Some(pan) = exact {
                let steps = sample.transitions;
                note(config.name, "transitions", steps, pan.transitions);
            }
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_searches_must_agree() {
        let sample = Sample {
            stored: MODELS[0].full.stored,
            transitions: 10,
            cpu: 1.0,
            search: 1.0,
            peak: 1,
            states: 1,
        };
        let less = Sample {
            transitions: 9,
            ..sample
        };
        let configs: Vec<&Config> = CONFIGS.iter().collect();
        let of = |ours: Sample| {
            let measured = Measured {
                name: "m",
                size: MODELS[0].full,
                references: vec![Reference {
                    kind: Kind::Exact,
                    preparation: 0.0,
                    best: sample,
                }],
                ours: configs.iter().map(|_| Some(ours)).collect(),
                notes: Vec::new(),
            };
            disagreements(&measured, &configs)
        };
        assert!(of(sample).is_empty());
        let notes = of(less);
        assert_eq!(notes.len(), configs.iter().filter(|c| c.exact).count());
        assert_eq!(notes[0], "m, bfs-plain: 9 transitions instead of 10");
    }
}
