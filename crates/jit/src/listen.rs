//! Who may receive an offer: worked out once for a node, and looked up for each offer.

use model::layout::Head;
use model::{Action, Base, ControlState, Model, PlaceId, StateLayout};

use crate::facts::Facts;
use crate::shape::Shape;

/// The channels that a control state receives on, as a set of numbers modulo 64.
#[derive(Clone, Debug, Default)]
struct Ear {
    /// Those that are always the same.
    fixed: u64,
    /// Bytes of the frame, or of the globals, with the number of another one.
    frame: Vec<u32>,
    global: Vec<u32>,
}

/// What the processes of a model listen to.
pub(crate) struct Ears {
    layout: StateLayout,
    /// By head.
    ears: Vec<Ear>,
    /// The listeners of the node: the channels, and who. From the highest pid down.
    listeners: Vec<(u64, u8)>,
    ready: bool,
}

impl Ears {
    pub(crate) fn new(model: &Model) -> Ears {
        let facts = Facts::new(model);
        let of_head = |head: &Head| {
            let states = &model.proctypes[usize::from(head.kind)].states;
            ear(model, &facts, &states[head.control.index()])
        };
        Ears {
            ears: model.layout.heads.iter().map(of_head).collect(),
            layout: model.layout.clone(),
            listeners: Vec::new(),
            ready: false,
        }
    }

    /// Forget the node.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.ready = false;
    }

    /// Those who may receive on a channel in the node, which has this vector: channels as a
    /// set, to be tested with [`hears`], and pid.
    #[inline]
    pub(crate) fn listeners(&mut self, shape: &Shape, state: &[u8]) -> &[(u64, u8)] {
        if !self.ready {
            self.ready = true;
            self.find(shape, state);
        }
        &self.listeners
    }

    fn find(&mut self, shape: &Shape, state: &[u8]) {
        self.listeners.clear();
        for (pid, process) in shape.processes.iter().enumerate().rev() {
            let frame = process.offset as usize;
            let ear = &self.ears[self.layout.head_number(state, process.offset)];
            let mut channels = ear.fixed;
            let held = |offset: usize| match state[offset] {
                // Not a channel: whoever looks at it fails, whatever is offered.
                0 => u64::MAX,
                number if usize::from(number) > shape.channels.len() => u64::MAX,
                number => bit(number),
            };
            for offset in &ear.frame {
                channels |= held(frame + *offset as usize);
            }
            for offset in &ear.global {
                channels |= held(*offset as usize);
            }
            if channels != 0 {
                self.listeners.push((channels, pid as u8));
            }
        }
    }
}

/// The channel in a set.
#[inline]
pub(crate) fn bit(channel: u8) -> u64 {
    1 << (channel % 64)
}

fn ear(model: &Model, facts: &Facts, state: &ControlState) -> Ear {
    let mut ear = Ear::default();
    for entry in &state.options {
        match &model.transition(entry.transition).action {
            Action::Receive { channel, peek, .. } => {
                listen(model, facts, *channel, *peek, &mut ear);
            }
            Action::DStep(row) => {
                for guard in &model.dsteps[*row as usize].guards {
                    if let Action::Receive { channel, peek, .. } = guard {
                        listen(model, facts, *channel, *peek, &mut ear);
                    }
                }
            }
            _ => {}
        }
    }
    ear
}

fn listen(model: &Model, facts: &Facts, channel: PlaceId, peek: bool, ear: &mut Ear) {
    let place = model.place(channel);
    match facts.fixed_channel(model, channel) {
        // To peek at a channel without a buffer fails, and so may an index.
        _ if peek || !place.indices.is_empty() => ear.fixed = u64::MAX,
        Some(fixed) => ear.fixed |= bit(fixed.number as u8),
        None => match place.base {
            Base::Frame => ear.frame.push(place.offset),
            Base::Global => ear.global.push(place.offset),
            Base::Nowhere => ear.fixed = u64::MAX,
        },
    }
}
