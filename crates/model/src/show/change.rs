//! What a step changed.

use super::{Item, Shown, frames, leaves, process_name, proctype_at};
use crate::layout::Variable;
use crate::model::Model;

/// One change from a state to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A variable or channel has a new value.
    Value(Item),
    /// A process has started.
    Start {
        /// Its pid.
        pid: u8,
        /// Its name, as `P(2)`.
        process: String,
    },
}

/// What differs between a state and a successor of it: variables in the order of their
/// declarations, then channels, then new processes with their arguments.
pub fn changes(model: &Model, before: &[u8], after: &[u8]) -> Vec<Change> {
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    let old = Shown::new(model, before);
    let new = Shown::new(model, after);
    let mut found = Vec::new();
    for variable in &model.globals {
        compare(&mut found, &old, &new, None, variable, (0, ""));
    }
    let (old_frames, new_frames) = (frames(model, before), frames(model, after));
    for (pid, (&was, &frame)) in old_frames.iter().zip(&new_frames).enumerate() {
        let proctype = proctype_at(model, after, frame);
        let kind = |state: &[u8]| model.layout.head(state, frame).kind;
        if was != frame || kind(before) != kind(after) {
            continue;
        }
        let prefix = format!("{}:", process_name(proctype, pid));
        if model.layout.priorities {
            let at = (frame + model.layout.priority()) as usize;
            if before[at] != after[at] {
                found.push(Change::Value(Item {
                    pid: Some(pid as u8),
                    name: format!("{prefix}_priority"),
                    value: after[at].to_string(),
                }));
            }
        }
        for variable in &proctype.variables {
            let base = (frame, prefix.as_str());
            compare(&mut found, &old, &new, Some(pid as u8), variable, base);
        }
    }
    for (was, channel) in old.channels.iter().zip(&new.channels) {
        let range = |offset: u32| offset as usize..(offset + channel.ty.size()) as usize;
        let lost = was.offset != channel.offset;
        if !lost && before[range(was.offset)] != after[range(channel.offset)] {
            found.push(Change::Value(Item {
                pid: channel.pid,
                name: channel.name.clone(),
                value: new.contents(channel),
            }));
        }
    }
    for (pid, &frame) in new_frames.iter().enumerate().skip(old_frames.len()) {
        start(&mut found, &new, pid, frame);
    }
    found
}

/// The scalars of a variable that differ.
fn compare(
    found: &mut Vec<Change>,
    old: &Shown<'_>,
    new: &Shown<'_>,
    pid: Option<u8>,
    variable: &Variable,
    (base, prefix): (u32, &str),
) {
    let start = (base + variable.offset) as usize;
    let range = start..start + variable.size() as usize;
    if old.state[range.clone()] == new.state[range] {
        return;
    }
    leaves(variable, base, prefix, &mut |leaf| {
        let at = leaf.at as usize;
        let raw = leaf.scalar.read(new.state, at);
        if leaf.scalar.read(old.state, at) != raw {
            found.push(Change::Value(Item {
                pid,
                name: leaf.name.to_owned(),
                value: new.value(leaf.display, raw),
            }));
        }
    });
}

/// A new process and its arguments.
fn start(found: &mut Vec<Change>, new: &Shown<'_>, pid: usize, frame: u32) {
    let proctype = proctype_at(new.model, new.state, frame);
    let process = process_name(proctype, pid);
    let prefix = format!("{process}:");
    found.push(Change::Start {
        pid: pid as u8,
        process,
    });
    let mut arguments = Vec::new();
    for variable in &proctype.variables {
        let parameter = |(offset, _): &(u32, _)| {
            (variable.offset..variable.offset + variable.size()).contains(offset)
        };
        if proctype.params.iter().any(parameter) {
            new.push(&mut arguments, Some(pid as u8), variable, frame, &prefix);
        }
    }
    found.extend(arguments.into_iter().map(Change::Value));
}
