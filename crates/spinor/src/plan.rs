//! The plan of a run: which properties are checked, and which cannot be.
//!
//! A plan is made before the search starts. Afterwards [`Plan::judge`] says what the
//! search means for each property; only the search's own [`Exhaustive`] makes one hold.

use model::Model;
use search::{Completion, Exhaustive, Outcome};

use crate::engine::Estimate;
use crate::property::{Property, Watched, safety_properties};
use crate::units;

/// The properties that were asked for on the command line; none means all of the model.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Properties (all that the model states, unless some are named)")]
pub struct PropertyOptions {
    /// Assertions, invalid end states, array bounds, channel claims, run-time errors.
    #[arg(long)]
    pub safety: bool,
    /// The `ltl` property with this name; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub ltl: Vec<String>,
    /// A formula that is not in the model; may be repeated.
    #[arg(long, value_name = "FORMULA")]
    pub ltl_formula: Vec<String>,
    /// The `never` claim.
    #[arg(long)]
    pub never: bool,
    /// Acceptance cycles: executions that pass an accept label for ever.
    #[arg(long)]
    pub acceptance: bool,
    /// Non-progress cycles: executions that pass no progress label for ever.
    #[arg(long)]
    pub progress_cycles: bool,
}

impl PropertyOptions {
    fn is_empty(&self) -> bool {
        !self.safety
            && self.ltl.is_empty()
            && self.ltl_formula.is_empty()
            && !self.never
            && !self.acceptance
            && !self.progress_cycles
    }
}

/// What is known about one property after the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyVerdict {
    /// No execution violates it.
    Holds(Exhaustive),
    /// Some execution violates it.
    Violated,
    /// Nothing was found, but not everything was searched.
    Inconclusive,
    /// No search for it exists yet.
    NotChecked,
}

impl PropertyVerdict {
    /// As in the report.
    pub fn word(self) -> &'static str {
        match self {
            PropertyVerdict::Holds(_) => "holds",
            PropertyVerdict::Violated => "violated",
            PropertyVerdict::Inconclusive => "inconclusive",
            PropertyVerdict::NotChecked => "not checked",
        }
    }
}

/// What is known after the run about all properties together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every property holds.
    Holds(Exhaustive),
    /// Some property is violated.
    Violated,
    /// No property is known to be violated, and not all are known to hold.
    Inconclusive,
    /// The run itself went wrong.
    Error(Blame),
}

/// Who has to mend what went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The user: bad usage, a bad model.
    User,
    /// We: a bug.
    Us,
}

impl Verdict {
    /// As in the report.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Error(_) => "error",
        }
    }
}

/// What a run means for the properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// For all properties together.
    pub verdict: Verdict,
    /// Whether every property was searched to the end.
    pub complete: bool,
    /// Why it is not complete.
    pub reason: Option<String>,
    /// For each property of the plan.
    pub properties: Vec<PropertyVerdict>,
}

/// Which properties are checked, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The properties of the run.
    pub properties: Vec<Property>,
    /// Names of properties of the model that were not asked for.
    pub not_selected: Vec<String>,
    /// Whether there is anything a safety search can find.
    pub safety: bool,
}

impl Plan {
    /// Choose the properties. An error is a mistake in the command line.
    pub fn new(model: &Model, options: &PropertyOptions) -> Result<Plan, String> {
        let all = options.is_empty();
        let mut properties = Vec::new();
        let mut not_selected = Vec::new();
        let safety = all || options.safety;
        if safety {
            properties.extend(safety_properties(model));
        } else {
            not_selected.push("safety".to_owned());
        }
        for name in &options.ltl {
            check_ltl_name(model, name)?;
        }
        if options.never && !model.unchecked.iter().any(|p| p.kind == "claim") {
            return Err("the model has no never claim".to_owned());
        }
        for stated in &model.unchecked {
            let selected = match stated.kind {
                "ltl" => options.ltl.contains(&stated.name),
                "claim" => options.never,
                // Named ones are added below, also where the model has no such label.
                "acceptance-cycle" if options.acceptance => continue,
                _ => false,
            };
            let property = Property::of_model(stated);
            if all || selected {
                properties.push(property);
            } else {
                not_selected.push(property.title());
            }
        }
        let formulas = options.ltl_formula.iter();
        properties.extend(formulas.map(|text| Property::new(text, "ltl", Watched::Nothing)));
        for (asked, name, kind) in [
            (options.acceptance, "acceptance cycles", "acceptance-cycle"),
            (
                options.progress_cycles,
                "non-progress cycles",
                "non-progress-cycle",
            ),
        ] {
            if asked {
                properties.push(Property::new(name, kind, Watched::Nothing));
            }
        }
        Ok(Plan {
            properties,
            not_selected,
            safety,
        })
    }

    /// What the outcome of the search, if there was one, means for the properties.
    pub fn judge(&self, outcome: Option<&Outcome>, estimate: Option<&Estimate>) -> Judgement {
        let found = outcome.map_or(&[][..], Outcome::findings);
        // Without an initial state there is nothing that could be said about the rest.
        let exhaustive = outcome
            .filter(|outcome| outcome.figures.stored > 0)
            .and_then(Outcome::exhaustive);
        let judge = |property: &Property| {
            if found.iter().any(|f| property.concerns(&f.violation)) {
                return PropertyVerdict::Violated;
            }
            match (&property.watched, exhaustive) {
                (Watched::Nothing, _) => PropertyVerdict::NotChecked,
                (_, Some(exhaustive)) => PropertyVerdict::Holds(exhaustive),
                (_, None) => PropertyVerdict::Inconclusive,
            }
        };
        let properties: Vec<PropertyVerdict> = self.properties.iter().map(judge).collect();
        let unchecked: Vec<String> = self
            .properties
            .iter()
            .filter(|property| property.watched == Watched::Nothing)
            .map(Property::title)
            .collect();
        let mut reasons: Vec<String> = Vec::new();
        if exhaustive.is_none() {
            reasons.extend(outcome.map(|outcome| ending(outcome, estimate)));
        }
        if !unchecked.is_empty() {
            reasons.push(unchecked_reason(&unchecked));
        }
        let verdict = match exhaustive {
            _ if !found.is_empty() => Verdict::Violated,
            Some(exhaustive) if unchecked.is_empty() => Verdict::Holds(exhaustive),
            _ => Verdict::Inconclusive,
        };
        Judgement {
            verdict,
            complete: exhaustive.is_some() && unchecked.is_empty(),
            reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
            properties,
        }
    }
}

fn check_ltl_name(model: &Model, name: &str) -> Result<(), String> {
    let known: Vec<&str> = model
        .unchecked
        .iter()
        .filter(|property| property.kind == "ltl")
        .map(|property| property.name.as_str())
        .collect();
    if known.contains(&name) {
        return Ok(());
    }
    Err(if known.is_empty() {
        format!("there is no ltl property `{name}`: the model has none")
    } else {
        let known = known.join(", ");
        format!("there is no ltl property `{name}`; the model has: {known}")
    })
}

/// Why a search is not exhaustive.
fn ending(outcome: &Outcome, estimate: Option<&Estimate>) -> String {
    let text = match outcome.completion() {
        Completion::Complete if outcome.figures.stored == 0 => "there is no initial state",
        Completion::Complete => return missed(estimate),
        Completion::Interrupted => "interrupted",
        Completion::DepthLimit => "the depth limit was reached",
        Completion::MemoryLimit => "the memory limit was reached",
        Completion::TimeLimit => "the time limit was reached",
        Completion::ErrorLimit if outcome.figures.errors == 1 => {
            "the search ended at the first violation"
        }
        Completion::ErrorLimit => {
            let errors = units::plural(outcome.figures.errors, "violation");
            return format!("the search ended after {errors}");
        }
    };
    text.to_owned()
}

/// How far a search is from exhaustive if only its store is not exact.
fn missed(estimate: Option<&Estimate>) -> String {
    let detail = match estimate {
        Some(Estimate {
            hash_factor: Some(factor),
            coverage: Some(coverage),
            ..
        }) => format!(
            " (hash factor {factor:.1}, estimated coverage {:.4} %)",
            coverage * 100.0
        ),
        Some(Estimate {
            omission_probability: Some(probability),
            ..
        }) => format!(" (with a probability of {probability:.1e})"),
        _ => String::new(),
    };
    format!("the store may have taken a new state for a known one{detail}")
}

fn unchecked_reason(names: &[String]) -> String {
    let verb = match names {
        [name] if !name.ends_with("cycles") => "is",
        _ => "are",
    };
    let mut listed = names[..names.len().min(5)].join(", ");
    if names.len() > 5 {
        listed.push_str(&format!(" and {} more", names.len() - 5));
    }
    format!("{listed} {verb} not checked: no search for such properties exists yet")
}
