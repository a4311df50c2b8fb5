//! Violations in words.

use model::{CallId, Location, Model, ProcessKind, Transition, show};
use search::Finding;
use space::{Step, ViolationKind};

use crate::property::{Property, without_parentheses};
use crate::trace::print;

/// The most processes that are named in one message.
const NAMED: usize = 4;

/// Where a statement stands, and the call of an inline that it comes from.
pub(super) type Place = (Location, CallId);

/// What happened, and the statement to look at.
pub(super) fn describe(
    model: &Model,
    finding: &Finding,
    last_state: &[u8],
) -> (String, Option<Place>) {
    let kind = finding.violation.kind;
    if kind == ViolationKind::InvalidEndState {
        return describe_end_state(model, last_state);
    }
    let site = finding.violation.site;
    if let Some(site) = site.and_then(|site| model.sites.get(site.0 as usize)) {
        let who = finding.trace.steps.last().map(|step| process(model, *step));
        let who = who.map_or_else(String::new, |who| format!(" in {who}"));
        let text = without_parentheses(&site.text);
        return (
            format!("{kind}{who}: {text}"),
            Some((site.location, site.call)),
        );
    }
    match finding.trace.steps.last() {
        None => (format!("{kind} in the initial state"), None),
        Some(step) => {
            let transition = model.transition(step.transition);
            let who = process(model, *step);
            let message = format!("{kind} in {who}: {}", transition.text);
            (message, Some((transition.location, transition.call)))
        }
    }
}

/// What the search of a property found, and where the property stands.
pub(super) fn describe_lasso(
    model: &Model,
    property: &Property,
    finding: &Finding,
) -> (String, Option<Place>) {
    let text = print::lasso(&property.title(), &finding.violation, &finding.trace);
    let site = finding.violation.site;
    let site = site.and_then(|site| model.sites.get(site.0 as usize));
    let place = site.map(|site| (site.location, site.call));
    let stated = property.location.map(|location| (location, CallId::NONE));
    (text, place.or(stated))
}

/// The process of a step, as `P(1)`.
fn process(model: &Model, step: Step) -> String {
    let proctype = model.transition(step.transition).proctype;
    format!("{}({})", model.proctype(proctype).name, step.pid.0)
}

/// Who waits for ever, and where.
fn describe_end_state(model: &Model, state: &[u8]) -> (String, Option<Place>) {
    let mut waiting = Vec::new();
    let mut first = None;
    for (pid, proctype, control) in show::processes(model, state) {
        let proctype = &model.proctypes[proctype as usize];
        let control_state = &proctype.states[control.index()];
        if control_state.end {
            continue;
        }
        let next: Vec<&Transition> = control_state
            .options
            .iter()
            .map(|option| model.transition(option.transition))
            .collect();
        let place = next.first().map(|t| (t.location, t.call));
        let place = place.unwrap_or((proctype.location, CallId::NONE));
        first.get_or_insert(place);
        waiting.push(match next.as_slice() {
            [only] => format!("{}({pid}) waits at `{}`", proctype.name, only.text),
            _ => format!("{}({pid}) waits in line {}", proctype.name, place.0.line),
        });
    }
    let more = waiting.len().saturating_sub(NAMED);
    waiting.truncate(NAMED);
    if more > 0 {
        waiting.push(format!("{more} more"));
    }
    let message = format!("invalid end state: {}", waiting.join(", "));
    (message, first)
}

/// Whether a proctype is one that processes are made of.
pub(super) fn is_process(kind: ProcessKind) -> bool {
    matches!(kind, ProcessKind::Proctype | ProcessKind::Init)
}
