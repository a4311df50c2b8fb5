//! `ltl`: the sizes of our automata and of Spin's never claims.
//!
//! A state of a never claim is a label with what follows it; two labels in a row name one state,
//! and `accept_all` counts. Our automata are counted after degeneralisation, with one set of
//! accepting states, so that both could be printed as never claims.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use generate::Formulas;

use crate::parallel;
use crate::process::{self, Ending};

/// Where the patterns are.
const PATTERNS: &str = "crates/ltl/tests/patterns.txt";
/// Where Spin's numbers for them are.
const RECORDED: &str = "crates/ltl/tests/patterns.spin";
/// The total must be at most this part of Spin's, in percent.
const PERCENT: usize = 60;

/// Which formulas, and how to run Spin.
#[derive(Args)]
pub struct LtlArgs {
    /// How many random formulas, besides the patterns.
    #[arg(long, default_value_t = 500)]
    count: u64,
    /// The seed of the first random formula.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The command that knows `-f`. Only one that was compiled with NXT reads `X`.
    #[arg(long, default_value = "spin", value_name = "PATH")]
    spin: PathBuf,
    /// Time limit of Spin for each formula, in seconds.
    #[arg(long, default_value_t = 5, value_name = "SECONDS")]
    time: u64,
    /// Formulas to work on at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Write Spin's numbers for the patterns down, for the tests that run without Spin.
    #[arg(long)]
    record: bool,
    /// Print every formula.
    #[arg(long)]
    all: bool,
}

struct Item {
    name: String,
    formula: String,
}

/// What Spin said.
enum Claim {
    States(usize),
    /// It took too long, or more memory than there is.
    GaveUp,
    /// It does not know an operator.
    Refused,
}

struct Result {
    spin: Claim,
    generalised: usize,
    states: usize,
    took: Duration,
}

/// Compares the sizes; true if none of ours is larger and the total is small enough.
pub fn run(args: &LtlArgs) -> io::Result<bool> {
    let patterns = patterns(Path::new(PATTERNS))?;
    if args.record {
        return record(args, &patterns);
    }
    let random = random(args);
    println!("seed {} count {}", args.seed, args.count);
    let fine = compare(args, "patterns", &patterns)?;
    Ok(compare(args, "random", &random)? && fine)
}

/// The lines `name | formula`; the negation is translated, as it is to find counterexamples.
fn patterns(path: &Path) -> io::Result<Vec<Item>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let items = lines.filter_map(|line| {
        let (name, formula) = line.split_once(" | ")?;
        Some(Item {
            name: name.to_owned(),
            formula: format!("!({formula})"),
        })
    });
    Ok(items.collect())
}

fn random(args: &LtlArgs) -> Vec<Item> {
    let item = |seed: u64| {
        let shape = Formulas {
            operators: 3 + seed as usize % 6,
            atoms: 2 + seed as usize % 3,
            next: false,
        };
        Item {
            name: format!("seed {seed}"),
            formula: generate::formula(seed, shape),
        }
    };
    let seeds = args.seed..args.seed.wrapping_add(args.count);
    seeds.map(item).collect()
}

/// Prints one line for each formula of interest and the totals.
fn compare(args: &LtlArgs, title: &str, items: &[Item]) -> io::Result<bool> {
    let mut compared = 0;
    let mut without = 0;
    let (mut ours, mut generalised, mut theirs) = (0, 0, 0);
    let mut larger = 0;
    let mut slowest = Duration::ZERO;
    let mut failure = None;
    println!("\n{title}: states of Spin, of ours, of ours with sets on edges");
    parallel::in_order(
        items,
        args.jobs,
        |item| measure(args, item),
        |item, result| {
            let result = match result {
                Ok(result) => result,
                Err(error) => {
                    failure = Some(error);
                    return;
                }
            };
            slowest = slowest.max(result.took);
            let (word, is_larger) = match result.spin {
                Claim::States(states) => {
                    compared += 1;
                    ours += result.states;
                    generalised += result.generalised;
                    theirs += states;
                    (states.to_string(), result.states > states)
                }
                Claim::GaveUp | Claim::Refused => {
                    without += 1;
                    (result.spin.word().to_owned(), false)
                }
            };
            larger += usize::from(is_larger);
            if is_larger || args.all {
                let mark = if is_larger { "LARGER" } else { "" };
                println!(
                    "{word:>7} {:>4} {:>4} {mark:6} {}: {}",
                    result.states, result.generalised, item.name, item.formula
                );
            }
        },
    );
    if let Some(error) = failure {
        return Err(error);
    }
    println!(
        "{title}: {compared} compared, {without} without an answer of Spin; states {theirs} / \
         {ours} ({:.1} %), with sets on edges {generalised}; {larger} larger; slowest of ours {:.0} ms",
        100.0 * ours as f64 / theirs.max(1) as f64,
        slowest.as_secs_f64() * 1000.0
    );
    Ok(larger == 0 && 100 * ours <= PERCENT * theirs)
}

impl Claim {
    fn word(&self) -> &'static str {
        match self {
            Claim::GaveUp => "gave up",
            _ => "refused",
        }
    }
}

fn measure(args: &LtlArgs, item: &Item) -> io::Result<Result> {
    let parsed = ::ltl::parse(&item.formula).map_err(io::Error::other)?;
    let start = Instant::now();
    let automaton = ::ltl::translate(&parsed.formula).map_err(io::Error::other)?;
    let single = ::ltl::translate_to_buchi(&parsed.formula).map_err(io::Error::other)?;
    let took = start.elapsed();
    let spins = ::ltl::show(&::ltl::without_weak(&parsed.formula), &parsed.atoms);
    Ok(Result {
        spin: claim(args, &spins)?,
        generalised: automaton.states.len(),
        states: single.states.len(),
        took,
    })
}

/// The size of the never claim that Spin makes of a formula.
fn claim(args: &LtlArgs, formula: &str) -> io::Result<Claim> {
    let dir = tempfile::tempdir()?;
    let log = dir.path().join("claim");
    let limit = Duration::from_secs(args.time);
    let mut command = process::command(&args.spin, limit);
    command.args(["-f", formula]);
    process::log_to(&mut command, &log)?;
    let ending = process::run(&mut command, limit)?;
    let text = fs::read_to_string(&log)?;
    if text.contains("expected predicate") {
        return Ok(Claim::Refused);
    }
    match ending {
        Ending::Exit(0) if text.trim_end().ends_with('}') => Ok(Claim::States(states(&text))),
        _ => Ok(Claim::GaveUp),
    }
}

/// The labels of a never claim, those in a row as one.
fn states(claim: &str) -> usize {
    let is_label = |line: &str| line.ends_with(':') && !line.starts_with(char::is_whitespace);
    let mut after_label = false;
    let mut states = 0;
    for line in claim.lines() {
        let label = is_label(line);
        states += usize::from(label && !after_label);
        after_label = label;
    }
    states
}

/// Writes the sizes of Spin's never claims for the patterns.
fn record(args: &LtlArgs, patterns: &[Item]) -> io::Result<bool> {
    let mut lines = format!(
        "# States of the never claims of Spin 6.5.2 for the negations of the patterns, made with\n\
         #   cargo xtask ltl --record --time {} --spin SPIN\n\
         # which runs SPIN -f '!(FORMULA)', with `a W b` as `([] a) || (a U b)`, as Spin reads it.\n\
         # SPIN has Spin's translator compiled with -DNXT: without it `X` is refused, and all other\n\
         # numbers are the same. A dash: no answer in this time.\n\
         #\n# pattern, scope | states\n",
        args.time
    );
    let mut failure = None;
    parallel::in_order(
        patterns,
        args.jobs,
        |item| measure(args, item),
        |item, result| match result {
            Ok(result) => {
                let states = match result.spin {
                    Claim::States(states) => states.to_string(),
                    Claim::GaveUp | Claim::Refused => "-".to_owned(),
                };
                lines.push_str(&format!("{} | {states}\n", item.name));
            }
            Err(error) => failure = Some(error),
        },
    );
    match failure {
        Some(error) => Err(error),
        None => fs::write(RECORDED, lines).map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_a_row_are_one_state() {
        let claim = "never  {    /* p V q */\n\
                     accept_init:\nT0_init:\n\tdo\n\t:: ((q)) -> goto T0_init\n\tod;\n\
                     accept_all:\n\tskip\n}\n";
        assert_eq!(states(claim), 2);
    }
}
