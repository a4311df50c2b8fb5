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
use crate::varint;

/// Processes with pids from here on do not sleep.
const MOST: usize = 32;

/// The steps out of a state, by process.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steps {
    counts: [u8; MOST],
    /// The processes that sleep; their counts were found before.
    asleep: PidSet,
    /// How many steps they have together.
    slept_through: u32,
    /// The processes with steps, and those with other ones than can be slept through.
    movers: PidSet,
    busy: PidSet,
}

impl Steps {
    /// Count a step out of the state itself.
    #[inline(always)]
    pub(super) fn count(&mut self, row: &Row) {
        if row.has(Row::OFFER) {
            return;
        }
        let pid = Pid(row.pid);
        self.movers.insert(pid);
        let Some(count) = self.counts.get_mut(usize::from(pid.0)) else {
            return;
        };
        *count = count.wrapping_add(1);
        if *count == 0 || row.flags & !Row::HANDSHAKE != 0 {
            self.busy.insert(pid);
        }
    }

    /// The processes that sleep.
    #[inline]
    pub(super) fn asleep(&self) -> Asleep {
        Asleep {
            pids: self.asleep,
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
        let count = |pid: Pid| u32::from(self.counts[usize::from(pid.0)]);
        self.asleep.above(Pid(pid)).iter().map(count).sum()
    }

    /// Of the processes that are independent of a step of this one, those that sleep behind it.
    #[inline]
    fn asleep_behind(&self, pid: u8, independent: PidSet) -> PidSet {
        let idle = independent.0 & !self.movers.0;
        let asleep = independent.above(Pid(pid)).0 | idle;
        PidSet(asleep & !self.busy.0 & ((1 << MOST) - 1))
    }
}

/// Who sleeps in the states that wait to be expanded, in their order.
#[derive(Debug, Default)]
pub(super) struct Sleepers {
    /// For the states of the layer, how far they are taken, and for those of the next one: the
    /// set of pids and the counts of these.
    layer: Vec<u8>,
    taken: usize,
    next: Vec<u8>,
}

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
        self.next.push(0);
    }

    /// Another state waits. A step of this process found it out of a state with these steps.
    #[inline]
    pub(super) fn push(&mut self, steps: &Steps, pid: u8, independent: PidSet) {
        let asleep = steps.asleep_behind(pid, independent);
        varint::push(&mut self.next, asleep.0);
        for pid in asleep.iter() {
            self.next.push(steps.counts[usize::from(pid.0)]);
        }
    }

    /// Who sleeps in the next state of the layer.
    #[inline]
    pub(super) fn pop(&mut self) -> Steps {
        let mut rest = &self.layer[self.taken..];
        let asleep = PidSet(varint::take(&mut rest));
        let mut steps = Steps {
            asleep,
            ..Steps::default()
        };
        for pid in asleep.iter() {
            let (Some((&count, behind)), Some(place)) =
                (rest.split_first(), steps.counts.get_mut(usize::from(pid.0)))
            else {
                break;
            };
            *place = count;
            rest = behind;
            steps.slept_through += u32::from(count);
            if count > 0 {
                steps.movers.insert(pid);
            }
        }
        self.taken = self.layer.len() - rest.len();
        steps
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
