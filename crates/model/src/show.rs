//! States, values and messages for people: names instead of numbers and offsets.
//!
//! The variable that a channel was made for is its home and shows the messages; any other
//! variable that holds the channel shows its name.

mod blocked;
mod change;
mod message;

pub use blocked::{Standing, mentioned, standing};
pub use change::{Change, changes};
pub use message::{Message, messages};

use std::fmt::Write;

use crate::layout::{Display, Scalar, VarKind, Variable};
use crate::model::{ChannelType, Initialiser, Model, Proctype};

/// A value with its name. A channel of a process goes by its number here.
pub fn value(model: &Model, display: Display, value: i32) -> String {
    match display {
        Display::Number => value.to_string(),
        Display::Bool => match value {
            0 => "false".to_owned(),
            1 => "true".to_owned(),
            _ => value.to_string(),
        },
        Display::Mtype(set) => {
            mtype_name(model, set, value).map_or_else(|| value.to_string(), str::to_owned)
        }
        Display::Channel => channel_name(model, value),
    }
}

fn mtype_name(model: &Model, set: u32, value: i32) -> Option<&str> {
    let (_, names) = model.mtypes.get(set as usize)?;
    let row = usize::try_from(value).ok()?.checked_sub(1)?;
    names.get(row).map(String::as_str)
}

fn channel_name(model: &Model, number: i32) -> String {
    name_of(&global_channels(model), number)
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

/// One scalar of a variable.
#[derive(Clone, Copy)]
struct Leaf<'a> {
    name: &'a str,
    at: u32,
    scalar: Scalar,
    display: Display,
}

/// Call `visit` with each scalar of a variable that people may see.
fn leaves(variable: &Variable, base: u32, prefix: &str, visit: &mut impl FnMut(Leaf<'_>)) {
    if variable.synthetic {
        return;
    }
    for i in 0..variable.count.unwrap_or(1) {
        let at = base + variable.offset + i * variable.kind.size();
        let name = match variable.count {
            Some(_) => format!("{prefix}{}[{i}]", variable.name),
            None => format!("{prefix}{}", variable.name),
        };
        match &variable.kind {
            VarKind::Scalar(scalar, display) => visit(Leaf {
                name: &name,
                at,
                scalar: *scalar,
                display: *display,
            }),
            VarKind::Struct(_, fields) => {
                let prefix = format!("{name}.");
                for field in fields {
                    leaves(field, at, &prefix, visit);
                }
            }
        }
    }
}

/// Everything a person may want to see of a state, in the order of the declarations.
pub fn items(model: &Model, state: &[u8]) -> Vec<Item> {
    let shown = Shown::new(model, state);
    let mut items = Vec::new();
    for variable in &model.globals {
        shown.push(&mut items, None, variable, 0, "");
    }
    for (pid, frame) in frames(model, state).into_iter().enumerate() {
        let proctype = proctype_at(model, state, frame);
        let prefix = format!("{}:", process_name(proctype, pid));
        for variable in &proctype.variables {
            shown.push(&mut items, Some(pid as u8), variable, frame, &prefix);
        }
    }
    items
}

/// A state with what is needed to name its channels.
struct Shown<'a> {
    model: &'a Model,
    state: &'a [u8],
    channels: Vec<Channel<'a>>,
}

impl<'a> Shown<'a> {
    fn new(model: &'a Model, state: &'a [u8]) -> Shown<'a> {
        Shown {
            model,
            state,
            channels: channels(model, state),
        }
    }

    fn push(
        &self,
        items: &mut Vec<Item>,
        pid: Option<u8>,
        variable: &Variable,
        base: u32,
        prefix: &str,
    ) {
        leaves(variable, base, prefix, &mut |leaf| {
            items.push(Item {
                pid,
                name: leaf.name.to_owned(),
                value: self.leaf(leaf),
            });
        });
    }

    /// The value of a variable; for a channel's home, the messages.
    fn leaf(&self, leaf: Leaf<'_>) -> String {
        let raw = leaf.scalar.read(self.state, leaf.at as usize);
        match self.channel(raw) {
            Some(channel) if leaf.display == Display::Channel && channel.home == leaf.at => {
                self.contents(channel)
            }
            _ => self.value(leaf.display, raw),
        }
    }

    fn value(&self, display: Display, raw: i32) -> String {
        match display {
            Display::Channel => name_of(&self.channels, raw),
            _ => value(self.model, display, raw),
        }
    }

    fn channel(&self, number: i32) -> Option<&Channel<'a>> {
        let row = usize::try_from(number).ok()?.checked_sub(1)?;
        self.channels.get(row)
    }

    /// The messages in a channel, as `[a,1] [b,2]`.
    fn contents(&self, channel: &Channel<'_>) -> String {
        let ty = channel.ty;
        if ty.capacity == 0 {
            return "rendezvous".to_owned();
        }
        let messages: Vec<String> = (0..channel.len(self.state))
            .map(|position| {
                let at = channel.offset + ty.length_size() + position * ty.message_size();
                let fields: Vec<String> = ty
                    .fields
                    .iter()
                    .map(|field| {
                        let raw = field.scalar.read(self.state, (at + field.offset) as usize);
                        self.value(field.display, raw)
                    })
                    .collect();
                format!("[{}]", fields.join(","))
            })
            .collect();
        if messages.is_empty() {
            "empty".to_owned()
        } else {
            messages.join(" ")
        }
    }
}

/// The name of a proctype for people: Spin's `:init:` is `init`.
pub fn proctype_name(proctype: &Proctype) -> &str {
    proctype.name.trim_matches(':')
}

/// The name of a process, as `P(2)`.
pub fn process_name(proctype: &Proctype, pid: usize) -> String {
    format!("{}({pid})", proctype_name(proctype))
}

/// The processes of a state: pid, proctype (a row of [`Model::proctypes`]) and control state.
pub fn processes(model: &Model, state: &[u8]) -> Vec<(u8, u32, crate::ids::ControlId)> {
    frames(model, state)
        .into_iter()
        .enumerate()
        .map(|(pid, frame)| {
            let head = model.layout.head(state, frame);
            (pid as u8, u32::from(head.kind), head.control)
        })
        .collect()
}

fn proctype_at<'m>(model: &'m Model, state: &[u8], frame: u32) -> &'m Proctype {
    &model.proctypes[usize::from(model.layout.head(state, frame).kind)]
}

fn frames(model: &Model, state: &[u8]) -> Vec<u32> {
    let mut frames = Vec::new();
    let mut at = model.layout.frames;
    while (at as usize) < state.len() {
        frames.push(at);
        at += proctype_at(model, state, at).frame_size;
    }
    frames
}

/// A channel of a state.
struct Channel<'m> {
    /// The process it belongs to.
    pid: Option<u8>,
    /// The name of its home.
    name: String,
    /// The offset of its home.
    home: u32,
    /// The offset of its contents.
    offset: u32,
    ty: &'m ChannelType,
}

impl Channel<'_> {
    fn len(&self, state: &[u8]) -> u32 {
        let at = self.offset as usize;
        match self.ty.length_size() {
            0 => 0,
            1 => u32::from(state[at]),
            _ => u32::from(u16::from_le_bytes([state[at], state[at + 1]])),
        }
    }
}

fn name_of(channels: &[Channel<'_>], number: i32) -> String {
    let row = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
    match (number, row.and_then(|row| channels.get(row))) {
        (0, _) => "none".to_owned(),
        (_, Some(channel)) => channel.name.clone(),
        _ => format!("channel {number}"),
    }
}

/// Every channel of a state, in the order of their numbers.
fn channels<'m>(model: &'m Model, state: &[u8]) -> Vec<Channel<'m>> {
    let mut all = global_channels(model);
    for (pid, frame) in frames(model, state).into_iter().enumerate() {
        let proctype = proctype_at(model, state, frame);
        let prefix = format!("{}:", process_name(proctype, pid));
        push_channels(
            &mut all,
            model,
            (Some(pid as u8), frame, &prefix),
            &proctype.inits,
            &proctype.variables,
        );
    }
    all
}

fn global_channels(model: &Model) -> Vec<Channel<'_>> {
    let mut all = Vec::new();
    let home = (None, 0, "");
    push_channels(&mut all, model, home, &model.global_inits, &model.globals);
    all
}

/// The channels that initialisers make, in their order, which is that of their numbers.
fn push_channels<'m>(
    all: &mut Vec<Channel<'m>>,
    model: &'m Model,
    (pid, base, prefix): (Option<u8>, u32, &str),
    inits: &[Initialiser],
    variables: &[Variable],
) {
    for init in inits {
        let Initialiser::Channel { offset, slot } = init else {
            continue;
        };
        let home = base + offset;
        let mut name = None;
        for variable in variables {
            let range = variable.offset..variable.offset + variable.size();
            if range.contains(offset) {
                leaves(variable, base, prefix, &mut |leaf| {
                    if leaf.at == home {
                        name = Some(leaf.name.to_owned());
                    }
                });
            }
        }
        all.push(Channel {
            pid,
            name: name.unwrap_or_else(|| format!("channel {}", all.len() + 1)),
            home,
            offset: base + slot.offset,
            ty: model.channel_type(slot.ty),
        });
    }
}
