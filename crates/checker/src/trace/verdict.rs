//! What is wrong at the end of a trace, in a sentence.

use std::io::{self, Write};

use model::show::{self, Standing};
use model::{CallId, Location, Model};
use space::{Trace, TransitionId, Violation, ViolationKind};

use super::node::{place, process_name};
use super::replay::Replayed;
use super::table::width;

/// Where a violation lies: the assertion, or the statement of the last step.
pub fn location(model: &Model, run: &Replayed, violation: &Violation) -> Option<Location> {
    spot(model, run, violation).map(|(location, _)| location)
}

/// The same with the call of an inline that the statement comes from.
fn spot(model: &Model, run: &Replayed, violation: &Violation) -> Option<(Location, CallId)> {
    if let Some(site) = site(model, violation) {
        return Some((site.location, site.call));
    }
    let failing = failing(run, violation).map(|id| model.transition(id));
    failing.map(|transition| (transition.location, transition.call))
}

fn site<'m>(model: &'m Model, violation: &Violation) -> Option<&'m model::Site> {
    violation
        .site
        .and_then(|site| model.sites.get(site.0 as usize))
}

/// The statement that raised a violation, if it was the last step.
fn failing(run: &Replayed, violation: &Violation) -> Option<TransitionId> {
    let last = run.steps.last()?;
    (last.violation.map(|v| v.kind) == Some(violation.kind)).then_some(last.step.transition)
}

/// The text of the statement that raised a violation. An assertion may be a part of the
/// last step only.
fn statement(model: &Model, run: &Replayed, violation: &Violation) -> Option<String> {
    match site(model, violation) {
        Some(site) if site.text.starts_with('(') => Some(format!("assert{}", site.text)),
        Some(site) => Some(format!("assert({})", site.text)),
        None => failing(run, violation).map(|id| model.transition(id).text.clone()),
    }
}

/// The violation in one sentence, without a full stop.
pub fn sentence(model: &Model, run: &Replayed, violation: &Violation) -> String {
    let steps = run.steps.len();
    if violation.kind == ViolationKind::InvalidEndState {
        let stuck: Vec<String> = show::standing(model, run.last_state())
            .into_iter()
            .filter(|process| !process.may_stop)
            .map(|process| process.process)
            .collect();
        let when = match steps {
            0 => "before the first step".to_owned(),
            n => format!("after step {n}"),
        };
        return match stuck.as_slice() {
            [] => format!("invalid end state {when}: the trace assertion is not in an end state"),
            [one] => format!("invalid end state {when}: no process can move, and {one} is stuck"),
            [most @ .., last] => format!(
                "invalid end state {when}: no process can move, and {} and {last} are stuck",
                most.join(", ")
            ),
        };
    }
    let mut text = violation.kind.to_string();
    if let Some((location, call)) = spot(model, run, violation) {
        text.push_str(&format!(" at {}", model.locate(location)));
        if call != CallId::NONE {
            text.push_str(&format!(" ({})", model.called(call)));
        }
    }
    if let Some(statement) = statement(model, run, violation) {
        text.push_str(&format!(": {statement}"));
    }
    match run.steps.last() {
        Some(last) if failing(run, violation).is_some() => {
            let who = process_name(model, run.before(steps - 1), last.step.pid);
            text.push_str(&format!(", by {who} in step {steps}"));
        }
        Some(_) => text.push_str(&format!(", after step {steps}")),
        None => text.push_str(", before the first step"),
    }
    text
}

/// What the search of a property found, in one sentence without a full stop.
pub fn lasso(title: &str, violation: &Violation, trace: &Trace) -> String {
    let steps = trace.steps.len();
    let when = match steps {
        0 => "before the first step".to_owned(),
        n => format!("after step {n}"),
    };
    let what = match violation.kind {
        ViolationKind::NonProgressCycle => "non-progress cycle".to_owned(),
        ViolationKind::AcceptanceCycle if title == "acceptance cycles" => {
            "acceptance cycle".to_owned()
        }
        ViolationKind::AcceptanceCycle | ViolationKind::Claim => format!("{title} violated"),
        kind => format!("{title}: {kind}"),
    };
    match (violation.kind, trace.cycle) {
        (ViolationKind::Claim, _) => format!("{what} {when}, whatever the continuation"),
        (_, None) => format!("{what} {when}"),
        (_, Some(stem)) if stem == steps => {
            format!("{what}: no process can move {when}, and the execution ends there")
        }
        (_, Some(stem)) if stem + 1 == steps => {
            format!("{what}: step {steps} repeats forever")
        }
        (_, Some(stem)) => format!("{what}: steps {} to {steps} repeat forever", stem + 1),
    }
}

/// Where each process of a state stands, and what it waits for if nobody can move.
pub(super) fn standing(
    out: &mut dyn Write,
    model: &Model,
    state: &[u8],
    stuck: bool,
) -> io::Result<()> {
    let standing = show::standing(model, state);
    let names = standing.iter().map(|s| width(&s.process)).max();
    let places = standing
        .iter()
        .flat_map(|s| s.options.iter().map(|&id| width(&place(model, id))))
        .max();
    let (names, places) = (names.unwrap_or(0), places.unwrap_or(0));
    for process in standing {
        if process.ended {
            writeln!(out, "  {:names$}  terminated", process.process)?;
            continue;
        }
        for (i, &id) in process.options.iter().enumerate() {
            let name = if i == 0 { process.process.as_str() } else { "" };
            let verb = match (i, stuck, process.may_stop) {
                (0, false, _) => "before",
                (_, false, _) => "or",
                (0, true, false) => "waits for",
                (0, true, true) => "may end here, or waits for",
                _ => "or for",
            };
            let text = &model.transition(id).text;
            let values = values(model, state, &process, id);
            let place = place(model, id);
            writeln!(
                out,
                "  {name:names$}  {place:places$}  {verb} {text}{values}"
            )?;
        }
    }
    Ok(())
}

/// What a statement depends on, in parentheses.
fn values(model: &Model, state: &[u8], process: &Standing, id: TransitionId) -> String {
    let own = format!("{}:", process.process);
    let items: Vec<String> = show::mentioned(model, state, process.pid, id)
        .into_iter()
        .filter(|item| item.value != "rendezvous")
        .map(|item| {
            let name = item.name.strip_prefix(&own).unwrap_or(&item.name);
            format!("{name} = {}", item.value)
        })
        .collect();
    match items.as_slice() {
        [] => String::new(),
        items => format!("  ({})", items.join(", ")),
    }
}
