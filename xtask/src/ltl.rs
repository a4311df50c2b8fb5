//! `ltl`: our automata and Spin's never claims, their sizes and their meaning.
//!
//! The meaning is the same if Spin's claim for a formula shares no word with our automaton for its
//! negation, and the other way round. Spin must also accept our never claims as Promela.
//!
//! A state of a never claim is a label with what follows it; two labels in a row name one state,
//! and `accept_all` counts. Our automata are counted after degeneralisation, with one set of
//! accepting states, so that both could be printed as never claims.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::ltl::{Automaton, Formula};
use clap::Args;
use generate::Formulas;

use crate::claim::Claim;
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
enum Answer {
    Claim(Claim),
    /// It took too long, or more memory than there is.
    GaveUp,
    /// It does not know an operator.
    Refused,
}

struct Result {
    spin: Answer,
    /// What is wrong besides the sizes.
    trouble: Option<&'static str>,
    generalised: usize,
    states: usize,
    took: Duration,
}

/// Compares the automata; true if none is wrong or larger, and the total is small enough.
pub fn run(args: &LtlArgs) -> io::Result<bool> {
    let patterns = patterns(Path::new(PATTERNS))?;
    if args.record {
        return record(args, &patterns);
    }
    println!("seed {} count {}", args.seed, args.count);
    let mut all = compare(args, "patterns", &patterns)?;
    all.add(&compare(args, "random formulas", &random(args))?);
    println!();
    all.print("all");
    Ok(all.is_fine())
}

/// What a comparison came to.
#[derive(Default)]
struct Tally {
    compared: usize,
    unanswered: usize,
    theirs: usize,
    ours: usize,
    generalised: usize,
    larger: usize,
    wrong: usize,
    slowest: Duration,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.compared += other.compared;
        self.unanswered += other.unanswered;
        self.theirs += other.theirs;
        self.ours += other.ours;
        self.generalised += other.generalised;
        self.larger += other.larger;
        self.wrong += other.wrong;
        self.slowest = self.slowest.max(other.slowest);
    }

    /// Counts one formula.
    fn of(result: &Result) -> Tally {
        let mut tally = Tally {
            wrong: usize::from(result.trouble.is_some()),
            slowest: result.took,
            ..Tally::default()
        };
        match &result.spin {
            Answer::Claim(claim) => {
                tally.compared = 1;
                tally.theirs = claim.len();
                tally.ours = result.states;
                tally.generalised = result.generalised;
                tally.larger = usize::from(result.states > claim.len());
            }
            Answer::GaveUp | Answer::Refused => tally.unanswered = 1,
        }
        tally
    }

    fn print(&self, title: &str) {
        println!(
            "{title}: {} compared, {} without an answer of Spin; states {} / {} ({:.1} %), \
             with sets on edges {}; {} larger, {} wrong; slowest of ours {:.0} ms",
            self.compared,
            self.unanswered,
            self.theirs,
            self.ours,
            100.0 * self.ours as f64 / self.theirs.max(1) as f64,
            self.generalised,
            self.larger,
            self.wrong,
            self.slowest.as_secs_f64() * 1000.0
        );
    }

    fn is_fine(&self) -> bool {
        self.larger == 0 && self.wrong == 0 && 100 * self.ours <= PERCENT * self.theirs
    }
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

/// Prints one line for each formula of interest, and the totals.
fn compare(args: &LtlArgs, title: &str, items: &[Item]) -> io::Result<Tally> {
    let mut total = Tally::default();
    let mut failure = None;
    println!("\n{title}: states of Spin, of ours, of ours with sets on edges");
    parallel::in_order(
        items,
        args.jobs,
        |item| measure(args, item),
        |item, result| match result {
            Ok(result) => {
                let tally = Tally::of(&result);
                if args.all || tally.larger + tally.wrong > 0 {
                    print_line(item, &result, &tally);
                }
                total.add(&tally);
            }
            Err(error) => failure = Some(error),
        },
    );
    if let Some(error) = failure {
        return Err(error);
    }
    total.print(title);
    Ok(total)
}

fn print_line(item: &Item, result: &Result, tally: &Tally) {
    let spin = match &result.spin {
        Answer::Claim(claim) => claim.len().to_string(),
        Answer::GaveUp => "gave up".to_owned(),
        Answer::Refused => "refused".to_owned(),
    };
    let mark = match result.trouble {
        Some(trouble) => trouble,
        None if tally.larger > 0 => "LARGER",
        None => "",
    };
    println!(
        "{spin:>7} {:>4} {:>4} {mark:6} {}: {}",
        result.states, result.generalised, item.name, item.formula
    );
}

fn measure(args: &LtlArgs, item: &Item) -> io::Result<Result> {
    let parsed = ::ltl::parse(&item.formula).map_err(io::Error::other)?;
    let start = Instant::now();
    let translate = |formula| ::ltl::translate(formula).map_err(io::Error::other);
    let automaton = translate(&parsed.formula)?;
    let single = ::ltl::translate_to_buchi(&parsed.formula).map_err(io::Error::other)?;
    let took = start.elapsed();
    let negation = parsed.formula.negated();
    let complement = translate(&negation)?;
    let atoms = &parsed.atoms;
    let spin = ask(args, &parsed.formula, atoms)?;
    let other = ask(args, &negation, atoms)?;
    let overlap = overlaps(&spin, &complement, atoms) || overlaps(&other, &automaton, atoms);
    let trouble = if overlap {
        Some("DIFFERS")
    } else if !is_promela(args, &single, atoms)? {
        Some("NOT PROMELA")
    } else {
        None
    };
    Ok(Result {
        spin,
        trouble,
        generalised: automaton.states.len(),
        states: single.states.len(),
        took,
    })
}

/// True if Spin's claim accepts a word of an automaton that should exclude all its words, or cannot
/// be understood.
fn overlaps(spin: &Answer, excluded: &Automaton, atoms: &[String]) -> bool {
    let Answer::Claim(claim) = spin else {
        return false;
    };
    claim
        .automaton(atoms)
        .is_none_or(|claim| !::ltl::is_empty(&::ltl::product(&claim, excluded)))
}

/// True if Spin accepts our never claim.
fn is_promela(args: &LtlArgs, automaton: &Automaton, atoms: &[String]) -> io::Result<bool> {
    let declared = atoms.iter().map(|atom| format!("bool {atom};\n"));
    let claim = ::ltl::to_never(automaton, atoms, "");
    let model = declared.collect::<String>() + "active proctype m() { skip }\n" + &claim;
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("model.pml");
    fs::write(&path, model)?;
    let limit = Duration::from_secs(args.time);
    let mut command = process::command("spin", limit);
    command.arg("-a").arg(&path).current_dir(dir.path());
    process::log_to(&mut command, &dir.path().join("log"))?;
    Ok(process::run_or_kill(&mut command, limit)? == Ending::Exit(0))
}

/// The never claim that Spin makes of a formula.
fn ask(args: &LtlArgs, formula: &Formula, atoms: &[String]) -> io::Result<Answer> {
    let formula = ::ltl::show(&::ltl::without_weak(formula), atoms);
    let dir = tempfile::tempdir()?;
    let log = dir.path().join("claim");
    let limit = Duration::from_secs(args.time);
    let mut command = process::command(&args.spin, limit);
    command.args(["-f", &formula]);
    process::log_to(&mut command, &log)?;
    let ending = process::run_or_kill(&mut command, limit)?;
    let text = fs::read_to_string(&log)?;
    if text.contains("expected predicate") {
        return Ok(Answer::Refused);
    }
    match ending {
        Ending::Exit(0) if text.trim_end().ends_with('}') => Ok(Answer::Claim(Claim::read(&text))),
        _ => Ok(Answer::GaveUp),
    }
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
                let states = match &result.spin {
                    Answer::Claim(claim) => claim.len().to_string(),
                    Answer::GaveUp | Answer::Refused => "-".to_owned(),
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
