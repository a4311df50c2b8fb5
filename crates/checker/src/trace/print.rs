//! A trace for people: what each step did, and how it ends.

use std::io::{self, Write};

use model::Model;
use model::show::{self, Change};
use space::{Step, Trace, Violation, ViolationKind};

use super::node::place;
use super::replay::{End, Replayed, replay};
use super::table::Table;
use super::verdict;
use crate::load::Loaded;
use crate::style::{Style as Paint, printable};
use crate::units::plural;

pub use super::verdict::{lasso, location, sentence};

/// How a trace is printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// With colours.
    pub color: bool,
    /// Only so many steps at the beginning and at the end.
    pub limit: Option<Limit>,
    /// The number of steps before the cycle, where the trace is one that goes on for ever.
    pub cycle: Option<usize>,
}

/// How much of a long trace is printed.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Steps at the beginning.
    pub first: usize,
    /// Steps at the end.
    pub last: usize,
}

/// Print a trace in full, and the violation it ends in.
pub fn human(
    loaded: &Loaded,
    trace: &Trace,
    violation: Option<&Violation>,
    out: &mut impl Write,
) -> io::Result<()> {
    styled(loaded, trace, violation, Style::default(), out)
}

/// Print a trace in some style, and the violation it ends in.
pub fn styled(
    loaded: &Loaded,
    trace: &Trace,
    violation: Option<&Violation>,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    match replay(&loaded.model, trace) {
        Ok(run) => {
            replayed(&loaded.model, &run, style, out)?;
            match violation {
                Some(violation) => {
                    writeln!(out)?;
                    conclusion(&loaded.model, &run, violation, style, out)
                }
                None => Ok(()),
            }
        }
        Err(error) => {
            for (i, step) in trace.steps.iter().enumerate() {
                let transition = loaded.model.transitions.get(step.transition.0 as usize);
                let text = transition.map_or("?", |t| t.text.as_str());
                writeln!(out, "{:4}   process {}  {text}", i + 1, step.pid.0)?;
            }
            writeln!(out, "this trace cannot be replayed: {error}")
        }
    }
}

/// Print the steps of an executed trace.
pub fn replayed(
    model: &Model,
    run: &Replayed,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    let table = Table::for_run(model, run, style.color);
    let steps = run.steps.len();
    let hidden = match style.limit {
        Some(limit) if steps > limit.first + limit.last + 1 => limit.first..steps - limit.last,
        _ => 0..0,
    };
    for index in 0..steps {
        if style.cycle == Some(index) {
            let length = plural((steps - index) as u64, "step");
            table.remark(out, &format!("<<<<< cycle: {length}, repeated forever"))?;
        }
        if hidden.contains(&index) {
            if index == hidden.start {
                table.remark(out, &format!("... {} steps ...", hidden.len()))?;
            }
            continue;
        }
        table.step(out, model, run, index, run.continues(index))?;
    }
    match style.cycle {
        Some(stem) if stem == steps => {
            table.remark(out, "<<<<< no process can move: this state repeats forever")
        }
        Some(stem) => {
            table.remark(out, &format!("<<<<< back to step {}", stem + 1))?;
            match open_variables(model, run, stem).as_slice() {
                [] => Ok(()),
                open => table.remark(out, &format!("      ({})", not_restored(open))),
            }
        }
        None => Ok(()),
    }
}

/// The variables whose values a cycle does not restore. They are hidden, or a reduction found that
/// their values are not used.
fn open_variables(model: &Model, run: &Replayed, stem: usize) -> Vec<String> {
    show::changes(model, run.before(stem), run.last_state())
        .into_iter()
        .filter_map(|change| match change {
            Change::Value(item) => Some(item.name),
            Change::Start { .. } => None,
        })
        .collect()
}

fn not_restored(names: &[String]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!(
            "{} and {last} are not restored, but do not distinguish states here",
            most.join(", ")
        ),
        names => format!(
            "{} is not restored, but does not distinguish states here",
            names.concat()
        ),
    }
}

/// Prints the steps of a run while it is made.
pub struct Printer<'m> {
    model: &'m Model,
    table: Table,
    color: bool,
}

impl<'m> Printer<'m> {
    /// A printer for any run of a model.
    pub fn new(model: &'m Model, color: bool) -> Printer<'m> {
        Printer {
            model,
            table: Table::for_model(model, color),
            color,
        }
    }

    /// The style it prints in.
    pub fn style(&self) -> Style {
        Style {
            color: self.color,
            ..Style::default()
        }
    }

    /// Print a step of a run, counted from 0. `continues` tells whether an atomic sequence
    /// goes on behind it.
    pub fn step(
        &self,
        out: &mut impl Write,
        run: &Replayed,
        index: usize,
        continues: bool,
    ) -> io::Result<()> {
        self.table.step(out, self.model, run, index, continues)
    }

    /// Print a step that can be made, with its number among the choices.
    pub fn choice(
        &self,
        out: &mut impl Write,
        state: &[u8],
        number: usize,
        step: Step,
    ) -> io::Result<()> {
        self.table.choice(out, self.model, state, number, step)
    }
}

/// Print where each process of a state stands.
pub fn standing(model: &Model, state: &[u8], out: &mut impl Write) -> io::Result<()> {
    verdict::standing(out, model, state, false)
}

/// Print the violation a trace ends in, and for an invalid end state who waits for what.
pub fn conclusion(
    model: &Model,
    run: &Replayed,
    violation: &Violation,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    let sentence = sentence(model, run, violation);
    let paint = Paint { color: style.color };
    writeln!(out, "{}", paint.bad(&printable(&sentence)))?;
    if violation.kind == ViolationKind::InvalidEndState {
        verdict::standing(out, model, run.last_state(), true)?;
    }
    Ok(())
}

/// How a run stands that broke nothing, in one sentence without a full stop.
pub fn ending(model: &Model, run: &Replayed) -> String {
    let steps = match run.steps.len() {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    match run.end {
        End::Running => format!("stopped after {steps}"),
        End::Fault => format!("aborted after {steps}"),
        End::Invalid => format!("stuck after {steps}"),
        End::Valid => {
            let standing = show::standing(model, run.last_state());
            let waiting: Vec<String> = standing
                .iter()
                .filter(|process| !process.ended)
                .map(|process| match process.options.first() {
                    Some(&first) => format!("{} at {}", process.process, place(model, first)),
                    None => process.process.clone(),
                })
                .collect();
            match waiting.as_slice() {
                [] => format!("ended after {steps}: all processes have terminated"),
                waiting => format!(
                    "ended after {steps} in a valid end state: {}",
                    waiting.join(", ")
                ),
            }
        }
    }
}
