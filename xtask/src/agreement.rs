//! Decides whether spinor and the reference agree on a model.

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::outcome::{Counts, Outcome, Verdict};
use crate::question::Question;
use crate::spin::Runner;
use crate::spinor::{Answer, Spinor};

/// A field in which the two tools differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What is compared.
    pub field: &'static str,
    /// Spin's value.
    pub spin: String,
    /// Spinor's value.
    pub spinor: String,
    /// Whether it is a disagreement under every reading: the size of the state space and the
    /// verdict belong to the model, the rest also to the order of the search.
    pub required: bool,
}

/// Both tools' words on one model.
#[derive(Debug, Serialize)]
pub struct Judgement {
    /// What the reference said.
    pub spin: Outcome,
    /// What spinor said; it is not asked where the reference has no verdict.
    pub spinor: Option<Answer>,
    /// Where they differ.
    pub differences: Vec<Difference>,
}

impl Judgement {
    /// Whether this counts as a disagreement.
    pub fn disagrees(&self, lenient: bool) -> bool {
        self.differences
            .iter()
            .any(|difference| difference.required || !lenient)
    }
}

/// Puts a question about `model` to both tools.
pub fn judge(
    runner: &Runner,
    spinor: &Spinor,
    model: &Path,
    question: &Question,
) -> io::Result<Judgement> {
    let spin = runner.ask(model, question)?;
    let Ok(verdict) = spin.verdict() else {
        return Ok(Judgement {
            spin,
            spinor: None,
            differences: Vec::new(),
        });
    };
    let answer = spinor.ask(model, question)?;
    Ok(Judgement {
        differences: differences(&spin, verdict, &answer)
            .into_iter()
            .filter(|found| question.counts_are_comparable() || found.field == "verdict")
            .collect(),
        spin,
        spinor: Some(answer),
    })
}

fn differences(spin: &Outcome, verdict: Verdict, answer: &Answer) -> Vec<Difference> {
    let said = match answer {
        Answer::Rejected { .. } => Some(Verdict::Rejected),
        Answer::Searched { verdict, .. } => Some(*verdict),
        Answer::Broken { .. } => None,
    };
    let mut found = Vec::new();
    if said != Some(verdict) {
        found.push(Difference {
            field: "verdict",
            spin: spin_words(spin, verdict),
            spinor: spinor_words(answer),
            required: true,
        });
    }
    if let (Outcome::Accepted(search), Answer::Searched { counts, errors, .. }) = (spin, answer)
        && search.counts_are_meaningful()
    {
        let pairs = fields(&search.counts, search.errors)
            .into_iter()
            .zip(fields(counts, *errors));
        found.extend(
            pairs
                .filter(|((_, spin, _), (_, spinor, _))| !same_count(*spin, *spinor))
                .map(|((field, spin, required), (_, spinor, _))| Difference {
                    field,
                    spin: spin.to_string(),
                    spinor: spinor.to_string(),
                    required,
                }),
        );
    }
    found
}

/// Every number with its name and whether it must agree.
fn fields(counts: &Counts, errors: u64) -> [(&'static str, u64, bool); 6] {
    [
        ("stored", counts.stored, true),
        ("transitions", counts.transitions, true),
        ("matched", counts.matched, false),
        ("atomic", counts.atomic, false),
        ("depth", counts.depth, false),
        ("errors", errors, false),
    ]
}

/// Equality up to the eight digits that Spin prints.
fn same_count(spin: u64, spinor: u64) -> bool {
    spin == spinor || (spin >= 100_000_000 && spin.abs_diff(spinor) <= spin / 10_000_000)
}

fn spin_words(spin: &Outcome, verdict: Verdict) -> String {
    match spin {
        Outcome::Rejected { stage, message } => {
            format!(
                "rejected by {}: {message}",
                format!("{stage:?}").to_lowercase()
            )
        }
        Outcome::Accepted(search) if search.crashed => "violated (crash)".to_owned(),
        Outcome::Accepted(search) => match &search.first_error {
            Some(first) => format!("{}: {}", verdict.word(), first.message),
            None => verdict.word().to_owned(),
        },
        Outcome::EmbeddedC | Outcome::Unfinished(_) => verdict.word().to_owned(),
    }
}

fn spinor_words(answer: &Answer) -> String {
    match answer {
        Answer::Rejected { message } => format!("rejected: {message}"),
        Answer::Searched { verdict, .. } => verdict.word().to_owned(),
        Answer::Broken { message } => format!("broken: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Search, Stage};

    fn counts(stored: u64, depth: u64) -> Counts {
        Counts {
            stored,
            matched: 1,
            transitions: stored + 1,
            atomic: 0,
            depth,
        }
    }

    fn searched(verdict: Verdict, counts: Counts, errors: u64) -> Answer {
        Answer::Searched {
            verdict,
            counts,
            errors,
        }
    }

    #[track_caller]
    fn check(spin: Outcome, answer: Answer, expected: &[&str]) {
        let verdict = spin.verdict().expect("a verdict");
        let found = differences(&spin, verdict, &answer);
        let names: Vec<_> = found.iter().map(|found| found.field).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn counts_are_compared_field_by_field() {
        let spin = |counts| {
            Outcome::Accepted(Search {
                counts,
                ..Search::default()
            })
        };
        let ours = searched(Verdict::Holds, counts(5, 3), 0);
        check(spin(counts(5, 3)), ours.clone(), &[]);
        check(spin(counts(5, 4)), ours.clone(), &["depth"]);
        check(spin(counts(6, 3)), ours, &["stored", "transitions"]);
    }

    #[test]
    fn only_the_verdict_counts_after_an_array_index_error() {
        let spin = Outcome::Accepted(Search {
            counts: counts(5, 3),
            errors: 3,
            bad_index: true,
            ..Search::default()
        });
        check(
            spin.clone(),
            searched(Verdict::Violated, counts(9, 9), 1),
            &[],
        );
        check(
            spin,
            searched(Verdict::Holds, counts(9, 9), 0),
            &["verdict"],
        );
    }

    #[test]
    fn rejections_agree_whatever_the_reason() {
        let spin = Outcome::Rejected {
            stage: Stage::Pan,
            message: "error: unconditional self-loop".to_owned(),
        };
        let message = "self-loop".to_owned();
        check(spin.clone(), Answer::Rejected { message }, &[]);
        let message = "panicked".to_owned();
        check(spin, Answer::Broken { message }, &["verdict"]);
    }

    #[test]
    fn rounded_counts_are_compared_as_far_as_they_are_printed() {
        assert!(same_count(123_456_790, 123_456_789));
        assert!(!same_count(123_456_790, 123_456_889));
        assert!(!same_count(99_999_999, 99_999_998));
    }
}
