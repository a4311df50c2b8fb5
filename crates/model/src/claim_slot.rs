//! The claim slot: bytes of the state vector that hold the state of a claim.
//!
//! A claim moves beside the model, and its state is part of every state of their product.
//! [`add_claim_slot`] puts some bytes between the hidden variables and the globals that no
//! statement of the model touches. Steps carry them along, so that a product need not copy
//! vectors to add the state of its claim.

use crate::layout::Base;
use crate::model::{Initialiser, Model};

/// The bytes of a vector that belong to a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimSlot {
    /// Where they begin.
    pub offset: u32,
    /// So many at the front are hidden: they do not distinguish states.
    pub hidden: u32,
    /// How many there are, hidden ones included.
    pub size: u32,
}

/// Shift the globals of a model to add a claim slot: some hidden bytes, and behind them others.
/// Transitions, control states and sites keep their numbers.
pub fn add_claim_slot(model: &mut Model, hidden: u32, others: u32) -> ClaimSlot {
    let slot = ClaimSlot {
        offset: model.layout.hidden,
        hidden,
        size: hidden + others,
    };
    let moved = |offset: u32| match offset < slot.offset {
        true => offset,
        false => offset + slot.size,
    };
    let layout = &mut model.layout;
    layout.hidden += slot.hidden;
    layout.frames += slot.size;
    layout.last = layout.last.map(moved);
    layout.event = layout.event.map(moved);
    for channel in &mut layout.channels {
        channel.offset = moved(channel.offset);
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
    slot
}
