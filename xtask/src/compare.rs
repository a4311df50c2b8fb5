//! `compare`: the models of a directory, in both tools.

use std::path::PathBuf;
use std::{fs, io};

use crate::agreement::{self, Difference, Judgement};
use crate::parallel;
use crate::question::{self, Question};
use crate::spin::Runner;
use crate::spinor::Spinor;

/// How many models ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Nothing to report.
    pub agreed: usize,
    /// Something differs that must not.
    pub disagreed: usize,
    /// The reference has no verdict.
    pub skipped: usize,
}

impl Tally {
    /// Counts one judgement and prints a row for it, unless the tools agree in everything.
    pub fn add(&mut self, name: &str, judgement: &Judgement, lenient: bool) {
        if let Err(reason) = judgement.spin.verdict() {
            self.skipped += 1;
            println!("{name:<44} skipped: {reason}");
            return;
        }
        if judgement.disagrees(lenient) {
            self.disagreed += 1;
        } else {
            self.agreed += 1;
        }
        if let Some(row) = row(&judgement.differences) {
            println!("{name:<44} {row}");
        }
    }

    /// The closing line.
    pub fn print(&self) {
        let Tally {
            agreed,
            disagreed,
            skipped,
        } = self;
        println!("{agreed} agreed, {disagreed} disagreed, {skipped} skipped");
    }
}

/// Every field that differs as `field: spin / spinor`.
fn row(differences: &[Difference]) -> Option<String> {
    let cells: Vec<_> = differences
        .iter()
        .map(|found| format!("{}: {} / {}", found.field, found.spin, found.spinor))
        .collect();
    (!cells.is_empty()).then(|| cells.join("; "))
}

/// The questions to ask about each of `models`: about cycles, or about safety.
pub fn questions(models: &[PathBuf], cycles: bool) -> io::Result<Vec<(PathBuf, Question)>> {
    let mut found = Vec::new();
    for model in models {
        let questions = match cycles {
            true => question::about_cycles(&fs::read_to_string(model)?),
            false => vec![Question::Safety],
        };
        found.extend(
            questions
                .into_iter()
                .map(|question| (model.clone(), question)),
        );
    }
    Ok(found)
}

/// Compares the answers of both tools; true if they agree on all.
pub fn run(
    questions: &[(PathBuf, Question)],
    runner: &Runner,
    spinor: &Spinor,
    lenient: bool,
    jobs: usize,
) -> io::Result<bool> {
    let mut tally = Tally::default();
    let mut failure = None;
    parallel::in_order(
        questions,
        jobs,
        |(model, question)| agreement::judge(runner, spinor, model, question),
        |(model, question), judgement| match judgement {
            Ok(judgement) => {
                let name = format!("{}{}", model.display(), question.name());
                tally.add(&name, &judgement, lenient);
            }
            Err(error) => failure = Some(error),
        },
    );
    if let Some(error) = failure {
        return Err(error);
    }
    tally.print();
    Ok(tally.disagreed == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Outcome, Search};

    fn judgement(spin: Outcome, required: Option<bool>) -> Judgement {
        let difference = |required| Difference {
            field: "depth",
            spin: "3".to_owned(),
            spinor: "4".to_owned(),
            required,
        };
        Judgement {
            spin,
            spinor: None,
            differences: required.map(difference).into_iter().collect(),
        }
    }

    #[test]
    fn a_lenient_comparison_shows_differences_but_passes() {
        let searched = || Outcome::Accepted(Search::default());
        for (lenient, required, disagreed) in [(true, false, 0), (true, true, 1), (false, false, 1)]
        {
            let mut tally = Tally::default();
            tally.add("m", &judgement(searched(), Some(required)), lenient);
            assert_eq!(tally.disagreed, disagreed);
            assert_eq!(tally.agreed, 1 - disagreed);
        }
    }

    #[test]
    fn a_row_names_the_fields_that_differ() {
        let found = judgement(Outcome::EmbeddedC, Some(true)).differences;
        assert_eq!(row(&found).as_deref(), Some("depth: 3 / 4"));
        assert_eq!(row(&[]), None);
    }

    #[test]
    fn models_without_a_verdict_are_skipped() {
        let mut tally = Tally::default();
        tally.add("m", &judgement(Outcome::EmbeddedC, None), false);
        let expected = Tally {
            skipped: 1,
            ..Tally::default()
        };
        assert_eq!(tally, expected);
    }
}
