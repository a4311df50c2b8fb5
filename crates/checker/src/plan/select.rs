//! Which properties a run is about.

use model::{LivenessKind, Model, ProcessKind};

use super::Refusal;
use super::feature::Feature;
use crate::liveness::Target;
use crate::options::PropertyOptions;
use crate::property::{Property, Watched, safety_properties};

/// The title of the property that progress labels state.
const NON_PROGRESS: &str = "non-progress cycles";

/// The properties that were selected.
pub(super) struct Selected {
    pub(super) properties: Vec<Property>,
    /// Titles of the others.
    pub(super) not_selected: Vec<String>,
    /// Whether the safety properties are among them.
    pub(super) safety: bool,
}

impl Selected {
    /// The rows of some properties.
    pub(super) fn rows(&self, wanted: impl Fn(&Property) -> bool) -> Vec<usize> {
        let rows = self.properties.iter().enumerate();
        rows.filter(|(_, property)| wanted(property))
            .map(|(row, _)| row)
            .collect()
    }

    /// What is searched for.
    pub(super) fn goals(&self) -> Vec<Feature> {
        let cycles = self.properties.iter().any(|p| p.target().is_some());
        let goals = [(self.safety, Feature::Safety), (cycles, Feature::Cycles)];
        let goals = goals.into_iter().filter(|(wanted, _)| *wanted);
        goals.map(|(_, goal)| goal).collect()
    }
}

/// Select the properties that the options name; all that the model states if they name none.
pub(super) fn properties(model: &Model, options: &PropertyOptions) -> Result<Selected, Refusal> {
    check_names(model, options).map_err(Refusal::Request)?;
    let all = options.is_empty();
    let safety = all || options.safety;
    let mut properties = Vec::new();
    let mut not_selected = Vec::new();
    if safety {
        properties.extend(safety_properties(model));
    } else {
        not_selected.push("safety".to_owned());
    }
    for (row, stated) in model.liveness.iter().enumerate() {
        let selected = match stated.kind {
            LivenessKind::Formula(_) => {
                options.ltl.contains(&stated.name) || options.formulas.contains(&stated.name)
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
    // Labels ask for their check, those of progress like those of acceptance.
    let states_progress = has_progress_labels(model);
    if options.progress_cycles || all && states_progress {
        properties.push(Property::new(
            NON_PROGRESS,
            "non-progress-cycle",
            Watched::Executions(Target::NonProgress),
        ));
    } else if states_progress {
        not_selected.push(NON_PROGRESS.to_owned());
    }
    Ok(Selected {
        properties,
        not_selected,
        safety,
    })
}

/// Whether a process of the model has a progress label.
fn has_progress_labels(model: &Model) -> bool {
    let processes = model.proctypes.iter();
    let is_process = |kind| matches!(kind, ProcessKind::Proctype | ProcessKind::Init);
    let mut states = processes
        .filter(|proctype| is_process(proctype.kind))
        .flat_map(|proctype| &proctype.states);
    states.any(|state| state.progress)
}

/// What is named must be there.
fn check_names(model: &Model, options: &PropertyOptions) -> Result<(), String> {
    for name in &options.ltl {
        check_ltl_name(model, name)?;
    }
    let states = |wanted: fn(&LivenessKind) -> bool| model.liveness.iter().any(|p| wanted(&p.kind));
    if options.never && !states(|kind| matches!(kind, LivenessKind::Never(_))) {
        return Err("the model has no never claim".to_owned());
    }
    if options.acceptance && !states(|kind| *kind == LivenessKind::Acceptance) {
        return Err("no process of the model has an accept label".to_owned());
    }
    Ok(())
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
