//! Traces from files: whether they still violate the claim, formula or cycle condition they state.

use model::Model;
use model::reduction::reduce_keeping_steps;
use product::Claim;
use search::Finding;
use space::{Pid, Step, Trace, TransitionId, Violation, ViolationKind};

use super::confirm_lasso;
use crate::liveness::{Capability, Target, Watcher};
use crate::options::{Fairness, Named};
use crate::property::Property;
use crate::trace::file::{FileProperty, Stated};
use crate::trace::guide::Guide;

/// The violation of a property, if the trace still is one.
pub fn confirm_stated(
    model: &Model,
    property: &FileProperty,
    stated: &Stated,
    guide: &Guide,
) -> Option<Violation> {
    let target = target(model, property)?;
    let fairness = Fairness::from_name(&property.fairness)?;
    let can = Capability {
        sets: true,
        stutter_as_spin: fairness == Fairness::None,
    };
    let watcher = Watcher::new(model, target, can).ok()?;
    // The cycle may close only where what nobody reads is left out.
    let reduced = reduce_keeping_steps(&watcher.model);
    let alone = watcher
        .claim(&watcher.model)
        .map_or(1, |claim| claim.state_count());
    violations(model, stated).into_iter().find(|&violation| {
        let is_one = |times| {
            let finding = Finding {
                violation,
                depth: 0,
                count: 1,
                trace: with_stuttering(&guide.trace, times),
            };
            confirm_lasso(&watcher, &reduced.model, &finding, fairness.into()).is_ok()
        };
        // A claim may need several steps of its own when the model has ended.
        let most = if guide.cycle.is_none() { alone } else { 1 };
        (1..=most as usize + 1).any(is_one)
    })
}

/// What the property is in this model.
fn target(model: &Model, property: &FileProperty) -> Option<Target> {
    if property.kind == "non-progress-cycle" {
        return Some(Target::NonProgress);
    }
    let mut stated =
        (0..model.liveness.len()).map(|row| Property::of_model(row, &model.liveness[row]));
    let same = |p: &Property| p.kind == property.kind && p.name == property.name;
    stated.find(same).and_then(|p| p.target())
}

/// The violations that a file may mean.
fn violations(model: &Model, stated: &Stated) -> Vec<Violation> {
    let kinds = [
        ViolationKind::AcceptanceCycle,
        ViolationKind::NonProgressCycle,
        ViolationKind::Claim,
        ViolationKind::ArrayBounds,
    ];
    let plain = kinds.into_iter().map(Violation::from);
    let sites = (0..model.sites.len() as u32).map(|site| Violation {
        kind: ViolationKind::Assertion,
        site: Some(space::SiteId(site)),
    });
    let all = plain.chain(sites);
    all.filter(|violation| violation.kind.name() == stated.kind)
        .collect()
}

/// The trace with some steps of nobody where the claim moves alone at its end.
fn with_stuttering(trace: &Trace, times: usize) -> Trace {
    let mut trace = trace.clone();
    if trace.cycle.is_none_or(|stem| stem == trace.steps.len()) {
        let step = Step {
            pid: Pid::NOBODY,
            transition: TransitionId::STUTTER,
            partner: None,
        };
        trace.steps.extend(std::iter::repeat_n(step, times));
    }
    trace
}
