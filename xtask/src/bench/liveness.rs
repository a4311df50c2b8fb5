//! Measures searches for cycles: against Spin's verifier, and against each other.
//!
//! Each property is a never claim behind a model of the set, so that both engines search the
//! same product. The rounds are interleaved as those for safety are.

mod report;
mod run;
mod set;
mod verifier;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use self::report::HEAD;
use self::run::{Claimed, Lasso, Question, Run};
use self::set::{Fairness, HOLDING, Holding, Sizes, VIOLATED, Violated};
use self::verifier::Verifier;
use super::ours;
use super::reference::Verifier as SafetyVerifier;
use super::set::{CONFIGS, Config, Kind};

/// What is measured on a property that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    /// Spin's verifier, on the model alone.
    PanSafety,
    /// Our depth-first search, on the model alone.
    Safety,
    /// Spin's verifier, for cycles.
    Pan,
    /// The search that we choose.
    Chosen,
    /// Our nested depth-first search.
    Nested,
    /// The same search of the same product, in which nothing is accepting.
    Plain,
    /// Our breadth-first search for cycles.
    Owcty,
}

impl Engine {
    const ALL: [Engine; 7] = [
        Engine::PanSafety,
        Engine::Safety,
        Engine::Pan,
        Engine::Chosen,
        Engine::Nested,
        Engine::Plain,
        Engine::Owcty,
    ];

    /// The name in tables.
    fn name(self) -> &'static str {
        match self {
            Engine::PanSafety => "pan, safety",
            Engine::Safety => "dfs, safety",
            Engine::Pan => "pan -a",
            Engine::Chosen => "by default",
            Engine::Nested => "nested-dfs",
            Engine::Plain => "nested-dfs, nothing accepting",
            Engine::Owcty => "owcty",
        }
    }
}

/// Everything that was measured on a property that holds.
struct Measured {
    title: String,
    fairness: Fairness,
    sizes: Sizes,
    /// The best run of each engine, in their order.
    best: [Option<Run>; Engine::ALL.len()],
    /// What is not as it should be.
    notes: Vec<String>,
}

impl Measured {
    fn of(&self, engine: Engine) -> Option<Run> {
        self.best[engine as usize]
    }

    /// CPU time of one engine divided by that of another.
    fn ratio(&self, engine: Engine, other: Engine) -> Option<f64> {
        let (engine, other) = self.of(engine).zip(self.of(other))?;
        Some(engine.sample.cpu / other.sample.cpu)
    }
}

const NESTED: [&str; 2] = ["--search", "nested-dfs"];
const OWCTY: [&str; 2] = ["--search", "owcty"];

/// The searches whose counterexamples are compared.
const SEARCHES: [(&str, &[&str]); 4] = [
    ("nested-dfs", &NESTED),
    ("scc", &["--search", "scc"]),
    ("owcty", &OWCTY),
    ("--shortest", &["--shortest"]),
];

/// The counterexamples to a property.
struct Lassos {
    title: String,
    /// In the order of the searches.
    found: Vec<Option<Lasso>>,
    notes: Vec<String>,
}

/// What is measured, and with what.
pub struct Bench {
    /// The binary.
    pub spinor: PathBuf,
    /// The versions of Spin and its compiler, if they are there.
    pub reference: Option<String>,
    /// Rounds.
    pub runs: u32,
    /// Only the small sizes.
    pub small: bool,
    /// Only these models, if any are named.
    pub models: Vec<String>,
}

impl Bench {
    /// Measures, and gives the report; false if some numbers disagree.
    pub fn run(&self) -> io::Result<(String, bool)> {
        let wanted = |name: &str| self.models.is_empty() || self.models.iter().any(|m| m == name);
        let mut measured = Vec::new();
        for claim in HOLDING.iter().filter(|claim| wanted(claim.name)) {
            measured.push(self.measure(claim)?);
        }
        let mut lassos = Vec::new();
        for claim in VIOLATED.iter().filter(|claim| wanted(claim.name)) {
            lassos.push(self.lassos(claim)?);
        }
        let agreed = (measured.iter().map(|one| &one.notes))
            .chain(lassos.iter().map(|one| &one.notes))
            .all(Vec::is_empty);
        Ok((report::render(self, &measured, &lassos), agreed))
    }

    /// Measures a property that holds.
    fn measure(&self, claim: &Holding) -> io::Result<Measured> {
        let sizes = match self.small {
            true => claim.small,
            false => claim.full,
        };
        let subject = self.prepare(claim, sizes)?;
        let mut measured = Measured {
            title: claim.title(),
            fairness: claim.fairness,
            sizes,
            best: [None; Engine::ALL.len()],
            notes: Vec::new(),
        };
        for round in 1..=self.runs {
            for engine in Engine::ALL {
                let Some(result) = subject.run(engine)? else {
                    continue;
                };
                match result {
                    Ok(run) => {
                        let (title, name, runs) = (&measured.title, engine.name(), self.runs);
                        let cpu = run.sample.cpu;
                        eprintln!("{title}, round {round}/{runs}, {name}: {cpu:.2} s");
                        let best = &mut measured.best[engine as usize];
                        *best = Some(run.best(*best));
                    }
                    Err(why) => {
                        let note = format!("{}, {}: {why}", measured.title, engine.name());
                        measured.notes.push(note);
                    }
                }
            }
        }
        let found = disagreements(&measured);
        measured.notes.extend(found);
        Ok(measured)
    }

    fn prepare<'a>(&'a self, claim: &'a Holding, sizes: Sizes) -> io::Result<Subject<'a>> {
        let model = file(claim.file)?;
        let accepting = Claimed::write(&model, claim.property, true)?;
        let verifiers = match self.reference {
            Some(_) => Some((
                SafetyVerifier::prepare(&model, sizes.safety, Kind::Exact)?,
                Verifier::prepare(&accepting.model, sizes.product, claim.fairness)?,
            )),
            None => None,
        };
        Ok(Subject {
            spinor: &self.spinor,
            plain: Claimed::write(&model, claim.property, false)?,
            accepting,
            model,
            sizes,
            fairness: claim.fairness,
            verifiers,
        })
    }

    /// Finds the counterexamples to a property that does not hold.
    fn lassos(&self, claim: &Violated) -> io::Result<Lassos> {
        let claimed = Claimed::write(&file(claim.file)?, claim.property, true)?;
        let title = format!("{}, `{}`", claim.name, claim.property.formula());
        let (mut found, mut notes) = (Vec::new(), Vec::new());
        for (name, search) in SEARCHES {
            let question = Question {
                spinor: &self.spinor,
                model: &claimed.model,
                defines: if self.small { &[] } else { claim.full },
                search,
                fairness: Fairness::None,
            };
            let lasso = question.lasso()?;
            notes.extend((lasso.as_ref().err()).map(|why| format!("{title}, {name}: {why}")));
            found.push(lasso.ok());
        }
        Ok(Lassos {
            title,
            found,
            notes,
        })
    }
}

fn file(name: &str) -> io::Result<PathBuf> {
    fs::canonicalize(super::root().join("models/bench").join(name))
}

/// A model and a claim, ready to be searched.
struct Subject<'a> {
    spinor: &'a Path,
    model: PathBuf,
    accepting: Claimed,
    plain: Claimed,
    sizes: Sizes,
    fairness: Fairness,
    verifiers: Option<(SafetyVerifier, Verifier)>,
}

impl Subject<'_> {
    /// Searches once; `None` if the engine is not there.
    fn run(&self, engine: Engine) -> io::Result<Option<Result<Run, String>>> {
        let safety = |sample| Run {
            sample,
            visited: sample.stored,
        };
        let result = match (engine, &self.verifiers) {
            (Engine::PanSafety | Engine::Pan, None) => return Ok(None),
            (Engine::PanSafety, Some((verifier, _))) => Ok(safety(verifier.search()?)),
            (Engine::Pan, Some((_, verifier))) => Ok(verifier.search()?),
            (Engine::Safety, _) => self.safety()?.map(safety),
            (Engine::Chosen, _) => self.cycles(&self.accepting, &[], self.fairness)?,
            (Engine::Nested, _) => self.cycles(&self.accepting, &NESTED, self.fairness)?,
            (Engine::Plain, _) => self.cycles(&self.plain, &NESTED, Fairness::None)?,
            (Engine::Owcty, _) => self.cycles(&self.accepting, &OWCTY, self.fairness)?,
        };
        Ok(Some(result))
    }

    /// Our search of the model alone.
    fn safety(&self) -> io::Result<Result<super::measure::Sample, String>> {
        let is_it = |config: &&Config| config.name == "dfs-plain";
        let config = CONFIGS.iter().find(is_it).expect("it is in the set");
        let run = ours::run(self.spinor, &self.model, self.sizes.safety, config)?;
        Ok(match run {
            ours::Run::Done(sample) => Ok(sample),
            ours::Run::Refused => Err("refused".to_owned()),
            ours::Run::Failed(why) => Err(why),
        })
    }

    /// Our search of a product.
    fn cycles(
        &self,
        claimed: &Claimed,
        search: &[&str],
        fairness: Fairness,
    ) -> io::Result<Result<Run, String>> {
        let question = Question {
            spinor: self.spinor,
            model: &claimed.model,
            defines: self.sizes.product.defines,
            search,
            fairness,
        };
        question.holds()
    }
}

/// Where the numbers of searches are not what they must be.
fn disagreements(measured: &Measured) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |engine: Engine, what: &str, number: u64, expected: u64| {
        if number != expected {
            let (title, name) = (&measured.title, engine.name());
            notes.push(format!(
                "{title}, {name}: {number} {what} instead of {expected}"
            ));
        }
    };
    for engine in Engine::ALL {
        let Some(run) = measured.of(engine) else {
            continue;
        };
        let size = match engine {
            Engine::PanSafety | Engine::Safety => measured.sizes.safety,
            _ => measured.sizes.product,
        };
        note(engine, "states", run.sample.stored, size.stored);
    }
    // Under fairness our copies are not those of Spin, and the steps differ.
    let pair = measured.of(Engine::Pan).zip(measured.of(Engine::Nested));
    if let Some((pan, ours)) = pair.filter(|_| measured.fairness == Fairness::None) {
        let expected = pan.sample.transitions;
        note(
            Engine::Nested,
            "transitions",
            ours.sample.transitions,
            expected,
        );
    }
    notes
}

#[cfg(test)]
mod tests;
