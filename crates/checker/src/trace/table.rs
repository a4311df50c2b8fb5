//! Aligned lines: number, process, place, statement, changes.

use std::io::{self, Write};

use model::show::{self, Change};
use model::{Action, Model, ProcessKind, Transition};
use space::{Pid, Step, TransitionId};

use super::node::{place, process_name};
use super::replay::{Executed, Replayed};
use crate::style::{Style as Paint, printable};

/// A statement that is longer pushes its changes to the next line.
const LONGEST_TEXT: usize = 44;
/// A place that is longer, in a long chain of calls, pushes what follows to the right.
const LONGEST_PLACE: usize = 64;
/// Messages and changes are spread over several lines beyond this width.
const LONGEST_CHANGES: usize = 72;

/// The widths of the columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Table {
    number: usize,
    process: usize,
    place: usize,
    text: usize,
    color: bool,
}

/// The part of a step that one process does.
struct Half {
    process: String,
    place: String,
    text: String,
}

impl Table {
    /// Columns wide enough for any step of the model.
    pub(super) fn for_model(model: &Model, color: bool) -> Table {
        let mut table = Table {
            number: 4,
            color,
            ..Table::default()
        };
        let moves = |t: &Transition| {
            let kind = model.proctype(t.proctype).kind;
            matches!(kind, ProcessKind::Proctype | ProcessKind::Init)
        };
        for (row, transition) in model.transitions.iter().enumerate() {
            if moves(transition) {
                let name = show::process_name(model.proctype(transition.proctype), 0);
                let place = place(model, TransitionId(row as u32));
                table.widen(&name, &place, &transition.text);
            }
        }
        table
    }

    /// Columns just wide enough for a run.
    pub(super) fn for_run(model: &Model, run: &Replayed, color: bool) -> Table {
        let mut table = Table {
            number: run.steps.len().to_string().len().max(2),
            color,
            ..Table::default()
        };
        for (i, step) in run.steps.iter().enumerate() {
            for half in halves(model, run.before(i), step.step) {
                table.widen(&half.process, &half.place, &half.text);
            }
        }
        table
    }

    fn widen(&mut self, process: &str, place: &str, text: &str) {
        self.process = self.process.max(width(process));
        self.place = self.place.max(width(place).min(LONGEST_PLACE));
        self.text = self.text.max(width(text).min(LONGEST_TEXT));
    }

    /// Print a step, counted from 0, with what it changed and printed.
    pub(super) fn step(
        &self,
        out: &mut dyn Write,
        model: &Model,
        run: &Replayed,
        index: usize,
        continues: bool,
    ) -> io::Result<()> {
        let executed = &run.steps[index];
        let found = show::changes(model, run.before(index), run.after(index));
        let halves = halves(model, run.before(index), executed.step);
        let last = halves.len() - 1;
        for (i, half) in halves.iter().enumerate() {
            let bracket = bracket(executed.exclusive || i > 0, continues || i < last);
            let number = (i == 0).then_some(index + 1);
            let messages = messages(model, run.before(index), executed, i);
            let changes = described(&found, executed, i);
            let effects = spread(&messages, &changes);
            let bracket = match last {
                0 => bracket,
                _ if executed.exclusive || continues => bracket,
                _ => ' ',
            };
            self.line(out, number, bracket, half, effects)?;
        }
        self.output(out, &executed.output, continues)
    }

    /// Print a step that could be made.
    pub(super) fn choice(
        &self,
        out: &mut dyn Write,
        model: &Model,
        state: &[u8],
        number: usize,
        step: Step,
    ) -> io::Result<()> {
        for (i, half) in halves(model, state, step).iter().enumerate() {
            self.line(out, (i == 0).then_some(number), ' ', half, Vec::new())?;
        }
        Ok(())
    }

    fn line(
        &self,
        out: &mut dyn Write,
        number: Option<usize>,
        bracket: char,
        half: &Half,
        effects: Vec<String>,
    ) -> io::Result<()> {
        let number = number.map(|n| n.to_string()).unwrap_or_default();
        let paint = Paint { color: self.color };
        let head = format!(
            "{number} {bracket} {process:p$}  {place}  ",
            number = paint.dim(&format!("{number:>n$}", n = self.number)),
            process = half.process,
            p = self.process,
            place = paint.dim(&format!("{:p$}", half.place, p = self.place)),
        );
        let mut lines = effects.into_iter();
        let fits = width(&half.text) <= self.text;
        let first = if fits { lines.next() } else { None };
        let first = first.unwrap_or_default();
        let line = format!("{head}{text:t$}  {first}", text = half.text, t = self.text);
        writeln!(out, "{}", line.trim_end())?;
        let mark = match bracket {
            '┌' | '│' => '│',
            _ => ' ',
        };
        let indent = self.process + self.place + self.text + 7;
        for line in lines {
            writeln!(out, "{:n$} {mark}{:indent$}{line}", "", "", n = self.number)?;
        }
        Ok(())
    }

    /// What a step printed, line by line.
    fn output(&self, out: &mut dyn Write, text: &str, continues: bool) -> io::Result<()> {
        let bracket = if continues { '│' } else { ' ' };
        for line in text.lines() {
            let line = printable(&line.replace('\t', "    "));
            writeln!(out, "{:n$} {bracket} > {line}", "", n = self.number)?;
        }
        Ok(())
    }

    /// A remark between two steps.
    pub(super) fn remark(&self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        writeln!(out, "{:n$}   {text}", "", n = self.number)
    }
}

/// Who does what in a step: one process, or the two of a handshake.
fn halves(model: &Model, before: &[u8], step: Step) -> Vec<Half> {
    let half = |pid: Pid, id: TransitionId| Half {
        process: process_name(model, before, pid),
        place: place(model, id),
        text: printable(&model.transition(id).text),
    };
    let mut halves = vec![half(step.pid, step.transition)];
    if let Some((pid, id)) = step.partner {
        halves.push(half(pid, id));
    }
    halves
}

/// The changes that are shown beside one half of a step. What belongs to the process itself
/// goes by its short name.
fn described(changes: &[Change], executed: &Executed, half: usize) -> Vec<String> {
    let step = executed.step;
    let own = match (half, step.partner) {
        (0, _) | (_, None) => step.pid.0,
        (_, Some((pid, _))) => pid.0,
    };
    let here = |pid: Option<u8>| match step.partner {
        None => true,
        Some(_) => (pid == Some(step.pid.0)) == (half == 0),
    };
    changes
        .iter()
        .filter_map(|change| match change {
            Change::Value(item) if here(item.pid) => {
                let short = item.name.split_once(':').map(|(_, name)| name);
                let name = match short {
                    Some(name) if item.pid == Some(own) => name,
                    _ => &item.name,
                };
                Some(format!("{name} = {}", item.value))
            }
            Change::Start { pid, process } if here(Some(*pid)) => Some(format!("{process} starts")),
            _ => None,
        })
        .collect()
}

/// The messages that one half of a step sent and saw. A `d_step` may have several, so there
/// each names its channel.
fn messages(model: &Model, before: &[u8], executed: &Executed, half: usize) -> Vec<String> {
    let id = match (half, executed.step.partner) {
        (1, Some((_, id))) => id,
        _ => executed.step.transition,
    };
    let several = matches!(model.transition(id).action, Action::DStep(_));
    let text = |message: show::Message| {
        let text = format!("{} {}", message.action, message.values.join(", "));
        let word = match message.action {
            "sent" => "to",
            "received" => "from",
            _ => "in",
        };
        match several {
            true => format!("{text} {word} {}", message.channel),
            false => text,
        }
    };
    let messages = show::messages(model, before, &executed.transfers_of(half));
    messages.into_iter().map(text).collect()
}

/// Messages and changes in lines of bearable width.
fn spread(messages: &[String], changes: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (i, effect) in messages.iter().chain(changes).enumerate() {
        let separator = if i <= messages.len() { "; " } else { ", " };
        match lines.last_mut() {
            Some(line) if width(line) + width(effect) + 2 <= LONGEST_CHANGES => {
                line.push_str(separator);
                line.push_str(effect);
            }
            _ => lines.push(effect.clone()),
        }
    }
    lines
}

/// The mark of a step of an atomic sequence.
fn bracket(inside: bool, continues: bool) -> char {
    match (inside, continues) {
        (false, true) => '┌',
        (true, true) => '│',
        (true, false) => '└',
        (false, false) => ' ',
    }
}

pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}
