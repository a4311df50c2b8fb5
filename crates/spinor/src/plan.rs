//! The plan of a run: which properties are checked.
//!
//! A plan is made before the search starts. Afterwards [`Plan::judge`] says what the
//! search means for each property; only the search's own [`Exhaustive`] makes one hold.

use model::{LivenessKind, Model};
use search::{Completion, Exhaustive, Outcome};
use space::Violation;

use crate::engine::Estimate;
use crate::liveness::Target;
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
}

impl PropertyVerdict {
    /// As in the report.
    pub fn word(self) -> &'static str {
        match self {
            PropertyVerdict::Holds(_) => "holds",
            PropertyVerdict::Violated => "violated",
            PropertyVerdict::Inconclusive => "inconclusive",
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

/// What a search came to, as far as the plan has to know.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    /// Figures, findings and how it ended.
    pub outcome: &'a Outcome,
    /// What its store may have missed.
    pub estimate: Option<&'a Estimate>,
    /// An error of the model that ended an execution, where the search does not report them.
    pub fault: Option<Violation>,
}

impl Searched<'_> {
    /// Proof that everything was searched.
    fn exhaustive(&self) -> Option<Exhaustive> {
        // Without an initial state there is nothing that could be said.
        let searched = self.outcome.figures.stored > 0 && self.fault.is_none();
        searched.then(|| self.outcome.exhaustive()).flatten()
    }

    /// Why not everything was searched.
    fn ending(&self) -> String {
        match self.fault {
            Some(fault) if self.outcome.exhaustive().is_some() => format!(
                "some executions end in an error ({}), see --safety",
                fault.kind
            ),
            _ => ending(self.outcome, self.estimate),
        }
    }
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
        let stated = || model.liveness.iter().map(|p| &p.kind);
        if options.never && !stated().any(|kind| matches!(kind, LivenessKind::Never(_))) {
            return Err("the model has no never claim".to_owned());
        }
        for (row, stated) in model.liveness.iter().enumerate() {
            let selected = match stated.kind {
                LivenessKind::Formula(_) => {
                    options.ltl.contains(&stated.name) || options.ltl_formula.contains(&stated.name)
                }
                LivenessKind::Never(_) => options.never,
                LivenessKind::Acceptance => options.acceptance,
            };
            let property = Property::of_model(row, stated);
            if all || selected {
                properties.push(property);
            } else {
                not_selected.push(property.title());
            }
        }
        if options.acceptance && !stated().any(|kind| *kind == LivenessKind::Acceptance) {
            return Err("no process of the model has an accept label".to_owned());
        }
        if options.progress_cycles {
            properties.push(Property::new(
                "non-progress cycles",
                "non-progress-cycle",
                Watched::Executions(Target::NonProgress),
            ));
        }
        Ok(Plan {
            properties,
            not_selected,
            safety,
        })
    }

    /// The properties with a search of their own, and what it looks for.
    pub fn targets(&self) -> impl Iterator<Item = (&Property, Target)> {
        let with_target = |property| Some((property, Property::target(property)?));
        self.properties.iter().filter_map(with_target)
    }

    /// What the searches mean for the properties: the one for safety, if there was one, and
    /// those of [`Plan::targets`] in the same order.
    pub fn judge(&self, safety: Option<Searched<'_>>, others: &[Searched<'_>]) -> Judgement {
        let mut others = others.iter();
        let mut endings: Vec<(String, String)> = Vec::new();
        let mut properties = Vec::new();
        if let Some(safety) = safety.filter(|safety| safety.exhaustive().is_none()) {
            endings.push(("safety".to_owned(), safety.ending()));
        }
        for property in &self.properties {
            let own = property.target().and_then(|_| others.next());
            let findings = match (property.target(), own.or(safety.as_ref())) {
                (_, None) => &[][..],
                (_, Some(searched)) => searched.outcome.findings(),
            };
            let is_violated = match own {
                Some(_) => !findings.is_empty(),
                None => findings.iter().any(|f| property.concerns(&f.violation)),
            };
            let exhaustive = own.or(safety.as_ref()).and_then(Searched::exhaustive);
            properties.push(match exhaustive {
                _ if is_violated => PropertyVerdict::Violated,
                Some(exhaustive) => PropertyVerdict::Holds(exhaustive),
                None => PropertyVerdict::Inconclusive,
            });
            if let (Some(own), None) = (own, exhaustive) {
                endings.push((property.title(), own.ending()));
            }
        }
        let verdict = if properties.contains(&PropertyVerdict::Violated) {
            Verdict::Violated
        } else {
            let open = |p: &PropertyVerdict| match p {
                PropertyVerdict::Holds(exhaustive) => Some(*exhaustive),
                _ => None,
            };
            let held: Option<Vec<Exhaustive>> = properties.iter().map(open).collect();
            match held.and_then(|held| held.first().copied()) {
                Some(exhaustive) => Verdict::Holds(exhaustive),
                None => Verdict::Inconclusive,
            }
        };
        Judgement {
            verdict,
            complete: endings.is_empty(),
            reason: reason(&endings),
            properties,
        }
    }
}

/// Why searches, each by its name, were not exhaustive.
fn reason(endings: &[(String, String)]) -> Option<String> {
    let (name, first) = endings.first()?;
    if endings.iter().all(|(_, ending)| ending == first) && (name == "safety" || endings.len() > 1)
    {
        return Some(first.clone());
    }
    let texts = endings
        .iter()
        .map(|(name, ending)| format!("{name}: {ending}"));
    Some(texts.collect::<Vec<_>>().join("; "))
}

fn check_ltl_name(model: &Model, name: &str) -> Result<(), String> {
    let formulas = model.liveness.iter();
    let known: Vec<&str> = formulas
        .filter(|property| matches!(property.kind, LivenessKind::Formula(_)))
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
        Completion::EndlessAtomic => {
            "an atomic sequence can run for ever, and what happens inside is not observed"
        }
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
        Some(_) => String::new(),
        // The store is exact.
        None => {
            return "the light algorithm for weak fairness under symmetry may miss cycles"
                .to_owned();
        }
    };
    format!("the store may have taken a new state for a known one{detail}")
}
