//! `random`: generated models, in both tools.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::agreement::{self, Judgement};
use crate::compare::Tally;
use crate::features::Histogram;
use crate::parallel;
use crate::question::{self, Question};
use crate::spin::Runner;
use crate::spinor::Spinor;

/// Which models to generate and what to do with those that disagree.
pub struct Options {
    /// The seed of the first model; the others follow one by one.
    pub seed: u64,
    /// How many models.
    pub count: u64,
    /// Where models go on which the tools disagree.
    pub keep: Option<PathBuf>,
    /// Only the size of the state space and the verdict must agree.
    pub lenient: bool,
    /// Ask about cycles instead of safety.
    pub cycles: bool,
    /// Threads.
    pub jobs: usize,
}

/// Compares the tools on generated models; true if they agree on all.
pub fn run(options: &Options, runner: &Runner, spinor: &Spinor) -> io::Result<bool> {
    if let Some(dir) = &options.keep {
        fs::create_dir_all(dir)?;
    }
    println!("seed {} count {}", options.seed, options.count);
    let seeds: Vec<u64> = (0..options.count)
        .map(|offset| options.seed.wrapping_add(offset))
        .collect();
    let mut tally = Tally::default();
    let mut histogram = Histogram::new();
    let mut verdicts = BTreeMap::new();
    let mut failure = None;
    let emit = |seed: &u64, tried: io::Result<(String, Vec<(Question, Judgement)>)>| {
        let result = tried.and_then(|(text, judgements)| {
            histogram.add(&text);
            for (question, judgement) in judgements {
                let verdict = judgement.spin.verdict();
                *verdicts
                    .entry(verdict.map_or("none", |verdict| verdict.word()))
                    .or_insert(0usize) += 1;
                let name = format!("seed-{seed}");
                let full = format!("{name}{}", question.name());
                tally.add(&full, &judgement, options.lenient);
                match &options.keep {
                    Some(dir) if judgement.disagrees(options.lenient) => {
                        keep(dir, &name, &text, &judgement)?;
                    }
                    _ => {}
                }
            }
            Ok(())
        });
        if let Err(error) = result {
            failure = Some(error);
        }
    };
    parallel::in_order(
        &seeds,
        options.jobs,
        |seed| try_seed(*seed, options.cycles, runner, spinor),
        emit,
    );
    if let Some(error) = failure {
        return Err(error);
    }
    histogram.print();
    let verdicts: Vec<_> = verdicts
        .iter()
        .map(|(word, count)| format!("{word} {count}"))
        .collect();
    println!("verdicts of Spin: {}", verdicts.join(", "));
    tally.print();
    Ok(tally.disagreed == 0)
}

/// Every model has the same name, so that the same text is the same entry of the cache.
fn try_seed(
    seed: u64,
    cycles: bool,
    runner: &Runner,
    spinor: &Spinor,
) -> io::Result<(String, Vec<(Question, Judgement)>)> {
    let (text, questions) = match cycles {
        true => {
            let text = generate::model_with_formula(seed);
            let questions = question::about_cycles(&text);
            (text, questions)
        }
        false => (generate::model(seed), vec![Question::Safety]),
    };
    let dir = tempfile::tempdir()?;
    let model = dir.path().join("model.pml");
    fs::write(&model, &text)?;
    let judged = questions.into_iter().map(|question| {
        let judgement = agreement::judge(runner, spinor, &model, &question)?;
        Ok((question, judgement))
    });
    Ok((text, judged.collect::<io::Result<_>>()?))
}

/// Writes the model and what both tools said about it.
fn keep(dir: &Path, name: &str, text: &str, judgement: &Judgement) -> io::Result<()> {
    fs::write(dir.join(format!("{name}.pml")), text)?;
    let outcomes = serde_json::to_string_pretty(judgement)?;
    fs::write(dir.join(format!("{name}.json")), outcomes + "\n")
}
