//! Whatever options `spinor check` is given, its verdicts are those of the search without reduction,
//! on random models of all kinds, and no counterexample fails to execute.
//!
//! The commands are those of the program, with reports and traces. They print, so a worker executes
//! them: this test once more, in a process of its own, which reads lines of arguments and prints a
//! report and an exit status for each.
//!
//! There are some 50,000 combinations, so each model gets the defaults and a few others. Seeds next to
//! each other get different ones, and all have their turn. `SPINOR_COUNT` is the number of models, `SPINOR_SEED` the seed of
//! the first; a seed fixes the model and its combinations.

mod common;
#[path = "combinations/worker.rs"]
mod worker;

use std::collections::BTreeMap;
use std::time::Instant;

use worker::{Answer, Verdicts, Worker};

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 20 } else { 200 };
/// Combinations of a model for safety, and as many for cycles.
const EACH: usize = 7;
/// Combinations that are looked at to find these: most are refused, as they should be.
const TRIED: usize = 96;
/// A search without a store takes exponential time.
const LARGEST_STATELESS: u64 = 40;

/// A kind of random models, and the combinations that each gets.
type Kind = (fn(u64) -> String, usize);

/// A seed has one of these by its remainder. Endless sequences take time.
const KINDS: [Kind; 10] = [
    (generate::model, EACH),
    (generate::model_with_formula, EACH),
    (generate::family_model, EACH),
    (generate::symmetric_model, EACH),
    (generate::symmetric_model_with_formula, EACH),
    (generate::role_model, EACH),
    (generate::role_model_with_formula, EACH),
    (generate::provided_model, EACH),
    (generate::provided_model_with_formula, EACH),
    (generate::endless_model, 1),
];

/// An option with its values; the empty one is the default.
type Axis = &'static [&'static str];

const STORES: Axis = &["", "--store tree", "--store compact", "--store bitstate"];
const BACKENDS: Axis = &["", "--backend interp"];
const REDUCTIONS: Axis = &["", "--no-reduction"];
const SYMMETRIES: Axis = &[
    "",
    "--symmetry none",
    "--symmetry full",
    "--symmetry sorted",
    "--symmetry segmented",
    "--symmetry pc-sorted",
    "--symmetry pc-segmented",
];

const SAFETY: [Axis; 8] = [
    &["--all-errors", ""],
    &[
        "",
        "--search bfs",
        "--search depth-limited",
        "--search stateless",
        "--shortest",
        "--swarm 2",
    ],
    STORES,
    &[
        "",
        "--por none",
        "--por ample",
        "--por cluster",
        "--por stubborn",
        "--por stubborn --por-correction static",
        "--por cluster --check-por",
        "--por sleep",
        "--por sleep+ample",
        "--por sleep+cluster",
        "--por sleep+stubborn",
    ],
    SYMMETRIES,
    BACKENDS,
    REDUCTIONS,
    &["", "--no-collapse"],
];

/// Without a name all properties that the model states are checked.
const CYCLES: [Axis; 8] = [
    &["", "--progress-cycles"],
    &["--fairness none", "--fairness weak", "--fairness strong"],
    &[
        "",
        "--search nested-dfs",
        "--search scc",
        "--search owcty",
        "--shortest",
    ],
    STORES,
    &[
        "",
        "--por none",
        "--por ample",
        "--por cluster",
        "--por stubborn",
        "--por stubborn --por-correction static",
        "--por stubborn --check-por",
    ],
    SYMMETRIES,
    BACKENDS,
    REDUCTIONS,
];

/// The combination of a number.
fn combination(axes: &[Axis], mut number: usize) -> String {
    let mut options = Vec::new();
    for axis in axes {
        options.push(axis[number % axis.len()]);
        number /= axis.len();
    }
    options.retain(|option| !option.is_empty());
    options.join(" ")
}

/// Whether a combination is refused for every model; `spinor plan` says why. Only saves time.
fn is_refused(options: &str) -> bool {
    let any = |parts: &[&str]| parts.iter().any(|part| options.contains(part));
    let sleeps = any(&["sleep"]);
    let por = any(&["--por "]) && !any(&["--por none"]);
    let symmetry = any(&["--symmetry "]) && !any(&["--symmetry none"]);
    let bits = any(&["bitstate"]);
    if options.contains("--fairness") {
        let unfit = any(&["scc", "owcty", "--shortest", "strong"]);
        (symmetry && (por || any(&["sorted"]))) || (unfit && (symmetry || bits))
    } else {
        let narrow = any(&["depth-limited", "stateless", "--shortest"]);
        (narrow && por)
            || (any(&["depth-limited", "--shortest"]) && bits)
            || (any(&["stateless", "--check-por"]) && symmetry)
            || (any(&["--swarm"]) && any(&["tree", "compact", "--check-por"]))
            || (sleeps && (symmetry || bits || any(&["bfs", "--swarm"])))
    }
}

/// The combinations for a seed: spread over all, and others for every seed.
fn combinations(axes: &[Axis], seed: u64) -> impl Iterator<Item = String> {
    /// A prime, so that every combination has its turn.
    const STRIDE: usize = 100_003;
    let total: usize = axes.iter().map(|axis| axis.len()).product();
    let first = usize::try_from(seed).expect("a small seed") * TRIED;
    (first..first + TRIED)
        .map(move |number| combination(axes, number * STRIDE % total))
        .filter(|options| !is_refused(options))
}

/// The comparisons of a run.
#[derive(Default)]
struct Tally {
    models: u64,
    compared: u64,
    refused: u64,
    /// Properties that a combination and the search without reduction agree about.
    decided: u64,
}

/// A random model, checked without reduction.
struct Subject<'a> {
    seed: u64,
    text: &'a str,
    worker: &'a mut Worker,
    tally: &'a mut Tally,
}

impl Subject<'_> {
    /// Check it; it must come to an answer, or to a refusal.
    fn check(&mut self, options: &str) -> Answer {
        let answer = self.worker.check(options);
        let Subject { seed, text, .. } = self;
        assert!(
            answer.status < 4,
            "seed {seed}, {options}: exit status {}\n{}\n{text}",
            answer.status,
            self.worker.last_error()
        );
        answer
    }

    /// The verdicts without reduction; an inconclusive one is none.
    fn wanted(&mut self, properties: &[&str]) -> (Verdicts, u64) {
        let (mut verdicts, mut stored) = (Verdicts::new(), 0);
        for property in properties {
            let options = format!("{property} --no-reduction --backend interp --no-collapse");
            let answer = self.check(&options);
            let decided = answer.verdicts.into_iter();
            verdicts.extend(decided.filter(|(_, verdict)| verdict != "inconclusive"));
            stored = answer.stored;
        }
        (verdicts, stored)
    }

    /// No verdict of a combination contradicts these. Whether it is not refused.
    fn compare(&mut self, options: &str, wanted: &Verdicts) -> bool {
        let answer = self.check(options);
        if answer.status == 2 {
            self.tally.refused += 1;
            return false;
        }
        self.tally.compared += 1;
        let Subject { seed, text, .. } = self;
        for (property, verdict) in answer.verdicts {
            let Some(wanted) = wanted.get(&property) else {
                continue;
            };
            let agrees = verdict == "inconclusive" || verdict == *wanted;
            assert!(
                agrees,
                "seed {seed}, {options}: {property} {verdict}, but is {wanted}\n{text}"
            );
            self.tally.decided += u64::from(verdict == *wanted);
        }
        true
    }

    /// Compare the default and this many combinations, for safety and for cycles.
    fn compare_all(&mut self, each: usize) {
        let (safety, stored) = self.wanted(&["--safety --all-errors"]);
        if safety.is_empty() {
            return;
        }
        self.tally.models += 1;
        let default = std::iter::once("--all-errors".to_owned());
        let mut left = each + 1;
        for options in default.chain(combinations(&SAFETY, self.seed)) {
            let endless = stored > LARGEST_STATELESS && options.contains("stateless");
            if left > 0 && !endless {
                left -= usize::from(self.compare(&format!("--safety {options}"), &safety));
            }
        }
        let default = std::iter::once(CYCLES[1][self.seed as usize / KINDS.len() % 3].to_owned());
        let mut left = each + 1;
        let mut wanted = BTreeMap::new();
        for options in default.chain(combinations(&CYCLES, self.seed)) {
            if left == 0 {
                break;
            }
            let fairness = CYCLES[1].iter().find(|value| options.contains(*value));
            let fairness = *fairness.expect("every combination has one");
            let verdicts = wanted.entry(fairness).or_insert_with(|| {
                let progress = format!("--progress-cycles {fairness}");
                self.wanted(&[fairness, &progress]).0
            });
            left -= usize::from(self.compare(&options, verdicts));
        }
    }
}

fn all(seeds: std::ops::Range<u64>) -> Tally {
    let mut worker = Worker::new("all_combinations_agree");
    let mut tally = Tally::default();
    for seed in seeds {
        let (text, each) = KINDS[seed as usize % KINDS.len()];
        let text = text(seed);
        worker.load(&text);
        let mut subject = Subject {
            seed,
            text: &text,
            worker: &mut worker,
            tally: &mut tally,
        };
        subject.compare_all(each);
    }
    tally
}

#[test]
fn all_combinations_agree() {
    if worker::is_wanted() {
        return common::on_a_large_stack(worker::work);
    }
    let started = Instant::now();
    let seeds = common::seeds(COUNT);
    let count = seeds.end - seeds.start;
    let tally = all(seeds);
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{} models, {} searches compared, {} refused, {:.1} models a second",
        tally.models,
        tally.compared,
        tally.refused,
        tally.models as f64 / seconds
    );
    assert!(tally.models > count / 2, "only {} models", tally.models);
    assert!(tally.decided > count, "only {} verdicts", tally.decided);
}
