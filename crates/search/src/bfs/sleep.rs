//! Steps that need not be taken, because others lead to the same states.
//!
//! Follows: [Godefroid 1996], sleep sets, which leave out steps but no states.
//!
//! Say a step `b` of process `q` leads from a state `s` to a new state `t`, and process `p` is
//! independent of it. Then each step `a` of `p` out of `t` is one out of `s` too, and leads from
//! `t` to where `b` leads from `a(s)`. So the step need not be taken in `t`, if `b` is taken in
//! `a(s)`. To make sure of that, a step is left to another one only if that belongs to a process
//! with a lower pid: `p > q`. Whatever is left to others in a chain is taken in the end. All states
//! are found, and in the same layer: `a(s)` is in the layer of `t` or one before it.
//!
//! If `p` has no step in `s`, it has none in `t`, whatever its pid is, and need not be asked.
//!
//! Departs: nothing is left out of the figures. The steps of a process that sleeps are as many
//! as it had in `s`, none of them breaks a property, and they count as matched. A process sleeps
//! with all its steps or with none; one with an atomic sequence among them, or with a step that
//! breaks a property, does not sleep. What sleeps in a state depends on the step
//! that found it; those that find it again could put more processes to sleep.

use std::io::{self, Read, Write};

use space::{Asleep, Pid, PidSet, Row};

use crate::checkpoint::wire::{get_bytes, put_bytes};

mod counts;

use counts::Counts;

/// Processes with pids from here on do not sleep.
const MOST: u8 = 32;

/// The steps out of a state, by process.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steps {
    /// The steps of the processes that sleep, which were found before, and of the others.
    slept: Counts,
    taken: Counts,
    /// The processes that sleep.
    asleep: u32,
    /// How many steps they have together.
    slept_through: u32,
    /// The processes with other steps than can be slept through.
    busy: u32,
}

impl Steps {
    /// Count a step out of the state itself.
    #[inline(always)]
    pub(super) fn count(&mut self, row: &Row) {
        if row.has(Row::OFFER) || row.pid >= MOST {
            return;
        }
        let is_counted = self.taken.add(row.pid);
        if !is_counted || row.flags & !Row::HANDSHAKE != 0 {
            self.busy |= 1 << row.pid;
        }
    }

    /// The processes that sleep.
    #[inline]
    pub(super) fn asleep(&self) -> Asleep {
        Asleep {
            pids: PidSet(u64::from(self.asleep)),
            can_move: self.slept_through > 0,
        }
    }

    /// How many steps are slept through.
    #[inline]
    pub(super) fn slept_through(&self) -> u32 {
        self.slept_through
    }

    /// How many of them come before the steps of a process.
    #[inline]
    pub(super) fn slept_through_before(&self, pid: u8) -> u32 {
        match self.slept_through {
            0 => 0,
            _ => self.slept.above(pid).sum(),
        }
    }

    /// Who sleeps behind a step of this process, which some are independent of.
    #[inline(always)]
    fn behind(&self, pid: u8, independent: PidSet) -> Steps {
        let counts = self.slept.with(self.taken);
        let idle = independent.0 as u32 & !counts.present();
        let higher = independent.above(Pid(pid)).0 as u32;
        let asleep = (higher | idle) & !self.busy;
        let slept = counts.of(asleep);
        Steps {
            slept,
            asleep,
            slept_through: slept.sum(),
            ..Steps::default()
        }
    }
}

/// Who sleeps in the states that wait to be expanded, in their order.
#[derive(Debug, Default)]
pub(super) struct Sleepers {
    /// For the states of the layer, how far they are taken, and for those of the next one: who
    /// sleeps, and how many steps each of these has.
    layer: Vec<u8>,
    taken: usize,
    next: Vec<u8>,
}

/// The bytes for a state: the processes, and the counts of the lower half of them. Those of the
/// upper half come behind, if one of these sleeps.
const RECORD: usize = 12;

impl Sleepers {
    /// The next state is in the next layer.
    pub(super) fn next_layer(&mut self) {
        self.layer.clear();
        self.taken = 0;
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    /// Another state waits, in which nobody sleeps.
    #[inline]
    pub(super) fn push_awake(&mut self) {
        self.next.extend_from_slice(&[0; RECORD]);
    }

    /// Another state waits. A step of this process found it out of a state with these steps.
    #[inline]
    pub(super) fn push(&mut self, steps: &Steps, pid: u8, independent: PidSet) {
        let Steps { asleep, slept, .. } = steps.behind(pid, independent);
        let mut record = [0; RECORD];
        record[..4].copy_from_slice(&asleep.to_le_bytes());
        record[4..].copy_from_slice(&slept.lower.to_le_bytes());
        self.next.extend_from_slice(&record);
        if asleep >> 16 != 0 {
            self.next.extend_from_slice(&slept.upper.to_le_bytes());
        }
    }

    /// Who sleeps in the next state of the layer.
    #[inline]
    pub(super) fn pop(&mut self) -> Steps {
        let Some((record, rest)) = self.layer[self.taken..].split_first_chunk::<RECORD>() else {
            return Steps::default();
        };
        self.taken += RECORD;
        let (asleep, lower) = record.split_at(4);
        let asleep = u32::from_le_bytes(asleep.try_into().expect("four bytes"));
        let mut slept = Counts {
            lower: u64::from_le_bytes(lower.try_into().expect("eight bytes")),
            upper: 0,
        };
        if asleep >> 16 != 0
            && let Some(upper) = rest.first_chunk()
        {
            self.taken += upper.len();
            slept.upper = u64::from_le_bytes(*upper);
        }
        Steps {
            slept,
            asleep,
            slept_through: slept.sum(),
            ..Steps::default()
        }
    }

    /// The memory in use, which never shrinks.
    pub(super) fn memory_bytes(&self) -> usize {
        self.layer.capacity() + self.next.capacity()
    }

    pub(super) fn save(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        put_bytes(out, &self.layer[self.taken..])?;
        put_bytes(out, &self.next)
    }

    pub(super) fn restore(input: &mut (impl Read + ?Sized)) -> io::Result<Sleepers> {
        Ok(Sleepers {
            layer: get_bytes(input)?,
            taken: 0,
            next: get_bytes(input)?,
        })
    }
}
