//! What the steps of a process depend on.
//!
//! Whoever keeps the steps of a process has to know which other states have the same: those with
//! the same values in all that was read or written to find them. A recording interpreter notes it
//! while it works, so the answer is exact for the state at hand: an index, a channel or a process
//! that is computed counts as what it was here.
//!
//! Writing counts as reading: a part of the vector that is written, be it to the value that it
//! had, makes the successor depend on what was there.
//!
//! Not noted is what belongs to the process for which steps are looked for, its own frame. Of a
//! channel only its length is noted, of any number its first byte.

use std::cell::{Cell, RefCell};

use super::{Cursor, Interp, View};
use crate::ids::{PlaceId, ProctypeId};
use crate::model::{Action, Model};

/// What was read or written.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// Bytes of the vector, as bits.
    bytes: RefCell<Vec<u64>>,
    /// Which processes there are, and which channels they have.
    population: Cell<bool>,
}

impl Touched {
    /// Forget everything.
    pub fn clear(&mut self) {
        self.bytes.get_mut().clear();
        self.population.set(false);
    }

    /// Whether it mattered which processes there are, their proctypes included.
    pub fn population(&self) -> bool {
        self.population.get()
    }

    /// The bytes, in rising order. Those of processes that were started meanwhile lie behind the
    /// end of the vector.
    pub fn bytes(&self) -> Vec<usize> {
        let words = self.bytes.borrow();
        let bits = |(at, &word): (usize, &u64)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 != 0)
                .map(move |bit| at * 64 + bit)
        };
        words.iter().enumerate().flat_map(bits).collect()
    }

    fn add(&self, at: usize) {
        let mut words = self.bytes.borrow_mut();
        if words.len() <= at / 64 {
            words.resize(at / 64 + 1, 0);
        }
        words[at / 64] |= 1 << (at % 64);
    }
}

/// The receive statements of a proctype that may take part in a handshake.
#[derive(Clone, Debug, Default)]
pub(super) struct Receives {
    /// The places of their channels.
    channels: Vec<PlaceId>,
    /// Whether one of them only copies the message, which is an error in a handshake.
    peeks: bool,
}

impl Receives {
    /// Those of all proctypes.
    pub(super) fn of(model: &Model) -> Vec<Receives> {
        let mut all = vec![Receives::default(); model.proctypes.len()];
        for transition in &model.transitions {
            let receives = &mut all[transition.proctype.index()];
            match &transition.action {
                Action::DStep(row) => {
                    let dstep = &model.dsteps[*row as usize];
                    // One of the first statements takes the offer, or none.
                    dstep.guards.iter().for_each(|guard| receives.add(guard));
                }
                action => receives.add(action),
            }
        }
        for receives in &mut all {
            receives.channels.sort_unstable();
            receives.channels.dedup();
        }
        all
    }

    fn add(&mut self, action: &Action) {
        if let Action::Receive { channel, peek, .. } = action {
            self.channels.push(*channel);
            self.peeks |= peek;
        }
    }
}

impl Interp<'_> {
    /// Note from now on what steps depend on, see [`Interp::touched`].
    pub fn record_touched(&mut self) {
        self.touched = Some(Box::default());
        self.receives = Receives::of(self.model);
    }

    /// Whether any statement can wait for `timeout`.
    pub fn uses_timeout(&self) -> bool {
        self.uses_timeout
    }

    /// What was read and written since [`Touched::clear`] was called, if it is recorded.
    pub fn touched(&mut self) -> Option<&mut Touched> {
        self.touched.as_deref_mut()
    }

    /// Somebody else who decides about steps reads a byte of the vector.
    #[inline(always)]
    pub fn note_read(&self, at: u32) {
        self.touch(at as usize);
    }

    /// A byte of the vector is read or written.
    #[inline(always)]
    pub(super) fn touch(&self, at: usize) {
        if let Some(touched) = &self.touched {
            touched.add(at);
        }
    }

    /// It matters which processes there are.
    #[inline(always)]
    pub(super) fn touch_population(&self) {
        if let Some(touched) = &self.touched {
            touched.population.set(true);
        }
    }

    /// Whether a process cannot take the offer, wherever it stands: so nothing is noted but its
    /// proctype and the channels of its receive statements. Only asked when it is recorded.
    pub(super) fn never_receives(&self, halfway: &[u8], pid: u8, cursor: &Cursor) -> bool {
        if self.touched.is_none() || self.guarded {
            return false;
        }
        let kind = ProctypeId(u32::from(
            self.model
                .layout
                .head(halfway, self.frames[pid as usize])
                .kind,
        ));
        let Receives { channels, peeks } = &self.receives[kind.index()];
        let view = View {
            moved: false,
            ..self.view(halfway, pid, cursor)
        };
        let is_other = |&place: &PlaceId| match self.load_place(&view, place) {
            Ok(number) => number != i32::from(self.offer.channel) && self.channel(number).is_ok(),
            Err(_) => false,
        };
        !peeks && channels.iter().all(is_other)
    }
}
