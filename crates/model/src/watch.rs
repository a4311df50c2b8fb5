//! Room in the state vector for somebody who watches the model.
//!
//! A claim moves beside the model, and its state is part of every state of their product.
//! [`make_room`] puts some bytes between the hidden variables and the globals that no
//! statement of the model touches. Steps carry them along, so that a product need not copy
//! vectors to add the state of its claim.

use crate::layout::Base;
use crate::model::{Initialiser, Model};

/// The bytes of a vector that belong to somebody else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Where they begin.
    pub offset: u32,
    /// So many at the front are hidden: they do not tell states apart.
    pub hidden: u32,
    /// How many there are, hidden ones included.
    pub size: u32,
}

/// Shift the globals of a model to make room: some hidden bytes, and behind them others.
/// Transitions, control states and sites keep their numbers.
pub fn make_room(model: &mut Model, hidden: u32, others: u32) -> Room {
    let room = Room {
        offset: model.layout.hidden,
        hidden,
        size: hidden + others,
    };
    let moved = |offset: u32| match offset < room.offset {
        true => offset,
        false => offset + room.size,
    };
    let layout = &mut model.layout;
    layout.hidden += room.hidden;
    layout.frames += room.size;
    layout.last = layout.last.map(moved);
    layout.event = layout.event.map(moved);
    for slot in &mut layout.channels {
        slot.offset = moved(slot.offset);
    }
    for place in &mut model.places {
        if place.base == Base::Global {
            place.offset = moved(place.offset);
        }
    }
    for variable in &mut model.globals {
        variable.offset = moved(variable.offset);
    }
    for init in &mut model.global_inits {
        match init {
            Initialiser::Value { offset, .. } => *offset = moved(*offset),
            Initialiser::Channel { offset, slot } => {
                *offset = moved(*offset);
                slot.offset = moved(slot.offset);
            }
        }
    }
    room
}
