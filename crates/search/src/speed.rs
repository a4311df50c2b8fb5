//! How long a step takes, on a model that costs next to nothing. Run by hand:
//! `cargo test --release -p search -- --ignored --nocapture speed`.

use std::hint::black_box;
use std::io::{self, Read, Write};

use space::{Control, Expansion, NextState, Pid, Row, Step, TransitionId, Violation};
use store::{Insert, Key, StateId, StateStore};

use crate::{Outcome, SearchConfig, dfs};

/// Counters that go round, in vectors of 40 bytes.
struct Counters {
    count: usize,
    values: u8,
}

const LEN: usize = 40;

impl NextState for Counters {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; LEN])
    }

    fn hidden_len(&self) -> usize {
        0
    }

    fn transition_count(&self) -> usize {
        self.count
    }

    fn extend(&mut self, state: &[u8], _: Control, found: &mut Expansion) {
        found.moved = false;
        found.moved = true;
        for n in 0..self.count {
            let step = Step {
                pid: Pid(n as u8),
                transition: TransitionId(n as u32),
                partner: None,
            };
            found.push(Row::new(Some(step), Control::Free, 0), state);
            let at = found.bytes.len() - LEN + 7 * n;
            found.bytes[at] = (found.bytes[at] + 1) % self.values;
        }
    }

    fn is_valid_end(&mut self, _: &[u8]) -> bool {
        true
    }
}

/// An open table of state numbers with a tag each, over states of equal length.
struct Table {
    slots: Vec<u64>,
    states: Vec<u8>,
    len: u64,
}

impl Table {
    fn new(bits: u32) -> Table {
        Table {
            slots: vec![0; 1 << bits],
            states: Vec::new(),
            len: 0,
        }
    }

    /// The slot of a state, or the empty one where it belongs.
    fn find(&self, state: &[u8], key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key.0 as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return slot;
            }
            let at = (entry & 0xffff_ffff) as usize - 1;
            if entry >> 32 == key.0 >> 32 && &self.states[at * LEN..][..LEN] == state {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}

impl StateStore for Table {
    const EXACT: bool = true;
    const READABLE: bool = true;
    const ORDERED: bool = true;

    #[inline]
    fn prepare(&mut self, state: &[u8]) -> Key {
        let mut hash = 0x243f_6a88_85a3_08d3_u64;
        for word in state.chunks_exact(8) {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(word);
            let mixed = u128::from(hash ^ u64::from_le_bytes(bytes)) * 0x9e37_79b9_7f4a_7c15;
            hash = mixed as u64 ^ (mixed >> 64) as u64;
        }
        black_box(self.slots[hash as usize & (self.slots.len() - 1)]);
        Key(hash)
    }

    #[inline]
    fn insert(&mut self, state: &[u8], key: Key) -> Insert {
        let slot = self.find(state, key);
        let entry = self.slots[slot];
        if entry != 0 {
            return Insert::Known(StateId::from_bits((entry & 0xffff_ffff) - 1));
        }
        self.states.extend_from_slice(state);
        self.len += 1;
        self.slots[slot] = self.len | key.0 >> 32 << 32;
        Insert::New(StateId::from_bits(self.len - 1))
    }

    #[inline]
    fn contains(&self, state: &[u8], key: Key) -> bool {
        self.slots[self.find(state, key)] != 0
    }

    fn read(&self, id: StateId, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(&self.states[id.to_bits() as usize * LEN..][..LEN]);
    }

    fn next_id(&self, id: Option<StateId>) -> Option<StateId> {
        let next = id.map_or(0, |id| id.to_bits() + 1);
        (next < self.len).then(|| StateId::from_bits(next))
    }

    fn note(&mut self, _: StateId) -> &mut [u8] {
        &mut []
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn save(&self, _: &mut dyn Write) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn restore(&mut self, _: &mut dyn Read) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn memory_bytes(&self) -> usize {
        self.states.len() + self.slots.len() * 8
    }
}

fn measure(name: &str, search: impl Fn(&mut Counters, &mut Table) -> Outcome) {
    for (count, values) in [(5, 20), (3, 150)] {
        let mut model = Counters { count, values };
        let outcome = search(&mut model, &mut Table::new(23));
        let transitions = outcome.figures.transitions();
        println!(
            "{name}: {} states, {transitions} transitions, depth {}, {} MB beside the store, {} ns",
            outcome.figures.stored,
            outcome.figures.depth,
            outcome.stack_bytes >> 20,
            outcome.duration.as_nanos() as u64 / transitions
        );
        assert_eq!(outcome.figures.stored, u64::from(values).pow(count as u32));
    }
}

#[test]
#[ignore = "takes long without optimization"]
fn speed_of_dfs() {
    measure("dfs", |model, store| {
        dfs(model, store, &SearchConfig::default())
    });
}

#[test]
#[ignore = "takes long without optimization"]
fn speed_of_bfs() {
    measure("bfs", |model, store| {
        crate::bfs(model, store, &SearchConfig::default())
    });
}
