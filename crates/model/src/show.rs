//! States, values and messages for people: names instead of numbers and offsets.

use std::fmt::Write;

use crate::layout::{Display, StateLayout, VarKind, Variable};
use crate::model::{ChannelType, Model};

/// A value with its name.
pub fn value(model: &Model, display: Display, value: i32) -> String {
    match display {
        Display::Number => value.to_string(),
        Display::Bool => match value {
            0 => "false".to_owned(),
            1 => "true".to_owned(),
            _ => value.to_string(),
        },
        Display::Mtype(set) => mtype_name(model, set, value)
            .map_or_else(|| value.to_string(), str::to_owned),
        Display::Channel => channel_name(model, value),
    }
}

fn mtype_name(model: &Model, set: u32, value: i32) -> Option<&str> {
    let (_, names) = model.mtypes.get(set as usize)?;
    let row = usize::try_from(value).ok()?.checked_sub(1)?;
    names.get(row).map(String::as_str)
}

fn channel_name(model: &Model, number: i32) -> String {
    if number == 0 {
        return "none".to_owned();
    }
    let mut found = None;
    for init in &model.global_inits {
        if let crate::model::Initialiser::Channel { offset, slot } = init
            && model.layout.channels.get(number as usize - 1) == Some(slot)
        {
            leaves(&model.globals, 0, "", &mut |name, at, _, _, _| {
                if at == *offset {
                    found = Some(name.to_owned());
                }
            });
        }
    }
    found.unwrap_or_else(|| format!("channel {number}"))
}

/// `printf`'s text.
pub fn format(model: &Model, format: &str, args: &[(i32, Display)]) -> String {
    let mut text = String::new();
    let mut args = args.iter();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let kind = chars.next();
        if kind == Some('%') {
            text.push('%');
            continue;
        }
        let &(value, display) = args.next().unwrap_or(&(0, Display::Number));
        // Writing to a string cannot fail.
        let _ = match kind {
            Some('c') => write!(text, "{}", (value as u8) as char),
            Some('e') => write!(text, "{}", self::value(model, display, value)),
            Some('u') => write!(text, "{}", value as u32),
            Some('x') => write!(text, "{value:x}"),
            Some('o') => write!(text, "{value:o}"),
            Some('d') | None => write!(text, "{value}"),
            Some(other) => write!(text, "%{other}"),
        };
    }
    text
}

/// A named value of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The process it belongs to, if any.
    pub pid: Option<u8>,
    /// Its name: `x`, `a[1].b`, `P(2):i`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// Call `visit` with name, offset and type of each scalar of some variables.
fn leaves(
    variables: &[Variable],
    base: u32,
    prefix: &str,
    visit: &mut impl FnMut(&str, u32, crate::layout::Scalar, Display, bool),
) {
    for variable in variables {
        for i in 0..variable.count.unwrap_or(1) {
            let at = base + variable.offset + i * variable.kind.size();
            let name = match variable.count {
                Some(_) => format!("{prefix}{}[{i}]", variable.name),
                None => format!("{prefix}{}", variable.name),
            };
            match &variable.kind {
                VarKind::Scalar(scalar, display) => {
                    visit(&name, at, *scalar, *display, variable.synthetic);
                }
                VarKind::Struct(_, fields) => leaves(fields, at, &format!("{name}."), visit),
            }
        }
    }
}

/// Everything a person may want to see of a state, in the order of the declarations.
///
/// Channel variables show the messages of the channel they hold.
pub fn items(model: &Model, state: &[u8]) -> Vec<Item> {
    let channels = channels(model, state);
    let mut items = Vec::new();
    let mut push = |pid: Option<u8>, variables: &[Variable], base: u32, prefix: &str| {
        leaves(variables, base, prefix, &mut |name, at, scalar, display, synthetic| {
            if synthetic {
                return;
            }
            let raw = scalar.read(state, at as usize);
            let value = match display {
                Display::Channel => contents(model, state, &channels, raw),
                _ => value(model, display, raw),
            };
            items.push(Item {
                pid,
                name: name.to_owned(),
                value,
            });
        });
    };
    push(None, &model.globals, 0, "");
    for (pid, frame) in frames(model, state).into_iter().enumerate() {
        let proctype = &model.proctypes[state[frame as usize] as usize];
        let prefix = format!("{}({pid}):", proctype.name);
        push(Some(pid as u8), &proctype.variables, frame, &prefix);
    }
    items
}

/// The control state of each process: proctype name, pid, and control state.
pub fn processes(model: &Model, state: &[u8]) -> Vec<(u8, u32, crate::ids::ControlId)> {
    frames(model, state)
        .into_iter()
        .enumerate()
        .map(|(pid, frame)| {
            let at = (frame + StateLayout::CONTROL) as usize;
            let control = u16::from_le_bytes([state[at], state[at + 1]]);
            (
                pid as u8,
                u32::from(state[(frame + StateLayout::PROCTYPE) as usize]),
                crate::ids::ControlId(u32::from(control)),
            )
        })
        .collect()
}

fn frames(model: &Model, state: &[u8]) -> Vec<u32> {
    let mut frames = Vec::new();
    let mut at = model.layout.frames;
    while (at as usize) < state.len() {
        frames.push(at);
        at += model.proctypes[state[at as usize] as usize].frame_size;
    }
    frames
}

/// Offset and type of every channel of a state.
fn channels<'m>(model: &'m Model, state: &[u8]) -> Vec<(u32, &'m ChannelType)> {
    let mut all: Vec<_> = model
        .layout
        .channels
        .iter()
        .map(|slot| (slot.offset, model.channel_type(slot.ty)))
        .collect();
    for frame in frames(model, state) {
        let proctype = &model.proctypes[state[frame as usize] as usize];
        for slot in &proctype.channels {
            all.push((frame + slot.offset, model.channel_type(slot.ty)));
        }
    }
    all
}

/// The messages in a channel, as `[a,1][b,2]`.
fn contents(
    model: &Model,
    state: &[u8],
    channels: &[(u32, &ChannelType)],
    number: i32,
) -> String {
    let row = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
    let Some(&(offset, ty)) = row.and_then(|row| channels.get(row)) else {
        return "none".to_owned();
    };
    if ty.capacity == 0 {
        return format!("rendezvous channel {number}");
    }
    let len = match ty.length_size() {
        1 => u32::from(state[offset as usize]),
        _ => u32::from(u16::from_le_bytes([
            state[offset as usize],
            state[offset as usize + 1],
        ])),
    };
    let mut text = String::new();
    for position in 0..len {
        let at = offset + ty.length_size() + position * ty.message_size();
        let fields: Vec<String> = ty
            .fields
            .iter()
            .map(|field| {
                let raw = field.scalar.read(state, (at + field.offset) as usize);
                value(model, field.display, raw)
            })
            .collect();
        let _ = write!(text, "[{}]", fields.join(","));
    }
    if text.is_empty() {
        text.push_str("[]");
    }
    text
}
