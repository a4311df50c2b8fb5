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
//! Departs: nothing is left out of the counts. The steps of a process that sleeps are as many
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

    /// Count all steps out of the state itself, which can all be slept through.
    #[inline(always)]
    pub(super) fn count_all(&mut self, rows: &[Row]) {
        if !self.taken.add_few(rows.iter().map(|row| row.pid)) {
            rows.iter().for_each(|row| self.count(row));
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

    /// The processes that sleep behind a step of this process, which some are independent of.
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

/// The sleep sets of the states that wait to be expanded, in their order.
#[derive(Debug, Default)]
pub(super) struct Sleepers {
    /// For the states of the layer, how far they are taken, and for those of the next one: who
    /// sleeps, and how many steps each of these has.
    layer: Vec<u8>,
    taken: usize,
    next: Vec<u8>,
}

/// The first byte for a state: who may sleep. Then come the processes and their counts, in no
/// more bytes than these need.
const NOBODY: u8 = 0;
const BELOW_8: u8 = 1;
const BELOW_16: u8 = 2;
const ALL: u8 = 3;

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
        self.next.push(NOBODY);
    }

    /// Another state waits. A step of this process found it out of a state with these steps.
    #[inline]
    pub(super) fn push(&mut self, steps: &Steps, pid: u8, independent: PidSet) {
        let Steps { asleep, slept, .. } = steps.behind(pid, independent);
        let next = &mut self.next;
        match asleep {
            0 => next.push(NOBODY),
            1..0x100 => {
                let [a, b, c, d] = (slept.lower as u32).to_le_bytes();
                next.extend_from_slice(&[BELOW_8, asleep as u8, a, b, c, d]);
            }
            0x100..0x1_0000 => {
                let [a, b] = (asleep as u16).to_le_bytes();
                next.extend_from_slice(&[BELOW_16, a, b]);
                next.extend_from_slice(&slept.lower.to_le_bytes());
            }
            _ => {
                next.push(ALL);
                next.extend_from_slice(&asleep.to_le_bytes());
                next.extend_from_slice(&slept.lower.to_le_bytes());
                next.extend_from_slice(&slept.upper.to_le_bytes());
            }
        }
    }

    /// The processes that sleep in the next state of the layer.
    #[inline]
    pub(super) fn pop(&mut self) -> Steps {
        let mut rest = &self.layer[self.taken..];
        let (asleep, lower, upper) = match take(&mut rest) {
            [BELOW_8] => {
                let [asleep] = take(&mut rest);
                let lower = u32::from_le_bytes(take(&mut rest));
                (u32::from(asleep), u64::from(lower), 0)
            }
            [BELOW_16] => {
                let asleep = u16::from_le_bytes(take(&mut rest));
                (asleep.into(), u64::from_le_bytes(take(&mut rest)), 0)
            }
            [ALL] => (
                u32::from_le_bytes(take(&mut rest)),
                u64::from_le_bytes(take(&mut rest)),
                u64::from_le_bytes(take(&mut rest)),
            ),
            _ => (0, 0, 0),
        };
        self.taken = self.layer.len() - rest.len();
        let slept = Counts { lower, upper };
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

/// Take bytes from the front. What is missing counts as 0.
#[inline(always)]
fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let Some((taken, rest)) = bytes.split_first_chunk() else {
        return [0; N];
    };
    *bytes = rest;
    *taken
}
