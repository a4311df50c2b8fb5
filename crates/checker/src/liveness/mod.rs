//! Properties beyond safety: what watches the model, and with which model it moves.

mod monitor;
mod system;

use std::collections::BTreeMap;

use model::claim_slot::ClaimSlot;
use model::dependency::Observed;
use model::symmetry::Watched;
use model::{LivenessKind, Location, Model, ProctypeId};
use product::{Observer, Product, Stutter};
use reduce::Pruned;

pub use monitor::AnyMonitor;
pub use system::{AnyClaim, Steps, System};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Executions that a `never` claim matches.
    Never(ProctypeId),
    /// Executions that violate a formula, by its row in [`Model::liveness`].
    Formula(usize),
    /// Executions that pass accept labels for ever.
    Acceptance,
    /// Executions that pass no progress label any more.
    NonProgress,
}

/// What a search can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capability {
    /// It takes claims with several acceptance sets.
    pub sets: bool,
    /// It goes along paths, so that a claim without accepting states can stutter as Spin's do.
    pub stutter_as_spin: bool,
}

/// Somebody who watches a model: what a search for cycles needs besides the steps.
#[derive(Debug)]
pub struct Watcher {
    /// What is looked for.
    pub target: Target,
    /// The model as written, with a slot for the state of the claim.
    pub model: Model,
    /// Whether the property can tell how often a state is repeated.
    pub counts_steps: bool,
    /// The claim, where it is an automaton.
    observer: Option<Observer>,
    slot: ClaimSlot,
}

impl Watcher {
    /// Prepare a model for a search that can do so much.
    pub fn new(model: &Model, target: Target, can: Capability) -> Result<Watcher, String> {
        let mut watcher = Watcher {
            target,
            model: model.clone(),
            counts_steps: true,
            observer: None,
            slot: ClaimSlot::default(),
        };
        match target {
            Target::Never(_) => {}
            Target::Acceptance => watcher.counts_steps = false,
            Target::NonProgress => {
                watcher.counts_steps = false;
                watcher.observer = Some(product::non_progress(&mut watcher.model));
            }
            Target::Formula(row) => {
                let LivenessKind::Formula(property) = &model.liveness[row].kind else {
                    return Err("this property is not a formula".to_owned());
                };
                let formula = product::of_model(&property.formula);
                let invariant = ltl::is_stutter_invariant(&formula);
                watcher.counts_steps = !invariant.unwrap_or(false);
                watcher.observer = Some(product::violations(property, can.sets)?);
            }
        }
        let mut model = watcher.model.clone();
        if let Some(claim) = watcher.claim(&watcher.model) {
            let stutter = match can.stutter_as_spin && !claim.accepts() {
                true => Stutter::AsSpin,
                false => Stutter::Plain,
            };
            watcher.slot =
                Product::<Pruned<'_, Steps<'_>>, _>::add_claim_slot(&mut model, &claim, stutter);
        }
        watcher.model = model;
        Ok(watcher)
    }

    /// What it looks at.
    pub fn observed(&self) -> Observed {
        match self.target {
            Target::Formula(row) => match &self.model.liveness[row].kind {
                LivenessKind::Formula(property) => Observed::of_formula(property),
                _ => Observed::default(),
            },
            Target::Never(_) => Observed::default(),
            Target::Acceptance => Observed {
                accept: true,
                ..Observed::default()
            },
            Target::NonProgress => Observed {
                progress: true,
                ..Observed::default()
            },
        }
    }

    /// What processes that are exchanged must not change. Whether a process has ended can be seen if
    /// steps are counted, and under fairness.
    pub fn watched(&self, fair: bool) -> Watched {
        let (location, claim) = match self.target {
            Target::Formula(row) => (self.model.liveness[row].location, None),
            Target::Never(claim) => (self.model.proctype(claim).location, Some(claim)),
            Target::Acceptance | Target::NonProgress => (Location::default(), None),
        };
        let mut labels: BTreeMap<(usize, u32, u32), Vec<(u64, u64)>> = BTreeMap::new();
        let states = self.observer.iter().flat_map(|o| &o.automaton.states);
        for (source, state) in states.enumerate() {
            for edge in &state.edges {
                let label = labels
                    .entry((source, edge.target.0, edge.marks))
                    .or_default();
                let cubes = edge.condition.cubes.iter();
                label.extend(cubes.map(|cube| (cube.positive, cube.negative)));
            }
        }
        Watched {
            atoms: self
                .observer
                .as_ref()
                .map_or_else(Vec::new, |o| o.atoms.clone()),
            labels: labels.into_values().collect(),
            claim,
            location,
            counts_steps: self.counts_steps || fair,
        }
    }

    /// A state of [`Watcher::model`] as one of the model without the claim slot.
    pub fn without_room(&self, state: &[u8]) -> Vec<u8> {
        let (front, rest) = state.split_at(self.slot.offset as usize);
        [front, &rest[self.slot.size as usize..]].concat()
    }

    /// Whether a claim that goes on alone takes notice of that only from its second step on.
    pub fn stutters_as_spin(&self) -> bool {
        self.slot.hidden > 0
    }

    /// The claim beside a model that was made from [`Watcher::model`].
    pub fn claim<'m>(&'m self, model: &'m Model) -> Option<AnyClaim<'m>> {
        AnyClaim::new(self.target, self.observer.as_ref(), model)
    }

    /// The system to search, from steps of a model that was made from [`Watcher::model`].
    pub fn system<'m>(&'m self, steps: Pruned<'m, Steps<'m>>, model: &'m Model) -> System<'m> {
        match self.claim(model) {
            Some(claim) => System::product(steps, claim, self.slot),
            None => System::labels(steps, model),
        }
    }

    /// What watches a model that was made from [`Watcher::model`], beside packed states.
    pub fn monitor<'m>(&'m self, model: &'m Model) -> AnyMonitor<'m> {
        AnyMonitor::new(self.claim(model), model, self.slot)
    }
}
